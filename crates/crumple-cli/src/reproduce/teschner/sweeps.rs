//! The two sizes: of the table (T21, T30, T31) and of the cells (T20, T32, T33).

use anyhow::Result;
use crumple::methods::spatial_hash::published::{HashFunction, PublishedParams, PublishedSpatialHash};
use crumple::{Frame, Pairs};
use crumple_io::report::{Plot, Scale, Series};

use super::hashes;
use super::hashing::FUNCTIONS;
use super::setups::STEPS;
use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Lap, Stage, extremes, race};
use crate::reproduce::limits;
use crate::reproduce::measure::{Span, cell, power};
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
    /// The time over the shortest of all choices, by repetition.
    pub times: Span,
    lap: Lap,
}

/// Repetitions of each step.
const ROUNDS: usize = 4;
/// Tets that a sweep looks at for each value, over its steps; and the fewest and the most steps.
const TETS: usize = 60_000;
const FEWEST: usize = 3;
const MOST: usize = 25;
/// Sizes of the tables of Figs 5 and 6 of the paper.
pub const TABLES: [u32; 2] = [9973, 4999];

/// Steps that a sweep averages over: many of a small scene, few of a large one.
fn steps(stage: &Stage, extent: Extent) -> usize {
    extent.steps((TETS / stage.mesh.tets().len()).clamp(FEWEST, MOST), STEPS)
}

/// The scene and the steps in words.
fn scene(stage: &Stage, extent: Extent) -> String {
    let [tets, vertices] = [stage.mesh.tets().len(), stage.mesh.vertex_count()].map(thousands);
    format!("{tets} tets and {vertices} vertices, {} of {STEPS} steps", steps(stage, extent))
}

