//! Points inside objects (H25, H26).

use anyhow::{Context, Result};
use crumple::methods::brute_force;
use crumple::methods::layered_depth::image::Layers;
use crumple::methods::layered_depth::published::Published as Paper;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame, Positions, VertexId};
use crumple_io::picture::{Color, Legend, Points, View, palette};
use crumple_io::report::{Plot, Scale, Series, seconds};

use crate::output::thousands;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Stage, extremes, mean, spread, timed};
use crate::reproduce::scenery::{WIDE, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, digits, ms, row};

const BODY: BodyId = BodyId(0);
const RAYS: Resolution = Resolution::rays(128);

/// H25: Table 2.
pub fn table() -> Result<Finding> {
    const ROWS: [(&str, &str, u64, f64, f64); 5] = [
        ("Knot", "inside-12k", 8, 11.0, 26.0),
        ("Rabbit", "inside-50k", 8, 29.0, 27.0),
        ("Reptile", "inside-110k", 12, 83.0, 28.0),
        ("Santa", "inside-150k", 8, 79.0, 26.0),
        ("Dragon", "inside-520k", 10, 307.0, 27.0),
    ];
    let mut sheet = Sheet::new([
        "object",
        "faces",
        "paper: stages 1, 2",
        "paper: 3b",
        "preparing",
        "100,000 points",
        "inside",
        "wrong of a sample",
        "depth complexity (paper)",
        "layers alone",
        "against boxes and normals",
        "as published: stages 1, 2",
        "as published: 3b",
        "as published: wrong",
    ]);
    let (mut faces, mut prepare, mut query) = (Vec::new(), Vec::new(), Vec::new());
    let mut ratios = Vec::new();
    let (mut wrong, mut missed) = (0, 0);
    for (name, scene, depth, stages, lookup) in ROWS {
        let stage = Stage::named(scene)?;
        let pose = stage.pose(0);
        let slices = pose.slices();
        let frame = Frame::new(&slices);
        let mut layers = LayeredDepth::default();
        let (mut make, mut ask) = (f64::INFINITY, f64::INFINITY);
        let mut inside = Vec::new();
        for _ in 0..4 {
            let mut volumes = layers.update(&stage.mesh, frame)?;
            let (s, solid) = timed(|| volumes.solid(BODY));
            let mut solid = solid?;
            make = make.min(s);
            let (s, done) = timed(|| solid.inside(slices[1], &mut inside));
            done?;
            ask = ask.min(s);
        }
        // Brute force asks every face about every point: a sample of some twenty million such questions.
        let count = stage.mesh.triangles().len();
        let stride = (pose.0[1].len() * count / 20_000_000).max(1);
        let sample: Vec<_> = pose.0[1].iter().step_by(stride).copied().collect();
        let truth = brute_force::inside(&stage.mesh, frame, BODY, Positions::from(&sample))?;
        let bad = truth.iter().zip(inside.iter().step_by(stride)).filter(|(a, b)| a != b).count();
        wrong += bad;
        faces.push(count as f64);
        prepare.push(make);
        query.push(ask);
        let hits = inside.iter().filter(|i| **i).count();
        let (make, ask) = (Value::Seconds(make), Value::Seconds(ask));
        let drawn = drawing(&mut layers, &stage, frame)?;
        ratios.push(drawn.seconds / drawn.yardstick);
        let published = published(&stage, frame, slices[1], &inside)?;
        missed += published.wrong;
        row!(
            sheet,
            name,
            count,
            ms(stages),
            ms(lookup),
            make,
            ask,
            hits,
            format!("{bad} of {}", sample.len()),
            format!("{} ({depth})", drawn.depth),
            Value::Seconds(drawn.seconds),
            Value::Times(drawn.seconds / drawn.yardstick),
            Value::Seconds(published.render),
            Value::Seconds(published.query),
            published.wrong
        );
    }
    let line = |name: &str, values: &[f64]| {
        Series::line(name, faces.iter().zip(values).map(|(n, s)| (*n, 1e3 * s)).collect::<Vec<_>>())
    };
    let printed = |value: fn(&(&str, &str, u64, f64, f64)) -> f64| {
        faces.iter().zip(&ROWS).map(|(n, r)| (*n, value(r))).collect::<Vec<_>>()
    };
    let rises = prepare.windows(2).all(|w| w[0] < w[1]);
    let how = "models of the same numbers of faces with 100,000 random points in their boxes. Crumple's answer is \
               exact, not that of the nearest ray. “Layers alone” are the images of the whole object at 128 × 128, \
               beside the time it takes to compute the box and the unit normal of every face; “as published” is the \
               paper's algorithm in software, with one rendering per layer and the nearest ray.";
    Ok(Finding::new(how, sheet)
        .check(
            spread(&query) <= 2.0,
            format!(
                "looking points up takes {} to {}, within {} × from 12,000 to 520,000 faces (paper: 1.08; allowed: 2)",
                seconds(extremes(&query).0),
                seconds(extremes(&query).1),
                digits(spread(&query))
            ),
        )
        .check(
            rises,
            format!("preparing grows with the faces, {} × in all (paper: 27.9)", digits(prepare[4] / prepare[0])),
        )
        .check(wrong == 0, format!("{wrong} answers differ from brute force"))
        .check(
            ratios.iter().all(|r| *r <= 3.0),
            format!(
                "drawing the layers takes {} to {} × the boxes and normals of the same faces (allowed: 3)",
                digits(extremes(&ratios).0),
                digits(extremes(&ratios).1)
            ),
        )
        .check(
            missed > 0,
            format!("the nearest ray is wrong for {} of 500,000 points", thousands(missed)),
        )
        .plot(
            Plot::new("Time against faces")
                .x("faces", Scale::Log)
                .y("milliseconds", Scale::Log)
                .series(line("preparing", &prepare))
                .series(line("100,000 points", &query))
                .series(Series::line("paper: stages 1 and 2", printed(|r| r.3)).dashed())
                .series(Series::line("paper: 3b", printed(|r| r.4)).dashed()),
        ))
}

