//! The five set-ups of Tables 1 and 2, and what the paper concludes from them.

use anyhow::Result;
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Detector, Frame, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::{Contender, against_truth, hashes, published};
use crate::output::thousands;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Lap, Stage, deviation, exponent, extremes, mean, plural, race, spread};
use crate::reproduce::sheet::{Sheet, Value, digits, ms, row};

/// A set-up and its row of Table 2.
struct Setup {
    letter: &'static str,
    scene: &'static str,
    /// Vertices and tets.
    primitives: f64,
    /// Milliseconds: mean, least, most, deviation.
    paper: [f64; 4],
    /// Steps of the thousand that we take.
    steps: usize,
    /// Of those, steps that brute force repeats.
    proof: usize,
}

impl Setup {
    /// The paper's seconds for a vertex or a tet.
    fn per_primitive(&self) -> f64 {
        self.paper[0] * 1e-3 / self.primitives
    }
}

const SETUPS: [Setup; 5] = [
    Setup {
        letter: "A",
        scene: "T25",
        primitives: 2200.0,
        paper: [4.3, 4.1, 6.5, 0.24],
        steps: 250,
        proof: 10,
    },
    Setup {
        letter: "B",
        scene: "T26",
        primitives: 5936.0,
        paper: [12.6, 11.3, 15.0, 0.59],
        steps: 125,
        proof: 4,
    },
    Setup {
        letter: "C",
        scene: "T27",
        primitives: 14_840.0,
        paper: [30.4, 28.9, 34.4, 1.25],
        steps: 50,
        proof: 2,
    },
    Setup {
        letter: "D",
        scene: "T28",
        primitives: 26_412.0,
        paper: [70.0, 68.5, 72.1, 0.86],
        steps: 40,
        proof: 1,
    },
    Setup {
        letter: "E",
        scene: "T29",
        primitives: 74_200.0,
        paper: [172.5, 170.5, 174.6, 1.08],
        steps: 20,
        proof: 1,
    },
];

/// Repetitions of each step; its time is the best.
const ROUNDS: usize = 3;

/// The paper's method and ours on some steps of a set-up.
fn laps(stage: &Stage, steps: usize) -> Result<Vec<Lap>> {
    let poses = stage.poses(steps);
    let as_published = hashes(stage, &poses[0], [published(stage)])?.remove(0);
    let ours = SpatialHash::new(SpatialHashParams::default())?;
    let mut both = [Contender::Published(Box::new(as_published)), Contender::Ours(Box::new(ours))];
    let slices = poses[0].slices();
    both[1].update(&stage.mesh, Frame::new(&slices))?;
    race(&mut both, &stage.mesh, &poses, Pairs::All, ROUNDS)
}

/// One row of Table 2.
pub fn table(k: usize) -> Result<Finding> {
    let setup = &SETUPS[k];
    // Times of other machines compare as ratios: B is the measure of all, C that of B.
    let measure = &SETUPS[if k == 1 { 2 } else { 1 }];
    let (stage, other) = (Stage::named(setup.scene)?, Stage::named(measure.scene)?);
    let both = laps(&stage, setup.steps)?;
    let reference = laps(&other, 25)?;
    let against = format!("against {}", measure.letter);
    let mut sheet = Sheet::new(["", "mean", "least", "most", "deviation", "per primitive", against.as_str()]);
    let printed = setup.per_primitive() / measure.per_primitive();
    let [a, b, c, d] = setup.paper.map(ms);
    row!(sheet, "paper, 2003", a, b, c, d, Value::Seconds(setup.per_primitive()), Value::Times(printed));
    let mut ratios = Vec::new();
    for (m, name) in ["as published, now", "Crumple"].into_iter().enumerate() {
        let seconds = &both[m].seconds;
        let each = mean(seconds) / stage.primitives() as f64;
        let ratio = each / (reference[m].mean() / other.primitives() as f64);
        ratios.push(ratio);
        let (least, most) = extremes(seconds);
        let [a, b, c, d] = [mean(seconds), least, most, deviation(seconds)].map(Value::Seconds);
        row!(sheet, name, a, b, c, d, Value::Seconds(each), Value::Times(ratio));
    }
    let hash = &mut hashes(&stage, &stage.pose(0), [published(&stage)])?[0];
    let [truth, missed, invented] = against_truth(&stage, &stage.poses(setup.proof), hash)?;
    let off = (ratios[0] / printed).max(printed / ratios[0]);
    let how = format!(
        "{} of 1000 steps of our set-up {} ({}, {} tets, {} vertices), best of {ROUNDS} repetitions each; the \
         last column is the time per primitive over that of set-up {}.",
        setup.steps,
        setup.letter,
        plural(stage.mesh.meshes().len(), "object"),
        thousands(stage.mesh.tets().len()),
        thousands(stage.mesh.vertex_count()),
        measure.letter
    );
    Ok(Finding::new(how, sheet)
        .check(
            off <= 2.0,
            format!(
                "a primitive costs {} × one of set-up {}, in the paper {} × (allowed: a factor of 2)",
                digits(ratios[0]),
                measure.letter,
                digits(printed)
            ),
        )
        .check(
            missed + invented == 0,
            format!(
                "against brute force in {}: {truth} vertices in tets, {missed} missed, {invented} invented",
                plural(setup.proof, "step")
            ),
        )
        .remark(format!(
            "{} vertices are in foreign tets in a mean step. Crumple's default, which is exact, is {} × faster \
             than the published method on the same core.",
            digits(both[1].contacts() as f64 / setup.steps as f64),
            digits(both[0].mean() / both[1].mean())
        )))
}

