//! Eight numbers at a time.

// The one place where `unsafe` is allowed: each block says why it is sound.
#![allow(unsafe_code)]

pub(crate) mod floats;
