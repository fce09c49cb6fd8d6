//! Calls and tests against the number of triangles (V18, V19).

use anyhow::Result;
use crumple::methods::regularity::RegularityStats;
use crumple::{Contacts, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::{Variant, colliding, found};
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Stage, exponent, mean, missing, spread};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// The counts of one surface: by boxes alone, by the paper's rules, by the same rules with contours, by default.
struct Counts {
    triangles: f64,
    of: [RegularityStats; 4],
    found: [Contacts; 4],
}

impl Counts {
    /// Colliding triangles.
    fn colliding(&self) -> f64 {
        colliding(&self.found[3]) as f64
    }
}

/// Which of [`Counts`].
const BOXES: usize = 0;
const PAPER: usize = 1;
const PROVED: usize = 2;
const OURS: usize = 3;

fn count(name: &str, frame: usize) -> Result<Counts> {
    let stage = Stage::named(name)?;
    let pose = stage.pose(frame);
    let all = [Variant::BoxesOnly, Variant::AsPublished, Variant::WithContours, Variant::Ours];
    let mut of = [RegularityStats::default(); 4];
    let mut found_by: [Contacts; 4] = Default::default();
    for (k, variant) in all.into_iter().enumerate() {
        let mut method = variant.at(&stage, &pose)?;
        found_by[k] = found(&stage, &pose, method.detector(), Pairs::Within)?;
        of[k] = method.stats();
    }
    Ok(Counts { triangles: stage.mesh.triangles().len() as f64, of, found: found_by })
}

/// Triangles and counts of a surface by the paper's rules alone.
fn by_paper(name: &str) -> Result<(f64, RegularityStats)> {
    let stage = Stage::named(name)?;
    let pose = stage.pose(0);
    let mut method = Variant::AsPublished.at(&stage, &pose)?;
    found(&stage, &pose, method.detector(), Pairs::Within)?;
    Ok((stage.mesh.triangles().len() as f64, method.stats()))
}

fn column(all: &[Counts], value: impl Fn(&Counts) -> f64) -> Vec<f64> {
    all.iter().map(value).collect()
}

fn line(name: &str, all: &[Counts], value: impl Fn(&Counts) -> f64) -> Series {
    Series::line(name, all.iter().map(|c| (c.triangles, value(c))))
}

/// The classical part of both plots.
fn classical(title: &str, all: &[Counts]) -> Plot {
    Plot::new(title)
        .x("triangles", Scale::Log)
        .y("number", Scale::Log)
        .series(line("calls (A)", all, |c| c.of[BOXES].calls as f64))
        .series(line("triangle tests (B)", all, |c| c.of[BOXES].tests as f64))
}

