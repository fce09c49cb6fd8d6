//! The invariants on the method's page, checked one by one.

use super::lattice::Snapped;
use super::rows::RowTable;
use super::{Snapshot, SpatialHash};
use crate::Broken;

pub(super) fn broken(invariant: &'static str, what: String) -> Broken {
    Broken { method: "spatial-hash", invariant, what }
}

impl SpatialHash {
    pub(super) fn check(&self, view: &Snapshot<'_>) -> Result<(), Broken> {
        if !self.params.find.vertex_tets {
            return Ok(());
        }
        self.check_lattice(view)?;
        self.check_bundles(view)?;
        (0..self.sizing.levels.len()).try_for_each(|level| self.check_rows(level))
    }

    /// I1: the lattice holds the positions of this frame.
    fn check_lattice(&self, view: &Snapshot<'_>) -> Result<(), Broken> {
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

    /// I2: each tested vertex is in a table once, in the slot of its cell.
    fn check_rows(&self, level: usize) -> Result<(), Broken> {
        let mut times = vec![0u32; self.snapped.len()];
        let tables: [Option<&RowTable>; 2] = [self.tables.get(level), self.late.tables.get(level)];
        for table in tables.into_iter().flatten() {
            for (slot, at) in table.entries() {
                let vertex = table.vertex(at) as usize;
                times[vertex] += u32::from(!self.late.is_dead(vertex as u32));
                if table.slot(&self.snapped[vertex]) != slot || table.point(at) != self.snapped[vertex][..3] {
                    return Err(broken(
                        "I2",
                        format!("vertex {vertex} is in slot {slot}, which is not its cell's"),
                    ));
                }
            }
        }
        let wanted = |v: usize| u32::from(self.used.as_ref().is_none_or(|u| u[v]));
        match (0..times.len()).find(|&v| times[v] != wanted(v)) {
            Some(v) => Err(broken("I2", format!("vertex {v} is in the table {} times", times[v]))),
            None => Ok(()),
        }
    }

    /// I3: each tet is in one bundle, with its corners.
    fn check_bundles(&self, view: &Snapshot<'_>) -> Result<(), Broken> {
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
}
