//! Two blocks against each other: a slab between them, and the pairs of triangles that it and their boxes leave.
//!
//! Let v be a unit vector. If no vertex of block a is higher along v than h, and none of block b lower than h + d, the
//! blocks are at least d apart. Blocks are pieces of surface, nearly flat, so the way they face is a good v where
//! spheres and boxes say little: two shells that run side by side at a slant to the axes have touching boxes, but a slab
//! nearly as thick as their gap. Three vertices far apart tell which way a block faces, at no cost in the update.
//!
//! Steps towards the thickest slab there is, that between the convex hulls (Gilbert, Johnson, Keerthi 1988), were tried
//! and left out: four of them rule out a tenth more triangles, but a cold frame takes 8.9 instead of 7.9 ms on
//! `near-shell-100k` and 1.69 instead of 1.60 on `near-10obj`.
//!
//! What is left is looked at in a frame turned that way, in which the triangles' boxes are thin.

use super::super::bounds::UP;
use super::super::regions::{Block, Chunk, Regions, at};
use super::triangle_bounds::OneToEight;
use crate::geometry::simd::{F32x8, Mask, Row, Simd, splat3};
use crate::geometry::vector::{max, min};

/// A direction, and how far apart two blocks are at least along it.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Separation {
    pub direction: [f32; 3],
    pub lower: f32,
}

/// What is looked for between two blocks.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Pass {
    /// A unit vector along which the blocks are apart, more or less.
    pub direction: [f32; 3],
    /// Only these triangles of either block: bit i is the i-th.
    pub among: [u64; 2],
    /// Pairs that are not further apart than this are wanted.
    pub limit: f32,
    /// Pairs that are this much further apart at most are noted.
    pub margin: f32,
}

/// Iterations towards the closest points of two triangles before their exact distance is asked for.
const ITERATIONS: usize = 2;

/// Triangles further apart than so many times their size are not compared along their normals.
const FAR: f32 = 4.0;

/// All triangles of a block.
pub(in super::super) const ALL: [u64; 2] = [u64::MAX; 2];

/// Where slabs are looked for: directions that were good nearby, and which way was the last to rule a pair out.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct Hints {
    pub directions: [[f32; 3]; 2],
    first: usize,
}

/// Ways to find a direction: two hints, how either block faces, and from one middle vertex to the other.
const WAYS: usize = 5;

/// The thickest slab found between two blocks; no other direction is tried once it is thicker than `limit`.
#[inline(always)]
pub(in super::super) fn slab<S: Simd>(
    simd: S,
    trees: [&Regions; 2],
    blocks: [&Block; 2],
    limit: f32,
    hints: &mut Hints,
) -> Separation {
    let (a, b) = (trees[0].chunks(blocks[0]), trees[1].chunks(blocks[1]));
    let across = sub(at(b, blocks[1].middle), at(a, blocks[0].middle));
    let mut best = Separation { direction: [1.0, 0.0, 0.0], lower: f32::NEG_INFINITY };
    for way in 0..WAYS {
        let way = (hints.first + way) % WAYS;
        let towards = match way {
            0 | 1 => hints.directions[way],
            2 => facing(a, blocks[0]),
            3 => facing(b, blocks[1]),
            _ => across,
        };
        let Some(direction) = unit(towards, across) else { continue };
        let lower = lowest(simd, b, direction) - highest(simd, a, direction);
        if lower > best.lower {
            best = Separation { direction, lower };
            if lower > limit {
                hints.first = way;
                break;
            }
        }
    }
    best
}

fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(u: [f32; 3], v: [f32; 3]) -> [f32; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Across the plane of three vertices far apart.
#[inline(always)]
fn facing(chunks: &[Chunk], block: &Block) -> [f32; 3] {
    let (p, q, r) = (at(chunks, block.plane[0]), at(chunks, block.plane[1]), at(chunks, block.plane[2]));
    cross(sub(q, p), sub(r, p))
}

/// `v` with length 1, turned so that it does not point against `across`. `None` when it is too short to tell.
#[inline(always)]
fn unit(v: [f32; 3], across: [f32; 3]) -> Option<[f32; 3]> {
    let length_sq = dot(v, v);
    let length = if dot(v, across) < 0.0 { -length_sq.sqrt() } else { length_sq.sqrt() };
    (length_sq > 1e-30).then(|| v.map(|x| x / length))
}

#[inline(always)]
fn heights<S: Simd>(simd: S, chunk: &Chunk, v: [f32; 3]) -> S::F32x8 {
    let x = S::F32x8::load(simd, &chunk[0]) * S::F32x8::splat(simd, v[0]);
    let y = S::F32x8::load(simd, &chunk[1]) * S::F32x8::splat(simd, v[1]);
    x + y + S::F32x8::load(simd, &chunk[2]) * S::F32x8::splat(simd, v[2])
}

#[inline(always)]
fn highest<S: Simd>(simd: S, chunks: &[Chunk], v: [f32; 3]) -> f32 {
    let mut top = S::F32x8::splat(simd, f32::NEG_INFINITY);
    for chunk in chunks {
        top = top.max(heights(simd, chunk, v));
    }
    top.reduce_max()
}

#[inline(always)]
fn lowest<S: Simd>(simd: S, chunks: &[Chunk], v: [f32; 3]) -> f32 {
    let mut low = S::F32x8::splat(simd, f32::INFINITY);
    for chunk in chunks {
        low = low.min(heights(simd, chunk, v));
    }
    low.reduce_min()
}

/// The closest vertices of two blocks, as slots: their distance is one that the blocks' does not exceed.
#[inline(always)]
pub(in super::super) fn closest_vertices<S: Simd>(
    simd: S,
    trees: [&Regions; 2],
    blocks: [&Block; 2],
) -> [u8; 2] {
    let (a, b) = (trees[0].chunks(blocks[0]), trees[1].chunks(blocks[1]));
    let (mut best, mut slots) = (f32::INFINITY, [0, 0]);
    for i in 0..blocks[0].vertices {
        let p = at(a, i);
        let (x, y, z) =
            (S::F32x8::splat(simd, p[0]), S::F32x8::splat(simd, p[1]), S::F32x8::splat(simd, p[2]));
        for (c, chunk) in b.iter().enumerate() {
            let dx = S::F32x8::load(simd, &chunk[0]) - x;
            let dy = S::F32x8::load(simd, &chunk[1]) - y;
            let dz = S::F32x8::load(simd, &chunk[2]) - z;
            let sum = dx * dx + dy * dy + dz * dz;
            if S::F32x8::splat(simd, best).gt(sum).any() {
                let mut row = Row([0.0; 8]);
                sum.store(&mut row);
                for (j, &d) in row.0.iter().enumerate() {
                    if d < best {
                        (best, slots) = (d, [i, (8 * c + j) as u8]);
                    }
                }
            }
        }
    }
    slots
}

/// Scratch: the triangles of two blocks that may matter.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct PairScratch {
    a: Vec<Triangle>,
    b: Vec<Rows>,
    /// The places of the triangles in `b`.
    places: Vec<u32>,
    /// Of the last pass with a margin: the triangles in pairs that were noted or wanted,
    pub near: [u64; 2],
    /// and a distance that no pair that was noted only goes below.
    pub noted: f32,
    /// Which triangles in `b` were in such pairs.
    lanes: Vec<u8>,
    /// The vertices of both blocks in the slab's frame; made when first needed, for it is six kilobytes of zeros.
    turned: Option<Box<[RotatedBlock; 2]>>,
}

/// The vertices of a block in another frame, by coordinate. As many rows as a `u8` can name, so that no slot is checked.
#[derive(Debug, Clone)]
struct RotatedBlock([[Row; 32]; 3]);

impl Default for RotatedBlock {
    fn default() -> Self {
        Self([[Row([0.0; 8]); 32]; 3])
    }
}

impl RotatedBlock {
    /// One coordinate of what a slot holds.
    #[inline(always)]
    fn at(&self, k: usize, slot: u8) -> f32 {
        self.0[k][usize::from(slot >> 3)].0[usize::from(slot & 7)]
    }

    /// Rotates eight points into the frame; yields the first coordinate.
    #[inline(always)]
    fn rotate<S: Simd>(&mut self, simd: S, c: usize, chunk: &Chunk, frame: &[[f32; 3]; 3]) -> S::F32x8 {
        let first = heights(simd, chunk, frame[0]);
        first.store(&mut self.0[0][c]);
        heights(simd, chunk, frame[1]).store(&mut self.0[1][c]);
        heights(simd, chunk, frame[2]).store(&mut self.0[2][c]);
        first
    }
}

/// Eight triangles at a time: their boxes and corners, coordinate by coordinate.
#[derive(Debug, Clone)]
pub(in super::super) struct Rows {
    pub min: [Row; 3],
    pub max: [Row; 3],
    pub corners: [[Row; 3]; 3],
}

impl Rows {
    /// Nothing yet: points so far away that no distance to them matters.
    pub const AWAY: Self = {
        let rows = [Row([1e6; 8]); 3];
        Self { min: rows, max: rows, corners: [rows; 3] }
    };
}

