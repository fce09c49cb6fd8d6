//! Patches opened for testing: boxes, corners and planes of their triangles, eight to a row.
//!
//! A patch is opened only when a search could neither certify nor separate it.

use crate::geometry::simd::{
    ByteTriangles, F32x4, F32x8, Ids, LocalPoints, Row, Simd, WIDTH, corner_row, cross3, multiversion,
    short_row, sub3,
};
use crate::geometry::{Aabb32, Aabb32x8};
use crate::methods::regularity::patch_vertices::{NO_VERTICES, prefetch};
use crate::methods::regularity::posed::{PatchRef, Posed};

/// Rows of a patch.
const ROWS: usize = crate::patches::MAX_TRIANGLES / WIDTH;

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
    pub row_boxes: Aabb32x8,
    /// The boxes of the triangles of each row. Apart from the rest, which most comparisons do not get to.
    pub triangle_boxes: [Aabb32x8; ROWS],
    pub rows: [TriangleRow; ROWS],
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
            row_boxes: Aabb32x8::EMPTY,
            triangle_boxes: [Aabb32x8::EMPTY; ROWS],
            rows: [row; ROWS],
        }
    }
}

impl PatchRows {
    /// Asks for what a comparison looks at first.
    #[inline(always)]
    pub fn prefetch<S: Simd>(&self, simd: S) {
        for boxes in self.triangle_boxes.iter().chain([&self.row_boxes]) {
            // Six rows, two to a cache line.
            simd.prefetch(&boxes.rows[0]);
            simd.prefetch(&boxes.rows[2]);
            simd.prefetch(&boxes.rows[4]);
        }
    }
}

multiversion! {
    /// Fills the rows of patches.
    pub(crate) fn fill_patch_rows<S: Simd>(
        simd: S,
        posed: &Posed<'_>,
        patches: &[PatchRef],
        out: &mut [PatchRows],
    ) {
        let mut local = NO_VERTICES;
        for (i, (p, out)) in patches.iter().zip(out).enumerate() {
            if let Some(next) = patches.get(i + 1) {
                let surface = &posed.surfaces[next.body as usize];
                let positions = posed.positions[next.body as usize];
                prefetch(simd, &surface.hierarchy.patches, positions, next.patch as usize);
            }
            let patches = &posed.surfaces[p.body as usize].hierarchy.patches;
            let (positions, vertices) =
                (posed.positions[p.body as usize], patches.vertices(p.patch as usize));
            for (to, &v) in local.iter_mut().zip(vertices) {
                S::F32x4::map(simd, &positions[v as usize], posed.map).store(to);
            }
            let corners = patches.corners(p.patch as usize);
            out.count = corners.len().div_ceil(WIDTH);
            out.row_boxes = Aabb32x8::EMPTY;
            for (r, some) in corners.chunks(WIDTH).enumerate() {
                let (row, boxes) = (&mut out.rows[r], &mut out.triangle_boxes[r]);
                let (eight, short);
                if let Ok(full) = some.try_into() {
                    eight = full;
                } else {
                    short = short_row(some);
                    eight = &short;
                }
                let whole = row.fill(simd, &local, vertices, eight, some.len(), boxes);
                out.row_boxes.set(r, &whole);
            }
        }
    }
}

impl TriangleRow {
    /// Takes in so many of eight triangles; fills their boxes, and returns the box of all.
    #[inline(always)]
    fn fill<S: Simd>(
        &mut self,
        simd: S,
        local: &LocalPoints,
        vertices: &[u32],
        eight: &ByteTriangles,
        count: usize,
        boxes: &mut Aabb32x8,
    ) -> Aabb32 {
        let rows = [
            corner_row(simd, local, eight, 0),
            corner_row(simd, local, eight, 1),
            corner_row(simd, local, eight, 2),
        ];
        let (u, v) = (sub3(rows[1], rows[0]), sub3(rows[2], rows[0]));
        let n = cross3(u, v);
        let (mut edge, mut whole) = (S::F32x8::splat(simd, 0.0), Aabb32::EMPTY);
        for k in 0..3 {
            edge = edge.max(u[k].abs()).max(v[k].abs());
            n[k].store(&mut self.normals[k]);
            let (min, max) =
                (rows[0][k].min(rows[1][k]).min(rows[2][k]), rows[0][k].max(rows[1][k]).max(rows[2][k]));
            (whole.min[k], whole.max[k]) = (min.reduce_min(), max.reduce_max());
            min.store(&mut boxes.rows[k]);
            max.store(&mut boxes.rows[k + 3]);
            for (corner, row) in self.corners.iter_mut().zip(&rows) {
                row[k].store(&mut corner[k]);
            }
        }
        edge.store(&mut self.edges);
        for (lane, t) in eight[..count].iter().enumerate() {
            for c in 0..3 {
                self.ids[c].0[lane] = vertices[usize::from(t[c])];
            }
        }
        (count..WIDTH).for_each(|lane| boxes.set(lane, &Aabb32::EMPTY));
        whole
    }
}
