//! The smallest distance of two surfaces, best-first: the pair of regions with the smallest lower bound comes next.
//!
//! A pair of blocks is met three times at most: with the bound of its boxes and spheres; with that of a slab; and then
//! triangle by triangle. When the smallest bound left is above the best distance, nothing closer is left. When a budget
//! runs out before that, that bound is still true, and so is the best distance so far.

pub(super) mod block_pair;
mod block_triangles;
pub(super) mod front;
mod pacing;
pub(super) mod triangle_bounds;

use glam::DVec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::BodyState;
use super::bounds::{Scale, SearchLimit, expand};
use super::regions::{Region, Regions};
use crate::budget::Meter;
use crate::geometry::Point;
use crate::geometry::simd::{self, Kernel, Simd};
use crate::narrow::distance_bounds::length_above;
use crate::narrow::squared_distance::SquaredDistance;
use crate::narrow::tri_tri_distance::{ClosestTriangles, Measured};
use crate::{Budget, Stats, parallel};
use block_pair::{Hints, PairScratch};
use front::{Awake, Front};

/// A pair of regions that waits, smallest lower bound first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct WaitingPairs {
    /// The bits of the lower bound: those of floats that are not negative have their order.
    key: u32,
    pair: [Region; 2],
    stage: Stage,
}

/// What is waiting, and for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Regions: to be expanded, or to be parted by a slab.
    Regions,
    /// Blocks for which a slab was already looked for.
    Blocks,
}

/// What a search reuses.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    heap: BinaryHeap<Reverse<WaitingPairs>>,
    pub leaf: PairScratch,
    pub stack: Vec<[Region; 2]>,
    pub pairs: Vec<[Region; 2]>,
    /// Pairs that a search has ruled out.
    pub front: Front,
    /// Regions that must be up to date, by body.
    pub needed: Vec<Vec<Region>>,
}

/// Two triangles, ids within their bodies, and how close they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClosestPair {
    pub pair: [u32; 2],
    pub closest: ClosestTriangles,
}

impl ClosestPair {
    /// Smaller distance, exactly, then smaller ids.
    pub fn beats(&self, other: &Option<ClosestPair>, sides: &[Side<'_>; 2], ties: &mut Ties) -> bool {
        let Some(other) = other else { return true };
        let (x, y) = (&self.closest, &other.closest);
        if x.upper < y.lower || x.lower > y.upper {
            return x.upper < y.lower;
        }
        let corners = |p: &ClosestPair| [0, 1].map(|i| sides[i].corners(p.pair[i]));
        let (mine, theirs) = (corners(self), corners(other));
        let mine = Measured { triangles: mine.each_ref(), closest: &self.closest };
        let theirs = Measured { triangles: theirs.each_ref(), closest: &other.closest };
        if let Some(lost) = &ties.lost {
            let triangles = corners(lost);
            if mine.has_faces_of(&Measured { triangles: triangles.each_ref(), closest: &lost.closest }) {
                return false;
            }
        }
        let order = mine.compare(&theirs, &mut ties.best);
        if order.is_gt() {
            ties.lost = Some(*self);
        }
        order.then(self.pair.cmp(&other.pair)).is_lt()
    }

    /// Whether it cannot be beaten by anything with these ids, or larger ones.
    #[inline]
    pub fn is_final_before(&self, pair: [u32; 2]) -> bool {
        self.closest.distance == 0.0 && pair >= self.pair
    }
}

/// What telling near ties apart has found out. A dozen triangles round a vertex and an edge are one and the same near tie.
#[derive(Debug, Default)]
pub(super) struct Ties {
    /// The exact square of the best distance.
    pub best: Option<SquaredDistance>,
    /// A pair that is further apart than the best, and therefore than all that are better.
    lost: Option<ClosestPair>,
}

/// What a search ends with.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchResult {
    /// The closest pair of triangles seen.
    pub best: Option<ClosestPair>,
    /// The closest vertices seen, ids within their bodies, and their distance.
    pub vertices: ([u32; 2], f64),
    /// Nothing is closer than this.
    pub lower: f64,
    /// Whether the search was completed.
    pub is_exact: bool,
}

/// One of the two bodies.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub state: &'a BodyState,
    pub regions: &'a Regions,
    pub positions: &'a [Point],
    /// The corners of all triangles, when they lie in one array.
    flat: Option<&'a [[u32; 3]]>,
}

