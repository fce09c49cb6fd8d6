//! Two triangles: do they intersect?
//!
//! [`intersects`] treats them as point sets. [`meets`] adds the rule for triangles of one mesh: they intersect when they
//! have a common point outside the simplex spanned by the vertices that they share, sharing being a matter of vertex
//! indices, not of positions.
//!
//! In general position this is the test of Guigue and Devillers: if each triangle reaches both sides of the other's
//! plane, both cross the line common to the planes in an interval, and two more orientation signs order the ends of the
//! intervals. Six signs come from two normals, each with one error bound for three points. Triangles in one
//! plane and triangles without area go to [`Simplex`].
//!
//! P. Guigue, O. Devillers: *Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates*, Journal of
//! Graphics Tools 8 (2003).
//!
//! # Where we differ from the paper
//! A table indexed by the three signs finds the corner that is alone on its side; signs that vanish need no cases of
//! their own. Coplanar triangles are not clipped region by region: six segment tests do, since they are rare.

use super::simplex::Simplex;
use crate::geometry::predicates::{
    Heights, Tally, collinear, orient_along, orient3d, orient3d_tallied, same_direction,
};
use crate::geometry::triangle::{Shape, shape};
use crate::geometry::{Point, Sign};

/// Whether two closed triangles have a common point. Touching counts; a triangle without area is what it is.
#[inline]
pub fn intersects(a: &[Point; 3], b: &[Point; 3]) -> bool {
    intersects_at(a.each_ref(), b.each_ref())
}

/// [`intersects`] for corners that stay where they are, as [`corners`](crate::geometry::triangle::corners) finds them.
/// Twice as fast as with corners copied for the purpose.
#[inline(always)]
pub fn intersects_at(a: [&Point; 3], b: [&Point; 3]) -> bool {
    intersects_tallied(a, b, &mut ())
}

/// [`intersects_at`] that counts how the signs were settled.
#[inline(always)]
pub fn intersects_tallied(a: [&Point; 3], b: [&Point; 3], tally: &mut impl Tally) -> bool {
    let of_a = Heights::of(b, a);
    if of_a.one_sided() {
        tally.filtered(3);
        return false;
    }
    let of_b = Heights::of(a, b);
    if of_b.one_sided() {
        tally.filtered(6);
        return false;
    }
    let of_a = of_a.signs(b, a, tally);
    let of_b = of_b.signs(a, b, tally);
    reach_across(a, of_a, b, of_b, tally)
}

/// [`intersects`] from the sides of each triangle's corners against the other's plane.
#[inline(never)]
fn reach_across(
    a: [&Point; 3],
    of_a: [Sign; 3],
    b: [&Point; 3],
    of_b: [Sign; 3],
    tally: &mut impl Tally,
) -> bool {
    if one_sided(of_a) || one_sided(of_b) {
        return false;
    }
    if of_a == [0; 3] || of_b == [0; 3] {
        return flat(a, b);
    }
    let (p, q) = PlaneCrossing::of(of_a, of_b).corners(a, b);
    // The intervals [p0p1, p0p2] and [q0q2, q0q1] on the common line overlap.
    orient3d_tallied(p[0], p[1], q[0], q[1], tally) <= 0
        && orient3d_tallied(p[0], p[2], q[2], q[0], tally) <= 0
}

/// One plane, or a triangle without area.
#[cold]
fn flat(a: [&Point; 3], b: [&Point; 3]) -> bool {
    Simplex::of(&a.map(|p| *p)).meets(&Simplex::of(&b.map(|p| *p)))
}

#[inline(always)]
pub(super) fn one_sided(s: [Sign; 3]) -> bool {
    s == [1; 3] || s == [-1; 3]
}

/// The order in which the interval test wants the corners of two triangles whose planes cross.
///
/// Corner 0 is alone on its side of the other's plane. The corners are oriented so that this is the positive side; then
/// along the line common to the planes, edges a0a1, a0a2 and b0b2, b0b1 cross in this order.
pub(super) struct PlaneCrossing {
    /// Corner numbers of a in the new order.
    pub(super) of_a: [u8; 3],
    /// Corner numbers of b in the new order.
    pub(super) of_b: [u8; 3],
}

impl PlaneCrossing {
    /// `of_a` are the sides of a's corners against b's plane, `of_b` the other way; neither all zero nor one-sided.
    #[inline(always)]
    pub(super) fn of(of_a: [Sign; 3], of_b: [Sign; 3]) -> Self {
        let (mut order_a, a_below) = ALONE[code(of_a)];
        let (mut order_b, b_below) = ALONE[code(of_b)];
        if a_below {
            order_b.swap(1, 2);
        }
        if b_below {
            order_a.swap(1, 2);
        }
        PlaneCrossing { of_a: order_a, of_b: order_b }
    }

