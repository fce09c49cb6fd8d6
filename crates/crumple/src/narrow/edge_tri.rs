//! A segment against a triangle.

use super::simplex::{Simplex, line_pierces};
use crate::geometry::Point;
use crate::geometry::predicates::orient3d;

/// Whether the closed segment meets the closed triangle; either may be degenerate.
#[inline]
pub fn intersects(segment: &[Point; 2], triangle: &[Point; 3]) -> bool {
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let sides = (orient3d(a, b, c, p), orient3d(a, b, c, q));
    match sides {
        (0, 0) => flat(segment, triangle),
        _ => sides.0 * sides.1 <= 0 && line_pierces(p, q, triangle),
    }
}

/// The segment is in the triangle's plane, or the triangle has none.
#[cold]
fn flat(segment: &[Point; 2], triangle: &[Point; 3]) -> bool {
    Simplex::of_segment(segment).meets(&Simplex::of(triangle))
}
