//! Eight numbers at a time.
//!
//! Code that wants lanes is a [`Work`], written once for any [`Lanes`]; [`run`] hands it the widest that the processor
//! has. [`scalar`] is the reference, and the tests hold every other file to it. The binary is built for the oldest
//! processors of its kind, so the choice is made at run time.

// The one place where `unsafe` is allowed: each block says why it is sound.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;

/// How many.
pub(crate) const WIDTH: usize = 8;

/// Operations on eight 32-bit numbers.
pub(crate) trait Lanes: Copy {
    /// Eight integers.
    type Ints: Copy;

    /// The same integer eight times.
    fn splat(self, x: i32) -> Self::Ints;

    /// `from[at..at + 8]`.
    fn load(self, from: &[i32], at: usize) -> Self::Ints;

    /// Not zero in each lane where `x < low` or `x > high`, and 0 in the others.
    fn outside(self, x: Self::Ints, low: Self::Ints, high: Self::Ints) -> Self::Ints;

    /// Bitwise or.
    fn or(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Bit i tells whether lane i is 0. Lanes that are not 0 must be as [`Lanes::outside`] makes them.
    fn zeros(self, a: Self::Ints) -> u32;

    /// Smallest and largest of four integer vectors, component by component.
    fn bounds(self, corners: [&[i32; 4]; 4]) -> ([i32; 4], [i32; 4]);
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
        type Output = (Vec<u32>, [[i32; 4]; 2]);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let n = self.0;
            let masks = (0..n.len() - WIDTH)
                .map(|at| {
                    let low = lanes.splat(n[at].min(n[at + 1]));
                    let high = lanes.splat(n[at].max(n[at + 1]));
                    let here = lanes.outside(lanes.load(n, at), low, high);
                    lanes.zeros(lanes.or(here, lanes.outside(lanes.load(n, at + 1), low, high)))
                })
                .collect();
            let corner = |i: usize| n[i..i + 4].try_into().expect("four numbers");
            let (low, high) = lanes.bounds([corner(0), corner(5), corner(9), corner(14)]);
            (masks, [low, high])
        }
    }

    #[test]
    fn every_back_end_equals_the_scalar_one() {
        let mut state = 1u64;
        let numbers: Vec<i32> = (0..2000)
            .map(|i| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let wide = (state >> 32) as i32;
                if i % 3 == 0 { wide >> 28 } else { wide }
            })
            .chain([i32::MIN, i32::MAX, 0, -1, i32::MIN, i32::MAX, 1, 0, 0, i32::MIN])
            .collect();
        assert_eq!(run(All(&numbers)), All(&numbers).run(scalar::Scalar));
    }
}
