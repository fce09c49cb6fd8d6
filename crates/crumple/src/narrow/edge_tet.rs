//! A segment against a tetrahedron.

use super::{edge_tri, vertex_tet};
use crate::geometry::predicates::orient3d;
use crate::geometry::{Point, tet};

/// Whether the closed segment meets the closed tet; either may be degenerate, and the tet inverted.
pub fn intersects(segment: &[Point; 2], t: &[Point; 4]) -> bool {
    let orientation = tet::orientation(t);
    if orientation != 0 {
        let out =
            tet::FACES.map(|[a, b, c]| segment.map(|p| orient3d(&t[a], &t[b], &t[c], &p) * orientation > 0));
        if out.contains(&[true; 2]) {
            return false; // Both ends beyond one face.
        }
        if (0..2).any(|end| out.iter().all(|o| !o[end])) {
            return true; // An end inside.
        }
    } else if vertex_tet::contains(&segment[0], t) {
        return true;
    }
    // Otherwise it enters through the boundary; a tet without volume is its boundary.
    (0..4).any(|i| edge_tri::intersects(segment, &tet::face(t, i)))
}
