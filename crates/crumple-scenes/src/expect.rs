//! What a scene should give, question by question.

/// Expected results of a scene; `None` where its author says nothing. Counts are summed over the frames, and mean what
/// the program's benchmark reports: candidates never count, only what does touch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Expect {
    /// Intersecting triangle pairs within one body that share no vertex.
    pub self_pairs: Option<u64>,
    /// Intersecting triangle pairs within one body that share one or two vertices.
    pub neighbour_pairs: Option<u64>,
    /// Intersecting triangle pairs between two triangle bodies (boundaries of tet bodies are not counted).
    pub pairs: Option<u64>,
    /// (vertex, tet) incidences: every vertex that an element uses against every tet that does not own it.
    pub tets: Option<u64>,
    /// Vertices of points bodies inside (or on) closed triangle bodies, over all such body pairs.
    pub inside: Option<u64>,
    /// Sum over the pairs of triangle bodies, and over the frames, of their distance.
    pub distance: Option<f64>,
}

impl Expect {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
