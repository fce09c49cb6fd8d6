//! The edge functions of four triangles, at one point each, in double precision that is exact.

use super::super::lattice::Corner;
use crate::geometry::lanes::{Four, Lanes};

/// Sides and columns up to this many units have edge functions below 2^53: coordinates are within 2^25 of the first
/// column's corner, products of two below 2^50, and the steps to the last column and three beyond add less than 2^52.
pub(crate) const SMALL: i32 = 1 << 24;

/// More than any small dx: dx − dy · `LEAD` is positive where dy < 0, or dy = 0 and dx > 0.
const LEAD: f64 = (1 << 27) as f64;

/// Four small triangles (a, b, c). Those that turn clockwise are turned over.
pub(crate) struct FourEdges<L: Lanes> {
    lanes: L,
    /// 1 where a ray leaves, −1 where it enters, 0 edge-on.
    pub sign: Four<L>,
    /// From the point to a.
    pub from: [Four<L>; 2],
    /// The edge functions of a → b, b → c and c → a at the point; together twice the area.
    pub values: [Four<L>; 3],
    /// The edges along x, and along y.
    pub dx: [Four<L>; 3],
    pub dy: [Four<L>; 3],
    /// The longest side of the box, along x or y; the other fields are only valid where it is at most [`SMALL`].
    pub side: Four<L>,
    /// Depths of the corners.
    pub z: [Four<L>; 3],
}

impl<L: Lanes> FourEdges<L> {
    #[inline(always)]
    pub fn new(lanes: L, corners: &[[Corner; 3]; 4], [px, py]: [Four<L>; 2]) -> Self {
        let [ax, ay, az] = Four::components(lanes, corners, 0);
        let [bx, by, bz] = Four::components(lanes, corners, 1);
        let [cx, cy, cz] = Four::components(lanes, corners, 2);
        let (wide, high) = (ax.max(bx).max(cx) - ax.min(bx).min(cx), ay.max(by).max(cy) - ay.min(by).min(cy));
        let (ax, bx, cx) = (ax - px, bx - px, cx - px);
        let (ay, by, cy) = (ay - py, by - py, cy - py);
        let (ab, bc, ca) = (ax * by - ay * bx, bx * cy - by * cx, cx * ay - cy * ax);
        let one = Four::splat(lanes, 1.0);
        let sign = (ab + bc + ca).clamp(Four::splat(lanes, -1.0), one);
        Self {
            lanes,
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
    pub fn area2(&self) -> Four<L> {
        self.values[0] + self.values[1] + self.values[2]
    }

    /// The top-left rule: 1 where a ray through an edge counts as inside of it, else 0.
    #[inline(always)]
    pub fn top_left(&self, k: usize) -> Four<L> {
        let (zero, one) = (Four::splat(self.lanes, 0.0), Four::splat(self.lanes, 1.0));
        (self.dx[k] - self.dy[k] * Four::splat(self.lanes, LEAD)).clamp(zero, one)
    }

    /// An edge function, more by one where a ray through the edge counts as inside of it: all three are positive where the
    /// ray through the point crosses the triangle.
    #[inline(always)]
    pub fn inner(&self, k: usize) -> Four<L> {
        self.values[k] + self.top_left(k)
    }
}
