//! Eight `f32` at a time, and positions on their way from `f64` to `f32`.
//!
//! Code that wants lanes is a [`Work`], written once for any [`Floats`]; [`run`] hands it the widest that the processor
//! has. [`scalar`] is the reference. Every operation rounds as IEEE says and none is fused, so that all back ends give
//! the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;

/// How many.
pub(crate) const WIDTH: usize = 8;

/// Eight numbers in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Row(pub [f32; WIDTH]);

/// Eight indices in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Ids(pub [u32; WIDTH]);

pub(crate) use crate::geometry::Map;

/// Operations on eight `f32` (`F`) and on one point of four (`P`, the last coordinate unused).
///
/// `min` and `max` return the second operand when either is NaN; comparisons with NaN are false.
pub(crate) trait Floats: Copy {
    /// Eight numbers.
    type F: Copy;
    /// One point.
    type P: Copy;
    /// A verdict for each lane.
    type M: Copy;

    /// The same number eight times.
    fn splat(self, x: f32) -> Self::F;
    /// From memory.
    fn load(self, row: &Row) -> Self::F;
    /// To memory.
    fn store(self, x: Self::F, row: &mut Row);
    /// a + b.
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    /// a − b.
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    /// a · b.
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    /// a / b.
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// The smaller.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// The larger.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;
    /// The smallest of the eight. None is NaN.
    fn least(self, a: Self::F) -> f32;
    /// The largest of the eight. None is NaN.
    fn greatest(self, a: Self::F) -> f32;
    /// Square root.
    fn sqrt(self, a: Self::F) -> Self::F;
    /// Magnitude.
    fn abs(self, a: Self::F) -> Self::F;
    /// Whether a ≤ b.
    fn at_most(self, a: Self::F, b: Self::F) -> Self::M;
    /// Whether a > b.
    fn exceeds(self, a: Self::F, b: Self::F) -> Self::M;
    /// Whether both hold.
    fn both(self, a: Self::M, b: Self::M) -> Self::M;
    /// Whether one holds.
    fn either(self, a: Self::M, b: Self::M) -> Self::M;
    /// a where the verdict holds, otherwise b.
    fn pick(self, m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    /// Bit i is the verdict of lane i.
    fn bits(self, m: Self::M) -> u32;
    /// Bit i tells whether a ≤ b in lane i.
    #[inline(always)]
    fn le(self, a: Self::F, b: Self::F) -> u32 {
        self.bits(self.at_most(a, b))
    }
    /// Bit i tells whether a > b in lane i.
    #[inline(always)]
    fn gt(self, a: Self::F, b: Self::F) -> u32 {
        self.bits(self.exceeds(a, b))
    }
    /// Bit i tells whether closed box i has a common point with the box from `low` to `high`. The rows of `boxes` are
    /// the lower x, y, z and the upper x, y, z.
    fn overlaps(self, boxes: &[Row; 6], low: [f32; 3], high: [f32; 3]) -> u32;
    /// Bit 8 (r − 1) + i tells whether boxes i and (i + r) mod 8 have a common point, r from 1 to 4; every pair of the eight
    /// boxes is there once.
    fn overlaps_within(self, boxes: &[Row; 6]) -> u32;
    /// Bit i is the highest bit of `ids[i]`.
    fn high_bits(self, ids: &Ids) -> u32;
    /// Writes the ids that `mask` names to the front of `to`, in order, and anything to the rest.
    fn compress(self, ids: &Ids, mask: u32, to: &mut [u32; WIDTH]);
    /// Bit i tells whether `ids[i]` is one of the three.
    fn any_equal(self, ids: &[Ids; 3], of: [u32; 3]) -> u32;

    /// Asks for something that will be needed soon.
    fn prefetch<T>(self, at: &T);
    /// The image of a position.
    fn place(self, p: &[f64; 3], map: &Map) -> Self::P;
    /// From memory.
    fn load_point(self, p: &[f32; 4]) -> Self::P;
    /// To memory.
    fn store_point(self, p: Self::P, to: &mut [f32; 4]);
    /// The smaller, coordinate by coordinate.
    fn min_point(self, a: Self::P, b: Self::P) -> Self::P;
    /// The larger, coordinate by coordinate.
    fn max_point(self, a: Self::P, b: Self::P) -> Self::P;
    /// Coordinates x, y, z of eight points.
    fn transpose(self, points: [Self::P; WIDTH]) -> [Self::F; 3];
}

/// a − b for eight vectors.
#[inline(always)]
pub(crate) fn sub3<L: Floats>(l: L, a: [L::F; 3], b: [L::F; 3]) -> [L::F; 3] {
    [l.sub(a[0], b[0]), l.sub(a[1], b[1]), l.sub(a[2], b[2])]
}

/// Scalar products of eight vectors, summed from x to z.
#[inline(always)]
pub(crate) fn dot3<L: Floats>(l: L, a: [L::F; 3], b: [L::F; 3]) -> L::F {
    l.add(l.add(l.mul(a[0], b[0]), l.mul(a[1], b[1])), l.mul(a[2], b[2]))
}

/// Vector products of eight vectors.
#[inline(always)]
pub(crate) fn cross3<L: Floats>(l: L, a: [L::F; 3], b: [L::F; 3]) -> [L::F; 3] {
    [
        l.sub(l.mul(a[1], b[2]), l.mul(a[2], b[1])),
        l.sub(l.mul(a[2], b[0]), l.mul(a[0], b[2])),
        l.sub(l.mul(a[0], b[1]), l.mul(a[1], b[0])),
    ]
}

/// Eight vectors from memory.
#[inline(always)]
pub(crate) fn load3<L: Floats>(l: L, rows: &[Row; 3]) -> [L::F; 3] {
    [l.load(&rows[0]), l.load(&rows[1]), l.load(&rows[2])]
}

/// The same vector eight times.
#[inline(always)]
pub(crate) fn splat3<L: Floats>(l: L, v: [f32; 3]) -> [L::F; 3] {
    [l.splat(v[0]), l.splat(v[1]), l.splat(v[2])]
}

/// Something to be done with lanes.
pub(crate) trait Work {
    /// What it yields.
    type Output;

