//! The methods, and which to take when.

pub mod brute_force;
<<<<<<< HEAD
pub mod distance_hierarchy;
=======
pub mod bucket_tree;
>>>>>>> bucket
pub mod layered_depth;
pub mod regularity;
pub mod spatial_hash;
