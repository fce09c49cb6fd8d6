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

    /// All bits of each lane whose box does not meet the one from `low` to `high`; else 0.
    #[inline(always)]
    pub fn apart(&self, lanes: L, low: &Snapped, high: &Snapped) -> L::Ints {
        let (from, to) = (lanes.splat(i32::MIN), lanes.splat(i32::MAX));
        let axis = |k: usize| {
            let before = lanes.outside(self.high[k], lanes.splat(low[k]), to);
            lanes.or(before, lanes.outside(self.low[k], from, lanes.splat(high[k])))
        };
        lanes.or(axis(0), lanes.or(axis(1), axis(2)))
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
        let bound = bound(lanes, &self.low, &self.high);
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
        let [d0, d1, d2, d3] = self.determinants(lanes, point);
        let least = lanes.min_float(lanes.min_float(d0, d1), lanes.min_float(d2, d3));
        let most = lanes.max_float(lanes.max_float(d0, d1), lanes.max_float(d2, d3));
        lanes.and(lanes.less(self.bound, most), lanes.less(least, self.minus_bound))
    }

    /// All bits of each lane whose tet certainly does not meet the segment: both ends lie beyond one of its faces.
    #[inline(always)]
    pub fn exclude_segment(&self, lanes: L, tets: &TetLanes<L>, ends: [&Snapped; 2]) -> L::Ints {
        let point = |p: &Snapped| [lanes.splat(p[0]), lanes.splat(p[1]), lanes.splat(p[2])];
        let (p, q) = (point(ends[0]), point(ends[1]));
        let low = |k: usize| lanes.min(tets.low[k], lanes.min(p[k], q[k]));
        let high = |k: usize| lanes.max(tets.high[k], lanes.max(p[k], q[k]));
        let bound = bound(lanes, &[low(0), low(1), low(2)], &[high(0), high(1), high(2)]);
        let minus = lanes.sub(lanes.splat_float(0.0), bound);
        let (p, q) = (self.determinants(lanes, p), self.determinants(lanes, q));
        let below = |i: usize| lanes.and(lanes.less(p[i], minus), lanes.less(q[i], minus));
        let above = |i: usize| lanes.and(lanes.less(bound, p[i]), lanes.less(bound, q[i]));
        let any_below = lanes.or(lanes.or(below(0), below(1)), lanes.or(below(2), below(3)));
        let any_above = lanes.or(lanes.or(above(0), above(1)), lanes.or(above(2), above(3)));
        lanes.or(
            lanes.and(lanes.less(bound, self.volume), any_below),
            lanes.and(lanes.less(self.volume, minus), any_above),
        )
    }

    /// Six times the volume of each tet with corner i replaced by the point, for each i.
    #[inline(always)]
    fn determinants(&self, lanes: L, point: [L::Ints; 3]) -> [L::Floats; 4] {
        let d = |k: usize| lanes.difference(point[k], self.origin[k]);
        let d = [d(0), d(1), d(2)];
        let n = &self.normals;
        let (d1, d2, d3) = (dot(lanes, &d, &n[0]), dot(lanes, &d, &n[1]), dot(lanes, &d, &n[2]));
        [lanes.sub(lanes.sub(self.volume, d1), lanes.add(d2, d3)), d1, d2, d3]
    }
}

/// How far a determinant of points in these boxes may be off: see [`FaceLanes::exclude`].
#[inline(always)]
fn bound<L: Lanes>(lanes: L, low: &[L::Ints; 3], high: &[L::Ints; 3]) -> L::Floats {
    let size = |k: usize| lanes.difference(high[k], low[k]);
    let (x, y, z) = (size(0), size(1), size(2));
    let (xy, yz, zx) = (lanes.mul(x, y), lanes.mul(y, z), lanes.mul(z, x));
    let first = lanes.add(lanes.add(x, y), lanes.add(z, lanes.splat_float(1.0)));
    let second = lanes.add(xy, lanes.add(yz, zx));
    let snapped = lanes.mul(lanes.splat_float(6.1), lanes.add(first, second));
    lanes.add(snapped, lanes.mul(lanes.splat_float(2e-5), lanes.mul(xy, z)))
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
