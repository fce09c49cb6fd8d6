//! The smallest distance of two surfaces, best-first: the pair of regions with the smallest lower bound comes next.
//!
//! A pair of blocks is met three times at most: with the bound of its boxes and spheres; with that of a slab; and then
//! triangle by triangle. When the smallest bound left is above the best distance, nothing closer is left. When a budget
//! runs out before that, that bound is still true, and so is the best distance so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::BodyState;
use super::bound::{Near, Scale, expand};
use super::front::{Front, Listed};
use super::leaf::{Hints, Leaf, Then, closest_vertices, slab};
use super::regions::{Region, Regions};
use crate::Stats;
use crate::geometry::Point;
use crate::geometry::lanes::floats::{self, Floats, Work};
use crate::narrow::tri_tri_distance::{self, Closest};

/// When a search stops early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Pairs of regions looked at, at most.
    pub visits: u64,
    /// Time spent, at most; looked at every 64 visits.
    pub time: Option<Duration>,
}

impl Budget {
    /// Until the answer is exact.
    pub const UNLIMITED: Self = Self { visits: u64::MAX, time: None };

    /// So many pairs of regions.
    pub fn visits(visits: u64) -> Self {
        Self { visits, time: None }
    }

    /// So much time.
    pub fn time(time: Duration) -> Self {
        Self { visits: u64::MAX, time: Some(time) }
    }
}

/// A pair of regions that waits, smallest lower bound first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The bits of the lower bound: those of floats that are not negative have their order.
    key: u32,
    pair: [Region; 2],
    stage: Stage,
    /// Of triangles, the list of the front that they are on.
    list: u32,
}

/// What is waiting, and for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Regions: to be expanded, or to be parted by a slab.
    Regions,
    /// Blocks for which a slab was already looked for.
    Blocks,
    /// Triangles, in the guise of regions.
    Triangles,
}

/// What a search reuses.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    heap: BinaryHeap<Reverse<Waiting>>,
    pub leaf: Leaf,
    pub stack: Vec<[Region; 2]>,
    pub pairs: Vec<[Region; 2]>,
    /// Pairs that a search has ruled out.
    pub front: Front,
    /// Regions that must be up to date, by body.
    pub needed: Vec<Vec<Region>>,
}

/// Two triangles, ids within their bodies, and how close they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Best {
    pub pair: [u32; 2],
    pub closest: Closest,
}

impl Best {
    /// Smaller distance, then smaller ids.
    fn beats(&self, other: &Option<Best>) -> bool {
        other.as_ref().is_none_or(|o| {
            let order = self.closest.distance_sq.total_cmp(&o.closest.distance_sq);
            order.then(self.pair.cmp(&o.pair)).is_lt()
        })
    }

    /// Whether it cannot be beaten by anything with these ids, or larger ones.
    #[inline]
    fn is_final_before(&self, pair: [u32; 2]) -> bool {
        self.closest.distance_sq == 0.0 && pair >= self.pair
    }
}

/// What a search ends with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The closest pair of triangles seen.
    pub best: Option<Best>,
    /// The closest vertices seen, ids within their bodies, and the square of their distance.
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
}

impl<'a> Side<'a> {
    /// `None` for a body without triangles.
    pub fn of(state: &'a BodyState, positions: &'a [Point]) -> Option<Self> {
        Some(Self { state, regions: state.regions.as_ref()?, positions })
    }

