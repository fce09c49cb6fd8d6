//! A bounded fuzz pass over every format: all files in `testdata/meshes` are cut, flipped and spliced, with the same
//! tens of thousands of mutations on every run. Nothing may panic, and what is read must be a sound mesh.
//!
//! `fuzz/` holds the open-ended version.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crumple_io::{Format, MeshData, ReadError, Source, read_source};

/// Mutations of each sample file, besides its prefixes.
const MUTATIONS: u64 = 3000;
/// Prefixes of each sample file: all of them where it has no more bytes.
const PREFIXES: usize = 700;

/// Words that break assumptions when they replace a number.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483647",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e999",
    "nan",
    "-inf",
    "",
    "x",
];

/// Marsaglia's xorshift64*: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545F4914F6CDD1D)
    }

    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }
}

struct Sample {
    path: PathBuf,
    format: Format,
    bytes: Vec<u8>,
}

/// All sample files of a known format, in the order of their names.
fn samples() -> Vec<Sample> {
    let directory: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "meshes"].iter().collect();
    let mut samples: Vec<Sample> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| Some((Format::of(&path)?, path)))
        .map(|(format, path)| Sample { bytes: fs::read(&path).unwrap(), format, path })
        .collect();
    samples.sort_by(|a, b| a.path.cmp(&b.path));
    samples
}

/// Reads bytes as the file `path`. A panic of the reader is reported with the case that caused it.
fn read(path: &Path, bytes: Vec<u8>, case: &dyn Fn() -> String) -> Result<MeshData, ReadError> {
    let result = catch_unwind(AssertUnwindSafe(|| {
        let source = Source::from_bytes(path.display().to_string(), bytes)?;
        read_source(path, &source)
    }));
    let result = result.unwrap_or_else(|_| panic!("{}, {}: the reader panicked", path.display(), case()));
    match &result {
        Ok(data) => check(data).unwrap_or_else(|what| panic!("{}, {}: {what}", path.display(), case())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    result
}

/// What every mesh promises that comes out of a reader.
fn check(data: &MeshData) -> Result<(), String> {
    let vertices = data.positions.len();
    if let Some(bad) = data.positions.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        return Err(format!("vertex {bad} is not finite"));
    }
    for (p, polygon) in data.polygons.iter().enumerate() {
        if polygon.len() < 3 || polygon.iter().any(|&corner| corner as usize >= vertices) {
            return Err(format!("polygon {p} is {polygon:?}, with {vertices} vertices"));
        }
    }
    for (t, tet) in data.tets.iter().enumerate() {
        if tet.iter().any(|&corner| corner as usize >= vertices) {
            return Err(format!("tet {t} is {tet:?}, with {vertices} vertices"));
        }
    }
    if !data.tets.is_empty() && !data.polygons.is_empty() {
        return Err("tets and polygons at once".into());
    }
    Ok(())
}

/// One to four random changes of `bytes`, with pieces from `other`.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..1 + random.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let length = 1 + random.below(bytes.len() - at).min(64);
        match random.below(8) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let piece = bytes[at..at + length].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            5 if !other.is_empty() => {
                let from = random.below(other.len());
                let piece = &other[from..(from + length).min(other.len())];
                bytes.splice(at..at + length, piece.iter().copied());
            }
            6 => {
                // Counts and offsets of binary formats.
                let value = [0, 1, 0x7f, 0xff][random.below(4)];
                let end = (at + [2, 4, 8][random.below(3)]).min(bytes.len());
                bytes[at..end].fill(value);
            }
            _ => {
                let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit) else { continue };
                let start = at + start;
                let digits = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(start..start + digits, word.bytes());
            }
        }
    }
}

#[test]
fn sample_files_are_read() {
    let samples = samples();
    for (format, extensions) in Format::ALL {
        assert!(samples.iter().any(|s| s.format == *format), "no sample of {extensions:?}");
    }
    for sample in samples {
        read(&sample.path, sample.bytes, &|| "whole".into()).unwrap();
    }
}

#[test]
fn files_cut_anywhere_are_read_or_refused() {
    for sample in samples() {
        let step = sample.bytes.len().div_ceil(PREFIXES).max(1);
        for end in (0..sample.bytes.len()).step_by(step) {
            drop(read(&sample.path, sample.bytes[..end].to_vec(), &|| format!("first {end} bytes")));
        }
    }
}

#[test]
fn mutated_files_are_read_or_refused() {
    let samples = samples();
    let mut refused = 0;
    for (k, sample) in samples.iter().enumerate() {
        let relatives: Vec<&Sample> = samples.iter().filter(|s| s.format == sample.format).collect();
        for round in 0..MUTATIONS {
            let mut random = Random(1 + k as u64 * MUTATIONS + round);
            // The first numbers of small seeds resemble each other.
            for _ in 0..4 {
                random.next();
            }
            let mut bytes = sample.bytes.clone();
            let other = relatives[random.below(relatives.len())];
            mutate(&mut random, &mut bytes, &other.bytes);
            refused += u64::from(read(&sample.path, bytes, &|| format!("mutation {round}")).is_err());
        }
    }
    // If nearly all or nearly none were refused, the mutations would test nothing behind the first check.
    let all = samples.len() as u64 * MUTATIONS;
    assert!((all / 5..all).contains(&refused), "{refused} of {all} refused");
}

#[test]
fn a_file_under_a_foreign_extension_is_read_or_refused() {
    for sample in samples() {
        for extension in Format::ALL.iter().flat_map(|(_, extensions)| *extensions) {
            let path = sample.path.with_extension(extension);
            drop(read(&path, sample.bytes.clone(), &|| format!("bytes of {}", sample.path.display())));
        }
    }
}

#[test]
fn random_bytes_are_refused_under_every_extension() {
    let mut random = Random(20240601);
    for extension in Format::ALL.iter().flat_map(|(_, extensions)| *extensions) {
        let path = PathBuf::from(format!("random.{extension}"));
        for length in [0, 1, 7, 64, 100, 300, 1000, 5000, 40000] {
            let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            let case = || format!("{length} random bytes");
            assert!(read(&path, bytes, &case).is_err(), "{length} random bytes read as .{extension}");
        }
    }
}
