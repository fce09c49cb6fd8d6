//! The reference: one number after the other.

use super::{Floats, Ids, Map, Row, WIDTH};

/// Lanes of plain arrays.
#[derive(Clone, Copy)]
pub(super) struct Scalar;

#[inline(always)]
fn each(a: [f32; WIDTH], b: [f32; WIDTH], f: impl Fn(f32, f32) -> f32) -> [f32; WIDTH] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn mask(f: impl Fn(usize) -> bool) -> u32 {
    (0..WIDTH).fold(0, |m, i| m | u32::from(f(i)) << i)
}

#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl Floats for Scalar {
    type F = [f32; WIDTH];
    type P = [f32; 4];
    type M = u32;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::F {
        [x; WIDTH]
    }

    #[inline(always)]
    fn load(self, row: &Row) -> Self::F {
        row.0
    }

    #[inline(always)]
    fn store(self, x: Self::F, row: &mut Row) {
        row.0 = x;
    }

    #[inline(always)]
    fn add(self, a: Self::F, b: Self::F) -> Self::F {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: Self::F, b: Self::F) -> Self::F {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: Self::F, b: Self::F) -> Self::F {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: Self::F, b: Self::F) -> Self::F {
        each(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        each(a, b, smaller)
    }

    #[inline(always)]
    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        each(a, b, larger)
    }

    #[inline(always)]
    fn least(self, a: Self::F) -> f32 {
        a.into_iter().fold(f32::INFINITY, smaller)
    }

    #[inline(always)]
    fn greatest(self, a: Self::F) -> f32 {
        a.into_iter().fold(f32::NEG_INFINITY, larger)
    }

    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        a.map(f32::sqrt)
    }

    #[inline(always)]
    fn abs(self, a: Self::F) -> Self::F {
        a.map(f32::abs)
    }

    #[inline(always)]
    fn at_most(self, a: Self::F, b: Self::F) -> u32 {
        mask(|i| a[i] <= b[i])
    }

    #[inline(always)]
    fn exceeds(self, a: Self::F, b: Self::F) -> u32 {
        mask(|i| a[i] > b[i])
    }

    #[inline(always)]
    fn overlaps(self, boxes: &[Row; 6], low: [f32; 3], high: [f32; 3]) -> u32 {
        mask(|i| (0..3).all(|k| boxes[k].0[i] <= high[k] && low[k] <= boxes[k + 3].0[i]))
    }

    #[inline(always)]
    fn overlaps_within(self, boxes: &[Row; 6]) -> u32 {
        let mut all = 0;
        for r in 1..5 {
            let pairs = mask(|i| {
                let j = (i + r) % WIDTH;
                (0..3).all(|k| boxes[k].0[i] <= boxes[k + 3].0[j] && boxes[k].0[j] <= boxes[k + 3].0[i])
            });
            all |= (if r == 4 { pairs & 0xf } else { pairs }) << (8 * (r - 1));
        }
        all
    }

    #[inline(always)]
    fn high_bits(self, ids: &Ids) -> u32 {
        mask(|i| ids.0[i] >> 31 == 1)
    }

    #[inline(always)]
    fn compress(self, ids: &Ids, mask: u32, to: &mut [u32; WIDTH]) {
        let mut at = 0;
        for (i, &id) in ids.0.iter().enumerate() {
            if mask >> i & 1 == 1 {
                to[at] = id;
                at += 1;
            }
        }
    }

    #[inline(always)]
    fn both(self, a: u32, b: u32) -> u32 {
        a & b
    }

    #[inline(always)]
    fn either(self, a: u32, b: u32) -> u32 {
        a | b
    }

    #[inline(always)]
    fn pick(self, m: u32, a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] {
        std::array::from_fn(|i| if m >> i & 1 == 1 { a[i] } else { b[i] })
    }

    #[inline(always)]
    fn bits(self, m: u32) -> u32 {
        m
    }

    #[inline(always)]
    fn any_equal(self, ids: &[Ids; 3], of: [u32; 3]) -> u32 {
        mask(|i| ids.iter().any(|row| of.contains(&row.0[i])))
    }

    #[inline(always)]
    fn prefetch<T>(self, _: &T) {}

    #[inline(always)]
    fn place(self, p: &[f64; 3], map: &Map) -> Self::P {
        let [x, y, z] = map.apply(p);
        [x, y, z, 0.0]
    }

    #[inline(always)]
    fn load_point(self, p: &[f32; 4]) -> Self::P {
        *p
    }

    #[inline(always)]
    fn store_point(self, p: Self::P, to: &mut [f32; 4]) {
        *to = p;
    }

    #[inline(always)]
    fn min_point(self, a: Self::P, b: Self::P) -> Self::P {
        std::array::from_fn(|k| smaller(a[k], b[k]))
    }

    #[inline(always)]
    fn max_point(self, a: Self::P, b: Self::P) -> Self::P {
        std::array::from_fn(|k| larger(a[k], b[k]))
    }

    #[inline(always)]
    fn transpose(self, points: [Self::P; WIDTH]) -> [Self::F; 3] {
        std::array::from_fn(|k| points.map(|p| p[k]))
    }
}
