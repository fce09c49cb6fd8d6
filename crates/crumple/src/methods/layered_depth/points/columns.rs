//! The columns of one body for questions about points: which slices its surface touches, which are inside.

use std::ops::Range;

use super::super::bits::{self, Runs};
use super::super::raster::reference::{RayGrid, SeenTriangle, wide};
use super::super::raster::tile::{ColumnRect, SnappedTriangle, Tile};
use super::grid::{ACROSS, COUNTS, CellSpan, FRACTION_BITS, GridPoint, PointGrid, REACH};
use crate::VertexId;

/// Triangles that are drawn at a time, while their corners are in the first cache.
pub(crate) const BATCH: usize = 512;

/// A large triangle in a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LargeTouch {
    pub triangle: u32,
    /// Counted over the grid.
    pub column: u16,
    pub lo: u8,
    pub hi: u8,
}

/// A triangle on a column's centre ray.
#[derive(Debug, Clone, Copy, Default)]
struct Crossed {
    /// Counted over the band.
    column: u16,
    /// One of the slices that the triangle touches here. They are all in one run, and no more is asked.
    slice: u8,
    /// 1 where the ray enters, −1 where it leaves.
    step: i8,
}

/// A band of rows. The memory has a row more at either end, for triangles that reach out of the band.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// First row, and number of rows.
    first: i32,
    rows: i32,
    tile: Option<Tile>,
    /// Slices that the surface touches.
    touched: Vec<u128>,
    /// What triangles of more than 2 × 2 columns touch.
    pub large: Vec<LargeTouch>,
    found: Vec<Crossed>,
    /// By column and slice.
    crossed: Vec<Crossed>,
    /// First crossing of each column, and the total last.
    starts: Vec<u32>,
}

impl Columns {
    /// Empties the band.
    pub fn begin(&mut self, grid: &PointGrid, band: usize) {
        (self.first, self.rows) = grid.band(band);
        let len = (self.rows as usize + 2) * ACROSS;
        self.touched.clear();
        self.touched.resize(len + REACH, 0);
        self.tile = Some(grid.tile(band));
        self.large.clear();
        self.found.clear();
    }

    /// Draws at most [`BATCH`] triangles, the first of which has number `first`.
    #[inline(always)]
    pub fn draw(
        &mut self,
        first: usize,
        cells: &[CellSpan],
        grid_points: &[GridPoint],
        triangles: &[[VertexId; 3]],
    ) {
        let mut crossers = [0; BATCH + 1];
        let mut crossing = 0;
        let rows = self.first as usize..(self.first + self.rows) as usize;
        for (t, cells) in cells.iter().enumerate() {
            if cells.is_large() {
                self.draw_large((first + t) as u32, grid_points, triangles, |_| true);
                continue;
            }
            let (column, shape) = (cells.column(), cells.shape());
            if column / ACROSS + shape / 2 < rows.start || column / ACROSS >= rows.end {
                continue;
            }
            let (lo, hi) = cells.slices();
            let mask = bits::span(lo, hi);
            let counts = &COUNTS[shape];
            let slot = self.slot_of(column);
            let columns: &mut [u128; REACH] =
                self.touched[slot..].first_chunk_mut().expect("rows are long enough");
            // Four stores are cheaper than two branches that are mispredicted half the time.
            columns[0] |= mask;
            columns[1] |= mask & counts[0];
            columns[ACROSS] |= mask & counts[1];
            columns[ACROSS + 1] |= mask & counts[2];
            crossers[crossing] = t as u32;
            crossing += usize::from(cells.has_centre());
        }
        for &t in &crossers[..crossing] {
            let [a, b, c] = triangles[first + t as usize];
            self.cross(
                cells[t as usize],
                [grid_points[a.index()], grid_points[b.index()], grid_points[c.index()]],
            );
        }
    }

    /// Reads off the columns of the band, when all is drawn.
    pub fn end(&mut self, columns: &mut [Column]) {
        self.sort();
        for (slot, column) in (ACROSS..).zip(columns) {
            *column = self.read(slot);
        }
    }