/// Each choice of parameters on the same steps, in turn.
pub fn costs(stage: &Stage, params: &[PublishedParams], extent: Extent) -> Result<Vec<Cost>> {
    let poses = stage.poses(steps(stage, extent));
    let mut all = hashes(stage, &poses[0], params.iter().copied())?;
    let laps = race(&mut all, &stage.mesh, &poses, Pairs::All, extent.rounds(ROUNDS))?;
    let slices = poses[poses.len() - 1].slices();
    let tets = stage.mesh.tets().len() as f64;
    let best = laps.iter().min_by(|a, b| a.typical().total_cmp(&b.typical())).expect("one choice at least");
    let cost = |(hash, lap): (&PublishedSpatialHash, &Lap)| {
        let counted = hash.statistics(&stage.mesh, Frame::new(&slices));
        Cost {
            seconds: lap.mean(),
            // A tet meets its own four corners in their cells.
            strangers: (counted.met - counted.in_cell) as f64 / tets - 4.0,
            neighbours: counted.in_cell as f64 / tets,
            cells: counted.cells_per_tet,
            times: lap.against(best),
            lap: lap.clone(),
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

fn curve(xs: &[f64], costs: &[Cost], y: impl Fn(&Cost) -> f64) -> Vec<(f64, f64)> {
    xs.iter().zip(costs).map(|(x, c)| (*x, y(c))).collect()
}

/// T30, T31: time against the size of the table.
pub fn table_size(name: &str, extent: Extent) -> Result<Finding> {
    /// As in Figs 3 and 4 of the paper, 99, 199, 299 and so on, ever wider.
    const SIZES: [f64; 17] = [
        99.0, 199.0, 299.0, 499.0, 699.0, 999.0, 1499.0, 1999.0, 2999.0, 4999.0, 6999.0, 9999.0, 14_999.0,
        29_999.0, 49_999.0, 69_999.0, 99_999.0,
    ];
    let stage = Stage::named(name)?;
    let primitives = stage.primitives() as f64;
    let with = |n: f64| PublishedParams { table_size: Some(n as u32), ..PublishedParams::default() };
    let costs = costs(&stage, &SIZES.map(with), extent)?;
    let mixed = |n: f64| PublishedParams { hash: HashFunction::Mixer, ..with(n) };
    let mixer = counted(&stage, &SIZES.map(mixed))?;
    let mut sheet = Sheet::new([
        "table size",
        "per step",
        "against the best",
        "against the best smaller",
        "strangers per tet",
        "of an even spread",
        "with a mixing hash",
    ]);
    for (k, ((n, c), mixer)) in SIZES.iter().zip(&costs).zip(&mixer).enumerate() {
        let smaller = costs[..k].iter().min_by(|a, b| a.lap.typical().total_cmp(&b.lap.typical()));
        let smaller = smaller.map_or(Value::Nothing, |s| Value::times(c.lap.against(&s.lap)));
        let even = c.cells * stage.mesh.vertex_count() as f64 / n;
        row!(
            sheet,
            *n as u64,
            Value::Seconds(c.seconds),
            Value::times(c.times),
            smaller,
            c.strangers,
            even,
            *mixer
        );
    }
    let how = format!(
        "as published, {}, cells as large as the mean edge, tables of 99, 199, 299 and so on to 99,999. Strangers are \
         vertices of other cells that are met in an entry; an ideal hash spreads them evenly.",
        scene(&stage, extent)
    );
    let [.., before, last] = SIZES;
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "larger hash tables reduce the risk of mapping different 3D positions to the same hash index",
            "Section 4.2",
            "strangers per tet fall with the table size to the power of {}",
            power("table size", "strangers per tet"),
            &limits::FALLS,
        ).because(
            "From some size on it is not the table: the printed function maps neighbouring cells alike, whatever the size.",
            "in the largest table the printed function leaves {} × the strangers of a hash that mixes every bit",
            cell("strangers per tet").over(cell("with a mixing hash")).at("table size", last),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "the algorithm generally works faster with larger hash tables",
            "Section 4.2",
            "a table of 99 takes {} × the time of the fastest",
            cell("against the best").at("table size", SIZES[0]),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "the performance slightly decreases for larger hash tables due to memory management",
            "Section 4.2",
            "the largest table takes {} × the time of the fastest smaller one",
            cell("against the best smaller").at("table size", last),
            &limits::SLIGHT,
        ).because(
            "Only entries that are used are touched, for they carry the step's mark: the size of the table costs nothing by itself, and \
             a tet meets no more strangers than in the table before it.",
            "in the largest table {} × as many",
            cell("strangers per tet").at("table size", last).over(cell("strangers per tet").at("table size", before)),
            &limits::EQUAL_WORK,
        ))
        .claim(Claim::new(
            "If the hash table is significantly larger than the number of object primitives, the risk of hash collisions \
             is minimal.",
            "Section 4.2",
            "in the largest table a tet meets {} × the strangers of an even spread",
            cell("strangers per tet").over(cell("of an even spread")).at("table size", last),
            &limits::NEAR_PAPER,
        ).because(
            "The printed function maps neighbouring cells alike, whatever the size of the table; a hash that mixes every \
             bit does not.",
            "the printed function leaves {} × the strangers of such a hash",
            cell("strangers per tet").over(cell("with a mixing hash")).at("table size", last),
            &limits::MORE,
        ))
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
                .y("vertices of other cells", Scale::Log)
                .series(Series::line("printed function", curve(&SIZES, &costs, |c| c.strangers)))
                .series(Series::line("mixing hash", SIZES.iter().copied().zip(mixer)).dashed())
                .caption("The counter behind the curve: no clock is involved."),
        ))
}

/// Strangers per tet for each choice of parameters, without a clock.
fn counted(stage: &Stage, params: &[PublishedParams]) -> Result<Vec<f64>> {
    let pose = stage.pose(0);
    let slices = pose.slices();
    let tets = stage.mesh.tets().len() as f64;
    let all = hashes(stage, &pose, params.iter().copied())?;
    let strangers = |hash: &PublishedSpatialHash| {
        let counted = hash.statistics(&stage.mesh, Frame::new(&slices));
        (counted.met - counted.in_cell) as f64 / tets - 4.0
    };
    Ok(all.iter().map(strangers).collect())
}