    #[inline]
    pub fn corners(&self, triangle: u32) -> [Point; 3] {
        self.state.corners(self.positions, triangle)
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
    pub budget: Budget,
    /// A pair to start from.
    pub start: Option<Best>,
    /// Nothing further than this is looked for.
    pub reach: f64,
    /// Pairs this much further than the closest are measured too, and then rest for some frames.
    pub margin: f64,
}

impl Search<'_> {
    /// Searches, on several threads when there are several and the search turns out to be long.
    ///
    /// Looks at what is awake in the front, and puts to rest there what it is done with.
    pub fn run(self, scratch: &mut Scratch, stats: &mut Stats) -> Found {
        let upper = AtomicU64::new(f64::INFINITY.to_bits());
        self.begin(scratch);
        #[cfg(feature = "parallel")]
        if self.budget == Budget::UNLIMITED && rayon::current_num_threads() > 1 {
            let begin = Search { budget: Budget::visits(SERIAL), ..self };
            let found = floats::run(Hunt::new(begin, &upper, scratch, stats));
            return if found.is_exact { found } else { self.share(found, &upper, scratch, stats) };
        }
        let found = floats::run(Hunt::new(self, &upper, scratch, stats));
        if !found.is_exact {
            scratch.front.clear();
        }
        found
    }

    /// Fills the heap with what must be looked at.
    fn begin(&self, scratch: &mut Scratch) {
        let Scratch { heap, front, .. } = scratch;
        let trees = self.sides.map(|s| s.regions);
        let lower = |pair: [Region; 2]| trees[0].bound(pair[0]).distance(trees[1].bound(pair[1]));
        heap.clear();
        heap.extend(front.awake.iter().map(|&pair| Reverse(Waiting::new(lower(pair), pair, Stage::Regions))));
        heap.extend(front.awake_triangles.iter().map(|t| {
            let lower = (t.lower * self.scale.map.scale) as f32;
            let pair = t.pair.map(Region::guise);
            Reverse(Waiting { list: t.list, ..Waiting::new(lower, pair, Stage::Triangles) })
        }));
    }

    /// Deals out what waits to all threads, which share the best distance.
    #[cfg(feature = "parallel")]
    fn share(self, begun: Found, upper: &AtomicU64, scratch: &mut Scratch, stats: &mut Stats) -> Found {
        use rayon::prelude::*;
        let parts = rayon::current_num_threads();
        let mut heaps: Vec<BinaryHeap<Reverse<Waiting>>> = vec![BinaryHeap::new(); parts];
        // In order of their bounds, so that every thread begins near.
        for i in 0.. {
            let Some(next) = scratch.heap.pop() else { break };
            heaps[i % parts].push(next);
        }
        let search = Search { start: begun.best, ..self };
        let (front, lists) = (scratch.front.empty(), scratch.front.lists());
        let found: Vec<(Found, Stats, Front)> = heaps
            .into_par_iter()
            .map(|heap| {
                let mut scratch = Scratch { heap, front: front.clone(), ..Scratch::default() };
                let mut stats = Stats::default();
                (floats::run(Hunt::new(search, upper, &mut scratch, &mut stats)), stats, scratch.front)
            })
            .collect();
        let mut best = begun.best;
        for (found, cost, front) in found {
            *stats += cost;
            best = found.best.filter(|f| f.beats(&best)).or(best);
            scratch.front.join(front, lists);
        }
        let lower = best.map_or(self.reach, |b| b.closest.distance_sq.sqrt());
        Found { best, lower, is_exact: true, ..begun }
    }
}

/// Visits after which a search is long enough for several threads.
#[cfg(feature = "parallel")]
const SERIAL: u64 = 1000;

/// Times that a pair of blocks is begun again in a better direction.
const RESTARTS: usize = 2;

/// More than the rounding of a distance computed by the narrow phase: pairs closer than this are looked at exactly.
const DOUBT: f64 = 1.0 + 1e-9;

/// A search at work on what waits in the heap.
struct Hunt<'a, 's> {
    search: Search<'a>,
    trees: [&'a Regions; 2],
    scratch: &'s mut Scratch,
    stats: &'s mut Stats,
    best: Option<Best>,
    vertices: ([u32; 2], f64),
    /// The square of a distance that the answer does not exceed; threads share the smallest.
    upper_sq: f64,
    upper: &'s AtomicU64,
    near: Near,
    /// The margin, and as images go.
    margin: (f64, f32),
    hints: Hints,
}

impl Work for Hunt<'_, '_> {
    type Output = Found;

