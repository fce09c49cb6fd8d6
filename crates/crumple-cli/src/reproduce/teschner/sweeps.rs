//! The two sizes: of the table (T21, T30, T31) and of the cells (T20, T32, T33).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{PublishedParams, PublishedSpatialHash};
use crumple::{Frame, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::hashes;
use super::hashing::FUNCTIONS;
use crate::output::thousands;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Lap, Stage, extremes, race, spread};
use crate::reproduce::sheet::{Sheet, Value, digits, row};

/// What one choice of parameters costs.
pub struct Cost {
    /// Mean seconds per step.
    pub seconds: f64,
    /// Vertices of other cells that a tet meets in an entry: what collisions of the hash cost.
    pub strangers: f64,
    /// Vertices of its own cells that a tet meets.
    pub neighbours: f64,
    /// Cells per tet (p).
    pub cells: f64,
}

/// Repetitions of each step.
const ROUNDS: usize = 4;

/// Steps that a sweep averages over: many of a small scene, few of a large one.
fn steps(stage: &Stage) -> usize {
    (60_000 / stage.mesh.tets().len()).clamp(3, 25)
}

/// The scene and the steps in words.
fn scene(stage: &Stage) -> String {
    let [tets, vertices] = [stage.mesh.tets().len(), stage.mesh.vertex_count()].map(thousands);
    format!("{tets} tets and {vertices} vertices, {} steps", steps(stage))
}

/// Each choice of parameters on the same steps, in turn.
pub fn costs(stage: &Stage, params: &[PublishedParams]) -> Result<Vec<Cost>> {
    let poses = stage.poses(steps(stage));
    let mut all = hashes(stage, &poses[0], params.iter().copied())?;
    let laps = race(&mut all, &stage.mesh, &poses, Pairs::All, ROUNDS)?;
    let slices = poses[poses.len() - 1].slices();
    let tets = stage.mesh.tets().len() as f64;
    let cost = |(hash, lap): (&PublishedSpatialHash, &Lap)| {
        let counted = hash.statistics(&stage.mesh, Frame::new(&slices));
        Cost {
            seconds: lap.mean(),
            // A tet meets its own four corners in their cells.
            strangers: (counted.met - counted.in_cell) as f64 / tets - 4.0,
            neighbours: counted.in_cell as f64 / tets,
            cells: counted.cells_per_tet,
        }
    };
    Ok(all.iter().zip(&laps).map(cost).collect())
}

fn mean_edge(stage: &Stage) -> Result<f64> {
    let pose = stage.pose(0);
    let slices = pose.slices();
    let hash = &hashes(stage, &pose, [PublishedParams::default()])?[0];
    Ok(hash.statistics(&stage.mesh, Frame::new(&slices)).cell_size)
}

fn least(costs: &[Cost]) -> usize {
    (0..costs.len()).fold(0, |b, k| if costs[k].seconds < costs[b].seconds { k } else { b })
}

fn curve(xs: &[f64], costs: &[Cost], y: impl Fn(&Cost) -> f64) -> Vec<(f64, f64)> {
    xs.iter().zip(costs).map(|(x, c)| (*x, y(c))).collect()
}

/// T30, T31: time against the size of the table.
pub fn table_size(name: &str) -> Result<Finding> {
    const SIZES: [f64; 17] = [
        99.0, 199.0, 299.0, 499.0, 699.0, 999.0, 1499.0, 1999.0, 2999.0, 4999.0, 6999.0, 9999.0, 14_999.0,
        29_999.0, 49_999.0, 69_999.0, 99_999.0,
    ];
    let stage = Stage::named(name)?;
    let primitives = stage.primitives() as f64;
    let with = |n: f64| PublishedParams { table_size: Some(n as u32), ..PublishedParams::default() };
    let costs = costs(&stage, &SIZES.map(with))?;
    let best = costs[least(&costs)].seconds;
    let mut sheet = Sheet::new(["table size", "per step", "against the best", "strangers per tet"]);
    for (n, c) in SIZES.iter().zip(&costs) {
        row!(sheet, *n as u64, Value::Seconds(c.seconds), Value::Times(c.seconds / best), c.strangers);
    }
    let much = 2.0 * primitives;
    let large: Vec<f64> =
        SIZES.iter().zip(&costs).filter(|(n, _)| **n >= much).map(|(_, c)| c.seconds).collect();
    let smallest = costs[0].seconds / best;
    let how = format!(
        "as published, {}, cells as large as the mean edge, tables of 99, 199, 299 and so on. Strangers are \
         vertices of other cells that are met in an entry.",
        scene(&stage)
    );
    Ok(Finding::new(how, sheet)
        .check(
            smallest >= 2.0,
            format!("a table of 99 takes {} × the best time (at least 2)", digits(smallest)),
        )
        .check(
            spread(&large) <= 1.5,
            format!(
                "from {} entries on, twice the primitives, times stay within {} × (allowed: 1.5)",
                digits(much),
                digits(spread(&large))
            ),
        )
        .plot(
            Plot::new("Time per step")
                .x("table size", Scale::Log)
                .y("milliseconds", Scale::Linear)
                .series(Series::line("as published", curve(&SIZES, &costs, |c| 1e3 * c.seconds)))
                .mark_x(primitives, "primitives"),
        )
        .plot(
            Plot::new("Strangers met by a tet")
                .x("table size", Scale::Log)
                .y("vertices of other cells", Scale::Linear)
                .series(Series::line("strangers", curve(&SIZES, &costs, |c| c.strangers)))
                .caption("The counter behind the curve: no clock is involved."),
        ))
}

