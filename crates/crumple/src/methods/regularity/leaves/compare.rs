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
use crate::geometry::lanes::floats::{Floats, Row, WIDTH, Work, cross3, dot3, load3, splat3, sub3};
use crate::methods::regularity::bounds::Bounds;

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

impl Work for Compare<'_> {
    /// How many pairs had overlapping boxes and no common vertex.
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(mut self, l: L) -> u64 {
        if let Some(next) = self.next {
            next.prefetch(l);
        }
        let mut tests = 0;
        for ga in 0..self.a.count {
            let box_a = self.a.row_boxes.get(ga);
            let mut near = self.b.row_boxes.overlaps(l, &box_a);
            if self.relation == Relation::Same {
                near &= !0 << ga;
            }
            while near != 0 {
                let gb = near.trailing_zeros() as usize;
                near &= near - 1;
                tests += self.compare_rows(l, [ga, gb], [&box_a, &self.b.row_boxes.get(gb)]);
            }
        }
        self.drop_separated(l);
        tests
    }
}

impl Compare<'_> {
    #[inline(always)]
    fn compare_rows<L: Floats>(&mut self, l: L, [ga, gb]: [usize; 2], [box_a, box_b]: [&Bounds; 2]) -> u64 {
        let (row_a, row_b) = (&self.a.rows[ga], &self.b.rows[gb]);
        let (boxes_a, boxes_b) = (&self.a.triangle_boxes[ga], &self.b.triangle_boxes[gb]);
        let mut rows = boxes_a.overlaps(l, box_b);
        let lanes = boxes_b.overlaps(l, box_a);
        let reach =
            (0..3).fold(0f32, |m, k| m.max(box_a.max[k] - box_a.min[k] + box_b.max[k] - box_b.min[k]));
        let is_same_row = self.relation == Relation::Same && ga == gb;
        let mut tests = 0;
        while rows != 0 {
            let i = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let mut left = lanes & boxes_b.overlaps(l, &boxes_a.get(i));
            if is_same_row {
                left &= !1 << i;
            }
            if left != 0 && self.relation != Relation::Between {
                left &= !l.any_equal(&row_b.ids, row_a.ids.map(|ids| ids.0[i]));
            }
            tests += u64::from(left.count_ones());
            if left != 0 {
                left &= !apart_by_plane(l, row_a, i, row_b, reach);
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
    fn drop_separated<L: Floats>(&mut self, l: L) {
        let mut kept = 0;
        for first in (0..self.out.len()).step_by(WIDTH) {
            let count = (self.out.len() - first).min(WIDTH);
            let mut eight = EightPairs::new();
            for lane in 0..count {
                let [i, j] = self.out[first + lane];
                eight.set(lane, self.a, i.into(), self.b, j.into());
            }
            let mut left = !eight.separated(l) & (0xff >> (WIDTH - count));
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
    fn separated<L: Floats>(&self, l: L) -> u32 {
        let [a0, a1, a2] = [load3(l, &self.a[0]), load3(l, &self.a[1]), load3(l, &self.a[2])];
        let [b0, b1, b2] = [load3(l, &self.b[0]), load3(l, &self.b[1]), load3(l, &self.b[2])];
        // Edge k of each, and the way from it to the opposite corner; the middle corner serves two edges.
        let (u, v, w) = (sub3(l, a1, a0), sub3(l, a2, a0), sub3(l, a2, a1));
        let edges_a = [(u, a0, a2), (v, a0, a1), (w, a1, a0)];
        let edges_b = [(sub3(l, b1, b0), b0, b2), (sub3(l, b2, b0), b0, b1), (sub3(l, b2, b1), b1, b0)];
        let (mut longest, mut reach) = (l.splat(0.0), l.splat(0.0));
        for k in 0..3 {
            for edges in [&edges_a, &edges_b] {
                longest = l.max(
                    longest,
                    l.max(l.abs(edges[0].0[k]), l.max(l.abs(edges[1].0[k]), l.abs(edges[2].0[k]))),
                );
            }
            for b in [b0, b1, b2] {
                for a in [a0, a1] {
                    reach = l.max(reach, l.abs(l.sub(b[k], a[k])));
                }
            }
        }
        reach = l.max(reach, longest);
        // Two products are compared, each off by so much.
        let bound = l.add(l.mul(l.splat(2.0 * ERROR), l.mul(longest, reach)), l.splat(TINY));
        let zero = l.splat(0.0);
        let mut separated = l.exceeds(zero, zero);
        for (edge_a, on_a, off_a) in edges_a {
            for (edge_b, on_b, off_b) in edges_b {
                let across = cross3(l, edge_a, edge_b);
                let end_a = dot3(l, across, sub3(l, off_a, on_a));
                let (p, q) = (dot3(l, across, sub3(l, on_b, on_a)), dot3(l, across, sub3(l, off_b, on_a)));
                let above = l.sub(l.min(p, q), l.max(end_a, zero));
                let below = l.sub(l.min(end_a, zero), l.max(p, q));
                separated = l.either(separated, l.exceeds(l.max(above, below), bound));
            }
        }
        l.bits(separated)
    }
}

/// Bit j: the plane of triangle i of `a`, or of triangle j of `b`, certainly has the other triangle on one side.
#[inline(always)]
fn apart_by_plane<L: Floats>(l: L, a: &TriangleRow, i: usize, b: &TriangleRow, reach: f32) -> u32 {
    let (scale, zero) = (ERROR * reach, l.splat(0.0));
    let (p, n) = (lane3(&a.corners[0], i), splat3(l, lane3(&a.normals, i)));
    let p = splat3(l, p);
    let bound = l.splat(scale * a.edges.0[i] + TINY);
    let mut sides = [zero; 3];
    for (side, corner) in sides.iter_mut().zip(&b.corners) {
        *side = dot3(l, n, sub3(l, load3(l, corner), p));
    }
    let by_a = one_sided(l, sides, bound);
    let (q, n) = (load3(l, &b.corners[0]), load3(l, &b.normals));
    let bound = l.add(l.mul(l.splat(scale), l.load(&b.edges)), l.splat(TINY));
    for (side, corner) in sides.iter_mut().zip(&a.corners) {
        *side = dot3(l, n, sub3(l, splat3(l, lane3(corner, i)), q));
    }
    l.bits(l.either(by_a, one_sided(l, sides, bound)))
}

/// Whether three sides are all above the bound, or all below its negative.
#[inline(always)]
fn one_sided<L: Floats>(l: L, [p, q, r]: [L::F; 3], bound: L::F) -> L::M {
    let (least, greatest) = (l.min(l.min(p, q), r), l.max(l.max(p, q), r));
    l.either(l.exceeds(least, bound), l.exceeds(l.sub(l.splat(0.0), bound), greatest))
}

#[inline(always)]
fn lane3(rows: &[Row; 3], lane: usize) -> [f32; 3] {
    [rows[0].0[lane], rows[1].0[lane], rows[2].0[lane]]
}
