//! The distance of two triangles, with the closest points and the features that they lie on.
//!
//! Whether they intersect is decided exactly, so the distance is 0 then and only then. Otherwise they are closest at two
//! points of edges, or at a corner of one and a point inside the other. The closest corners are tried first, then nine pairs
//! of edges; when the planes across the shortest way between two of them separate the triangles, nothing can be closer and
//! the search ends.
//!
//! All this is rounded, and then bounded (`distance_bounds`): the answer carries a lower and an upper bound that hold. Where
//! they are not close together, and where two distances cannot be told apart by them, integers decide
//! (`squared_distance`). Lengths below 2^-100 are scaled up first, so nothing underflows.
//!
//! The early end is that of Larsen, Gottschalk, Lin, Manocha: *Fast Proximity Queries with Swept Sphere Volumes* (1999).

use super::distance_bounds::{Bounds, bounds};
use super::seg_seg::{self, Gap};
use super::squared_distance::SquaredDistance;
use super::{Feature, contact, point_tri, tri_tri};
use crate::geometry::predicates::Heights;
use crate::geometry::vector::{max, min};
use crate::geometry::{Aabb, Point};
use glam::DVec3;
use std::cmp::Ordering;

/// A closest point and where it lies on its triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleWitness {
    /// Where it is.
    pub point: Point,
    /// The part of the triangle that it is in.
    pub feature: Feature,
}

/// The closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestTriangles {
    /// The distance, between its bounds; 0 exactly when the triangles intersect.
    pub distance: f64,
    /// The exact distance is not below this.
    pub lower: f64,
    /// The exact distance is not above this.
    pub upper: f64,
    /// On the first triangle.
    pub a: TriangleWitness,
    /// On the second triangle.
    pub b: TriangleWitness,
    /// The corners of either triangle, by bits, that span the closest features and perhaps more.
    pub(crate) support: [u8; 2],
}

/// The closest points of two closed triangles, which may be degenerate. The bounds are less than 1e-11 of the distance apart,
/// or next to each other.
pub fn closest(a: &[Point; 3], b: &[Point; 3]) -> ClosestTriangles {
    at_corners(a, b).filter(ClosestTriangles::is_tight).unwrap_or_else(|| {
        if tri_tri::intersects(a, b) { touching(a, b) } else { apart(a, b).tightened(a, b) }
    })
}

/// The closest points when the distance may be at most `limit`, which it certainly is not if the answer is `None`. Boxes and
/// planes that are further apart than that spare most of the work. The bounds hold but may be far apart.
#[inline]
pub fn closest_up_to(a: &[Point; 3], b: &[Point; 3], limit: f64) -> Option<ClosestTriangles> {
    // A limit whose square underflows is below 1e-140, so what is above the square of that is beyond it.
    let limit_sq = max(limit * limit, 1e-280) * (1.0 + 1e-12);
    let (box_a, box_b) = (Aabb::of(a), Aabb::of(b));
    if box_a.distance_sq(&box_b) > limit_sq {
        return None;
    }
    let found = match at_corners(a, b) {
        Some(found) => found,
        None => {
            let (a_refs, b_refs) = (a.each_ref(), b.each_ref());
            let of_a = Heights::of(b_refs, a_refs);
            // The square of a normal underflows where all is small.
            let is_small = largest(&box_a.union(&box_b)) < SMALL;
            if !is_small && of_a.gap_sq() > limit_sq {
                return None;
            }
            let of_b = Heights::of(a_refs, b_refs);
            if !is_small && of_b.gap_sq() > limit_sq {
                return None;
            }
            // All on one side of the other's plane: that is what the exact test would ask first.
            if of_a.one_sided() || of_b.one_sided() || !tri_tri::intersects(a, b) {
                apart(a, b)
            } else {
                touching(a, b)
            }
        }
    };
    if found.lower > limit {
        return None;
    }
    // Far by rounded measure, but not certainly: that is so when the measure is all rounding.
    let found = if found.distance > limit * (1.0 + 1e-6) { found.tightened(a, b) } else { found };
    (found.lower <= limit).then_some(found)
}

/// Two triangles and how close they are.
#[derive(Clone, Copy)]
pub(crate) struct Measured<'a> {
    pub triangles: [&'a [Point; 3]; 2],
    pub closest: &'a ClosestTriangles,
}

