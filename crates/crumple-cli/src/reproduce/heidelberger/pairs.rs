//! Volumes that two objects share (H21 to H24, H27).

use anyhow::Result;
use crumple::methods::layered_depth::published::Published;
use crumple::methods::layered_depth::{LayeredDepth, Overlap, Resolution};
use crumple::{BodyId, Frame};
use crumple_io::report::{Plot, Scale, Series};
use crumple_scenes::bench::ClosedModel;
use crumple_scenes::vector::bounds;
use crumple_scenes::{LazyBody, LazyScene, Surface};

use crate::output::thousands;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage, best};
use crate::reproduce::sheet::{Sheet, Value, digits, ms, row};

/// Rays along a side, in all of the paper's tables.
const SIDE: u32 = 128;

/// Two objects with their two rows of Table 1: depth complexities, and milliseconds of stages 1 and 2.
struct Row {
    scene: &'static str,
    slight: ([u64; 2], f64),
    complex: ([u64; 2], f64),
    /// Milliseconds of stages 1 and 2 for the whole of each object, in Table 2.
    whole: [f64; 2],
    models: [ClosedModel; 2],
}

const ROWS: [Row; 3] = [
    Row {
        scene: "pair-knot12k-blob50k",
        slight: ([3, 1], 19.0),
        complex: ([4, 6], 56.0),
        whole: [11.0, 29.0],
        models: [ClosedModel::Knot12k, ClosedModel::Blob50k],
    },
    Row {
        scene: "pair-blob50k-blob110k",
        slight: ([7, 5], 36.0),
        complex: ([4, 2], 48.0),
        whole: [29.0, 83.0],
        models: [ClosedModel::Blob50k, ClosedModel::Blob110k],
    },
    Row {
        scene: "pair-blob110k-blob150k",
        slight: ([1, 3], 25.0),
        complex: ([8, 6], 114.0),
        whole: [83.0, 79.0],
        models: [ClosedModel::Blob110k, ClosedModel::Blob150k],
    },
];

/// The two bodies of every pair.
const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];

/// The volume common to the two bodies and the seconds it takes.
fn measure(stage: &Stage, pose: &Pose, side: u32, rounds: usize) -> Result<(f64, Overlap)> {
    let (mut layers, slices) = (LayeredDepth::default(), pose.slices());
    best(rounds, || {
        let mut volumes = layers.update(&stage.mesh, Frame::new(&slices))?;
        Ok(volumes.overlap(BOTH, Resolution::rays(side))?)
    })
}

/// The same by the paper's algorithm.
fn measure_published(stage: &Stage, pose: &Pose, side: u32, rounds: usize) -> Result<(f64, Overlap)> {
    let (mut layers, slices) = (Published::default(), pose.slices());
    best(rounds, || {
        let mut volumes = layers.update(&stage.mesh, Frame::new(&slices))?;
        Ok(volumes.overlap(BOTH, Resolution::rays(side))?)
    })
}

fn depths(overlap: &Overlap) -> String {
    let [a, b] = overlap.depth_complexity;
    format!("{a} and {b}")
}

/// Both rows of a pair.
pub fn table(k: usize) -> Result<Finding> {
    const SIDES: [u32; 6] = [16, 32, 64, 128, 256, 512];
    let paper = &ROWS[k];
    let stage = Stage::named(paper.scene)?;
    let mut sheet = Sheet::new([
        "case",
        "paper: depth complexity",
        "paper: stages 1 to 3a",
        "depth complexity",
        "time",
        "volume",
        "bounds apart",
        "as published: passes",
        "as published: time",
        "as published: off by",
    ]);
    let (mut passes, mut slower, mut off) = (0.0f64, f64::INFINITY, 0.0f64);
    let mut times = Vec::new();
    let mut kept = true;
    let mut plots = Vec::new();
    for (frame, (name, (printed, milliseconds))) in
        [("slight", paper.slight), ("complex", paper.complex)].into_iter().enumerate()
    {
        let pose = stage.pose(frame);
        let (seconds, found) = measure(&stage, &pose, SIDE, 3)?;
        let (rendered, published) = measure_published(&stage, &pose, SIDE, 2)?;
        let [a, b] = published.depth_complexity.map(f64::from);
        passes = passes.max(a + b);
        slower = slower.min(rendered / seconds);
        off = off.max((published.volume / found.volume - 1.0).abs());
        times.push(seconds);
        row!(
            sheet,
            name,
            format!("{} and {}", printed[0], printed[1]),
            ms(milliseconds + 1.0),
            depths(&found),
            Value::Seconds(seconds),
            format!("{:.5}", found.volume),
            Value::Share((found.upper - found.lower) / found.volume),
            depths(&published),
            Value::Seconds(rendered),
            Value::Share((published.volume / found.volume - 1.0).abs())
        );
        let sweep = SIDES.map(|side| measure(&stage, &pose, side, 1).map(|m| m.1));
        let sweep = sweep.into_iter().collect::<Result<Vec<_>>>()?;
        let finest = &sweep[SIDES.len() - 1];
        kept &= sweep.iter().all(|o| o.lower <= finest.upper && finest.lower <= o.upper);
        kept &= (found.lower..=found.upper).contains(&finest.volume);
        let at = |o: &Overlap| f64::from(o.resolution[0]);
        plots.push(
            Plot::new(format!("Volume, {name}"))
                .x("rays along a side", Scale::Log)
                .y("volume", Scale::Linear)
                .series(
                    Series::line("with bounds", sweep.iter().map(|o| (at(o), o.volume)))
                        .band(sweep.iter().map(|o| (at(o), o.lower, o.upper))),
                )
                .series(
                    Series::line("sampled, as published", sweep.iter().map(|o| (at(o), o.sampled))).dashed(),
                ),
        );
    }
    let ratio = times[1] / times[0];
    let printed = (paper.complex.1 + 1.0) / (paper.slight.1 + 1.0);
    let [a, b] = [0, 1].map(|b| thousands(stage.mesh.meshes()[b].triangles().len()));
    let how = format!(
        "closed surfaces of {a} and {b} faces with {SIDE} × {SIDE} rays, overlapping slightly and deeply. Our time \
         includes the proof of the bounds, which the paper does not have. “As published” is the paper's algorithm in \
         software: opposite views, one rendering per layer, the sum of the spans."
    );
    let finding = Finding::new(how, sheet)
        .check(
            ratio > 1.0,
            format!("the complex case takes {} × the slight one ({} × in the paper)", digits(ratio), digits(printed)),
        )
        .check(
            off <= 0.01,
            format!(
                "as published, with up to {passes} renderings, the volume is off by {} % at most; it takes {} × our \
                 time or more, and has no bounds",
                digits(100.0 * off),
                digits(slower)
            ),
        )
        .check(
            kept,
            "the volume of 512 × 512 rays lies within the bounds of 128 × 128, and the bounds of all resolutions agree",
        );
    Ok(plots.into_iter().fold(finding, Finding::plot))
}

