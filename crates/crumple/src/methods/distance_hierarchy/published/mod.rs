//! The paper's rules to the letter, so that its experiments can be replayed. They may miss collisions.
//!
//! Regions are sets of vertices, made by an octree that stops at 30 (figure 1). Each level of regions has one epsilon, set
//! by hand as in tables 2 to 4, or computed as the text says (eq. 3 and 6). `DMV` (figure 3) compares the middle vertices
//! of two bodies level by level, breadth first, and goes on below pairs closer than the level's epsilon; `DV` (figure 5)
//! starts from the closest vertices of two last regions and walks to closer ones along edges. A pair closer than the
//! last level's epsilon is a collision.
//!
//! What the paper leaves open is settled like this:
//! * Level 1 are the eight octants of a body, so two bodies begin with at most 64 pairs. With epsilons by hand the last
//!   level is that of the last epsilon, whatever its regions hold.
//! * A region that is not cut further waits for the other to reach the last level (M-A8).
//! * The last level is tested like the others before `DV` (M-A9). `DV` walks as long as that brings it closer, and yields
//!   one pair (M-A10).
//! * A collision is a pair of last regions with such a pair of vertices; they are summed over steps (M-A13).
//! * Radii are those of the frame, never of the first one (M-A2).
//!
//! # Invariants
//! P1. Each level's regions hold every used vertex exactly once, waiting regions included.
//! P2. Every region's radius reaches all its vertices.
//! # Cost
//! update O(V) per level · step O(n²) pairs of bodies, 64 distances per pair of regions expanded.

mod octree;
mod search;
mod verdict;
mod vertices;

pub use search::{Cd, Collision, NumCd, RegionView, Step};
pub use verdict::Verdict;
pub use vertices::{VertexDistance, VertexPair};

use crate::geometry::Point;
use crate::{Bodies, BodyId, Broken, BuildError, Frame, FrameError, ParamError};
use octree::Octree;

/// Where the thresholds of the levels come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Epsilons {
    /// Set by hand, from level 1 down.
    Fixed(FixedEpsilons),
    /// The sum of the two bodies' greatest radii of the level in this frame (eq. 3 and 6); below the last level a
    /// collision needs this distance.
    Computed {
        /// Vertices closer than this collide.
        contact: f64,
    },
}

/// One threshold for each level, and others for some kinds of pairs, as table 3 has them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FixedEpsilons {
    /// From level 1 down; the last is also what vertices must be closer than to collide.
    pub levels: Vec<f64>,
    /// The kind of each body; bodies beyond the list are of kind 0.
    pub kinds: Vec<usize>,
    /// Thresholds for pairs of two kinds, the smaller kind first; as many levels.
    pub by_kinds: Vec<([usize; 2], Vec<f64>)>,
}

/// The parameters of [`Published`].
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedParams {
    /// A region with at most this many vertices is not cut further; 30 in the paper, at least 1.
    pub region_vertices: usize,
    /// The thresholds.
    pub epsilons: Epsilons,
}

impl PublishedParams {
    /// The paper's parameters with these epsilons from level 1 down.
    pub fn new(levels: &[f64]) -> Self {
        let fixed = FixedEpsilons { levels: levels.to_vec(), ..FixedEpsilons::default() };
        Self { region_vertices: 30, epsilons: Epsilons::Fixed(fixed) }
    }

    fn check(&self) -> Result<(), ParamError> {
        let bad = |parameter, value: String, expected| Err(ParamError { parameter, value, expected });
        if self.region_vertices == 0 {
            return bad("region_vertices", "0".into(), "at least 1");
        }
        let usable = |e: &f64| e.is_finite() && *e >= 0.0;
        match &self.epsilons {
            Epsilons::Computed { contact } if !usable(contact) => {
                bad("contact", contact.to_string(), "a number that is not negative")
            }
            Epsilons::Fixed(f) if f.levels.is_empty() => {
                bad("levels", "[]".into(), "an epsilon for each level, at least one")
            }
            Epsilons::Fixed(f) => {
                for levels in f.by_kinds.iter().map(|(_, l)| l).chain([&f.levels]) {
                    if levels.len() != f.levels.len() || !levels.iter().all(usable) {
                        return bad(
                            "levels",
                            format!("{levels:?}"),
                            "as many numbers as levels, none negative",
                        );
                    }
                }
                Ok(())
            }
            Epsilons::Computed { .. } => Ok(()),
        }
    }