impl Measured<'_> {
    /// Which distance is smaller, exactly. The exact square of the other's is kept in `known` when it was needed, and taken from there.
    pub fn compare(&self, other: &Self, known: &mut Option<SquaredDistance>) -> Ordering {
        let (x, y) = (self.closest, other.closest);
        if x.upper < y.lower {
            Ordering::Less
        } else if x.lower > y.upper {
            Ordering::Greater
        } else if x.distance == 0.0 || y.distance == 0.0 {
            // One that is not 0 is larger, and larger it is as a float too.
            x.distance.total_cmp(&y.distance)
        } else if self.has_faces_of(other) {
            Ordering::Equal
        } else {
            if known.is_none() {
                *known = other.exact();
            }
            self.exact().cmp(known)
        }
    }

    /// Whether the corners that decide the distance are the same points as the other's: then the distances are equal.
    pub fn has_faces_of(&self, other: &Self) -> bool {
        (0..2).all(|i| self.has_face_of(other, i))
    }

    /// The same on one side.
    fn has_face_of(&self, other: &Self, side: usize) -> bool {
        let corners = |of: &Self| (of.triangles[side], of.closest.support[side]);
        let is_in =
            |(t, face): (&[Point; 3], u8), p: &Point| (0..3).any(|k| face >> k & 1 == 1 && t[k] == *p);
        let holds =
            |all, (t, face): (&[Point; 3], u8)| (0..3).all(|k| face >> k & 1 == 0 || is_in(all, &t[k]));
        let (mine, theirs) = (corners(self), corners(other));
        holds(mine, theirs) && holds(theirs, mine)
    }

    /// The exact square of a distance that is not 0.
    fn exact(&self) -> Option<SquaredDistance> {
        SquaredDistance::of(self.triangles[0], self.triangles[1], Some(self.closest.faces()))
    }
}

impl ClosestTriangles {
    /// Whether the bounds are close together.
    pub(crate) fn is_tight(&self) -> bool {
        Bounds { lower: self.lower, upper: self.upper, support: self.support }.is_tight()
    }

    /// The corners of the closest features, by bits.
    fn faces(&self) -> [u8; 2] {
        [self.a, self.b].map(|w| match w.feature {
            Feature::Vertex(k) => 1 << k,
            Feature::Edge(k) => 1 << k | 1 << ((k + 1) % 3),
            Feature::Face => 7,
        })
    }

    /// With bounds that are close together, of triangles that do not intersect.
    fn tightened(self, a: &[Point; 3], b: &[Point; 3]) -> Self {
        // Integers know neither NaN nor infinity; such coordinates are refused before they come here.
        let is_finite = a.iter().chain(b).flatten().all(|x| x.is_finite());
        if self.is_tight() || self.distance == 0.0 || !is_finite {
            return self;
        }
        let Some(exact) = SquaredDistance::of(a, b, Some(self.faces())) else { return self };
        let [lower, upper] = exact.bounds();
        let on = |i: usize, t: &[Point; 3]| TriangleWitness {
            point: point_tri::combine(t, &exact.weights[i]),
            feature: feature(exact.faces[i]),
        };
        let distance = if lower > 0.0 { lower } else { upper };
        ClosestTriangles { distance, lower, upper, a: on(0, a), b: on(1, b), support: exact.faces }
    }
}

/// The feature that corners span, by bits.
fn feature(face: u8) -> Feature {
    match face {
        1 => Feature::Vertex(0),
        2 => Feature::Vertex(1),
        4 => Feature::Vertex(2),
        3 => Feature::Edge(0),
        6 => Feature::Edge(1),
        5 => Feature::Edge(2),
        _ => Feature::Face,
    }
}

/// Two triangles that intersect.
fn touching(a: &[Point; 3], b: &[Point; 3]) -> ClosestTriangles {
    let corner = contact::Hit { point: a[0], a: Feature::Vertex(0), b: Feature::Face };
    let hit = contact::first_hit(a, b).unwrap_or(corner);
    let on = |feature| TriangleWitness { point: hit.point, feature };
    ClosestTriangles { distance: 0.0, lower: 0.0, upper: 0.0, a: on(hit.a), b: on(hit.b), support: [7, 7] }
}

/// The corners as vectors. Not `map`, which is not always inlined here.
#[inline(always)]
fn vectors([p, q, r]: &[Point; 3]) -> [DVec3; 3] {
    [DVec3::from_array(*p), DVec3::from_array(*q), DVec3::from_array(*r)]
}

