//! Eight tets on the lattice: their boxes and faces, one tet a lane.

use super::super::lattice::Snapped;
use crate::geometry::simd::{F32x8, I32x8, Simd, WIDTH, cross3, dot3};

/// Corner and edges of eight tets.
pub(in super::super) struct TetLanes<S: Simd> {
    corners: [[S::I32x8; 3]; 4],
    /// Smallest corner of each box.
    pub low: [S::I32x8; 3],
    /// Largest corner of each box.
    pub high: [S::I32x8; 3],
}

/// Inward normals of the faces opposite corners 1, 2 and 3, the volume, and how far a determinant may be off.
pub(in super::super) struct FaceLanes<S: Simd> {
    origin: [S::I32x8; 3],
    normals: [[S::F32x8; 3]; 3],
    volume: S::F32x8,
    bound: S::F32x8,
}

impl<S: Simd> TetLanes<S> {
    /// Fetches the corners.
    #[inline(always)]
    pub fn new(simd: S, points: &[Snapped], corners: &[[i32; WIDTH]; 4]) -> Self {
        let c = [
            S::I32x8::gather(simd, points, &corners[0]),
            S::I32x8::gather(simd, points, &corners[1]),
            S::I32x8::gather(simd, points, &corners[2]),
            S::I32x8::gather(simd, points, &corners[3]),
        ];
        let low = |k: usize| c[0][k].min(c[1][k]).min(c[2][k].min(c[3][k]));
        let high = |k: usize| c[0][k].max(c[1][k]).max(c[2][k].max(c[3][k]));
        Self { low: [low(0), low(1), low(2)], high: [high(0), high(1), high(2)], corners: c }
    }

    /// The box around all eight.
    #[inline(always)]
    pub fn span(&self) -> ([i32; 3], [i32; 3]) {
        let (l, h) = (&self.low, &self.high);
        (
            [l[0].reduce_min(), l[1].reduce_min(), l[2].reduce_min()],
            [h[0].reduce_max(), h[1].reduce_max(), h[2].reduce_max()],
        )
    }

    /// The lanes whose box does not meet the one from `low` to `high`.
    #[inline(always)]
    pub fn apart(&self, simd: S, low: &Snapped, high: &Snapped) -> S::Mask8 {
        let axis = |k: usize| {
            let before = self.high[k].lt(S::I32x8::splat(simd, low[k]));
            before | self.low[k].gt(S::I32x8::splat(simd, high[k]))
        };
        axis(0) | axis(1) | axis(2)
    }

    /// Computes the faces. Every corner must be within 2^30 units of the origin.
    #[inline(always)]
    pub fn faces(&self, simd: S) -> FaceLanes<S> {
        let c = &self.corners;
        let edge = |i: usize| {
            let d = |k: usize| (c[i][k] - c[0][k]).to_f32();
            [d(0), d(1), d(2)]
        };
        let (e1, e2, e3) = (edge(1), edge(2), edge(3));
        let normals = [cross3(e2, e3), cross3(e3, e1), cross3(e1, e2)];
        let volume = dot3(e1, normals[0]);
        let bound = bound(simd, &self.low, &self.high);
        FaceLanes { origin: c[0], normals, volume, bound }
    }
}

impl<S: Simd> FaceLanes<S> {
    /// The lanes whose tet certainly does not hold the point, which must be in the tet's box.
    ///
    /// The four determinants of the point with three corners each are its barycentric coordinates times the volume; two
    /// of opposite sign put it outside, whichever way round the tet is.
    ///
    /// A position in units lies within 0.5 + 2^-20 of its lattice point, a difference of two within δ = 1.001. In a box of
    /// X × Y × Z each of the six products of a 3×3 determinant is therefore off by at most δ(XY + YZ + ZX) + δ²(X + Y + Z) +
    /// δ³: 6.1 (XY + YZ + ZX + X + Y + Z + 1) covers all six. With u = 2^-24 the arithmetic adds 8u per product, 48u XYZ
    /// for three of the determinants; the fourth is their sum taken from the volume, 264u XYZ: below 2·10^-5 XYZ.
    #[inline(always)]
    pub fn exclude(&self, point: [S::I32x8; 3]) -> S::Mask8 {
        let [d0, d1, d2, d3] = self.determinants(point);
        let least = d0.min(d1).min(d2.min(d3));
        let most = d0.max(d1).max(d2.max(d3));
        self.bound.lt(most) & least.lt(-self.bound)
    }

    /// The lanes whose tet certainly does not meet the segment: both ends lie beyond one of its faces.
    #[inline(always)]
    pub fn exclude_segment(&self, simd: S, tets: &TetLanes<S>, ends: [&Snapped; 2]) -> S::Mask8 {
        let point = |p: &Snapped| {
            [S::I32x8::splat(simd, p[0]), S::I32x8::splat(simd, p[1]), S::I32x8::splat(simd, p[2])]
        };
        let (p, q) = (point(ends[0]), point(ends[1]));
        let low = |k: usize| tets.low[k].min(p[k].min(q[k]));
        let high = |k: usize| tets.high[k].max(p[k].max(q[k]));
        let bound = bound(simd, &[low(0), low(1), low(2)], &[high(0), high(1), high(2)]);
        let (p, q) = (self.determinants(p), self.determinants(q));
        let below = |i: usize| p[i].lt(-bound) & q[i].lt(-bound);
        let above = |i: usize| bound.lt(p[i]) & bound.lt(q[i]);
        let any_below = below(0) | below(1) | below(2) | below(3);
        let any_above = above(0) | above(1) | above(2) | above(3);
        (bound.lt(self.volume) & any_below) | (self.volume.lt(-bound) & any_above)
    }

    /// Six times the volume of each tet with corner i replaced by the point, for each i.
    #[inline(always)]
    fn determinants(&self, point: [S::I32x8; 3]) -> [S::F32x8; 4] {
        let d = |k: usize| (point[k] - self.origin[k]).to_f32();
        let d = [d(0), d(1), d(2)];
        let n = &self.normals;
        let (d1, d2, d3) = (dot3(d, n[0]), dot3(d, n[1]), dot3(d, n[2]));
        [self.volume - d1 - (d2 + d3), d1, d2, d3]
    }
}

/// How far a determinant of points in these boxes may be off: see [`FaceLanes::exclude`].
#[inline(always)]
fn bound<S: Simd>(simd: S, low: &[S::I32x8; 3], high: &[S::I32x8; 3]) -> S::F32x8 {
    let size = |k: usize| (high[k] - low[k]).to_f32();
    let (x, y, z) = (size(0), size(1), size(2));
    let (xy, yz, zx) = (x * y, y * z, z * x);
    let first = x + y + (z + S::F32x8::splat(simd, 1.0));
    let second = xy + (yz + zx);
    let snapped = S::F32x8::splat(simd, 6.1) * (first + second);
    snapped + S::F32x8::splat(simd, 2e-5) * (xy * z)
}
