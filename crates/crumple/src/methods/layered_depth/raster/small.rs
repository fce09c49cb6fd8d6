//! The columns of triangles that touch at most 2 × 2 of them, which most do.

use super::super::lattice::Corner;
use super::reference::{edge, wide};
use super::tile::{ColumnRect, SnappedTriangle, Tile};

impl Tile {
    /// Calls `f(column, lo, hi)` for every column in `rect` that the triangle touches, with its bits there; `lo` and
    /// `hi` are those of the whole triangle.
    #[inline(always)]
    pub fn visit(
        &self,
        shape: &SnappedTriangle,
        rect: ColumnRect,
        (lo, hi): (u32, u32),
        mut f: impl FnMut(usize, u32, u32),
    ) {
        let across = 1 << self.row;
        let first = self.column(rect.lo[0], rect.lo[1]);
        match (rect.hi[0] - rect.lo[0], rect.hi[1] - rect.lo[1]) {
            (0, 0) => f(first, lo, hi),
            (1, 0) => {
                f(first, lo, hi);
                f(first + 1, lo, hi);
            }
            (0, 1) => {
                f(first, lo, hi);
                f(first + across, lo, hi);
            }
            (1, 1) => {
                let touched = self.quadrants(shape, rect.hi);
                for (k, step) in [0, 1, across, across + 1].into_iter().enumerate() {
                    if touched & 1 << k != 0 {
                        f(first + step, lo, hi);
                    }
                }
            }
            _ => self.each_column::<i64>(&wide(shape), rect, (lo, hi), |column, lo, hi, _| f(column, lo, hi)),
        }
    }

    /// Which of the four columns round a common corner the triangle touches, as bits (x, y) = 00, 10, 01, 11. The
    /// corner is the lowest of column `last`.
    ///
    /// A quadrant is missed when an edge has it wholly on its outer side: the corner is there, and both directions
    /// into the quadrant lead further out. Half of these small triangles miss one, and each miss saves its cell.
    #[inline(always)]
    fn quadrants(&self, shape: &SnappedTriangle, last: [i32; 2]) -> u32 {
        let [a, b, c] = shape.corners;
        let (b, c) = if shape.area2 < 0 { (c, b) } else { (b, c) };
        if shape.area2 == 0 {
            return 0b1111;
        }
        let px = i64::from(self.origin[0]) + (i64::from(last[0]) << self.shift);
        let py = i64::from(self.origin[1]) + (i64::from(last[1]) << self.shift);
        let flat = |p: Corner| [i64::from(p[0]), i64::from(p[1])];
        let mut touched = 0b1111;
        let mut miss = |from: Corner, to: Corner| {
            let (from, to) = (flat(from), flat(to));
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            let mut e = edge(from, to, [px, py]);
            if self.open == 0 {
                e += dx.abs() + dy.abs() + 1;
            }
            // The value grows by −dy along x and by dx along y.
            let along_x = if dy > 0 {
                0b1010
            } else if dy < 0 {
                0b0101
            } else {
                0b1111
            };
            let along_y = if dx > 0 {
                0b0011
            } else if dx < 0 {
                0b1100
            } else {
                0b1111
            };
            let outer = if e <= 0 { along_x & along_y } else { 0 };
            touched &= !outer;
        };
        miss(a, b);
        miss(b, c);
        miss(c, a);
        touched
    }
}
