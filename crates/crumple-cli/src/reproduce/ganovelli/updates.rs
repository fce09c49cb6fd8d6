//! Keeping primitives in their buckets (B13, B14).

use anyhow::Result;
use crumple::methods::bucket_tree::published::Placement;
use crumple_io::report::{Plot, Scale, Series};

use super::{adaptive_updates, fixed_updates, pictures, published, steps};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage, ratio, smallest, timed};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, sum};
use crate::reproduce::sheet::{Sheet, Value, row};

/// Steps of each run, and repetitions of it.
const STEPS: usize = 8;
const ROUNDS: usize = 5;
/// Coordinates that differ by less stand in the same place: a rigid motion is summed up in floating point.
const LEVEL: f64 = 1e-12;
/// Slabs along an axis, of 4 levels as in Fig. 3 of the paper.
const SLABS: f64 = 16.0;
/// Degrees of free motion, and the most primitives of Fig. 3 of the paper.
const FREE: usize = 180;
const MOST: usize = 15_000;

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
        if left[i] <= right[j] + LEVEL {
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
pub fn coherence(_: Extent) -> Result<Finding> {
    /// Degrees, from rigid to free motion.
    const ANGLES: [usize; 5] = [0, 15, 45, 90, 180];
    let mut sheet =
        Sheet::new(["alpha", "passed per primitive and axis", "update: algorithm 1", "update: algorithm 2"]);
    let (mut one, mut two) = (Vec::new(), Vec::new());
    for alpha in ANGLES {
        let stage = Stage::named(&format!("B14-15000-a{alpha}"))?;
        let poses = steps(&stage, STEPS);
        let n = passed(&stage, &poses[..4]);
        let [a, b] = [Placement::Direct, Placement::Sorted].map(|p| {
            (0..2).map(|_| fixed_updates(&stage, &poses, published(p, 4))).collect::<Result<Vec<_>>>()
        });
        let (a, b) = (smallest(&a?), smallest(&b?));
        row!(sheet, alpha, n, Value::Seconds(a), Value::Seconds(b));
        one.push((alpha as f64, 1e3 * a));
        two.push((alpha as f64, 1e3 * b));
    }
    let how = "a soup of 15,000 triangles; how many others a primitive passes along an axis in a step is what \
               insertion sort has to undo. Updates with 4 levels.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "setting α = 0, all the primitives move in the same direction (rigid body motion), hence their order does not \
             change along any axis between two consecutive steps",
            "Section 5",
            "at alpha 0 a primitive passes {} others",
            sum("passed per primitive and axis").at("alpha", 0),
            &limits::NONE,
        ))
        .claim(Claim::new(
            "increasing α we give them more freedom to move",
            "Section 5",
            "at 180 degrees a primitive passes {} × as many as at 15",
            cell("passed per primitive and axis").at("alpha", FREE).over(cell("passed per primitive and axis").at("alpha", 15)),
            &limits::MORE,
        ))
        .picture(
            pictures::within_a_cone()?,
            "Fig. 2: primitives and where each moves in a step, all within 45 degrees of the main direction, in black.",
        )
        .plot(
            Plot::new("Update against alpha")
                .x("alpha, degrees", Scale::Linear)
                .y("milliseconds", Scale::Linear)
                .series(Series::line("algorithm 1", one))
                .series(Series::line("algorithm 2", two)),
        ))
}

/// Seconds of the 3 m subtractions, divisions and floors of eq. 1 alone, for the centres of all primitives.
fn divisions(stage: &Stage, pose: &Pose) -> f64 {
    let centres: Vec<[f64; 3]> = (stage.mesh.triangles().iter())
        .map(|t| std::array::from_fn(|k| t.iter().map(|v| pose.0[0][v.index()][k]).sum::<f64>() / 3.0))
        .collect();
    let (low, high) = crumple_scenes::vector::bounds(&centres);
    let size: [f64; 3] = std::array::from_fn(|k| (high[k] - low[k]) / SLABS);
    let (seconds, sum) = timed(|| {
        let mut sum = 0_u32;
        for c in &centres {
            for k in 0..3 {
                sum = sum.wrapping_add(((c[k] - low[k]) / size[k]).floor() as u32);
            }
        }
        sum
    });
    std::hint::black_box(sum);
    seconds
}

