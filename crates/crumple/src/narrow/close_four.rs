//! Four vertices and triangles, or four pairs of edges, at a time: the same as [`super::close_features`], to the bit.
//!
//! Operations and their order are those of [`super::point_tri`], [`super::seg_seg`] and [`super::distance_bounds`], with choices instead
//! of branches. What those treat apart (next to no distance, thin triangles, a verdict or a side that rounding may change) is left
//! to them: such a lane is *in doubt*.

use super::close_features::{NOISE, SMALL};
use super::distance_bounds::U;
use crate::geometry::predicates::{BOUND_3D, UNDERFLOW};
use crate::geometry::simd::{F64x4, Mask, Simd, add3, cross3, dot3, scale3, sub3};

type Four<S> = [<S as Simd>::F64x4; 3];

/// What is known of four pairs; bit i is lane i.
pub(crate) struct CloseFour<S: Simd> {
    /// Those that are closer than the limit, and measured.
    pub near: u32,
    /// Those of which nothing is known.
    pub doubt: u32,
    pub distance: S::F64x4,
    /// Unit vector from the second to the first.
    pub normal: Four<S>,
}

/// Where the closest points of four triangles are.
pub(crate) struct OnTriangles<S: Simd> {
    /// Those inside the triangle, and their weights.
    pub inside: u32,
    pub weights: Four<S>,
    /// Of the others, those on the second and on the third edge, and where on their edge.
    pub second: u32,
    pub third: u32,
    pub along: S::F64x4,
}

/// Where the closest points of four pairs of edges are.
pub(crate) struct OnEdges<S: Simd> {
    pub s: S::F64x4,
    pub t: S::F64x4,
}

/// Vertices and triangles.
#[inline(always)]
pub(crate) fn vertex_triangle<S: Simd>(
    simd: S,
    p: Four<S>,
    t: [Four<S>; 3],
    limit: S::F64x4,
) -> (CloseFour<S>, OnTriangles<S>) {
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let (zero, one) = (splat(0.0), splat(1.0));
    let corner = [sub3(t[0], p), sub3(t[1], p), sub3(t[2], p)];
    let edge = [sub3(t[1], t[0]), sub3(t[2], t[1]), sub3(t[0], t[2])];
    let n = cross3(edge[2], edge[0]);
    let area = [
        dot3(cross3(corner[1], edge[1]), n),
        dot3(cross3(corner[2], edge[2]), n),
        dot3(cross3(corner[0], edge[0]), n),
    ];
    let is_inside = area[0].gt(zero) & area[1].gt(zero) & area[2].gt(zero);
    let share = one / (area[0] + area[1] + area[2]);
    let weights = [area[0] * share, area[1] * share, area[2] * share];
    let on_face = add3(
        add3(scale3(corner[0], weights[0]), scale3(corner[1], weights[1])),
        scale3(corner[2], weights[2]),
    );
    let thin = splat(1e-12) * dot3(edge[0], edge[0]) * dot3(edge[2], edge[2]);
    let is_thick = dot3(n, n).gt(thin);
    let (mut r, mut along) = on_edge(simd, corner[0], edge[0], corner[1]);
    let mut square = dot3(r, r);
    let mut beaten = [0; 2];
    for i in 1..3 {
        let (other, s) = on_edge(simd, corner[i], edge[i], corner[(i + 1) % 3]);
        let other_sq = dot3(other, other);
        let is_closer = square.gt(other_sq);
        r = select3::<S>(is_closer, other, r);
        along = S::F64x4::select(is_closer, s, along);
        square = S::F64x4::select(is_closer, other_sq, square);
        beaten[i - 1] = is_closer.bitmask();
    }
    let r = select3::<S>(is_inside, on_face, r);
    let heights = [dot3(corner[0], r), dot3(corner[1], r), dot3(corner[2], r)];
    let (low, high) =
        (heights[0].min(heights[1]).min(heights[2]), heights[0].max(heights[1]).max(heights[2]));
    let size = largest3(corner[0]).max(largest3(corner[1])).max(largest3(corner[2]));
    let verdict = Verdict::of(simd, r, low.max(zero - high), size, limit);
    let mut doubt = verdict.doubt(is_inside & !is_thick);
    let mut normal = verdict.normal;
    let faces = is_inside.bitmask() & verdict.near;
    if faces != 0 {
        let (u, v) = (edge[0], sub3(t[2], t[0]));
        let (side, is_settled) = side(simd, u, v, sub3(p, t[0]));
        let (across, is_known) = across(simd, u, v);
        normal = select3::<S>(is_inside, scale3(across, side), normal);
        doubt |= faces & !(is_settled & is_known).bitmask();
    }
    let [second, third] = beaten;
    let near = verdict.near & !doubt;
    let close = CloseFour { near, doubt, distance: verdict.distance, normal };
    (close, OnTriangles { inside: is_inside.bitmask(), weights, second, third, along })
}

