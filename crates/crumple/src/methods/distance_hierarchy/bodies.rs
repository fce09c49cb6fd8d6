//! Many bodies: which are near each other, how far, and for how long that is safe.

use std::collections::HashMap;

use super::DistanceHierarchy;
use super::front::Front;
use super::search::{Budget, Found, Scratch};
use crate::{BodyId, Distance, Stats};

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

    /// Takes the front out of a record; empty for bodies in the wrong order.
    pub fn take_front(&mut self, a: BodyId, b: BodyId) -> Front {
        self.pairs.get_mut(&[a, b]).map(|r| std::mem::take(&mut r.front)).unwrap_or_default()
    }

    /// Replaces or removes a record. The front of bodies in the wrong order is not kept.
    pub fn set(&mut self, a: BodyId, b: BodyId, record: Option<Record>) {
        match record {
            Some(Record { pair: [s, t], .. }) if a > b => {
                self.pairs.entry([b, a]).or_default().pair = [t, s];
            }
            Some(record) => drop(self.pairs.insert([a, b], record)),
            None => drop(self.pairs.remove(&[a.min(b), a.max(b)])),
        }
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
        let found = self.search_all(pairs, margin);
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

    /// A search for each pair, several at a time when there are several threads.
    fn search_all(&mut self, pairs: &[[BodyId; 2]], reach: f64) -> Vec<Option<(Found, Front, Stats)>> {
        let fronts: Vec<Front> = pairs.iter().map(|&[a, b]| self.records.take_front(a, b)).collect();
        let mut scratch = std::mem::take(&mut self.scratch);
        let hierarchy = &*self;
        let search = |scratch: &mut Scratch, (&[a, b], front): (&[BodyId; 2], Front)| {
            hierarchy.search([a, b], Budget::UNLIMITED, reach, front, scratch)
        };
        #[cfg(feature = "parallel")]
        if pairs.len() > 1 && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            let all = pairs.par_iter().zip(fronts).map_init(Scratch::default, search).collect();
            self.scratch = scratch;
            return all;
        }
        let found = pairs.iter().zip(fronts).map(|p| search(&mut scratch, p)).collect();
        self.scratch = scratch;
        found
    }

    /// Pairs of bodies whose boxes are not certainly further apart than `margin`, in order: a sweep along x.
    pub(super) fn body_pairs(&self, margin: f64) -> Vec<[BodyId; 2]> {
        let limit = self.scale.limit(margin);
        let mut boxes: Vec<_> = (self.bodies.iter().enumerate())
            .filter_map(|(i, s)| Some((s.regions.as_ref().map(|r| *r.bound(r.root))?, BodyId(i as u32))))
            .collect();
        boxes.sort_unstable_by(|(p, i), (q, j)| p.min[0].total_cmp(&q.min[0]).then(i.cmp(j)));
        let mut pairs = Vec::new();
        for (i, (p, a)) in boxes.iter().enumerate() {
            for (q, b) in boxes[i + 1..].iter().take_while(|(q, _)| q.min[0] - p.max[0] <= limit) {
                if p.distance(q) <= limit {
                    pairs.push([*a.min(b), *a.max(b)]);
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// Number of pairs of bodies with a record from which the next search starts.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// By how much a point of one body may have come closer to a point of the other in the last step. `None` before the
    /// second frame.
    pub(super) fn approach(&self, a: BodyId, b: BodyId) -> Option<f64> {
        let (p, q) = (self.state(a).motion?, self.state(b).motion?);
        // The largest difference of displacements, axis by axis; what both share brings them no closer. A point of a
        // triangle moves by a mean of its corners' steps, so the box of those holds it.
        let square: f64 =
            (0..3).map(|k| (p.max[k] - q.min[k]).abs().max((q.max[k] - p.min[k]).abs())).map(|x| x * x).sum();
        // Differences are off by 2^-53 of themselves.
        Some(square.sqrt() * (1.0 + 1e-14))
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
