//! NumPy arrays: `.npy`, and `.npz` archives of them.
//!
//! An array of shape (n, 3) is a body of points; as positions of a sequence it is one frame, and (f, n, 3) is `f` frames.
//! Numbers are `float32` or `float64` of either byte order, the array in C or in Fortran order. Of an archive with several
//! arrays the one that has such a shape is taken; if several have, the one called `positions`, `points` or `vertices`.

use crate::archive::{self, Member};
use crate::binary::{Endian, Scalar};
use crate::check;
use crate::{MeshData, Place, ReadError, Source};

/// The names by which one array of several is chosen, best first.
const PREFERRED: [&str; 3] = ["positions", "points", "vertices"];

/// The most arrays of an archive that are looked at.
const MOST_ARRAYS: usize = 1000;

/// Bytes in which the header of an array ends; NumPy itself reads no longer ones.
pub(crate) const LONGEST_HEADER: u64 = 1 << 16;

/// Reads an array of points.
pub(crate) fn read(source: &Source) -> Result<MeshData, ReadError> {
    let unpacked;
    let (array, bytes) = if is_archive(&source.bytes) {
        unpacked = unpack(source)?;
        (Array::read(&unpacked)?, &unpacked)
    } else {
        (Array::read(source)?, source)
    };
    if array.frames != 1 {
        let what = format!(
            "it has {} frames of {} points: a sequence, to be given after the mesh that it moves",
            array.frames, array.points
        );
        return Err(source.error(Place::File, what));
    }
    let mut positions = Vec::with_capacity(array.points);
    array.frame(bytes, 0, &mut positions)?;
    if positions.is_empty() {
        return Err(source.error(Place::File, "no points in the file"));
    }
    Ok(MeshData { positions, ..MeshData::default() })
}

/// Whether these bytes begin as a ZIP archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// An array of positions, by its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Array {
    pub scalar: Scalar,
    pub endian: Endian,
    /// Number of frames; 1 for an array of shape (n, 3).
    pub frames: usize,
    /// Number of points of a frame.
    pub points: usize,
    /// Byte of the first number.
    pub start: usize,
    /// Whether the first index runs fastest.
    pub is_fortran: bool,
}

impl Array {
    /// Reads the header, and checks the number of bytes after it.
    pub fn read(source: &Source) -> Result<Self, ReadError> {
        let array = Self::header(source, &source.bytes)?;
        array.check_size(source, source.bytes.len() as u64)?;
        Ok(array)
    }

    /// Checks that a file of so many bytes holds the header and the numbers that it announces, and nothing more.
    pub fn check_size(&self, source: &Source, length: u64) -> Result<(), ReadError> {
        let Self { frames, points, start, scalar, .. } = *self;
        let held = u128::from(length).saturating_sub(start as u128);
        // Both factors may be anything below 2^64.
        let needed = (frames as u128 * points as u128).saturating_mul(3 * scalar.size() as u128);
        if held == needed {
            return Ok(());
        }
        let what =
            format!("{frames} frames of {points} points take {needed} bytes, but {held} follow the header");
        Err(source.error(Place::Byte(start as u64), what))
    }

