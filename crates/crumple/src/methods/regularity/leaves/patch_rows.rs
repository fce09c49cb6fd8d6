//! Patches opened for testing: boxes, corners and planes of their triangles, eight to a row.
//!
//! A patch is opened only when a search could neither certify nor separate it.

use crate::geometry::lanes::floats::{Floats, Ids, Row, WIDTH, Work, cross3, load3, sub3};
use crate::methods::regularity::bounds::Bounds;
use crate::methods::regularity::hierarchy::LANES;
use crate::methods::regularity::patch_vertices::{NO_VERTICES, PatchVertices, corner_row, prefetch};
use crate::methods::regularity::posed::{PatchRef, Posed};

/// Boxes of eight things.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxRow {
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
        let (min, max) = (load3(l, &self.min), load3(l, &self.max));
        let mut all = l.at_most(min[0], l.splat(other.max[0]));
        all = l.both(all, l.at_most(l.splat(other.min[0]), max[0]));
        for k in 1..3 {
            all = l.both(all, l.at_most(min[k], l.splat(other.max[k])));
            all = l.both(all, l.at_most(l.splat(other.min[k]), max[k]));
        }
        l.bits(all)
    }
}

/// Eight triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleRow {
    /// Coordinate k of corner c: `corners[c][k]`.
    pub corners: [[Row; 3]; 3],
    /// Cross product of two edges, and the largest component of these.
    pub normals: [Row; 3],
    pub edges: Row,
    /// Vertex c of each.
    pub ids: [Ids; 3],
}

/// The triangles of a patch, opened for testing.
#[derive(Debug, Clone)]
pub(crate) struct PatchRows {
    /// Rows in use.
    pub count: usize,
    /// The box of each row.
    pub row_boxes: BoxRow,
    /// The boxes of the triangles of each row. Apart from the rest, which most comparisons do not get to.
    pub triangle_boxes: [BoxRow; LANES],
    pub rows: [TriangleRow; LANES],
}

impl PatchRows {
    /// Nothing yet.
    pub fn new() -> Self {
        let row = TriangleRow {
            corners: [[Row([0.0; WIDTH]); 3]; 3],
            normals: [Row([0.0; WIDTH]); 3],
            edges: Row([0.0; WIDTH]),
            ids: [Ids([u32::MAX; WIDTH]); 3],
        };
        Self {
            count: 0,
            row_boxes: BoxRow::EMPTY,
            triangle_boxes: [BoxRow::EMPTY; LANES],
            rows: [row; LANES],
        }
    }
}

impl PatchRows {
    /// Asks for what a comparison looks at first.
    #[inline(always)]
    pub fn prefetch<L: Floats>(&self, l: L) {
        for boxes in self.triangle_boxes.iter().chain([&self.row_boxes]) {
            // Six rows, two to a cache line.
            l.prefetch(&boxes.min[0]);
            l.prefetch(&boxes.min[2]);
            l.prefetch(&boxes.max[1]);
        }
    }
}

/// Fills the rows of patches.
pub(crate) struct FillPatchRows<'a> {
    pub posed: &'a Posed<'a>,
    pub patches: &'a [PatchRef],
    pub out: &'a mut [PatchRows],
}

impl Work for FillPatchRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, l: L) {
        let mut local = NO_VERTICES;
        for (i, (p, out)) in self.patches.iter().zip(self.out).enumerate() {
            if let Some(next) = self.patches.get(i + 1) {
                let surface = &self.posed.surfaces[next.body as usize];
                let positions = self.posed.positions[next.body as usize];
                prefetch(l, &surface.hierarchy.patches, positions, next.patch as usize);
            }
            let patches = &self.posed.surfaces[p.body as usize].hierarchy.patches;
            let (positions, vertices) =
                (self.posed.positions[p.body as usize], patches.vertices(p.patch as usize));
            for (to, &v) in local.iter_mut().zip(vertices) {
                l.store_point(l.place(&positions[v as usize], self.posed.map), to);
            }
            let corners = patches.corners(p.patch as usize);
            out.count = corners.len().div_ceil(WIDTH);
            out.row_boxes = BoxRow::EMPTY;
            for (g, eight) in corners.chunks(WIDTH).enumerate() {
                let (row, boxes) = (&mut out.rows[g], &mut out.triangle_boxes[g]);
                let whole = row.fill(l, &local, vertices, eight, boxes);
                out.row_boxes.set(g, &whole);
            }
        }
    }
}

impl TriangleRow {
    /// Takes in up to eight triangles; fills their boxes, and returns the box of all.
    #[inline(always)]
    fn fill<L: Floats>(
        &mut self,
        l: L,
        local: &PatchVertices,
        vertices: &[u32],
        eight: &[[u8; 4]],
        boxes: &mut BoxRow,
    ) -> Bounds {
        let rows =
            [corner_row(l, local, eight, 0), corner_row(l, local, eight, 1), corner_row(l, local, eight, 2)];
        let (u, v) = (sub3(l, rows[1], rows[0]), sub3(l, rows[2], rows[0]));
        let n = cross3(l, u, v);
        let (mut edge, mut whole) = (l.splat(0.0), Bounds::EMPTY);
        for k in 0..3 {
            edge = l.max(l.max(edge, l.abs(u[k])), l.abs(v[k]));
            l.store(n[k], &mut self.normals[k]);
            let (min, max) = (
                l.min(l.min(rows[0][k], rows[1][k]), rows[2][k]),
                l.max(l.max(rows[0][k], rows[1][k]), rows[2][k]),
            );
            (whole.min[k], whole.max[k]) = (l.least(min), l.greatest(max));
            l.store(min, &mut boxes.min[k]);
            l.store(max, &mut boxes.max[k]);
            for (corner, row) in self.corners.iter_mut().zip(&rows) {
                l.store(row[k], &mut corner[k]);
            }
        }
        l.store(edge, &mut self.edges);
        for (lane, t) in eight.iter().enumerate() {
            for c in 0..3 {
                self.ids[c].0[lane] = vertices[usize::from(t[c])];
            }
        }
        (eight.len()..WIDTH).for_each(|lane| boxes.set(lane, &Bounds::EMPTY));
        whole
    }
}