    /// Does it. Implementations, and all they call with lanes, are `#[inline(always)]`, so that they are compiled for
    /// the processor that `lanes` stands for. Closures and iterators over lanes are not: what stands in them becomes a
    /// function call for every instruction.
    fn run<L: Floats>(self, lanes: L) -> Self::Output;
}

/// Does the work with the widest lanes there are.
#[inline]
pub(crate) fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = super::avx2::Avx2::detect() {
        return avx2::run(lanes, work);
    }
    work.run(scalar::Scalar)
}

/// Does the work with the reference lanes.
#[cfg(test)]
pub(crate) fn run_scalar<W: Work>(work: W) -> W::Output {
    work.run(scalar::Scalar)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything the lanes can do, as bits.
    struct All<'a>(&'a [f32; 32], &'a [f64; 3]);

    impl Work for All<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<L: Floats>(self, l: L) -> Vec<u32> {
            let row = |i: usize| Row(std::array::from_fn(|k| self.0[i + k]));
            let (a, b) = (l.load(&row(0)), l.load(&row(8)));
            let points: [[f32; 4]; 8] =
                std::array::from_fn(|i| std::array::from_fn(|k| self.0[(4 * i + k) % 32]));
            let map = Map { origin: [0.125, -3.5, 1e3], scale: 0.25 };
            let placed = l.place(self.1, &map);
            let other = l.load_point(&points[1]);
            let [x, y, z] = l.transpose(points.map(|p| l.load_point(&p)));
            let mut out = Vec::new();
            let rows = [
                l.splat(self.0[3]),
                l.add(a, b),
                l.sub(a, b),
                l.mul(a, b),
                l.div(a, b),
                l.min(a, b),
                l.max(a, b),
                l.sqrt(l.abs(a)),
                l.pick(l.exceeds(a, b), a, b),
                x,
                y,
                z,
            ];
            for x in rows {
                let mut to = Row([0.0; 8]);
                l.store(x, &mut to);
                out.extend(to.0.map(f32::to_bits));
            }
            for p in [placed, l.min_point(placed, other), l.max_point(placed, other)] {
                let mut to = [0.0; 4];
                l.store_point(p, &mut to);
                out.extend(to[..3].iter().map(|x| x.to_bits()));
            }
            let ids = [0u32, 5, 9].map(|from| Ids(std::array::from_fn(|i| from + i as u32)));
            let (le, gt) = (l.at_most(a, b), l.exceeds(a, l.splat(1.0)));
            out.extend([le, gt, l.both(le, gt), l.either(le, gt)].map(|m| l.bits(m)));
            out.push(l.any_equal(&ids, [7, 2, 30]));
            let number = l.min(l.max(a, l.splat(-9.0)), l.splat(9.0));
            out.extend([l.least(number).to_bits(), l.greatest(number).to_bits()]);
            for mask in 0..256u32 {
                let mut front = [0; 8];
                l.compress(&ids[1], mask, &mut front);
                out.extend(&front[..mask.count_ones() as usize]);
            }
            out.push(l.high_bits(&Ids([1, u32::MAX, 1 << 31, 0, 1 << 30, 3 << 30, 7, 9 << 28])));
            let boxes: [Row; 6] = std::array::from_fn(|k| row(4 * (k % 3) + k / 3));
            out.push(l.overlaps_within(&boxes));
            for i in 0..8 {
                let low = std::array::from_fn(|k| boxes[k].0[i]);
                let high = std::array::from_fn(|k| boxes[k + 3].0[i]);
                out.push(l.overlaps(&boxes, low, high));
            }
            out
        }
    }

    #[test]
    fn back_ends_agree_with_the_reference_to_the_bit() {
        let mut state = 1u32;
        let mut draw = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Small grid, so that equal numbers, zeros and both signs occur.
            ((state >> 24) as f32 - 128.0) / 16.0
        };
        for _ in 0..200 {
            let numbers = std::array::from_fn(|_| draw());
            let p = std::array::from_fn(|_| f64::from(draw()) * 1.1);
            assert_eq!(run(All(&numbers, &p)), run_scalar(All(&numbers, &p)));
        }
        let odd = [f32::NAN, f32::INFINITY, -0.0, 0.0, f32::MIN_POSITIVE, -1.0, 1.0, f32::MAX];
        let numbers = std::array::from_fn(|i| odd[(i * 5 + i / 8) % 8]);
        let quiet = |v: Vec<u32>| -> Vec<u32> {
            // Which NaN is not promised, only that it is one.
            v.into_iter().map(|b| if f32::from_bits(b).is_nan() { 0x7fc0_0000 } else { b }).collect()
        };
        let p = [1e60, -1e-60, 3.0];
        assert_eq!(quiet(run(All(&numbers, &p))), quiet(run_scalar(All(&numbers, &p))));
    }
}
