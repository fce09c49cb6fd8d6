//! ZIP archives, as far as NumPy writes them: members stored or deflated, ZIP64 sizes, no encryption.
//!
//! Own code because the `zip` crate draws in a source of random numbers, which does not build for the browser, and four
//! more packages; of the format only the table of members at its end is needed. Everything is bounded by the bytes that
//! are there, and what is unpacked by the caller.

use std::io::Read;

use crate::{Place, ReadError, Source};

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    pub name: String,
    is_deflated: bool,
    packed: u64,
    /// Byte of its own header, which stands before its data.
    at: u64,
}

const END: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
/// The comment behind the end record is no longer.
const LONGEST_COMMENT: usize = 65535;

/// The members in the order of the table.
pub(crate) fn members(source: &Source) -> Result<Vec<Member>, ReadError> {
    let bytes = &source.bytes;
    let fail = |what: &str| source.error(Place::File, format!("broken archive: {what}"));
    let tail = bytes.len().saturating_sub(END_SIZE + LONGEST_COMMENT);
    let end = bytes[tail..].windows(END.len()).rposition(|window| window == END).map(|at| at + tail);
    let Some(end) = end.filter(|&end| end + END_SIZE <= bytes.len()) else {
        return Err(fail("no table of members at its end"));
    };
    let mut count = u64::from(u16_at(bytes, end + 10).unwrap_or(0));
    let mut at = u64::from(u32_at(bytes, end + 16).unwrap_or(0));
    // ZIP64 has its own end record, named by a locator of 20 bytes before this one.
    if (count == 0xffff || at == 0xffff_ffff)
        && let Some(locator) = end.checked_sub(20).filter(|&l| bytes[l..].starts_with(b"PK\x06\x07"))
    {
        let record = usize::try_from(u64_at(bytes, locator + 8).unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        (count, at) = u64_at(bytes, record.saturating_add(32))
            .zip(u64_at(bytes, record.saturating_add(48)))
            .ok_or_else(|| fail("its ZIP64 record is not there"))?;
    }
    let mut members = Vec::new();
    let mut at = usize::try_from(at).unwrap_or(usize::MAX);
    for _ in 0..count {
        let entry = bytes.get(at..).filter(|entry| entry.starts_with(b"PK\x01\x02") && entry.len() >= 46);
        let Some((entry, size)) = entry.and_then(|entry| Some((entry, entry_size(entry)?))) else {
            return Err(fail("its table of members ends early"));
        };
        members.push(member(&entry[..size]).map_err(fail)?);
        at += size;
    }
    Ok(members)
}

/// Bytes of an entry with name, extra fields and comment, if they are all there.
fn entry_size(entry: &[u8]) -> Option<usize> {
    let size = 46 + [28, 30, 32].iter().map(|&at| u16_at(entry, at).map_or(0, usize::from)).sum::<usize>();
    (size <= entry.len()).then_some(size)
}

/// Reads an entry that is whole.
fn member(entry: &[u8]) -> Result<Member, &'static str> {
    let short = |at| u16_at(entry, at).map_or(0, usize::from);
    let long = |at| u32_at(entry, at).map_or(0, u64::from);
    if short(8) & 1 != 0 {
        return Err("a member is encrypted");
    }
    let is_deflated = match short(10) {
        0 => false,
        8 => true,
        _ => return Err("a member is packed in a way that NumPy does not use"),
    };
    let name = String::from_utf8_lossy(&entry[46..46 + short(28)]).into_owned();
    let (mut packed, unpacked, mut at) = (long(20), long(24), long(42));
    let mut extra = &entry[46 + short(28)..46 + short(28) + short(30)];
    while let (Some(id), Some(size)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let Some(field) = extra.get(4..4 + usize::from(size)) else { break };
        if id == 1 {
            // In this order, each only where the short field is full.
            let mut wide = field.chunks_exact(8).map(|chunk| u64_at(chunk, 0).unwrap_or(0));
            let _ = (unpacked == 0xffff_ffff).then(|| wide.next());
            if packed == 0xffff_ffff {
                packed = wide.next().unwrap_or(packed);
            }
            if at == 0xffff_ffff {
                at = wide.next().unwrap_or(at);
            }
        }
        extra = &extra[4 + usize::from(size)..];
    }
    Ok(Member { name, is_deflated, packed, at })
}

/// The content of a member, at most `most` bytes of it.
pub(crate) fn unpack(source: &Source, member: &Member, most: u64) -> Result<Vec<u8>, ReadError> {
    let fail = |what: String| source.error(Place::File, format!("member {:?}: {what}", member.name));
    let header = usize::try_from(member.at).ok().and_then(|at| source.bytes.get(at..));
    let data = header.filter(|header| header.starts_with(b"PK\x03\x04")).and_then(|header| {
        let start = 30 + usize::from(u16_at(header, 26)?) + usize::from(u16_at(header, 28)?);
        header.get(start..)?.get(..usize::try_from(member.packed).ok()?)
    });
    let Some(data) = data else { return Err(fail("its data are not there".into())) };
    let mut bytes = Vec::new();
    let unpacked = if member.is_deflated {
        flate2::read::DeflateDecoder::new(data).take(most).read_to_end(&mut bytes)
    } else {
        data.take(most).read_to_end(&mut bytes)
    };
    unpacked.map(|_| bytes).map_err(|error| fail(error.to_string()))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
