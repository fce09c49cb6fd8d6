//! The rows after a PLY header, whichever way they are written.

use super::header::{Element, Encoding, Header, Kind};
use crate::binary::{Binary, Scalar};
use crate::text::Text;
use crate::{Place, ReadError, Source};

/// A cursor over the rows of all elements in order.
pub(super) struct Rows<'a> {
    source: &'a Source,
    data: Data<'a>,
}

enum Data<'a> {
    Text(Box<Text<'a>>),
    Binary(Binary<'a>),
}

impl<'a> Rows<'a> {
    /// Before the first row: a text cursor waits at the end of the header, since `start` goes to the next line.
    pub fn new(source: &'a Source, header: &Header) -> Self {
        let data = match header.encoding {
            Encoding::Text => {
                let mut text = Text::new(source);
                text.skip_to(header.end);
                Data::Text(Box::new(text))
            }
            Encoding::Binary(endian) => Data::Binary(Binary::new(source, header.data_start, endian)),
        };
        Self { source, data }
    }

    /// Bytes that are left.
    pub fn remaining(&self) -> usize {
        match &self.data {
            Data::Text(text) => text.remaining(),
            Data::Binary(binary) => binary.remaining(),
        }
    }

    /// The line, or the next byte.
    pub fn place(&self) -> Place {
        match &self.data {
            Data::Text(text) => Place::Line(text.line()),
            Data::Binary(binary) => binary.place(),
        }
    }

    /// An error at [`Rows::place`].
    pub fn error(&self, what: impl Into<String>) -> ReadError {
        self.source.error(self.place(), what)
    }

    /// Goes to the start of row `row`.
    pub fn start(&mut self, element: &Element, row: u64) -> Result<(), ReadError> {
        let there = match &mut self.data {
            Data::Text(text) => text.next_row(),
            Data::Binary(binary) => binary.remaining() > 0,
        };
        if there {
            return Ok(());
        }
        let Element { name, count, .. } = element;
        Err(self.error(format!("the file ends before {name} {row} of {count}")))
    }

    /// Reads a row, and returns the numbers of some scalar columns.
    pub fn numbers<const N: usize>(
        &mut self,
        element: &Element,
        columns: [usize; N],
    ) -> Result<[f64; N], ReadError> {
        let mut values = [0.0; N];
        match (&mut self.data, element.row_size()) {
            (Data::Binary(binary), Some(size)) => {
                let endian = binary.endian();
                let row = binary.take(size, &element.name)?;
                let mut at = 0;
                for (k, property) in element.properties.iter().enumerate() {
                    let Kind::Scalar(scalar) = property.kind else { continue };
                    if let Some(slot) = columns.iter().position(|&column| column == k) {
                        values[slot] = scalar.f64(&row[at..at + scalar.size()], endian);
                    }
                    at += scalar.size();
                }
                Ok(values)
            }
            _ => {
                for (k, property) in element.properties.iter().enumerate() {
                    match columns.iter().position(|&column| column == k) {
                        Some(slot) => values[slot] = self.number(property.kind, &property.name)?,
                        None => self.pass(property.kind, &property.name)?,
                    }
                }
                self.end_row()?;
                Ok(values)
            }
        }
    }

    /// Reads a row, and hands the integers of its list column to `visit`.
    pub fn list(
        &mut self,
        element: &Element,
        column: usize,
        mut visit: impl FnMut(&Source, i64) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        for (k, property) in element.properties.iter().enumerate() {
            match property.kind {
                Kind::List { count, item } if k == column => {
                    let count = self.integer::<u64>(count, "the count of a list")?;
                    match &mut self.data {
                        Data::Text(text) => {
                            for _ in 0..count {
                                visit(self.source, text.line_integer("a vertex index")?)?;
                            }
                        }
                        Data::Binary(binary) => {
                            let (place, endian) = (binary.place(), binary.endian());
                            let list = binary.take(bytes_of(count, item), "a list of vertex indices")?;
                            for bytes in list.chunks_exact(item.size()) {
                                let Some(index) = item.i64(bytes, endian) else {
                                    return Err(self.source.error(place, "a vertex index is not an integer"));
                                };
                                visit(self.source, index)?;
                            }
                        }
                    }
                }
                kind => self.pass(kind, &property.name)?,
            }
        }
        self.end_row()
    }

    /// Passes over all rows of an element.
    pub fn skip(&mut self, element: &Element) -> Result<(), ReadError> {
        if element.properties.is_empty() {
            return Ok(());
        }
        for row in 0..element.count {
            self.start(element, row)?;
            for property in &element.properties {
                self.pass(property.kind, &property.name)?;
            }
            self.end_row()?;
        }
        Ok(())
    }

    /// What follows the last row, as a note.
    pub fn left_over(&mut self) -> Option<String> {
        match &mut self.data {
            Data::Text(text) => text
                .next_row()
                .then(|| format!("lines after the last element ignored, from line {} on", text.line())),
            Data::Binary(binary) => (binary.remaining() > 0)
                .then(|| format!("{} bytes after the last element ignored", binary.remaining())),
        }
    }

    fn number(&mut self, kind: Kind, what: &str) -> Result<f64, ReadError> {
        match (&mut self.data, kind) {
            (Data::Text(text), Kind::Scalar(_)) => text.line_number(what),
            (Data::Binary(binary), Kind::Scalar(scalar)) => binary.f64(scalar, what),
            (_, Kind::List { .. }) => self.pass(kind, what).map(|()| 0.0),
        }
    }

    fn integer<T: TryFrom<i64>>(&mut self, scalar: Scalar, what: &str) -> Result<T, ReadError> {
        match &mut self.data {
            Data::Text(text) => text.line_integer(what),
            Data::Binary(binary) => binary.integer(scalar, what),
        }
    }

    /// Passes over one property of a row.
    fn pass(&mut self, kind: Kind, what: &str) -> Result<(), ReadError> {
        let items = match kind {
            Kind::Scalar(_) => 1u64,
            Kind::List { count, .. } => self.integer(count, "the count of a list")?,
        };
        match (&mut self.data, kind) {
            (Data::Text(text), _) => (0..items).try_for_each(|_| text.line_number(what).map(drop)),
            (Data::Binary(binary), Kind::Scalar(item) | Kind::List { item, .. }) => {
                binary.take(bytes_of(items, item), what).map(drop)
            }
        }
    }

    /// In a text file, checks that the line holds nothing more.
    fn end_row(&mut self) -> Result<(), ReadError> {
        let Data::Text(text) = &mut self.data else { return Ok(()) };
        match text.line_word() {
            None => Ok(()),
            Some(word) => {
                let word = crate::text::quoted(word);
                Err(text.error(format!("{word} is more than the properties of the header")))
            }
        }
    }
}

/// The size of a list; more than any file has if it does not fit.
fn bytes_of(count: u64, item: Scalar) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(item.size())
}
