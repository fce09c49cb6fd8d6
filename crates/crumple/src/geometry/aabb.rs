//! Axis-aligned boxes in `f64`.

use super::Point;

/// A closed box. Empty when a lower bound is above the upper.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: Point,
    /// Largest coordinates.
    pub max: Point,
}

impl Aabb {
    /// Holds nothing; the neutral element of [`Aabb::union`].
    pub const EMPTY: Aabb = Aabb { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };

    /// The smallest box that holds all points.
    #[inline]
    pub fn of(points: &[Point]) -> Aabb {
        Aabb::around(points)
    }

    /// The smallest box that holds all points of an iterator.
    #[inline]
    pub(crate) fn around<'p>(points: impl IntoIterator<Item = &'p Point>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, |b, p| b.with(p))
    }

    /// The smallest box that holds `self` and `p`.
    #[inline]
    pub(crate) fn with(&self, p: &Point) -> Aabb {
        self.union(&Aabb { min: *p, max: *p })
    }

    /// The smallest box that holds both.
    #[inline]
    pub fn union(&self, other: &Aabb) -> Aabb {
        Aabb {
            min: std::array::from_fn(|k| super::vector::min(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| super::vector::max(self.max[k], other.max[k])),
        }
    }

    /// The common part, empty when there is none.
    #[inline]
    #[doc(hidden)]
    pub fn intersection(&self, other: &Aabb) -> Aabb {
        Aabb {
            min: std::array::from_fn(|k| super::vector::max(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| super::vector::min(self.max[k], other.max[k])),
        }
    }

    /// Whether no point is inside.
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.min[k] > self.max[k])
    }

    /// Whether the closed boxes have a common point.
    #[inline]
    pub fn overlaps(&self, other: &Aabb) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Whether the closed box holds `p`.
    #[inline]
    pub fn contains(&self, p: &Point) -> bool {
        (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// The point of a non-empty box nearest to `p`.
    #[inline]
    #[doc(hidden)]
    pub fn clamp(&self, p: &Point) -> Point {
        std::array::from_fn(|k| super::vector::min(super::vector::max(p[k], self.min[k]), self.max[k]))
    }

    /// Half way between the bounds.
    pub fn centre(&self) -> Point {
        std::array::from_fn(|k| 0.5 * self.min[k] + 0.5 * self.max[k])
    }

    /// Edge lengths.
    pub fn size(&self) -> Point {
        std::array::from_fn(|k| self.max[k] - self.min[k])
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        let [x, y, z] = self.size();
        (x * x + y * y + z * z).sqrt()
    }

    /// How far from `p` a non-empty box reaches along any axis.
    pub(crate) fn reach_from(&self, p: &Point) -> f64 {
        (0..3).fold(0.0, |r: f64, k| r.max(self.max[k] - p[k]).max(p[k] - self.min[k]))
    }

    /// Square of the smallest distance between two boxes, 0 when they overlap.
    #[inline]
    #[doc(hidden)]
    pub fn distance_sq(&self, other: &Aabb) -> f64 {
        (0..3).fold(0.0, |sum, k| {
            let gap = super::vector::max(self.min[k] - other.max[k], other.min[k] - self.max[k]);
            let gap = super::vector::max(gap, 0.0);
            sum + gap * gap
        })
    }
}