    /// Draws the columns again that are `due`, by their numbers in the grid, with all triangles of at most 2 × 2 columns that may be in
    /// them, and with those of more that `came`; of the others it knows which are in them.
    pub fn redraw(
        &mut self,
        due: &[bool],
        [some, came]: [&[u32]; 2],
        cells: &[CellSpan],
        (grid_points, triangles): (&[GridPoint], &[[VertexId; 3]]),
        columns: &mut [Column],
    ) {
        let rows = self.first as usize..(self.first + self.rows) as usize;
        let slots = ACROSS..(rows.len() + 1) * ACROSS;
        let is_due = |slot: usize| due[slot - ACROSS + rows.start * ACROSS];
        slots.clone().filter(|&slot| is_due(slot)).for_each(|slot| self.touched[slot] = 0);
        self.found.clear();
        let mut large = came.to_vec();
        self.large.retain(|touch| {
            let is_due = due[usize::from(touch.column)];
            large.extend(is_due.then_some(touch.triangle));
            !is_due
        });
        for &t in some {
            let cells = cells[t as usize];
            let (column, up) = (cells.column(), cells.shape() >> 1);
            if column / ACROSS + up < rows.start || column / ACROSS >= rows.end {
                continue;
            }
            let (lo, hi) = cells.slices();
            for column in cells.columns() {
                let slot = self.slot_of(column);
                if slots.contains(&slot) && is_due(slot) {
                    self.touched[slot] |= bits::span(lo, hi);
                }
            }
            if cells.has_centre() {
                self.cross(cells, triangles[t as usize].map(|v| grid_points[v.index()]));
            }
        }
        self.found.retain(|f| is_due(f.column.into()));
        large.sort_unstable();
        large.dedup();
        for t in large.into_iter().filter(|&t| cells.get(t as usize).is_some_and(|cells| cells.is_large())) {
            self.draw_large(t, grid_points, triangles, |column| due[column]);
        }
        self.found.extend(self.crossed.iter().filter(|f| !is_due(f.column.into())));
        self.sort();
        for (slot, column) in slots.zip(columns).filter(|(slot, _)| is_due(*slot)) {
            *column = self.read(slot);
        }
    }

    /// Where a column of the grid is in memory; row −1 of the band is there too.
    #[inline(always)]
    fn slot_of(&self, column: usize) -> usize {
        (column + ACROSS).wrapping_sub(self.first as usize * ACROSS)
    }

    /// Draws a triangle of any size into the columns that are due, by their numbers in the grid.
    fn draw_large(
        &mut self,
        t: u32,
        grid_points: &[GridPoint],
        triangles: &[[VertexId; 3]],
        is_due: impl Fn(usize) -> bool,
    ) {
        let Some(tile) = &self.tile else { return };
        let first = self.first as usize * ACROSS;
        let corners = triangles[t as usize].map(|v| grid_points[v.index()]);
        each_column_of(tile, corners, |column, slices, step| {
            if !is_due(column + first) {
                return;
            }
            let (lo, hi) = (slices.start as u8, slices.end as u8 - 1);
            self.touched[column + ACROSS] |= bits::of(&slices);
            self.large.push(LargeTouch { triangle: t, column: (column + first) as u16, lo, hi });
            if let Some(step) = step {
                self.found.push(Crossed { column: (column + ACROSS) as u16, slice: lo, step });
            }
        });
    }

    /// Marks the columns of the grid in the band that a triangle of any size touches.
    pub fn mark_large(
        &self,
        t: u32,
        grid_points: &[GridPoint],
        triangles: &[[VertexId; 3]],
        due: &mut [bool],
    ) {
        let first = self.first as usize * ACROSS;
        let corners = triangles[t as usize].map(|v| grid_points[v.index()]);
        if let Some(tile) = &self.tile {
            each_column_of(tile, corners, |column, _, _| due[column + first] = true);
        }
    }

    /// Notes the centre rays that a triangle of at most 2 × 2 columns crosses. Numbers are below 2^10, products below
    /// 2^20.
    #[inline(always)]
    fn cross(&mut self, cells: CellSpan, corners: [GridPoint; 3]) {
        let flat = |p: GridPoint| [i32::from(p[0]), i32::from(p[1])];
        let Some(seen) = SeenTriangle::new(corners.map(flat)) else { return };
        let (x, y) = ((cells.column() % ACROSS) as i32, (cells.column() / ACROSS) as i32);
        let (right, up) = ((cells.shape() & 1) as i32, (cells.shape() >> 1) as i32);
        let first = self.first;
        let rows = [y.max(first), (y + up).min(first + self.rows - 1)];
        let rect = ColumnRect { lo: [x, rows[0]], hi: [x + right, rows[1]] };
        let (slice, step) = (cells.slices().0 as u8, seen.winding as i8);
        seen.each_centre(&RayGrid { origin: [0; 2], shift: FRACTION_BITS }, rect, |[x, y], _| {
            let column = (y - first + 1) as usize * ACROSS + x as usize;
            self.found.push(Crossed { column: column as u16, slice, step });
        });
    }

