//! The bytes behind a glTF document: GLB chunk, data URIs, files beside it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::json::{Buffer, Document};
use crate::{Place, ReadError, Source};

/// Buffers, loaded when first asked for. A file that several buffers name is loaded once.
pub(super) struct Buffers<'a> {
    source: &'a Source,
    directory: &'a Path,
    document: &'a Document,
    glb: Option<&'a [u8]>,
    loaded: Vec<Option<Rc<Cow<'a, [u8]>>>>,
    files: HashMap<PathBuf, Rc<Cow<'a, [u8]>>>,
    file_bytes: u64,
}

impl<'a> Buffers<'a> {
    /// `glb` is the binary chunk, which is buffer 0 when that has no URI.
    pub fn new(source: &'a Source, path: &'a Path, document: &'a Document, glb: Option<&'a [u8]>) -> Self {
        let directory = path.parent().unwrap_or(Path::new(""));
        let loaded = vec![None; document.buffers.len()];
        Self { source, directory, document, glb, loaded, files: HashMap::new(), file_bytes: 0 }
    }

    /// The bytes of a view from `offset` on, and the view's stride.
    pub fn view(&mut self, view: u32, offset: u64) -> Result<(ViewBytes<'a>, Option<usize>), ReadError> {
        let Some(place) = self.document.buffer_views.get(view as usize) else {
            return self.fault(format!("buffer view {view} does not exist"));
        };
        let buffer = self.buffer(place.buffer)?;
        let start = place.byte_offset.checked_add(offset);
        let end = place.byte_offset.checked_add(place.byte_length);
        match (start, end) {
            (Some(start), Some(end)) if start <= end && end <= buffer.len() as u64 => {
                let range = start as usize..end as usize;
                Ok((ViewBytes { buffer, range }, place.byte_stride.map(|stride| stride as usize)))
            }
            _ => {
                let what = format!("buffer view {view} reaches past the end of buffer {}", place.buffer);
                self.fault(format!("{what}, which has {} bytes", buffer.len()))
            }
        }
    }

    /// Bytes of the files beside the document that were loaded so far.
    pub fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    fn buffer(&mut self, index: u32) -> Result<Rc<Cow<'a, [u8]>>, ReadError> {
        let document = self.document;
        let Some(buffer) = document.buffers.get(index as usize) else {
            return self.fault(format!("buffer {index} does not exist"));
        };
        if let Some(bytes) = &self.loaded[index as usize] {
            return Ok(Rc::clone(bytes));
        }
        let bytes = self.load(index, buffer)?;
        if (bytes.len() as u64) < buffer.byte_length {
            let (announced, held) = (buffer.byte_length, bytes.len());
            return self.fault(format!("buffer {index} should have {announced} bytes and has {held}"));
        }
        Ok(Rc::clone(self.loaded[index as usize].insert(bytes)))
    }

    fn load(&mut self, index: u32, buffer: &'a Buffer) -> Result<Rc<Cow<'a, [u8]>>, ReadError> {
        let Some(uri) = &buffer.uri else {
            return match self.glb {
                Some(bytes) if index == 0 => Ok(Rc::new(Cow::Borrowed(bytes))),
                _ => self.fault(format!("buffer {index} has neither a URI nor a binary chunk")),
            };
        };
        if let Some(data) = uri.strip_prefix("data:") {
            let Some((_, base64)) = data.split_once(";base64,") else {
                return self.fault(format!("the data URI of buffer {index} is not base64"));
            };
            return match FORGIVING.decode(base64) {
                Ok(bytes) => Ok(Rc::new(Cow::Owned(bytes))),
                Err(error) => self.fault(format!("the data URI of buffer {index} is broken: {error}")),
            };
        }
        self.load_file(index, uri)
    }

    fn load_file(&mut self, index: u32, uri: &str) -> Result<Rc<Cow<'a, [u8]>>, ReadError> {
        let relative = percent_decoded(uri);
        if uri.contains("://") || Path::new(&relative).is_absolute() {
            return self.fault(format!("buffer {index} is not a file beside this one: {uri}"));
        }
        let path = self.directory.join(relative);
        let name = path.display().to_string();
        let io = |source| ReadError::Io { file: name.clone(), source };
        let path = path.canonicalize().map_err(io)?;
        if let Some(bytes) = self.files.get(&path) {
            return Ok(Rc::clone(bytes));
        }
        // A pipe or a device would never end.
        if !path.metadata().map_err(io)?.is_file() {
            return self.fault(format!("buffer {index} is not a regular file: {uri}"));
        }
        let bytes = std::fs::read(&path).map_err(io)?;
        self.file_bytes += bytes.len() as u64;
        let bytes = Rc::new(Cow::Owned(bytes));
        self.files.insert(path, Rc::clone(&bytes));
        Ok(bytes)
    }

    fn fault<T>(&self, what: String) -> Result<T, ReadError> {
        Err(self.source.error(Place::File, what))
    }
}

/// A range of a buffer.
pub(super) struct ViewBytes<'a> {
    buffer: Rc<Cow<'a, [u8]>>,
    range: std::ops::Range<usize>,
}

impl ViewBytes<'_> {
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[self.range.clone()]
    }
}

/// Base64 with or without padding.
const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
);

/// `%20` becomes a space; a percent sign without two hexadecimal digits stays.
fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|&b| (b as char).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::percent_decoded;

    #[test]
    fn percent_signs() {
        assert_eq!(percent_decoded("a%20b%C3%A9.bin"), "a bé.bin");
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("%zz%4"), "%zz%4");
    }
}
