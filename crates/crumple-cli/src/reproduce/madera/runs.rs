//! The three experiments with their five sets of epsilons (M19 to M24).

use anyhow::{Context, Result};
use crumple::Frame;
use crumple::methods::distance_hierarchy::published::{Published, PublishedParams, Step, Verdict};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple_io::report::{Plot, Scale, Series, seconds};

use super::experiments::Experiment;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage, mean, spread, timed};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// Steps that are taken of each experiment, spread over all.
const STEPS: usize = 40;

/// One set of epsilons, followed through the steps.
struct Run {
    name: String,
    sum: Step,
    verdict: Verdict,
    /// Collisions of each step.
    collisions: Vec<f64>,
    seconds: f64,
}

impl Run {
    fn expanded(&self) -> u64 {
        self.sum.expanded.iter().sum()
    }
}

/// All sets of an experiment, the rule of the text, and Crumple.
struct Replay {
    runs: Vec<Run>,
    /// Pairs of regions that are close, in each step.
    there: Vec<f64>,
    /// The paper's rule with radii of the frame instead of epsilons by hand.
    computed: Run,
    /// Seconds that Crumple takes for the exact distances of all pairs of bodies this close, per step.
    ours: f64,
    steps: usize,
    sheet: Sheet,
}

fn follow(
    stage: &Stage,
    poses: &[Pose],
    params: PublishedParams,
    contact: f64,
    name: String,
) -> Result<(Run, Vec<f64>)> {
    let slices = poses[0].slices();
    let mut published = Published::new(&stage.mesh, Frame::new(&slices), params)?;
    let mut truth = DistanceHierarchy::new(DistanceHierarchyParams::default())?;
    let mut run =
        Run { name, sum: Step::default(), verdict: Verdict::default(), collisions: Vec::new(), seconds: 0.0 };
    let (mut there, mut times) = (Vec::new(), Vec::new());
    for pose in poses {
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let mut least = f64::INFINITY;
        let mut step = Step::default();
        for _ in 0..2 {
            let (s, done) = timed(|| published.update(&stage.mesh, frame).map(|()| published.step()));
            least = least.min(s);
            step = done?;
        }
        times.push(least);
        run.sum += &step;
        run.collisions.push(step.collisions as f64);
        truth.update(&stage.mesh, frame)?;
        let verdict = published.judge(&mut truth, contact)?;
        there.push(verdict.there as f64);
        run.verdict += verdict;
    }
    run.seconds = mean(&times);
    Ok((run, there))
}

fn replay(id: &str) -> Result<Replay> {
    let experiment = Experiment::by_id(id).context("an experiment of the paper")?;
    let stage = Stage::named(experiment.id)?;
    let poses = stage.poses(STEPS);
    let contact = experiment.contact();
    let mut sheet = Sheet::new([
        "epsilons",
        "level 1",
        "level 2",
        "level 3",
        "collisions reported",
        "there",
        "missed",
        "surplus",
        "per step",
    ]);
    let mut runs = Vec::new();
    let mut there = Vec::new();
    for (k, [one, two]) in experiment.sets.iter().enumerate() {
        let list = |levels: &[f64; 3]| levels.map(|e| e.to_string()).join(", ");
        let name = if one == two { list(one) } else { format!("{}; {}", list(one), list(two)) };
        let (run, close) =
            follow(&stage, &poses, experiment.params(k), contact, format!("set {}: {name}", k + 1))?;
        there = close;
        runs.push(run);
    }
    let (computed, _) =
        follow(&stage, &poses, experiment.computed(), contact, "radii of the frame (eq. 6)".to_owned())?;
    for run in runs.iter().chain([&computed]) {
        let level = |k: usize| run.sum.expanded.get(k).copied().unwrap_or(0);
        let v = &run.verdict;
        row!(
            sheet,
            run.name.as_str(),
            level(0),
            level(1),
            level(2),
            run.sum.collisions,
            v.there,
            v.missed,
            v.surplus,
            Value::Seconds(run.seconds)
        );
    }
    let mut hierarchy = DistanceHierarchy::new(DistanceHierarchyParams::default())?;
    let mut times = Vec::new();
    for pose in &poses {
        let slices = pose.slices();
        let (s, done) = timed(|| {
            hierarchy.update(&stage.mesh, Frame::new(&slices)).map(|()| hierarchy.bodies_closer_than(contact))
        });
        done?;
        times.push(s);
    }
    Ok(Replay { runs, there, computed, ours: mean(&times), steps: stage.scene.frames, sheet })
}

impl Replay {
    fn how(&self, what: &str) -> String {
        format!(
            "{what}, {STEPS} of {} steps. Levels 1 to 3 count the nodes expanded in all steps. A collision is a pair of \
             last regions with vertices closer than the last epsilon; “there” are those that exist, by the exact \
             hierarchy, at the smallest of the last epsilons.",
            self.steps
        )
    }

