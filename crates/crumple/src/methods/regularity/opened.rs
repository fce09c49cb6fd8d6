//! Patches opened for testing: boxes and corners of their triangles, eight to a row.
//!
//! A patch is opened only when a search could neither certify nor separate it. Two opened patches are compared by rows:
//! the box of a group of eight triangles against eight groups, the box of a triangle against eight triangles, then the
//! plane of a triangle against the corners of eight. What is left goes to the exact test.
//!
//! # When a plane separates for certain
//! Coordinates are `f32` within [−1, 1], off by u = 2^-24. With L the largest component of two edges of the triangle, an
//! edge is off by 4u, its normal by 16uL + 4uL² ≤ 24uL a component; with W the largest component of corner − triangle,
//! off by 4u, the scalar product of the two is off by 3(24uLW + 2L²·4u) + 36uL²W ≤ 144uLW + 24uL². Both L and W are at
//! most R, the summed extents of the two groups, whose boxes overlap: 168uLR covers it. 1e-30 covers underflow.

use super::patches::{LANES, MAX_PATCH};
use super::sight::{Bounds, row};
use crate::geometry::Point;
use crate::geometry::lanes::floats::{Floats, Ids, Map, Row, WIDTH, Work, dot3, load3, splat3, sub3};

/// Boxes of eight things.
#[derive(Debug, Clone, Copy)]
struct BoxRow {
    min: [Row; 3],
    max: [Row; 3],
}

impl BoxRow {
    const EMPTY: Self =
        Self { min: [Row([f32::INFINITY; WIDTH]); 3], max: [Row([f32::NEG_INFINITY; WIDTH]); 3] };

    #[inline(always)]
    fn set(&mut self, lane: usize, bounds: &Bounds) {
        for k in 0..3 {
            self.min[k].0[lane] = bounds.min[k];
            self.max[k].0[lane] = bounds.max[k];
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for k in 0..3 {
            bounds.min[k] = self.min[k].0[lane];
            bounds.max[k] = self.max[k].0[lane];
        }
        bounds
    }

    /// Bit i: the closed box in lane i overlaps `other`.
    #[inline(always)]
    fn overlaps<L: Floats>(&self, l: L, other: &Bounds) -> u32 {
        let mut mask = 0xff;
        for k in 0..3 {
            mask &= l.le(l.load(&self.min[k]), l.splat(other.max[k]));
            mask &= l.le(l.splat(other.min[k]), l.load(&self.max[k]));
        }
        mask
    }
}

/// Eight triangles.
#[derive(Debug, Clone, Copy)]
struct Group {
    boxes: BoxRow,
    /// Coordinate k of corner c: `corners[c][k]`.
    corners: [[Row; 3]; 3],
    ids: [Ids; 3],
}

/// An opened patch.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    count: usize,
    boxes: BoxRow,
    groups: [Group; LANES],
}

impl Opened {
    /// Nothing yet.
    pub fn new() -> Self {
        let group = Group {
            boxes: BoxRow::EMPTY,
            corners: [[Row([0.0; WIDTH]); 3]; 3],
            ids: [Ids([u32::MAX; WIDTH]); 3],
        };
        Self { count: 0, boxes: BoxRow::EMPTY, groups: [group; LANES] }
    }
}

/// Fills an opened patch.
pub(super) struct Open<'a> {
    pub positions: &'a [Point],
    pub vertices: &'a [u32],
    pub corners: &'a [[u8; 4]],
    pub map: &'a Map,
    pub into: &'a mut Opened,
}

impl Work for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, l: L) {
        let mut local = [[0f32; 4]; 3 * MAX_PATCH];
        for (to, &v) in local.iter_mut().zip(self.vertices) {
            l.store_point(l.place(&self.positions[v as usize], self.map), to);
        }
        let into = self.into;
        into.count = self.corners.len().div_ceil(WIDTH);
        into.boxes = BoxRow::EMPTY;
        for (g, eight) in self.corners.chunks(WIDTH).enumerate() {
            let group = &mut into.groups[g];
            let (mut min, mut max) = ([l.splat(f32::INFINITY); 3], [l.splat(f32::NEG_INFINITY); 3]);
            for c in 0..3 {
                let row = row(l, &local, eight, c);
                for k in 0..3 {
                    l.store(row[k], &mut group.corners[c][k]);
                    min[k] = l.min(min[k], row[k]);
                    max[k] = l.max(max[k], row[k]);
                }
                for (lane, t) in eight.iter().enumerate() {
                    group.ids[c].0[lane] = self.vertices[usize::from(t[c])];
                }
            }
            let mut whole = Bounds::EMPTY;
            for k in 0..3 {
                l.store(min[k], &mut group.boxes.min[k]);
                l.store(max[k], &mut group.boxes.max[k]);
                whole.min[k] = group.boxes.min[k].0.into_iter().fold(f32::INFINITY, f32::min);
                whole.max[k] = group.boxes.max[k].0.into_iter().fold(f32::NEG_INFINITY, f32::max);
            }
            into.boxes.set(g, &whole);
            (eight.len()..WIDTH).for_each(|lane| group.boxes.set(lane, &Bounds::EMPTY));
        }
    }
}

