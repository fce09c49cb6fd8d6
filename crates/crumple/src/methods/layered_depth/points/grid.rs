//! Where things are to a question about points: a coarse lattice over a body's box, 15 bits along each axis.
//!
//! A place is a lattice position in 16-bit numbers: x and y in 1/256 of a column, z in 1/256 of a slice. It is found by
//! rounding down, which is monotone: what is between two others stays between them. All three corners of a triangle
//! fit a register, and its box takes six instructions.

use super::super::raster::tile::{Tile, Walls};
use crate::geometry::quantize;
use crate::geometry::{Aabb, Point};
use crate::{Positions, VertexId};

/// A lattice position: x, y, z, and 0.
pub(crate) type GridPoint = [i16; 4];

/// Places for columns in a row, taken or not: a number that is known in advance saves a check at each access.
pub(crate) const ACROSS: usize = 128;
/// Slices of a column.
const SLICES: i32 = 128;
/// Bits of a lattice position below a column and a slice.
pub(crate) const FRACTION_BITS: u32 = 8;

/// The smallest and the largest place of something.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GridBox {
    pub min: GridPoint,
    pub max: GridPoint,
}

/// The columns over a body's box.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PointGrid {
    origin: Point,
    scale: Point,
    /// Columns along x and y, at most [`ACROSS`].
    pub side: i32,
    /// Rows of columns that one worker draws.
    pub rows: i32,
    workers: usize,
}

impl PointGrid {
    /// The grid of a body, a little larger than its box so that nothing lies on its outer walls; `None` where the body
    /// is so thin, or so far from the origin for its size, that no lattice resolves it.
    pub fn new(bounds: &Aabb, side: i32, bands: i32) -> Option<Self> {
        let size = bounds.size();
        let largest = size.iter().fold(0.0, |m: f64, &s| m.max(s));
        let pad = |k: usize| {
            let far = bounds.min[k].abs().max(bounds.max[k].abs());
            (1e-6 * size[k]).max(1e-9 * largest).max(1e-14 * far)
        };
        let origin: Point = std::array::from_fn(|k| bounds.min[k] - pad(k));
        let scale: Point = std::array::from_fn(|k| {
            let cells = if k < 2 { side } else { SLICES };
            f64::from(cells << FRACTION_BITS) / (bounds.max[k] + pad(k) - origin[k])
        });
        let rows = (side + bands - 1) / bands;
        let grid = Self { origin, scale, side, rows, workers: bands as usize };
        let ok = scale.iter().all(|s| s.is_normal() && *s > 0.0 && s.recip().is_normal());
        (ok && grid.find(&bounds.min).1 && grid.find(&bounds.max).1).then_some(grid)
    }

    /// For how many threads it was made.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Bands of rows.
    pub fn bands(&self) -> usize {
        ((self.side + self.rows - 1) / self.rows) as usize
    }

    /// The first row of a band, and the number of its rows.
    pub fn band(&self, band: usize) -> (i32, i32) {
        let first = band as i32 * self.rows;
        (first, self.rows.min(self.side - first))
    }

    /// The tile of one band, in which the bit of a depth is its slice.
    pub fn tile(&self, band: usize) -> Tile {
        let (first, rows) = self.band(band);
        // Bits 0 and 127 are meant for what lies outside; here they are slices like all others.
        let depth = [1 << FRACTION_BITS, (SLICES - 1) << FRACTION_BITS];
        let mut tile =
            Tile::new([0, first << FRACTION_BITS], FRACTION_BITS, [self.side, rows], depth, Walls::Included);
        tile.row = ACROSS.trailing_zeros();
        tile
    }

    /// The coordinate along an axis, to be rounded down.
    #[inline(always)]
    fn real(&self, p: &Point, k: usize) -> f64 {
        (p[k] - self.origin[k]) * self.scale[k] - 0.5
    }

    /// The place of a point that lies in the body's box; anything for another.
    #[inline(always)]
    pub fn snap(&self, p: &Point) -> GridPoint {
        let at = |k: usize| nearest(self.real(p, k)) as i16;
        [at(0), at(1), at(2), 0]
    }

    /// The place of any point, and whether it lies in the grid.
    #[inline(always)]
    pub fn find(&self, p: &Point) -> (GridPoint, bool) {
        let at = |k: usize| {
            let v = self.real(p, k);
            let v = if v < 65536.0 { v } else { 65536.0 };
            nearest(if v > -1.0 { v } else { -1.0 })
        };
        let (x, y, z) = (at(0), at(1), at(2));
        let across = (self.side << FRACTION_BITS) as u32;
        let is_in = (x < across) & (y < across) & (z < (SLICES << FRACTION_BITS) as u32);
        ([x as i16, y as i16, z as i16, 0], is_in)
    }

