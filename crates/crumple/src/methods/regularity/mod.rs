//! Triangles that intersect, by shape regularity (Volino & Magnenat-Thalmann 1994).
//!
//! A smooth surface does not hit itself at short range. If all triangles of a region face one direction, and its
//! contour, seen from there, does not cross itself, no two of them can collide (rule I); the same holds for the union of
//! two neighbouring regions (rule II). So neighbours, which keep a hierarchy of boxes busy for nothing, are dismissed by
//! the thousand: a sphere of a million triangles takes a few hundred calls and no triangle test. Between bodies, and
//! where a surface is crumpled, boxes decide, then planes, then exact signs.
//!
//! P. Volino, N. Magnenat-Thalmann: *Efficient self-collision detection on smoothly discretized surface animations using
//! geometrical shape regularity*, Computer Graphics Forum 13 (Eurographics 1994), pp. 155–166.
//!
//! # The way of a frame
//! | step | file | paper |
//! | --- | --- | --- |
//! | once: neighbours merge, the roundest unions first | `merge`, `build`, `tree` | V5, V6, Fig. 3 |
//! | once: contours of all regions | `outlines` (`labels` as published) | V9–V11, Fig. 4 |
//! | boxes of patches, directions they face, upward | `bounds`, `sight`, `directions`, `update` | V12, V13, Figs. 5, 6 |
//! | descent within and between regions | `search` | V7, V15 |
//! | rules I and II, the contour test | `certificate`, `contour` | V2–V4, V14, Fig. 2 |
//! | patches that are left: rows of eight triangles | `opened`, `compare`, `leaves` | V16, V29 |
//! | neighbours in patches that are left | `stars`, `fans`, `borders` | rule I round one vertex |
//!
//! # Invariants
//! I1. Places and triangles are one to one, and every node is an interval of places that its children divide.
//! I2. The contour of a region has exactly the half-edges whose twin is not in the region, in closed loops.
//! I3. After `update` the box of a node is the smallest that holds the images of its vertices.
//! I4. A set bit means that every triangle of the region faces that direction; a cluster has no bit.
//! I5. A pair of triangles is certified, separated by boxes or tested, exactly one of the three.
//!
//! # Cost
//! build O(n log n) · update O(n), 7 ns a triangle, 2 ns without directions · query O(k log n + c), k colliding or
//! nearly colliding triangles, c the contours of the regions looked at · memory about 60 bytes a triangle, and 6 kB for
//! each patch that a query opens.
//!
//! # Where we differ from the paper
//! - The contour test is kept (the paper dropped it, and misses a spiral ramp); rule II is applied to the contour of the
//!   union, where the paper compares two contours and misses pairs. [`Rules::AsPublished`] does as the paper did.
//! - Leaves are patches of up to 64 triangles with vertex lists of their own, so that a frame is followed by streaming;
//!   what is inside a patch is looked at only where a query gets there.
//! - Bits come from the box of a patch's unit normals, with an error margin; 128 directions instead of 12 or 32.
//! - A region is an interval of places: "is this triangle in that region" takes two comparisons, and the contour of a
//!   union needs no search.
//! - Regions that touch in vertices only are told apart in the projection, so that the number of calls on a sphere does
//!   not grow with the mesh.
//! - Components that cannot merge are gathered by position into clusters, which carry no certificate: soup works.
//!
//! # When to choose it
//! For surfaces, always: it is exact, and nothing that was measured is faster. Soup, where no triangle has a neighbour,
//! gains nothing from the rules and is an ordinary hierarchy of boxes.

mod bounds;
mod certificate;
mod directions;
mod draw;
mod facing;
mod hierarchy;
mod leaves;
mod one_ring;
mod published;
mod query;
mod search;
mod stats;
mod surface;
#[cfg(test)]
mod tests;
mod threads;
mod update;
mod validate;

use self::directions::{Directions, MAX_DIRECTIONS};
use self::hierarchy::{MAX_PATCH, Shape};
pub use self::published::AdjacencyStats;
use self::query::Scratch;
pub use self::stats::RegularityStats;
use self::surface::Surface;
use crate::geometry::lanes::floats::Map;
use crate::narrow::contact::{Intersection, contact};
use crate::{Bodies, BodyId, Frame, Guarantee, ParamError, TriangleId, TrianglePair, VertexId};

/// What may excuse a region or a pair from the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rules {
    /// Rules I and II with the contour test: nothing is missed.
    #[default]
    Proved,
    /// Rules I and II without it, as the paper ran them: collisions can be missed.
    AsPublished,
    /// Neither: the classical hierarchy of boxes that the paper compares with.
    BoxesOnly,
}

