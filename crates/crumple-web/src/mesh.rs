//! A mesh from what a reader found, or from flat arrays.

use std::path::Path;

use crumple::{Mesh, MeshError};
use crumple_io::{MeshData, ReadError, Source};

/// Reads a file that lies in memory; its name says the format.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<MeshData, ReadError> {
    let source = Source::from_bytes(name, bytes)?;
    crumple_io::read_source(Path::new(name), &source)
}

/// Tets where there are any, else faces, else points; as the program does it.
pub fn of(name: &str, data: &MeshData) -> Result<Mesh, MeshError> {
    let vertices = data.positions.len();
    if !data.tets.is_empty() {
        Mesh::from_tets(name, vertices, &data.tets)
    } else if !data.polygons.is_empty() {
        Mesh::from_polygons(name, vertices, data.polygons.iter())
    } else {
        Mesh::from_points(name, vertices)
    }
}

/// Rows of `N` from a flat array; the error says what is left over.
pub fn rows<'a, T: bytemuck::Pod, const N: usize>(what: &str, flat: &'a [T]) -> Result<&'a [[T; N]], String> {
    let (rows, rest) = flat.as_chunks::<N>();
    if rest.is_empty() {
        Ok(rows)
    } else {
        Err(format!("{what}: {} numbers are not rows of {N}", flat.len()))
    }
}
