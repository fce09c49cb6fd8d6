//! The triangles and own edges of a body's blocks, eight at a time.

use std::collections::HashSet;

use super::super::regions::{Block, Regions, at};
use super::super::search::block_pair::{Rows, Triangle};
use super::height_field::Borders;
use crate::Mesh;
use crate::geometry::simd::{self, Ids, Kernel, Simd};
use crate::methods::swept_bvh::hubs::is_crowded;

/// Edges and triangles of all blocks, block after block. An edge belongs to the first block that has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Elements {
    /// The mesh that the edges are of, and the frame of the rows.
    mesh: Option<Mesh>,
    frame: u64,
    /// Whether very many triangles of the mesh meet in single vertices.
    pub is_crowded: bool,
    /// Own edges as slots of their block.
    edges: Vec<[u8; 2]>,
    /// The first own edge of each block, and one past the last.
    first_edge: Vec<u32>,
    /// Boxes and corners; a block begins with a row of its own.
    edge_rows: Vec<Rows>,
    triangle_rows: Vec<Rows>,
    /// The box of each row.
    edge_bounds: Vec<Extent>,
    triangle_bounds: Vec<Extent>,
    first_edge_row: Vec<u32>,
    first_triangle_row: Vec<u32>,
    /// The corners of the rows' elements, ids within the body.
    edge_ids: Vec<[Ids; 2]>,
    triangle_ids: Vec<[Ids; 3]>,
    /// What is round the regions.
    borders: Borders,
}

/// Elements of a block, eight at a time.
#[derive(Clone, Copy)]
pub(super) struct Eights<'a, const N: usize> {
    pub rows: &'a [Rows],
    /// The box of each eight.
    pub bounds: &'a [Extent],
    /// The corners of each, ids within the body.
    pub ids: &'a [[Ids; N]],
    pub count: usize,
    /// The number of the first row among all rows of the body.
    pub first: usize,
}

/// The box of some elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

impl Extent {
    pub const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// With one more element.
    #[inline(always)]
    pub fn add(&mut self, element: &Triangle) {
        for k in 0..3 {
            self.min[k] = if element.min[k] < self.min[k] { element.min[k] } else { self.min[k] };
            self.max[k] = if element.max[k] > self.max[k] { element.max[k] } else { self.max[k] };
        }
    }

    /// The square of the distance to another.
    #[inline(always)]
    pub fn distance_sq(&self, other: &Self) -> f32 {
        let mut sum = 0.0;
        for k in 0..3 {
            let (below, above) = (other.min[k] - self.max[k], self.min[k] - other.max[k]);
            let gap = if below > above { below } else { above };
            sum += if gap > 0.0 { gap * gap } else { 0.0 };
        }
        sum
    }
}

impl Elements {
    /// Brings the rows to the frame, to which the regions must have been refitted.
    pub fn follow(&mut self, mesh: &Mesh, regions: &Regions, frame: u64) {
        if !self.mesh.as_ref().is_some_and(|m| m.is_same(mesh))
            || self.first_edge.len() != regions.blocks.len() + 1
        {
            self.deal_out(regions);
            self.is_crowded = is_crowded(mesh);
            self.mesh = Some(mesh.clone());
            self.frame = 0;
        }
        if self.frame != frame {
            simd::dispatch(Fill { elements: self, regions });
            self.frame = frame;
        }
    }

    /// Gives every edge to a block. An edge from a vertex to itself is none.
    fn deal_out(&mut self, regions: &Regions) {
        let mut seen = HashSet::new();
        self.edges.clear();
        self.first_edge.clear();
        self.edge_ids.clear();
        self.triangle_ids.clear();
        for block in &regions.blocks {
            let first = self.edges.len();
            self.first_edge.push(first as u32);
            for corners in regions.corners(block) {
                for k in 0..3 {
                    let slots = [corners[k], corners[(k + 1) % 3]];
                    let [v, w] = slots.map(|s| regions.vertex(block, s.into()));
                    if v != w && seen.insert([v.min(w), v.max(w)]) {
                        self.edges.push(if v < w { slots } else { [slots[1], slots[0]] });
                    }
                }
            }
            for eight in self.edges[first..].chunks(8) {
                self.edge_ids.push(ids(regions, block, eight));
            }
            for eight in regions.corners(block).chunks(8) {
                self.triangle_ids.push(ids(regions, block, eight));
            }
        }
        self.first_edge.push(self.edges.len() as u32);
        self.borders = Borders::new(regions);
    }

