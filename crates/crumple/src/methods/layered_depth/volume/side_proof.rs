//! Proof of simple winding from the side: the same argument as along the rays, along the other two axes.
//!
//! Where a surface folds over, a column sees entries and exits in one run of slices and proves nothing. But seen along
//! x or y the fold is a plain wall: the run of touched cells in that direction is short, all its triangles face one
//! way, and it lies between two untouched cells. Each ray in that direction then climbs or falls from the winding
//! number of the one to that of the other; if these are 0 or 1, so is all between. What is left open is where the
//! surface has a corner or is thinner than a cell.

use super::super::raster::tile::Tile;
use super::coverage::Coverage;
use super::slice_masks::SliceMasks;
use crate::geometry::simd::multiversion;

/// Proofs along x and along y.
#[derive(Debug, Default)]
pub(crate) struct SideProof {
    /// Proved from the start of the run to this column, for a run that faces − and one that faces +.
    so_far: [Vec<u128>; 2],
}

/// What is known of a body beside a tile.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Beyond {
    /// [x or y][before, after]: nothing of the body lies there.
    pub empty: [[bool; 2]; 2],
}

/// A column and how it continues its line.
#[derive(Clone, Copy)]
struct LineStep {
    touched: u128,
    plain: u128,
    held: [u128; 2],
}

impl LineStep {
    /// Before the first column of a line.
    fn before(is_empty: bool) -> Self {
        Self { touched: 0, plain: if is_empty { u128::MAX } else { 0 }, held: [0; 2] }
    }

    /// The next column: a run may begin after an untouched slice of winding number 0 or 1, and goes on as long as
    /// `allowed` holds.
    #[inline(always)]
    fn next(self, touched: u128, plain: u128, allowed: [u128; 2]) -> Self {
        let begins = touched & !self.touched & self.plain;
        let goes_on = touched & self.touched;
        let held = [
            allowed[0] & (begins | (self.held[0] & goes_on)),
            allowed[1] & (begins | (self.held[1] & goes_on)),
        ];
        Self { touched, plain, held }
    }
}

impl SideProof {
    /// A row of columns, forth to carry what holds since the run began, back to learn whether it ends well.
    #[inline(always)]
    fn prove_row(
        &mut self,
        line: std::ops::Range<usize>,
        [minus, _, plus]: &[Vec<u128>; 3],
        state: &mut SliceMasks,
        empty: [bool; 2],
    ) {
        let SliceMasks { touched, cut, simple, plain, .. } = state;
        let [so_minus, so_plus] = &mut self.so_far;
        let columns = touched.len();
        // One check here instead of one at each access.
        let (touched, cut, plain) = (&touched[..columns], &cut[..columns], &plain[..columns]);
        let (minus, plus) = (&minus[..columns], &plus[..columns]);
        let (so_minus, so_plus) = (&mut so_minus[..columns], &mut so_plus[..columns]);
        let simple = &mut simple[..columns];
        let mut at = LineStep::before(empty[0]);
        for c in line.clone() {
            at = at.next(touched[c], plain[c], [!plus[c], !minus[c]]);
            (so_minus[c], so_plus[c]) = (at.held[0], at.held[1]);
        }
        let mut at = LineStep::before(empty[1]);
        for c in line.rev() {
            at = at.next(touched[c], plain[c], [so_minus[c], so_plus[c]]);
            simple[c] |= (at.held[0] | at.held[1]) & cut[c];
        }
    }