impl<'a> Side<'a> {
    pub fn new(state: &'a BodyState, regions: &'a Regions, positions: &'a [Point]) -> Self {
        Self { state, regions, positions, flat: state.body.flat_triangles() }
    }

    /// `None` for a body without triangles.
    pub fn of(state: &'a BodyState, positions: &'a [Point]) -> Option<Self> {
        Some(Self::new(state, state.regions.as_ref()?, positions))
    }

    #[inline]
    pub fn corners(&self, triangle: u32) -> [Point; 3] {
        let Some(flat) = self.flat else { return self.state.corners(self.positions, triangle) };
        let [p, q, r] = flat[triangle as usize];
        [self.vertex(p), self.vertex(q), self.vertex(r)]
    }

    /// Where a vertex is, its id counted within the body.
    #[inline]
    pub fn vertex(&self, vertex: u32) -> Point {
        self.positions[(self.state.first_vertex + vertex) as usize]
    }
}

/// A search between two bodies.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub sides: [Side<'a>; 2],
    pub scale: &'a Scale,
    /// What it may cost.
    pub meter: Meter,
    /// A pair to start from.
    pub start: Option<ClosestPair>,
    /// Nothing further than this is looked for.
    pub reach: f64,
    /// Pairs this much further than the closest are measured too, and then rest for some frames.
    pub margin: f64,
    /// Regions this much further than the closest are cut when they wake.
    pub soon: f64,
}

impl Search<'_> {
    /// Searches, on several threads when there are several and the search turns out to be long.
    ///
    /// Looks at what is awake in the front, and puts to rest there what it is done with.
    pub fn run(self, scratch: &mut Scratch, stats: &mut Stats) -> SearchResult {
        let upper = AtomicU64::new(f64::INFINITY.to_bits());
        scratch.heap.clear();
        if self.meter.is_unlimited() && parallel::threads() > 1 {
            let begin = Search { meter: Budget::visits(SERIAL).start(), ..self };
            let found = simd::dispatch(RunningSearch::new(begin, &upper, scratch, stats));
            return if found.is_exact { found } else { self.share(found, &upper, scratch, stats) };
        }
        let found = simd::dispatch(RunningSearch::new(self, &upper, scratch, stats));
        if !found.is_exact {
            scratch.front.clear();
        }
        found
    }

    /// Deals out what waits to all threads, which share the best distance.
    fn share(
        self,
        begun: SearchResult,
        upper: &AtomicU64,
        scratch: &mut Scratch,
        stats: &mut Stats,
    ) -> SearchResult {
        let parts = parallel::threads();
        let mut heaps: Vec<BinaryHeap<Reverse<WaitingPairs>>> = vec![BinaryHeap::new(); parts];
        // In order of their bounds, so that every thread begins near.
        for i in 0.. {
            let Some(next) = scratch.heap.pop() else { break };
            heaps[i % parts].push(next);
        }
        let search = Search { start: begun.best, ..self };
        let awake = std::mem::take(&mut scratch.front.awake);
        let front = &scratch.front;
        let parts_of_work: Vec<_> = heaps.into_iter().enumerate().collect();
        let found: Vec<(SearchResult, Stats, Front)> =
            parallel::map(parts_of_work, &mut (), |(), (part, heap)| {
                let awake = awake.iter().skip(part).step_by(parts).copied().collect();
                let front = front.share(awake);
                let mut scratch = Scratch { heap, front, ..Scratch::default() };
                let mut stats = Stats::default();
                (
                    simd::dispatch(RunningSearch::new(search, upper, &mut scratch, &mut stats)),
                    stats,
                    scratch.front,
                )
            });
        let mut best = begun.best;
        for (found, cost, front) in found {
            *stats += cost;
            best = found.best.filter(|f| f.beats(&best, &self.sides, &mut Ties::default())).or(best);
            scratch.front.join(front);
        }
        let lower = best.map_or(self.reach, |b| b.closest.lower);
        SearchResult { best, lower, is_exact: true, ..begun }
    }
}

/// Visits after which a search is long enough for several threads.
const SERIAL: u64 = 1000;

