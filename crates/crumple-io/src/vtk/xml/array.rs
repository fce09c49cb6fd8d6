//! The arrays of a VTK XML file: words, base64 or raw bytes, plain or packed in zlib blocks.
//!
//! A binary array begins with a header of `UInt32` or `UInt64` words. Plain: the number of bytes, then the bytes.
//! Packed: the number of blocks, the size of a block, the size of the last one (0: as the others), the packed size
//! of each block, then the blocks. Base64 may restart after any padding, which covers writers that encode the
//! header by itself.
//!
//! An appended array may be named many times and a block may unpack to a thousand times its size, so that the
//! work is bounded by a [budget](Arrays::new) and not by what the file says.

use std::io::{self, BufRead, Read};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::{Decompress, FlushDecompress, Status};

use crate::binary::{Endian, Scalar};
use crate::text::{parse_f64, parse_i64, quoted};
use crate::{Place, ReadError, Source};

use super::walk::line_of;

/// How all arrays of a file are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encoding {
    pub endian: Endian,
    /// Type of a header word.
    pub header: Scalar,
    /// Whether binary arrays are packed.
    pub is_packed: bool,
}

/// The bytes of an array as they stand in the file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Payload<'a> {
    /// Numbers as words.
    Words(&'a [u8]),
    /// Base64 text.
    Base64(&'a [u8]),
    /// The bytes themselves.
    Raw(&'a [u8]),
    /// At this byte of the appended data; the walk over the tags replaces it by what stands there.
    Appended(u64),
}

/// One array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Array<'a> {
    pub name: &'static str,
    pub scalar: Scalar,
    /// `NumberOfComponents`.
    pub components: Option<u64>,
    pub payload: Payload<'a>,
    /// The byte of its tag.
    pub at: usize,
}

impl Array<'_> {
    /// The line of the array's tag.
    pub fn place(&self, source: &Source) -> Place {
        line_of(source, self.at)
    }
}

/// Decodes arrays.
pub(super) struct Arrays<'a> {
    source: &'a Source,
    encoding: Encoding,
    /// Bytes that may still be read or produced.
    budget: u64,
    inflate: Decompress,
}

impl<'a> Arrays<'a> {
    /// All arrays together may read and produce 32 bytes for each byte of the file, and 8 MiB more. A sheet of
    /// equal squares unpacks to 7 times its size, other meshes to less; a 2 MB file of zeros packed by zlib would unpack to 2 GB.
    pub fn new(source: &'a Source, encoding: Encoding) -> Self {
        let budget = (8 << 20) + 32 * source.bytes.len() as u64;
        Self { source, encoding, budget, inflate: Decompress::new(true) }
    }

    /// An array of coordinates.
    pub fn floats(&mut self, array: &Array<'a>) -> Result<Vec<f64>, ReadError> {
        let (scalar, endian) = (array.scalar, self.encoding.endian);
        self.decode(array, parse_f64, |bytes, values| {
            scalar.append_floats(bytes, endian, values);
            true
        })
    }

    /// An array of indices, types or offsets.
    pub fn integers<T: TryFrom<i64> + Default>(&mut self, array: &Array<'a>) -> Result<Vec<T>, ReadError> {
        let (scalar, endian) = (array.scalar, self.encoding.endian);
        self.decode(
            array,
            |word| T::try_from(parse_i64(word)?).ok(),
            |bytes, values| scalar.append_integers(bytes, endian, values),
        )
    }

