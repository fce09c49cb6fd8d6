//! `check --out`: the bodies as their files gave them, with what collides marked, for Blender, MeshLab and ParaView.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::BodyId;
use crumple_io::write::{Faces, MarkedBody};

use crate::args::Common;
use crate::check::FrameRow;
use crate::output::{file_name, has_extension, last_number, numbered, suffixed};
use crate::views::{colliding, corners};
use crate::world::World;

/// Takes the frames of a check and writes what `--out` asks for, when it names a mesh: one file, one file per frame, or
/// a .pvd list with one .vtu per frame beside it.
pub struct Sink {
    out: Option<PathBuf>,
    frames: usize,
    written: Vec<String>,
}

/// Flags of one body.
#[derive(Default)]
struct Flags {
    triangles: Vec<bool>,
    tets: Vec<bool>,
    vertices: Vec<bool>,
    depths: Vec<f64>,
}

impl Sink {
    /// For `frames` frames.
    pub fn new(common: &Common, frames: usize) -> Self {
        Self { out: mesh_file(common), frames, written: Vec::new() }
    }

    /// Writes one frame.
    pub fn frame(&mut self, world: &World, row: &FrameRow) -> Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        let path = match () {
            () if has_extension(out, "pvd") => self.numbered(&out.with_extension("vtu"), row),
            () if self.frames > 1 => self.numbered(out, row),
            () => out.clone(),
        };
        let flags: Vec<Flags> =
            world.scene.ids().map(|b| Flags::new(world, row, b)).collect::<Result<_, _>>()?;
        let mut bodies = Vec::new();
        for (id, flags) in world.scene.ids().zip(&flags) {
            let (mesh, data) = (world.scene.mesh(id)?, world.data(id));
            let mut body = MarkedBody::new(mesh.name(), data);
            body.positions = world.scene.positions(id)?;
            if mesh.is_solid() {
                body.faces = Faces::Triangles(corners(mesh));
                body.marks.tets = Some(&flags.tets);
                body.marks.vertices = Some(&flags.vertices);
                body.marks.depths = Some(&flags.depths);
            }
            body.marks.triangles = Some(&flags.triangles);
            bodies.push(body);
        }
        crumple_io::write::write_marked(&path, &bodies)?;
        self.written.push(file_name(&path));
        Ok(())
    }

    /// The file of a frame: with the number that the frame's own file has, or the frame's where that has none or is taken.
    fn numbered(&self, path: &Path, row: &FrameRow) -> PathBuf {
        let own = (row.name.as_deref())
            .and_then(|name| Some(suffixed(path, &name[last_number(name)?])))
            .filter(|p| !self.written.contains(&file_name(p)));
        own.unwrap_or_else(|| numbered(path, row.frame))
    }

    /// Writes the list of frames, where one was asked for.
    pub fn finish(self) -> Result<()> {
        let Some(out) = self.out.filter(|p| has_extension(p, "pvd")) else { return Ok(()) };
        let frames = || self.written.iter().enumerate().map(|(f, name)| (f as f64, name.as_str()));
        crumple_io::write::write_file(&out, |file| crumple_io::write::pvd(file, frames()))
            .with_context(|| format!("cannot write {}", out.display()))
    }
}

/// The mesh file that `--out` names, if it names one.
pub fn mesh_file(common: &Common) -> Option<PathBuf> {
    common.out.clone().filter(|p| !has_extension(p, "json"))
}

impl Flags {
    fn new(world: &World, row: &FrameRow, id: BodyId) -> Result<Self, crumple::Error> {
        let mesh = world.scene.mesh(id)?;
        let mut flags = Self { triangles: vec![false; mesh.triangles().len()], ..Self::default() };
        colliding(row, id).iter().for_each(|&t| flags.triangles[t as usize] = true);
        if mesh.is_solid() {
            flags.tets = vec![false; mesh.tets().len()];
            flags.vertices = vec![false; mesh.vertex_count()];
            flags.depths = vec![0.0; mesh.vertex_count()];
        }
        for hit in &row.vertex_tets {
            if hit.tet.body == id {
                flags.tets[hit.tet.id.index()] = true;
            }
            if hit.vertex.body == id && mesh.is_solid() {
                flags.vertices[hit.vertex.id.index()] = true;
                let depth = &mut flags.depths[hit.vertex.id.index()];
                *depth = depth.max(hit.depth);
            }
        }
        row.edge_tets
            .iter()
            .filter(|hit| hit.tet.body == id)
            .for_each(|hit| flags.tets[hit.tet.id.index()] = true);
        Ok(flags)
    }
}
