//! Walks over the tags and notes which arrays there are.
//!
//! Appended raw bytes are not XML, so that the walk ends at `<AppendedData>`; the last bytes of the file must
//! still be `</VTKFile>`, or it was cut off.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::binary::{Endian, Scalar};
use crate::elements::Kind;
use crate::text::{parse_i64, quoted};
use crate::{Place, ReadError, Source};

use super::array::{Array, Encoding, Payload};

/// What the tags say.
pub(super) struct Walk<'a> {
    pub encoding: Encoding,
    pub pieces: Vec<Piece<'a>>,
}

/// One `<Piece>`.
pub(super) struct Piece<'a> {
    claims: [Option<u64>; Section::ALL.len()],
    pub parts: Vec<Part<'a>>,
    at: usize,
}

/// A part of a piece that holds geometry.
pub(super) struct Part<'a> {
    pub section: Section,
    arrays: Vec<Array<'a>>,
    at: usize,
}

impl<'a> Piece<'a> {
    /// How many points or cells the piece says to have in a section.
    pub fn claimed(&self, section: Section) -> Option<u64> {
        self.claims[section as usize]
    }

    /// The line of the piece's tag.
    pub fn place(&self, source: &Source) -> Place {
        line_of(source, self.at)
    }
}

impl<'a> Part<'a> {
    /// The array of this name.
    pub fn array(&self, name: &str) -> Option<&Array<'a>> {
        self.arrays.iter().find(|array| array.name == name)
    }

    /// The line of the part's tag.
    pub fn place(&self, source: &Source) -> Place {
        line_of(source, self.at)
    }
}

/// The kinds of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Points,
    Cells,
    Verts,
    Lines,
    Strips,
    Polys,
}

impl Section {
    const ALL: [Self; 6] = [Self::Points, Self::Cells, Self::Verts, Self::Lines, Self::Strips, Self::Polys];

    fn of(tag: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.claim().as_bytes()["NumberOf".len()..] == *tag)
    }

    /// The attribute of a piece that says how many there are.
    pub fn claim(self) -> &'static str {
        match self {
            Self::Points => "NumberOfPoints",
            Self::Cells => "NumberOfCells",
            Self::Verts => "NumberOfVerts",
            Self::Lines => "NumberOfLines",
            Self::Strips => "NumberOfStrips",
            Self::Polys => "NumberOfPolys",
        }
    }

    /// What all cells of the section are, unless each has its own type.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Points | Self::Cells => None,
            Self::Verts => Some(Kind::Other("point elements")),
            Self::Lines => Some(Kind::Other("line elements")),
            Self::Strips => Some(Kind::Strip),
            Self::Polys => Some(Kind::Polygon),
        }
    }
}

/// Walks over the tags of `source`.
pub(super) fn walk(source: &Source) -> Result<Walk<'_>, ReadError> {
    let bytes = source.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&source.bytes);
    let base = source.bytes.len() - bytes.len();
    let mut xml = Reader::from_reader(bytes);
    let mut walker = Walker { encoding: None, pieces: Vec::new(), is_in_part: false, array: None };
    loop {
        let at = base + xml.buffer_position() as usize;
        let event = xml.read_event().map_err(|e| {
            let at = base + xml.error_position() as usize;
            source.error(line_of(source, at), format!("not well-formed XML: {e}"))
        })?;
        let end = base + xml.buffer_position() as usize;
        let result = match event {
            Event::Start(tag) if tag.name().as_ref() == b"AppendedData" => {
                let result = walker.appended(source, &tag, end);
                return result.map_err(|what| source.error(line_of(source, at), what));
            }
            Event::Start(tag) => walker.start(&tag, at),
            Event::Empty(tag) => walker.start(&tag, at).inspect(|()| walker.end(tag.name().as_ref())),
            Event::End(tag) if tag.name().as_ref() == b"VTKFile" => break,
            Event::End(tag) => {
                walker.end(tag.name().as_ref());
                Ok(())
            }
            Event::Text(_) => walker.text(&source.bytes[at..end]),
            Event::Eof => Err("the file ends before </VTKFile>".into()),
            _ => Ok(()),
        };
        result.map_err(|what| source.error(line_of(source, at), what))?;
    }
    let arrays = walker.pieces.iter().flat_map(|piece| &piece.parts).flat_map(|part| &part.arrays);
    for array in arrays {
        if let Payload::Appended(_) = array.payload {
            return Err(source.error(array.place(source), "the file has no <AppendedData>"));
        }
    }
    match walker.encoding {
        Some(encoding) => Ok(Walk { encoding, pieces: walker.pieces }),
        None => Err(source.error(Place::File, "no <VTKFile> tag")),
    }
}

