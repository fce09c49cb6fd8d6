//! Certain signs in the plane of a projection.
//!
//! Positions are scaled so that the frame lies within [−1, 1]³; projected coordinates then are off by less than
//! [`OFF`]. A determinant of two differences with absolute sum S is off by 2·OFF·S + 8·OFF² from the coordinates and
//! by 4·2^-53·S² from rounding, S ≤ 14: together less than 16·OFF·(S + OFF).

/// A point of the projection.
pub(crate) type Point2 = [f64; 2];

/// More than the error of a projected coordinate: three products of numbers below 1 in magnitude, the subtraction of
/// the origin and their sum, 7·2^-53 with unit axes.
pub(crate) const OFF: f64 = 1e-15;

/// Cross product of two differences, if its sign is certain, else 0.
#[inline]
pub(crate) fn certain_cross(u: Point2, v: Point2) -> f64 {
    certain(u[0] * v[1] - u[1] * v[0], u, v)
}

/// Dot product of two differences, if its sign is certain, else 0.
#[inline]
pub(crate) fn certain_dot(u: Point2, v: Point2) -> f64 {
    certain(u[0] * v[0] + u[1] * v[1], u, v)
}

#[inline]
fn certain(x: f64, u: Point2, v: Point2) -> f64 {
    let size = u[0].abs() + u[1].abs() + v[0].abs() + v[1].abs();
    if x.abs() > 16.0 * OFF * (size + OFF) { x } else { 0.0 }
}

#[inline]
pub(crate) fn minus(a: Point2, b: Point2) -> Point2 {
    [a[0] - b[0], a[1] - b[1]]
}

/// Whether direction `d` is certainly outside the closed sector from `from` counter-clockwise to `to`.
pub(crate) fn is_beyond(from: Point2, to: Point2, d: Point2) -> bool {
    let opening = certain_cross(from, to);
    if opening > 0.0 {
        certain_cross(from, d) < 0.0 || certain_cross(d, to) < 0.0
    } else if opening < 0.0 {
        certain_cross(to, d) > 0.0 && certain_cross(d, from) > 0.0
    } else {
        certain_dot(from, to) < 0.0 && certain_cross(from, d) < 0.0 && certain_cross(d, to) < 0.0
    }
}

/// The box of points, grown by [`OFF`].
pub(crate) fn bounds(points: &[Point2]) -> (Point2, Point2) {
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in points {
        for k in 0..2 {
            min[k] = if p[k] < min[k] { p[k] } else { min[k] };
            max[k] = if p[k] > max[k] { p[k] } else { max[k] };
        }
    }
    (min.map(|x| x - OFF), max.map(|x| x + OFF))
}

/// Whether two segments certainly have no common point: one lies strictly on one side of the other's line.
pub(crate) fn segments_are_apart(p: Point2, q: Point2, r: Point2, s: Point2) -> bool {
    let one_side = |a: Point2, b: Point2, c: Point2, d: Point2| {
        let line = minus(b, a);
        certain_cross(line, minus(c, a)) * certain_cross(line, minus(d, a)) > 0.0
    };
    one_side(p, q, r, s) || one_side(r, s, p, q)
}
