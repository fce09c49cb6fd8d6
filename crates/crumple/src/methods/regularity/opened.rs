//! Patches opened for testing: boxes, corners and planes of their triangles, eight to a row.
//!
//! A patch is opened only when a search could neither certify nor separate it.

use super::patches::LANES;
use super::sight::{Bounds, Local, row};
use crate::geometry::Point;
use crate::geometry::lanes::floats::{Floats, Ids, Map, Row, WIDTH, Work, cross3, sub3};

/// Boxes of eight things.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxRow {
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
    pub fn get(&self, lane: usize) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        for k in 0..3 {
            bounds.min[k] = self.min[k].0[lane];
            bounds.max[k] = self.max[k].0[lane];
        }
        bounds
    }

    /// Bit i: the closed box in lane i overlaps `other`.
    #[inline(always)]
    pub fn overlaps<L: Floats>(&self, l: L, other: &Bounds) -> u32 {
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
pub(super) struct Group {
    pub boxes: BoxRow,
    /// Coordinate k of corner c: `corners[c][k]`.
    pub corners: [[Row; 3]; 3],
    /// Vector product of two edges, and the largest component of these.
    pub normals: [Row; 3],
    pub edges: Row,
    /// Vertex c of each.
    pub ids: [Ids; 3],
}

/// An opened patch.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    /// Groups in use.
    pub count: usize,
    /// The box of each group.
    pub boxes: BoxRow,
    pub groups: [Group; LANES],
}

impl Opened {
    /// Nothing yet.
    pub fn new() -> Self {
        let group = Group {
            boxes: BoxRow::EMPTY,
            corners: [[Row([0.0; WIDTH]); 3]; 3],
            normals: [Row([0.0; WIDTH]); 3],
            edges: Row([0.0; WIDTH]),
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
    pub local: &'a mut Local,
    pub into: &'a mut Opened,
}

impl Work for Open<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, l: L) {
        let local = self.local;
        for (to, &v) in local.iter_mut().zip(self.vertices) {
            l.store_point(l.place(&self.positions[v as usize], self.map), to);
        }
        let into = self.into;
        into.count = self.corners.len().div_ceil(WIDTH);
        into.boxes = BoxRow::EMPTY;
        for (g, eight) in self.corners.chunks(WIDTH).enumerate() {
            let group = &mut into.groups[g];
            let rows = [row(l, local, eight, 0), row(l, local, eight, 1), row(l, local, eight, 2)];
            let (u, v) = (sub3(l, rows[1], rows[0]), sub3(l, rows[2], rows[0]));
            let n = cross3(l, u, v);
            let mut edge = l.splat(0.0);
            for k in 0..3 {
                edge = l.max(l.max(edge, l.abs(u[k])), l.abs(v[k]));
                l.store(n[k], &mut group.normals[k]);
                l.store(l.min(l.min(rows[0][k], rows[1][k]), rows[2][k]), &mut group.boxes.min[k]);
                l.store(l.max(l.max(rows[0][k], rows[1][k]), rows[2][k]), &mut group.boxes.max[k]);
                for c in 0..3 {
                    l.store(rows[c][k], &mut group.corners[c][k]);
                }
            }
            l.store(edge, &mut group.edges);
            for (lane, t) in eight.iter().enumerate() {
                for c in 0..3 {
                    group.ids[c].0[lane] = self.vertices[usize::from(t[c])];
                }
            }
            let mut whole = Bounds::EMPTY;
            for k in 0..3 {
                whole.min[k] = group.boxes.min[k].0.into_iter().fold(f32::INFINITY, f32::min);
                whole.max[k] = group.boxes.max[k].0.into_iter().fold(f32::NEG_INFINITY, f32::max);
            }
            into.boxes.set(g, &whole);
            (eight.len()..WIDTH).for_each(|lane| group.boxes.set(lane, &Bounds::EMPTY));
        }
    }
}
