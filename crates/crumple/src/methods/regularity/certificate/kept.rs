//! Long contours that held in a frame before: their vertices, and where they were cut.
//!
//! All of it is a proposal. Which edges a contour has follows from the version of the hierarchy; everything that depends on positions
//! is decided anew.

use std::collections::HashMap;

use super::simple_polygon::{Case, Cuts};

/// A version of a hierarchy, and two regions of it, or one twice.
pub(super) type Regions = (u64, [u32; 2]);

/// A contour that held.
#[derive(Debug)]
pub(super) struct Kept {
    /// Along which it was projected.
    pub direction: usize,
    pub case: Case,
    pub cuts: Cuts,
}

/// Contours by regions.
#[derive(Debug, Default)]
pub(super) struct KeptContours {
    of: HashMap<Regions, Kept>,
    points: usize,
    /// Points of contours for which there was no room.
    refused: usize,
}

/// Points that are kept at most, in some 10 MB.
const MOST_POINTS: usize = 1 << 20;

impl KeptContours {
    pub fn get(&mut self, key: Regions) -> Option<&mut Kept> {
        self.of.get_mut(&key)
    }

    /// Forgets one that did not hold.
    pub fn remove(&mut self, key: Regions) {
        self.points -= self.of.remove(&key).map_or(0, |old| old.cuts.len());
    }

    /// Keeps one if there is room. What nobody asks for any more is not known: now and then, when room is short, all is forgotten.
    pub fn set(&mut self, key: Regions, kept: Kept) {
        let points = kept.cuts.len();
        if self.points + points > MOST_POINTS {
            self.refused += points;
            if self.refused > 16 * MOST_POINTS {
                *self = Self::default();
            }
            return;
        }
        self.points += points;
        if let Some(old) = self.of.insert(key, kept) {
            self.points -= old.cuts.len();
        }
    }
}
