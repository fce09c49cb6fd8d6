//! Two segments: do they meet, and which of their points are closest?
//!
//! Where the lines come closest follows from u × v, the common normal of the directions. That keeps half the digits more
//! than the usual 2x2 system, whose determinant |u|²|v|² − (u·v)² cancels when the segments are nearly parallel. If the
//! point on one segment must be moved to an end, the other follows it, and once more; by convexity that is the minimum.

use crate::geometry::vector::{max, min};
use crate::geometry::{Aabb, Point};
use glam::DVec3;

/// The closest points of two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// Where the point of the first segment is, from 0 at its start to 1 at its end.
    pub s: f64,
    /// The same for the second segment.
    pub t: f64,
    /// The point of the first segment.
    pub a: Point,
    /// The point of the second segment.
    pub b: Point,
    /// Square of the distance.
    pub distance_sq: f64,
}

/// Whether two closed segments have a common point, exactly; either may be a point.
#[cfg(feature = "internals")]
pub fn intersects(a: &[Point; 2], b: &[Point; 2]) -> bool {
    use super::simplex::Simplex;
    Simplex::of_segment(a).meets(&Simplex::of_segment(b))
}

/// The closest points of two closed segments; either may be a point.
pub fn closest(a: &[Point; 2], b: &[Point; 2]) -> ClosestPoints {
    let ends = |s: &[Point; 2]| s.map(DVec3::from_array);
    let gap = Gap::of(ends(a), ends(b));
    ClosestPoints {
        s: gap.s,
        t: gap.t,
        a: at(a, gap.s),
        b: at(b, gap.t),
        distance_sq: gap.r.length_squared(),
    }
}

/// The shortest way from one segment to another.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    /// Parameter on the first segment, exactly 0 or 1 at its ends.
    pub(super) s: f64,
    /// Parameter on the second segment.
    pub(super) t: f64,
    /// From the point on the first to the point on the second.
    pub(super) r: DVec3,
}

impl Gap {
    #[inline(always)]
    pub(super) fn of(p: [DVec3; 2], q: [DVec3; 2]) -> Gap {
        let (u, v, w) = (p[1] - p[0], q[1] - q[0], q[0] - p[0]);
        let n = u.cross(v);
        let (uu, vv, nn) = (u.length_squared(), v.length_squared(), n.length_squared());
        let mut s = fraction(w.cross(v).dot(n), nn);
        // Not from n as well: where u × v is all rounding, t must at least be the best for this s.
        let towards = s * u.dot(v) - w.dot(v);
        let mut t = fraction(towards, vv);
        if towards <= 0.0 {
            s = fraction(w.dot(u), uu);
        } else if towards >= vv {
            s = fraction((q[1] - p[0]).dot(u), uu);
            t = 1.0;
        }
        // From the nearer ends, so that the parameters' rounding weighs least and an end is met exactly.
        let (p, s_rest) = if s <= 0.5 { (p[0], s) } else { (p[1], s - 1.0) };
        let (q, t_rest) = if t <= 0.5 { (q[0], t) } else { (q[1], t - 1.0) };
        Gap { s, t, r: (q - p) + v * t_rest - u * s_rest }
    }
}

/// `part / whole` within [0, 1]; 0 when the whole is 0.
#[inline(always)]
fn fraction(part: f64, whole: f64) -> f64 {
    if part > 0.0 { min(part / max(whole, f64::MIN_POSITIVE), 1.0) } else { 0.0 }
}

/// The point of a segment at parameter `s`, within its box.
#[inline]
pub(super) fn at(segment: &[Point; 2], s: f64) -> Point {
    let [p, q] = segment;
    let sum = std::array::from_fn(|k| (1.0 - s) * p[k] + s * q[k]);
    Aabb::of(segment).clamp(&sum)
}
