//! Ganovelli, Dingliana, O'Sullivan 2000: BucketTree.

pub mod aabb_tree;
mod collisions;
mod levels;
mod pictures;
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
    summary: "It claims that a soup of primitives can be put anew into the buckets of an octree in every step, by sorting \
              with coherence as cheaply as without, so that cuts and fusions cost nothing. That cuts are free is true. \
              Sorting is not as cheap: the division that it spares was dear in 2000 and is not now, and moves without \
              coherence are many. A triangle reaches out of its bucket, so that the printed traversal misses pairs, and \
              the printed pointer update is wrong by one. Crumple computes places, adapts the depth to the soup, and \
              fits boxes to what the buckets hold.",
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
            run: levels::levels,
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
            source: "Section 5, Figs 1 and 5",
            claim: "Two soups, their boxes, and the primitives of colliding buckets marked.",
            run: pictures::picture,
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

/// Mean seconds of an update along the poses. The tree starts afresh, so that each update meets the motion since the
/// pose before.
fn updates<D: Detector>(stage: &Stage, poses: &[Pose], make: impl Fn(&Pose) -> Result<D>) -> Result<f64> {
    let mut tree = make(&poses[0])?;
    let mut sum = 0.0;
    for pose in &poses[1..] {
        let slices = pose.slices();
        let (seconds, done) = timed(|| tree.update(&stage.mesh, Frame::new(&slices)).map(drop));
        done?;
        sum += seconds;
    }
    Ok(sum / (poses.len() - 1) as f64)
}

/// Mean seconds of an update of the paper's tree.
fn fixed_updates(stage: &Stage, poses: &[Pose], params: PublishedParams) -> Result<f64> {
    updates(stage, poses, |pose| fixed(stage, pose, params))
}

/// Mean seconds of an update of our tree.
fn adaptive_updates(stage: &Stage, poses: &[Pose]) -> Result<f64> {
    updates(stage, poses, |pose| adaptive(stage, pose, BucketTreeParams::default()))
}

/// The first poses of a stage, one step after the other.
fn steps(stage: &Stage, count: usize) -> Vec<Pose> {
    (0..count).map(|f| stage.pose(f)).collect()
}
