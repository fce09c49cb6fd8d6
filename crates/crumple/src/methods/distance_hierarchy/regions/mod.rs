//! The regions of one body: a BVH of nodes with up to eight children, and blocks of triangles below them.

mod build;
pub(super) mod edit;
mod limbs;
mod partition;
pub(super) mod refit;
mod upkeep;

pub use partition::{Partition, SplitRule};

use std::sync::Arc;

use super::bounds::Bound;
use crate::geometry::simd::Row;
use partition::WAYS;
pub(super) use upkeep::Upkeep;

/// Largest number of triangles in a block: with three vertices of its own for each, a slot still fits a `u8`.
pub(super) const MAX_TRIANGLES: usize = 64;

/// A node or a block of [`Regions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct Region(u32);

impl Region {
    const BLOCK: u32 = 1 << 31;

    fn node(index: usize) -> Self {
        Self(index as u32)
    }

    pub fn block(index: usize) -> Self {
        Self(index as u32 | Self::BLOCK)
    }

    #[inline]
    pub fn is_block(self) -> bool {
        self.0 & Self::BLOCK != 0
    }

    #[inline]
    pub fn index(self) -> usize {
        (self.0 & !Self::BLOCK) as usize
    }
}

/// A region with smaller ones in it. The bounds of its children lie side by side, for eight lanes.
#[derive(Debug, Clone)]
#[repr(align(32))]
pub(super) struct Node {
    /// Smallest and largest corner, centre and radius of each child.
    pub rows: [Row; 10],
    pub child: [Region; WAYS],
    /// Number of children: at least two, or one after an edit.
    pub count: usize,
    /// Its own bound.
    pub bound: Bound,
    /// Its middle vertex, counted within the body.
    pub middle: u32,
    /// One past the last node in it: those from itself to there are all, until an edit.
    pub end: u32,
    /// Its blocks, which follow each other until an edit: the first, and one past the last. Their number stays about right.
    pub blocks: [u32; 2],
}

impl Node {
    /// One bit for each child.
    #[inline]
    pub fn lanes(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// The bound of one child.
    #[inline]
    pub fn bound_of(&self, i: usize) -> Bound {
        let point = |first: usize| std::array::from_fn(|k| self.rows[first + k].0[i]);
        Bound { min: point(0), max: point(3), centre: point(6), radius: self.rows[9].0[i] }
    }

    /// Writes the bound of one child.
    pub fn set_bound(&mut self, i: usize, b: &Bound) {
        for k in 0..3 {
            self.rows[k].0[i] = b.min[k];
            self.rows[3 + k].0[i] = b.max[k];
            self.rows[6 + k].0[i] = b.centre[k];
        }
        self.rows[9].0[i] = b.radius;
    }
}

/// A region that is not cut further: some triangles and all their vertices.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Its first chunk of eight slots.
    pub first_chunk: u32,
    /// Number of chunks.
    pub chunks: u8,
    /// Slots before this hold vertices that no earlier block has.
    pub own: u8,
    /// Slots before this hold distinct vertices; those after it repeat the last.
    pub vertices: u8,
    /// The slot of the middle vertex.
    pub middle: u8,
    /// Slots of three vertices far apart: their plane tells which way the block faces.
    pub plane: [u8; 3],
    /// Number of triangles.
    pub count: u8,
    /// The place of its first triangle.
    pub first: u32,
    /// The smallest id of its triangles.
    pub least: u32,
}

/// Eight positions, by coordinate.
pub(super) type Chunk = [Row; 3];

/// All regions of a body.
#[derive(Debug, Clone)]
pub(super) struct Regions {
    /// The same as long as they are followed and not made anew.
    pub identity: Arc<()>,
    pub root: Region,
    /// Every node before what is in it, and, until an edit, that before the next.
    pub nodes: Vec<Node>,
    /// The frame in which each node was brought up to date.
    pub node_frames: Vec<u64>,
    /// The frame in which each block was.
    pub block_frames: Vec<u64>,
    pub blocks: Vec<Block>,
    /// The bound of each block.
    pub bounds: Vec<Bound>,
    /// The images of the vertices in the slots, block after block.
    pub points: Vec<Chunk>,
    /// The vertex of each slot, counted within the body.
    pub slots: Vec<[u32; 8]>,
    /// The slots of each triangle's corners, triangles in the order of the blocks.
    pub corners: Vec<[u8; 3]>,
    /// The ids of the triangles in that order, counted within the body.
    pub triangles: Vec<u32>,
    /// What edits need; made by the first.
    pub upkeep: Option<Box<Upkeep>>,
}

impl Regions {
    #[inline]
    pub fn node(&self, region: Region) -> &Node {
        debug_assert!(!region.is_block());
        &self.nodes[region.index()]
    }

    #[inline]
    pub fn bound(&self, region: Region) -> &Bound {
        if region.is_block() { &self.bounds[region.index()] } else { &self.nodes[region.index()].bound }
    }

    /// Whether a region, and with it all that is in it, is up to date.
    #[inline]
    pub fn is_fitted(&self, region: Region, now: u64) -> bool {
        let frames = if region.is_block() { &self.block_frames } else { &self.node_frames };
        frames[region.index()] == now
    }

    /// About how many blocks a region has.
    pub fn block_count(&self, region: Region) -> usize {
        if region.is_block() {
            return 1;
        }
        let [first, end] = self.node(region).blocks;
        (end - first) as usize
    }

    /// The blocks of a region.
    pub fn blocks_of(&self, region: Region) -> Vec<usize> {
        if region.is_block() {
            return vec![region.index()];
        }
        let node = self.node(region);
        node.child[..node.count].iter().flat_map(|&c| self.blocks_of(c)).collect()
    }

    /// Appends the regions right below one, those of a node.
    #[inline]
    pub fn push_children(&self, region: Region, out: &mut Vec<Region>) {
        if !region.is_block() {
            let node = self.node(region);
            out.extend(node.child[..node.count].iter().rev());
        }
    }

    /// The vertex in a slot of a block, counted within the body.
    #[inline]
    pub fn vertex(&self, block: &Block, slot: usize) -> u32 {
        self.slots[block.first_chunk as usize + slot / 8][slot % 8]
    }

    /// The middle vertex of a region, counted within the body.
    pub fn middle(&self, region: Region) -> u32 {
        if region.is_block() {
            let block = &self.blocks[region.index()];
            self.vertex(block, block.middle as usize)
        } else {
            self.nodes[region.index()].middle
        }
    }

    /// The chunks of a block.
    #[inline]
    pub fn chunks(&self, block: &Block) -> &[Chunk] {
        &self.points[block.first_chunk as usize..][..block.chunks as usize]
    }

    /// The corners, as slots, of a block's triangles.
    #[inline]
    pub fn corners(&self, block: &Block) -> &[[u8; 3]] {
        &self.corners[block.first as usize..][..block.count as usize]
    }
}

/// The image in a slot.
#[inline(always)]
pub(super) fn at(chunks: &[Chunk], slot: u8) -> [f32; 3] {
    let (chunk, i) = (&chunks[slot as usize / 8], slot as usize % 8);
    [chunk[0].0[i], chunk[1].0[i], chunk[2].0[i]]
}
