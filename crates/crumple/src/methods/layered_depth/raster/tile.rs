//! A tile: a block of at most 64 × 64 columns over a range of depth, and which of its cells a triangle touches.
//!
//! Coverage is conservative and exact: a column is visited when the triangle meets its open interior (for questions
//! about volume, where a face that lies in the wall between two columns belongs to neither), or when the triangle may
//! meet its closed hull including what snapping moved (for questions about points).

use super::super::bits::SLICES;
use super::super::lattice::Corner;

/// Most columns along a side of a tile.
pub(crate) const SIDE: u32 = 64;

/// Columns and slices in lattice units.
#[derive(Debug, Clone)]
pub(crate) struct Tile {
    /// Smallest x and y.
    pub origin: [i32; 2],
    /// log2 of the units across a column.
    pub shift: u32,
    /// Columns along x and y.
    pub columns: [i32; 2],
    /// log2 of the places that a row of columns takes, so that numbers of columns need no division.
    pub row: u32,
    /// The range of depth that is cut into slices.
    pub depth: [i32; 2],
    /// Slices per unit of depth, times 2^48.
    slices_per_unit: i64,
    /// 1 where a column is its open interior, 0 where it is closed and swollen by a unit.
    pub open: i32,
}

/// Whether a column owns its walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walls {
    /// A column is its open interior.
    Excluded,
    /// A column is its closed hull and one unit more.
    Included,
}

/// A triangle in lattice units.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SnappedTriangle {
    pub corners: [Corner; 3],
    pub min: Corner,
    pub max: Corner,
    /// Twice the area seen along the rays; positive when the corners turn counter-clockwise, the normal then leans
    /// towards +z.
    pub area2: i64,
}

impl SnappedTriangle {
    #[inline(always)]
    pub fn new(corners: [Corner; 3]) -> Self {
        let [a, b, c] = corners;
        let min = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
        let max = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
        let d = |p: Corner, k: usize| i64::from(p[k]) - i64::from(a[k]);
        let area2 = d(b, 0) * d(c, 1) - d(b, 1) * d(c, 0);
        Self { corners, min, max, area2 }
    }

    /// Sum of the depths of the corners.
    #[inline(always)]
    pub fn depths(&self) -> i64 {
        let [a, b, c] = self.corners;
        i64::from(a[2]) + i64::from(b[2]) + i64::from(c[2])
    }

    /// The signs of the normal along x and y.
    #[inline(always)]
    pub fn facing(&self) -> [i8; 2] {
        let [a, b, c] = self.corners;
        let d = |p: Corner, k: usize| i64::from(p[k]) - i64::from(a[k]);
        let x = d(b, 1) * d(c, 2) - d(b, 2) * d(c, 1);
        let y = d(b, 2) * d(c, 0) - d(b, 0) * d(c, 2);
        [i8::from(x > 0) - i8::from(x < 0), i8::from(y > 0) - i8::from(y < 0)]
    }

    /// What the winding number gains when a ray crosses upward: 1 on entering, −1 on leaving, 0 edge-on.
    #[inline(always)]
    pub fn winding(&self) -> i32 {
        i32::from(self.area2 < 0) - i32::from(self.area2 > 0)
    }
}

/// Columns in both directions, ends included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColumnRect {
    pub lo: [i32; 2],
    pub hi: [i32; 2],
}

impl ColumnRect {
    /// Number of columns.
    #[inline(always)]
    pub fn len(&self) -> usize {
        (self.hi[0] - self.lo[0] + 1) as usize * (self.hi[1] - self.lo[1] + 1) as usize
    }
}

impl Tile {
    /// A tile over `depth`, which must not be empty.
    pub fn new(origin: [i32; 2], shift: u32, columns: [i32; 2], depth: [i32; 2], walls: Walls) -> Self {
        let range = i64::from(depth[1]) - i64::from(depth[0]);
        debug_assert!(range > 0 && range <= 1 << 27);
        // Rounded up, so that the last unit of depth is in the last slice and the end of the range is above it: with
        // d < range, d · per / 2^48 < 126 because range² < 126 · 2^48.
        let slices_per_unit = ((i64::from(SLICES) << 48) + range - 1) / range;
        let open = i32::from(walls == Walls::Excluded);
        let row = (columns[0] as u32).next_power_of_two().trailing_zeros();
        Self { origin, shift, columns, row, depth, slices_per_unit, open }
    }

