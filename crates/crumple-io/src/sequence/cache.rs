//! Point caches: positions of all frames in one binary file, over the faces of another.
//!
//! | file | header | numbers |
//! | --- | --- | --- |
//! | `.pc2` | `POINTCACHE2\0`, version, points, start, rate, frames (4 bytes each, little-endian) | `f32` little-endian |
//! | `.mdd` | frames, points, a time per frame (4 bytes each, big-endian) | `f32` big-endian |
//! | `.f32`, `.f64` | none | `f32`, `f64` little-endian |
//! | `.npy`, `.npz` | NumPy's | `f32`, `f64` of both byte orders, shape (frames, n, 3) or (n, 3) |
//!
//! The size of the file must be what its header says, to the byte. Archives and arrays in Fortran order, whose frames are
//! spread over the whole file, are held in memory; of the others one frame is read at a time.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::binary::{Endian, Scalar};
use crate::check;
use crate::numpy::{self, Array};
use crate::{Place, ReadError, Source};

/// The formats of point caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheKind {
    Pc2,
    Mdd,
    Raw(Scalar),
    Numpy,
}

impl CacheKind {
    /// The cache format that the extension of `path` names.
    pub fn of(path: &Path) -> Option<Self> {
        Some(match super::extension(path)?.0.as_str() {
            "pc2" => Self::Pc2,
            "mdd" => Self::Mdd,
            "f32" => Self::Raw(Scalar::F32),
            "f64" => Self::Raw(Scalar::F64),
            "npy" | "npz" => Self::Numpy,
            _ => return None,
        })
    }
}

/// An open cache.
#[derive(Debug)]
pub(super) struct Cache {
    pub path: PathBuf,
    /// Number of frames, at least 1.
    pub frames: usize,
    vertices: usize,
    /// Byte of the first frame.
    start: u64,
    scalar: Scalar,
    endian: Endian,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    /// Read a frame at a time.
    InFile,
    /// What a packed file held.
    InMemory(Vec<u8>),
    /// A NumPy array whose frames do not stand one after the other.
    Scattered(Source, Array),
}

