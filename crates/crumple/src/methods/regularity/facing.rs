//! Directions that all triangles of a region face (V12, V13), from one pass over its patches.
//!
//! # When a bit is certain
//! Normals are computed in `f32` from positions relative to the patch's first vertex. With u = 2^-24, M the largest
//! such coordinate and L the largest component of two edges of a triangle, a coordinate is off by uM, an edge by 4uM
//! (the difference rounds too, by u·2M at most), so a component of their cross product by 16uML from the edges and
//! 4uL² from its own roundings, with L ≤ 2M at most 24uML; L + 4uM in place of L covers the products of errors. Times
//! √3 for a vector, relative to the length |n|: a unit normal is off by less than 48uM(L + 4uM)/|n|. The largest of
//! these over the patch, plus 32u for the division and the dot products below, is the margin by which a direction
//! must be faced. A patch with a triangle whose |n| is tiny or not a number has no bit.

use super::directions::{Directions, MAX_DIRECTIONS};
use super::patch_vertices::{NO_VERTICES, PatchVertices, corner_row, prefetch};
use crate::geometry::simd::{F32x4, F32x8, F64x4, Kernel, Mask, Quad, Simd, WIDTH, cross3, dot3, sub3};
use crate::geometry::{Aabb32, Map, Point};
use crate::patches::Patches;

/// Which directions a region faces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Facing {
    /// Bit i: every triangle certainly faces direction i.
    pub bits: u128,
    /// Sum of the unit normals, roughly.
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
            if self.patches.vertices(patch).is_empty() {
                (*bounds, *facing) = (Aabb32::EMPTY, Facing::EMPTY);
                continue;
            }
            prefetch(simd, self.patches, self.positions, patch + 1);
            let reach =
                localise(simd, self.patches.vertices(patch), self.positions, self.map, bounds, &mut local);
            let mut normals = NormalBox::<S>::new(simd, reach);
            for eight in self.patches.corners(patch).chunks(WIDTH) {
                let [u, v] = edges(simd, &local, eight);
                normals.add(simd, cross3(u, v), largest::<S>(u, v));
            }
            *facing = normals.facing(simd, self.directions);
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
    local: &mut PatchVertices,
) -> f32 {
    let near = Map { origin: positions[vertices[0] as usize], scale: map.scale };
    let mut corners = [S::F64x4::load3(simd, &near.origin); 2];
    for (to, &v) in local.iter_mut().zip(vertices) {
        let p = &positions[v as usize];
        let at = S::F64x4::load3(simd, p);
        corners = [corners[0].min(at), corners[1].max(at)];
        S::F32x4::map(simd, p, &near).store(to);
    }
    // Maps are monotone: the image of the smallest is the smallest image.
    let mut reach = 0f32;
    for (corner, out) in corners.into_iter().zip([&mut bounds.min, &mut bounds.max]) {
        let mut quad = Quad::default();
        corner.store_quad(&mut quad);
        let corner = [quad.0[0], quad.0[1], quad.0[2]];
        S::F32x4::map(simd, &corner, map).store(out);
        reach = near.apply(&corner).iter().fold(reach, |m, x| m.max(x.abs()));
    }
    reach
}

/// Two edges of eight triangles, from their first corners.
#[inline(always)]
pub(crate) fn edges<S: Simd>(simd: S, local: &PatchVertices, eight: &[[u8; 4]]) -> [[S::F32x8; 3]; 2] {
    let a = corner_row(simd, local, eight, 0);
    [sub3(corner_row(simd, local, eight, 1), a), sub3(corner_row(simd, local, eight, 2), a)]
}

/// The largest component of two edges of eight triangles.
#[inline(always)]
pub(crate) fn largest<S: Simd>(u: [S::F32x8; 3], v: [S::F32x8; 3]) -> S::F32x8 {
    let [x, y, z] = [u[0].abs().max(v[0].abs()), u[1].abs().max(v[1].abs()), u[2].abs().max(v[2].abs())];
    x.max(y).max(z)
}

/// Bounds on the unit normals of a patch.
pub(crate) struct NormalBox<S: Simd> {
    min: [S::F32x8; 3],
    max: [S::F32x8; 3],
    sum: [S::F32x8; 3],
    /// The largest (L + 4uM)/|n|, and the smallest |n|.
    worst: S::F32x8,
    shortest: S::F32x8,
    reach: f32,
}

impl<S: Simd> NormalBox<S> {
    /// Of nothing; `reach` is the largest coordinate of the patch (M on the page).
    #[inline(always)]
    pub fn new(simd: S, reach: f32) -> Self {
        let (zero, infinite) = (S::F32x8::splat(simd, 0.0), S::F32x8::splat(simd, f32::INFINITY));
        Self {
            min: [infinite; 3],
            max: [-infinite; 3],
            sum: [zero; 3],
            worst: zero,
            shortest: infinite,
            reach,
        }
    }

    /// Takes in the normals of eight triangles; no component of the edges whose cross products they are is larger than
    /// `edge` (L on the page).
    #[inline(always)]
    pub fn add(&mut self, simd: S, n: [S::F32x8; 3], edge: S::F32x8) {
        let slack = S::F32x8::splat(simd, 4.0 * UNIT * self.reach);
        let length = dot3(n, n).sqrt();
        self.shortest = self.shortest.min(length);
        let inverse = S::F32x8::splat(simd, 1.0) / length;
        for k in 0..3 {
            let unit = n[k] * inverse;
            self.min[k] = self.min[k].min(unit);
            self.max[k] = self.max[k].max(unit);
            self.sum[k] = self.sum[k] + unit;
        }
        self.worst = self.worst.max((edge.max(slack) + slack) * inverse);
    }

    /// The directions d with n·d above the margin for every n in the box: centre·d − half-width·|d|.
    #[inline(always)]
    pub fn facing(&self, simd: S, directions: &Directions) -> Facing {
        let mut normal = [0f32; 3];
        let zero = S::F32x8::splat(simd, 0.0);
        let (mut centre, mut half) = ([zero; 3], [zero; 3]);
        for k in 0..3 {
            normal[k] = self.sum[k].to_array().into_iter().sum();
            let (min, max) = (self.min[k].reduce_min(), self.max[k].reduce_max());
            centre[k] = S::F32x8::splat(simd, 0.5 * (min + max));
            half[k] = S::F32x8::splat(simd, 0.5 * (max - min));
        }
        // Minima and maxima lose a NaN, sums keep it. Below 1e-30 products of edges may have underflowed.
        let is_long = self.shortest.gt(S::F32x8::splat(simd, 1e-30)).bitmask() == 0xff;
        if !is_long || !normal.iter().all(|x| x.is_finite()) {
            return Facing { bits: 0, normal };
        }
        let margin = 48.0 * UNIT * self.reach * self.worst.reduce_max() + 32.0 * UNIT;
        let margin = S::F32x8::splat(simd, margin);
        let mut bits = [0u8; MAX_DIRECTIONS / WIDTH];
        for (i, bits) in bits.iter_mut().enumerate() {
            let d = [
                S::F32x8::load(simd, &directions.x[i]),
                S::F32x8::load(simd, &directions.y[i]),
                S::F32x8::load(simd, &directions.z[i]),
            ];
            let size = [d[0].abs(), d[1].abs(), d[2].abs()];
            let towards = dot3(centre, d) - dot3(half, size);
            *bits = towards.gt(margin).bitmask() as u8;
        }
        Facing { bits: u128::from_le_bytes(bits), normal }
    }
}
