//! How far apart two bodies are.

use super::DistanceHierarchy;
use super::search::front::{Awake, Front};
use super::search::{ClosestPair, Scratch, Search, SearchResult, Side};
use crate::budget::{Clock, Meter};
use crate::geometry::Aabb;
use crate::narrow::{Feature, tri_tri_distance};
use crate::{BodyId, Budget, Containment, Distance, Error, Guarantee, Stats, TriangleId, VertexId, Witness};

/// A search that is ready to run.
pub(super) struct PreparedSearch {
    bodies: [BodyId; 2],
    front: Front,
    /// The closest pair of the frame before, as it is now.
    start: Option<ClosestPair>,
}

/// How a search ended.
enum Found {
    /// There is nothing to search.
    Nothing,
    Some(SearchResult),
    /// Regions could not be brought to the frame in time.
    Late,
}

impl DistanceHierarchy {
    /// The smallest distance between the surfaces of two bodies, with the closest points; among equally close pairs of
    /// triangles the smallest (triangle a, triangle b). `None` when one of them has no triangle, or both are the same.
    pub fn distance(&mut self, bodies: [BodyId; 2]) -> Result<Option<Distance>, Error> {
        self.budgeted(bodies, Budget::unlimited())
    }

    /// [`DistanceHierarchy::distance`] that may stop early: then `lower` and `upper` still bracket the distance, and the
    /// points are `upper` apart.
    pub fn budgeted(&mut self, bodies: [BodyId; 2], budget: Budget) -> Result<Option<Distance>, Error> {
        self.metered(bodies, &budget.start())
    }

    /// The same with a budget that is being spent. Where there is no time to refit, the boxes of the bodies, and the pair that
    /// was closest last, are the bounds.
    pub(crate) fn metered(&mut self, bodies: [BodyId; 2], meter: &Meter) -> Result<Option<Distance>, Error> {
        self.check_bodies(bodies)?;
        self.stats = Stats::default();
        let found = match self.find(bodies, meter) {
            Found::Nothing => None,
            Found::Some(found) => Some(self.report(bodies, &found)),
            Found::Late => Some(self.by_boxes(bodies)),
        };
        Ok(found)
    }

    /// What is known of two bodies with triangles without looking at their regions.
    fn by_boxes(&self, bodies: [BodyId; 2]) -> Distance {
        let states = bodies.map(|body| self.state(body));
        let last = self.records.get(bodies[0], bodies[1]).unwrap_or([0, 0]);
        let witness = |i: usize| {
            let point = states[i].corners(&self.positions, last[i])[0];
            Witness {
                triangle: TriangleId(states[i].first_triangle + last[i]),
                feature: Feature::Vertex(0),
                point,
            }
        };
        Distance::by_boxes(states.map(|s| s.extent), [witness(0), witness(1)])
    }

    /// Searches from where the last search ended, and remembers where this one does.
    fn find(&mut self, bodies: [BodyId; 2], meter: &Meter) -> Found {
        let Some(mut tasks) = self.prepare(&[bodies], meter.clock()) else { return Found::Late };
        let Some(task) = tasks.pop().flatten() else { return Found::Nothing };
        let mut scratch = std::mem::take(&mut self.scratch);
        let (found, front, stats) = self.search(task, *meter, f64::INFINITY, &mut scratch);
        self.scratch = scratch;
        self.stats += stats;
        self.remember(bodies, &found, front);
        Found::Some(found)
    }

    /// Searches that are ready to run; `None` where there is nothing to search, and instead of all when it is late.
    ///
    /// Each starts from the last closest pair and continues from the front of that search, if there is one. All regions
    /// that they may get to are refitted here, so that they can share them: the ones that are awake, and with
    /// these all in them.
    pub(super) fn prepare(
        &mut self,
        pairs: &[[BodyId; 2]],
        clock: Clock,
    ) -> Option<Vec<Option<PreparedSearch>>> {
        let tasks: Vec<Option<PreparedSearch>> = pairs.iter().map(|&pair| self.task(pair)).collect();
        let mut needed = std::mem::take(&mut self.scratch.needed);
        needed.resize_with(self.bodies.len(), Vec::new);
        for task in tasks.iter().flatten() {
            let [a, b] = task.bodies.map(BodyId::index);
            for &Awake { pair: [x, y], .. } in &task.front.awake {
                needed[a].push(x);
                needed[b].push(y);
            }
        }
        for (body, regions) in needed.iter_mut().enumerate().filter(|(_, r)| !r.is_empty()) {
            self.refit_some(BodyId(body as u32), regions, clock);
            regions.clear();
        }
        self.scratch.needed = needed;
        Some(tasks).filter(|_| !clock.is_late())
    }

