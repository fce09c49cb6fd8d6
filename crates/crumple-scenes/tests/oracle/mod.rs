//! An oracle of its own for the scenes' facts: rational arithmetic, no cleverness, nothing shared with the engine.
//!
//! Two triangles intersect when they have a common point outside the simplex of the vertices they share. The common
//! points of two convex sets are a convex set whose extreme points lie on edges: so it is enough to intersect every
//! edge of each triangle with the other triangle, exactly, and to look whether one of the points found is outside that
//! simplex. Zero-area triangles are the segments or points they are.

#![allow(dead_code)]

use crumple_scenes::{LazyScene, vector::Point};
use num_rational::BigRational as Q;
use num_traits::{Signed, Zero};

type V = [Q; 3];

fn exact(p: Point) -> V {
    p.map(|x| Q::from_float(x).expect("finite"))
}
fn sub(a: &V, b: &V) -> V {
    std::array::from_fn(|k| &a[k] - &b[k])
}
fn dot(a: &V, b: &V) -> Q {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}
fn cross(a: &V, b: &V) -> V {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}
fn is_zero(a: &V) -> bool {
    a.iter().all(Zero::is_zero)
}
fn along(p: &V, d: &V, t: &Q) -> V {
    std::array::from_fn(|k| &p[k] + &d[k] * t)
}

/// Sign of det[b-a, c-a, d-a], exact.
pub fn orient(a: Point, b: Point, c: Point, d: Point) -> i32 {
    let [u, v, w]: [Point; 3] = [b, c, d].map(|x| std::array::from_fn(|k| x[k] - a[k]));
    let term = |i: usize, j: usize, k: usize| u[i] * v[j] * w[k];
    let terms = [term(0, 1, 2), term(1, 2, 0), term(2, 0, 1), -term(2, 1, 0), -term(1, 0, 2), -term(0, 2, 1)];
    let (det, size) = (terms.iter().sum::<f64>(), terms.iter().map(|t| t.abs()).sum::<f64>());
    if size.is_finite() && size > 1e-250 && det.abs() > 1e-14 * size {
        return if det > 0.0 { 1 } else { -1 };
    }
    let [a, b, c, d] = [a, b, c, d].map(exact);
    sign(&dot(&cross(&sub(&b, &a), &sub(&c, &a)), &sub(&d, &a)))
}

fn sign(q: &Q) -> i32 {
    if q.is_positive() {
        1
    } else if q.is_negative() {
        -1
    } else {
        0
    }
}

/// End points of what two segments have in common: none, one or two.
fn segment_segment(p: &V, q: &V, a: &V, b: &V) -> Vec<V> {
    let (d, e, r) = (sub(q, p), sub(b, a), sub(a, p));
    let n = cross(&d, &e);
    if !is_zero(&n) {
        if !dot(&r, &n).is_zero() {
            return vec![];
        }
        let nn = dot(&n, &n);
        let (t, u) = (dot(&cross(&r, &e), &n) / &nn, dot(&cross(&r, &d), &n) / &nn);
        let one = Q::from_integer(1.into());
        let inside = |x: &Q| !x.is_negative() && *x <= one;
        return if inside(&t) && inside(&u) { vec![along(p, &d, &t)] } else { vec![] };
    }
    // Parallel, or one of them a point: the ends of one that lie on the other.
    let on = |x: &V, s: &V, t: &V| {
        let (st, sx) = (sub(t, s), sub(x, s));
        let along = dot(&sx, &st);
        is_zero(&cross(&st, &sx))
            && if is_zero(&st) { is_zero(&sx) } else { !along.is_negative() && along <= dot(&st, &st) }
    };
    let mut out: Vec<V> = [p, q].into_iter().filter(|x| on(x, a, b)).cloned().collect();
    out.extend([a, b].into_iter().filter(|x| on(x, p, q)).cloned());
    out
}

