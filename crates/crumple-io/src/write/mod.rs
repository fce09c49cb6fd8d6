//! Meshes to files, with what collides marked.
//!
//! Vertices and faces are written in the order of the mesh, polygons as polygons, coordinates so that reading gives the
//! same `f64` back. Several bodies may share a file; what each came with (names, texture coordinates, materials) stays.
//! Files are whole or not there: see [`write_file`].
//!
//! | format | bodies | what collides | depth |
//! | --- | --- | --- | --- |
//! | `.obj` | objects `o` | material `collides` of faces | |
//! | `.ply` | vertex property `body`, names in comments | vertex property `collides` and colours; faces in comments | vertex property `depth` |
//! | `.vtu` | cell and point column `body`, names in comments | columns `collides` of cells (faces or tets) and points | point column `depth` |
//!
//! A face of more than three corners is marked when one of its triangles is.

mod atomic;
mod marked;
mod obj;
mod ply;
mod pvd;
mod vtu;

use std::io::{self, Write};
use std::path::Path;

pub(crate) use atomic::save;
pub use atomic::write_file;
pub use marked::{Faces, MarkedBody, Marks};
pub use obj::{obj, obj_materials};
pub use ply::{PlyEncoding, ply};
pub use pvd::pvd;
pub use vtu::{VtuCells, VtuColumn, VtuMesh, VtuValues, vtu};

use crate::MeshData;

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The system refused, or the format cannot hold the mesh.
    #[error("{file}: {source}")]
    Io {
        /// The file's name as it was given.
        file: String,
        /// What the system said, or what does not fit.
        source: io::Error,
    },
    /// No writer knows this extension.
    #[error("{file}: cannot write this file type; known are {known}")]
    UnknownFormat {
        /// The file's name as it was given.
        file: String,
        /// The known extensions.
        known: &'static str,
    },
}

/// Writes `mesh` as the format that the extension of `path` names (case ignored; a final `.gz` compresses).
///
/// `collides` has one flag per triangle. An OBJ file with flags gets a material file beside it.
pub fn write(path: &Path, mesh: &MeshData, collides: Option<&[bool]>) -> Result<(), WriteError> {
    let mut body = MarkedBody::new("", mesh);
    body.marks.triangles = collides;
    write_marked(path, &[body])
}

/// Writes bodies as the format that the extension of `path` names (case ignored; a final `.gz` compresses).
///
/// An OBJ file in which triangles are marked gets a material file beside it.
pub fn write_marked(path: &Path, bodies: &[MarkedBody<'_>]) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (stem, packed) = match name.strip_suffix(".gz") {
        Some(stem) => (stem, true),
        None => (name.as_str(), false),
    };
    let packing = |out: &mut dyn Write, content: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        if !packed {
            return content(out);
        }
        let mut packer = flate2::write::GzEncoder::new(out, flate2::Compression::default());
        content(&mut packer)?;
        packer.finish().map(drop)
    };
    match stem.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "obj" => {
            let is_marked = bodies.iter().any(|body| body.marks.triangles.is_some());
            let library = material_library(path).filter(|_| is_marked);
            write_file(path, |out| packing(out, &|out| obj(out, bodies, library.as_deref())))?;
            match library {
                Some(library) => write_file(&path.with_file_name(library), obj_materials),
                None => Ok(()),
            }
        }
        "ply" => write_file(path, |out| packing(out, &|out| ply(out, bodies, PlyEncoding::Binary))),
        "vtu" => write_file(path, |out| packing(out, &|out| vtu(out, bodies))),
        _ => Err(WriteError::UnknownFormat { file: path.display().to_string(), known: ".obj .ply .vtu" }),
    }
}

/// `cloth.mtl` for `dir/cloth.obj.gz`.
fn material_library(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".GZ")).unwrap_or(name);
    Some(format!("{}.mtl", name.rsplit_once('.')?.0))
}

fn refuse(what: String) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// Writes the shortest decimal that reads back as `value`.
fn number(out: &mut dyn Write, value: f64) -> io::Result<()> {
    // Without an exponent 1e300 has 301 digits.
    if value == 0.0 || (1e-5..1e16).contains(&value.abs()) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    }
}
