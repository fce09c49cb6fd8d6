//! Edges and neighbours of a tetrahedral mesh.

use super::boundary::{BOUNDARY, CROWDED, face_owners};
use crate::csr::Csr;
use crate::{TetId, VertexId};

/// Adjacency of a tetrahedral mesh, computed once.
#[derive(Debug, Clone)]
pub struct TetTopology {
    edges: Vec<[u32; 2]>,
    partners: Vec<u32>,
    vertex_tets: Csr,
    duplicates: Vec<(u32, u32)>,
}

impl TetTopology {
    pub(super) fn new(vertices: u32, tets: &[[u32; 4]]) -> Self {
        let vertex_tets = Csr::from_pairs(
            vertices as usize,
            tets.iter().enumerate().flat_map(|(t, c)| c.iter().map(move |&v| (v, t as u32))),
        );
        let mut edges = Vec::new();
        let (mut ends, mut duplicates) = (Vec::new(), Vec::new());
        for v in 0..vertices {
            ends.clear();
            let row = vertex_tets.row(v as usize);
            for &t in row {
                ends.extend(tets[t as usize].iter().copied().filter(|&w| w > v));
            }
            ends.sort_unstable();
            ends.dedup();
            edges.extend(ends.iter().map(|&w| [v, w]));
            duplicates_at(v, row, tets, &mut duplicates);
        }
        duplicates.sort_unstable();
        Self { edges, partners: face_owners(vertices, tets), vertex_tets, duplicates }
    }

    /// Every edge once, smaller vertex first, sorted.
    pub fn edges(&self) -> &[[VertexId; 2]] {
        bytemuck::cast_slice(&self.edges)
    }

    /// The tet on the other side of a face (opposite local vertex `face`), when exactly one is there.
    #[doc(hidden)]
    pub fn neighbour(&self, tet: TetId, face: usize) -> Option<TetId> {
        match self.partners[4 * tet.index() + face] {
            BOUNDARY | CROWDED => None,
            place => Some(TetId(place / 4)),
        }
    }

    /// Tets that use a vertex, in ascending order (one that uses it twice is listed twice).
    #[doc(hidden)]
    pub fn tets_at(&self, vertex: VertexId) -> &[TetId] {
        bytemuck::cast_slice(self.vertex_tets.row(vertex.index()))
    }

    /// Tets with the same four vertices as an earlier one: (duplicate, first).
    pub(crate) fn duplicates(&self) -> impl ExactSizeIterator<Item = (TetId, TetId)> {
        self.duplicates.iter().map(|&(d, f)| (TetId(d), TetId(f)))
    }
}

/// Looks for equal tets among those whose smallest vertex is `v`.
fn duplicates_at(v: u32, row: &[u32], tets: &[[u32; 4]], out: &mut Vec<(u32, u32)>) {
    let key = |t: u32| {
        let mut c = tets[t as usize];
        c.sort_unstable();
        c
    };
    let mut mine: Vec<u32> = row.iter().copied().filter(|&t| key(t)[0] == v).collect();
    mine.dedup();
    mine.sort_unstable_by_key(|&t| (key(t), t));
    for group in mine.chunk_by(|&a, &b| key(a) == key(b)) {
        out.extend(group[1..].iter().map(|&t| (t, group[0])));
    }
}
