//! `crumple convert`: a mesh file as another, or one of our scenes as a directory.

use std::path::Path;

use anyhow::{Context, Result, bail};
use crumple_io::{MeshData, SceneBody, SceneDir, SceneElements};
use crumple_scenes::{Elements, LazyScene};
use serde::Serialize;

use crate::args::{Common, ConvertArgs};
use crate::output::{self, thousands};

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    written: String,
    vertices: usize,
    elements: usize,
    frames: usize,
}

/// Converts what was asked for.
pub fn run(args: &ConvertArgs, common: &Common) -> Result<()> {
    if args.list {
        return list(common);
    }
    let report = match (&args.scene, &args.files[..]) {
        (Some(scene), [dir]) => write_scene(&find_scene(scene)?, dir, common)?,
        (Some(_), _) => bail!("--scene takes one directory to write into"),
        (None, [from, to]) => convert_file(from, to, common)?,
        (None, _) => bail!("name the file to read and the file to write: crumple convert IN OUT"),
    };
    output::emit(common, &report, || {
        let counts =
            format!("{} vertices, {} elements", thousands(report.vertices), thousands(report.elements));
        format!("wrote {}: {counts}, {} frames", report.written, report.frames)
    })
}

fn list(common: &Common) -> Result<()> {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        about: &'static str,
    }
    let rows: Vec<Row> = crumple_scenes::entries().map(|e| Row { name: e.name, about: e.about }).collect();
    output::emit(common, &rows, || {
        let mut table = output::table(["scene", "what it is"]);
        rows.iter().for_each(|r| {
            table.add_row([r.name, r.about]);
        });
        table.to_string()
    })
}

/// A registered scene, a scene of the suite, or a scene file.
pub fn find_scene(name: &str) -> Result<LazyScene> {
    if let Some(scene) = crumple_scenes::lazy(name) {
        return Ok(scene);
    }
    if let Some((_, text)) = crumple_scenes::suite().find(|(known, _)| *known == name) {
        return crumple_scenes::toml::parse(text).with_context(|| name.to_owned());
    }
    let path = Path::new(name);
    if output::has_extension(path, "toml") {
        let text = std::fs::read_to_string(path).with_context(|| name.to_owned())?;
        return crumple_scenes::toml::parse(&text).with_context(|| name.to_owned());
    }
    bail!("{name}: neither a scene that we know (crumple convert --list) nor a .toml scene file")
}

fn write_scene(scene: &LazyScene, dir: &Path, common: &Common) -> Result<Report> {
    let elements = |e: &Elements| match e {
        Elements::Triangles(t) => SceneElements::Triangles(t.clone()),
        Elements::Tets(t) => SceneElements::Tets(t.clone()),
        Elements::Points => SceneElements::Points,
    };
    let body = |b: &crumple_scenes::LazyBody| SceneBody {
        name: b.name.clone(),
        vertices: b.vertices,
        elements: elements(&b.elements),
    };
    let bodies = scene.bodies.iter().map(body).collect();
    let place = || dir.display().to_string();
    let out = SceneDir::create(dir, &scene.name, scene.frames, bodies).with_context(place)?;
    let bar = output::progress(common, scene.frames, "frame");
    for f in 0..scene.frames {
        for (b, body) in scene.bodies.iter().enumerate() {
            out.write_positions(b, f, &body.positions(f)).with_context(place)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Report {
        schema: "crumple.convert/1",
        written: place(),
        vertices: scene.vertices(),
        elements: scene.elements(),
        frames: scene.frames,
    })
}

fn convert_file(from: &Path, to: &Path, common: &Common) -> Result<Report> {
    let data: MeshData = crumple_io::read(from)?;
    for note in &data.notes {
        output::remark(common, || format!("{}: {note}", from.display()));
    }
    crumple_io::write(to, &data, None)?;
    let elements = if data.tets.is_empty() { data.polygons.len() } else { data.tets.len() };
    let written = to.display().to_string();
    Ok(Report { schema: "crumple.convert/1", written, vertices: data.positions.len(), elements, frames: 1 })
}
