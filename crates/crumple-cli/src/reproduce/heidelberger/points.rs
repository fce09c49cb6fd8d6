//! Points inside objects (H25).

use anyhow::{Context, Result};
use crumple::methods::brute_force;
use crumple::methods::layered_depth::published::Published as Paper;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame, Positions};
use crumple_io::report::{Plot, Scale, Series};
use crumple_scenes::papers::heidelberger::Model;

use super::worst::whole_ms;
use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, in_turn, smallest, timed};
use crate::reproduce::limits;
use crate::reproduce::measure::{power, sum};
use crate::reproduce::sheet::{Sheet, Value, ms, row};

/// The body among body and points.
const BODY: BodyId = BodyId(0);
/// The paper's resolution.
const RAYS: Resolution = Resolution::rays(128);
/// Repetitions of what is timed.
const ROUNDS: usize = 5;
/// Questions of a point and a face that brute force answers on each model: seconds' worth.
const QUESTIONS: usize = 20_000_000;

/// H25: Table 2.
pub fn table(_: Extent) -> Result<Finding> {
    /// Milliseconds of stage 3b in the order of the models.
    const LOOKUP: [f64; 5] = [26.0, 27.0, 28.0, 26.0, 27.0];
    let mut sheet = Sheet::new([
        "object",
        "faces",
        "paper: depth",
        "depth",
        "layers that differ",
        "paper: stages 1, 2",
        "stages 1, 2",
        "faces drawn",
        "paper: 3b",
        "3b",
        "inside",
        "wrong",
        "Crumple: preparing",
        "Crumple: 100,000 points",
        "Crumple: wrong of a sample",
    ]);
    let (mut faces, mut series, mut wrong) = (Vec::new(), [const { Vec::new() }; 4], 0);
    for (model, lookup) in Model::ALL.into_iter().zip(LOOKUP) {
        let stage = Stage::named(&format!("H25-{}", model.name().to_lowercase()))?;
        let pose = stage.pose(0);
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let mut layers = LayeredDepth::default();
        let (mut make, mut ask) = (f64::INFINITY, f64::INFINITY);
        let mut inside = Vec::new();
        for _ in 0..ROUNDS {
            let mut volumes = layers.update(&stage.mesh, frame)?;
            let (s, solid) = timed(|| volumes.solid(BODY));
            let mut solid = solid?;
            make = make.min(s);
            let (s, done) = timed(|| solid.inside(slices[1], &mut inside));
            done?;
            ask = ask.min(s);
        }
        // Brute force asks every face about every point.
        let count = stage.mesh.triangles().len();
        let stride = (pose.0[1].len() * count / QUESTIONS).max(1);
        let sample: Vec<_> = pose.0[1].iter().step_by(stride).copied().collect();
        let truth = brute_force::inside(&stage.mesh, frame, BODY, Positions::from(&sample))?;
        let bad = truth.iter().zip(inside.iter().step_by(stride)).filter(|(a, b)| a != b).count();
        let found = published(&stage, frame, slices[1], &inside)?;
        faces.push(count as f64);
        wrong += found.wrong;
        for (list, seconds) in series.iter_mut().zip([found.render, found.query, make, ask]) {
            list.push(seconds);
        }
        row!(
            sheet,
            model.name(),
            count,
            u64::from(model.depth()),
            u64::from(found.depth),
            u64::from(found.depth.abs_diff(model.depth())),
            ms(whole_ms(model)),
            Value::Seconds(found.render),
            found.passes * count as u64,
            ms(lookup),
            Value::Seconds(found.query),
            inside.iter().filter(|i| **i).count(),
            found.wrong,
            Value::Seconds(make),
            Value::Seconds(ask),
            bad
        );
    }
    let line = |name: &str, k: usize| {
        Series::line(name, faces.iter().zip(&series[k]).map(|(n, s)| (*n, 1e3 * s)).collect::<Vec<_>>())
    };
    let printed = |values: Vec<f64>| faces.iter().copied().zip(values).collect::<Vec<_>>();
    let how = format!(
        "models of the same numbers of faces and layers with 100,000 random points in their boxes. “Stages 1, 2” and “3b” are \
         the paper's algorithm in software with 128 × 128 rays: one rendering per layer, then the nearest ray of each point; \
         best of {ROUNDS}. “Wrong” counts points for which the nearest ray answers otherwise than the surface. Crumple's \
         answers are exact; a sample of them is compared with brute force."
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "Depth complexity: Knot 8, Rabbit 8, Reptile 12, Santa 8, Dragon 10",
            "Table 2",
            "our models differ from the table by {} layers",
            sum("layers that differ"),
            &limits::NONE,
        ))
        .claim(Claim::new(
            "Stage 3b: Knot 26, Rabbit 27, Reptile 28, Santa 26, Dragon 27 ms",
            "Table 2",
            "the time of looking up grows as faces to the power of {}, from 12,000 to 520,000",
            power("faces", "3b"),
            &limits::FLAT,
        ))
        .claim(Claim::new(
            "collision queries performed on the generated LDIs are very efficient even in the case of a large number of LDI \
             layers",
            "Section 3.2",
            "the time of looking up grows as the number of layers to the power of {}",
            power("depth", "3b"),
            &limits::LINEAR_AT_MOST,
        ))
        .claim(Claim::new(
            "Both the memory consumption and the performance of the LDI generation depend on the geometric complexity and the \
             depth complexity of the objects.",
            "Section 3.2",
            "the time of stages 1 and 2 grows as the faces drawn, once per layer, to the power of {}",
            power("faces drawn", "stages 1, 2"),
            &limits::GROWS,
        ))
        .remark(format!(
            "The nearest ray is wrong for {} of 500,000 points, all near the surface; Crumple asks the faces of that ray.",
            thousands(wrong)
        ))
        .plot(
            Plot::new("Time against faces")
                .x("faces", Scale::Log)
                .y("milliseconds", Scale::Log)
                .series(line("stages 1, 2", 0))
                .series(line("3b", 1))
                .series(line("Crumple: preparing", 2))
                .series(line("Crumple: points", 3))
                .series(Series::line("paper: stages 1, 2", printed(Model::ALL.map(whole_ms).into())).dashed())
                .series(Series::line("paper: 3b", printed(LOOKUP.into())).dashed()),
        ))
}

/// The paper's algorithm.
struct Published {
    render: f64,
    query: f64,
    wrong: usize,
    depth: u32,
    passes: u64,
}

fn published(stage: &Stage, frame: Frame<'_>, points: Positions<'_>, truth: &[bool]) -> Result<Published> {
    let mut method = Paper::default();
    let image = method.update(&stage.mesh, frame)?.image(BODY, RAYS)?.context("a box without volume")?;
    let mut inside = Vec::new();
    let [render, query] = in_turn(
        ROUNDS,
        [
            &mut || {
                std::hint::black_box(method.update(&stage.mesh, frame)?.image(BODY, RAYS)?);
                Ok(())
            },
            &mut || {
                inside.clear();
                inside.extend((0..points.len()).map(|i| image.contains(&points.get(i))));
                Ok(())
            },
        ],
    )?;
    let wrong = inside.iter().zip(truth).filter(|(a, b)| a != b).count();
    let (depth, passes) = (image.depth_complexity(), image.passes() as u64);
    Ok(Published { render: smallest(&render), query: smallest(&query), wrong, depth, passes })
}
