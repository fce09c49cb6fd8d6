//! Particles on a deforming body, with everything (H26, Fig. 11): the paper's way, and in the simulator.

use anyhow::{Context, Result};
use crumple::methods::layered_depth::image::Layers;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame, Mesh, VertexId};
use crumple_io::picture::{Color, Image, Legend, Points, Surface, View, palette};
use crumple_scenes::Rng;
use crumple_scenes::vector::{add, cross, dot, scale, sub, unit};
use crumple_sim::{Particles, Settings, Surface as Skin, World};

use crate::output::thousands;
use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, mean, timed};
use crate::reproduce::limits;
use crate::reproduce::measure::{Span, cell};
use crate::reproduce::scenery::{HALF, canvas};
use crate::reproduce::sheet::{Sheet, Value, row};

type Point = [f64; 3];

/// Frames that are run, and frames a second of simulated time: until most particles have met the body.
const FRAMES: usize = 60;
const RATE: f64 = 60.0;
/// Frames that the simulator plays of them: until the first hundreds have met the body.
const SIMULATED: usize = 26;
/// Substeps of a frame of the simulator: free particles need no more.
const SUBSTEPS: u32 = 2;
/// How far particles stay from the body, whose radius is about 1.
const SIZE: f64 = 0.02;
/// Metres a second squared, and Coulomb's coefficient between particles and body.
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.2;
/// The part of its speed that a particle keeps when it bounces.
const BOUNCE: f64 = 0.3;
/// Frames a second in the paper.
const FPS: f64 = 29.0;
/// Where they begin: above the body.
const CLOUD: [Point; 2] = [[-0.9, -0.9, 1.5], [0.9, 0.9, 2.6]];
/// How fast the body's own frames go by: one in so many of ours.
const SLOWER: usize = 2;
/// The body among body and particles, and the paper's resolution.
const BODY: BodyId = BodyId(0);
const RAYS: Resolution = Resolution::rays(128);

/// Seconds of the parts of each frame.
#[derive(Default)]
struct Parts {
    deform: Vec<f64>,
    dynamics: Vec<f64>,
    detect: Vec<f64>,
    respond: Vec<f64>,
    draw: Vec<f64>,
}

/// Particles, and which of them have touched the body.
struct Snow {
    at: Vec<Point>,
    speed: Vec<Point>,
    touched: Vec<bool>,
}

/// A body in two frames.
struct Body<'a> {
    mesh: &'a Mesh,
    before: &'a [Point],
    now: &'a [Point],
}

impl Body<'_> {
    /// A point of a face, its outward normal, and how fast it moves.
    fn face(&self, triangle: usize) -> [Point; 3] {
        let corners = self.mesh.triangles()[triangle];
        let [a, b, c] = corners.map(|v| self.now[v.index()]);
        let moved = sub(a, self.before[corners[0].index()]);
        [a, unit(cross(sub(b, a), sub(c, a))), scale(moved, RATE)]
    }
}

/// The layer nearest to a point on its ray, by its face.
fn nearest(layers: &Layers, p: &Point) -> Option<usize> {
    let lattice = layers.lattice();
    let [low, high] = [0.0, 1.0].map(|t| lattice.world(lattice.size.map(|n| t * f64::from(n))));
    let along = |k: usize| {
        (p[lattice.axes[k]] - low[lattice.axes[k]]) / (high[lattice.axes[k]] - low[lattice.axes[k]])
    };
    let pixel = [0, 1].map(|k| {
        let n = lattice.resolution[k];
        ((along(k) * f64::from(n)) as u32).min(n - 1)
    });
    let depth = along(2) * f64::from(lattice.size[2]);
    let off = |d: i32| (f64::from(d) - depth).abs();
    layers.of(pixel).iter().min_by(|a, b| off(a.depth).total_cmp(&off(b.depth))).map(|l| l.triangle().index())
}

