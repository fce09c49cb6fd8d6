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
    /// No file may have or unpack to more than this.
    pub const MAX_BYTES: u64 = 8 << 30;
    /// A gzip file may unpack to this many bytes per byte of its own, or to [`Source::SMALL`]; meshes shrink to a
    /// tenth, bombs to a thousandth, and a bomb shall end as an error, not as a full memory.
    pub const MAX_RATIO: u64 = 64;
    /// Any gzip file may unpack to this many bytes.
    pub const SMALL: u64 = 64 << 20;

    /// Reads a whole file, and unpacks it when it starts like gzip.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let read = || {
            let mut bytes = Vec::new();
            let file = std::fs::File::open(path)?;
            // One allocation; if it fails, reading tells.
            let size = file.metadata()?.len().min(Self::MAX_BYTES);
            let _ = bytes.try_reserve(usize::try_from(size).unwrap_or(0) + 1);
            file.take(Self::MAX_BYTES + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match read() {
            Ok(bytes) => Self::from_bytes(name, bytes),
            Err(source) => Err(ReadError::Io { file: name, source }),
        }
    }

    /// Takes bytes as if read from a file called `name`.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, ReadError> {
        let mut source = Self { name: name.into(), bytes };
        if source.bytes.len() as u64 > Self::MAX_BYTES {
            return Err(source.error(Place::File, "more than 8 GiB"));
        }
        if source.bytes.starts_with(&[0x1f, 0x8b]) {
            let most = (source.bytes.len() as u64 * Self::MAX_RATIO).clamp(Self::SMALL, Self::MAX_BYTES);
            let mut unpacked = Vec::new();
            flate2::read::MultiGzDecoder::new(source.bytes.as_slice())
                .take(most + 1)
                .read_to_end(&mut unpacked)
                .map_err(|e| source.error(Place::File, format!("broken gzip data: {e}")))?;
            if unpacked.len() as u64 > most {
                return Err(source.error(Place::File, format!("gzip data unpacks to more than {most} bytes")));
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn gzip_is_undone_and_its_faults_are_told() {
        let whole = packed(b"v 0 0 0\n");
        assert_eq!(Source::from_bytes("a", whole.clone()).unwrap().bytes, b"v 0 0 0\n");
        let twice = [whole.clone(), whole.clone()].concat();
        assert_eq!(Source::from_bytes("a", twice).unwrap().bytes, b"v 0 0 0\nv 0 0 0\n");
        let cut = Source::from_bytes("a", whole[..whole.len() - 3].to_vec());
        assert!(cut.unwrap_err().to_string().starts_with("a: broken gzip data"));
    }

    #[test]
    fn a_gzip_bomb_is_refused() {
        let bomb = packed(&vec![0; Source::SMALL as usize + 1]);
        let error = Source::from_bytes("a", bomb).unwrap_err().to_string();
        assert_eq!(error, "a: gzip data unpacks to more than 67108864 bytes");
    }
}
