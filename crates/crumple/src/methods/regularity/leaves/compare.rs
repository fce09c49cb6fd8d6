//! Two opened patches against each other, by rows of eight.
//!
//! The box of a row of eight triangles is compared with eight rows, the box of a triangle with eight triangles, then
//! planes separate what boxes do not: that of the one against the corners of eight, and those of the eight against its
//! corners. What is left is collected, and eight pairs at a time are separated along the nine directions that are
//! perpendicular to an edge of each. The rest goes to the exact test, and nearly all of it intersects.
//!
//! # When a separation is certain
//! Coordinates are `f32` within [−1, 1], off by u = 2^-24. An edge, or the difference between two corners, is off by 4u:
//! two coordinates and its own rounding. Let edges have components up to L and differences up to R ≥ L/2. A component of
//! the cross product of two edges is off by 16uL + 4uL² ≤ 24uL; its dot product with a difference by 3(24uLR +
//! 2L²·4u) from its terms and 18uL²R ≤ 36uLR from its roundings: 108uLR + 24uL² ≤ 168uLR in all. 1e-30 covers underflow.

use super::patch_rows::{PatchRows, TriangleRow};
use crate::geometry::Aabb32;
use crate::geometry::simd::{
    self, F32x8, I32x8, Ids, Kernel, Mask, Row, Simd, WIDTH, cross3, dot3, load3, splat3, sub3,
};

/// 168u, see the page.
const ERROR: f32 = 168.0 * (f32::EPSILON / 2.0);

/// Covers underflow.
const TINY: f32 = 1e-30;

/// Pairs of triangles of two opened patches, or of one with itself, that nothing separates. Pairs that
/// share a vertex are left out.
pub(crate) struct Compare<'a> {
    pub a: &'a PatchRows,
    pub b: &'a PatchRows,
    pub relation: Relation,
    /// What will be compared next.
    pub next: Option<&'a PatchRows>,
    /// Indices within the patches.
    pub out: &'a mut Vec<[u8; 2]>,
}

/// How two patches belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// They are one patch.
    Same,
    /// They may have vertices in common.
    Within,
    /// They have none.
    Between,
}

impl Kernel for Compare<'_> {
    /// How many pairs had overlapping boxes and no common vertex.
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) -> u64 {
        if let Some(next) = self.next {
            next.prefetch(simd);
        }
        let mut tests = 0;
        for ga in 0..self.a.count {
            let box_a = self.a.row_boxes.get(ga);
            let mut near = simd::overlaps(simd, &self.b.row_boxes.rows, box_a.min3(), box_a.max3());
            if self.relation == Relation::Same {
                near &= !0 << ga;
            }
            while near != 0 {
                let gb = near.trailing_zeros() as usize;
                near &= near - 1;
                tests += self.compare_rows(simd, [ga, gb], [&box_a, &self.b.row_boxes.get(gb)]);
            }
        }
        self.drop_separated(simd);
        tests
    }
}

impl Compare<'_> {
    #[inline(always)]
    fn compare_rows<S: Simd>(&mut self, simd: S, [ga, gb]: [usize; 2], [box_a, box_b]: [&Aabb32; 2]) -> u64 {
        let (row_a, row_b) = (&self.a.rows[ga], &self.b.rows[gb]);
        let (boxes_a, boxes_b) = (&self.a.triangle_boxes[ga], &self.b.triangle_boxes[gb]);
        let mut rows = simd::overlaps(simd, &boxes_a.rows, box_b.min3(), box_b.max3());
        let lanes = simd::overlaps(simd, &boxes_b.rows, box_a.min3(), box_a.max3());
        let reach =
            (0..3).fold(0f32, |m, k| m.max(box_a.max[k] - box_a.min[k] + box_b.max[k] - box_b.min[k]));
        let is_same_row = self.relation == Relation::Same && ga == gb;
        let mut tests = 0;
        while rows != 0 {
            let i = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let one = boxes_a.get(i);
            let mut left = lanes & simd::overlaps(simd, &boxes_b.rows, one.min3(), one.max3());
            if is_same_row {
                left &= !1 << i;
            }
            if left != 0 && self.relation != Relation::Between {
                left &=
                    !any_equal(simd, &row_b.ids, [row_a.ids[0].0[i], row_a.ids[1].0[i], row_a.ids[2].0[i]]);
            }
            tests += u64::from(left.count_ones());
            if left != 0 {
                left &= !apart_by_plane(simd, row_a, i, row_b, reach);
            }
            while left != 0 {
                let j = left.trailing_zeros() as usize;
                left &= left - 1;
                self.out.push([(ga * WIDTH + i) as u8, (gb * WIDTH + j) as u8]);
            }
        }
        tests
    }
}

impl Compare<'_> {
    /// Drops the pairs that a direction across two edges separates.
    #[inline(always)]
    fn drop_separated<S: Simd>(&mut self, simd: S) {
        let mut kept = 0;
        for first in (0..self.out.len()).step_by(WIDTH) {
            let count = (self.out.len() - first).min(WIDTH);
            let mut eight = EightPairs::new();
            for lane in 0..count {
                let [i, j] = self.out[first + lane];
                eight.set(lane, self.a, i.into(), self.b, j.into());
            }
            let mut left = !eight.separated(simd) & (0xff >> (WIDTH - count));
            while left != 0 {
                self.out[kept] = self.out[first + left.trailing_zeros() as usize];
                left &= left - 1;
                kept += 1;
            }
        }
        self.out.truncate(kept);
    }
}

/// Eight pairs of triangles.
struct EightPairs {
    a: [[Row; 3]; 3],
    b: [[Row; 3]; 3],
}

