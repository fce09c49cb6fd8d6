//! Which rows differ between versions, so that what follows a body does so at the cost of the change.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many edits back a version can be followed from; from further back a body is taken as a new one.
const REACH: usize = 64;

/// A name for one version of one mesh, unlike all others of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp(u64);

impl Stamp {
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Elements, by their ids, that are not the same in two versions: other corners, another key, or there in one only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChangedRows {
    /// Ascending.
    pub triangles: Vec<u32>,
    /// Ascending.
    pub tets: Vec<u32>,
}

#[derive(Debug)]
struct LoggedEdit {
    from: Stamp,
    rows: ChangedRows,
}

/// The last edits that led to a version.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    edits: Vec<Arc<LoggedEdit>>,
}

impl Log {
    /// The log of the version after `from`, in which these rows differ.
    pub fn then(&self, from: Stamp, rows: ChangedRows) -> Self {
        let known = &self.edits[(self.edits.len() + 1).saturating_sub(REACH)..];
        let mut edits = known.to_vec();
        edits.push(Arc::new(LoggedEdit { from, rows: sorted(rows) }));
        Self { edits }
    }

    /// What differs between a version and the one with this log; `None` when the one did not come from the other, or too
    /// long ago.
    pub fn since(&self, from: Stamp) -> Option<ChangedRows> {
        let first = self.edits.iter().rposition(|edit| edit.from == from)?;
        let mut all = ChangedRows::default();
        for edit in &self.edits[first..] {
            all.triangles.extend_from_slice(&edit.rows.triangles);
            all.tets.extend_from_slice(&edit.rows.tets);
        }
        Some(sorted(all))
    }
}

fn sorted(mut rows: ChangedRows) -> ChangedRows {
    for list in [&mut rows.triangles, &mut rows.tets] {
        list.sort_unstable();
        list.dedup();
    }
    rows
}
