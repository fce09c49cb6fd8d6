//! What the paper concludes from the set-ups (T34 to T36).

use anyhow::Result;
use crumple::Pairs;
use crumple::methods::spatial_hash::published::{PublishedParams, Strangers};
use crumple_io::report::{Plot, Scale, Series};

use super::setups::{HERTZ, ROUNDS, SETUPS, STEPS, laps};
use super::{hashes, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Lap, Stage, deviation, extremes, mean, race, ratio};
use crate::reproduce::limits;
use crate::reproduce::measure::{cell, most, range};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// T34: the same tets as 1, 10 and 100 objects.
pub fn regrouped(extent: Extent) -> Result<Finding> {
    /// Repetitions in turn.
    const REPEATS: usize = 5;
    let steps = extent.steps(8, STEPS);
    let stages = ["T34-1", "T34-10", "T29"].map(Stage::named).into_iter().collect::<Result<Vec<_>>>()?;
    let mut seconds = vec![[const { Vec::new() }; 2]; stages.len()];
    let mut counted = vec![[0.0; 2]; stages.len()];
    // In turn, so that a busy moment of the machine does not fall on one grouping.
    for _ in 0..REPEATS {
        for (k, stage) in stages.iter().enumerate() {
            let both = laps(stage, steps, 1)?;
            (0..2).for_each(|m| seconds[k][m].push(both[m].mean()));
            counted[k] = [both[1].contacts() as f64, both[0].count(|s| s.visits + s.tests)];
        }
    }
    let mut sheet = Sheet::new([
        "objects",
        "tets",
        "cells and vertices met",
        "as published",
        "against 100 objects",
        "Crumple",
        "Crumple against 100 objects",
        "vertices in tets, all steps",
    ]);
    let whole = &seconds[stages.len() - 1];
    for ((stage, times), [hits, work]) in stages.iter().zip(&seconds).zip(&counted) {
        let (objects, tets) = (stage.mesh.meshes().len(), stage.mesh.tets().len());
        let [a, b] = [0, 1].map(|m| Value::Seconds(extremes(&times[m]).0));
        let [x, y] = [0, 1].map(|m| Value::times(ratio(&times[m], &whole[m])));
        row!(sheet, objects, tets, *work, a, x, b, y, *hits);
    }
    let how = format!(
        "set-up E's hundred objects, declared as one, ten and a hundred; {steps} of {STEPS} steps, {REPEATS} repetitions \
         in turn."
    );
    const QUOTE: &str = "The performance is independent from the number of objects. It only depends on the number of \
                         object primitives.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            QUOTE,
            "Section 6",
            "the groupings differ by {} × in work",
            range("cells and vertices met"),
            &limits::EQUAL_WORK,
        ))
        .claim(
            Claim::new(
                QUOTE,
                "Section 6",
                "as one object the time is {} × that of a hundred, or its inverse",
                cell("against 100 objects").at("objects", 1).off(),
                &limits::EQUAL_WORK,
            )
            .because(
                "The work is the same; what differs is the order of the vertices in memory.",
                "the groupings differ by {} × in work",
                range("cells and vertices met"),
                &limits::EQUAL_WORK,
            ),
        )
        .claim(Claim::new(
            "detection of all collisions and self-collisions",
            "Section 6",
            "the groupings differ by {} × in the vertices found in tets",
            range("vertices in tets, all steps"),
            &limits::SAME,
        )))
}