struct Walker<'a> {
    encoding: Option<Encoding>,
    pieces: Vec<Piece<'a>>,
    /// Whether the last part of the last piece is open.
    is_in_part: bool,
    /// An open array, and how many tags are open inside it.
    array: Option<(Array<'a>, u32)>,
}

impl<'a> Walker<'a> {
    fn start(&mut self, tag: &BytesStart<'_>, at: usize) -> Result<(), String> {
        if let Some((_, depth)) = &mut self.array {
            *depth += 1;
            return Ok(());
        }
        match tag.name().as_ref() {
            b"VTKFile" => self.encoding = Some(encoding(tag)?),
            _ if self.encoding.is_none() => return Err("the first tag should be <VTKFile>".into()),
            b"Piece" => {
                let mut claims = [None; Section::ALL.len()];
                for section in Section::ALL {
                    claims[section as usize] = integer_attribute(tag, section.claim())?;
                }
                self.pieces.push(Piece { claims, parts: Vec::new(), at });
            }
            b"DataArray" if self.is_in_part => self.array = Some((data_array(tag, at)?, 0)),
            name => {
                if let (Some(section), Some(piece)) = (Section::of(name), self.pieces.last_mut()) {
                    piece.parts.push(Part { section, arrays: Vec::new(), at });
                    self.is_in_part = true;
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, name: &[u8]) {
        match self.array.take() {
            Some((array, 0)) => {
                let part = self.pieces.last_mut().and_then(|piece| piece.parts.last_mut());
                if let Some(part) = part {
                    let name = if part.section == Section::Points { "Points" } else { array.name };
                    part.arrays.push(Array { name, ..array });
                }
            }
            Some((array, depth)) => self.array = Some((array, depth - 1)),
            None => self.is_in_part &= Section::of(name).is_none(),
        }
    }

    fn text(&mut self, text: &'a [u8]) -> Result<(), String> {
        let text = text.trim_ascii();
        let Some((array, 0)) = &mut self.array else { return Ok(()) };
        match &mut array.payload {
            Payload::Words(all) | Payload::Base64(all) if !text.is_empty() => {
                if !all.is_empty() {
                    return Err("the values of an array are torn apart by a tag".into());
                }
                *all = text;
            }
            _ => {}
        }
        Ok(())
    }

    /// Finds the data of all appended arrays; `at` is the byte after the tag.
    fn appended(mut self, source: &'a Source, tag: &BytesStart<'_>, at: usize) -> Result<Walk<'a>, String> {
        let Some(encoding) = self.encoding else { return Err("the first tag should be <VTKFile>".into()) };
        if !source.bytes.trim_ascii_end().ends_with(b"</VTKFile>") {
            return Err("the file does not end with </VTKFile>: it was cut off".into());
        }
        let is_raw = match attribute(tag, "encoding").as_deref() {
            Some(b"raw") => true,
            Some(b"base64") | None => false,
            Some(other) => return Err(format!("unknown encoding {}", quoted(other))),
        };
        let Some(data) = source.bytes[at..].trim_ascii_start().strip_prefix(b"_") else {
            return Err("appended data should begin with an underscore".into());
        };
        // Base64 has no "<"; raw data may, so that there the closing tags stay part of it.
        let end = if is_raw { None } else { data.iter().position(|&byte| byte == b'<') };
        let data = &data[..end.unwrap_or(data.len())];
        for piece in &mut self.pieces {
            for array in piece.parts.iter_mut().flat_map(|part| &mut part.arrays) {
                if let Payload::Appended(offset) = array.payload {
                    let Some(rest) = usize::try_from(offset).ok().and_then(|offset| data.get(offset..))
                    else {
                        return Err(format!("array {}: offset {offset} is beyond the file", array.name));
                    };
                    array.payload = if is_raw { Payload::Raw(rest) } else { Payload::Base64(rest) };
                }
            }
        }
        Ok(Walk { encoding, pieces: self.pieces })
    }
}

fn encoding(tag: &BytesStart<'_>) -> Result<Encoding, String> {
    match attribute(tag, "type").as_deref() {
        Some(b"UnstructuredGrid" | b"PolyData") => {}
        other => {
            let other = quoted(other.unwrap_or_default());
            return Err(format!("a VTK file of type {other} is not read; UnstructuredGrid and PolyData are"));
        }
    }
    let endian = match attribute(tag, "byte_order").as_deref() {
        Some(b"BigEndian") => Endian::Big,
        Some(b"LittleEndian") | None => Endian::Little,
        Some(other) => return Err(format!("unknown byte order {}", quoted(other))),
    };
    let header = match attribute(tag, "header_type").as_deref() {
        Some(b"UInt64") => Scalar::U64,
        Some(b"UInt32") | None => Scalar::U32,
        Some(other) => return Err(format!("unknown header type {}", quoted(other))),
    };
    let is_packed = match attribute(tag, "compressor").as_deref() {
        None | Some(b"") => false,
        Some(b"vtkZLibDataCompressor") => true,
        Some(other) => return Err(format!("compressor {} is not read; zlib is", quoted(other))),
    };
    Ok(Encoding { endian, header, is_packed })
}

fn data_array<'a>(tag: &BytesStart<'_>, at: usize) -> Result<Array<'a>, String> {
    let scalar = match attribute(tag, "type").as_deref() {
        Some(b"Int8") => Scalar::I8,
        Some(b"UInt8") => Scalar::U8,
        Some(b"Int16") => Scalar::I16,
        Some(b"UInt16") => Scalar::U16,
        Some(b"Int32") => Scalar::I32,
        Some(b"UInt32") => Scalar::U32,
        Some(b"Int64") => Scalar::I64,
        Some(b"UInt64") => Scalar::U64,
        Some(b"Float32") => Scalar::F32,
        Some(b"Float64") => Scalar::F64,
        other => return Err(format!("unknown data type {}", quoted(other.unwrap_or_default()))),
    };
    let name = match attribute(tag, "Name").as_deref() {
        Some(b"connectivity") => "connectivity",
        Some(b"offsets") => "offsets",
        Some(b"types") => "types",
        _ => "other",
    };
    let payload = match attribute(tag, "format").as_deref() {
        Some(b"ascii") | None => Payload::Words(&[]),
        Some(b"binary") => Payload::Base64(&[]),
        Some(b"appended") => Payload::Appended(integer_attribute(tag, "offset")?.unwrap_or(0)),
        Some(other) => return Err(format!("unknown array format {}", quoted(other))),
    };
    let components = integer_attribute(tag, "NumberOfComponents")?;
    Ok(Array { name, scalar, components, payload, at })
}

/// The value of an attribute as it stands. Duplicates are not looked for, which would take quadratic time.
fn attribute<'t>(tag: &'t BytesStart<'_>, name: &str) -> Option<std::borrow::Cow<'t, [u8]>> {
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).flatten().find(|a| a.key.as_ref() == name.as_bytes());
    found.map(|attribute| attribute.value)
}

fn integer_attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<u64>, String> {
    let Some(value) = attribute(tag, name) else { return Ok(None) };
    match parse_i64(value.trim_ascii()).and_then(|value| u64::try_from(value).ok()) {
        Some(value) => Ok(Some(value)),
        None => Err(format!("{name} should be a count, not {}", quoted(&value))),
    }
}

/// The line of byte `at`.
pub(super) fn line_of(source: &Source, at: usize) -> Place {
    let before = &source.bytes[..at.min(source.bytes.len())];
    Place::Line(1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64)
}
