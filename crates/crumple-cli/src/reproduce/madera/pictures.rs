//! Regions and distances, drawn (M25).

use anyhow::{Context, Result};
use crumple::methods::distance_hierarchy::published::Published;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::{Drawing, Frame, Tone};
use crumple_io::picture::{Color, Image, Legend, Lines, palette};
use crumple_scenes::LazyScene;

use super::experiments::Experiment;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Pose, Stage};
use crate::reproduce::scenery::{Drawn, HALF, bodies, canvas};
use crate::reproduce::sheet::{Sheet, row};

/// The paper's colours of levels 1, 2 and 3.
const LEVELS: [(Color, &str); 3] = [
    (Color::hex(0xd6_2c_1f), "level 1"),
    (Color::hex(0x1f_9d_3a), "level 2"),
    (Color::hex(0x1f_5f_d6), "level 3"),
];

/// What is drawn of an experiment.
struct View<'a> {
    experiment: &'a Experiment,
    /// The set of epsilons, from 0.
    set: usize,
    /// The bodies that are shown.
    bodies: &'a [usize],
    /// How many of these have lines to each other.
    linked: usize,
    step: usize,
}

/// Live distances at a step as lines by level, and how many there are of each.
fn lines(view: &View<'_>) -> Result<(Image, [usize; 3])> {
    let whole = Stage::named(view.experiment.id)?;
    let shown = view.bodies.iter().map(|b| whole.scene.bodies[*b].clone()).collect();
    let stage = Stage::of(LazyScene::new("some", whole.scene.frames, shown))?;
    let pose = stage.pose(view.step);
    let slices = pose.slices();
    let mut published = Published::new(&stage.mesh, Frame::new(&slices), view.experiment.params(view.set))?;
    published.step();
    let (mut segments, mut colors, mut counts) = (Vec::new(), Vec::new(), [0; 3]);
    for (pair, record) in published.numcd().iter().enumerate() {
        let [a, b] = record.bodies.map(|b| b.index());
        for cd in published.cd(pair).iter().filter(|cd| b < view.linked && (1..=3).contains(&cd.level)) {
            segments.push([pose.0[a][cd.middles[0].index()], pose.0[b][cd.middles[1].index()]]);
            colors.push(LEVELS[cd.level - 1].0);
            counts[cd.level - 1] += 1;
        }
    }
    let image = bodies(canvas(HALF), &stage, &pose, 0.55)
        .lines(Lines::new(&segments).colors(&colors))
        .legend(Legend::keys(LEVELS))
        .render();
    Ok((image, counts))
}

/// Regions of one model as spheres.
fn spheres() -> Result<Image> {
    let stage = Stage::named("M18-pawn")?;
    let pose: Pose = stage.pose(0);
    let slices = pose.slices();
    let frame = Frame::new(&slices);
    let mut hierarchy = DistanceHierarchy::new(DistanceHierarchyParams::default())?;
    hierarchy.update(&stage.mesh, frame)?;
    let mut drawing = Drawing::default();
    hierarchy.draw(&mut drawing);
    let drawn = Drawn::new(&drawing, |tone| match tone {
        Tone::Level(1) => Some(palette::HIGHLIGHT),
        _ => None,
    });
    Ok(drawn.onto(bodies(canvas(HALF), &stage, &pose, 0.7)).render())
}

/// M25: spheres, lines by level, humans and torus.
pub fn drawn() -> Result<Finding> {
    let first = Experiment::by_id("M19").context("experiment 1")?;
    let second = Experiment::by_id("M21").context("experiment 2")?;
    let third = Experiment::by_id("M23").context("experiment 3")?;
    let mut sheet = Sheet::new(["objects", "step", "level 1", "level 2", "level 3"]);
    let mut images = Vec::new();
    let (mut always, mut deepest) = (true, 0);
    for (name, view) in [
        ("pawn and torus", View { experiment: first, set: 4, bodies: &[0, 1], linked: 2, step: 285 }),
        ("three humans", View { experiment: second, set: 0, bodies: &[0, 1, 2, 3], linked: 3, step: 199 }),
        ("tooth and cylinder", View { experiment: third, set: 0, bodies: &[0, 1], linked: 2, step: 80 }),
    ] {
        let (image, counts) = lines(&view)?;
        always &= counts[0] > 0 && counts[1] > 0;
        deepest += usize::from(counts[2] > 0);
        row!(sheet, name, view.step, counts[0], counts[1], counts[2]);
        images.push(image);
    }
    let [pawns, humans, tooth]: [Image; 3] = images.try_into().ok().context("three pictures")?;
    let how = "live distances of the published method, as the paper draws them; columns count the lines.";
    Ok(Finding::new(how, sheet)
        .check(always, "lines of levels 1 and 2 are there in every scene")
        .check(deepest > 0, format!("lines of level 3 in {deepest} of 3"))
        .picture(pawns, "Fig. 7: pawn and torus; the closer, the deeper the levels.")
        .picture(
            humans,
            "Fig. 8: three humans and a torus; distances between the humans, closest at their hands.",
        )
        .picture(tooth, "Fig. 6: tooth and cylinder at close range.")
        .picture(
            spheres()?,
            "Fig. 2: regions as spheres round their middle vertices, in Crumple's hierarchy.",
        ))
}