impl EightPairs {
    #[inline(always)]
    fn new() -> Self {
        Self { a: [[Row([0.0; WIDTH]); 3]; 3], b: [[Row([0.0; WIDTH]); 3]; 3] }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, a: &PatchRows, i: usize, b: &PatchRows, j: usize) {
        let (ga, gb) = (&a.rows[i / WIDTH], &b.rows[j / WIDTH]);
        for c in 0..3 {
            for k in 0..3 {
                self.a[c][k].0[lane] = ga.corners[c][k].0[i % WIDTH];
                self.b[c][k].0[lane] = gb.corners[c][k].0[j % WIDTH];
            }
        }
    }

    /// Bit i: pair i is certainly separated along the cross product of two edges.
    #[inline(always)]
    fn separated<S: Simd>(&self, simd: S) -> u32 {
        let [a0, a1, a2] = [load3(simd, &self.a[0]), load3(simd, &self.a[1]), load3(simd, &self.a[2])];
        let [b0, b1, b2] = [load3(simd, &self.b[0]), load3(simd, &self.b[1]), load3(simd, &self.b[2])];
        // Edge k of each, and the way from it to the opposite corner; the middle corner serves two edges.
        let (u, v, w) = (sub3(a1, a0), sub3(a2, a0), sub3(a2, a1));
        let edges_a = [(u, a0, a2), (v, a0, a1), (w, a1, a0)];
        let edges_b = [(sub3(b1, b0), b0, b2), (sub3(b2, b0), b0, b1), (sub3(b2, b1), b1, b0)];
        let (mut longest, mut reach) = (S::F32x8::splat(simd, 0.0), S::F32x8::splat(simd, 0.0));
        for k in 0..3 {
            for edges in [&edges_a, &edges_b] {
                longest = longest.max(edges[0].0[k].abs()).max(edges[1].0[k].abs()).max(edges[2].0[k].abs());
            }
            for b in [b0, b1, b2] {
                for a in [a0, a1] {
                    reach = reach.max((b[k] - a[k]).abs());
                }
            }
        }
        reach = reach.max(longest);
        // Two products are compared, each off by so much.
        let bound = S::F32x8::splat(simd, 2.0 * ERROR) * (longest * reach) + S::F32x8::splat(simd, TINY);
        let zero = S::F32x8::splat(simd, 0.0);
        let mut separated = zero.gt(zero);
        for (edge_a, on_a, off_a) in edges_a {
            for (edge_b, on_b, off_b) in edges_b {
                let across = cross3(edge_a, edge_b);
                let end_a = dot3(across, sub3(off_a, on_a));
                let (p, q) = (dot3(across, sub3(on_b, on_a)), dot3(across, sub3(off_b, on_a)));
                let above = p.min(q) - end_a.max(zero);
                let below = end_a.min(zero) - p.max(q);
                separated = separated | above.max(below).gt(bound);
            }
        }
        separated.bitmask()
    }
}

/// Bit j: the plane of triangle i of `a`, or of triangle j of `b`, certainly has the other triangle on one side.
#[inline(always)]
fn apart_by_plane<S: Simd>(simd: S, a: &TriangleRow, i: usize, b: &TriangleRow, reach: f32) -> u32 {
    let (scale, zero) = (ERROR * reach, S::F32x8::splat(simd, 0.0));
    let (p, n) = (lane3(&a.corners[0], i), splat3(simd, lane3(&a.normals, i)));
    let p = splat3(simd, p);
    let bound = S::F32x8::splat(simd, scale * a.edges.0[i] + TINY);
    let mut sides = [zero; 3];
    for (side, corner) in sides.iter_mut().zip(&b.corners) {
        *side = dot3(n, sub3(load3(simd, corner), p));
    }
    let by_a = one_sided::<S>(sides, bound);
    let (q, n) = (load3(simd, &b.corners[0]), load3(simd, &b.normals));
    let bound = S::F32x8::splat(simd, scale) * S::F32x8::load(simd, &b.edges) + S::F32x8::splat(simd, TINY);
    for (side, corner) in sides.iter_mut().zip(&a.corners) {
        *side = dot3(n, sub3(splat3(simd, lane3(corner, i)), q));
    }
    (by_a | one_sided::<S>(sides, bound)).bitmask()
}

/// Whether three sides are all above the bound, or all below its negative.
#[inline(always)]
fn one_sided<S: Simd>([p, q, r]: [S::F32x8; 3], bound: S::F32x8) -> S::Mask8 {
    p.min(q).min(r).gt(bound) | (-bound).gt(p.max(q).max(r))
}

/// Bit i: one of the corners of triangle i is one of the three.
#[inline(always)]
fn any_equal<S: Simd>(simd: S, ids: &[Ids; 3], of: [u32; 3]) -> u32 {
    let of = [
        S::I32x8::splat(simd, of[0] as i32),
        S::I32x8::splat(simd, of[1] as i32),
        S::I32x8::splat(simd, of[2] as i32),
    ];
    let a = S::I32x8::load_ids(simd, &ids[0]);
    let mut any = a.eq(of[0]) | a.eq(of[1]) | a.eq(of[2]);
    for ids in &ids[1..] {
        let b = S::I32x8::load_ids(simd, ids);
        any = any | b.eq(of[0]) | b.eq(of[1]) | b.eq(of[2]);
    }
    any.bitmask()
}

#[inline(always)]
fn lane3(rows: &[Row; 3], lane: usize) -> [f32; 3] {
    [rows[0].0[lane], rows[1].0[lane], rows[2].0[lane]]
}
