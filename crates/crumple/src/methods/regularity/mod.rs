//! Triangles that intersect, by shape regularity (Volino & Magnenat-Thalmann 1994).
//!
//! A smooth surface does not hit itself at short range. If all triangles of a region face one direction, and its
//! contour, seen from there, does not cross itself, no two of them can collide (rule I); the same holds for the union of
//! two neighbouring regions (rule II). A BVH wastes its time on neighbours, whose boxes always overlap; here whole regions
//! of them are culled: a sphere of a million triangles takes a few hundred calls and no triangle test. Between bodies, and
//! where a surface is crumpled, boxes decide, then planes, then exact signs.
//!
//! P. Volino, N. Magnenat-Thalmann: *Efficient self-collision detection on smoothly discretized surface animations using
//! geometrical shape regularity*, Computer Graphics Forum 13 (Eurographics 1994), pp. 155–166.
//!
//! # The way of a frame
//! Once for each topology:
//!
//! | step | file | paper |
//! | --- | --- | --- |
//! | equal triangles are one | `hierarchy/copies.rs` | |
//! | what lies across each side: from the triangles round each vertex | `hierarchy/fans.rs` | |
//! | the same where a vertex is odd: from edges and components | `hierarchy/half_edges.rs` | |
//! | positions within the unit cube, which guide what grows | `hierarchy/scale.rs` | |
//! | triangles that stand in no order get one along a curve | `hierarchy/order.rs` | |
//! | triangles grow to clusters of 16, in chunks | `hierarchy/clusters.rs` | |
//! | neighbours merge, the roundest unions first | `hierarchy/grow.rs`, `hierarchy/merge.rs` | \[V5\], \[V6\], Fig. 3 |
//! | what has no neighbours is gathered by position | `hierarchy/gather.rs` | |
//! | nodes in flat arrays, each an interval of triangles; leaves are patches | `hierarchy/tree.rs` | |
//! | the triangles of a patch in rows of eight | `hierarchy/rows.rs` | |
//! | contours of patches, and of unions from those of their parts | `hierarchy/contours.rs` | \[V9\], Fig. 4 |
//!
//! When a query is left with neighbours to test, once:
//!
//! | step | file | paper |
//! | --- | --- | --- |
//! | one-rings | `hierarchy/fans.rs`, `one_ring/topology.rs` | |
//! | common vertices of patches | `hierarchy/shared_vertices.rs` | |
//!
//! For each edit of a body:
//!
//! | step | file | paper |
//! | --- | --- | --- |
//! | the way back from triangles to patches | `hierarchy/upkeep.rs` | |
//! | patches that contain the change are written anew, and divided where they outgrow their size | `hierarchy/repair.rs` | \[V26\] |
//! | regions that contain it are traced anew | `hierarchy/retrace.rs` | |
//!
//! For each frame:
//!
//! | step | file | paper |
//! | --- | --- | --- |
//! | the bodies in the method, one pass over each | `surfaces.rs`, `update.rs` | |
//! | boxes of patches, upward | `bounds.rs`, `patch_vertices.rs` | |
//! | directions that patches face, upward | `facing.rs`, `directions.rs` | \[V12\], \[V13\], Figs. 5, 6 |
//!
//! For each query:
//!
//! | step | file | paper |
//! | --- | --- | --- |
//! | the order of the steps | `query.rs`, `posed.rs` | |
//! | descent within and between regions | `search.rs` | \[V7\], \[V15\] |
//! | rules I and II | `certificate/rules.rs` | \[V2\]–\[V4\], Fig. 2 |
//! | contours are projected | `certificate/contour.rs`, `certificate/plane.rs` | |
//! | the contour test, with runs cut as in the frame before where they hold | `certificate/simple_polygon.rs`, `certificate/runs.rs`, `certificate/kept.rs` | \[V14\] |
//! | patches that are left: rows of eight triangles | `leaves/patch_rows.rs`, `leaves/compare.rs` | \[V29\] |
//! | neighbours in patches that are left: rule I round a vertex | `one_ring/certify.rs`, `one_ring/crowded.rs`, `one_ring/pairs.rs` | |
//! | exact tests | `leaves/narrow.rs` | \[V16\] |
//! | the same within a budget, in rounds | `budgeted.rs` | |
//! | what it cost, and what it looked at | `stats.rs`, `draw.rs` | Figs. 7–10 |
//! | invariants | `validate.rs` | |
//!
//! As published (feature `published`): `published/grouping.rs` (more than two children), `published/adjacency.rs` (lists
//! of adjacent regions, \[V9\]–\[V11\]), `published/rules.rs` (without contours, or boxes alone), `published/figures.rs` (what the
//! paper draws), `published/query.rs` (down to
//! single triangles).
//!
//! What hits what between two frames: `step/mod.rs`, `step/follow.rs`, `step/descent.rs`.
//!
//! # Invariants
//! I1. Every triangle that is no copy is in one patch, and every node is an interval of ranks that its children divide; what
//!     edits put below a patch has the patch's ranks.
//! I2. The contour of a region has exactly the half-edges whose twin is not in the region, in closed loops.
//! I3. After `update` the box of a node is the smallest that holds the images of its vertices.
//! I4. A set bit means that every triangle of the region faces that direction; a cluster has no bit.
//! I5. A pair of triangles is certified, separated by boxes or tested, exactly one of the three.
//!
//! # Cost
//! build O(n log n), 150 ns a triangle · update O(n), 3 ns a triangle, 2 ns without directions · an edit of k triangles O(k log n) and the
//! contours of the regions that contain it, O(√n) where these are round; when it is built anew, says `hierarchy/repair.rs` · query O(k log n + c), k colliding or
//! nearly colliding triangles, c the contours of the regions looked at · memory about 60 bytes a triangle, and 6 kB for
//! each patch that a query opens.
//!
//! # Where we differ from the paper
//! - The contour test is kept (the paper dropped it, and misses a spiral ramp); rule II is applied to the contour of the
//!   union, where the paper compares two contours and misses pairs. The paper's own rules are in `published`.
//! - Leaves are patches of up to 64 triangles with vertex lists of their own, so that a frame is followed by streaming;
//!   what is inside a patch is looked at only where a query gets there.
//! - Merging in pairs starts from clusters of 16 triangles, which grow by the nearest free neighbour: from single triangles it
//!   took half of the time of building, and the regions were no better.
//! - Bits come from the box of a patch's unit normals, with an error margin; 128 directions instead of 12 or 32.
//! - Contours that held are kept with where they were cut into runs, and what regions have in common is remembered: both are
//!   proposals, and everything that depends on positions is decided anew in each frame.
//! - A region is an interval of ranks: "is this triangle in that region" takes two comparisons, and the contour of a
//!   union needs no search.
//! - Regions that touch in vertices only are told apart in the projection, so that the number of calls on a sphere does
//!   not grow with the mesh.
//! - Components that cannot merge are gathered by position into clusters, which carry no certificate: soup works.
//!
//! # When to choose it
//! For surfaces, always: it is exact, and nothing that was measured is faster. Soup, where no triangle has a neighbour,
//! gains nothing from the rules and is an ordinary BVH.

