//! Pure functions on points: exact signs, boxes, what a triangle or tet is.
//!
//! Everything here is a function of coordinates alone; meshes, ids and frames live elsewhere. A verdict (side,
//! collinear, degenerate) is exact for every finite input; a measure (normal, area, volume) is a rounded `f64`.

mod aabb;
mod aabb32;
mod exact;
pub(crate) mod extremes;
pub(crate) mod height;
mod map;
#[cfg(not(feature = "internals"))]
pub(crate) mod predicates;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod predicates;
pub(crate) mod quantize;
#[cfg(not(feature = "internals"))]
#[allow(dead_code)] // The simulator needs more of it than the engine.
pub(crate) mod simd;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod simd;
#[cfg(not(feature = "internals"))]
pub(crate) mod tet;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tet;
#[cfg(not(feature = "internals"))]
pub(crate) mod triangle;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod triangle;
pub(crate) mod vector;

pub use aabb::Aabb;
pub(crate) use aabb32::{Aabb32, Aabb32x8};
pub(crate) use map::Map;
pub(crate) use predicates::Sign;

/// A position in space.
pub type Point = [f64; 3];