/// Pairs of edges.
#[inline(always)]
pub(crate) fn edge_edge<S: Simd>(
    simd: S,
    p: [Four<S>; 2],
    q: [Four<S>; 2],
    limit: S::F64x4,
) -> (CloseFour<S>, OnEdges<S>) {
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let (zero, half, one) = (splat(0.0), splat(0.5), splat(1.0));
    let (u, v, w) = (sub3(p[1], p[0]), sub3(q[1], q[0]), sub3(q[0], p[0]));
    let n = cross3(u, v);
    let (uu, vv, nn) = (dot3(u, u), dot3(v, v), dot3(n, n));
    let last = sub3(q[1], p[0]);
    let mut s = fraction(simd, dot3(cross3(w, v), n), nn);
    let towards = s * dot3(u, v) - dot3(w, v);
    let mut t = fraction(simd, towards, vv);
    let (is_before, is_within) = (!towards.gt(zero), vv.gt(towards));
    s = S::F64x4::select(is_within, s, fraction(simd, dot3(last, u), uu));
    t = S::F64x4::select(is_within, t, one);
    s = S::F64x4::select(is_before, fraction(simd, dot3(w, u), uu), s);
    t = S::F64x4::select(is_before, zero, t);
    let (is_late_s, is_late_t) = (s.gt(half), t.gt(half));
    let from = select3::<S>(is_late_s, p[1], p[0]);
    let to = select3::<S>(is_late_t, q[1], q[0]);
    let (s_rest, t_rest) = (S::F64x4::select(is_late_s, s - one, s), S::F64x4::select(is_late_t, t - one, t));
    let r = sub3(add3(sub3(to, from), scale3(v, t_rest)), scale3(u, s_rest));
    // Ends as seen from the first.
    let mine = dot3(u, r);
    let (first, second) = (dot3(w, r), dot3(last, r));
    let below = first.min(second) - mine.max(zero);
    let above = mine.min(zero) - first.max(second);
    let size = largest3(u).max(largest3(w)).max(largest3(last));
    let verdict = Verdict::of(simd, r, below.max(above), size, limit);
    let mut doubt = verdict.doubt(zero.gt(one));
    let mut normal = verdict.normal;
    let is_inner = s.gt(zero) & one.gt(s) & t.gt(zero) & one.gt(t) & nn.gt(splat(1e-12) * uu * vv);
    let inner = is_inner.bitmask() & verdict.near;
    if inner != 0 {
        let (side, is_settled) = side(simd, u, w, last);
        let (across, is_known) = across(simd, u, v);
        normal = select3::<S>(is_inner, scale3(across, side), normal);
        doubt |= inner & !(is_settled & is_known).bitmask();
    }
    let near = verdict.near & !doubt;
    (CloseFour { near, doubt, distance: verdict.distance, normal }, OnEdges { s, t })
}

/// What a way of shortest length says.
struct Verdict<S: Simd> {
    near: u32,
    far: u32,
    distance: S::F64x4,
    normal: Four<S>,
}

impl<S: Simd> Verdict<S> {
    /// `gap` is that along the way, times its length; `size` the largest coordinate of a corner relative to the first.
    #[inline(always)]
    fn of(simd: S, r: Four<S>, gap: S::F64x4, size: S::F64x4, limit: S::F64x4) -> Self {
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let length = dot3(r, r).sqrt();
        let upper = (length + splat(128.0 * U) * size) * splat(1.0 + 8.0 * U);
        let lower = gap / length * splat(1.0 - 8.0 * U) - splat(32.0 * U) * size;
        let is_sound = size.gt(splat(SMALL)) & length.gt(splat(NOISE) * size);
        let (near, far) = (limit.gt(upper) & is_sound, lower.gt(limit) & is_sound);
        let back = splat(0.0) - length;
        let normal = [r[0] / back, r[1] / back, r[2] / back];
        Self { near: near.bitmask(), far: far.bitmask(), distance: length, normal }
    }

