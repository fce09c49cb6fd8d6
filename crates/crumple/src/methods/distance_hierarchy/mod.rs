//! How close surfaces are, by a hierarchy of regions (Madera, Day, Laycock 2007).
//!
//! A surface is cut into regions, these into smaller ones, and so on. Each region has a *middle vertex*: the vertex of
//! the mesh that was nearest to the mean of the region. It is part of the mesh, so it follows every deformation for free;
//! only the region's *radius*, the greatest distance from the middle vertex to a vertex of the region, is brought up to
//! date. Two regions with middle vertices a, b and radii r, s are at least |ab| − r − s apart, and, since a and b lie on
//! the surfaces, at most |ab|. So comparing middle vertices level by level, closest first, soon leaves a few pairs of
//! small regions, and those are looked at triangle by triangle.
//!
//! F. A. Madera, A. M. Day, S. D. Laycock: *A Distance Hierarchy to Detect Collisions Between Deformable Objects*,
//! University of East Anglia, 2007.
//!
//! The smallest regions (`Block`) hold up to 64 triangles and a copy of all their vertices, eight at a time in `f32`,
//! moved and scaled so that the scene fills the cube from −1 to 1 (`Scale` knows what that rounding may cost). Bounds
//! smaller than a block are made on the spot for the few blocks that a search enters.
//!
//! An update streams the positions through once, and measures how far the bodies went, less what two of them do together
//! (`RigidMotion`); regions are refitted only where a question gets to them. When bodies move little, a search continues
//! where the last one ended (`Front`, the BVTT front): most pairs of regions rest on bounds that outlast the motion, and
//! nothing of them is touched. Of two blocks whose triangles were compared, those that were not near rest too, and only the
//! others are compared again. A search from the roots gets to everything, and then one pass through all blocks is made first.
//!
//! # The way of a frame
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | cut a surface into regions, once | `regions/build.rs`, `regions/partition.rs`, `regions/limbs.rs` | section 3.1, figure 1 |
//! | follow an edit where it is | `regions/edit.rs`, `regions/upkeep.rs`, `edits.rs` | |
//! | take the positions, with their box and steps | `update.rs`, `copy.rs` | |
//! | how far two bodies can have approached | `motion.rs` | |
//! | refit images, boxes and radii | `regions/refit.rs`, `bounds.rs` | eq. 2 |
//! | *How close, and where?* continue or begin a search | `distance.rs`, `records.rs`, `search/front.rs`, `search/pacing.rs` | `numcd`, `cd` |
//! | pairs of regions, best first | `search/mod.rs`, `bounds.rs` | `DMV`, figure 3 |
//! | two blocks: a separating axis, then their triangles | `search/block_pair.rs`, `search/block_triangles.rs`, `search/triangle_bounds.rs` | `DV`, figure 5 |
//! | does one body hold the other | `containment.rs` | |
//! | the same for many bodies | `many.rs` | |
//! | *Which triangles are closer than a margin?* | `closer_than.rs` | |
//! | *What is about to touch?* pairs of blocks, their elements, eight boxes at a time | `proximity/mod.rs`, `proximity/elements.rs`, `proximity/rows.rs`, `proximity/edges.rs`, `proximity/block_pair.rs`, `proximity/loose.rs`, `proximity/crowded.rs` | |
//! | the same: eight pairs in single precision, then in the order of the answer four exactly | `proximity/separation.rs`, `proximity/found.rs`, `proximity/judge.rs` | |
//! | the same: parts of a surface that need not be searched within | `proximity/height_field.rs`, `proximity/borders.rs` | |
//! | the invariants, a picture | `validate.rs`, `draw.rs` | figures 2 and 7 |
//! | the paper's own rules (feature `published`) | `published/octree.rs`, `published/search.rs`, `published/verdict.rs`, `published/vertices.rs` | figures 1, 3 and 5 |
//!
//! # What is exact
//! The lower and the upper bound of a distance hold: they are proved for the closest pair as it is reported, by a separating axis
//! or by integers, and are less than 1e-11 of the distance apart. A distance is 0 exactly when the surfaces intersect. Of
//! equal distances the smallest (triangle a, triangle b) is reported, warm and cold alike, and equal means exactly equal. A
//! vertex and a triangle, or two edges, are closer than a distance exactly or not at all. A triangle is closer than a margin when
//! its reported distance is at most that.
//!
//! # Invariants
//! I1. Every triangle of a body is in exactly one block; every used vertex is the own vertex of exactly one.
//! I2. After `update` all positions are the frame's. In a region that is refitted, each slot of a block holds the image
//!     of its vertex's position; so is everything in that region.
//! I3. The box of a region that is refitted holds the images of all vertices of its triangles, and its sphere does too.
//! I4. The middle vertex of a region is a vertex of one of its triangles.
//! I5. A kept record names triangles of its two bodies.
//! I6. The pairs of regions at rest in a front hold every pair of triangles once. None is closer than the bound of its
//!     regions, less the way travelled since. Of two blocks that were compared, only triangles that are both near come as
//!     close as that; all other pairs have a larger bound.
//! # Cost
//! build O(T log T) · update O(V), one pass over positions · an edit of k elements O(k log T) where nothing moved · distance: usually some dozen pairs of regions, thousands where
//! surfaces run side by side, after one pass O(V) through the blocks unless it continues from the frame before · memory
//! about 32 bytes a triangle, and 12 to 44 for a pair at rest in a front
//!
//! A frame that continues beats one from the roots where the closest pair moves little. In steps of a thousandth of the
//! scene's, on `near-10obj`, `near-pair-100k` and `near-shell-100k`, by 4.2, 2.7 and 15 times (a frame's best over several
//! rounds) or 3.6, 2.5 and 7.8 (the mean of all, with those that work for the ones after them); in steps of a fortieth by
//! 2.2, 2.3 and 3.4, or 1.9, 2.0 and 1.9. What is left on `near-pair-100k` is the update: reading every position.
//! # Where we differ from the paper
//! * Regions are made of triangles, not of vertices: a sphere then covers surface, and no triangle falls between regions
//!   (M-A3). Radii are brought up to date in every frame (M-A2).
//! * Pairs are pruned by what their own radii prove against the best distance so far, never by an epsilon for a level;
//!   nothing is missed (M-A1, M26, M27). Radii are joined by boxes, and between blocks by separating axes.
//! * The search is best-first instead of level by level, so that it can stop at any time with valid bounds.
//! * Instead of walking from the last closest pair (M-A11), a search starts from its distance, and proves the new one.
//! * Boxes of bodies find the near ones; only those have records (M29). One body may be asked about itself (M30): then
//!   triangles that share a vertex are no pair, for they are at distance 0 by their nature.
//! * The paper's rules to the letter are in `published`, behind the feature of that name.
//! # When to choose it
//! When the question is "how far", "where", "what is closer than this" or "what is about to touch"; the only method here that
//! measures gaps.

