//! How the update grows with the levels of the octree (B15).

use anyhow::Result;
use crumple::methods::bucket_tree::published::Placement;
use crumple_io::report::{Plot, Scale, Series};

use super::{adaptive_updates, fixed_updates, published, steps};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage, ratio, smallest, timed};
use crate::reproduce::limits;
use crate::reproduce::measure::cell;
use crate::reproduce::sheet::{Sheet, Value, row};

/// Steps of each run, and repetitions of it.
const STEPS: usize = 8;
const ROUNDS: usize = 5;
/// Bits of an index along one axis in a code of three: more than any level needs.
const BITS: u32 = 20;

/// B15: update against levels.
pub fn levels(_: Extent) -> Result<Finding> {
    /// Levels, as many as fit; Fig. 4 of the paper has fewer.
    const LEVELS: [u8; 7] = [1, 2, 3, 4, 5, 6, 7];
    let stage = Stage::named("B14-15000-a15")?;
    let poses = steps(&stage, STEPS);
    let mut times = [const { [const { Vec::new() }; 2] }; LEVELS.len()];
    let (mut ours, mut empty) = (Vec::new(), [const { Vec::new() }; LEVELS.len()]);
    for _ in 0..ROUNDS {
        for (k, l) in LEVELS.into_iter().enumerate() {
            for (times, placement) in times[k].iter_mut().zip([Placement::Direct, Placement::Sorted]) {
                times.push(fixed_updates(&stage, &poses, published(placement, l))?);
            }
            empty[k].push(every_bucket(l));
        }
        ours.push(adaptive_updates(&stage, &poses)?);
    }
    let mut sheet = Sheet::new([
        "levels",
        "buckets",
        "occupied nodes",
        "algorithm 1",
        "against 1 level",
        "against one level less",
        "if every bucket were looked at",
        "that against one level less",
        "algorithm 2",
    ]);
    for (k, l) in LEVELS.into_iter().enumerate() {
        let [one, two] = &times[k];
        let growth = if k == 0 { Value::Nothing } else { Value::times(ratio(one, &times[k - 1][0])) };
        let all: Vec<Vec<f64>> = (0..LEVELS.len())
            .map(|k| times[k][0].iter().zip(&empty[k]).map(|(a, b)| a + b).collect())
            .collect();
        let with_empty = if k == 0 { Value::Nothing } else { Value::times(ratio(&all[k], &all[k - 1])) };
        row!(
            sheet,
            l as usize,
            8_usize.pow(l.into()),
            occupied(&stage, &poses[0], l),
            Value::Seconds(smallest(one)),
            Value::times(ratio(one, &times[0][0])),
            growth,
            Value::Seconds(smallest(&all[k])),
            with_empty,
            Value::Seconds(smallest(two))
        );
    }
    let points = |a: usize| {
        LEVELS.iter().zip(&times).map(|(l, t)| (f64::from(*l), 1e3 * smallest(&t[a]))).collect::<Vec<_>>()
    };
    let how = format!(
        "a soup of 15,000 triangles, alpha 15 degrees, octrees of 1 to 7 levels, {STEPS} steps, {ROUNDS} repetitions in \
         turn. “If every bucket were looked at” adds the time to read and compare the mark of each of the 8^l buckets."
    );
    let at = |column: &str, level: usize| cell(column).at("levels", level);
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "up until 4 levels (4096 buckets), the time for updating the structure grows linearly",
            "Section 5, Fig. 4",
            "4 levels take {} × the time of one (linear: 4)",
            at("against 1 level", 4),
            &limits::FOUR_LEVELS,
        ))
        .claim(
            Claim::new(
                "From the fifth level upwards, the exponential factor due to the octree significantly degrades performance.",
                "Section 5, Fig. 4",
                "the fifth level takes {} × the time of the fourth",
                at("against one level less", 5),
                &limits::DOUBLES,
            )
            .because(
                "Marks spare the step every empty bucket, so that time follows the occupied nodes, which grow less than \
                 eightfold once buckets outnumber primitives.",
                "the fifth level has {} × the occupied nodes of the fourth",
                at("occupied nodes", 5).over(at("occupied nodes", 4)),
                &limits::LESS_THAN_EIGHT,
            ),
        )
        .claim(Claim::new(
            "the number of operations depends linearly on the number of primitives and exponentially on the number of levels",
            "Section 5",
            "with every bucket looked at, the seventh level takes {} × the time of the sixth",
            at("that against one level less", 7),
            &limits::DOUBLES,
        ))
        .remark(format!(
            "Crumple's default, an octree as deep as the soup is dense, takes {} and does not ask for a number of \
             levels.",
            crumple_io::report::seconds(smallest(&ours))
        ))
        .plot(
            Plot::new("Update against levels")
                .x("levels", Scale::Linear)
                .y("milliseconds", Scale::Linear)
                .series(Series::line("algorithm 1", points(0)))
                .series(Series::line("algorithm 2", points(1)))
                .mark_y(1e3 * smallest(&ours), "Crumple, adaptive"),
        ))
}

/// Seconds to read the mark of each bucket of an octree and compare it with the step's.
fn every_bucket(levels: u8) -> f64 {
    let marks: Vec<u32> = (0..8_u32.pow(levels.into())).map(|k| k % 7).collect();
    let (seconds, count) = timed(|| marks.iter().filter(|m| **m == 3).count());
    std::hint::black_box(count);
    seconds
}

/// Nodes of an octree of so many levels that hold the centre of a triangle, the root included.
fn occupied(stage: &Stage, pose: &Pose, levels: u8) -> usize {
    let at = |t: usize, k: usize| -> f64 {
        stage.mesh.triangles()[t].iter().map(|v| pose.0[0][v.index()][k]).sum::<f64>() / 3.0
    };
    let centres: Vec<[f64; 3]> =
        (0..stage.mesh.triangles().len()).map(|t| std::array::from_fn(|k| at(t, k))).collect();
    let (low, high) = crumple_scenes::vector::bounds(&centres);
    let mut count = 0;
    for level in 0..=levels {
        let n = f64::from(1_u32 << level);
        let index = |x: f64, k: usize| (n * (x - low[k]) / (high[k] - low[k])).floor().min(n - 1.0) as u64;
        let mut cells: Vec<u64> =
            centres.iter().map(|c| (0..3).fold(0, |code, k| (code << BITS) | index(c[k], k))).collect();
        cells.sort_unstable();
        cells.dedup();
        count += cells.len();
    }
    count
}
