//! Which bodies are tested against which: groups and masks, ignored pairs, fixed bodies.

use std::collections::BTreeSet;

use crate::BodyId;

/// Groups that a body belongs to, and groups that it is tested against, one bit each. Two bodies are tested against each
/// other when each belongs to a group of the other's mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Groups {
    /// Groups that the body belongs to.
    pub member: u32,
    /// Groups that it is tested against.
    pub mask: u32,
}

impl Default for Groups {
    fn default() -> Self {
        Self { member: u32::MAX, mask: u32::MAX }
    }
}

/// What a scene leaves out. It holds for every question that looks at all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Filter {
    groups: Vec<Groups>,
    fixed: Vec<bool>,
    ignored: BTreeSet<[BodyId; 2]>,
    /// Whether anything at all is left out.
    is_active: bool,
}

impl Filter {
    /// Makes room for one more body.
    pub fn push(&mut self) {
        self.groups.push(Groups::default());
        self.fixed.push(false);
    }

    pub fn set_groups(&mut self, body: BodyId, groups: Groups) {
        self.groups[body.index()] = groups;
        self.refresh();
    }

    pub fn set_fixed(&mut self, body: BodyId, is_fixed: bool) {
        self.fixed[body.index()] = is_fixed;
        self.refresh();
    }

    pub fn is_fixed(&self, body: BodyId) -> bool {
        self.fixed[body.index()]
    }

    pub fn set_ignored(&mut self, pair: [BodyId; 2], is_ignored: bool) {
        let pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        if is_ignored {
            self.ignored.insert(pair);
        } else {
            self.ignored.remove(&pair);
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        self.is_active = self.groups.iter().any(|g| *g != Groups::default())
            || self.fixed.iter().any(|f| *f)
            || !self.ignored.is_empty();
    }

    /// Whether two bodies (or one with itself) are tested.
    pub fn allows(&self, a: BodyId, b: BodyId) -> bool {
        if !self.is_active {
            return true;
        }
        let [x, y] = [a, b].map(|body| self.groups[body.index()]);
        x.member & y.mask != 0
            && y.member & x.mask != 0
            && !(self.is_fixed(a) && self.is_fixed(b))
            && !self.ignored.contains(&[a.min(b), a.max(b)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fixed_bodies_and_ignored_pairs() {
        let mut filter = Filter::default();
        (0..4).for_each(|_| filter.push());
        let [a, b, c, d] = [0, 1, 2, 3].map(BodyId);
        assert!(filter.allows(a, b) && filter.allows(a, a) && !filter.is_active);
        filter.set_ignored([b, a], true);
        assert!(!filter.allows(a, b) && !filter.allows(b, a) && filter.allows(a, c));
        filter.set_ignored([a, b], false);
        assert!(filter.allows(a, b) && !filter.is_active);
        filter.set_fixed(c, true);
        assert!(!filter.allows(c, c) && filter.allows(c, d));
        filter.set_fixed(d, true);
        assert!(!filter.allows(c, d) && filter.allows(a, d));
        // Both sides must agree.
        filter.set_groups(a, Groups { member: 1, mask: 2 });
        filter.set_groups(b, Groups { member: 2, mask: 4 });
        assert!(!filter.allows(a, b) && !filter.allows(a, a));
        filter.set_groups(b, Groups { member: 2, mask: 1 });
        assert!(filter.allows(a, b));
    }
}
