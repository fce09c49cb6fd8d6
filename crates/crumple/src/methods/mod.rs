//! The methods, and which to take when.
