//! Many bodies: which are near each other, how far, and for how long that is safe.

use std::collections::HashMap;

use super::distance::Task;
use super::front::Front;
use super::search::{Budget, Found, Scratch};
use super::{BodyState, DistanceHierarchy};
use crate::broad_phase::BroadPhase;
use crate::geometry::Aabb;
use crate::{BodyId, Containment, Distance, Stats};

/// Two bodies and how far they are apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyDistance {
    /// The smaller id.
    pub a: BodyId,
    /// The larger id.
    pub b: BodyId,
    /// How far, and where.
    pub distance: Distance,
}

/// How long two bodies cannot meet, if they go on as they did in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Safety {
    /// No vertex of one body came closer to a vertex of the other by more than this in the last step.
    pub approach: f64,
    /// For so many more steps at this speed they cannot meet; infinite when they did not approach.
    pub frames: f64,
}

/// What is kept of a search for the next frame.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The closest triangles, ids within their bodies.
    pub pair: [u32; 2],
    /// Where the search ended.
    pub front: Front,
    /// The surfaces have been at least this far apart on a straight way from the last search to here.
    clearance: f64,
    /// Which body holds the other, if that is known. As long as the surfaces cannot have met, it does not change: the
    /// winding number of one round the points of the other is constant where they do not cross.
    holder: Option<Option<Containment>>,
}

/// The records of near pairs of bodies (the paper's `numcd`, for near pairs only), the smaller id first.
#[derive(Debug, Default)]
pub(super) struct Records {
    pairs: HashMap<[BodyId; 2], Record>,
}

impl Records {
    /// The closest triangles of two bodies, in any order.
    pub fn get(&self, a: BodyId, b: BodyId) -> Option<[u32; 2]> {
        if a <= b { self.pairs.get(&[a, b]).map(|r| r.pair) } else { self.get(b, a).map(|[s, t]| [t, s]) }
    }

    /// The front of a record, the smaller id first.
    pub fn front(&self, a: BodyId, b: BodyId) -> Option<&Front> {
        self.pairs.get(&[a, b]).map(|r| &r.front)
    }

    /// Takes the front out of a record; empty for bodies in the wrong order.
    pub fn take_front(&mut self, a: BodyId, b: BodyId) -> Front {
        self.pairs.get_mut(&[a, b]).map(|r| std::mem::take(&mut r.front)).unwrap_or_default()
    }

    /// Changes or removes a record: the closest triangles, where the search ended, and a distance that the surfaces do not
    /// go below. The front of bodies in the wrong order is not kept.
    pub fn set(&mut self, a: BodyId, b: BodyId, found: Option<([u32; 2], Front, f64)>) {
        let Some(([s, t], front, clearance)) = found else {
            self.pairs.remove(&[a.min(b), a.max(b)]);
            return;
        };
        let record = self.pairs.entry([a.min(b), a.max(b)]).or_default();
        record.clearance = clearance;
        if a > b {
            record.pair = [t, s];
        } else {
            (record.pair, record.front) = ([s, t], front);
        }
    }

    /// Which body holds the other, if that is known.
    pub fn holder(&self, a: BodyId, b: BodyId) -> Option<Option<Containment>> {
        let known = self.pairs.get(&[a.min(b), a.max(b)])?.holder?;
        Some(if a > b { known.map(Containment::swapped) } else { known })
    }

    /// Notes which body holds the other, if there is a record.
    pub fn set_holder(&mut self, a: BodyId, b: BodyId, holder: Option<Containment>) {
        if let Some(record) = self.pairs.get_mut(&[a.min(b), a.max(b)]) {
            record.holder = Some(if a > b { holder.map(Containment::swapped) } else { holder });
        }
    }

    /// Of so many bodies, whether there is a record of each.
    pub fn bodies(&self, count: usize) -> Vec<bool> {
        let mut has = vec![false; count];
        self.pairs.keys().flatten().for_each(|b| has[b.index()] = true);
        has
    }

