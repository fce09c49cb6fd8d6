//! The distance of two triangles, with the closest points and the features that they lie on.
//!
//! Whether they intersect is decided exactly, so the distance is 0 then and only then; a computed 0 between triangles
//! that do not intersect is raised to the smallest normal number. Otherwise they are closest at two points of edges, or
//! at a corner of one and a point inside the other. The closest corners are tried first, then nine pairs of edges; when the
//! planes across the shortest way between two of them separate the triangles, nothing can be closer and the search ends.
//!
//! The early end is that of Larsen, Gottschalk, Lin, Manocha: *Fast Proximity Queries with Swept Sphere Volumes* (1999).

use super::seg_seg::{self, Gap};
use super::{Feature, contact, point_tri, tri_tri};
use crate::geometry::predicates::Heights;
use crate::geometry::vector::{max, min};
use crate::geometry::{Aabb, Point};
use glam::DVec3;

/// A closest point and where it lies on its triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness {
    /// Where it is.
    pub point: Point,
    /// The part of the triangle that it is in.
    pub feature: Feature,
}

/// The closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Square of the distance; 0 exactly when the triangles intersect.
    pub distance_sq: f64,
    /// On the first triangle.
    pub a: Witness,
    /// On the second triangle.
    pub b: Witness,
}

/// The closest points of two closed triangles, which may be degenerate.
pub fn closest(a: &[Point; 3], b: &[Point; 3]) -> Closest {
    if let Some(found) = at_corners(a, b) {
        return found;
    }
    if !tri_tri::intersects(a, b) {
        return apart(a, b);
    }
    let corner = contact::Hit { point: a[0], a: Feature::Vertex(0), b: Feature::Face };
    let hit = contact::first_hit(a, b).unwrap_or(corner);
    let on = |feature| Witness { point: hit.point, feature };
    Closest { distance_sq: 0.0, a: on(hit.a), b: on(hit.b) }
}

/// [`closest`] when the squared distance is at most `limit_sq`, otherwise `None`. Boxes and planes that are further apart
/// than that spare most of the work.
#[inline]
pub fn closest_within(a: &[Point; 3], b: &[Point; 3], limit_sq: f64) -> Option<Closest> {
    let far = |bound_sq: f64| bound_sq > limit_sq * (1.0 + 1e-12);
    if far(Aabb::of(a).distance_sq(&Aabb::of(b))) {
        return None;
    }
    if let Some(found) = at_corners(a, b) {
        return (found.distance_sq <= limit_sq).then_some(found);
    }
    let (a_refs, b_refs) = (a.each_ref(), b.each_ref());
    let of_a = Heights::of(b_refs, a_refs);
    if far(of_a.gap_sq()) {
        return None;
    }
    let of_b = Heights::of(a_refs, b_refs);
    if far(of_b.gap_sq()) {
        return None;
    }
    // All on one side of the other's plane: that is what the exact test would ask first.
    let is_apart = of_a.one_sided() || of_b.one_sided();
    let found = if is_apart { apart(a, b) } else { closest(a, b) };
    (found.distance_sq <= limit_sq).then_some(found)
}

/// [`closest`] when these are two corners for certain: the other corners are behind the planes across the way between
/// them. So it is for most triangles that are far apart compared to their size, at a third of the cost.
#[inline]
fn at_corners(a: &[Point; 3], b: &[Point; 3]) -> Option<Closest> {
    let (pa, pb) = (a.map(DVec3::from_array), b.map(DVec3::from_array));
    let (mut corners, mut distance_sq) = ([0, 0], f64::INFINITY);
    for i in 0..3 {
        for j in 0..3 {
            let square = (pb[j] - pa[i]).length_squared();
            if square < distance_sq {
                (corners, distance_sq) = ([i, j], square);
            }
        }
    }
    let [i, j] = corners;
    let way = pb[j] - pa[i];
    // More than the rounding of the products, whose factors are no longer than this.
    let (u, v) = (pa[(i + 1) % 3] - pa[i], pa[(i + 2) % 3] - pa[i]);
    let (s, t) = (pb[(j + 1) % 3] - pb[j], pb[(j + 2) % 3] - pb[j]);
    let longest_sq = u.length_squared() + v.length_squared() + s.length_squared() + t.length_squared();
    let doubt = 16.0 * f64::EPSILON * (longest_sq + distance_sq);
    let behind = max(u.dot(way), v.dot(way)) < -doubt && min(s.dot(way), t.dot(way)) > doubt;
    let on = |point: Point, corner: usize| Witness { point, feature: Feature::Vertex(corner as u8) };
    behind.then(|| positive(Closest { distance_sq, a: on(a[i], i), b: on(b[j], j) }))
}

