//! The paper's question, answered without a miss: which vertices are closer than a margin; and how far each is from another
//! surface.

use super::super::DistanceHierarchy;
use super::super::bounds::{Bound, SLACK, Scale, SearchLimit, UP, against};
use super::super::closer_than::{BlockPairs, in_parts};
use super::super::regions::{Block, Region, Regions, at};
use super::super::search::Side;
use super::super::search::block_pair::{PairScratch, Rows, Triangle};
use super::super::search::triangle_bounds::OneToEight;
use crate::geometry::Point;
use crate::geometry::simd::{self, F32x8, Kernel, Mask, Simd, load3, multiversion};
use crate::narrow::{Feature, point_tri};
use crate::{BodyId, Error, Stats, TriangleId, VertexId, parallel};

/// Two vertices of different bodies that are close, ids across bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VertexPair {
    /// Of the first body.
    pub a: VertexId,
    /// Of the second body.
    pub b: VertexId,
}

/// How far a vertex is from a surface, and where that is closest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VertexDistance {
    /// The distance.
    pub distance: f64,
    /// The closest triangle, the smallest id among equals, ids across bodies.
    pub triangle: TriangleId,
    /// The closest point of the surface.
    pub point: [f64; 3],
    /// The part of the triangle that holds it.
    pub feature: Feature,
}

impl DistanceHierarchy {
    /// Every pair of vertices of two bodies at most `margin` apart, sorted. Vertices that no triangle uses take no part.
    pub fn vertices_closer_than(
        &mut self,
        bodies: [BodyId; 2],
        margin: f64,
    ) -> Result<Vec<VertexPair>, Error> {
        self.check_bodies(bodies)?;
        self.stats = Stats::default();
        let parts = self.vertex_pairs(bodies, margin, Vec::new, |out: &mut Vec<VertexPair>, sides, pair| {
            let [a, b] = [0, 1].map(|i| VertexId(sides[i].state.first_vertex + pair[i]));
            out.push(VertexPair { a, b });
        });
        let mut out: Vec<VertexPair> = parts.into_iter().flatten().collect();
        out.sort_unstable();
        Ok(out)
    }

    /// The number of pairs of vertices of different bodies at most `margin` apart, for benchmarks.
    pub fn count_vertices_closer_than(&mut self, margin: f64) -> u64 {
        self.stats = Stats::default();
        let pairs = self.body_pairs(margin);
        let count = |pair| {
            self.vertex_pairs(pair, margin, || 0, |n: &mut u64, _, _| *n += 1).into_iter().sum::<u64>()
        };
        pairs.into_iter().map(count).sum()
    }

    fn vertex_pairs<T: Send>(
        &mut self,
        [a, b]: [BodyId; 2],
        margin: f64,
        new: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, &[Side<'_>; 2], [u32; 2]) + Sync,
    ) -> Vec<T> {
        self.refit(a);
        self.refit(b);
        let Self { bodies, positions, scale, scratch, stats, .. } = self;
        let sides = Side::of(&bodies[a.index()], positions).zip(Side::of(&bodies[b.index()], positions));
        let Some((side_a, side_b)) = sides.filter(|_| a != b) else { return Vec::new() };
        let sides = [side_a, side_b];
        let limit = scale.limit(margin);
        let trees = [side_a.regions, side_b.regions];
        let (stack, pairs) = (&mut scratch.stack, &mut scratch.pairs);
        stats.visits += simd::dispatch(BlockPairs { trees, fields: None, same: false, limit, stack, pairs });
        // Negative when no images are close enough for certain.
        let sure = (margin * scale.map.scale * (1.0 - SLACK) - SLACK) as f32;
        in_parts(pairs, &mut scratch.leaf, |pairs, _: &mut PairScratch| {
            let mut out = new();
            simd::dispatch(VertexPairs {
                sides: &sides,
                pairs,
                margin,
                limit,
                sure,
                out: &mut out,
                add: &add,
            });
            out
        })
    }

    /// How far each vertex of body `a`, used by a triangle or not, is from the surface of body `b`. `None` when `b` has
    /// no triangle.
    pub fn vertex_distances(&mut self, [a, b]: [BodyId; 2]) -> Result<Option<Vec<VertexDistance>>, Error> {
        self.check_bodies([a, b])?;
        self.stats = Stats::default();
        self.refit(b);
        let Self { bodies, positions, scale, .. } = self;
        let state = &bodies[a.index()];
        let Some(surface) = Side::of(&bodies[b.index()], positions) else { return Ok(None) };
        let boxes = make_boxes(surface.regions);
        let order = walk_order(state.body.vertex_count(), state.regions.as_ref());
        let first = state.first_vertex as usize;
        let work = |vertices: &[u32]| {
            let points = vertices.iter().map(|&v| positions[first + v as usize]).collect::<Vec<_>>();
            simd::dispatch(VertexRows { points: &points, surface, boxes: &boxes, scale })
        };
        let parts = in_chunks(&order, work);
        let mut out = vec![None; order.len()];
        for (&v, d) in order.iter().zip(parts.into_iter().flatten()) {
            out[v as usize] = Some(d);
        }
        Ok(out.into_iter().collect())
    }
}

/// All vertices: those of one block after the other, then those that no block has.
fn walk_order(count: usize, regions: Option<&Regions>) -> Vec<u32> {
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    if let Some(r) = regions {
        for block in &r.blocks {
            order.extend((0..block.own as usize).map(|s| r.vertex(block, s)));
        }
    }
    order.iter().for_each(|&v| seen[v as usize] = true);
    order.extend((0..count as u32).filter(|&v| !seen[v as usize]));
    order
}

fn in_chunks<T: Send>(items: &[u32], work: impl Fn(&[u32]) -> T + Send + Sync) -> Vec<T> {
    let chunk = if parallel::threads() > 1 { 1024 } else { items.len().max(1) };
    parallel::map_chunks(items, chunk, &mut (), |(), chunk| work(chunk))
}

/// Counts or collects the pairs of own vertices of some pairs of blocks.
struct VertexPairs<'a, T, A> {
    sides: &'a [Side<'a>; 2],
    pairs: &'a [[Region; 2]],
    margin: f64,
    /// Images further apart than this are too far.
    limit: f32,
    /// Images closer than this are close enough.
    sure: f32,
    out: &'a mut T,
    add: &'a A,
}