impl Snow {
    /// Free fall.
    fn fall(&mut self) {
        for (p, v) in self.at.iter_mut().zip(&mut self.speed) {
            v[2] -= GRAVITY / RATE;
            *p = add(*p, scale(*v, 1.0 / RATE));
        }
    }

    /// What is inside goes back to the face that its ray passes nearest to, and bounces off it.
    fn respond(&mut self, inside: &[bool], layers: &Layers, body: &Body<'_>) {
        for i in (0..inside.len()).filter(|i| inside[*i]) {
            let Some(triangle) = nearest(layers, &self.at[i]) else { continue };
            let [corner, normal, moving] = body.face(triangle);
            let out = SIZE - dot(sub(self.at[i], corner), normal);
            self.at[i] = add(self.at[i], scale(normal, out.max(0.0)));
            let relative = sub(self.speed[i], moving);
            let into = dot(relative, normal).min(0.0);
            self.speed[i] = add(moving, sub(relative, scale(normal, (1.0 + BOUNCE) * into)));
            self.touched[i] = true;
        }
    }
}

/// Particles that touched the body are vermilion.
fn draw(body: &[Point], faces: &[[u32; 3]], snow: &[Point], touched: &[bool]) -> Image {
    let color = |t: &bool| if *t { palette::HIGHLIGHT } else { palette::STRUCTURE };
    let colors: Vec<Color> = touched.iter().map(color).collect();
    let view = View::looking_from([0.25, -1.0, 0.3]).up([0.0, 0.0, 1.0]);
    canvas(HALF)
        .view(view.focus([-1.6, -1.4, -1.5], [1.6, 1.4, 2.0]))
        .surface(Surface::new(body, faces).color(palette::body(0)))
        .points(Points::new(snow).colors(&colors).size(2.0))
        .legend(Legend::keys([
            (palette::HIGHLIGHT, "actual or recent contact"),
            (palette::STRUCTURE, "none yet"),
        ]))
        .render()
}

/// Mean seconds of a frame in the simulator, and pairs that intersect in all of them.
fn simulated(stage: &Stage, faces: &[[u32; 3]], start: &[Point]) -> Result<(f64, usize)> {
    let settings = Settings { gravity: [0.0, 0.0, -GRAVITY], substeps: SUBSTEPS, ..Settings::default() };
    let mut world = World::new(settings)?;
    let skin = Skin { thickness: Some(SIZE), ..Skin::with_friction(FRICTION) };
    let body = world.add_fixed("body", &stage.pose(0).0[0], faces, skin)?;
    world.add_particles("particles", start, Particles::of_size(SIZE))?;
    let (mut times, mut crossed) = (Vec::new(), 0);
    for frame in 1..=SIMULATED {
        world.lead(body, &stage.scene.bodies[0].positions(frame / SLOWER))?;
        let (seconds, report) = timed(|| world.step(1.0 / RATE));
        times.push(seconds);
        crossed += report?.intersections;
    }
    Ok((mean(&times), crossed))
}

