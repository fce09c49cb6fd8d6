//! Binary PLY by rows.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::{PIECE, fault};
use crate::binary::{Endian, Scalar};
use crate::check::finite;
use crate::ply::header::{Element, Encoding, Header, Kind};
use crate::{Place, ReadError, Source};

/// No header is longer.
pub(super) const LONGEST_HEADER: u64 = 1 << 20;

/// Where the rows of a file are and what is in them.
#[derive(Debug)]
pub(super) struct Layout {
    endian: Endian,
    vertices: Rows,
    /// Offset, kind and byte of each coordinate in its row.
    columns: [(usize, Scalar); 3],
    faces: Option<(Rows, Vec<Kind>, usize)>,
}

#[derive(Debug, Clone, Copy)]
struct Rows {
    start: u64,
    count: u64,
    /// Bytes of a row without lists, 0 with.
    size: usize,
}

impl Layout {
    /// The layout of a file of so many bytes; `None` when its rows cannot be found without reading others.
    pub fn of(source: &Source, length: u64) -> Result<Option<Self>, ReadError> {
        let header = Header::read(source)?;
        let Encoding::Binary(endian) = header.encoding else { return Ok(None) };
        let mut at = header.data_start as u64;
        let (mut vertices, mut columns, mut faces) = (None, None, None);
        for element in &header.elements {
            let size = element.row_size();
            let rows = Rows { start: at, count: element.count, size: size.unwrap_or(0) };
            match element.name.as_str() {
                "vertex" => (vertices, columns) = (Some(rows), coordinates(element)),
                "face" => {
                    let list = ["vertex_indices", "vertex_index"].iter().find_map(|n| element.position(n));
                    let Some(list) = list else { return Ok(None) };
                    faces = Some((rows, element.properties.iter().map(|p| p.kind).collect(), list));
                }
                "tristrips" => return Ok(None),
                _ => {}
            }
            match size {
                Some(size) => at = at.saturating_add(element.count.saturating_mul(size as u64)),
                // After rows of different sizes nothing can be found; what was found is enough, or it is not.
                None => break,
            }
        }
        let is_all = faces.is_some() || !header.elements.iter().any(|e| e.name == "face");
        let (Some(vertices), Some(columns), true) = (vertices, columns, is_all) else { return Ok(None) };
        let end = u128::from(vertices.start) + u128::from(vertices.count) * vertices.size as u128;
        if end > u128::from(length) {
            return Err(source.error(Place::File, format!("{length} bytes are too few for its vertices")));
        }
        Ok(Some(Self { endian, vertices, columns, faces }))
    }

    pub fn vertices<E: From<ReadError>>(
        &self,
        path: &Path,
        mut each: impl FnMut([f64; 3]) -> Result<(), E>,
    ) -> Result<(), E> {
        let io = |source| ReadError::Io { file: path.display().to_string(), source };
        let mut file = open(path, self.vertices.start)?;
        let source = Source { name: path.display().to_string(), bytes: Vec::new() };
        let mut row = vec![0; self.vertices.size];
        for k in 0..self.vertices.count {
            file.read_exact(&mut row).map_err(io)?;
            let p = self.columns.map(|(at, scalar)| scalar.f64(&row[at..at + scalar.size()], self.endian));
            let place = Place::Byte(self.vertices.start + k * row.len() as u64);
            each(finite(&source, place, k as usize, p)?)?;
        }
        Ok(())
    }

    pub fn polygons<E: From<ReadError>>(
        &self,
        path: &Path,
        mut each: impl FnMut(&[u32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some((rows, kinds, wanted)) = &self.faces else { return Ok(()) };
        let io = |source| ReadError::Io { file: path.display().to_string(), source };
        let mut file = open(path, rows.start)?;
        let mut corners = Vec::new();
        let mut bytes = Vec::new();
        for k in 0..rows.count {
            corners.clear();
            for (property, kind) in kinds.iter().enumerate() {
                let (count, item) = match *kind {
                    Kind::Scalar(scalar) => (1, scalar),
                    Kind::List { count, item } => {
                        bytes.resize(count.size(), 0);
                        file.read_exact(&mut bytes).map_err(io)?;
                        let count = count.i64(&bytes, self.endian).unwrap_or(-1);
                        let count = usize::try_from(count)
                            .map_err(|_| fault(path, Place::File, format!("face {k} has {count} corners")))?;
                        (count, item)
                    }
                };
                // A row at most, so that no count in the file asks for more memory than a piece.
                if count.saturating_mul(item.size()) > PIECE {
                    return Err(fault(path, Place::File, format!("face {k} has {count} entries")).into());
                }
                bytes.resize(count * item.size(), 0);
                file.read_exact(&mut bytes).map_err(io)?;
                if property != *wanted {
                    continue;
                }
                for word in bytes.chunks_exact(item.size()) {
                    let index =
                        item.i64(word, self.endian).filter(|&i| i >= 0 && (i as u64) < self.vertices.count);
                    let Some(index) = index.and_then(|i| u32::try_from(i).ok()) else {
                        let what = format!(
                            "face {k} has a corner that is not among {} vertices",
                            self.vertices.count
                        );
                        return Err(fault(path, Place::File, what).into());
                    };
                    corners.push(index);
                }
            }
            if corners.len() >= 3 {
                each(&corners)?;
            }
        }
        Ok(())
    }
}

fn open(path: &Path, start: u64) -> Result<BufReader<File>, ReadError> {
    let io = |source| ReadError::Io { file: path.display().to_string(), source };
    let mut file = File::open(path).map_err(io)?;
    file.seek(SeekFrom::Start(start)).map_err(io)?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// Where x, y and z are in a row.
fn coordinates(element: &Element) -> Option<[(usize, Scalar); 3]> {
    let mut found = [None; 3];
    let mut at = 0;
    for property in &element.properties {
        let Kind::Scalar(scalar) = property.kind else { return None };
        if let Some(axis) = ["x", "y", "z"].iter().position(|name| *name == property.name) {
            found[axis] = Some((at, scalar));
        }
        at += scalar.size();
    }
    match found {
        [Some(x), Some(y), Some(z)] => Some([x, y, z]),
        _ => None,
    }
}