/// Pairs of triangles of two opened patches, or of one with itself, that boxes and planes do not separate. Pairs that
/// share a vertex are left out when the patches are of one body.
pub(super) struct Compare<'a> {
    pub a: &'a Opened,
    pub b: &'a Opened,
    pub relation: Relation,
    /// Indices within the patches.
    pub out: &'a mut Vec<[u8; 2]>,
}

/// How two patches belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// They are one patch.
    Same,
    /// Patches of one body.
    Within,
    /// Patches of two bodies.
    Between,
}

impl Work for Compare<'_> {
    /// How many pairs had overlapping boxes and no common vertex.
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(mut self, l: L) -> u64 {
        let mut tests = 0;
        for ga in 0..self.a.count {
            let box_a = self.a.boxes.get(ga);
            let mut near = self.b.boxes.overlaps(l, &box_a);
            if self.relation == Relation::Same {
                near &= !0 << ga;
            }
            while near != 0 {
                let gb = near.trailing_zeros() as usize;
                near &= near - 1;
                tests += self.groups(l, [ga, gb], [&box_a, &self.b.boxes.get(gb)]);
            }
        }
        tests
    }
}

impl Compare<'_> {
    #[inline(always)]
    fn groups<L: Floats>(&mut self, l: L, [ga, gb]: [usize; 2], [box_a, box_b]: [&Bounds; 2]) -> u64 {
        let (group_a, group_b) = (&self.a.groups[ga], &self.b.groups[gb]);
        let mut rows = group_a.boxes.overlaps(l, box_b);
        let lanes = group_b.boxes.overlaps(l, box_a);
        let reach =
            (0..3).fold(0f32, |m, k| m.max(box_a.max[k] - box_a.min[k] + box_b.max[k] - box_b.min[k]));
        let is_same_group = self.relation == Relation::Same && ga == gb;
        let mut tests = 0;
        while rows != 0 {
            let i = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let mut left = lanes & group_b.boxes.overlaps(l, &group_a.boxes.get(i));
            if is_same_group {
                left &= !1 << i;
            }
            if left != 0 && self.relation != Relation::Between {
                left &= !l.any_equal(&group_b.ids, group_a.ids.map(|ids| ids.0[i]));
            }
            tests += u64::from(left.count_ones());
            if left != 0 {
                left &= !beyond_plane(l, group_a, i, group_b, reach);
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

/// Bit j: triangle j of `b` lies certainly on one side of the plane of triangle i of `a`.
#[inline(always)]
fn beyond_plane<L: Floats>(l: L, a: &Group, i: usize, b: &Group, reach: f32) -> u32 {
    let (mut p, mut u, mut v, mut edge) = ([0f32; 3], [0f32; 3], [0f32; 3], 0f32);
    for k in 0..3 {
        p[k] = a.corners[0][k].0[i];
        u[k] = a.corners[1][k].0[i] - p[k];
        v[k] = a.corners[2][k].0[i] - p[k];
        edge = edge.max(u[k].abs()).max(v[k].abs());
    }
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let bound = 168.0 * (f32::EPSILON / 2.0) * edge * reach + 1e-30;
    let (n, p) = (splat3(l, n), splat3(l, p));
    let (above, below) = (l.splat(bound), l.splat(-bound));
    let (mut all_above, mut all_below) = (0xff, 0xff);
    for corner in &b.corners {
        let side = dot3(l, n, sub3(l, load3(l, corner), p));
        all_above &= l.gt(side, above);
        all_below &= l.gt(below, side);
    }
    all_above | all_below
}
