//! A vertex and a triangle, or two edges, that are closer than a distance: how far, where, and in which direction.
//!
//! Whether they are closer is exact for every finite input: the bounds of the rounded distance decide
//! ([`super::distance_bounds`]), and integers where it is within them ([`super::squared_distance`]). So they do for all the rest
//! where the distance is next to nothing beside the primitives, and its direction would be all rounding.

use super::distance_bounds::{bounds, length};
use super::seg_seg::Gap;
use super::squared_distance::SquaredDistance;
use super::{Feature, point_tri};
use crate::geometry::Point;
use crate::geometry::predicates::orient3d;
use glam::DVec3;
use std::cmp::Ordering;

/// How close two primitives are. Weights are those of corners; an edge has two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Close {
    pub distance: f64,
    pub weights: [[f64; 3]; 2],
    /// Unit vector from the second to the first.
    pub normal: Point,
    pub features: [Feature; 2],
}

/// Below this part of the primitives' size, a rounded distance has too few digits.
pub(super) const NOISE: f64 = 1e-9;

/// Below this size products of four lengths may underflow.
pub(super) const SMALL: f64 = 1.0 / (1u128 << 100) as f64;

/// The vertex `p` and a triangle, if they are closer than `limit`.
#[inline]
pub(crate) fn vertex_triangle(p: &Point, t: &[Point; 3], limit: f64) -> Option<Close> {
    let (closest, r) = point_tri::closest_way(p, t);
    let found = Rounded {
        r,
        weights: [[1.0, 0.0, 0.0], closest.weights],
        features: [Feature::Vertex(0), closest.feature],
        faces: [1, face(closest.feature)],
    };
    let mut close = found.judged(&[*p], t, limit)?;
    let [a, b, c] = t.map(DVec3::from_array);
    if close.features[1] == Feature::Face || close.distance == 0.0 {
        let side = if orient3d(&t[0], &t[1], &t[2], p) < 0 { -1.0 } else { 1.0 };
        close.normal = (side * across(b - a, c - a)).to_array();
    }
    Some(close)
}

/// Two edges, if they are closer than `limit`.
#[inline]
pub(crate) fn edge_edge(a: &[Point; 2], b: &[Point; 2], limit: f64) -> Option<Close> {
    let (p, q) = (a.map(DVec3::from_array), b.map(DVec3::from_array));
    let gap = Gap::of(p, q);
    let end = |s: f64| {
        if s == 0.0 {
            (Feature::Vertex(0), 1)
        } else if s == 1.0 {
            (Feature::Vertex(1), 2)
        } else {
            (Feature::Edge(0), 3)
        }
    };
    let ((fa, face_a), (fb, face_b)) = (end(gap.s), end(gap.t));
    let weights = [[1.0 - gap.s, gap.s, 0.0], [1.0 - gap.t, gap.t, 0.0]];
    let found = Rounded { r: gap.r, weights, features: [fa, fb], faces: [face_a, face_b] };
    let mut close = found.judged(a, b, limit)?;
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let n = u.cross(v);
    let is_skew = n.length_squared() > 1e-12 * u.length_squared() * v.length_squared();
    if close.features == [Feature::Edge(0); 2] && is_skew || close.distance == 0.0 {
        // The determinant is that of u, the way across and v: minus the height of b above a along u × v.
        let side = if orient3d(&a[0], &a[1], &b[0], &b[1]) < 0 { -1.0 } else { 1.0 };
        close.normal = (side * across(u, v)).to_array();
    }
    Some(close)
}

/// A rounded measure.
struct Rounded {
    /// From the first to the second.
    r: DVec3,
    weights: [[f64; 3]; 2],
    features: [Feature; 2],
    faces: [u8; 2],
}

impl Rounded {
    /// The verdict, and the measure where it can be trusted.
    #[inline]
    fn judged(self, a: &[Point], b: &[Point], limit: f64) -> Option<Close> {
        let origin = DVec3::from_array(a[0]);
        let size = a
            .iter()
            .chain(b)
            .fold(0.0, |m: f64, p| m.max((DVec3::from_array(*p) - origin).abs().max_element()));
        if size < SMALL {
            return exactly(a, b, self.faces, limit);
        }
        let known = bounds(a, b, self.r, || None);
        if known.lower >= limit {
            return None;
        }
        let distance = self.r.length();
        if known.upper >= limit || distance < NOISE * size {
            return exactly(a, b, self.faces, limit);
        }
        let Self { weights, features, .. } = self;
        Some(Close { distance, weights, normal: (self.r / -distance).to_array(), features })
    }
}

/// All in integers.
#[cold]
#[inline(never)]
fn exactly(a: &[Point], b: &[Point], hint: [u8; 2], limit: f64) -> Option<Close> {
    // A vertex and a triangle, or two edges, always have a closest pair of faces.
    let exact = SquaredDistance::of(a, b, Some(hint))?;
    if exact.compare_to(limit) != Ordering::Less {
        return None;
    }
    let [lower, upper] = exact.bounds();
    let distance = if lower > 0.0 || exact.is_zero() { lower } else { upper };
    let normal = unit(-DVec3::from_array(exact.direction)).map_or([1.0, 0.0, 0.0], |n| n.to_array());
    let feature = |face: u8| match face {
        1 => Feature::Vertex(0),
        2 => Feature::Vertex(1),
        4 => Feature::Vertex(2),
        3 => Feature::Edge(0),
        6 => Feature::Edge(1),
        5 => Feature::Edge(2),
        _ => Feature::Face,
    };
    Some(Close { distance, weights: exact.weights, normal, features: exact.faces.map(feature) })
}

/// The corners of a triangle's feature, by bits.
fn face(feature: Feature) -> u8 {
    match feature {
        Feature::Vertex(k) => 1 << k,
        Feature::Edge(k) => 1 << k | 1 << ((k + 1) % 3),
        Feature::Face => 7,
    }
}

/// With length 1, if it is not 0.
fn unit(v: DVec3) -> Option<DVec3> {
    let largest = v.abs().max_element();
    if largest == 0.0 {
        return None;
    }
    // In two steps, so that neither the square nor the quotient underflows.
    let v = if largest < 1e-140 { v * 2f64.powi(500) } else { v };
    let v = v / v.abs().max_element();
    Some(v / length(v))
}

/// The unit vector along u × v, or one across both where they have one direction at most.
fn across(u: DVec3, v: DVec3) -> DVec3 {
    let (u, v) = (unit(u), unit(v));
    let line = u.or(v).unwrap_or(DVec3::X);
    let other = if line.x.abs() < 0.5 { DVec3::X } else { DVec3::Y };
    let product = u.zip(v).and_then(|(u, v)| unit(u.cross(v)));
    product.or_else(|| unit(line.cross(other))).unwrap_or(DVec3::Z)
}
