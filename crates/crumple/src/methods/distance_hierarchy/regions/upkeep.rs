//! What edits of regions need beside them: the way from triangles and vertices to blocks, and from there up.

use std::collections::BTreeSet;

use super::{Region, Regions};
use crate::Mesh;

/// No block, or no region above.
pub(super) const NONE: u32 = u32::MAX;
/// The owner of a vertex that no triangle uses; blocks have smaller numbers.
pub(super) const LOOSE: u32 = u32::MAX - 1;
/// The owner of a vertex that waits for one.
pub(super) const FREE: u32 = u32::MAX;

/// The way back from elements to the tree, kept from the first edit on.
#[derive(Debug, Clone)]
pub(in super::super) struct Upkeep {
    /// The block of each triangle.
    pub(super) block_of: Vec<u32>,
    /// The block whose own each vertex is, or [`LOOSE`].
    pub(super) owner_of: Vec<u32>,
    /// Those that are loose.
    pub(super) loose: BTreeSet<u32>,
    /// Those that the last edit made so.
    pub(super) newly_loose: Vec<u32>,
    /// The node above each block and each node.
    pub(super) block_parent: Vec<u32>,
    pub(super) node_parent: Vec<u32>,
    /// Triangles that came or went since the regions were made.
    pub(super) changes: usize,
    /// The frame at which the last edit was made: some regions may be fitted to it, and others not.
    pub(super) edited_frame: u64,
    /// The blocks that edits wrote or left empty, in their order.
    pub(super) written: Vec<u32>,
    /// Nodes above what an edit wrote: scratch.
    pub(super) stale: BTreeSet<u32>,
}

impl Upkeep {
    /// Looks at regions that were made for this body.
    pub(super) fn new(regions: &Regions, body: &Mesh) -> Self {
        let mut upkeep = Self {
            block_of: vec![NONE; body.triangle_count()],
            owner_of: vec![LOOSE; body.vertex_count()],
            loose: BTreeSet::new(),
            newly_loose: Vec::new(),
            block_parent: vec![NONE; regions.blocks.len()],
            node_parent: vec![NONE; regions.nodes.len()],
            changes: 0,
            edited_frame: 0,
            written: Vec::new(),
            stale: BTreeSet::new(),
        };
        for (i, block) in regions.blocks.iter().enumerate() {
            for &t in &regions.triangles[block.first as usize..][..block.count.into()] {
                upkeep.block_of[t as usize] = i as u32;
            }
            for slot in 0..block.own.into() {
                upkeep.owner_of[regions.vertex(block, slot) as usize] = i as u32;
            }
        }
        let is_loose = |v: &u32| upkeep.owner_of[*v as usize] == LOOSE;
        upkeep.loose = (0..body.vertex_count() as u32).filter(is_loose).collect();
        for (n, node) in regions.nodes.iter().enumerate() {
            for child in &node.child[..node.count] {
                upkeep.parents(*child)[child.index()] = n as u32;
            }
        }
        upkeep
    }

    fn parents(&mut self, of: Region) -> &mut Vec<u32> {
        if of.is_block() { &mut self.block_parent } else { &mut self.node_parent }
    }

    /// The nodes above a block, the innermost first.
    pub fn above(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        let there = |n: u32| (n != NONE).then_some(n);
        std::iter::successors(there(self.block_parent[block]), move |&n| there(self.node_parent[n as usize]))
    }

    /// Whether there are vertices that no triangle uses.
    pub fn has_loose(&self) -> bool {
        !self.loose.is_empty()
    }

    /// The vertices that no triangle uses, ascending.
    pub fn loose(&self) -> impl Iterator<Item = u32> + '_ {
        self.loose.iter().copied()
    }

    /// Whether a triangle uses a vertex.
    pub fn is_used(&self, vertex: usize) -> bool {
        self.owner_of[vertex] != LOOSE
    }

    /// Vertices that no triangle uses since the last edit.
    pub fn newly_loose(&self) -> &[u32] {
        &self.newly_loose
    }

    /// The blocks that edits wrote or left empty since the first, one after the other.
    pub fn written(&self) -> &[u32] {
        &self.written
    }

    /// The block of a triangle.
    pub fn block_of(&self, triangle: u32) -> u32 {
        self.block_of[triangle as usize]
    }
}
