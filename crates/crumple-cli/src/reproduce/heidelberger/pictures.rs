//! What the stages look like (H28), drawn from the engine's own layers and spans.

use anyhow::{Context, Result};
use crumple::methods::layered_depth::published::Published;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame};
use crumple_io::picture::{Boxes, Color, Image, Legend, Points, View, palette};
use crumple_io::report::{Plot, Scale, Series};
use crumple_scenes::papers::heidelberger::Model;
use crumple_scenes::vector::bounds;
use crumple_scenes::{LazyBody, LazyScene};

use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::{most, sum};
use crate::reproduce::scenery::{HALF, WIDE, bodies, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, row};

/// Rays along a side in the pictures of layers: few enough to be told apart.
const COARSE: Resolution = Resolution::rays(32);
/// Half the width of a bar over the distance of two rays: bars side by side do not touch.
const BAR: f64 = 0.42;
/// How large the inner body of Fig. 2b is, over its own size.
const INNER: f64 = 0.25;
/// How far apart the test objects of Fig. 6 stand; each is about 2 across.
const ASIDE: f64 = 3.0;
/// Points of Fig. 10 that are drawn, of 100,000: few enough to be told apart.
const POINTS: usize = 3000;
/// The two bodies of a pair.
const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];

type Bounds = [[f64; 3]; 2];

fn boxes_of(pose: &Pose) -> [Bounds; 2] {
    [0, 1].map(|b| {
        let (low, high) = bounds(&pose.0[b]);
        [low, high]
    })
}

/// Stretches along rays as bars, a little thinner than the distance of the rays.
fn bars(segments: impl Iterator<Item = [[f64; 3]; 2]>, axes: [usize; 3], pixel: [f64; 2]) -> Vec<Bounds> {
    let widen = |[mut low, mut high]: [[f64; 3]; 2]| {
        for (axis, size) in axes.iter().zip(pixel) {
            low[*axis] -= BAR * size;
            high[*axis] += BAR * size;
        }
        [low, high]
    };
    segments.map(|[a, b]| if a < b { widen([a, b]) } else { widen([b, a]) }).collect()
}

/// What the engine's layers say about a pose: the stretches inside both bodies, and inside the first alone.
struct Spans {
    common: Vec<Bounds>,
    first: Vec<Bounds>,
    second: Vec<Bounds>,
    /// The volume of the common stretches as the engine sums it, and as the drawn bars have it.
    volumes: [f64; 2],
}

fn spans(stage: &Stage, pose: &Pose) -> Result<Spans> {
    let slices = pose.slices();
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&stage.mesh, Frame::new(&slices))?;
    let layers = volumes.layers(BOTH, COARSE)?.context("boxes that overlap")?;
    let lattice = layers[0].lattice();
    let corner = |x: f64| lattice.world([x, x, 0.0]);
    let unit = f64::from(1_u32 << lattice.shift);
    let (from, to) = (corner(0.0), corner(unit));
    let pixel = [0, 1].map(|k| (to[lattice.axes[k]] - from[lattice.axes[k]]).abs());
    let common = layers[0].common(&layers[1])?;
    let length = |s: &[[f64; 3]; 2]| (0..3).map(|k| (s[1][k] - s[0][k]).powi(2)).sum::<f64>().sqrt();
    let drawn: f64 = common.segments().map(|s| length(&s) * pixel[0] * pixel[1]).sum();
    Ok(Spans {
        volumes: [common.volume(), drawn],
        common: bars(common.segments(), lattice.axes, pixel),
        first: bars(layers[0].spans().segments(), lattice.axes, pixel),
        second: bars(layers[1].spans().segments(), lattice.axes, pixel),
    })
}

/// Boxes of both bodies and the paper's volume of interest.
fn volume_of_interest(stage: &Stage, pose: &Pose) -> Result<(Image, bool)> {
    let slices = pose.slices();
    let mut method = Published::default();
    let found = method.update(&stage.mesh, Frame::new(&slices))?.images(BOTH, COARSE)?;
    let (voi, _) = found.context("boxes that overlap")?;
    let both = boxes_of(pose);
    let inner = [[voi.voi.bounds.min, voi.voi.bounds.max]];
    let image = bodies(canvas(HALF), stage, pose, 0.35)
        .boxes(Boxes::new(&both[..1]).color(palette::body(0)).width(2.0))
        .boxes(Boxes::new(&both[1..]).color(palette::body(1)).width(2.0))
        .boxes(Boxes::new(&inner).color(palette::HIGHLIGHT).width(3.0).fill(0.15))
        .legend(Legend::keys([
            (palette::body(0), "box of the first"),
            (palette::body(1), "box of the second"),
            (palette::HIGHLIGHT, "volume of interest"),
        ]))
        .render();
    Ok((image, voi.is_extended))
}

fn intersection(stage: &Stage, pose: &Pose, common: &[Bounds], size: (u32, u32)) -> Image {
    bodies(canvas(size), stage, pose, 0.18)
        .boxes(Boxes::new(common).color(palette::HIGHLIGHT).width(0.7).fill(0.5))
        .render()
}

