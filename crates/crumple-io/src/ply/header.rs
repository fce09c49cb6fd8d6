//! The header of a PLY file: which elements follow, with which properties.

use crate::binary::{Endian, Scalar};
use crate::text::{Text, quoted};
use crate::{ReadError, Source};

/// More elements, or properties of one element, than any file has; names are compared pairwise.
const MOST_NAMES: usize = 1000;

/// How the numbers after the header are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    Binary(Endian),
}

/// Everything before the data.
#[derive(Debug)]
pub(crate) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
    /// The end of the last header line.
    pub end: usize,
    /// The first byte of the data, after that line's end.
    pub data_start: usize,
}

/// A table of the file: `count` rows, each with all `properties`.
#[derive(Debug)]
pub(crate) struct Element {
    pub name: String,
    pub count: u64,
    pub properties: Vec<Property>,
}

#[derive(Debug)]
pub(crate) struct Property {
    pub name: String,
    pub kind: Kind,
}

/// What a row holds for one property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One number.
    Scalar(Scalar),
    /// A count and as many numbers.
    List { count: Scalar, item: Scalar },
}

impl Kind {
    /// The fewest bytes that one row takes for it.
    pub fn least_bytes(self) -> usize {
        match self {
            Self::Scalar(scalar) => scalar.size(),
            Self::List { count, .. } => count.size(),
        }
    }
}

impl Element {
    /// Which property has this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.properties.iter().position(|property| property.name == name)
    }

    /// The bytes of one row, if no list makes them differ.
    pub fn row_size(&self) -> Option<usize> {
        let mut size = 0usize;
        for property in &self.properties {
            match property.kind {
                Kind::Scalar(scalar) => size += scalar.size(),
                Kind::List { .. } => return None,
            }
        }
        Some(size)
    }
}

impl Header {
    /// Reads up to and including the line `end_header`.
    pub fn read(source: &Source) -> Result<Self, ReadError> {
        let mut text = Text::new(source);
        if !source.bytes.starts_with(b"ply") || text.line_word() != Some(b"ply") {
            return Err(text.error("not a PLY file: does not start with \"ply\""));
        }
        // A lone carriage return ends the lines of some old files; then the data may begin with a line feed.
        let line_end = match &source.bytes[3..] {
            [b'\r', b'\n', ..] => 2,
            _ => 1,
        };
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        loop {
            if !text.next_line() {
                return Err(text.error("the file ends inside the header"));
            }
            match text.line_word() {
                Some(b"format") => encoding = Some(format(&mut text)?),
                Some(b"comment" | b"obj_info") | None => {}
                Some(b"element") => {
                    let element = element(&mut text)?;
                    if elements.iter().any(|known| known.name == element.name) {
                        return Err(text.error(format!("element \"{}\" twice", element.name)));
                    }
                    if elements.len() == MOST_NAMES {
                        return Err(text.error(format!("more than {MOST_NAMES} elements")));
                    }
                    elements.push(element);
                }
                Some(b"property") => {
                    let property = property(&mut text)?;
                    let Some(element) = elements.last_mut() else {
                        return Err(text.error("a property before the first element"));
                    };
                    if element.position(&property.name).is_some() {
                        return Err(text.error(format!("property \"{}\" twice", property.name)));
                    }
                    if element.properties.len() == MOST_NAMES {
                        return Err(text.error(format!("more than {MOST_NAMES} properties")));
                    }
                    element.properties.push(property);
                }
                Some(b"end_header") => break,
                Some(word) => return Err(text.error(format!("unknown header line {}", quoted(word)))),
            }
        }
        let Some(encoding) = encoding else { return Err(text.error("the header has no format line")) };
        text.rest_of_line();
        let end = text.offset();
        Ok(Self { encoding, elements, end, data_start: end + line_end })
    }
}

fn format(text: &mut Text<'_>) -> Result<Encoding, ReadError> {
    let encoding = match text.line_word() {
        Some(b"ascii") => Encoding::Text,
        Some(b"binary_little_endian") => Encoding::Binary(Endian::Little),
        Some(b"binary_big_endian") => Encoding::Binary(Endian::Big),
        word => return Err(text.error(format!("unknown format {}", quoted(word.unwrap_or_default())))),
    };
    match text.line_word() {
        Some(b"1.0") => Ok(encoding),
        word => Err(text.error(format!("unknown version {}", quoted(word.unwrap_or_default())))),
    }
}

fn element(text: &mut Text<'_>) -> Result<Element, ReadError> {
    let name = name(text)?;
    let count = text.line_integer("the number of elements")?;
    Ok(Element { name, count, properties: Vec::new() })
}

fn property(text: &mut Text<'_>) -> Result<Property, ReadError> {
    let first = text.line_word().unwrap_or_default();
    let kind = if first == b"list" {
        let (count, item) = (text.line_word().unwrap_or_default(), text.line_word().unwrap_or_default());
        let (count, item) = (scalar(text, count)?, scalar(text, item)?);
        if !count.is_integer() {
            return Err(text.error("the count of a list must be an integer type"));
        }
        Kind::List { count, item }
    } else {
        Kind::Scalar(scalar(text, first)?)
    };
    Ok(Property { name: name(text)?, kind })
}

fn name(text: &mut Text<'_>) -> Result<String, ReadError> {
    let word = text.line_word().ok_or_else(|| text.error("the line ends where a name should be"))?;
    Ok(String::from_utf8_lossy(word).into_owned())
}

fn scalar(text: &Text<'_>, word: &[u8]) -> Result<Scalar, ReadError> {
    Ok(match word {
        b"char" | b"int8" => Scalar::I8,
        b"uchar" | b"uint8" => Scalar::U8,
        b"short" | b"int16" => Scalar::I16,
        b"ushort" | b"uint16" => Scalar::U16,
        b"int" | b"int32" => Scalar::I32,
        b"uint" | b"uint32" => Scalar::U32,
        b"int64" => Scalar::I64,
        b"uint64" => Scalar::U64,
        b"float" | b"float32" => Scalar::F32,
        b"double" | b"float64" => Scalar::F64,
        _ => return Err(text.error(format!("unknown number type {}", quoted(word)))),
    })
}
