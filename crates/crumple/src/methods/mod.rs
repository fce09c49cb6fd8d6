//! The methods, and which to take when.

pub mod brute_force;
pub mod regularity;
