//! A box at the start of a step and a box at its end, and when two of them are apart.

use crate::geometry::Aabb32;

/// What an image and the arithmetic here may be off, in the coordinates of the map.
///
/// Images are at most 1 in size. One is off by less than 2^-23.9 ([`Map`](crate::geometry::Map)), so a gap between two of them
/// by 2^-22.9; a difference, a product and a sum of numbers of size at most 2 round by 2^-23 each, twice that where
/// they are made of two. All this is less than 2^-20.
pub(crate) const MARGIN: f32 = 1.0 / (1 << 20) as f32;

/// Holds every point at the start in one box, at the end in another; so in between it holds them in the box whose faces move
/// at constant speed from one to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MovingBox {
    pub start: Aabb32,
    pub end: Aabb32,
}

impl MovingBox {
    /// Holds nothing; the neutral element of [`MovingBox::union`].
    pub const EMPTY: Self = Self { start: Aabb32::EMPTY, end: Aabb32::EMPTY };

    #[inline(always)]
    pub fn union(&self, other: &Self) -> Self {
        Self { start: self.start.union(&other.start), end: self.end.union(&other.end) }
    }

    /// Larger by this much on every side, at both ends.
    #[inline(always)]
    pub fn widened(&self, by: f32) -> Self {
        let mut wide = *self;
        for bounds in [&mut wide.start, &mut wide.end] {
            for k in 0..3 {
                bounds.min[k] -= by;
                bounds.max[k] += by;
            }
        }
        wide
    }

    /// To tell which of two is larger.
    #[inline(always)]
    pub fn girth(&self) -> f32 {
        self.start.girth() + self.end.girth()
    }

    /// Whether one axis separates them at both ends: then it does at all times, see [the page](super).
    #[inline(always)]
    pub fn is_separated(&self, other: &Self) -> bool {
        (0..3).fold(false, |any, k| {
            let above = (other.start.min[k] > self.start.max[k]) & (other.end.min[k] > self.end.max[k]);
            let below = (other.start.max[k] < self.start.min[k]) & (other.end.max[k] < self.end.min[k]);
            any | above | below
        })
    }

    /// Whether nothing in one can meet anything in the other at a time up to `until`. "No" is always right.
    ///
    /// A gap along an axis that is surely at least g at the start and h at the end is at least (1 − t) g + t h at t. With g > 0 ≥ h
    /// it is open before g/(g − h), with g ≤ 0 < h after that. What is left of [0, `until`] is the window in which no axis
    /// separates; if there is none, they never meet. g and h are lowered by [`MARGIN`]; the quotient is off by 2^-23 of
    /// itself, or by less than 10^-30 where it underflows.
    #[inline]
    pub fn is_apart(&self, other: &Self, until: f32) -> bool {
        const UP: f32 = 1.0 + MARGIN;
        const DOWN: f32 = 1.0 - MARGIN;
        if self.is_separated(other) {
            return true;
        }
        let (mut first, mut last) = (0f32, until);
        for k in 0..3 {
            for (low, high) in [(self, other), (other, self)] {
                let g = high.start.min[k] - low.start.max[k] - MARGIN;
                let h = high.end.min[k] - low.end.max[k] - MARGIN;
                if g > 0.0 && h <= 0.0 {
                    first = first.max(g / (g - h) * DOWN);
                } else if h > 0.0 && g <= 0.0 {
                    last = last.min(g / (g - h) * UP);
                }
            }
        }
        first > last + 1e-30
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes() -> impl Strategy<Value = MovingBox> {
        let one = || {
            ([-8i8..8, -8..8, -8..8], [0i8..5, 0..5, 0..5]).prop_map(|(min, size)| {
                let at = |x: i8| f32::from(x) / 16.0;
                Aabb32::new(min.map(at), [0, 1, 2].map(|k| at(min[k] + size[k])))
            })
        };
        (one(), one()).prop_map(|(start, end)| MovingBox { start, end })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn boxes_that_are_apart_never_meet(a in boxes(), b in boxes(), until in 0..5u8) {
            let until = f32::from(until) / 4.0;
            // Exact: multiples of 2^-4 at times that are multiples of 2^-7.
            let at = |c: &MovingBox, t: f32| {
                let mix = |p: [f32; 3], q: [f32; 3]| [0, 1, 2].map(|k| (1.0 - t) * p[k] + t * q[k]);
                Aabb32::new(mix(c.start.min3(), c.end.min3()), mix(c.start.max3(), c.end.max3()))
            };
            let meet = |until: f32| {
                (0..129u8).map(|i| f32::from(i) / 128.0).any(|t| t <= until && at(&a, t).overlaps(&at(&b, t)))
            };
            if a.is_apart(&b, until) {
                prop_assert!(!meet(until));
            }
            prop_assert_eq!(a.is_apart(&b, until), b.is_apart(&a, until));
            prop_assert!(a.is_apart(&b, until) || !a.is_separated(&b));
        }
    }

    #[test]
    fn windows_that_do_not_meet() {
        let at = |x: f32, y: f32| Aabb32::new([x, y, 0.0], [x + 0.1, y + 0.1, 0.1]);
        let still = MovingBox { start: at(0.0, 0.0), end: at(0.0, 0.0) };
        let corner = MovingBox { start: at(0.5, -0.25), end: at(-0.25, 0.5) };
        assert!(corner.is_apart(&still, 1.0) && !corner.is_separated(&still), "past the corner");
        let through = MovingBox { start: at(0.5, 0.0), end: at(-0.5, 0.0) };
        assert!(
            !through.is_apart(&still, 1.0)
                && through.is_apart(&still, 0.39)
                && !through.is_apart(&still, 0.41)
        );
    }
}
