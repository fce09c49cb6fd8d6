//! The pass over the positions of a frame: a copy, their box, and the box of their displacements, four numbers at a time.

use super::motion::Motion;
use crate::budget::Clock;
use crate::geometry::extremes::{Extremes, PIECE, fours, strides};
use crate::geometry::simd::{Simd, multiversion, sub3};
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
const POINTS: usize = 8192;

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
    let pieces = old.chunks(POINTS).zip(new.chunks_mut(POINTS)).enumerate();
    pieces.into_iter().try_fold(nothing, |all, (n, (old, new))| {
        let first = n * POINTS;
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

#[inline(always)]
fn copy_from<S: Simd, T: Copy>(
    simd: S,
    from: &[[T; 3]],
    old: &[Point],
    new: &mut [Point],
    wide: impl Fn(T) -> f64,
) -> Copied {
    let (from, old, new) = (from.as_flattened(), old.as_flattened(), new.as_flattened_mut());
    let (mut bounds, mut steps, mut is_valid) = (Extremes::empty(simd), Extremes::empty(simd), true);
    let chunks = from.chunks(PIECE).zip(old.chunks(PIECE));
    for ((from, old), new) in chunks.zip(new.chunks_mut(PIECE)) {
        let mut good = 0;
        for (x, from) in new.iter_mut().zip(from) {
            *x = wide(*from);
            // NaN and infinities fail the comparison too.
            good += u64::from(x.abs() <= MAX_COORDINATE);
        }
        is_valid &= good == from.len() as u64;
        let (points, left) = strides(simd, new);
        let (old_points, old_left) = strides(simd, old);
        for (x, old) in points.iter().zip(old_points) {
            let (x, old) = (fours(simd, x), fours(simd, old));
            bounds.add(x);
            steps.add(sub3(x, old));
        }
        if let (Some(x), Some(old)) = (left, old_left) {
            bounds.add(x);
            steps.add(sub3(x, old));
        }
    }
    let ([min, max], [back, ahead]) = (bounds.corners(), steps.corners());
    Copied { bounds: Aabb { min, max }, steps: Motion { min: back, max: ahead }, is_valid }
}
