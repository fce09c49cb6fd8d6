//! Meshes, checked once and never changed, and bodies: all meshes of a scene with one id space.
//!
//! | what | file |
//! | --- | --- |
//! | a mesh: elements, keys, what is asked of it | `elements.rs`, `table.rs` |
//! | lists whose versions share what they have in common | `rows.rs` |
//! | edits, and what they changed | `edit.rs`, `draft.rs`, `changes.rs`, `log.rs`, `fates.rs` |
//! | adjacency that follows edits | `adjacency.rs`, `stars.rs` |
//! | all of a surface's topology, found anew for a version | `topology.rs`, `edges.rs`, `orientation.rs`, `tet_topology.rs`, `boundary.rs` |
//! | all meshes of a scene, and what a method keeps for each | `bodies.rs`, `per_body.rs` |

mod adjacency;
mod bodies;
mod boundary;
mod changes;
mod draft;
mod edges;
mod edit;
mod elements;
mod fates;
mod log;
mod orientation;
mod per_body;
mod rows;
mod stars;
mod table;
#[cfg(test)]
mod tests;
mod tet_topology;
mod topology;

pub use adjacency::Adjacency;
pub use bodies::Bodies;
pub use changes::{Added, Changes, NewVertex};
pub use edit::Edit;
pub use elements::Mesh;
pub(crate) use fates::Fates;
pub(crate) use log::ChangedRows;
pub use orientation::Orientation;
pub(crate) use per_body::PerBody;
pub use tet_topology::TetTopology;
pub use topology::{BoundaryLoop, Topology};
