//! The adaptive octree: eight boxes to a node, so that one comparison of lanes is a node opened.
//!
//! A cell of more than 512 primitives is a node of octants. A cell of fewer is a bucket. Its primitives are halved along
//! the longest side again and again, into blocks of eight, eight blocks to a node: half as many comparisons as with octants
//! down to the blocks, which then are half empty. A cell at the finest depth with too many still gets a grid of its own
//! over its ordering points, and so on, until they coincide; then order means nothing and they are packed as they come. So
//! m − 1 primitives in one corner (B19) are a tree of their own in that corner.
//!
//! # Invariants
//! O1. Every primitive that is there is in exactly one lane of one block.
//! O2. The box in a lane is the box of what the lane holds; lanes that hold nothing are empty.
//! O3. What is under octant i of a node of octants had i in its code, on the grid and at the level of the node, when it was
//!     placed; checked while nothing was placed apart from the rest.
//! O4. A node counts the primitives under it; children know their parent.

mod build;
mod check;
mod edit;
mod pairs;
mod queue;
mod refit;

pub(super) use pairs::{Descent, Found, Lists, SettledCorners, Until};
pub(super) use refit::fit;

use super::grid::Grid;
use crate::geometry::simd::Ids;
use crate::geometry::{Aabb32, Aabb32x8};

/// Lanes of a node or block.
const WIDTH: usize = 8;
/// The most primitives of a bucket.
pub(super) const BUCKET: usize = 512;
/// No child, no primitive, no parent.
pub(super) const NONE: u32 = u32::MAX;
/// Set in a reference to a block, clear in one to a node.
const BLOCK: u32 = 1 << 31;

/// Eight boxes and what they belong to: children of a node, or primitives of a block. Four cache lines.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct Lanes {
    boxes: Aabb32x8,
    /// References or primitives; [`NONE`] where there is nothing.
    refs: Ids,
    /// The box of all.
    bounds: Aabb32,
}

impl Lanes {
    const EMPTY: Lanes = Lanes { boxes: Aabb32x8::EMPTY, refs: Ids([NONE; WIDTH]), bounds: Aabb32::EMPTY };

    fn image(&self, lane: usize) -> Aabb32 {
        self.boxes.get(lane)
    }

    fn set(&mut self, lane: usize, image: &Aabb32, what: u32) {
        self.boxes.set(lane, image);
        self.refs.0[lane] = what;
    }

    fn clear(&mut self, lane: usize) {
        self.set(lane, &Aabb32::EMPTY, NONE);
    }

    /// The union of the boxes in the lanes.
    fn union(&self) -> Aabb32 {
        self.boxes.union()
    }

    /// Lanes that hold something.
    fn held(&self) -> impl Iterator<Item = (usize, u32)> {
        self.refs.0.into_iter().enumerate().filter(|(_, r)| *r != NONE)
    }
}

/// An ordering point and the key of its primitive.
type Half = ([f32; 3], u64);

/// What the lanes of a node stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Octant i of the cell.
    Octants,
    /// Parts of a bucket.
    Parts,
}

/// A cell: its grid and how deep it is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    grid: u32,
    level: u32,
}

/// What a node is besides its lanes.
#[derive(Debug, Clone, Copy)]
struct Meta {
    parent: u32,
    /// Primitives under it.
    count: u32,
    cell: Cell,
    kind: Kind,
}

/// The tree of one body.
#[derive(Debug, Clone)]
pub(super) struct Octree {
    root: u32,
    /// The grid of the body first, then those of crowded cells.
    grids: Vec<Grid>,
    nodes: Vec<Lanes>,
    metas: Vec<Meta>,
    blocks: Vec<Lanes>,
    block_parents: Vec<u32>,
    free_nodes: Vec<u32>,
    free_blocks: Vec<u32>,
    /// Block · 8 + lane of each primitive, for edits.
    homes: Vec<u32>,
    /// Blocks that edits wrote to, for those who keep something beside them.
    touched: Vec<u32>,
    /// Whether children stand behind their parents, as `build` leaves them and edits do not.
    is_ordered: bool,
    /// Scratch of `build`.
    halves: Vec<Half>,
    fill: build::Fill,
}

impl Default for Octree {
    fn default() -> Self {
        Self {
            root: NONE,
            grids: Vec::new(),
            nodes: Vec::new(),
            metas: Vec::new(),
            blocks: Vec::new(),
            block_parents: Vec::new(),
            free_nodes: Vec::new(),
            free_blocks: Vec::new(),
            homes: Vec::new(),
            touched: Vec::new(),
            is_ordered: true,
            halves: Vec::new(),
            fill: build::Fill::Tight,
        }
    }
}

impl Octree {
    /// The reference to the root, unless the tree is empty.
    pub fn root(&self) -> Option<u32> {
        (self.root != NONE).then_some(self.root)
    }

    /// The box of everything.
    pub fn extent(&self) -> Aabb32 {
        self.root().map_or(Aabb32::EMPTY, |root| *self.bounds(root))
    }

    /// The box of a node or block.
    #[inline(always)]
    pub fn bounds(&self, what: u32) -> &Aabb32 {
        if what & BLOCK != 0 {
            &self.blocks[(what ^ BLOCK) as usize].bounds
        } else {
            &self.nodes[what as usize].bounds
        }
    }

    /// The children of a node; none of a block.
    pub fn children(&self, what: u32) -> impl Iterator<Item = u32> {
        let lanes = if what & BLOCK == 0 { &self.nodes[what as usize].refs.0[..] } else { &[] };
        lanes.iter().copied().filter(|&r| r != NONE)
    }

    /// The primitives of a block; none of a node.
    pub fn items(&self, what: u32) -> impl Iterator<Item = u32> {
        let lanes = if what & BLOCK != 0 { &self.blocks[(what ^ BLOCK) as usize].refs.0[..] } else { &[] };
        lanes.iter().copied().filter(|&r| r != NONE)
    }

    /// The primitive in a lane: block · 8 + lane.
    #[inline(always)]
    pub fn item(&self, slot: u32) -> u32 {
        self.blocks[slot as usize / WIDTH].refs.0[slot as usize % WIDTH]
    }

    /// Number of blocks, free ones included.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Whether this is a bucket: the contents of a cell that is not divided.
    pub fn is_bucket(&self, what: u32) -> bool {
        let parent_divides =
            |parent: u32| parent == NONE || self.metas[parent as usize].kind == Kind::Octants;
        if what & BLOCK != 0 {
            parent_divides(self.block_parents[(what ^ BLOCK) as usize])
        } else {
            let meta = &self.metas[what as usize];
            meta.kind == Kind::Parts && parent_divides(meta.parent)
        }
    }

    /// Appends the primitives under a node or block.
    pub fn collect(&self, what: u32, out: &mut Vec<u32>) {
        if what & BLOCK != 0 {
            out.extend(self.items(what));
        } else {
            self.children(what).for_each(|child| self.collect(child, out));
        }
    }
}
