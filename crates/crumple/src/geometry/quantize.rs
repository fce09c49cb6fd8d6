//! Positions as integers.
//!
//! A lattice takes a position to units, u = (p − origin) · scale, along each axis, and holds them within a range; [`nearest`]
//! rounds them to integers.
//!
//! # Order is kept
//! Rounding x to the nearest number of a set that does not depend on x is monotone. Subtracting a constant and multiplying by
//! a positive one are monotone in exact arithmetic, so with their rounding too; holding within a range and rounding to an
//! integer are monotone as well. So p ≤ q gives an integer of p that is not above that of q: a point in a box is in the
//! quantised box, boxes with a common point keep one, and no margin is needed anywhere.

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
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_the_library(x in -2e9..2e9f64, halves in -4_000_000_000i64..4_000_000_000) {
            for x in [x, halves as f64 / 2.0] {
                prop_assert_eq!(nearest(x), x.round_ties_even() as i64 as i32);
            }
        }
    }
}
