//! What can be done with vectors: operators, and functions where Rust has no operator.
//!
//! Every operation rounds once, as IEEE 754 says, and none is fused, so that all back ends give the same bits.
//! `min` and `max` return the second operand when either is NaN; comparisons with NaN are false.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::{Ids, Quad, Row, Simd, WIDTH};
use crate::geometry::Map;

/// Yes or no for each lane.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Bit i is lane i.
    fn bitmask(self) -> u32;

    /// Whether some lane is set.
    #[inline(always)]
    fn any(self) -> bool {
        self.bitmask() != 0
    }
}

/// Eight integers. `+` and `-` wrap; `>>` keeps the sign; shifts are by less than 32 bits; `x & mask` is 0 where the mask
/// is not set.
pub trait I32x8<S: Simd>:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitOr<Output = Self>
    + BitAnd<S::Mask8, Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The same number eight times.
    fn splat(simd: S, x: i32) -> Self;

    /// The first eight of `from`.
    fn load(simd: S, from: &[i32]) -> Self;

    /// Indices, as integers of the same bits.
    fn load_ids(simd: S, ids: &Ids) -> Self;

    /// Components 0, 1 and 2 of the eight points with these indices. Panics if one of them is not there.
    fn gather(simd: S, points: &[[i32; 4]], indices: &[i32; WIDTH]) -> [Self; 3];

    /// Writes the lanes that `mask` names to the front of `to`, in order, and anything to the rest of its first eight.
    fn compress(self, mask: u32, to: &mut [i32]);

    /// The smaller, lane by lane.
    fn min(self, other: Self) -> Self;

    /// The larger, lane by lane.
    fn max(self, other: Self) -> Self;

    /// The smallest lane.
    fn reduce_min(self) -> i32;

    /// The largest lane.
    fn reduce_max(self) -> i32;

    /// self = other.
    fn eq(self, other: Self) -> S::Mask8;

    /// self > other.
    fn gt(self, other: Self) -> S::Mask8;

    /// self < other.
    #[inline(always)]
    fn lt(self, other: Self) -> S::Mask8 {
        other.gt(self)
    }

    /// self < low or self > high.
    #[inline(always)]
    fn outside(self, low: Self, high: Self) -> S::Mask8 {
        self.lt(low) | self.gt(high)
    }

    /// Rounded to the nearest `f32`.
    fn to_f32(self) -> S::F32x8;
}

/// Eight `f32`.
pub trait F32x8<S: Simd>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The same number eight times.
    fn splat(simd: S, x: f32) -> Self;

    /// From memory.
    fn load(simd: S, row: &Row) -> Self;

    /// To memory.
    fn store(self, row: &mut Row);

    /// As an array.
    #[inline(always)]
    fn to_array(self) -> [f32; WIDTH] {
        let mut row = Row([0.0; WIDTH]);
        self.store(&mut row);
        row.0
    }

    /// Lane i becomes what lane (i + by) mod 8 is.
    fn rotate(self, by: usize) -> Self;

    /// The smaller, lane by lane.
    fn min(self, other: Self) -> Self;

    /// The larger, lane by lane.
    fn max(self, other: Self) -> Self;

    /// The smallest lane. None is NaN.
    fn reduce_min(self) -> f32;

    /// The largest lane. None is NaN.
    fn reduce_max(self) -> f32;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Without the sign.
    fn abs(self) -> Self;

    /// self ≤ other.
    fn le(self, other: Self) -> S::Mask8;

    /// self > other.
    fn gt(self, other: Self) -> S::Mask8;

    /// self ≥ other.
    #[inline(always)]
    fn ge(self, other: Self) -> S::Mask8 {
        other.le(self)
    }

    /// self < other.
    #[inline(always)]
    fn lt(self, other: Self) -> S::Mask8 {
        other.gt(self)
    }

    /// `yes` where the mask is set, otherwise `no`.
    fn select(mask: S::Mask8, yes: Self, no: Self) -> Self;
}

/// One point: x, y, z, and a fourth number that is not used.
pub trait F32x4<S: Simd>: Copy {
    /// From memory.
    fn load(simd: S, p: &[f32; 4]) -> Self;

    /// The image of a position under a map.
    fn map(simd: S, p: &[f64; 3], map: &Map) -> Self;

    /// To memory.
    fn store(self, to: &mut [f32; 4]);

    /// The smaller, coordinate by coordinate.
    fn min(self, other: Self) -> Self;

    /// The larger, coordinate by coordinate.
    fn max(self, other: Self) -> Self;

    /// Coordinates x, y, z of eight points.
    fn transpose(points: [Self; WIDTH]) -> [S::F32x8; 3];
}

/// Four `f64`.
pub trait F64x4<S: Simd>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The same number four times.
    fn splat(simd: S, x: f64) -> Self;

    /// From an array.
    fn from_array(simd: S, x: [f64; 4]) -> Self;

    /// From memory.
    fn load(simd: S, quad: &Quad) -> Self;

    /// A position, and zero.
    fn load3(simd: S, p: &[f64; 3]) -> Self;

    /// To memory.
    fn store_quad(self, quad: &mut Quad);

    /// Each number rounded to the nearest `f32`.
    fn to_f32(self) -> S::F32x4;

    /// Lane j of the i-th becomes lane i of the j-th.
    fn transpose4(rows: [Self; 4]) -> [Self; 4];

    /// The first four of `from`.
    fn from_i32(simd: S, from: &[i32]) -> Self;

    /// Components 0, 1 and 2 of four points.
    fn transpose(simd: S, points: [&[i32; 4]; 4]) -> [Self; 3];

    /// Writes the lanes to the first four of `to`.
    fn store(self, to: &mut [f64]);

    /// Writes the lanes that `mask` names to the front of `to`, in order, and anything to the rest of its first four.
    fn compress(self, mask: u32, to: &mut [f64]);

    /// The same for the low 32 bits of the lanes.
    fn compress_low(self, mask: u32, to: &mut [u32]);

    /// The smaller, lane by lane.
    fn min(self, other: Self) -> Self;

    /// The larger, lane by lane.
    fn max(self, other: Self) -> Self;

    /// Without the sign.
    fn abs(self) -> Self;

    /// Held within two numbers.
    #[inline(always)]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// Square root.
    fn sqrt(self) -> Self;

    /// self > other.
    fn gt(self, other: Self) -> S::Mask4;

    /// `yes` where the mask is set, otherwise `no`.
    fn select(mask: S::Mask4, yes: Self, no: Self) -> Self;
}
