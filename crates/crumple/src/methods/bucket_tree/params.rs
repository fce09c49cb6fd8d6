//! What can be chosen, and what the paper chose.

use crate::ParamError;

/// How primitives are placed and buckets compared. The default is complete and the fastest;
/// [`BucketTreeParams::as_published`] is the paper's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BucketTreeParams {
    /// Which of the paper's two algorithms finds the bucket of a primitive. Both give the same buckets.
    pub placement: Placement,
    /// How deep the octree is.
    pub depth: Depth,
    /// Which of two nodes is opened.
    pub split: Split,
    /// Which boxes are compared.
    pub boxes: Boxes,
    /// How far the grid reaches beyond the primitives, as a part of their extent on each side, 0 to 10. Default 1/8.
    /// It is renewed when they leave it, or shrink to half of it; 0 renews it in every step, as the paper does.
    pub slack: f64,
    /// How much the boxes of blocks may grow, as a factor, before primitives that left their buckets are worth moving: 1
    /// to 10, default 1.2. While they lie together as well as that, boxes are fitted and nothing else is done; the answers
    /// are the same. 1 places everything in every step, as the paper does. Only [`Depth::Adaptive`] can wait.
    pub patience: f64,
    /// How many moves per primitive and axis the insertion sort of [`Placement::Sorted`] may take before a full sort is
    /// cheaper, as after a teleport (B-A13). Default 8.
    pub sort_budget: u32,
}

impl Default for BucketTreeParams {
    fn default() -> Self {
        Self {
            placement: Placement::Direct,
            depth: Depth::Adaptive,
            split: Split::Larger,
            boxes: Boxes::Refitted,
            slack: 0.125,
            patience: 1.2,
            sort_budget: 8,
        }
    }
}

impl BucketTreeParams {
    /// The paper's choices: sorted orders, four levels, children of the smaller node first, boxes of the cells (B2–B10).
    pub fn as_published() -> Self {
        Self {
            placement: Placement::Sorted,
            depth: Depth::Levels(4),
            split: Split::Smaller,
            boxes: Boxes::Cells,
            slack: 0.0,
            patience: 1.0,
            sort_budget: u32::MAX,
        }
    }

    pub(super) fn check(&self) -> Result<(), ParamError> {
        let wrong = |parameter, value: String, expected| Err(ParamError { parameter, value, expected });
        if let Depth::Levels(l) = self.depth
            && l > Depth::DEEPEST
        {
            return wrong("depth", l.to_string(), "0 to 7 levels");
        }
        if self.boxes == Boxes::Cells && self.depth == Depth::Adaptive {
            return wrong("boxes", "Cells".into(), "a fixed number of levels, as cells are what it fixes");
        }
        if !(0.0..=10.0).contains(&self.slack) {
            return wrong("slack", self.slack.to_string(), "0 to 10");
        }
        if !(1.0..=10.0).contains(&self.patience) {
            return wrong("patience", self.patience.to_string(), "1 to 10");
        }
        Ok(())
    }
}

/// The paper's two algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Placement {
    /// Algorithm 1: the bucket of each primitive is computed anew (B5).
    #[default]
    Direct,
    /// Algorithm 2: three orders, kept by insertion sort, with pointers to the first primitive of each slab (B6, B7).
    Sorted,
}

/// How deep the octree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Depth {
    /// As deep as the primitives are dense: a bucket holds at most 512, unless their ordering points coincide (B19).
    #[default]
    Adaptive,
    /// The same everywhere: l levels, 8^l buckets, at most [`Depth::DEEPEST`] (B2).
    Levels(u8),
}

impl Depth {
    /// Two million buckets.
    pub const DEEPEST: u8 = 7;
}

/// Which of two inner nodes that overlap is opened (B-A10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Split {
    /// The one of larger volume, the usual rule. Where nodes are compared eight at a time, both at once.
    #[default]
    Larger,
    /// The one of smaller volume, as the paper has it.
    Smaller,
}

/// Which boxes are compared on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Boxes {
    /// The smallest around the contents: complete for primitives of any extent (B-A9).
    #[default]
    Refitted,
    /// The cells themselves, as in the paper: misses what reaches out of its cell. Complete for points.
    Cells,
}