    /// What is round the regions.
    pub fn borders(&self) -> &Borders {
        &self.borders
    }

    /// Whether the rows are those of this frame.
    pub fn is_at(&self, frame: u64) -> bool {
        self.frame == frame
    }

    /// The corners of all edges, ids within the body, rows as they are numbered.
    pub fn edge_ids(&self) -> &[[Ids; 2]] {
        &self.edge_ids
    }

    /// The corners of all triangles, likewise.
    pub fn triangle_ids(&self) -> &[[Ids; 3]] {
        &self.triangle_ids
    }

    /// A block's own edges.
    #[inline(always)]
    pub fn edges(&self, block: usize) -> Eights<'_, 2> {
        let count = (self.first_edge[block + 1] - self.first_edge[block]) as usize;
        let first = self.first_edge_row[block] as usize;
        let at = first..first + count.div_ceil(8);
        let (rows, bounds) = (&self.edge_rows[at.clone()], &self.edge_bounds[at.clone()]);
        Eights { rows, bounds, ids: &self.edge_ids[at], count, first }
    }

    /// A block's triangles.
    #[inline(always)]
    pub fn triangles(&self, block: usize, count: usize) -> Eights<'_, 3> {
        let first = self.first_triangle_row[block] as usize;
        let at = first..first + count.div_ceil(8);
        let (rows, bounds) = (&self.triangle_rows[at.clone()], &self.triangle_bounds[at.clone()]);
        Eights { rows, bounds, ids: &self.triangle_ids[at], count, first }
    }
}

/// Writes the rows.
struct Fill<'a> {
    elements: &'a mut Elements,
    regions: &'a Regions,
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let (regions, out) = (self.regions, self.elements);
        let (mut edge_rows, mut triangle_rows) =
            (std::mem::take(&mut out.edge_rows), std::mem::take(&mut out.triangle_rows));
        for rows in [&mut edge_rows, &mut triangle_rows] {
            rows.clear();
        }
        for all in [&mut out.edge_bounds, &mut out.triangle_bounds] {
            all.clear();
        }
        out.first_edge_row.clear();
        out.first_triangle_row.clear();
        for (b, block) in regions.blocks.iter().enumerate() {
            out.first_edge_row.push(edge_rows.len() as u32);
            out.first_triangle_row.push(triangle_rows.len() as u32);
            let own = out.first_edge[b] as usize..out.first_edge[b + 1] as usize;
            for eight in out.edges[own].chunks(8) {
                let (rows, bound) = rows(regions, block, eight.iter().map(|&[p, q]| [p, q, q]));
                edge_rows.push(rows);
                out.edge_bounds.push(bound);
            }
            for eight in regions.corners(block).chunks(8) {
                let (rows, bound) = rows(regions, block, eight.iter().copied());
                triangle_rows.push(rows);
                out.triangle_bounds.push(bound);
            }
        }
        (out.edge_rows, out.triangle_rows) = (edge_rows, triangle_rows);
    }
}

/// Up to eight elements with these corners, as slots, and their box.
#[inline(always)]
fn rows(regions: &Regions, block: &Block, eight: impl Iterator<Item = [u8; 3]>) -> (Rows, Extent) {
    let chunks = regions.chunks(block);
    let (mut rows, mut bound) = (Rows::AWAY, Extent::EMPTY);
    for (i, [p, q, r]) in eight.enumerate() {
        let element = Triangle::new([at(chunks, p), at(chunks, q), at(chunks, r)], 0);
        element.write(&mut rows, i);
        bound.add(&element);
    }
    (rows, bound)
}

/// The vertices of up to eight elements with these corners, as slots.
fn ids<const N: usize>(regions: &Regions, block: &Block, eight: &[[u8; N]]) -> [Ids; N] {
    let mut ids = [Ids([u32::MAX; 8]); N];
    for (i, slots) in eight.iter().enumerate() {
        for (ids, &slot) in ids.iter_mut().zip(slots) {
            ids.0[i] = regions.vertex(block, slot.into());
        }
    }
    ids
}
