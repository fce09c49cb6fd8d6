//! A triangulated surface that cuts: which segments pass through it, exactly, whatever touches what.
//!
//! A segment through a corner or an edge of the blade, or with an end on it, passes through it or not depending on how one
//! counts. Counting is settled by moving the blade by (ε, ε², ε³), with ε smaller than any number (simulation of simplicity, Edelsbrunner
//! and Mücke 1990): then no vertex of the body is on it and no edge of the body meets one of its edges, so that a
//! segment passes through the inside of triangles only, and the number of passages along a closed path is even wherever the
//! blade does not end. What is moved is decided by signs at the places where nothing moved:
//!
//! - A vertex `p` on the plane of a triangle with normal n is on the side of −n · (ε, ε², ε³): that of the first component of n
//!   that is not zero.
//! - A segment `a b` and an edge `c d` in one plane: orient(a, b, c, d) is linear in the move, with (d − c) × (b − a) as its
//!   slope. It is asked for only where `a` and `b` are on different sides of a triangle with that edge, so not both on the
//!   line `c d`, and not strictly on the same side of it: the slope then points as (d − c) × (b − c) does, or, where `b`
//!   is on the line, as −(d − c) × (a − c).

use super::blade::{part, side};
use crate::ParamError;
use crate::geometry::predicates::{orient_along, orient3d};
use crate::geometry::vector::{cross, sub};
use crate::geometry::{Aabb, Point, Sign};
use crate::methods::bucket_tree::{BucketTreeParams, Primitive, PrimitiveTree};
use crate::narrow::point_tri;

/// Passages nearer to each other than this part of an edge are one place.
const SAME: f64 = 1e-9;

/// The triangles of a blade, none without an area.
#[derive(Debug, Clone)]
pub(super) struct Sheet {
    triangles: Vec<[Point; 3]>,
    tree: PrimitiveTree<Piece>,
}

#[derive(Debug, Clone, Copy)]
struct Piece(u32, Aabb);

impl Primitive for Piece {
    fn bounds(&self) -> Aabb {
        self.1
    }
}

impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        self.triangles == other.triangles
    }
}

impl Sheet {
    pub fn new(triangles: Vec<[Point; 3]>) -> Result<Self, ParamError> {
        let mut tree = PrimitiveTree::new(BucketTreeParams::default())?;
        let pieces = triangles.iter().enumerate().map(|(i, t)| Piece(i as u32, Aabb::of(t)));
        if let Err(error) = tree.insert_all(pieces) {
            return super::blade::wrong("blade", error.to_string(), "finite coordinates below 1e50");
        }
        Ok(Self { triangles, tree })
    }

    /// The box of all triangles.
    pub fn bounds(&self) -> Aabb {
        Aabb::of(self.triangles.as_flattened())
    }

    /// Whether the box of a triangle overlaps this one.
    pub fn may_meet(&self, bounds: &Aabb) -> bool {
        let mut any = false;
        self.tree.each_where(|b| b.overlaps(bounds), |_| any = true);
        any
    }

    /// Whether a point lies on a triangle, exactly.
    pub fn contains(&self, p: &Point) -> bool {
        let mut any = false;
        self.near(&Aabb::of(&[*p]), |t| any |= point_tri::contains(p, t));
        any
    }

    /// Whether a triangle is exactly in the plane of a triangle of the blade that has its middle.
    pub fn holds(&self, corners: &[Point; 3]) -> bool {
        let middle: Point = [0, 1, 2].map(|k| (corners[0][k] + corners[1][k] + corners[2][k]) / 3.0);
        let mut any = false;
        self.near(&Aabb::of(corners), |t| {
            any = any || corners.iter().all(|c| side(t, c) == 0) && has_shadow(t, &middle);
        });
        any
    }

    /// Appends the places strictly between the ends where a segment passes through, in order. At a fold of the blade it passes
    /// once, or not at all when it comes back; where unconnected triangles cross, as often as it does.
    pub fn crossings(&self, a: &Point, b: &Point, out: &mut Vec<f64>) {
        let mut all: Vec<(f64, &[Point; 3])> = Vec::new();
        self.near(&Aabb::of(&[*a, *b]), |t| {
            if passes(a, b, t) {
                all.push((part(t, a, b), t));
            }
        });
        all.sort_unstable_by(|s, t| s.0.total_cmp(&t.0));
        for place in all.chunk_by(|s, t| t.0 - s.0 <= SAME) {
            let is_joined = |t: &[Point; 3]| t.iter().any(|p| place[0].1.contains(p));
            let times = if place.iter().all(|(_, t)| is_joined(t)) { place.len() % 2 } else { place.len() };
            out.extend(place[..times].iter().map(|(at, _)| *at).filter(|at| *at > 0.0 && *at < 1.0));
        }
    }

