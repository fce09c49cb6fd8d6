//! `check --out`: meshes with a collision flag on each triangle, for Blender, MeshLab and ParaView.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::Scene;
use crumple_io::{MeshData, Polygons};

use crate::args::Common;
use crate::check::FrameRow;
use crate::output::has_extension;
use crate::views::colliding;

/// Takes the frames of a check and writes what `--out` asks for, when it names a mesh: one file, one file per frame, or
/// a .pvd list with one .vtu per frame beside it.
pub struct Sink {
    out: Option<PathBuf>,
    frames: usize,
    written: Vec<String>,
}

impl Sink {
    /// For `frames` frames.
    pub fn new(common: &Common, frames: usize) -> Self {
        let out = common.out.clone().filter(|p| !has_extension(p, "json"));
        Self { out, frames, written: Vec::new() }
    }

    /// Writes one frame.
    pub fn frame(&mut self, scene: &Scene, row: &FrameRow) -> Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let path = if has_extension(out, "pvd") {
            numbered(&out.with_extension("vtu"), row.frame)
        } else if self.frames > 1 {
            numbered(out, row.frame)
        } else {
            out.clone()
        };
        let (data, flags) = merged(scene, row);
        crumple_io::write(&path, &data, Some(&flags))?;
        self.written.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        Ok(())
    }

    /// Writes the list of frames, where one was asked for.
    pub fn finish(self) -> Result<()> {
        let Some(out) = self.out.filter(|p| has_extension(p, "pvd")) else { return Ok(()) };
        let place = || format!("cannot write {}", out.display());
        let mut file = BufWriter::new(File::create(&out).with_context(place)?);
        let frames = self.written.iter().enumerate().map(|(f, name)| (f as f64, name.as_str()));
        crumple_io::write::pvd(&mut file, frames).and_then(|()| file.flush()).with_context(place)
    }
}

/// `marked.ply` as `marked_0012.ply`.
fn numbered(path: &Path, frame: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_{frame:04}.{extension}"))
}

/// All bodies' triangles in one mesh, bodies in order, with a flag for each triangle.
fn merged(scene: &Scene, row: &FrameRow) -> (MeshData, Vec<bool>) {
    let mesh = scene.bodies();
    let mut flags = vec![false; mesh.triangles().len()];
    for b in mesh.body_ids() {
        let first = mesh.triangle_range(b).start;
        colliding(row, b).iter().for_each(|&t| flags[first + t as usize] = true);
    }
    let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
    let data = MeshData {
        positions: scene.ids().flat_map(|b| scene.positions(b).expect("it is there")).copied().collect(),
        polygons: Polygons::from_triangles(triangles),
        ..MeshData::default()
    };
    (data, flags)
}
