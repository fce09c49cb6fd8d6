//! What is certain of a distance that was computed in `f64`.
//!
//! Two simplices a and b, and a vector r that leads from a point of a to a point of b, up to rounding. The distance is not
//! above |r|, whatever r is. It is not below the gap along r between the corners of a and those of b either: a separating
//! axis. When r is the shortest connection the two are the same, so a good r proves itself, and where it does not, exact
//! arithmetic must ([`super::squared_distance`]).
//!
//! # The bounds
//! With u = 2^-53 and M the largest coordinate of a corner relative to the first corner of a: relative corners are off by uM
//! per coordinate, a dot product with n by 5.2 uM|n| and, by those, 1.8 uM|n|; the difference of two such by 3.5 uM|n|
//! more, together less than 32 uM|n|. A component of r is a sum of at most three differences of corners, each up to 2M,
//! times weights up to 1, with at most eight roundings: off by less than 40 uM, and |r| by less than 128 uM. What
//! underflows is below 2^-1000 of M where M is at least 2^-100.
//!
//! # Which corners matter
//! The differences of points of b and a are a convex set, and the shortest of them, r*, has |r − r*|² ≤ |r|² − |r*|² for every r in
//! it. So with bounds l ≤ |r*| and |r| ≤ h, r is off by δ = √(h² − l²) at most, and a corner that is further behind the foremost
//! one along r than δ times their distance is behind it along r* too: the closest point is in the face of the others. Two pairs
//! of triangles with the same such faces are exactly equally far apart.

use crate::geometry::Point;
use crate::geometry::vector::{max, max_abs, min};
use glam::DVec3;

/// Unit of rounding.
pub(super) const U: f64 = f64::EPSILON / 2.0;

/// Bounds of a distance, and the corners that can hold the closest points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub lower: f64,
    pub upper: f64,
    /// Corners of either simplex by bits: the distance is that of the faces that these span.
    pub support: [u8; 2],
}

impl Bounds {
    /// Whether the bounds are so close that nothing but a tie needs more.
    pub fn is_tight(&self) -> bool {
        self.upper - self.lower <= TIGHT * self.lower
    }
}

/// Width of bounds that are taken as they are, as a part of the distance.
const TIGHT: f64 = 1e-11;

/// The bounds that `r` proves; another axis may be better where the simplices are close to each other, compared to their size:
/// the normal of the closest features.
#[inline]
pub(crate) fn bounds(a: &[Point], b: &[Point], r: DVec3, normal: impl FnOnce() -> Option<DVec3>) -> Bounds {
    let origin = DVec3::from_array(a[0]);
    let (mut p, mut q) = ([DVec3::ZERO; 3], [DVec3::ZERO; 3]);
    let mut largest = 0.0;
    for (to, from) in p.iter_mut().zip(a).chain(q.iter_mut().zip(b)) {
        *to = DVec3::from_array(*from) - origin;
        largest = max(largest, max_abs(to.x, max_abs(to.y, to.z)));
    }
    let (p, q) = (&p[..a.len()], &q[..b.len()]);
    let length = r.length();
    let upper = (length + 128.0 * U * largest) * (1.0 + 8.0 * U);
    let (mut lower, highest, lowest) = gap(p, q, r, length, largest);
    if upper - lower > TIGHT * lower
        && let Some(n) = normal()
    {
        lower = max(lower, gap(p, q, n, n.length(), largest).0);
    }
    let lower = max(lower, 0.0);
    // Differences of corners are at most 2√3 M long.
    let doubt = (((upper - lower) * (upper + lower)).sqrt() + 128.0 * U * largest) * (4.0 * largest)
        + 64.0 * U * largest * length;
    let mut support = [0, 0];
    for (i, x) in p.iter().enumerate() {
        support[0] |= u8::from(highest - x.dot(r) <= doubt) << i;
    }
    for (i, x) in q.iter().enumerate() {
        support[1] |= u8::from(x.dot(r) - lowest <= doubt) << i;
    }
    Bounds { lower, upper, support }
}

/// A distance that the simplices are apart along an axis at least, and their heights there.
#[inline(always)]
fn gap(p: &[DVec3], q: &[DVec3], axis: DVec3, length: f64, largest: f64) -> (f64, f64, f64) {
    let (mut low_p, mut high_p) = (f64::INFINITY, f64::NEG_INFINITY);
    for x in p {
        let h = x.dot(axis);
        (low_p, high_p) = (min(low_p, h), max(high_p, h));
    }
    let (mut low_q, mut high_q) = (f64::INFINITY, f64::NEG_INFINITY);
    for x in q {
        let h = x.dot(axis);
        (low_q, high_q) = (min(low_q, h), max(high_q, h));
    }
    // A normal may point either way.
    let gap = max(low_q - high_p, low_p - high_q);
    // Below this the products have underflowed.
    if length < 1e-140 {
        return (0.0, high_p, low_q);
    }
    (gap / length * (1.0 - 8.0 * U) - 32.0 * U * largest, high_p, low_q)
}

/// Above every distance that any of these could be: `x`, rounded up.
pub(crate) fn length_above(x: DVec3) -> f64 {
    length(x) * (1.0 + 8.0 * U) + f64::from_bits(1)
}

/// The length of a vector that may be tiny.
pub(crate) fn length(x: DVec3) -> f64 {
    let largest = x.abs().max_element();
    if largest < 1e-140 {
        // Squares would underflow.
        return (x * 2f64.powi(900)).length() * 2f64.powi(-900);
    }
    x.length()
}
