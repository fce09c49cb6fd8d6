//! Regions and distances, drawn (M25).

use anyhow::{Context, Result};
use crumple::methods::distance_hierarchy::published::Published;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::{Drawing, Frame, Tone};
use crumple_io::picture::{Color, Image, Legend, Lines, palette};
use crumple_scenes::LazyScene;

use super::experiments::Experiment;
use super::unit;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Pose, Stage};
use crate::reproduce::limits;
use crate::reproduce::measure::least;
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
    /// The bodies that are shown.
    bodies: &'a [usize],
    /// How many of these have lines to each other.
    linked: usize,
}

/// A picture of live distances.
struct Drawn3 {
    image: Image,
    /// Lines of each level.
    counts: [usize; 3],
    step: usize,
}

/// Live distances as lines by level, at the first of the steps with lines of all three levels, else at the last.
fn lines(view: &View<'_>) -> Result<Drawn3> {
    const EVERY: usize = 5;
    let whole = Stage::named(view.experiment.id)?;
    let unit = unit::derived(view.experiment, &whole, 5)?;
    let shown = view.bodies.iter().map(|b| whole.scene.bodies[*b].clone()).collect();
    let stage = Stage::of(LazyScene::new("some", whole.scene.frames, shown))?;
    let first = stage.pose(0);
    let slices = first.slices();
    let params = view.experiment.params(view.experiment.best, unit);
    let mut published = Published::new(&stage.mesh, Frame::new(&slices), params)?;
    let last = stage.scene.frames - 1;
    for step in (0..last).step_by(EVERY).chain([last]) {
        let pose = stage.pose(step);
        let slices = pose.slices();
        published.update(&stage.mesh, Frame::new(&slices))?;
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
        if step == last || counts.iter().all(|n| *n > 0) {
            let image = bodies(canvas(HALF), &stage, &pose, 0.55)
                .lines(Lines::new(&segments).colors(&colors))
                .legend(Legend::keys(LEVELS))
                .render();
            return Ok(Drawn3 { image, counts, step });
        }
    }
    unreachable!("the last step is drawn")
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
pub fn drawn(_: Extent) -> Result<Finding> {
    let first = Experiment::by_id("M19").context("experiment 1")?;
    let second = Experiment::by_id("M21").context("experiment 2")?;
    let third = Experiment::by_id("M23").context("experiment 3")?;
    let mut sheet = Sheet::new(["objects", "step", "level 1", "level 2", "level 3"]);
    let mut images = Vec::new();
    for (name, view) in [
        ("pawn and torus", View { experiment: first, bodies: &[0, 1], linked: 2 }),
        ("three humans", View { experiment: second, bodies: &[0, 1, 2, 3], linked: 3 }),
        ("tooth and cylinder", View { experiment: third, bodies: &[0, 1], linked: 2 }),
    ] {
        let Drawn3 { image, counts, step } = lines(&view)?;
        row!(sheet, name, step, counts[0], counts[1], counts[2]);
        images.push((image, step));
    }
    let [pawns, humans, tooth]: [(Image, usize); 3] = images.try_into().ok().context("three pictures")?;
    let how = "live distances of the published method with set 3, in units derived as M19 says, drawn at the first step \
               that has lines of all three levels; columns count the lines.";
    let colour = |column: &str, words: &'static str| {
        Claim::new(
            "Red, green, and blue lines represent the first, second, and third level respectively.",
            "Section 4, Fig. 7",
            words,
            least(column),
            &limits::SOME,
        )
    };
    Ok(Finding::new(how, sheet)
        .claim(colour("level 1", "at least {} red lines in every scene"))
        .claim(colour("level 2", "at least {} green ones"))
        .claim(colour("level 3", "at least {} blue ones"))
        .picture(
            pawns.0,
            format!("Figs 4 and 7: pawn and torus at step {}; the closer, the deeper the levels.", pawns.1),
        )
        .picture(
            humans.0,
            format!("Fig. 8: three humans and a torus at step {}; distances between the humans.", humans.1),
        )
        .picture(tooth.0, format!("Fig. 6: tooth and cylinder at step {}, at close range.", tooth.1))
        .picture(
            spheres()?,
            "Fig. 2: regions as spheres round their middle vertices, in Crumple's hierarchy.",
        ))
}
