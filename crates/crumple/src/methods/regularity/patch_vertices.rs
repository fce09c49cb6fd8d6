//! The vertices of one patch in local memory.

use crate::geometry::Point;
use crate::geometry::simd::{LocalPoints, Simd};
use crate::patches::Patches;

/// Scratch memory for the vertices of a patch, in one map or another.
pub(crate) const NO_VERTICES: LocalPoints = [[0.0; 4]; 256];

/// Asks for the positions of a patch ahead of time; beyond the last patch, for nothing.
#[inline(always)]
pub(crate) fn prefetch<S: Simd>(simd: S, patches: &Patches, positions: &[Point], patch: usize) {
    if patch < patches.len() {
        // Most vertices follow each other: two of them have 48 bytes, less than a line.
        for &v in patches.vertices(patch).iter().step_by(2) {
            simd.prefetch(&positions[v as usize]);
        }
    }
}