impl Rules {
    /// What answers under these rules are worth.
    pub fn guarantee(self) -> Guarantee {
        match self {
            Self::Proved | Self::BoxesOnly => Guarantee::Proved,
            Self::AsPublished => Guarantee::AsPublished,
        }
    }
}

/// Parameters of the method.
///
/// The default is the proved and fastest choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegularityParams {
    /// What may excuse a region from the search. Default: [`Rules::Proved`].
    pub rules: Rules,
    /// How many regions merge into one, 2 to 8, default 2. More make the tree flatter and its regions less round.
    pub arity: usize,
    /// Triangles of a leaf, 1 to 64, default 64. With 1 the hierarchy goes down to triangles as in the paper, and every
    /// pair of leaves is an elementary test; larger patches make updates cheaper and tests come in rows.
    pub patch: usize,
    /// Sampled directions, 6 to 128, default 128. Fewer make wide regions fail to find one; 12 and 32 are the corners,
    /// and corners and faces, of an icosahedron.
    pub directions: usize,
}

impl Default for RegularityParams {
    fn default() -> Self {
        Self { rules: Rules::Proved, arity: 2, patch: MAX_PATCH, directions: MAX_DIRECTIONS }
    }
}

impl RegularityParams {
    /// The paper's own choices: three children, leaves of one triangle, 12 directions, no contour test.
    pub fn as_published() -> Self {
        Self { rules: Rules::AsPublished, arity: 3, patch: 1, directions: 12 }
    }

    fn shape(&self) -> Shape {
        Shape { arity: self.arity, patch: self.patch, with_labels: self.rules == Rules::AsPublished }
    }

    fn check(&self) -> Result<(), ParamError> {
        let check = |parameter, value: usize, range: std::ops::RangeInclusive<usize>, expected| {
            if range.contains(&value) {
                Ok(())
            } else {
                Err(ParamError { parameter, value: value.to_string(), expected })
            }
        };
        check("arity", self.arity, 2..=8, "2 to 8 regions")?;
        check("patch", self.patch, 1..=MAX_PATCH, "1 to 64 triangles")?;
        check("directions", self.directions, 6..=MAX_DIRECTIONS, "6 to 128 directions")
    }
}

/// Triangles that intersect, within bodies and between them.
///
/// ```
/// use crumple::methods::regularity::{Regularity, RegularityParams};
/// use crumple::{Mesh, Contacts, Detector, Frame, Bodies, Pairs, Positions};
/// let mesh = Bodies::new([Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?])?;
/// let at = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.3, 1.0]];
/// let bodies = [Positions::F64(&at)];
/// let mut method = Regularity::new(RegularityParams::default())?;
/// let mut found = Contacts::default();
/// method.update(&mesh, Frame::new(&bodies)).unwrap().contacts(Pairs::All, &mut found);
/// assert_eq!(found.triangle_pairs.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Regularity {
    params: RegularityParams,
    directions: Directions,
    surfaces: Vec<Surface>,
    /// From positions of the present frame to boxes.
    map: Map,
    /// Whether the last query looked within bodies, for which `update` prepares directions.
    wants_sights: bool,
    scratch: Scratch,
    stats: RegularityStats,
}

impl Regularity {
    /// Checks the parameters. The first frame that a mesh is seen in decides the shapes of its regions.
    pub fn new(params: RegularityParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            directions: Directions::new(params.directions),
            surfaces: Vec::new(),
            map: Map { origin: [0.0; 3], scale: 1.0 },
            wants_sights: true,
            scratch: Scratch::default(),
            stats: RegularityStats::default(),
        })
    }

    /// What the last query cost.
    pub fn stats(&self) -> RegularityStats {
        self.stats
    }

    /// How long the paper's lists of adjacent regions are on a body; only under [`Rules::AsPublished`].
    pub fn adjacency(&self, body: BodyId) -> Option<AdjacencyStats> {
        let hierarchy = &self.surfaces[body.index()].hierarchy;
        hierarchy.labels.as_ref().map(|labels| labels.stats(hierarchy))
    }

    /// Where pairs intersect: for each, the point, segment or polygon that both triangles have in common, the vertices
    /// that they share included. The pairs must be contacts of this frame.
    pub fn intersections(
        &self,
        bodies: &Bodies,
        frame: Frame<'_>,
        contacts: &[TrianglePair],
    ) -> Vec<Intersection> {
        let at = |v: VertexId| {
            let (body, v) = bodies.locate_vertex(v);
            frame.of(body).get(v.index())
        };
        let corners = |t: TriangleId| bodies.triangles()[t.index()].map(at);
        contacts.iter().filter_map(|pair| contact(&corners(pair.a), &corners(pair.b))).collect()
    }
}
