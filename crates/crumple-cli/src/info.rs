//! `crumple info`: what is in a file.

use std::time::Instant;

use anyhow::Result;
use crumple::{BodyId, DiagnosticKind, Frame, Orientation, diagnose};
use serde::Serialize;

use crate::args::{Common, InfoArgs};
use crate::output::{self, thousands};
use crate::world::World;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    files: Vec<FileInfo>,
    seconds: Seconds,
}

#[derive(Serialize)]
struct Seconds {
    load: f64,
    analyse: f64,
}

/// Everything that is said about one file.
#[derive(Serialize)]
struct FileInfo {
    name: String,
    kind: &'static str,
    vertices: usize,
    polygons: usize,
    triangles: usize,
    tets: usize,
    edges: usize,
    components: usize,
    bounds: Option<[[f64; 3]; 2]>,
    /// What one unit of length is, where the format says it.
    units: Option<&'static str>,
    mean_edge: Option<f64>,
    area: f64,
    volume: Option<f64>,
    closed: bool,
    boundary_loops: usize,
    boundary_edges: usize,
    orientation: Orientation,
    non_manifold_edges: usize,
    non_manifold_vertices: usize,
    unused_vertices: usize,
    degenerate_triangles: usize,
    duplicate_triangles: usize,
    degenerate_tets: usize,
    inverted_tets: usize,
    duplicate_tets: usize,
    notes: Vec<String>,
}

/// Reads the files and describes them.
pub fn run(args: &InfoArgs, common: &Common) -> Result<()> {
    let start = Instant::now();
    let world = World::load(&args.files)?;
    let load = output::seconds(start);
    let start = Instant::now();
    let files: Vec<FileInfo> = world.scene.ids().map(|b| describe(&world, b)).collect::<Result<_>>()?;
    let report = Report {
        schema: "crumple.info/1",
        files,
        seconds: Seconds { load, analyse: output::seconds(start) },
    };
    output::emit(common, &report, || report.files.iter().map(FileInfo::text).collect::<Vec<_>>().join("\n"))
}

fn describe(world: &World, id: BodyId) -> Result<FileInfo> {
    let body = world.scene.mesh(id)?;
    let topology = body.topology();
    let positions = world.scene.positions(id)?;
    let single = crumple::Bodies::new([body.clone()])?;
    let diagnostics = diagnose(&single, Frame::new(&[positions.into()]))?;
    let count = |kind: DiagnosticKind| diagnostics.iter().filter(|d| d.kind == kind).count();
    let size = measure(body, positions);
    let border = |e: &&[crumple::VertexId; 2]| {
        let e = topology.edges().binary_search(e).expect("an edge of the same list");
        topology.triangles_of_edge(crumple::EdgeId(e as u32)).len() == 1
    };
    let is_points = body.triangles().is_empty() && !body.is_solid();
    Ok(FileInfo {
        name: body.name().to_owned(),
        kind: match (body.is_solid(), is_points) {
            (true, _) => "tetrahedral mesh",
            (_, true) => "points",
            _ => "surface",
        },
        vertices: body.vertex_count(),
        polygons: body.polygon_count(),
        triangles: body.triangles().len(),
        tets: body.tets().len(),
        edges: if body.is_solid() { body.tet_topology().edges().len() } else { topology.edges().len() },
        components: topology.component_count(),
        bounds: size.bounds,
        units: units(body.name()),
        mean_edge: size.mean_edge,
        area: size.area,
        volume: (!is_points && topology.is_closed() && topology.orientation() == Orientation::Consistent)
            .then_some(size.volume),
        closed: !is_points && topology.is_closed(),
        boundary_loops: topology.boundary_loops().len(),
        boundary_edges: topology.edges().iter().filter(border).count(),
        orientation: topology.orientation(),
        non_manifold_edges: count(DiagnosticKind::NonManifoldEdge),
        non_manifold_vertices: count(DiagnosticKind::NonManifoldVertex),
        unused_vertices: if is_points { 0 } else { topology.unused_vertices().len() },
        degenerate_triangles: count(DiagnosticKind::DegenerateTriangle),
        duplicate_triangles: count(DiagnosticKind::DuplicateTriangle),
        degenerate_tets: count(DiagnosticKind::DegenerateTet),
        inverted_tets: count(DiagnosticKind::InvertedTet),
        duplicate_tets: count(DiagnosticKind::DuplicateTet),
        notes: world.data(id).notes.clone(),
    })
}

