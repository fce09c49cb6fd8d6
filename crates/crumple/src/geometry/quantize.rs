//! Positions as integers.
//!
//! [`Quantizer`] takes a position to units, u = (p − origin) · scale, along each axis; [`hold`] draws that into a range, and
//! [`nearest`] rounds it to an integer.
//!
//! # Order is kept
//! Rounding x to the nearest number of a set that does not depend on x is monotone. Subtracting a constant and multiplying by
//! a positive one are monotone in exact arithmetic, so with their rounding too; holding within a range and rounding to an
//! integer are monotone as well. So p ≤ q gives an integer of p that is not above that of q: a point in a box is in the
//! quantised box, boxes with a common point keep one, and no margin is needed anywhere.

use super::Point;
use super::vector::{max, min};

/// 1.5 · 2^52. The numbers from 2^52 to 2^53 are the integers, so a sum in that range has been rounded to one, ties to even,
/// and its lowest bits are that integer's: with |x| ≤ 2^51 the sum x + ROUND lies in [2^52, 2^53], and its lowest 51
/// bits are those of the nearest integer in two's complement, as 1.5 · 2^52 itself has zeros there.
pub(crate) const ROUND: f64 = 6_755_399_441_055_744.0;

/// The largest magnitude that [`nearest`] rounds: 2^51.
pub(crate) const MAX_UNITS: f64 = (1u64 << 51) as f64;

/// The lowest 32 bits of the integer nearest to `x`, ties to even; |x| ≤ [`MAX_UNITS`]. It is that integer where it fits an
/// `i32`. An addition instead of a conversion, which takes three times as many instructions.
#[inline(always)]
pub(crate) fn nearest(x: f64) -> i32 {
    debug_assert!(x.abs() <= MAX_UNITS);
    (x + ROUND).to_bits() as i32
}

/// `x` held between two numbers, none of them NaN: two instructions, unlike `f64::clamp`.
#[inline(always)]
pub(crate) fn hold(x: f64, low: f64, high: f64) -> f64 {
    max(min(x, high), low)
}

/// An affine map from positions to units, along each axis by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quantizer {
    /// Goes to zero.
    pub origin: Point,
    /// Units per unit of length along each axis, above 0.
    pub scale: Point,
}

impl Quantizer {
    /// Takes a box with volume to `units` along each axis; `None` where numbers cannot express the scale or its reciprocal.
    pub fn fitting(low: Point, high: Point, units: Point) -> Option<Self> {
        let scale: Point = std::array::from_fn(|k| units[k] / (high[k] - low[k]));
        let is_sound = scale.iter().all(|s| *s > 0.0 && s.is_normal() && s.recip().is_normal());
        is_sound.then_some(Self { origin: low, scale })
    }

    /// Units along one axis.
    #[inline(always)]
    pub fn units_along(&self, x: f64, axis: usize) -> f64 {
        (x - self.origin[axis]) * self.scale[axis]
    }

    /// Units of a position.
    #[inline(always)]
    pub fn units(&self, p: &Point) -> Point {
        [self.units_along(p[0], 0), self.units_along(p[1], 1), self.units_along(p[2], 2)]
    }

    /// The nearest integers, held within ±`limit`, which is an integer and at most [`MAX_UNITS`]; their lowest 32 bits.
    #[inline(always)]
    pub fn snap(&self, p: &Point, limit: f64) -> [i32; 3] {
        let [x, y, z] = self.units(p);
        [nearest(hold(x, -limit, limit)), nearest(hold(y, -limit, limit)), nearest(hold(z, -limit, limit))]
    }

    /// Length of a unit along each axis.
    pub fn unit(&self) -> Point {
        self.scale.map(f64::recip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounds_to_nearest_and_ties_to_even() {
        for (x, n) in
            [(0.0, 0), (-0.0, 0), (0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (2.4999999999999996, 2)]
        {
            assert_eq!(nearest(x), n, "{x}");
        }
        assert_eq!(nearest(f64::from(i32::MAX)), i32::MAX);
        assert_eq!(nearest(f64::from(i32::MIN)), i32::MIN);
        assert_eq!(nearest(f64::from(i32::MAX) + 1.0), i32::MIN, "beyond, the lowest bits");
        assert_eq!((nearest(MAX_UNITS), nearest(-MAX_UNITS), nearest(MAX_UNITS - 1.0)), (0, 0, -1));
        assert_eq!(ROUND, 1.5 * 2f64.powi(52));
        assert_eq!([-9.0, 0.5, 9.0].map(|x| hold(x, -1.0, 2.0)), [-1.0, 0.5, 2.0]);
    }

    #[test]
    fn a_box_is_as_many_units_wide_as_asked() {
        let q = Quantizer::fitting([-1.0, 0.0, 5.0], [1.0, 4.0, 5.5], [256.0, 4.0, 8.0]).expect("sound");
        assert_eq!((q.snap(&[1.0, 4.0, 5.5], 1e9), q.snap(&[-1.0, 0.0, 5.0], 1e9)), ([256, 4, 8], [0; 3]));
        assert_eq!((q.snap(&[1e50, -1e50, 5.5], 7.0), q.unit()), ([7, -7, 7], [2.0 / 256.0, 1.0, 0.0625]));
        for high in [[-1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, f64::INFINITY, 1.0], [1e-320, 1.0, 1.0]] {
            assert_eq!(Quantizer::fitting([0.0; 3], high, [1.0; 3]), None, "{high:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_the_library(x in -2e9..2e9f64, halves in -4_000_000_000i64..4_000_000_000) {
            for x in [x, halves as f64 / 2.0] {
                prop_assert_eq!(nearest(x), x.round_ties_even() as i64 as i32);
            }
        }

        #[test]
        fn order_is_kept(
            a in -1e3..1e3f64, b in -1e3..1e3f64, step in 0u32..4, origin in -1e3..1e3f64, scale in 1e-3..1e7f64,
        ) {
            // Far apart, and neighbours among the numbers.
            let close = (0..step).fold(a, |x, _| x.next_up());
            let q = Quantizer { origin: [origin; 3], scale: [scale; 3] };
            for (low, high) in [(a.min(b), a.max(b)), (a, close)] {
                for limit in [100.0, 1_073_741_824.0] {
                    prop_assert!(q.snap(&[low; 3], limit)[1] <= q.snap(&[high; 3], limit)[1]);
                }
            }
        }
    }
}
