//! Boxes of patches.
//!
//! A frame's positions go through one monotone [`Map`] to `f32`. Monotone means that closed boxes of the images overlap
//! wherever the boxes of the positions do, so nothing needs to be rounded outward, and a box is tight to the last bit.

use super::patch_vertices::prefetch;
use crate::geometry::simd::{F32x4, Kernel, Simd};
use crate::geometry::{Aabb32, Map, Point};
use crate::patches::Patches;

/// The boxes of a run of patches.
pub(crate) struct FindBounds<'a> {
    pub patches: &'a Patches,
    pub positions: &'a [Point],
    pub map: &'a Map,
    /// The first patch of the run.
    pub first: usize,
    pub out: &'a mut [Aabb32],
}

impl Kernel for FindBounds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for (i, out) in self.out.iter_mut().enumerate() {
            prefetch(simd, self.patches, self.positions, self.first + i + 1);
            *out = Aabb32::EMPTY;
            let (mut min, mut max) = (S::F32x4::load(simd, &out.min), S::F32x4::load(simd, &out.max));
            for &v in self.patches.vertices(self.first + i) {
                let p = S::F32x4::map(simd, &self.positions[v as usize], self.map);
                min = min.min(p);
                max = max.max(p);
            }
            min.store(&mut out.min);
            max.store(&mut out.max);
        }
    }
}
