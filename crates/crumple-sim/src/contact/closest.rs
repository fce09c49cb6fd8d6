//! Pairs that were just found are aimed at their closest points, four at a time.
//!
//! A search finds some hundred thousand pairs in a violent frame, and in lanes finding and aiming them takes two thirds of the time that it
//! took one by one. The direction proves itself: whatever it is, two features whose corners are apart along it are as far apart at least.

use crumple::geometry::simd::{F64x4, Kernel, Quad, Simd, add3, cross3, dispatch, dot3, scale3, sub3};
use crumple::narrow::Feature;
use glam::DVec3;

use super::pair::{Kind, Pair, inner};
use crate::elastic::lanes::{gather, xyz};

/// Where everything is, as lanes want it.
pub(super) fn fill(x: &[DVec3], points: &mut Vec<Quad>) {
    points.clear();
    points.extend(x.iter().map(|p| Quad([p.x, p.y, p.z, 0.0])));
}

/// Aims pairs of one kind.
pub(super) fn aim(kind: Kind, pairs: &mut [Pair], points: &[Quad]) {
    dispatch(Aim { kind, pairs, points });
}

struct Aim<'a> {
    kind: Kind,
    pairs: &'a mut [Pair],
    points: &'a [Quad],
}

impl Kernel for Aim<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for four in self.pairs.chunks_mut(4) {
            // The last fills what is missing.
            let lanes: [usize; 4] = std::array::from_fn(|i| i.min(four.len() - 1));
            let corner = |k: usize| xyz(gather(simd, self.points, &lanes.map(|i| four[i].v[k])));
            let x = [corner(0), corner(1), corner(2), corner(3)];
            match self.kind {
                Kind::VertexTriangle => vertex_triangle(simd, x, four),
                Kind::EdgeEdge => edge_edge(simd, x, four),
            }
        }
    }
}

type Lanes3<S> = [<S as Simd>::F64x4; 3];

/// The triangle as seen from the vertex: the closest point is inside, or it is on the closest edge. A triangle whose normal has less than
/// ten digits has no inside: its edges are close by anyway.
#[inline(always)]
fn vertex_triangle<S: Simd>(simd: S, x: [Lanes3<S>; 4], four: &mut [Pair]) {
    const THIN: f64 = 1e-12;
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let (zero, one, tiny) = (splat(0.0), splat(1.0), splat(f64::MIN_POSITIVE));
    let c = [sub3(x[1], x[0]), sub3(x[2], x[0]), sub3(x[3], x[0])];
    let e = [sub3(c[1], c[0]), sub3(c[2], c[1]), sub3(c[0], c[2])];
    let n = cross3(e[2], e[0]);
    let area = [dot3(cross3(c[1], e[1]), n), dot3(cross3(c[2], e[2]), n), dot3(cross3(c[0], e[0]), n)];
    let share = one / (area[0] + area[1] + area[2]).max(tiny);
    let weight = [area[0] * share, area[1] * share, area[2] * share];
    let (mut r, mut square) = ([zero; 3], splat(f64::INFINITY));
    let (mut along, mut edge) = (zero, zero);
    for i in 0..3 {
        let part = (zero - dot3(c[i], e[i])) / dot3(e[i], e[i]).max(tiny);
        let part = part.clamp(zero, one);
        let at = add3(c[i], scale3(e[i], part));
        let at_sq = dot3(at, at);
        let closer = square.gt(at_sq);
        r = std::array::from_fn(|k| S::F64x4::select(closer, at[k], r[k]));
        square = S::F64x4::select(closer, at_sq, square);
        along = S::F64x4::select(closer, part, along);
        edge = S::F64x4::select(closer, splat(i as f64), edge);
    }
    let is_thin = splat(THIN) * dot3(e[0], e[0]) * dot3(e[2], e[2]);
    let smallest = area[0].min(area[1]).min(area[2]);
    let depth = S::F64x4::select(dot3(n, n).gt(is_thin), smallest, zero);
    let inside = depth.gt(zero);
    let face = add3(add3(scale3(c[0], weight[0]), scale3(c[1], weight[1])), scale3(c[2], weight[2]));
    // From b to a.
    let way = std::array::from_fn(|k| zero - S::F64x4::select(inside, face[k], r[k]));
    let (direction, n) = directions(simd, way);
    let [p, q, r, s] = x.map(|x| dot3(direction, x));
    let gap = numbers::<S>(p - q.max(r).max(s));
    let [along, edge, depth, s, t] = [along, edge, depth, weight[0], weight[1]].map(numbers::<S>);
    for (i, pair) in four.iter_mut().enumerate() {
        let (at, feature) = if depth[i] > 0.0 {
            ([s[i], t[i]], Feature::Face)
        } else {
            let (first, next) = (edge[i] as usize, (edge[i] as usize + 1) % 3);
            let mut weights = [0.0; 3];
            (weights[first], weights[next]) = (1.0 - along[i], along[i]);
            let feature = match along[i] {
                0.0 => Feature::Vertex(first as u8),
                1.0 => Feature::Vertex(next as u8),
                _ => Feature::Edge(first as u8),
            };
            ([weights[0], weights[1]], feature)
        };
        pair.take_found(n[i], at, feature, gap[i]);
    }
}

