//! `crumple check`: what touches, in one frame or in many.

use std::time::Instant;

use anyhow::{Context, Result};
use crumple::methods::spatial_hash::{Penetration, PenetrationDepth};
use crumple::{
    Bodies, BuildError, Contacts, Detector, Diagnostic, Drawing, Frame, Guarantee, Pairs, Positions,
    Question, diagnose,
};
use serde::Serialize;

use crate::args::{CheckArgs, Common, MethodArg};
use crate::methods::{self, Tets};
use crate::output::{self, duration, thousands};
use crate::world::{Frames, World};
use crate::{marked, views};

/// The JSON document.
#[derive(Serialize)]
pub struct Report {
    schema: &'static str,
    pub bodies: Vec<BodyRow>,
    pub frames: Vec<FrameRow>,
    seconds: LoadSeconds,
}

#[derive(Serialize)]
struct LoadSeconds {
    load: f64,
    build: f64,
}

/// One body of the scene.
#[derive(Serialize)]
pub struct BodyRow {
    pub name: String,
    vertices: usize,
    triangles: usize,
    tets: usize,
    /// The polygon of each triangle, where polygons are not triangles.
    #[serde(skip_serializing_if = "Option::is_none")]
    polygons: Option<Vec<u32>>,
}

/// One frame's answer.
#[derive(Serialize)]
pub struct FrameRow {
    pub frame: usize,
    pub method: &'static str,
    guarantee: Guarantee,
    pub triangle_pairs: Vec<[u32; 4]>,
    tet_method: &'static str,
    tet_guarantee: Guarantee,
    pub vertex_tets: Vec<VertexTetRow>,
    pub edge_tets: Vec<EdgeTetRow>,
    pub diagnostics: Vec<DiagnosticRow>,
    pub seconds: FrameSeconds,
}

/// Time of one frame.
#[derive(Serialize, Default)]
pub struct FrameSeconds {
    pub update: f64,
    pub query: f64,
}

/// A vertex inside a tet, ids within bodies.
#[derive(Serialize)]
pub struct VertexTetRow {
    pub vertex: [u32; 2],
    pub tet: [u32; 2],
    weights: [f64; 4],
    /// How deep the vertex is in the other body.
    pub depth: f64,
    /// The way out.
    direction: [f64; 3],
}

/// An edge through a tet, ids within bodies.
#[derive(Serialize)]
pub struct EdgeTetRow {
    pub edge: [u32; 3],
    pub tet: [u32; 2],
}

/// An oddity.
#[derive(Serialize)]
pub struct DiagnosticRow {
    kind: &'static str,
    body: u32,
    element: u32,
    text: String,
}

impl FrameRow {
    /// Whether anything collides in this frame.
    pub fn collides(&self) -> bool {
        !(self.triangle_pairs.is_empty() && self.vertex_tets.is_empty() && self.edge_tets.is_empty())
    }
}

