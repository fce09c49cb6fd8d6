//! The sorted table, read by rows: vertices of cells that follow each other along x are one range of arrays.

use std::ops::Range;

use super::lattice::Snapped;
use super::vertex_buffer::VertexBuffer;
use crate::counting_sort::CountingSort;
use crate::geometry::simd::{I32x8, Mask, Simd, WIDTH};
use crate::parallel;

/// Cells are this many powers of two shorter along x, where it costs nothing: a row is one range anyhow, and its ends
/// are cut closer. On tets-E a tet meets 10.4 vertices with quarters and 15.6 with cubes.
const THINNER_X: u32 = 2;

/// The vertices of a frame in the order of their cells, at one cell size.
///
/// The slot of cell (i, j, k) is a mix of j and k, plus i, modulo the size of the table. So a row of cells is a run of slots,
/// and, since slots are sorted, a run of vertices. Other rows may run through the same slots: a reader tests each vertex
/// against the box of its row, which excludes strangers and leaves no vertex that is met twice.
#[derive(Debug, Clone, Default)]
pub(super) struct RowTable {
    /// Edge length of a cell in y and z: 2^bits units.
    bits: u32,
    sort: CountingSort,
    /// Lattice coordinates in sorted order, with a full register of padding at the end.
    x: Vec<i32>,
    y: Vec<i32>,
    z: Vec<i32>,
    slots: Vec<u32>,
}

/// The part of a box that lies in one row of cells.
#[derive(Clone, Copy)]
pub(super) struct RowBox<I> {
    low: [I; 3],
    high: [I; 3],
}

impl RowTable {
    /// Sorts the vertices for which `used` holds into cells of 2^bits units, in a table of about `size` slots.
    pub fn fill(&mut self, snapped: &[Snapped], used: Option<&[bool]>, bits: u32, size: usize) {
        self.bits = bits;
        let size = size.next_power_of_two();
        let mask = size as u32 - 1;
        self.slots.resize(snapped.len(), 0);
        parallel::for_each_chunk(&mut self.slots, parallel::WORTH, |begin, slots| {
            for (to, p) in slots.iter_mut().zip(&snapped[begin..]) {
                *to = slot(p, bits, mask);
            }
            if let Some(used) = used {
                let unused = slots.iter_mut().zip(&used[begin..]).filter(|(_, used)| !**used);
                unused.for_each(|(to, _)| *to = u32::MAX);
            }
        });
        self.sort.fill(&self.slots, size);
        let items = self.sort.items();
        for lane in [&mut self.x, &mut self.y, &mut self.z] {
            lane.resize(items.len() + WIDTH, 0);
        }
        fill_lanes(snapped, items, &mut self.x, &mut self.y, &mut self.z);
    }

    /// Sorts a few vertices into cells of 2^bits units.
    pub fn fill_some(&mut self, snapped: &[Snapped], vertices: &[u32], bits: u32) {
        let some: Vec<Snapped> = vertices.iter().map(|&v| snapped[v as usize]).collect();
        self.fill(&some, None, bits, some.len());
        self.sort.rename(|n| vertices[n as usize]);
    }

    /// Takes note that so many vertices came before all with numbers from `first` on.
    pub fn make_room(&mut self, first: u32, count: u32) {
        self.sort.rename(|v| if v >= first { v + count } else { v });
    }

    /// The slot of a lattice point.
    #[inline(always)]
    pub fn slot(&self, p: &Snapped) -> u32 {
        slot(p, self.bits, self.sort.slots() as u32 - 1)
    }

    /// Every slot with every place in it.
    pub fn entries(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        (0..self.sort.slots()).flat_map(|s| self.sort.range(s..s + 1).map(move |at| (s as u32, at)))
    }

    /// The lattice point at a place.
    pub fn point(&self, at: usize) -> [i32; 3] {
        [self.x[at], self.y[at], self.z[at]]
    }

    /// Number of vertices in the table.
    pub fn len(&self) -> usize {
        self.sort.items().len()
    }

    /// The vertex at a place.
    #[inline(always)]
    pub fn vertex(&self, at: usize) -> u32 {
        self.sort.items()[at]
    }

