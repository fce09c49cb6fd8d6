//! `crumple` alone: the demonstration. Some frames of a small play, every question, one report.

mod page;
mod stage;
mod tunnel;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use crumple::methods::layered_depth::Overlap;
use crumple::{
    Answer, Closeness, Contact, Distance, Frame, Penetration, Resolution, Scene, SolidMethod, SurfaceMethod,
};
use serde::Serialize;

use crate::args::Common;
use crate::output::{self, duration, thousands};
use stage::{BALL, BODY, CLOTH, FRAMES, RING, Stage};
use tunnel::Tunnel;

/// Rays along each side of the box that ball and body share.
const RAYS: u32 = 128;
/// What is closer than this is about to touch.
const CLOSE: f64 = 0.01;
/// Where the report goes.
const FOLDER: &str = "crumple-report";

/// One frame's answers and what they cost.
struct Answers {
    /// Triangles that intersect.
    contacts: Answer<Contact>,
    /// Vertices inside tets.
    penetrations: Answer<Penetration>,
    /// Which cloth vertices are inside the body.
    inside: Answer<bool>,
    /// What ball and body share.
    overlap: Overlap,
    /// Closest points of ring and cloth.
    near: Distance,
    /// How many features hit each other since the frame before.
    impacts: usize,
    /// How many features are closer than [`CLOSE`].
    close: usize,
    /// Seconds per question.
    seconds: [f64; QUESTIONS.len()],
}

/// The questions, as the summary names them.
const QUESTIONS: [&str; 7] = [
    "what touches?",
    "what passed through what?",
    "what is about to touch?",
    "which vertices are inside tets?",
    "which points are inside?",
    "how much volume is shared?",
    "how close?",
];

/// The JSON document.
#[derive(Serialize)]
struct Summary {
    schema: &'static str,
    report: String,
    frames: usize,
    triangles: usize,
    tets: usize,
    triangle_pairs: usize,
    vertex_tets: usize,
    /// From each frame to the next.
    impacts: usize,
    /// Impacts of a ball that is through the cloth between two frames, neither of which shows a contact.
    tunnelling_impacts: usize,
    seconds: f64,
    equal_to_brute_force: bool,
}

