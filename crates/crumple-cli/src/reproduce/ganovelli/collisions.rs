//! Finding colliding buckets (B16), and a refitted tree beside it (B18).

use anyhow::Result;
use crumple::methods::brute_force::BruteForce;
use crumple::methods::bucket_tree::BucketTreeParams;
use crumple::methods::bucket_tree::published::{Boxes, Placement, PublishedParams};
use crumple::{BodyId, Contacts, Detector, Frame, Pairs, Positions};
use crumple_io::report::{Plot, Scale, Series};
use crumple_scenes::LazyScene;
use crumple_scenes::papers::ganovelli::cloud;

use super::aabb_tree::AabbTree;
use super::{adaptive, fixed, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage, in_turn, missing, ratio, smallest};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, least, most, range, sum};
use crate::reproduce::sheet::{Sheet, Value, row};

/// Triangles of a soup, as in Fig. 4 of the paper.
const COUNT: usize = 15_000;
/// Degrees within which the soups of B16 move; they are looked at in one frame only.
const ALPHA: f64 = 15.0;
/// Degrees within which those of B18 move: in any direction.
const FREE: f64 = 180.0;
/// The two soups.
const LEFT: BodyId = BodyId(0);
const RIGHT: BodyId = BodyId(1);

/// What a detector finds between the bodies.
pub fn contacts(stage: &Stage, pose: &Pose, detector: &mut dyn Detector) -> Result<Contacts> {
    let slices = pose.slices();
    let mut out = Contacts::default();
    detector.update(&stage.mesh, Frame::new(&slices))?.contacts(Pairs::Between, &mut out);
    Ok(out)
}

