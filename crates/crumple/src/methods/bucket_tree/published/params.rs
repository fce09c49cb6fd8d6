//! What the paper chooses, and what it compares.

use crate::ParamError;
use crate::methods::bucket_tree::params::check_slack;

/// How primitives are placed and buckets compared. The default is the paper's choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PublishedParams {
    /// Which of the paper's two algorithms finds the bucket of a primitive. Both give the same buckets.
    pub placement: Placement,
    /// How deep the octree is: l levels, 8^l buckets, at most [`PublishedParams::DEEPEST`]. Default 4.
    pub levels: u8,
    /// Which of two nodes is opened.
    pub split: Split,
    /// Which boxes are compared.
    pub boxes: Boxes,
    /// As [`BucketTreeParams::slack`](crate::methods::bucket_tree::BucketTreeParams::slack). Default 0: a new grid in
    /// every step.
    pub slack: f64,
    /// How many moves per primitive and axis the insertion sort of [`Placement::Sorted`] may take before a full sort is
    /// cheaper, as after a teleport. Default: no limit.
    pub sort_budget: u32,
}

impl Default for PublishedParams {
    fn default() -> Self {
        Self {
            placement: Placement::Sorted,
            levels: 4,
            split: Split::Smaller,
            boxes: Boxes::Cells,
            slack: 0.0,
            sort_budget: u32::MAX,
        }
    }
}

impl PublishedParams {
    /// Two million buckets.
    pub const DEEPEST: u8 = 7;

    pub(super) fn check(&self) -> Result<(), ParamError> {
        if self.levels > Self::DEEPEST {
            let (value, expected) = (self.levels.to_string(), "0 to 7 levels");
            return Err(ParamError { parameter: "levels", value, expected });
        }
        check_slack(self.slack)
    }
}

/// The paper's two algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Placement {
    /// Algorithm 1: the bucket of each primitive is computed anew (B5).
    Direct,
    /// Algorithm 2: three orders, kept by insertion sort, with pointers to the first primitive of each slab (B6, B7).
    #[default]
    Sorted,
}

/// Which of two inner nodes that overlap is opened (B-A10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// The one of larger volume, the usual rule.
    Larger,
    /// The one of smaller volume, as the paper has it.
    #[default]
    Smaller,
}

/// Which boxes are compared on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Boxes {
    /// The smallest around the contents: complete for primitives of any extent (B-A9).
    Refitted,
    /// The cells themselves, as in the paper: misses what reaches out of its cell. Complete for points.
    #[default]
    Cells,
}
