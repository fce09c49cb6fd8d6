//! Signed integers of fixed width, on the stack.

use super::integer::{Full, Integer};
use std::cmp::Ordering;

/// A two's-complement integer of `64 N` bits. No operation checks for overflow: callers prove or test beforehand
/// ([`Integer::room`]) that results fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fixed<const N: usize>([u64; N]);

impl<const N: usize> Fixed<N> {
    /// Extends the sign of a number of 128 bits.
    #[inline(always)]
    pub fn new(x: i128) -> Self {
        let mut limbs = [(x >> 127) as u64; N];
        limbs[0] = x as u64;
        if N > 1 {
            limbs[1] = (x >> 64) as u64;
        }
        Fixed(limbs)
    }

    /// The same number with more or fewer limbs; it must fit.
    #[inline(always)]
    pub fn resize<const M: usize>(&self) -> Fixed<M> {
        let mut limbs = [if self.is_negative() { u64::MAX } else { 0 }; M];
        let n = if M < N { M } else { N };
        limbs[..n].copy_from_slice(&self.0[..n]);
        Fixed(limbs)
    }

    #[inline(always)]
    fn is_negative(&self) -> bool {
        self.0[N - 1] >> 63 == 1
    }

    #[inline(always)]
    fn negated(&self) -> Self {
        let mut out = [0; N];
        let mut carry = true;
        for i in 0..N {
            (out[i], carry) = (!self.0[i]).overflowing_add(u64::from(carry));
        }
        Fixed(out)
    }

    #[inline(always)]
    fn magnitude(&self) -> Self {
        if self.is_negative() { self.negated() } else { *self }
    }

    /// The product of two widths in a third, which must hold it.
    #[inline(always)]
    pub fn product<const M: usize, const P: usize>(&self, other: &Fixed<M>) -> Fixed<P> {
        let (a, b) = (self.magnitude(), other.magnitude());
        let mut out = [0; P];
        for i in 0..N {
            if a.0[i] == 0 {
                continue;
            }
            let mut carry = 0u128;
            for j in 0..M {
                if i + j >= P {
                    break;
                }
                carry += u128::from(a.0[i]) * u128::from(b.0[j]) + u128::from(out[i + j]);
                out[i + j] = carry as u64;
                carry >>= 64;
            }
            if i + M < P {
                out[i + M] = carry as u64;
            }
        }
        let positive = Fixed(out);
        if self.is_negative() != other.is_negative() { positive.negated() } else { positive }
    }

    /// A product with an integer of one limb and a sign.
    #[inline(always)]
    pub fn times_small<const P: usize>(&self, small: i64) -> Fixed<P> {
        let a = self.magnitude();
        let (mut out, mut carry) = ([0; P], 0u128);
        for i in 0..P {
            if i < N {
                carry += u128::from(a.0[i]) * u128::from(small.unsigned_abs());
            }
            out[i] = carry as u64;
            carry >>= 64;
        }
        let positive = Fixed(out);
        if self.is_negative() != (small < 0) { positive.negated() } else { positive }
    }
}

/// Which width holds what [`super::common`] computes of numbers of this one.
pub(super) trait Width: Sized {
    type Wider: Integer<Numerator = u64>;

    fn widened(&self) -> Self::Wider;

    /// `None` if there is no room.
    fn narrowed(wider: &Self::Wider) -> Option<Self>;
}

macro_rules! wider {
    ($($from:literal => $to:literal),+) => {
        $(impl Width for Fixed<$from> {
            type Wider = Fixed<$to>;

            fn widened(&self) -> Fixed<$to> {
                self.resize()
            }

            fn narrowed(wider: &Fixed<$to>) -> Option<Self> {
                (wider.bits() < 64 * $from).then(|| wider.resize())
            }
        })+
    };
}
// Of cubics below 2^194, which vectors below 2^62 have, remainders need 7 · 194 + 18 bits at most: 22 limbs.
wider!(4 => 48, 6 => 22, 8 => 48, 22 => 48, 24 => 48, 48 => 48);

