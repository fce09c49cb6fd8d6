//! A vertex against a tetrahedron: inside or not, and with which weights (T9–T11).
//!
//! The four determinants of the point with three of the four corners are the barycentric coordinates times the volume.
//! Their sum is the volume, so a point is inside a tet of either orientation exactly when no two of their signs differ
//! and not all vanish; the tet's own sign is never needed. When all four vanish the tet has no volume and the point is
//! in its plane (or on its line); then the tet is the union of its four faces, and each is asked.
//!
//! # Where we differ from the paper
//! T10 solves a 3x3 system and compares with 0 and 1, which loses collisions where the system is singular (T-A10). Here
//! the same six products are shared among four determinants with one error bound, and exact arithmetic decides near 0.
//! [`contains_by_half_spaces`] is T11, four oriented faces one after the other, with the same verdict.

use super::point_tri;
use super::simplex::Simplex;
use super::squared_distance::{SquaredDistance, compare_height};
use crate::geometry::predicates::{Tally, bound3, orient3d_tallied, settled, sign};
use crate::geometry::vector::{max, max_abs, min, sub};
use crate::geometry::{Point, Sign, tet};
use std::cmp::Ordering;
use std::ops::Range;

/// Where a point is with respect to a tet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// Not in the closed tet.
    Outside,
    /// On a face, edge or corner; or in a tet without volume.
    Boundary,
    /// Strictly inside.
    Inside,
}

/// Whether the closed tet holds `p`. Inverted tets do as upright ones; one without volume is the polygon, segment or
/// point that it is.
#[inline]
pub fn contains(p: &Point, t: &[Point; 4]) -> bool {
    contains_at(p, t.each_ref())
}

/// [`contains`] for corners that stay where they are: copying them first costs as much as the test.
#[inline(always)]
pub fn contains_at(p: &Point, t: [&Point; 4]) -> bool {
    locate_tallied(p, t, &mut ()) != Location::Outside
}

/// Where `p` is, exactly; for those who want touching apart from being inside (T-A11).
#[inline]
pub fn locate(p: &Point, t: &[Point; 4]) -> Location {
    locate_tallied(p, t.each_ref(), &mut ())
}

/// [`locate`] for corners that stay where they are, that counts how the signs were settled.
#[inline(always)]
pub fn locate_tallied(p: &Point, t: [&Point; 4], tally: &mut impl Tally) -> Location {
    let (det, bound) = determinants(p, t);
    let low = min(min(det[0], det[1]), min(det[2], det[3]));
    let high = max(max(det[0], det[1]), max(det[2], det[3]));
    if low < -bound && high > bound {
        tally.filtered(4);
        Location::Outside
    } else if low > bound || high < -bound {
        tally.filtered(4);
        Location::Inside
    } else {
        locate_near(p, t, &det, bound, tally)
    }
}

/// Some determinant is too small for a certain sign.
#[cold]
fn locate_near(p: &Point, t: [&Point; 4], det: &[f64; 4], bound: f64, tally: &mut impl Tally) -> Location {
    let s: [Sign; 4] = std::array::from_fn(|i| {
        if settled(det[i], bound) {
            tally.filtered(1);
            sign(det[i])
        } else {
            let [a, b, c] = tet::FACES[i];
            -orient3d_tallied(t[a], t[b], t[c], p, tally)
        }
    });
    let (low, high) = s.iter().fold((1, -1), |(low, high), &s| (s.min(low), s.max(high)));
    match (low, high) {
        (-1, 1) => Location::Outside,
        (1, 1) | (-1, -1) => Location::Inside,
        (0, 0) if !flat(p, t) => Location::Outside,
        _ => Location::Boundary,
    }
}

/// Whether `p` is inside the tet and farther than `depth`, which is not negative, from the planes of all four faces; exactly.
pub fn is_deeper(p: &Point, t: &[Point; 4], depth: f64) -> bool {
    let (det, bound) = determinants(p, t.each_ref());
    locate(p, t) == Location::Inside
        && tet::FACES.iter().zip(det).all(|(&[a, b, c], det)| {
            let face = [&t[a], &t[b], &t[c]];
            let [lo, hi] = doubled_area(face);
            // The determinant is the height times the doubled area. Products that overflow or vanish settle nothing.
            if det.abs() - bound > (depth * hi).next_up() && hi.is_finite() {
                true
            } else if det.abs() + bound < (depth * lo).next_down() && hi.is_finite() {
                false
            } else {
                compare_height(p, face, depth) == Ordering::Greater
            }
        })
}

/// Bounds of the length of the cross product of two sides.
fn doubled_area([a, b, c]: [&Point; 3]) -> [f64; 2] {
    let (u, v) = (sub(b, a), sub(c, a));
    let n: Point = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        u[i] * v[j] - u[j] * v[i]
    });
    let largest = u.iter().chain(&v).fold(0.0, |most: f64, x| most.max(x.abs()));
    // A difference, a product and a difference: 4 units of 2^-53 of each of two products, √3 times; what underflows besides.
    let doubt = 16.0 * f64::EPSILON * largest * largest + f64::MIN_POSITIVE;
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    // Squares vanish below 1e-154, a root that is above has four roundings.
    let (doubt, rounding) = (doubt + 1e-153, 4.0 * f64::EPSILON * length);
    [length - rounding - doubt, length + rounding + doubt]
}

