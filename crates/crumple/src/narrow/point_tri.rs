//! A point against a triangle: is it on it, and which of its points is closest?
//!
//! Measures are rounded: a distance is off by a few units in the last place of the largest coordinate difference, so its
//! relative error is below 1e-12 unless it is a thousand times smaller than the triangle. Lengths between 1e-70 and
//! 1e70 neither overflow nor underflow.

use super::Feature;
use super::simplex::Simplex;
use crate::geometry::Point;
use crate::geometry::predicates::orient3d;
use glam::DVec3;

/// The point of a triangle that is closest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Where it is.
    pub point: Point,
    /// Square of the distance.
    pub distance_sq: f64,
    /// The part of the triangle that it is in.
    pub feature: Feature,
    /// Its barycentric coordinates, each in [0, 1].
    pub weights: [f64; 3],
}

/// Whether `p` lies on the closed triangle, exactly; the triangle may be degenerate.
#[inline]
pub fn contains(p: &Point, t: &[Point; 3]) -> bool {
    orient3d(&t[0], &t[1], &t[2], p) == 0 && Simplex::of(t).meets(&Simplex::Point(*p))
}

/// The point of the closed triangle that is closest to `p`; the triangle may be degenerate.
#[inline]
pub fn closest(p: &Point, t: &[Point; 3]) -> Closest {
    let p = DVec3::from_array(*p);
    let corner = t.map(DVec3::from_array);
    let from_p = corner.map(|c| c - p);
    let edge = [corner[1] - corner[0], corner[2] - corner[1], corner[0] - corner[2]];

    // Areas, times n², of the triangles that the projection of p makes with edges 1, 2 and 0.
    let n = edge[0].cross(-edge[2]);
    let area: [f64; 3] = std::array::from_fn(|i| {
        let e = (i + 1) % 3;
        from_p[e].cross(edge[e]).dot(n)
    });
    let total = area[0] + area[1] + area[2];
    let mut best = None;
    if area.iter().all(|&a| a > 0.0) {
        let weights = area.map(|a| a / total);
        let r = from_p[0] * weights[0] + from_p[1] * weights[1] + from_p[2] * weights[2];
        let on_face = Candidate { r, feature: Feature::Face, weights };
        // A thinner triangle has a normal of less than ten digits: its edges, which are close by, may be better.
        const THIN: f64 = 1e-12;
        if n.length_squared() > THIN * edge[0].length_squared() * edge[2].length_squared() {
            return on_face.closest(t);
        }
        best = Some(on_face);
    }
    for i in 0..3 {
        let on_edge = on_edge(i, from_p[i], edge[i], from_p[(i + 1) % 3]);
        if best.as_ref().is_none_or(|b| on_edge.r.length_squared() < b.r.length_squared()) {
            best = Some(on_edge);
        }
    }
    best.map_or_else(|| unreachable!("three edges were tried"), |b| b.closest(t))
}

/// A point of the triangle, as the vector from p to it.
struct Candidate {
    r: DVec3,
    feature: Feature,
    weights: [f64; 3],
}

impl Candidate {
    fn closest(&self, t: &[Point; 3]) -> Closest {
        Closest {
            point: combine(t, &self.weights),
            distance_sq: self.r.length_squared(),
            feature: self.feature,
            weights: self.weights,
        }
    }
}

/// The closest point on edge `i`; `start` and `end` are its ends relative to p.
#[inline(always)]
fn on_edge(i: usize, start: DVec3, edge: DVec3, end: DVec3) -> Candidate {
    let (s, r) = along(start, edge, end);
    let mut weights = [0.0; 3];
    weights[i] = 1.0 - s;
    weights[(i + 1) % 3] = s;
    let feature = if s == 0.0 {
        Feature::Vertex(i as u8)
    } else if s == 1.0 {
        Feature::Vertex((i as u8 + 1) % 3)
    } else {
        Feature::Edge(i as u8)
    };
    Candidate { r, feature, weights }
}

/// The point closest to the origin on the segment from `start` to `end = start + edge`: its parameter and itself.
#[inline(always)]
pub(super) fn along(start: DVec3, edge: DVec3, end: DVec3) -> (f64, DVec3) {
    let towards = -start.dot(edge);
    if towards <= 0.0 {
        return (0.0, start);
    }
    if end.dot(edge) <= 0.0 {
        return (1.0, end);
    }
    let s = (towards / edge.length_squared()).min(1.0);
    // From the nearer end, so that the parameter's rounding weighs least.
    if s <= 0.5 { (s, start + edge * s) } else { (s, end - edge * (1.0 - s)) }
}

/// Σ wᵢ tᵢ, within the box of the corners.
#[inline]
pub(super) fn combine(t: &[Point; 3], w: &[f64; 3]) -> Point {
    let sum = std::array::from_fn(|k| w[0] * t[0][k] + w[1] * t[1][k] + w[2] * t[2][k]);
    crate::geometry::Aabb::of(t).clamp(&sum)
}