/// B16: time per thousand colliding buckets.
pub fn thousand(_: Extent) -> Result<Finding> {
    /// Table 1 of the paper: levels, milliseconds.
    const PAPER: [(u8, f64); 3] = [(3, 95.0), (4, 325.0), (5, 684.0)];
    /// How far apart the centres are: soups of radius 1 that overlap by a third, by a corner, and nearly wholly.
    const OVERLAPS: [(&str, f64); 3] = [("a third", 1.0), ("a corner", 1.8), ("nearly all", 0.2)];
    /// Repetitions in turn.
    const ROUNDS: usize = 7;
    let mut sheet = Sheet::new([
        "overlap",
        "levels",
        "paper: per 1000",
        "paper: against 3",
        "colliding buckets",
        "per 1000",
        "against 3",
        "node pairs per bucket pair",
        "node pairs against 3",
        "triangle pairs",
        "missed",
    ]);
    let mut repairs = [0, 0];
    let mut lines = Vec::new();
    for (name, distance) in OVERLAPS {
        let side = |sign: f64| [sign * 0.5 * distance, 0.0, 0.0];
        let bodies =
            vec![cloud("left", COUNT, ALPHA, side(-1.0), 1), cloud("right", COUNT, ALPHA, side(1.0), 2)];
        let stage = Stage::of(LazyScene::new("clouds", 1, bodies))?;
        let pose = stage.pose(0);
        let slices = pose.slices();
        let mut oracle = BruteForce::surfaces();
        oracle.update(&stage.mesh, Frame::new(&slices))?;
        let truth = contacts(&stage, &pose, &mut oracle)?.triangle_pairs;
        let trees = PAPER.map(|(levels, _)| fixed(&stage, &pose, published(Placement::Direct, levels)));
        let mut trees = trees.into_iter().collect::<Result<Vec<_>>>()?;
        let mut counts = [(0, 0.0); PAPER.len()];
        let mut seconds = [const { Vec::new() }; PAPER.len()];
        for _ in 0..ROUNDS {
            for (k, tree) in trees.iter_mut().enumerate() {
                let (s, found) = crate::reproduce::lab::timed(|| tree.bucket_collisions([LEFT, RIGHT]));
                let (count, stats) = found?;
                counts[k] = (count, stats.visits as f64 / count as f64);
                seconds[k].push(1e3 * s / count as f64);
            }
        }
        let over = |k: usize| ratio(&seconds[k], &seconds[0]).mid;
        lines.push((
            name,
            PAPER.iter().enumerate().map(|(k, (l, _))| (f64::from(*l), over(k))).collect::<Vec<_>>(),
        ));
        for (k, (levels, printed)) in PAPER.into_iter().enumerate() {
            let seen = contacts(&stage, &pose, &mut trees[k])?.triangle_pairs;
            row!(
                sheet,
                name,
                levels as usize,
                Value::Seconds(printed * 1e-3),
                Value::Times(printed / PAPER[0].1),
                counts[k].0,
                Value::Seconds(smallest(&seconds[k])),
                Value::times(ratio(&seconds[k], &seconds[0])),
                counts[k].1,
                Value::Times(counts[k].1 / counts[0].1),
                truth.len(),
                missing(&truth, &seen)
            );
        }
        let repaired = PublishedParams { boxes: Boxes::Refitted, ..published(Placement::Direct, 4) };
        let repaired = contacts(&stage, &pose, &mut fixed(&stage, &pose, repaired)?)?.triangle_pairs;
        let ours = adaptive(&stage, &pose, BucketTreeParams::default());
        let ours = contacts(&stage, &pose, &mut ours?)?.triangle_pairs;
        repairs[0] += missing(&truth, &repaired);
        repairs[1] += missing(&truth, &ours);
    }
    let how = format!(
        "two soups of 15,000 triangles that overlap by a third, by a corner and nearly wholly, for the paper does not say; \
         buckets are cells, as in the paper; {ROUNDS} repetitions in turn. The last columns compare the triangles of colliding \
         buckets with brute force."
    );
    let ours = |levels: usize| cell("against 3").at("levels", levels).at("overlap", "a third");
    let proportion = |levels: usize, words: &'static str| {
        Claim::new(
            "3 levels: 95; 4: 325; 5: 684 ms for detecting 1000 collisions between buckets",
            "Table 1",
            words,
            ours(levels).over(cell("paper: against 3").at("levels", levels).at("overlap", "a third")).off(),
            &limits::PROPORTIONS,
        )
        .because(
            "The paper's proportion lies beyond what the overlap can do: however two soups lie, the node pairs that are \
             visited for a colliding pair of buckets grow by less.",
            "over all overlaps, node pairs per collision grow at most {} × from 3 to 5 levels",
            most("node pairs against 3").at("levels", 5),
            &limits::LESS_THAN_SEVEN,
        )
    };
    let plot = Plot::new("A thousand colliding buckets, over 3 levels")
        .x("levels", Scale::Linear)
        .y("×", Scale::Linear);
    let printed = PAPER.map(|(levels, ms)| (f64::from(levels), ms / PAPER[0].1));
    let plot = lines.into_iter().fold(plot, |plot, (name, points)| plot.series(Series::line(name, points)));
    let plot = plot.series(Series::line("paper, 2000", printed).dashed());
    Ok(Finding::new(how, sheet)
        .plot(plot)
        .claim(proportion(4, "4 levels over 3: the ratio differs from the paper's 3.42 by a factor of {}"))
        .claim(proportion(5, "5 levels over 3: the ratio differs from the paper's 7.20 by a factor of {}"))
        .claim(
            Claim::new(
                "if two leaf nodes overlap, the two sets of primitives to test for exact collision are in the respective \
                 buckets",
                "Section 3",
                "{} pairs of triangles that intersect lie in buckets that do not overlap",
                sum("missed"),
                &limits::NONE,
            )
            .because(
                "A triangle is put into the bucket of its centre and reaches out of it; the smaller the buckets, the more \
                 is missed.",
                "from 3 to 5 levels {} times as many are missed",
                cell("missed").at("levels", 5).over(cell("missed").at("levels", 3)).at("overlap", "a third"),
                &limits::MORE,
            ),
        )
        .remark(format!(
            "With boxes fitted to what the buckets hold, {} pairs are missed at 4 levels, and {} by Crumple's default.",
            repairs[0], repairs[1]
        )))
}

