//! The smallest distance of two surfaces, best-first: the pair of regions with the smallest lower bound comes next.
//!
//! A pair of blocks is met three times at most: with the bound of its boxes and spheres; with that of a slab; and then
//! triangle by triangle. When the smallest bound left is above the best distance, nothing closer is left. When a budget
//! runs out before that, that bound is still true, and so is the best distance so far.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use super::BodyState;
use super::bound::{Near, Scale, expand};
use super::leaf::{Leaf, closest_vertices, slab};
use super::regions::{Region, Regions};
use crate::Stats;
use crate::geometry::Point;
use crate::geometry::lanes::floats::{Floats, Work};
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
    /// Whether a slab was already looked for.
    has_slab: bool,
}

/// What the searches reuse.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    heap: BinaryHeap<Reverse<Waiting>>,
    pub leaf: Leaf,
    pub stack: Vec<[Region; 2]>,
    pub pairs: Vec<[Region; 2]>,
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
}

/// What a search ends with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// The closest pair of triangles seen.
    pub best: Option<Best>,
    /// The closest vertices seen, ids within their bodies, and the square of their distance.
    pub middles: ([u32; 2], f64),
    /// Nothing is closer than this.
    pub lower: f64,
    /// Whether the search was completed.
    pub is_exact: bool,
}

/// A search between two bodies.
pub(super) struct Search<'a> {
    pub sides: [Side<'a>; 2],
    pub scale: &'a Scale,
    pub scratch: &'a mut Scratch,
    pub stats: &'a mut Stats,
    pub budget: Budget,
    /// A pair to start from.
    pub start: Option<Best>,
    /// Nothing further than this is looked for.
    pub reach: f64,
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

/// The middle vertices of two regions and the square of their distance.
fn middles(sides: &[Side<'_>; 2], regions: [Region; 2]) -> ([u32; 2], f64) {
    distance_sq(sides, [0, 1].map(|i| sides[i].regions.middle(regions[i])))
}

/// From one vertex to the other.
fn towards(sides: &[Side<'_>; 2], pair: [u32; 2], scale: &Scale) -> [f32; 3] {
    let (p, q) = (sides[0].vertex(pair[0]), sides[1].vertex(pair[1]));
    std::array::from_fn(|k| ((q[k] - p[k]) * scale.map.scale) as f32)
}

/// Two vertices, ids within their bodies, and the square of their distance.
fn distance_sq(sides: &[Side<'_>; 2], pair: [u32; 2]) -> ([u32; 2], f64) {
    let [p, q] = [0, 1].map(|i| sides[i].vertex(pair[i]));
    (pair, (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum())
}

/// More than the rounding of a distance computed by the narrow phase: pairs closer than this are looked at exactly.
const DOUBT: f64 = 1.0 + 1e-9;

impl Work for Search<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<L: Floats>(self, l: L) -> Found {
        let Self { sides, scale, scratch, stats, budget, start, reach } = self;
        let trees = sides.map(|s| s.regions);
        let Scratch { heap, leaf, .. } = scratch;
        let mut best = start;
        let roots = trees.map(|t| t.root);
        let mut middle = middles(&sides, roots);
        // The square of a distance that the answer does not exceed.
        let mut upper_sq = (middle.1 * DOUBT).min(reach * reach);
        upper_sq = best.map_or(upper_sq, |b| b.closest.distance_sq.min(upper_sq));
        let mut near = Near { limit: scale.limit(upper_sq.sqrt()), middles_sq: f32::INFINITY, middles: None };
        let deadline = budget.time.map(|t| Instant::now() + t);
        heap.clear();
        let lower = trees[0].bound(roots[0]).distance(trees[1].bound(roots[1]));
        heap.push(Reverse(Waiting::new(lower, roots, false)));
        let mut hint = [0.0; 3];
        let mut visits = 0;
        let mut left = f32::INFINITY;
        while let Some(Reverse(next)) = heap.pop() {
            let lower = f32::from_bits(next.key);
            if lower > near.limit {
                break;
            }
            let late = visits % 64 == 0 && deadline.is_some_and(|d| Instant::now() >= d);
            if visits >= budget.visits || late {
                left = lower;
                break;
            }
            visits += 1;
            let [x, y] = next.pair;
            if !(x.is_block() && y.is_block()) {
                expand(l, trees, next.pair, &mut near, |lower, x, y| {
                    heap.push(Reverse(Waiting::new(lower, [x, y], false)));
                });
                if let Some(regions) = near.middles.take() {
                    let closer = middles(&sides, regions);
                    if closer.1 < middle.1 {
                        middle = closer;
                        upper_sq = upper_sq.min(closer.1 * DOUBT);
                        near.limit = scale.limit(upper_sq.sqrt());
                    }
                }
                continue;
            }
            let blocks = [&trees[0].blocks[x.index()], &trees[1].blocks[y.index()]];
            // Where surfaces touch nothing can be closer, and only smaller ids matter.
            if best
                .is_some_and(|b| b.closest.distance_sq == 0.0 && [blocks[0].least, blocks[1].least] >= b.pair)
            {
                continue;
            }
            if !next.has_slab {
                let lower = lower.max(slab(l, trees, blocks, near.limit, hint).lower);
                if lower > near.limit {
                    stats.certified += 1;
                    continue;
                }
                let waits = heap.peek().is_some_and(|Reverse(w)| f32::from_bits(w.key) < lower);
                if waits {
                    heap.push(Reverse(Waiting::new(lower, next.pair, true)));
                    continue;
                }
            }
            let slots = closest_vertices(l, trees, blocks);
            let vertices =
                [trees[0].vertex(blocks[0], slots[0].into()), trees[1].vertex(blocks[1], slots[1].into())];
            let closer = distance_sq(&sides, vertices);
            if closer.1 < middle.1 {
                middle = closer;
                upper_sq = upper_sq.min(closer.1 * DOUBT);
                near.limit = scale.limit(upper_sq.sqrt());
            }
            let slab = slab(l, trees, blocks, near.limit, towards(&sides, vertices, scale));
            if slab.lower > near.limit {
                stats.certified += 1;
                continue;
            }
            stats.tests += leaf.pairs(l, trees, blocks, &slab, near.limit, |i, j, limit| {
                let pair = [trees[0].triangles[i as usize], trees[1].triangles[j as usize]];
                if best.is_some_and(|b| b.closest.distance_sq == 0.0 && pair >= b.pair) {
                    return;
                }
                stats.candidates += 1;
                let (s, t) = (sides[0].corners(pair[0]), sides[1].corners(pair[1]));
                let closest = tri_tri_distance::closest_within(&s, &t, upper_sq * DOUBT);
                let Some(closest) = closest else { return };
                let found = Best { pair, closest };
                if found.beats(&best) {
                    best = Some(found);
                    upper_sq = upper_sq.min(closest.distance_sq);
                    *limit = scale.limit(upper_sq.sqrt());
                    near.limit = *limit;
                    hint = std::array::from_fn(|k| {
                        ((closest.b.point[k] - closest.a.point[k]) * scale.map.scale) as f32
                    });
                }
            });
        }
        stats.visits += visits;
        let is_exact = left == f32::INFINITY;
        let exact = best.map_or(reach, |b| b.closest.distance_sq.sqrt());
        let lower = if is_exact { exact } else { scale.certain(left).min(exact) };
        Found { best, middles: middle, lower, is_exact }
    }
}

impl Waiting {
    fn new(lower: f32, pair: [Region; 2], has_slab: bool) -> Self {
        Self { key: lower.max(0.0).to_bits(), pair, has_slab }
    }
}
