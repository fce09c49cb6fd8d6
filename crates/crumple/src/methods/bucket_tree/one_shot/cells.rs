//! Sets of cells: one bit each, and for cells that count a finer set inside.

use crate::geometry::simd::multiversion;
use crate::geometry::{Aabb, Point};

/// Cells along each axis: the bits of one word.
const CELLS: usize = 64;
/// Parts of a cell along each axis, as a power of two: eight times eight of them are the bits of one word.
const PART_BITS: u16 = 3;
const PARTS: u16 = 1 << PART_BITS;
/// The first and the last part that is in the region: the outermost cells are for what is not.
const FIRST: u16 = PARTS;
const LAST: u16 = PARTS * (CELLS as u16 - 1) - 1;

/// From positions to the parts that they are in: shift, scale, clamp, cut off. Each step is monotone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slabs {
    low: Point,
    /// Parts per unit of length, the same along each axis; 0 when the region has no size.
    scale: f64,
}

impl Slabs {
    /// Parts of which those from [`FIRST`] to [`LAST`] hold the region, and all of them along its longest side.
    pub fn over(region: &Aabb) -> Self {
        let longest = region.size().into_iter().fold(0.0, f64::max);
        // One part less than there are: what rounding adds does not lead out of the last.
        let scale = f64::from(LAST - FIRST) / longest;
        Self { low: region.min, scale: if scale.is_finite() { scale } else { 0.0 } }
    }

    #[inline(always)]
    fn part(&self, p: &Point, k: usize) -> u16 {
        let at = (p[k] - self.low[k]) * self.scale + f64::from(FIRST);
        let end = f64::from(PARTS * CELLS as u16 - 1);
        // Comparisons, not `clamp`: two instructions each.
        let at = if at > 0.0 { at } else { 0.0 };
        (if at < end { at } else { end }) as i32 as u16
    }
}

multiversion! {
    /// The part of each position along each axis; the fourth number is in the region.
    pub(super) fn find_parts(slabs: &Slabs, positions: &[Point], out: &mut [[u16; 4]]) {
        for (p, out) in positions.iter().zip(out) {
            *out = [slabs.part(p, 0), slabs.part(p, 1), slabs.part(p, 2), FIRST];
        }
    }
}

/// A box of parts, from the lowest to the highest, both within; the fourth number means nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartBox {
    low: [u16; 4],
    high: [u16; 4],
}

impl PartBox {
    /// The parts of a triangle's box that are in the region.
    #[inline(always)]
    pub fn of(parts: &[[u16; 4]], [a, b, c]: [u32; 3]) -> Self {
        let (a, b, c) = (parts[a as usize], parts[b as usize], parts[c as usize]);
        let (mut low, mut high) = ([0; 4], [0; 4]);
        for k in 0..4 {
            low[k] = a[k].min(b[k]).min(c[k]).max(FIRST);
            high[k] = a[k].max(b[k]).max(c[k]).min(LAST);
        }
        Self { low, high }
    }

    /// Whether nothing of it is in the region.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0] || self.low[1] > self.high[1] || self.low[2] > self.high[2]
    }

    /// The cells along an axis.
    #[inline(always)]
    fn cells(&self, k: usize) -> std::ops::RangeInclusive<usize> {
        usize::from(self.low[k] >> PART_BITS)..=usize::from(self.high[k] >> PART_BITS)
    }

    /// Rows of cells that it reaches into: the work of one look.
    #[inline(always)]
    pub fn rows(&self) -> u64 {
        let rows = |k: usize| u64::from((self.high[k] >> PART_BITS) - (self.low[k] >> PART_BITS)) + 1;
        rows(1) * rows(2)
    }
}

/// Bits from `first` to `last`.
#[inline(always)]
fn span(first: u16, last: u16) -> u64 {
    (!0 << first) & (!0 >> (63 - last))
}

/// A set of cells, or of parts of cells.
pub(super) trait CellSet: Clone + Send + Sync {
    /// Whether a box has something in common with it.
    fn meets(&self, of: &PartBox) -> bool;
    /// Adds a box.
    fn add(&mut self, of: &PartBox);
    /// The bits.
    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];
}

