//! Following the frame: round the positions, sort the vertices into cells.

use super::{Snapshot, SpatialHash, VertexChoice};
use crate::Mesh;

impl SpatialHash {
    /// Pass 1, after the frame was found to fit the mesh.
    pub(super) fn follow(&mut self, view: &Snapshot<'_>) {
        let bodies = view.bodies.meshes();
        let is_same = |b: usize| self.bodies.get(b).is_some_and(|old| old.is_same(&bodies[b]));
        if self.bodies.len() != bodies.len() || !(0..bodies.len()).all(is_same) {
            let before: Vec<usize> = self.bodies.iter().map(Mesh::vertex_count).collect();
            match self.follow_edits(view) {
                Some(touched) => {
                    if view.frame.is_at_rest() && self.follow_at_rest(view, &before, &touched) {
                        return;
                    }
                }
                None => self.update_bodies(view),
            }
        }
        self.update_tables(view);
    }

    /// Bundles tets and notes which vertices are tested, where bodies have changed.
    fn update_bodies(&mut self, view: &Snapshot<'_>) {
        let bodies = view.bodies;
        let is_kept = |b: usize| self.bodies.get(b).is_some_and(|old| old.is_same(&bodies.meshes()[b]));
        let used: Vec<bool> =
            bodies.meshes().iter().flat_map(|b| used_vertices(b, self.params.vertices)).collect();
        self.used = used.contains(&false).then_some(used);
        self.bundles.make(view, is_kept);
        let spread = self.sizing.measure(view, self.bundles.all(), self.params.cell_size);
        self.bundles.settle(spread);
        if self.params.find.edge_tets {
            self.edges.set_mesh(view);
        }
        self.bodies.clear();
        self.bodies.extend(bodies.meshes().iter().cloned());
    }

    /// Pass 1 of the paper, and boxes of edges and triangles where they are asked for.
    fn update_tables(&mut self, view: &Snapshot<'_>) {
        let find = self.params.find;
        self.late.clear();
        self.measure(view);
        if find.vertex_tets {
            self.sizing.lattice.snap_all(view, &mut self.snapped);
            self.tables.resize_with(self.sizing.levels.len().max(self.tables.len()), Default::default);
            for (table, level) in self.tables.iter_mut().zip(&self.sizing.levels) {
                table.fill(&self.snapped, self.used.as_deref(), level.bits, self.snapped.len());
            }
        }
        if find.edge_tets {
            self.edges.update(&self.sizing.lattice, view);
        }
        if find.triangle_pairs {
            self.triangles.update(&self.sizing.lattice, view);
        }
    }

    /// Chooses cell sizes, and bundles tets afresh when they have drifted apart.
    fn measure(&mut self, view: &Snapshot<'_>) {
        let spread = self.sizing.measure(view, self.bundles.all(), self.params.cell_size);
        if self.bundles.are_torn(spread) {
            self.bundles.make(view, |_| false);
            let spread = self.sizing.measure(view, self.bundles.all(), self.params.cell_size);
            self.bundles.settle(spread);
        }
    }
}

/// Which vertices of a body are tested against tets.
pub(super) fn used_vertices(body: &Mesh, choice: VertexChoice) -> Vec<bool> {
    let mut used = vec![false; body.vertex_count()];
    for v in body.triangles().as_flattened() {
        used[v.index()] = true;
    }
    if choice == VertexChoice::Used {
        for v in body.tets().as_flattened() {
            used[v.index()] = true;
        }
    }
    used
}
