//! The box of many points in one pass, four numbers at a time.

use super::Point;
use super::simd::{F64x4, Simd};

/// Four points: twelve numbers, three registers.
const STRIDE: usize = 12;
/// Numbers that are looked at together; they stay in the first cache.
pub(crate) const PIECE: usize = 32 * STRIDE;

/// The least and the most of each of the three coordinates, of four points side by side.
pub(crate) struct Extremes<S: Simd> {
    least: [S::F64x4; 3],
    most: [S::F64x4; 3],
}

impl<S: Simd> Extremes<S> {
    /// Of no point.
    #[inline(always)]
    pub fn empty(simd: S) -> Self {
        let all = |x: f64| [S::F64x4::splat(simd, x); 3];
        Self { least: all(f64::INFINITY), most: all(f64::NEG_INFINITY) }
    }

    /// Not in a loop: the twelve registers that this needs would be kept in memory, and where that is not aligned an update
    /// takes twice the time.
    #[inline(always)]
    pub fn add(&mut self, [x, y, z]: [S::F64x4; 3]) {
        self.least[0] = x.min(self.least[0]);
        self.least[1] = y.min(self.least[1]);
        self.least[2] = z.min(self.least[2]);
        self.most[0] = x.max(self.most[0]);
        self.most[1] = y.max(self.most[1]);
        self.most[2] = z.max(self.most[2]);
    }

    /// The lowest and the highest corner: every third number is of the same coordinate.
    #[inline(always)]
    pub fn corners(&self) -> [Point; 2] {
        let ([mut min, mut max], mut four) = ([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], [0.0; 4]);
        for i in 0..STRIDE {
            self.least[i / 4].store(&mut four);
            min[i % 3] = min[i % 3].min(four[i % 4]);
            self.most[i / 4].store(&mut four);
            max[i % 3] = max[i % 3].max(four[i % 4]);
        }
        [min, max]
    }
}

/// The coordinates of a row of points, four points at a time; those left over beside the first of them again, which changes
/// neither the least nor the most.
#[inline(always)]
pub(crate) fn strides<S: Simd>(simd: S, row: &[f64]) -> (&[[f64; STRIDE]], Option<[S::F64x4; 3]>) {
    let (strides, rest) = row.as_chunks::<STRIDE>();
    let filled = |i: usize| rest[if i < rest.len() { i } else { i % 3 }];
    let rest = (!rest.is_empty()).then(|| fours(simd, &std::array::from_fn(filled)));
    (strides, rest)
}

/// Twelve numbers as vectors.
#[inline(always)]
pub(crate) fn fours<S: Simd>(simd: S, x: &[f64; STRIDE]) -> [S::F64x4; 3] {
    let four = |i: usize| S::F64x4::from_array(simd, [x[i], x[i + 1], x[i + 2], x[i + 3]]);
    [four(0), four(4), four(8)]
}
