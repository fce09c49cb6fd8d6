//! Meshes that are larger than memory: vertices and faces one after the other, never the whole file.
//!
//! OBJ and binary PLY are read in pieces of a few megabytes, vertices in a first pass and faces in a second one. What a
//! stream gives is what [`read`](crate::read) would: the same numbers, the same vertices and faces in the same order.
//!
//! ```no_run
//! let stream = crumple_io::stream::MeshStream::of("scan.ply".as_ref())?.expect("a format that can be streamed");
//! let mut vertices = 0;
//! stream.vertices(|_| { vertices += 1; Ok::<(), crumple_io::ReadError>(()) })?;
//! # Ok::<(), crumple_io::ReadError>(())
//! ```

mod obj;
mod ply;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{Format, Place, ReadError, Source};

/// A mesh file that is read in pieces.
#[derive(Debug)]
pub struct MeshStream {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Obj,
    Ply(ply::Layout),
}

/// Bytes of a piece.
const PIECE: usize = 8 << 20;

impl MeshStream {
    /// The stream of a file; `None` when its format is one that must be read whole (everything but OBJ and binary PLY with
    /// faces as its only lists; packed files).
    pub fn of(path: &Path) -> Result<Option<Self>, ReadError> {
        let name = path.display().to_string();
        let io = |source| ReadError::Io { file: name.clone(), source };
        let metadata = std::fs::metadata(path).map_err(io)?;
        if metadata.is_dir() {
            return Err(ReadError::IsDirectory { file: name });
        }
        if !metadata.is_file() {
            return Ok(None);
        }
        let mut head = Vec::new();
        File::open(path).map_err(io)?.take(ply::LONGEST_HEADER).read_to_end(&mut head).map_err(io)?;
        if head.starts_with(&[0x1f, 0x8b]) {
            return Ok(None);
        }
        let kind = match Format::of(path) {
            Some(Format::Obj) => Kind::Obj,
            Some(Format::Ply) => {
                let source = Source { name, bytes: head };
                match ply::Layout::of(&source, metadata.len())? {
                    Some(layout) => Kind::Ply(layout),
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(Self { path: path.to_owned(), kind }))
    }

    /// Calls `each` with every vertex in order.
    pub fn vertices<E: From<ReadError>>(
        &self,
        mut each: impl FnMut([f64; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.kind {
            Kind::Obj => obj::pieces(&self.path, |data| data.positions.iter().try_for_each(|p| each(*p))),
            Kind::Ply(layout) => layout.vertices(&self.path, each),
        }
    }

    /// Calls `each` with the corners of every polygon in order. Whether the vertices are there is not checked.
    pub fn polygons<E: From<ReadError>>(
        &self,
        mut each: impl FnMut(&[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.kind {
            Kind::Obj => obj::pieces(&self.path, |data| data.polygons.iter().try_for_each(&mut each)),
            Kind::Ply(layout) => layout.polygons(&self.path, each),
        }
    }
}

/// An error of the file as a whole.
fn fault(path: &Path, place: Place, what: impl Into<String>) -> ReadError {
    ReadError::Malformed { file: path.display().to_string(), place, what: what.into() }
}

#[cfg(test)]
mod tests;