    fn remark(&self) -> String {
        format!(
            "The paper's own rule with radii of the frame misses {} of {}. Crumple needs no epsilon and misses nothing: \
             the exact distances of all pairs of objects that close take {} a step, {} × the time of set 3.",
            self.computed.verdict.missed,
            self.computed.verdict.there,
            seconds(self.ours),
            digits(self.ours / self.runs[2].seconds)
        )
    }

    fn plot(&self, title: &str) -> Plot {
        let stride = self.steps as f64 / STEPS as f64;
        let at = |values: &[f64]| {
            values.iter().enumerate().map(|(k, n)| (k as f64 * stride, *n)).collect::<Vec<_>>()
        };
        let plot = Plot::new(title).x("step", Scale::Linear).y("collisions", Scale::Linear);
        let plot = self.runs.iter().enumerate().fold(plot, |plot, (k, run)| {
            plot.series(Series::line(format!("set {}", k + 1), at(&run.collisions)))
        });
        plot.series(Series::line("there", at(&self.there)).dashed())
    }

    fn finding(&self, what: &str) -> Finding {
        Finding::new(self.how(what), self.sheet.clone()).remark(self.remark())
    }
}

fn numbers<T: std::fmt::Display>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|v| v.to_string()).collect::<Vec<_>>().join(", ")
}

/// M19, M20.
pub fn tori_and_pawns() -> Result<Finding> {
    let all = replay("M19")?;
    let missed: Vec<_> = all.runs.iter().map(|r| r.verdict.missed).collect();
    let reported: Vec<_> = all.runs.iter().map(|r| r.sum.collisions).collect();
    let expanded: Vec<_> = all.runs.iter().map(Run::expanded).collect();
    let falls = missed[0] >= missed[1] && missed[1] >= missed[2] && missed[0] > 0;
    let more = reported[4] > reported[2];
    Ok(all
        .finding("five tori and five pawns that never touch")
        .check(falls, format!("sets 1, 2, 3 miss {} (fewer and fewer)", numbers(&missed[..3])))
        .check(
            missed[2] == 0,
            format!("set 3 finds all: {} of {} missed", missed[2], all.runs[2].verdict.there),
        )
        .check(
            more,
            format!("sets 4 and 5 report {}, set 3 {} (too many)", numbers(&reported[3..]), reported[2]),
        )
        .check(
            expanded[2] < expanded[3] && expanded[2] < expanded[4],
            format!("set 3 expands {} nodes, sets 4 and 5 {}", expanded[2], numbers(&expanded[3..])),
        )
        .plot(all.plot("Fig. 9: collisions reported")))
}

/// M21, M22.
pub fn humans_and_torus() -> Result<Finding> {
    let all = replay("M21")?;
    let [two, three] = [&all.runs[1], &all.runs[2]];
    let compared = |run: &Run| run.sum.compared.iter().sum::<u64>() as f64;
    let least = all.runs.iter().map(|r| r.verdict.missed).min().unwrap_or(0);
    Ok(all
        .finding("three humans round a torus that never touch")
        .check(
            spread(&[two.sum.collisions as f64, three.sum.collisions as f64]) <= 1.01,
            format!(
                "sets 2 and 3 report {} and {} collisions (the same within 1 %)",
                two.sum.collisions, three.sum.collisions
            ),
        )
        .check(
            three.expanded() < two.expanded(),
            format!("set 3 expands {} nodes, set 2 {}", three.expanded(), two.expanded()),
        )
        .check(
            compared(three) < compared(two),
            format!(
                "set 3 compares {} × the pairs of set 2 (25/30 of its time in the paper)",
                digits(compared(three) / compared(two))
            ),
        )
        .check(
            three.verdict.missed as f64 <= 1.01 * least as f64,
            format!("set 3 misses {} of {}, the best set {least}", three.verdict.missed, three.verdict.there),
        )
        .plot(all.plot("Fig. 10: collisions reported")))
}

/// M23, M24.
pub fn tooth_and_cylinder() -> Result<Finding> {
    let all = replay("M23")?;
    // Sets differ in their last epsilon, the distance that counts as a collision: those alike are compared.
    let of = |sets: [usize; 2]| sets.map(|k| all.runs[k].sum.collisions as f64);
    let (ten, eight) = ([0, 2, 4].map(|k| all.runs[k].sum.collisions as f64), of([1, 3]));
    let worst = spread(&ten).max(spread(&eight));
    let every: Vec<f64> = all.runs.iter().map(|r| r.sum.collisions as f64).collect();
    Ok(all
        .finding("a rigid tooth that comes down on a bending cylinder")
        .check(
            worst <= 1.1,
            format!(
                "sets with the same last epsilon report the same within {} × (allowed: 1.1): {}",
                digits(worst),
                numbers(every.iter().map(|n| digits(*n)))
            ),
        )
        .check(spread(&every) <= 1.5, format!("all sets within {} × (allowed: 1.5)", digits(spread(&every))))
        .plot(all.plot("Fig. 11: collisions reported")))
}
