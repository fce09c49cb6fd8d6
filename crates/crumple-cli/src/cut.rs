//! `crumple cut`: a body cut along a plane, a surface or a swept polyline, in one frame or in a whole sequence.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use crumple::cut::{Blade, Cut, cut};
use crumple::{Mesh, Scene, TetId, TriangleId, VertexId};
use crumple_io::{MeshData, Polygons};
use serde::{Deserialize, Serialize};

use crate::args::{Common, CutArgs};
use crate::output::{self, numbered, thousands};
use crate::views;
use crate::world::World;

const SCHEMA: &str = "crumple.cut/1";

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    /// The files, one for each frame.
    written: Vec<String>,
    /// Connected parts before and after.
    parts: [usize; 2],
    vertices: usize,
    triangles: usize,
    tets: usize,
    /// Vertices that were one before the cut: the original and a copy.
    seam: Vec<[VertexId; 2]>,
    /// In each frame: intersecting triangles and vertices in tets beside those of the fresh cut.
    contacts: Vec<usize>,
    seconds: f64,
}

/// Cuts the body in its first frame; the others get the same cut, at the same places of the same edges.
pub fn run(args: &CutArgs, common: &Common) -> Result<()> {
    let Some(out) = &common.out else { bail!("--out FILE says where the cut body goes") };
    let start = Instant::now();
    let blade = blade(args)?;
    let mut world = World::empty();
    let body = match &args.sequence[..] {
        [] => world.add_file(&args.file)?,
        more => world.add_sequence(&[std::slice::from_ref(&args.file), more].concat())?,
    };
    let load = output::seconds(start);
    let start = Instant::now();
    let mesh = world.scene.mesh(body)?.clone();
    let done =
        cut(&mesh, world.scene.positions(body)?, &blade).with_context(|| args.file.display().to_string())?;
    let seconds = output::seconds(start);
    let mut cut_scene = Scene::new();
    if let Some(depth) = args.depth {
        cut_scene.set_cut_depth(output::length("--depth", depth)?);
    }
    let halves = cut_scene.add(done.body.clone(), &done.positions)?;
    cut_scene.add_seam(halves, &done.seam)?;
    let (mut written, mut contacts) = (Vec::new(), Vec::new());
    for frame in 0..world.frames() {
        world.go_to(frame)?;
        let mut positions = world.scene.positions(body)?.to_vec();
        done.changes.extend_positions(&mut positions);
        cut_scene.set_positions(halves, &positions)?;
        contacts.push(cut_scene.contacts()?.len() + cut_scene.penetrations()?.len());
        let path = if world.frames() == 1 { out.clone() } else { numbered(out, frame) };
        write(&path, &done.body, positions)?;
        written.push(path.display().to_string());
    }
    if let Some(path) = &common.picture {
        let classes = parts(&done.body).1;
        views::cut(common, &done.body, &done.positions, &classes, &rims(&done))
            .save(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let report = Report {
        schema: SCHEMA,
        written,
        parts: [parts(&mesh).0, parts(&done.body).0],
        vertices: done.body.vertex_count(),
        triangles: done.body.triangles().len(),
        tets: done.body.tets().len(),
        seam: done.seam,
        contacts,
        seconds,
    };
    let json = Common { out: None, ..common.clone() };
    output::emit(&json, &report, || {
        format!("{}\n{}", report.text(), output::in_all(&[("reading", load), ("cutting", seconds)]))
    })
}

impl Report {
    fn text(&self) -> String {
        let [before, after] = self.parts;
        let what = match (self.seam.is_empty(), after > before) {
            (true, _) => "the blade opens nothing".to_owned(),
            (_, false) => format!("a slit of {} seam vertices", thousands(self.seam.len())),
            _ => format!("{before} part(s) before, {after} after"),
        };
        let files = match &self.written[..] {
            [one] => one.clone(),
            many => format!("{} to {}", many[0], many[many.len() - 1]),
        };
        let touching = match self.contacts.iter().sum() {
            0 => String::new(),
            1 => "\n1 contact beside those of the cut".to_owned(),
            all => format!("\n{} contacts beside those of the cut", thousands(all)),
        };
        format!(
            "{what}; {} vertices, {} triangles, {} tets in {files}{touching}",
            thousands(self.vertices),
            thousands(self.triangles),
            thousands(self.tets)
        )
    }
}

fn blade(args: &CutArgs) -> Result<Blade> {
    match (&args.plane, &args.blade, args.along) {
        (Some(plane), None, None) => {
            let [x, y, z, n @ ..] = *plane;
            plane_through([x, y, z], n)
        }
        (None, Some(file), Some(along)) => {
            let line = crumple_io::read(file)?.positions;
            Ok(Blade::sweep(&line, along).with_context(|| file.display().to_string())?)
        }
        (None, Some(file), None) => {
            let mut world = World::empty();
            let body = world.add_file(file)?;
            let triangles = views::corners(world.scene.mesh(body)?);
            if triangles.is_empty() {
                bail!("{}: has no faces; a polyline is swept by --along X,Y,Z", file.display());
            }
            let positions = world.scene.positions(body)?;
            Ok(Blade::surface(positions, triangles).with_context(|| file.display().to_string())?)
        }
        _ => {
            bail!("say what cuts: --plane X,Y,Z,NX,NY,NZ, or --blade FILE, with --along X,Y,Z for a polyline")
        }
    }
}

/// The seam that a document of `crumple cut --json` tells.
pub fn read_seam(path: &Path) -> Result<Vec<[VertexId; 2]>> {
    #[derive(Deserialize)]
    struct Written {
        schema: String,
        seam: Vec<[u32; 2]>,
    }
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let written: Written = serde_json::from_str(&text)
        .with_context(|| format!("{}: not a document of crumple cut --json", path.display()))?;
    if written.schema != SCHEMA {
        bail!("{}: its schema is {}, not {SCHEMA}", path.display(), written.schema);
    }
    Ok(written.seam.into_iter().map(|pair| pair.map(VertexId)).collect())
}

/// The plane through a point across a direction.
fn plane_through(p: [f64; 3], n: [f64; 3]) -> Result<Blade> {
    let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(length.is_finite() && length > 0.0) {
        bail!("--plane: its normal {n:?} has no direction");
    }
    let n = n.map(|x| x / length);
    // The axis that is most across the normal spans the plane together with it.
    let least = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs())).unwrap_or(0);
    let axis: [f64; 3] = std::array::from_fn(|k| f64::from(u8::from(k == least)));
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    // As long as the coordinates are large, so that rounding does not tilt it.
    let size = p.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    let u = cross(n, axis);
    let v = cross(n, u);
    let corner = |d: [f64; 3]| std::array::from_fn(|k| p[k] + size * d[k]);
    Blade::plane([p, corner(u), corner(v)]).context("--plane")
}

