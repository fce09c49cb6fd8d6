//! An oracle of its own for the scenes' facts: rational arithmetic, no cleverness, nothing shared with the engine.
//!
//! Two triangles intersect when they have a common point outside the simplex of the vertices they share. The common
//! points of two convex sets are a convex set whose extreme points lie on edges: so it is enough to intersect every
//! edge of each triangle with the other triangle, exactly, and to look whether one of the points found is outside that
//! simplex. Zero-area triangles are the segments or points they are.

#![allow(dead_code)]

use std::cmp::Ordering;

use crumple_scenes::{Elements, LazyScene, Surface, vector::Point};
use num_bigint::{BigInt, Sign};

/// A vector of rational numbers over one positive denominator. Nothing is ever reduced: the depth of the formulas is
/// small, and integers without common factors removed are ten times faster here.
#[derive(Clone, Debug)]
struct V {
    x: [BigInt; 3],
    w: BigInt,
}

/// These points times one common power of two, large enough that all coordinates are integers.
fn exact<const N: usize>(points: [Point; N]) -> [V; N] {
    // x = mantissa · 2^exponent.
    let split = |x: f64| {
        let bits = x.to_bits();
        let (e, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
        let (m, e) = if e == 0 { (fraction, -1074) } else { (fraction | 1 << 52, e - 1075) };
        (if x < 0.0 { -m } else { m }, e)
    };
    let least = points.iter().flatten().filter(|&&x| x != 0.0).map(|&x| split(x).1).min().unwrap_or(0);
    points.map(|p| V {
        x: p.map(|x| {
            let (m, e) = split(x);
            if m == 0 { BigInt::ZERO } else { BigInt::from(m) << (e - least) as u64 }
        }),
        w: BigInt::from(1),
    })
}
fn sub(a: &V, b: &V) -> V {
    V { x: std::array::from_fn(|k| &a.x[k] * &b.w - &b.x[k] * &a.w), w: &a.w * &b.w }
}
/// Numerator and denominator of the scalar product.
fn dot(a: &V, b: &V) -> (BigInt, BigInt) {
    (&a.x[0] * &b.x[0] + &a.x[1] * &b.x[1] + &a.x[2] * &b.x[2], &a.w * &b.w)
}
fn dot_sign(a: &V, b: &V) -> i32 {
    sign(&dot(a, b).0)
}
fn cross(a: &V, b: &V) -> V {
    let x = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a.x[i] * &b.x[j] - &a.x[j] * &b.x[i]
    });
    V { x, w: &a.w * &b.w }
}
fn is_zero(a: &V) -> bool {
    a.x.iter().all(|x| x.sign() == Sign::NoSign)
}
fn same(a: &V, b: &V) -> bool {
    is_zero(&sub(a, b))
}
/// p + d · n/m, with m not zero.
fn along(p: &V, d: &V, n: &BigInt, m: &BigInt) -> V {
    let (n, m) = if sign(m) < 0 { (-n, -m) } else { (n.clone(), m.clone()) };
    let dm = &d.w * &m;
    V { x: std::array::from_fn(|k| &p.x[k] * &dm + &d.x[k] * &n * &p.w), w: &p.w * &dm }
}
fn sign(q: &BigInt) -> i32 {
    match q.sign() {
        Sign::Plus => 1,
        Sign::Minus => -1,
        Sign::NoSign => 0,
    }
}

/// Sign of det[b-a, c-a, d-a], exact.
pub fn orient(a: Point, b: Point, c: Point, d: Point) -> i32 {
    let [u, v, w]: [Point; 3] = [b, c, d].map(|x| std::array::from_fn(|k| x[k] - a[k]));
    let term = |i: usize, j: usize, k: usize| u[i] * v[j] * w[k];
    let terms = [term(0, 1, 2), term(1, 2, 0), term(2, 0, 1), -term(2, 1, 0), -term(1, 0, 2), -term(0, 2, 1)];
    let (det, size) = (terms.iter().sum::<f64>(), terms.iter().map(|t| t.abs()).sum::<f64>());
    // The differences, products and sums round by at most 8 units of 1.2e-16 each; underflow is kept out.
    if size.is_finite() && size > 1e-250 && det.abs() > 1e-14 * size {
        return if det > 0.0 { 1 } else { -1 };
    }
    let [a, b, c, d] = exact([a, b, c, d]);
    dot_sign(&cross(&sub(&b, &a), &sub(&c, &a)), &sub(&d, &a))
}