    /// The grid points of vertices from the first on.
    #[inline(always)]
    pub fn snap_all(&self, positions: Positions<'_>, first: usize, out: &mut [GridPoint]) {
        match positions {
            Positions::F64(p) => {
                for (place, p) in out.iter_mut().zip(&p[first..]) {
                    *place = self.snap(p);
                }
            }
            Positions::F32(p) => {
                for (place, p) in out.iter_mut().zip(&p[first..]) {
                    *place = self.snap(&p.map(f64::from));
                }
            }
        }
    }

    /// The band in which a column lies.
    #[inline(always)]
    pub fn band_of(&self, column: usize) -> usize {
        column / ACROSS / self.rows as usize
    }
}

#[inline(always)]
fn nearest(v: f64) -> u32 {
    quantize::nearest(v) as u32
}

/// The column of a place and its slice.
#[inline(always)]
pub(crate) fn column(place: GridPoint) -> (usize, u32) {
    let cell = |k: usize| place[k] as usize >> FRACTION_BITS;
    (cell(1) * ACROSS + cell(0), cell(2) as u32)
}

/// The highest place of a slice.
#[inline(always)]
pub(crate) fn top_of(slice: u32) -> i16 {
    ((slice << FRACTION_BITS) + 255) as i16
}

/// The lowest place of a slice.
#[inline(always)]
pub(crate) fn bottom_of(slice: u32) -> i16 {
    (slice << FRACTION_BITS) as i16
}

/// The box of three grid points.
#[inline(always)]
pub(crate) fn join(grid_points: &[GridPoint], corners: &[VertexId; 3]) -> GridBox {
    let [p, q, r] =
        [grid_points[corners[0].index()], grid_points[corners[1].index()], grid_points[corners[2].index()]];
    GridBox {
        min: std::array::from_fn(|k| p[k].min(q[k]).min(r[k])),
        max: std::array::from_fn(|k| p[k].max(q[k]).max(r[k])),
    }
}

impl GridBox {
    /// Whether two boxes have a common place.
    #[inline(always)]
    pub fn meets(&self, other: &Self) -> bool {
        (0..4).fold(true, |meets, k| meets & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }
}

/// The columns and slices that a triangle's box touches. From the lowest bit: 14 bits for the first column, 1 that tells
/// whether there is a second column in each row, 1 whether there is a second row, 7 for the first slice and 7 for the
/// last, 1 for more than 2 × 2 columns (then the columns say nothing), 1 that tells whether a centre may be in the box.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CellSpan(u32);

impl CellSpan {
    /// The first column, counted over the grid.
    #[inline(always)]
    pub fn column(self) -> usize {
        (self.0 & 0x3fff) as usize
    }

    /// Bit 0 tells whether there is a second column in each row, bit 1 whether there is a second row.
    #[inline(always)]
    pub fn shape(self) -> usize {
        (self.0 >> 14 & 3) as usize
    }

    /// The first and last slice.
    #[inline(always)]
    pub fn slices(self) -> (u32, u32) {
        (self.0 >> 16 & 0x7f, self.0 >> 23 & 0x7f)
    }

    /// The columns, of at most 2 × 2.
    pub fn columns(self) -> impl Iterator<Item = usize> {
        let (first, right, up) = (self.column(), self.shape() & 1, self.shape() >> 1);
        (0..=up).flat_map(move |y| (0..=right).map(move |x| first + y * ACROSS + x))
    }

    /// Whether there are more than 2 × 2 columns.
    #[inline(always)]
    pub fn is_large(self) -> bool {
        self.0 & 1 << 30 != 0
    }

    /// Whether the box may hold a centre; exact signs decide.
    #[inline(always)]
    pub fn has_centre(self) -> bool {
        self.0 >> 31 != 0
    }

