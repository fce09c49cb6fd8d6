//! Medit meshes (`.mesh`, text, three dimensions).
//!
//! Keywords, each with a count and as many records of numbers. A record ends with a reference number, which is of
//! no use to us. Read are `Vertices`, `Triangles`, `Quadrilaterals` and `Tetrahedra`; any other section is passed
//! over up to the next keyword. The file must end with `End`, so that one that was cut off is told.

use crate::check;
use crate::elements::{self, Elements, Kind};
use crate::text::{Text, quoted};
use crate::{MeshData, Place, ReadError, Source};

/// Reads a `.mesh` file.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    if is_binary(&source.bytes) {
        return Err(source.error(Place::Byte(0), "binary Medit files (.meshb) are not read; save it as text"));
    }
    let mut text = Text::new(source).comment(b'#');
    text.keyword("MeshVersionFormatted")?;
    text.integer::<u32>("the version")?;
    text.keyword("Dimension")?;
    let dimension: i64 = text.integer("the dimension")?;
    if dimension != 3 {
        return Err(text.error(format!("a mesh of dimension {dimension} is not read; 3 is")));
    }
    let mut positions = None;
    let mut elements = Elements::default();
    let mut unknown = Unknown::default();
    let mut word = text.word();
    while let Some(keyword) = word {
        word = None;
        match keyword.to_ascii_lowercase().as_slice() {
            b"end" => {
                let Some(positions) = positions else { return Err(text.error("no Vertices section")) };
                let mut mesh = elements.into_mesh(positions);
                mesh.notes.extend(unknown.note());
                return Ok(mesh);
            }
            b"vertices" if positions.is_some() => return Err(text.error("a second Vertices section")),
            b"vertices" => positions = Some(read_vertices(source, &mut text)?),
            b"triangles" => read_section(&mut text, &positions, Kind::Triangle, 3, &mut elements)?,
            b"quadrilaterals" => read_section(&mut text, &positions, Kind::Quad, 4, &mut elements)?,
            b"tetrahedra" => read_section(&mut text, &positions, Kind::Tet, 4, &mut elements)?,
            lower if lower[0].is_ascii_alphabetic() => {
                let (count, next) = skip_section(&mut text);
                if let Some((name, _)) = IGNORED.iter().find(|(_, keyword)| *keyword == lower) {
                    elements.skip(name, count);
                } else if !HARMLESS.contains(&lower) {
                    unknown.count += 1;
                    unknown.first.get_or_insert_with(|| quoted(keyword));
                }
                word = next;
            }
            _ => return Err(text.error(format!("expected a keyword, found {}", quoted(keyword)))),
        }
        word = word.or_else(|| text.word());
    }
    Err(text.error("the file ends without \"End\""))
}

/// Elements that a note should count, by their name there and in the file.
const IGNORED: &[(&str, &[u8])] = &[
    ("line elements", b"edges"),
    ("hexahedra", b"hexahedra"),
    ("prisms", b"prisms"),
    ("pyramids", b"pyramids"),
];

/// Sections that say nothing about which elements there are.
const HARMLESS: &[&[u8]] = &[
    b"corners",
    b"ridges",
    b"requirededges",
    b"requiredvertices",
    b"requiredtriangles",
    b"requiredquadrilaterals",
    b"requiredtetrahedra",
    b"normals",
    b"normalatvertices",
    b"normalattrianglevertices",
    b"normalatquadrilateralvertices",
    b"tangents",
    b"tangentatvertices",
    b"tangentatedges",
    b"angleofcornerbound",
    b"boundingbox",
];

/// Keywords that may be a misspelt element name.
#[derive(Default)]
struct Unknown {
    count: usize,
    first: Option<String>,
}

impl Unknown {
    fn note(self) -> Option<String> {
        let first = self.first?;
        Some(format!("{} sections with unknown keywords ignored, the first is {first}", self.count))
    }
}

/// A binary file begins with the number 1 in 32 bits of either order.
fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&[1, 0, 0, 0]) || bytes.starts_with(&[0, 0, 0, 1])
}

fn read_vertices(source: &Source, text: &mut Text<'_>) -> Result<Vec<[f64; 3]>, ReadError> {
    let count: u64 = text.integer("the number of vertices")?;
    let mut positions = Vec::with_capacity(check::capacity(count, text.remaining() + 1, 8));
    for vertex in 0..count {
        let x = text.number("x")?;
        let y = text.number("y")?;
        let z = text.number("z")?;
        positions.push(check::finite(source, Place::Line(text.line()), vertex as usize, [x, y, z])?);
        text.number("the reference of a vertex")?;
    }
    Ok(positions)
}

fn read_section(
    text: &mut Text<'_>,
    positions: &Option<Vec<[f64; 3]>>,
    kind: Kind,
    corners: usize,
    elements: &mut Elements,
) -> Result<(), ReadError> {
    let Some(positions) = positions else { return Err(text.error("elements before Vertices")) };
    let count: u64 = text.integer("the number of elements")?;
    for element in 1..=count {
        let mut nodes = [0; 4];
        for node in &mut nodes[..corners] {
            let number = text.integer("a vertex of an element")?;
            *node = elements::vertex(number, 1, positions.len(), format_args!("element {element}"))
                .map_err(|what| text.error(what))?;
        }
        text.number("the reference of an element")?;
        elements.push(kind, &nodes[..corners]).map_err(|what| text.error(what))?;
    }
    Ok(())
}

/// Passes over numbers; gives the count that stood first and the keyword after them.
fn skip_section<'a>(text: &mut Text<'a>) -> (usize, Option<&'a [u8]>) {
    let mut count = None;
    loop {
        match text.word() {
            Some(word) if !word[0].is_ascii_alphabetic() => {
                count = count.or(std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()));
            }
            next => return (count.unwrap_or(0), next),
        }
    }
}
