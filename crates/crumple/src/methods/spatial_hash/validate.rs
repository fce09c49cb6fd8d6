//! The invariants on the method's page, checked one by one.

use super::cells::CellTables;
use super::lattice::Snapped;
use super::rows::RowTable;
use super::table::Table;
use super::{MeshView, SpatialHash, TableKind};
use crate::Broken;

fn broken(invariant: &'static str, what: String) -> Broken {
    Broken { method: "spatial-hash", invariant, what }
}

impl SpatialHash {
    pub(super) fn check_invariants(&self, view: &MeshView<'_>) -> Result<(), Broken> {
        if !self.params.find.vertex_tets {
            return Ok(());
        }
        if !self.by_rows {
            return self.check_cells();
        }
        self.check_lattice(view)?;
        self.check_bundles(view)?;
        self.tables[..self.sizing.levels.len()].iter().try_for_each(|table| self.check_rows(table))
    }

    /// I1: the lattice holds the positions of this frame.
    fn check_lattice(&self, view: &MeshView<'_>) -> Result<(), Broken> {
        for body in view.bodies.body_ids() {
            for v in view.bodies.vertex_range(body) {
                let [p] = view.positions(body.index(), [v as u32]);
                let [x, y, z] = self.sizing.lattice.snap(p);
                let wanted: Snapped = [x, y, z, body.0 as i32];
                if self.snapped.get(v) != Some(&wanted) {
                    return Err(broken(
                        "I1",
                        format!("vertex {v} is at {:?}, not {wanted:?}", self.snapped.get(v)),
                    ));
                }
            }
        }
        Ok(())
    }

    /// I2: each tested vertex is in the table once, in the slot of its cell.
    fn check_rows(&self, table: &RowTable) -> Result<(), Broken> {
        let mut times = vec![0u32; self.snapped.len()];
        for (slot, at) in table.places() {
            let vertex = table.vertex(at) as usize;
            times[vertex] += 1;
            if table.slot(&self.snapped[vertex]) != slot || table.point(at) != self.snapped[vertex][..3] {
                return Err(broken(
                    "I2",
                    format!("vertex {vertex} is in slot {slot}, which is not its cell's"),
                ));
            }
        }
        let wanted = |v: usize| u32::from(self.used.as_ref().is_none_or(|u| u[v]));
        match (0..times.len()).find(|&v| times[v] != wanted(v)) {
            Some(v) => Err(broken("I2", format!("vertex {v} is in the table {} times", times[v]))),
            None => Ok(()),
        }
    }

    /// I3: each tet is in one bundle, with its corners.
    fn check_bundles(&self, view: &MeshView<'_>) -> Result<(), Broken> {
        let mut times = vec![0u32; view.bodies.tets().len()];
        for bundle in self.bundles.all() {
            for lane in 0..bundle.count as usize {
                let tet = bundle.tets[lane] as usize;
                times[tet] += 1;
                if view.bodies.tets()[tet].map(|v| v.0) != bundle.tet(lane) {
                    return Err(broken("I3", format!("tet {tet} has other corners in its bundle")));
                }
            }
        }
        match times.iter().position(|&n| n != 1) {
            Some(tet) => Err(broken("I3", format!("tet {tet} is in {} bundles", times[tet]))),
            None => Ok(()),
        }
    }

    /// I4: each item is in the table as often as it has cells, in their entries; a stale entry is empty.
    fn check_cells(&self) -> Result<(), Broken> {
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
