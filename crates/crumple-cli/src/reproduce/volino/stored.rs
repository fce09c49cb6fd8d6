//! Vertices stored round a region (V10, Fig. 4).

use anyhow::{Context, Result};
use crumple::methods::regularity::published::Rules;
use crumple::{BodyId, Drawing, Frame, Tone};
use crumple_io::picture::{Image, Legend, Points, palette};
use crumple_scenes::shapes::{icosphere, sheet, torus};
use crumple_scenes::vector::bounds;
use crumple_scenes::{LazyBody, LazyScene, Surface};

use super::pictures::Painted;
use super::published;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::{least, sum};
use crate::reproduce::scenery::{HALF, canvas, surface};
use crate::reproduce::sheet::{Sheet, Value, row};

/// The level whose region is drawn.
const LEVEL: usize = 5;

/// Triangles along an edge, or round and across, of the small surfaces: some 500 in all.
const ROUND: usize = 5;
const RING: [usize; 2] = [20, 12];
const FLAT: usize = 16;
/// Radii of the torus: of the ring and of the tube.
const RADII: [f64; 2] = [0.7, 0.3];

/// V10: how many vertices are stored, and what they tell.
pub fn vertices(_: Extent) -> Result<Finding> {
    let mut sheet_ = Sheet::new([
        "size",
        "surface",
        "closed",
        "regions",
        "stored vertices, mean",
        "longest",
        "no more than 6",
        "with neighbours and nothing stored",
        "neighbours",
        "not told",
    ]);
    let still = |name: &'static str, surface: Surface| -> Result<(&'static str, &'static str, Stage)> {
        Ok(("small", name, Stage::of(LazyScene::new(name, 1, vec![LazyBody::still(name, surface)]))?))
    };
    let mut all = vec![
        still("sphere", icosphere(ROUND))?,
        still("torus", torus(RING[0], RING[1], RADII[0], RADII[1]))?,
        still("sheet", sheet(FLAT, FLAT, [1.0, 1.0]))?,
    ];
    for (what, name) in [
        ("sphere", "sphere-20k"),
        ("crossing sheet", "loop-20k"),
        ("cloth", "V22"),
        ("crumpled", "crumple-20k"),
    ] {
        all.push(("large", what, Stage::named(name)?));
    }
    for (size, what, stage) in &all {
        let pose = stage.pose(0);
        let detector = published(stage, &pose, Rules::AsPublished)?;
        let stats = detector.adjacency(BodyId(0))?.context("lists of neighbours")?;
        let mean = stats.entries as f64 / stats.regions.max(1) as f64;
        // The whole of an open surface has a contour and no neighbour.
        let is_open = !stage.mesh.meshes()[0].topology().boundary_loops().is_empty();
        let empty = stats.empty.saturating_sub(usize::from(is_open));
        // All pairs of regions are too many on a large surface.
        let told = if *size == "small" { detector.told_neighbours(BodyId(0))? } else { None };
        let [neighbours, missed] =
            told.map_or([Value::Nothing, Value::Nothing], |t| [t.neighbours.into(), t.missed.into()]);
        let within = Value::Share(1.0 - stats.beyond_six as f64 / stats.regions.max(1) as f64);
        let closed = if is_open { "no" } else { "yes" };
        row!(
            sheet_,
            *size,
            *what,
            closed,
            stats.regions,
            mean,
            stats.longest,
            within,
            empty,
            neighbours,
            missed
        );
    }
    let how = "the published hierarchy; a vertex is stored where the region across the contour changes. On small surfaces, of \
               500 triangles or so, all pairs of regions of which neither holds the other were looked at: those with a common vertex are \
               neighbours, and “not told” are neighbours of which the stored vertices say nothing.";
    Ok(Finding::new(how, sheet_)
        .claim(Claim::new(
            "the number of adjacency elements in a list is O(1) and hardly exceeds 6",
            "Section 2.3.3",
            "no more than 6 in {%} of the lists, on the surface where they are fewest",
            least("no more than 6"),
            &limits::USUALLY,
        ))
        .claim(
            Claim::new(
                "We could prove that any couple of subsurfaces do have at least one of these vertices in common.",
                "Section 2.3.3",
                "the stored vertices do not tell {} pairs of neighbours",
                sum("not told").at("size", "small"),
                &limits::NONE,
            )
            .because(
                "A vertex is stored only where the label across changes: neighbours that touch in one vertex between two changes, or \
                 all along a contour whose label never changes, have none in common.",
                "{} regions with neighbours store nothing at all",
                sum("with neighbours and nothing stored"),
                &limits::SOME,
            ),
        )
        .picture(
            drawn()?,
            "Fig. 4: a region of a cloth and what lies across its contour: for each edge the largest region that does not hold \
             it. Vertices are stored where that changes.",
        ))
}

/// The region in the middle of a cloth, its neighbours and its stored vertices.
fn drawn() -> Result<Image> {
    let stage = Stage::named("V22")?;
    let pose = stage.pose(0);
    let slices = pose.slices();
    let frame = Frame::new(&slices);
    let detector = published(&stage, &pose, Rules::AsPublished)?;
    let mut level = Drawing::default();
    detector.draw_level(&stage.mesh, frame, LEVEL, &mut level);
    let body = &stage.mesh.meshes()[0];
    let (low, high) = bounds(&pose.0[0]);
    let off = |t: crumple::TriangleId| {
        let p = pose.0[0][body.triangles()[t.index()][0].index()];
        (0..3).map(|k| (2.0 * p[k] - low[k] - high[k]).powi(2)).sum::<f64>()
    };
    let groups = level.triangles.iter().filter_map(|(t, tone)| match tone {
        Tone::Group(region) => Some((*t, *region)),
        _ => None,
    });
    let (_, region) = groups.min_by(|a, b| off(a.0).total_cmp(&off(b.0))).context("a region")?;
    let mut drawing = Drawing::default();
    detector.draw_stored(&stage.mesh, frame, (BodyId(0), region), &mut drawing)?;
    let mut classes = Painted::new(&stage, &drawing).classes.swap_remove(0);
    // Colours by rank, so that neighbours differ.
    let mut known: Vec<u32> = classes.iter().copied().filter(|c| *c != u32::MAX).collect();
    known.sort_unstable();
    known.dedup();
    for class in classes.iter_mut().filter(|c| **c != u32::MAX) {
        *class = known.binary_search(class).unwrap_or(0) as u32;
    }
    let stored: Vec<[f64; 3]> = drawing.points.iter().map(|(p, _)| *p).collect();
    Ok(canvas(HALF)
        .surface(surface(&stage, &pose, 0).classes(&classes))
        .points(Points::new(&stored).color(palette::HIGHLIGHT).size(9.0).on_top())
        .legend(Legend::keys([(palette::HIGHLIGHT, "stored vertex")]))
        .render())
}
