//! Points, segments and triangles in every position, exactly.
//!
//! The complete, slow test behind the fast paths: whatever is coplanar, collinear or degenerate comes here. A
//! set of up to three points is first named for what it is ([`Simplex::of`]); then a pair of simplices is taken apart
//! until only orientation signs and comparisons of coordinates are left.

use crate::geometry::predicates::{on_segment, orient_along, orient3d};
use crate::geometry::triangle::{Shape, shape};
use crate::geometry::{Aabb, Point};

/// A closed point, segment or triangle, none of them degenerate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Simplex {
    /// One point.
    Point(Point),
    /// Two different end points.
    Segment([Point; 2]),
    /// Corners that are not on one line, and an axis along which the triangle is seen with non-zero area.
    Triangle([Point; 3], usize),
}

impl Simplex {
    /// The convex hull of a triangle's corners.
    pub fn of(t: &[Point; 3]) -> Simplex {
        match shape(t) {
            Shape::Point => Simplex::Point(t[0]),
            Shape::Segment(i, j) => Simplex::Segment([t[i], t[j]]),
            Shape::Triangle(axis) => Simplex::Triangle(*t, axis),
        }
    }

    /// The convex hull of a segment's ends.
    pub fn of_segment(s: &[Point; 2]) -> Simplex {
        if s[0] == s[1] { Simplex::Point(s[0]) } else { Simplex::Segment(*s) }
    }

    /// Whether the two closed sets have a common point.
    pub fn meets(&self, other: &Simplex) -> bool {
        use Simplex::{Point, Segment, Triangle};
        match (self, other) {
            (Point(p), Point(q)) => p == q,
            (Point(p), Segment([a, b])) | (Segment([a, b]), Point(p)) => on_segment(p, a, b),
            (Point(p), Triangle(t, axis)) | (Triangle(t, axis), Point(p)) => {
                orient3d(&t[0], &t[1], &t[2], p) == 0 && in_flat_triangle(p, t, *axis)
            }
            (Segment(s), Segment(r)) => segments_meet(s, r),
            (Segment(s), Triangle(t, axis)) | (Triangle(t, axis), Segment(s)) => {
                segment_meets_triangle(s, t, *axis)
            }
            (Triangle(t, i), Triangle(r, j)) => {
                edges(t).iter().any(|s| segment_meets_triangle(s, r, *j))
                    || edges(r).iter().any(|s| segment_meets_triangle(s, t, *i))
            }
        }
    }
}

/// The edges of a triangle; edge i runs from corner i to the next.
pub(crate) fn edges(t: &[Point; 3]) -> [[Point; 2]; 3] {
    [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]
}

/// Whether `p`, known to be in the plane of `t`, lies in it. `axis` as in [`Simplex::Triangle`].
pub(crate) fn in_flat_triangle(p: &Point, t: &[Point; 3], axis: usize) -> bool {
    let s = edges(t).map(|[a, b]| orient_along(axis, &a, &b, p));
    s.iter().all(|&s| s >= 0) || s.iter().all(|&s| s <= 0)
}

/// Whether two proper segments have a common point.
fn segments_meet(s: &[Point; 2], r: &[Point; 2]) -> bool {
    let ([p, q], [a, b]) = (s, r);
    if !Aabb::of(s).overlaps(&Aabb::of(r)) || orient3d(p, q, a, b) != 0 {
        return false;
    }
    // Seen along an axis that keeps some three of the four ends apart from a line, the common plane is seen one to one.
    for k in 0..3 {
        let (a_side, b_side) = (orient_along(k, p, q, a), orient_along(k, p, q, b));
        let (p_side, q_side) = (orient_along(k, a, b, p), orient_along(k, a, b, q));
        if [a_side, b_side, p_side, q_side] != [0; 4] {
            return a_side * b_side <= 0 && p_side * q_side <= 0;
        }
    }
    true // All on one line, where overlapping boxes are overlapping segments.
}

/// Whether a proper segment and a proper triangle have a common point.
fn segment_meets_triangle(s: &[Point; 2], t: &[Point; 3], axis: usize) -> bool {
    let [p, q] = s;
    let [a, b, c] = t;
    let sides = (orient3d(a, b, c, p), orient3d(a, b, c, q));
    if sides == (0, 0) {
        in_flat_triangle(p, t, axis)
            || in_flat_triangle(q, t, axis)
            || edges(t).iter().any(|e| flat_segments_meet(s, e, axis))
    } else {
        sides.0 * sides.1 <= 0 && line_pierces(p, q, t)
    }
}

/// Whether two segments in one plane, seen one to one along `axis`, have a common point.
fn flat_segments_meet(s: &[Point; 2], r: &[Point; 2], axis: usize) -> bool {
    let ([p, q], [a, b]) = (s, r);
    orient_along(axis, p, q, a) * orient_along(axis, p, q, b) <= 0
        && orient_along(axis, a, b, p) * orient_along(axis, a, b, q) <= 0
        && Aabb::of(s).overlaps(&Aabb::of(r)) // decides when all four are on one line
}

/// Whether the line through `p` and `q`, which crosses the plane of `t` in one point, does so within `t`.
#[inline]
pub(crate) fn line_pierces(p: &Point, q: &Point, t: &[Point; 3]) -> bool {
    let [a, b, c] = t;
    let first = orient3d(p, q, a, b);
    let second = orient3d(p, q, b, c);
    if first * second < 0 {
        return false;
    }
    let third = orient3d(p, q, c, a);
    first * third >= 0 && second * third >= 0
}
