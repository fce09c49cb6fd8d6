//! Boxes of patches.
//!
//! A frame's positions go through one monotone [`Map`] to `f32`. Monotone means that closed boxes of the images overlap
//! wherever the boxes of the positions do, so nothing needs to be rounded outward, and a box is tight to the last bit.

use super::patch_vertices::prefetch;
use crate::geometry::simd::{F32x4, multiversion};
use crate::geometry::{Aabb32, Map, Point};
use crate::patches::Patches;

multiversion! {
    /// The boxes of a run of patches.
    pub(crate) fn find_bounds<S: Simd>(
        simd: S,
        patches: &Patches,
        positions: &[Point],
        map: &Map,
        first: usize,
        out: &mut [Aabb32],
    ) {
        for (i, out) in out.iter_mut().enumerate() {
            prefetch(simd, patches, positions, first + i + 1);
            *out = Aabb32::EMPTY;
            let (mut min, mut max) = (S::F32x4::load(simd, &out.min), S::F32x4::load(simd, &out.max));
            for &v in patches.vertices(first + i) {
                let p = S::F32x4::map(simd, &positions[v as usize], map);
                min = min.min(p);
                max = max.max(p);
            }
            min.store(&mut out.min);
            max.store(&mut out.max);
        }
    }
}
