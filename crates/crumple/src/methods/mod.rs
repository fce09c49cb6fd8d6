//! The methods, and which to take when.

pub mod brute_force;
pub mod bucket_tree;
pub mod layered_depth;
pub mod regularity;
pub mod spatial_hash;
