//! Certain signs in the plane of a projection: of points at rest, or of points on the way from one place to another.
//!
//! Positions are scaled so that the frame lies within [−1, 1]³; projected coordinates then are off by less than
//! [`OFF`]. A determinant of two differences with absolute sum S is off by 2·OFF·S + 8·OFF² from the coordinates and
//! by 4·2^-53·S² from rounding, S ≤ 14: together less than 16·OFF·(S + OFF).
//!
//! # Points that move
//! A [`Track`] has the places of a point at the ends of a step; in between it moves on a straight line. The product (cross
//! or dot) of two moving differences is quadratic in time. Its Bernstein ordinates are the products at the start and at the
//! end, and half the sum of the two mixed products; where all three have one sign, so has the product at all times. The
//! mixed ordinate is off by half the sum of two bounds, 16·OFF·((S₀ + S₁)/2 + OFF), and by a rounding for which half of
//! the 16 is room enough.

use crate::geometry::vector;

/// A point of the projection.
pub(crate) type Point2 = [f64; 2];

/// A point at rest (N = 1), or where it is at the start and at the end of a step (N = 2).
pub(crate) type Track<const N: usize> = [Point2; N];

/// More than the error of a projected coordinate: three products of numbers below 1 in magnitude, the subtraction of
/// the origin and their sum, 7·2^-53 with unit axes.
pub(crate) const OFF: f64 = 1e-15;

/// Cross product of two differences, if it certainly has one sign at all times, else 0.
#[inline]
pub(crate) fn certain_cross<const N: usize>(u: Track<N>, v: Track<N>) -> f64 {
    certain(u, v, |a, b| a[0] * b[1] - a[1] * b[0])
}

/// Dot product of two differences, if it certainly has one sign at all times, else 0.
#[inline]
pub(crate) fn certain_dot<const N: usize>(u: Track<N>, v: Track<N>) -> f64 {
    certain(u, v, |a, b| a[0] * b[0] + a[1] * b[1])
}

#[inline(always)]
fn certain<const N: usize>(u: Track<N>, v: Track<N>, product: impl Fn(Point2, Point2) -> f64) -> f64 {
    let size = |i: usize| u[i][0].abs() + u[i][1].abs() + v[i][0].abs() + v[i][1].abs();
    let is_certain = |x: f64, size: f64| x.abs() > 16.0 * OFF * (size + OFF);
    let first = product(u[0], v[0]);
    if !is_certain(first, size(0)) {
        return 0.0;
    }
    if N == 2 {
        let last = product(u[N - 1], v[N - 1]);
        let mixed = 0.5 * (product(u[0], v[N - 1]) + product(u[N - 1], v[0]));
        let sizes = [size(N - 1), 0.5 * (size(0) + size(N - 1))];
        let is_same = |x: f64, size: f64| is_certain(x, size) && (x > 0.0) == (first > 0.0);
        if !is_same(last, sizes[0]) || !is_same(mixed, sizes[1]) {
            return 0.0;
        }
    }
    first
}

#[inline]
pub(crate) fn minus<const N: usize>(a: Track<N>, b: Track<N>) -> Track<N> {
    std::array::from_fn(|i| [a[i][0] - b[i][0], a[i][1] - b[i][1]])
}

/// Whether direction `d` is certainly outside the closed sector from `from` counter-clockwise to `to`.
///
/// Where the opening is uncertain, or its sign changes, but the sides of the sector point apart, a direction on the right of
/// the first and on the left of the second is outside a sector of less than half a turn and of more.
pub(crate) fn is_beyond<const N: usize>(from: Track<N>, to: Track<N>, d: Track<N>) -> bool {
    let opening = certain_cross(from, to);
    if opening > 0.0 {
        certain_cross(from, d) < 0.0 || certain_cross(d, to) < 0.0
    } else if opening < 0.0 {
        certain_cross(to, d) > 0.0 && certain_cross(d, from) > 0.0
    } else {
        certain_dot(from, to) < 0.0 && certain_cross(from, d) < 0.0 && certain_cross(d, to) < 0.0
    }
}

/// The box of points at each end, grown by [`OFF`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct EdgeBoxes<const N: usize> {
    pub min: Track<N>,
    pub max: Track<N>,
}

impl<const N: usize> EdgeBoxes<N> {
    /// Those of one edge.
    #[inline]
    pub fn of_edge(p: &Track<N>, q: &Track<N>) -> Self {
        let (mut min, mut max) = (*p, *p);
        for i in 0..N {
            for k in 0..2 {
                min[i][k] = vector::min(p[i][k], q[i][k]) - OFF;
                max[i][k] = vector::max(p[i][k], q[i][k]) + OFF;
            }
        }
        Self { min, max }
    }

    /// Whether no axis separates the two at both ends, hence at all times.
    #[inline]
    pub fn may_meet(&self, other: &Self) -> bool {
        let is_below =
            |a: &Self, b: &Self, k: usize| (0..N).fold(true, |all, i| all & (a.max[i][k] < b.min[i][k]));
        !(is_below(self, other, 0)
            | is_below(other, self, 0)
            | is_below(self, other, 1)
            | is_below(other, self, 1))
    }
}

/// Whether two segments certainly have no common point: one lies strictly on one side of the other's line, at all times.
pub(crate) fn segments_are_apart<const N: usize>(p: Track<N>, q: Track<N>, r: Track<N>, s: Track<N>) -> bool {
    let one_side = |a: Track<N>, b: Track<N>, c: Track<N>, d: Track<N>| {
        let line = minus(b, a);
        certain_cross(line, minus(c, a)) * certain_cross(line, minus(d, a)) > 0.0
    };
    one_side(p, q, r, s) || one_side(r, s, p, q)
}
