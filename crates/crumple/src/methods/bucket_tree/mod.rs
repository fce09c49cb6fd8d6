//! Any primitives, any topology: buckets in an octree (Ganovelli et al. 2000).
//!
//! A body is a soup of primitives. An octree over its box sorts them into buckets by one ordering point each; boxes are
//! fitted to what the buckets hold, from the leaves to the root. Two trees are compared from their roots down, and a
//! tree with itself: where boxes overlap at the bottom, the primitives of two buckets are tested. Nothing is known about
//! neighbours, so a body may be cut, torn and fused from one step to the next at no extra cost.
//!
//! F. Ganovelli, J. Dingliana, C. O'Sullivan: *BucketTree: Improving Collision Detection Between Deformable Objects*, SCCG
//! 2000, pp. 156–163.
//!
//! Here the octree is adaptive, eight boxes to a node, so that one comparison of eight lanes opens a node: a BVH that is
//! refitted while it is good and built anew from Morton codes when it is not. The paper's own octree, of fixed depth, with
//! either of its two algorithms, is a type of its own (`published`, with the crate feature of that name).
//!
//! [`BucketTree`] is the detector for meshes, one tree per body. [`PrimitiveTree`] takes any [`Primitive`] (points,
//! segments, triangles, tets, boxes, types of your own) by itself: pairs, boxes, the nearest, and edits of one primitive.
//! [`crate::cut`] cuts and fuses bodies, and keeps fresh cuts from colliding with themselves (B22).
//!
//! # The way of a frame
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | parameters | `params.rs` | |
//! | the monotone map from positions to `f32` | `mapping.rs` | |
//! | bodies and frame: refit, or place anew; edits of a body one triangle at a time | `update.rs`, `octree/edit.rs` | section 3 |
//! | boxes and keys of a body's triangles | `triangles.rs`, `keys.rs` | equation 1 |
//! | the grid, Morton codes | `grid.rs` | equation 1 |
//! | radix sort of the keys | `radix.rs` | |
//! | in a frame that is looked at once: neighbours that need no test | `fans.rs` | |
//! | the octree: from keys, then boxes upward | `octree/build.rs`, `octree/refit.rs` | section 3.1 |
//! | pairs, eight boxes at a time | `octree/pairs.rs`, `octree/queue.rs` | section 3.3 |
//! | pairs of bodies, threads, exact tests | `query.rs` | section 3.3 |
//! | between bodies that are asked about once: cells cull before trees are made | `one_shot/mod.rs`, `one_shot/occupancy.rs`, `one_shot/cells.rs` | |
//! | contacts within a budget | `budgeted.rs` | (B24) |
//! | invariants; the structure drawn | `validate.rs`, `octree/check.rs`, `draw.rs` | figure 5 |
//!
//! | any primitives | file |
//! | --- | --- |
//! | what a primitive must tell | `primitive.rs` |
//! | the tree of primitives that come, go and move | `primitive_tree.rs`, `octree/edit.rs` |
//! | boxes, nearest, pairs of two trees: node by node | `descent.rs` |
//!
//! | as published | file | in the paper |
//! | --- | --- | --- |
//! | parameters | `published/params.rs` | section 5 |
//! | either algorithm, step by step | `published/update.rs`, `published/sorted_axes.rs` | section 3.2 |
//! | the octree of fixed depth | `published/octree.rs` | section 3.1 |
//! | colliding buckets and triangles | `published/search.rs` | section 3.3, table 1 |
//!
//! # Invariants
//! O1–O4 of the adaptive octree: every primitive in one lane of one block, every box the union of what it holds, octants
//! by code, counts and parents. F1–F3 of the octree of fixed depth: every primitive in the list of its bucket, marks
//! current exactly where something is, boxes as above. `validate` checks them.
//! # Cost
//! update O(m) for m primitives: a pass over positions and one over nodes that fits the boxes; where these have grown too
//! much ([`BucketTreeParams::patience`]) also three rounds of a radix sort. An edit of a body, or of [`PrimitiveTree`], O(depth + bucket)
//! for each triangle that came or went.
//! Pairs O(m + k) for k pairs of overlapping boxes where primitives are no larger than their distances. Memory about
//! 100 bytes per primitive; the published octree has 45 bytes for each of its 8^l buckets.
//!
//! On one thread a frame of a drifting soup, update and all colliding pairs, takes about 35 ns per triangle at 15,000
//! triangles and 100 ns at a million, where memory decides: 2.3 to 3.2 times faster than the fastest of parry3d, obvhs, bvh
//! and rstar (`benchmarks/compare --question self --only 'soup-*' --every`).
//!
//! A visit in [`Stats`](crate::Stats) is a pair of nodes, a test is one comparison of boxes (of eight boxes at once in the
//! adaptive tree).
//! # Where we differ from the paper
//! * Primitives have extent: boxes are fitted to contents, not to cells (B-A9), so nothing is missed.
//! * While primitives still lie well together, boxes are refitted and no primitive is re-bucketed: coherence is used even
//!   more than by algorithm 2, at the price of algorithm 1.
//! * Buckets that hold too many are divided further, each with a grid of its own where it must be, so a soup with
//!   most primitives in one corner keeps its speed (B19, B-A17).
//! * The pointers of algorithm 2 are repaired (B-A1 to B-A8), the larger node is opened first (B-A10), the grid is kept
//!   while it suits (B-A11), flat bodies have one slab (B-A12), a teleport is sorted afresh (B-A13), steps count from 1
//!   (B-A14).
//! * A body is also compared with itself (B21).
//! * [`BucketTree::contacts_budgeted`] ends when its budget is spent and tells what is undecided (B24).
//! # When to choose it
//! For soups, for bodies that change their topology, and for primitives that are not triangles. On connected surfaces
//! [`regularity`](super::regularity) skips what this tree has to compare.

