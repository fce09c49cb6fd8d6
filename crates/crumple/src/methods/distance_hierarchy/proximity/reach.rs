//! How far the elements of a body reach, when every vertex has a reach of its own.
//!
//! Two features count when they are closer than the sum of the largest reaches of their corners. What moves fast is a small part of a
//! surface, so bounds are kept at three scales: of blocks, of rows of eight elements, and of single vertices.

use super::super::bounds::Scale;
use super::super::regions::{Block, Regions};
use super::elements::Elements;
use crate::geometry::simd::Ids;

/// Upper bounds in the scale of the images, of one body.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach {
    /// Of each vertex.
    pub vertices: Vec<f32>,
    /// The largest in each block.
    pub blocks: Vec<f32>,
    /// The largest in each row of eight edges, and of eight triangles.
    pub edge_rows: Vec<f32>,
    pub triangle_rows: Vec<f32>,
}

impl Reach {
    /// Takes the reaches of a body's vertices.
    pub fn follow(&mut self, own: &[f64], regions: &Regions, elements: &Elements, scale: &Scale) {
        self.vertices.clear();
        self.vertices.extend(own.iter().map(|&r| scale.limit(r)));
        let vertices = &self.vertices;
        let most = |slots: &[u32]| slots.iter().map(|&v| vertices[v as usize]).fold(0.0, larger);
        let of_block = |block: &Block| {
            let slots = &regions.slots[block.first_chunk as usize..][..block.chunks.into()];
            most(slots.as_flattened())
        };
        self.blocks.clear();
        self.blocks.extend(regions.blocks.iter().map(of_block));
        // A row that is not full is filled with ids that no vertex has.
        let of_ids = |ids: &Ids| {
            ids.0.iter().map(|&v| vertices.get(v as usize).copied().unwrap_or(0.0)).fold(0.0, larger)
        };
        self.edge_rows.clear();
        self.edge_rows.extend(elements.edge_ids().iter().map(|row| row.iter().map(of_ids).fold(0.0, larger)));
        self.triangle_rows.clear();
        self.triangle_rows
            .extend(elements.triangle_ids().iter().map(|row| row.iter().map(of_ids).fold(0.0, larger)));
    }
}

#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
