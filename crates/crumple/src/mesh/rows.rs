//! A list whose versions share what they have in common.
//!
//! The list as it was made is one array. What was written since lies in pages of [`PAGE`] rows over it, and pages in groups
//! of [`GROUP`]; both are shared until written to. A clone copies one pointer for each group, a write one page and one group
//! at most, so that the next version of a list of n costs O(k + n / 16384) for k writes.

use std::sync::Arc;

/// Rows of a page.
const PAGE: usize = 64;
/// Pages of a group.
const GROUP: usize = 256;

type Page<T> = Arc<[T; PAGE]>;
type Group<T> = Arc<Vec<Option<Page<T>>>>;

/// A list of small rows.
#[derive(Debug, Clone)]
pub(crate) struct Rows<T> {
    base: Arc<Vec<T>>,
    len: usize,
    groups: Vec<Option<Group<T>>>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { base: Arc::default(), len: 0, groups: Vec::new() }
    }
}

impl<T> From<Vec<T>> for Rows<T> {
    fn from(rows: Vec<T>) -> Self {
        Self { len: rows.len(), base: Arc::new(rows), groups: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    /// Number of rows.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// One row.
    #[inline]
    pub fn get(&self, row: usize) -> T {
        assert!(row < self.len, "row {row} of {}", self.len);
        match self.page(row / PAGE) {
            Some(page) => page[row % PAGE],
            None => self.base[row],
        }
    }

    #[inline]
    fn page(&self, page: usize) -> Option<&Page<T>> {
        self.groups.get(page / GROUP)?.as_ref()?[page % GROUP].as_ref()
    }

    /// Writes one row.
    pub fn set(&mut self, row: usize, value: T) {
        assert!(row < self.len, "row {row} of {}", self.len);
        let page = row / PAGE;
        if self.groups.len() <= page / GROUP {
            self.groups.resize(page / GROUP + 1, None);
        }
        let group = self.groups[page / GROUP].get_or_insert_with(|| Arc::new(vec![None; GROUP]));
        let slot = &mut Arc::make_mut(group)[page % GROUP];
        let base = &self.base;
        let page = slot.get_or_insert_with(|| {
            // Rows beyond the base are written before they are read.
            let first = row - row % PAGE;
            Arc::new(std::array::from_fn(|k| base.get(first + k).copied().unwrap_or(value)))
        });
        Arc::make_mut(page)[row % PAGE] = value;
    }

    /// Appends a row.
    pub fn push(&mut self, value: T) {
        self.len += 1;
        self.set(self.len - 1, value);
    }

    /// Takes off the last row.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.len.checked_sub(1)?;
        let value = self.get(last);
        self.len = last;
        Some(value)
    }

    /// All rows in one array, when they lie so.
    pub fn as_slice(&self) -> Option<&[T]> {
        (self.groups.is_empty() && self.len == self.base.len()).then_some(&self.base[..])
    }

    /// A copy of all rows, page by page.
    pub fn to_vec(&self) -> Vec<T> {
        let mut all = Vec::with_capacity(self.len);
        while all.len() < self.len {
            let first = all.len();
            let end = self.len.min(first + PAGE);
            match self.page(first / PAGE) {
                Some(page) => all.extend_from_slice(&page[..end - first]),
                None => all.extend_from_slice(&self.base[first..end]),
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Operation {
        Set(usize, u32),
        Push(u32),
        Pop,
        Keep,
    }

    fn operation() -> impl Strategy<Value = Operation> {
        prop_oneof![
            3 => (0usize..40_000, any::<u32>()).prop_map(|(i, x)| Operation::Set(i, x)),
            2 => any::<u32>().prop_map(Operation::Push),
            2 => Just(Operation::Pop),
            1 => Just(Operation::Keep),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn versions_are_what_plain_lists_are(
            len in prop_oneof![0usize..200, 16_300usize..16_500, Just(40_000)],
            steps in prop::collection::vec(operation(), 0..200),
        ) {
            let mut plain: Vec<u32> = (0..len as u32).collect();
            let mut rows = Rows::from(plain.clone());
            prop_assert_eq!(rows.as_slice(), Some(&plain[..]));
            let mut kept = Vec::new();
            for step in steps {
                match step {
                    Operation::Set(i, x) if !plain.is_empty() => {
                        let i = i % plain.len();
                        plain[i] = x;
                        rows.set(i, x);
                    }
                    Operation::Push(x) => {
                        plain.push(x);
                        rows.push(x);
                    }
                    Operation::Pop => prop_assert_eq!(rows.pop(), plain.pop()),
                    Operation::Keep => kept.push((plain.clone(), rows.clone())),
                    Operation::Set(..) => {}
                }
                prop_assert_eq!(rows.len(), plain.len());
                if let Some(i) = plain.len().checked_sub(1) {
                    prop_assert_eq!(rows.get(i), plain[i]);
                }
            }
            kept.push((plain, rows));
            for (plain, rows) in kept {
                prop_assert_eq!(rows.to_vec(), &plain[..]);
                prop_assert!(rows.as_slice().is_none_or(|s| s == plain));
            }
        }
    }
}
