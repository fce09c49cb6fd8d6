//! What can be chosen.

use crate::ParamError;

/// How long the tree is kept as it is. Answers do not depend on it. Construct with `..Default::default()`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BucketTreeParams {
    /// How far the grid reaches beyond the primitives, as a part of their extent on each side, 0 to 10. Default 1/8.
    /// It is renewed when they leave it, or shrink to half of it; 0 renews it in every step.
    pub slack: f64,
    /// How much the boxes of blocks may grow, as a factor, before primitives that left their buckets are worth moving: 1
    /// to 10, default 1.2. While they lie together as well as that, boxes are refitted and nothing else is done. 1 places
    /// everything in every step.
    pub patience: f64,
}

impl Default for BucketTreeParams {
    fn default() -> Self {
        Self { slack: 0.125, patience: 1.2 }
    }
}

impl BucketTreeParams {
    pub(super) fn check(&self) -> Result<(), ParamError> {
        check_slack(self.slack)?;
        if !(1.0..=10.0).contains(&self.patience) {
            let (value, expected) = (self.patience.to_string(), "1 to 10");
            return Err(ParamError { parameter: "patience", value, expected });
        }
        Ok(())
    }
}

pub(super) fn check_slack(slack: f64) -> Result<(), ParamError> {
    if (0.0..=10.0).contains(&slack) {
        return Ok(());
    }
    Err(ParamError { parameter: "slack", value: slack.to_string(), expected: "0 to 10" })
}
