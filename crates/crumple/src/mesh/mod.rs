//! Meshes, checked once and never changed, and bodies: all meshes of a scene with one id space.

mod bodies;
mod boundary;
mod changes;
mod edit;
mod elements;
mod orientation;
mod per_body;
#[cfg(test)]
mod tests;
mod tet_topology;
mod topology;

pub use bodies::Bodies;
pub use changes::{Added, Changes, NewVertex};
pub use edit::Edit;
pub use elements::Mesh;
pub use orientation::Orientation;
pub(crate) use per_body::PerBody;
pub use tet_topology::TetTopology;
pub use topology::{BoundaryLoop, Topology};
