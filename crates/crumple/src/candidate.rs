//! Candidates: what may touch.

use crate::{TetId, TriangleId, TrianglePair, VertexId};

/// Pairs that may touch, each listed once. The narrow phase decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Candidates {
    /// Two triangles.
    pub triangle_pairs: Vec<TrianglePair>,
    /// A vertex and a tet that does not own it.
    pub vertex_tets: Vec<(VertexId, TetId)>,
    /// An edge and a tet that shares no vertex with it.
    pub edge_tets: Vec<([VertexId; 2], TetId)>,
}

impl Candidates {
    /// Empties the lists, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.triangle_pairs.clear();
        self.vertex_tets.clear();
        self.edge_tets.clear();
    }
}

impl TrianglePair {
    /// The pair with the smaller id first.
    #[inline]
    #[doc(hidden)]
    pub fn new(a: TriangleId, b: TriangleId) -> Self {
        Self { a: a.min(b), b: a.max(b) }
    }
}
