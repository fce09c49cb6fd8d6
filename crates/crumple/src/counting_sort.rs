//! Sorting numbers into slots by counting: linear, stable, the same on any number of threads.

use std::ops::Range;

use crate::csr::{Csr, exclusive_sums, inclusive_sums};
use crate::parallel;

/// Items in the order of their slots.
#[derive(Debug, Clone, Default)]
pub(crate) struct CountingSort {
    /// Where each slot begins in `items`; one more entry ends the last.
    starts: Vec<u32>,
    /// Items, slot after slot, ascending within a slot; then [`PADDING`] that mean nothing.
    items: Vec<u32>,
    /// Scratch of the parallel way.
    parts: Vec<SortPart>,
}

/// Slots of one thread's share of the items, sorted by bucket. A bucket is a run of 2^shift slots.
#[derive(Debug, Clone, Default)]
struct SortPart {
    /// Where each bucket begins in `entries`; one more ends the last.
    heads: Vec<u32>,
    /// (slot, item), bucket after bucket, items ascending.
    entries: Vec<(u32, u32)>,
}

/// Buckets of the parallel way: enough for threads to share evenly, few enough for their heads to stay in the first cache.
const BUCKETS: usize = 256;

/// Entries after the last item, as many as the widest lanes.
const PADDING: usize = 8;

impl CountingSort {
    /// Sorts items 0.. by `slots`; those with slot `count` or above are left out.
    pub fn fill(&mut self, slots: &[u32], count: usize) {
        if parallel::is_worth(slots.len(), 16 * parallel::WORTH) {
            self.fill_together(slots, count);
        } else {
            self.fill_alone(slots, count);
        }
    }

    fn fill_alone(&mut self, slots: &[u32], count: usize) {
        // One more slot at the end for what is left out: cheaper than a branch. Slot s is counted two places on and
        // placed one place on, so that in the end `starts[s]` is where it begins.
        self.starts.clear();
        self.starts.resize(count + 3, 0);
        self.items.resize(slots.len() + PADDING, 0);
        for &s in slots {
            self.starts[(s as usize).min(count) + 2] += 1;
        }
        inclusive_sums(&mut self.starts);
        for (item, &s) in slots.iter().enumerate() {
            let next = &mut self.starts[(s as usize).min(count) + 1];
            self.items[*next as usize] = item as u32;
            *next += 1;
        }
        self.starts.truncate(count + 1);
        self.items.truncate(self.starts[count] as usize + PADDING);
    }

    /// First each thread sorts a part of the items by bucket, then each bucket is sorted by slot.
    fn fill_together(&mut self, slots: &[u32], count: usize) {
        let shift = count.div_ceil(BUCKETS).next_power_of_two().trailing_zeros();
        let buckets = count.div_ceil(1 << shift);
        self.parts.resize_with(2 * parallel::threads(), SortPart::default);
        parallel::for_each_share(slots.len(), &mut self.parts, |range, part| {
            part.fill(&slots[range.clone()], range.start, shift, count, buckets);
        });
        let total: usize = self.parts.iter().map(|p| p.entries.len()).sum();
        self.items.resize(total + PADDING, 0);
        self.starts.resize(count + 1, 0);
        self.starts[count] = total as u32;
        let share = SortShare { parts: &self.parts, shift, buckets: 0..buckets, base: 0 };
        share.sort(&mut self.starts[..count], &mut self.items[..total]);
    }

    /// Gives the items, which are numbered as they were sorted, other numbers.
    pub fn rename(&mut self, name: impl Fn(u32) -> u32) {
        let items = self.items.len().saturating_sub(PADDING);
        self.items[..items].iter_mut().for_each(|item| *item = name(*item));
    }

