//! Where two bodies meet: the mask algebra of one tile.
//!
//! A slice in which both bodies are inside everywhere counts in full. Where a surface of one body runs through the
//! inside of the other and the winding number is simple, the volume is the integral of depth over that surface:
//! nothing is sampled. What remains are *cells*: slices that both surfaces cut, or that a surface cuts whose winding
//! number is not proved. They alone have a lower and an upper bound that differ.

use super::super::bits::{self, INTERIOR, Runs};
use super::super::raster::fragments::TileLayers;
use super::super::raster::tile::Tile;
use super::coverage::Coverage;
use super::integrate::CutTriangle;
use super::slice_masks::{self, SliceMasks};
use crate::geometry::simd::multiversion;

/// How one body is present in a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Presence {
    /// Everywhere.
    Full,
    /// CutTriangle by its surface, the winding number 0 or 1: the volume is `winding` · height · area + `sum`, where
    /// `winding` is the number below the run that begins at bit `run`.
    Simple { run: u8, winding: i32, sum: f64 },
    /// CutTriangle by its surface in an unknown way.
    Unknown,
}

/// Slices of one column that need a closer look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DoubtfulCell {
    pub column: u16,
    /// The bit after the last.
    end: u8,
    /// Lower and upper depth.
    pub depth: [i32; 2],
    pub sides: [Presence; 2],
}

/// What of a body's surface counts in a column. The numbers of several columns can be added up: the lower half then
/// counts those of which all counts, the upper half those of which nothing does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Role {
    /// Nothing.
    None = 1 << 16,
    /// All that lies in the column and not wholly above or below the tile.
    All = 1,
    /// Look at the masks.
    Some = 0,
}

/// A box of columns and depths, ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColumnExtent {
    pub min: [i32; 3],
    pub max: [i32; 3],
}

impl Default for ColumnExtent {
    fn default() -> Self {
        Self { min: [i32::MAX; 3], max: [i32::MIN; 3] }
    }
}

impl ColumnExtent {
    pub fn join(&mut self, other: &Self) {
        for k in 0..3 {
            self.min[k] = self.min[k].min(other.min[k]);
            self.max[k] = self.max[k].max(other.max[k]);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.min[0] > self.max[0]
    }
}

/// The meeting of two bodies in one tile.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Runs that count whole, per body and column.
    pub whole: [Vec<u128>; 2],
    /// Runs that reach a cell, per body and column.
    pub split: [Vec<u128>; 2],
    pub roles: [Vec<Role>; 2],
    /// Whether any of the split runs goes on below the tile; triangles below the tile are only needed in that case.
    pub has_roots: [bool; 2],
    /// Columns with such runs, while what lies below is looked at.
    pub roots: Vec<bool>,
    pub list: Vec<DoubtfulCell>,
    /// First cell of each column, and the total last.
    pub starts: Vec<u32>,
    /// Triangles of which pieces count, while a body is integrated.
    pub cut: Vec<CutTriangle>,
    /// A box around everything that may be common: columns, and depths.
    pub extent: ColumnExtent,
    /// Units of depth of full slices and of the ends of whole runs, times a column's area this is a volume.
    pub height: i64,
}

impl Cells {
    /// Makes room; what is known of each column is written anew.
    fn clear(&mut self, columns: usize) {
        self.list.clear();
        self.starts.clear();
        self.height = 0;
        self.has_roots = [false; 2];
        self.extent = ColumnExtent::default();
        for k in 0..2 {
            self.whole[k].resize(columns, 0);
            self.split[k].resize(columns, 0);
            self.roles[k].resize(columns, Role::None);
        }
    }