/// Plays the play and writes the report.
pub fn run(common: &Common) -> Result<()> {
    let start = Instant::now();
    let stage = Stage::new()?;
    let mut scene = stage.scene()?;
    let bar = output::progress(common, FRAMES, "frame");
    let mut frames = Vec::new();
    for f in 0..FRAMES {
        scene.set_all_positions(Frame::from(&stage.pose(f).0))?;
        frames.push(ask(&mut scene)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let proof = Proof::new(&stage, &frames)?;
    let folder = Path::new(FOLDER);
    let path = folder.join("index.html");
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {FOLDER}/"))?;
    let tunnel = Tunnel::new(&stage)?;
    let pictures = page::pictures(&stage, &frames, &tunnel)?;
    for (name, image) in &pictures {
        image
            .save(folder.join(format!("{name}.png")))
            .with_context(|| format!("cannot write {FOLDER}/{name}.png"))?;
    }
    page::report(&stage, &scene, &frames, &proof, &tunnel, &pictures)
        .save(&path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    let summary = Summary {
        schema: "crumple.demo/1",
        report: path.display().to_string(),
        frames: FRAMES,
        triangles: stage.mesh.triangles().len(),
        tets: stage.mesh.tets().len(),
        triangle_pairs: frames.iter().map(|f| f.contacts.len()).sum(),
        vertex_tets: frames.iter().map(|f| f.penetrations.len()).sum(),
        impacts: frames.iter().map(|f| f.impacts).sum(),
        tunnelling_impacts: tunnel.impacts.vertex_triangles.len() + tunnel.impacts.edge_edges.len(),
        seconds: output::seconds(start),
        equal_to_brute_force: proof.equal,
    };
    output::emit(common, &summary, || text(&summary, &frames, &tunnel))
}

fn text(summary: &Summary, frames: &[Answers], tunnel: &Tunnel) -> String {
    let mut table = output::table(["question", "answer over all frames", "time per frame"]);
    let last = &frames[frames.len() - 1];
    let inside: usize = frames.iter().map(|f| f.inside.iter().filter(|i| **i).count()).sum();
    let answers = [
        format!("{} intersecting pairs of triangles", thousands(summary.triangle_pairs)),
        format!("{} impacts from frame to frame", thousands(summary.impacts)),
        format!("{} pairs of features closer than {CLOSE} in the last frame", thousands(last.close)),
        format!("{} vertices inside tets", thousands(summary.vertex_tets)),
        format!("{} cloth vertices inside the body", thousands(inside)),
        format!(
            "{:.5} in the last frame, within {:.5} to {:.5}",
            last.overlap.volume, last.overlap.lower, last.overlap.upper
        ),
        format!("{:.5} in the last frame", last.near.distance),
    ];
    for (q, answer) in answers.into_iter().enumerate() {
        table.add_row([QUESTIONS[q].to_owned(), answer, duration(mean(frames, q))]);
    }
    let size = format!(
        "{} triangles, {} tets, {} frames",
        thousands(summary.triangles),
        thousands(summary.tets),
        summary.frames
    );
    let verdict =
        if summary.equal_to_brute_force { "equal to brute force" } else { "NOT EQUAL TO BRUTE FORCE" };
    format!(
        "A cloth over a breathing body, a soft ball, a ring, confetti: {size}\n{table}\nfirst, middle and last frame: {verdict}\n{}\nreport: {}",
        tunnel.text(),
        summary.report
    )
}

/// Mean seconds of one question.
fn mean(frames: &[Answers], question: usize) -> f64 {
    frames.iter().map(|f| f.seconds[question]).sum::<f64>() / frames.len() as f64
}

/// Asks every question about the present frame.
fn ask(scene: &mut Scene) -> Result<Answers> {
    let (touch, contacts) = timed(|| scene.contacts());
    let (pass, impacts) = timed(|| scene.impacts());
    let (approach, close) = timed(|| scene.proximity(&Closeness::below(CLOSE)));
    let (penetrate, penetrations) = timed(|| scene.penetrations());
    let points = scene.positions(CLOTH)?.to_vec();
    let (look, inside) = timed(|| scene.inside(BODY, &points));
    let (weigh, overlap) = timed(|| scene.overlap([BODY, BALL], Resolution::rays(RAYS)));
    let (reach, near) = timed(|| scene.distance([RING, CLOTH]));
    let (impacts, close) = (impacts?, close?);
    Ok(Answers {
        contacts: contacts?,
        impacts: impacts.vertex_triangles.len() + impacts.edge_edges.len(),
        close: close.vertex_triangles.len() + close.edge_edges.len(),
        penetrations: penetrations?,
        inside: inside?,
        overlap: overlap?,
        near: near?.context("ring and cloth have triangles")?,
        seconds: [touch, pass, approach, penetrate, look, weigh, reach],
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (output::seconds(start), result)
}

/// The answers of some frames, asked again by brute force.
struct Proof {
    frames: Vec<usize>,
    pairs: usize,
    vertices: usize,
    equal: bool,
}

impl Proof {
    fn new(stage: &Stage, frames: &[Answers]) -> Result<Self> {
        let mut proof = Self { frames: vec![0, FRAMES / 2, FRAMES - 1], pairs: 0, vertices: 0, equal: true };
        let mut oracle = stage.scene()?;
        oracle.use_surface_method(SurfaceMethod::BruteForce);
        oracle.use_solid_method(SolidMethod::BruteForce);
        for &f in &proof.frames {
            oracle.set_all_positions(Frame::from(&stage.pose(f).0))?;
            let (touch, tets) = (oracle.contacts()?, oracle.penetrations()?);
            proof.pairs += touch.len();
            proof.vertices += tets.len();
            proof.equal &= *touch == *frames[f].contacts && *tets == *frames[f].penetrations;
        }
        Ok(proof)
    }
}
