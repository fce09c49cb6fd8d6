//! Sorting items into slots by counting: linear, stable, the same on any number of threads.

/// Items in the order of their slots.
#[derive(Debug, Clone, Default)]
pub(super) struct CountingSort {
    /// Where each slot begins in `items`; one more entry ends the last.
    starts: Vec<u32>,
    /// Items, slot after slot, ascending within a slot.
    items: Vec<u32>,
}

impl CountingSort {
    /// Sorts items 0.. by `slots`; those with slot `count` or above are left out.
    pub fn fill(&mut self, slots: &[u32], count: usize) {
        // One more slot at the end for what is left out: cheaper than a branch. Slot s is counted two places on and
        // placed one place on, so that in the end `starts[s]` is where it begins.
        self.starts.clear();
        self.starts.resize(count + 3, 0);
        self.items.resize(slots.len(), 0);
        for &s in slots {
            self.starts[(s as usize).min(count) + 2] += 1;
        }
        let mut sum = 0;
        for s in &mut self.starts {
            sum += *s;
            *s = sum;
        }
        for (item, &s) in slots.iter().enumerate() {
            let next = &mut self.starts[(s as usize).min(count) + 1];
            self.items[*next as usize] = item as u32;
            *next += 1;
        }
        self.starts.truncate(count + 1);
        self.items.truncate(self.starts[count] as usize);
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Where slots `from..to` are in [`CountingSort::items`].
    #[inline(always)]
    pub fn range(&self, from: usize, to: usize) -> std::ops::Range<usize> {
        self.starts[from] as usize..self.starts[to] as usize
    }

    /// All items, slot after slot.
    pub fn items(&self) -> &[u32] {
        &self.items
    }
}
