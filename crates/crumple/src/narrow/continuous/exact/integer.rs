//! What the exact stage asks of an integer, whatever its width.

use std::cmp::Ordering;

/// An integer type is too narrow for what comes next; a wider one must do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A signed integer.
pub(super) trait Integer: Clone {
    /// The number k of a dyadic number k / 2^s.
    type Numerator: Clone;

    /// Holds what [`super::common`] computes.
    type Wider: Integer<Numerator = Self::Numerator>;

    /// Whether a number with denominator 2^depth can be held.
    fn depth(depth: u32) -> Result<(), Full>;

    fn numerator(k: u64) -> Self::Numerator;

    /// `2k`, or `2k + 1`.
    fn half(k: &Self::Numerator, right: bool) -> Self::Numerator;

    fn times_numerator(&self, k: &Self::Numerator) -> Self;

    /// The same number; the caller has seen that there is room.
    fn widened(&self) -> Self::Wider;

    /// The same number, if there is room.
    fn narrowed(wider: &Self::Wider) -> Result<Self, Full>;

    fn from_i128(x: i128) -> Self;

    /// Whether numbers of magnitude below 2^bits can be held.
    fn room(bits: u32) -> Result<(), Full>;

    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn times_u64(&self, small: u64) -> Self;

    /// `self · 2^by`.
    fn shifted(&self, by: u32) -> Self;

    /// −1, 0 or 1.
    fn sign(&self) -> i8;

    /// The smallest b such that the magnitude is below 2^b.
    fn bits(&self) -> u32;

    /// About `self · 2^-drop`; to guess with, never to decide.
    fn approximate(&self, drop: u32) -> f64;

    fn compare(&self, other: &Self) -> Ordering;

    fn negative(&self) -> Self {
        Self::from_i128(0).minus(self)
    }

    fn doubled(&self) -> Self {
        self.plus(self)
    }

    fn is_zero(&self) -> bool {
        self.sign() == 0
    }
}

/// The largest number of bits.
pub(super) fn bits<I: Integer>(of: &[I]) -> u32 {
    of.iter().map(I::bits).max().unwrap_or(0)
}

/// A magnitude in limbs, lowest first, times 2^-drop.
pub(super) fn approximate(limbs: &[u64], negative: bool, drop: u32) -> f64 {
    let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else { return 0.0 };
    let below = if top > 0 { limbs[top - 1] as f64 } else { 0.0 };
    let mantissa = limbs[top] as f64 + below * 2f64.powi(-64);
    let exponent = (64 * top as i64 - i64::from(drop)).clamp(-1100, 900) as i32;
    let x = mantissa * 2f64.powi(exponent);
    if negative { -x } else { x }
}
