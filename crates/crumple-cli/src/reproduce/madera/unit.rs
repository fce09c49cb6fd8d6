//! How long the paper's unit is (M-A17).
//!
//! The paper gives its epsilons in "integer units" and says nothing of its models' size. Lengths are therefore measured
//! by the models: the unit is swept so that the last epsilon runs from a twentieth of a model's diameter to two fifths, and
//! is taken where the set that the paper calls optimal is optimal here: the smallest at which it misses nothing, or
//! failing that the one at which it misses the smallest share.

use anyhow::{Context, Result};
use crumple_scenes::vector::bounds;

use super::experiments::Experiment;
use super::runs::{Run, follow};
use crate::reproduce::lab::{Pose, Stage, mean};

/// The last epsilon of the best set over the mean diameter of the models, for each unit that is tried.
const SHARES: [f64; 7] = [0.05, 0.071, 0.1, 0.141, 0.2, 0.283, 0.4];

/// A unit that was tried.
pub struct Tried {
    /// The unit in lengths of the scene.
    pub unit: f64,
    /// The last epsilon over the mean diameter.
    pub share: f64,
    /// The paper's best set with it.
    pub run: Run,
}

/// The mean length of the diagonal of the bodies' boxes.
pub fn diameter(pose: &Pose) -> f64 {
    let diagonal = |positions: &Vec<[f64; 3]>| {
        let (low, high) = bounds(positions);
        (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt()
    };
    mean(&pose.0.iter().map(diagonal).collect::<Vec<_>>())
}

/// Every unit, and the place of the one that is taken.
pub fn sweep(experiment: &Experiment, stage: &Stage, poses: &[Pose]) -> Result<(Vec<Tried>, usize)> {
    let last = experiment.sets[experiment.best][0][2];
    let diameter = diameter(&poses[0]);
    let mut tried = Vec::new();
    for share in SHARES {
        let unit = share * diameter / last;
        let params = experiment.params(experiment.best, unit);
        let (run, _) = follow(stage, poses, params, experiment.contact(unit), String::new())?;
        tried.push(Tried { unit, share, run });
    }
    let missed = |t: &Tried| t.run.verdict.missed as f64 / t.run.verdict.there.max(1) as f64;
    // Where nothing is that close, nothing can be missed.
    let usable = || tried.iter().enumerate().filter(|(_, t)| t.run.verdict.there > 0);
    let complete = usable().find(|(_, t)| t.run.verdict.missed == 0);
    let best = complete.or_else(|| usable().min_by(|a, b| missed(a.1).total_cmp(&missed(b.1))));
    let place = best.context("bodies that come close to each other")?.0;
    Ok((tried, place))
}

/// The unit that is taken, from a few steps of the experiment.
pub fn derived(experiment: &Experiment, stage: &Stage, steps: usize) -> Result<f64> {
    let poses = stage.poses(steps);
    let (tried, place) = sweep(experiment, stage, &poses)?;
    Ok(tried[place].unit)
}
