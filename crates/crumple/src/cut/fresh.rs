//! Both sides of a fresh cut, until they part (B22).

use std::collections::{HashMap, HashSet};

use super::Cut;
use crate::{BodyId, Contacts, Mesh, VertexId};

/// Vertices that a cut made of one, and which of them are still together.
///
/// Right after a cut its two sides touch: that is no collision. A pair is exempt while it meets at a seam that is closed:
/// one element uses a vertex, the other a copy of it. A seam opens at a vertex, for good, in the first frame in which no
/// such pair touches there; from then on its pairs count as any other. So [`FreshCuts::filter`] wants the contacts of every
/// frame, of all pairs.
#[derive(Debug, Clone, Default)]
pub struct FreshCuts {
    /// The seam point of each vertex on a closed seam.
    points: HashMap<(BodyId, VertexId), u32>,
    next: u32,
}

impl FreshCuts {
    /// No cut.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether every seam has opened.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Takes note of a cut of a body.
    pub fn add(&mut self, body: BodyId, cut: &Cut) {
        for &[vertex, copy] in &cut.seam {
            let next = &mut self.next;
            let point = *self.points.entry((body, vertex)).or_insert_with(|| {
                *next += 1;
                *next
            });
            self.points.insert((body, copy), point);
        }
    }

    /// Follows a body that became part of another, its vertices renamed; `None` for a vertex that was welded away.
    pub fn rename(&mut self, from: BodyId, to: BodyId, name: impl Fn(VertexId) -> Option<VertexId>) {
        let old = std::mem::take(&mut self.points);
        for ((body, vertex), point) in old {
            if body != from {
                self.points.insert((body, vertex), point);
            } else if let Some(vertex) = name(vertex) {
                self.points.insert((to, vertex), point);
            }
        }
    }

    /// Takes pairs that meet at a closed seam out of the contacts of a frame, and opens seams where none touches.
    /// Returns how many were taken out.
    pub fn filter(&mut self, mesh: &Mesh, contacts: &mut Contacts) -> usize {
        if self.is_empty() {
            return 0;
        }
        let mut touching = HashSet::new();
        let before = contacts.triangle_pairs.len() + contacts.vertex_tets.len() + contacts.edge_tets.len();
        contacts.triangle_pairs.retain(|pair| {
            let [a, b] = [pair.a, pair.b].map(|t| mesh.triangles()[t.index()]);
            !self.meet(mesh, &a, &b, &mut touching)
        });
        contacts
            .vertex_tets
            .retain(|c| !self.meet(mesh, &[c.vertex], &mesh.tets()[c.tet.index()], &mut touching));
        contacts.edge_tets.retain(|c| !self.meet(mesh, &c.edge, &mesh.tets()[c.tet.index()], &mut touching));
        self.points.retain(|_, point| touching.contains(point));
        before - contacts.triangle_pairs.len() - contacts.vertex_tets.len() - contacts.edge_tets.len()
    }

    /// Whether two elements meet at a closed seam; notes where.
    fn meet(&self, mesh: &Mesh, a: &[VertexId], b: &[VertexId], touching: &mut HashSet<u32>) -> bool {
        let mut any = false;
        for v in a.iter().filter(|v| !b.contains(v)) {
            let Some(point) = self.points.get(&mesh.locate_vertex(*v)) else { continue };
            let is_copy =
                |w: &VertexId| !a.contains(w) && self.points.get(&mesh.locate_vertex(*w)) == Some(point);
            if b.iter().any(is_copy) {
                touching.insert(*point);
                any = true;
            }
        }
        any
    }
}
