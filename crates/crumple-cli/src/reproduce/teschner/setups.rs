//! The five set-ups of Tables 1 and 2, and their growth (T19, T25 to T29).

use anyhow::Result;
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Detector, Frame, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::{Contender, against_truth, hashes, published};
use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Lap, Stage, deviation, extremes, mean, plural, race};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, power, range, sum};
use crate::reproduce::sheet::{Sheet, Value, digits, ms, row};

/// A set-up and its row of Table 2.
pub struct Setup {
    pub letter: &'static str,
    pub scene: &'static str,
    /// The row of the table as it is printed.
    printed: &'static str,
    /// Milliseconds: mean, least, most, deviation.
    pub paper: [f64; 4],
    /// Steps that a sample takes of the thousand.
    pub sample: usize,
    /// Of those, steps that brute force repeats.
    proof: usize,
}

/// Steps that the paper averages over.
pub const STEPS: usize = 1000;

/// Steps of the set-up that another is measured by.
const REFERENCE: usize = 25;
/// Steps a second that the paper calls real time.
pub const HERTZ: f64 = 15.0;

/// Tables 1 and 2 of the paper, and the steps of a sample.
pub const SETUPS: [Setup; 5] = [
    Setup {
        letter: "A",
        scene: "T25",
        printed: "A: average 4.3, minimum 4.1, maximum 6.5, deviation 0.24 ms",
        paper: [4.3, 4.1, 6.5, 0.24],
        sample: 250,
        proof: 10,
    },
    Setup {
        letter: "B",
        scene: "T26",
        printed: "B: average 12.6, minimum 11.3, maximum 15.0, deviation 0.59 ms",
        paper: [12.6, 11.3, 15.0, 0.59],
        sample: 125,
        proof: 4,
    },
    Setup {
        letter: "C",
        scene: "T27",
        printed: "C: average 30.4, minimum 28.9, maximum 34.4, deviation 1.25 ms",
        paper: [30.4, 28.9, 34.4, 1.25],
        sample: 50,
        proof: 2,
    },
    Setup {
        letter: "D",
        scene: "T28",
        printed: "D: average 70.0, minimum 68.5, maximum 72.1, deviation 0.86 ms",
        paper: [70.0, 68.5, 72.1, 0.86],
        sample: 40,
        proof: 1,
    },
    Setup {
        letter: "E",
        scene: "T29",
        printed: "E: average 172.5, minimum 170.5, maximum 174.6, deviation 1.08 ms",
        paper: [172.5, 170.5, 174.6, 1.08],
        sample: 20,
        proof: 1,
    },
];

/// Repetitions of each step; its time is the best.
pub const ROUNDS: usize = 3;

/// The paper's method and ours on some steps of a set-up, each repeated.
pub fn laps(stage: &Stage, steps: usize, rounds: usize) -> Result<Vec<Lap>> {
    let poses = stage.poses(steps);
    let as_published = hashes(stage, &poses[0], [published(stage)])?.remove(0);
    let ours = SpatialHash::new(SpatialHashParams::default())?;
    let mut both = [Contender::Published(Box::new(as_published)), Contender::Ours(Box::new(ours))];
    let slices = poses[0].slices();
    both[1].update(&stage.mesh, Frame::new(&slices))?;
    race(&mut both, &stage.mesh, &poses, Pairs::All, rounds)
}

