//! A list of pairs that grows eight at a time.

use super::WIDTH;
use crate::geometry::simd::{I32x8, Ids, Simd};

/// Pairs of numbers. What lies beyond its length is scratch, so that eight can be written without asking how many count.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Queue {
    x: Vec<u32>,
    y: Vec<u32>,
    len: usize,
}

impl Queue {
    /// Number of pairs.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Drops all pairs from `len` on.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// The pair at a place.
    #[inline(always)]
    pub fn get(&self, at: usize) -> (u32, u32) {
        (self.x[at], self.y[at])
    }

    /// Takes the last pair.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<(u32, u32)> {
        self.len = self.len.checked_sub(1)?;
        Some(self.get(self.len))
    }

    /// Appends one pair.
    #[inline(always)]
    pub fn push(&mut self, x: u32, y: u32) {
        self.make_room();
        (self.x[self.len], self.y[self.len]) = (x, y);
        self.len += 1;
    }

    /// Appends (x, y) for those of eight numbers y that `mask` names.
    #[inline(always)]
    pub fn push_right<S: Simd>(&mut self, simd: S, x: u32, ys: &Ids, mask: u32) {
        self.make_room();
        let (to_x, to_y) = self.front();
        *to_x = [x; WIDTH];
        S::I32x8::load_ids(simd, ys).compress(mask, bytemuck::cast_slice_mut(to_y));
        self.len += mask.count_ones() as usize;
    }

    /// Appends (x, y) for those of eight numbers x that `mask` names.
    #[inline(always)]
    pub fn push_left<S: Simd>(&mut self, simd: S, xs: &Ids, y: u32, mask: u32) {
        self.make_room();
        let (to_x, to_y) = self.front();
        S::I32x8::load_ids(simd, xs).compress(mask, bytemuck::cast_slice_mut(to_x));
        *to_y = [y; WIDTH];
        self.len += mask.count_ones() as usize;
    }

    /// Appends (x, x) for those of eight numbers that `mask` names.
    #[inline(always)]
    pub fn push_twice<S: Simd>(&mut self, simd: S, xs: &Ids, mask: u32) {
        self.make_room();
        let (to_x, to_y) = self.front();
        S::I32x8::load_ids(simd, xs).compress(mask, bytemuck::cast_slice_mut(to_x));
        *to_y = *to_x;
        self.len += mask.count_ones() as usize;
    }

    /// Moves all pairs from `at` on to a new list.
    pub fn split_off(&mut self, at: usize) -> Self {
        let mut rest = Self::default();
        (at..self.len).for_each(|i| rest.push(self.x[i], self.y[i]));
        self.len = at;
        rest
    }

    /// Drops the first pairs.
    pub fn drop_front(&mut self, count: usize) {
        self.x.copy_within(count..self.len, 0);
        self.y.copy_within(count..self.len, 0);
        self.len -= count;
    }

    /// Eight places after the last pair.
    #[inline(always)]
    fn front(&mut self) -> (&mut [u32; WIDTH], &mut [u32; WIDTH]) {
        let eight = self.len..self.len + WIDTH;
        let (x, y) = (&mut self.x[eight.clone()], &mut self.y[eight]);
        (x.try_into().expect("eight"), y.try_into().expect("eight"))
    }

    #[inline(always)]
    fn make_room(&mut self) {
        if self.x.len() < self.len + WIDTH {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let len = 2 * self.x.len() + 16 * WIDTH;
        self.x.resize(len, 0);
        self.y.resize(len, 0);
    }
}