/// V18: nothing touches.
pub fn sphere() -> Result<Finding> {
    let names = ["sphere-5k", "sphere-20k", "sphere-80k", "sphere-320k"];
    let all = names.map(|n| count(n, 0)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut sheet = Sheet::new([
        "triangles",
        "boxes: A per triangle",
        "boxes: B per triangle",
        "regularity: A",
        "regularity: B",
        "with contours: A",
        "with contours: B",
        "Crumple: A",
        "Crumple: B",
    ]);
    for c in &all {
        let boxes = &c.of[BOXES];
        row!(
            sheet,
            c.triangles as usize,
            boxes.calls as f64 / c.triangles,
            boxes.tests as f64 / c.triangles,
            c.of[PAPER].calls,
            c.of[PAPER].tests,
            c.of[PROVED].calls,
            c.of[PROVED].tests,
            c.of[OURS].calls,
            c.of[OURS].tests
        );
    }
    let largest = by_paper("sphere-1300k")?;
    sheet.row([
        Value::from(largest.0 as usize),
        Value::Nothing,
        Value::Nothing,
        Value::from(largest.1.calls),
        Value::from(largest.1.tests),
        Value::Nothing,
        Value::Nothing,
        Value::Nothing,
        Value::Nothing,
    ]);
    let per_triangle = column(&all, |c| c.of[BOXES].calls as f64 / c.triangles);
    let tests_each = column(&all, |c| c.of[BOXES].tests as f64 / c.triangles);
    let mut constant: Vec<_> = all.iter().map(|c| (c.triangles, c.of[PAPER].calls as f64)).collect();
    constant.push((largest.0, largest.1.calls as f64));
    let calls: Vec<f64> = constant.iter().map(|p| p.1).collect();
    let power = exponent(&constant);
    let proved = column(&all, |c| c.of[PROVED].calls as f64);
    let tests = largest.1.tests + all.iter().map(|c| c.of[PAPER].tests).sum::<u64>();
    let how = "the first frame of our sphere, 5120 to 1,310,720 triangles, hierarchies of three children as in the \
               paper. A: calls of the recursive procedure; B: elementary triangle tests. “With contours” adds the \
               test that makes the rule a proof; Crumple's default has patches of up to 64 triangles as leaves.";
    Ok(Finding::new(how, sheet)
        .check(
            spread(&per_triangle) <= 1.5,
            format!(
                "boxes alone: {} calls and {} tests per triangle (paper: 20 and 6), calls constant within {} × \
                 (allowed: 1.5)",
                digits(mean(&per_triangle)),
                digits(mean(&tests_each)),
                digits(spread(&per_triangle))
            ),
        )
        .check(
            power <= 0.15,
            format!(
                "regularity: {} calls in all on average (paper: 300), growing as n^{power:.2} from 5120 to 1.3 million \
                 triangles (constant: at most n^0.15)",
                digits(mean(&calls))
            ),
        )
        .check(tests == 0, format!("{tests} triangle tests (paper: never)"))
        .remark(format!(
            "With the contour test, which the paper leaves out, the calls stay constant too: {} on average.",
            digits(mean(&proved))
        ))
        .plot(classical("Tab. 1a: boxes alone", &all))
        .plot(
            Plot::new("Tab. 1b: regularity")
                .x("triangles", Scale::Log)
                .y("number", Scale::Linear)
                .series(Series::line("calls (A)", constant))
                .series(line("calls with contours", &all, |c| c.of[PROVED].calls as f64))
                .series(line("triangle tests (B)", &all, |c| c.of[PAPER].tests as f64)),
        ))
}

/// V19: one line of collisions.
pub fn crossing() -> Result<Finding> {
    let names = ["loop-5k", "loop-20k", "loop-80k", "loop-320k"];
    let all = names.map(|n| count(n, 2)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut sheet = Sheet::new([
        "triangles",
        "colliding",
        "boxes: A per triangle",
        "boxes: B per triangle",
        "regularity: A per colliding",
        "regularity: B per colliding",
        "with contours: A per colliding",
        "B per colliding",
        "missed as published",
    ]);
    let missed = |c: &Counts| missing(&c.found[OURS].triangle_pairs, &c.found[PAPER].triangle_pairs);
    for c in &all {
        let hits = c.colliding();
        row!(
            sheet,
            c.triangles as usize,
            hits as usize,
            c.of[BOXES].calls as f64 / c.triangles,
            c.of[BOXES].tests as f64 / c.triangles,
            c.of[PAPER].calls as f64 / hits,
            c.of[PAPER].tests as f64 / hits,
            c.of[PROVED].calls as f64 / hits,
            c.of[PROVED].tests as f64 / hits,
            missed(c)
        );
    }
    let by_hits = |value: fn(&RegularityStats) -> u64| {
        exponent(&all.iter().map(|c| (c.colliding(), value(&c.of[PAPER]) as f64)).collect::<Vec<_>>())
    };
    let (calls, tests) = (by_hits(|s| s.calls), by_hits(|s| s.tests));
    let boxes = exponent(&all.iter().map(|c| (c.triangles, c.of[BOXES].calls as f64)).collect::<Vec<_>>());
    let each = column(&all, |c| c.of[PAPER].calls as f64 / c.colliding());
    let tests_each = column(&all, |c| c.of[PAPER].tests as f64 / c.colliding());
    let agree = all.iter().all(|c| {
        c.found[BOXES].triangle_pairs == c.found[OURS].triangle_pairs
            && c.found[PROVED].triangle_pairs == c.found[OURS].triangle_pairs
    });
    let how = "a sheet swept along a curve that crosses itself, 5000 to 320,000 triangles, third frame.";
    Ok(Finding::new(how, sheet)
        .check(
            (0.9..=1.1).contains(&boxes),
            format!("boxes alone: calls grow as (triangles)^{boxes:.2} (allowed: 0.9 to 1.1)"),
        )
        .check(
            (0.75..=1.25).contains(&calls) && (0.75..=1.25).contains(&tests),
            format!(
                "regularity: calls grow as (colliding)^{calls:.2}, tests as (colliding)^{tests:.2} (allowed: 0.75 \
                 to 1.25)"
            ),
        )
        .check(
            tests_each.iter().all(|t| (1.0..=9.0).contains(t)),
            format!(
                "{} calls and {} tests per colliding triangle (paper: 20 and 3; tests within a factor of 3)",
                digits(mean(&each)),
                digits(mean(&tests_each))
            ),
        )
        .remark(format!(
            "Boxes alone, regularity with contours and Crumple's default {} the same pairs.",
            if agree { "find" } else { "DO NOT find" }
        ))
        .plot(classical("Tab. 2a: boxes alone", &all))
        .plot(
            Plot::new("Tab. 2b: regularity")
                .x("colliding triangles", Scale::Log)
                .y("number", Scale::Log)
                .series(Series::line(
                    "calls (A)",
                    all.iter().map(|c| (c.colliding(), c.of[PAPER].calls as f64)),
                ))
                .series(Series::line(
                    "triangle tests (B)",
                    all.iter().map(|c| (c.colliding(), c.of[PAPER].tests as f64)),
                ))
                .caption("Over the number of colliding triangles, as the paper's text has it."),
        ))
}
