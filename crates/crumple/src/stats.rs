//! Counters of one query.

/// Counters of one query. What a node or a test is, the method's page says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stats {
    /// Nodes, cells, columns or node pairs visited.
    pub visits: u64,
    /// Cheap tests (boxes, distances) made on the way.
    pub tests: u64,
    /// Regions or pairs ruled out by a proof instead of a test.
    pub certified: u64,
    /// Pairs that reached the exact narrow phase.
    pub candidates: u64,
    /// Pairs that touch.
    pub contacts: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.visits += other.visits;
        self.tests += other.tests;
        self.certified += other.certified;
        self.candidates += other.candidates;
        self.contacts += other.contacts;
    }
}
