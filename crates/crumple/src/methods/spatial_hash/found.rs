//! What one thread finds.

use super::near::Near;
use crate::{Stats, TetId, VertexId};

/// Pairs of a vertex and a tet, and what it cost to find them.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Vertex and tet, packed so that they sort.
    pub keys: Vec<u64>,
    pub stats: Stats,
    /// Items met at visited entries, strangers and repetitions included.
    pub met: u64,
    pub near: Near,
}

impl Found {
    pub fn clear(&mut self) {
        self.keys.clear();
        self.stats = Stats::default();
        self.met = 0;
    }

    #[inline(always)]
    pub fn push(&mut self, vertex: u32, tet: u32) {
        self.keys.push(u64::from(vertex) << 32 | u64::from(tet));
    }
}

/// The vertex and the tet of a key.
pub(super) fn unpack(key: u64) -> (VertexId, TetId) {
    (VertexId((key >> 32) as u32), TetId(key as u32))
}
