//! What is kept of a search between two bodies, from frame to frame.

use std::collections::HashMap;

use super::search::front::Front;
use crate::{BodyId, Containment};

/// What is kept of a search for the next frame.
#[derive(Debug, Clone, Default)]
pub(super) struct SearchRecord {
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
#[derive(Debug, Clone, Default)]
pub(super) struct SearchRecords {
    pairs: HashMap<[BodyId; 2], SearchRecord>,
}

impl SearchRecords {
    /// The closest triangles of two bodies, in any order.
    pub fn get(&self, a: BodyId, b: BodyId) -> Option<[u32; 2]> {
        if a <= b { self.pairs.get(&[a, b]).map(|r| r.pair) } else { self.get(b, a).map(|[s, t]| [t, s]) }
    }

    /// The front of a record, the smaller id first.
    pub fn front(&self, a: BodyId, b: BodyId) -> Option<&Front> {
        self.pairs.get(&[a, b]).map(|r| &r.front)
    }

    /// Takes the front out of a record; empty if `a > b`.
    pub fn take_front(&mut self, a: BodyId, b: BodyId) -> Front {
        self.pairs.get_mut(&[a, b]).map(|r| std::mem::take(&mut r.front)).unwrap_or_default()
    }

    /// Changes or removes a record: the closest triangles, where the search ended, and a distance that the surfaces do not
    /// go below. The front is not kept if `a > b`.
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

    /// Follows edits of bodies that did not move. `about` says of a body whether it was edited, and how many triangles it has.
    /// A closest pair still bounds the distance from above, whatever triangles these ids stand for now.
    pub fn follow_edits(&mut self, about: impl Fn(BodyId) -> (bool, usize)) {
        self.pairs.retain(|bodies, record| {
            let [a, b] = bodies.map(&about);
            if a.0 || b.0 {
                (record.front, record.holder) = (Front::default(), None);
            }
            (record.pair[0] as usize) < a.1 && (record.pair[1] as usize) < b.1
        });
    }

    /// Keeps the records of two bodies that are both kept.
    pub fn retain(&mut self, is_kept: impl Fn(BodyId) -> bool) {
        self.pairs.retain(|bodies, _| bodies.iter().all(|&b| is_kept(b)));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }
}
