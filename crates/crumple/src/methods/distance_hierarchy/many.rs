//! Many bodies: which are near each other, how far, and for how long that is safe.

use super::distance::PreparedSearch;
use super::search::front::Front;
use super::search::{Scratch, SearchResult};
use super::{BodyState, DistanceHierarchy};
use crate::broad_phase::BroadPhase;
use crate::budget::Clock;
use crate::geometry::Aabb;
use crate::{BodyId, Budget, Distance, Error, Stats, parallel};

/// Two bodies and how far they are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BodyDistance {
    /// The bodies, the smaller id first.
    pub bodies: [BodyId; 2],
    /// How far, and where.
    pub distance: Distance,
}

/// How long two bodies cannot meet, if they go on as they did in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Safety {
    /// No vertex of one body came closer to a vertex of the other by more than this in the last step.
    pub approach: f64,
    /// For so many more steps at this speed they cannot meet; infinite when they did not approach.
    pub frames: f64,
}

impl DistanceHierarchy {
    /// The distances of all pairs of bodies that have triangles, in order. Quadratic in the number of bodies by nature;
    /// [`DistanceHierarchy::bodies_closer_than`] is not.
    pub fn all_pairs(&mut self) -> Vec<BodyDistance> {
        self.stats = Stats::default();
        let n = self.bodies.len() as u32;
        let pairs: Vec<[BodyId; 2]> =
            (0..n).flat_map(|a| (a + 1..n).map(move |b| [BodyId(a), BodyId(b)])).collect();
        self.between(&pairs, f64::INFINITY)
    }

    /// The pairs of bodies at most `margin` apart, in order, found by their boxes.
    #[doc(hidden)]
    pub fn bodies_closer_than(&mut self, margin: f64) -> Vec<BodyDistance> {
        let pairs = self.body_pairs(margin);
        self.closer_than_of(&pairs, margin)
    }

    /// Those of some pairs of bodies that are at most `margin` apart, in order.
    pub(crate) fn closer_than_of(&mut self, pairs: &[[BodyId; 2]], margin: f64) -> Vec<BodyDistance> {
        self.stats = Stats::default();
        self.between(pairs, margin)
    }

    fn between(&mut self, pairs: &[[BodyId; 2]], margin: f64) -> Vec<BodyDistance> {
        let tasks = self.prepare(pairs, Clock::default()).expect("it is never late");
        let found = self.search_all(tasks, margin);
        let mut out = Vec::with_capacity(pairs.len());
        for (&bodies, found) in pairs.iter().zip(found) {
            let Some((found, front, stats)) = found else { continue };
            self.stats += stats;
            self.remember(bodies, &found, front);
            if found.best.is_some_and(|best| best.closest.distance <= margin) {
                out.push(BodyDistance { bodies, distance: self.report(bodies, &found) });
            }
        }
        out
    }

    /// Runs all searches, several at a time when there are several threads.
    fn search_all(
        &mut self,
        tasks: Vec<Option<PreparedSearch>>,
        reach: f64,
    ) -> Vec<Option<(SearchResult, Front, Stats)>> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let hierarchy = &*self;
        let search = |scratch: &mut Scratch, task: Option<PreparedSearch>| {
            Some(hierarchy.search(task?, Budget::unlimited().start(), reach, scratch))
        };
        let found = parallel::map(tasks, &mut scratch, search);
        self.scratch = scratch;
        found
    }

    /// From now to the next update the pairs of bodies at most `margin` apart, sorted, need not be looked for: they are among
    /// these.
    pub(crate) fn set_near(&mut self, margin: f64, pairs: &[[BodyId; 2]]) {
        let (known, all) = self.near.get_or_insert_default();
        *known = margin;
        pairs.clone_into(all);
    }

    /// Pairs of bodies whose boxes are not certainly further apart than `margin`, in order.
    pub(crate) fn body_pairs(&self, margin: f64) -> Vec<[BodyId; 2]> {
        let extent = |s: &BodyState| match s.regions {
            Some(_) => s.extent,
            None => Aabb::EMPTY,
        };
        let boxes: Vec<Aabb> = self.bodies.iter().map(extent).collect();
        let mut pairs = Vec::new();
        let known = self.near.as_ref().filter(|(known, _)| margin <= *known).map(|(_, all)| &all[..]);
        BroadPhase::default().pairs_among(known, &boxes, margin, &mut pairs);
        pairs
    }

    /// Number of pairs of bodies with a record from which the next search starts.
    #[doc(hidden)]
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// By how much a point of one body may have come closer to a point of the other in the last step. `None` before the
    /// second frame.
    pub(super) fn approach(&self, a: BodyId, b: BodyId) -> Option<f64> {
        Some(self.state(a).motion?.approach(&self.state(b).motion?))
    }

    /// How long two bodies that are `distance` apart cannot meet if no vertex moves faster than in the last step, in
    /// whatever direction within the box of its body's displacements. `None` before the second frame.
    pub fn safety(&self, [a, b]: [BodyId; 2], distance: f64) -> Result<Option<Safety>, Error> {
        self.check_bodies([a, b])?;
        Ok(self.approach(a, b).map(|approach| {
            let steps = (distance / approach).ceil() - 1.0;
            let frames = if approach > 0.0 { steps.max(0.0) } else { f64::INFINITY };
            Safety { approach, frames }
        }))
    }
}
