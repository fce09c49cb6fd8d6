//! Is a point inside a closed surface? Signed crossings of a ray, exactly.
//!
//! A ray goes up (+z) from the point; each triangle that it crosses counts 1 when its normal leans up and −1 when it leans
//! down. The sum over a closed surface is the winding number: 1 inside an outward oriented sphere, 0 outside.
//!
//! The ray may hit edges and corners. Then the point is thought to be moved by (ε, ε², 0) with ε positive and infinitely
//! small. The winding number stays the same, since the point is not on the surface and the surface is a closed set; and
//! the moved ray hits no edge, no corner and no triangle seen edge-on. A side that vanishes is replaced by the sign of
//! what the move adds to it, which comparing coordinates tells. A point on the surface is reported as such, exactly.

use super::point_tri;
use crate::geometry::predicates::{orient_along, orient3d};
use crate::geometry::{Point, Sign};

/// How the ray up from a point crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayCrossing {
    /// Not at all.
    None,
    /// Out of the side where the normal points (1), or in through it (−1).
    Through(Sign),
    /// The point lies on the triangle.
    On,
}

/// How the ray from `p` in direction +z crosses the closed triangle, which may be degenerate.
#[inline]
pub fn crossing(p: &Point, t: &[Point; 3]) -> RayCrossing {
    let below = |k: usize| p[k] < t[0][k] && p[k] < t[1][k] && p[k] < t[2][k];
    let above = |k: usize| p[k] > t[0][k] && p[k] > t[1][k] && p[k] > t[2][k];
    if below(0) || above(0) || below(1) || above(1) || above(2) {
        return RayCrossing::None;
    }
    const UP: usize = 2;
    let mut signs = [(0, 1), (1, 2), (2, 0)].map(|(i, j)| orient_along(UP, &t[i], &t[j], p));
    if signs.contains(&1) && signs.contains(&-1) {
        return RayCrossing::None; // The ray's line misses the closed triangle.
    }
    let side = orient3d(&t[0], &t[1], &t[2], p);
    if side == 0 {
        // In the plane and, seen from above, in the triangle; unless that view is a line.
        let on = signs != [0; 3] || point_tri::contains(p, t);
        return if on { RayCrossing::On } else { RayCrossing::None };
    }
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        if signs[i] == 0 {
            signs[i] = sign_of_move(&t[i], &t[j]);
        }
    }
    if signs == [-side; 3] { RayCrossing::Through(-side) } else { RayCrossing::None }
}

/// Sign of det(b − a, (ε, ε²)) seen from above.
fn sign_of_move(a: &Point, b: &Point) -> Sign {
    let step = |k: usize| Sign::from(b[k] > a[k]) - Sign::from(b[k] < a[k]);
    if step(1) != 0 { -step(1) } else { step(0) }
}

/// The winding number of a closed surface around a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winding {
    /// The point is not on the surface, which winds around it this often.
    Number(i32),
    /// The point lies on the surface.
    On,
}

impl Winding {
    /// Whether the point is in the closed region that the surface bounds.
    pub fn is_inside(self) -> bool {
        self != Winding::Number(0)
    }
}

/// The winding number around `p` of the closed surface that the triangles make. Exact; every triangle is looked at.
pub fn number(p: &Point, triangles: impl IntoIterator<Item = [Point; 3]>) -> Winding {
    let mut sum = 0;
    for t in triangles {
        match crossing(p, &t) {
            RayCrossing::None => {}
            RayCrossing::Through(sign) => sum += i32::from(sign),
            RayCrossing::On => return Winding::On,
        }
    }
    Winding::Number(sum)
}