mod budgeted;
mod descent;
mod draw;
mod fans;
mod grid;
mod keys;
mod mapping;
mod octree;
pub(crate) mod one_shot;

mod params;
mod primitive;
mod primitive_tree;
#[cfg(feature = "published")]
pub mod published;
mod query;
mod radix;
#[cfg(test)]
mod tests;
mod triangles;
mod update;
mod validate;

pub use crate::budget::{Budgeted, Undecided};
pub use params::BucketTreeParams;
pub use primitive::Primitive;
pub use primitive_tree::{BadPrimitive, PrimitiveId, PrimitivePair, PrimitiveTree};

use crate::ParamError;
use crate::geometry::Map;
use octree::Octree;
use triangles::BodyTriangles;

/// The method at work on a mesh, one tree of triangles per body; see the [module page](self).
#[derive(Debug, Clone)]
pub struct BucketTree {
    params: BucketTreeParams,
    /// From positions to the `f32` of the trees; `None` before the first frame.
    map: Option<Map>,
    trees: Vec<BodyTree>,
    workers: Vec<query::Worker>,
    /// What the last query found: pairs of triangles, packed so that they sort.
    found: Vec<u64>,
    /// More contacts than this are of no use.
    most: usize,
    /// How long trees are for.
    span: Span,
    /// Bodies that are not searched against themselves, nor against each other; none beyond the end.
    guests: Vec<bool>,
}

/// How long trees are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Span {
    /// Frame after frame: made with care, and refitted.
    Frames,
    /// One frame: made quickly, and with what is known of neighbours in it.
    OneFrame,
    /// One look at contacts between bodies: made quickly.
    OneLook,
}

/// A body and its tree.
#[derive(Debug, Clone)]
struct BodyTree {
    triangles: BodyTriangles,
    octree: Octree,
    /// Corners of the triangles in the lanes of the octree, block after block.
    corners: Vec<update::Corners>,
    /// The same corners where neighbours need no test, of a tree for one frame; empty otherwise.
    settled: Vec<octree::SettledCorners>,
    /// What [`Octree::girth`] was when the triangles of this version were placed; `None` before that.
    girth: Option<f64>,
}

impl BucketTree {
    /// Checks the parameters.
    pub fn new(params: BucketTreeParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self {
            params,
            map: None,
            trees: Vec::new(),
            workers: Vec::new(),
            found: Vec::new(),
            most: usize::MAX,
            span: Span::Frames,
            guests: Vec::new(),
        })
    }

    /// Trees for one frame, which are made quickly. A second frame is followed like any other, and slowly.
    pub(crate) fn for_one_frame() -> Self {
        let tree = Self::new(BucketTreeParams::default()).expect("the defaults are in range");
        Self { span: Span::OneFrame, ..tree }
    }

    /// Trees for one look at contacts between bodies, in a region of this map.
    fn for_one_look(map: Option<Map>) -> Self {
        Self { span: Span::OneLook, map, ..Self::for_one_frame() }
    }
}
