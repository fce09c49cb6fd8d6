//! The edge functions of four triangles, at one point each, in double precision that is exact.

use super::super::lattice::Corner;
use crate::geometry::simd::{F64x4, Simd};

/// Sides and columns up to this many units have edge functions below 2^53: coordinates are within 2^25 of the first
/// column's corner, products of two below 2^50, and the steps to the last column and three beyond add less than 2^52.
pub(crate) const SMALL: i32 = 1 << 24;

/// More than any small dx: dx − dy · `LEAD` is positive where dy < 0, or dy = 0 and dx > 0.
const LEAD: f64 = (1 << 27) as f64;

/// Four small triangles (a, b, c). Those that turn clockwise are turned over.
pub(crate) struct FourEdges<S: Simd> {
    simd: S,
    /// 1 where a ray leaves, −1 where it enters, 0 edge-on.
    pub sign: S::F64x4,
    /// From the point to a.
    pub from: [S::F64x4; 2],
    /// The edge functions of a → b, b → c and c → a at the point; together twice the area.
    pub values: [S::F64x4; 3],
    /// The edges along x, and along y.
    pub dx: [S::F64x4; 3],
    pub dy: [S::F64x4; 3],
    /// The longest side of the box, along x or y; the other fields are only valid where it is at most [`SMALL`].
    pub side: S::F64x4,
    /// Depths of the corners.
    pub z: [S::F64x4; 3],
}

impl<S: Simd> FourEdges<S> {
    #[inline(always)]
    pub fn new(simd: S, corners: &[[Corner; 3]; 4], [px, py]: [S::F64x4; 2]) -> Self {
        let [ax, ay, az] =
            S::F64x4::transpose(simd, [&corners[0][0], &corners[1][0], &corners[2][0], &corners[3][0]]);
        let [bx, by, bz] =
            S::F64x4::transpose(simd, [&corners[0][1], &corners[1][1], &corners[2][1], &corners[3][1]]);
        let [cx, cy, cz] =
            S::F64x4::transpose(simd, [&corners[0][2], &corners[1][2], &corners[2][2], &corners[3][2]]);
        let (wide, high) = (ax.max(bx).max(cx) - ax.min(bx).min(cx), ay.max(by).max(cy) - ay.min(by).min(cy));
        let (ax, bx, cx) = (ax - px, bx - px, cx - px);
        let (ay, by, cy) = (ay - py, by - py, cy - py);
        let (ab, bc, ca) = (ax * by - ay * bx, bx * cy - by * cx, cx * ay - cy * ax);
        let one = S::F64x4::splat(simd, 1.0);
        let sign = (ab + bc + ca).clamp(S::F64x4::splat(simd, -1.0), one);
        Self {
            simd,
            sign,
            from: [ax, ay],
            values: [sign * ab, sign * bc, sign * ca],
            dx: [sign * (bx - ax), sign * (cx - bx), sign * (ax - cx)],
            dy: [sign * (by - ay), sign * (cy - by), sign * (ay - cy)],
            side: wide.max(high),
            z: [az, bz, cz],
        }
    }

    /// Twice the area, never negative.
    #[inline(always)]
    pub fn area2(&self) -> S::F64x4 {
        self.values[0] + self.values[1] + self.values[2]
    }

    /// The top-left rule: 1 where a ray through an edge counts as inside of it, else 0.
    #[inline(always)]
    pub fn top_left(&self, k: usize) -> S::F64x4 {
        let (zero, one) = (S::F64x4::splat(self.simd, 0.0), S::F64x4::splat(self.simd, 1.0));
        (self.dx[k] - self.dy[k] * S::F64x4::splat(self.simd, LEAD)).clamp(zero, one)
    }

    /// An edge function, more by one where a ray through the edge counts as inside of it: all three are positive where the
    /// ray through the point crosses the triangle.
    #[inline(always)]
    pub fn inner(&self, k: usize) -> S::F64x4 {
        self.values[k] + self.top_left(k)
    }
}
