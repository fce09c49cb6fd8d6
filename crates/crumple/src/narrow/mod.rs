//! The narrow phase: do two primitives touch, where, and how far apart are they? One file per pair.
//!
//! Verdicts (`intersects`, `meets`, `contains`, …) are exact for every finite input: they come from the signs of
//! [`crate::geometry::predicates`], never from a tolerance, and all sets are closed, so touching counts. A degenerate
//! primitive is the polygon, segment or point that it is. Measures (contact points, weights, distances) are rounded
//! `f64`, and agree with the verdicts: a distance is 0 exactly when the primitives intersect. Distances of triangles carry
//! bounds that hold, and are compared exactly.
//!
//! | file | question |
//! | --- | --- |
//! | [`tri_tri`] | do two triangles intersect, also when they share vertices |
//! | [`contact`] | the point, segment or polygon in which two triangles intersect |
//! | [`vertex_tet`] | is a point in a tet, with weights |
//! | [`edge_tri`], [`edge_tet`] | does a segment meet a triangle, a tet |
//! | [`point_tri`], [`seg_seg`], [`tri_tri_distance`] | closest points, features, squared distance |
//! | [`continuous`] | do a vertex and a triangle, or two edges, touch while they move, and when first |
//! | `distance_bounds`, `squared_distance`, `integer` | what is certain of a rounded distance; the exact one |
//! | `close_features`, `close_four` | a vertex and a triangle, or two edges, closer than a distance: exactly, with direction |
//! | [`winding`] | signed crossings of a ray, for "is this point inside this surface" |
//!
//! Every fast path assumes general position and hands ties to [`simplex`], which knows all cases and is short.

pub(crate) mod close_features;
pub(crate) mod close_four;
pub mod contact;
pub mod continuous;
pub(crate) mod distance_bounds;
pub mod edge_tet;
pub mod edge_tri;
mod integer;
pub mod point_tri;
pub mod seg_seg;
pub mod simplex;
pub(crate) mod squared_distance;
pub mod tri_tri;
pub mod tri_tri_distance;
pub mod vertex_tet;
pub mod winding;

/// The part of a triangle or segment that holds a point: where a closest or contact point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Feature {
    /// The corner with this number.
    Vertex(u8),
    /// Inside the edge from corner `i` to corner `i + 1` (modulo 3).
    Edge(u8),
    /// Inside the triangle.
    Face,
}
