//! One pair of features, in integers of any size.

use super::algebraic::{Algebraic, Dyadic, Polynomial, add, mul, roots, sub, trim};
use crate::geometry::Point;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// The exact time of a first contact.
#[derive(Debug)]
pub struct Instant {
    /// It is the least of these.
    among: Vec<Algebraic>,
}

impl Instant {
    /// Where it lies from `t`, which must be finite: `Less` if it is before.
    pub fn compare(&self, t: f64) -> Ordering {
        let (mantissa, exponent) = parts(t);
        let k = BigInt::from(mantissa) << exponent.max(0);
        let t = Dyadic { k, s: (-exponent).max(0) as usize };
        self.among.iter().map(|a| a.compare(&t)).min().unwrap_or(Ordering::Greater)
    }

    /// Whether it lies in a closed interval.
    pub fn is_in_interval(&self, after: f64, by: f64) -> bool {
        self.compare(after) != Ordering::Less && self.compare(by) != Ordering::Greater
    }
}

/// The first contact of a moving vertex, the first point, with a moving triangle.
pub fn vertex_triangle(start: &[Point; 4], end: &[Point; 4]) -> Option<Instant> {
    let [p, a, b, c] = &paths([start, end])[..] else { return None };
    let f = dot(&minus(p, a), &cross(&minus(b, a), &minus(c, a)));
    if !f.is_empty() {
        return first(roots(&f).into_iter().find_map(|mut t| in_triangle(&mut t, p, [a, b, c]).then_some(t)));
    }
    if in_triangle(&mut Algebraic::zero(), p, [a, b, c]) {
        return first(Some(Algebraic::zero()));
    }
    earliest([[a, b], [b, c], [c, a]].map(|edge| on_moving_segment(p, edge)))
}

/// The first contact of two moving edges.
pub fn edge_edge(start: &[Point; 4], end: &[Point; 4]) -> Option<Instant> {
    let [a0, a1, b0, b1] = &paths([start, end])[..] else { return None };
    let f = dot(&minus(b0, a0), &cross(&minus(a1, a0), &minus(b1, b0)));
    if !f.is_empty() {
        let hit = |t: &mut Algebraic| segments_meet(t, [a0, a1], [b0, b1]);
        return first(roots(&f).into_iter().find_map(|mut t| hit(&mut t).then_some(t)));
    }
    if segments_meet(&mut Algebraic::zero(), [a0, a1], [b0, b1]) {
        return first(Some(Algebraic::zero()));
    }
    earliest(
        [(a0, [b0, b1]), (a1, [b0, b1]), (b0, [a0, a1]), (b1, [a0, a1])]
            .map(|(p, e)| on_moving_segment(p, e)),
    )
}

/// The first contact of a moving point, the first, with a moving edge.
pub fn point_edge(start: &[Point; 3], end: &[Point; 3]) -> Option<Instant> {
    let [p, a, b] = &paths([start, end])[..] else { return None };
    on_moving_segment(p, [a, b])
}

/// The first contact of two moving points.
pub fn point_point(start: &[Point; 2], end: &[Point; 2]) -> Option<Instant> {
    let [p, q] = &paths([start, end])[..] else { return None };
    first(vanishing(&minus(p, q)))
}

fn first(t: Option<Algebraic>) -> Option<Instant> {
    t.map(|t| Instant { among: vec![t] })
}

fn earliest<const N: usize>(times: [Option<Instant>; N]) -> Option<Instant> {
    let among: Vec<Algebraic> = times.into_iter().flatten().flat_map(|t| t.among).collect();
    (!among.is_empty()).then_some(Instant { among })
}

/// A finite number as an integer times a power of two.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    // The subnormal numbers lack the leading bit, and have the exponent of the least normal ones.
    let (size, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (if x.is_sign_negative() { -size } else { size }, exponent)
}

/// A moving point: three linear polynomials.
type Path = [Polynomial; 3];

/// All points times one power of two, as functions of time.
fn paths<const N: usize>(points: [&[Point; N]; 2]) -> Vec<Path> {
    let all = points.iter().flat_map(|points| points.as_flattened()).map(|x| parts(*x));
    let least = all.filter(|(size, _)| *size != 0).map(|(_, exponent)| exponent).min().unwrap_or(0);
    let whole = |x: f64| match parts(x) {
        (0, _) => BigInt::from(0),
        (size, exponent) => BigInt::from(size) << (exponent - least),
    };
    (0..N)
        .map(|i| {
            std::array::from_fn(|k| {
                let (from, to) = (whole(points[0][i][k]), whole(points[1][i][k]));
                let speed = &to - &from;
                trim(vec![from, speed])
            })
        })
        .collect()
}

fn minus(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| sub(&a[k], &b[k]))
}

fn cross(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        sub(&mul(&a[i], &b[j]), &mul(&a[j], &b[i]))
    })
}

fn dot(a: &Path, b: &Path) -> Polynomial {
    (0..3).fold(Vec::new(), |sum, k| add(&sum, &mul(&a[k], &b[k])))
}

fn vanish(t: &mut Algebraic, v: &Path) -> bool {
    v.iter().all(|c| t.sign(c) == 0)
}

fn on_segment(t: &mut Algebraic, p: &Path, [a, b]: [&Path; 2]) -> bool {
    let (u, v) = (minus(p, a), minus(p, b));
    vanish(t, &cross(&u, &v)) && t.sign(&dot(&u, &v)) <= 0
}

/// Whether `p` is in the triangle at a time when it is in its plane.
fn in_triangle(t: &mut Algebraic, p: &Path, [a, b, c]: [&Path; 3]) -> bool {
    let n = cross(&minus(b, a), &minus(c, a));
    let edges = [[a, b], [b, c], [c, a]];
    if vanish(t, &n) {
        return edges.into_iter().any(|edge| on_segment(t, p, edge));
    }
    edges.iter().all(|[x, y]| t.sign(&dot(&n, &cross(&minus(y, x), &minus(p, x)))) >= 0)
}

/// Whether two segments meet at a time when they are coplanar.
fn segments_meet(t: &mut Algebraic, a: [&Path; 2], b: [&Path; 2]) -> bool {
    let (u, v, w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(b[0], a[0]));
    let n = cross(&u, &v);
    if vanish(t, &n) {
        return a.iter().any(|p| on_segment(t, p, b)) || b.iter().any(|p| on_segment(t, p, a));
    }
    // The lines cross at s / |n|² of a and r / |n|² of b.
    let (s, r, whole) = (dot(&cross(&w, &v), &n), dot(&cross(&w, &u), &n), dot(&n, &n));
    [s, r].iter().all(|s| t.sign(s) >= 0 && t.sign(&sub(s, &whole)) <= 0)
}

fn on_moving_segment(p: &Path, edge: [&Path; 2]) -> Option<Instant> {
    let (u, v) = (minus(p, edge[0]), minus(p, edge[1]));
    match cross(&u, &v).iter().find(|c| !c.is_empty()) {
        Some(c) => first(roots(c).into_iter().find_map(|mut t| on_segment(&mut t, p, edge).then_some(t))),
        None if on_segment(&mut Algebraic::zero(), p, edge) => first(Some(Algebraic::zero())),
        None => earliest([first(vanishing(&u)), first(vanishing(&v))]),
    }
}

/// When a moving vector vanishes first.
fn vanishing(v: &Path) -> Option<Algebraic> {
    match v.iter().find(|c| !c.is_empty()) {
        Some(c) => roots(c).into_iter().find_map(|mut t| vanish(&mut t, v).then_some(t)),
        None => Some(Algebraic::zero()),
    }
}