/// Cells of the whole region: 32 kB, so that looking at them costs little.
#[derive(Debug, Clone)]
pub(super) struct Coarse {
    /// Bit x of word 64z + y.
    rows: Vec<u64>,
}

impl Coarse {
    pub fn new() -> Self {
        Self { rows: vec![0; CELLS * CELLS] }
    }
}

impl CellSet for Coarse {
    #[inline(always)]
    fn meets(&self, of: &PartBox) -> bool {
        let mask = span(of.low[0] >> PART_BITS, of.high[0] >> PART_BITS);
        let mut common = 0;
        for z in of.cells(2) {
            for y in of.cells(1) {
                common |= self.rows[CELLS * z + y];
            }
        }
        common & mask != 0
    }

    #[inline(always)]
    fn add(&mut self, of: &PartBox) {
        let mask = span(of.low[0] >> PART_BITS, of.high[0] >> PART_BITS);
        for z in of.cells(2) {
            for y in of.cells(1) {
                self.rows[CELLS * z + y] |= mask;
            }
        }
    }

    fn words(&self) -> &[u64] {
        &self.rows
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.rows
    }
}

/// Cells that are divided into parts, and where theirs are.
#[derive(Debug)]
pub(super) struct Divided {
    cells: Coarse,
    /// How many of the cells are in the rows before each.
    before: Vec<u32>,
    count: usize,
}

impl Divided {
    pub fn new(cells: Coarse) -> Self {
        let mut count = 0;
        let before = cells.rows.iter().map(|row| {
            count += row.count_ones();
            count - row.count_ones()
        });
        let before = before.collect();
        Self { cells, before, count: count as usize }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.count
    }
}

/// Parts of the cells that are divided.
#[derive(Debug, Clone)]
pub(super) struct Fine<'a> {
    divided: &'a Divided,
    /// Bit 8y + x of word z of each cell.
    parts: Vec<u64>,
}

impl<'a> Fine<'a> {
    pub fn new(divided: &'a Divided) -> Self {
        Self { divided, parts: vec![0; usize::from(PARTS) * divided.count] }
    }

    /// Calls `visit` with every word that a box reaches into, and its bits there, until it says that this is enough.
    #[inline(always)]
    fn for_each_word(divided: &Divided, of: &PartBox, mut visit: impl FnMut(usize, u64) -> bool) {
        let within = |k: usize, cell: usize| {
            let first = PARTS * cell as u16;
            (of.low[k].max(first) - first, of.high[k].min(first + PARTS - 1) - first)
        };
        let mask = span(of.low[0] >> PART_BITS, of.high[0] >> PART_BITS);
        for z in of.cells(2) {
            for y in of.cells(1) {
                let row = CELLS * z + y;
                let all = divided.cells.rows[row];
                let mut left = all & mask;
                while left != 0 {
                    let x = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let cell = divided.before[row] as usize + (all & !(!0 << x)).count_ones() as usize;
                    let [(x0, x1), (y0, y1), (z0, z1)] = [within(0, x), within(1, y), within(2, z)];
                    let bits =
                        (span(x0, x1) * 0x0101_0101_0101_0101) & span(PARTS * y0, PARTS * y1 + PARTS - 1);
                    for part in z0..=z1 {
                        if visit(usize::from(PARTS) * cell + usize::from(part), bits) {
                            return;
                        }
                    }
                }
            }
        }
    }
}

impl CellSet for Fine<'_> {
    #[inline(always)]
    fn meets(&self, of: &PartBox) -> bool {
        let mut is_met = false;
        Self::for_each_word(self.divided, of, |word, bits| {
            is_met = self.parts[word] & bits != 0;
            is_met
        });
        is_met
    }

    #[inline(always)]
    fn add(&mut self, of: &PartBox) {
        let parts = &mut self.parts;
        Self::for_each_word(self.divided, of, |word, bits| {
            parts[word] |= bits;
            false
        });
    }

    fn words(&self) -> &[u64] {
        &self.parts
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.parts
    }
}