    /// Reads the header at the start of `bytes`, which may be no more than it.
    pub fn header(source: &Source, bytes: &[u8]) -> Result<Self, ReadError> {
        let fail = |what: String| source.error(Place::File, what);
        let (length, at) = match bytes {
            [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => {
                (usize::from(u16::from_le_bytes([*a, *b])), 10)
            }
            [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _, a, b, c, d, ..] => {
                (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 12)
            }
            [0x93, b'N', b'U', b'M', b'P', b'Y', version, ..] => {
                return Err(fail(format!("version {version} of the NumPy format is not known")));
            }
            _ => return Err(fail("a NumPy array begins with \"\\x93NUMPY\"".into())),
        };
        let Some(header) = bytes.get(at..).and_then(|rest| rest.get(..length)) else {
            return Err(fail("the file ends inside the header".into()));
        };
        let header = std::str::from_utf8(header).map_err(|_| fail("the header is not text".into()))?;
        let field = |name: &str| {
            field(header, name).ok_or_else(|| fail(format!("the header has no '{name}': {}", header.trim())))
        };
        let kind = field("descr")?.trim_matches(['\'', '"']);
        let (scalar, endian) = match kind {
            "<f4" => (Scalar::F32, Endian::Little),
            ">f4" => (Scalar::F32, Endian::Big),
            "<f8" => (Scalar::F64, Endian::Little),
            ">f8" => (Scalar::F64, Endian::Big),
            _ => return Err(fail(format!("numbers are of type {kind}; float32 and float64 are read"))),
        };
        let is_fortran = match field("fortran_order")? {
            "True" => true,
            "False" => false,
            other => return Err(fail(format!("fortran_order is {other}"))),
        };
        let shape = field("shape")?;
        let sizes: Option<Vec<usize>> = shape
            .trim_matches(['(', ')'])
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty())
            .map(|size| size.parse().ok())
            .collect();
        let (frames, points) = match sizes.as_deref() {
            Some(&[points, 3]) => (1, points),
            Some(&[frames, points, 3]) => (frames, points),
            _ => return Err(fail(format!("the shape is {shape}; positions are (n, 3) or (frames, n, 3)"))),
        };
        Ok(Self { scalar, endian, frames, points, start: at + length, is_fortran })
    }

    /// Reads the positions of one frame; `source` has passed [`Array::read`].
    pub fn frame(
        &self,
        source: &Source,
        frame: usize,
        positions: &mut Vec<[f64; 3]>,
    ) -> Result<(), ReadError> {
        let size = self.scalar.size();
        positions.clear();
        for vertex in 0..self.points {
            let byte = |k: usize| {
                let number = if self.is_fortran {
                    frame + self.frames * (vertex + self.points * k)
                } else {
                    (frame * self.points + vertex) * 3 + k
                };
                self.start + number * size
            };
            let c = |k: usize| self.scalar.f64(&source.bytes[byte(k)..byte(k) + size], self.endian);
            let place = Place::Byte(byte(0) as u64);
            positions.push(check::finite(source, place, vertex, [c(0), c(1), c(2)])?);
        }
        Ok(())
    }
}

/// The value of `'name': value` in the header, which is a Python dictionary with the comma of each entry after it.
fn field<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    let at = [format!("'{name}'"), format!("\"{name}\"")]
        .iter()
        .find_map(|key| Some(header.find(key)? + key.len()))?;
    let value = header[at..].trim_start().strip_prefix(':')?.trim_start();
    let end = match value.strip_prefix('(') {
        Some(tuple) => tuple.find(')')? + 2,
        None => value.find([',', '}'])?,
    };
    Some(value[..end].trim())
}