impl<const N: usize> Integer for Fixed<N>
where
    Self: Width,
{
    type Numerator = u64;
    type Wider = <Self as Width>::Wider;

    fn depth(depth: u32) -> Result<(), Full> {
        if depth < 62 { Ok(()) } else { Err(Full) }
    }

    fn numerator(k: u64) -> u64 {
        k
    }

    fn half(k: &u64, right: bool) -> u64 {
        2 * k + u64::from(right)
    }

    fn times_numerator(&self, k: &u64) -> Self {
        self.times_u64(*k)
    }

    fn widened(&self) -> Self::Wider {
        Width::widened(self)
    }

    fn narrowed(wider: &Self::Wider) -> Result<Self, Full> {
        Width::narrowed(wider).ok_or(Full)
    }

    fn from_i128(x: i128) -> Self {
        debug_assert!(N > 1 || i64::try_from(x).is_ok());
        Fixed::new(x)
    }

    fn room(bits: u32) -> Result<(), Full> {
        if bits < 64 * N as u32 { Ok(()) } else { Err(Full) }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let mut out = [0; N];
        let mut carry = false;
        for i in 0..N {
            let (once, c0) = self.0[i].overflowing_add(other.0[i]);
            let (twice, c1) = once.overflowing_add(u64::from(carry));
            (out[i], carry) = (twice, c0 | c1);
        }
        Fixed(out)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        let mut out = [0; N];
        let mut borrow = false;
        for i in 0..N {
            let (once, b0) = self.0[i].overflowing_sub(other.0[i]);
            let (twice, b1) = once.overflowing_sub(u64::from(borrow));
            (out[i], borrow) = (twice, b0 | b1);
        }
        Fixed(out)
    }

    fn times(&self, other: &Self) -> Self {
        let (a, b) = (self.magnitude(), other.magnitude());
        let used = |x: &Self| x.0.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
        let (n, m) = (used(&a), used(&b));
        let mut out = [0; N];
        for i in 0..n {
            let mut carry = 0u128;
            // One limb more than b has takes the carry; beyond the width there is nothing to take.
            for j in 0..(m + 1).min(N - i) {
                let limb = if j < m { b.0[j] } else { 0 };
                carry += u128::from(a.0[i]) * u128::from(limb) + u128::from(out[i + j]);
                out[i + j] = carry as u64;
                carry >>= 64;
            }
        }
        let positive = Fixed(out);
        if self.is_negative() != other.is_negative() { positive.negated() } else { positive }
    }

    #[inline(always)]
    fn times_u64(&self, small: u64) -> Self {
        let (mut out, mut carry) = ([0; N], 0u128);
        // Two's complement times an unsigned limb, modulo 2^64N: the product itself while that fits.
        for i in 0..N {
            carry += u128::from(self.0[i]) * u128::from(small);
            out[i] = carry as u64;
            carry >>= 64;
        }
        Fixed(out)
    }

    fn shifted(&self, by: u32) -> Self {
        let (limbs, bits) = (by as usize / 64, by % 64);
        let mut out = [0; N];
        for i in limbs..N {
            out[i] = self.0[i - limbs] << bits;
            if bits > 0 && i > limbs {
                out[i] |= self.0[i - limbs - 1] >> (64 - bits);
            }
        }
        Fixed(out)
    }

    #[inline(always)]
    fn sign(&self) -> i8 {
        if self.is_negative() { -1 } else { i8::from(self.0.iter().any(|&limb| limb != 0)) }
    }

    fn bits(&self) -> u32 {
        let a = self.magnitude();
        match a.0.iter().rposition(|&limb| limb != 0) {
            Some(i) => 64 * i as u32 + 64 - a.0[i].leading_zeros(),
            None => 0,
        }
    }

    fn approximate(&self, drop: u32) -> f64 {
        super::integer::approximate(&self.magnitude().0, self.is_negative(), drop)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.minus(other).sign().cmp(&0)
    }
}
