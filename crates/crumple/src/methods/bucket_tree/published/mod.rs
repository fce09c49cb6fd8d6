//! The paper's own tree: an octree of fixed depth, buckets that are cells, either of its two algorithms.
//!
//! For replaying the paper's tables; [`BucketTree`](super::BucketTree) is complete and faster.
//!
//! | step | file | in the paper |
//! | --- | --- | --- |
//! | what is chosen | `params.rs` | sections 3 and 5 |
//! | algorithm 2: three sorted axes | `sorted_axes.rs` | section 3.2 |
//! | octree of fixed depth, marks | `octree.rs` | section 3.1 |
//! | following the frame | `update.rs` | section 3 |
//! | colliding buckets, colliding triangles | `search.rs` | section 3.3 |

mod octree;
mod params;
mod search;
mod sorted_axes;
#[cfg(test)]
mod tests;
mod update;

pub use params::{Boxes, Placement, PublishedParams, Split};

use super::triangles::BodyTriangles;
use crate::geometry::Map;
use crate::{BodyId, Error, ParamError, TriangleId};
use octree::FixedOctree;
use sorted_axes::SortedAxes;

/// The method as published, at work on a mesh; see the [module page](self).
#[derive(Debug, Clone)]
pub struct PublishedBucketTree {
    params: PublishedParams,
    /// From positions to the `f32` of the trees; `None` before the first frame.
    map: Option<Map>,
    trees: Vec<FixedTree>,
    /// What the last query found: pairs of triangles, packed so that they sort.
    found: Vec<u64>,
}

/// A body and its tree.
#[derive(Debug, Clone)]
struct FixedTree {
    triangles: BodyTriangles,
    axes: SortedAxes,
    octree: FixedOctree,
}

impl PublishedBucketTree {
    /// Checks the parameters.
    pub fn new(params: PublishedParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Self { params, map: None, trees: Vec::new(), found: Vec::new() })
    }

    /// Figure 1: the triangles of a body in their order along an axis (0, 1 or 2), and where each slab begins in that order,
    /// the number of triangles last. Empty unless the placement is [`Placement::Sorted`].
    pub fn slabs(&self, body: BodyId, axis: usize) -> Result<(Vec<TriangleId>, Vec<u32>), Error> {
        let tree = self.trees.get(body.index()).ok_or(Error::NoBody { body })?;
        let (order, first) = tree.axes.along(axis.min(2));
        Ok((order.into_iter().map(TriangleId).collect(), first.to_vec()))
    }

    /// The parameters it was made with.
    pub fn params(&self) -> &PublishedParams {
        &self.params
    }
}
