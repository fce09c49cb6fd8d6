//! Cells of the endless grid, and which entry of the table each has.

use super::params::HashFunction;
use crate::methods::spatial_hash::rows::row;

/// A cell by its three integers (i, j, k in the paper). Only cells are hashed, never coordinates (T-A2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell(pub [i32; 3]);

/// The grid: cubes of one size, without end and without a box (T1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    /// Edge length of a cell (l).
    pub size: f64,
}

/// Cells further out than this are one: positions beyond a billion cells cost time, never correctness (T-A5).
const FAR: f64 = (1 << 30) as f64;

impl Grid {
    /// The cell of a position: each coordinate divided and rounded down (T3), towards minus infinity also below zero
    /// (T-A3). Keeps order, so the cell of a point in a box is between the cells of its corners.
    #[inline]
    pub fn cell(&self, p: [f64; 3]) -> Cell {
        Cell(p.map(|x| (x / self.size).floor().clamp(-FAR, FAR) as i32))
    }
}

/// Cells from one to another, both included, x fastest.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellBox {
    low: Cell,
    high: Cell,
}

impl CellBox {
    /// The cells that a box covers.
    pub fn new(grid: Grid, low: [f64; 3], high: [f64; 3]) -> Self {
        Self { low: grid.cell(low), high: grid.cell(high) }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        // Up to 2^31 cells along an axis: one more than the difference of two `i32` can tell.
        let along = |k: usize| self.high.0[k].abs_diff(self.low.0[k]);
        (0..3).map(|k| u64::from(along(k)) + 1).fold(1, u64::saturating_mul)
    }

    /// Calls `each` with every cell.
    pub fn for_each(&self, mut each: impl FnMut(Cell)) {
        let (low, high) = (self.low.0, self.high.0);
        for k in low[2]..=high[2] {
            for j in low[1]..=high[1] {
                for i in low[0]..=high[0] {
                    each(Cell([i, j, k]));
                }
            }
        }
    }
}

impl HashFunction {
    /// The entry of a cell in a table of `n`, in wrapping `u32` arithmetic with an unsigned remainder (T-A3, T-A4).
    #[inline]
    pub fn entry(self, cell: Cell, n: u32) -> u32 {
        let [i, j, k] = cell.0.map(|c| c as u32);
        let by_factors = |a, b, c| i.wrapping_mul(a) ^ j.wrapping_mul(b) ^ k.wrapping_mul(c);
        let bytes = || cell.0.into_iter().flat_map(i32::to_le_bytes).map(u32::from);
        let h = match self {
            Self::Rows => row(cell.0[1], cell.0[2]).wrapping_add(i),
            Self::Paper => by_factors(73_856_093, 19_349_663, 83_492_791),
            Self::Primes => by_factors(73_856_093, 19_349_669, 83_492_791),
            Self::Additive => bytes().fold(12, u32::wrapping_add),
            Self::Rotating => bytes().fold(12, |h: u32, b| h.rotate_left(4) ^ b),
            Self::Mixer => {
                let low = u64::from(i) << 32 | u64::from(j);
                let h = (low ^ u64::from(k).rotate_left(21)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let h = (h ^ h >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                (h ^ h >> 32) as u32
            }
        };
        h % n
    }
}

/// The smallest prime that is at least `n` (T22).
pub(super) fn next_prime(n: u32) -> u32 {
    let is_prime = |n: u64| (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    // Below 2^28 (more entries are never asked for) the next prime is less than 300 away.
    (u64::from(n.clamp(2, 1 << 28))..).find(|&n| is_prime(n)).map_or(n, |p| p as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_round_down_on_both_sides_of_zero() {
        let grid = Grid { size: 0.5 };
        assert_eq!(grid.cell([0.0, 0.49, 0.5]), Cell([0, 0, 1]));
        assert_eq!(grid.cell([-0.0, -0.01, -0.5]), Cell([0, -1, -1]));
        assert_eq!(grid.cell([1e300, -1e300, -0.51]), Cell([1 << 30, -(1 << 30), -2]));
    }

    #[test]
    fn entries_of_the_printed_hash() {
        // The same product in 32-bit C gives -2132 here, an index outside the table.
        let h = HashFunction::Paper.entry(Cell([-1, 2, 3]), 9973);
        assert_eq!(h, (73_856_093u32.wrapping_neg() ^ (2 * 19_349_663) ^ (3 * 83_492_791)) % 9973);
        assert_eq!(HashFunction::Paper.entry(Cell([0, 0, 0]), 9973), 0);
        assert_eq!(19_349_663 % 41, 0);
        assert_eq!(next_prime(19_349_664), 19_349_669);
        assert_eq!(next_prime(9972), 9973);
    }

    #[test]
    fn neighbours_along_x_are_neighbours_in_the_table() {
        for (j, k) in [(0, 0), (-3, 7), (1 << 20, -5)] {
            let entry = |i| HashFunction::Rows.entry(Cell([i, j, k]), 1 << 16);
            assert!((-9..9).all(|i| (entry(i) + 1) % (1 << 16) == entry(i + 1)));
        }
    }

    #[test]
    fn a_box_of_cells_is_walked_once() {
        let cells = CellBox::new(Grid { size: 1.0 }, [-1.5, 0.0, 2.0], [0.5, 0.9, 3.0]);
        let mut seen = Vec::new();
        cells.for_each(|c| seen.push(c));
        assert_eq!(seen.len() as u64, cells.count());
        assert_eq!((seen[0], seen[5]), (Cell([-2, 0, 2]), Cell([0, 0, 3])));
        let all = CellBox::new(Grid { size: 1e-200 }, [-1.0; 3], [1.0; 3]);
        assert_eq!(all.count(), u64::MAX);
    }
}
