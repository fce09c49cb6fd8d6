//! The reference: arrays and loops.

use super::{Lanes, WIDTH};

/// Lanes on any processor.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

impl Lanes for Scalar {
    type Ints = [i32; WIDTH];

    #[inline(always)]
    fn splat(self, x: i32) -> Self::Ints {
        [x; WIDTH]
    }

    #[inline(always)]
    fn load(self, from: &[i32], at: usize) -> Self::Ints {
        std::array::from_fn(|i| from[at..at + WIDTH][i])
    }

    #[inline(always)]
    fn outside(self, x: Self::Ints, low: Self::Ints, high: Self::Ints) -> Self::Ints {
        std::array::from_fn(|i| -i32::from((x[i] < low[i]) | (x[i] > high[i])))
    }

    #[inline(always)]
    fn equal(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        std::array::from_fn(|i| -i32::from(a[i] == b[i]))
    }

    #[inline(always)]
    fn or(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        std::array::from_fn(|i| a[i] | b[i])
    }

    #[inline(always)]
    fn zeros(self, a: Self::Ints) -> u32 {
        a.iter().enumerate().fold(0, |mask, (i, &x)| mask | u32::from(x == 0) << i)
    }

    #[inline(always)]
    fn compress(self, x: Self::Ints, mask: u32, to: &mut [i32], at: usize) {
        let to = &mut to[at..at + WIDTH];
        let mut n = 0;
        for (i, x) in x.into_iter().enumerate() {
            // Always written, and kept by counting: no branch.
            to[n.min(WIDTH - 1)] = x;
            n += (mask >> i & 1) as usize;
        }
    }

    #[inline(always)]
    fn bounds(self, [a, b, c, d]: [&[i32; 4]; 4]) -> ([i32; 4], [i32; 4]) {
        (
            std::array::from_fn(|k| a[k].min(b[k]).min(c[k].min(d[k]))),
            std::array::from_fn(|k| a[k].max(b[k]).max(c[k].max(d[k]))),
        )
    }

    #[inline(always)]
    fn transpose(self, vectors: &[[i32; 4]; WIDTH]) -> [Self::Ints; 3] {
        std::array::from_fn(|k| std::array::from_fn(|i| vectors[i][k]))
    }
}