/// T19: p, q and the exponent of the time.
pub fn linear() -> Result<Finding> {
    let mut sheet = Sheet::new([
        "set-up",
        "primitives",
        "p",
        "q",
        "load",
        "longest entry",
        "paper",
        "as published",
        "Crumple",
    ]);
    let (mut times, mut ours, mut printed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut p, mut q) = (Vec::new(), Vec::new());
    for setup in &SETUPS {
        let stage = Stage::named(setup.scene)?;
        let both = laps(&stage, setup.steps.min(20))?;
        let pose = stage.pose(0);
        let slices = pose.slices();
        let hash = &hashes(&stage, &pose, [published(&stage)])?[0];
        let counted = hash.statistics(&stage.mesh, Frame::new(&slices));
        let n = stage.primitives() as f64;
        times.push((n, both[0].mean()));
        ours.push((n, both[1].mean()));
        printed.push((n, setup.paper[0] * 1e-3));
        p.push(counted.cells_per_tet);
        q.push(counted.vertices_per_cell);
        let [paper, published, ours] =
            [setup.paper[0] * 1e-3, both[0].mean(), both[1].mean()].map(Value::Seconds);
        row!(
            sheet,
            setup.letter,
            stage.primitives(),
            counted.cells_per_tet,
            counted.vertices_per_cell,
            counted.load,
            counted.longest_entry,
            paper,
            published,
            ours
        );
    }
    let power = exponent(&times);
    let in_ms = |points: &[(f64, f64)]| points.iter().map(|(n, s)| (*n, 1e3 * s)).collect::<Vec<_>>();
    let how = "all five set-ups, up to 20 steps each; p and q counted in the first step, with cells as large as \
               the mean edge.";
    Ok(Finding::new(how, sheet)
        .check(
            (0.8..=1.2).contains(&power),
            format!(
                "time grows as n^{power:.2} from 2200 to 74,200 primitives (paper's own table: n^{:.2}; allowed: \
                 0.8 to 1.2)",
                exponent(&printed)
            ),
        )
        .check(
            spread(&p) <= 2.0 && spread(&q) <= 2.0,
            format!("p within {} ×, q within {} × (allowed: 2)", digits(spread(&p)), digits(spread(&q))),
        )
        .plot(
            Plot::new("Time per step")
                .x("primitives (vertices and tets)", Scale::Log)
                .y("milliseconds", Scale::Log)
                .series(Series::line("as published, now", in_ms(&times)))
                .series(Series::line("Crumple", in_ms(&ours)))
                .series(Series::line("paper, 2003", in_ms(&printed)).dashed())
                .caption("Equal slopes: the cost follows the number of primitives, then and now."),
        ))
}

