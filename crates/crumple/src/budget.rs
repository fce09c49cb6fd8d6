//! How much a search may cost, and how one that was stopped tells what is left.

use std::time::{Duration, Instant};

use crate::geometry::Aabb;
use crate::{BodyId, Stats};

/// How much a search may cost: so long, so many visits of nodes, both or neither. What it has when the budget is spent
/// is true, and its answer says that it is not complete.
///
/// ```
/// use crumple::Budget;
/// use std::time::Duration;
/// let frame = Budget::time(Duration::from_millis(2));
/// let same_everywhere = Budget::visits(10_000);
/// let both = Budget::time(Duration::from_millis(2)).and_visits(10_000);
/// assert!(Budget::unlimited().is_unlimited() && !both.is_unlimited());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    time: Option<Duration>,
    visits: u64,
}

impl Budget {
    /// The search ends when it is complete.
    pub const fn unlimited() -> Self {
        Self { time: None, visits: u64::MAX }
    }

    /// So long, to some microseconds. Not for targets without a clock.
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), visits: u64::MAX }
    }

    /// So many visits: the same answer on every machine.
    pub const fn visits(visits: u64) -> Self {
        Self { time: None, visits }
    }

    /// Also ends after so long.
    #[must_use]
    pub const fn and_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Also ends after so many visits.
    #[must_use]
    pub const fn and_visits(self, visits: u64) -> Self {
        Self { visits, ..self }
    }

    /// Whether there is no limit.
    pub const fn is_unlimited(&self) -> bool {
        self.time.is_none() && self.visits == u64::MAX
    }

    /// Starts to spend it now.
    pub(crate) fn start(self) -> Meter {
        // A time beyond the end of the clock is no limit.
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Meter { visits: 0, most: self.visits, clock: Clock { deadline } }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

/// How a search under a [`Budget`] ended.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
pub struct Budgeted {
    /// What it cost.
    pub stats: Stats,
    /// Where it did not come to an answer; empty when it is complete.
    pub undecided: Vec<Undecided>,
}

/// Parts of two bodies, or of one, that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Undecided {
    /// The bodies; the same twice for one with itself.
    pub bodies: [BodyId; 2],
    /// Boxes round the parts.
    pub boxes: [Aabb; 2],
    /// No more pairs of triangles than this can touch there.
    pub most: u64,
}

/// When to stop, for work that comes in pieces; threads share it. Once it is late, it stays late.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Clock {
    deadline: Option<Instant>,
}

impl Clock {
    /// Whether the time is over.
    #[inline]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether there is a time at which to stop.
    pub fn is_set(&self) -> bool {
        self.deadline.is_some()
    }

    /// Whether so many seconds are more than what is left.
    pub fn is_sooner_than(&self, seconds: f64) -> bool {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.is_some_and(|deadline| left(deadline).as_secs_f64() < seconds)
    }
}

/// Visits between two looks at the clock: some microseconds.
const CLOCK_INTERVAL: u64 = 32;

/// Counts visits, and tells when they or the time are spent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meter {
    visits: u64,
    most: u64,
    clock: Clock,
}

impl Meter {
    /// Whether there must be no further visit; otherwise this is one.
    #[inline(always)]
    pub fn is_spent(&mut self) -> bool {
        let is_late = self.visits.is_multiple_of(CLOCK_INTERVAL) && self.clock.is_late();
        let is_spent = is_late || self.visits >= self.most;
        self.visits += u64::from(!is_spent);
        is_spent
    }

    /// How many of `wanted` further visits may be made before asking again; they are counted.
    pub fn grant(&mut self, wanted: usize) -> usize {
        let most = match self.clock.is_set() {
            false => self.most - self.visits,
            true if self.clock.is_late() => 0,
            true => CLOCK_INTERVAL.min(self.most - self.visits),
        };
        let granted = most.min(wanted as u64);
        self.visits += granted;
        granted as usize
    }

    /// How many of `wanted` further visits their number allows, whatever the time; they are counted.
    pub fn count(&mut self, wanted: usize) -> usize {
        let granted = (self.most - self.visits).min(wanted as u64);
        self.visits += granted;
        granted as usize
    }

    /// Whether there is nothing left of it.
    pub fn is_over(&self) -> bool {
        self.visits >= self.most || self.clock.is_late()
    }

    /// Whether it has no limit.
    pub fn is_unlimited(&self) -> bool {
        self.most == u64::MAX && !self.clock.is_set()
    }

    /// When its time is over.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Whether the number of visits is limited: then their order matters.
    pub fn is_counting(&self) -> bool {
        self.most != u64::MAX
    }

    /// Visits so far.
    pub fn visits(&self) -> u64 {
        self.visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits_of(budget: Budget, stop: u64) -> u64 {
        let mut meter = budget.start();
        while !meter.is_spent() && meter.visits() < stop {}
        meter.visits()
    }

    #[test]
    fn visits_are_granted_as_they_are_counted() {
        let mut meter = Budget::visits(10).start();
        assert_eq!([meter.grant(4), meter.grant(4), meter.grant(4), meter.grant(4)], [4, 4, 2, 0]);
        let mut meter = Budget::visits(40).and_time(Duration::from_secs(3600)).start();
        assert_eq!([meter.grant(100), meter.grant(100), meter.grant(100)], [32, 8, 0]);
        assert_eq!(Budget::time(Duration::ZERO).start().grant(1), 0);
        assert_eq!(meter.visits(), 40);
    }

    #[test]
    fn visits_are_counted_and_the_clock_is_looked_at() {
        for most in [0, 1, 31, 32, 33, 1000] {
            assert_eq!(visits_of(Budget::visits(most), u64::MAX), most);
            assert_eq!(visits_of(Budget::visits(most).and_time(Duration::from_secs(3600)), u64::MAX), most);
        }
        assert_eq!(visits_of(Budget::unlimited(), 5000), 5000);
        assert_eq!(visits_of(Budget::time(Duration::ZERO), 5000), 0);
        assert_eq!(visits_of(Budget::time(Duration::MAX), 5000), 5000, "longer than the clock goes");
        let short = Budget::time(Duration::from_millis(1)).start();
        std::thread::sleep(Duration::from_millis(2));
        let mut late = short;
        assert!(late.is_spent() && late.visits() == 0);
        assert_eq!(Budget::default(), Budget::unlimited());
        assert!(!Budget::visits(7).is_unlimited() && !Budget::time(Duration::MAX).is_unlimited());
    }
}
