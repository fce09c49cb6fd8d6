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

/// Operations on eight 32-bit integers.
pub(crate) trait Lanes: Copy {
    /// Eight integers.
    type Ints: Copy;

    /// The same integer eight times.
    fn splat(self, x: i32) -> Self::Ints;

    /// `from[at..at + 8]`.
    fn load(self, from: &[i32], at: usize) -> Self::Ints;

    /// All bits of each lane where `x < low` or `x > high`, and 0 in the others.
    fn outside(self, x: Self::Ints, low: Self::Ints, high: Self::Ints) -> Self::Ints;

    /// All bits of each lane where `a` and `b` are equal, and 0 in the others.
    fn equal(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Bitwise or.
    fn or(self, a: Self::Ints, b: Self::Ints) -> Self::Ints;

    /// Bit i tells whether lane i is 0. Lanes that are not 0 must have all bits set.
    fn zeros(self, a: Self::Ints) -> u32;

    /// Writes the lanes of `x` that `mask` names to `to[at..]`, one after the other, and anything to the rest of
    /// `to[at..at + 8]`.
    fn compress(self, x: Self::Ints, mask: u32, to: &mut [i32], at: usize);

    /// Smallest and largest of four integer vectors, component by component.
    fn bounds(self, corners: [&[i32; 4]; 4]) -> ([i32; 4], [i32; 4]);

    /// Components 0, 1 and 2 of eight vectors.
    fn transpose(self, vectors: &[[i32; 4]; WIDTH]) -> [Self::Ints; 3];
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
        type Output = (Vec<u32>, [[i32; 4]; 2], Vec<i32>);

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Self::Output {
            let n = self.0;
            let masks = (0..n.len() - WIDTH)
                .map(|at| {
                    let low = lanes.splat(n[at].min(n[at + 1]));
                    let high = lanes.splat(n[at].max(n[at + 1]));
                    let here = lanes.outside(lanes.load(n, at), low, high);
                    let there = lanes.equal(lanes.load(n, at + 1), lanes.splat(n[at + 3]));
                    lanes.zeros(lanes.or(here, there))
                })
                .collect();
            let corner = |i: usize| n[i..i + 4].try_into().expect("four numbers");
            let (low, high) = lanes.bounds([corner(0), corner(5), corner(9), corner(14)]);
            let mut kept = Vec::new();
            for mask in 0..1 << WIDTH {
                let mut eight = [0; WIDTH];
                lanes.compress(lanes.load(n, mask as usize), mask, &mut eight, 0);
                kept.extend_from_slice(&eight[..mask.count_ones() as usize]);
            }
            let vectors = std::array::from_fn(|i| *corner(3 * i));
            for component in lanes.transpose(&vectors) {
                let mut eight = [0; WIDTH];
                lanes.compress(component, 0xff, &mut eight, 0);
                kept.extend(eight);
            }
            (masks, [low, high], kept)
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
