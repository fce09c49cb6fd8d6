//! Time stamps that make clearing unnecessary.

/// A step counter for stamps: starts at 1, so that zeroed memory is never current, and says when it wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Epoch(u32);

impl Default for Epoch {
    fn default() -> Self {
        Self(1)
    }
}

impl Epoch {
    /// The current stamp.
    #[inline]
    pub fn stamp(self) -> u32 {
        self.0
    }

    /// Goes to the next step. On a wrap, `clear` must reset every stamp to 0.
    pub fn advance(&mut self, clear: impl FnOnce()) {
        self.0 = self.0.wrapping_add(1);
        if self.0 == 0 {
            clear();
            self.0 = 1;
        }
    }

    /// A counter about to wrap, to test that.
    #[cfg(test)]
    pub fn last() -> Self {
        Self(u32::MAX)
    }
}
