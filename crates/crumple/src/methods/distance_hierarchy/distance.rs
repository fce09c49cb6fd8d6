//! How far apart two bodies are.

use super::DistanceHierarchy;
use super::bodies::Record;
use super::front::Front;
use super::search::{Best, Budget, Found, Scratch, Search, Side};
use crate::narrow::{Feature, tri_tri_distance};
use crate::{BodyId, Distance, Guarantee, Stats, TriangleId, VertexId, Witness};

impl DistanceHierarchy {
    /// The smallest distance between the surfaces of two bodies, with the closest points; among equally close pairs of
    /// triangles the smallest (triangle a, triangle b). `None` when one of them has no triangle, or both are the same.
    pub fn distance(&mut self, a: BodyId, b: BodyId) -> Option<Distance> {
        self.budgeted(a, b, Budget::UNLIMITED)
    }

    /// [`DistanceHierarchy::distance`] that may stop early: then `lower` and `upper` still bracket the distance, and the
    /// points are `upper` apart.
    pub fn budgeted(&mut self, a: BodyId, b: BodyId, budget: Budget) -> Option<Distance> {
        self.stats = Stats::default();
        let found = self.find(a, b, budget, f64::INFINITY)?;
        Some(self.report(a, b, &found))
    }

    /// Searches as far as `reach`, from where the last search ended, and remembers where this one does.
    fn find(&mut self, a: BodyId, b: BodyId, budget: Budget, reach: f64) -> Option<Found> {
        let front = self.records.take_front(a, b);
        let mut scratch = std::mem::take(&mut self.scratch);
        let found = self.search([a, b], budget, reach, front, &mut scratch);
        self.scratch = scratch;
        let (found, front, stats) = found?;
        self.stats += stats;
        self.remember(a, b, &found, front);
        Some(found)
    }

    /// A search from the last closest pair and the front of that search, if there is one.
    pub(super) fn search(
        &self,
        [a, b]: [BodyId; 2],
        budget: Budget,
        reach: f64,
        front: Front,
        scratch: &mut Scratch,
    ) -> Option<(Found, Front, Stats)> {
        if a == b {
            return None;
        }
        let side = |x: BodyId| Side::of(self.state(x), &self.positions);
        let sides = [side(a)?, side(b)?];
        let start = self.records.get(a, b).filter(|_| self.params.warm_start).map(|pair| {
            let [s, t] = [0, 1].map(|i| sides[i].corners(pair[i]));
            Best { pair, closest: tri_tri_distance::closest(&s, &t) }
        });
        let mut stats = Stats::default();
        scratch.front = front;
        let search = Search { sides, scale: &self.scale, budget, start, reach };
        let found = search.run(scratch, &mut stats);
        Some((found, std::mem::take(&mut scratch.front), stats))
    }

    /// Keeps what was found when the bodies are near: closer than the two are large. Others have no record, however many
    /// bodies there are.
    pub(super) fn remember(&mut self, a: BodyId, b: BodyId, found: &Found, front: Front) {
        let size = |x: BodyId| self.state(x).regions.as_ref().map_or(0.0, |r| r.bound(r.root).diagonal());
        let near = f64::from(size(a) + size(b)) / self.scale.map.scale;
        let kept = found.best.filter(|f| f.closest.distance_sq.sqrt() <= near);
        self.records.set(a, b, kept.map(|f| Record { pair: f.pair, front }));
    }

    pub(super) fn report(&self, a: BodyId, b: BodyId, found: &Found) -> Distance {
        let (vertices, vertices_sq) = found.vertices;
        let first = [a, b].map(|x| self.state(x).first_triangle);
        let (witnesses, distance) = match found.best {
            Some(Best { pair, closest }) if found.is_exact || closest.distance_sq <= vertices_sq => {
                let witness = |i: usize, w: tri_tri_distance::Witness| Witness {
                    triangle: TriangleId(first[i] + pair[i]),
                    feature: w.feature,
                    point: w.point,
                };
                ([witness(0, closest.a), witness(1, closest.b)], closest.distance_sq.sqrt())
            }
            _ => {
                let witness = |i: usize, body: BodyId| self.at_vertex(body, vertices[i]);
                ([witness(0, a), witness(1, b)], vertices_sq.sqrt())
            }
        };
        let lower = found.lower.min(distance);
        let guarantee = if found.is_exact { Guarantee::Proved } else { Guarantee::Sampled };
        let contains = if lower > 0.0 { self.containment(a, b) } else { None };
        let [wa, wb] = witnesses;
        Distance { distance, lower, upper: distance, a: wa, b: wb, contains, guarantee }
    }

    /// A vertex as a witness, on the first triangle that has it.
    fn at_vertex(&self, body: BodyId, vertex: u32) -> Witness {
        let state = self.state(body);
        let triangle = state.body.topology().triangles_at(VertexId(vertex))[0];
        let corners = state.body.triangle_list()[triangle.index()];
        let corner = corners.iter().position(|v| v.0 == vertex).unwrap_or(0);
        Witness {
            triangle: TriangleId(state.first_triangle + triangle.0),
            feature: Feature::Vertex(corner as u8),
            point: self.positions[(state.first_vertex + vertex) as usize],
        }
    }
}
