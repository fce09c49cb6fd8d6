//! Two segments: do they meet, and which of their points are closest?
//!
//! Where neither closest point is an end, both follow from u × v, the common normal of the directions. That keeps half
//! the digits more than the usual 2x2 system |u|²|v|² − (u·v)², which cancels when the segments are nearly parallel.

use super::point_tri::along;
use super::simplex::Simplex;
use crate::geometry::{Aabb, Point};
use glam::DVec3;

/// The closest points of two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
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
pub fn intersects(a: &[Point; 2], b: &[Point; 2]) -> bool {
    Simplex::of_segment(a).meets(&Simplex::of_segment(b))
}

/// The closest points of two closed segments; either may be a point.
pub fn closest(a: &[Point; 2], b: &[Point; 2]) -> Closest {
    let (pa, pb) = (a.map(DVec3::from_array), b.map(DVec3::from_array));
    let (u, v) = (pa[1] - pa[0], pb[1] - pb[0]);
    let mut best: Option<(f64, f64, f64)> = None;
    let mut keep = |s: f64, t: f64, r: DVec3| {
        let d = r.length_squared();
        if best.is_none_or(|b| d < b.2) {
            best = Some((s, t, d));
        }
    };
    for (end, p) in pa.iter().enumerate() {
        let (t, r) = along(pb[0] - p, v, pb[1] - p);
        keep(end as f64, t, r);
    }
    for (end, q) in pb.iter().enumerate() {
        let (s, r) = along(pa[0] - q, u, pa[1] - q);
        keep(s, end as f64, r);
    }
    if let Some((s, t, r)) = inside(pa[0], u, pb[0], v) {
        keep(s, t, r);
    }
    let (s, t, distance_sq) = best.unwrap_or((0.0, 0.0, f64::INFINITY));
    Closest { s, t, a: at(a, s), b: at(b, t), distance_sq }
}

/// The closest points of the lines `p + s u` and `q + t v` when both are inside the segments, and the vector between.
#[inline(always)]
pub(super) fn inside(p: DVec3, u: DVec3, q: DVec3, v: DVec3) -> Option<(f64, f64, DVec3)> {
    let (n, w) = (u.cross(v), q - p);
    let nn = n.length_squared();
    let (s, t) = (w.cross(v).dot(n), w.cross(u).dot(n));
    if s > 0.0 && s < nn && t > 0.0 && t < nn {
        let (s, t) = (s / nn, t / nn);
        Some((s, t, w + v * t - u * s))
    } else {
        None
    }
}

/// The point of a segment at parameter `s`, within its box.
#[inline]
pub(super) fn at(segment: &[Point; 2], s: f64) -> Point {
    let [p, q] = segment;
    let sum = std::array::from_fn(|k| (1.0 - s) * p[k] + s * q[k]);
    Aabb::of(segment).clamp(&sum)
}