/// Figs 7 and 8: boxes, volume of interest and intersection volume of a pair.
pub fn pair(stage: &Stage, pose: &Pose) -> Result<Image> {
    let found = spans(stage, pose)?;
    let both = boxes_of(pose);
    let low = std::array::from_fn(|k| both[0][0][k].max(both[1][0][k]));
    let high = std::array::from_fn(|k| both[0][1][k].min(both[1][1][k]));
    let common = [[low, high]];
    Ok(bodies(canvas(HALF), stage, pose, 0.18)
        .boxes(Boxes::new(&both[..1]).color(palette::body(0)).width(1.5))
        .boxes(Boxes::new(&both[1..]).color(palette::body(1)).width(1.5))
        .boxes(Boxes::new(&common).color(palette::STRUCTURE).width(2.0))
        .boxes(Boxes::new(&found.common).color(palette::HIGHLIGHT).width(0.7).fill(0.5))
        .legend(Legend::keys([
            (palette::STRUCTURE, "volume of interest"),
            (palette::HIGHLIGHT, "intersection volume"),
        ]))
        .render())
}

/// One body inside the box of the other, so that the volume of interest must be extended.
fn nested() -> Result<Stage> {
    let small = Model::Knot.surface().mapped(|p| p.map(|x| INNER * x));
    let bodies = vec![LazyBody::still("outer", Model::Rabbit.surface()), LazyBody::still("inner", small)];
    Stage::of(LazyScene::new("nested", 1, bodies))
}

/// Fig. 4: the fragments of two pixels, as they are rendered and sorted: the pixel with the most layers, and the first with half
/// of them. Beside the plot, how many depths differ once both are sorted.
fn fragments() -> Result<(Plot, usize)> {
    let stage = Stage::named("H25-knot")?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&stage.mesh, Frame::new(&slices))?;
    let layers = volumes.layers_of(BodyId(0), COARSE)?.context("a box without volume")?;
    let [nx, ny] = layers.lattice().resolution;
    let pixels = || (0..ny).flat_map(|y| (0..nx).map(move |x| [x, y]));
    let count = |p: &[u32; 2]| layers.of(*p).len();
    let deepest = pixels().max_by_key(count).context("a pixel")?;
    let half = pixels().find(|p| count(p) == count(&deepest) / 2).context("a pixel with half as many")?;
    let far = f64::from(layers.lattice().size[2]);
    let view = volumes.view_of(BodyId(0), COARSE)?.context("a box without volume")?;
    let mut plot = Plot::new("Fig. 4: the layers of two pixels")
        .x("layer", Scale::Linear)
        .y("depth, share of the box", Scale::Linear)
        .caption("Fragments arrive in the order of the faces; sorted, entries and exits alternate.");
    let mut differ = 0;
    for (name, pixel) in [("first pixel", deepest), ("second pixel", half)] {
        let place = (pixel[1] * nx + pixel[0]) as usize;
        let mut unsorted = Vec::new();
        for t in 0..view.triangles(0).len() as u32 {
            view.cross(0, t.into(), |column, layer| {
                if column == place {
                    unsorted.push(f64::from(layer.depth) / far);
                }
            });
        }
        let sorted: Vec<f64> = layers.of(pixel).iter().map(|l| f64::from(l.depth) / far).collect();
        let points = |v: &[f64]| v.iter().enumerate().map(|(k, d)| ((k + 1) as f64, *d)).collect::<Vec<_>>();
        plot = plot
            .series(Series::line(format!("{name}, as rendered"), points(&unsorted)).dashed())
            .series(Series::line(format!("{name}, sorted"), points(&sorted)));
        unsorted.sort_by(f64::total_cmp);
        differ += unsorted.iter().zip(&sorted).filter(|(a, b)| a != b).count()
            + unsorted.len().abs_diff(sorted.len());
    }
    Ok((plot, differ))
}