    /// Collects the vertices in a box, each once; returns how many rows were read.
    #[inline(always)]
    pub fn gather<S: Simd>(&self, simd: S, low: &[i32; 3], high: &[i32; 3], near: &mut VertexBuffer) -> u64 {
        let bits = self.bits;
        let cells = |k: usize| ((high[k] >> bits) - (low[k] >> bits)) as u64 + 1;
        let rows = cells(1) * cells(2);
        let (first, last) = (low[0] >> (bits - THINNER_X), high[0] >> (bits - THINNER_X));
        let run = (last - first) as u32 + 1;
        let mask = self.sort.slots() as u32 - 1;
        // More rows than registers full of vertices: reading all is less. Always so when a row fills the table.
        if run > mask || (rows > 16 && rows * WIDTH as u64 > self.len() as u64) {
            let part = RowBox {
                low: [
                    S::I32x8::splat(simd, low[0]),
                    S::I32x8::splat(simd, low[1]),
                    S::I32x8::splat(simd, low[2]),
                ],
                high: [
                    S::I32x8::splat(simd, high[0]),
                    S::I32x8::splat(simd, high[1]),
                    S::I32x8::splat(simd, high[2]),
                ],
            };
            self.scan(simd, 0..self.len(), part, near);
            return 1;
        }
        let x = (S::I32x8::splat(simd, low[0]), S::I32x8::splat(simd, high[0]));
        for k in low[2] >> bits..=high[2] >> bits {
            let z = slab(simd, k, bits, low[2], high[2]);
            for j in low[1] >> bits..=high[1] >> bits {
                let y = slab(simd, j, bits, low[1], high[1]);
                let part = RowBox { low: [x.0, y.0, z.0], high: [x.1, y.1, z.1] };
                let from = row(j, k).wrapping_add(first as u32) & mask;
                let to = from + run;
                if to <= mask + 1 {
                    self.scan(simd, self.sort.range(from as usize..to as usize), part, near);
                } else {
                    // Around the end of the table.
                    self.scan(simd, self.sort.range(from as usize..mask as usize + 1), part, near);
                    self.scan(simd, self.sort.range(0..(to & mask) as usize), part, near);
                }
            }
        }
        rows
    }

    #[inline(always)]
    fn scan<S: Simd>(&self, simd: S, range: Range<usize>, part: RowBox<S::I32x8>, near: &mut VertexBuffer) {
        let ids: &[i32] = bytemuck::cast_slice(self.sort.padded());
        near.reserve(range.len());
        let mut at = range.start;
        while at < range.end {
            // With both ends there is one check to a load, not two: a tenth of the instructions of a query.
            let load = |from: &[i32]| S::I32x8::load(simd, &from[at..at + WIDTH]);
            let (x, y, z) = (load(&self.x), load(&self.y), load(&self.z));
            let out_x = x.outside(part.low[0], part.high[0]);
            let out_y = y.outside(part.low[1], part.high[1]);
            let out_z = z.outside(part.low[2], part.high[2]);
            let here = (range.end - at).min(WIDTH);
            let inside = !(out_x | out_y | out_z).bitmask() & ((1 << here) - 1);
            near.push::<S>([x, y, z, load(ids)], inside);
            at += WIDTH;
        }
    }
}

/// The slot of a lattice point in a table of mask + 1 slots.
#[inline(always)]
fn slot(p: &Snapped, bits: u32, mask: u32) -> u32 {
    row(p[1] >> bits, p[2] >> bits).wrapping_add((p[0] >> (bits - THINNER_X)) as u32) & mask
}

/// Where row (j, k) begins, before the remainder.
#[inline(always)]
pub(super) fn row(j: i32, k: i32) -> u32 {
    let h = (j as u32).wrapping_mul(0x9E37_79B1) ^ (k as u32).wrapping_mul(0x85EB_CA77).rotate_left(16);
    (h ^ h >> 15).wrapping_mul(0x2C1B_3C6D).rotate_left(13)
}

/// Coordinates of some items in their order.
fn fill_lanes(snapped: &[Snapped], items: &[u32], x: &mut [i32], y: &mut [i32], z: &mut [i32]) {
    if parallel::is_worth(items.len(), 2 * parallel::WORTH) {
        let middle = items.len() / 2;
        let (a, b) = items.split_at(middle);
        let ((xa, xb), (ya, yb), (za, zb)) =
            (x.split_at_mut(middle), y.split_at_mut(middle), z.split_at_mut(middle));
        parallel::join(|| fill_lanes(snapped, a, xa, ya, za), || fill_lanes(snapped, b, xb, yb, zb));
        return;
    }
    for (((&v, x), y), z) in items.iter().zip(x).zip(y).zip(z) {
        [*x, *y, *z, _] = snapped[v as usize];
    }
}

/// The interval of a box within the cells of number `cell`.
#[inline(always)]
fn slab<S: Simd>(simd: S, cell: i32, bits: u32, low: i32, high: i32) -> (S::I32x8, S::I32x8) {
    let from = cell << bits;
    let to = from | ((1 << bits) - 1);
    (S::I32x8::splat(simd, from.max(low)), S::I32x8::splat(simd, to.min(high)))
}
