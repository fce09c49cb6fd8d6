//! Frames as files, each whole.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use crumple::VertexId;
use crumple_io::write::{Faces, MarkedBody, pvd};
use crumple_io::{MeshData, write_file, write_marked};
use crumple_sim::script::Script;

use crate::args::FramesAs;

/// A folder of frames.
pub struct Frames {
    folder: PathBuf,
    format: FramesAs,
    names: Vec<(f64, String)>,
}

impl Frames {
    pub fn new(folder: &Path, format: FramesAs) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self { folder: folder.to_owned(), format, names: Vec::new() })
    }

    /// Writes the world as it is.
    pub fn write(&mut self, script: &Script, frame: usize) -> Result<()> {
        let world = script.world();
        let extension = if self.format == FramesAs::Ply { "ply" } else { "vtu" };
        let name = format!("frame_{frame:04}.{extension}");
        let mut meshes = Vec::new();
        for id in world.bodies() {
            let mesh = world.mesh(id)?;
            let triangles: Vec<[u32; 3]> = mesh.triangles().iter().map(|t| t.map(|VertexId(v)| v)).collect();
            let tets: Vec<[u32; 4]> = match self.format {
                FramesAs::Ply => Vec::new(),
                FramesAs::Vtu => mesh.tets().iter().map(|t| t.map(|VertexId(v)| v)).collect(),
            };
            meshes.push((mesh.name(), world.positions(id)?, triangles, tets));
        }
        let nothing = MeshData::default();
        let bodies: Vec<MarkedBody<'_>> = meshes
            .iter()
            .map(|(name, positions, triangles, tets)| {
                let mut body = MarkedBody::new(name, &nothing);
                (body.positions, body.faces, body.tets) = (positions, Faces::Triangles(triangles), tets);
                body
            })
            .collect();
        write_marked(&self.folder.join(&name), &bodies)?;
        self.names.push((world.time(), name));
        if self.format == FramesAs::Vtu {
            let rows = self.names.iter().map(|(time, name)| (*time, name.as_str()));
            write_file(&self.folder.join("frames.pvd"), |out| pvd(out, rows))?;
        }
        Ok(())
    }
}
