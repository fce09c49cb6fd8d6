//! The bytes of one file, decompressed, with the name to put into errors.

use std::io::Read;
use std::path::Path;

use crate::{Place, ReadError};

/// A file in memory. Gzip is undone on the way in, whatever the extension.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name used in errors.
    pub name: String,
    /// The content after decompression.
    pub bytes: Vec<u8>,
}

impl Source {
    /// No file may unpack to more than this; a gzip bomb ends as an error, not as a full memory.
    pub const MAX_BYTES: u64 = 8 << 30;

    /// Reads a whole file, and unpacks it when it starts like gzip.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => Self::from_bytes(name, bytes),
            Err(source) => Err(ReadError::Io { file: name, source }),
        }
    }

    /// Takes bytes as if read from a file called `name`.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, ReadError> {
        let mut source = Self { name: name.into(), bytes };
        if source.bytes.starts_with(&[0x1f, 0x8b]) {
            let mut unpacked = Vec::new();
            let mut decoder =
                flate2::read::MultiGzDecoder::new(source.bytes.as_slice()).take(Self::MAX_BYTES + 1);
            decoder
                .read_to_end(&mut unpacked)
                .map_err(|e| source.error(Place::File, format!("broken gzip data: {e}")))?;
            if unpacked.len() as u64 > Self::MAX_BYTES {
                return Err(source.error(Place::File, "unpacks to more than 8 GiB"));
            }
            source.bytes = unpacked;
        }
        Ok(source)
    }

    /// An error at `place` of this file.
    pub fn error(&self, place: Place, what: impl Into<String>) -> ReadError {
        ReadError::Malformed { file: self.name.clone(), place, what: what.into() }
    }
}
