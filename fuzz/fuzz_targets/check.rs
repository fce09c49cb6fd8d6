//! What every mesh promises that comes out of a reader.

use crumple_io::{MeshData, Source, read_source};

/// Reads `bytes` as a file of this name, and checks what comes out.
pub fn read(name: &str, bytes: &[u8]) -> Option<MeshData> {
    let source = Source::from_bytes(name, bytes.to_vec()).ok()?;
    let data = read_source(name.as_ref(), &source).ok()?;
    let vertices = data.positions.len();
    assert!(data.positions.iter().flatten().all(|c| c.is_finite()));
    assert!(data.polygons.iter().all(|p| p.len() >= 3 && p.iter().all(|&corner| (corner as usize) < vertices)));
    assert!(data.tets.iter().flatten().all(|&corner| (corner as usize) < vertices));
    assert!(data.tets.is_empty() || data.polygons.is_empty());
    Some(data)
}