/// The array of positions of an archive, unpacked.
pub(crate) fn unpack(source: &Source) -> Result<Source, ReadError> {
    let fail = |what: String| source.error(Place::File, what);
    let members = archive::members(source)?;
    if members.len() > MOST_ARRAYS {
        return Err(fail(format!("{} arrays in one archive", members.len())));
    }
    // What is unpacked is bounded as gzip is.
    let most = (source.bytes.len() as u64 * Source::MAX_RATIO).clamp(Source::SMALL, Source::MAX_BYTES);
    let mut fitting: Vec<(&Member, &str)> = Vec::new();
    let mut seen = Vec::new();
    for member in &members {
        let Some(name) = member.name.strip_suffix(".npy") else { continue };
        match Array::header(source, &archive::unpack(source, member, LONGEST_HEADER)?) {
            Ok(_) => fitting.push((member, name)),
            Err(ReadError::Malformed { what, .. }) if seen.len() < 8 => {
                seen.push(format!("{name:?}: {what}"))
            }
            Err(_) => {}
        }
    }
    let chosen = match fitting.as_slice() {
        [] if seen.is_empty() => return Err(fail("no array in the archive".into())),
        [] => return Err(fail(format!("no array of positions in the archive; {}", seen.join("; ")))),
        [one] => one,
        several => {
            let best = PREFERRED.iter().find_map(|wanted| several.iter().find(|(_, name)| *name == *wanted));
            best.ok_or_else(|| {
                let names: Vec<_> = several.iter().take(8).map(|(_, name)| format!("{name:?}")).collect();
                fail(format!(
                    "several arrays may be the positions: {}; call one of them \"positions\"",
                    names.join(", ")
                ))
            })?
        }
    };
    let bytes = archive::unpack(source, chosen.0, most + 1)?;
    if bytes.len() as u64 > most {
        return Err(fail(format!("array {:?} unpacks to more than {most} bytes", chosen.1)));
    }
    Ok(Source { name: source.name.clone(), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(version: u8, header: &str, numbers: &[u8]) -> Source {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(numbers);
        Source { name: "p.npy".into(), bytes }
    }

    fn header(kind: &str, fortran: &str, shape: &str) -> String {
        format!("{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n")
    }

    fn fault(source: &Source) -> String {
        read(source).unwrap_err().to_string()
    }

    const POINTS: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [-4.0, 0.5, 6.0]];

    #[test]
    fn every_type_order_and_version() {
        let c: Vec<f64> = POINTS.concat();
        let fortran: Vec<f64> = (0..3).flat_map(|k| POINTS.map(|p| p[k])).collect();
        for version in [1, 2, 3] {
            for (numbers, order) in [(&c, "False"), (&fortran, "True")] {
                let types: [(&str, Vec<u8>); 4] = [
                    ("<f8", numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
                    (">f8", numbers.iter().flat_map(|n| n.to_be_bytes()).collect()),
                    ("<f4", numbers.iter().flat_map(|&n| (n as f32).to_le_bytes()).collect()),
                    (">f4", numbers.iter().flat_map(|&n| (n as f32).to_be_bytes()).collect()),
                ];
                for (kind, bytes) in types {
                    let source = npy(version, &header(kind, order, "(2, 3)"), &bytes);
                    assert_eq!(read(&source).unwrap().positions, POINTS, "{kind} {order}");
                    let one_frame = npy(version, &header(kind, order, "(1, 2, 3)"), &bytes);
                    assert_eq!(read(&one_frame).unwrap().positions, POINTS, "{kind} {order}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let bytes = [0; 48];
        assert!(
            fault(&npy(1, &header("<i8", "False", "(2, 3)"), &bytes)).contains("numbers are of type <i8")
        );
        assert!(fault(&npy(1, &header("<f8", "False", "(3, 2)"), &bytes)).contains("the shape is (3, 2)"));
        assert!(fault(&npy(1, &header("<f8", "False", "()"), &bytes)).contains("the shape is ()"));
        assert!(
            fault(&npy(1, &header("<f8", "False", "(2, 1, 3)"), &bytes))
                .contains("2 frames of 1 points: a sequence")
        );
        assert!(fault(&npy(1, &header("<f8", "Maybe", "(2, 3)"), &bytes)).contains("fortran_order is Maybe"));
        assert!(fault(&npy(9, "", &bytes)).contains("version 9"));
        assert!(fault(&npy(1, "{}", &bytes)).contains("the header has no 'descr'"));
        let short = npy(1, &header("<f8", "False", "(2, 3)"), &bytes[1..]);
        assert!(fault(&short).contains("take 48 bytes, but 47 follow"), "{}", fault(&short));
        let huge = header("<f8", "False", "(18446744073709551615, 18446744073709551615, 3)");
        assert!(fault(&npy(1, &huge, &bytes)).contains("bytes, but 48 follow"));
        let nan = [f64::NAN; 6].map(f64::to_le_bytes).concat();
        assert!(fault(&npy(1, &header("<f8", "False", "(2, 3)"), &nan)).contains("vertex 0 is not finite"));
        assert!(fault(&npy(1, &header("<f8", "False", "(0, 3)"), &[])).contains("no points"));
    }
}
