//! The vertices around one bundle of tets.

use super::bundles::{Bundle, TetLanes};
use crate::geometry::simd::{I32x8, Mask, Simd, WIDTH};

/// Vertices in the box of a bundle: x, y, z and number; and which of them are in the box of a tet.
#[derive(Debug, Clone, Default)]
pub(super) struct VertexBuffer {
    x: Vec<i32>,
    y: Vec<i32>,
    z: Vec<i32>,
    id: Vec<i32>,
    len: usize,
    /// Place of a vertex, and the tets that do not own it but have it in their box, one a bit.
    boxed: Vec<(u32, u32)>,
}

impl VertexBuffer {
    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn get(&self, n: usize) -> [i32; 4] {
        [self.x[n], self.y[n], self.z[n], self.id[n]]
    }

    /// Makes room for `more` vertices, and for what [`I32x8::compress`] writes beyond them.
    #[inline(always)]
    pub fn reserve(&mut self, more: usize) {
        if self.len + more + WIDTH > self.x.len() {
            self.grow(self.len + more + WIDTH);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) {
        for lane in [&mut self.x, &mut self.y, &mut self.z, &mut self.id] {
            lane.resize(len.next_power_of_two(), 0);
        }
        self.boxed.resize(len.next_power_of_two(), (0, 0));
    }

    /// Adds those of eight vertices that `mask` names. Room must have been made.
    #[inline(always)]
    pub fn push<S: Simd>(&mut self, p: [S::I32x8; 4], mask: u32) {
        let to = self.len..self.len + WIDTH;
        p[0].compress(mask, &mut self.x[to.clone()]);
        p[1].compress(mask, &mut self.y[to.clone()]);
        p[2].compress(mask, &mut self.z[to.clone()]);
        p[3].compress(mask, &mut self.id[to]);
        self.len += mask.count_ones() as usize;
    }

    /// Notes the vertices in the box of a tet that does not own them, and returns how many there are.
    #[inline(always)]
    pub fn keep_boxed<S: Simd>(&mut self, simd: S, tets: &TetLanes<S>, bundle: &Bundle) -> usize {
        let [c0, c1, c2, c3] = &bundle.corners;
        let (c0, c1, c2, c3) = (
            S::I32x8::load(simd, c0),
            S::I32x8::load(simd, c1),
            S::I32x8::load(simd, c2),
            S::I32x8::load(simd, c3),
        );
        let there = (1u32 << bundle.count) - 1;
        let (low, high) = (&tets.low, &tets.high);
        let n = self.len;
        let (xs, ys, zs, ids) = (&self.x[..n], &self.y[..n], &self.z[..n], &self.id[..n]);
        let boxed = &mut self.boxed[..];
        let mut count = 0;
        for at in 0..n {
            let x = S::I32x8::splat(simd, xs[at]).outside(low[0], high[0]);
            let y = S::I32x8::splat(simd, ys[at]).outside(low[1], high[1]);
            let z = S::I32x8::splat(simd, zs[at]).outside(low[2], high[2]);
            let id = S::I32x8::splat(simd, ids[at]);
            let own = c0.eq(id) | c1.eq(id) | c2.eq(id) | c3.eq(id);
            // Two masks: of seven comparisons in one the compiler makes bytes before it takes their signs, a tenth of a query.
            let inside = !((x | y | z).bitmask() | own.bitmask()) & there;
            // Branch-free append: always store, then advance `count` by 0 or 1. One vertex in eight is kept: the branch
            // would be unpredictable.
            boxed[count] = (at as u32, inside);
            count += usize::from(inside != 0);
        }
        count
    }

    /// What [`VertexBuffer::keep_boxed`] noted.
    #[inline(always)]
    pub fn boxed(&self, n: usize) -> (usize, u32) {
        let (at, inside) = self.boxed[n];
        (at as usize, inside)
    }
}
