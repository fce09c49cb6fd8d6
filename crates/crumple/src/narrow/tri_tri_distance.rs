//! The distance of two triangles, with the closest points and the features that they lie on.
//!
//! Triangles that do not intersect are closest at a corner of one and some point of the other, or at two points inside
//! edges: six point–triangle and nine segment–segment distances. Whether they intersect is decided exactly, so the
//! distance is 0 then and only then; a computed 0 between triangles that do not intersect is raised to the smallest
//! normal number.

use super::simplex::edges;
use super::{Feature, contact, point_tri, seg_seg};
use crate::geometry::Point;
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
    match contact::first_hit(a, b) {
        Some(hit) => Closest {
            distance_sq: 0.0,
            a: Witness { point: hit.point, feature: hit.a },
            b: Witness { point: hit.point, feature: hit.b },
        },
        None => apart(a, b),
    }
}

/// [`closest`] of triangles known not to intersect.
fn apart(a: &[Point; 3], b: &[Point; 3]) -> Closest {
    let mut best = Closest {
        distance_sq: f64::INFINITY,
        a: Witness { point: a[0], feature: Feature::Vertex(0) },
        b: Witness { point: b[0], feature: Feature::Vertex(0) },
    };
    for i in 0..3 {
        let corner = Witness { point: a[i], feature: Feature::Vertex(i as u8) };
        let on_b = point_tri::closest(&a[i], b);
        if on_b.distance_sq < best.distance_sq {
            let b = Witness { point: on_b.point, feature: on_b.feature };
            best = Closest { distance_sq: on_b.distance_sq, a: corner, b };
        }
        let corner = Witness { point: b[i], feature: Feature::Vertex(i as u8) };
        let on_a = point_tri::closest(&b[i], a);
        if on_a.distance_sq < best.distance_sq {
            let a = Witness { point: on_a.point, feature: on_a.feature };
            best = Closest { distance_sq: on_a.distance_sq, a, b: corner };
        }
    }
    for (i, ea) in edges(a).iter().enumerate() {
        let [p, p1] = ea.map(DVec3::from_array);
        for (j, eb) in edges(b).iter().enumerate() {
            let [q, q1] = eb.map(DVec3::from_array);
            let Some((s, t, r)) = seg_seg::inside(p, p1 - p, q, q1 - q) else { continue };
            let distance_sq = r.length_squared();
            if distance_sq < best.distance_sq {
                let a = Witness { point: seg_seg::at(ea, s), feature: Feature::Edge(i as u8) };
                let b = Witness { point: seg_seg::at(eb, t), feature: Feature::Edge(j as u8) };
                best = Closest { distance_sq, a, b };
            }
        }
    }
    best.distance_sq = best.distance_sq.max(f64::MIN_POSITIVE);
    best
}