/// The box of a triangle in a frame whose first axis is the direction of a slab, or in that of the scene.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Triangle {
    pub min: [f32; 3],
    pub max: [f32; 3],
    pub corners: [[f32; 3]; 3],
    place: u32,
}

/// What to do after a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Then {
    Continue,
    Stop,
}

impl PairScratch {
    /// Every pair of triangles of two blocks that their boxes do not put further apart than the limit, as places in the two
    /// trees. The boxes are those of a frame that is turned along the direction: where surfaces run side by side they are
    /// thin, and what is beside the other's box is ruled out too. `found` may lower the limit.
    #[inline(always)]
    pub fn pairs<S: Simd, const MARGIN: bool>(
        &mut self,
        simd: S,
        trees: [&Regions; 2],
        blocks: [&Block; 2],
        pass: Pass,
        mut found: impl FnMut(u32, u32, &mut f32) -> Then,
    ) -> u64 {
        self.gather(simd, trees, blocks, &pass);
        let (mut limit, margin) = (pass.limit, if MARGIN { pass.margin } else { 0.0 });
        let mut least = S::F32x8::splat(simd, f32::INFINITY);
        if MARGIN {
            self.near = [0; 2];
            self.lanes.clear();
            self.lanes.resize(self.b.len(), 0);
        }
        let mut tests = 0;
        for a in &self.a {
            tests += self.b.len() as u64;
            let min = splat3(simd, a.min);
            let max = splat3(simd, a.max);
            // Of triangles that are far apart compared to their size, normals know nothing.
            let is_close = (0..3).any(|k| limit < FAR * (a.max[k] - a.min[k]));
            for (c, rows) in self.b.iter().enumerate() {
                let mut boxes = S::F32x8::splat(simd, 0.0);
                for k in 0..3 {
                    let below = S::F32x8::load(simd, &rows.min[k]) - max[k];
                    let above = min[k] - S::F32x8::load(simd, &rows.max[k]);
                    let gap = below.max(above).max(S::F32x8::splat(simd, 0.0));
                    boxes = boxes + gap * gap;
                }
                let filled = (self.places.len() - 8 * c).min(8);
                let wide = limit + margin;
                let mut near =
                    boxes.le(S::F32x8::splat(simd, wide * wide * UP)).bitmask() & ((1 << filled) - 1);
                if near == 0 {
                    continue;
                }
                let eight = OneToEight::of(simd, &a.corners, &rows.corners);
                let mut along = eight.centres(simd);
                near &= !along.beyond(simd, wide);
                if near == 0 {
                    continue;
                }
                let normals = if is_close { eight.normals(simd) } else { S::F32x8::splat(simd, 0.0) };
                near &= !normals.gt(S::F32x8::splat(simd, wide)).bitmask();
                if !MARGIN {
                    for _ in 0..ITERATIONS {
                        if near != 0 {
                            along = eight.nearer(simd, &along);
                            near &= !along.beyond(simd, limit);
                        }
                    }
                } else if near != 0 {
                    let mut lower = along.lower(simd).max(normals).max(boxes.sqrt());
                    let mut wanted = lower.le(S::F32x8::splat(simd, limit)).bitmask() & near;
                    for _ in 0..ITERATIONS {
                        if wanted != 0 {
                            along = eight.nearer(simd, &along);
                            lower = lower.max(along.lower(simd));
                            wanted = lower.le(S::F32x8::splat(simd, limit)).bitmask() & near;
                        }
                    }
                    let noted = lower.le(S::F32x8::splat(simd, wide)).bitmask() & near;
                    self.near[0] |= u64::from(noted != 0) << (a.place - blocks[0].first);
                    self.lanes[c] |= noted as u8;
                    let only = lower.gt(S::F32x8::splat(simd, limit));
                    least = S::F32x8::select(only, lower, S::F32x8::splat(simd, f32::INFINITY)).min(least);
                    near = wanted;
                }
                while near != 0 {
                    let i = near.trailing_zeros() as usize;
                    near &= near - 1;
                    if found(a.place, self.places[8 * c + i], &mut limit) == Then::Stop {
                        return 8 * tests;
                    }
                }
            }
        }
        if MARGIN {
            self.noted = least.reduce_min();
            for (place, bits) in self.places.chunks(8).zip(&self.lanes) {
                let mut bits = *bits;
                while bits != 0 {
                    self.near[1] |= 1 << (place[bits.trailing_zeros() as usize] - blocks[1].first);
                    bits &= bits - 1;
                }
            }
        }
        8 * tests
    }

