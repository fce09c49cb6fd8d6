//! The two tables behind one interface: the paper's with time stamps, and one sorted by counting.

use super::cell::Cell;
use super::params::HashFunction;
use crate::counting_sort::CountingSort;
use crate::epoch::Epoch;

/// Items by the cells that they are in.
///
/// The cell is kept with the item, so that strangers which share an entry are told apart (T-A8).
pub(super) trait Table: Sync {
    /// Forgets the frame before, and takes every item into the entry of its cell.
    fn fill(&mut self, items: &[(Cell, u32)], hash: HashFunction, entries: u32);

    /// Calls `each` with everything in the entry, strangers included.
    fn visit(&self, entry: u32, each: impl FnMut(Cell, u32));
}

/// A list per entry with the time stamp of the frame that last wrote to it; never cleared (T15).
#[derive(Debug, Clone, Default)]
pub(super) struct StampedTable {
    epoch: Epoch,
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    stamp: u32,
    items: Vec<(Cell, u32)>,
}

impl StampedTable {
    /// The current stamp.
    pub fn stamp(&self) -> u32 {
        self.epoch.stamp()
    }

    /// Stamps of all entries.
    pub fn stamps(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.iter().map(|e| e.stamp)
    }

    /// Lets the next frame be the one at which stamps wrap.
    #[cfg(test)]
    pub fn at_the_last_stamp(&mut self) {
        self.epoch = Epoch::last();
    }
}

impl Table for StampedTable {
    fn fill(&mut self, items: &[(Cell, u32)], hash: HashFunction, entries: u32) {
        // Entries that a smaller table leaves behind keep old stamps, and are stale should it grow again.
        if self.entries.len() < entries as usize {
            self.entries.resize_with(entries as usize, Entry::default);
        }
        let all = &mut self.entries;
        self.epoch.advance(|| all.iter_mut().for_each(|e| e.stamp = 0));
        for &(cell, item) in items {
            let entry = &mut all[hash.entry(cell, entries) as usize];
            if entry.stamp != self.epoch.stamp() {
                entry.stamp = self.epoch.stamp();
                entry.items.clear();
            }
            entry.items.push((cell, item));
        }
    }

    fn visit(&self, entry: u32, mut each: impl FnMut(Cell, u32)) {
        let entry = &self.entries[entry as usize];
        if entry.stamp == self.epoch.stamp() {
            entry.items.iter().for_each(|&(cell, item)| each(cell, item));
        }
    }
}

/// Items sorted by entry: count, add up, place (T-A7).
#[derive(Debug, Clone, Default)]
pub(super) struct SortedTable {
    sort: CountingSort,
    slots: Vec<u32>,
    items: Vec<(Cell, u32)>,
}

impl Table for SortedTable {
    fn fill(&mut self, items: &[(Cell, u32)], hash: HashFunction, entries: u32) {
        self.slots.clear();
        self.slots.extend(items.iter().map(|&(cell, _)| hash.entry(cell, entries)));
        self.sort.fill(&self.slots, entries as usize);
        self.items.clear();
        self.items.extend(self.sort.items().iter().map(|&n| items[n as usize]));
    }

    fn visit(&self, entry: u32, mut each: impl FnMut(Cell, u32)) {
        let range = self.sort.range(entry as usize..entry as usize + 1);
        self.items[range].iter().for_each(|&(cell, item)| each(cell, item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(table: &impl Table, entries: u32) -> Vec<Vec<(Cell, u32)>> {
        (0..entries)
            .map(|e| {
                let mut all = Vec::new();
                table.visit(e, |cell, item| all.push((cell, item)));
                all
            })
            .collect()
    }

    #[test]
    fn both_tables_hold_the_same_through_the_wrap_of_the_stamp() {
        let (mut stamped, mut sorted) = (StampedTable::default(), SortedTable::default());
        for frame in 0..6u32 {
            if frame == 3 {
                stamped.at_the_last_stamp();
            }
            let entries = [97, 97, 31, 97, 97, 97][frame as usize];
            let items: Vec<_> = (0..200 - 30 * frame)
                .map(|i| (Cell([(i * i % 13) as i32 - 6, (i % 7) as i32 - 3, frame as i32]), i))
                .collect();
            stamped.fill(&items, HashFunction::Paper, entries);
            sorted.fill(&items, HashFunction::Paper, entries);
            assert_eq!(contents(&stamped, entries), contents(&sorted, entries), "frame {frame}");
            assert_eq!(contents(&sorted, entries).iter().map(Vec::len).sum::<usize>(), items.len());
        }
        assert_eq!(stamped.stamp(), 3, "the wrap went through 0 to 1");
    }

    #[test]
    fn a_fresh_table_is_empty() {
        let mut table = StampedTable::default();
        table.fill(&[], HashFunction::Paper, 5);
        assert!(contents(&table, 5).iter().all(Vec::is_empty));
    }
}