/// Whether two points are at most `distance`, which is not negative, apart; exactly.
pub(crate) fn are_at_most_apart(p: &Point, q: &Point, distance: f64) -> bool {
    let length = sub(p, q).iter().map(|x| x * x).sum::<f64>().sqrt();
    let doubt = 4.0 * f64::EPSILON * length + 1e-153;
    if length.is_finite() && (length - distance).abs() > doubt {
        return length < distance;
    }
    let exact = SquaredDistance::of(&[*p], &[*q], None).expect("points do not cross");
    exact.compare_to(distance) != Ordering::Greater
}

/// [`contains`] by the sides of four faces, one after the other (T11).
#[cfg(feature = "internals")]
pub fn contains_by_half_spaces(p: &Point, t: &[Point; 4]) -> bool {
    let (mut low, mut high) = (0, 0);
    for [a, b, c] in tet::FACES {
        let s = crate::geometry::predicates::orient3d(&t[a], &t[b], &t[c], p);
        (low, high) = (low.min(s), high.max(s));
        if low * high != 0 {
            return false;
        }
    }
    low != high || flat(p, t.each_ref())
}

/// Barycentric weights of a point that the tet [`contains`]: each in [0, 1], their sum 1 within rounding.
///
/// For a tet without volume they are the weights within a face that holds the point. For a point outside they are those
/// of a point of the tet near it.
///
/// They are finite at every scale: where products would overflow or vanish, corners are taken relative to the point and
/// multiplied by a power of two that brings the farthest near 1, which helps unless the tet is 1e150 times as long as thick.
pub fn weights(p: &Point, t: &[Point; 4]) -> [f64; 4] {
    // Volumes whose products have neither overflowed nor vanished.
    if let Some(w) = shares(determinants(p, t.each_ref()), 1e-200..1e200) {
        return w;
    }
    let (p, t) = ([0.0; 3], &scaled_about(p, t));
    if let Some(w) = shares(determinants(&p, t.each_ref()), 0.0..f64::INFINITY) {
        return w;
    }
    let closest = (0..4).map(|i| (i, point_tri::closest(&p, &tet::face(t, i))));
    // A face so thin that its area vanishes has no weights; it shares its long edges with faces that have some.
    let faces = closest.filter(|(_, on_face)| on_face.weights.iter().all(|w| w.is_finite()));
    let mut w = [0.0; 4];
    match faces.min_by(|a, b| a.1.distance_sq.total_cmp(&b.1.distance_sq)) {
        Some((i, on_face)) => {
            for (corner, weight) in tet::FACES[i].into_iter().zip(on_face.weights) {
                w[corner] = weight;
            }
        }
        None => w[nearest_corner(t)] = 1.0,
    }
    w
}

/// The weights that determinants and their bound say for certain, for a volume in this range.
#[inline]
fn shares((det, bound): ([f64; 4], f64), within: Range<f64>) -> Option<[f64; 4]> {
    let volume: f64 = det.iter().sum();
    // Below the bound the sum says nothing about the volume, and its quotients nothing about the point.
    if !settled(volume, 4.0 * bound) || !within.contains(&volume.abs()) {
        return None;
    }
    let w = det.map(|d| (d / volume).clamp(0.0, 1.0));
    let sum: f64 = w.iter().sum();
    Some(w.map(|w| w / sum))
}

/// The corners relative to `p`, multiplied by a power of two that brings the largest coordinate to 1 to 2.
fn scaled_about(p: &Point, t: &[Point; 4]) -> [Point; 4] {
    let d = t.map(|corner| sub(&corner, p));
    let largest = d.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    // Powers beyond 2^1000 are not needed: subnormal numbers come up to 2^-74 and more.
    let exponent = ((largest.to_bits() >> 52) as i64 - 1023).clamp(-1000, 1000);
    let scale = f64::from_bits(((1023 - exponent) as u64) << 52);
    d.map(|corner| corner.map(|x| x * scale))
}

/// The corner nearest to the origin.
fn nearest_corner(t: &[Point; 4]) -> usize {
    let length_sq = |i: &usize| t[*i].iter().map(|x| x * x).sum::<f64>();
    (0..4).min_by(|i, j| length_sq(i).total_cmp(&length_sq(j))).unwrap_or(0)
}

/// Volume, times six, of the tet with corner i replaced by `p`, for each i; and the error bound of each.
#[inline(always)]
pub(super) fn determinants(p: &Point, t: [&Point; 4]) -> ([f64; 4], f64) {
    let d = [sub(t[0], p), sub(t[1], p), sub(t[2], p), sub(t[3], p)];
    let m = std::array::from_fn(|k| max(max_abs(d[0][k], d[1][k]), max_abs(d[2][k], d[3][k])));
    let minor = |i: usize, j: usize| d[i][0] * d[j][1] - d[i][1] * d[j][0];
    let (m01, m02, m03) = (minor(0, 1), minor(0, 2), minor(0, 3));
    let (m12, m13, m23) = (minor(1, 2), minor(1, 3), minor(2, 3));
    let z = [d[0][2], d[1][2], d[2][2], d[3][2]];
    let det = [
        z[1] * m23 - z[2] * m13 + z[3] * m12,
        z[2] * m03 - z[0] * m23 - z[3] * m02,
        z[0] * m13 - z[1] * m03 + z[3] * m01,
        z[1] * m02 - z[0] * m12 - z[2] * m01,
    ];
    (det, bound3(&m))
}

/// All four signs vanish: the tet has no volume and `p` is in its plane.
#[cold]
fn flat(p: &Point, t: [&Point; 4]) -> bool {
    tet::FACES.iter().any(|f| Simplex::of(&f.map(|i| *t[i])).meets(&Simplex::Point(*p)))
}
