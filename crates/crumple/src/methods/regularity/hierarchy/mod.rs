//! The hierarchy of regions of one body: built once per topology, from triangles up.

mod build;
mod contours;
mod half_edges;
mod merge;
mod patches;
mod shared_vertices;
mod tree;

pub(crate) use self::build::{Hierarchy, Shape};
pub(crate) use self::contours::Step;
pub(crate) use self::half_edges::{HalfEdges, NONE, next};
pub(crate) use self::patches::{LANES, MAX_PATCH, Patches};
pub(crate) use self::tree::Node;
