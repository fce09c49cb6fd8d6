//! How much work a search was, so that two ways of searching can be compared without a clock.

use std::ops::AddAssign;

/// What was done: the same on any machine, at any load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Pairs of nodes looked at.
    pub nodes: u32,
    /// Points of projected contours.
    pub points: u32,
    /// Patches opened.
    pub opened: u32,
    /// Pairs of patches searched.
    pub patches: u32,
    /// Pairs of features that came to the narrow phase.
    pub queries: u32,
    /// Pairs of patches searched, and pairs of features found, to be listed only.
    pub listed_patches: u32,
    pub listed: u32,
}

impl Work {
    /// Nanoseconds, roughly, where two patches take so many: fitted to the times of both methods on near-10obj, rumba-dancer,
    /// cloth-ball and rod-twist; listing to those on tshirt-drape. The times of contacts, which are the same for both, are left out.
    pub fn cost(&self, two_patches: f64) -> f64 {
        20.0 * f64::from(self.nodes)
            + 35.0 * f64::from(self.points)
            + 800.0 * f64::from(self.opened)
            + two_patches * f64::from(self.patches)
            + 40.0 * f64::from(self.queries)
            + 800.0 * f64::from(self.listed_patches)
            + 5.0 * f64::from(self.listed)
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        let sum = |a: &mut u32, b: u32| *a = a.saturating_add(b);
        sum(&mut self.nodes, other.nodes);
        sum(&mut self.points, other.points);
        sum(&mut self.opened, other.opened);
        sum(&mut self.patches, other.patches);
        sum(&mut self.queries, other.queries);
        sum(&mut self.listed_patches, other.listed_patches);
        sum(&mut self.listed, other.listed);
    }
}