fn write(path: &Path, mesh: &Mesh, positions: Vec<[f64; 3]>) -> Result<()> {
    let mut data = MeshData { positions, ..MeshData::default() };
    if mesh.is_solid() {
        data.tets = mesh.tets().iter().map(|t| t.map(|v| v.0)).collect();
    } else {
        data.polygons = Polygons::from_triangles(views::corners(mesh));
    }
    Ok(crumple_io::write(path, &data, None)?)
}

/// How many connected parts there are, and the part of each triangle. Tets are connected by common faces.
fn parts(mesh: &Mesh) -> (usize, Vec<u32>) {
    if !mesh.is_solid() {
        let topology = mesh.topology();
        let of = |t: usize| topology.component_of(TriangleId(t as u32)) as u32;
        return (topology.component_count(), (0..mesh.triangles().len()).map(of).collect());
    }
    let topology = mesh.tet_topology();
    let mut part = vec![u32::MAX; mesh.tets().len()];
    let mut count = 0;
    for first in 0..part.len() {
        if part[first] != u32::MAX {
            continue;
        }
        let mut front = vec![first];
        while let Some(tet) = front.pop() {
            if std::mem::replace(&mut part[tet], count) != count {
                let next = (0..4).filter_map(|f| topology.neighbour(TetId(tet as u32), f));
                front.extend(next.map(|n| n.index()).filter(|n| part[*n] == u32::MAX));
            }
        }
        count += 1;
    }
    let of = |t: usize| mesh.tet_of(TriangleId(t as u32)).map_or(0, |(tet, _)| part[tet.index()]);
    (count as usize, (0..mesh.triangles().len()).map(of).collect())
}

/// The edges whose ends are both on the seam, where they are.
fn rims(cut: &Cut) -> Vec<[[f64; 3]; 2]> {
    let mut is_seam = vec![false; cut.body.vertex_count()];
    cut.seam.iter().flatten().for_each(|v| is_seam[v.index()] = true);
    let ends = cut.body.topology().edges().iter().filter(|e| e.iter().all(|v| is_seam[v.index()]));
    ends.map(|e| e.map(|v| cut.positions[v.index()])).collect()
}