/// H24: the largest pair.
pub fn dragon() -> Result<Finding> {
    let mut sheet = Sheet::new([
        "objects",
        "faces",
        "paper: depth complexity",
        "paper",
        "depth complexity",
        "time",
        "volume",
        "lower",
        "upper",
    ]);
    let mut times = Vec::new();
    let mut faces = Vec::new();
    for (name, scene, printed, milliseconds) in [
        ("knot and 50k", "pair-knot12k-blob50k", "4 and 6", 57.0),
        ("knot and 520k", "pair-knot12k-blob520k", "7 and 8", 256.0),
    ] {
        let stage = Stage::named(scene)?;
        let (seconds, found) = measure(&stage, &stage.pose(1), SIDE, 3)?;
        let count = stage.mesh.triangles().len();
        times.push(seconds);
        faces.push(count as f64);
        let (depth, time) = (depths(&found), Value::Seconds(seconds));
        row!(
            sheet,
            name,
            count,
            printed,
            ms(milliseconds),
            depth,
            time,
            found.volume,
            found.lower,
            found.upper
        );
    }
    let (time, growth) = (times[1] / times[0], faces[1] / faces[0]);
    let how = format!("the deep case of both pairs with {SIDE} × {SIDE} rays, bounds included.");
    Ok(Finding::new(how, sheet)
        .check(
            time <= growth,
            format!(
                "{} × the faces take {} × the time ({} × in the paper)",
                digits(growth),
                digits(time),
                digits(256.0 / 57.0)
            ),
        )
        .check(
            times[1] <= 0.256,
            format!(
                "{} on one core, so still interactive (paper: 256 ms)",
                crumple_io::report::seconds(times[1])
            ),
        ))
}

/// A model stretched so that its box is the cube from -1 to 1.
fn boxed(model: ClosedModel, variant: u64) -> Surface {
    let surface = model.surface(variant);
    let (low, high) = bounds(&surface.positions);
    surface.mapped(|p| std::array::from_fn(|k| 2.0 * (p[k] - low[k]) / (high[k] - low[k]) - 1.0))
}

/// H27: boxes that coincide.
pub fn coinciding() -> Result<Finding> {
    let mut sheet = Sheet::new([
        "objects",
        "paper: slight",
        "paper: complex",
        "paper: derived",
        "slight",
        "complex",
        "coinciding",
        "depth complexity",
    ]);
    let (mut slowest, mut derived) = (0, 0);
    for paper in &ROWS {
        let stage = Stage::named(paper.scene)?;
        let [slight, complex] = [0, 1].map(|f| measure(&stage, &stage.pose(f), SIDE, 3).map(|m| m.0));
        let (slight, complex) = (slight?, complex?);
        let [a, b] = [0, 1].map(|k| LazyBody::still(["a", "b"][k], boxed(paper.models[k], k as u64)));
        let stage = Stage::of(LazyScene::new("coinciding", 1, vec![a, b]))?;
        let (seconds, found) = measure(&stage, &stage.pose(0), SIDE, 3)?;
        slowest += usize::from(seconds >= slight.max(complex));
        let sum = paper.whole[0] + paper.whole[1];
        derived += usize::from(sum >= paper.slight.1.max(paper.complex.1));
        let [x, y, z] = [slight, complex, seconds].map(Value::Seconds);
        let name = format!("{} and {}", paper.models[0].name(), paper.models[1].name());
        row!(sheet, name, ms(paper.slight.1), ms(paper.complex.1), ms(sum), x, y, z, depths(&found));
    }
    let how = "each pair stretched so that both boxes are the same cube, beside its two cases of Table 1. “Derived” \
               is the sum of the times of Table 2 for both whole objects.";
    Ok(Finding::new(how, sheet)
        .check(
            slowest == ROWS.len(),
            format!("coinciding boxes are the slowest case of {slowest} of {} pairs", ROWS.len()),
        )
        .check(
            derived == ROWS.len(),
            format!(
                "in the paper's own numbers the derived time is the largest of {derived} of {}",
                ROWS.len()
            ),
        ))
}
