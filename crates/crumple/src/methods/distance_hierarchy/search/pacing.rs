//! Whether a BVTT front is worth keeping, and how far ahead: a controller that learns from the searches before.

/// What was learned of the searches between two bodies.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct Pacing {
    /// By how much points of the bodies may have come closer in the last step.
    pub approach: f64,
    /// Searches to go without keeping a front, and how many that will be after the next failure.
    pause: u32,
    next_pause: u32,
    /// Pairs of blocks that were compared, and the tests that this took.
    pairs: u64,
    tests: u64,
    /// Tests for one of them when there is no margin; 0 when that is not known.
    plain: f64,
    /// Searches to go without a margin, and how many that will be after the next that is not worth it.
    plain_pause: u32,
    next_plain_pause: u32,
    /// Whether the search continues from the one before.
    is_continued: bool,
    /// Number of pairs after the search from the roots.
    begun: usize,
}

/// After so many failures in a row, a front is tried in one of so many searches.
const LONGEST_PAUSE: u32 = 16;

/// For how many frames at the last speed the triangles of blocks are put to rest, from large steps to small ones.
const FRAMES_AHEAD: [f64; 2] = [2.0, 12.0];

/// For how many frames at the last speed regions with smaller ones in them must rest, or else be cut.
const FRAMES_UNCUT: f64 = 16.0;

/// For how many frames at the last speed, and half the time if the distance grows as fast, pairs need no look at all.
const LOOKAHEAD_FRAMES: f64 = 32.0;

/// What the margin should be about, as a part of the size of a block.
const AHEAD: f64 = 1.0 / 200.0;

/// Tests for two blocks with a margin, as a multiple of those without, from which on it is not worth it. When
/// `near-shell-100k` goes in steps of a fortieth it is 4, and a frame takes 5.2 ms instead of 3.0 on the mean; when
/// `near-10obj` does it is 1.5, and a frame takes 1.0 instead of 1.1.
const MOST_TESTS: f64 = 2.0;

/// Comparisons of blocks from which something can be learned.
const SOME: u64 = 8;

/// After so many margins in a row that were not worth it, one is tried in one of so many searches.
const LONGEST_PLAIN: u32 = 256;

/// The largest margin, as a part of the size of a block.
const MOST_AHEAD: f64 = 1.0 / 24.0;

impl Pacing {
    /// Forgets how often continuing failed.
    pub fn resume(&mut self) {
        (self.pause, self.next_pause) = (0, 0);
    }

    /// For another thread of the same search.
    pub fn share(&self) -> Self {
        Self { pairs: 0, tests: 0, ..*self }
    }

    /// Adds what another thread counted.
    pub fn join(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.tests += other.tests;
    }

    /// A search begins at the roots: whether its front should be kept.
    pub fn begin(&mut self) -> bool {
        let is_kept = self.pause == 0;
        (self.is_continued, self.begun) = (false, 0);
        self.pause = self.pause.saturating_sub(1);
        is_kept
    }

    /// Whether a front of this many pairs may be continued. Regions are only ever cut; after a long way a coarser front is
    /// better.
    pub fn may_continue(&mut self, size: usize) -> bool {
        if self.begun == 0 {
            self.begun = size;
            return true;
        }
        size <= 8192 + 4 * self.begun
    }

    /// Whether to continue when `count` of `size` pairs wake.
    pub fn wakes(&mut self, count: usize, size: usize) -> bool {
        if count > 64 + size / 4 {
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).clamp(1, LONGEST_PAUSE);
            return false;
        }
        self.next_pause = 0;
        self.is_continued = true;
        true
    }

    /// How much further than the last distance a search should look, for blocks of this size.
    pub fn margin(&mut self, size: f64) -> f64 {
        let [least, most] = FRAMES_AHEAD;
        let margin = (AHEAD * size).clamp(least * self.approach, most * self.approach);
        if !self.is_continued || self.plain == 0.0 || margin > MOST_AHEAD * size {
            return 0.0;
        }
        if self.plain_pause > 0 {
            self.plain_pause -= 1;
            return 0.0;
        }
        margin
    }

    /// How much further apart than the closest regions must be, or else are cut when they wake.
    pub fn soon(&self) -> f64 {
        if self.is_continued { FRAMES_UNCUT * self.approach } else { 0.0 }
    }

    /// How much further apart pairs need no look at all.
    pub fn lookahead(&self) -> f64 {
        LOOKAHEAD_FRAMES * self.approach
    }

    /// Notes what comparing two blocks took.
    #[inline(always)]
    pub fn count(&mut self, tests: u64) {
        self.pairs += 1;
        self.tests += tests;
    }

    /// Learns from a search with this margin whether it was worth it. Only at the end of a search: the first blocks cost the
    /// most.
    pub fn learn(&mut self, margin: f64) {
        let (pairs, tests) = (std::mem::take(&mut self.pairs), std::mem::take(&mut self.tests));
        if pairs < SOME {
            return;
        }
        let each = tests as f64 / pairs as f64;
        if margin == 0.0 {
            self.plain = each.max(1.0);
        } else if each > MOST_TESTS * self.plain {
            self.next_plain_pause = (2 * self.next_plain_pause).clamp(1, LONGEST_PLAIN);
            self.plain_pause = self.next_plain_pause;
        } else {
            self.next_plain_pause = 0;
        }
    }
}