impl Cache {
    /// Opens the cache of a mesh with so many vertices, and checks its size.
    pub fn open(path: &Path, vertices: usize) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let fail = |what: String| ReadError::Malformed { file: name.clone(), place: Place::File, what };
        let io = |source| ReadError::Io { file: name.clone(), source };
        let Some((kind, (_, is_packed))) = CacheKind::of(path).zip(super::extension(path)) else {
            return Err(fail("not a point cache: .pc2, .mdd, .f32, .f64, .npy and .npz are".into()));
        };
        if vertices == 0 {
            return Err(fail("the base mesh has no vertices".into()));
        }
        let metadata = std::fs::metadata(path).map_err(io)?;
        if metadata.is_dir() {
            return Err(ReadError::IsDirectory { file: name });
        }
        if !metadata.is_file() {
            return Err(fail(
                "a point cache must be a regular file: its frames are read in any order".into(),
            ));
        }
        if kind == CacheKind::Numpy {
            return Self::open_numpy(path, vertices);
        }
        // Only the name tells that a raw file is packed: its numbers may begin like anything.
        let (bytes, length) = if is_packed {
            let source = Source::open(path)?;
            let length = source.bytes.len() as u64;
            (Bytes::InMemory(source.bytes), length)
        } else {
            (Bytes::InFile, metadata.len())
        };
        let path = path.to_owned();
        let (scalar, endian) = match kind {
            CacheKind::Pc2 => (Scalar::F32, Endian::Little),
            CacheKind::Mdd => (Scalar::F32, Endian::Big),
            CacheKind::Raw(scalar) => (scalar, Endian::Little),
            CacheKind::Numpy => unreachable!("opened above"),
        };
        let mut cache = Self { path, frames: 0, vertices, start: 0, scalar, endian, bytes };
        let frame_size = cache.frame_size();
        if let CacheKind::Raw(_) = kind {
            if length == 0 || length % frame_size != 0 {
                let what =
                    format!("{length} bytes are not frames of {vertices} vertices, {frame_size} bytes each");
                return Err(fail(what));
            }
            cache.frames = (length / frame_size) as usize;
            return Ok(cache);
        }
        let header_size = if kind == CacheKind::Pc2 { 32 } else { 8 };
        let mut header = [0; 32];
        let header = &mut header[..header_size];
        cache.read_at(0, header).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => fail(format!("{length} bytes are too few for a header")),
            _ => io(e),
        })?;
        let integer = |at: usize| Scalar::I32.i64(&header[at..at + 4], endian).unwrap_or(-1);
        let (frames, points) = match kind {
            CacheKind::Pc2 => {
                if !header.starts_with(b"POINTCACHE2\0") || integer(12) != 1 {
                    return Err(fail("a PC2 file begins with \"POINTCACHE2\" and version 1".into()));
                }
                (integer(28), integer(16))
            }
            _ => (integer(0), integer(4)),
        };
        if points != vertices as i64 {
            return Err(fail(format!("it moves {points} points, but the base mesh has {vertices} vertices")));
        }
        if frames < 1 {
            return Err(fail(format!("it has {frames} frames")));
        }
        let times = if kind == CacheKind::Mdd { 4 * frames as u64 } else { 0 };
        cache.start = header_size as u64 + times;
        let expected = u128::from(cache.start) + frames as u128 * u128::from(frame_size);
        if u128::from(length) != expected {
            let what =
                format!("{frames} frames of {points} points take {expected} bytes, but it has {length}");
            return Err(fail(what));
        }
        cache.frames = frames as usize;
        Ok(cache)
    }

    fn open_numpy(path: &Path, vertices: usize) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let io = |source| ReadError::Io { file: name.clone(), source };
        let mut head = Vec::new();
        File::open(path).map_err(io)?.take(numpy::LONGEST_HEADER).read_to_end(&mut head).map_err(io)?;
        let is_plain = head.starts_with(b"\x93NUMPY");
        let (mut source, mut array) = (Source { name: name.clone(), bytes: Vec::new() }, None);
        if is_plain {
            array = Some(Array::header(&source, &head)?);
        }
        let in_file = is_plain && array.as_ref().is_some_and(|array| !array.is_fortran);
        if in_file {
            let length = std::fs::metadata(path).map_err(io)?.len();
            array.iter().try_for_each(|array| array.check_size(&source, length))?;
        } else {
            source = Source::open(path)?;
            if numpy::is_archive(&source.bytes) {
                source = numpy::unpack(&source)?;
            }
            array = Some(Array::read(&source)?);
        }
        let Some(array) = array else { return Err(source.error(Place::File, "not a NumPy array")) };
        let Array { scalar, endian, frames, points, start, .. } = array;
        if points != vertices {
            let what = format!("it moves {points} points, but the base mesh has {vertices} vertices");
            return Err(source.error(Place::File, what));
        }
        if frames < 1 {
            return Err(source.error(Place::File, "it has 0 frames"));
        }
        let bytes = match (in_file, array.is_fortran) {
            (true, _) => Bytes::InFile,
            (false, false) => Bytes::InMemory(source.bytes),
            (false, true) => Bytes::Scattered(source, array),
        };
        Ok(Self { path: path.to_owned(), frames, vertices, start: start as u64, scalar, endian, bytes })
    }

    /// Reads one frame.
    pub fn read_frame(&self, frame: usize, positions: &mut Vec<[f64; 3]>) -> Result<(), ReadError> {
        if let Bytes::Scattered(source, array) = &self.bytes {
            return array.frame(source, frame, positions).map_err(|error| in_frame(error, frame));
        }
        let name = self.path.display().to_string();
        let at = self.start + frame as u64 * self.frame_size();
        let mut bytes = vec![0; self.frame_size() as usize];
        self.read_at(at, &mut bytes).map_err(|source| ReadError::Io { file: name.clone(), source })?;
        let size = self.scalar.size();
        let source = Source { name, bytes: Vec::new() };
        positions.clear();
        for (vertex, point) in bytes.chunks_exact(3 * size).enumerate() {
            let place = Place::Byte(at + (vertex * 3 * size) as u64);
            let c = |k: usize| self.scalar.f64(&point[k * size..(k + 1) * size], self.endian);
            let position = check::finite(&source, place, vertex, [c(0), c(1), c(2)]);
            positions.push(position.map_err(|error| in_frame(error, frame))?);
        }
        Ok(())
    }

    /// Bytes of a frame.
    fn frame_size(&self) -> u64 {
        self.vertices as u64 * 3 * self.scalar.size() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        match &self.bytes {
            Bytes::InFile => {
                let mut file = File::open(&self.path)?;
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(into)
            }
            Bytes::Scattered(..) => unreachable!("read by its own way"),
            Bytes::InMemory(bytes) => bytes.get(at as usize..).unwrap_or_default().read_exact(into),
        }
    }
}

/// The same error with the frame before it.
fn in_frame(error: ReadError, frame: usize) -> ReadError {
    match error {
        ReadError::Malformed { file, place, what } => {
            ReadError::Malformed { file, place, what: format!("frame {frame}: {what}") }
        }
        other => other,
    }
}
