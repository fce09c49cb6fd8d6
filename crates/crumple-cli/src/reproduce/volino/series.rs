//! Calls and tests against the number of triangles (V18, V19).

use anyhow::Result;
use crumple::methods::regularity::RegularityStats;
use crumple::{BodyId, Contacts, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::{Method, Variant, colliding, found};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, mean, missing};
use crate::reproduce::limits;
use crate::reproduce::measure::{mean_of, paper, power, sum};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// The counts of one surface: by boxes alone, by the paper's rules, by the same rules with contours, by default.
struct Counts {
    triangles: f64,
    of: [RegularityStats; 4],
    found: [Contacts; 4],
    /// Mean children of a region of the published hierarchy.
    children: f64,
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
    let mut children = f64::NAN;
    for (k, variant) in all.into_iter().enumerate() {
        let mut method = variant.at(&stage, &pose)?;
        if let Method::Published(published) = &method {
            children = published.shape(BodyId(0))?.mean_children;
        }
        found_by[k] = found(&stage, &pose, method.detector(), Pairs::Within)?;
        of[k] = method.stats();
    }
    Ok(Counts { triangles: stage.mesh.triangles().len() as f64, of, found: found_by, children })
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

/// What the paper's text gives: calls and tests per triangle by boxes, calls in all by regularity, calls and tests per colliding
/// triangle.
const CALLS: f64 = 20.0;
const TESTS: f64 = 6.0;
const CONSTANT: f64 = 300.0;
const PER_COLLIDING: [f64; 2] = [20.0, 3.0];

/// The classical part of both plots.
fn classical(title: &str, all: &[Counts]) -> Plot {
    Plot::new(title)
        .x("triangles", Scale::Log)
        .y("number", Scale::Log)
        .series(line("calls (A)", all, |c| c.of[BOXES].calls as f64))
        .series(line("triangle tests (B)", all, |c| c.of[BOXES].tests as f64))
        .series(line("paper: 20 calls a triangle", all, |c| CALLS * c.triangles).dashed())
        .series(line("paper: 6 tests a triangle", all, |c| TESTS * c.triangles).dashed())
}

/// V18: nothing touches.
pub fn sphere(_: Extent) -> Result<Finding> {
    let names = ["sphere-5k", "sphere-20k", "sphere-80k", "sphere-320k"];
    let all = names.map(|n| count(n, 0)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut sheet = Sheet::new([
        "series",
        "triangles",
        "children of a region",
        "boxes: A",
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
            "all methods",
            c.triangles as usize,
            c.children,
            boxes.calls,
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
        Value::from("regularity alone"),
        Value::from(largest.0 as usize),
        Value::Nothing,
        Value::Nothing,
        Value::Nothing,
        Value::Nothing,
        Value::from(largest.1.calls),
        Value::from(largest.1.tests),
        Value::Nothing,
        Value::Nothing,
        Value::Nothing,
        Value::Nothing,
    ]);
    let mut constant: Vec<_> = all.iter().map(|c| (c.triangles, c.of[PAPER].calls as f64)).collect();
    constant.push((largest.0, largest.1.calls as f64));
    let proved = column(&all, |c| c.of[PROVED].calls as f64);
    let how = "the first frame of our sphere, 5120 to 1,310,720 triangles, hierarchies of three children as in the \
               paper. A: calls of the recursive procedure; B: elementary triangle tests. “With contours” adds the \
               test that makes the rule a proof; Crumple's default has patches of up to 64 triangles as leaves.";
    let each = |column: &str| mean_of(column).at("series", "all methods");
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "for the classical hierarchical bounding-box algorithm, the calculation charge of the collision detection \
             increases linearly with the total number of elements",
            "Section 3.1, Tab. 1a",
            "calls by boxes alone grow as triangles to the power of {}",
            power("triangles", "boxes: A").at("series", "all methods"),
            &limits::LINEAR,
        ))
        .claim(Claim::new(
            "the collision procedure is called at average 20 times the total number of elementary polygons",
            "Section 3.1, Tab. 1a",
            "our number of calls per triangle differs from 20 by a factor of {}",
            each("boxes: A per triangle").over(paper(20.0)).off(),
            &limits::NEAR_PAPER,
        ))
        .claim(Claim::new(
            "the elementary polygon intersection procedure is called 6 times that number",
            "Section 3.1, Tab. 1a",
            "our number of tests per triangle differs from 6 by a factor of {}",
            each("boxes: B per triangle").over(paper(6.0)).off(),
            &limits::NEAR_PAPER,
        ))
        .claim(Claim::new(
            "our algorithm performs the job with very little and roughly constant calculation charge, not depending the \
             discretisation level",
            "Section 3.1, Tab. 1b",
            "calls by regularity grow as triangles to the power of {}, from 5120 to 1.3 million",
            power("triangles", "regularity: A"),
            &limits::FLAT,
        ))
        .claim(Claim::new(
            "we get an average 300 calls to the collision procedures",
            "Section 3.1, Tab. 1b",
            "our mean number of calls differs from 300 by a factor of {}",
            mean_of("regularity: A").over(paper(300.0)).off(),
            &limits::NEAR_PAPER,
        ))
        .claim(Claim::new(
            "the elementary polygon intersection procedure is never called",
            "Section 3.1, Tab. 1b",
            "it is called {} times",
            sum("regularity: B"),
            &limits::NONE,
        ))
        .remark(format!(
            "With the contour test, which the paper leaves out, the calls stay constant too: {} on average.",
            digits(mean(&proved))
        ))
        .plot(classical("Tab. 1a: boxes alone", &all))
        .plot(
            Plot::new("Tab. 1b: regularity")
                .x("triangles", Scale::Log)
                .y("number", Scale::Linear)
                .series(line("paper: 300 calls", &all, |_| CONSTANT).dashed())
                .series(Series::line("calls (A)", constant))
                .series(line("calls with contours", &all, |c| c.of[PROVED].calls as f64))
                .series(line("triangle tests (B)", &all, |c| c.of[PAPER].tests as f64)),
        ))
}

