//! Directions that all triangles of a region face (V12, V13), from one pass over its patches.
//!
//! # When a bit is certain
//! Normals are computed in `f32` from positions relative to the patch's first vertex. With u = 2^-24 and M the largest
//! such coordinate, a coordinate is off by uM, and an edge, no component of which is above 2M, by 4uM (the difference rounds
//! too, by u·2M at most). So a component of their cross product n is off by 32uM² from the edges and by 16uM² from its own
//! roundings, and the vector by √3 times that, less than 84uM². The true one faces a direction d where n·d is above that. So
//! n̂·d must be above 84uM²/|n|, and above 32u for what rounds in n̂ and in the products below; 100 in place of 84 covers the
//! rounding of |n| and the products of errors. The shortest |n| of the patch stands for all. A patch with a triangle whose |n|
//! is tiny has no bit.

use super::directions::Directions;
use super::patch_vertices::{NO_VERTICES, prefetch};
use crate::geometry::simd::{F32x4, F64x4, Kernel, LocalPoints, Simd, UnitNormals};
use crate::geometry::vector::max;
use crate::geometry::{Aabb32, Map, Point};
use crate::patches::Patches;

/// Which directions a region faces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Facing {
    /// Bit i: every triangle certainly faces direction i.
    pub bits: u128,
    /// Where the normals point on the whole.
    pub normal: [f32; 3],
}

impl Facing {
    /// Of nothing: every direction.
    pub const EMPTY: Self = Self { bits: u128::MAX, normal: [0.0; 3] };

    /// Of both (Fig. 6): the common bits.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            bits: self.bits & other.bits,
            normal: std::array::from_fn(|k| self.normal[k] + other.normal[k]),
        }
    }

    /// Of what has these unit normals: the directions d with n·d above the margin for every n in their box; `reach` is the largest
    /// coordinate of the patch (M on the page).
    #[inline(always)]
    pub fn of<S: Simd>(simd: S, normals: &UnitNormals, reach: f32, directions: &Directions) -> Self {
        // Below 1e-30 products of edges may have underflowed.
        if normals.shortest.is_nan() || normals.shortest <= 1e-30 {
            return Self::default();
        }
        let margin = 100.0 * UNIT * reach * (reach / normals.shortest) + 32.0 * UNIT;
        Self {
            bits: simd.faced(normals, margin, &directions.rows),
            normal: std::array::from_fn(|k| normals.low[k] + normals.high[k]),
        }
    }
}

/// The boxes of a run of patches and the directions that they face.
pub(crate) struct FindFacing<'a> {
    pub patches: &'a Patches,
    pub positions: &'a [Point],
    pub map: &'a Map,
    pub directions: &'a Directions,
    /// The first patch of the run.
    pub first: usize,
    pub bounds: &'a mut [Aabb32],
    pub facing: &'a mut [Facing],
}

const UNIT: f32 = f32::EPSILON / 2.0;

impl Kernel for FindFacing<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut local = NO_VERTICES;
        for (i, (bounds, facing)) in self.bounds.iter_mut().zip(self.facing).enumerate() {
            let patch = self.first + i;
            let vertices = self.patches.vertices(patch);
            if vertices.is_empty() {
                (*bounds, *facing) = (Aabb32::EMPTY, Facing::EMPTY);
                continue;
            }
            prefetch(simd, self.patches, self.positions, patch + 2);
            let reach = localise(simd, vertices, self.positions, self.map, bounds, &mut local);
            let normals = simd.unit_normals(&local, vertices.len(), self.patches.corners(patch));
            *facing = Facing::of(simd, &normals, reach, self.directions);
        }
    }
}

/// Finds the box of a patch, and puts its vertices into local memory relative to the first of them. Returns the largest
/// coordinate there.
#[inline(always)]
pub(crate) fn localise<S: Simd>(
    simd: S,
    vertices: &[u32],
    positions: &[Point],
    map: &Map,
    bounds: &mut Aabb32,
    local: &mut LocalPoints,
) -> f32 {
    let first = S::F64x4::load3(simd, &positions[vertices[0] as usize]);
    let scale = S::F64x4::splat(simd, map.scale);
    let (mut low, mut high) = (first, first);
    for (to, &v) in local.iter_mut().zip(vertices) {
        let p = S::F64x4::load3(simd, &positions[v as usize]);
        (low, high) = (low.min(p), high.max(p));
        ((p - first) * scale).to_f32().store(to);
    }
    // Maps are monotone: the image of the smallest is the smallest image.
    let origin = S::F64x4::load3(simd, &map.origin);
    ((low - origin) * scale).to_f32().store(&mut bounds.min);
    ((high - origin) * scale).to_f32().store(&mut bounds.max);
    let mut reach = [0f32; 4];
    ((first - low).max(high - first) * scale).to_f32().store(&mut reach);
    max(max(reach[0], reach[1]), reach[2])
}