    fn decode<T>(
        &mut self,
        array: &Array<'a>,
        of_word: impl Fn(&[u8]) -> Option<T>,
        append: impl Fn(&[u8], &mut Vec<T>) -> bool,
    ) -> Result<Vec<T>, ReadError> {
        let source = self.source;
        let fail = |what: String| source.error(array.place(source), format!("array {}: {what}", array.name));
        let mut values = Vec::new();
        match array.payload {
            Payload::Words(words) => {
                for word in words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                    let value = of_word(word);
                    values.push(value.ok_or_else(|| {
                        fail(format!("number {} should not be {}", values.len(), quoted(word)))
                    })?);
                }
            }
            Payload::Appended(_) => return Err(fail("it is not in the file".into())),
            Payload::Base64(bytes) => {
                let input = Input::Base64 { text: bytes, decoded: Vec::new(), at: 0 };
                self.unpack(input, array, append, &mut values).map_err(fail)?;
            }
            Payload::Raw(bytes) => {
                let input = Input::Raw(bytes);
                self.unpack(input, array, append, &mut values).map_err(fail)?;
            }
        }
        Ok(values)
    }

    /// Reads the binary array that begins with `input`.
    fn unpack<T>(
        &mut self,
        mut input: Input<'a>,
        array: &Array<'a>,
        append: impl Fn(&[u8], &mut Vec<T>) -> bool,
        values: &mut Vec<T>,
    ) -> Result<(), String> {
        let mut gather = Gather { size: array.scalar.size(), rest: Vec::new(), append, values };
        if self.encoding.is_packed {
            self.unpack_blocks(&mut input, &mut gather)?;
        } else {
            let bytes = self.word(&mut input)?;
            let mut left = bytes;
            while left > 0 {
                let some = input.fill_buf().map_err(|e| e.to_string())?;
                let got = some.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                if got == 0 {
                    return Err(format!("it ends after {} of {bytes} bytes", bytes - left));
                }
                left -= got as u64;
                gather.push(&some[..got], &mut self.budget)?;
                input.consume(got);
            }
        }
        gather.finish()
    }

    fn unpack_blocks<T, F: Fn(&[u8], &mut Vec<T>) -> bool>(
        &mut self,
        input: &mut Input<'a>,
        gather: &mut Gather<'_, T, F>,
    ) -> Result<(), String> {
        let blocks = self.word(input)?;
        if blocks == 0 {
            return Ok(());
        }
        let size = self.word(input)?;
        let last_size = self.word(input)?;
        let mut packed_sizes = Vec::new();
        for _ in 0..blocks {
            packed_sizes.push(self.word(input)?);
        }
        let mut packed = Vec::new();
        for (block, &packed_size) in packed_sizes.iter().enumerate() {
            packed.clear();
            input.take(packed_size).read_to_end(&mut packed).map_err(|e| e.to_string())?;
            if packed.len() as u64 != packed_size {
                return Err(format!("block {block} ends after {} of {packed_size} bytes", packed.len()));
            }
            charge(&mut self.budget, packed.len())?;
            let is_last = block + 1 == packed_sizes.len();
            let expected = if is_last && last_size != 0 { last_size } else { size };
            let got = self.inflate_block(&packed, gather).map_err(|what| format!("block {block}: {what}"))?;
            if got != expected {
                return Err(format!("block {block} unpacks to {got} bytes, not {expected}"));
            }
        }
        Ok(())
    }

    /// Unpacks one zlib stream and says how long it was.
    fn inflate_block<T, F: Fn(&[u8], &mut Vec<T>) -> bool>(
        &mut self,
        packed: &[u8],
        gather: &mut Gather<'_, T, F>,
    ) -> Result<u64, String> {
        self.inflate.reset(true);
        let mut chunk = [0; CHUNK];
        loop {
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            let status = self
                .inflate
                .decompress(&packed[read as usize..], &mut chunk, FlushDecompress::None)
                .map_err(|e| format!("not zlib data: {e}"))?;
            let got = (self.inflate.total_out() - written) as usize;
            gather.push(&chunk[..got], &mut self.budget)?;
            if status == Status::StreamEnd {
                return Ok(self.inflate.total_out());
            }
            if got == 0 && self.inflate.total_in() == read {
                return Err("it is cut off".into());
            }
        }
    }

    /// The next word of a header.
    fn word(&mut self, input: &mut Input<'a>) -> Result<u64, String> {
        let mut bytes = [0; 8];
        let word = &mut bytes[..self.encoding.header.size()];
        charge(&mut self.budget, word.len())?;
        input.read_exact(word).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => "it ends in its header".to_owned(),
            _ => e.to_string(),
        })?;
        let value = self.encoding.header.i64(word, self.encoding.endian);
        value.map(|value| value as u64).ok_or_else(|| "its header has a number beyond 2^63".to_owned())
    }
}

