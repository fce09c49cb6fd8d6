//! The test bed, drawn (B17; Figs 1, 2 and 5).

use anyhow::Result;
use crumple::methods::bucket_tree::published::Placement;
use crumple::{BodyId, Detector, Drawing, Frame, Tone};
use crumple_io::picture::{Boxes as Frames, Color, Image, Legend, Lines, Points, palette};

use super::collisions::contacts;
use super::{fixed, published};
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::most;
use crate::reproduce::scenery::{HALF, canvas, surface};
use crate::reproduce::sheet::{Sheet, row};

/// Primitives in the picture of a cone, and how much longer than a step their motion is drawn.
const DRAWN: usize = 60;
const LONGER: f64 = 6.0;
/// Degrees within which they move.
const CONE: f64 = 45.0;
/// Primitives of each soup of Fig. 5, few enough to be told apart, and degrees within which they move.
const SOUP: usize = 1500;
const ALPHA: f64 = 15.0;
/// Nearly black, as in the paper's figure.
const INK: Color = Color::hex(0x14_18_1f);

/// B17: buckets of two soups.
pub fn picture(_: Extent) -> Result<Finding> {
    let stage = Stage::of(crumple_scenes::papers::ganovelli::clouds("clouds", SOUP, ALPHA, 1))?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let mut detector = fixed(&stage, &pose, published(Placement::Sorted, 3))?;
    let found = contacts(&stage, &pose, &mut detector)?;
    let mut drawing = Drawing::default();
    detector.update(&stage.mesh, Frame::new(&slices))?.draw(&mut drawing);
    let mut marked = [Vec::new(), Vec::new()];
    for (triangle, _) in drawing.triangles.iter().filter(|(_, tone)| *tone == Tone::Hit) {
        let (body, local) = stage.mesh.locate_triangle(*triangle);
        marked[body.index()].push(local.0);
    }
    let buckets = drawing.boxes.iter().filter(|(.., tone)| *tone == Tone::Hit).count();
    let boxes_of = |is_hit: bool| -> Vec<_> {
        let some = drawing.boxes.iter().filter(|(.., tone)| (*tone == Tone::Hit) == is_hit);
        some.map(|(low, high, _)| [*low, *high]).collect()
    };
    let (hit, other) = (boxes_of(true), boxes_of(false));
    let faint = Color::hex(0xb4_be_ca);
    let whole: Vec<_> =
        pose.0.iter().map(|p| crumple_scenes::vector::bounds(p)).map(|(a, b)| [a, b]).collect();
    let image = canvas(HALF)
        .boxes(Frames::new(&other).color(faint).width(0.3))
        .boxes(Frames::new(&hit).color(palette::HIGHLIGHT).width(1.5).see_through(0.7))
        .surface(surface(&stage, &pose, 0).highlight_in(INK, &marked[0]))
        .surface(surface(&stage, &pose, 1).highlight_in(INK, &marked[1]))
        .boxes(Frames::new(&whole).width(2.0))
        .legend(Legend::keys([
            (INK, "primitives of colliding buckets"),
            (palette::HIGHLIGHT, "their buckets"),
            (faint, "other occupied buckets"),
        ]))
        .render();
    let is_marked = |t: crumple::TriangleId| {
        let (body, local) = stage.mesh.locate_triangle(t);
        marked[body.index()].contains(&local.0)
    };
    let uncovered = found.triangle_pairs.iter().filter(|p| !(is_marked(p.a) && is_marked(p.b))).count();
    let mut sheet =
        Sheet::new(["soup", "primitives", "in colliding buckets", "colliding buckets", "pairs not marked"]);
    for (b, marked) in marked.iter().enumerate() {
        let body = &stage.mesh.meshes()[b];
        row!(sheet, body.name(), body.triangles().len(), marked.len(), buckets, uncovered);
    }
    let how = format!(
        "two soups of {SOUP} triangles, 3 levels, drawn from the detector's own structure; {} pairs of triangles are found \
         between them.",
        found.triangle_pairs.len()
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "The primitives in the two buckets colliding are rendered in black. The bounding boxes of the two objects are \
             showed.",
            "Section 5, Fig. 5",
            "{} pairs that are found are not marked",
            most("pairs not marked"),
            &limits::NONE,
        ))
        .picture(
            image,
            "Fig. 5: the primitives of colliding buckets in black, and the boxes of both objects.",
        )
        .picture(
            slabs(&stage, &pose)?,
            "Fig. 1: a tree of two levels along x: each slab points at the first primitive of its interval in the sorted \
             order; primitives in the colour of their slab.",
        ))
}

/// Fig. 1: the slabs of two levels along x, and the primitives that the pointers of each give it.
fn slabs(stage: &Stage, pose: &Pose) -> Result<Image> {
    let tree = fixed(stage, pose, published(Placement::Sorted, 2))?;
    let (order, first) = tree.slabs(BodyId(0), 0)?;
    let mut classes = vec![0; order.len()];
    let mut boxes = Vec::new();
    let body = &stage.mesh.meshes()[0];
    for (slab, ends) in first.windows(2).enumerate() {
        let own = &order[ends[0] as usize..ends[1] as usize];
        own.iter().for_each(|t| classes[t.index()] = slab as u32);
        let corners: Vec<_> =
            own.iter().flat_map(|t| body.triangles()[t.index()]).map(|v| pose.0[0][v.index()]).collect();
        if !corners.is_empty() {
            let (low, high) = crumple_scenes::vector::bounds(&corners);
            boxes.push([low, high]);
        }
    }
    Ok(canvas(HALF)
        .surface(surface(stage, pose, 0).classes(&classes))
        .boxes(Frames::new(&boxes).color(palette::STRUCTURE).width(1.5))
        .render())
}

/// Fig. 2: the motion of some primitives in one step, beside the mean of all.
pub fn within_a_cone() -> Result<Image> {
    let stage = Stage::of(crumple_scenes::papers::ganovelli::soup("cone", DRAWN, CONE, 2))?;
    let [before, after] = [0, 1].map(|f| stage.pose(f));
    let centre = |pose: &Pose, t: usize| -> [f64; 3] {
        let corners = stage.mesh.triangles()[t].map(|v| pose.0[0][v.index()]);
        std::array::from_fn(|k| corners.iter().map(|c| c[k]).sum::<f64>() / 3.0)
    };
    let moves: Vec<[[f64; 3]; 2]> = (0..stage.mesh.triangles().len())
        .map(|t| {
            let [from, to] = [&before, &after].map(|pose| centre(pose, t));
            [from, std::array::from_fn(|k| from[k] + LONGER * (to[k] - from[k]))]
        })
        .collect();
    let mean = |end: usize| -> [f64; 3] {
        std::array::from_fn(|k| moves.iter().map(|m| m[end][k]).sum::<f64>() / moves.len() as f64)
    };
    let (from, to) = (mean(0), mean(1));
    let main = [[from, std::array::from_fn(|k| from[k] + 2.0 * (to[k] - from[k]))]];
    let tips = [main[0][1]];
    Ok(canvas(HALF)
        .surface(surface(&stage, &before, 0).opacity(0.4))
        .lines(Lines::new(&moves).color(palette::body(1)).width(2.0))
        .lines(Lines::new(&main).color(INK).width(5.0).on_top())
        .points(Points::new(&tips).color(INK).size(12.0).on_top())
        .floor(false)
        .render())
}
