//! How much a search may cost.

use std::time::{Duration, Instant};

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

    /// Whether its time, if that is limited, is shorter than so many seconds.
    pub(crate) fn is_time_below(&self, seconds: f64) -> bool {
        self.time.is_some_and(|time| time.as_secs_f64() < seconds)
    }

    /// What is left when some of the time is spent.
    pub(crate) fn less(self, spent: Duration) -> Self {
        Self { time: self.time.map(|time| time.saturating_sub(spent)), ..self }
    }

    /// Starts to spend it now.
    pub(crate) fn start(self) -> Meter {
        // A time beyond the end of the clock is no limit.
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Meter { visits: 0, most: self.visits, deadline }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

/// Visits between two looks at the clock: some microseconds.
const CLOCK_INTERVAL: u64 = 32;

/// Counts visits, and tells when they or the time are spent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meter {
    visits: u64,
    most: u64,
    deadline: Option<Instant>,
}

impl Meter {
    /// Whether there must be no further visit; otherwise this is one.
    #[inline(always)]
    pub fn is_spent(&mut self) -> bool {
        let is_late =
            self.visits.is_multiple_of(CLOCK_INTERVAL) && self.deadline.is_some_and(|d| Instant::now() >= d);
        let is_spent = is_late || self.visits >= self.most;
        self.visits += u64::from(!is_spent);
        is_spent
    }

    /// How many of `wanted` further visits may be made before asking again; they are counted.
    pub fn grant(&mut self, wanted: usize) -> usize {
        let most = match self.deadline {
            None => self.most - self.visits,
            Some(deadline) if Instant::now() >= deadline => 0,
            Some(_) => CLOCK_INTERVAL.min(self.most - self.visits),
        };
        let granted = most.min(wanted as u64);
        self.visits += granted;
        granted as usize
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