/// [`closest`] of triangles known not to intersect.
fn apart(a: &[Point; 3], b: &[Point; 3]) -> Closest {
    let mut best = Closest {
        distance_sq: f64::INFINITY,
        a: Witness { point: a[0], feature: Feature::Vertex(0) },
        b: Witness { point: b[0], feature: Feature::Vertex(0) },
    };
    let (pa, pb) = (a.map(DVec3::from_array), b.map(DVec3::from_array));
    // The way between two edges is off by some units in the last place of the largest difference, which may turn it a
    // lot when it is short. Its product with another difference is off by less than this.
    let size = Aabb::of(a).union(&Aabb::of(b)).size();
    let doubt = 16.0 * f64::EPSILON * DVec3::from_array(size).length_squared();
    for i in 0..3 {
        let ends_a = [pa[i], pa[(i + 1) % 3]];
        for j in 0..3 {
            let ends_b = [pb[j], pb[(j + 1) % 3]];
            let gap = Gap::of(ends_a, ends_b);
            let distance_sq = gap.r.length_squared();
            if distance_sq < best.distance_sq {
                let edge = |t: &[Point; 3], i: usize, s: f64| Witness {
                    point: seg_seg::at(&[t[i], t[(i + 1) % 3]], s),
                    feature: on_edge(i, s),
                };
                best = Closest { distance_sq, a: edge(a, i, gap.s), b: edge(b, j, gap.t) };
                // Both third corners behind the planes across the gap: the slab between them is empty.
                let ahead = |third: DVec3, ends: [DVec3; 2], s: f64| {
                    let (end, rest) = if s <= 0.5 { (ends[0], s) } else { (ends[1], s - 1.0) };
                    (third - end - (ends[1] - ends[0]) * rest).dot(gap.r)
                };
                if ahead(pa[(i + 2) % 3], ends_a, gap.s) < -doubt
                    && ahead(pb[(j + 2) % 3], ends_b, gap.t) > doubt
                {
                    return positive(best);
                }
            }
        }
    }
    for i in 0..3 {
        if let Some(on_b) = point_tri::above_inside(&a[i], b).filter(|c| c.distance_sq < best.distance_sq) {
            let corner = Witness { point: a[i], feature: Feature::Vertex(i as u8) };
            let face = Witness { point: on_b.point, feature: Feature::Face };
            best = Closest { distance_sq: on_b.distance_sq, a: corner, b: face };
        }
        if let Some(on_a) = point_tri::above_inside(&b[i], a).filter(|c| c.distance_sq < best.distance_sq) {
            let corner = Witness { point: b[i], feature: Feature::Vertex(i as u8) };
            let face = Witness { point: on_a.point, feature: Feature::Face };
            best = Closest { distance_sq: on_a.distance_sq, a: face, b: corner };
        }
    }
    positive(best)
}

fn positive(c: Closest) -> Closest {
    Closest { distance_sq: c.distance_sq.max(f64::MIN_POSITIVE), ..c }
}

/// The feature of a triangle at parameter `s` of its edge `i`.
#[inline(always)]
fn on_edge(i: usize, s: f64) -> Feature {
    if s == 0.0 {
        Feature::Vertex(i as u8)
    } else if s == 1.0 {
        Feature::Vertex((i as u8 + 1) % 3)
    } else {
        Feature::Edge(i as u8)
    }
}