    /// The deepest level, where epsilons are set by hand.
    fn last_level(&self) -> Option<usize> {
        if let Epsilons::Fixed(f) = &self.epsilons { Some(f.levels.len()) } else { None }
    }
}

/// The paper's method at work.
#[derive(Debug)]
pub struct Published {
    params: PublishedParams,
    bodies: Vec<Octree>,
    numcd: Vec<NumCd>,
    cd: Vec<Vec<Cd>>,
    scratch: Vec<Cd>,
    collisions: Vec<Collision>,
}

impl Published {
    /// Cuts every body into regions as it is in `frame`. Bodies without triangles take no part.
    pub fn new(bodies: &Bodies, frame: Frame<'_>, params: PublishedParams) -> Result<Self, BuildError> {
        params.check()?;
        frame.check(bodies)?;
        let last = params.last_level();
        let octrees: Vec<Octree> = bodies
            .body_ids()
            .map(|b| Octree::new(bodies.mesh(b), &positions(frame, b), params.region_vertices, last))
            .collect();
        let n = octrees.len() as u32;
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [BodyId(a), BodyId(b)]));
        let numcd: Vec<NumCd> = pairs.map(NumCd::new).collect();
        let cd = vec![Vec::new(); numcd.len()];
        let mut published =
            Self { params, bodies: octrees, numcd, cd, scratch: Vec::new(), collisions: Vec::new() };
        published.update(bodies, frame)?;
        Ok(published)
    }

    /// Brings the radii up to date. The mesh must be the one given to `new`.
    pub fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        for (id, octree) in bodies.body_ids().zip(&mut self.bodies) {
            octree.update(positions(frame, id));
        }
        Ok(())
    }

    /// The record of each pair of bodies.
    pub fn numcd(&self) -> &[NumCd] {
        &self.numcd
    }

    /// The live distances of the pair with this place in [`Published::numcd`], level by level.
    pub fn cd(&self, pair: usize) -> &[Cd] {
        &self.cd[pair]
    }

    /// What the last step reported.
    pub fn collisions(&self) -> &[Collision] {
        &self.collisions
    }

    /// Number of levels below the whole body, of the deepest body.
    pub fn levels(&self) -> usize {
        self.bodies.iter().map(Octree::levels).max().unwrap_or(0)
    }

    /// Checks P1 and P2.
    pub fn validate(&self) -> Result<(), Broken> {
        self.bodies.iter().try_for_each(Octree::check)
    }

    /// ε of a level for two bodies: below it a pair of regions is expanded.
    fn epsilon(&self, bodies: [BodyId; 2], level: usize) -> f64 {
        match &self.params.epsilons {
            Epsilons::Fixed(f) => f.of(bodies)[level - 1],
            Epsilons::Computed { .. } => bodies.iter().map(|b| self.bodies[b.index()].epsilon(level)).sum(),
        }
    }

    /// What vertices must be closer than to collide.
    fn contact(&self, bodies: [BodyId; 2]) -> f64 {
        match &self.params.epsilons {
            Epsilons::Fixed(f) => f.of(bodies)[f.levels.len() - 1],
            Epsilons::Computed { contact } => *contact,
        }
    }
}

impl FixedEpsilons {
    fn of(&self, bodies: [BodyId; 2]) -> &[f64] {
        let mut kinds = bodies.map(|b| self.kinds.get(b.index()).copied().unwrap_or(0));
        kinds.sort_unstable();
        self.by_kinds.iter().find(|(k, _)| *k == kinds).map_or(&self.levels, |(_, levels)| levels)
    }
}

fn positions(frame: Frame<'_>, body: BodyId) -> Vec<Point> {
    let p = frame.of(body);
    (0..p.len()).map(|v| p.get(v)).collect()
}
