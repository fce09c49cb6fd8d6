//! Ganovelli, Dingliana, O'Sullivan 2000: BucketTree.

mod collisions;
mod updates;

use anyhow::Result;
use crumple::methods::bucket_tree::published::{Placement, PublishedBucketTree, PublishedParams};
use crumple::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crumple::{Detector, Frame};

use super::lab::{Pose, Stage, timed};
use super::{Experiment, Paper};

pub static PAPER: Paper = Paper {
    short: "Ganovelli et al. 2000",
    citation: "F. Ganovelli, J. Dingliana, C. O'Sullivan: BucketTree: Improving Collision Detection Between \
               Deformable Objects, SCCG 2000",
    idea: "Which pieces of this soup may touch, now that it was cut? Primitives move freely and know nothing of \
           neighbours. Each step they are put into the buckets of an octree, by computing the place of each \
           (algorithm 1) or from three orders that insertion sort keeps (algorithm 2); two octrees are then \
           descended together.",
    machine: "Pentium II, 300 MHz, 64 MB",
    experiments: &[
        Experiment {
            ids: &["B13"],
            title: "Motion within a cone",
            source: "Section 5, Fig. 2",
            claim: "The angle alpha controls coherence: at 0 the order of the primitives does not change along any \
                    axis; the larger alpha, the freer they move.",
            run: updates::coherence,
        },
        Experiment {
            ids: &["B14"],
            title: "Algorithm 1 or 2",
            source: "Section 5, Fig. 3",
            claim: "Algorithm 1 does not care about coherence. Algorithm 2 is faster with it, and about as fast as \
                    algorithm 1 without, up to 15,000 primitives.",
            run: updates::algorithms,
        },
        Experiment {
            ids: &["B15"],
            title: "Levels of the octree",
            source: "Section 5, Fig. 4",
            claim: "Up to 4 levels (4096 buckets) the update grows linearly, from the fifth on exponentially.",
            run: updates::levels,
        },
        Experiment {
            ids: &["B16"],
            title: "A thousand colliding buckets",
            source: "Section 5, Table 1",
            claim: "1000 pairs of colliding buckets take 95 ms with 3 levels, 325 ms with 4, 684 ms with 5.",
            run: collisions::thousand,
        },
        Experiment {
            ids: &["B17"],
            title: "The test bed, drawn",
            source: "Section 5, Fig. 5",
            claim: "Two soups, their boxes, and the primitives of colliding buckets marked.",
            run: collisions::picture,
        },
        Experiment {
            ids: &["B18"],
            title: "Beside a tree of boxes that is refitted",
            source: "Section 4",
            claim: "A refitted tree of boxes needs a topology that is known beforehand, and is built anew after a \
                    cut; BucketTree needs neither.",
            run: collisions::refitted,
        },
    ],
};

/// The paper's octree with either algorithm and any depth.
fn published(placement: Placement, levels: u8) -> PublishedParams {
    PublishedParams { placement, levels, ..PublishedParams::default() }
}

/// The paper's tree at a pose.
fn fixed(stage: &Stage, pose: &Pose, params: PublishedParams) -> Result<PublishedBucketTree> {
    let slices = pose.slices();
    let mut tree = PublishedBucketTree::new(params)?;
    tree.update(&stage.mesh, Frame::new(&slices))?;
    Ok(tree)
}

/// Our tree at a pose.
fn adaptive(stage: &Stage, pose: &Pose, params: BucketTreeParams) -> Result<BucketTree> {
    let slices = pose.slices();
    let mut tree = BucketTree::new(params)?;
    tree.update(&stage.mesh, Frame::new(&slices))?;
    Ok(tree)
}

/// Seconds of each update along the poses, the best of some rounds through all of them. Every round starts afresh, so
/// that each update meets the motion since the pose before.
fn updates<D: Detector>(
    stage: &Stage,
    poses: &[Pose],
    rounds: usize,
    make: impl Fn(&Pose) -> Result<D>,
) -> Result<Vec<f64>> {
    let mut least = vec![f64::INFINITY; poses.len() - 1];
    for _ in 0..rounds {
        let mut tree = make(&poses[0])?;
        for (least, pose) in least.iter_mut().zip(&poses[1..]) {
            let slices = pose.slices();
            let (seconds, done) = timed(|| tree.update(&stage.mesh, Frame::new(&slices)).map(drop));
            done?;
            *least = least.min(seconds);
        }
    }
    Ok(least)
}

/// Seconds of each update of the paper's tree.
fn fixed_updates(stage: &Stage, poses: &[Pose], params: PublishedParams, rounds: usize) -> Result<Vec<f64>> {
    updates(stage, poses, rounds, |pose| fixed(stage, pose, params))
}

/// Seconds of each update of our tree.
fn adaptive_updates(stage: &Stage, poses: &[Pose], rounds: usize) -> Result<Vec<f64>> {
    updates(stage, poses, rounds, |pose| adaptive(stage, pose, BucketTreeParams::default()))
}

/// The first poses of a stage, one step after the other.
fn steps(stage: &Stage, count: usize) -> Vec<Pose> {
    (0..count).map(|f| stage.pose(f)).collect()
}
