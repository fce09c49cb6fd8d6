//! Where two triangles intersect: a point, a segment or, in one plane, a convex polygon.
//!
//! An extreme point of the common part is a corner of one triangle in the other, a crossing of two edges, or an edge
//! piercing a face, with open edges and faces, so each is found once. Exact signs say which exist; only the places are
//! rounded, and clamped to both boxes.

use super::Feature;
use super::simplex::edges;
use super::tri_tri::{self, PlaneCrossing};
use crate::geometry::height::determinant;
use crate::geometry::predicates::{on_segment, orient_along, orient3d, sides};
use crate::geometry::triangle::{Shape, shape};
use crate::geometry::vector::sub;
use crate::geometry::{Aabb, Point, Sign};

/// The common part of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Intersection {
    /// They touch in one point.
    Point(Point),
    /// They cross, or touch, along a segment.
    Segment([Point; 2]),
    /// They overlap in one plane.
    Polygon(Polygon),
}

impl Intersection {
    /// Its extreme points; those of a polygon in order around it.
    pub fn points(&self) -> &[Point] {
        match self {
            Intersection::Point(p) => std::slice::from_ref(p),
            Intersection::Segment(s) => s,
            Intersection::Polygon(p) => p.points(),
        }
    }
}

/// A convex polygon of three to six corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polygon {
    corners: [Point; 6],
    len: usize,
}

#[cfg(feature = "serde")]
impl serde::Serialize for Polygon {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.points().serialize(to)
    }
}

impl Polygon {
    /// The corners in order around it.
    pub fn points(&self) -> &[Point] {
        &self.corners[..self.len]
    }
}

/// An extreme point of the common part, and where it lies on each triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Hit {
    /// The point, rounded.
    pub point: Point,
    /// The part of the first triangle that holds it, exactly.
    pub a: Feature,
    /// The part of the second triangle that holds it, exactly.
    pub b: Feature,
}

/// The common part of two closed triangles, which may be degenerate; `None` exactly when they do not intersect.
pub fn contact(a: &[Point; 3], b: &[Point; 3]) -> Option<Intersection> {
    let mut hits = hits(a, b);
    hits.merge_equal_points();
    let point = |i: usize| hits.list[i].point;
    match hits.len {
        0 => None,
        1 => Some(Intersection::Point(point(0))),
        2 => Some(Intersection::Segment([point(0), point(1)])),
        _ => Some(Intersection::Polygon(hits.around(a, b))),
    }
}

/// The extreme points of the common part of two closed triangles: none exactly when they do not intersect, two where they
/// cross, each with the parts of the triangles that hold it. Parts are exact and tell points apart that round to one place.
pub fn extreme_points(a: &[Point; 3], b: &[Point; 3]) -> impl ExactSizeIterator<Item = Hit> + use<> {
    let hits = hits(a, b);
    hits.list.into_iter().take(hits.len)
}

/// One extreme point of the common part of two triangles, if they intersect.
pub(super) fn first_hit(a: &[Point; 3], b: &[Point; 3]) -> Option<Hit> {
    let hits = hits(a, b);
    (hits.len > 0).then(|| hits.list[0])
}

fn hits(a: &[Point; 3], b: &[Point; 3]) -> Hits {
    let of_a = sides(b, a, &mut ());
    let of_b = sides(a, b, &mut ());
    if tri_tri::one_sided(of_a) || tri_tri::one_sided(of_b) {
        return Hits::new(a, b);
    }
    let tie = of_a.contains(&0) || of_b.contains(&0);
    let general = if tie { None } else { crossing_hits(a, of_a, b, of_b) };
    general.unwrap_or_else(|| all_hits(a, b))
}

