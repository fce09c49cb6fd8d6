//! The vertices around one bundle of tets.

use super::bundles::Bundle;
use super::filter::TetLanes;
use crate::geometry::lanes::{Lanes, WIDTH};

/// Vertices in the box of a bundle: x, y, z and number; and which of them are in the box of a tet.
#[derive(Debug, Clone, Default)]
pub(super) struct Near {
    x: Vec<i32>,
    y: Vec<i32>,
    z: Vec<i32>,
    id: Vec<i32>,
    len: usize,
    /// Place of a vertex, and the tets that do not own it but have it in their box, one a bit.
    boxed: Vec<(u32, u32)>,
}

impl Near {
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

    /// Makes room for `more` vertices, and for what [`Lanes::compress`] writes beyond them.
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
    pub fn push<L: Lanes>(&mut self, lanes: L, p: [L::Ints; 4], mask: u32) {
        lanes.compress(p[0], mask, &mut self.x, self.len);
        lanes.compress(p[1], mask, &mut self.y, self.len);
        lanes.compress(p[2], mask, &mut self.z, self.len);
        lanes.compress(p[3], mask, &mut self.id, self.len);
        self.len += mask.count_ones() as usize;
    }

    /// Notes the vertices in the box of a tet that does not own them, and returns how many there are.
    #[inline(always)]
    pub fn keep_boxed<L: Lanes>(&mut self, lanes: L, tets: &TetLanes<L>, bundle: &Bundle) -> usize {
        let [c0, c1, c2, c3] = &bundle.corners;
        let (c0, c1, c2, c3) = (lanes.load(c0, 0), lanes.load(c1, 0), lanes.load(c2, 0), lanes.load(c3, 0));
        let there = (1u32 << bundle.count) - 1;
        let (low, high) = (&tets.low, &tets.high);
        let n = self.len;
        let (xs, ys, zs, ids) = (&self.x[..n], &self.y[..n], &self.z[..n], &self.id[..n]);
        let boxed = &mut self.boxed[..];
        let mut count = 0;
        for at in 0..n {
            let x = lanes.outside(lanes.splat(xs[at]), low[0], high[0]);
            let y = lanes.outside(lanes.splat(ys[at]), low[1], high[1]);
            let z = lanes.outside(lanes.splat(zs[at]), low[2], high[2]);
            let id = lanes.splat(ids[at]);
            let own = lanes.or(
                lanes.or(lanes.equal(c0, id), lanes.equal(c1, id)),
                lanes.or(lanes.equal(c2, id), lanes.equal(c3, id)),
            );
            let inside = lanes.zeros(lanes.or(lanes.or(x, own), lanes.or(y, z))) & there;
            // Always written, and kept by counting: one vertex in eight is kept, which no branch foresees.
            boxed[count] = (at as u32, inside);
            count += usize::from(inside != 0);
        }
        count
    }

    /// What [`Near::keep_boxed`] noted.
    #[inline(always)]
    pub fn boxed(&self, n: usize) -> (usize, u32) {
        let (at, inside) = self.boxed[n];
        (at as usize, inside)
    }
}