/// B18: the same soups followed by buckets and by van den Bergen's tree of boxes.
pub fn refitted(_: Extent) -> Result<Finding> {
    /// Steps that are looked at, of a hundred.
    const FRAMES: [usize; 5] = [0, 10, 25, 50, 99];
    /// Repetitions in turn.
    const ROUNDS: usize = 5;
    let scene = crumple_scenes::papers::ganovelli::clouds("clouds", COUNT, FREE, 100);
    let stage = Stage::of(scene)?;
    let meshes = stage.mesh.meshes();
    let mut sheet = Sheet::new([
        "step",
        "tree: build",
        "tree: refit",
        "tree: query",
        "tree: tests",
        "buckets: fill",
        "buckets: query",
        "buckets: tests",
        "fill / build",
        "fill / refit",
        "whole step, buckets / refitted tree",
        "pairs",
        "pairs lost by the tree",
    ]);
    let first = stage.pose(0);
    let trees = |pose: &Pose| [0, 1].map(|b| AabbTree::new(&meshes[b], Positions::from(&pose.0[b])));
    let mut refitted = trees(&first);
    // Without patience: every primitive finds its bucket anew in every step, as after a cut.
    let anew = BucketTreeParams { patience: 1.0, ..BucketTreeParams::default() };
    let mut buckets = adaptive(&stage, &first, anew)?;
    let (mut tree_work, mut bucket_work) = (Vec::new(), Vec::new());
    for f in FRAMES {
        let pose = stage.pose(f);
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let [build, refit, fill] = in_turn(
            ROUNDS,
            [
                &mut || {
                    std::hint::black_box(trees(&pose).len());
                    Ok(())
                },
                &mut || {
                    (0..2).for_each(|b| refitted[b].refit(&meshes[b], Positions::from(&pose.0[b])));
                    Ok(())
                },
                &mut || Ok(buckets.update(&stage.mesh, frame).map(drop)?),
            ],
        )?;
        let (mut candidates, mut tests) = (Vec::new(), 0);
        let mut out = Contacts::default();
        let mut stats = crumple::Stats::default();
        // Both queries end with pairs of triangles whose boxes overlap, or that intersect.
        let mut ready = buckets.update(&stage.mesh, frame)?;
        let [tree_query, bucket_query] = in_turn(
            ROUNDS,
            [
                &mut || {
                    tests = refitted[0].pairs(&refitted[1], &mut candidates);
                    Ok(())
                },
                &mut || {
                    stats = ready.contacts(Pairs::Between, &mut out);
                    Ok(())
                },
            ],
        )?;
        candidates.sort_unstable();
        let lost = out.triangle_pairs.iter().filter(|p| {
            let local = [p.a, p.b].map(|t| stage.mesh.locate_triangle(t).1.0);
            candidates.binary_search(&local).is_err()
        });
        let lost = lost.count();
        let added = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<_>>();
        let whole = ratio(&added(&fill, &bucket_query), &added(&refit, &tree_query));
        tree_work.push((f as f64, tests as f64));
        bucket_work.push((f as f64, (stats.visits + stats.tests) as f64));
        let [b, r, q, x, y] =
            [&build, &refit, &tree_query, &fill, &bucket_query].map(|t| Value::Seconds(smallest(t)));
        row!(
            sheet,
            f,
            b,
            r,
            q,
            tests,
            x,
            y,
            stats.visits + stats.tests,
            Value::times(ratio(&fill, &build)),
            Value::times(ratio(&fill, &refit)),
            Value::times(whole),
            out.triangle_pairs.len(),
            lost
        );
    }
    let how = format!(
        "two soups of 15,000 triangles in free motion for 100 steps. The tree of boxes is van den Bergen's: parted at the \
         middle of the longest side, built once and refitted; its query ends with pairs whose boxes overlap. Crumple's \
         buckets are filled anew in every step; their query includes the exact test. A test of the buckets compares eight \
         boxes at once. {ROUNDS} repetitions in turn."
    );
    let share = |work: &[(f64, f64)]| work.iter().map(|(f, n)| (*f, n / work[0].1)).collect::<Vec<_>>();
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "This means that no cut or fusion operations can be done without rebuilding the whole tree.",
            "Section 4",
            "after a cut, filling the buckets takes {} × the time of building the tree, at most",
            most("fill / build"),
            &limits::LESS,
        ))
        .claim(Claim::new(
            "This approach is very efficient under two conditions: firstly, the number of primitives has to be known a \
             priori as well as the topology of the object.",
            "Section 4",
            "without a cut, filling the buckets takes {} × the time of refitting the tree, at least",
            least("fill / refit"),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "in the context of highly deformable objects, the first item is almost meaningless, since the kind of bounding \
             volume which best approximates an object could be the worst after a few iterations",
            "Section 3",
            "as the soup mixes, the tests of the refitted tree grow {} ×",
            range("tree: tests"),
            &limits::DOUBLES,
        ).because(
            "A hundred steps of a quarter of the spacing mix the soup less than that.",
            "the tests grow {} ×",
            range("tree: tests"),
            &limits::MORE,
        ))
        .remark(
            "In time for a whole step the refitted tree and the buckets are in the column “whole step”: below 1 the buckets \
             win, above 1 the tree. Where nothing is cut, the tree is the better choice for as long as it stays sorted.",
        )
        .plot(
            Plot::new("Work of a query, against the first step")
                .x("step", Scale::Linear)
                .y("times the first", Scale::Linear)
                .series(Series::line("refitted tree", share(&tree_work)))
                .series(Series::line("buckets", share(&bucket_work))),
        ))
}