    /// Slots as rows, without padding and scratch.
    pub fn into_csr(mut self) -> Csr {
        self.items.truncate(self.items.len().saturating_sub(PADDING));
        Csr::from_parts(self.starts, self.items)
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Where the items of some slots are in [`CountingSort::items`].
    #[inline(always)]
    pub fn range(&self, slots: Range<usize>) -> Range<usize> {
        self.starts[slots.start] as usize..self.starts[slots.end] as usize
    }

    /// All items, slot after slot.
    #[inline(always)]
    pub fn items(&self) -> &[u32] {
        &self.items[..self.items.len().saturating_sub(PADDING)]
    }

    /// The same with padding, so that lanes can be loaded at any item.
    #[inline(always)]
    pub fn padded(&self) -> &[u32] {
        &self.items
    }
}

impl SortPart {
    fn fill(&mut self, slots: &[u32], begin: usize, shift: u32, count: usize, buckets: usize) {
        self.heads.clear();
        self.heads.resize(buckets + 2, 0);
        let there = |s: u32| (s as usize) < count;
        for &s in slots.iter().filter(|&&s| there(s)) {
            self.heads[(s >> shift) as usize + 2] += 1;
        }
        inclusive_sums(&mut self.heads);
        self.entries.resize(self.heads[buckets + 1] as usize, (0, 0));
        for (item, &s) in slots.iter().enumerate().filter(|(_, s)| there(**s)) {
            let next = &mut self.heads[(s >> shift) as usize + 1];
            self.entries[*next as usize] = (s, (begin + item) as u32);
            *next += 1;
        }
    }

    fn bucket(&self, bucket: usize) -> &[(u32, u32)] {
        &self.entries[self.heads[bucket] as usize..self.heads[bucket + 1] as usize]
    }
}

/// Some buckets that one thread sorts.
struct SortShare<'a> {
    parts: &'a [SortPart],
    shift: u32,
    buckets: Range<usize>,
    /// Place of their first item among all.
    base: usize,
}

impl SortShare<'_> {
    /// `starts` and `items` are the pieces of these buckets.
    fn sort(self, starts: &mut [u32], items: &mut [u32]) {
        let Self { parts, shift, buckets, base } = self;
        if buckets.len() <= 1 {
            if buckets.len() == 1 {
                sort_bucket(parts, buckets.start, base, buckets.start << shift, starts, items);
            }
            return;
        }
        let middle = buckets.start + buckets.len() / 2;
        let left: usize =
            (buckets.start..middle).map(|b| parts.iter().map(|p| p.bucket(b).len()).sum::<usize>()).sum();
        let (starts_a, starts_b) = starts.split_at_mut((middle - buckets.start) << shift);
        let (items_a, items_b) = items.split_at_mut(left);
        let a = SortShare { parts, shift, buckets: buckets.start..middle, base };
        let b = SortShare { parts, shift, buckets: middle..buckets.end, base: base + left };
        let (a, b) = (|| a.sort(starts_a, items_a), || b.sort(starts_b, items_b));
        if parallel::is_worth(buckets.len(), 8) {
            parallel::join(a, b);
        } else {
            a();
            b();
        }
    }
}

fn sort_bucket(
    parts: &[SortPart],
    bucket: usize,
    base: usize,
    first: usize,
    starts: &mut [u32],
    items: &mut [u32],
) {
    starts.fill(0);
    for part in parts {
        part.bucket(bucket).iter().for_each(|&(s, _)| starts[s as usize - first] += 1);
    }
    exclusive_sums(starts);
    for part in parts {
        for &(s, item) in part.bucket(bucket) {
            let next = &mut starts[s as usize - first];
            items[*next as usize] = item;
            *next += 1;
        }
    }
    // Each entry is now the end of its slot, which is where the next begins.
    let last = starts.len() - 1;
    starts.copy_within(..last, 1);
    starts[0] = 0;
    starts.iter_mut().for_each(|s| *s += base as u32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_equals_alone() {
        for (n, count) in [(0, 1), (1, 1), (5000, 1), (5000, 999), (40_000, 65_536), (40_000, 7)] {
            let slots: Vec<u32> = (0..n)
                .map(|i: u32| {
                    let h = i.wrapping_mul(0x9E37_79B1) >> 7;
                    if h.is_multiple_of(17) { u32::MAX } else { h % count as u32 }
                })
                .collect();
            let (mut alone, mut together) = (CountingSort::default(), CountingSort::default());
            // Twice, so that what the first time left behind is seen not to matter.
            for _ in 0..2 {
                alone.fill_alone(&slots, count);
                together.fill_together(&slots, count);
                assert_eq!(
                    (&alone.starts, alone.items()),
                    (&together.starts, together.items()),
                    "{n} in {count}"
                );
            }
            let wanted = slots.iter().filter(|&&s| s != u32::MAX).count();
            assert_eq!(alone.items().len(), wanted);
            for s in 0..count {
                let row = &alone.items()[alone.range(s..s + 1)];
                assert!(row.is_sorted() && row.iter().all(|&i| slots[i as usize] as usize == s));
            }
        }
    }
}