/// A search at work: first on what is awake in the front, then on what waits in the heap.
pub(super) struct RunningSearch<'a, 's> {
    pub search: Search<'a>,
    pub trees: [&'a Regions; 2],
    pub scratch: &'s mut Scratch,
    pub stats: &'s mut Stats,
    pub best: Option<ClosestPair>,
    pub ties: Ties,
    vertices: ([u32; 2], f64),
    /// A distance that the answer does not exceed; threads share the smallest.
    pub upper: f64,
    shared_upper: &'s AtomicU64,
    pub near: SearchLimit,
    /// The margin as images go.
    pub margin: f32,
    pub hints: Hints,
}

impl Kernel for RunningSearch<'_, '_> {
    type Output = SearchResult;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> SearchResult {
        let mut meter = self.search.meter;
        let mut awake = std::mem::take(&mut self.scratch.front.awake);
        // The best distance is about right when a search continues: any order will do.
        while let Some(next) = awake.pop() {
            if !next.pair.iter().all(|r| r.is_block()) {
                self.cut(simd, next.pair);
            } else if meter.is_spent() {
                awake.push(next);
                break;
            } else {
                self.listen();
                self.meet(simd, next);
            }
        }
        let mut left = awake.iter().map(|w| self.lower(w.pair)).reduce(f32::min);
        self.scratch.front.awake = awake;
        while let Some(Reverse(next)) = self.scratch.heap.pop() {
            self.listen();
            if next.lower() > self.near.limit {
                // Nothing that waits is closer than this one.
                self.rest(next.lower(), next.pair);
                let mut heap = std::mem::take(&mut self.scratch.heap);
                heap.drain().for_each(|Reverse(w)| self.rest(w.lower(), w.pair));
                self.scratch.heap = heap;
                break;
            }
            if left.is_some() || meter.is_spent() {
                left = Some(left.map_or(next.lower(), |left| left.min(next.lower())));
                self.scratch.heap.push(Reverse(next));
                break;
            }
            if next.pair.iter().all(|r| r.is_block()) {
                self.blocks(simd, next);
            } else {
                self.expand(simd, next.pair);
            }
        }
        self.stats.visits += meter.visits();
        let exact = self.best.map_or(self.search.reach, |b| b.closest.lower);
        let lower = left.map_or(exact, |left| self.search.scale.certain(left).min(exact));
        SearchResult { best: self.best, vertices: self.vertices, lower, is_exact: left.is_none() }
    }
}

impl<'a, 's> RunningSearch<'a, 's> {
    fn new(search: Search<'a>, upper: &'s AtomicU64, scratch: &'s mut Scratch, stats: &'s mut Stats) -> Self {
        let trees = search.sides.map(|s| s.regions);
        let vertices = [0, 1].map(|i| trees[i].middle(trees[i].root));
        let mut hunt = Self {
            search,
            trees,
            scratch,
            stats,
            best: search.start,
            ties: Ties::default(),
            vertices: (vertices, f64::INFINITY),
            upper: f64::INFINITY,
            shared_upper: upper,
            near: SearchLimit { limit: f32::INFINITY, middles_sq: f32::INFINITY, middles: None },
            margin: (search.margin * search.scale.map.scale) as f32,
            hints: Hints::default(),
        };
        hunt.lower_to(search.reach);
        hunt.look_at(vertices);
        if let Some(best) = search.start {
            hunt.lower_to(best.closest.upper);
            hunt.hints.directions[0] = hunt.between(&best.closest.a.point, &best.closest.b.point);
        }
        hunt
    }

    /// Notes that the answer is not above this.
    #[inline(always)]
    pub fn lower_to(&mut self, upper: f64) {
        if upper < self.upper {
            self.upper = upper;
            self.near.limit = self.search.scale.limit(upper);
            // The bits of numbers that are not negative have their order.
            self.shared_upper.fetch_min(upper.to_bits(), Ordering::Relaxed);
        }
    }

    /// The distance of two vertices is one that the answer does not exceed. Yields where they are.
    #[inline(always)]
    pub fn look_at(&mut self, pair: [u32; 2]) -> [Point; 2] {
        let (p, q) = (self.search.sides[0].vertex(pair[0]), self.search.sides[1].vertex(pair[1]));
        let distance = length_above(DVec3::from_array(p) - DVec3::from_array(q));
        if distance < self.vertices.1 {
            self.vertices = (pair, distance);
            self.lower_to(distance);
        }
        [p, q]
    }