mod bounds;
mod closer_than;
mod containment;
mod copy;
mod distance;
mod draw;
mod edits;
mod many;
mod motion;
mod proximity;
#[cfg(feature = "published")]
pub mod published;
mod records;
mod regions;
mod search;
#[cfg(test)]
mod tests;
mod update;
mod validate;

pub use many::{BodyDistance, Safety};
pub use regions::{Partition, SplitRule};

use std::sync::OnceLock;

use crate::geometry::{Aabb, Point};
use crate::{BodyId, Error, Mesh, ParamError, Stats, TriangleId};
use bounds::Scale;
use motion::{Motion, RigidMotion};
use records::SearchRecords;
use regions::Regions;
use search::Scratch;

/// The parameters of [`DistanceHierarchy`]; construct with `..Default::default()`.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceHierarchyParams {
    /// How a region is cut into smaller ones.
    pub partition: Partition,
    /// Largest number of triangles in a region that is not cut further, 1 to 64. Smaller ones make the search more
    /// selective and the update dearer.
    pub region_triangles: usize,
    /// Whether a search starts from the closest pair and the front of the frame before. The answer is the same either way.
    pub warm_start: bool,
    /// Whether these are kept even when one of the bodies has not moved at all. Benchmarks turn it off, where a frame that
    /// stands still must cost what a moving one does.
    #[doc(hidden)]
    pub reuse_still: bool,
}

impl Default for DistanceHierarchyParams {
    fn default() -> Self {
        Self { partition: Partition::Median, region_triangles: 64, warm_start: true, reuse_still: true }
    }
}