    #[inline(always)]
    fn run<L: Floats>(mut self, l: L) -> Found {
        let Search { budget, reach, .. } = self.search;
        let deadline = budget.time.map(|t| Instant::now() + t);
        let mut visits = 0;
        let mut left = None;
        while let Some(Reverse(next)) = self.scratch.heap.pop() {
            let shared = f64::from_bits(self.upper.load(Ordering::Relaxed));
            if shared < self.upper_sq {
                self.lower_to(shared);
            }
            if next.lower() > self.near.limit {
                // Nothing that waits is closer than this one.
                self.put_back(next);
                let mut heap = std::mem::take(&mut self.scratch.heap);
                heap.drain().for_each(|Reverse(w)| self.put_back(w));
                self.scratch.heap = heap;
                break;
            }
            let late = visits % 64 == 0 && deadline.is_some_and(|d| Instant::now() >= d);
            if visits >= budget.visits || late {
                left = Some(next.lower());
                self.scratch.heap.push(Reverse(next));
                break;
            }
            visits += 1;
            if next.stage == Stage::Triangles {
                self.triangles(next);
            } else if next.pair[0].is_block() && next.pair[1].is_block() {
                self.blocks(l, next);
            } else {
                self.expand(l, next.pair);
            }
        }
        self.stats.visits += visits;
        let exact = self.best.map_or(reach, |b| b.closest.distance_sq.sqrt());
        let lower = left.map_or(exact, |left| self.search.scale.certain(left).min(exact));
        Found { best: self.best, vertices: self.vertices, lower, is_exact: left.is_none() }
    }
}

impl<'a, 's> Hunt<'a, 's> {
    fn new(search: Search<'a>, upper: &'s AtomicU64, scratch: &'s mut Scratch, stats: &'s mut Stats) -> Self {
        let trees = search.sides.map(|s| s.regions);
        let vertices = [0, 1].map(|i| trees[i].middle(trees[i].root));
        let mut hunt = Self {
            search,
            trees,
            scratch,
            stats,
            best: search.start,
            vertices: (vertices, f64::INFINITY),
            upper_sq: f64::INFINITY,
            upper,
            near: Near { limit: f32::INFINITY, middles_sq: f32::INFINITY, middles: None },
            margin: (search.margin, (search.margin * search.scale.map.scale) as f32),
            hints: Hints::default(),
        };
        hunt.lower_to(search.reach * search.reach);
        hunt.look_at(vertices);
        if let Some(best) = search.start {
            hunt.lower_to(best.closest.distance_sq);
            hunt.hints.directions[0] = hunt.between(&best.closest.a.point, &best.closest.b.point);
        }
        hunt
    }

    /// Notes that the answer is not above this.
    #[inline(always)]
    fn lower_to(&mut self, upper_sq: f64) {
        if upper_sq < self.upper_sq {
            self.upper_sq = upper_sq;
            self.near.limit = self.search.scale.limit(upper_sq.sqrt());
            // The bits of numbers that are not negative have their order.
            self.upper.fetch_min(upper_sq.to_bits(), Ordering::Relaxed);
        }
    }

    /// The distance of two vertices is one that the answer does not exceed. Yields where they are.
    #[inline(always)]
    fn look_at(&mut self, pair: [u32; 2]) -> [Point; 2] {
        let (p, q) = (self.search.sides[0].vertex(pair[0]), self.search.sides[1].vertex(pair[1]));
        let (x, y, z) = (p[0] - q[0], p[1] - q[1], p[2] - q[2]);
        let distance_sq = x * x + y * y + z * z;
        if distance_sq < self.vertices.1 {
            self.vertices = (pair, distance_sq);
            self.lower_to(distance_sq * DOUBT);
        }
        [p, q]
    }

