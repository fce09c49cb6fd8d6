//! Every format: the first byte chooses the extension.

#![no_main]

mod check;

use crumple_io::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let extensions: Vec<_> = Format::ALL.iter().flat_map(|(_, extensions)| *extensions).collect();
    check::read(&format!("fuzz.{}", extensions[*choice as usize % extensions.len()]), bytes);
});
