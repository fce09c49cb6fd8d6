//! The same triangles for parry3d.

use crate::mesh::Surface;
use parry3d::math::{Pose, Vector};
use parry3d::query::intersection_test;
use parry3d::shape::Triangle;

/// Triangles with their corners in `f32`, as parry3d takes them.
pub fn triangles(surface: &Surface) -> Vec<Triangle> {
    let corner = |v: u32| Vector::from_array(surface.vertices[v as usize].map(|c| c as f32));
    surface.triangles.iter().map(|t| Triangle::new(corner(t[0]), corner(t[1]), corner(t[2]))).collect()
}

/// parry3d's public test.
pub fn intersect(a: &Triangle, b: &Triangle) -> bool {
    intersection_test(&Pose::IDENTITY, a, &Pose::IDENTITY, b).is_ok_and(|i| i.intersecting)
}
