//! Volumes with bounds: tile by tile, what two bodies share, and in what one overlaps itself.

mod cells;
mod classify;
mod clip;
mod coverage;
pub(crate) mod depth;
mod integrate;
pub(crate) mod overlap;
pub(crate) mod refine;
pub(crate) mod self_overlap;
mod side_proof;
mod slice_masks;
pub(crate) mod solve;
pub(crate) mod tile_lists;