/// One row of Table 2.
pub fn table(k: usize, extent: Extent) -> Result<Finding> {
    let setup = &SETUPS[k];
    // Times of other machines compare as ratios: B is the measure of all, C that of B.
    let measure = &SETUPS[if k == 1 { 2 } else { 1 }];
    let (stage, other) = (Stage::named(setup.scene)?, Stage::named(measure.scene)?);
    let steps = extent.steps(setup.sample, STEPS);
    let rounds = extent.rounds(ROUNDS);
    let both = laps(&stage, steps, rounds)?;
    let reference = laps(&other, extent.steps(REFERENCE, STEPS), rounds)?;
    let mut sheet = Sheet::new([
        "",
        "mean",
        "least",
        "most",
        "deviation",
        "per primitive",
        "against",
        "work against",
        "missed",
        "invented",
    ]);
    let each = |milliseconds: f64, stage: &Stage| milliseconds * 1e-3 / stage.primitives() as f64;
    let printed = each(setup.paper[0], &stage) / each(measure.paper[0], &other);
    let hash = &mut hashes(&stage, &stage.pose(0), [published(&stage)])?[0];
    let [truth, missed, invented] = against_truth(&stage, &stage.poses(setup.proof), hash)?;
    let [a, b, c, d] = setup.paper.map(ms);
    let nothing = || Value::Nothing;
    row!(
        sheet,
        "paper, 2003",
        a,
        b,
        c,
        d,
        Value::Seconds(each(setup.paper[0], &stage)),
        Value::Times(printed),
        nothing(),
        nothing(),
        nothing()
    );
    let work = |lap: &Lap, stage: &Stage| lap.count(|s| s.visits + s.tests) / stage.primitives() as f64;
    let wrong = [[Value::from(missed), Value::from(invented)], [nothing(), nothing()]];
    for (m, (name, [missed, invented])) in ["as published", "Crumple"].into_iter().zip(wrong).enumerate() {
        let seconds = &both[m].seconds;
        // One ratio for each repetition, of the sums over all steps.
        let size = other.primitives() as f64 / stage.primitives() as f64 * reference[m].seconds.len() as f64
            / seconds.len() as f64;
        let times = both[m].against(&reference[m]).scaled(size);
        let (least, most) = extremes(seconds);
        let [a, b, c, d] = [mean(seconds), least, most, deviation(seconds)].map(Value::Seconds);
        let per_primitive = Value::Seconds(mean(seconds) / stage.primitives() as f64);
        let counted = Value::Times(work(&both[m], &stage) / work(&reference[m], &other));
        row!(sheet, name, a, b, c, d, per_primitive, Value::times(times), counted, missed, invented);
    }
    let how = format!(
        "{steps} of {STEPS} steps of our set-up {} ({}, {} tets, {} vertices), {rounds} repetitions, each step's best; \
         “against” and “work against” are the time and the \
         cells and vertices met per primitive, over those of set-up {}. Brute force repeats {} of the steps and finds \
         {truth} vertices in tets.",
        setup.letter,
        plural(stage.mesh.meshes().len(), "object"),
        thousands(stage.mesh.tets().len()),
        thousands(stage.mesh.vertex_count()),
        measure.letter,
        setup.proof
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            setup.printed,
            "Table 2",
            "milliseconds of 2003 are no target; the time per primitive over that of another set-up differs from the \
             paper's ratio by {} ×",
            cell("against").at("", "as published").over(cell("against").at("", "paper, 2003")).off(),
            &limits::AS_IN_PAPER,
        )
        .because(
            "Not the method but the scene: the cells and vertices that a primitive of ours meets differ from those of the \
             other set-up in the same way.",
            "the ratio of times differs from the ratio of work by {} ×",
            cell("against").over(cell("work against")).at("", "as published").off(),
            &limits::AS_IN_PAPER,
        ))
        .claim(Claim::new(
            "for all tetrahedrons all vertices in a local neighborhood are tested for collision",
            "Section 5",
            "against brute force, {} are missed or invented",
            sum("missed").plus(sum("invented")).at("", "as published"),
            &limits::NONE,
        ))
        .remark(format!(
            "{} vertices are in foreign tets in a mean step. Crumple's default, which is exact, is {} × faster \
             than the published method on the same core.",
            digits(both[1].contacts() as f64 / steps as f64),
            digits(both[0].mean() / both[1].mean())
        )))
}

/// T19: p, q and the exponents of work and time.
pub fn linear(extent: Extent) -> Result<Finding> {
    /// Steps of each set-up at most.
    const MOST_STEPS: usize = 20;
    let mut sheet = Sheet::new([
        "set-up",
        "objects of 500 tets",
        "primitives",
        "p",
        "q",
        "load",
        "longest entry",
        "cells and vertices met",
        "paper",
        "as published",
        "Crumple",
    ]);
    let (mut times, mut ours, mut printed) = (Vec::new(), Vec::new(), Vec::new());
    for setup in &SETUPS {
        let stage = Stage::named(setup.scene)?;
        let both = laps(&stage, extent.steps(setup.sample.min(MOST_STEPS), STEPS), extent.rounds(ROUNDS))?;
        let pose = stage.pose(0);
        let slices = pose.slices();
        let hash = &hashes(&stage, &pose, [published(&stage)])?[0];
        let counted = hash.statistics(&stage.mesh, Frame::new(&slices));
        let n = stage.primitives() as f64;
        times.push((n, both[0].mean()));
        ours.push((n, both[1].mean()));
        printed.push((n, setup.paper[0] * 1e-3));
        let [paper, published, ours] =
            [setup.paper[0] * 1e-3, both[0].mean(), both[1].mean()].map(Value::Seconds);
        row!(
            sheet,
            setup.letter,
            if ["B", "C", "E"].contains(&setup.letter) { "yes" } else { "no" },
            stage.primitives(),
            counted.cells_per_tet,
            counted.vertices_per_cell,
            counted.load,
            counted.longest_entry,
            both[0].count(|s| s.visits + s.tests),
            paper,
            published,
            ours
        );
    }
    let in_ms = |points: &[(f64, f64)]| points.iter().map(|(n, s)| (*n, 1e3 * s)).collect::<Vec<_>>();
    let how = format!(
        "all five set-ups, up to {MOST_STEPS} steps each; p and q counted in the first step, with cells as large as the \
         mean edge. Work is the number of cells visited and vertices tested, mean per step."
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "the time complexity of the algorithm turns out to be linearly dependent on the number of primitives",
            "Section 5",
            "work grows as n to the power of {}",
            power("primitives", "cells and vertices met"),
            &limits::LINEAR,
        ).because(
            "The set-ups differ in more than their number: the tets of D share vertices with more others, and those of A with \
             fewer. Where the objects are the same, in B, C and E, work is linear.",
            "in B, C and E work grows as n to the power of {}",
            power("primitives", "cells and vertices met").at("objects of 500 tets", "yes"),
            &limits::LINEAR,
        ))
        .claim(Claim::new(
            "If the cell size is chosen to be proportional to the average tetrahedron size, p is a constant.",
            "Section 5",
            "p differs by {} × between the set-ups",
            range("p"),
            &limits::CONSTANT,
        ))
        .claim(Claim::new(
            "If there are no hash collisions, the average number of tetrahedrons per cell is constant too and so is q",
            "Section 5",
            "q differs by {} × between the set-ups",
            range("q"),
            &limits::CONSTANT,
        ))
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
