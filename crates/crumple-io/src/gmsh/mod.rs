//! Gmsh meshes (`.msh`), versions 2 and 4.1, text and binary of either byte order.
//!
//! A file is a row of sections `$Name … $EndName`. Read are `$MeshFormat`, `$Nodes` and `$Elements`; any other
//! section is passed over up to its end mark, which must be there. Vertices are numbered in the order of the
//! file, whatever their tags are: tags may have gaps and come in any order. Faces are triangles and quads in
//! element order; elements of higher order are read by their corners; points, lines, hexahedra, prisms and
//! pyramids are counted in a note.
//!
//! Cost: O(bytes), plus a sort of the nodes where tags are far apart.

mod element_type;
mod nodes;
mod v2;
mod v4;

use crate::binary::{Binary, Endian, Scalar};
use crate::elements::{Elements, Kind};
use crate::numbers::{Numbers, Storage};
use crate::text::{Text, quoted};
use crate::{MeshData, Place, ReadError, Source};

use element_type::MAX_NODES;
use nodes::Nodes;

/// What `$MeshFormat` says.
#[derive(Debug, Clone, Copy)]
struct Header {
    version: Version,
    storage: Storage,
    /// Type of a count or tag in a binary file of version 4.
    size: Scalar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    V2,
    V4,
}

/// Reads a `.msh` file.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    let mut text = Text::new(source);
    let mut header = None;
    let mut nodes = Nodes::default();
    let mut elements = Elements::default();
    while let Some(word) = text.word() {
        let Some(name) = word.strip_prefix(b"$") else {
            // Gmsh takes whatever stands between sections as a comment.
            text.rest_of_line();
            continue;
        };
        match (name, header) {
            (b"MeshFormat", None) => header = Some(read_header(source, &mut text)?),
            (b"MeshFormat", Some(_)) => return Err(text.error("a second $MeshFormat")),
            (b"NOD" | b"ELM", None) => return Err(text.error("Gmsh version 1 is not read; save it as 4.1")),
            (b"Nodes" | b"Elements", None) => return Err(text.error("no $MeshFormat before this section")),
            (b"Nodes", Some(_)) if nodes.has_index() => return Err(text.error("nodes after elements")),
            (b"Nodes", Some(header)) => {
                text = match header.version {
                    Version::V2 => v2::read_nodes(source, text, header, &mut nodes)?,
                    Version::V4 => v4::read_nodes(source, text, header, &mut nodes)?,
                };
                text.keyword("$EndNodes")?;
            }
            (b"Elements", Some(header)) => {
                // Once, before the first elements: each section may be there any number of times.
                if !nodes.has_index() {
                    nodes.make_index().map_err(|what| text.error(what))?;
                }
                text = match header.version {
                    Version::V2 => v2::read_elements(source, text, header, &nodes, &mut elements)?,
                    Version::V4 => v4::read_elements(source, text, header, &nodes, &mut elements)?,
                };
                text.keyword("$EndElements")?;
            }
            (name, _) => skip_section(source, &mut text, name)?,
        }
    }
    if header.is_none() {
        return Err(source.error(Place::File, "no $MeshFormat section: this is not a Gmsh mesh"));
    }
    if !nodes.has_section {
        return Err(source.error(Place::File, "no $Nodes section"));
    }
    if !nodes.has_index() {
        nodes.make_index().map_err(|what| source.error(Place::File, what))?;
    }
    Ok(elements.into_mesh(nodes.positions))
}

fn read_header(source: &Source, text: &mut Text<'_>) -> Result<Header, ReadError> {
    let word = text.word().unwrap_or_default();
    let version = match word {
        b"4.1" => Version::V4,
        b"2" | b"2.0" | b"2.1" | b"2.2" => Version::V2,
        _ => {
            let what = format!("Gmsh version {} is not read; 2.2 and 4.1 are", quoted(word));
            return Err(text.error(what));
        }
    };
    let is_binary = match text.integer::<i64>("the file type")? {
        0 => false,
        1 => true,
        other => return Err(text.error(format!("the file type is 0 (text) or 1 (binary), not {other}"))),
    };
    let size = match (version, text.integer::<i64>("the data size")?) {
        (_, 8) => Scalar::U64,
        (Version::V4, 4) => Scalar::U32,
        (_, other) => return Err(text.error(format!("the data size should be 8, not {other}"))),
    };
    let mut storage = Storage::Text;
    if is_binary {
        text.next_line();
        let mut mark = Binary::new(source, text.offset(), Endian::Little);
        let place = mark.place();
        storage = Storage::Binary(match mark.take(4, "the byte order mark")? {
            [1, 0, 0, 0] => Endian::Little,
            [0, 0, 0, 1] => Endian::Big,
            _ => return Err(source.error(place, "the byte order mark is not the number 1")),
        });
        text.skip_to(mark.offset());
    }
    text.keyword("$EndMeshFormat")?;
    Ok(Header { version, storage, size })
}

/// Appends an element, given by number, kind and node tags.
#[inline]
fn push(
    source: &Source,
    numbers: &Numbers<'_>,
    nodes: &Nodes,
    elements: &mut Elements,
    (element, kind, tags): (u64, Kind, &[u64]),
) -> Result<(), ReadError> {
    let mut vertices = [0; MAX_NODES];
    nodes
        .vertices(element, tags, &mut vertices)
        .and_then(|()| elements.push(kind, &vertices[..tags.len()]))
        .map_err(|what| source.error(numbers.place(), what))
}

/// Goes behind the end mark of section `name`.
fn skip_section(source: &Source, text: &mut Text<'_>, name: &[u8]) -> Result<(), ReadError> {
    let mut mark = b"$End".to_vec();
    mark.extend_from_slice(name);
    let start = text.offset();
    let rest = &source.bytes[start..];
    let found = rest
        .iter()
        .enumerate()
        .filter(|&(_, &byte)| byte == b'$')
        .find(|&(at, _)| rest[at..].starts_with(&mark));
    let Some((at, _)) = found else {
        return Err(text.error(format!("section {} has no end", quoted(&mark[4..]))));
    };
    text.skip_to(start + at + mark.len());
    Ok(())
}
