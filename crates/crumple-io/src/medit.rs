//! Medit meshes (`.mesh`, text, three dimensions).
//!
//! Keywords, each with a count and as many records of numbers. A record ends with a reference number, which is of
//! no use to us. Read are `Vertices`, `Triangles`, `Quadrilaterals` and `Tetrahedra`; any other section is passed
//! over up to the next keyword. The file must end with `End`, so that one that was cut off is told.

use crate::check;
use crate::elements::{self, Elements, Kind};
use crate::stream::Records;
use crate::text::{Text, quoted};
use crate::{MeshData, Place, ReadError, Source};

/// Reads a `.mesh` file.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    if is_binary(&source.bytes) {
        return Err(source.error(Place::Byte(0), "binary Medit files (.meshb) are not read; save it as text"));
    }
    let mut text = Text::new(source).comment(b'#');
    let (mut positions, mut elements) = (Vec::new(), Elements::default());
    let note = each_item(&mut text, |item| match item {
        Item::Vertex(p) => {
            positions.push(p);
            Ok(())
        }
        Item::Element(kind, nodes) => {
            elements.push(kind, nodes).map_err(|what| source.error(Place::File, what))
        }
        Item::Skipped(name, count) => {
            elements.skip(name, count);
            Ok(())
        }
    })?;
    let mut mesh = elements.into_mesh(positions);
    mesh.notes.extend(note);
    Ok(mesh)
}

/// What a file is made of.
pub(crate) enum Item<'a> {
    Vertex([f64; 3]),
    Element(Kind, &'a [u32]),
    /// So many elements of a kind that is not read.
    Skipped(&'static str, usize),
}

/// Calls `each` with what a file has, in its order; gives a note on sections that are not known.
pub(crate) fn each_item<E: From<ReadError>>(
    records: &mut impl Records,
    mut each: impl FnMut(Item<'_>) -> Result<(), E>,
) -> Result<Option<String>, E> {
    records.record(read_head)?;
    let mut vertices = None;
    let mut unknown = Unknown::default();
    let mut word = next_word(records)?;
    while let Some(keyword) = word {
        word = None;
        match keyword.to_ascii_lowercase().as_slice() {
            b"end" => match vertices {
                Some(_) => return Ok(unknown.note()),
                None => return Err(fault(records, "no Vertices section")),
            },
            b"vertices" if vertices.is_some() => return Err(fault(records, "a second Vertices section")),
            b"vertices" => vertices = Some(each_vertex(records, &mut each)?),
            b"triangles" => each_element(records, vertices, Kind::Triangle, &mut each)?,
            b"quadrilaterals" => each_element(records, vertices, Kind::Quad, &mut each)?,
            b"tetrahedra" => each_element(records, vertices, Kind::Tet, &mut each)?,
            lower if lower[0].is_ascii_alphabetic() => {
                let (count, next) = skip_section(records)?;
                if let Some((name, _)) = IGNORED.iter().find(|(_, keyword)| *keyword == lower) {
                    each(Item::Skipped(name, count))?;
                } else if !HARMLESS.contains(&lower) {
                    unknown.count += 1;
                    unknown.first.get_or_insert_with(|| quoted(&keyword));
                }
                word = next;
            }
            _ => return Err(fault(records, &format!("expected a keyword, found {}", quoted(&keyword)))),
        }
        if word.is_none() {
            word = next_word(records)?;
        }
    }
    Err(fault(records, "the file ends without \"End\""))
}

fn read_head(text: &mut Text<'_>) -> Result<(), ReadError> {
    text.keyword("MeshVersionFormatted")?;
    text.integer::<u32>("the version")?;
    text.keyword("Dimension")?;
    let dimension: i64 = text.integer("the dimension")?;
    if dimension != 3 {
        return Err(text.error(format!("a mesh of dimension {dimension} is not read; 3 is")));
    }
    Ok(())
}

fn next_word(records: &mut impl Records) -> Result<Option<Vec<u8>>, ReadError> {
    records.record(|text| Ok(text.word().map(<[u8]>::to_vec)))
}

/// An error at the word read last.
fn fault<E: From<ReadError>>(records: &mut impl Records, what: &str) -> E {
    match records.record(|text| Err::<(), _>(text.error(what))) {
        Err(error) => error.into(),
        Ok(()) => unreachable!("the record is an error"),
    }
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
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(&[1, 0, 0, 0]) || bytes.starts_with(&[0, 0, 0, 1])
}

fn each_vertex<E: From<ReadError>>(
    records: &mut impl Records,
    each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
) -> Result<usize, E> {
    let count: u64 = records.record(|text| text.integer("the number of vertices"))?;
    for vertex in 0..count {
        let p = records.record(|text| {
            let p = [text.number("x")?, text.number("y")?, text.number("z")?];
            let p = check::finite(text.source(), Place::Line(text.line()), vertex as usize, p)?;
            text.number("the reference of a vertex")?;
            Ok(p)
        })?;
        each(Item::Vertex(p))?;
    }
    Ok(count as usize)
}

fn each_element<E: From<ReadError>>(
    records: &mut impl Records,
    vertices: Option<usize>,
    kind: Kind,
    each: &mut impl FnMut(Item<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let Some(vertices) = vertices else { return Err(fault(records, "elements before Vertices")) };
    let corners = if kind == Kind::Triangle { 3 } else { 4 };
    let count: u64 = records.record(|text| text.integer("the number of elements"))?;
    let mut nodes = [0; 4];
    for element in 1..=count {
        records.record(|text| {
            for node in &mut nodes[..corners] {
                let number = text.integer("a vertex of an element")?;
                *node = elements::vertex(number, 1, vertices, format_args!("element {element}"))
                    .map_err(|what| text.error(what))?;
            }
            text.number("the reference of an element")?;
            Ok(())
        })?;
        each(Item::Element(kind, &nodes[..corners]))?;
    }
    Ok(())
}

/// Passes over numbers; gives the count that stood first and the keyword after them.
fn skip_section(records: &mut impl Records) -> Result<(usize, Option<Vec<u8>>), ReadError> {
    let mut count = None;
    loop {
        let is_keyword = |word: &[u8]| word[0].is_ascii_alphabetic();
        let keyword = records.record(|text| match text.word() {
            Some(word) if !is_keyword(word) => {
                count = count.or(std::str::from_utf8(word).ok().and_then(|word| word.parse().ok()));
                Ok(None)
            }
            next => Ok(Some(next.map(<[u8]>::to_vec))),
        })?;
        if let Some(next) = keyword {
            return Ok((count.unwrap_or(0), next));
        }
    }
}