    fn task(&mut self, [a, b]: [BodyId; 2]) -> Option<PreparedSearch> {
        if a == b {
            return None;
        }
        let is_warm = self.params.warm_start;
        let mut front = self.records.take_front(a, b);
        let sides = [Side::of(self.state(a), &self.positions)?, Side::of(self.state(b), &self.positions)?];
        let start = self.records.get(a, b).filter(|_| is_warm).map(|pair| {
            let [s, t] = [0, 1].map(|i| sides[i].corners(pair[i]));
            ClosestPair { pair, closest: tri_tri_distance::closest(&s, &t) }
        });
        let distance = start.map(|best| best.closest.upper).filter(|_| !front.is_empty());
        if !distance.is_some_and(|d| front.wake(d)) {
            front.begin(sides.map(|s| s.regions.root), self.scale.map.scale, is_warm);
        }
        Some(PreparedSearch { bodies: [a, b], front, start })
    }

    /// Runs a search.
    pub(super) fn search(
        &self,
        PreparedSearch { bodies, mut front, start }: PreparedSearch,
        meter: Meter,
        reach: f64,
        scratch: &mut Scratch,
    ) -> (SearchResult, Front, Stats) {
        let sides = bodies.map(|x| {
            let state = self.state(x);
            let regions = state.regions.as_ref().expect("a task has triangles on both sides");
            Side::new(state, regions, &self.positions)
        });
        let mut stats = Stats::default();
        let size = |s: Side<'_>| diagonal(&s.state.extent) / (s.regions.blocks.len() as f64).sqrt();
        let margin = front.margin(size(sides[0]).min(size(sides[1])));
        let soon = front.soon();
        let search = Search { sides, scale: &self.scale, meter, start, reach, margin, soon };
        scratch.front = front;
        let found = search.run(scratch, &mut stats);
        scratch.front.pacing.learn(margin);
        (found, std::mem::take(&mut scratch.front), stats)
    }

    /// Keeps what was found when the bodies are near: closer than three times the sum of their diagonals. Others have no
    /// record, however many bodies there are.
    pub(super) fn remember(&mut self, [a, b]: [BodyId; 2], found: &SearchResult, front: Front) {
        let near = 3.0 * (diagonal(&self.state(a).extent) + diagonal(&self.state(b).extent));
        let kept = found.best.filter(|f| f.closest.distance <= near);
        self.records.set(a, b, kept.map(|f| (f.pair, front, found.lower)));
    }

    /// Which body holds the other, known from the frame before or found out.
    fn holder(&mut self, a: BodyId, b: BodyId) -> Option<Containment> {
        if let Some(known) = self.records.holder(a, b) {
            return known;
        }
        for (outer, inner) in [(a, b), (b, a)] {
            if self.may_hold(outer, inner) {
                self.refit(outer);
            }
        }
        let holder = self.containment(a, b);
        self.records.set_holder(a, b, holder);
        holder
    }

    pub(super) fn report(&mut self, [a, b]: [BodyId; 2], found: &SearchResult) -> Distance {
        let (vertices, between) = found.vertices;
        let first = [a, b].map(|x| self.state(x).first_triangle);
        let guarantee = if found.is_exact { Guarantee::Proved } else { Guarantee::Partial };
        let mut out = match found.best {
            Some(best) if found.is_exact || best.closest.upper <= between => {
                let corners = |i: usize| self.state([a, b][i]).corners(&self.positions, best.pair[i]);
                // Once more, and as sharp as it gets, whatever the search was content with.
                let closest = tri_tri_distance::closest(&corners(0), &corners(1));
                let witness = |i: usize, w: tri_tri_distance::TriangleWitness| Witness {
                    triangle: TriangleId(first[i] + best.pair[i]),
                    feature: w.feature,
                    point: w.point,
                };
                let [wa, wb] = [witness(0, closest.a), witness(1, closest.b)];
                let (lower, upper) = (closest.lower, closest.upper);
                Distance { distance: closest.distance, lower, upper, a: wa, b: wb, contains: None, guarantee }
            }
            _ => {
                let [wa, wb] = [self.at_vertex(a, vertices[0]), self.at_vertex(b, vertices[1])];
                let lower = found.lower;
                Distance { distance: between, lower, upper: between, a: wa, b: wb, contains: None, guarantee }
            }
        };
        if !found.is_exact {
            out.lower = out.lower.min(found.lower);
        }
        let is_apart = if found.is_exact { out.distance > 0.0 } else { out.lower > 0.0 };
        out.contains = if is_apart { self.holder(a, b) } else { None };
        out
    }

    /// A vertex as a witness, on the first triangle that has it.
    fn at_vertex(&self, body: BodyId, vertex: u32) -> Witness {
        let state = self.state(body);
        let triangle = if state.body.version() > 0 {
            state.body.adjacency().triangles_at(VertexId(vertex))[0]
        } else {
            state.body.topology().triangles_at(VertexId(vertex))[0]
        };
        let corners = state.body.triangle(triangle);
        let corner = corners.iter().position(|v| v.0 == vertex).unwrap_or(0);
        Witness {
            triangle: TriangleId(state.first_triangle + triangle.0),
            feature: Feature::Vertex(corner as u8),
            point: self.positions[(state.first_vertex + vertex) as usize],
        }
    }
}

/// Length of the diagonal of a box.
fn diagonal(of: &Aabb) -> f64 {
    of.size().iter().map(|x| x * x).sum::<f64>().sqrt()
}
