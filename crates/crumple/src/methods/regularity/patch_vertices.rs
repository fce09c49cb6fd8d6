//! The vertices of one patch in local memory, and the corners of its triangles eight at a time.

use crate::geometry::Point;
use crate::geometry::simd::{F32x4, Simd, WIDTH};
use crate::patches::{MAX_TRIANGLES, Patches};

/// The vertices of a patch, in one map or another. Scratch memory.
pub(crate) type PatchVertices = [[f32; 4]; 3 * MAX_TRIANGLES];

/// Scratch memory, cleared.
pub(crate) const NO_VERTICES: PatchVertices = [[0.0; 4]; 3 * MAX_TRIANGLES];

/// One corner of eight triangles; a short last row repeats its last triangle.
#[inline(always)]
pub(crate) fn corner_row<S: Simd>(
    simd: S,
    vertices: &PatchVertices,
    eight: &[[u8; 4]],
    corner: usize,
) -> [S::F32x8; 3] {
    let mut points = [S::F32x4::load(simd, &[0.0; 4]); WIDTH];
    let last = eight.len() - 1;
    for (i, point) in points.iter_mut().enumerate() {
        *point = S::F32x4::load(simd, &vertices[usize::from(eight[i.min(last)][corner])]);
    }
    S::F32x4::transpose(points)
}

/// Asks for the positions of a patch ahead of time; beyond the last patch, for nothing.
#[inline(always)]
pub(crate) fn prefetch<S: Simd>(simd: S, patches: &Patches, positions: &[Point], patch: usize) {
    if patch < patches.len() {
        for &v in patches.vertices(patch) {
            simd.prefetch(&positions[v as usize]);
        }
    }
}