    /// Cuts what is left of a column into cells of one kind each.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn split_column(
        &mut self,
        c: usize,
        mut rest: u128,
        covers: &[Coverage; 2],
        layers: &[TileLayers; 2],
        states: &[SliceMasks; 2],
        base: [i32; 2],
        depths: &[i32; 128],
    ) {
        while rest != 0 {
            let lo = rest.trailing_zeros();
            let bit = 1u128 << lo;
            // The cell ends where any of the masks changes.
            let same = |mask: u128| {
                let mask = mask >> lo;
                if mask & 1 == 1 { mask.trailing_ones() } else { mask.trailing_zeros() }
            };
            let mut len = same(rest);
            for state in states {
                len = len.min(same(state.cut[c])).min(same(state.simple[c]));
            }
            let hi = lo + len;
            let side = |k: usize| {
                if states[k].cut[c] & bit == 0 {
                    Presence::Full
                } else if states[k].simple[c] & bit == 0 {
                    Presence::Unknown
                } else {
                    let run = slice_masks::runs(covers[k].touched(c), layers[k].column(c), base[k])
                        .find(|run| run.slices.contains(&lo))
                        .expect("a cut slice is touched");
                    Presence::Simple { run: run.slices.start as u8, winding: run.below, sum: 0.0 }
                }
            };
            self.list.push(DoubtfulCell {
                column: c as u16,
                end: hi as u8,
                depth: [depths[lo as usize], depths[hi as usize]],
                sides: [side(0), side(1)],
            });
            rest &= !bits::of(&(0..hi));
        }
    }

    /// Of the split runs of a column, keeps what cells ask for.
    #[inline(always)]
    fn keep_asked(&mut self, c: usize) {
        let first = self.starts[c] as usize;
        for k in 0..2 {
            if self.split[k][c] == 0 {
                continue;
            }
            let mut asked = 0;
            for cell in &self.list[first..] {
                if let Presence::Simple { run, .. } = cell.sides[k] {
                    // What lies above the cell does not count in it.
                    asked |= bits::of(&(u32::from(run)..u32::from(cell.end)));
                }
            }
            self.split[k][c] &= asked;
            if asked != 0 {
                self.roles[k][c] = Role::Some;
                self.has_roots[k] |= asked & 1 != 0;
            }
        }
    }

    /// The cells of a column.
    #[inline]
    pub fn of_column(&mut self, column: usize) -> &mut [DoubtfulCell] {
        &mut self.list[self.starts[column] as usize..self.starts[column + 1] as usize]
    }
}

multiversion! {
    /// Combines the states of both bodies.
    pub fn combine(
        cells: &mut Cells,
        tile: &Tile,
        covers: &[Coverage; 2],
        layers: &[TileLayers; 2],
        states: &[SliceMasks; 2],
        base: [i32; 2],
    ) {
        let columns = tile.len();
        cells.clear(columns);
        let depths: [i32; 128] = std::array::from_fn(|k| if k == 0 { 0 } else { tile.depth_of(k as u32) });
        for c in 0..columns {
            cells.starts.push(cells.list.len() as u32);
            for k in 0..2 {
                (cells.whole[k][c], cells.split[k][c], cells.roles[k][c]) = (0, 0, Role::None);
            }
            let present = [
                (states[0].inside[c] | states[0].cut[c]) & INTERIOR,
                (states[1].inside[c] | states[1].cut[c]) & INTERIOR,
            ];
            let common = present[0] & present[1];
            if common == 0 {
                continue;
            }
            let [x, y] = tile.coordinates(c);
            let last = 128 - common.leading_zeros();
            cells.extent.join(&ColumnExtent {
                min: [x, y, depths[common.trailing_zeros() as usize]],
                max: [x, y, depths[last as usize]],
            });
            for slices in Runs(common & states[0].inside[c] & states[1].inside[c]) {
                cells.height += i64::from(depths[slices.end as usize] - depths[slices.start as usize]);
            }
            let mut rest = common & (states[0].cut[c] | states[1].cut[c]);
            if rest == 0 {
                continue;
            }
            for k in 0..2 {
                let (mine, other) = (&states[k], &states[1 - k]);
                let exact = mine.simple[c] & other.inside[c];
                let touched = covers[k].touched(c);
                for run in slice_masks::runs(touched, layers[k].column(c), base[k]) {
                    let mask = bits::of(&run.slices);
                    if mask & mine.cut[c] == 0 || mask & present[1 - k] == 0 {
                        continue;
                    }
                    if mask & !(exact & INTERIOR) == 0 {
                        cells.whole[k][c] |= mask;
                        rest &= !mask;
                        let (lo, hi) = (depths[run.slices.start as usize], depths[run.slices.end as usize]);
                        cells.height +=
                            i64::from(run.above) * i64::from(hi) - i64::from(run.below) * i64::from(lo);
                    } else {
                        cells.split[k][c] |= mask;
                    }
                }
                if cells.whole[k][c] != 0 {
                    cells.roles[k][c] = if cells.whole[k][c] == touched { Role::All } else { Role::Some };
                }
            }
            cells.split_column(c, rest, covers, layers, states, base, &depths);
            cells.keep_asked(c);
        }
        cells.starts.push(cells.list.len() as u32);
    }
}
