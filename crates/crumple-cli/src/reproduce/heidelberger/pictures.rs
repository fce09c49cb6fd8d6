//! What the stages look like (H28).

use anyhow::Result;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame};
use crumple_io::picture::{Boxes, Color, Image, Legend, Points, palette};
use crumple_scenes::vector::bounds;

use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage};
use crate::reproduce::scenery::{HALF, bodies, canvas, surface};
use crate::reproduce::sheet::{Sheet, digits, row};

/// Columns along a side and samples along each, in the pictures of layers.
const COLUMNS: usize = 28;
const SAMPLES: usize = 160;

type Bounds = [[f64; 3]; 2];

/// The common part of two boxes.
fn common(a: Bounds, b: Bounds) -> Bounds {
    [std::array::from_fn(|k| a[0][k].max(b[0][k])), std::array::from_fn(|k| a[1][k].min(b[1][k]))]
}

fn boxes_of(pose: &Pose) -> [Bounds; 2] {
    [0, 1].map(|b| {
        let (low, high) = bounds(&pose.0[b]);
        [low, high]
    })
}

/// Stretches inside the given bodies along columns through a box, from exact answers about points on them.
fn spans(stage: &Stage, pose: &Pose, within: Bounds, of: &[BodyId]) -> Result<Vec<Bounds>> {
    let size: [f64; 3] = std::array::from_fn(|k| within[1][k] - within[0][k]);
    let axis = (0..3).fold(0, |best, k| if size[k] < size[best] { k } else { best });
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let at = |i: usize, j: usize, s: f64| {
        let mut p = within[0];
        p[u] += size[u] * (i as f64 + 0.5) / COLUMNS as f64;
        p[v] += size[v] * (j as f64 + 0.5) / COLUMNS as f64;
        p[axis] += size[axis] * s / SAMPLES as f64;
        p
    };
    let mut points = Vec::new();
    for i in 0..COLUMNS {
        for j in 0..COLUMNS {
            points.extend((0..SAMPLES).map(|s| at(i, j, s as f64 + 0.5)));
        }
    }
    let slices = pose.slices();
    let mut layers = LayeredDepth::default();
    let mut all = vec![true; points.len()];
    for body in of {
        let inside = layers.update(&stage.mesh, Frame::new(&slices))?.inside(*body, &points)?;
        all.iter_mut().zip(inside).for_each(|(a, i)| *a &= i);
    }
    let half = [u, v].map(|k| 0.42 * size[k] / COLUMNS as f64);
    let mut out = Vec::new();
    for (c, column) in all.chunks(SAMPLES).enumerate() {
        let (i, j) = (c / COLUMNS, c % COLUMNS);
        let mut first = 0;
        for run in column.chunk_by(|a, b| a == b) {
            if run[0] {
                let (mut low, mut high) = (at(i, j, first as f64), at(i, j, (first + run.len()) as f64));
                for (k, h) in [u, v].into_iter().zip(half) {
                    low[k] -= h;
                    high[k] += h;
                }
                out.push([low, high]);
            }
            first += run.len();
        }
    }
    Ok(out)
}

fn volume_of_interest(stage: &Stage, pose: &Pose) -> Image {
    let both = boxes_of(pose);
    let voi = [common(both[0], both[1])];
    let colors: Vec<Color> = (0..2).map(palette::body).collect();
    bodies(canvas(HALF), stage, pose, 0.8)
        .boxes(Boxes::new(&both).colors(&colors).width(2.0))
        .boxes(Boxes::new(&voi).color(palette::HIGHLIGHT).width(2.5).fill(0.12))
        .legend(Legend::keys([(palette::HIGHLIGHT, "volume of interest")]))
        .render()
}

fn intersection(stage: &Stage, pose: &Pose, spans: &[Bounds]) -> Image {
    let both = boxes_of(pose);
    let voi = [common(both[0], both[1])];
    bodies(canvas(HALF), stage, pose, 0.18)
        .boxes(Boxes::new(&voi).color(palette::STRUCTURE))
        .boxes(Boxes::new(spans).color(palette::HIGHLIGHT).width(0.7).fill(0.5))
        .render()
}

/// H28: the stages of one slight and one complex case, layers of one object, points in another.
pub fn stages() -> Result<Finding> {
    let stage = Stage::named("pair-knot12k-blob50k")?;
    let (slight, complex) = (stage.pose(0), stage.pose(1));
    let mut sheet = Sheet::new(["case", "spans", "volume of the drawn spans", "lower", "upper"]);
    let mut is_near = true;
    let mut drawn = Vec::new();
    for (name, pose) in [("slight", &slight), ("complex", &complex)] {
        let both = boxes_of(pose);
        let found = spans(&stage, pose, common(both[0], both[1]), &[BodyId(0), BodyId(1)])?;
        // The boxes are drawn thinner than their columns, so that they can be told apart.
        let volume: f64 = found
            .iter()
            .map(|[low, high]| (0..3).map(|k| high[k] - low[k]).product::<f64>() / (0.84 * 0.84))
            .sum();
        let mut layers = LayeredDepth::default();
        let slices = pose.slices();
        let overlap = layers
            .update(&stage.mesh, Frame::new(&slices))?
            .overlap([BodyId(0), BodyId(1)], Resolution::default())?;
        is_near &= (volume / overlap.volume - 1.0).abs() <= 0.1;
        row!(sheet, name, found.len(), volume, overlap.lower, overlap.upper);
        drawn.push(found);
    }
    let whole = boxes_of(&slight)[0];
    let layers = spans(&stage, &slight, whole, &[BodyId(0)])?;
    let layered = canvas(HALF)
        .surface(surface(&stage, &slight, 0).opacity(0.15))
        .boxes(Boxes::new(&layers).color(palette::NEAR).width(0.7).fill(0.35))
        .render();
    let (points_image, inside) = cloud()?;
    let how = format!(
        "knot and blob of Table 1. Spans are drawn on {COLUMNS} × {COLUMNS} columns, from exact answers at \
         {SAMPLES} places along each."
    );
    Ok(Finding::new(how, sheet)
        .check(is_near, "the drawn spans add up to the measured volume within 10 %")
        .picture(
            volume_of_interest(&stage, &slight),
            "Figs 1 and 2: boxes and their common part, slight case.",
        )
        .picture(intersection(&stage, &slight, &drawn[0]), "Fig. 7: the intersection volume, slight case.")
        .picture(volume_of_interest(&stage, &complex), "The complex case: one box is nearly in the other.")
        .picture(intersection(&stage, &complex, &drawn[1]), "Fig. 8: the intersection volume, complex case.")
        .picture(layered, "Fig. 3: layers of the knot; each bar runs from an entry to the next exit.")
        .picture(points_image, format!("Fig. 10: 3000 points in a box, {} inside.", digits(inside as f64))))
}

fn cloud() -> Result<(Image, usize)> {
    let stage = Stage::named("inside-50k")?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let points: Vec<_> = pose.0[1].iter().take(3000).copied().collect();
    let mut layers = LayeredDepth::default();
    let inside = layers.update(&stage.mesh, Frame::new(&slices))?.inside(BodyId(0), &points)?;
    let colors: Vec<Color> =
        inside.iter().map(|i| if *i { palette::HIGHLIGHT } else { palette::STRUCTURE }).collect();
    let image = canvas(HALF)
        .surface(surface(&stage, &pose, 0).opacity(0.35))
        .points(Points::new(&points).colors(&colors).size(4.0).see_through(0.6))
        .render();
    Ok((image, inside.iter().filter(|i| **i).count()))
}
