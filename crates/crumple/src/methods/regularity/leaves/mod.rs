//! Pairs of patches that neither a certificate nor a box dismissed: opened, compared, tested exactly.

mod compare;
mod narrow;
mod patch_rows;

pub(crate) use self::narrow::{LeafAnswer, NarrowOutput, NarrowPhase, Want};
pub(crate) use self::patch_rows::{PatchRows, fill_patch_rows};
