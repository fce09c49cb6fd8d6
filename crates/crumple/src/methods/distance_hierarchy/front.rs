//! Where a search ended, kept for the next frame.
//!
//! A finished search leaves pairs of regions that together cover both surfaces, each with a lower bound above the distance
//! found. If no two points of the bodies have come closer by more than some way since, a bound less that way still holds;
//! so as long as that is above the distance now, the pair needs no look. With small steps, nearly all pairs are at rest
//! for many frames, and a search looks at a few where the bodies are closest. When the steps are large, many pairs wake
//! at once; then it is cheaper to begin at the roots again, and to keep no front for a while.

use super::bound::Scale;
use super::regions::Region;

/// Pairs of regions at rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Front {
    /// For each pair, the way that the bodies must have travelled, times `unit`, before the pair can be at distance 0.
    keys: Vec<f32>,
    pairs: Vec<[Region; 2]>,
    /// Images per length when it was begun: keys of any scene then fit a `f32`.
    unit: f64,
    /// No two points of the bodies have come closer by more than this since it was begun.
    travelled: f64,
    /// Searches to go without keeping a front, and how many that will be after the next failure.
    pause: u32,
    next_pause: u32,
    /// Whether pairs are being kept.
    is_kept: bool,
    /// Number of pairs after the search from the roots.
    begun: usize,
}

/// More than the rounding of a key.
const DOUBT: f64 = 1.0 / (1 << 20) as f64;

/// After so many failures in a row, a front is tried in one of so many searches.
const LONGEST_PAUSE: u32 = 16;

impl Front {
    /// Notes that points of the bodies may have come closer by this.
    pub fn travel(&mut self, approach: f64) {
        self.travelled += approach;
    }

    /// Whether there is something to continue from.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Forgets the pairs, and how well it went.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.pairs.clear();
        (self.pause, self.next_pause) = (0, 0);
    }

    /// One with no pairs that belongs to the same search, for another thread.
    pub fn empty(&self) -> Self {
        Self { keys: Vec::new(), pairs: Vec::new(), ..*self }
    }

    /// Adds what another thread put to rest.
    pub fn join(&mut self, other: Self) {
        self.keys.extend(other.keys);
        self.pairs.extend(other.pairs);
    }

    /// Begins anew for a search from the roots.
    pub fn begin(&mut self, scale: &Scale) {
        self.keys.clear();
        self.pairs.clear();
        (self.unit, self.travelled) = (scale.map.scale, 0.0);
        (self.is_kept, self.begun) = (self.pause == 0, 0);
        self.pause = self.pause.saturating_sub(1);
    }

    /// Puts a pair to rest that is at least this far apart, in images of this frame.
    #[inline(always)]
    pub fn rest(&mut self, lower: f32, pair: [Region; 2], scale: &Scale) {
        if self.is_kept {
            self.keys.push(((scale.certain(lower) + self.travelled) * self.unit * (1.0 - DOUBT)) as f32);
            self.pairs.push(pair);
        }
    }

    /// Hands all pairs that may be as close as `distance` to `wake`, and lets the others rest. When these are too many, it
    /// hands out none and yields `false`: begin at the roots.
    pub fn wake(&mut self, distance: f64, mut wake: impl FnMut([Region; 2])) -> bool {
        if self.begun == 0 {
            self.begun = self.keys.len();
        } else if self.keys.len() > 1024 + 4 * self.begun {
            // Regions are only ever cut; after a long way a coarser front is better.
            return false;
        }
        let limit = ((distance + self.travelled) * self.unit * (1.0 + DOUBT)) as f32;
        let count = self.keys.iter().filter(|&&k| k <= limit).count();
        if count > 64 + self.keys.len() / 4 {
            self.next_pause = (2 * self.next_pause).clamp(1, LONGEST_PAUSE);
            self.pause = self.next_pause;
            return false;
        }
        self.next_pause = 0;
        let mut i = 0;
        while i < self.keys.len() {
            if self.keys[i] <= limit {
                wake(self.pairs[i]);
                self.keys.swap_remove(i);
                self.pairs.swap_remove(i);
            } else {
                i += 1;
            }
        }
        true
    }
}