    /// From one point to another, as images go.
    #[inline(always)]
    pub fn between(&self, p: &Point, q: &Point) -> [f32; 3] {
        let scale = self.search.scale.map.scale;
        [((q[0] - p[0]) * scale) as f32, ((q[1] - p[1]) * scale) as f32, ((q[2] - p[2]) * scale) as f32]
    }

    /// A pair of regions that was dealt with: no more now, perhaps again in a later frame.
    #[inline(always)]
    pub fn rest(&mut self, lower: f32, pair: [Region; 2]) {
        self.scratch.front.rest(self.search.scale.certain(lower), pair);
    }

    /// How far apart two regions are at least.
    #[inline(always)]
    fn lower(&self, pair: [Region; 2]) -> f32 {
        self.trees[0].bound(pair[0]).distance(self.trees[1].bound(pair[1]))
    }

    /// Two regions that woke, not both blocks: into the heap, or cut at once.
    #[inline(always)]
    fn cut<S: Simd>(&mut self, simd: S, pair: [Region; 2]) {
        let lower = self.lower(pair);
        let is_near = lower <= self.near.limit;
        if is_near || lower > self.near.limit + (self.search.soon * self.search.scale.map.scale) as f32 {
            self.scratch.heap.push(Reverse(WaitingPairs::new(lower, pair, Stage::Regions)));
        } else {
            self.expand(simd, pair);
        }
    }

    /// Takes notice of what other threads found.
    #[inline(always)]
    fn listen(&mut self) {
        let shared = f64::from_bits(self.shared_upper.load(Ordering::Relaxed));
        if shared < self.upper {
            self.lower_to(shared);
        }
    }

    /// Two blocks that woke.
    #[inline(always)]
    fn meet<S: Simd>(&mut self, simd: S, next: Awake) {
        if let Some(near) = next.near {
            return self.compare_near(simd, next.pair, near);
        }
        let lower = self.lower(next.pair);
        if lower > self.near.limit || self.is_final(next.pair) {
            return self.rest(lower, next.pair);
        }
        let slab = self.slab(simd, next.pair);
        if slab.lower > self.near.limit {
            self.stats.certified += 1;
            return self.rest(lower.max(slab.lower), next.pair);
        }
        self.compare(simd, next.pair, lower, Some(slab));
    }

    /// Two blocks that waited: a slab first, and when nothing is nearer, their triangles.
    #[inline(always)]
    fn blocks<S: Simd>(&mut self, simd: S, next: WaitingPairs) {
        let (mut lower, mut slab) = (next.lower(), None);
        if self.is_final(next.pair) {
            return self.rest(lower, next.pair);
        }
        if next.stage == Stage::Regions {
            let found = self.slab(simd, next.pair);
            lower = lower.max(found.lower);
            if lower > self.near.limit {
                self.stats.certified += 1;
                return self.rest(lower, next.pair);
            }
            if self.scratch.heap.peek().is_some_and(|Reverse(w)| w.lower() < lower) {
                self.scratch.heap.push(Reverse(WaitingPairs::new(lower, next.pair, Stage::Blocks)));
                return;
            }
            slab = Some(found);
        }
        self.compare(simd, next.pair, lower, slab);
    }

    #[inline(always)]
    fn expand<S: Simd>(&mut self, simd: S, pair: [Region; 2]) {
        let (Scratch { heap, front, .. }, scale) = (&mut *self.scratch, self.search.scale);
        let wait = |lower: f32, x, y| heap.push(Reverse(WaitingPairs::new(lower, [x, y], Stage::Regions)));
        let rest = |lower: f32, x, y| front.rest(scale.certain(lower), [x, y]);
        expand(simd, self.trees, pair, &mut self.near, wait, rest);
        if let Some([x, y]) = self.near.middles.take() {
            self.look_at([self.trees[0].middle(x), self.trees[1].middle(y)]);
        }
    }
}

impl WaitingPairs {
    fn new(lower: f32, pair: [Region; 2], stage: Stage) -> Self {
        Self { key: lower.max(0.0).to_bits(), pair, stage }
    }

    #[inline]
    fn lower(&self) -> f32 {
        f32::from_bits(self.key)
    }
}
