//! TetGen meshes: points in `.node`, tets in `.ele`.
//!
//! Either file may be given; the other is looked for beside it, whatever the case of its extension, packed or
//! not. A `.node` file alone is a body of points. Points are numbered from 0 or 1, told by the first of them.
//! Attributes and markers are passed over; of tets with ten nodes the corners are read.

use std::path::{Path, PathBuf};

use crate::check;
use crate::elements::{self, Elements, Kind};
use crate::stream::Records;
use crate::text::Text;
use crate::{MeshData, Place, ReadError, Source};

/// Reads a `.node` file, and the `.ele` file beside it if there is one.
pub(crate) fn read_node(path: &Path, source: &Source) -> Result<MeshData, ReadError> {
    let points = read_points(source)?;
    match sibling(path, "ele") {
        Some(path) => read_tets(&Source::open(&path)?, points),
        None => Ok(Elements::default().into_mesh(points.positions)),
    }
}

/// Reads an `.ele` file and the `.node` file beside it.
pub(crate) fn read_ele(path: &Path, source: &Source) -> Result<MeshData, ReadError> {
    let Some(node) = sibling(path, "node") else {
        return Err(source.error(Place::File, "there is no .node file beside it, which has the points"));
    };
    read_tets(source, read_points(&Source::open(&node)?)?)
}

struct Points {
    positions: Vec<[f64; 3]>,
    /// Number of the first point: 0 or 1.
    base: i64,
}

fn read_points(source: &Source) -> Result<Points, ReadError> {
    let mut text = Text::new(source).comment(b'#');
    let mut positions = Vec::new();
    let base = each_point(&mut text, |p| {
        positions.push(p);
        Ok::<(), ReadError>(())
    })?;
    Ok(Points { positions, base })
}

/// Calls `each` with every point of a `.node` file, and gives the number of the first: 0 or 1.
pub(crate) fn each_point<E: From<ReadError>>(
    records: &mut impl Records,
    mut each: impl FnMut([f64; 3]) -> Result<(), E>,
) -> Result<i64, E> {
    let (count, extra) = records.record(|text| {
        let count: u64 = text.integer("the number of points")?;
        let dimension: i64 = text.line_integer("the dimension")?;
        if dimension != 3 {
            return Err(text.error(format!("points of dimension {dimension} are not read; 3 is")));
        }
        let (attributes, markers) = (optional(text)?, optional(text)?);
        Ok((count, attributes.saturating_add(markers)))
    })?;
    let mut base = 0;
    for vertex in 0..count {
        let p = records.record(|text| {
            let number: i64 = text.integer("the number of a point")?;
            if vertex == 0 {
                base = number;
                if base != 0 && base != 1 {
                    return Err(text.error(format!("points are numbered from 0 or 1, not from {base}")));
                }
            }
            let expected = base + vertex as i64;
            if number != expected {
                return Err(text.error(format!("point {number} where point {expected} should be")));
            }
            let p = [text.line_number("x")?, text.line_number("y")?, text.line_number("z")?];
            let p = check::finite(text.source(), Place::Line(text.line()), vertex as usize, p)?;
            skip(text, extra, "an attribute or marker of a point")?;
            // TetGen itself reads no further on a line than its header says.
            text.rest_of_line();
            Ok(p)
        })?;
        each(p)?;
    }
    Ok(base)
}

fn read_tets(source: &Source, points: Points) -> Result<MeshData, ReadError> {
    let mut text = Text::new(source).comment(b'#');
    let mut elements = Elements::default();
    each_tet(&mut text, points.base, points.positions.len(), |nodes| {
        elements.push(Kind::Tet, nodes).map_err(|what| source.error(Place::File, what))
    })?;
    Ok(elements.into_mesh(points.positions))
}

/// Calls `each` with the nodes of every tet of an `.ele` file, the corners first.
pub(crate) fn each_tet<E: From<ReadError>>(
    records: &mut impl Records,
    base: i64,
    vertices: usize,
    mut each: impl FnMut(&[u32]) -> Result<(), E>,
) -> Result<(), E> {
    let (count, size, attributes) = records.record(|text| {
        let count: u64 = text.integer("the number of tets")?;
        let size: u64 = text.line_integer("the number of nodes of a tet")?;
        if size != 4 && size != 10 {
            return Err(text.error(format!("a tet has 4 or 10 nodes, not {size}")));
        }
        Ok((count, size as usize, optional(text)?))
    })?;
    let mut nodes = [0; 10];
    for tet in 0..count {
        records.record(|text| {
            text.integer::<i64>("the number of a tet")?;
            for node in &mut nodes[..size] {
                let number = text.line_integer("a node of a tet")?;
                *node = elements::vertex(number, base, vertices, format_args!("tet {tet}"))
                    .map_err(|what| text.error(what))?;
            }
            skip(text, attributes, "an attribute of a tet")?;
            text.rest_of_line();
            Ok(())
        })?;
        each(&nodes[..size])?;
    }
    Ok(())
}

/// The next number of a header line, 0 when it is left out.
fn optional(text: &mut Text<'_>) -> Result<u64, ReadError> {
    match text.clone().line_word() {
        None => Ok(0),
        Some(_) => text.line_integer("the number of attributes or markers"),
    }
}

fn skip(text: &mut Text<'_>, count: u64, what: &str) -> Result<(), ReadError> {
    for _ in 0..count {
        text.line_number(what)?;
    }
    Ok(())
}

/// The `.node` and the `.ele` file of a mesh, given either.
pub(crate) fn both_files(path: &Path) -> Option<[PathBuf; 2]> {
    let is_tets = path.extension()?.eq_ignore_ascii_case("ele");
    let other = sibling(path, if is_tets { "node" } else { "ele" })?;
    Some(if is_tets { [other, path.to_owned()] } else { [path.to_owned(), other] })
}

/// The file beside `path` with the same name but another extension, packed or not. The very same spelling is
/// taken first.
fn sibling(path: &Path, extension: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let is_packed = name.to_ascii_lowercase().ends_with(".gz");
    let stem = if is_packed { &name[..name.len() - 3] } else { name };
    let (stem, _) = stem.rsplit_once('.')?;
    let wanted = [format!("{stem}.{extension}"), format!("{stem}.{extension}.gz")];
    if let Some(exact) = wanted.iter().map(|name| path.with_file_name(name)).find(|path| path.is_file()) {
        return Some(exact);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let names =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut found: Vec<_> =
        names.filter(|name| wanted.iter().any(|w| w.eq_ignore_ascii_case(name))).collect();
    found.sort();
    found.first().map(|name| path.with_file_name(name))
}
