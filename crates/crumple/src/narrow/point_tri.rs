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
pub struct ClosestPoint {
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
pub fn closest(p: &Point, t: &[Point; 3]) -> ClosestPoint {
    closest_way(p, t).0
}

/// [`closest`], and the way from `p` to there.
#[inline]
pub(super) fn closest_way(p: &Point, t: &[Point; 3]) -> (ClosestPoint, DVec3) {
    let view = TriangleView::of(p, t);
    let mut best = view.inside();
    if let Some(on_face) = best.as_ref().filter(|_| !view.is_thin()) {
        return (on_face.closest(t), on_face.r);
    }
    for i in 0..3 {
        let on_edge = on_edge(i, view.corner[i], view.edge[i], view.corner[(i + 1) % 3]);
        if best.as_ref().is_none_or(|b| on_edge.r.length_squared() < b.r.length_squared()) {
            best = Some(on_edge);
        }
    }
    // Three edges were tried, so there is one.
    let first = ClosestCandidate { r: view.corner[0], feature: Feature::Vertex(0), weights: [1.0, 0.0, 0.0] };
    let best = best.unwrap_or(first);
    (best.closest(t), best.r)
}

/// The projection of `p` onto the plane of the triangle, if it falls inside, and the way from `p` to it.
#[inline]
pub(super) fn above_inside(p: &Point, t: &[Point; 3]) -> Option<(ClosestPoint, DVec3)> {
    TriangleView::of(p, t).inside().map(|c| (c.closest(t), c.r))
}

/// A triangle as seen from a point.
struct TriangleView {
    /// Corners relative to the point.
    corner: [DVec3; 3],
    /// Edge i runs from corner i to the next.
    edge: [DVec3; 3],
    /// The normal, as long as twice the area.
    n: DVec3,
}

impl TriangleView {
    #[inline(always)]
    fn of(p: &Point, t: &[Point; 3]) -> TriangleView {
        // Spelled out: `map` over these arrays was a call of its own, a third of the time of a search for closest points.
        let p = DVec3::from_array(*p);
        let t = [DVec3::from_array(t[0]), DVec3::from_array(t[1]), DVec3::from_array(t[2])];
        let edge = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
        TriangleView { corner: [t[0] - p, t[1] - p, t[2] - p], edge, n: edge[2].cross(edge[0]) }
    }

    /// The normal has less than ten digits, so that edges, which are close by anyway, may be better than the face.
    #[inline(always)]
    fn is_thin(&self) -> bool {
        const THIN: f64 = 1e-12;
        self.n.length_squared() <= THIN * self.edge[0].length_squared() * self.edge[2].length_squared()
    }

    /// The projection of the point, if it falls inside.
    #[inline(always)]
    fn inside(&self) -> Option<ClosestCandidate> {
        // Areas, times the triangle's, of the triangles that the projection makes with edges 1, 2 and 0.
        let ([p, q, r], [u, v, w]) = (self.corner, self.edge);
        let area = [q.cross(v).dot(self.n), r.cross(w).dot(self.n), p.cross(u).dot(self.n)];
        if !(area[0] > 0.0 && area[1] > 0.0 && area[2] > 0.0) {
            return None;
        }
        let share = 1.0 / (area[0] + area[1] + area[2]);
        let weights = [area[0] * share, area[1] * share, area[2] * share];
        let [a, b, c] = self.corner;
        let r = a * weights[0] + b * weights[1] + c * weights[2];
        Some(ClosestCandidate { r, feature: Feature::Face, weights })
    }
}

/// A point of the triangle, as the vector from p to it.
struct ClosestCandidate {
    r: DVec3,
    feature: Feature,
    weights: [f64; 3],
}

impl ClosestCandidate {
    #[inline(always)]
    fn closest(&self, t: &[Point; 3]) -> ClosestPoint {
        ClosestPoint {
            point: combine(t, &self.weights),
            distance_sq: self.r.length_squared(),
            feature: self.feature,
            weights: self.weights,
        }
    }
}

/// The closest point on edge `i`; `start` and `end` are its ends relative to p.
#[inline(always)]
fn on_edge(i: usize, start: DVec3, edge: DVec3, end: DVec3) -> ClosestCandidate {
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
    ClosestCandidate { r, feature, weights }
}

/// The point closest to the origin on the segment from `start` to `end = start + edge`: its parameter and itself.
#[inline(always)]
fn along(start: DVec3, edge: DVec3, end: DVec3) -> (f64, DVec3) {
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
