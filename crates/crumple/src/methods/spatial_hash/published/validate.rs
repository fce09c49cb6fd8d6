//! Invariant I4 of the method's page.

use super::cells::CellTables;
use super::table::Table;
use super::{PublishedSpatialHash, TableKind};
use crate::Broken;
use crate::methods::spatial_hash::validate::broken;

impl PublishedSpatialHash {
    /// I4: each item is in the table as often as it has cells, in their entries; a stale entry is empty.
    pub(super) fn check(&self) -> Result<(), Broken> {
        match self.params.table {
            TableKind::Sorted => self.check_entries(&self.cells, self.cells.sorted()),
            TableKind::Stamped => {
                let stamped = self.cells.stamped();
                if let Some(stamp) = stamped.stamps().find(|&s| s > stamped.stamp()) {
                    return Err(broken(
                        "I4",
                        format!("an entry has stamp {stamp}, now is {}", stamped.stamp()),
                    ));
                }
                self.check_entries(&self.cells, stamped)
            }
        }
    }

    fn check_entries(&self, cells: &CellTables, table: &impl Table) -> Result<(), Broken> {
        let (_, entries) = cells.sizes();
        let mut there = Vec::with_capacity(cells.items().len());
        for entry in 0..entries {
            let mut astray = None;
            table.visit(entry, |cell, item| {
                there.push((cell, item));
                if self.params.hash.entry(cell, entries) != entry {
                    astray = Some(cell);
                }
            });
            if let Some(cell) = astray {
                return Err(broken("I4", format!("{cell:?} is in entry {entry}, which is not its own")));
            }
        }
        let mut wanted = cells.items().to_vec();
        wanted.sort_unstable();
        there.sort_unstable();
        if wanted == there {
            Ok(())
        } else {
            Err(broken("I4", "the table holds other items than were put in".into()))
        }
    }
}
