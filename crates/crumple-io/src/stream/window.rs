//! A text file that is read record by record: whole, or through a window of bounded size that moves on.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::PIECE;
use crate::text::Text;
use crate::{Place, ReadError, Source};

/// Text that is read in records: a word, a line, the numbers of one element.
pub(crate) trait Records {
    /// Calls `read` at the start of the next record; what it leaves is the start of the one after.
    fn record<R>(&mut self, read: impl FnOnce(&mut Text<'_>) -> Result<R, ReadError>)
    -> Result<R, ReadError>;
}

impl Records for Text<'_> {
    #[inline]
    fn record<R>(
        &mut self,
        read: impl FnOnce(&mut Text<'_>) -> Result<R, ReadError>,
    ) -> Result<R, ReadError> {
        read(self)
    }
}

/// The part of a file that is in memory. Comments begin with `#`.
pub(super) struct Window {
    file: File,
    source: Source,
    at: usize,
    line: u64,
    is_end: bool,
}

/// No record is longer, so that one is always in the window as a whole.
const LONGEST_RECORD: usize = 1 << 20;

impl Window {
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|source| ReadError::Io { file: name.clone(), source })?;
        let source = Source { name, bytes: Vec::new() };
        let mut window = Self { file, source, at: 0, line: 1, is_end: false };
        window.fill()?;
        window.at = Text::new(&window.source).offset();
        Ok(window)
    }

    /// Moves on, so that a whole record is in the window.
    fn fill(&mut self) -> Result<(), ReadError> {
        if self.is_end || self.source.bytes.len() - self.at >= LONGEST_RECORD {
            return Ok(());
        }
        self.source.bytes.drain(..self.at);
        self.at = 0;
        let more = self.file.by_ref().take(PIECE as u64).read_to_end(&mut self.source.bytes);
        let more = more.map_err(|source| ReadError::Io { file: self.source.name.clone(), source })?;
        self.is_end = more < PIECE;
        Ok(())
    }
}

impl Records for Window {
    fn record<R>(
        &mut self,
        read: impl FnOnce(&mut Text<'_>) -> Result<R, ReadError>,
    ) -> Result<R, ReadError> {
        self.fill()?;
        let mut text = Text::new(&self.source).comment(b'#').resumed(self.at, self.line);
        let record = read(&mut text);
        if !self.is_end && text.remaining() == 0 {
            let what = format!("a record of more than {LONGEST_RECORD} bytes");
            return Err(self.source.error(Place::Line(self.line), what));
        }
        (self.at, self.line) = (text.offset(), text.line());
        record
    }
}
