//! How long the paper's unit is, and what collides (M-A12, M-A17).
//!
//! The paper gives its epsilons in "integer units" and says nothing of its models' size. Lengths are therefore measured by
//! the models: vertices collide when they are closer than a tenth of the models' mean diameter, for the epsilon that is "≈ 0"
//! in the text, and the unit is swept until the set that the paper calls optimal is optimal here: the smallest unit at which it
//! misses nothing.

use anyhow::{Context, Result};
use crumple_scenes::vector::bounds;

use super::experiments::Experiment;
use super::runs::{Run, follow};
use crate::reproduce::lab::{Pose, Stage, mean};

/// Vertices closer than this share of the models' mean diameter collide. Smaller, and experiment 2 has none at all.
const CONTACT: f64 = 0.1;
/// From one unit of the coarse sweep to the next.
const COARSE: f64 = 1.2;
/// Steps of the fine sweep between two units of the coarse one: less than the first epsilons of two sets differ.
const FINE: usize = 4;
/// The coarse sweep ends where the last epsilon is this share of the diameter: regions are as large.
const WIDEST: f64 = 0.6;

/// A unit that was tried.
pub struct Tried {
    /// The unit in lengths of the scene.
    pub unit: f64,
    /// The last epsilon over the mean diameter.
    pub share: f64,
    /// The paper's best set with it.
    pub run: Run,
}

/// All units that were tried, from the smallest.
pub struct Sweep {
    pub tried: Vec<Tried>,
    /// The place of the one that is taken.
    pub taken: usize,
    /// What is below which distance a collision.
    pub contact: f64,
    /// The mean diameter of the models.
    pub diameter: f64,
    /// The best set at the largest unit at which it misses something, without a limit on level 1.
    pub level_1_open: Option<Run>,
}

/// The mean length of the diagonal of the bodies' boxes.
fn diameter(pose: &Pose) -> f64 {
    let diagonal = |positions: &Vec<[f64; 3]>| {
        let (low, high) = bounds(positions);
        (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt()
    };
    mean(&pose.0.iter().map(diagonal).collect::<Vec<_>>())
}

/// Sweeps the unit, first by [`COARSE`], then by [`FINE`] steps between the last that misses something and the first that does not.
pub fn sweep(experiment: &Experiment, stage: &Stage, poses: &[Pose]) -> Result<Sweep> {
    let last = experiment.sets[experiment.best][0][2];
    let diameter = diameter(&poses[0]);
    let contact = CONTACT * diameter;
    let at = |share: f64| -> Result<Tried> {
        let unit = share * diameter / last;
        let params = experiment.params(experiment.best, unit);
        let (run, _) = follow(stage, poses, params, contact, (String::new(), 1))?;
        Ok(Tried { unit, share, run })
    };
    // Below this the last epsilon is shorter than the contact, and must miss.
    let mut tried = vec![at(CONTACT)?];
    while tried.last().is_some_and(|t| t.run.verdict.missed > 0 && t.share < WIDEST) {
        tried.push(at(tried[tried.len() - 1].share * COARSE)?);
    }
    if let [.., below, above] = &tried[..] {
        let (low, ratio) = (below.share, above.share / below.share);
        let fine =
            (1..FINE).map(|k| at(low * ratio.powf(k as f64 / FINE as f64))).collect::<Result<Vec<_>>>()?;
        let end = tried.len() - 1;
        tried.splice(end..end, fine);
    }
    let complete = tried.iter().position(|t| t.run.verdict.missed == 0);
    let fewest = || (0..tried.len()).min_by_key(|k| tried[*k].run.verdict.missed);
    let taken = complete.or_else(fewest).context("a unit")?;
    let level_1_open = match taken.checked_sub(1) {
        Some(k) => {
            let params = experiment.without_level_1(experiment.best, tried[k].unit);
            Some(follow(stage, poses, params, contact, ("level 1 without limit".to_owned(), 1))?.0)
        }
        None => None,
    };
    Ok(Sweep { tried, taken, contact, diameter, level_1_open })
}

impl Sweep {
    /// The unit that is taken.
    pub fn unit(&self) -> f64 {
        self.tried[self.taken].unit
    }
}

/// The smallest unit of the sweep: the last epsilon of the best set is as long as the contact.
pub fn smallest(experiment: &Experiment, pose: &Pose) -> f64 {
    CONTACT * diameter(pose) / experiment.sets[experiment.best][0][2]
}

/// The unit that is taken, from a few steps of the experiment.
pub fn derived(experiment: &Experiment, stage: &Stage, steps: usize) -> Result<f64> {
    Ok(sweep(experiment, stage, &stage.poses_to_the_end(steps))?.unit())
}