    /// From the bytes x, y, z, 0 of the lower and of the upper end, in half cells.
    #[inline(always)]
    fn new(lo: u32, hi: u32) -> Self {
        const LAST: u32 = 0x7f7f_7f7f;
        let (first, last) = (lo >> 1 & LAST, hi >> 1 & LAST);
        let spread = last - first;
        let is_large = u32::from(spread & 0xfefe != 0);
        // Centres before each end: half the number, rounded up.
        let centres = (last + (hi & !LAST >> 7)) - (first + (lo & !LAST >> 7));
        let has_centre = u32::from(centres & 0xff != 0) & u32::from(centres & 0xff00 != 0);
        let column = (first & 0x7f) | (first >> 1 & 0x3f80);
        let shape = (spread & 1) << 14 | (spread & 0x100) << 7;
        let slices = (first & 0x7f_0000) | (last & 0x7f_0000) << 7;
        Self(column | shape | slices | is_large << 30 | has_centre << 31)
    }
}

/// Half of a cell, in steps.
const HALF: u32 = FRACTION_BITS - 1;
/// Triangles whose cells are found at a time.
const BLOCK: usize = 32;

/// The cells of triangles. Corners are gathered for many triangles first, so that the rest takes full registers.
#[inline(always)]
pub(crate) fn cell_spans(grid_points: &[GridPoint], triangles: &[[VertexId; 3]], out: &mut [CellSpan]) {
    let mut corners = [[[0i16; 4]; BLOCK]; 3];
    for (triangles, out) in triangles.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
        for (t, triangle) in triangles.iter().enumerate() {
            for k in 0..3 {
                corners[k][t] = grid_points[triangle[k].index()];
            }
        }
        let [p, q, r] = [0, 1, 2].map(|k| corners[k].as_flattened());
        let (mut lo, mut hi) = ([0u8; 4 * BLOCK], [0u8; 4 * BLOCK]);
        for i in 0..4 * BLOCK {
            // A place less at the lower end: what begins in the middle of a column has its centre.
            lo[i] = ((p[i].min(q[i]).min(r[i]).max(1) - 1) >> HALF) as u8;
            hi[i] = (p[i].max(q[i]).max(r[i]) >> HALF) as u8;
        }
        let ends = lo.as_chunks().0.iter().zip(hi.as_chunks().0);
        for (out, (&lo, &hi)) in out.iter_mut().zip(ends) {
            *out = CellSpan::new(u32::from_le_bytes(lo), u32::from_le_bytes(hi));
        }
    }
}

/// What counts of the four columns round a corner: the second, the first of the second row, and the last, by
/// [shape](CellSpan::shape).
pub(crate) static COUNTS: [[u128; 3]; 4] = [[0; 3], [u128::MAX, 0, 0], [0, u128::MAX, 0], [u128::MAX; 3]];

/// From the first to the last of four columns round a corner.
pub(crate) const REACH: usize = ACROSS + 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_boxes_touch() {
        let mut state = 7u64;
        let mut next = |n: i16| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % n as u64) as i16
        };
        for _ in 0..20_000 {
            let min: GridPoint = [next(32767), next(32767), next(32767), 0];
            let max = [0, 1, 2, 3].map(|k| if k < 3 { min[k].saturating_add(next(600)) } else { 0 });
            let mut cells = [CellSpan::default()];
            super::cell_spans(&[min, max], &[[VertexId(0), VertexId(1), VertexId(0)]], &mut cells);
            let [cells] = cells;
            let first = |k: usize| i32::from((min[k] - 1).max(0) >> 8);
            let last = |k: usize| i32::from(max[k] >> 8);
            assert_eq!(cells.slices(), (first(2) as u32, last(2) as u32));
            assert_eq!(cells.column(), (first(1) * 128 + first(0)) as usize);
            assert_eq!(cells.is_large(), (0..2).any(|k| last(k) - first(k) > 1));
            if !cells.is_large() {
                assert_eq!(cells.shape(), (last(0) - first(0) + 2 * (last(1) - first(1))) as usize);
            }
            let holds = |k: usize| (0..128).any(|c| min[k] <= 256 * c + 128 && 256 * c + 128 <= max[k]);
            assert_eq!(cells.has_centre(), holds(0) && holds(1));
        }
    }

    #[test]
    fn places_keep_order() {
        let bounds = Aabb { min: [-1.0, 5.0, 1e6], max: [2.0, 5.1, 1e6 + 1.0] };
        let grid = PointGrid::new(&bounds, 128, 1).unwrap();
        assert_eq!(grid.find(&bounds.min), (grid.snap(&bounds.min), true));
        let mut last = grid.snap(&bounds.min);
        for i in 0..=100_000 {
            let t = f64::from(i) / 1e5;
            let p = std::array::from_fn(|k| bounds.min[k] + t * (bounds.max[k] - bounds.min[k]));
            let (at, is_in) = grid.find(&p);
            assert!(is_in && (0..3).all(|k| at[k] >= last[k]));
            last = at;
        }
        assert!(last[..3].iter().all(|&v| v >= 32766));
        for far in [1e50, -1e50, 3.0, -2.0] {
            assert!(!grid.find(&[far, 5.05, 1e6 + 0.5]).1);
            assert!(!grid.find(&[0.0, 5.05, far]).1);
        }
    }
}
