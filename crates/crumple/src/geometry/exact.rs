//! Orientation signs in fixed-point integers wide enough for every finite `f64`.
//!
//! The last resort behind the filter and `robust`, whose expansions need head-room in the exponent. A finite `f64`
//! is an integer multiple of 2^-1074 below 2^2098 of them, so a product of three differences fits in 6300 bits. Tens
//! of microseconds a sign; only coordinates that no power of two brings into [`super::predicates::EXPANSION_RANGE`] come
//! here.

use super::Point;
use super::predicates::Sign;

const LIMBS: usize = 100;

/// A two's-complement integer of 6400 bits.
#[derive(Clone)]
struct Wide([u64; LIMBS]);

impl Wide {
    /// `x · 2^1074`, exactly.
    fn new(x: f64) -> Wide {
        let bits = x.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as usize;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, shift) =
            if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
        let mut limbs = [0; LIMBS];
        let spread = u128::from(mantissa) << (shift % 64);
        limbs[shift / 64] = spread as u64;
        limbs[shift / 64 + 1] = (spread >> 64) as u64;
        let positive = Wide(limbs);
        if x < 0.0 { Wide([0; LIMBS]).minus(&positive) } else { positive }
    }

    fn minus(mut self, other: &Wide) -> Wide {
        let mut borrow = false;
        for (limb, &o) in self.0.iter_mut().zip(&other.0) {
            let (once, b0) = limb.overflowing_sub(o);
            let (twice, b1) = once.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (twice, b0 | b1);
        }
        self
    }

    /// The product modulo 2^6400, which is the product itself while that fits.
    fn times(&self, other: &Wide) -> Wide {
        let mut out = [0u64; LIMBS];
        for (i, &a) in self.0.iter().enumerate().filter(|&(_, &a)| a != 0) {
            let mut carry = 0u128;
            for (o, &b) in out[i..].iter_mut().zip(&other.0) {
                carry += u128::from(a) * u128::from(b) + u128::from(*o);
                *o = carry as u64;
                carry >>= 64;
            }
        }
        Wide(out)
    }

    fn sign(&self) -> Sign {
        if self.0[LIMBS - 1] >> 63 == 1 { -1 } else { Sign::from(self.0.iter().any(|&limb| limb != 0)) }
    }
}

fn difference<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [Wide; N] {
    std::array::from_fn(|k| Wide::new(a[k]).minus(&Wide::new(b[k])))
}

fn minor(u: &[Wide], v: &[Wide], i: usize, j: usize) -> Wide {
    u[i].times(&v[j]).minus(&u[j].times(&v[i]))
}

/// Sign of det(b − a, c − a).
pub(super) fn orient2d(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]) -> Sign {
    minor(&difference(b, a), &difference(c, a), 0, 1).sign()
}

/// Sign of det(b − a, c − a, d − a).
pub(super) fn orient3d(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    let (u, v, w) = (difference(b, a), difference(c, a), difference(d, a));
    let x = minor(&u, &v, 1, 2).times(&w[0]);
    let y = minor(&u, &v, 0, 2).times(&w[1]);
    let z = minor(&v, &u, 0, 1).times(&w[2]);
    x.minus(&y).minus(&z).sign()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_over_the_whole_range_of_exponents() {
        let (tiny, huge) = (f64::from_bits(1), f64::MAX);
        let o = [0.0; 3];
        for s in [tiny, 1e-200, 1.0, 1e200, huge] {
            assert_eq!(orient3d(&o, &[s, 0.0, 0.0], &[0.0, s, 0.0], &[0.0, 0.0, s]), 1);
            assert_eq!(orient3d(&o, &[0.0, s, 0.0], &[s, 0.0, 0.0], &[0.0, 0.0, s]), -1);
            assert_eq!(orient3d(&[-s; 3], &[s, 0.0, -s], &[0.0, s, -s], &[s, s, -s]), 0);
            assert_eq!(orient2d(&[-s, -s], &[s, s], &[0.0, -s]), -1);
            assert_eq!(orient2d(&[-s, -s], &[s, s], &[0.0, 0.0]), 0);
        }
        assert_eq!(
            orient3d(&[-huge; 3], &[huge, -huge, -huge], &[-huge, huge, -huge], &[huge, huge, huge]),
            1
        );
        assert_eq!(orient3d(&o, &[huge, 0.0, tiny], &[0.0, huge, 0.0], &[huge, huge, tiny]), 0);
        assert_eq!(orient3d(&o, &[huge, 0.0, tiny], &[0.0, huge, 0.0], &[huge, huge, 2.0 * tiny]), 1);
        assert_eq!(orient3d(&o, &[huge, 0.0, tiny], &[0.0, huge, 0.0], &[huge, huge, 0.0]), -1);
    }
}