mod bounds;
mod budgeted;
mod certificate;
mod directions;
mod draw;
mod facing;
mod hierarchy;
mod leaves;
mod one_ring;
mod patch_vertices;
mod posed;
#[cfg(feature = "published")]
pub mod published;
mod query;
mod search;
mod stats;
pub mod step;
mod surfaces;
#[cfg(test)]
mod tests;
mod update;
mod validate;

#[doc(hidden)]
pub use self::stats::RegularityStats;

use std::ops::RangeInclusive;

use self::directions::MAX_DIRECTIONS;
use self::query::QueryMemory;
use self::surfaces::Surfaces;
use crate::ParamError;
use crate::patches::MAX_TRIANGLES;

/// Parameters of the method. Construct with `..Default::default()`: the fastest choice. The answers do not depend on
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegularityParams {
    /// Triangles of a leaf, 1 to 64, default 64. Larger patches make updates cheaper, and tests come in rows.
    pub patch: usize,
    /// Sampled directions, 6 to 128, default 128. Fewer make wide regions fail to find one; 12 and 32 are the corners,
    /// and corners and faces, of an icosahedron.
    pub directions: usize,
}

impl Default for RegularityParams {
    fn default() -> Self {
        Self { patch: MAX_TRIANGLES, directions: MAX_DIRECTIONS }
    }
}

/// Checks one parameter.
fn check_range(
    parameter: &'static str,
    value: usize,
    range: RangeInclusive<usize>,
    expected: &'static str,
) -> Result<(), ParamError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(ParamError { parameter, value: value.to_string(), expected })
    }
}

/// Triangles that intersect, within bodies and between them.
///
/// ```
/// use crumple::methods::regularity::{Regularity, RegularityParams};
/// use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs};
/// let bodies = Bodies::new([Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?])?;
/// let at = vec![vec![
///     [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.3, 1.0],
/// ]];
/// let mut method = Regularity::new(RegularityParams::default())?;
/// let mut found = Contacts::default();
/// method.update(&bodies, Frame::from(&at))?.contacts(Pairs::All, &mut found);
/// assert_eq!(found.triangle_pairs.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Regularity {
    params: RegularityParams,
    surfaces: Surfaces,
    memory: QueryMemory,
    stats: RegularityStats,
    /// More contacts than this are of no use.
    most: usize,
}

impl Regularity {
    /// Checks the parameters. The first frame that a mesh is seen in decides the shapes of its regions.
    pub fn new(params: RegularityParams) -> Result<Self, ParamError> {
        check_range("patch", params.patch, 1..=MAX_TRIANGLES, "1 to 64 triangles")?;
        check_range("directions", params.directions, 6..=MAX_DIRECTIONS, "6 to 128 directions")?;
        Ok(Self {
            params,
            surfaces: Surfaces::new(params.directions),
            memory: QueryMemory::default(),
            stats: RegularityStats::default(),
            most: usize::MAX,
        })
    }

    /// What the last query cost.
    #[must_use]
    #[doc(hidden)]
    pub fn stats(&self) -> RegularityStats {
        self.stats
    }
}
