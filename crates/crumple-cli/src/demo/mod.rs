//! `crumple` alone: the demonstration. Some frames of a small play, all five questions, one report.

mod page;
mod stage;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use crumple::methods::brute_force::BruteForce;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams};
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams, Overlap};
use crumple::{Bodies, Contacts, Detector, Distance, Frame, Pairs, Positions};
use serde::Serialize;

use crate::args::{Common, MethodArg};
use crate::methods::{self, Tets};
use crate::output::{self, duration, thousands};
use stage::{BALL, BODY, CLOTH, FRAMES, RING, Stage};

/// Where the report goes.
const FOLDER: &str = "crumple-report";

/// One frame's answers and what they cost.
struct Answers {
    /// Everything that touches.
    contacts: Contacts,
    /// Which cloth vertices are inside the body.
    inside: Vec<bool>,
    /// What ball and body share.
    overlap: Overlap,
    /// Closest points of ring and cloth.
    near: Distance,
    /// Seconds per question.
    seconds: [f64; 5],
}

/// The five questions, as the summary names them.
const QUESTIONS: [&str; 5] = [
    "what touches?",
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
    seconds: f64,
    equal_to_brute_force: bool,
}

/// Plays the play and writes the report.
pub fn run(common: &Common) -> Result<()> {
    let start = Instant::now();
    let stage = Stage::new()?;
    let mut cast = Cast::new(&stage.mesh, &stage.pose(0).slices())?;
    let bar = output::progress(common, FRAMES, "frame");
    let mut frames = Vec::new();
    for f in 0..FRAMES {
        let pose = stage.pose(f);
        frames.push(cast.ask(&stage.mesh, Frame::new(&pose.slices()))?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let proof = Proof::new(&stage, &frames)?;
    let folder = Path::new(FOLDER);
    let path = folder.join("index.html");
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {FOLDER}/"))?;
    let pictures = page::pictures(&stage, &frames)?;
    for (name, image) in &pictures {
        image
            .save(folder.join(format!("{name}.png")))
            .with_context(|| format!("cannot write {FOLDER}/{name}.png"))?;
    }
    page::report(&stage, &cast, &frames, &proof, &pictures)
        .save(&path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    let summary = Summary {
        schema: "crumple.demo/1",
        report: path.display().to_string(),
        frames: FRAMES,
        triangles: stage.mesh.triangles().len(),
        tets: stage.mesh.tets().len(),
        triangle_pairs: frames.iter().map(|f| f.contacts.triangle_pairs.len()).sum(),
        vertex_tets: frames.iter().map(|f| f.contacts.vertex_tets.len()).sum(),
        seconds: output::seconds(start),
        equal_to_brute_force: proof.equal,
    };
    output::emit(common, &summary, || text(&summary, &frames))
}

fn text(summary: &Summary, frames: &[Answers]) -> String {
    let mut table = output::table(["question", "answer over all frames", "time per frame"]);
    let last = &frames[frames.len() - 1];
    let inside: usize = frames.iter().map(|f| f.inside.iter().filter(|i| **i).count()).sum();
    let answers = [
        format!("{} intersecting pairs of triangles", thousands(summary.triangle_pairs)),
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
        "A cloth over a breathing body, a soft ball, a ring, confetti: {size}\n{table}\nfirst, middle and last frame: {verdict}\nreport: {}",
        summary.report
    )
}

/// Mean seconds of one question.
fn mean(frames: &[Answers], question: usize) -> f64 {
    frames.iter().map(|f| f.seconds[question]).sum::<f64>() / frames.len() as f64
}

/// The methods at work.
struct Cast {
    surfaces: Box<dyn Detector>,
    solids: Box<dyn Detector>,
    layers: LayeredDepth,
    distances: DistanceHierarchy,
}

impl Cast {
    fn new(mesh: &Bodies, slices: &[Positions<'_>]) -> Result<Self> {
        let frame = Frame::new(slices);
        Ok(Self {
            surfaces: methods::surfaces(MethodArg::Auto, mesh),
            solids: methods::solids(MethodArg::Auto, Tets::Vertices)?,
            distances: DistanceHierarchy::new(mesh, frame, DistanceParams::default())?,
            layers: LayeredDepth::new(LayeredDepthParams::default())?,
        })
    }

    /// The method that answers each question.
    fn names(&self) -> [&'static str; 5] {
        [self.surfaces.name(), self.solids.name(), "layered-depth", "layered-depth", "distance-hierarchy"]
    }

    fn ask(&mut self, mesh: &Bodies, frame: Frame<'_>) -> Result<Answers> {
        let (mut contacts, mut tets) = (Contacts::default(), Contacts::default());
        let (touch, done) = timed(|| {
            self.surfaces.update(mesh, frame)?.contacts(Pairs::All, &mut contacts);
            anyhow::Ok(())
        });
        done?;
        let (penetrate, done) = timed(|| {
            self.solids.update(mesh, frame)?.contacts(Pairs::All, &mut tets);
            anyhow::Ok(())
        });
        done?;
        contacts.vertex_tets = tets.vertex_tets;
        let points = frame.get(CLOTH).expect("the stage has a cloth");
        let (look, inside) = timed(|| self.layers.inside(mesh, frame, BODY, points));
        let (weigh, overlap) = timed(|| self.layers.overlap(mesh, frame, BODY, BALL));
        let (reach, near) = timed(|| {
            self.distances.update(mesh, frame)?;
            anyhow::Ok(self.distances.distance(RING, CLOTH))
        });
        let near = near?.context("ring and cloth have triangles")?;
        Ok(Answers {
            contacts,
            inside: inside?,
            overlap: overlap?,
            near,
            seconds: [touch, penetrate, look, weigh, reach],
        })
    }
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
        for &f in &proof.frames {
            let pose = stage.pose(f);
            let slices = pose.slices();
            let frame = Frame::new(&slices);
            let (mut touch, mut tets) = (Contacts::default(), Contacts::default());
            for (mut oracle, out) in [(BruteForce::surfaces(), &mut touch), (BruteForce::solids(), &mut tets)]
            {
                oracle.update(&stage.mesh, frame)?.contacts(Pairs::All, out);
            }
            proof.pairs += touch.triangle_pairs.len();
            proof.vertices += tets.vertex_tets.len();
            proof.equal &= touch.triangle_pairs == frames[f].contacts.triangle_pairs;
            proof.equal &= tets.vertex_tets == frames[f].contacts.vertex_tets;
        }
        Ok(proof)
    }
}
