//! Axis-aligned boxes: exact in `f64`, and half the size in `f32` relative to an origin, rounded outward.

use super::Point;

/// The largest `f32` that is not above `x`.
#[inline]
pub fn round_down(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) > x { near.next_down() } else { near }
}

/// The smallest `f32` that is not below `x`.
#[inline]
pub fn round_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}

/// An `f32` not above the exact difference `x − origin`, at most two steps from the best.
///
/// The exact difference is at least half way from the next smaller `f64` to the rounded one, so an `f32` strictly
/// below the rounded difference is below the exact one too.
#[inline]
pub fn below(x: f64, origin: f64) -> f32 {
    let d = x - origin;
    let near = d as f32;
    if f64::from(near) >= d { near.next_down() } else { near }
}

/// An `f32` not below the exact difference `x − origin`; see [`below`].
#[inline]
pub fn above(x: f64, origin: f64) -> f32 {
    let d = x - origin;
    let near = d as f32;
    if f64::from(near) <= d { near.next_up() } else { near }
}

/// A closed box. Empty when a lower bound is above the upper.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        points.iter().fold(Aabb::EMPTY, |b, p| b.with(p))
    }

    /// The smallest box that holds `self` and `p`.
    #[inline]
    pub fn with(&self, p: &Point) -> Aabb {
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

    /// Square of the smallest distance between two boxes, 0 when they overlap.
    #[inline]
    pub fn distance_sq(&self, other: &Aabb) -> f64 {
        (0..3).fold(0.0, |sum, k| {
            let gap = super::vector::max(self.min[k] - other.max[k], other.min[k] - self.max[k]);
            let gap = super::vector::max(gap, 0.0);
            sum + gap * gap
        })
    }
}

/// A closed box in `f32`, relative to an origin that the owner of the box knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb32 {
    /// Smallest coordinates.
    pub min: [f32; 3],
    /// Largest coordinates.
    pub max: [f32; 3],
}

impl Aabb32 {
    /// Holds nothing; the neutral element of [`Aabb32::union`].
    pub const EMPTY: Aabb32 = Aabb32 { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// Holds `b` moved by −`origin`, exactly: both the subtraction and the conversion round outward.
    #[inline]
    pub fn relative(b: &Aabb, origin: &Point) -> Aabb32 {
        Aabb32 {
            min: std::array::from_fn(|k| below(b.min[k], origin[k])),
            max: std::array::from_fn(|k| above(b.max[k], origin[k])),
        }
    }

    /// Holds the points moved by −`origin`, exactly.
    #[inline]
    pub fn of(points: &[Point], origin: &Point) -> Aabb32 {
        Aabb32::relative(&Aabb::of(points), origin)
    }

    /// The smallest box that holds both.
    #[inline]
    pub fn union(&self, other: &Aabb32) -> Aabb32 {
        let min = |a: f32, b: f32| if a < b { a } else { b };
        let max = |a: f32, b: f32| if a > b { a } else { b };
        Aabb32 {
            min: std::array::from_fn(|k| min(self.min[k], other.min[k])),
            max: std::array::from_fn(|k| max(self.max[k], other.max[k])),
        }
    }

    /// Whether the closed boxes have a common point.
    #[inline]
    pub fn overlaps(&self, other: &Aabb32) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }
}
