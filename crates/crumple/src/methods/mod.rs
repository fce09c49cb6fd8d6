//! The methods, and which to take when.

pub mod spatial_hash;