/// Bytes handled at a time.
const CHUNK: usize = 1 << 15;

fn charge(budget: &mut u64, bytes: usize) -> Result<(), String> {
    *budget = budget
        .checked_sub(bytes as u64)
        .ok_or("the arrays unpack to more than 32 times the size of the file, which no mesh does")?;
    Ok(())
}

/// Cuts a stream of bytes into numbers.
struct Gather<'v, T, F> {
    /// Bytes of a number.
    size: usize,
    /// The beginning of a number that the last piece cut through.
    rest: Vec<u8>,
    /// Appends the numbers in some bytes; `false` if one is out of range, with those before it appended.
    append: F,
    values: &'v mut Vec<T>,
}

impl<T, F: Fn(&[u8], &mut Vec<T>) -> bool> Gather<'_, T, F> {
    fn push(&mut self, mut bytes: &[u8], budget: &mut u64) -> Result<(), String> {
        charge(budget, bytes.len() / self.size * size_of::<T>() + bytes.len())?;
        if !self.rest.is_empty() {
            let missing = (self.size - self.rest.len()).min(bytes.len());
            self.rest.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.rest.len() < self.size {
                return Ok(());
            }
            let number = std::mem::take(&mut self.rest);
            self.take(&number)?;
        }
        let (whole, rest) = bytes.split_at(bytes.len() / self.size * self.size);
        self.rest.extend_from_slice(rest);
        self.take(whole)
    }

    fn take(&mut self, numbers: &[u8]) -> Result<(), String> {
        if (self.append)(numbers, self.values) {
            return Ok(());
        }
        Err(format!("number {} is out of range", self.values.len()))
    }

    fn finish(self) -> Result<(), String> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(format!("{} bytes are left over after {} numbers", self.rest.len(), self.values.len()))
    }
}

/// The bytes of a binary array.
enum Input<'a> {
    Raw(&'a [u8]),
    Base64 { text: &'a [u8], decoded: Vec<u8>, at: usize },
}

impl Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let got = self.fill_buf()?.read(into)?;
        self.consume(got);
        Ok(got)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Self::Raw(bytes) => Ok(bytes),
            Self::Base64 { text, decoded, at } => {
                if *at == decoded.len() {
                    decode_some(text, decoded)?;
                    *at = 0;
                }
                Ok(&decoded[*at..])
            }
        }
    }

    fn consume(&mut self, count: usize) {
        match self {
            Self::Raw(bytes) => *bytes = &bytes[count..],
            Self::Base64 { at, .. } => *at += count,
        }
    }
}

/// Takes letters from the front of `text` up to the next padding, at most a [`CHUNK`], and decodes them. Empty
/// at the end.
fn decode_some(text: &mut &[u8], decoded: &mut Vec<u8>) -> io::Result<()> {
    const { assert!(CHUNK.is_multiple_of(4)) };
    // Mostly a chunk has nothing but letters, which need not be picked out one by one.
    if let Some((chunk, rest)) = text.split_at_checked(CHUNK)
        && decode(chunk, decoded).is_ok()
    {
        *text = rest;
        return Ok(());
    }
    let mut letters = Vec::with_capacity(text.len().min(CHUNK));
    while letters.len() < CHUNK || letters.len() % 4 != 0 {
        let Some((&byte, rest)) = text.split_first() else { break };
        if byte.is_ascii_whitespace() {
            *text = rest;
            continue;
        }
        if letters.last() == Some(&b'=') && byte != b'=' {
            break;
        }
        letters.push(byte);
        *text = rest;
    }
    decode(&letters, decoded)
}

/// Decodes letters into an emptied buffer.
fn decode(letters: &[u8], decoded: &mut Vec<u8>) -> io::Result<()> {
    decoded.clear();
    STANDARD
        .decode_vec(letters, decoded)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, format!("bad base64: {e}")))
}
