//! Keeping primitives in their buckets (B13 to B15).

use anyhow::Result;
use crumple::methods::bucket_tree::published::Placement;
use crumple_io::report::{Plot, Scale, Series};

use super::{adaptive_updates, fixed_updates, published, steps};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage, mean, spread};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// Steps of each run, and runs of which the best is taken.
const STEPS: usize = 8;
const ROUNDS: usize = 3;

/// How many primitives each one passes along an axis from one pose to the next, on average over axes and primitives:
/// the inversions that insertion sort has to undo.
fn passed(stage: &Stage, poses: &[Pose]) -> f64 {
    let triangles = stage.mesh.triangles();
    let centre = |pose: &Pose, t: usize, axis: usize| -> f64 {
        triangles[t].iter().map(|v| pose.0[0][v.index()][axis]).sum()
    };
    let mut total = 0;
    for pair in poses.windows(2) {
        for axis in 0..3 {
            let mut order: Vec<usize> = (0..triangles.len()).collect();
            order.sort_by(|a, b| centre(&pair[0], *a, axis).total_cmp(&centre(&pair[0], *b, axis)));
            let mut now: Vec<f64> = order.iter().map(|t| centre(&pair[1], *t, axis)).collect();
            total += inversions(&mut now);
        }
    }
    total as f64 / (3 * triangles.len() * (poses.len() - 1)) as f64
}

/// Sorts by merging and counts the pairs that stood in the wrong order by more than rounding.
fn inversions(values: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let middle = values.len() / 2;
    let (left, right) = values.split_at_mut(middle);
    let mut count = inversions(left) + inversions(right);
    let mut merged = Vec::with_capacity(values.len());
    let (left, right) = values.split_at(middle);
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        // A rigid motion is summed up in floating point: what was level may differ in the last digits.
        if left[i] <= right[j] + 1e-12 {
            merged.push(left[i]);
            i += 1;
        } else {
            count += (left.len() - i) as u64;
            merged.push(right[j]);
            j += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    values.copy_from_slice(&merged);
    count
}

/// B13: coherence against alpha.
pub fn coherence() -> Result<Finding> {
    const ANGLES: [usize; 5] = [0, 15, 45, 90, 180];
    let mut sheet =
        Sheet::new(["alpha", "passed per primitive and axis", "update: algorithm 1", "update: algorithm 2"]);
    let (mut moves, mut one, mut two) = (Vec::new(), Vec::new(), Vec::new());
    for alpha in ANGLES {
        let stage = Stage::named(&format!("B14-15000-a{alpha}"))?;
        let poses = steps(&stage, STEPS);
        let n = passed(&stage, &poses[..4]);
        let [a, b] = [Placement::Direct, Placement::Sorted]
            .map(|p| fixed_updates(&stage, &poses, published(p, 4), ROUNDS).map(|t| mean(&t)));
        let (a, b) = (a?, b?);
        row!(sheet, alpha, n, Value::Seconds(a), Value::Seconds(b));
        moves.push(n);
        one.push((alpha as f64, 1e3 * a));
        two.push((alpha as f64, 1e3 * b));
    }
    let rises = moves.windows(2).all(|w| w[0] <= w[1]);
    let how = "a soup of 15,000 triangles; how many others a primitive passes along an axis in a step is what \
               insertion sort has to undo. Updates with 4 levels.";
    Ok(Finding::new(how, sheet)
        .check(
            moves[0] == 0.0,
            format!("at alpha 0 a primitive passes {} others (claimed: none)", digits(moves[0])),
        )
        .check(
            rises,
            format!("the number rises with alpha, to {} at 180 degrees", digits(moves[moves.len() - 1])),
        )
        .plot(
            Plot::new("Update against alpha")
                .x("alpha, degrees", Scale::Linear)
                .y("milliseconds", Scale::Linear)
                .series(Series::line("algorithm 1", one))
                .series(Series::line("algorithm 2", two)),
        ))
}

/// B14: both algorithms over the number of primitives.
pub fn algorithms() -> Result<Finding> {
    const COUNTS: [usize; 4] = [1000, 5000, 10_000, 15_000];
    // Rows by algorithm and coherence, columns by count.
    const CASES: [(&str, Placement, usize); 4] = [
        ("algorithm 1, coherent", Placement::Direct, 0),
        ("algorithm 1, not", Placement::Direct, 180),
        ("algorithm 2, coherent", Placement::Sorted, 0),
        ("algorithm 2, not", Placement::Sorted, 180),
    ];
    let mut times = [[0.0; COUNTS.len()]; CASES.len()];
    let mut ours = [0.0; COUNTS.len()];
    for (k, count) in COUNTS.into_iter().enumerate() {
        for alpha in [0, 180] {
            let stage = Stage::named(&format!("B14-{count}-a{alpha}"))?;
            let poses = steps(&stage, STEPS);
            for (c, (_, placement, _)) in CASES.iter().enumerate().filter(|(_, case)| case.2 == alpha) {
                times[c][k] = mean(&fixed_updates(&stage, &poses, published(*placement, 4), ROUNDS)?);
            }
            ours[k] = mean(&adaptive_updates(&stage, &poses, ROUNDS)?);
        }
    }
    let mut sheet = Sheet::new([
        "primitives",
        "algorithm 1, coherent",
        "algorithm 1, not",
        "algorithm 2, coherent",
        "algorithm 2, not",
        "Crumple, not",
    ]);
    for (k, count) in COUNTS.into_iter().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|case| Value::Seconds(times[case][k]));
        row!(sheet, count, a, b, c, d, Value::Seconds(ours[k]));
    }
    let last = COUNTS.len() - 1;
    let at = |case: usize| times[case][last];
    let plot = Plot::new("Update with 4 levels").x("primitives", Scale::Linear).y("milliseconds", Scale::Log);
    let plot = CASES.iter().zip(&times).fold(plot, |plot, ((name, _, alpha), times)| {
        let series = Series::line(*name, COUNTS.iter().zip(times).map(|(n, t)| (*n as f64, 1e3 * t)));
        plot.series(if *alpha == 0 { series } else { series.dashed() })
    });
    let how = "soups of 1000 to 15,000 triangles, 4 levels; coherent is rigid motion (alpha 0), not coherent is free \
               directions (alpha 180) with steps of up to a quarter of the spacing.";
    Ok(Finding::new(how, sheet)
        .check(
            spread(&[at(0), at(1)]) <= 1.3,
            format!(
                "at 15,000, algorithm 1 with and without coherence within {} × (allowed: 1.3)",
                digits(spread(&[at(0), at(1)]))
            ),
        )
        .check(
            at(2) < at(3),
            format!("algorithm 2 is {} × faster with coherence than without", digits(at(3) / at(2))),
        )
        .check(
            at(2) < at(0),
            format!("with coherence it takes {} × the time of algorithm 1", digits(at(2) / at(0))),
        )
        .check(at(3) <= 1.5 * at(1), format!("without coherence {} × (allowed: 1.5)", digits(at(3) / at(1))))
        .remark(
            "A division cost some 40 cycles on a Pentium II and costs a few now, many at a time; a chain of \
             dependent comparisons has gained much less. That is why algorithm 1 is Crumple's choice.",
        )
        .plot(plot))
}