    /// Collects the triangles that are not certainly further than `limit` from the whole other block.
    #[inline(always)]
    fn gather<S: Simd>(&mut self, simd: S, trees: [&Regions; 2], blocks: [&Block; 2], pass: &Pass) {
        let frame = frame(pass.direction);
        let Self { a: near_a, b: near_b, places, turned, .. } = self;
        let [turned_a, turned_b] = &mut **turned.get_or_insert_default();
        let (mut top, mut bottom) =
            (S::F32x8::splat(simd, f32::NEG_INFINITY), S::F32x8::splat(simd, f32::INFINITY));
        for (c, chunk) in trees[0].chunks(blocks[0]).iter().enumerate() {
            top = top.max(turned_a.rotate(simd, c, chunk, &frame));
        }
        for (c, chunk) in trees[1].chunks(blocks[1]).iter().enumerate() {
            bottom = bottom.min(turned_b.rotate(simd, c, chunk, &frame));
        }
        // Triangles further from the whole other block than the limit.
        let reach = pass.limit + pass.margin;
        let (high, low) = (top.reduce_max() + reach, bottom.reduce_min() - reach);
        near_a.clear();
        let corners = trees[0].corners(blocks[0]);
        let mut left = pass.among[0] & low_bits(corners.len());
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let corners = &corners[i];
            let h = corners.map(|s| turned_a.at(0, s));
            if max(max(h[0], h[1]), h[2]) >= low {
                near_a.push(Triangle::of(turned_a, corners, blocks[0].first + i as u32));
            }
        }
        near_b.clear();
        places.clear();
        let corners = trees[1].corners(blocks[1]);
        let mut left = pass.among[1] & low_bits(corners.len());
        while left != 0 {
            let j = left.trailing_zeros() as usize;
            left &= left - 1;
            let corners = &corners[j];
            let h = corners.map(|s| turned_b.at(0, s));
            if min(min(h[0], h[1]), h[2]) <= high {
                let triangle = Triangle::of(turned_b, corners, blocks[1].first + j as u32);
                let lane = places.len() % 8;
                if lane == 0 {
                    near_b.push(Rows::AWAY);
                }
                places.push(triangle.place);
                if let Some(rows) = near_b.last_mut() {
                    triangle.write(rows, lane);
                }
            }
        }
    }
}

/// As many bits from the lowest up.
#[inline(always)]
fn low_bits(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}

/// Three unit vectors at right angles, the first one given. Rounding leaves them less than 2^-21 off.
#[inline(always)]
fn frame(v: [f32; 3]) -> [[f32; 3]; 3] {
    // Across the axis to which v is least inclined, so that the product is not short.
    let [x, y, z] = v.map(f32::abs);
    let w = if x <= y && x <= z {
        [0.0, -v[2], v[1]]
    } else if y <= z {
        [v[2], 0.0, -v[0]]
    } else {
        [-v[1], v[0], 0.0]
    };
    let length = dot(w, w).sqrt();
    let w = w.map(|x| x / length);
    [v, w, cross(v, w)]
}

impl Triangle {
    /// With these corners.
    #[cfg(feature = "published")]
    #[inline(always)]
    pub fn new(corners: [[f32; 3]; 3], place: u32) -> Self {
        let [p, q, r] = corners;
        let mut t = Self { min: p, max: p, corners, place };
        for k in 0..3 {
            t.min[k] = min(min(p[k], q[k]), r[k]);
            t.max[k] = max(max(p[k], q[k]), r[k]);
        }
        t
    }

    #[inline(always)]
    fn of(turned: &RotatedBlock, &[p, q, r]: &[u8; 3], place: u32) -> Self {
        let mut t = Self { min: [0.0; 3], max: [0.0; 3], corners: [[0.0; 3]; 3], place };
        for k in 0..3 {
            let (p, q, r) = (turned.at(k, p), turned.at(k, q), turned.at(k, r));
            t.min[k] = min(min(p, q), r);
            t.max[k] = max(max(p, q), r);
            (t.corners[0][k], t.corners[1][k], t.corners[2][k]) = (p, q, r);
        }
        t
    }

    /// As one of eight.
    #[inline(always)]
    pub fn write(&self, rows: &mut Rows, lane: usize) {
        for k in 0..3 {
            rows.min[k].0[lane] = self.min[k];
            rows.max[k].0[lane] = self.max[k];
            for c in 0..3 {
                rows.corners[c][k].0[lane] = self.corners[c][k];
            }
        }
    }
}
