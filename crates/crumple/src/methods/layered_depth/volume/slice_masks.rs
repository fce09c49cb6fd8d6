//! What a body is in each slice of each column: inside, outside, or cut by its surface.

use std::ops::Range;

use super::super::bits::{self, INTERIOR, Runs};
use super::super::raster::fragments::{Fragment, TileLayers};
use super::coverage::Coverage;
use crate::geometry::simd::multiversion;

/// One body in one tile.
#[derive(Debug, Default)]
pub(crate) struct SliceMasks {
    /// Slices that the surface touches.
    pub touched: Vec<u128>,
    /// Slices whose every point is inside.
    pub inside: Vec<u128>,
    /// Slices that the surface cuts.
    pub cut: Vec<u128>,
    /// Cut slices in which the winding number is proved to be 0 or 1 everywhere: there its integral is the volume.
    pub simple: Vec<u128>,
    /// Untouched slices where the winding number is 0 or 1.
    pub plain: Vec<u128>,
}

/// A run of touched slices, and the winding number below and above it.
#[derive(Debug, Clone)]
pub(crate) struct TouchedRun {
    pub slices: Range<u32>,
    pub below: i32,
    pub above: i32,
}

/// The runs of a column, lowest first.
#[inline(always)]
pub(crate) fn runs(touched: u128, column: &[Fragment], base: i32) -> ColumnRuns<'_> {
    ColumnRuns { slices: Runs(touched), column, winding: base }
}

/// See [`runs`].
pub(crate) struct ColumnRuns<'a> {
    slices: Runs,
    /// What is left of the layers.
    column: &'a [Fragment],
    winding: i32,
}

impl ColumnRuns<'_> {
    /// Passes the layers before a bit.
    #[inline(always)]
    fn pass(&mut self, bit: u32) {
        while let [f, rest @ ..] = self.column
            && u32::from(f.bit) < bit
        {
            self.winding += i32::from(f.step);
            self.column = rest;
        }
    }
}

impl Iterator for ColumnRuns<'_> {
    type Item = TouchedRun;

    #[inline(always)]
    fn next(&mut self) -> Option<TouchedRun> {
        let slices = self.slices.next()?;
        // What lies below the tile has no bit, only layers.
        self.pass(slices.start);
        let below = self.winding;
        self.pass(slices.end);
        Some(TouchedRun { slices, below, above: self.winding })
    }
}

multiversion! {
    /// Reads the state of every column off its touched slices and layers.
    ///
    /// Between runs nothing is touched, so the winding number of the centre ray is that of the whole slice. Within a
    /// run that is touched by entries alone, or by exits alone, each ray's winding number climbs or falls from the
    /// one end to the other: from 0 to 1 it is 0 or 1 everywhere, from 1 to 2 nothing is outside.
    ///
    /// Of columns that are not `known` nothing is read: the other body is absent there.
    pub fn read_masks(
        state: &mut SliceMasks,
        cover: &Coverage,
        layers: &TileLayers,
        base: i32,
        known: impl Fn(usize) -> bool,
    ) {
        let columns = cover.up.len();
        for mask in [&mut state.touched, &mut state.inside, &mut state.cut, &mut state.simple, &mut state.plain] {
            mask.resize(columns, 0);
        }
        for c in 0..columns {
            let touched = cover.touched(c);
            let column = layers.column(c);
            let is_known = known(c);
            if !is_known || touched == 0 && column.is_empty() && base == 0 {
                (state.touched[c], state.inside[c], state.cut[c]) = (0, 0, 0);
                (state.simple[c], state.plain[c]) = (0, if is_known { INTERIOR } else { 0 });
                continue;
            }
            state.touched[c] = touched;
            let (mut inside, mut cut, mut simple, mut plain) = (0u128, touched, 0u128, 0u128);
            let mut gap = |slices: Range<u32>, winding: i32| {
                let mask = bits::of(&slices);
                if winding != 0 {
                    inside |= mask;
                }
                if winding == 0 || winding == 1 {
                    plain |= mask;
                }
            };
            let (mut end, mut full) = (0, 0);
            for run in runs(touched, column, base) {
                gap(end..run.slices.start, run.below);
                let mask = bits::of(&run.slices);
                let is_pure = cover.up[c] & mask == 0 || cover.down[c] & mask == 0;
                let (lo, hi) = (run.below.min(run.above), run.below.max(run.above));
                // What lies above and below the tile was not drawn, so a run that leaves it has no uniform end there.
                if is_pure && mask & !INTERIOR == 0 {
                    if lo > 0 || hi < 0 {
                        full |= mask;
                        cut &= !mask;
                    } else if lo >= 0 && hi <= 1 {
                        simple |= mask;
                    }
                }
                end = run.slices.end;
            }
            let rest = column.iter().filter(|f| f.bit < 127).map(|f| i32::from(f.step)).sum::<i32>();
            gap(end.min(127)..127, base + rest);
            (state.inside[c], state.cut[c]) = (inside | full, cut);
            (state.simple[c], state.plain[c]) = (simple, plain);
        }
    }
}
