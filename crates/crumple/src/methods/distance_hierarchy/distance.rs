//! How far apart two bodies are.

use super::DistanceHierarchy;
use super::search::{Best, Budget, Found, Search, Side};
use crate::geometry::lanes::floats;
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

    /// Searches as far as `reach`, from the last closest pair, and remembers the new one.
    pub(super) fn find(&mut self, a: BodyId, b: BodyId, budget: Budget, reach: f64) -> Option<Found> {
        let warm = self.params.warm_start;
        let Self { bodies, positions, scale, records, scratch, stats, .. } = self;
        if a == b {
            return None;
        }
        let sides = [Side::of(&bodies[a.index()], positions)?, Side::of(&bodies[b.index()], positions)?];
        let start = records.get(a, b).filter(|_| warm).map(|pair| {
            let [s, t] = [0, 1].map(|i| sides[i].corners(pair[i]));
            Best { pair, closest: tri_tri_distance::closest(&s, &t) }
        });
        let found = floats::run(Search { sides, scale, scratch, stats, budget, start, reach });
        // Near means closer than the two are large; others have no record, however many bodies there are.
        let near = sides.map(|s| s.regions.bound(s.regions.root).diagonal()).iter().sum::<f32>();
        let kept = found.best.filter(|f| f.closest.distance_sq.sqrt() * scale.map.scale <= f64::from(near));
        records.set(a, b, kept.map(|f| f.pair));
        Some(found)
    }

    pub(super) fn report(&self, a: BodyId, b: BodyId, found: &Found) -> Distance {
        let (vertices, middles_sq) = found.middles;
        let first = [a, b].map(|x| self.state(x).first_triangle);
        let (witnesses, distance) = match found.best {
            Some(Best { pair, closest }) if found.is_exact || closest.distance_sq <= middles_sq => {
                let witness = |i: usize, w: tri_tri_distance::Witness| Witness {
                    triangle: TriangleId(first[i] + pair[i]),
                    feature: w.feature,
                    point: w.point,
                };
                ([witness(0, closest.a), witness(1, closest.b)], closest.distance_sq.sqrt())
            }
            _ => {
                let witness = |i: usize, body: BodyId| self.at_vertex(body, vertices[i]);
                ([witness(0, a), witness(1, b)], middles_sq.sqrt())
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