    /// From one point to another, as images go.
    #[inline(always)]
    fn between(&self, p: &Point, q: &Point) -> [f32; 3] {
        let scale = self.search.scale.map.scale;
        [((q[0] - p[0]) * scale) as f32, ((q[1] - p[1]) * scale) as f32, ((q[2] - p[2]) * scale) as f32]
    }

    /// A pair of regions that was dealt with: no more now, perhaps again in a later frame.
    #[inline(always)]
    fn rest(&mut self, lower: f32, pair: [Region; 2]) {
        self.scratch.front.rest(self.search.scale.certain(lower), pair);
    }

    /// A pair that need not be dealt with in this frame.
    #[inline(always)]
    fn put_back(&mut self, waiting: Waiting) {
        if waiting.stage == Stage::Triangles {
            self.scratch.front.list_again(waiting.listed(self.search.scale));
        } else {
            self.rest(waiting.lower(), waiting.pair);
        }
    }

    /// Images further apart than this belong to pairs that are further apart than the answer and the margin.
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.near.limit + self.margin.1
    }

    #[inline(always)]
    fn expand<L: Floats>(&mut self, l: L, pair: [Region; 2]) {
        let (Scratch { heap, front, .. }, scale) = (&mut *self.scratch, self.search.scale);
        let wait = |lower: f32, x, y| heap.push(Reverse(Waiting::new(lower, [x, y], Stage::Regions)));
        let rest = |lower: f32, x, y| front.rest(scale.certain(lower), [x, y]);
        expand(l, self.trees, pair, &mut self.near, wait, rest);
        if let Some([x, y]) = self.near.middles.take() {
            self.look_at([self.trees[0].middle(x), self.trees[1].middle(y)]);
        }
    }

    /// Two blocks: a slab first, and when nothing is nearer, their triangles.
    #[inline(always)]
    fn blocks<L: Floats>(&mut self, l: L, next: Waiting) {
        let trees = self.trees;
        let blocks = [&trees[0].blocks[next.pair[0].index()], &trees[1].blocks[next.pair[1].index()]];
        // Where surfaces touch nothing can be closer, and only smaller ids matter.
        if self.best.is_some_and(|b| b.is_final_before([blocks[0].least, blocks[1].least])) {
            return self.rest(next.lower(), next.pair);
        }
        if next.stage == Stage::Regions {
            let lower = next.lower().max(slab(l, trees, blocks, self.limit(), &mut self.hints).lower);
            if lower > self.near.limit {
                self.stats.certified += 1;
                return self.rest(lower, next.pair);
            }
            if self.scratch.heap.peek().is_some_and(|Reverse(w)| w.lower() < lower) {
                self.scratch.heap.push(Reverse(Waiting::new(lower, next.pair, Stage::Blocks)));
                return;
            }
        }
        if self.best.is_none() {
            let [i, j] = closest_vertices(l, trees, blocks);
            let vertices = [trees[0].vertex(blocks[0], i.into()), trees[1].vertex(blocks[1], j.into())];
            let [p, q] = self.look_at(vertices);
            self.hints.directions[1] = self.between(&p, &q);
        }
        let (list, mut margin) = (self.scratch.front.begin_list(), self.margin);
        for restart in 0..=RESTARTS {
            self.scratch.front.drop_list(list);
            let slab = slab(l, trees, blocks, self.limit(), &mut self.hints);
            if slab.lower > self.near.limit {
                self.stats.certified += 1;
                self.margin = margin;
                return self.rest(slab.lower, next.pair);
            }
            let mut leaf = std::mem::take(&mut self.scratch.leaf);
            let mut then = Then::Continue;
            let tests = leaf.pairs(l, trees, blocks, &slab, self.limit(), |i, j, limit| {
                let pair = [trees[0].triangles[i as usize], trees[1].triangles[j as usize]];
                let seen = self.exact(pair);
                if self.margin.0 > 0.0 {
                    self.scratch.front.list(seen.lower, pair);
                    if self.scratch.front.is_too_long(list) {
                        // Too many triangles are close by: no list for these blocks, and at last for none.
                        self.margin = (0.0, 0.0);
                        if self.scratch.front.fail_list() {
                            margin = (0.0, 0.0);
                        }
                    }
                }
                if seen.is_closer && restart < RESTARTS {
                    then = Then::Stop;
                }
                *limit = self.limit();
                then
            });
            self.stats.tests += tests;
            self.scratch.leaf = leaf;
            if then == Then::Continue {
                self.finish(next.lower().max(slab.lower), next.pair, list);
                self.margin = margin;
                return;
            }
        }
    }

