//! The reference: arrays and loops.

use super::{Lanes, WIDTH};

/// Lanes on any processor.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

#[inline(always)]
fn each<A: Copy, B: Copy, C>(a: [A; WIDTH], b: [B; WIDTH], f: impl Fn(A, B) -> C) -> [C; WIDTH] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

impl Lanes for Scalar {
    type Ints = [i32; WIDTH];
    type Floats = [f32; WIDTH];

    #[inline(always)]
    fn splat(self, x: i32) -> Self::Ints {
        [x; WIDTH]
    }

    #[inline(always)]
    fn load(self, from: &[i32], at: usize) -> Self::Ints {
        let eight = &from[at..at + WIDTH];
        std::array::from_fn(|i| eight[i])
    }

    #[inline(always)]
    fn pick(self, points: &[[i32; 4]], numbers: &[i32; WIDTH]) -> [Self::Ints; 3] {
        std::array::from_fn(|k| std::array::from_fn(|i| points[numbers[i] as u32 as usize][k]))
    }

    #[inline(always)]
    fn compress(self, x: Self::Ints, mask: u32, to: &mut [i32], at: usize) {
        let to = &mut to[at..at + WIDTH];
        let mut n = 0;
        for (i, x) in x.into_iter().enumerate() {
            // Always written, and kept by counting: no branch.
            to[n] = x;
            n = (n + (mask >> i & 1) as usize) % WIDTH;
        }
    }

    #[inline(always)]
    fn min(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, i32::min)
    }

    #[inline(always)]
    fn max(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, i32::max)
    }

    #[inline(always)]
    fn least(self, a: Self::Ints) -> i32 {
        a.into_iter().fold(i32::MAX, i32::min)
    }

    #[inline(always)]
    fn most(self, a: Self::Ints) -> i32 {
        a.into_iter().fold(i32::MIN, i32::max)
    }

    #[inline(always)]
    fn outside(self, x: Self::Ints, low: Self::Ints, high: Self::Ints) -> Self::Ints {
        std::array::from_fn(|i| -i32::from((x[i] < low[i]) | (x[i] > high[i])))
    }

    #[inline(always)]
    fn equal(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, |a, b| -i32::from(a == b))
    }

    #[inline(always)]
    fn or(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn and(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn plus(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, i32::wrapping_add)
    }

    #[inline(always)]
    fn minus(self, a: Self::Ints, b: Self::Ints) -> Self::Ints {
        each(a, b, i32::wrapping_sub)
    }

    #[inline(always)]
    fn shift_left(self, a: Self::Ints, by: u32) -> Self::Ints {
        a.map(|a| a << by)
    }

    #[inline(always)]
    fn shift_right(self, a: Self::Ints, by: u32) -> Self::Ints {
        a.map(|a| a >> by)
    }

    #[inline(always)]
    fn zeros(self, a: Self::Ints) -> u32 {
        a.iter().enumerate().fold(0, |mask, (i, &x)| mask | u32::from(x == 0) << i)
    }

    #[inline(always)]
    fn splat_float(self, x: f32) -> Self::Floats {
        [x; WIDTH]
    }

    #[inline(always)]
    fn difference(self, a: Self::Ints, b: Self::Ints) -> Self::Floats {
        each(a, b, |a, b| a.wrapping_sub(b) as f32)
    }

    #[inline(always)]
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn min_float(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max_float(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn less(self, a: Self::Floats, b: Self::Floats) -> Self::Ints {
        each(a, b, |a, b| -i32::from(a < b))
    }
}
