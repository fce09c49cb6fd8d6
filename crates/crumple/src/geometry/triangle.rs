//! What three points make: a triangle, a segment or a point.

use super::vector::{cross, dot, sub};
use super::{Point, predicates};

/// What a closed triangle is as a set, decided exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// All corners coincide.
    Point,
    /// All corners lie on one line; the corners with these numbers are its ends.
    Segment(usize, usize),
    /// It has an area, which does not vanish when seen along this axis.
    Triangle(usize),
}

/// What the triangle is as a set.
pub fn shape(t: &[Point; 3]) -> Shape {
    let n = normal(t).map(f64::abs);
    // The axis with the largest projected area first: its sign is the one that the filter settles.
    let first = if n[0] >= n[1] && n[0] >= n[2] { 0 } else { 1 + usize::from(n[2] > n[1]) };
    for k in [first, (first + 1) % 3, (first + 2) % 3] {
        if predicates::orient_along(k, &t[0], &t[1], &t[2]) != 0 {
            return Shape::Triangle(k);
        }
    }
    // Along a line every coordinate that changes is monotone, so its extremes are the ends.
    let Some(k) = (0..3).find(|&k| t[0][k] != t[1][k] || t[0][k] != t[2][k]) else { return Shape::Point };
    let by = |i: &usize, j: &usize| t[*i][k].total_cmp(&t[*j][k]);
    let low = (0..3).min_by(by).unwrap_or(0);
    let high = (0..3).max_by(by).unwrap_or(0);
    Shape::Segment(low, high)
}

/// Whether the triangle has exactly no area.
pub fn is_degenerate(t: &[Point; 3]) -> bool {
    predicates::collinear(&t[0], &t[1], &t[2])
}

/// The corners of a triangle where they lie among the positions of a mesh.
///
/// By reference, for the tests that take them so: a copy in between doubles the time of a triangle test.
///
/// # Panics
/// When an id is out of range.
#[inline(always)]
pub fn corners(positions: &[Point], ids: [u32; 3]) -> [&Point; 3] {
    let [i, j, k] = ids;
    [&positions[i as usize], &positions[j as usize], &positions[k as usize]]
}

/// The normal, as long as twice the area.
#[inline]
pub fn normal(t: &[Point; 3]) -> Point {
    cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0]))
}

/// The area.
pub fn area(t: &[Point; 3]) -> f64 {
    let n = normal(t);
    0.5 * dot(&n, &n).sqrt()
}

/// The mean of the corners.
pub fn centroid(t: &[Point; 3]) -> Point {
    std::array::from_fn(|k| t[0][k] / 3.0 + t[1][k] / 3.0 + t[2][k] / 3.0)
}
