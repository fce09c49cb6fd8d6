//! What a search cost, in the paper's terms and ours.

use crate::Stats;

/// Counters of one query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RegularityStats {
    /// Recursive calls, on a region or a pair (A in the paper's tables).
    pub calls: u64,
    /// Elementary triangle tests: pairs whose boxes overlap and that no certificate covers (B in the tables).
    pub tests: u64,
    /// Regions certified by rule I.
    pub rule_one: u64,
    /// Pairs of regions certified by rule II.
    pub rule_two: u64,
    /// Vertices whose one-ring was certified by rule I.
    pub one_rings: u64,
    /// Patches opened.
    pub opened: u64,
    /// Pairs that reached the exact test; the others were separated by a plane.
    pub exact: u64,
    /// Pairs that intersect.
    pub contacts: u64,
}

impl RegularityStats {
    /// In the terms that all methods share.
    pub(super) fn summary(&self) -> Stats {
        Stats {
            visits: self.calls,
            tests: self.tests,
            certified: self.rule_one + self.rule_two + self.one_rings,
            candidates: self.exact,
            contacts: self.contacts,
        }
    }
}

impl std::ops::AddAssign for RegularityStats {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.tests += other.tests;
        self.rule_one += other.rule_one;
        self.rule_two += other.rule_two;
        self.one_rings += other.one_rings;
        self.opened += other.opened;
        self.exact += other.exact;
        self.contacts += other.contacts;
    }
}
