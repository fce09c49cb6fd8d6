//! What an edit changed, for detectors that follow it.

use crate::{TetKey, TriangleKey, VertexId};

/// A vertex that an edit added.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct NewVertex {
    /// Its id.
    pub vertex: VertexId,
    /// Where it came from, as weights on older vertices; empty for a vertex out of nothing.
    pub parents: Vec<(VertexId, f64)>,
    /// Where it is, when that was told.
    pub at: Option<[f64; 3]>,
}

/// An element that an edit added.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Added<K> {
    /// Its key.
    pub key: K,
    /// The element it is a piece of, when it came from a split. The parent may itself be new.
    pub parent: Option<K>,
}

/// The difference between a version of a body and the next one.
///
/// Keys are ascending. An element that was split is removed and its pieces are added. An element that was added
/// and split within the same edit is listed as added (it is a parent) though the new version does not hold it.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Changes {
    /// Vertices added, in the order of their ids.
    pub vertices: Vec<NewVertex>,
    /// Triangles of the old version that are gone.
    pub triangles_removed: Vec<TriangleKey>,
    /// Triangles that the old version did not have.
    pub triangles_added: Vec<Added<TriangleKey>>,
    /// Triangles of both versions whose corners are others now.
    pub triangles_changed: Vec<TriangleKey>,
    /// Tets of the old version that are gone.
    pub tets_removed: Vec<TetKey>,
    /// Tets that the old version did not have.
    pub tets_added: Vec<Added<TetKey>>,
    /// Tets of both versions whose corners are others now.
    pub tets_changed: Vec<TetKey>,
}

impl Changes {
    /// Appends the positions of the new vertices: what was told, or the mix of their parents; the origin where there is neither.
    pub fn extend_positions(&self, positions: &mut Vec<[f64; 3]>) {
        for new in &self.vertices {
            let mut p = new.at.unwrap_or([0.0; 3]);
            for &(parent, weight) in &new.parents {
                let q = positions[parent.index()];
                // A copy must be exact, also where 1 * q + 0 would turn -0 into 0.
                p = if weight == 1.0 { q } else { [0, 1, 2].map(|k| p[k] + weight * q[k]) };
            }
            positions.push(p);
        }
    }
}