impl<T, A: Fn(&mut T, &[Side<'_>; 2], [u32; 2])> Kernel for VertexPairs<'_, T, A> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let trees = self.sides.map(|s| s.regions);
        let limit_sq = S::F32x8::splat(simd, self.limit * self.limit * UP);
        let sure_sq = S::F32x8::splat(simd, if self.sure > 0.0 { self.sure * self.sure / UP } else { -1.0 });
        for &[x, y] in self.pairs {
            let (a, b) = (&trees[0].blocks[x.index()], &trees[1].blocks[y.index()]);
            let (from, to) = (trees[0].chunks(a), trees[1].chunks(b));
            let bound = trees[1].bound(y);
            for (c, chunk) in from[..(a.own as usize).div_ceil(8)].iter().enumerate() {
                let eight = load3(simd, chunk);
                let mut near =
                    to_box(simd, eight, bound).le(limit_sq).bitmask() & first_lanes(a.own as usize - 8 * c);
                while near != 0 {
                    let i = near.trailing_zeros() as usize;
                    near &= near - 1;
                    let p = [
                        S::F32x8::splat(simd, chunk[0].0[i]),
                        S::F32x8::splat(simd, chunk[1].0[i]),
                        S::F32x8::splat(simd, chunk[2].0[i]),
                    ];
                    for (d, other) in to[..(b.own as usize).div_ceil(8)].iter().enumerate() {
                        let mut sum = S::F32x8::splat(simd, 0.0);
                        for k in 0..3 {
                            let step = S::F32x8::load(simd, &other[k]) - p[k];
                            sum = sum + step * step;
                        }
                        let mut close = sum.le(limit_sq).bitmask() & first_lanes(b.own as usize - 8 * d);
                        let sure = sum.le(sure_sq).bitmask();
                        while close != 0 {
                            let j = close.trailing_zeros() as usize;
                            close &= close - 1;
                            let pair = [trees[0].vertex(a, 8 * c + i), trees[1].vertex(b, 8 * d + j)];
                            if sure >> j & 1 == 1 || is_closer(self.sides, pair, self.margin) {
                                (self.add)(self.out, self.sides, pair);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// One bit for each of the first `count` lanes.
#[inline(always)]
fn first_lanes(count: usize) -> u32 {
    (1 << count.min(8)) - 1
}

/// The squared distances of eight points from a box.
#[inline(always)]
fn to_box<S: Simd>(simd: S, points: [S::F32x8; 3], bound: &Bound) -> S::F32x8 {
    let mut sum = S::F32x8::splat(simd, 0.0);
    for (k, &x) in points.iter().enumerate() {
        let gap = (S::F32x8::splat(simd, bound.min[k]) - x).max(x - S::F32x8::splat(simd, bound.max[k]));
        let gap = gap.max(S::F32x8::splat(simd, 0.0));
        sum = sum + gap * gap;
    }
    sum
}

/// The verdict where `f32` cannot tell: the squared distance in `f64` against the squared margin.
#[cold]
fn is_closer(sides: &[Side<'_>; 2], pair: [u32; 2], margin: f64) -> bool {
    let [p, q] = [0, 1].map(|i| sides[i].vertex(pair[i]));
    let distance_sq: f64 = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum();
    distance_sq.sqrt() <= margin
}

/// The boxes and corners of all triangles, eight at a time, block after block.
struct VertexBoxes {
    rows: Vec<Rows>,
    /// The first row of each block.
    first: Vec<u32>,
}

multiversion! {
    fn make_boxes(regions: &Regions) -> VertexBoxes {
        let mut out = VertexBoxes { rows: Vec::new(), first: Vec::with_capacity(regions.blocks.len()) };
        for block in &regions.blocks {
            out.first.push(out.rows.len() as u32);
            let chunks = regions.chunks(block);
            for eight in regions.corners(block).chunks(8) {
                let mut rows = Rows::AWAY;
                for (i, corners) in eight.iter().enumerate() {
                    let [p, q, r] = *corners;
                    Triangle::new([at(chunks, p), at(chunks, q), at(chunks, r)], 0).write(&mut rows, i);
                }
                out.rows.push(rows);
            }
        }
        out
    }
}

/// The closest triangle of a surface to each of some points, each search starting from the answer before.
struct VertexRows<'a> {
    points: &'a [Point],
    surface: Side<'a>,
    boxes: &'a VertexBoxes,
    scale: &'a Scale,
}

impl Kernel for VertexRows<'_> {
    type Output = Vec<VertexDistance>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<VertexDistance> {
        let regions = self.surface.regions;
        let mut stack: Vec<(f32, Region)> = Vec::new();
        let mut last = regions.triangles[0];
        let mut out = Vec::with_capacity(self.points.len());
        for p in self.points {
            let image = self.scale.map.apply(p);
            let bound = Bound { min: image, max: image, centre: image, radius: 0.0 };
            let mut best = (point_tri::closest(p, &self.surface.corners(last)), last);
            let mut near = SearchLimit::fixed(self.scale.limit(best.0.distance_sq.sqrt()));
            stack.clear();
            stack.push((0.0, regions.root));
            while let Some((lower, region)) = stack.pop() {
                if lower > near.limit {
                    continue;
                }
                if !region.is_block() {
                    let node = regions.node(region);
                    let begin = stack.len();
                    let mut found = |lower: f32, r: Region, _: Region| stack.push((lower, r));
                    let child = |i: usize| [node.child[i]; 2];
                    against(simd, &bound, node, &mut near, child, &mut found, &mut |_, _, _| ());
                    // The nearest last, to be popped first.
                    stack[begin..].sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
                    continue;
                }
                let block = &regions.blocks[region.index()];
                self.block(simd, p, (block, region), &bound, &mut near, &mut best);
            }
            last = best.1;
            out.push(VertexDistance {
                distance: best.0.distance_sq.sqrt(),
                triangle: TriangleId(self.surface.state.first_triangle + best.1),
                point: best.0.point,
                feature: best.0.feature,
            });
        }
        out
    }
}

impl VertexRows<'_> {
    #[inline(always)]
    fn block<S: Simd>(
        &self,
        simd: S,
        p: &Point,
        (block, region): (&Block, Region),
        at: &Bound,
        near: &mut SearchLimit,
        best: &mut (point_tri::ClosestPoint, u32),
    ) {
        let first = self.boxes.first[region.index()] as usize;
        let count = block.count as usize;
        for (c, rows) in self.boxes.rows[first..first + count.div_ceil(8)].iter().enumerate() {
            let mut sum = S::F32x8::splat(simd, 0.0);
            for k in 0..3 {
                let below = S::F32x8::load(simd, &rows.min[k]) - S::F32x8::splat(simd, at.max[k]);
                let above = S::F32x8::splat(simd, at.min[k]) - S::F32x8::load(simd, &rows.max[k]);
                let gap = below.max(above).max(S::F32x8::splat(simd, 0.0));
                sum = sum + gap * gap;
            }
            let mut close = sum.le(S::F32x8::splat(simd, near.limit * near.limit * UP)).bitmask()
                & first_lanes(count - 8 * c);
            if close != 0 {
                // Boxes say little of a surface at a slant that is far away: planes across the way leave a few in a hundred.
                close &= !OneToEight::of(simd, &[at.centre; 3], &rows.corners)
                    .centres(simd)
                    .beyond(simd, near.limit);
            }
            while close != 0 {
                let i = close.trailing_zeros() as usize;
                close &= close - 1;
                let t = self.surface.regions.triangles[block.first as usize + 8 * c + i];
                let closest = point_tri::closest(p, &self.surface.corners(t));
                if closest.distance_sq < best.0.distance_sq
                    || (closest.distance_sq == best.0.distance_sq && t < best.1)
                {
                    *best = (closest, t);
                    near.limit = self.scale.limit(closest.distance_sq.sqrt());
                }
            }
        }
    }
}