/// T35: steps a second on set-up D.
pub fn throughput(extent: Extent) -> Result<Finding> {
    let setup = &SETUPS[3];
    let stage = Stage::named(setup.scene)?;
    let steps = extent.steps(setup.sample, STEPS);
    let both = laps(&stage, steps, extent.rounds(ROUNDS))?;
    let tets = stage.mesh.tets().len() as f64;
    let mut sheet = Sheet::new(["", "per step", "steps a second", "tets a second"]);
    let times = [setup.paper[0] * 1e-3, both[0].mean(), both[1].mean()];
    for (name, seconds) in ["paper, 2003", "as published", "Crumple"].into_iter().zip(times) {
        row!(sheet, name, Value::Seconds(seconds), 1.0 / seconds, tets / seconds);
    }
    let how =
        format!("set-up D: two vessels, 20,514 tets, 5898 vertices, {steps} of {STEPS} steps, one core.");
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "the detection of all collisions and self-collisions for dynamically deforming objects can be performed with \
             15 Hz with up to 20k tetrahedrons and 6k vertices",
            "Section 6",
            "{} steps a second as published",
            cell("steps a second").at("", "as published"),
            &limits::HERTZ_15,
        ))
        .remark("The paper's own table has 70.0 ms for this set-up, which is 14.3 Hz.")
        .remark(format!(
            "Crumple's default makes {} steps a second; at 15 a second that is room for {} million tets.",
            digits(1.0 / times[2]),
            digits(1e-6 * tets / times[2] / HERTZ)
        )))
}

/// T36: how much time and work vary over the steps.
pub fn steady(extent: Extent) -> Result<Finding> {
    /// Repetitions of each step; the verdict rests on counts, which have no mood.
    const TIMED: usize = 2;
    let mut sheet = Sheet::new([
        "set-up",
        "steps",
        "paper: deviation",
        "paper: most/least",
        "time: deviation",
        "time: most/least",
        "work: deviation",
        "work: most/least",
        "without strangers: deviation",
    ]);
    let mut plot = Plot::new("Work of a step over the mean").x("step", Scale::Linear).y("×", Scale::Linear);
    for setup in &SETUPS {
        let stage = Stage::named(setup.scene)?;
        let steps = extent.steps(setup.sample, STEPS);
        let poses = stage.poses(steps);
        let skip = PublishedParams { strangers: Strangers::Skip, ..published(&stage) };
        let hash = &mut hashes(&stage, &poses[0], [published(&stage), skip])?;
        let laps = &race(hash, &stage.mesh, &poses, Pairs::All, TIMED)?;
        let work = |lap: &Lap| lap.stats.iter().map(|s| (s.visits + s.tests) as f64).collect::<Vec<f64>>();
        let [all, own] = [0, 1].map(|k| work(&laps[k]));
        let share = |v: &[f64]| Value::Share(deviation(v) / mean(v));
        let most_least = |v: &[f64]| Value::Times(extremes(v).1 / extremes(v).0);
        let [average, least, most, deviates] = setup.paper;
        row!(
            sheet,
            setup.letter,
            steps,
            Value::Share(deviates / average),
            Value::Times(most / least),
            share(&laps[0].seconds),
            most_least(&laps[0].seconds),
            share(&all),
            most_least(&all),
            share(&own)
        );
        let stride = STEPS as f64 / steps as f64;
        let normal = mean(&all);
        let points = all.iter().enumerate().map(|(k, n)| (k as f64 * stride, n / normal));
        plot = plot.series(Series::line(setup.letter, points));
    }
    let how = format!(
        "as published, every set-up, a sample of its {STEPS} steps (column “steps”) or all; work is the number of cells \
         visited and vertices tested, which no busy machine disturbs. “Without strangers” leaves out vertices that share \
         an entry by a collision of the hash."
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "The performance varies slightly during simulations due to the changing number of hash collisions and due to \
             a varying distribution of hash table elements.",
            "Section 6",
            "work deviates by at most {%} of its mean",
            most("work: deviation"),
            &limits::STEADY,
        ).because(
            "Not hash collisions: the objects themselves crowd and part in our scenes, and the work of tets with vertices \
             of their own cells varies by nearly as much.",
            "without strangers the largest deviation is {} × as large",
            most("without strangers: deviation").over(most("work: deviation")),
            &limits::MOST_OF_IT,
        ))
        .plot(plot))
}