/// H26: deformation, dynamics, detection, response and rendering.
pub fn falls(_: Extent) -> Result<Finding> {
    let stage = Stage::named("H26")?;
    let mesh = &stage.mesh.meshes()[0];
    let faces: Vec<[u32; 3]> = mesh.triangles().iter().map(|t| t.map(|VertexId(v)| v)).collect();
    let count = stage.mesh.meshes()[1].vertex_count();
    let mut rng = Rng::new(26);
    let start: Vec<Point> = (0..count).map(|_| rng.in_box(CLOUD[0], CLOUD[1])).collect();
    let mut snow = Snow { at: start.clone(), speed: vec![[0.0; 3]; count], touched: vec![false; count] };
    let mut parts = Parts::default();
    let mut method = LayeredDepth::default();
    let (mut image, mut inside) = (None, Vec::new());
    let mut before = stage.scene.bodies[0].positions(0);
    for frame in 1..=FRAMES {
        let (seconds, now) = timed(|| stage.scene.bodies[0].positions(frame / SLOWER));
        parts.deform.push(seconds);
        parts.dynamics.push(timed(|| snow.fall()).0);
        let positions = [now.clone(), snow.at.clone()];
        let (seconds, layers) = timed(|| -> Result<Layers> {
            let mut volumes = method.update(&stage.mesh, Frame::from(&positions[..]))?;
            volumes.solid(BODY)?.inside(&positions[1], &mut inside)?;
            volumes.layers_of(BODY, RAYS)?.context("a box without volume")
        });
        let layers = layers?;
        parts.detect.push(seconds);
        let body = Body { mesh, before: &before, now: &now };
        parts.respond.push(timed(|| snow.respond(&inside, &layers, &body)).0);
        let (seconds, drawn) = timed(|| draw(&now, &faces, &snow.at, &snow.touched));
        parts.draw.push(seconds);
        image = Some(drawn);
        before = now;
    }
    let (step, crossed) = simulated(&stage, &faces, &start)?;
    let added =
        |of: &[&Vec<f64>]| -> Vec<f64> { (0..FRAMES).map(|f| of.iter().map(|t| t[f]).sum()).collect() };
    let without = added(&[&parts.deform, &parts.dynamics, &parts.detect, &parts.respond]);
    let whole = added(&[&without, &parts.draw]);
    let rate = |of: &[f64]| {
        let Span { low, mid, high } = Span::of(of);
        Value::Span(Span { low: 1.0 / high, mid: 1.0 / mid, high: 1.0 / low })
    };
    let mut sheet = Sheet::new(["", "per frame", "frames a second", "of the whole"]);
    row!(sheet, "paper, 2003", Value::Seconds(1.0 / FPS), FPS, Value::Nothing);
    for (name, of) in [
        ("everything", &whole),
        ("everything but rendering", &without),
        ("deformation", &parts.deform),
        ("dynamics", &parts.dynamics),
        ("detection", &parts.detect),
        ("response", &parts.respond),
        ("rendering, in software", &parts.draw),
    ] {
        row!(sheet, name, Value::Seconds(mean(of)), rate(of), Value::Share(mean(of) / mean(&whole)));
    }
    row!(
        sheet,
        "a step of the simulator",
        Value::Seconds(step),
        1.0 / step,
        Value::Share(step / mean(&whole))
    );
    let met = snow.touched.iter().filter(|t| **t).count();
    let how = format!(
        "{} particles fall on a wobbling body of {} faces, {FRAMES} frames of 1/{RATE} s, one core. The paper's way: layers of the body \
         are made anew in each frame and every particle is looked up; what is inside goes back to the face that its ray passes nearest to and \
         bounces off it. Every frame is drawn, by a renderer in software. Beside it, {SIMULATED} frames in Crumple's simulator, which finds \
         contacts before they become penetrations.",
        thousands(count),
        thousands(faces.len())
    );
    Ok(Finding::new(how, sheet)
        .claim(
            Claim::new(
                "The object deformation, the particle dynamics, the collision detection and response can be computed and \
                 rendered in real time with 29 fps.",
                "Section 5",
                "{} frames a second with everything",
                cell("frames a second").at("", "everything"),
                &limits::HERTZ_29,
            )
            .because(
                "The rendering is done by the same core in software, where the paper had a graphics board; all else is faster.",
                "without it there are {} frames a second",
                cell("frames a second").at("", "everything but rendering"),
                &limits::HERTZ_29,
            ),
        )
        .remark(format!(
            "{} particles have met the body after {FRAMES} frames. In the simulator {crossed} pairs of triangles intersect in {SIMULATED} \
             frames.",
            thousands(met)
        ))
        .picture(
            image.context("a frame")?,
            format!("Fig. 11: particles on a deforming body after {FRAMES} frames; vermilion: actual or recent contact."),
        ))
}
