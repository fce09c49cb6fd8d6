//! OBJ in pieces that end with a line.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::PIECE;
use crate::{MeshData, Place, ReadError, Source, obj};

/// Calls `each` with one piece of the file after the other.
pub(super) fn pieces<E: From<ReadError>>(
    path: &Path,
    mut each: impl FnMut(&MeshData) -> Result<(), E>,
) -> Result<(), E> {
    let name = path.display().to_string();
    let io = |source| ReadError::Io { file: name.clone(), source };
    let mut file = File::open(path).map_err(io)?;
    let mut source = Source { name: name.clone(), bytes: Vec::new() };
    let (mut vertices, mut lines) = (0, 0);
    loop {
        let had = source.bytes.len();
        file.by_ref().take(PIECE as u64).read_to_end(&mut source.bytes).map_err(io)?;
        let is_end = source.bytes.len() == had;
        let end = if is_end { source.bytes.len() } else { whole_lines(&source.bytes) };
        let rest = source.bytes.split_off(end);
        let data = obj::read_lines(&source, vertices).map_err(|error| moved(error, lines))?;
        vertices += data.positions.len();
        each(&data)?;
        if is_end {
            return Ok(());
        }
        lines += line_ends(&source.bytes);
        source.bytes = rest;
    }
}

/// The bytes up to the last line end that is surely one and that no backslash joins with the next line.
fn whole_lines(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    while let Some(at) = bytes[..end].iter().rposition(|&b| b == b'\n') {
        let line = bytes[..at].strip_suffix(b"\r").unwrap_or(&bytes[..at]);
        if !line.ends_with(b"\\") {
            return at + 1;
        }
        end = at;
    }
    0
}

/// Lines as the reader counts them: `\n`, `\r\n` and a lone `\r` end one.
fn line_ends(bytes: &[u8]) -> u64 {
    let ends = |(i, &b): (usize, &u8)| b == b'\n' || b == b'\r' && bytes.get(i + 1) != Some(&b'\n');
    bytes.iter().enumerate().filter(|&each| ends(each)).count() as u64
}

/// The same error further down in the file.
fn moved(error: ReadError, lines: u64) -> ReadError {
    match error {
        ReadError::Malformed { file, place: Place::Line(line), what } => {
            ReadError::Malformed { file, place: Place::Line(line + lines), what }
        }
        other => other,
    }
}