    /// All closest triangles, in the order of their bodies.
    pub fn sorted(&self) -> Vec<([BodyId; 2], [u32; 2])> {
        let mut all: Vec<_> = self.pairs.iter().map(|(&k, v)| (k, v.pair)).collect();
        all.sort_unstable();
        all
    }

    /// Follows the bodies into the next frame: `approach` says by how much points of two bodies may have come closer, or
    /// `None` when nothing is to be kept.
    pub fn travel(&mut self, approach: impl Fn(BodyId, BodyId) -> Option<f64>) {
        self.pairs.retain(|&[a, b], record| match approach(a, b) {
            Some(approach) => {
                record.front.travel(approach);
                record.clearance = record.clearance * (1.0 - 1e-12) - approach;
                if record.clearance <= 0.0 {
                    record.holder = None;
                }
                true
            }
            None => false,
        });
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }
}

impl DistanceHierarchy {
    /// The distances of all pairs of bodies that have triangles, in order. Quadratic in the number of bodies by nature;
    /// [`DistanceHierarchy::near`] is not.
    pub fn all_pairs(&mut self) -> Vec<BodyDistance> {
        self.stats = Stats::default();
        let n = self.bodies.len() as u32;
        let pairs: Vec<[BodyId; 2]> =
            (0..n).flat_map(|a| (a + 1..n).map(move |b| [BodyId(a), BodyId(b)])).collect();
        self.between(&pairs, f64::INFINITY)
    }

    /// The pairs of bodies at most `margin` apart, in order, found by their boxes.
    pub fn near(&mut self, margin: f64) -> Vec<BodyDistance> {
        self.stats = Stats::default();
        let pairs = self.body_pairs(margin);
        self.between(&pairs, margin)
    }

    fn between(&mut self, pairs: &[[BodyId; 2]], margin: f64) -> Vec<BodyDistance> {
        let tasks = self.prepare(pairs);
        let found = self.search_all(tasks, margin);
        let mut out = Vec::with_capacity(pairs.len());
        for (&[a, b], found) in pairs.iter().zip(found) {
            let Some((found, front, stats)) = found else { continue };
            self.stats += stats;
            self.remember(a, b, &found, front);
            if found.best.is_some_and(|best| best.closest.distance_sq.sqrt() <= margin) {
                out.push(BodyDistance { a, b, distance: self.report(a, b, &found) });
            }
        }
        out
    }

    /// Runs all searches, several at a time when there are several threads.
    fn search_all(&mut self, tasks: Vec<Option<Task>>, reach: f64) -> Vec<Option<(Found, Front, Stats)>> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let hierarchy = &*self;
        let search = |scratch: &mut Scratch, task: Option<Task>| {
            Some(hierarchy.search(task?, Budget::UNLIMITED, reach, scratch))
        };
        #[cfg(feature = "parallel")]
        if tasks.len() > 1 && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            let all = tasks.into_par_iter().map_init(Scratch::default, search).collect();
            self.scratch = scratch;
            return all;
        }
        let found = tasks.into_iter().map(|task| search(&mut scratch, task)).collect();
        self.scratch = scratch;
        found
    }

    /// Pairs of bodies whose boxes are not certainly further apart than `margin`, in order.
    pub(super) fn body_pairs(&self, margin: f64) -> Vec<[BodyId; 2]> {
        let extent = |s: &BodyState| match s.regions {
            Some(_) => Aabb { min: s.extent.min, max: s.extent.max },
            None => Aabb::EMPTY,
        };
        let boxes: Vec<Aabb> = self.bodies.iter().map(extent).collect();
        let mut pairs = Vec::new();
        BroadPhase::default().pairs(&boxes, margin, &mut pairs);
        pairs
    }

    /// Number of pairs of bodies with a record from which the next search starts.
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
    pub fn safety(&self, a: BodyId, b: BodyId, distance: f64) -> Option<Safety> {
        let approach = self.approach(a, b)?;
        let steps = (distance / approach).ceil() - 1.0;
        let frames = if approach > 0.0 { steps.max(0.0) } else { f64::INFINITY };
        Some(Safety { approach, frames })
    }
}