/// Sign of the area of a, b, c seen along axis `k`, exact.
fn orient_along(k: usize, a: Point, b: Point, c: Point) -> i32 {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let (s, t) = ((b[i] - a[i]) * (c[j] - a[j]), (b[j] - a[j]) * (c[i] - a[i]));
    let size = s.abs() + t.abs();
    if size.is_finite() && size > 1e-250 && (s - t).abs() > 1e-15 * size {
        return if s > t { 1 } else { -1 };
    }
    let [a, b, c] = exact([a, b, c]);
    sign(&cross(&sub(&b, &a), &sub(&c, &a)).x[k])
}

/// Whether, seen along some axis, a line through an edge of `t` has `t` on one side and all of `u` strictly on the other
/// side, but for shared corners that are ends of that edge. Then nothing else is common.
fn seen_apart(t: [Point; 3], t_ids: [u32; 3], u: [Point; 3], u_ids: [u32; 3], shared: &[u32]) -> bool {
    let area = |k: usize| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        ((t[1][i] - t[0][i]) * (t[2][j] - t[0][j]) - (t[1][j] - t[0][j]) * (t[2][i] - t[0][i])).abs()
    };
    let k = (0..3).fold(0, |best, k| if area(k) > area(best) { k } else { best });
    let own = orient_along(k, t[0], t[1], t[2]);
    own != 0
        && (0..3).any(|e| {
            let ends = [e, (e + 1) % 3];
            (0..3).all(|c| {
                if shared.contains(&u_ids[c]) {
                    ends.iter().any(|&x| t_ids[x] == u_ids[c])
                } else {
                    orient_along(k, t[ends[0]], t[ends[1]], u[c]) * own < 0
                }
            })
        })
}

/// End points of what two segments have in common: none, one or two.
fn segment_segment(p: &V, q: &V, a: &V, b: &V) -> Vec<V> {
    let (d, e, r) = (sub(q, p), sub(b, a), sub(a, p));
    let n = cross(&d, &e);
    if !is_zero(&n) {
        if dot_sign(&r, &n) != 0 {
            return vec![];
        }
        // p + t d = a + u e with t = (r × e)·n / n·n and u = (r × d)·n / n·n.
        let (nn, nd) = dot(&n, &n);
        let ((t, td), (u, ud)) = (dot(&cross(&r, &e), &n), dot(&cross(&r, &d), &n));
        let share = |x: &BigInt, xd: &BigInt| sign(x) >= 0 && (x * &nd).cmp(&(&nn * xd)) != Ordering::Greater;
        return if share(&t, &td) && share(&u, &ud) {
            vec![along(p, &d, &(t * nd), &(nn * td))]
        } else {
            vec![]
        };
    }
    // Parallel, or one of them a point: the ends of one that lie on the other.
    let mut out: Vec<V> = [p, q].into_iter().filter(|x| on_segment(x, a, b)).cloned().collect();
    out.extend([a, b].into_iter().filter(|x| on_segment(x, p, q)).cloned());
    out
}

fn on_segment(x: &V, s: &V, t: &V) -> bool {
    let (st, sx, tx) = (sub(t, s), sub(x, s), sub(x, t));
    is_zero(&cross(&st, &sx))
        && if is_zero(&st) { is_zero(&sx) } else { dot_sign(&sx, &st) >= 0 && dot_sign(&tx, &st) <= 0 }
}

/// End points of what a segment and a triangle have in common, both closed and possibly degenerate.
fn segment_triangle(p: &V, q: &V, [a, b, c]: [&V; 3]) -> Vec<V> {
    let n = cross(&sub(b, a), &sub(c, a));
    let edges = [(a, b), (b, c), (c, a)];
    if is_zero(&n) {
        return edges.into_iter().flat_map(|(x, y)| segment_segment(p, q, x, y)).collect();
    }
    let inside = |x: &V| edges.iter().all(|(s, e)| dot_sign(&cross(&sub(e, s), &sub(x, s)), &n) >= 0);
    let ((hp, wp), (hq, wq)) = (dot(&n, &sub(p, a)), dot(&n, &sub(q, a)));
    if sign(&hp) == 0 && sign(&hq) == 0 {
        // In the plane: ends inside, and crossings with the border.
        let mut out: Vec<V> = [p, q].into_iter().filter(|x| inside(x)).cloned().collect();
        for (x, y) in edges {
            out.extend(segment_segment(p, q, x, y));
        }
        return out;
    }
    if sign(&hp) * sign(&hq) > 0 {
        return vec![];
    }
    // The share hp / (hp - hq) of the way.
    let (n, m) = (&hp * &wq, &hp * &wq - &hq * &wp);
    let x = along(p, &sub(q, p), &n, &m);
    if inside(&x) { vec![x] } else { vec![] }
}