/// [`closest`] when these are two corners for certain: the other corners are behind the planes across the way between
/// them. So it is for most triangles that are far apart compared to their size, at a third of the cost.
#[inline]
fn at_corners(a: &[Point; 3], b: &[Point; 3]) -> Option<ClosestTriangles> {
    let (pa, pb) = (vectors(a), vectors(b));
    let (mut corners, mut distance_sq) = ([0, 0], f64::INFINITY);
    for i in 0..3 {
        for j in 0..3 {
            let square = (pb[j] - pa[i]).length_squared();
            if square < distance_sq {
                (corners, distance_sq) = ([i, j], square);
            }
        }
    }
    // Where squares are normal numbers, nothing has underflowed that matters.
    if distance_sq < 1e-200 || !ends_at(&pa, &pb, corners) {
        return None;
    }
    let [i, j] = corners;
    let on = |point: Point, corner: usize| TriangleWitness { point, feature: Feature::Vertex(corner as u8) };
    let distance = distance_sq.sqrt();
    // Three differences, three squares, two sums and a root: 4 units of rounding.
    let (lower, upper) = (distance * (1.0 - f64::EPSILON * 4.0), distance * (1.0 + f64::EPSILON * 4.0));
    Some(ClosestTriangles {
        distance,
        lower,
        upper,
        a: on(a[i], i),
        b: on(b[j], j),
        support: [1 << i, 1 << j],
    })
}

/// Whether all other corners are certainly behind the planes across the way between two corners: nothing is closer than these.
#[inline(always)]
fn ends_at(a: &[DVec3; 3], b: &[DVec3; 3], [i, j]: [usize; 2]) -> bool {
    let way = b[j] - a[i];
    let (u, v) = (a[(i + 1) % 3] - a[i], a[(i + 2) % 3] - a[i]);
    let (s, t) = (b[(j + 1) % 3] - b[j], b[(j + 2) % 3] - b[j]);
    // More than the rounding of the products, whose factors are no longer than this.
    let longest_sq = u.length_squared() + v.length_squared() + s.length_squared() + t.length_squared();
    let doubt = 16.0 * f64::EPSILON * (longest_sq + way.length_squared());
    max(u.dot(way), v.dot(way)) < -doubt && min(s.dot(way), t.dot(way)) > doubt
}

/// Whether two triangles are certainly closest at the very corners where others are, and so exactly as far apart. So it is
/// for most of the triangles around two vertices, at a fraction of what [`closest_up_to`] costs.
#[inline]
pub(crate) fn ends_at_corners_of(found: &ClosestTriangles, a: &[Point; 3], b: &[Point; 3]) -> bool {
    let corner = |w: &TriangleWitness, support: u8, t: &[Point; 3]| match w.feature {
        Feature::Vertex(k) if support == 1 << k => t.iter().position(|p| *p == w.point),
        _ => None,
    };
    let Some(i) = corner(&found.a, found.support[0], a) else { return false };
    let Some(j) = corner(&found.b, found.support[1], b) else { return false };
    // What underflows is left to others.
    found.lower > 1e-100 && ends_at(&vectors(a), &vectors(b), [i, j])
}

/// The closest points of triangles known not to intersect.
fn apart(a: &[Point; 3], b: &[Point; 3]) -> ClosestTriangles {
    let both = Aabb::of(a).union(&Aabb::of(b));
    let largest = largest(&both);
    if largest >= SMALL {
        return measured(a, b, both.size());
    }
    // Exact: a power of two that leaves the largest difference near 1, by halves for what no float holds.
    let exponent = -(largest.max(f64::from_bits(1)).log2().floor() as i32);
    let (half, rest) = (2f64.powi(exponent / 2), 2f64.powi(exponent - exponent / 2));
    let up = |t: &[Point; 3]| t.map(|p| p.map(|x| x * half * rest));
    let (big_a, big_b) = (up(a), up(b));
    let found = measured(&big_a, &big_b, Aabb::of(&big_a).union(&Aabb::of(&big_b)).size());
    // Back, rounded outward: a subnormal result has fewer digits.
    let down = |x: f64| x / half / rest;
    let (lower, upper) = (down(found.lower).next_down().max(0.0), down(found.upper).next_up());
    let back = |w: TriangleWitness, t: &[Point; 3]| TriangleWitness {
        point: Aabb::of(t).clamp(&w.point.map(down)),
        ..w
    };
    let distance = down(found.distance).max(f64::from_bits(1));
    ClosestTriangles {
        distance,
        lower,
        upper,
        a: back(found.a, a),
        b: back(found.b, b),
        support: found.support,
    }
}

/// The largest side of a box.
fn largest(of: &Aabb) -> f64 {
    let size = of.size();
    max(max(size[0], size[1]), size[2])
}