/// B14: both algorithms over the number of primitives.
pub fn algorithms(_: Extent) -> Result<Finding> {
    /// Primitives, up to the most of Fig. 3 of the paper.
    const COUNTS: [usize; 4] = [1000, 5000, 10_000, 15_000];
    /// Rows by algorithm and coherence, columns by count.
    const CASES: [(&str, Placement, usize); 4] = [
        ("algorithm 1, coherent", Placement::Direct, 0),
        ("algorithm 1, not", Placement::Direct, 180),
        ("algorithm 2, coherent", Placement::Sorted, 0),
        ("algorithm 2, not", Placement::Sorted, 180),
    ];
    let mut sheet = Sheet::new([
        "primitives",
        "algorithm 1, coherent",
        "algorithm 1, not",
        "algorithm 2, coherent",
        "algorithm 2, not",
        "1: not / coherent",
        "2: not / coherent",
        "coherent: 2 / 1",
        "not: 2 / 1",
        "divisions of 1 alone",
        "passed per primitive",
        "Crumple, not",
    ]);
    let mut lines = [const { Vec::new() }; CASES.len()];
    for count in COUNTS {
        let stages = [0, FREE].map(|alpha| Stage::named(&format!("B14-{count}-a{alpha}")));
        let [still, free] = stages;
        let stages = [still?, free?];
        let poses = stages.each_ref().map(|stage| steps(stage, STEPS));
        let of = |alpha: usize| usize::from(alpha != 0);
        let mut times = [const { Vec::new() }; CASES.len()];
        let (mut ours, mut alone) = (Vec::new(), Vec::new());
        // In turn, so that a busy moment falls on all.
        for _ in 0..ROUNDS {
            for (times, (_, placement, alpha)) in times.iter_mut().zip(CASES) {
                let k = of(alpha);
                times.push(fixed_updates(&stages[k], &poses[k], published(placement, 4))?);
            }
            ours.push(adaptive_updates(&stages[1], &poses[1])?);
            alone.push(divisions(&stages[1], &poses[1][0]));
        }
        for (line, times) in lines.iter_mut().zip(&times) {
            line.push((count as f64, 1e3 * smallest(times)));
        }
        let [a, b, c, d] = times.each_ref().map(|t| Value::Seconds(smallest(t)));
        let over = |x: usize, y: usize| Value::times(ratio(&times[x], &times[y]));
        let share = Value::Share(smallest(&alone) / smallest(&times[1]));
        row!(
            sheet,
            count,
            a,
            b,
            c,
            d,
            over(1, 0),
            over(3, 2),
            over(2, 0),
            over(3, 1),
            share,
            passed(&stages[1], &poses[1][..3]),
            Value::Seconds(smallest(&ours))
        );
    }
    let plot = Plot::new("Update with 4 levels").x("primitives", Scale::Linear).y("milliseconds", Scale::Log);
    let plot = CASES.iter().zip(lines).fold(plot, |plot, ((name, _, alpha), line)| {
        let series = Series::line(*name, line);
        plot.series(if *alpha == 0 { series } else { series.dashed() })
    });
    let how = format!(
        "soups of 1000 to 15,000 triangles, 4 levels, {STEPS} steps, {ROUNDS} repetitions in turn; coherent is rigid motion \
         (alpha 0), not coherent is free directions (alpha 180) with steps of up to a quarter of the spacing. “Divisions of \
         1 alone” is the time of the subtractions, divisions and floors of eq. 1, as a share of algorithm 1."
    );
    let at = |column: &str| cell(column).at("primitives", MOST);
    Ok(Finding::new(how, sheet)
        .claim(
            Claim::new(
                "Algorithm 1 is not affected by frame to frame coherency",
                "Section 5, Fig. 3",
                "at 15,000 it takes {} × the time without coherence, or its inverse",
                at("1: not / coherent").off(),
                &limits::EQUAL_WORK,
            )
            .because(
                "Its work is the same, but the processor foresees where primitives go when they go where they went: without \
                 coherence writes and branches are less regular.",
                "with coherence primitives pass no other, without they pass {} each",
                at("passed per primitive"),
                &limits::SOME,
            ),
        )
        .claim(Claim::new(
            "Algorithm 2 works better when frame to frame coherency is introduced",
            "Section 5, Fig. 3",
            "at 15,000 it takes {} × the time without coherence",
            at("2: not / coherent"),
            &limits::MORE,
        ))
        .claim(
            Claim::new(
                "it exhibits almost the same performance than Algorithm 1 also without up until to 15000 primiteves",
                "Section 5, Fig. 3",
                "without coherence algorithm 2 takes {} × the time of algorithm 1 at 15,000",
                at("not: 2 / 1"),
                &limits::ALMOST,
            )
            .because(
                "Each primitive passes many others in a step, and insertion sort makes a move for each, on every axis; the \
                 divisions that it spares are three.",
                "a primitive passes {} others per axis",
                at("passed per primitive"),
                &limits::MORE_THAN_THREE,
            ),
        )
        .claim(
            Claim::new(
                "we can take advantage of the fact that most of the primitives stay in the same bucket between two \
                 consecutive steps, thus avoiding the use of equation 1 to compute the bucket position",
                "Section 3.1",
                "with coherence algorithm 2 takes {} × the time of algorithm 1 at 15,000",
                at("coherent: 2 / 1"),
                &limits::LESS,
            )
            .because(
                "There is little to avoid: subtractions, divisions and floors of all primitives are a small part of what \
                 algorithm 1 does, today.",
                "they take {%} of its time",
                at("divisions of 1 alone"),
                &limits::HALF,
            ),
        )
        .plot(plot))
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
