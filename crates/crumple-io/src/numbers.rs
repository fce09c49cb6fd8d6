//! Numbers of a file that comes as text or as binary data, read by the same code.
//!
//! Gmsh and legacy VTK files have text keywords around arrays that are either text or binary. A reader walks the
//! keywords with [`Text`], turns it into [`Numbers`] where an array begins, and back where the array ends.

use crate::binary::{Binary, Endian, Scalar};
use crate::check;
use crate::text::Text;
use crate::{Place, ReadError, Source};

/// How the arrays of a file are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// As words.
    Text,
    /// As bytes in this order.
    Binary(Endian),
}

/// A cursor over the numbers of one array.
#[derive(Debug)]
pub(crate) struct Numbers<'a> {
    text: Text<'a>,
    /// Where the numbers are read, if not from `text`.
    binary: Option<Binary<'a>>,
}

impl<'a> Numbers<'a> {
    /// Numbers from the place of `text` on: binary ones begin on the next line.
    pub fn new(source: &'a Source, mut text: Text<'a>, storage: Storage) -> Self {
        let binary = match storage {
            Storage::Text => None,
            Storage::Binary(endian) => {
                text.next_line();
                Some(Binary::new(source, text.offset(), endian))
            }
        };
        Self { text, binary }
    }

    /// Back to words, after the last number that was read.
    pub fn into_text(mut self) -> Text<'a> {
        if let Some(binary) = self.binary {
            self.text.skip_to(binary.offset());
        }
        self.text
    }

    /// Whether the numbers are words.
    pub fn is_text(&self) -> bool {
        self.binary.is_none()
    }

    /// Line or byte of the number read last (text) or next (binary).
    pub fn place(&self) -> Place {
        match &self.binary {
            None => Place::Line(self.text.line()),
            Some(binary) => binary.place(),
        }
    }

    /// The next number; `scalar` is its type where it is binary.
    #[inline]
    pub fn number(&mut self, scalar: Scalar, what: &str) -> Result<f64, ReadError> {
        match &mut self.binary {
            None => self.text.number(what),
            Some(binary) => binary.f64(scalar, what),
        }
    }

    /// The next three numbers as the position of `vertex`, which must be finite.
    #[inline]
    pub fn position(
        &mut self,
        source: &Source,
        scalar: Scalar,
        vertex: usize,
    ) -> Result<[f64; 3], ReadError> {
        let before = self.place();
        let position = [self.number(scalar, "x")?, self.number(scalar, "y")?, self.number(scalar, "z")?];
        let place = if self.is_text() { self.place() } else { before };
        check::finite(source, place, vertex, position)
    }

    /// The next number as an integer that fits `T`; `scalar` is its type where it is binary.
    #[inline]
    pub fn integer<T: TryFrom<i64>>(&mut self, scalar: Scalar, what: &str) -> Result<T, ReadError> {
        match &mut self.binary {
            None => self.text.integer(what),
            Some(binary) => binary.integer(scalar, what),
        }
    }

    /// How many items to reserve for a claimed `count` of items of `numbers` numbers each.
    pub fn capacity(&self, count: u64, numbers: usize, scalar: Scalar) -> usize {
        match &self.binary {
            // The shortest number is a digit and a blank.
            None => check::capacity(count, self.text.remaining() + 1, 2 * numbers),
            Some(binary) => check::capacity(count, binary.remaining(), scalar.size() * numbers),
        }
    }

    /// Passes over `count` numbers.
    pub fn skip(&mut self, count: u64, scalar: Scalar, what: &str) -> Result<(), ReadError> {
        match &mut self.binary {
            None => {
                for _ in 0..count {
                    if self.text.word().is_none() {
                        return Err(self.text.error(format!("the file ends in {what}")));
                    }
                }
            }
            Some(binary) => {
                let bytes = count.saturating_mul(scalar.size() as u64);
                binary.take(usize::try_from(bytes).unwrap_or(usize::MAX), what)?;
            }
        }
        Ok(())
    }

    /// Passes over what is left of a line of text; does nothing in binary data.
    pub fn skip_line(&mut self) {
        if self.binary.is_none() {
            self.text.rest_of_line();
        }
    }
}