    /// Whether a segment passes through an odd number of times.
    pub fn is_between(&self, a: &Point, b: &Point) -> bool {
        let mut is_odd = false;
        self.near(&Aabb::of(&[*a, *b]), |t| is_odd ^= passes(a, b, t));
        is_odd
    }

    /// The triangles whose boxes overlap this one.
    fn near<'a>(&'a self, bounds: &Aabb, mut found: impl FnMut(&'a [Point; 3])) {
        self.tree.each_where(|b| b.overlaps(bounds), |piece| found(&self.triangles[piece.0 as usize]));
    }
}

/// Whether a point next to the plane of a triangle is over it, as seen along the axis that is most across.
fn has_shadow(t: &[Point; 3], p: &Point) -> bool {
    let normal = cross(&sub(&t[1], &t[0]), &sub(&t[2], &t[0]));
    let along = (0..3).max_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
    let turns = [0, 1, 2].map(|i| orient_along(along, &t[i], &t[(i + 1) % 3], p));
    turns.iter().all(|s| *s >= 0) || turns.iter().all(|s| *s <= 0)
}

/// Whether a segment passes through a triangle that is moved by (ε, ε², ε³). Exact.
fn passes(a: &Point, b: &Point, t: &[Point; 3]) -> bool {
    if moved_side(t, a) == moved_side(t, b) {
        return false;
    }
    let turn = |i: usize| moved_turn(a, b, &t[i], &t[(i + 1) % 3]);
    let first = turn(0);
    first != 0 && turn(1) == first && turn(2) == first
}

/// The side of the plane of a moved triangle on which a point is; never 0.
fn moved_side(t: &[Point; 3], p: &Point) -> Sign {
    match side(t, p) {
        0 => -first_sign(|k| orient_along(k, &t[0], &t[1], &t[2])),
        side => side,
    }
}

/// The sign of orient(a, b, c, d) with `c` and `d` moved, where `a` and `b` are on different sides of a moved triangle with the
/// edge `c d`; 0 only where they are not.
fn moved_turn(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    match orient3d(a, b, c, d) {
        0 => match first_sign(|k| orient_along(k, c, d, b)) {
            0 => -first_sign(|k| orient_along(k, c, d, a)),
            sign => sign,
        },
        sign => sign,
    }
}

/// The sign of the first component of a vector that is not zero.
fn first_sign(component: impl Fn(usize) -> Sign) -> Sign {
    (0..3).map(component).find(|&s| s != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tiny generator, so that this file needs none from elsewhere.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }

        fn point(&mut self) -> Point {
            std::array::from_fn(|_| self.below(4) as f64)
        }
    }

    /// The closed surface of a box of unit cubes' sides, each of two triangles, or an octahedron.
    fn closed(which: u64) -> (Sheet, fn(&Point) -> bool) {
        if which == 0 {
            let [o, x, y, z] = [[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let add = |p: Point, q: Point| -> Point { std::array::from_fn(|k| p[k] + q[k]) };
            let mut triangles = Vec::new();
            for (u, v, w) in [(x, y, z), (y, z, x), (z, x, y)] {
                for from in [o, add(o, w)] {
                    let far = add(add(from, u), v);
                    triangles.extend([[from, add(from, u), far], [from, far, add(from, v)]]);
                }
            }
            // Moved by (ε, ε², ε³), its lower sides are out, its upper ones in.
            (Sheet::new(triangles).unwrap(), |p| p.iter().all(|x| *x > 1.0 && *x <= 2.0))
        } else {
            let c = [1.0, 1.0, 1.0];
            let tip = |k: usize, by: f64| -> Point {
                std::array::from_fn(|i| c[i] + if i == k { by } else { 0.0 })
            };
            let signs = (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 }));
            let triangles = signs.map(|s| [0, 1, 2].map(|k| tip(k, s[k]))).collect();
            (Sheet::new(triangles).unwrap(), |p| {
                let q = p.map(|x| x - 1.0);
                let far: f64 = q.iter().map(|x| x.abs()).sum();
                // On the surface: the move changes the sum by the first component most.
                far < 1.0 || far == 1.0 && q[0] > 0.0
            })
        }
    }

    #[test]
    fn inside_and_outside_are_told_apart_also_through_corners_and_along_faces() {
        let mut random = Random(7);
        let mut touching = 0;
        for round in 0..20_000 {
            let (sheet, is_inside) = closed(round % 2);
            let [a, b] = [random.point(), random.point()];
            touching += usize::from(sheet.contains(&a) || sheet.contains(&b));
            assert_eq!(sheet.is_between(&a, &b), is_inside(&a) != is_inside(&b), "{a:?} {b:?}");
        }
        assert!(touching > 1000);
    }
}