    /// Puts two blocks to rest whose triangles were compared.
    #[inline(always)]
    fn finish(&mut self, lower: f32, pair: [Region; 2], list: usize) {
        // Without a margin the blocks wake in the next frame anyway. Where surfaces touch, the distances of most triangles
        // were not asked for.
        if self.margin.0 == 0.0 || self.upper_sq == 0.0 {
            self.scratch.front.drop_list(list);
            return self.rest(lower, pair);
        }
        // What is not on the list was ruled out by this limit, or by a larger one before.
        let others = self.search.scale.certain(self.limit());
        self.scratch.front.end_list(others, pair, list);
    }

    /// Two triangles that were close in the frame before.
    #[inline(always)]
    fn triangles(&mut self, next: Waiting) {
        let listed = next.listed(self.search.scale);
        let seen = self.exact(listed.pair);
        self.scratch.front.list_again(Listed { lower: seen.lower, ..listed });
    }

    /// Looks at two triangles.
    #[inline(always)]
    fn exact(&mut self, pair: [u32; 2]) -> Seen {
        if let Some(best) = self.best.filter(|b| b.is_final_before(pair)) {
            debug_assert!(best.closest.distance_sq == 0.0);
            return Seen { is_closer: false, lower: 0.0 };
        }
        self.stats.candidates += 1;
        let (s, t) = (self.search.sides[0].corners(pair[0]), self.search.sides[1].corners(pair[1]));
        let (mut far, mut far_sq) = (0.0, self.upper_sq * DOUBT);
        if self.margin.0 > 0.0 {
            far = self.upper_sq.sqrt() + self.margin.0;
            far_sq = far * far * DOUBT;
        }
        let Some(closest) = tri_tri_distance::closest_within(&s, &t, far_sq) else {
            return Seen { is_closer: false, lower: far.max(self.upper_sq.sqrt()) };
        };
        let lower = closest.distance_sq.sqrt() / DOUBT;
        let found = Best { pair, closest };
        if !found.beats(&self.best) {
            return Seen { is_closer: false, lower };
        }
        self.best = Some(found);
        self.hints.directions[0] = self.between(&closest.a.point, &closest.b.point);
        let is_closer = closest.distance_sq < self.upper_sq;
        self.lower_to(closest.distance_sq);
        Seen { is_closer, lower }
    }
}

/// What a look at two triangles found.
struct Seen {
    /// Whether they are closer than anything before.
    is_closer: bool,
    /// How far they are apart at least.
    lower: f64,
}

impl Waiting {
    fn new(lower: f32, pair: [Region; 2], stage: Stage) -> Self {
        Self { key: lower.max(0.0).to_bits(), pair, stage, list: 0 }
    }

    /// Triangles as they are on their list.
    fn listed(&self, scale: &Scale) -> Listed {
        // One rounding from what the front said.
        let lower = f64::from(self.lower()) * (1.0 - 1e-6) / scale.map.scale;
        Listed { pair: self.pair.map(Region::triangle), list: self.list, lower }
    }

    #[inline]
    fn lower(&self) -> f32 {
        f32::from_bits(self.key)
    }
}
