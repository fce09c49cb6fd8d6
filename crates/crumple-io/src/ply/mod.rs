//! PLY, text and binary of both byte orders.
//!
//! Vertices are the rows of element `vertex` (properties `x`, `y`, `z` of any number type, anywhere in the row),
//! faces the rows of element `face` (its list `vertex_indices` or `vertex_index`), triangle strips the rows of
//! element `tristrips` (a negative index starts a new strip). Everything else is skipped; other elements are noted.
//! Element order is free. A face of fewer than three corners is ignored and noted; it has no number. Triangles of a
//! strip keep their place even when two corners are the same.
//!
//! In a text file each row is one line.
//!
//! Numbers of text files are read as the nearest `f64`, also where the header says `float`.

pub(crate) mod header;
mod rows;
#[cfg(test)]
mod tests;

use header::{Element, Header, Kind};
use rows::Rows;

use crate::check::{capacity, finite, vertex_index};
use crate::{MeshData, ReadError, ReadOptions, Source};

/// Reads a PLY file.
pub(crate) fn read(source: &Source, options: &ReadOptions) -> Result<MeshData, ReadError> {
    let header = Header::read(source)?;
    let Some(vertex) = header.elements.iter().find(|element| element.name == "vertex") else {
        return Err(source.error(crate::Place::File, "the header has no element \"vertex\""));
    };
    let mut reader = Reader {
        source,
        vertices: usize::try_from(vertex.count).unwrap_or(usize::MAX),
        rows: Rows::new(source, &header),
        data: MeshData::default(),
        wants_uvs: options.uvs,
        corners: 0,
        short_faces: 0,
    };
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => reader.vertices(element)?,
            "face" => reader.faces(element)?,
            "tristrips" => reader.strips(element)?,
            _ => reader.skip(element)?,
        }
    }
    reader.finish()
}

struct Reader<'a> {
    source: &'a Source,
    /// The announced number, so that faces may come before vertices.
    vertices: usize,
    rows: Rows<'a>,
    data: MeshData,
    wants_uvs: bool,
    /// Of all polygons so far; a list of bytes could hold more than 2^32 of them in a file of 8 GiB.
    corners: u64,
    short_faces: u64,
}

impl Reader<'_> {
    fn vertices(&mut self, element: &Element) -> Result<(), ReadError> {
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(["x", "y", "z"]) {
            *column = element
                .position(name)
                .filter(|&p| matches!(element.properties[p].kind, Kind::Scalar(_)))
                .ok_or_else(|| self.rows.error(format!("element \"vertex\" has no number \"{name}\"")))?;
        }
        let capacity = capacity(element.count, self.rows.remaining(), least_row(element));
        self.data.positions.reserve(capacity);
        if let Some([u, v]) = self.uv_columns(element) {
            return self.vertices_with_uvs(element, [columns[0], columns[1], columns[2], u, v]);
        }
        for row in 0..element.count {
            self.rows.start(element, row)?;
            let place = self.rows.place();
            let p = self.rows.numbers(element, columns)?;
            self.data.positions.push(finite(self.source, place, self.data.positions.len(), p)?);
        }
        Ok(())
    }

    /// The columns of texture coordinates, under any of the names that programs give them.
    fn uv_columns(&self, element: &Element) -> Option<[usize; 2]> {
        let column =
            |name| element.position(name).filter(|&p| matches!(element.properties[p].kind, Kind::Scalar(_)));
        [["u", "v"], ["s", "t"], ["texture_u", "texture_v"]]
            .iter()
            .find_map(|[u, v]| Some([column(u)?, column(v)?]))
            .filter(|_| self.wants_uvs)
    }

    fn vertices_with_uvs(&mut self, element: &Element, columns: [usize; 5]) -> Result<(), ReadError> {
        for row in 0..element.count {
            self.rows.start(element, row)?;
            let place = self.rows.place();
            let [x, y, z, u, v] = self.rows.numbers(element, columns)?;
            self.data.positions.push(finite(self.source, place, self.data.positions.len(), [x, y, z])?);
            // A mesh is not refused for its texture.
            self.data.uvs.coordinates.push([u, v].map(|c| if c.is_finite() { c } else { 0.0 }));
        }
        Ok(())
    }

    fn faces(&mut self, element: &Element) -> Result<(), ReadError> {
        let column = self.index_list(element)?;
        let mut corners = Vec::new();
        for row in 0..element.count {
            self.rows.start(element, row)?;
            let place = self.rows.place();
            corners.clear();
            let vertices = self.vertices;
            self.rows.list(element, column, |source, index| {
                corners.push(vertex_index(source, place, index, vertices)?);
                Ok(())
            })?;
            if corners.len() < 3 {
                self.short_faces += 1;
                continue;
            }
            self.corners += corners.len() as u64;
            if self.corners > u64::from(u32::MAX) {
                return Err(self.rows.error("more than 4294967295 corners of faces"));
            }
            self.data.polygons.push(&corners);
        }
        Ok(())
    }

    fn strips(&mut self, element: &Element) -> Result<(), ReadError> {
        let column = self.index_list(element)?;
        for row in 0..element.count {
            self.rows.start(element, row)?;
            let place = self.rows.place();
            let (vertices, polygons, corners) = (self.vertices, &mut self.data.polygons, &mut self.corners);
            let mut last_two = [None; 2];
            let mut odd = false;
            self.rows.list(element, column, |source, index| {
                if index < 0 {
                    last_two = [None; 2];
                    odd = false;
                    return Ok(());
                }
                let c = vertex_index(source, place, index, vertices)?;
                if let [Some(a), Some(b)] = last_two {
                    let triangle = if odd { [b, a, c] } else { [a, b, c] };
                    *corners += 3;
                    if *corners > u64::from(u32::MAX) {
                        return Err(source.error(place, "more than 4294967295 corners of faces"));
                    }
                    polygons.push(&triangle);
                    odd = !odd;
                }
                last_two = [last_two[1], Some(c)];
                Ok(())
            })?;
        }
        Ok(())
    }

    fn skip(&mut self, element: &Element) -> Result<(), ReadError> {
        self.rows.skip(element)?;
        if element.count > 0 {
            self.data.notes.push(format!("{} elements \"{}\" ignored", element.count, element.name));
        }
        Ok(())
    }

    fn index_list(&self, element: &Element) -> Result<usize, ReadError> {
        ["vertex_indices", "vertex_index"]
            .iter()
            .find_map(|name| element.position(name))
            .filter(|&p| matches!(element.properties[p].kind, Kind::List { .. }))
            .ok_or_else(|| {
                self.rows.error(format!("element \"{}\" has no list \"vertex_indices\"", element.name))
            })
    }

    fn finish(mut self) -> Result<MeshData, ReadError> {
        if self.short_faces > 0 {
            let note = format!("{} faces with fewer than three corners ignored", self.short_faces);
            self.data.notes.push(note);
        }
        self.data.notes.extend(self.rows.left_over());
        Ok(self.data)
    }
}

/// The fewest bytes of a row, text or binary.
fn least_row(element: &Element) -> usize {
    let binary: usize = element.properties.iter().map(|property| property.kind.least_bytes()).sum();
    binary.min(2 * element.properties.len())
}
