//! Patches that are left by the descent.

mod compare;
mod narrow;
mod patch_rows;

pub(crate) use self::narrow::{Chunk, Leaves, VertexRef, Want};
pub(crate) use self::patch_rows::{Open, Opened};
