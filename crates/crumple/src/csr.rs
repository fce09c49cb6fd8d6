//! Lists of lists in two flat arrays (compressed sparse rows), sorted by counting.

use std::ops::Range;

/// Row `r` is `items[starts[r]..starts[r + 1]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Csr<T = u32> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Csr<T> {
    /// No row.
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy + Default> Csr<T> {
    /// Sorts `(row, item)` pairs into rows; items of a row keep the order in which they come.
    pub fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> Self {
        let mut csr = Self::default();
        csr.fill(rows, pairs.clone().map(|(row, _)| row), pairs);
        csr
    }

    /// As [`Csr::from_pairs`], in the memory at hand. `counted` has the rows of the pairs, in any order: it is walked first,
    /// and may be cheaper than the pairs, or look at more on the way.
    #[inline]
    pub fn fill(
        &mut self,
        rows: usize,
        counted: impl Iterator<Item = u32>,
        pairs: impl Iterator<Item = (u32, T)>,
    ) {
        self.starts.clear();
        self.starts.resize(rows + 2, 0);
        // Row r is counted two places on, so that after summing `starts[r + 1]` is where it begins. Placing its items moves
        // that to where it ends, which is where row r + 1 begins.
        for row in counted {
            self.starts[row as usize + 2] += 1;
        }
        let total = inclusive_sums(&mut self.starts);
        // What is left of the last time is overwritten.
        self.items.resize(total as usize, T::default());
        for (row, item) in pairs {
            let next = &mut self.starts[row as usize + 1];
            self.items[*next as usize] = item;
            *next += 1;
        }
        debug_assert!(self.starts[rows] == total, "as many pairs as were counted, of the same rows");
        self.starts.truncate(rows + 1);
    }
}

impl<T> Csr<T> {
    /// Rows as they are: where each begins, the number of items last, and the items.
    pub fn from_parts(starts: Vec<u32>, items: Vec<T>) -> Self {
        debug_assert!(starts.is_sorted() && starts.last() == Some(&(items.len() as u32)));
        Self { starts, items }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where the items of some rows are in [`Csr::items`].
    #[inline(always)]
    pub fn range(&self, rows: Range<usize>) -> Range<usize> {
        self.starts[rows.start] as usize..self.starts[rows.end] as usize
    }

    /// The items of one row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[T] {
        &self.items[self.range(row..row + 1)]
    }

    /// The items of one row, to be changed or reordered.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let range = self.range(row..row + 1);
        &mut self.items[range]
    }
}

/// Replaces every count by the sum of those up to it, itself included, and yields the total.
#[inline]
pub(crate) fn inclusive_sums(counts: &mut [u32]) -> u32 {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
    sum
}

/// Replaces every count by the sum of those before it, and yields the total.
#[inline]
pub(crate) fn exclusive_sums(counts: &mut [u32]) -> u32 {
    let mut sum = 0;
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sums() {
        let mut counts = [3, 0, 2, 5];
        assert_eq!((exclusive_sums(&mut counts), counts), (10, [0, 3, 3, 5]));
        let mut counts = [3, 0, 2, 5];
        assert_eq!((inclusive_sums(&mut counts), counts), (10, [3, 3, 5, 10]));
        assert_eq!(exclusive_sums(&mut []), 0);
        let none = Csr::<u32>::default();
        assert_eq!(none.rows(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn rows_hold_their_items_in_order(
            first in prop::collection::vec((0u32..9, 0u8..5), 0..40),
            second in prop::collection::vec((0u32..4, 0u8..5), 0..20),
        ) {
            // The second time in the memory of the first.
            let mut csr = Csr::default();
            for (pairs, rows) in [(&first, 9), (&second, 4)] {
                csr.fill(rows, pairs.iter().map(|p| p.0), pairs.iter().copied());
                prop_assert_eq!(&csr, &Csr::from_pairs(rows, pairs.iter().copied()));
                prop_assert_eq!(csr.rows(), rows);
                let row = |r: usize| pairs.iter().filter(|p| p.0 as usize == r).map(|p| p.1).collect::<Vec<_>>();
                for r in 0..rows {
                    prop_assert_eq!(csr.row(r), &row(r)[..]);
                }
            }
        }
    }
}