    /// Sorts the crossings: by counting into columns, then each short list on its own.
    fn sort(&mut self) {
        let columns = (self.rows as usize + 2) * ACROSS;
        self.starts.clear();
        self.starts.resize(columns + 1, 0);
        for f in &self.found {
            self.starts[f.column as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.crossed.resize(self.found.len(), Crossed::default());
        for f in &self.found {
            let place = &mut self.starts[f.column as usize];
            self.crossed[*place as usize] = *f;
            *place += 1;
        }
        // Every start has moved to the end of its column, which is the start of the next one.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for column in self.starts.windows(2) {
            let column = &mut self.crossed[column[0] as usize..column[1] as usize];
            if column.len() > 1 {
                column.sort_unstable_by_key(|f| f.slice);
            }
        }
    }

    #[inline(always)]
    fn crossed(&self, column: usize) -> &[Crossed] {
        &self.crossed[self.starts[column] as usize..self.starts[column + 1] as usize]
    }

    /// Between touched runs the winding number of the centre ray is that of the whole slice.
    fn read(&self, slot: usize) -> Column {
        let touched = self.touched[slot];
        let mut crossed = self.crossed(slot).iter().peekable();
        let (mut winding, mut end, mut inside) = (0, 0, 0);
        if crossed.peek().is_some() {
            for run in Runs(touched) {
                if winding != 0 {
                    inside |= bits::of(&(end..run.start));
                }
                end = run.end;
                while let Some(f) = crossed.next_if(|f| u32::from(f.slice) < end) {
                    winding += i32::from(f.step);
                }
            }
        }
        Column { touched: words(touched), inside: words(inside) }
    }

    /// The winding number of a column of the grid above the touched slices that end before a slice.
    pub fn winding_below(&self, column: usize, slice: u32) -> i32 {
        let below = self.crossed(self.slot_of(column)).iter().filter(|f| u32::from(f.slice) < slice);
        below.map(|f| i32::from(f.step)).sum()
    }
}

/// Visits the columns of a tile that a triangle of any size touches: the slices there, and how the winding number steps where
/// the ray in the middle crosses it.
fn each_column_of(
    tile: &Tile,
    corners: [GridPoint; 3],
    mut visit: impl FnMut(usize, Range<u32>, Option<i8>),
) {
    let shape = SnappedTriangle::new(corners.map(|p| [i32::from(p[0]), i32::from(p[1]), i32::from(p[2]), 0]));
    let Some(rect) = tile.rect(&shape.min, &shape.max) else { return };
    let (bits, step) = (tile.bits(shape.min[2], shape.max[2]), shape.winding() as i8);
    tile.each_column::<i64>(&wide(&shape), rect, bits, |column, lo, hi, z| {
        visit(column, lo..hi + 1, z.is_some().then_some(step));
    });
}

/// What a column knows of its slices.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Column {
    /// Slices that the surface touches.
    touched: [u64; 2],
    /// Slices that it does not touch and whose every point is inside.
    inside: [u64; 2],
}

impl Column {
    /// Whether a slice is touched, and whether it is inside.
    #[inline(always)]
    pub fn at(&self, slice: u32) -> (bool, bool) {
        // Shifts of 128 bits by a variable cost three times as much, and a choice of halves waits for both.
        let word = usize::from(slice >= 64);
        let bit = |mask: [u64; 2]| mask[word] >> (slice & 63) & 1 != 0;
        (bit(self.touched), bit(self.inside))
    }

    /// The end of the run of touched slices that holds a slice, and whether what follows is inside.
    pub fn run_end(&self, slice: u32) -> (u32, bool) {
        let end = slice + (whole(self.touched) >> slice).trailing_ones();
        (end, end < 128 && whole(self.inside) >> end & 1 != 0)
    }
}

fn words(mask: u128) -> [u64; 2] {
    [mask as u64, (mask >> 64) as u64]
}

fn whole([low, high]: [u64; 2]) -> u128 {
    u128::from(low) | u128::from(high) << 64
}
