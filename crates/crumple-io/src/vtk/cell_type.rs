//! The cell types of VTK by number.

use crate::elements::{Elements, Kind};

/// What cell type `number` is, and how many nodes it must have.
fn cell_type(number: u8) -> (Kind, Option<usize>) {
    match number {
        0 => (Kind::Other("empty cells"), None),
        1 | 2 => (Kind::Other("point elements"), None),
        3 | 4 | 21 | 35 | 68 | 75 => (Kind::Other("line elements"), None),
        5 => (Kind::Triangle, Some(3)),
        6 => (Kind::Strip, None),
        7 => (Kind::Polygon, None),
        8 => (Kind::Pixel, Some(4)),
        9 => (Kind::Quad, Some(4)),
        10 => (Kind::Tet, Some(4)),
        11 => (Kind::Other("voxels"), None),
        12 | 25 | 29 | 33 | 72 | 79 => (Kind::Other("hexahedra"), None),
        13 | 15 | 16 | 26 | 31 | 32 | 73 | 80 => (Kind::Other("prisms"), None),
        14 | 27 | 37 | 74 | 81 => (Kind::Other("pyramids"), None),
        22 => (Kind::Triangle, Some(6)),
        23 => (Kind::Quad, Some(8)),
        24 => (Kind::Tet, Some(10)),
        28 => (Kind::Quad, Some(9)),
        30 => (Kind::Quad, Some(6)),
        34 => (Kind::Triangle, Some(7)),
        42 => (Kind::Other("polyhedra"), None),
        69 | 76 => (Kind::Triangle, None),
        70 | 77 => (Kind::Quad, None),
        71 | 78 => (Kind::Tet, None),
        _ => (Kind::Other("cells of other types"), None),
    }
}

/// What all cells are, if they are all plain triangles, polygons or tets.
pub(super) fn only_kind(types: &[u8]) -> Option<Kind> {
    let first = *types.first().filter(|number| matches!(number, 5 | 7 | 10))?;
    types.iter().all(|&number| number == first).then(|| cell_type(first).0)
}

/// Appends cell `c`, whose type is given by number. The error is a sentence without a place.
pub(super) fn push_cell(elements: &mut Elements, c: usize, number: u8, nodes: &[u32]) -> Result<(), String> {
    let (kind, needed) = cell_type(number);
    if let Some(needed) = needed.filter(|&needed| needed != nodes.len()) {
        return Err(format!("cell {c} has type {number}, which has {needed} nodes, not {}", nodes.len()));
    }
    elements.push(kind, nodes).map_err(|what| format!("cell {c}: {what}"))
}
