//! The XML formats: unstructured grids (`.vtu`) and polygonal data (`.vtp`).
//!
//! The tags are walked once and the arrays that matter are noted where they stand; then the arrays of one piece
//! after the other are decoded. Attributes of points and cells are passed over. Vertices of several pieces
//! follow each other and are not merged.

mod array;
mod walk;

use crate::check;
use crate::elements::{self, Elements};
use crate::{MeshData, ReadError, Source};

use self::array::{Array, Arrays};
use self::walk::{Part, Piece, Section, walk};
use super::cell_type::{only_kind, push_cell};

/// Reads a `.vtu` or `.vtp` file.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    let walk = walk(source)?;
    let mut arrays = Arrays::new(source, walk.encoding);
    let mut positions = Vec::new();
    let mut elements = Elements::default();
    for piece in &walk.pieces {
        read_piece(source, &mut arrays, piece, &mut positions, &mut elements)?;
    }
    Ok(elements.into_mesh(positions))
}

fn read_piece<'a>(
    source: &Source,
    arrays: &mut Arrays<'a>,
    piece: &Piece<'a>,
    positions: &mut Vec<[f64; 3]>,
    elements: &mut Elements,
) -> Result<(), ReadError> {
    let first = positions.len();
    for part in piece.parts.iter().filter(|part| part.section == Section::Points) {
        read_points(source, arrays, part, positions)?;
    }
    let vertices = positions.len() - first;
    let claimed = piece.claimed(Section::Points);
    if claimed != Some(vertices as u64) {
        let claimed = claimed.map_or("no number".into(), |claimed| claimed.to_string());
        let what = format!("the piece has {vertices} points where NumberOfPoints says {claimed}");
        return Err(source.error(piece.place(source), what));
    }
    if positions.len() > u32::MAX as usize {
        return Err(source.error(piece.place(source), "more than 2^32 points"));
    }
    for part in piece.parts.iter().filter(|part| part.section != Section::Points) {
        let claimed = piece.claimed(part.section);
        let cells = read_cells(source, arrays, part, first..positions.len(), elements)?;
        if claimed.is_some_and(|claimed| claimed != cells) {
            let what = format!(
                "the piece has {cells} cells where {} says {}",
                part.section.claim(),
                claimed.unwrap_or(0)
            );
            return Err(source.error(piece.place(source), what));
        }
    }
    Ok(())
}

fn read_points<'a>(
    source: &Source,
    arrays: &mut Arrays<'a>,
    part: &Part<'a>,
    positions: &mut Vec<[f64; 3]>,
) -> Result<(), ReadError> {
    let Some(array) = part.array("Points") else { return Ok(()) };
    if array.components.is_some_and(|components| components != 3) {
        return Err(source.error(array.place(source), "points should have 3 components"));
    }
    let numbers = arrays.floats(array)?;
    if !numbers.len().is_multiple_of(3) {
        let what = format!("{} coordinates are not points of 3 each", numbers.len());
        return Err(source.error(array.place(source), what));
    }
    let (points, _) = numbers.as_chunks::<3>();
    if let Some(bad) = points.iter().position(|p| p.iter().any(|c| !c.is_finite())) {
        check::finite(source, array.place(source), positions.len() + bad, points[bad])?;
    }
    positions.extend_from_slice(points);
    Ok(())
}

/// Reads the cells of a part over the vertices `range` and says how many there are.
fn read_cells<'a>(
    source: &Source,
    arrays: &mut Arrays<'a>,
    part: &Part<'a>,
    range: std::ops::Range<usize>,
    elements: &mut Elements,
) -> Result<u64, ReadError> {
    let (Some(nodes_array), Some(ends_array)) = (part.array("connectivity"), part.array("offsets")) else {
        // An empty part may come without arrays; if it should not be empty, its count tells.
        return Ok(0);
    };
    let nodes: Vec<u32> = arrays.integers(nodes_array)?;
    let ends: Vec<u32> = arrays.integers(ends_array)?;
    let kind = part.section.kind();
    let types: Vec<u8> = match (kind, part.array("types")) {
        (Some(_), _) => Vec::new(),
        (None, Some(array)) => arrays.integers(array)?,
        (None, None) => return Err(source.error(part.place(source), "cells without an array of types")),
    };
    if kind.is_none() && types.len() != ends.len() {
        let what = format!("{} cells, but {} cell types", ends.len(), types.len());
        return Err(source.error(part.place(source), what));
    }
    if let Some(kind) = kind.or_else(|| only_kind(&types))
        && elements.push_all(kind, &nodes, &ends, range.clone())
    {
        return Ok(ends.len() as u64);
    }
    let fail = |array: &Array<'_>, what| source.error(array.place(source), what);
    let mut start = 0;
    let mut cell = Vec::new();
    for (c, &end) in ends.iter().enumerate() {
        let Some(in_cell) = nodes.get(start as usize..end as usize) else {
            return Err(fail(ends_array, format!("offset {end} of cell {c} is out of order")));
        };
        start = end;
        cell.clear();
        for &node in in_cell {
            let node = elements::vertex(node.into(), 0, range.len(), format_args!("cell {c}"))
                .map_err(|what| fail(nodes_array, what))?;
            cell.push(range.start as u32 + node);
        }
        match kind {
            Some(kind) => elements.push(kind, &cell).map_err(|what| format!("cell {c}: {what}")),
            None => push_cell(elements, c, types[c], &cell),
        }
        .map_err(|what| fail(nodes_array, what))?;
    }
    if start as usize != nodes.len() {
        let what = format!("{} nodes where the last offset says {start}", nodes.len());
        return Err(fail(nodes_array, what));
    }
    Ok(ends.len() as u64)
}
