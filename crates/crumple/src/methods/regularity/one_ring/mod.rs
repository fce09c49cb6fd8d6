//! Triangles round a vertex: where neighbours meet that no larger region covers.
//!
//! If no region with both of two neighbours could be certified, they are settled at a vertex that they share: all at
//! once by rule I on the one-ring (`certify`), or pair by pair (`pairs`).

mod certify;
mod crowded;
mod pairs;
mod topology;

pub(crate) use self::certify::certify_one_rings;
pub(crate) use self::pairs::TrianglesAtVertex;
pub(crate) use self::topology::{OneRing, OneRings};

/// A vertex of a body, round which neighbours were not certified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VertexRef {
    pub body: u32,
    pub vertex: u32,
    pub ring: OneRing,
}