/// T32, T33: time against the size of the cells.
pub fn cell_size(name: &str, table: u32) -> Result<Finding> {
    const FACTORS: [f64; 13] = [0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6, 2.0, 3.0, 4.0];
    let stage = Stage::named(name)?;
    let edge = mean_edge(&stage)?;
    let base = PublishedParams { table_size: Some(table), ..PublishedParams::default() };
    let costs = costs(&stage, &FACTORS.map(|f| PublishedParams { cell_size: Some(f * edge), ..base }))?;
    let best = least(&costs);
    let against = |k: usize| costs[k].seconds / costs[best].seconds;
    let mut sheet = Sheet::new([
        "cell / mean edge",
        "per step",
        "against the best",
        "cells per tet (p)",
        "neighbours per tet",
        "strangers per tet",
    ]);
    for (k, (f, c)) in FACTORS.iter().zip(&costs).enumerate() {
        let times = Value::Times(against(k));
        row!(sheet, *f, Value::Seconds(c.seconds), times, c.cells, c.neighbours, c.strangers);
    }
    let at_edge = against(FACTORS.iter().position(|f| *f == 1.0).expect("listed"));
    let ends = [against(0), against(FACTORS.len() - 1)];
    let how =
        format!("as published, table of {table}, {}; the mean edge is {}.", scene(&stage), digits(edge));
    Ok(Finding::new(how, sheet)
        .check(
            (0.5..=2.0).contains(&FACTORS[best]),
            format!("the best cell is {} × the mean edge (allowed: a factor of 2)", FACTORS[best]),
        )
        .check(at_edge <= 1.25, format!("the mean edge itself takes {} × (allowed: 1.25)", digits(at_edge)))
        .check(
            ends.iter().all(|e| *e >= 1.3),
            format!("0.3 of it {} ×, 4 times it {} × (at least 1.3)", digits(ends[0]), digits(ends[1])),
        )
        .plot(
            Plot::new("Time per step")
                .x("cell size / mean edge", Scale::Log)
                .y("milliseconds", Scale::Linear)
                .series(Series::line("as published", curve(&FACTORS, &costs, |c| 1e3 * c.seconds)))
                .mark_x(1.0, "mean edge"),
        )
        .plot(
            Plot::new("What a tet meets")
                .x("cell size / mean edge", Scale::Log)
                .y("per tet", Scale::Log)
                .series(Series::line("cells (p)", curve(&FACTORS, &costs, |c| c.cells)))
                .series(Series::line("vertices of these cells", curve(&FACTORS, &costs, |c| c.neighbours)))
                .caption("Small cells are many to visit, large cells hold many vertices."),
        ))
}

/// T20: each parameter moved by a factor of four both ways.
pub fn influence() -> Result<Finding> {
    let stage = Stage::named("T28")?;
    let edge = mean_edge(&stage)?;
    let base = PublishedParams { cell_size: Some(edge), ..PublishedParams::default() };
    let factors = [0.25, 0.5, 1.0, 2.0, 4.0];
    let cells = factors.map(|f| PublishedParams { cell_size: Some(f * edge), ..base });
    let tables = factors.map(|f| PublishedParams { table_size: Some((9973.0 * f) as u32), ..base });
    let functions = FUNCTIONS.map(|(_, hash)| PublishedParams { hash, ..base });
    let mut sheet = Sheet::new(["parameter", "values", "least", "most", "most/least"]);
    let mut spreads = Vec::new();
    for (name, values, params) in [
        ("size of the cells", "a quarter to four times the mean edge", &cells[..]),
        ("size of the table", "a quarter to four times 9973", &tables[..]),
        ("hash function", "five functions", &functions[..]),
        (
            "hash function",
            "the printed one, the same with true primes, a modern mixer",
            &[functions[0], functions[1], functions[4]],
        ),
    ] {
        let seconds: Vec<f64> = costs(&stage, params)?.iter().map(|c| c.seconds).collect();
        let (low, high) = extremes(&seconds);
        spreads.push(high / low);
        row!(sheet, name, values, Value::Seconds(low), Value::Seconds(high), Value::Times(high / low));
    }
    let [cells, tables, functions, good] = spreads[..] else { unreachable!("four rows") };
    let how =
        "two vessels, as published; one parameter moved at a time, sizes by a factor of four both ways.";
    Ok(Finding::new(how, sheet)
        .check(
            cells > tables,
            format!("cells change the time by {} ×, the table by {} ×", digits(cells), digits(tables)),
        )
        .check(cells > functions, format!("the function by {} ×", digits(functions)))
        .remark(format!(
            "The additive and the rotating function ruin the time; among good functions it changes by {} ×.",
            digits(good)
        )))
}