/// H28: the stages of one slight and one complex case, layers of one object, points in another.
pub fn stages(_: Extent) -> Result<Finding> {
    let stage = Stage::named("H21")?;
    let (slight, complex) = (stage.pose(0), stage.pose(1));
    let mut sheet = Sheet::new(["case", "spans", "volume of the spans", "volume of the drawn bars", "apart"]);
    let mut drawn = Vec::new();
    for (name, pose) in [("slight", &slight), ("complex", &complex)] {
        let found = spans(&stage, pose)?;
        let [sum, bars] = found.volumes;
        row!(sheet, name, found.common.len(), sum, bars, Value::Number((bars / sum - 1.0).abs()));
        drawn.push(found);
    }
    let largest = Stage::named("H24")?;
    let deep = largest.pose(1);
    let very = spans(&largest, &deep)?;
    let [sum_of, bars_of] = very.volumes;
    let apart = Value::Number((bars_of / sum_of - 1.0).abs());
    row!(sheet, "Knot and Dragon", very.common.len(), sum_of, bars_of, apart);
    let within = nested()?;
    let inner = within.pose(0);
    let (extended, is_extended) = volume_of_interest(&within, &inner)?;
    let (plot, differ) = fragments()?;
    let nothing = || Value::Nothing;
    row!(sheet, "two pixels: depths that differ", differ, nothing(), nothing(), nothing());
    row!(sheet, "box in box: not extended", usize::from(!is_extended), nothing(), nothing(), nothing());
    let layered = canvas(HALF)
        .surface(surface(&stage, &complex, 0).opacity(0.15))
        .boxes(Boxes::new(&drawn[1].first).color(palette::body(0)).width(0.7).fill(0.35))
        .render();
    let queries = canvas(HALF)
        .boxes(Boxes::new(&drawn[1].first).color(palette::body(0)).width(0.5).fill(0.08))
        .boxes(Boxes::new(&drawn[1].second).color(palette::body(1)).width(0.5).fill(0.08))
        .boxes(Boxes::new(&drawn[1].common).color(palette::HIGHLIGHT).width(0.8).fill(0.6))
        .legend(Legend::keys([
            (palette::body(0), "inside the first"),
            (palette::body(1), "inside the second"),
            (palette::HIGHLIGHT, "inside both"),
        ]))
        .render();
    let (points_image, inside) = cloud()?;
    let how = "knot and roll of Table 1. Bars are the spans of the engine's own layers, on 32 × 32 rays.";
    let mut finding = Finding::new(how, sheet)
        .claim(Claim::new(
            "The sum of all pixelwise intersection regions constitutes a discrete representation of the intersection volume",
            "Section 3.3, Fig. 5",
            "what is drawn differs from the engine's sum by {}",
            most("apart").at("case", "complex"),
            &limits::ROUNDING,
        ))
        .claim(Claim::new(
            "In some cases, for instance when one box is entirely within another box, appropriate outside faces for both \
             objects cannot be found. This problem is solved by extending the VoI.",
            "Section 3.1, Fig. 2b",
            "{} boxes within another are not extended",
            sum("spans").at("case", "box in box: not extended"),
            &limits::NONE,
        ))
        .claim(Claim::new(
            "Since fragments are rendered in arbitrary order, the algorithm generates an unsorted LDI. For further \
             processing, the LDI is sorted per pixel.",
            "Section 3.2, Fig. 4",
            "{} depths of the two drawn pixels differ once sorted",
            sum("spans").at("case", "two pixels: depths that differ"),
            &limits::NONE,
        ))
        .picture(volume_of_interest(&stage, &slight)?.0, "Figs 1a and 2a: boxes and volume of interest.")
        .picture(extended, "Fig. 2b: one box within the other: the volume of interest is extended to its face.")
        .picture(layered, "Figs 1b and 3: layers of the knot in the volume of interest; each bar runs from an entry to the next exit.")
        .picture(queries, "Figs 1c and 5a: spans of both objects and, where they meet on a ray, of their intersection.")
        .picture(points_image, format!("Figs 5b and 10: {POINTS} points in a box, {inside} inside."))
        .picture(
            intersection(&largest, &deep, &very.common, HALF),
            "Fig. 9: intersection volume of knot and dragon, 12,000 and 518,420 faces.",
        )
        .plot(plot);
    for (image, caption) in objects()? {
        finding = finding.picture(image, caption);
    }
    Ok(finding)
}

/// Fig. 6: the test objects side by side.
fn objects() -> Result<Vec<(Image, String)>> {
    let shift = |k: usize| ASIDE * k as f64;
    let all = Model::ALL.iter().enumerate().map(|(k, model)| {
        LazyBody::still(model.name(), model.surface().mapped(|p| [p[0] + shift(k), p[1], p[2]]))
    });
    let stage = Stage::of(LazyScene::new("objects", 1, all.collect()))?;
    let pose = stage.pose(0);
    // Side by side, as they stand along x.
    let across = View::looking_from([0.25, -1.0, 0.4]).up([0.0, 0.0, 1.0]);
    let image = bodies(canvas(WIDE).view(across), &stage, &pose, 1.0).render();
    let names = Model::ALL.map(|m| format!("{} ({} layers)", m.name(), m.depth())).join(", ");
    Ok(vec![(image, format!("Fig. 6: our stand-ins for the test objects: {names}."))])
}

fn cloud() -> Result<(Image, usize)> {
    let stage = Stage::named("H25-rabbit")?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let points: Vec<_> = pose.0[1].iter().take(POINTS).copied().collect();
    let mut layers = LayeredDepth::default();
    let inside = layers.update(&stage.mesh, Frame::new(&slices))?.inside(BodyId(0), &points)?;
    let colors: Vec<Color> =
        inside.iter().map(|i| if *i { palette::HIGHLIGHT } else { palette::STRUCTURE }).collect();
    let image = canvas(HALF)
        .surface(surface(&stage, &pose, 0).opacity(0.35))
        .points(Points::new(&points).colors(&colors).size(4.0).see_through(0.6))
        .legend(Legend::keys([(palette::HIGHLIGHT, "inside"), (palette::STRUCTURE, "outside")]))
        .render();
    Ok((image, inside.iter().filter(|i| **i).count()))
}
