//! Many bodies: which are near each other, how far, and for how long that is safe.

use std::collections::HashMap;

use super::DistanceHierarchy;
use super::search::Budget;
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

/// The closest pair of triangles of each near pair of bodies (the paper's `numcd`, for near pairs only).
#[derive(Debug, Default)]
pub(super) struct Records {
    pairs: HashMap<[BodyId; 2], [u32; 2]>,
}

impl Records {
    /// The pair of triangles, ids within their bodies.
    pub fn get(&self, a: BodyId, b: BodyId) -> Option<[u32; 2]> {
        if a <= b { self.pairs.get(&[a, b]).copied() } else { self.get(b, a).map(|[s, t]| [t, s]) }
    }

    /// Replaces or removes a record.
    pub fn set(&mut self, a: BodyId, b: BodyId, pair: Option<[u32; 2]>) {
        match pair {
            Some([s, t]) if a > b => self.set(b, a, Some([t, s])),
            Some(pair) => drop(self.pairs.insert([a, b], pair)),
            None => drop(self.pairs.remove(&[a.min(b), a.max(b)])),
        }
    }

    /// All records, in the order of their bodies.
    pub fn sorted(&self) -> Vec<([BodyId; 2], [u32; 2])> {
        let mut all: Vec<_> = self.pairs.iter().map(|(&k, &v)| (k, v)).collect();
        all.sort_unstable();
        all
    }

    /// Forgets a body.
    pub fn drop_body(&mut self, body: BodyId) {
        self.pairs.retain(|pair, _| !pair.contains(&body));
    }

    /// Forgets all bodies from this number on.
    pub fn drop_from(&mut self, count: usize) {
        self.pairs.retain(|pair, _| pair[1].index() < count);
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
        let mut out = Vec::with_capacity(pairs.len());
        for &[a, b] in pairs {
            let Some(found) = self.find(a, b, Budget::UNLIMITED, margin) else { continue };
            if found.best.is_some_and(|best| best.closest.distance_sq.sqrt() <= margin) {
                out.push(BodyDistance { a, b, distance: self.report(a, b, &found) });
            }
        }
        out
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

    /// How long two bodies that are `distance` apart cannot meet if no vertex moves faster than in the last step, in
    /// whatever direction within the box of its body's displacements. `None` before the second frame.
    pub fn safety(&self, a: BodyId, b: BodyId, distance: f64) -> Option<Safety> {
        let (p, q) = (self.state(a).motion?, self.state(b).motion?);
        // The largest difference of displacements, axis by axis; what both share brings them no closer.
        let square: f64 =
            (0..3).map(|k| (p.max[k] - q.min[k]).abs().max((q.max[k] - p.min[k]).abs())).map(|x| x * x).sum();
        let approach = square.sqrt() * (1.0 + 1e-15);
        let frames =
            if approach > 0.0 { ((distance / approach).ceil() - 1.0).max(0.0) } else { f64::INFINITY };
        Some(Safety { approach, frames })
    }
}
