//! Collision detection for meshes that change shape.

pub mod geometry;
pub mod narrow;
