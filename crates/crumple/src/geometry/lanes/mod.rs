//! Eight numbers at a time, or four of double precision.
//!
//! Code that wants lanes is a [`Work`], written once for any [`Lanes`]; [`run`] hands it the widest that the processor
//! has. [`scalar`] is the reference, and the tests hold every other file to it. The binary is built for the oldest
//! processors of its kind, so the choice is made at run time.

// The one place where `unsafe` is allowed: each block says why it is sound.
#![allow(unsafe_code)]
// Its users move to `simd` one after the other.
#![allow(dead_code, unused_imports)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod doubles;
mod scalar;

pub(crate) use doubles::{Doubles, Four};

/// How many.
pub(crate) const WIDTH: usize = 8;

/// Operations on eight 32-bit numbers.
pub(crate) trait Lanes: Doubles {
    /// Eight integers.
    type Ints: Copy;
    /// Eight floating-point numbers. Every operation rounds once, so that all back ends agree.
    type Floats: Copy;

    /// The same integer eight times.
    fn splat(self, x: i32) -> Self::Ints;

    /// `from[at..at + 8]`.
    fn load(self, from: &[i32], at: usize) -> Self::Ints;

    /// Components 0, 1 and 2 of the eight points with these numbers.
    fn pick(self, points: &[[i32; 4]], numbers: &[i32; WIDTH]) -> [Self::Ints; 3];

    /// Writes the lanes of `x` that `mask` names to `to[at..]`, one after the other, and anything to the rest of
    /// `to[at..at + 8]`.
    fn compress(self, x: Self::Ints, mask: u32, to: &mut [i32], at: usize);

    /// The smaller of two, lane by lane.
    fn min(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// The larger of two, lane by lane.
    fn max(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// The smallest lane.
    fn least(self, a: Self::Ints) -> i32;

    /// The largest lane.
    fn most(self, a: Self::Ints) -> i32;

    /// All bits of each lane where `x < low` or `x > high`, and 0 in the others.
    fn outside(self, x: Self::Ints, low: Self::Ints, high: Self::Ints) -> Self::Ints;

    /// All bits of each lane where `a` and `b` are equal, and 0 in the others.
    fn equal(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Bitwise or.
    fn or(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Bitwise and.
    fn and(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// a + b, wrapping.
    fn plus(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// a − b, wrapping.
    fn minus(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Shifted left by less than 32 bits.
    fn shift_left(self, a: Self::Ints, by: u32) -> Self::Ints;

    /// Shifted right by less than 32 bits; the sign stays.
    fn shift_right(self, a: Self::Ints, by: u32) -> Self::Ints;

    /// Bit i tells whether lane i is 0. Lanes that are not 0 must have all bits set.
    fn zeros(self, a: Self::Ints) -> u32;

    /// The same number eight times.
    fn splat_float(self, x: f32) -> Self::Floats;

    /// a − b, which must not overflow, as floating-point numbers.
    fn difference(self, a: Self::Ints, b: Self::Ints) -> Self::Floats;

    /// a + b.
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;

    /// a − b.
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;

    /// a · b.
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;

    /// The smaller of two, lane by lane; neither may be NaN.
    fn min_float(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;

    /// The larger of two, lane by lane; neither may be NaN.
    fn max_float(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;

    /// All bits of each lane where `a < b`, and 0 in the others.
    fn less(self, a: Self::Floats, b: Self::Floats) -> Self::Ints;
}

/// Something to be done with lanes.
pub(crate) trait Work {
    /// What it yields.
    type Output;

    /// Does it. Implementations are `#[inline(always)]`, so that they are compiled for the processor that `lanes` stands
    /// for.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Does the work with the widest lanes there are.
#[inline]
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = avx2::Avx2::detect() {
        return lanes.run(work);
    }
    work.run(scalar::Scalar)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything the lanes can do, as numbers.
    struct All<'a>(&'a [i32]);

    impl Work for All<'_> {
        type Output = Vec<i32>;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let n = self.0;
            let mut out = Vec::new();
            let push = |out: &mut Vec<i32>, x: L::Ints| {
                let mut eight = [0; WIDTH];
                lanes.compress(x, 0xff, &mut eight, 0);
                out.extend(eight);
            };
            for at in 0..n.len() - WIDTH - 3 {
                let (a, b) = (lanes.load(n, at), lanes.load(n, at + 3));
                let (low, high) = (lanes.min(a, b), lanes.max(a, b));
                push(&mut out, low);
                push(&mut out, high);
                push(&mut out, lanes.outside(lanes.splat(n[at]), low, high));
                let equal = lanes.equal(a, lanes.splat(n[at + 2]));
                let outside = lanes.outside(b, lanes.splat(-5), lanes.splat(5));
                out.push(lanes.zeros(lanes.or(equal, outside)) as i32);
                out.push(lanes.zeros(lanes.and(equal, outside)) as i32);
                push(&mut out, lanes.shift_right(lanes.plus(a, b), at as u32 % 32));
                push(&mut out, lanes.minus(a, lanes.shift_left(b, at as u32 % 32)));
                out.extend([lanes.least(a), lanes.most(a)]);
                let mut some = [0; WIDTH];
                lanes.compress(a, at as u32 & 0xff, &mut some, 0);
                out.extend(&some[..(at as u32 & 0xff).count_ones() as usize]);
            }
            out
        }
    }

    /// The same for floating-point numbers and points; differences must not overflow.
    struct Floats<'a>(&'a [[i32; 4]]);

    impl Work for Floats<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let mut out = Vec::new();
            for i in 0..self.0.len() as i32 - 30 {
                let [x, y, z] = lanes.pick(self.0, &[i, i + 30, i + 7, i, i + 1, i + 29, i + 3, i + 11]);
                let (a, b, c) = (lanes.difference(x, y), lanes.difference(y, z), lanes.difference(z, x));
                let product = lanes.mul(lanes.add(a, b), lanes.sub(c, lanes.splat_float(0.1)));
                let (low, high) = (lanes.min_float(product, a), lanes.max_float(product, b));
                out.push(lanes.zeros(lanes.less(low, high)));
                out.push(lanes.zeros(lanes.less(product, lanes.mul(low, high))));
            }
            out
        }
    }

    fn numbers(count: usize) -> Vec<i32> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 32) as i32
        };
        (0..count).map(|i| if i % 3 == 0 { next() >> 28 } else { next() }).collect()
    }

    #[test]
    fn every_back_end_equals_the_scalar_one() {
        let mut n = numbers(2000);
        n.extend([i32::MIN, i32::MAX, 0, -1, i32::MIN, i32::MAX, 1, 0, 0, i32::MIN, 3, 4, 5]);
        assert_eq!(run(All(&n)), All(&n).run(scalar::Scalar));
        let points: Vec<[i32; 4]> =
            numbers(4000).chunks_exact(4).map(|c| [c[0] / 2, c[1] / 2, c[2] / 2, 9]).collect();
        assert_eq!(run(Floats(&points)), Floats(&points).run(scalar::Scalar));
    }

    #[test]
    #[should_panic]
    fn a_point_that_is_not_there_is_refused() {
        run(Floats(&[[0; 4]; 31]));
        struct Bad;
        impl Work for Bad {
            type Output = ();
            #[inline(always)]
            fn run<L: Lanes>(self, lanes: L) {
                lanes.pick(&[[0; 4]; 3], &[0, 1, 2, 0, 1, -1, 0, 0]);
            }
        }
        run(Bad);
    }
}
pub(crate) mod floats;