/// T32, T33: time against the size of the cells.
pub fn cell_size(name: &str, table: u32, extent: Extent) -> Result<Finding> {
    /// A size in the sweep that is somewhat larger than the mean edge.
    const LARGER: f64 = 1.35;
    /// Cells over the mean edge.
    const FACTORS: [f64; 13] = [0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0, 1.15, 1.35, 1.6, 2.0, 3.0, 4.0];
    let stage = Stage::named(name)?;
    let edge = mean_edge(&stage)?;
    let base = PublishedParams { table_size: Some(table), ..PublishedParams::default() };
    let costs =
        costs(&stage, &FACTORS.map(|f| PublishedParams { cell_size: Some(f * edge), ..base }), extent)?;
    let mut sheet = Sheet::new([
        "cell / mean edge",
        "per step",
        "against the best",
        "cells per tet (p)",
        "neighbours per tet",
        "strangers per tet",
    ]);
    for (f, c) in FACTORS.iter().zip(&costs) {
        row!(sheet, *f, Value::Seconds(c.seconds), Value::times(c.times), c.cells, c.neighbours, c.strangers);
    }
    let how = format!(
        "as published, table of {table}, {}; the mean edge is {}.",
        scene(&stage, extent),
        digits(edge)
    );
    let (first, last) = (FACTORS[0], FACTORS[FACTORS.len() - 1]);
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "a grid cell should have the size of the average edge length of all tetrahedrons to achieve optimal \
             performance",
            "Section 4.3",
            "cells as large as the mean edge take {} × the time of the best",
            cell("against the best").at("cell / mean edge", 1),
            &limits::OPTIMAL,
        ).because(
            "A cell that is visited costs more here, beside a vertex that is met, than in 2003: somewhat larger cells \
             spare visits.",
            "the mean edge visits {} × the cells of the size 1.35 times as large",
            cell("cells per tet (p)").at("cell / mean edge", 1).over(cell("cells per tet (p)").at("cell / mean edge", LARGER)),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "In case of larger cells, the number of primitives per hash index increases and the intersection test slows \
             down.",
            "Section 4.3",
            "cells of 4 times the mean edge take {} × the time of the best",
            cell("against the best").at("cell / mean edge", last),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "If the cell size is significantly smaller than a tetrahedron, the tetrahedron covers a larger number of cells \
             and has to be checked against vertices in a larger number of hash entries.",
            "Section 4.3",
            "cells of 0.3 times the mean edge take {} × the time of the best",
            cell("against the best").at("cell / mean edge", first),
            &limits::MORE,
        ))
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
pub fn influence(extent: Extent) -> Result<Finding> {
    let stage = Stage::named("T28")?;
    let edge = mean_edge(&stage)?;
    let base = PublishedParams { cell_size: Some(edge), ..PublishedParams::default() };
    /// A quarter to four times.
    const BY: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
    let cells = BY.map(|f| PublishedParams { cell_size: Some(f * edge), ..base });
    let tables = BY.map(|f| PublishedParams { table_size: Some((f64::from(TABLES[0]) * f) as u32), ..base });
    let functions = FUNCTIONS.map(|(_, hash)| PublishedParams { hash, ..base });
    let mut sheet =
        Sheet::new(["parameter", "values", "least", "most", "most/least", "strangers, most/least"]);
    for (name, values, params) in [
        ("cells", "a quarter to four times the mean edge", &cells[..]),
        ("table", "a quarter to four times 9973", &tables[..]),
        ("function", "all five functions", &functions[..]),
        (
            "mixing function",
            "the printed one, the same with true primes, a modern mixer",
            &[functions[0], functions[1], functions[4]],
        ),
    ] {
        let costs = costs(&stage, params, extent)?;
        let seconds: Vec<f64> = costs.iter().map(|c| c.seconds).collect();
        let strangers: Vec<f64> = costs.iter().map(|c| c.strangers).collect();
        let (low, high) = extremes(&seconds);
        let widest = costs.iter().map(|c| c.times).max_by(|a, b| a.mid.total_cmp(&b.mid)).expect("some");
        let met = Value::Times(extremes(&strangers).1 / extremes(&strangers).0);
        row!(sheet, name, values, Value::Seconds(low), Value::Seconds(high), Value::times(widest), met);
    }
    let how =
        "two vessels, as published; one parameter moved at a time, sizes by a factor of four both ways.";
    const QUOTE: &str = "the grid cell size has a more significant impact on the performance than hash table size or hash \
                         function";
    let times = |parameter: &str| cell("most/least").at("parameter", parameter);
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            QUOTE,
            "Section 4.3",
            "than table size: cells change the time {} × as much",
            times("cells").over(times("table")),
            &limits::MORE,
        ))
        .claim(Claim::new(
            QUOTE,
            "Section 4.3",
            "than the hash function: cells change the time {} × as much",
            times("cells").over(times("function")),
            &limits::MORE,
        ).because(
            "Two of the five functions, the additive and the rotating, map many cells to one entry; among functions that \
             mix, the sentence is true.",
            "cells change the time {} × as much as the choice among functions that mix",
            times("cells").over(times("mixing function")),
            &limits::MORE,
        )))
}
