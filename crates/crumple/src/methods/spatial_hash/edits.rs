//! Following edits: bundles change where tets come and go, and where nothing moved so does the table.
//!
//! The tables hold the vertices of the last pass through all of them. What an edit adds goes to small tables beside those; what
//! it leaves unused stays, and is passed over. The next frame in which something moves sorts all vertices anew anyway. The
//! same is done when what was added is more than one vertex in [`FEW`]. Triangles and edges, where they are looked for, are
//! followed in the same way.

use std::collections::BTreeSet;

use super::rows::RowTable;
use super::triangles::EditedTriangles;
use super::{Snapshot, SpatialHash, VertexChoice};
use crate::{BodyId, Mesh, TetId, TriangleId};

/// One vertex, or triangle, in so many may be in the small tables.
pub(super) const FEW: usize = 16;

/// What edits did to the vertices since all were sorted.
#[derive(Debug, Clone, Default)]
pub(super) struct LateVertices {
    /// Those that are tested now, and are not in the tables.
    vertices: BTreeSet<u32>,
    /// Those that are in the tables, and not tested any more.
    dead: BTreeSet<u32>,
    /// A table for each level; none while there are no late vertices.
    pub tables: Vec<RowTable>,
}

impl LateVertices {
    /// Whether a vertex is in the tables but not tested.
    #[inline]
    pub fn is_dead(&self, vertex: u32) -> bool {
        !self.dead.is_empty() && self.dead.contains(&vertex)
    }

    /// Takes note that so many vertices came before all with numbers from `first` on.
    fn make_room(&mut self, first: u32, count: u32) {
        for vertices in [&mut self.vertices, &mut self.dead] {
            let behind = vertices.split_off(&first);
            vertices.extend(behind.into_iter().map(|v| v + count));
        }
    }

    /// After all vertices have been sorted.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.dead.clear();
        self.tables.clear();
    }
}

/// A body that was edited, as it was before.
pub(super) type Edited = (BodyId, Mesh);

/// What edits have touched.
pub(super) struct Touched {
    /// Vertices that may be tested now and were not before, or the other way round, ids across bodies.
    vertices: Vec<u32>,
    /// The triangles of the bodies that were edited.
    triangles: Vec<EditedTriangles>,
}

impl SpatialHash {
    /// Follows bodies that are the same or came from what they were by edits, and says what these touched; `None` when not all
    /// are.
    pub(super) fn follow_edits(&mut self, view: &Snapshot<'_>) -> Option<Touched> {
        let bodies = view.bodies;
        let triangles = EditedTriangles::since(&self.bodies, bodies)?;
        let edited: Vec<Edited> =
            triangles.iter().map(|e| (e.body, self.bodies[e.body.index()].clone())).collect();
        if !self.bundles.follow_edits(view, &edited) {
            return None;
        }
        if self.params.find.edge_tets && !self.edges.follow_edits(view, &edited) {
            self.edges.set_mesh(view);
        }
        let vertices = self.follow_used(view, &edited);
        for (id, _) in edited {
            self.bodies[id.index()] = bodies.mesh(id).clone();
        }
        Some(Touched { vertices, triangles })
    }

