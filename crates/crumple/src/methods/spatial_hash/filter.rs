//! Eight tets on the lattice: their boxes and faces, one tet a lane.

use crate::geometry::lanes::{Lanes, WIDTH};

use super::lattice::Snapped;

/// Corner and edges of eight tets.
pub(super) struct TetLanes<L: Lanes> {
    corners: [[L::Ints; 3]; 4],
    /// Smallest corner of each box.
    pub low: [L::Ints; 3],
    /// Largest corner of each box.
    pub high: [L::Ints; 3],
}

/// Inward normals of the faces opposite corners 1, 2 and 3, the volume, and how far a determinant may be off.
pub(super) struct FaceLanes<L: Lanes> {
    origin: [L::Ints; 3],
    normals: [[L::Floats; 3]; 3],
    volume: L::Floats,
    bound: L::Floats,
    minus_bound: L::Floats,
}

impl<L: Lanes> TetLanes<L> {
    /// Fetches the corners.
    #[inline(always)]
    pub fn new(lanes: L, points: &[Snapped], corners: &[[i32; WIDTH]; 4]) -> Self {
        let c = [
            lanes.pick(points, &corners[0]),
            lanes.pick(points, &corners[1]),
            lanes.pick(points, &corners[2]),
            lanes.pick(points, &corners[3]),
        ];
        let low = |k: usize| lanes.min(lanes.min(c[0][k], c[1][k]), lanes.min(c[2][k], c[3][k]));
        let high = |k: usize| lanes.max(lanes.max(c[0][k], c[1][k]), lanes.max(c[2][k], c[3][k]));
        Self { low: [low(0), low(1), low(2)], high: [high(0), high(1), high(2)], corners: c }
    }

    /// The box around all eight.
    #[inline(always)]
    pub fn span(&self, lanes: L) -> ([i32; 3], [i32; 3]) {
        let (l, h) = (&self.low, &self.high);
        (
            [lanes.least(l[0]), lanes.least(l[1]), lanes.least(l[2])],
            [lanes.most(h[0]), lanes.most(h[1]), lanes.most(h[2])],
        )
    }

    /// Computes the faces. Every corner must be within 2^30 units of the origin.
    #[inline(always)]
    pub fn faces(&self, lanes: L) -> FaceLanes<L> {
        let c = &self.corners;
        let edge = |i: usize| {
            let d = |k: usize| lanes.difference(c[i][k], c[0][k]);
            [d(0), d(1), d(2)]
        };
        let (e1, e2, e3) = (edge(1), edge(2), edge(3));
        let normals = [cross(lanes, &e2, &e3), cross(lanes, &e3, &e1), cross(lanes, &e1, &e2)];
        let volume = dot(lanes, &e1, &normals[0]);
        let size = |k: usize| lanes.difference(self.high[k], self.low[k]);
        let (x, y, z) = (size(0), size(1), size(2));
        let (xy, yz, zx) = (lanes.mul(x, y), lanes.mul(y, z), lanes.mul(z, x));
        let first = lanes.add(lanes.add(x, y), lanes.add(z, lanes.splat_float(1.0)));
        let second = lanes.add(xy, lanes.add(yz, zx));
        let quantised = lanes.mul(lanes.splat_float(6.1), lanes.add(first, second));
        let rounded = lanes.mul(lanes.splat_float(2e-5), lanes.mul(xy, z));
        let bound = lanes.add(quantised, rounded);
        let minus_bound = lanes.sub(lanes.splat_float(0.0), bound);
        FaceLanes { origin: c[0], normals, volume, bound, minus_bound }
    }
}

impl<L: Lanes> FaceLanes<L> {
    /// All bits of each lane whose tet certainly does not hold the point, which must be in the tet's box; else 0.
    ///
    /// The four determinants of the point with three corners each are its barycentric coordinates times the volume; two
    /// of opposite sign put it outside, whichever way round the tet is.
    ///
    /// A position in units lies within 0.5 + 2^-20 of its lattice point, a difference of two within δ = 1.001. In a box of
    /// X × Y × Z each of the six products of a 3×3 determinant is therefore off by at most δ(XY + YZ + ZX) + δ²(X + Y + Z) +
    /// δ³: 6.1 (XY + YZ + ZX + X + Y + Z + 1) covers all six. With u = 2^-24 the arithmetic adds 8u per product, 48u XYZ
    /// for three of the determinants; the fourth is their sum taken from the volume, 264u XYZ: below 2·10^-5 XYZ.
    #[inline(always)]
    pub fn exclude(&self, lanes: L, point: [L::Ints; 3]) -> L::Ints {
        let d = |k: usize| lanes.difference(point[k], self.origin[k]);
        let d = [d(0), d(1), d(2)];
        let (d1, d2, d3) = (
            dot(lanes, &d, &self.normals[0]),
            dot(lanes, &d, &self.normals[1]),
            dot(lanes, &d, &self.normals[2]),
        );
        let d0 = lanes.sub(lanes.sub(self.volume, d1), lanes.add(d2, d3));
        let least = lanes.min_float(lanes.min_float(d0, d1), lanes.min_float(d2, d3));
        let most = lanes.max_float(lanes.max_float(d0, d1), lanes.max_float(d2, d3));
        lanes.and(lanes.less(self.bound, most), lanes.less(least, self.minus_bound))
    }
}

#[inline(always)]
fn cross<L: Lanes>(lanes: L, a: &[L::Floats; 3], b: &[L::Floats; 3]) -> [L::Floats; 3] {
    let c = |i: usize, j: usize| lanes.sub(lanes.mul(a[i], b[j]), lanes.mul(a[j], b[i]));
    [c(1, 2), c(2, 0), c(0, 1)]
}

#[inline(always)]
fn dot<L: Lanes>(lanes: L, a: &[L::Floats; 3], b: &[L::Floats; 3]) -> L::Floats {
    lanes.add(lanes.add(lanes.mul(a[0], b[0]), lanes.mul(a[1], b[1])), lanes.mul(a[2], b[2]))
}
