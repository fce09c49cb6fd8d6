//! The vertices of one patch in local memory, and the corners of its triangles eight at a time.

use super::hierarchy::{MAX_PATCH, Patches};
use crate::geometry::Point;
use crate::geometry::lanes::floats::{Floats, WIDTH};

/// The vertices of a patch, in one map or another. Scratch memory.
pub(crate) type PatchVertices = [[f32; 4]; 3 * MAX_PATCH];

/// Scratch memory, cleared.
pub(crate) const NO_VERTICES: PatchVertices = [[0.0; 4]; 3 * MAX_PATCH];

/// One corner of eight triangles; a short last row repeats its last triangle.
#[inline(always)]
pub(crate) fn corner_row<L: Floats>(
    l: L,
    vertices: &PatchVertices,
    eight: &[[u8; 4]],
    corner: usize,
) -> [L::F; 3] {
    let mut points = [l.load_point(&[0.0; 4]); WIDTH];
    let last = eight.len() - 1;
    for (i, point) in points.iter_mut().enumerate() {
        *point = l.load_point(&vertices[usize::from(eight[i.min(last)][corner])]);
    }
    l.transpose(points)
}

/// Asks for the positions of a patch ahead of time; beyond the last patch, for nothing.
#[inline(always)]
pub(crate) fn prefetch<L: Floats>(l: L, patches: &Patches, positions: &[Point], patch: usize) {
    if patch < patches.len() {
        for &v in patches.vertices(patch) {
            l.prefetch(&positions[v as usize]);
        }
    }
}