/// B15: update against levels.
pub fn levels() -> Result<Finding> {
    const LEVELS: [u8; 7] = [1, 2, 3, 4, 5, 6, 7];
    let stage = Stage::named("B14-15000-a15")?;
    let poses = steps(&stage, STEPS);
    let mut sheet = Sheet::new(["levels", "buckets", "algorithm 1", "against one level less", "algorithm 2"]);
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for l in LEVELS {
        let [a, b] = [Placement::Direct, Placement::Sorted]
            .map(|p| fixed_updates(&stage, &poses, published(p, l), ROUNDS).map(|t| mean(&t)));
        let (a, b) = (a?, b?);
        let growth = one.last().map_or(Value::Nothing, |before: &f64| Value::Times(a / before));
        row!(sheet, l as usize, 8_usize.pow(l.into()), Value::Seconds(a), growth, Value::Seconds(b));
        one.push(a);
        two.push(b);
    }
    let up_to_four = one[3] / one[0];
    // What the buckets themselves cost: the time over that of four levels.
    let beyond = (one[6] - one[3]) / (one[5] - one[3]);
    let fifth = one[4] / one[3];
    let points =
        |times: &[f64]| LEVELS.iter().zip(times).map(|(l, t)| (f64::from(*l), 1e3 * t)).collect::<Vec<_>>();
    let ours = mean(&adaptive_updates(&stage, &poses, ROUNDS)?);
    let how = "a soup of 15,000 triangles, alpha 15 degrees, octrees of 1 to 7 levels.";
    Ok(Finding::new(how, sheet)
        .check(
            up_to_four <= 4.0,
            format!("from 1 to 4 levels the update grows {} × (linear: at most 4)", digits(up_to_four)),
        )
        .check(
            beyond >= 2.0,
            format!("beyond, the time over that of 4 levels grows {} × from 6 to 7 (at least 2)", digits(beyond)),
        )
        .check(fifth >= 1.5, format!("the fifth level already takes {} × the fourth (at least 1.5)", digits(fifth)))
        .remark(
            "Marks spare a step the empty buckets, as in the paper, so that what grows with the levels is the way \
             through the caches: at 7 levels the 15,000 occupied buckets lie in 75 MB.",
        )
        .remark(format!(
            "Crumple's default, an octree as deep as the soup is dense, takes {} and does not ask for a number of \
             levels.",
            crumple_io::report::seconds(ours)
        ))
        .plot(
            Plot::new("Update against levels")
                .x("levels", Scale::Linear)
                .y("milliseconds", Scale::Linear)
                .series(Series::line("algorithm 1", points(&one)))
                .series(Series::line("algorithm 2", points(&two)))
                .mark_y(1e3 * ours, "Crumple, adaptive"),
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inversions_are_counted() {
        assert_eq!(inversions(&mut [1.0, 2.0, 3.0]), 0);
        assert_eq!(inversions(&mut [3.0, 2.0, 1.0]), 3);
        let mut values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!((inversions(&mut values), values), (4, [1.0, 2.0, 3.0, 4.0]));
    }
}
