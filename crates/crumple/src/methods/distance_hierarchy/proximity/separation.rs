//! Eight pairs at a time: is there a direction along which they are further apart than they reach?
//!
//! The direction is that from closest point to closest point in single precision. It proves itself: whatever it is, two features
//! whose corners are apart along it are as far apart at least. Where it is rounded badly nothing is ruled out.

use super::block_pair::FirstIds;
use super::elements::Elements;
use super::found::FoundPairs;
use super::rows::eight_corners;
use crate::geometry::simd::{F32x8, I32x8, Ids, Mask, Row, Simd, add3, cross3, dot3, scale3, sub3};

/// Pairs of elements, by their places in the rows; what is beyond the end means nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Waiting {
    ones: Vec<i32>,
    others: Vec<i32>,
    len: usize,
}

/// As many as stay in the first cache.
const MANY: usize = 512;

impl Waiting {
    pub fn are_many(&self) -> bool {
        self.len >= MANY
    }

    /// One element with those of eight that are named. Branch-free append: always store, then advance `len`.
    #[inline(always)]
    pub fn add<S: Simd>(&mut self, one: u32, eight: S::I32x8, lanes: u32) {
        let end = self.len + 8;
        if end > self.ones.len() {
            self.grow();
        }
        self.ones[self.len..end].copy_from_slice(&[one as i32; 8]);
        eight.compress(lanes, &mut self.others[self.len..end]);
        self.len += lanes.count_ones() as usize;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let room = 2 * self.ones.len() + 2 * MANY;
        self.ones.resize(room, 0);
        self.others.resize(room, 0);
    }

    /// Eight pairs from a place on; the last of all fills what is missing.
    #[inline(always)]
    fn eight(&self, first: usize) -> [[u32; 2]; 8] {
        let mut out = [[0; 2]; 8];
        for i in 0..8 {
            let at = if first + i < self.len { first + i } else { self.len - 1 };
            out[i] = [self.ones[at] as u32, self.others[at] as u32];
        }
        out
    }
}

/// More than the rounding of a gap along a way that is next to nothing.
const NOTHING: f32 = 1e-9;

/// Hands on what is not apart, of vertices of the first and triangles of the second.
#[inline(always)]
pub(super) fn vertices<S: Simd>(
    simd: S,
    [a, b]: [&Elements; 2],
    first: [FirstIds; 2],
    waiting: &mut Waiting,
    out: &mut FoundPairs,
) {
    let zero = S::F32x8::splat(simd, 0.0);
    let one = S::F32x8::splat(simd, 1.0);
    let tiny = S::F32x8::splat(simd, f32::MIN_POSITIVE);
    for begin in (0..waiting.len).step_by(8) {
        let eight = waiting.eight(begin);
        let mut ids = [Ids([0; 8]); 4];
        let mut reach = Row([0.0; 8]);
        for i in 0..8 {
            let [v, t] = eight[i];
            let vertex = a.vertices.ids[v as usize];
            let [x, y, z] = b.triangles.elements[t as usize];
            (ids[0].0[i], ids[1].0[i], ids[2].0[i], ids[3].0[i]) = (vertex, x, y, z);
            let far = |v: u32| b.images[v as usize][3];
            reach.0[i] = a.images[vertex as usize][3] + larger(larger(far(x), far(y)), far(z));
        }
        let p = eight_corners(simd, &a.images, &ids[0]);
        let q = [
            eight_corners(simd, &b.images, &ids[1]),
            eight_corners(simd, &b.images, &ids[2]),
            eight_corners(simd, &b.images, &ids[3]),
        ];
        // Corners as seen from the vertex; the way leads to the closest point of the plane, or of an edge.
        let [x, y, z] = [sub3(q[0], p), sub3(q[1], p), sub3(q[2], p)];
        let (u, v) = (sub3(y, x), sub3(z, x));
        let n = cross3(u, v);
        let area = [dot3(cross3(y, z), n), dot3(cross3(z, x), n), dot3(cross3(x, y), n)];
        let is_inside = area[0].ge(zero) & area[1].ge(zero) & area[2].ge(zero);
        let to_plane = scale3(n, dot3(x, n) / dot3(n, n).max(tiny));
        let (mut way, mut square) = ([zero; 3], S::F32x8::splat(simd, f32::INFINITY));
        for (start, edge) in [(x, u), (y, sub3(z, y)), (x, v)] {
            let part = (zero - dot3(start, edge)) / dot3(edge, edge).max(tiny);
            let r = add3(start, scale3(edge, part.max(zero).min(one)));
            let (r_sq, closer) = (dot3(r, r), dot3(r, r).lt(square));
            for k in 0..3 {
                way[k] = S::F32x8::select(closer, r[k], way[k]);
            }
            square = S::F32x8::select(closer, r_sq, square);
        }
        for k in 0..3 {
            way[k] = S::F32x8::select(is_inside, to_plane[k], way[k]);
        }
        let gap = dot3(x, way).min(dot3(y, way)).min(dot3(z, way));
        let mut near = !beyond(simd, gap, way, &reach) & first_lanes(waiting.len - begin);
        while near != 0 {
            let i = near.trailing_zeros() as usize;
            near &= near - 1;
            let triangle = b.triangles.ids[eight[i][1] as usize];
            out.vertex(first[0].vertex + ids[0].0[i], first[1].triangle + triangle);
        }
    }
    waiting.len = 0;
}

