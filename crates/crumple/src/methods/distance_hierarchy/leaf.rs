//! Two blocks against each other: a slab between them, and the pairs of triangles that it and their boxes leave.
//!
//! Let v be a unit vector. If no vertex of block a is higher along v than h, and none of block b lower than h + d, the
//! blocks are at least d apart. Blocks are pieces of surface, nearly flat, so the way they face is a good v where
//! spheres and boxes say little: two shells that run side by side at a slant to the axes have touching boxes, but a slab
//! nearly as thick as their gap. Three vertices far apart tell which way a block faces, at no cost in the update.
//!
//! The same heights, triangle by triangle, leave few pairs. On `near-shell-100k` slabs rule out all but a few of the
//! twenty thousand pairs of blocks that boxes leave.

use super::bound::UP;
use super::regions::{Block, Chunk, MAX_SLOTS, Regions, at};
use super::update::{least, most};
use crate::geometry::lanes::floats::{Floats, Row};

/// A direction, and how far apart two blocks are at least along it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    direction: [f32; 3],
    pub lower: f32,
}

/// The thickest slab found between two blocks; no other direction is tried once it is thicker than `limit`. `hint` is a
/// direction that was good nearby.
#[inline(always)]
pub(super) fn slab<L: Floats>(
    l: L,
    trees: [&Regions; 2],
    blocks: [&Block; 2],
    limit: f32,
    hint: [f32; 3],
) -> Slab {
    let (a, b) = (trees[0].chunks(blocks[0]), trees[1].chunks(blocks[1]));
    let across = sub(at(b, blocks[1].middle), at(a, blocks[0].middle));
    let mut best = Slab { direction: [1.0, 0.0, 0.0], lower: f32::NEG_INFINITY };
    for turn in 0..4 {
        let towards = match turn {
            0 => hint,
            1 => facing(a, blocks[0]),
            2 => facing(b, blocks[1]),
            _ => across,
        };
        let Some(direction) = unit(towards, across) else { continue };
        let lower = lowest(l, b, direction) - highest(l, a, direction);
        if lower > best.lower {
            best = Slab { direction, lower };
            if lower > limit {
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

/// Across the plane of three vertices far apart.
#[inline(always)]
fn facing(chunks: &[Chunk], block: &Block) -> [f32; 3] {
    let (p, q, r) = (at(chunks, block.plane[0]), at(chunks, block.plane[1]), at(chunks, block.plane[2]));
    let (u, v) = (sub(q, p), sub(r, p));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// `v` with length 1, turned so that it does not point against `across`. `None` when it is too short to tell.
#[inline(always)]
fn unit(v: [f32; 3], across: [f32; 3]) -> Option<[f32; 3]> {
    let length_sq = dot(v, v);
    let length = if dot(v, across) < 0.0 { -length_sq.sqrt() } else { length_sq.sqrt() };
    (length_sq > 1e-30).then(|| v.map(|x| x / length))
}

#[inline(always)]
fn heights<L: Floats>(l: L, chunk: &Chunk, v: [f32; 3]) -> L::F {
    let x = l.mul(l.load(&chunk[0]), l.splat(v[0]));
    let y = l.mul(l.load(&chunk[1]), l.splat(v[1]));
    l.add(l.add(x, y), l.mul(l.load(&chunk[2]), l.splat(v[2])))
}

#[inline(always)]
fn highest<L: Floats>(l: L, chunks: &[Chunk], v: [f32; 3]) -> f32 {
    let mut top = l.splat(f32::NEG_INFINITY);
    for chunk in chunks {
        top = l.max(top, heights(l, chunk, v));
    }
    most(l, top)
}

#[inline(always)]
fn lowest<L: Floats>(l: L, chunks: &[Chunk], v: [f32; 3]) -> f32 {
    let mut low = l.splat(f32::INFINITY);
    for chunk in chunks {
        low = l.min(low, heights(l, chunk, v));
    }
    least(l, low)
}

/// The closest vertices of two blocks, as slots: their distance is one that the blocks' does not exceed.
#[inline(always)]
pub(super) fn closest_vertices<L: Floats>(l: L, trees: [&Regions; 2], blocks: [&Block; 2]) -> [u8; 2] {
    let (a, b) = (trees[0].chunks(blocks[0]), trees[1].chunks(blocks[1]));
    let (mut best, mut slots) = (f32::INFINITY, [0, 0]);
    for i in 0..blocks[0].vertices {
        let p = at(a, i);
        let (x, y, z) = (l.splat(p[0]), l.splat(p[1]), l.splat(p[2]));
        for (c, chunk) in b.iter().enumerate() {
            let dx = l.sub(l.load(&chunk[0]), x);
            let dy = l.sub(l.load(&chunk[1]), y);
            let dz = l.sub(l.load(&chunk[2]), z);
            let sum = l.add(l.add(l.mul(dx, dx), l.mul(dy, dy)), l.mul(dz, dz));
            if l.gt(l.splat(best), sum) != 0 {
                let mut row = Row([0.0; 8]);
                l.store(sum, &mut row);
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
#[derive(Debug, Default)]
pub(super) struct Leaf {
    a: Vec<Triangle>,
    /// Eight triangles at a time: smallest corner, largest corner, height.
    b: Vec<[Row; 7]>,
    /// The places of the triangles in `b`.
    places: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Triangle {
    min: [f32; 3],
    max: [f32; 3],
    /// The height of the corner nearest to the other block.
    height: f32,
    place: u32,
}

impl Leaf {
    /// Every pair of triangles of two blocks that neither the slab nor the boxes put further apart than `limit`, as places
    /// in the two trees. `found` may lower the limit.
    #[inline(always)]
    pub fn pairs<L: Floats>(
        &mut self,
        l: L,
        trees: [&Regions; 2],
        blocks: [&Block; 2],
        slab: &Slab,
        mut limit: f32,
        mut found: impl FnMut(u32, u32, &mut f32),
    ) -> u64 {
        self.gather(l, trees, blocks, slab, limit);
        let mut tests = 0;
        for a in &self.a {
            tests += self.b.len() as u64;
            let (min, max, height) =
                (a.min.map(|x| l.splat(x)), a.max.map(|x| l.splat(x)), l.splat(a.height));
            for (c, rows) in self.b.iter().enumerate() {
                let mut boxes = l.splat(0.0);
                for k in 0..3 {
                    let below = l.sub(l.load(&rows[k]), max[k]);
                    let above = l.sub(min[k], l.load(&rows[3 + k]));
                    let gap = l.max(l.max(below, above), l.splat(0.0));
                    boxes = l.add(boxes, l.mul(gap, gap));
                }
                let along = l.sub(l.load(&rows[6]), height);
                let filled = (self.places.len() - 8 * c).min(8);
                let mut near = l.le(boxes, l.splat(limit * limit * UP))
                    & l.le(along, l.splat(limit))
                    & ((1 << filled) - 1);
                while near != 0 {
                    let i = near.trailing_zeros() as usize;
                    near &= near - 1;
                    found(a.place, self.places[8 * c + i], &mut limit);
                }
            }
        }
        8 * tests
    }

    /// Collects the triangles that are not certainly further than `limit` from the whole other block.
    #[inline(always)]
    fn gather<L: Floats>(
        &mut self,
        l: L,
        trees: [&Regions; 2],
        blocks: [&Block; 2],
        slab: &Slab,
        limit: f32,
    ) {
        let mut rows = [[Row([0.0; 8]); MAX_SLOTS / 8]; 2];
        let (a, b) = (trees[0].chunks(blocks[0]), trees[1].chunks(blocks[1]));
        let (mut top, mut bottom) = (l.splat(f32::NEG_INFINITY), l.splat(f32::INFINITY));
        for (chunk, row) in a.iter().zip(&mut rows[0]) {
            let h = heights(l, chunk, slab.direction);
            l.store(h, row);
            top = l.max(top, h);
        }
        for (chunk, row) in b.iter().zip(&mut rows[1]) {
            let h = heights(l, chunk, slab.direction);
            l.store(h, row);
            bottom = l.min(bottom, h);
        }
        let (top, bottom) = (most(l, top), least(l, bottom));
        self.a.clear();
        for (i, corners) in trees[0].corners(blocks[0]).iter().enumerate() {
            let [p, q, r] = of_corners(&rows[0], corners);
            let h = larger(larger(p, q), r);
            if bottom - h <= limit {
                self.a.push(Triangle::of(a, corners, h, blocks[0].first + i as u32));
            }
        }
        self.b.clear();
        self.places.clear();
        for (j, corners) in trees[1].corners(blocks[1]).iter().enumerate() {
            let [p, q, r] = of_corners(&rows[1], corners);
            let h = smaller(smaller(p, q), r);
            if h - top <= limit {
                let triangle = Triangle::of(b, corners, h, blocks[1].first + j as u32);
                let lane = self.places.len() % 8;
                if lane == 0 {
                    self.b.push([Row([0.0; 8]); 7]);
                }
                self.places.push(triangle.place);
                if let Some(rows) = self.b.last_mut() {
                    triangle.write(rows, lane);
                }
            }
        }
    }
}

/// What three slots hold.
#[inline(always)]
fn of_corners(rows: &[Row], &[p, q, r]: &[u8; 3]) -> [f32; 3] {
    let of = |slot: u8| rows[slot as usize / 8].0[slot as usize % 8];
    [of(p), of(q), of(r)]
}

impl Triangle {
    #[inline(always)]
    fn of(chunks: &[Chunk], corners: &[u8; 3], height: f32, place: u32) -> Self {
        let (p, q, r) = (at(chunks, corners[0]), at(chunks, corners[1]), at(chunks, corners[2]));
        Self {
            min: std::array::from_fn(|k| smaller(smaller(p[k], q[k]), r[k])),
            max: std::array::from_fn(|k| larger(larger(p[k], q[k]), r[k])),
            height,
            place,
        }
    }

    #[inline(always)]
    fn write(&self, rows: &mut [Row; 7], lane: usize) {
        for k in 0..3 {
            rows[k].0[lane] = self.min[k];
            rows[3 + k].0[lane] = self.max[k];
        }
        rows[6].0[lane] = self.height;
    }
}

/// One instruction, unlike `f32::min`; neither is NaN.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