/// Both triangles reach both sides; `None` when ends of the intervals on the common line coincide.
fn crossing_hits(a: &[Point; 3], of_a: [Sign; 3], b: &[Point; 3], of_b: [Sign; 3]) -> Option<Hits> {
    let order = PlaneCrossing::of(of_a, of_b);
    let (p, q) = order.corners(a.each_ref(), b.each_ref());
    let (i, j) = (order.of_a, order.of_b);
    let mut hits = Hits::new(a, b);
    let gap = [orient3d(p[0], p[1], q[0], q[1]), orient3d(p[0], p[2], q[2], q[0])];
    if gap.contains(&0) {
        return None;
    }
    if gap.contains(&1) {
        return Some(hits);
    }
    let edge_of_a =
        |k: usize| (pierce(p[0], p[k], b), Feature::Edge(edge_between(i[0], i[k])), Feature::Face);
    let edge_of_b =
        |k: usize| (pierce(q[0], q[k], a), Feature::Face, Feature::Edge(edge_between(j[0], j[k])));
    let start = match orient3d(p[0], p[1], q[0], q[2]) {
        0 => return None,
        1 => edge_of_a(1),
        _ => edge_of_b(2),
    };
    let end = match orient3d(p[0], p[2], q[0], q[1]) {
        0 => return None,
        1 => edge_of_b(1),
        _ => edge_of_a(2),
    };
    for (point, a, b) in [start, end] {
        hits.push(point, a, b);
    }
    Some(hits)
}

/// Every pair of features, in any position.
fn all_hits(a: &[Point; 3], b: &[Point; 3]) -> Hits {
    let (hull_a, hull_b) = (Hull::of(a), Hull::of(b));
    let mut hits = Hits::new(a, b);
    for (i, p) in hull_a.corners() {
        if let Some(on_b) = hull_b.locate(p) {
            hits.push(*p, Feature::Vertex(i), on_b);
        }
    }
    for (j, q) in hull_b.corners() {
        if let Some(on_a) = hull_a.locate(q) {
            hits.push(*q, on_a, Feature::Vertex(j));
        }
    }
    for (i, r) in hull_a.edges() {
        for (j, s) in hull_b.edges() {
            if let Some(point) = cross_edges(&r, &s) {
                hits.push(point, Feature::Edge(i), Feature::Edge(j));
            }
        }
    }
    for (i, [p, q]) in hull_a.edges() {
        if hull_b.is_pierced(&p, &q) {
            hits.push(pierce(&p, &q, b), Feature::Edge(i), Feature::Face);
        }
    }
    for (j, [p, q]) in hull_b.edges() {
        if hull_a.is_pierced(&p, &q) {
            hits.push(pierce(&p, &q, a), Feature::Face, Feature::Edge(j));
        }
    }
    hits
}

/// Up to six points of different parts, kept within both boxes.
struct Hits {
    list: [Hit; 6],
    len: usize,
    bounds: Aabb,
}

impl Hits {
    fn new(a: &[Point; 3], b: &[Point; 3]) -> Hits {
        let nowhere = Hit { point: [0.0; 3], a: Feature::Face, b: Feature::Face };
        Hits { list: [nowhere; 6], len: 0, bounds: Aabb::of(a).intersection(&Aabb::of(b)) }
    }

    fn push(&mut self, point: Point, a: Feature, b: Feature) {
        let point = self.bounds.clamp(&point);
        let known = self.list[..self.len].iter().any(|h| (h.a, h.b) == (a, b));
        // Two convex sets bounded by three lines each have at most six extreme points in common.
        if !known && self.len < self.list.len() {
            self.list[self.len] = Hit { point, a, b };
            self.len += 1;
        }
    }