/// The same of edges.
#[inline(always)]
pub(super) fn edges<S: Simd>(
    simd: S,
    [a, b]: [&Elements; 2],
    first: [FirstIds; 2],
    waiting: &mut Waiting,
    out: &mut FoundPairs,
) {
    let zero = S::F32x8::splat(simd, 0.0);
    let one = S::F32x8::splat(simd, 1.0);
    let tiny = S::F32x8::splat(simd, f32::MIN_POSITIVE);
    for begin in (0..waiting.len).step_by(8) {
        let eight = waiting.eight(begin);
        let mut ids = [Ids([0; 8]); 4];
        let mut reach = Row([0.0; 8]);
        for i in 0..8 {
            let [e, f] = eight[i];
            let ([p, q], [r, s]) = (a.edges.elements[e as usize], b.edges.elements[f as usize]);
            (ids[0].0[i], ids[1].0[i], ids[2].0[i], ids[3].0[i]) = (p, q, r, s);
            let mine = larger(a.images[p as usize][3], a.images[q as usize][3]);
            reach.0[i] = mine + larger(b.images[r as usize][3], b.images[s as usize][3]);
        }
        let p = [eight_corners(simd, &a.images, &ids[0]), eight_corners(simd, &a.images, &ids[1])];
        let q = [eight_corners(simd, &b.images, &ids[2]), eight_corners(simd, &b.images, &ids[3])];
        let (u, v, w) = (sub3(p[1], p[0]), sub3(q[1], q[0]), sub3(q[0], p[0]));
        let (uu, vv, uv) = (dot3(u, u), dot3(v, v), dot3(u, v));
        let (wu, wv) = (dot3(w, u), dot3(w, v));
        // The closest points of the lines; then of one of them the point on its segment, and of the other what is closest to that.
        let s = ((wu * vv - wv * uv) / (uu * vv - uv * uv).max(tiny)).max(zero).min(one);
        let t = ((s * uv - wv) / vv.max(tiny)).max(zero).min(one);
        let s = ((t * uv + wu) / uu.max(tiny)).max(zero).min(one);
        let way = sub3(add3(w, scale3(v, t)), scale3(u, s));
        // Ends as seen from the first.
        let (top, bottom) = (dot3(u, way).max(zero), dot3(w, way).min(dot3(sub3(q[1], p[0]), way)));
        let mut near = !beyond(simd, bottom - top, way, &reach) & first_lanes(waiting.len - begin);
        while near != 0 {
            let i = near.trailing_zeros() as usize;
            near &= near - 1;
            let ranks = (a.edges.ids[eight[i][0] as usize], b.edges.ids[eight[i][1] as usize]);
            out.edges(first[0].edge + ranks.0, first[1].edge + ranks.1);
        }
    }
    waiting.len = 0;
}

/// Which gaps along a way, times its length, say that two are further apart than they reach.
#[inline(always)]
fn beyond<S: Simd>(simd: S, gap: S::F32x8, way: [S::F32x8; 3], reach: &Row) -> u32 {
    // Not divided by the length, which may be 0; a way that is next to nothing rules nothing out.
    let limit = dot3(way, way).sqrt() * S::F32x8::load(simd, reach);
    gap.gt(limit + S::F32x8::splat(simd, NOTHING)).bitmask()
}

/// One bit for each of the first `count` lanes.
#[inline(always)]
pub(super) fn first_lanes(count: usize) -> u32 {
    (1 << count.min(8)) - 1
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
