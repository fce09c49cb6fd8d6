//! Mesh files written for viewers.

mod pvd;
mod vtu;

pub use pvd::write_pvd;
pub use vtu::{VtuCells, VtuColumn, VtuMesh, VtuValues, write_vtu};
