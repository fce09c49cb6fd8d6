//! Which bodies may be near each other: found once a frame, for all questions.
//!
//! Questions differ in what they call near: contacts and volumes mean boxes that overlap, distances and close pairs boxes within a
//! margin, impacts boxes of whole steps. What the last frame's questions took is looked for at once, the widest of each, and
//! every method picks from the pairs those that are near by its own boxes. A question that reaches further than those
//! of the last frame makes the list anew.

use super::Scene;
use crate::BodyId;
use crate::broad_phase::BroadPhase;
use crate::geometry::Aabb;

/// The pairs of a frame, and what is asked of them.
#[derive(Debug, Default)]
pub(super) struct NearBodies {
    broad_phase: BroadPhase,
    pairs: Vec<[BodyId; 2]>,
    /// What the pairs hold; `None` when they are not of this frame.
    found: Option<Reach>,
    /// What was asked for in this frame, and in the last one in which something was.
    asked: Reach,
    expected: Reach,
    /// How often pairs were looked for.
    searches: usize,
}

/// Boxes that are at most so far apart; of whole steps, or of the present frame.
#[derive(Debug, Clone, Copy, Default)]
struct Reach {
    margin: f64,
    is_of_step: bool,
}

impl Reach {
    fn max(self, other: Self) -> Self {
        Self { margin: self.margin.max(other.margin), is_of_step: self.is_of_step || other.is_of_step }
    }

    fn holds(self, other: Self) -> bool {
        self.margin >= other.margin && (self.is_of_step || !other.is_of_step)
    }
}

impl NearBodies {
    /// Something moved, came or went.
    pub fn outdate(&mut self) {
        if self.found.take().is_some() {
            self.expected = std::mem::take(&mut self.asked);
        }
    }

    /// Pairs that hold all that may touch, when they are known.
    pub fn known(&self) -> Option<&[[BodyId; 2]]> {
        self.found.map(|_| &self.pairs[..])
    }

    /// The same where they may touch on the way to the present frame.
    pub fn known_of_step(&self) -> Option<&[[BodyId; 2]]> {
        self.found.filter(|found| found.is_of_step).map(|_| &self.pairs[..])
    }

    /// How far they reach.
    pub fn margin(&self) -> f64 {
        self.found.map_or(0.0, |found| found.margin)
    }

    #[cfg(test)]
    pub fn searches(&self) -> usize {
        self.searches
    }
}

impl Scene {
    /// Finds the pairs of bodies at most `margin` apart, on their way to this frame where that is asked for, unless they are
    /// known.
    pub(super) fn find_near(&mut self, margin: f64, is_of_step: bool) {
        let asked = Reach { margin, is_of_step };
        self.near.asked = self.near.asked.max(asked);
        if self.near.found.is_some_and(|found| found.holds(asked)) {
            return;
        }
        let reach = self.near.asked.max(self.near.expected);
        let path = |i: usize| {
            let now = *self.box_of(i);
            if reach.is_of_step && self.has_before[i] { now.union(self.box_before(i)) } else { now }
        };
        let boxes: Vec<Aabb> = (0..self.meshes.len()).map(path).collect();
        let NearBodies { broad_phase, pairs, found, searches, .. } = &mut self.near;
        broad_phase.pairs(&boxes, reach.margin, pairs);
        (*found, *searches) = (Some(reach), *searches + 1);
    }
}
