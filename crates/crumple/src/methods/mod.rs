//! The methods, and which to take when.

pub mod brute_force;
pub mod spatial_hash;
pub mod layered_depth;
pub mod regularity;
