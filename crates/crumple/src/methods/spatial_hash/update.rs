//! Following the frame: round the positions, sort the vertices into cells.

use super::{MeshView, SpatialHash, VertexChoice};
use crate::Body;

impl SpatialHash {
    /// Notes which vertices are tested, when bodies have changed.
    pub(super) fn update_bodies(&mut self, view: &MeshView<'_>) {
        let mesh = view.mesh;
        let same = self.bodies.len() == mesh.bodies().len()
            && self.bodies.iter().zip(mesh.bodies()).all(|(a, b)| a.is_same(b));
        if same && !self.bodies.is_empty() {
            return;
        }
        let used: Vec<bool> =
            mesh.bodies().iter().flat_map(|b| used_vertices(b, self.params.vertices)).collect();
        self.used = used.contains(&false).then_some(used);
        self.bundles.make(view);
        self.bodies.clear();
        self.bodies.extend(mesh.bodies().iter().cloned());
    }

    /// Pass 1 of the paper.
    pub(super) fn update_tables(&mut self, view: &MeshView<'_>) {
        let spread = self.sizing.measure(view, self.bundles.all(), &self.params);
        if self.bundles.are_torn(spread) {
            self.bundles.make(view);
            self.sizing.measure(view, self.bundles.all(), &self.params);
        }
        self.sizing.lattice.snap_all(view, &mut self.snapped);
        let levels = self.sizing.levels.len();
        if self.tables.len() < levels {
            self.tables.resize_with(levels, Default::default);
        }
        let size = self.params.table_size.map_or(2 * self.snapped.len(), |n| n as usize);
        for (table, level) in self.tables.iter_mut().zip(&self.sizing.levels) {
            table.fill(&self.snapped, self.used.as_deref(), level.bits, size);
        }
    }
}

/// Which vertices of a body are tested against tets.
fn used_vertices(body: &Body, choice: VertexChoice) -> Vec<bool> {
    let mut used = vec![false; body.vertex_count()];
    for v in body.triangle_list().as_flattened() {
        used[v.index()] = true;
    }
    if choice == VertexChoice::Used {
        for v in body.tet_list().as_flattened() {
            used[v.index()] = true;
        }
    }
    used
}