/// The layers of a whole object.
struct Drawn {
    seconds: f64,
    depth: u32,
    /// Seconds to compute the box and the unit normal of every face.
    yardstick: f64,
}

fn drawing(method: &mut LayeredDepth, stage: &Stage, frame: Frame<'_>) -> Result<Drawn> {
    let mut out = None;
    let (mut seconds, mut yardstick) = (f64::INFINITY, f64::INFINITY);
    let triangles = stage.mesh.meshes()[0].triangles();
    let mut faces = Vec::new();
    for _ in 0..4 {
        let (s, done) = timed(|| -> Result<()> {
            let mut volumes = method.update(&stage.mesh, frame)?;
            let mut view = volumes.view_of(BODY, RAYS)?.context("a box without volume")?;
            let layers = out.get_or_insert_with(|| Layers::empty(*view.lattice()));
            view.layers_into(0, layers);
            Ok(())
        });
        done?;
        seconds = seconds.min(s);
        yardstick = yardstick.min(
            timed(|| {
                boxes_and_normals(triangles, frame.get(crumple::BodyId(0)).expect("one body"), &mut faces)
            })
            .0,
        );
    }
    let depth = out.map_or(0, |layers| layers.depth_complexity());
    Ok(Drawn { seconds, depth, yardstick })
}

/// The smallest and largest corner and the unit normal of every face.
fn boxes_and_normals(triangles: &[[VertexId; 3]], positions: Positions<'_>, out: &mut Vec<[[f64; 3]; 3]>) {
    out.clear();
    out.extend(triangles.iter().map(|t| {
        let [a, b, c] = t.map(|v| positions.get(v.index()));
        let low = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
        let high = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
        let d = |p: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| p[k] - a[k]) };
        let ([ux, uy, uz], [vx, vy, vz]) = (d(b), d(c));
        let n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        [low, high, n.map(|x| x / length)]
    }));
}

