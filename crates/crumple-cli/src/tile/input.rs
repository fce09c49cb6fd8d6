//! The mesh that is tiled: as a stream where its format allows it, else whole.

use std::path::Path;

use anyhow::{Context, Result};
use crumple::Mesh;
use crumple_io::stream::MeshStream;

use super::boundary::Tets;
use crate::output;
use crate::world;

/// An element with the numbers of its vertices.
#[derive(Debug, Clone, Copy)]
pub enum Element {
    Triangle([u32; 3]),
    Tet([u32; 4]),
}

/// Where vertices and elements come from.
pub enum Input {
    Stream(MeshStream),
    Whole(Mesh, Vec<[f64; 3]>),
}

impl Input {
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(stream) = MeshStream::of(path)? {
            return Ok(Self::Stream(stream));
        }
        let mut data = crumple_io::read(path)?;
        let mesh = world::mesh(output::file_name(path), &data).with_context(|| path.display().to_string())?;
        Ok(Self::Whole(mesh, std::mem::take(&mut data.positions)))
    }

    /// How it is read, for people.
    pub fn how(&self) -> String {
        match self {
            Self::Stream(_) => "the mesh is read as a stream".to_owned(),
            Self::Whole(..) => {
                "this format is read whole; OBJ, binary PLY, Medit and TetGen are streamed".to_owned()
            }
        }
    }

    pub fn vertices(&self, mut each: impl FnMut([f64; 3]) -> Result<()>) -> Result<()> {
        match self {
            Self::Stream(stream) => stream.vertices(each),
            Self::Whole(_, positions) => positions.iter().try_for_each(|p| each(*p)),
        }
    }

    /// Triangles in the order of their numbers (polygons as fans), then tets; what does not fit into memory goes to `folder`.
    pub fn elements(&self, folder: &Path, mut each: impl FnMut(Element) -> Result<()>) -> Result<()> {
        match self {
            Self::Stream(stream) => {
                let mut tets = None;
                stream.tets(|corners| match &mut tets {
                    None => tets.insert(Tets::create(folder)?).push(corners),
                    Some(tets) => tets.push(corners),
                })?;
                if let Some(mut tets) = tets {
                    tets.boundary(|corners| each(Element::Triangle(corners)))?;
                    return tets.each(|corners| each(Element::Tet(corners)));
                }
                stream.polygons(|corners| {
                    let fan = corners[1..].windows(2);
                    fan.into_iter()
                        .try_for_each(|pair| each(Element::Triangle([corners[0], pair[0], pair[1]])))
                })
            }
            Self::Whole(mesh, _) => {
                mesh.triangles().iter().try_for_each(|t| each(Element::Triangle(t.map(|v| v.0))))?;
                mesh.tets().iter().try_for_each(|t| each(Element::Tet(t.map(|v| v.0))))
            }
        }
    }
}
