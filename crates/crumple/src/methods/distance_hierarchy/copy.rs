//! The pass over the positions of a frame: a copy, their box, and the box of their displacements, four numbers at a time.

use super::motion::Motion;
use crate::budget::Clock;
use crate::geometry::simd::{F64x4, Simd, multiversion, sub3};
use crate::geometry::{Aabb, Point};
use crate::{MAX_COORDINATE, Positions};

/// What was seen of the positions.
pub(super) struct Copied {
    pub bounds: Aabb,
    pub steps: Motion,
    /// Whether all are numbers that the engine takes.
    pub is_valid: bool,
}

/// Points that are copied between two looks at the clock: some ten microseconds.
const PIECE: usize = 8192;

/// [`copy`] as long as it is not late; `None` when it is.
pub(super) fn copy_until(
    given: Positions<'_>,
    old: &[Point],
    new: &mut [Point],
    clock: Clock,
) -> Option<Copied> {
    if !clock.is_set() {
        return Some(copy(given, old, new));
    }
    let nothing = copy(given.slice(0..0), &[], &mut []);
    let pieces = old.chunks(PIECE).zip(new.chunks_mut(PIECE)).enumerate();
    pieces.into_iter().try_fold(nothing, |all, (n, (old, new))| {
        let first = n * PIECE;
        let piece = (!clock.is_late()).then(|| copy(given.slice(first..first + old.len()), old, new))?;
        Some(all.with(&piece))
    })
}

impl Copied {
    fn with(&self, other: &Self) -> Self {
        let [steps, more] = [&self.steps, &other.steps].map(|m| Aabb { min: m.min, max: m.max });
        let Aabb { min, max } = steps.union(&more);
        let is_valid = self.is_valid && other.is_valid;
        Self { bounds: self.bounds.union(&other.bounds), steps: Motion { min, max }, is_valid }
    }
}

multiversion! {
    /// Copies positions to `new`, and looks at them on the way; they were `old`.
    pub fn copy<S: Simd>(simd: S, given: Positions<'_>, old: &[Point], new: &mut [Point]) -> Copied {
        match given {
            Positions::F64(p) => copy_from(simd, p, old, new, |x| x),
            Positions::F32(p) => copy_from(simd, p, old, new, f64::from),
        }
    }
}

/// Four points: twelve numbers, three registers.
const STRIDE: usize = 12;
/// Strides between two looks at whether all are numbers; they stay in the first cache.
const STRIDES: usize = 32;

/// The smallest and largest of each of twelve numbers.
struct Range<S: Simd> {
    least: [S::F64x4; 3],
    most: [S::F64x4; 3],
}

impl<S: Simd> Range<S> {
    #[inline(always)]
    fn empty(simd: S) -> Self {
        let all = |x: f64| [S::F64x4::splat(simd, x); 3];
        Self { least: all(f64::INFINITY), most: all(f64::NEG_INFINITY) }
    }

    /// Not in a loop: the twelve registers that this needs would be kept in memory, and where that is not aligned an update
    /// takes twice the time.
    #[inline(always)]
    fn add(&mut self, [x, y, z]: [S::F64x4; 3]) {
        self.least[0] = x.min(self.least[0]);
        self.least[1] = y.min(self.least[1]);
        self.least[2] = z.min(self.least[2]);
        self.most[0] = x.max(self.most[0]);
        self.most[1] = y.max(self.most[1]);
        self.most[2] = z.max(self.most[2]);
    }

    /// By coordinate: every third number is of the same.
    #[inline(always)]
    fn corners(&self) -> [Point; 2] {
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

#[inline(always)]
fn copy_from<S: Simd, T: Copy>(
    simd: S,
    from: &[[T; 3]],
    old: &[Point],
    new: &mut [Point],
    wide: impl Fn(T) -> f64,
) -> Copied {
    let (from, old, new) = (from.as_flattened(), old.as_flattened(), new.as_flattened_mut());
    let (mut bounds, mut steps, mut is_valid) = (Range::empty(simd), Range::empty(simd), true);
    let chunks = from.chunks(STRIDES * STRIDE).zip(old.chunks(STRIDES * STRIDE));
    for ((from, old), new) in chunks.zip(new.chunks_mut(STRIDES * STRIDE)) {
        let mut good = 0;
        for (x, from) in new.iter_mut().zip(from) {
            *x = wide(*from);
            // NaN and infinities fail the comparison too.
            good += u64::from(x.abs() <= MAX_COORDINATE);
        }
        is_valid &= good == from.len() as u64;
        let (strides, rest) = new.as_chunks::<STRIDE>();
        let (old_strides, old_rest) = old.as_chunks::<STRIDE>();
        for (x, old) in strides.iter().zip(old_strides) {
            let (x, old) = (fours(simd, x), fours(simd, old));
            bounds.add(x);
            steps.add(sub3(x, old));
        }
        if !rest.is_empty() {
            // Pad with the first leftover point; min and max do not change.
            let fill = |row: &[f64]| -> [f64; STRIDE] {
                std::array::from_fn(|i| row[if i < row.len() { i } else { i % 3 }])
            };
            let (x, old) = (fours(simd, &fill(rest)), fours(simd, &fill(old_rest)));
            bounds.add(x);
            steps.add(sub3(x, old));
        }
    }
    let ([min, max], [back, ahead]) = (bounds.corners(), steps.corners());
    Copied { bounds: Aabb { min, max }, steps: Motion { min: back, max: ahead }, is_valid }
}

#[inline(always)]
fn fours<S: Simd>(simd: S, x: &[f64; STRIDE]) -> [S::F64x4; 3] {
    let four = |i: usize| S::F64x4::from_array(simd, [x[i], x[i + 1], x[i + 2], x[i + 3]]);
    [four(0), four(4), four(8)]
}