/// V19: one line of collisions.
pub fn crossing(_: Extent) -> Result<Finding> {
    let names = ["loop-5k", "loop-20k", "loop-80k", "loop-320k"];
    let all = names.map(|n| count(n, 2)).into_iter().collect::<Result<Vec<_>>>()?;
    let mut sheet = Sheet::new([
        "triangles",
        "children of a region",
        "colliding",
        "boxes: A",
        "boxes: A per triangle",
        "boxes: B per triangle",
        "regularity: A",
        "regularity: B",
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
            c.children,
            hits as usize,
            c.of[BOXES].calls,
            c.of[BOXES].calls as f64 / c.triangles,
            c.of[BOXES].tests as f64 / c.triangles,
            c.of[PAPER].calls,
            c.of[PAPER].tests,
            c.of[PAPER].calls as f64 / hits,
            c.of[PAPER].tests as f64 / hits,
            c.of[PROVED].calls as f64 / hits,
            c.of[PROVED].tests as f64 / hits,
            missed(c)
        );
    }
    let agree = all.iter().all(|c| {
        c.found[BOXES].triangle_pairs == c.found[OURS].triangle_pairs
            && c.found[PROVED].triangle_pairs == c.found[OURS].triangle_pairs
    });
    let how = "a sheet swept along a curve that crosses itself, 5000 to 320,000 triangles, third frame.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "the classical hierachised bounding-box algorithm is still mainly affected by the total number of polygons",
            "Section 3.2, Tab. 2a",
            "calls by boxes alone grow as triangles to the power of {}",
            power("triangles", "boxes: A"),
            &limits::LINEAR,
        ))
        .claim(Claim::new(
            "collision detection is now performed at linear calculation charge regards to the number of colliding polygons",
            "Section 3.2, Tab. 2b",
            "calls by regularity grow as colliding triangles to the power of {}",
            power("colliding", "regularity: A"),
            &limits::LINEAR_HITS,
        ))
        .claim(Claim::new(
            "the collision procedures are called at average 20 times the number of colliding polygons",
            "Section 3.2, Tab. 2b",
            "our number of calls differs from 20 by a factor of {}",
            mean_of("regularity: A per colliding").over(paper(20.0)).off(),
            &limits::NEAR_PAPER,
        ))
        .claim(Claim::new(
            "the polygon intersection procedure is called 3 times that number",
            "Section 3.2, Tab. 2b",
            "our number of tests differs from 3 by a factor of {}",
            mean_of("regularity: B per colliding").over(paper(3.0)).off(),
            &limits::NEAR_PAPER,
        ))
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
                .series(
                    Series::line(
                        "paper: 20 calls each",
                        all.iter().map(|c| (c.colliding(), PER_COLLIDING[0] * c.colliding())),
                    )
                    .dashed(),
                )
                .series(
                    Series::line(
                        "paper: 3 tests each",
                        all.iter().map(|c| (c.colliding(), PER_COLLIDING[1] * c.colliding())),
                    )
                    .dashed(),
                )
                .caption("Over the number of colliding triangles, as the paper's text has it."),
        ))
}