    /// Keeps the first of points that are rounded to one place.
    fn merge_equal_points(&mut self) {
        let mut kept = 0;
        for i in 0..self.len {
            if self.list[..kept].iter().all(|h| h.point != self.list[i].point) {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The points in order around their mean, in the common plane.
    fn around(&self, a: &[Point; 3], b: &[Point; 3]) -> Polygon {
        let axis = match (shape(a), shape(b)) {
            (Shape::Triangle(k), _) | (_, Shape::Triangle(k)) => k,
            _ => 0,
        };
        let mut corners = self.list.map(|h| h.point);
        let used = &mut corners[..self.len];
        let share = 1.0 / used.len() as f64;
        let mean = used.iter().fold([0.0; 3], |m: Point, p| std::array::from_fn(|k| m[k] + share * p[k]));
        let angle = |p: &Point| {
            let d = sub(p, &mean);
            d[(axis + 2) % 3].atan2(d[(axis + 1) % 3])
        };
        used.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
        Polygon { corners, len: self.len }
    }
}

/// A triangle as the set that it is, with the corner numbers that it had.
struct Hull<'t> {
    t: &'t [Point; 3],
    shape: Shape,
}

impl<'t> Hull<'t> {
    fn of(t: &'t [Point; 3]) -> Self {
        Hull { t, shape: shape(t) }
    }

    fn corners(&self) -> impl Iterator<Item = (u8, &'t Point)> {
        let used = match self.shape {
            Shape::Point => [true, false, false],
            Shape::Segment(i, j) => [0, 1, 2].map(|k| k == i || k == j),
            Shape::Triangle(_) => [true; 3],
        };
        (0..3).filter(move |&i| used[i]).map(|i| (i as u8, &self.t[i]))
    }

    fn edges(&self) -> impl Iterator<Item = (u8, [Point; 2])> {
        let used = match self.shape {
            Shape::Point => [false; 3],
            Shape::Segment(i, j) => [0, 1, 2].map(|k| k == edge_between(i as u8, j as u8)),
            Shape::Triangle(_) => [true; 3],
        };
        (0..3u8).zip(edges(self.t)).filter(move |&(i, _)| used[usize::from(i)])
    }

    /// The part that holds `p`, if any does.
    fn locate(&self, p: &Point) -> Option<Feature> {
        let t = self.t;
        if let Some((i, _)) = self.corners().find(|&(_, c)| c == p) {
            return Some(Feature::Vertex(i));
        }
        match self.shape {
            Shape::Point => None,
            Shape::Segment(i, j) => {
                on_segment(p, &t[i], &t[j]).then(|| Feature::Edge(edge_between(i as u8, j as u8)))
            }
            Shape::Triangle(axis) => {
                if orient3d(&t[0], &t[1], &t[2], p) != 0 {
                    return None;
                }
                let signs = edges(t).map(|[a, b]| orient_along(axis, &a, &b, p));
                if signs.contains(&1) && signs.contains(&-1) {
                    return None;
                }
                Some((0..3).find(|&i| signs[i] == 0).map_or(Feature::Face, |i| Feature::Edge(i as u8)))
            }
        }
    }

    /// Whether the open segment passes through the inside of a proper triangle.
    fn is_pierced(&self, p: &Point, q: &Point) -> bool {
        let [a, b, c] = self.t;
        matches!(self.shape, Shape::Triangle(_)) && orient3d(a, b, c, p) * orient3d(a, b, c, q) < 0 && {
            let signs = edges(self.t).map(|[a, b]| orient3d(p, q, &a, &b));
            signs == [1; 3] || signs == [-1; 3]
        }
    }
}

/// The number of the edge between two corners.
fn edge_between(i: u8, j: u8) -> u8 {
    if (i + 1) % 3 == j { i } else { j }
}

/// Where two open segments cross, if they cross in exactly one point.
fn cross_edges(r: &[Point; 2], s: &[Point; 2]) -> Option<Point> {
    let ([p, q], [a, b]) = (r, s);
    if !Aabb::of(r).overlaps(&Aabb::of(s)) || orient3d(p, q, a, b) != 0 {
        return None;
    }
    let across = |k: usize| {
        orient_along(k, p, q, a) * orient_along(k, p, q, b) < 0
            && orient_along(k, a, b, p) * orient_along(k, a, b, q) < 0
    };
    (0..3).any(across).then(|| super::seg_seg::closest(r, s).a)
}

/// Where the segment from `p` to `q`, whose ends are on different sides, meets the plane of `t`.
fn pierce(p: &Point, q: &Point, t: &[Point; 3]) -> Point {
    let height = |p: &Point| determinant(&t[0], &t[1], &t[2], p).abs();
    let (hp, hq) = (height(p), height(q));
    // Both may underflow to 0 or overflow; then the middle is as good as any place.
    let s = hp / (hp + hq);
    super::seg_seg::at(&[*p, *q], if s.is_finite() { s } else { 0.5 })
}
