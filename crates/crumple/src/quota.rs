//! How many rows an answer may have.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts what all threads of a search have found, and tells when it is more than was asked for. A search adds what one
/// pair of blocks yields at once, so that threads seldom meet here, and ends at most so much later.
#[derive(Debug)]
pub(crate) struct Quota {
    most: usize,
    found: AtomicUsize,
}

impl Quota {
    /// At most so many.
    pub fn new(most: usize) -> Self {
        Self { most, found: AtomicUsize::new(0) }
    }

    /// So many more were found.
    pub fn add(&self, more: usize) {
        if self.most < usize::MAX && more > 0 {
            self.found.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Whether there is a limit at all.
    pub fn is_limited(&self) -> bool {
        self.most < usize::MAX
    }

    /// How many more make too many.
    pub fn rest(&self) -> usize {
        self.most.saturating_add(1).saturating_sub(self.found.load(Ordering::Relaxed))
    }

    /// Whether there are more than were asked for; then the search is of no use.
    pub fn is_exceeded(&self) -> bool {
        self.most < usize::MAX && self.found.load(Ordering::Relaxed) > self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for_are_not_too_many() {
        let quota = Quota::new(3);
        quota.add(3);
        assert!(!quota.is_exceeded() && quota.rest() == 1);
        quota.add(1);
        assert!(quota.is_exceeded());
        let endless = Quota::new(usize::MAX);
        (0..4).for_each(|_| endless.add(usize::MAX));
        assert!(!endless.is_exceeded() && endless.rest() == usize::MAX);
    }
}
