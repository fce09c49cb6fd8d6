//! `crumple untangle`: bodies moved until nothing crosses, or what could not be undone.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::{BodyId, Guarantee, Left, Question, UntangleOptions, Untangled};
use crumple_io::ReadOptions;
use crumple_io::write::{Faces, MarkedBody};
use serde::Serialize;

use crate::args::{Common, UntangleArgs};
use crate::output::{self, duration, has_extension, real, thousands};
use crate::views::Moment;
use crate::world::World;
use crate::{stop, views};

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    bodies: Vec<String>,
    /// Intersecting pairs of triangles of all frames, as given.
    before: usize,
    /// And as written.
    after: usize,
    frames: Vec<FrameRow>,
    seconds: Seconds,
}

/// What was done to one frame.
#[derive(Serialize)]
struct FrameRow {
    frame: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    before: usize,
    after: usize,
    rounds: usize,
    moved: usize,
    displacement: Displacement,
    left: Vec<Left>,
    guarantee: Guarantee,
    seconds: f64,
}

#[derive(Serialize)]
struct Displacement {
    max: f64,
    mean: f64,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    untangle: f64,
}

/// Untangles the files and writes them; true when something is left.
pub fn run(args: &UntangleArgs, common: &Common) -> Result<bool> {
    let out = common.out.as_deref().context("untangle writes the bodies anew: say where with --out FILE")?;
    if args.gap.is_some_and(|gap| !(gap.is_finite() && gap >= 0.0)) {
        bail!("--gap {}: a distance is a finite number, not below 0", args.gap.unwrap_or_default());
    }
    let start = Instant::now();
    let mut world = load(args)?;
    let load = output::seconds(start);
    let files = names(out, world.frames());
    output::explain(common, &world.scene, &[Question::Contacts]);
    let mut options = UntangleOptions::default();
    options.gap = args.gap;
    options.rounds = args.rounds;
    let start = Instant::now();
    let bar = output::progress(common, world.frames(), "frame");
    let mut rows = Vec::new();
    if world.frames() > 1 {
        stop::listen();
    }
    for (f, file) in files.iter().enumerate() {
        if stop::is_asked() {
            break;
        }
        world.go_to(f)?;
        let wants_picture = f == 0 && common.picture.is_some();
        let before = wants_picture.then(|| Moment::now(&mut world.scene)).transpose()?;
        let row = frame(&mut world, f, &options)?;
        write(&world, file)?;
        if let (Some(path), Some(before)) = (&common.picture, before) {
            let after = Moment::now(&mut world.scene)?;
            views::untangle(common, &world.scene, &before, &after, row.caption())
                .save(path)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if has_extension(out, "pvd") {
        let written: Vec<String> = files[..rows.len()].iter().map(|p| output::file_name(p)).collect();
        let frames = || written.iter().enumerate().map(|(f, name)| (f as f64, name.as_str()));
        crumple_io::write::write_file(out, |file| crumple_io::write::pvd(file, frames()))?;
    }
    let report = Report {
        schema: "crumple.untangle/1",
        bodies: world.scene.bodies().meshes().iter().map(|m| m.name().to_owned()).collect(),
        before: rows.iter().map(|r| r.before).sum(),
        after: rows.iter().map(|r| r.after).sum(),
        frames: rows,
        seconds: Seconds { load, untangle: output::seconds(start) },
    };
    for note in world.notes() {
        output::remark(common, || note.clone());
    }
    output::emit(common, &report, || report.text(&world, out))?;
    if stop::is_asked() {
        eprintln!("crumple: stopped after {} of {} frames", report.frames.len(), world.frames());
    }
    Ok(report.after > 0)
}

/// The bodies in the order of the command line: files (or the frames of one body), then fixed files.
fn load(args: &UntangleArgs) -> Result<World> {
    let mut world = World::with_options(ReadOptions::default().with_uvs());
    let files = output::expand(&args.files)?;
    if args.sequence {
        world.add_sequence(&files)?;
    } else {
        files.iter().try_for_each(|file| world.add_file(file).map(drop))?;
    }
    for file in &output::expand(&args.fixed)? {
        let body = world.add_file(file)?;
        world.scene.set_fixed(body, true)?;
    }
    Ok(world)
}

fn frame(world: &mut World, frame: usize, options: &UntangleOptions) -> Result<FrameRow> {
    let name = world.has_frame_files().then(|| output::file_name(world.frame_file(frame)));
    let start = Instant::now();
    let done: Untangled = world.scene.untangle(options).map_err(|e| world.blame(frame, e))?;
    let guarantee = world.scene.contacts().map_err(|e| world.blame(frame, e))?.guarantee;
    Ok(FrameRow {
        frame,
        name,
        before: done.before,
        after: done.after,
        rounds: done.rounds,
        moved: done.moved,
        displacement: Displacement { max: done.largest, mean: done.mean },
        left: done.left,
        guarantee,
        seconds: output::seconds(start),
    })
}

/// The file of each frame.
fn names(out: &Path, frames: usize) -> Vec<PathBuf> {
    let single = if has_extension(out, "pvd") { out.with_extension("vtu") } else { out.to_owned() };
    let is_list = frames > 1 || has_extension(out, "pvd");
    (0..frames).map(|f| if is_list { output::numbered(&single, f) } else { single.clone() }).collect()
}

/// The bodies that were not fixed, as their files gave them, where they are now.
fn write(world: &World, path: &Path) -> Result<()> {
    let mut bodies = Vec::new();
    for id in world.scene.ids().collect::<Vec<BodyId>>() {
        if world.scene.is_fixed(id)? {
            continue;
        }
        let (mesh, data) = (world.scene.mesh(id)?, world.data(id));
        let mut body = MarkedBody::new(mesh.name(), data);
        body.positions = world.scene.positions(id)?;
        if mesh.is_solid() {
            body.faces = Faces::Triangles(views::corners(mesh));
        }
        bodies.push(body);
    }
    Ok(crumple_io::write::write_marked(path, &bodies)?)
}

impl FrameRow {
    fn caption(&self) -> String {
        format!(
            "{} intersecting pairs before, {} after; {} vertices moved, at most {:.4}",
            thousands(self.before),
            thousands(self.after),
            thousands(self.moved),
            self.displacement.max
        )
    }

    fn line(&self) -> String {
        format!(
            "{} intersecting pairs before, {} after ({}); {} vertices moved, {} at most, {} in the mean; {}, {}",
            thousands(self.before),
            thousands(self.after),
            self.guarantee,
            thousands(self.moved),
            about(self.displacement.max),
            about(self.displacement.mean),
            if self.rounds == 1 { "1 round".to_owned() } else { format!("{} rounds", self.rounds) },
            duration(self.seconds)
        )
    }
}

/// A length with four digits: all of them say nothing to people, and JSON has them.
fn about(x: f64) -> String {
    real(format!("{x:.3e}").parse().unwrap_or(x))
}

/// How many places are shown to people.
const SHOWN: usize = 8;

impl Report {
    fn text(&self, world: &World, out: &Path) -> String {
        let mut lines = Vec::new();
        for row in &self.frames {
            let which = match (&row.name, self.frames.len()) {
                (_, 1) => String::new(),
                (Some(name), _) => format!("{name}: "),
                (None, _) => format!("frame {}: ", row.frame),
            };
            lines.push(which + &row.line());
            let name = |b: BodyId| world.scene.mesh(b).map_or("", |m| m.name()).to_owned();
            for left in row.left.iter().take(SHOWN) {
                let [a, b] = left.place.bodies;
                let who = if a == b { name(a) } else { format!("{} and {}", name(a), name(b)) };
                let [x, y, z] = left.place.centre;
                lines.push(format!(
                    "  left: {who}, {} pairs around ({x:.4}, {y:.4}, {z:.4}): {}",
                    thousands(left.place.contacts),
                    left.why
                ));
            }
            if row.left.len() > SHOWN {
                lines.push(format!("  … {} more places (--json lists all)", row.left.len() - SHOWN));
            }
        }
        if self.frames.len() > 1 {
            let clean = self.frames.iter().filter(|r| r.after == 0).count();
            lines.push(format!("{clean} of {} frames are free of intersections", self.frames.len()));
        }
        lines.push(format!("written: {}", out.display()));
        let Seconds { load, untangle } = self.seconds;
        lines.push(output::in_all(&[("reading", load), ("untangling", untangle)]));
        lines.join("\n")
    }
}
