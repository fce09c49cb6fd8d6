//! What the paper's rules miss, against the truth.

use std::collections::BTreeSet;

use super::Published;
use crate::methods::distance_hierarchy::DistanceHierarchy;
use crate::{BodyId, Error, VertexId};

/// The collisions of a step beside those that are there: pairs of last regions with vertices closer than a distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Pairs of regions that are that close.
    pub there: u64,
    /// Those of them that the step reported.
    pub found: u64,
    /// Those of them that it did not.
    pub missed: u64,
    /// Pairs of regions that it reported and that are not that close.
    pub surplus: u64,
}

impl std::ops::AddAssign for Verdict {
    fn add_assign(&mut self, other: Self) {
        self.there += other.there;
        self.found += other.found;
        self.missed += other.missed;
        self.surplus += other.surplus;
    }
}

impl Published {
    /// Judges the last step: `truth` must follow the same mesh and frame, and finds all vertices closer than `contact`.
    pub fn judge(&self, truth: &mut DistanceHierarchy, contact: f64) -> Result<Verdict, Error> {
        let mut there = BTreeSet::new();
        for a in 0..self.bodies.len() {
            for b in a + 1..self.bodies.len() {
                let bodies = [BodyId(a as u32), BodyId(b as u32)];
                truth.check_bodies(bodies)?;
                let first = bodies.map(|x| truth.state(x).first_vertex);
                for pair in truth.vertices_closer_than(bodies, contact)? {
                    let last = |i: usize, v: VertexId| {
                        self.bodies[bodies[i].index()].last_region[(v.0 - first[i]) as usize]
                    };
                    there.insert((bodies, [last(0, pair.a), last(1, pair.b)]));
                }
            }
        }
        let reported: BTreeSet<_> = self.collisions.iter().map(|c| (c.bodies, c.regions)).collect();
        let found = there.intersection(&reported).count() as u64;
        Ok(Verdict {
            there: there.len() as u64,
            found,
            missed: there.len() as u64 - found,
            surplus: reported.len() as u64 - found,
        })
    }
}