    /// The corners themselves.
    #[inline(always)]
    pub(super) fn corners<'t>(
        &self,
        a: [&'t Point; 3],
        b: [&'t Point; 3],
    ) -> ([&'t Point; 3], [&'t Point; 3]) {
        (self.of_a.map(|i| a[usize::from(i)]), self.of_b.map(|i| b[usize::from(i)]))
    }
}

#[inline(always)]
fn code(s: [Sign; 3]) -> usize {
    (13 + 9 * s[0] + 3 * s[1] + s[2]) as usize % 27
}

/// By [`code`]: the corners, rotated so that the one alone on its side comes first, and whether that is the lower side.
static ALONE: [([u8; 3], bool); 27] = {
    let mut table = [([0, 1, 2], false); 27];
    let mut code = 0;
    while code < 27 {
        let s = [code as i8 / 9 - 1, code as i8 / 3 % 3 - 1, code as i8 % 3 - 1];
        let mut i = 0;
        while i < 3 {
            let (p, q, r) = (s[i], s[(i + 1) % 3], s[(i + 2) % 3]);
            let crosses_twice = p != 0 || (q != 0 && r != 0);
            if crosses_twice && p >= 0 && q <= 0 && r <= 0 {
                table[code] = ([i as u8, (i as u8 + 1) % 3, (i as u8 + 2) % 3], false);
            } else if crosses_twice && p <= 0 && q >= 0 && r >= 0 {
                table[code] = ([i as u8, (i as u8 + 1) % 3, (i as u8 + 2) % 3], true);
            }
            i += 1;
        }
        code += 1;
    }
    table
};

/// Whether two triangles of one mesh intersect: whether they have a common point outside the simplex spanned by the
/// vertices that they share by index.
///
/// Equal indices must come with equal positions. An index may be repeated within a triangle, which is then the segment
/// or point that it is. A triangle whose vertices are all shared (a duplicate) intersects nothing beyond them.
#[inline]
pub fn meets(ia: [u32; 3], a: &[Point; 3], ib: [u32; 3], b: &[Point; 3]) -> bool {
    meets_at(ia, a.each_ref(), ib, b.each_ref())
}

/// [`meets`] for corners that stay where they are; see [`intersects_at`].
#[inline(always)]
pub fn meets_at(ia: [u32; 3], a: [&Point; 3], ib: [u32; 3], b: [&Point; 3]) -> bool {
    let mut equal = 0u32;
    for (i, id) in ia.iter().enumerate() {
        for (j, other) in ib.iter().enumerate() {
            equal |= u32::from(id == other) << (3 * i + j);
        }
    }
    if equal == 0 {
        return intersects_at(a, b);
    }
    meets_beyond(equal, ia, a, ib, b)
}

/// [`meets_at`] for triangles that share vertices; bit 3i + j of `equal` says whether corners i and j are the same.
#[inline(never)]
fn meets_beyond(equal: u32, ia: [u32; 3], a: [&Point; 3], ib: [u32; 3], b: [&Point; 3]) -> bool {
    let bit = equal.trailing_zeros() as usize;
    let (i, j) = (bit / 3, bit % 3);
    let rest = equal & (equal - 1);
    if rest == 0 {
        let next = |k: usize| ((k + 1) % 3, (k + 2) % 3);
        let ((a1, a2), (b1, b2)) = (next(i), next(j));
        return beyond_vertex(a[i], [a[a1], a[a2]], [b[b1], b[b2]]);
    }
    let bit = rest.trailing_zeros() as usize;
    let (k, l) = (bit / 3, bit % 3);
    if rest & (rest - 1) == 0 && i != k && j != l {
        return beyond_edge(a[i], a[k], a[3 - i - k], b[3 - j - l]);
    }
    meets_repeated(ia, a, ib, b)
}

/// [`meets`] when an index is repeated or all are shared.
#[cold]
fn meets_repeated(ia: [u32; 3], a: [&Point; 3], ib: [u32; 3], b: [&Point; 3]) -> bool {
    let first = |ids: [u32; 3], i: usize| !ids[..i].contains(&ids[i]);
    let shared: Vec<&Point> = (0..3).filter(|&i| first(ia, i) && ib.contains(&ia[i])).map(|i| a[i]).collect();
    let only_a: Vec<&Point> =
        (0..3).filter(|&i| first(ia, i) && !ib.contains(&ia[i])).map(|i| a[i]).collect();
    let only_b: Vec<&Point> =
        (0..3).filter(|&i| first(ib, i) && !ia.contains(&ib[i])).map(|i| b[i]).collect();
    let (Some(a1), Some(b1)) = (only_a.first(), only_b.first()) else {
        return false; // One triangle is the simplex of shared vertices.
    };
    match shared[..] {
        [v, w] => beyond_edge(v, w, a1, b1),
        [v] => beyond_vertex(v, [a1, only_a[only_a.len() - 1]], [b1, only_b[only_b.len() - 1]]),
        _ => intersects_at(a, b),
    }
}

/// Whether triangles v a0 a1 and v b0 b1 have a common point other than v.
///
/// Where each reaches both sides of the other's plane, both leave v along the line common to the planes, each up to the
/// edge opposite v. They go on together when the nearer of the two edges meets the other triangle, and then, with the
/// signs already known, the sign of a0 a1 b0 b1 must agree with that edge's.
#[inline]
fn beyond_vertex(v: &Point, a: [&Point; 2], b: [&Point; 2]) -> bool {
    let (ta, tb) = ([v, a[0], a[1]], [v, b[0], b[1]]);
    let of_b = Heights::of(ta, b);
    if of_b.one_sided() {
        return false;
    }
    let of_a = Heights::of(tb, a);
    if of_a.one_sided() {
        return false;
    }
    let (of_a, of_b) = (of_a.signs(tb, a, &mut ()), of_b.signs(ta, b, &mut ()));
    match (of_a[0] * of_a[1], of_b[0] * of_b[1]) {
        (1, _) | (_, 1) => false,
        (0, _) | (_, 0) => beyond_vertex_flat(v, a, b),
        _ => {
            let across = orient3d(a[0], a[1], b[0], b[1]);
            across == 0 || across == of_b[0] || across == of_a[0]
        }
    }
}

#[cold]
fn beyond_vertex_flat(v: &Point, a: [&Point; 2], b: [&Point; 2]) -> bool {
    let (ta, tb) = ([*v, *a[0], *a[1]], [*v, *b[0], *b[1]]);
    let (opposite_a, opposite_b) = ([*a[0], *a[1]], [*b[0], *b[1]]);
    match (shape(&ta), shape(&tb)) {
        // A way out of v that stays in both leaves one of them first, through the edge opposite v.
        (Shape::Triangle(_), Shape::Triangle(_)) => {
            super::edge_tri::intersects(&opposite_a, &tb) || super::edge_tri::intersects(&opposite_b, &ta)
        }
        // Without area it is the segments from v to the other corners.
        (Shape::Triangle(axis), _) => opposite_b.iter().any(|p| heads_into(&ta, axis, p)),
        (_, Shape::Triangle(axis)) => opposite_a.iter().any(|p| heads_into(&tb, axis, p)),
        _ => opposite_a.iter().any(|p| opposite_b.iter().any(|q| same_direction(v, p, q))),
    }
}

/// Whether the segment from corner 0 of a proper triangle to `p` runs within it at first.
fn heads_into(t: &[Point; 3], axis: usize, p: &Point) -> bool {
    let [v, b, c] = t;
    let side = orient_along(axis, v, b, c);
    p != v
        && orient3d(v, b, c, p) == 0
        && orient_along(axis, v, b, p) * side >= 0
        && orient_along(axis, v, p, c) * side >= 0
}

/// Whether triangles v w a and v w b have a common point off the segment v w: whether they are folded flat.
#[inline]
fn beyond_edge(v: &Point, w: &Point, a: &Point, b: &Point) -> bool {
    orient3d(v, w, a, b) == 0 && beyond_edge_flat(v, w, a, b)
}

#[cold]
fn beyond_edge_flat(v: &Point, w: &Point, a: &Point, b: &Point) -> bool {
    let Some(along) = (0..3).find(|&k| v[k] != w[k]) else { return same_direction(v, a, b) };
    match (collinear(v, w, a), collinear(v, w, b)) {
        (false, false) => (0..3).any(|k| orient_along(k, v, w, a) * orient_along(k, v, w, b) > 0),
        // Both prolong the edge at the same end; a triangle with area has only the edge in common with its line.
        (true, true) => {
            let end = |p: &Point| {
                let (low, high) = if v[along] < w[along] { (v, w) } else { (w, v) };
                Sign::from(p[along] > high[along]) - Sign::from(p[along] < low[along])
            };
            end(a) * end(b) > 0
        }
        _ => false,
    }
}
