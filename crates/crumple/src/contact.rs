//! Contacts: what does touch.

use crate::{TetId, TriangleId, VertexId};

/// Two triangles, `a < b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TrianglePair {
    /// The smaller id.
    pub a: TriangleId,
    /// The larger id.
    pub b: TriangleId,
}

/// A vertex inside a tet that does not own it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VertexTet {
    /// The vertex.
    pub vertex: VertexId,
    /// The tet.
    pub tet: TetId,
    /// Barycentric weights of the vertex in the tet: each in [0, 1], their sum 1.
    pub weights: [f64; 4],
}

/// An edge that meets a tet with which it shares no vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EdgeTet {
    /// The edge, smaller vertex first.
    pub edge: [VertexId; 2],
    /// The tet.
    pub tet: TetId,
}

/// What touches, sorted and unique.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Contacts {
    /// Triangles that intersect.
    pub triangle_pairs: Vec<TrianglePair>,
    /// Vertices inside tets.
    pub vertex_tets: Vec<VertexTet>,
    /// Edges that meet tets; empty unless asked for.
    pub edge_tets: Vec<EdgeTet>,
}

impl Contacts {
    /// Empties the lists, and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.triangle_pairs.clear();
        self.vertex_tets.clear();
        self.edge_tets.clear();
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.triangle_pairs.is_empty() && self.vertex_tets.is_empty() && self.edge_tets.is_empty()
    }

    /// Puts every list into its order.
    pub(crate) fn sort(&mut self) {
        self.triangle_pairs.sort_unstable();
        self.vertex_tets.sort_unstable_by_key(|c| (c.vertex, c.tet));
        self.edge_tets.sort_unstable();
    }
}
