//! A column's depth as 128 bits: bit 0 is everything below the tile, bits 1 to 126 are slices of it, bit 127 is
//! everything above. What happens in a column is then a few logical operations on whole masks.

use std::ops::Range;

/// The slices that have a volume.
pub(crate) const INTERIOR: u128 = BELOW[127] & !BELOW[1];
/// Number of slices between the two outer bits.
pub(crate) const SLICES: u32 = 126;

/// The bits below each number; as long as a byte counts, so that a byte needs no check.
static BELOW: [u128; 256] = {
    let mut table = [u128::MAX; 256];
    let mut k = 0;
    while k < 128 {
        table[k] = (1 << k) - 1;
        k += 1;
    }
    table
};

/// Bits `lo` to `hi`, both included. Two look-ups: shifts of 128 bits by a variable cost three times as much.
#[inline(always)]
pub(crate) fn span(lo: u32, hi: u32) -> u128 {
    BELOW[usize::from(hi as u8 + 1)] & !BELOW[usize::from(lo as u8)]
}

/// The maximal runs of set bits, lowest first.
pub(crate) struct Runs(pub u128);

impl Iterator for Runs {
    type Item = Range<u32>;

    #[inline(always)]
    fn next(&mut self) -> Option<Range<u32>> {
        if self.0 == 0 {
            return None;
        }
        // Adding the lowest bit clears its run and sets the bit after it, which was not set.
        let carried = self.0.wrapping_add(self.0 & self.0.wrapping_neg());
        let (lo, hi) = (self.0.trailing_zeros(), carried.trailing_zeros());
        self.0 &= carried;
        Some(lo..hi)
    }
}

/// The bits of a range.
#[inline(always)]
pub(crate) fn of(range: &Range<u32>) -> u128 {
    BELOW[usize::from(range.end as u8)] & !BELOW[usize::from(range.start as u8)]
}
