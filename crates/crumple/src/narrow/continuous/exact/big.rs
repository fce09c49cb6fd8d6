//! Signed integers of any width, on the heap: for exponents or depths that no fixed width holds.

use super::integer::{Full, Integer};
use std::cmp::Ordering;

/// Sign and magnitude; the highest limb is not 0, and 0 is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Big {
    limbs: Vec<u64>,
    negative: bool,
}

impl Big {
    fn new(mut limbs: Vec<u64>, negative: bool) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        let negative = negative && !limbs.is_empty();
        Big { limbs, negative }
    }

    fn compare_magnitude(a: &[u64], b: &[u64]) -> Ordering {
        a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
    }

    fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut out = Vec::with_capacity(long.len() + 1);
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
    fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut out = a.to_vec();
        let mut borrow = false;
        for (i, limb) in out.iter_mut().enumerate() {
            let (once, b0) = limb.overflowing_sub(b.get(i).copied().unwrap_or(0));
            let (twice, b1) = once.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (twice, b0 | b1);
        }
        out
    }

    fn signed_sum(&self, other: &Self, flip: bool) -> Self {
        let other_negative = other.negative != flip;
        if self.negative == other_negative {
            return Big::new(Self::sum(&self.limbs, &other.limbs), self.negative);
        }
        match Self::compare_magnitude(&self.limbs, &other.limbs) {
            Ordering::Less => Big::new(Self::difference(&other.limbs, &self.limbs), other_negative),
            _ => Big::new(Self::difference(&self.limbs, &other.limbs), self.negative),
        }
    }
}

impl Integer for Big {
    type Place = Big;
    type Wider = Big;

    fn depth(_: u32) -> Result<(), Full> {
        Ok(())
    }

    fn place(k: u64) -> Big {
        Big::new(vec![k], false)
    }

    fn half(k: &Big, right: bool) -> Big {
        k.doubled().plus(&Big::place(u64::from(right)))
    }

    fn times_place(&self, k: &Big) -> Self {
        self.times(k)
    }

    fn widened(&self) -> Big {
        self.clone()
    }

    fn narrowed(wider: &Big) -> Result<Self, Full> {
        Ok(wider.clone())
    }

    fn from_i128(x: i128) -> Self {
        let m = x.unsigned_abs();
        Big::new(vec![m as u64, (m >> 64) as u64], x < 0)
    }

    fn room(_: u32) -> Result<(), Full> {
        Ok(())
    }

    fn plus(&self, other: &Self) -> Self {
        self.signed_sum(other, false)
    }

    fn minus(&self, other: &Self) -> Self {
        self.signed_sum(other, true)
    }

    fn times(&self, other: &Self) -> Self {
        let mut out = vec![0; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.limbs.iter().enumerate() {
                carry += u128::from(a) * u128::from(b) + u128::from(out[i + j]);
                out[i + j] = carry as u64;
                carry >>= 64;
            }
            out[i + other.limbs.len()] = carry as u64;
        }
        Big::new(out, self.negative != other.negative)
    }

    fn times_u64(&self, small: u64) -> Self {
        let mut out = Vec::with_capacity(self.limbs.len() + 1);
        let mut carry = 0u128;
        for &limb in &self.limbs {
            carry += u128::from(limb) * u128::from(small);
            out.push(carry as u64);
            carry >>= 64;
        }
        out.push(carry as u64);
        Big::new(out, self.negative)
    }

    fn shifted(&self, by: u32) -> Self {
        let mut out = vec![0; by as usize / 64];
        let bits = by % 64;
        let mut low = 0;
        for &limb in &self.limbs {
            out.push(limb << bits | low);
            low = if bits > 0 { limb >> (64 - bits) } else { 0 };
        }
        out.push(low);
        Big::new(out, self.negative)
    }

    fn sign(&self) -> i8 {
        if self.negative { -1 } else { i8::from(!self.limbs.is_empty()) }
    }

    fn bits(&self) -> u32 {
        self.limbs.last().map_or(0, |top| 64 * self.limbs.len() as u32 - top.leading_zeros())
    }

    fn approximate(&self, drop: u32) -> f64 {
        super::integer::approximate(&self.limbs, self.negative, drop)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.minus(other).sign().cmp(&0)
    }
}