    /// All lines along y at once: the columns of a row have nothing to do with each other, so that a register takes two.
    #[inline(always)]
    fn prove_across(
        &mut self,
        tile: &Tile,
        [minus, _, plus]: &[Vec<u128>; 3],
        state: &mut SliceMasks,
        empty: [bool; 2],
    ) {
        let width = 2 << tile.row;
        let last = tile.columns[1] as usize - 1;
        let (touched, plain, cut) = (words(&state.touched), words(&state.plain), words(&state.cut));
        let (minus, plus) = (words(minus), words(plus));
        let [so_minus, so_plus] = &mut self.so_far;
        let so_minus: &mut [u64] = bytemuck::cast_slice_mut(so_minus);
        let so_plus: &mut [u64] = bytemuck::cast_slice_mut(so_plus);
        let simple: &mut [u64] = bytemuck::cast_slice_mut(&mut state.simple);
        let edge = |is_empty: bool| [if is_empty { u64::MAX } else { 0 }; WORDS];
        let (none, edges) = ([0; WORDS], [edge(empty[0]), edge(empty[1])]);
        let row = |y: usize| y * width..(y + 1) * width;
        for y in 0..=last {
            let (before, here) = so_minus.split_at_mut(y * width);
            let (before_plus, here_plus) = so_plus.split_at_mut(y * width);
            let mut rows = LineRow {
                touched: if y == 0 { &none[..width] } else { &touched[row(y - 1)] },
                plain: if y == 0 { &edges[0][..width] } else { &plain[row(y - 1)] },
                held: if y == 0 {
                    [&none[..width]; 2]
                } else {
                    [&before[row(y - 1)], &before_plus[row(y - 1)]]
                },
            };
            let facing = [&plus[row(y)], &minus[row(y)]];
            rows.next(
                &touched[row(y)],
                |i| [!facing[0][i], !facing[1][i]],
                |i, held| {
                    (here[i], here_plus[i]) = (held[0], held[1]);
                },
            );
        }
        let mut held = [[[0; WORDS]; 2]; 2];
        for y in (0..=last).rev() {
            let is_last = y == last;
            let [here, after] = &mut held;
            let mut rows = LineRow {
                touched: if is_last { &none[..width] } else { &touched[row(y + 1)] },
                plain: if is_last { &edges[1][..width] } else { &plain[row(y + 1)] },
                held: [&after[0][..width], &after[1][..width]],
            };
            let (so_minus, so_plus) = (&so_minus[row(y)], &so_plus[row(y)]);
            let (simple, cut) = (&mut simple[row(y)], &cut[row(y)]);
            let [minus, plus] = here;
            let (minus, plus) = (&mut minus[..width], &mut plus[..width]);
            rows.next(
                &touched[row(y)],
                |i| [so_minus[i], so_plus[i]],
                |i, held| {
                    simple[i] |= (held[0] | held[1]) & cut[i];
                    (minus[i], plus[i]) = (held[0], held[1]);
                },
            );
            held.swap(0, 1);
        }
    }
}

multiversion! {
    /// Adds to `state.simple` what views from the side prove. `doubt` tells which slices of a column matter.
    pub fn prove(
        side_proof: &mut SideProof,
        tile: &Tile,
        cover: &Coverage,
        state: &mut SliceMasks,
        beyond: &Beyond,
        doubt: impl Fn(&SliceMasks, usize) -> u128,
    ) {
        let columns = tile.len();
        // Slices that do not lie in one row have nothing to do with each other.
        let mut rows = [false; super::super::raster::tile::SIDE as usize];
        for c in (0..columns).filter(|&c| doubt(state, c) != 0) {
            rows[tile.coordinates(c)[1] as usize] = true;
        }
        if rows == [false; super::super::raster::tile::SIDE as usize] {
            return;
        }
        for so_far in &mut side_proof.so_far {
            so_far.resize(columns, 0);
        }
        let [along_x, along_y] = &cover.facing;
        for y in (0..tile.columns[1]).filter(|&y| rows[y as usize]) {
            let row = tile.column(0, y)..tile.column(tile.columns[0] - 1, y) + 1;
            side_proof.prove_row(row, along_x, state, beyond.empty[0]);
        }
        side_proof.prove_across(tile, along_y, state, beyond.empty[1]);
    }
}

fn words(masks: &[u128]) -> &[u64] {
    bytemuck::cast_slice(masks)
}

/// Words of a row of masks.
const WORDS: usize = 2 * super::super::raster::tile::SIDE as usize;

/// The row before one, as [`LineStep`] is the column before one.
struct LineRow<'a> {
    touched: &'a [u64],
    plain: &'a [u64],
    held: [&'a [u64]; 2],
}

impl LineRow<'_> {
    /// What is held in the next row.
    #[inline(always)]
    fn next(
        &mut self,
        touched: &[u64],
        allowed: impl Fn(usize) -> [u64; 2],
        mut write: impl FnMut(usize, [u64; 2]),
    ) {
        let n = touched.len();
        let (before, plain) = (&self.touched[..n], &self.plain[..n]);
        let held = [&self.held[0][..n], &self.held[1][..n]];
        for i in 0..n {
            let begins = touched[i] & !before[i] & plain[i];
            let goes_on = touched[i] & before[i];
            let [minus, plus] = allowed(i);
            write(i, [minus & (begins | (held[0][i] & goes_on)), plus & (begins | (held[1][i] & goes_on))]);
        }
    }
}