/// Checks the files; true when something collides.
pub fn run(args: &CheckArgs, common: &Common) -> Result<bool> {
    let start = Instant::now();
    let frames =
        if args.sequence { Frames::sequence(&args.files)? } else { Frames::Still(World::load(&args.files)?) };
    let load = output::seconds(start);
    let mut positions = Vec::new();
    frames.load(0, &mut positions)?;
    let start = Instant::now();
    let mut checker = Checker::new(args.method, frames.mesh()).map_err(|e| match e {
        BuildError::Frame(e) => frames.blame(0, e),
        other => other.into(),
    })?;
    let build = output::seconds(start);
    let questions = [Question::Contacts, Question::Penetrations];
    let asked = if frames.mesh().tets().is_empty() { &questions[..1] } else { &questions[..] };
    methods::explain(common, args.method, frames.mesh(), asked);
    let bar = output::progress(common, frames.len(), "frame");
    let mut rows = Vec::new();
    let mut sink = marked::Sink::new(common, frames.len());
    let mut worst: Option<Worst> = None;
    for f in 0..frames.len() {
        frames.load(f, &mut positions)?;
        let slices: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
        let row = checker.frame(f, Frame::new(&slices)).map_err(|e| frames.blame(f, e))?;
        sink.frame(&checker.mesh, &positions, &row)?;
        let hits = row.triangle_pairs.len() + row.vertex_tets.len() + row.edge_tets.len();
        if common.picture.is_some() && worst.as_ref().is_none_or(|w| hits > w.hits) {
            let mut drawing = Drawing::default();
            if args.structure {
                checker.surfaces.update(&checker.mesh, Frame::new(&slices))?.draw(&mut drawing);
            }
            worst = Some(Worst { hits, frame: f, positions: positions.clone(), drawing });
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    sink.finish()?;
    if let (Some(path), Some(worst)) = (&common.picture, &worst) {
        let image = if args.structure {
            views::structure(common, &checker.mesh, &worst.positions, &worst.drawing)
        } else {
            views::check(common, &checker.mesh, &worst.positions, &rows[worst.frame])
        };
        image.save(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let bodies = checker.mesh.meshes().iter().map(body_row).collect();
    let report =
        Report { schema: "crumple.check/1", bodies, frames: rows, seconds: LoadSeconds { load, build } };
    for note in frames.notes() {
        output::remark(common, || note.clone());
    }
    output::emit(common, &report, || report.text())?;
    Ok(report.frames.iter().any(FrameRow::collides))
}

/// The frame with the most hits so far, to be drawn at the end.
struct Worst {
    hits: usize,
    frame: usize,
    positions: Vec<Vec<[f64; 3]>>,
    drawing: Drawing,
}

/// The detectors at work on one mesh.
pub struct Checker {
    /// What is checked.
    pub mesh: Bodies,
    surfaces: Box<dyn Detector>,
    solids: Box<dyn Detector>,
    /// Measures how deep the vertices are that `solids` found.
    depths: PenetrationDepth,
    contacts: Contacts,
}

impl Checker {
    /// Detectors by the method asked for.
    pub fn new(method: MethodArg, mesh: &Bodies) -> Result<Self, BuildError> {
        let surfaces = methods::surfaces(method, mesh);
        let solids = methods::solids(method, Tets::VerticesAndEdges)?;
        Ok(Self {
            mesh: mesh.clone(),
            surfaces,
            solids,
            depths: PenetrationDepth::default(),
            contacts: Contacts::default(),
        })
    }

    /// Everything that touches in one frame.
    pub fn frame(&mut self, number: usize, frame: Frame<'_>) -> Result<FrameRow, crumple::FrameError> {
        let has_tets = !self.mesh.tets().is_empty();
        let start = Instant::now();
        let mut surfaces = self.surfaces.update(&self.mesh, frame)?;
        let solids = if has_tets { Some(self.solids.update(&self.mesh, frame)?) } else { None };
        let update = output::seconds(start);
        let start = Instant::now();
        surfaces.contacts(Pairs::All, &mut self.contacts);
        let triangle_pairs =
            self.contacts.triangle_pairs.iter().map(|p| triangle_pair(&self.mesh, p)).collect();
        self.contacts.clear();
        let mut depths = Vec::new();
        if let Some(mut solids) = solids {
            solids.contacts(Pairs::All, &mut self.contacts);
            self.depths.compute(&self.mesh, frame, &self.contacts.vertex_tets, &mut depths);
        }
        let query = output::seconds(start);
        Ok(FrameRow {
            frame: number,
            method: self.surfaces.name(),
            guarantee: self.surfaces.guarantee(),
            triangle_pairs,
            tet_method: self.solids.name(),
            tet_guarantee: self.solids.guarantee(),
            vertex_tets: self
                .contacts
                .vertex_tets
                .iter()
                .zip(&depths)
                .map(|(c, d)| vertex_tet(&self.mesh, c, d))
                .collect(),
            edge_tets: self.contacts.edge_tets.iter().map(|c| edge_tet(&self.mesh, c)).collect(),
            diagnostics: diagnose(&self.mesh, frame)?.into_iter().map(diagnostic).collect(),
            seconds: FrameSeconds { update, query },
        })
    }
}

fn body_row(body: &crumple::Mesh) -> BodyRow {
    BodyRow {
        name: body.name().to_owned(),
        vertices: body.vertex_count(),
        triangles: body.triangles().len(),
        tets: body.tets().len(),
        polygons: body.polygons().map(|p| p.iter().map(|p| p.0).collect()),
    }
}

fn triangle_pair(mesh: &Bodies, pair: &crumple::TrianglePair) -> [u32; 4] {
    let ((ba, a), (bb, b)) = (mesh.locate_triangle(pair.a), mesh.locate_triangle(pair.b));
    [ba.0, a.0, bb.0, b.0]
}

fn vertex_tet(mesh: &Bodies, c: &crumple::VertexTet, d: &Penetration) -> VertexTetRow {
    let ((bv, v), (bt, t)) = (mesh.locate_vertex(c.vertex), mesh.locate_tet(c.tet));
    VertexTetRow {
        vertex: [bv.0, v.0],
        tet: [bt.0, t.0],
        weights: c.weights,
        depth: d.depth,
        direction: d.direction,
    }
}

fn edge_tet(mesh: &Bodies, c: &crumple::EdgeTet) -> EdgeTetRow {
    let ((be, v), (_, w), (bt, t)) =
        (mesh.locate_vertex(c.edge[0]), mesh.locate_vertex(c.edge[1]), mesh.locate_tet(c.tet));
    EdgeTetRow { edge: [be.0, v.0, w.0], tet: [bt.0, t.0] }
}

fn diagnostic(d: Diagnostic) -> DiagnosticRow {
    DiagnosticRow { kind: d.kind.name(), body: d.body.0, element: d.element, text: d.text }
}

impl Report {
    fn text(&self) -> String {
        let mut bodies = output::table(["body", "vertices", "triangles", "tets"]);
        for b in &self.bodies {
            bodies.add_row([
                b.name.clone(),
                thousands(b.vertices),
                thousands(b.triangles),
                thousands(b.tets),
            ]);
        }
        let mut lines = vec![bodies.to_string()];
        if let [frame] = &self.frames[..] {
            lines.push(frame.text());
            lines.extend(
                frame
                    .diagnostics
                    .iter()
                    .take(SHOWN)
                    .map(|d| format!("  note: {}: {}", self.bodies[d.body as usize].name, d.text)),
            );
            if frame.diagnostics.len() > SHOWN {
                lines.push(format!(
                    "  … and {} more notes (--json lists all)",
                    frame.diagnostics.len() - SHOWN
                ));
            }
        } else {
            lines.push(self.sequence_text());
        }
        lines.join("\n")
    }

    fn sequence_text(&self) -> String {
        let bad: Vec<&FrameRow> = self.frames.iter().filter(|f| f.collides()).collect();
        let mut lines: Vec<String> =
            bad.iter().take(SHOWN).map(|f| format!("frame {}: {}", f.frame, f.text())).collect();
        if bad.len() > SHOWN {
            lines.push(format!("… and {} more frames (--json lists all)", bad.len() - SHOWN));
        }
        lines.push(format!("{} of {} frames collide", bad.len(), self.frames.len()));
        lines.join("\n")
    }
}

/// How many rows of a list are shown to people.
const SHOWN: usize = 8;

impl FrameRow {
    fn text(&self) -> String {
        let time = duration(self.seconds.update + self.seconds.query);
        format!("{} ({}, {}, {time})", self.verdict(), self.method, self.guarantee)
    }

    /// What was found, in one line.
    pub fn verdict(&self) -> String {
        let mut found = Vec::new();
        let within = self.triangle_pairs.iter().filter(|p| p[0] == p[2]).count();
        let between = self.triangle_pairs.len() - within;
        for (n, what) in [
            (within, "intersecting triangle pairs within bodies"),
            (between, "between bodies"),
            (self.vertex_tets.len(), "vertices inside tets"),
            (self.edge_tets.len(), "edges through tets"),
        ] {
            if n > 0 {
                found.push(format!("{} {what}", thousands(n)));
            }
        }
        if found.is_empty() { "nothing collides".to_owned() } else { found.join(", ") }
    }
}
