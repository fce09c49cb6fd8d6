//! The triangles and own edges of a body's blocks, eight at a time.

use std::collections::HashSet;

use super::super::regions::{Block, Regions, at};
use super::super::search::block_pair::{Rows, Triangle};
use crate::Mesh;
use crate::geometry::simd::{self, Kernel, Simd};

/// Edges and triangles of all blocks, block after block. An edge belongs to the first block that has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Elements {
    /// The mesh that the edges are of, and the frame of the rows.
    mesh: Option<Mesh>,
    frame: u64,
    /// Own edges as slots of their block.
    edges: Vec<[u8; 2]>,
    /// The first own edge of each block, and one past the last.
    first_edge: Vec<u32>,
    /// Boxes and corners; a block begins with a row of its own.
    edge_rows: Vec<Rows>,
    triangle_rows: Vec<Rows>,
    first_edge_row: Vec<u32>,
    first_triangle_row: Vec<u32>,
}

impl Elements {
    /// Brings the rows to the frame, to which the regions must have been refitted.
    pub fn follow(&mut self, mesh: &Mesh, regions: &Regions, frame: u64) {
        if !self.mesh.as_ref().is_some_and(|m| m.is_same(mesh))
            || self.first_edge.len() != regions.blocks.len() + 1
        {
            self.deal_out(regions);
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
        for block in &regions.blocks {
            self.first_edge.push(self.edges.len() as u32);
            for corners in regions.corners(block) {
                for k in 0..3 {
                    let slots = [corners[k], corners[(k + 1) % 3]];
                    let [v, w] = slots.map(|s| regions.vertex(block, s.into()));
                    if v != w && seen.insert([v.min(w), v.max(w)]) {
                        self.edges.push(if v < w { slots } else { [slots[1], slots[0]] });
                    }
                }
            }
        }
        self.first_edge.push(self.edges.len() as u32);
    }

    /// The rows of a block's own edges, and how many edges these hold.
    #[inline(always)]
    pub fn edges(&self, block: usize) -> (&[Rows], usize) {
        let count = (self.first_edge[block + 1] - self.first_edge[block]) as usize;
        (&self.edge_rows[self.first_edge_row[block] as usize..][..count.div_ceil(8)], count)
    }

    /// The rows of a block's triangles.
    #[inline(always)]
    pub fn triangles(&self, block: usize, count: usize) -> &[Rows] {
        &self.triangle_rows[self.first_triangle_row[block] as usize..][..count.div_ceil(8)]
    }

    /// The ends of a block's own edge, ids within the body, the smaller first.
    #[inline(always)]
    pub fn ends(&self, regions: &Regions, block: usize, edge: usize) -> [u32; 2] {
        let slots = self.edges[self.first_edge[block] as usize + edge];
        slots.map(|s| regions.vertex(&regions.blocks[block], s.into()))
    }

    /// The own edges of a block as slots.
    #[inline(always)]
    fn slots(&self, block: usize) -> &[[u8; 2]] {
        &self.edges[self.first_edge[block] as usize..self.first_edge[block + 1] as usize]
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
        let (regions, mut edge_rows) = (self.regions, std::mem::take(&mut self.elements.edge_rows));
        let mut triangle_rows = std::mem::take(&mut self.elements.triangle_rows);
        let (mut first_edge_row, mut first_triangle_row) = (Vec::new(), Vec::new());
        edge_rows.clear();
        triangle_rows.clear();
        for (b, block) in regions.blocks.iter().enumerate() {
            first_edge_row.push(edge_rows.len() as u32);
            first_triangle_row.push(triangle_rows.len() as u32);
            for eight in self.elements.slots(b).chunks(8) {
                edge_rows.push(rows(regions, block, eight.iter().map(|&[p, q]| [p, q, q])));
            }
            for eight in regions.corners(block).chunks(8) {
                triangle_rows.push(rows(regions, block, eight.iter().copied()));
            }
        }
        let out = self.elements;
        (out.edge_rows, out.triangle_rows) = (edge_rows, triangle_rows);
        (out.first_edge_row, out.first_triangle_row) = (first_edge_row, first_triangle_row);
    }
}

/// Up to eight elements with these corners, as slots.
#[inline(always)]
fn rows(regions: &Regions, block: &Block, eight: impl Iterator<Item = [u8; 3]>) -> Rows {
    let chunks = regions.chunks(block);
    let mut rows = Rows::AWAY;
    for (i, [p, q, r]) in eight.enumerate() {
        Triangle::new([at(chunks, p), at(chunks, q), at(chunks, r)], 0).write(&mut rows, i);
    }
    rows
}