/// glTF is in metres by its specification; no other format that we read says what its numbers are.
fn units(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    (name.ends_with(".gltf") || name.ends_with(".glb")).then_some("metres")
}

struct Size {
    bounds: Option<[[f64; 3]; 2]>,
    mean_edge: Option<f64>,
    area: f64,
    volume: f64,
}

/// Extent of the vertices in use (all of them for bare points), mean edge, area and enclosed volume.
fn measure(body: &crumple::Mesh, positions: &[[f64; 3]]) -> Size {
    use crumple::geometry::{Aabb, tet, triangle};
    let triangles = || body.triangles().iter().map(|t| t.map(|v| positions[v.index()]));
    let bounds = if body.triangles().is_empty() && !body.is_solid() {
        Aabb::of(positions)
    } else {
        triangles().fold(Aabb::EMPTY, |b, t| b.union(&Aabb::of(&t)))
    };
    let edges = if body.is_solid() { body.tet_topology().edges() } else { body.topology().edges() };
    let length = |e: &[crumple::VertexId; 2]| {
        let [a, b] = e.map(|v| positions[v.index()]);
        (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
    };
    let centre = if bounds.is_empty() { [0.0; 3] } else { bounds.centre() };
    Size {
        bounds: (!bounds.is_empty()).then_some([bounds.min, bounds.max]),
        mean_edge: (!edges.is_empty()).then(|| edges.iter().map(length).sum::<f64>() / edges.len() as f64),
        // An empty sum of floats is -0, and so is one of flat tets.
        area: triangles().map(|t| triangle::area(&t)).sum::<f64>() + 0.0,
        volume: triangles().map(|[a, b, c]| -tet::volume(&[a, b, c, centre])).sum::<f64>() + 0.0,
    }
}

impl FileInfo {
    fn text(&self) -> String {
        let mut table = output::table([self.name.as_str(), self.kind]);
        let mut row = |what: &str, value: String| {
            table.add_row([what, value.as_str()]);
        };
        row("vertices", thousands(self.vertices));
        if self.polygons != self.triangles {
            row("polygons", thousands(self.polygons));
        }
        row("triangles", thousands(self.triangles) + if self.tets > 0 { " (boundary)" } else { "" });
        if self.tets > 0 {
            row("tets", thousands(self.tets));
        }
        row("edges", thousands(self.edges));
        row("components", thousands(self.components));
        match self.bounds {
            Some([low, high]) => {
                row("from", format!("{} {} {}", low[0], low[1], low[2]));
                row("to", format!("{} {} {}", high[0], high[1], high[2]));
            }
            None => row("extent", "none: no vertex".to_owned()),
        }
        row("units", self.units.unwrap_or("not stated by the format").to_owned());
        if let Some(edge) = self.mean_edge {
            row("mean edge", format!("{edge:.6}"));
            row("area", format!("{:.6}", self.area));
        }
        if let Some(volume) = self.volume {
            row("volume", format!("{volume:.6}"));
        }
        if self.triangles > 0 {
            let open = format!(
                "no: {} boundary loops, {} edges",
                self.boundary_loops,
                thousands(self.boundary_edges)
            );
            row("closed", if self.closed { "yes".to_owned() } else { open });
            row("orientation", self.orientation.to_string());
        }
        for (what, n) in [
            ("non-manifold edges", self.non_manifold_edges),
            ("non-manifold vertices", self.non_manifold_vertices),
            ("unused vertices", self.unused_vertices),
            ("degenerate triangles", self.degenerate_triangles),
            ("duplicate triangles", self.duplicate_triangles),
            ("degenerate tets", self.degenerate_tets),
            ("inverted tets", self.inverted_tets),
            ("duplicate tets", self.duplicate_tets),
        ] {
            if n > 0 {
                row(what, thousands(n));
            }
        }
        for note in &self.notes {
            row("note", note.clone());
        }
        table.to_string()
    }
}