/// As [`crumple::narrow::seg_seg`]: where the lines come closest; if the point on one segment must be moved to an end, the other follows.
#[inline(always)]
fn edge_edge<S: Simd>(simd: S, [a, b, c, d]: [Lanes3<S>; 4], four: &mut [Pair]) {
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let (zero, one, tiny) = (splat(0.0), splat(1.0), splat(f64::MIN_POSITIVE));
    let fraction = |part: S::F64x4, whole: S::F64x4| (part / whole.max(tiny)).clamp(zero, one);
    let (u, v, w) = (sub3(b, a), sub3(d, c), sub3(c, a));
    let n = cross3(u, v);
    let (uu, vv) = (dot3(u, u), dot3(v, v));
    let s = fraction(dot3(cross3(w, v), n), dot3(n, n));
    let towards = s * dot3(u, v) - dot3(w, v);
    let t = fraction(towards, vv);
    let s = S::F64x4::select(towards.gt(zero), s, fraction(dot3(w, u), uu));
    let s = S::F64x4::select(vv.gt(towards), s, fraction(dot3(sub3(d, a), u), uu));
    let way = sub3(sub3(scale3(u, s), scale3(v, t)), w);
    let (direction, n) = directions(simd, way);
    let [p, q, r, o] = [a, b, c, d].map(|x| dot3(direction, x));
    let gap = numbers::<S>(p.min(q) - r.max(o));
    let [s, t] = [s, t].map(numbers::<S>);
    for (i, pair) in four.iter_mut().enumerate() {
        pair.take_found(n[i], [s[i], t[i]], inner(s[i], t[i]), gap[i]);
    }
}

/// Four unit vectors, in the precision in which pairs keep them: as lanes, and each. 0 of what is next to nothing.
#[inline(always)]
fn directions<S: Simd>(simd: S, way: Lanes3<S>) -> (Lanes3<S>, [[f32; 3]; 4]) {
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let n = scale3(way, splat(1.0) / dot3(way, way).sqrt().max(splat(1e-150)));
    let rows = n.map(|n| numbers::<S>(n).map(|x| x as f32));
    let rounded = rows.map(|row| S::F64x4::from_array(simd, row.map(f64::from)));
    (rounded, std::array::from_fn(|i| rows.map(|row| row[i])))
}

#[inline(always)]
fn numbers<S: Simd>(x: S::F64x4) -> [f64; 4] {
    let mut quad = Quad::default();
    x.store_quad(&mut quad);
    quad.0
}

#[cfg(test)]
mod tests {
    use super::super::Meeting;
    use super::*;

    /// Points of a coarse grid, so that edges are parallel, cross, and end above each other.
    fn points(count: usize) -> Vec<DVec3> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 60) as f64 / 4.0
        };
        (0..count).map(|_| DVec3::new(next(), next(), next())).collect()
    }

    #[test]
    fn four_at_a_time_find_what_one_at_a_time_does() {
        let x = points(4 * 4001);
        let mut quads = Vec::new();
        fill(&x, &mut quads);
        let meeting = Meeting { thickness: 0.1, friction: 0.0 };
        for kind in [Kind::VertexTriangle, Kind::EdgeEdge] {
            let of = |i: u32| Pair::new(kind, std::array::from_fn(|k| 4 * i + k as u32), meeting);
            let mut found: Vec<Pair> = (0..4001).map(of).collect();
            aim(kind, &mut found, &quads);
            let mut touching = 0;
            for pair in &found {
                let mut single = Pair::new(kind, pair.v, meeting);
                single.aim_anew(f64::NEG_INFINITY, &x);
                let (gap, best) = (pair.gap(&x), single.gap(&x));
                // Where two touch, the direction is what rounding makes of it.
                let is_right = (gap - best).abs() < 1e-6 || best <= 0.0 && gap < 1e-6;
                assert!(is_right, "{kind:?} {gap} {best} {:?}", pair.v);
                assert!(gap <= 0.0 || f64::from(pair.base()) <= gap, "a gap is not rounded up");
                // Weights lead to a point as near.
                let way: DVec3 = (0..4).map(|i| x[pair.v[i] as usize] * pair.weights()[i]).sum();
                assert!((way.length() - best.max(0.0)).abs() < 1e-5, "{kind:?} {way} {best}");
                touching += usize::from(best <= 0.0);
            }
            assert!(touching < 2000);
        }
    }
}