    /// Places of all columns; those after the last column of a row stay empty.
    pub fn len(&self) -> usize {
        (self.columns[1] as usize) << self.row
    }

    /// The number of a column.
    #[inline(always)]
    pub fn column(&self, x: i32, y: i32) -> usize {
        (y as usize) << self.row | x as usize
    }

    /// Where a column is.
    #[inline(always)]
    pub fn coordinates(&self, column: usize) -> [i32; 2] {
        [(column & ((1 << self.row) - 1)) as i32, (column >> self.row) as i32]
    }

    /// Units across a column.
    pub fn pixel(&self) -> i32 {
        1 << self.shift
    }

    /// The bit of a depth.
    #[inline(always)]
    pub fn bit(&self, z: i32) -> u32 {
        let d = i64::from(z.clamp(self.depth[0] - 1, self.depth[1])) - i64::from(self.depth[0]);
        (((d * self.slices_per_unit) >> 48) + 1).max(0) as u32
    }

    /// Slices per unit of depth.
    pub fn slices(&self) -> f64 {
        self.slices_per_unit as f64 * (1.0 / (1u64 << 48) as f64)
    }

    /// The lowest depth of a bit, 1 to 127.
    pub fn depth_of(&self, bit: u32) -> i32 {
        let k = i64::from(bit) - 1;
        let d = (k << 48) / self.slices_per_unit;
        let d = if (d * self.slices_per_unit) >> 48 < k { d + 1 } else { d };
        self.depth[0] + d as i32
    }

    /// The bits of a range of depth. What is flat in the wall between two slices belongs to the upper one, except at
    /// the bottom of the tile, so that a flat bottom and a flat top touch no slice.
    #[inline(always)]
    pub fn bits(&self, min: i32, max: i32) -> (u32, u32) {
        let hi = self.bit(max - self.open);
        if hi == 0 {
            return (0, 0);
        }
        let lo = self.bit(min);
        (lo, hi.max(lo))
    }

    /// Whether a triangle has a point within the closed range of depth.
    #[inline(always)]
    pub fn meets_depth(&self, shape: &SnappedTriangle) -> bool {
        shape.min[2] <= self.depth[1] && shape.max[2] >= self.depth[0]
    }

    /// The columns that a box touches, cut to the tile; `None` where there are none.
    #[inline(always)]
    pub fn rect(&self, min: &Corner, max: &Corner) -> Option<ColumnRect> {
        let first = |k: usize| ((min[k] - self.origin[k]) >> self.shift).max(0);
        let last = |k: usize| ((max[k] - self.open - self.origin[k]) >> self.shift).min(self.columns[k] - 1);
        let (lo, hi) = ([first(0), first(1)], [last(0), last(1)]);
        (lo[0] <= hi[0] && lo[1] <= hi[1]).then_some(ColumnRect { lo, hi })
    }

    /// The columns whose centres lie in a box, cut to the tile.
    #[inline(always)]
    pub fn centres(&self, min: &Corner, max: &Corner) -> Option<ColumnRect> {
        let half = self.pixel() >> 1;
        let first = |k: usize| ((min[k] - self.origin[k] + half - 1) >> self.shift).max(0);
        let last = |k: usize| ((max[k] - self.origin[k] - half) >> self.shift).min(self.columns[k] - 1);
        let (lo, hi) = ([first(0), first(1)], [last(0), last(1)]);
        (lo[0] <= hi[0] && lo[1] <= hi[1]).then_some(ColumnRect { lo, hi })
    }

    /// Whether any column of a rectangle has its flag set.
    #[inline(always)]
    pub fn any(&self, rect: ColumnRect, flags: &[bool]) -> bool {
        (rect.lo[1]..=rect.hi[1])
            .any(|y| flags[self.column(rect.lo[0], y)..=self.column(rect.hi[0], y)].iter().any(|&flag| flag))
    }

    /// Whether a box lies within the tile's columns.
    #[inline(always)]
    pub fn encloses(&self, min: &Corner, max: &Corner) -> bool {
        (0..2).all(|k| min[k] >= self.origin[k] && max[k] <= self.origin[k] + (self.columns[k] << self.shift))
    }
}
