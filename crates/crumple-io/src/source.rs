//! The bytes of one file, decompressed, with the name to put into errors.

use std::fs::{File, FileType};
use std::io::{self, Read};
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

    /// A pipe or any other stream may give this many bytes; nothing tells beforehand how many will come.
    pub const MAX_STREAM: u64 = 1 << 30;

    /// Reads a whole file, and unpacks it when it starts like gzip.
    ///
    /// A file may have [`Source::MAX_BYTES`], a pipe [`Source::MAX_STREAM`]. Directories, devices and sockets are refused
    /// before a byte is read: `/dev/zero` never ends.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let io = |source| ReadError::Io { file: name.clone(), source };
        // Asked before opening, which would wait for the other end of a pipe.
        let metadata = path.metadata().map_err(io)?;
        let kind = metadata.file_type();
        if kind.is_dir() {
            return Err(ReadError::IsDirectory { file: name });
        }
        if let Some(what) = endless(kind) {
            return Err(ReadError::NotAFile { file: name, what });
        }
        let file = File::open(path).map_err(io)?;
        if !kind.is_file() {
            return Self::from_reader(&name, file);
        }
        let bytes = read_at_most(file, Self::MAX_BYTES, metadata.len()).map_err(io)?;
        Self::from_bytes(name, bytes)
    }

    /// Reads a stream to its end, at most [`Source::MAX_STREAM`] bytes, and unpacks it when it starts like gzip.
    pub fn from_reader(name: &str, reader: impl Read) -> Result<Self, ReadError> {
        Self::from_stream(name, reader, Self::MAX_STREAM)
    }

    fn from_stream(name: &str, reader: impl Read, most: u64) -> Result<Self, ReadError> {
        match read_at_most(reader, most, 0) {
            Ok(bytes) if bytes.len() as u64 > most => {
                let source = Self { name: name.to_owned(), bytes: Vec::new() };
                let what = format!("a stream of more than {most} bytes; give it as a file");
                Err(source.error(Place::File, what))
            }
            Ok(bytes) => Self::from_bytes(name, bytes),
            Err(source) => Err(ReadError::Io { file: name.to_owned(), source }),
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

/// Reads to the end, or one byte beyond `most`.
fn read_at_most(reader: impl Read, most: u64, expected: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One allocation; if it fails, reading tells.
    let _ = bytes.try_reserve(usize::try_from(expected.min(most)).unwrap_or(0) + 1);
    reader.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is neither file nor pipe, in words.
#[cfg(unix)]
fn endless(kind: FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_char_device() {
        Some("a character device")
    } else if kind.is_block_device() {
        Some("a block device")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        None
    }
}

/// Elsewhere devices have no names among the files.
#[cfg(not(unix))]
fn endless(_: FileType) -> Option<&'static str> {
    None
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
    fn directories_and_devices_are_refused_and_pipes_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let error = Source::open(folder.path()).unwrap_err();
        assert!(matches!(error, ReadError::IsDirectory { .. }), "{error}");
        let error = Source::from_stream("standard input", io::repeat(b' '), 1000).unwrap_err();
        assert_eq!(error.to_string(), "standard input: a stream of more than 1000 bytes; give it as a file");
        assert_eq!(Source::from_stream("-", io::repeat(b' ').take(1000), 1000).unwrap().bytes.len(), 1000);
        #[cfg(unix)]
        {
            let link = folder.path().join("endless.obj");
            std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
            let error = Source::open(&link).unwrap_err().to_string();
            assert!(error.ends_with("endless.obj: is a character device, not a file"), "{error}");
        }
        assert!(matches!(Source::open(&folder.path().join("none.obj")).unwrap_err(), ReadError::Io { .. }));
    }

    #[test]
    fn a_gzip_bomb_is_refused() {
        let bomb = packed(&vec![0; Source::SMALL as usize + 1]);
        let error = Source::from_bytes("a", bomb).unwrap_err().to_string();
        assert_eq!(error, "a: gzip data unpacks to more than 67108864 bytes");
    }
}
