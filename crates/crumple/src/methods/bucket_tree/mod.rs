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
//! The paper has two ways to find the bucket of a primitive: by computing it ([`Placement::Direct`], its algorithm 1), and
//! from three orders kept by insertion sort ([`Placement::Sorted`], its algorithm 2). Both give the same buckets here. It
//! has one octree, of fixed depth with marks in its nodes ([`Depth::Levels`]); ours is adaptive by default, eight boxes to
//! a node, so that one comparison of eight lanes opens a node.
//!
//! [`BucketTree`] is the detector for meshes, one tree per body. [`PrimitiveTree`] takes any [`Primitive`] (points,
//! segments, triangles, tets, boxes, types of your own) by itself: pairs, boxes, the nearest, and edits of one primitive.
//! [`crate::cut`] cuts and fuses bodies, and keeps fresh cuts from colliding with themselves (B22).
//!
//! # Invariants
//! O1–O4 of the adaptive octree: every primitive in one lane of one block, every box the union of what it holds, octants
//! by code, counts and parents. F1–F3 of the octree of fixed depth: every primitive in the list of its bucket, marks
//! current exactly where something is, boxes as above. `validate` checks them.
//! # Cost
//! update O(m) for m primitives: a pass over positions and one over nodes that fits the boxes; where these have grown too
//! much ([`BucketTreeParams::patience`]) also three rounds of a radix sort. An edit of [`PrimitiveTree`] O(depth + bucket).
//! Pairs O(m + k) for k pairs of overlapping boxes where primitives are no larger than their distances. Memory about
//! 100 bytes per primitive; the fixed depth adds 45 bytes for each of its 8^l buckets.
//!
//! On one thread a frame of a drifting soup, update and all colliding pairs, takes about 35 ns per triangle at 15,000
//! triangles and 100 ns at a million, where memory decides: 2.3 to 3.2 times faster than the fastest of parry3d, obvhs, bvh
//! and rstar (`benchmarks/compare --question self --only 'soup-*' --every`).
//!
//! A visit in [`Stats`](crate::Stats) is a pair of nodes, a test is one comparison of boxes (of eight boxes at once in the
//! adaptive tree).
//! # Where we differ from the paper
//! * Primitives have extent: boxes are fitted to contents, not to cells (B-A9), so nothing is missed.
//! * While primitives still lie well together, boxes are fitted and nobody changes bucket: coherence is used even more
//!   than by algorithm 2, at the price of algorithm 1.
//! * Buckets that hold too many are divided further, each with a grid of its own where it must be, so a soup with
//!   most primitives in one corner keeps its speed (B19, B-A17).
//! * The pointers of algorithm 2 are repaired (B-A1 to B-A8), the larger node is opened first (B-A10), the grid is kept
//!   while it suits (B-A11), flat bodies have one slab (B-A12), a teleport is sorted afresh (B-A13), steps count from 1
//!   (B-A14).
//! * A body is also compared with itself (B21).
//! * [`BucketTree::contacts_within`] ends when its budget is spent and tells what is undecided (B24).
//! # When to choose it
//! For soups, for bodies that change their topology, and for primitives that are not triangles. On connected surfaces
//! [`regularity`](super::regularity) skips what this tree has to compare.

mod descent;
mod draw;
mod full;
mod grid;
mod hurried;
mod image;
mod octree;
mod orders;
mod params;
mod places;
mod primitive;
mod query;
mod radix;
mod structure;
#[cfg(test)]
mod tests;
mod threads;
mod tree;
mod update;
mod validate;

pub use hurried::{Budget, Hurried, Undecided};
pub use params::{Boxes, BucketTreeParams, Depth, Placement, Split};
pub use primitive::Primitive;
pub use tree::{BadPrimitive, PrimitiveId, PrimitivePair, PrimitiveTree};

use crate::geometry::{Map, Point};
use crate::{Mesh, ParamError};
use places::{Extent, Places};
use structure::Structure;

/// The method at work on a mesh, one tree of triangles per body; see the [module page](self).
#[derive(Debug, Clone)]
pub struct BucketTree {
    params: BucketTreeParams,
    map: Map,
    trees: Vec<BodyTree>,
    workers: Vec<query::Worker>,
    /// What the last query found: pairs of triangles, packed so that they sort.
    found: Vec<u64>,
}

/// A body and its tree.
#[derive(Debug, Clone)]
struct BodyTree {
    body: Mesh,
    /// Positions in `f64`, where they were given in `f32`.
    wide: Vec<Point>,
    places: Places,
    extent: Extent,
    tree: Structure,
    /// Corners of the triangles in the lanes of an adaptive tree, block after block.
    corners: Vec<update::Corners>,
    /// What [`octree::Octree::girth`] was when the triangles of this version were placed; `None` before that.
    girth: Option<f64>,
}

impl BucketTree {
    /// Checks the parameters.
    pub fn new(params: BucketTreeParams) -> Result<Self, ParamError> {
        params.check()?;
        let map = Map { origin: [0.0; 3], scale: 0.0 };
        Ok(Self { params, map, trees: Vec::new(), workers: Vec::new(), found: Vec::new() })
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &BucketTreeParams {
        &self.params
    }
}