    /// What is in doubt, with some more; what is far is not.
    #[inline(always)]
    fn doubt(&self, more: S::Mask4) -> u32 {
        (!self.near | more.bitmask()) & !self.far & 0xf
    }
}

/// `part / whole` within [0, 1]; 0 when the whole is 0.
#[inline(always)]
fn fraction<S: Simd>(simd: S, part: S::F64x4, whole: S::F64x4) -> S::F64x4 {
    let (zero, tiny) = (S::F64x4::splat(simd, 0.0), S::F64x4::splat(simd, f64::MIN_POSITIVE));
    let inside = (part / whole.max(tiny)).min(S::F64x4::splat(simd, 1.0));
    S::F64x4::select(part.gt(zero), inside, zero)
}

/// The points closest to the origin on segments from `start` to `end = start + edge`: themselves and their parameters.
#[inline(always)]
fn on_edge<S: Simd>(simd: S, start: Four<S>, edge: Four<S>, end: Four<S>) -> (Four<S>, S::F64x4) {
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let (zero, one) = (splat(0.0), splat(1.0));
    let towards = zero - dot3(start, edge);
    let is_after = !dot3(end, edge).gt(zero);
    let s = (towards / dot3(edge, edge)).min(one);
    let near_end = sub3(end, scale3(edge, one - s));
    let mut r = select3::<S>(s.gt(splat(0.5)), near_end, add3(start, scale3(edge, s)));
    r = select3::<S>(is_after, end, r);
    let s = S::F64x4::select(is_after, one, s);
    let is_before = !towards.gt(zero);
    (select3::<S>(is_before, start, r), S::F64x4::select(is_before, zero, s))
}

/// 1 or −1 as `w` is above or below u and v, and where that is certain.
#[inline(always)]
fn side<S: Simd>(simd: S, u: Four<S>, v: Four<S>, w: Four<S>) -> (S::F64x4, S::Mask4) {
    let splat = |x: f64| S::F64x4::splat(simd, x);
    let det = dot3(cross3(u, v), w);
    let m = [
        u[0].abs().max(v[0].abs()).max(w[0].abs()),
        u[1].abs().max(v[1].abs()).max(w[1].abs()),
        u[2].abs().max(v[2].abs()).max(w[2].abs()),
    ];
    let largest = m[0].max(m[1]).max(m[2]);
    let bound = splat(BOUND_3D) * (m[0] * m[1] * m[2])
        + splat(UNDERFLOW) * (splat(4.0) * largest * largest + splat(1.0));
    let is_settled = det.abs().gt(bound);
    (S::F64x4::select(splat(0.0).gt(det), splat(-1.0), splat(1.0)), is_settled)
}

/// Unit vectors along u × v, and where there are any.
#[inline(always)]
fn across<S: Simd>(simd: S, u: Four<S>, v: Four<S>) -> (Four<S>, S::Mask4) {
    let (u, has_u) = unit(simd, u);
    let (v, has_v) = unit(simd, v);
    let (n, has_n) = unit(simd, cross3(u, v));
    (n, has_u & has_v & has_n)
}

/// With length 1, and which are not next to nothing.
#[inline(always)]
fn unit<S: Simd>(simd: S, v: Four<S>) -> (Four<S>, S::Mask4) {
    let largest = largest3(v);
    let v = [v[0] / largest, v[1] / largest, v[2] / largest];
    let length = dot3(v, v).sqrt();
    ([v[0] / length, v[1] / length, v[2] / length], largest.gt(S::F64x4::splat(simd, 1e-130)))
}

