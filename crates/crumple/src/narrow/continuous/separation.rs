//! Do two features come closer than a distance while they move? Conservative: a "no" is certain, a "yes" may be early by a
//! stated band.
//!
//! The distance at time t is that of the origin from the hull of the difference vectors vᵢ(t). For a unit vector w it is at
//! least the least of w·vᵢ(t), and each of these is linear in t. So from the closest points at one time follows, without
//! iteration, how long the features surely stay further apart than d: until the first of the lines comes down to d. There
//! the closest points are taken anew (conservative advancement, with lines instead of a bound of the speed). It ends when
//! no line comes down any more (never closer), or when the distance is within the band of d.
//!
//! Nothing is exact here and nothing needs to be: w is any vector, and its lines are lowered by the bound of their errors.
//! w·v is three terms with the roundings of a difference, a product and two sums: 4u Σ |wₖ| mₖ; 6u is taken, so that the
//! roundings of the bound and of d |w| are in it, and 2^-760 for products that underflow. A crossing time is a quotient of
//! differences of exact numbers, three roundings; it is taken lower by 8u.
//!
//! Distances are Euclidean. For distance 0 ask [`super::vertex_triangle`] and [`super::edge_edge`], which are exact.

use super::filter::{LIMIT, TINY};
use super::motion::Motion;
use crate::geometry::Point;
use crate::geometry::vector::{dot, max, min, sub};
use crate::narrow::{point_tri, seg_seg};

/// Two features come, or may come, within the distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Approach {
    /// Before this time they are certainly further apart.
    pub after: f64,
    /// Their distance at that time, rounded: at most `1 + `[`BAND`] times the one asked about, unless the search gave up.
    pub distance: f64,
}

/// Features that come this near to the distance asked about, relative to it, are told.
pub const BAND: f64 = 1e-7;

/// A search gives up after so many steps, and says so by the distance that it reached. Grazing motions take some tens.
const ITERATIONS: u32 = 1000;

/// When a vertex, the first point, comes within `distance` of a triangle, the other three. `None` is certain: up to
/// `until`, or 1 if that is less, they stay further apart.
#[must_use]
pub fn vertex_triangle(start: &[Point; 4], end: &[Point; 4], distance: f64, until: f64) -> Option<Approach> {
    approach(&Motion::<3>::of(start, end), distance, until, |v| {
        point_tri::closest(&[0.0; 3], &[v[0], v[1], v[2]]).point
    })
}

/// When two edges, each two points, come within `distance`. `None` is certain: up to `until`, or 1 if that is less, they
/// stay further apart.
#[must_use]
pub fn edge_edge(start: &[Point; 4], end: &[Point; 4], distance: f64, until: f64) -> Option<Approach> {
    approach(&Motion::<4>::of(start, end), distance, until, |v| {
        // Seen from a0; d00 − d10 is a1 − a0.
        let closest = seg_seg::closest(&[[0.0; 3], sub(&v[0], &v[2])], &[v[0], v[1]]);
        sub(&closest.b, &closest.a)
    })
}

/// Whether a vertex and a triangle certainly stay further apart than `distance`, looked at along the direction of their middles alone.
#[inline]
pub(crate) fn vertex_triangle_stay_apart(start: &[Point; 4], end: &[Point; 4], distance: f64) -> bool {
    Motion::<3>::of(start, end).stay_apart(distance)
}

/// The same for two edges.
#[inline]
pub(crate) fn edge_edge_stay_apart(start: &[Point; 4], end: &[Point; 4], distance: f64) -> bool {
    Motion::<4>::of(start, end).stay_apart(distance)
}

/// `closest` yields the point closest to the origin of the hull of the vectors, rounded.
fn approach<const K: usize>(
    motion: &Motion<K>,
    distance: f64,
    until: f64,
    closest: impl Fn(&[Point; K]) -> Point,
) -> Option<Approach> {
    let (mut t, until) = (0.0, min(until, 1.0));
    for step in 0.. {
        let now = motion.at(t);
        let w = closest(&now);
        let length = dot(&w, &w).sqrt();
        let found = Some(Approach { after: t, distance: length });
        if length <= distance * (1.0 + BAND) || step == ITERATIONS {
            return found;
        }
        match motion.apart_along(&w.map(|x| x / length), distance, t) {
            Some(later) if later > until => return None,
            Some(later) if later > t => t = later,
            // No progress, or numbers out of range.
            _ => return found,
        }
    }
    None
}

impl<const K: usize> Motion<K> {
    /// About where the vectors are at a time.
    pub fn at(&self, t: f64) -> [Point; K] {
        std::array::from_fn(|i| std::array::from_fn(|k| (1.0 - t) * self.start[i][k] + t * self.end[i][k]))
    }

    /// Whether all vectors certainly have more than `distance` along their mean half-way, throughout.
    #[inline(always)]
    fn stay_apart(&self, distance: f64) -> bool {
        let mut w = [0.0; 3];
        for k in 0..3 {
            for i in 0..K {
                w[k] += self.start[i][k] + self.end[i][k];
            }
        }
        let length = dot(&w, &w).sqrt();
        let until = self.apart_along(&w.map(|x| x / length), distance, 0.0);
        until == Some(f64::INFINITY)
    }

    /// Until when, from `t` on, all vectors certainly have more than `distance` along `w`; infinity if to the end. `None` if
    /// that is not certain at `t`.
    pub fn apart_along(&self, w: &Point, distance: f64, t: f64) -> Option<f64> {
        const UNIT: f64 = f64::EPSILON / 2.0;
        let (mut size, mut largest) = (0.0, 0.0);
        for k in 0..3 {
            let m = (0..K).fold(0.0, |m, i| max(m, max(self.start[i][k].abs(), self.end[i][k].abs())));
            size += w[k].abs() * m;
            largest = max(largest, m);
        }
        // |w| is 1 up to its own rounding, which is measured.
        let needed = distance * max(1.0, dot(w, w)) * (1.0 + 8.0 * UNIT) + 6.0 * UNIT * size + TINY;
        if largest >= LIMIT || !needed.is_finite() {
            return None;
        }
        let mut until = f64::INFINITY;
        for i in 0..K {
            let (s, e) = (dot(w, &self.start[i]), dot(w, &self.end[i]));
            if s > needed && e > needed {
                continue;
            }
            let crossing = (s - needed) / (s - e);
            if s > needed {
                until = min(until, crossing * (1.0 - 8.0 * UNIT));
            } else if e <= needed || crossing * (1.0 + 8.0 * UNIT) >= t {
                return None;
            }
        }
        Some(until)
    }
}