/// T34: the same tets as 1, 10 and 100 objects.
pub fn regrouped() -> Result<Finding> {
    const STEPS: usize = 8;
    let stages = ["T34-1", "T34-10", "T29"].map(Stage::named).into_iter().collect::<Result<Vec<_>>>()?;
    let mut best = vec![[f64::INFINITY; 2]; stages.len()];
    let mut hits = vec![0; stages.len()];
    // In turn, so that a busy moment of the machine does not fall on one grouping.
    for _ in 0..3 {
        for (k, stage) in stages.iter().enumerate() {
            let both = laps(stage, STEPS)?;
            best[k] = [0, 1].map(|m| best[k][m].min(both[m].mean()));
            hits[k] = both[1].contacts();
        }
    }
    let mut sheet = Sheet::new(["objects", "tets", "as published", "Crumple", "vertices in tets, all steps"]);
    for ((stage, [published, ours]), hits) in stages.iter().zip(&best).zip(&hits) {
        let (objects, tets) = (stage.mesh.meshes().len(), stage.mesh.tets().len());
        row!(sheet, objects, tets, Value::Seconds(*published), Value::Seconds(*ours), *hits);
    }
    let [times, ours] = [0, 1].map(|m| spread(&best.iter().map(|b| b[m]).collect::<Vec<_>>()));
    let how = format!("set-up E's hundred objects, declared as one, ten and a hundred; {STEPS} steps each.");
    Ok(Finding::new(how, sheet)
        .check(times <= 1.25, format!("times within {} × of each other (allowed: 1.25)", digits(times)))
        .check(
            hits.iter().all(|h| *h == hits[0]),
            format!("the same {} vertices in tets every time", hits[0]),
        )
        .remark(format!("Crumple's default: within {} ×.", digits(ours))))
}

/// T35: steps a second on set-up D.
pub fn throughput() -> Result<Finding> {
    let setup = &SETUPS[3];
    let stage = Stage::named(setup.scene)?;
    let both = laps(&stage, setup.steps)?;
    let tets = stage.mesh.tets().len() as f64;
    let mut sheet = Sheet::new(["", "per step", "steps a second", "tets a second"]);
    let times = [setup.paper[0] * 1e-3, both[0].mean(), both[1].mean()];
    for (name, seconds) in ["paper, 2003", "as published, now", "Crumple"].into_iter().zip(times) {
        row!(sheet, name, Value::Seconds(seconds), 1.0 / seconds, tets / seconds);
    }
    let how = format!("set-up D: two vessels, 20,514 tets, 5898 vertices, {} of 1000 steps.", setup.steps);
    Ok(Finding::new(how, sheet)
        .check(
            times[1] <= 1.0 / 15.0,
            format!("{} steps a second as published, on one core (claimed: 15)", digits(1.0 / times[1])),
        )
        .remark(format!(
            "Crumple's default makes {} steps a second; at 15 a second that is room for {} million tets.",
            digits(1.0 / times[2]),
            digits(tets * 1e-6 / times[2] / 15.0)
        )))
}

/// T36: how much time and work vary over the steps.
pub fn steady() -> Result<Finding> {
    let mut sheet = Sheet::new([
        "set-up",
        "steps",
        "paper: deviation",
        "paper: most/least",
        "time: deviation",
        "time: most/least",
        "work: deviation",
        "work: most/least",
    ]);
    let (mut times, mut works) = (Vec::new(), Vec::new());
    let mut plot = Plot::new("Time of a step over the mean").x("step", Scale::Linear).y("×", Scale::Linear);
    for setup in &SETUPS {
        let stage = Stage::named(setup.scene)?;
        let poses = stage.poses(setup.steps);
        let hash = &mut hashes(&stage, &poses[0], [published(&stage)])?;
        let lap = &race(hash, &stage.mesh, &poses, Pairs::All, ROUNDS)?[0];
        let work: Vec<f64> = lap.stats.iter().map(|s| (s.visits + s.tests) as f64).collect();
        let [time_share, work_share] = [&lap.seconds, &work].map(|v| deviation(v) / mean(v));
        times.push(time_share);
        works.push(work_share);
        let [average, least, most, deviates] = setup.paper;
        row!(
            sheet,
            setup.letter,
            setup.steps,
            Value::Share(deviates / average),
            Value::Times(most / least),
            Value::Share(time_share),
            Value::Times(spread(&lap.seconds)),
            Value::Share(work_share),
            Value::Times(spread(&work))
        );
        let stride = 1000.0 / setup.steps as f64;
        let normal = lap.mean();
        let points = lap.seconds.iter().enumerate().map(|(k, s)| (k as f64 * stride, s / normal));
        plot = plot.series(Series::line(setup.letter, points));
    }
    let [time, work] = [&times, &works].map(|v| 100.0 * extremes(v).1);
    let how = "as published, every set-up over its thousand steps; work is the number of cells visited and \
               vertices tested, which no busy machine disturbs.";
    Ok(Finding::new(how, sheet)
        .check(
            work <= 10.0,
            format!("work deviates by at most {} % of its mean (allowed: 10 %)", digits(work)),
        )
        .check(time <= 20.0, format!("time by at most {} % (allowed: 20 %)", digits(time)))
        .plot(plot))
}
