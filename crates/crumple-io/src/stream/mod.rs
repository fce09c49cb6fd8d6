//! Meshes that are larger than memory: vertices and elements one after the other, never the whole file.
//!
//! OBJ, binary PLY, Medit and TetGen are read in pieces of a few megabytes, vertices in a first pass and elements in a second
//! one. What a stream gives is what [`read`](crate::read) would: the same numbers, the same vertices and elements in the same
//! order.
//!
//! ```no_run
//! let stream = crumple_io::stream::MeshStream::of("scan.ply".as_ref())?.expect("a format that can be streamed");
//! let mut vertices = 0;
//! stream.vertices(|_| { vertices += 1; Ok::<(), crumple_io::ReadError>(()) })?;
//! # Ok::<(), crumple_io::ReadError>(())
//! ```

mod obj;
mod ply;
mod window;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) use self::window::Records;
use self::window::Window;
use crate::elements;
use crate::{Format, Place, ReadError, Source, medit, tetgen};

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
    Medit,
    /// The points, and the tets beside them.
    Tetgen([PathBuf; 2]),
}

/// Bytes of a piece.
const PIECE: usize = 8 << 20;

impl MeshStream {
    /// The stream of a file; `None` when its format is one that must be read whole (everything but OBJ, binary PLY with
    /// faces as its only lists, Medit, TetGen with both files; packed files).
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
        if is_packed(path) {
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
            Some(Format::Medit) if !medit::is_binary(&head) => Kind::Medit,
            Some(Format::TetgenNode | Format::TetgenEle) => match tetgen::both_files(path) {
                Some(files) if !files.iter().any(|file| is_packed(file)) => Kind::Tetgen(files),
                _ => return Ok(None),
            },
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
            Kind::Medit => self.items(|item| match item {
                medit::Item::Vertex(p) => each(p),
                _ => Ok(()),
            }),
            Kind::Tetgen([points, _]) => {
                tetgen::each_point(&mut Window::open(points)?, each)?;
                Ok(())
            }
        }
    }

    /// Calls `each` with the corners of every polygon in order; they do not count in a file that has tets. Whether the vertices
    /// of OBJ are there is not checked.
    pub fn polygons<E: From<ReadError>>(
        &self,
        mut each: impl FnMut(&[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        match &self.kind {
            Kind::Obj => obj::pieces(&self.path, |data| data.polygons.iter().try_for_each(&mut each)),
            Kind::Ply(layout) => layout.polygons(&self.path, each),
            Kind::Medit => self.items(|item| match item {
                medit::Item::Element(kind, nodes) if kind != elements::Kind::Tet => each(nodes),
                _ => Ok(()),
            }),
            Kind::Tetgen(_) => Ok(()),
        }
    }

    /// Calls `each` with the corners of every tet in order.
    pub fn tets<E: From<ReadError>>(&self, mut each: impl FnMut([u32; 4]) -> Result<(), E>) -> Result<(), E> {
        let mut corners = |nodes: &[u32]| each([nodes[0], nodes[1], nodes[2], nodes[3]]);
        match &self.kind {
            Kind::Obj | Kind::Ply(_) => Ok(()),
            Kind::Medit => self.items(|item| match item {
                medit::Item::Element(elements::Kind::Tet, nodes) => corners(nodes),
                _ => Ok(()),
            }),
            Kind::Tetgen([points, tets]) => {
                let mut count = 0;
                let base = tetgen::each_point(&mut Window::open(points)?, |_| {
                    count += 1;
                    Ok::<(), ReadError>(())
                })?;
                tetgen::each_tet(&mut Window::open(tets)?, base, count, corners)
            }
        }
    }

    /// Calls `each` with what a Medit file has.
    fn items<E: From<ReadError>>(&self, each: impl FnMut(medit::Item<'_>) -> Result<(), E>) -> Result<(), E> {
        medit::each_item(&mut Window::open(&self.path)?, each)?;
        Ok(())
    }
}

/// Whether a file is packed by gzip; one that cannot be opened says so when it is read.
fn is_packed(path: &Path) -> bool {
    let mut head = [0; 2];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok()) && head == [0x1f, 0x8b]
}

/// An error of the file as a whole.
fn fault(path: &Path, place: Place, what: impl Into<String>) -> ReadError {
    ReadError::Malformed { file: path.display().to_string(), place, what: what.into() }
}

#[cfg(test)]
mod tests;