impl DistanceHierarchyParams {
    fn check(&self) -> Result<(), ParamError> {
        if (1..=regions::MAX_TRIANGLES).contains(&self.region_triangles) {
            return Ok(());
        }
        Err(ParamError {
            parameter: "region_triangles",
            value: self.region_triangles.to_string(),
            expected: "between 1 and 64",
        })
    }
}

/// The distance hierarchy of some bodies at work: see the [module](self).
///
/// ```
/// use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
/// use crumple::{Bodies, BodyId, Frame, Mesh};
/// let one = Mesh::from_triangles("one", 3, &[[0, 1, 2]])?;
/// let bodies = Bodies::new([one.clone(), one])?;
/// let low = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let high: Vec<_> = low.iter().map(|p| [p[0], p[1], 0.5]).collect();
/// let mut hierarchy = DistanceHierarchy::new(DistanceHierarchyParams::default())?;
/// hierarchy.update(&bodies, Frame::from(&vec![low, high]))?;
/// let found = hierarchy.distance([BodyId(0), BodyId(1)])?.expect("both have triangles");
/// assert_eq!(found.distance, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DistanceHierarchy {
    params: DistanceHierarchyParams,
    bodies: Vec<BodyState>,
    /// Where every vertex is, ids across bodies.
    positions: Vec<Point>,
    /// Room for the next positions.
    next: Vec<Point>,
    /// Counts frames; regions remember in which they were brought up to date.
    frame: u64,
    scale: Scale,
    /// The box of all positions when `scale` was made.
    bounds: Aabb,
    records: SearchRecords,
    scratch: Scratch,
    /// Pairs of bodies that hold all that are at most so far apart, of those who know them.
    near: Option<(f64, Vec<[BodyId; 2]>)>,
    /// For proximity.
    prepared: proximity::Prepared,
    stats: Stats,
}

/// One body: what it is, where its ids begin, its regions and how it moved.
#[derive(Debug, Clone)]
struct BodyState {
    body: Mesh,
    first_vertex: u32,
    first_triangle: u32,
    /// `None` without triangles.
    regions: Option<Regions>,
    /// Whether `regions` is what it should be.
    is_cut: bool,
    /// The version that `regions` is of, when that is not `body`.
    edited_from: Option<Mesh>,
    /// Whether it is the version of the frame before.
    is_carried: bool,
    /// A triangle of each component, once that is asked for.
    components: OnceLock<Vec<u32>>,
    /// Whether there are vertices that no triangle uses.
    has_loose: bool,
    /// The box of all other vertices.
    extent: Aabb,
    /// From the frame before; `None` in the first frame.
    motion: Option<Motion>,
    /// The same, split into a rigid motion and what is left.
    turn: Option<RigidMotion>,
}

impl DistanceHierarchy {
    /// With these parameters and no bodies yet: [`DistanceHierarchy::update`] brings them.
    pub fn new(params: DistanceHierarchyParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            bodies: Vec::new(),
            positions: Vec::new(),
            next: Vec::new(),
            frame: 0,
            scale: Scale::of(&Aabb::EMPTY),
            bounds: Aabb::EMPTY,
            records: SearchRecords::default(),
            scratch: Scratch::default(),
            prepared: proximity::Prepared::default(),
            near: None,
            stats: Stats::default(),
        })
    }

    /// What the last question cost: visits are pairs of regions, tests pairs of triangles, candidates those whose exact
    /// distance was computed.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Forgets the closest pairs of the frame before, so that the next searches start cold.
    #[doc(hidden)]
    pub fn forget(&mut self) {
        self.records.clear();
    }

    /// Whether there are such bodies; there are none before the first update.
    fn check_bodies(&self, bodies: [BodyId; 2]) -> Result<(), Error> {
        match bodies.into_iter().find(|b| b.index() >= self.bodies.len()) {
            Some(body) => Err(Error::NoBody { body }),
            None => Ok(()),
        }
    }

    fn state(&self, body: BodyId) -> &BodyState {
        &self.bodies[body.index()]
    }
}

impl BodyState {
    /// The corners of a triangle, its id counted within the body.
    #[inline]
    fn corners(&self, positions: &[Point], triangle: u32) -> [Point; 3] {
        let first = self.first_vertex as usize;
        let [p, q, r] = self.body.triangle(TriangleId(triangle));
        [positions[first + p.index()], positions[first + q.index()], positions[first + r.index()]]
    }
}
