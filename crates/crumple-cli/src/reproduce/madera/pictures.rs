//! Regions and distances, drawn (M25).

use anyhow::{Context, Result};
use crumple::methods::distance_hierarchy::published::{Experiment, Published};
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams};
use crumple::{Detector, Drawing, Frame, Tone};
use crumple_io::picture::{Color, Image, Legend, View, palette};
use crumple_scenes::LazyScene;

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

fn level_color(tone: Tone) -> Option<Color> {
    match tone {
        Tone::Level(k) => LEVELS.get(usize::from(k)).map(|l| l.0),
        Tone::Hit => Some(palette::HIGHLIGHT_B),
        _ => None,
    }
}

/// Live distances of two or more bodies at a step, as lines by level.
fn lines(
    experiment: &Experiment,
    bodies_of: &[usize],
    step: usize,
    view: View,
) -> Result<(Image, [usize; 3])> {
    let whole = Stage::named(experiment.id)?;
    let chosen = bodies_of.iter().map(|b| whole.scene.bodies[*b].clone()).collect();
    let stage = Stage::of(LazyScene::new("some", whole.scene.frames, chosen))?;
    let pose = stage.pose(step);
    let slices = pose.slices();
    let mut published = Published::new(&stage.mesh, Frame::new(&slices), experiment.params(experiment.best))?;
    published.step();
    let mut drawing = Drawing::default();
    published.draw(&mut drawing);
    let mut counts = [0; 3];
    for (.., tone) in &drawing.lines {
        if let Tone::Level(k @ 0..=2) = tone {
            counts[usize::from(*k)] += 1;
        }
    }
    let drawn = Drawn::new(&drawing, level_color);
    let image = drawn.onto(bodies(canvas(HALF), &stage, &pose, 0.55)).view(view).legend(Legend::keys(LEVELS));
    Ok((image.render(), counts))
}

/// Regions of one model as spheres.
fn spheres() -> Result<Image> {
    let stage = Stage::named("M18-pawn")?;
    let pose: Pose = stage.pose(0);
    let slices = pose.slices();
    let frame = Frame::new(&slices);
    let hierarchy = DistanceHierarchy::new(&stage.mesh, frame, DistanceParams::default())?;
    let mut drawing = Drawing::default();
    hierarchy.draw(&stage.mesh, frame, &mut drawing);
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
    let view = View::auto().up([0.0, 0.0, 1.0]);
    let mut sheet = Sheet::new(["objects", "step", "level 1", "level 2", "level 3"]);
    let mut images = Vec::new();
    let mut has_all = true;
    for (name, experiment, bodies, step) in [
        ("pawn and torus", first, &[0, 1][..], 240),
        ("three humans and a torus", second, &[0, 1, 2, 3], 170),
        ("tooth and cylinder", third, &[0, 1], 80),
    ] {
        let (image, counts) = lines(experiment, bodies, step, view)?;
        has_all &= counts.iter().all(|n| *n > 0);
        row!(sheet, name, step, counts[0], counts[1], counts[2]);
        images.push(image);
    }
    let [pawns, humans, tooth]: [Image; 3] = images.try_into().ok().context("three pictures")?;
    let how = "live distances of the published method, as the paper draws them; columns count the lines.";
    Ok(Finding::new(how, sheet)
        .check(has_all, "lines of all three levels are there in every scene")
        .picture(pawns, "Fig. 7: pawn and torus; the closer, the deeper the levels.")
        .picture(humans, "Fig. 8: three humans and a torus.")
        .picture(tooth, "Fig. 6: tooth and cylinder at close range.")
        .picture(
            spheres()?,
            "Fig. 2: regions as spheres round their middle vertices, in Crumple's hierarchy.",
        ))
}
