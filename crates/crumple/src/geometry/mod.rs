//! Pure functions on points: exact signs, boxes, what a triangle or tet is.
//!
//! Everything here is a function of coordinates alone; meshes, ids and frames live elsewhere. A verdict (side,
//! collinear, degenerate) is exact for every finite input; a measure (normal, area, volume) is a rounded `f64`.

pub mod aabb;
mod exact;
pub(crate) mod height;
pub(crate) mod lanes;
pub mod predicates;
pub mod tet;
pub mod triangle;
pub(crate) mod vector;

pub use aabb::{Aabb, Aabb32};
pub use predicates::Sign;

/// A position in space.
pub type Point = [f64; 3];
