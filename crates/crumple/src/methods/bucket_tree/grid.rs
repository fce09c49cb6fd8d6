//! The grid: which slab of each axis a point is in (equation 1 of the paper).

use crate::geometry::Aabb32;

/// Cells of equal size along each axis; a cell is a bucket at the finest depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    pub low: [f32; 3],
    pub high: [f32; 3],
    /// Cells per unit of length, 0 on an axis without extent, which then is one slab (B-A12).
    inverse: [f32; 3],
    /// The grid has 2^bits slabs per axis (l in the paper).
    pub bits: u32,
}

/// What the cells look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Edges of one length.
    Cubes,
    /// The box divided evenly along each axis, as in the paper.
    #[cfg(feature = "published")]
    Stretched,
}

/// The most slabs per axis: three indices of 10 bits make a code of 30.
pub(super) const MAX_BITS: u32 = 10;

impl Grid {
    /// A grid over a box of points, larger by `slack` times its size on each side.
    pub fn over(points: &Aabb32, bits: u32, shape: Shape, slack: f32) -> Self {
        if points.is_empty() {
            return Self { low: [0.0; 3], high: [0.0; 3], inverse: [0.0; 3], bits };
        }
        let mut size: [f32; 3] = std::array::from_fn(|k| points.max[k] - points.min[k]);
        if shape == Shape::Cubes {
            size = [size.into_iter().fold(0.0, f32::max); 3];
        }
        let low = std::array::from_fn(|k| points.min[k] - slack * size[k]);
        let high = std::array::from_fn(|k| points.min[k] + (1.0 + slack) * size[k]);
        let inverse = std::array::from_fn(|k| {
            let per_unit = (1u32 << bits) as f32 / (high[k] - low[k]);
            if per_unit.is_finite() { per_unit } else { 0.0 }
        });
        Self { low, high, inverse, bits }
    }

    /// Whether no axis is divided.
    pub fn is_one_cell(&self) -> bool {
        self.inverse == [0.0; 3]
    }

    /// Whether the points are inside and not much fewer slabs would do: otherwise the grid is due for renewal (B-A11).
    pub fn suits(&self, points: &Aabb32, shape: Shape) -> bool {
        let inside = (0..3).all(|k| self.low[k] <= points.min[k] && points.max[k] <= self.high[k]);
        let filled = |k: usize| points.max[k] - points.min[k] >= 0.5 * (self.high[k] - self.low[k]);
        inside
            && match shape {
                Shape::Cubes => (0..3).any(filled),
                #[cfg(feature = "published")]
                Shape::Stretched => (0..3).all(filled),
            }
    }

    /// The slab of a coordinate: monotone, and clamped so that no point is without one (B-A6).
    #[inline(always)]
    pub fn slab(&self, axis: usize, x: f32) -> u32 {
        let at = (x - self.low[axis]) * self.inverse[axis];
        let last = ((1u32 << self.bits) - 1) as f32;
        // Written so that NaN, the product of infinity and 0, falls to 0.
        let at = if at > 0.0 { at } else { 0.0 };
        (if at < last { at } else { last }) as u32
    }

    /// The Morton code of a point: the bits of its three slabs, interleaved, so that each three of them name an octant.
    #[inline(always)]
    pub fn code(&self, point: [f32; 3]) -> u32 {
        morton([self.slab(0, point[0]), self.slab(1, point[1]), self.slab(2, point[2])])
    }
}

/// `SPREAD[i]` has bit j of i at place 3j.
static SPREAD: [u32; 1 << MAX_BITS] = {
    let mut table = [0; 1 << MAX_BITS];
    let mut i = 0;
    while i < table.len() {
        let mut j = 0;
        while j < MAX_BITS {
            table[i] |= (i as u32 >> j & 1) << (3 * j);
            j += 1;
        }
        i += 1;
    }
    table
};

/// The Morton code of three slabs; x is the lowest bit of each three.
#[inline(always)]
pub(super) fn morton(slabs: [u32; 3]) -> u32 {
    let spread = |k: usize| SPREAD[slabs[k] as usize & ((1 << MAX_BITS) - 1)] << k;
    spread(0) | spread(1) | spread(2)
}
