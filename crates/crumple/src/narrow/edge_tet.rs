//! A segment against a tetrahedron.
//!
//! The barycentric determinants of both ends settle most cases: both ends beyond one face, or an end inside. Otherwise
//! the segment can only enter through a face, and each is asked.

use super::{edge_tri, vertex_tet};
use crate::geometry::predicates::{orient3d, settled};
use crate::geometry::{Point, tet};

/// Whether the closed segment meets the closed tet; either may be degenerate, and the tet inverted.
#[inline]
pub fn intersects(segment: &[Point; 2], t: &[Point; 4]) -> bool {
    let (p, p_bound) = vertex_tet::determinants(&segment[0], t.each_ref());
    let (q, q_bound) = vertex_tet::determinants(&segment[1], t.each_ref());
    let volume: f64 = p.iter().sum();
    if settled(volume, 4.0 * p_bound) {
        let upright = if volume > 0.0 { 1.0 } else { -1.0 };
        let (p, q) = (p.map(|d| d * upright), q.map(|d| d * upright));
        if (0..4).any(|i| p[i] < -p_bound && q[i] < -q_bound) {
            return false;
        }
        if p.iter().all(|&d| d > p_bound) || q.iter().all(|&d| d > q_bound) {
            return true;
        }
    }
    intersects_exactly(segment, t)
}

fn intersects_exactly(segment: &[Point; 2], t: &[Point; 4]) -> bool {
    let orientation = tet::orientation(t);
    if orientation != 0 {
        let beyond =
            |[a, b, c]: [usize; 3]| segment.map(|p| orient3d(&t[a], &t[b], &t[c], &p) * orientation > 0);
        let beyond = tet::FACES.map(beyond);
        if beyond.contains(&[true; 2]) {
            return false; // Both ends beyond one face.
        }
        if (0..2).any(|end| beyond.iter().all(|b| !b[end])) {
            return true; // An end inside.
        }
    } else if vertex_tet::contains(&segment[0], t) {
        return true;
    }
    // It enters through the boundary or not at all; a tet without volume is its boundary.
    (0..4).any(|i| edge_tri::intersects(segment, &tet::face(t, i)))
}
