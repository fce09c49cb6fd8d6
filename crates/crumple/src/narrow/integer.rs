//! Signed integers of any width, for measures that `f64` cannot tell apart.
//!
//! Sign and magnitude, schoolbook products. Coordinates of one scale take one or two limbs and a squared distance some ten, which
//! are kept in place; what is wider goes to the heap. Only ties come here.

use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// A magnitude, lowest limb first.
type Limbs = SmallVec<[u64; 8]>;

/// An integer. The highest limb is not 0, and 0 is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Int {
    limbs: Limbs,
    negative: bool,
}

impl Int {
    pub fn new(mut limbs: Limbs, negative: bool) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        let negative = negative && !limbs.is_empty();
        Int { limbs, negative }
    }

    pub fn zero() -> Self {
        Int { limbs: Limbs::new(), negative: false }
    }

    pub fn from_i128(x: i128) -> Self {
        let m = x.unsigned_abs();
        Int::new(smallvec![m as u64, (m >> 64) as u64], x < 0)
    }

    /// `x · 2^-exponent`, which must be an integer.
    pub fn scaled(x: f64, exponent: i32) -> Self {
        let (mantissa, own) = parts(x);
        if mantissa == 0 {
            return Int::zero();
        }
        debug_assert!(own >= exponent);
        let bits = (own - exponent) as u32;
        let wide = u128::from(mantissa) << (bits % 64);
        let mut limbs: Limbs = smallvec![0; bits as usize / 64];
        limbs.extend_from_slice(&[wide as u64, (wide >> 64) as u64]);
        Int::new(limbs, x < 0.0)
    }

    /// Times 2^bits.
    pub fn shifted(&self, bits: u32) -> Self {
        let (whole, rest) = (bits as usize / 64, bits % 64);
        let mut limbs: Limbs = smallvec![0; whole];
        let mut carry = 0u64;
        for &limb in &self.limbs {
            let wide = u128::from(limb) << rest;
            limbs.push(wide as u64 | carry);
            carry = (wide >> 64) as u64;
        }
        limbs.push(carry);
        Int::new(limbs, self.negative)
    }

    pub fn plus(&self, other: &Int) -> Self {
        self.sum(other, other.negative)
    }

    pub fn minus(&self, other: &Int) -> Self {
        self.sum(other, !other.negative)
    }

    /// The sum with the magnitude of another under this sign.
    fn sum(&self, other: &Int, negative: bool) -> Self {
        if self.negative == negative {
            return Int::new(add(&self.limbs, &other.limbs), negative);
        }
        match compare(&self.limbs, &other.limbs) {
            Ordering::Less => Int::new(subtract(&other.limbs, &self.limbs), negative),
            _ => Int::new(subtract(&self.limbs, &other.limbs), self.negative),
        }
    }

    pub fn times(&self, other: &Int) -> Self {
        let mut out: Limbs = smallvec![0; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.limbs.iter().enumerate() {
                carry += u128::from(a) * u128::from(b) + u128::from(out[i + j]);
                out[i + j] = carry as u64;
                carry >>= 64;
            }
            out[i + other.limbs.len()] = carry as u64;
        }
        Int::new(out, self.negative != other.negative)
    }

    pub fn negated(&self) -> Self {
        Int::new(self.limbs.clone(), !self.negative)
    }

    /// The limbs of the magnitude, lowest first.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The smallest b such that the magnitude is below 2^b.
    pub fn bits(&self) -> u32 {
        self.limbs.last().map_or(0, |top| 64 * self.limbs.len() as u32 - top.leading_zeros())
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i8 {
        if self.negative { -1 } else { i8::from(!self.limbs.is_empty()) }
    }

    /// A float and a power of two whose product is this to 2^-52 of itself.
    pub fn rounded(&self) -> (f64, i32) {
        let n = self.limbs.len();
        let limb = |i: usize| if i < n { self.limbs[n - 1 - i] } else { 0 };
        let top = (u128::from(limb(0)) << 64 | u128::from(limb(1))) as f64;
        (if self.negative { -top } else { top }, 64 * (n as i32 - 2))
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => compare(&self.limbs, &other.limbs),
            (true, true) => compare(&other.limbs, &self.limbs),
        }
    }
}

/// An odd integer (or 0) and an exponent: the magnitude of a finite number is their product `m · 2^e`.
pub(super) fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn add(a: &[u64], b: &[u64]) -> Limbs {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut out = Limbs::with_capacity(long.len() + 1);
    let mut carry = 0u128;
    for (i, &limb) in long.iter().enumerate() {
        carry += u128::from(limb) + u128::from(short.get(i).copied().unwrap_or(0));
        out.push(carry as u64);
        carry >>= 64;
    }
    out.push(carry as u64);
    out
}

/// `a − b`, where a is not below b.
fn subtract(a: &[u64], b: &[u64]) -> Limbs {
    let mut out = Limbs::from_slice(a);
    let mut borrow = false;
    for (i, limb) in out.iter_mut().enumerate() {
        let (once, b0) = limb.overflowing_sub(b.get(i).copied().unwrap_or(0));
        let (twice, b1) = once.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (twice, b0 | b1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn arithmetic_equals_that_of_another_library() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state
        };
        let big = |x: &Int| {
            let digits: Vec<u32> = x.limbs.iter().flat_map(|l| [*l as u32, (*l >> 32) as u32]).collect();
            let sign = if x.negative { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus };
            BigInt::from_slice(sign, &digits)
        };
        for round in 0..2000 {
            let mut number = || {
                let limbs =
                    (0..next() % 4).map(|_| if next() % 3 == 0 { u64::MAX } else { next() }).collect();
                Int::new(limbs, next() % 2 == 0)
            };
            let (a, b) = (number(), number());
            let (p, q) = (big(&a), big(&b));
            assert_eq!(big(&a.plus(&b)), &p + &q, "{round}");
            assert_eq!(big(&a.minus(&b)), &p - &q, "{round}");
            assert_eq!(big(&a.times(&b)), &p * &q, "{round}");
            assert_eq!(a.cmp(&b), p.cmp(&q), "{round}");
            assert_eq!(big(&a.shifted(round % 200)), p << (round % 200), "{round}");
        }
    }

    #[test]
    fn floats_become_integers_and_back() {
        for x in [0.0, 1.0, -3.5, 5e-324, f64::MAX, 1e-310, -0.1] {
            let (m, e) = Int::scaled(x, -1074).rounded();
            // In three steps, of which only the last one rounds.
            let (total, third) = (e - 1074, (e - 1074) / 3);
            let back = m * 2f64.powi(third) * 2f64.powi(third) * 2f64.powi(total - 2 * third);
            assert_eq!(back, x, "{m} {e}");
        }
    }
}