/// Below this largest difference, products of four lengths may underflow.
const SMALL: f64 = 1.0 / (1u128 << 100) as f64;

/// [`apart`] for triangles that are not small, which fit a box of this size.
fn measured(a: &[Point; 3], b: &[Point; 3], size: Point) -> ClosestTriangles {
    let mut best = ClosestTriangles {
        distance: f64::INFINITY,
        lower: 0.0,
        upper: f64::INFINITY,
        a: TriangleWitness { point: a[0], feature: Feature::Vertex(0) },
        b: TriangleWitness { point: b[0], feature: Feature::Vertex(0) },
        support: [7, 7],
    };
    let (mut best_sq, mut way, mut is_closed) = (f64::INFINITY, DVec3::ZERO, false);
    let (pa, pb) = (vectors(a), vectors(b));
    // The way between two edges is off by some units in the last place of the largest difference, which may turn it a
    // lot when it is short. Its product with another difference is off by less than this.
    let doubt = 16.0 * f64::EPSILON * DVec3::from_array(size).length_squared();
    'edges: for i in 0..3 {
        let ends_a = [pa[i], pa[(i + 1) % 3]];
        for j in 0..3 {
            let ends_b = [pb[j], pb[(j + 1) % 3]];
            let gap = Gap::of(ends_a, ends_b);
            let distance_sq = gap.r.length_squared();
            if distance_sq < best_sq {
                let edge = |t: &[Point; 3], i: usize, s: f64| TriangleWitness {
                    point: seg_seg::at(&[t[i], t[(i + 1) % 3]], s),
                    feature: on_edge(i, s),
                };
                (best_sq, way) = (distance_sq, gap.r);
                (best.a, best.b) = (edge(a, i, gap.s), edge(b, j, gap.t));
                // Both third corners behind the planes across the gap: the slab between them is empty.
                let ahead = |third: DVec3, ends: [DVec3; 2], s: f64| {
                    let (end, rest) = if s <= 0.5 { (ends[0], s) } else { (ends[1], s - 1.0) };
                    (third - end - (ends[1] - ends[0]) * rest).dot(gap.r)
                };
                if ahead(pa[(i + 2) % 3], ends_a, gap.s) < -doubt
                    && ahead(pb[(j + 2) % 3], ends_b, gap.t) > doubt
                {
                    is_closed = true;
                    break 'edges;
                }
            }
        }
    }
    for i in (0..3).filter(|_| !is_closed) {
        if let Some((on_b, r)) = point_tri::above_inside(&a[i], b).filter(|c| c.0.distance_sq < best_sq) {
            best.a = TriangleWitness { point: a[i], feature: Feature::Vertex(i as u8) };
            best.b = TriangleWitness { point: on_b.point, feature: Feature::Face };
            (best_sq, way) = (on_b.distance_sq, r);
        }
        if let Some((on_a, r)) = point_tri::above_inside(&b[i], a).filter(|c| c.0.distance_sq < best_sq) {
            best.b = TriangleWitness { point: b[i], feature: Feature::Vertex(i as u8) };
            best.a = TriangleWitness { point: on_a.point, feature: Feature::Face };
            (best_sq, way) = (on_a.distance_sq, -r);
        }
    }
    let Bounds { lower, upper, support } = bounds(a, b, way, || normal([&pa, &pb], &best));
    let distance = min(max(max(best_sq.sqrt(), f64::MIN_POSITIVE), lower), upper);
    ClosestTriangles { distance, lower, upper, support, ..best }
}

/// The common normal of the closest features, where they have one.
fn normal([a, b]: [&[DVec3; 3]; 2], found: &ClosestTriangles) -> Option<DVec3> {
    let edge = |t: &[DVec3; 3], k: u8| t[(usize::from(k) + 1) % 3] - t[usize::from(k)];
    let n = match (found.a.feature, found.b.feature) {
        (Feature::Face, _) => edge(a, 0).cross(edge(a, 1)),
        (_, Feature::Face) => edge(b, 0).cross(edge(b, 1)),
        (Feature::Edge(i), Feature::Edge(j)) => edge(a, i).cross(edge(b, j)),
        _ => return None,
    };
    Some(n)
}

/// The feature of a triangle at parameter `s` of its edge `i`.
#[inline(always)]
fn on_edge(i: usize, s: f64) -> Feature {
    if s == 0.0 {
        Feature::Vertex(i as u8)
    } else if s == 1.0 {
        Feature::Vertex((i as u8 + 1) % 3)
    } else {
        Feature::Edge(i as u8)
    }
}