#[inline(always)]
fn largest3<S: Simd, V: F64x4<S>>(v: [V; 3]) -> V {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

#[inline(always)]
fn select3<S: Simd>(mask: S::Mask4, yes: Four<S>, no: Four<S>) -> Four<S> {
    [
        S::F64x4::select(mask, yes[0], no[0]),
        S::F64x4::select(mask, yes[1], no[1]),
        S::F64x4::select(mask, yes[2], no[2]),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::close_features;
    use super::*;
    use crate::geometry::Point;
    use crate::geometry::simd::{Kernel, dispatch, dispatch_scalar};

    /// Four times four points: a vertex and a triangle, or two edges.
    #[derive(Clone, Copy)]
    struct Asked<'a> {
        points: &'a [[Point; 4]; 4],
        limit: f64,
    }

    /// Lane by lane: near or in doubt, distance, normal, and the parameters.
    type Told = [Vec<(bool, bool, Vec<f64>)>; 2];

    impl Kernel for Asked<'_> {
        type Output = Told;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Told {
            let four = |corner: usize| -> Four<S> {
                std::array::from_fn(|k| {
                    S::F64x4::from_array(simd, std::array::from_fn(|lane| self.points[lane][corner][k]))
                })
            };
            let [p, q, r, s] = [four(0), four(1), four(2), four(3)];
            let limit = S::F64x4::splat(simd, self.limit);
            let (close, on) = vertex_triangle(simd, p, [q, r, s], limit);
            let vertices = told(close, &[on.weights[0], on.weights[1], on.weights[2], on.along]);
            let (close, on) = edge_edge(simd, [p, q], [r, s], limit);
            [vertices, told(close, &[on.s, on.t])]
        }
    }

    fn told<S: Simd>(close: CloseFour<S>, more: &[S::F64x4]) -> Vec<(bool, bool, Vec<f64>)> {
        let columns = [close.distance].into_iter().chain(close.normal).chain(more.iter().copied());
        let columns: Vec<[f64; 4]> = columns
            .map(|column| {
                let mut lanes = [0.0; 4];
                column.store(&mut lanes);
                lanes
            })
            .collect();
        (0..4)
            .map(|i| {
                let of = |bits: u32| bits >> i & 1 == 1;
                (of(close.near), of(close.doubt), columns.iter().map(|c| c[i]).collect())
            })
            .collect()
    }

    /// On a grid, so that distances are equal to the limit, primitives are degenerate and touch; and a little off it.
    #[test]
    fn four_are_as_one_to_the_bit() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 40) as f64 / (1 << 24) as f64
        };
        let (mut near, mut doubt, mut far) = (0, 0, 0);
        for round in 0..20_000 {
            let (unit, off) = ([1.0, 1e-6, 1e80, 1e-40][round % 4], [0.0, 1e-9, 0.3][round % 3]);
            let mut point =
                || -> Point { std::array::from_fn(|_| ((4.0 * next()).floor() + off * next()) * unit) };
            let points: [[Point; 4]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| point()));
            let limit = [1.0, 0.5, 2.0][round % 3] * unit;
            let asked = Asked { points: &points, limit };
            let lanes = dispatch(asked);
            for (i, [p, q, r, s]) in points.iter().enumerate() {
                let one = [
                    close_features::vertex_triangle(p, &[*q, *r, *s], limit),
                    close_features::edge_edge(&[*p, *q], &[*r, *s], limit),
                ];
                for (one, lanes) in one.iter().zip(&lanes) {
                    let (is_near, is_doubt, numbers) = &lanes[i];
                    near += u32::from(*is_near);
                    doubt += u32::from(*is_doubt);
                    far += u32::from(!is_near && !is_doubt);
                    assert!(*is_doubt || *is_near == one.is_some(), "{points:?} {i} {limit}");
                    if let Some(one) = one.filter(|_| *is_near) {
                        let expected = [one.distance, one.normal[0], one.normal[1], one.normal[2]];
                        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                        assert_eq!(bits(&numbers[..4]), bits(&expected), "{points:?} {i} {limit}");
                    }
                }
            }
            if round % 50 == 0 {
                let compared = |told: &Told| format!("{told:?}");
                assert_eq!(compared(&lanes), compared(&dispatch_scalar(asked)));
            }
        }
        assert!(near > 20_000 && doubt > 1000 && far > 20_000, "{near} {doubt} {far}");
    }
}