/// Whether exact signs alone show that a segment has nothing in common with a triangle beyond its own shared ends.
/// (Rational points cost a hundred times more than signs.)
fn adds_nothing(p: Point, q: Point, [a, b, c]: [Point; 3], shared: [bool; 2]) -> bool {
    let (sp, sq) = (orient(a, b, c, p), orient(a, b, c, q));
    if sp * sq > 0 || (sp == 0 && sq != 0 && shared[0]) || (sq == 0 && sp != 0 && shared[1]) {
        return true;
    }
    let round = [orient(p, q, a, b), orient(p, q, b, c), orient(p, q, c, a)];
    sp * sq < 0 && round.contains(&1) && round.contains(&-1)
}

/// Whether two triangles intersect, by the rule above.
pub fn triangles_intersect(pa: &[Point], a: [u32; 3], pb: &[Point], b: [u32; 3], same_body: bool) -> bool {
    let mut shared: Vec<u32> = a.iter().copied().filter(|v| same_body && b.contains(v)).collect();
    shared.sort_unstable();
    shared.dedup(); // a triangle may name a vertex twice
    if shared.len() == 3 {
        return false;
    }
    let (ta, tb) = (a.map(|v| pa[v as usize]), b.map(|v| pb[v as usize]));
    for k in 0..3 {
        let range = |t: &[Point; 3]| {
            let x = t.map(|p| p[k]);
            (x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2]))
        };
        let ((la, ha), (lb, hb)) = (range(&ta), range(&tb));
        if ha < lb || hb < la {
            return false;
        }
    }
    // All free corners strictly on one side of the other's plane: nothing in common but what is shared.
    let one_side = |t: [Point; 3], others: &[u32; 3], points: &[Point; 3]| {
        let free = (0..3).filter(|&k| !shared.contains(&others[k]));
        let signs: Vec<i32> = free.map(|k| orient(t[0], t[1], t[2], points[k])).collect();
        signs.iter().all(|&s| s == 1) || signs.iter().all(|&s| s == -1)
    };
    if one_side(ta, &b, &tb) || one_side(tb, &a, &ta) {
        return false;
    }
    if seen_apart(ta, a, tb, b, &shared) || seen_apart(tb, b, ta, a, &shared) {
        return false;
    }
    let v = exact([ta[0], ta[1], ta[2], tb[0], tb[1], tb[2]]);
    let (ea, eb) = ([&v[0], &v[1], &v[2]], [&v[3], &v[4], &v[5]]);
    let corner = |&id: &u32| ea[a.iter().position(|&x| x == id).expect("shared")];
    let shared_corners: Vec<&V> = shared.iter().map(corner).collect();
    let beyond = |x: &V| match shared_corners.as_slice() {
        [] => true,
        [u] => !same(x, u),
        [u, v] => !on_segment(x, u, v),
        _ => false,
    };
    [(a, ta, ea, tb, eb), (b, tb, eb, ta, ea)].into_iter().any(|(ids, from, exact_from, to, exact_to)| {
        (0..3).any(|k| {
            let l = (k + 1) % 3;
            !adds_nothing(from[k], from[l], to, [k, l].map(|e| shared.contains(&ids[e])))
                && segment_triangle(exact_from[k], exact_from[l], exact_to).iter().any(beyond)
        })
    })
}

/// Whether a point is in a closed tet; one of zero volume is the polygon, segment or point that it is.
pub fn in_tet(p: Point, t: [Point; 4]) -> bool {
    let [a, b, c, d] = t;
    if (0..3).any(|k| t.iter().all(|x| x[k] < p[k]) || t.iter().all(|x| x[k] > p[k])) {
        return false;
    }
    let own = orient(a, b, c, d);
    if own != 0 {
        return [orient(p, b, c, d), orient(a, p, c, d), orient(a, b, p, d), orient(a, b, c, p)]
            .iter()
            .all(|&s| s * own >= 0);
    }
    let [x, a, b, c, d] = &exact([p, a, b, c, d]);
    [[a, b, c], [a, b, d], [a, c, d], [b, c, d]].into_iter().any(|f| !segment_triangle(x, x, f).is_empty())
}