    /// Notes which vertices are tested, of those that edits touched. Returns those of which it has changed, ids across bodies.
    fn follow_used(&mut self, view: &Snapshot<'_>, edited: &[Edited]) -> Vec<u32> {
        let (choice, mut touched) = (self.params.vertices, Vec::new());
        for (id, before) in edited {
            let range = view.bodies.vertex_range(*id);
            let (old, new) = (before.vertex_count(), range.len());
            if let Some(used) = &mut self.used {
                used.splice(range.start + old..range.start + old, std::iter::repeat_n(false, new - old));
            }
        }
        for (id, before) in edited {
            let (now, first) = (view.bodies.mesh(*id), view.bodies.vertex_range(*id).start);
            let new = before.vertex_count()..now.vertex_count();
            let changed = now.changed_since(before).unwrap_or_default();
            let mut vertices: BTreeSet<u32> = (new.start as u32..new.end as u32).collect();
            for mesh in [before, now] {
                let triangles = changed.triangles.iter().filter(|&&t| (t as usize) < mesh.triangle_count());
                vertices.extend(triangles.flat_map(|&t| mesh.triangle(TriangleId(t))).map(|v| v.0));
                let tets = changed.tets.iter().filter(|&&t| (t as usize) < mesh.tet_count());
                vertices.extend(tets.flat_map(|&t| mesh.tet(TetId(t))).map(|v| v.0));
            }
            let adjacency = now.adjacency();
            for v in vertices {
                let is_used = adjacency.star(v).next().is_some()
                    || choice == VertexChoice::Used && adjacency.tet_star(v).next().is_some();
                let is_new = v as usize >= new.start;
                let at = first + v as usize;
                let was_used = !is_new && self.used.as_ref().is_none_or(|used| used[at]);
                if is_used != was_used {
                    touched.push(at as u32);
                }
                if let Some(used) = &mut self.used {
                    used[at] = is_used;
                } else if !is_used {
                    let mut used = vec![true; view.bodies.vertex_count()];
                    used[at] = false;
                    self.used = Some(used);
                }
            }
        }
        touched
    }

    /// Brings the tables up to date where nothing moved; `before` is how many vertices each body had. Says whether that could
    /// be done.
    pub(super) fn follow_at_rest(
        &mut self,
        view: &Snapshot<'_>,
        before: &[usize],
        touched: &Touched,
    ) -> bool {
        let find = self.params.find;
        if find.vertex_tets && !self.follow_vertices_at_rest(view, before, &touched.vertices) {
            return false;
        }
        let lattice = &self.sizing.lattice;
        (!find.edge_tets || self.edges.follow_at_rest(lattice, view, before))
            && (!find.triangle_pairs || self.triangles.follow_at_rest(lattice, view, &touched.triangles))
    }

    fn follow_vertices_at_rest(&mut self, view: &Snapshot<'_>, before: &[usize], touched: &[u32]) -> bool {
        if self.sizing.lattice.is_wrapped() {
            return false;
        }
        for (id, &before) in view.bodies.body_ids().zip(before) {
            let range = view.bodies.vertex_range(id);
            if range.len() == before {
                continue;
            }
            let (first, count) = (range.start + before, range.len() - before);
            let mut snapped = Vec::with_capacity(count);
            for v in first..range.end {
                let [p] = view.positions(id.index(), [v as u32]);
                if self.sizing.lattice.is_far(p) {
                    return false;
                }
                let [x, y, z] = self.sizing.lattice.snap(p);
                snapped.push([x, y, z, id.0 as i32]);
            }
            // Bodies come in their order, so that those before have their new vertices already. Those behind have other numbers
            // now, which is a pass over the tables without sorting anything.
            if first < self.snapped.len() {
                self.tables.iter_mut().for_each(|table| table.make_room(first as u32, count as u32));
                self.late.make_room(first as u32, count as u32);
            }
            self.snapped.splice(first..first, snapped);
        }
        let late = &mut self.late;
        for &v in touched {
            let is_used = self.used.as_ref().is_none_or(|used| used[v as usize]);
            if is_used {
                if !late.dead.remove(&v) {
                    late.vertices.insert(v);
                }
            } else if !late.vertices.remove(&v) {
                late.dead.insert(v);
            }
        }
        if FEW * late.vertices.len() > self.snapped.len() + FEW {
            return false;
        }
        let vertices: Vec<u32> = late.vertices.iter().copied().collect();
        let levels = if vertices.is_empty() { &[] } else { &self.sizing.levels[..] };
        late.tables.resize_with(levels.len(), RowTable::default);
        for (table, level) in late.tables.iter_mut().zip(levels) {
            table.fill_some(&self.snapped, &vertices, level.bits);
        }
        true
    }
}
