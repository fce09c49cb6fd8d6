//! Lists of lists in two flat arrays (compressed rows).

/// Row `r` is `items[starts[r]..starts[r + 1]]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Csr {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Csr {
    /// Sorts `(row, item)` pairs into rows by counting; items keep the order in which they come.
    pub fn from_pairs(rows: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0u32; rows + 1];
        for (row, _) in pairs.clone() {
            starts[row as usize + 1] += 1;
        }
        for r in 0..rows {
            starts[r + 1] += starts[r];
        }
        let mut next = starts.clone();
        let mut items = vec![0u32; starts[rows] as usize];
        for (row, item) in pairs {
            let place = &mut next[row as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items of one row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The items of one row, to be reordered.
    pub fn row_mut(&mut self, row: usize) -> &mut [u32] {
        &mut self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}