/// How often a closed surface winds round a point, from the solid angles; for points well off the surface.
pub fn winding(p: Point, positions: &[Point], triangles: &[[u32; 3]]) -> i64 {
    let mut angle = 0.0;
    for t in triangles {
        let [a, b, c]: [Point; 3] = t.map(|v| std::array::from_fn(|k| positions[v as usize][k] - p[k]));
        let dot = |x: Point, y: Point| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let [la, lb, lc] = [a, b, c].map(|x| dot(x, x).sqrt());
        let det = crumple_scenes::vector::dot(crumple_scenes::vector::cross(a, b), c);
        angle += 2.0 * det.atan2(la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    let turns = angle / (4.0 * std::f64::consts::PI);
    assert!((turns - turns.round()).abs() < 1e-6, "on the surface? {turns}");
    turns.round() as i64
}

/// What the benchmark questions count, summed over the frames.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pairs within a body without a common vertex.
    pub self_pairs: u64,
    /// Pairs within a body with one or two.
    pub neighbour_pairs: u64,
    /// Pairs between bodies.
    pub pairs: u64,
    /// (vertex, tet) incidences.
    pub tets: u64,
    /// Points inside surfaces.
    pub inside: u64,
}

/// Counts everything in all frames by trying all pairs.
pub fn count(scene: &LazyScene) -> Counts {
    (0..scene.frames).map(|f| count_frame(scene, f)).fold(Counts::default(), |a, b| Counts {
        self_pairs: a.self_pairs + b.self_pairs,
        neighbour_pairs: a.neighbour_pairs + b.neighbour_pairs,
        pairs: a.pairs + b.pairs,
        tets: a.tets + b.tets,
        inside: a.inside + b.inside,
    })
}

/// Counts everything in one frame by trying all pairs whose boxes overlap.
pub fn count_frame(scene: &LazyScene, frame: usize) -> Counts {
    let mut counts = Counts::default();
    let at: Vec<Vec<Point>> = scene.bodies.iter().map(|b| b.positions(frame)).collect();
    for_each_overlap(scene, &at, |[i, j], x, y| {
        if triangles_intersect(&at[i], x, &at[j], y, i == j) {
            match i == j {
                true if x.iter().any(|v| y.contains(v)) => counts.neighbour_pairs += 1,
                true => counts.self_pairs += 1,
                false => counts.pairs += 1,
            }
        }
    });
    for (i, a) in scene.bodies.iter().enumerate() {
        let ta = a.elements.triangles();
        let closed = Surface { positions: vec![], triangles: ta.to_vec() }.is_closed();
        for (j, b) in scene.bodies.iter().enumerate() {
            if b.elements == Elements::Points && closed {
                counts.inside += at[j].iter().filter(|&&p| winding(p, &at[i], ta) != 0).count() as u64;
            }
            let mut used = vec![false; b.vertices];
            b.elements.triangles().iter().flatten().for_each(|&v| used[v as usize] = true);
            b.elements.tets().iter().flatten().for_each(|&v| used[v as usize] = true);
            for &tet in a.elements.tets() {
                let corners = tet.map(|v| at[i][v as usize]);
                for v in (0..b.vertices as u32).filter(|&v| used[v as usize]) {
                    let own = i == j && tet.contains(&v);
                    counts.tets += u64::from(!own && in_tet(at[j][v as usize], corners));
                }
            }
        }
    }
    counts
}

/// Intersecting pairs between bodies in one frame.
pub fn count_frame_between(scene: &LazyScene, frame: usize) -> u64 {
    let at: Vec<Vec<Point>> = scene.bodies.iter().map(|b| b.positions(frame)).collect();
    let mut pairs = 0;
    for_each_overlap(scene, &at, |[i, j], x, y| {
        pairs += u64::from(i != j && triangles_intersect(&at[i], x, &at[j], y, false));
    });
    pairs
}

/// Calls `meet` with the bodies and corners of every two triangles whose boxes overlap, each pair once, by sweeping along
/// x. Boxes are compared without rounding, so that nothing is lost.
fn for_each_overlap(
    scene: &LazyScene,
    at: &[Vec<Point>],
    mut meet: impl FnMut([usize; 2], [u32; 3], [u32; 3]),
) {
    let mut boxes = Vec::new();
    for (i, body) in scene.bodies.iter().enumerate() {
        for &t in body.elements.triangles() {
            let (lo, hi) = crumple_scenes::vector::bounds(&t.map(|v| at[i][v as usize]));
            boxes.push((lo, hi, i, t));
        }
    }
    boxes.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    for (k, (lo, hi, i, x)) in boxes.iter().enumerate() {
        for (lo2, hi2, j, y) in boxes[k + 1..].iter().take_while(|other| other.0[0] <= hi[0]) {
            if (1..3).all(|axis| lo2[axis] <= hi[axis] && lo[axis] <= hi2[axis]) {
                meet([*i, *j], *x, *y);
            }
        }
    }
}