/// End points of what a segment and a triangle have in common, both closed and possibly degenerate.
fn segment_triangle(p: &V, q: &V, t: &[V; 3]) -> Vec<V> {
    let [a, b, c] = t;
    let n = cross(&sub(b, a), &sub(c, a));
    if is_zero(&n) {
        return [(a, b), (b, c), (c, a)].into_iter().flat_map(|(x, y)| segment_segment(p, q, x, y)).collect();
    }
    let inside = |x: &V| {
        [(a, b), (b, c), (c, a)].iter().all(|(s, e)| !dot(&cross(&sub(e, s), &sub(x, s)), &n).is_negative())
    };
    let (hp, hq) = (dot(&n, &sub(p, a)), dot(&n, &sub(q, a)));
    if hp.is_zero() && hq.is_zero() {
        // In the plane: ends inside, and crossings with the border.
        let mut out: Vec<V> = [p, q].into_iter().filter(|x| inside(x)).cloned().collect();
        for (x, y) in [(a, b), (b, c), (c, a)] {
            out.extend(segment_segment(p, q, x, y));
        }
        return out;
    }
    if sign(&hp) * sign(&hq) > 0 {
        return vec![];
    }
    let t = &hp / (&hp - &hq);
    let x = along(p, &sub(q, p), &t);
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
    let mut common = Vec::new();
    for (ids, from, to) in [(a, ta, tb), (b, tb, ta)] {
        for k in 0..3 {
            let l = (k + 1) % 3;
            if !adds_nothing(from[k], from[l], to, [k, l].map(|e| shared.contains(&ids[e]))) {
                common.extend(segment_triangle(&exact(from[k]), &exact(from[l]), &to.map(exact)));
            }
        }
    }
    let corners: Vec<V> = shared.iter().map(|&v| exact(pa[v as usize])).collect();
    common.iter().any(|x| match corners.as_slice() {
        [] => true,
        [u] => x != u,
        [u, v] => segment_segment(x, x, u, v).is_empty(),
        _ => false,
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
    let x = exact(p);
    [[a, b, c], [a, b, d], [a, c, d], [b, c, d]]
        .into_iter()
        .any(|f| !segment_triangle(&x, &x, &f.map(exact)).is_empty())
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

/// Counts everything in one frame by trying all pairs.
pub fn count_frame(scene: &LazyScene, frame: usize) -> Counts {
    let mut counts = Counts::default();
    let at: Vec<Vec<Point>> = scene.bodies.iter().map(|b| b.positions(frame)).collect();
    for (i, a) in scene.bodies.iter().enumerate() {
        let ta = a.elements.triangles();
        for (s, &x) in ta.iter().enumerate() {
            for &y in &ta[s + 1..] {
                if triangles_intersect(&at[i], x, &at[i], y, true) {
                    if x.iter().any(|v| y.contains(v)) {
                        counts.neighbour_pairs += 1;
                    } else {
                        counts.self_pairs += 1;
                    }
                }
            }
        }
        for (j, b) in scene.bodies.iter().enumerate() {
            if j > i {
                for &x in ta {
                    for &y in b.elements.triangles() {
                        counts.pairs += u64::from(triangles_intersect(&at[i], x, &at[j], y, false));
                    }
                }
            }
            if b.elements == crumple_scenes::Elements::Points && !ta.is_empty() {
                counts.inside += at[j].iter().filter(|&&p| winding(p, &at[i], ta) != 0).count() as u64;
            }
            let mut used = vec![false; b.vertices];
            b.elements.triangles().iter().flatten().for_each(|&v| used[v as usize] = true);
            b.elements.tets().iter().flatten().for_each(|&v| used[v as usize] = true);
            for &tet in a.elements.tets() {
                let corners = tet.map(|v| at[i][v as usize]);
                for v in 0..b.vertices as u32 {
                    let own = i == j && tet.contains(&v);
                    counts.tets += u64::from(used[v as usize] && !own && in_tet(at[j][v as usize], corners));
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
    for i in 0..at.len() {
        for j in i + 1..at.len() {
            let (ba, bb) = (crumple_scenes::vector::bounds(&at[i]), crumple_scenes::vector::bounds(&at[j]));
            if (0..3).any(|k| ba.1[k] < bb.0[k] || bb.1[k] < ba.0[k]) {
                continue;
            }
            for &x in scene.bodies[i].elements.triangles() {
                for &y in scene.bodies[j].elements.triangles() {
                    pairs += u64::from(triangles_intersect(&at[i], x, &at[j], y, false));
                }
            }
        }
    }
    pairs
}