/// The paper's algorithm.
struct Published {
    render: f64,
    query: f64,
    wrong: usize,
}

fn published(stage: &Stage, frame: Frame<'_>, points: Positions<'_>, truth: &[bool]) -> Result<Published> {
    let mut method = Paper::default();
    let mut volumes = method.update(&stage.mesh, frame)?;
    let (render, image) = timed(|| volumes.image(BODY, RAYS));
    let image = image?.context("a box without volume")?;
    let (query, inside) =
        timed(|| (0..points.len()).map(|i| image.contains(&points.get(i))).collect::<Vec<bool>>());
    let wrong = inside.iter().zip(truth).filter(|(a, b)| a != b).count();
    Ok(Published { render, query, wrong })
}

/// H26: snow on a wobbling body.
pub fn particles() -> Result<Finding> {
    const FRAMES: usize = 40;
    let stage = Stage::named("H26")?;
    let poses = stage.poses(FRAMES);
    let mut layers = LayeredDepth::default();
    let mut inside = Vec::new();
    let mut times = Vec::new();
    let mut hits = Vec::new();
    for pose in &poses {
        let slices = pose.slices();
        let mut least = f64::INFINITY;
        for _ in 0..2 {
            let (seconds, done) = timed(|| -> Result<()> {
                let mut volumes = layers.update(&stage.mesh, Frame::new(&slices))?;
                let mut solid = volumes.solid(BODY)?;
                Ok(solid.inside(slices[1], &mut inside)?)
            });
            done?;
            least = least.min(seconds);
        }
        times.push(least);
        hits.push(inside.iter().filter(|i| **i).count() as f64);
    }
    let last = &poses[FRAMES - 1];
    // Particles in front of the body would hide it.
    let shown: Vec<_> = last.0[1].iter().zip(&inside).filter(|(p, inside)| **inside || p[1] > 0.0).collect();
    let places: Vec<[f64; 3]> = shown.iter().map(|(p, _)| **p).collect();
    let colors: Vec<Color> =
        shown.iter().map(|(_, i)| if **i { palette::HIGHLIGHT } else { palette::STRUCTURE }).collect();
    let view = View::looking_from([0.25, -1.0, 0.3]).up([0.0, 0.0, 1.0]);
    let image = canvas(WIDE)
        .view(view.focus([-1.6, -1.0, -1.5], [1.6, 1.5, 1.5]))
        .surface(surface(&stage, last, 0).opacity(0.6))
        .points(Points::new(&places).colors(&colors).size(3.0))
        .legend(Legend::keys([(palette::HIGHLIGHT, "inside"), (palette::STRUCTURE, "outside")]))
        .render();
    let per_second = 1.0 / mean(&times);
    let mut sheet = Sheet::new(["", "per frame", "frames a second", "particles inside"]);
    row!(sheet, "paper, 2003, with simulation and drawing", Value::Seconds(1.0 / 29.0), 29.0, Value::Nothing);
    row!(sheet, "Crumple, detection alone", Value::Seconds(mean(&times)), per_second, mean(&hits));
    let how = format!(
        "{FRAMES} frames of a wobbling body of {} faces and {} falling particles; layers are made anew in each.",
        thousands(stage.mesh.triangles().len()),
        thousands(stage.mesh.meshes()[1].vertex_count())
    );
    Ok(Finding::new(how, sheet)
        .check(per_second >= 29.0, format!("detection alone makes {} frames a second", digits(per_second)))
        .remark(format!("That is {} % of the paper's time for a frame.", digits(100.0 * 29.0 / per_second)))
        .picture(image, "Fig. 11: particles on a deforming body; those inside are vermilion, those outside are shown behind it only."))
}
