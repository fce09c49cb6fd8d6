//! Meshes to files, with colliding triangles marked.
//!
//! Vertices and faces are written in the order of the mesh, polygons as polygons, coordinates so that reading gives the
//! same `f64` back. Marks are one flag per triangle, where polygons count as fans from their first corner; a polygon is
//! marked when one of its triangles is.

mod obj;
mod ply;
mod pvd;
mod vtu;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub use obj::{obj, obj_materials};
pub use ply::{PlyEncoding, ply};
pub use pvd::pvd;
pub use vtu::{VtuCells, VtuColumn, VtuMesh, VtuValues, vtu};

use crate::MeshData;

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
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
    let file = || path.display().to_string();
    let io = |source| WriteError::Io { file: file(), source };
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (stem, packed) = match name.strip_suffix(".gz") {
        Some(stem) => (stem, true),
        None => (name.as_str(), false),
    };
    let extension = stem.rsplit_once('.').map_or("", |(_, extension)| extension);
    let save = |check: fn(&MeshData, Option<&[bool]>) -> io::Result<()>,
                content: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        check(mesh, collides)?;
        let mut out = BufWriter::new(File::create(path)?);
        if packed {
            let mut packer = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            content(&mut packer)?;
            packer.finish()?.flush()
        } else {
            content(&mut out)?;
            out.flush()
        }
    };
    match extension {
        "obj" => {
            let library = material_library(path);
            let named = library.as_deref().filter(|_| collides.is_some());
            save(check, &|out| obj(out, mesh, collides, named)).map_err(io)?;
            if let Some(library) = named {
                let beside = path.with_file_name(library);
                let mut out = BufWriter::new(File::create(&beside).map_err(io)?);
                obj_materials(&mut out).and_then(|()| out.flush()).map_err(io)?;
            }
            Ok(())
        }
        "ply" => save(check, &|out| ply(out, mesh, collides, PlyEncoding::Binary)).map_err(io),
        "vtu" => save(check_flags, &|out| vtu(out, mesh, collides)).map_err(io),
        _ => Err(WriteError::UnknownFormat { file: file(), known: ".obj .ply .vtu" }),
    }
}

/// `cloth.mtl` for `dir/cloth.obj.gz`.
fn material_library(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".GZ")).unwrap_or(name);
    Some(format!("{}.mtl", name.rsplit_once('.')?.0))
}

/// Refuses what a surface format cannot hold, and flags that are not the mesh's.
fn check(mesh: &MeshData, collides: Option<&[bool]>) -> io::Result<()> {
    if !mesh.tets.is_empty() {
        return refuse(format!(
            "the format has no tetrahedra ({} given): write their boundary, or a .vtu",
            mesh.tets.len()
        ));
    }
    check_flags(mesh, collides)
}

/// Refuses flags that are not the mesh's.
fn check_flags(mesh: &MeshData, collides: Option<&[bool]>) -> io::Result<()> {
    let triangles: usize = mesh.polygons.iter().map(|polygon| polygon.len() - 2).sum();
    match collides {
        Some(flags) if flags.len() != triangles => {
            refuse(format!("{} collision flags for {triangles} triangles", flags.len()))
        }
        _ => Ok(()),
    }
}

fn refuse(what: String) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// Whether each polygon has a marked triangle.
fn marked_polygons(mesh: &MeshData, collides: &[bool]) -> Vec<bool> {
    let mut first = 0;
    mesh.polygons
        .iter()
        .map(|polygon| {
            let triangles = first..first + polygon.len() - 2;
            first = triangles.end;
            collides[triangles].contains(&true)
        })
        .collect()
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
