//! Scenes of the simulator as experiments: frames played, timed and drawn.

use anyhow::{Context, Result};
use crumple::VertexId;
use crumple_io::picture::{Edges, Image, Picture, Points, Surface, View, palette};
use crumple_sim::script::Script;
use crumple_sim::{Kind, StageSeconds, StepReport, World, gallery};

use super::lab::timed;
use super::measure::Span;

/// Some frames of a scene.
#[derive(Default)]
pub struct Played {
    /// CPU seconds of each frame.
    pub seconds: Vec<f64>,
    /// Where the time went, by the simulator's own clock.
    pub stages: StageSeconds,
    /// Pairs of triangles that exact detection finds intersecting, in all frames.
    pub intersections: usize,
    /// Near pairs that were in contact, in the frame that had most.
    pub contacts: usize,
}

impl Played {
    /// Takes a frame in.
    pub fn add(&mut self, seconds: f64, report: &StepReport) {
        self.seconds.push(seconds);
        self.stages.add(&report.seconds);
        self.intersections += report.intersections;
        self.contacts = self.contacts.max(report.contacts);
    }

    /// Frames a second; the range is that of the frames' quartiles.
    pub fn rate(&self) -> Span {
        let Span { low, mid, high } = Span::of(&self.seconds);
        Span { low: 1.0 / high, mid: 1.0 / mid, high: 1.0 / low }
    }

    /// The part of the time that a stage takes.
    pub fn share(&self, stage: impl Fn(&StageSeconds) -> f64) -> f64 {
        stage(&self.stages) / self.stages.step
    }
}

/// A scene of the simulator's gallery.
pub fn scene(name: &str) -> Result<Script> {
    gallery::script(name).with_context(|| format!("scene {name} of the simulator"))
}

/// Plays some frames.
pub fn play(script: &mut Script, frames: usize, out: &mut Played) -> Result<()> {
    for _ in 0..frames {
        let (seconds, report) = timed(|| script.step());
        out.add(seconds, &report?);
    }
    Ok(())
}

/// The triangles of every body of a world, for drawing.
pub fn faces(world: &World) -> Vec<Vec<[u32; 3]>> {
    let of = |id| world.mesh(id).map(|m| m.triangles().iter().map(|t| t.map(|VertexId(v)| v)).collect());
    world.bodies().map(|id| of(id).unwrap_or_default()).collect()
}

/// All bodies of a world as it is.
pub fn bodies<'a>(
    mut picture: Picture<'a>,
    world: &'a World,
    faces: &'a [Vec<[u32; 3]>],
) -> Result<Picture<'a>> {
    for (k, (id, triangles)) in world.bodies().zip(faces).enumerate() {
        let positions = world.positions(id)?;
        picture = match world.kind(id)? {
            Kind::Particles(_) => picture.points(Points::new(positions).color(palette::body(k)).size(2.0)),
            Kind::Led(_) => {
                let quiet = Surface::new(positions, triangles).color(palette::body(7)).edges(Edges::Hidden);
                picture.surface(quiet)
            }
            _ => picture.surface(Surface::new(positions, triangles).color(palette::body(k))),
        };
    }
    Ok(picture)
}

/// A picture of a scene as its own view has it.
pub fn photograph(script: &Script, (width, height): (u32, u32)) -> Result<Image> {
    let look = script.look();
    let view = View::looking_from(look.from);
    let view = look.focus.map_or(view, |[low, high]| view.focus(low, high));
    let faces = faces(script.world());
    Ok(bodies(Picture::new(width, height).view(view), script.world(), &faces)?.render())
}
