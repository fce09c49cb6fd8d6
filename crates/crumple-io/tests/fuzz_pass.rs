//! A bounded fuzz pass over every format: all files in `testdata/meshes` are cut, flipped and spliced, with the same
//! tens of thousands of mutations on every run. Nothing may panic, and what is read must be a sound mesh.
//!
//! `CRUMPLE_MUTATIONS=100000 cargo test --release -p crumple-io --test fuzz_pass` runs so many mutated files in all.
//! `fuzz/` holds the open-ended version.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crumple_io::{Format, MeshData, ReadError, ReadOptions, Sequence, Source, Uvs, read_source_with};

/// Mutations of each sample file, besides its prefixes, where the environment does not tell how many there are in all.
const MUTATIONS: u64 = 3000;

/// Mutations of each of so many files.
fn mutations(files: usize) -> u64 {
    let all = std::env::var("CRUMPLE_MUTATIONS").ok().map(|word| word.parse::<u64>().expect("a number"));
    all.map_or(MUTATIONS, |all| all.div_ceil(files.max(1) as u64))
}
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
        read_source_with(path, &source, &ReadOptions::default().with_uvs())
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
    let (pairs, uvs) = (data.uvs.coordinates.len(), &data.uvs.corners);
    if uvs.is_empty() && pairs != 0 && pairs != vertices
        || !uvs.is_empty() && uvs.len() != data.polygons.corner_count()
        || uvs.iter().any(|&uv| uv != Uvs::NONE && uv as usize >= pairs)
    {
        return Err(format!("{pairs} texture coordinates, {} corners with one", uvs.len()));
    }
    if !data.parts.is_empty() {
        let mut ends = data.parts.iter().map(|part| part.faces.end);
        let starts = data.parts.iter().map(|part| part.faces.start);
        let sound = starts.eq(std::iter::once(0).chain(ends.clone().take(data.parts.len() - 1)));
        if !sound || ends.next_back() != Some(data.polygons.len()) {
            return Err(format!("parts {:?} of {} polygons", data.parts, data.polygons.len()));
        }
    }
    let objects = data.split_objects();
    if data.tets.is_empty() && objects.iter().map(|o| o.faces.len()).sum::<usize>() != data.polygons.len() {
        return Err("objects do not hold all polygons".into());
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
    let mutations = mutations(samples.len());
    let mut refused = 0;
    for (k, sample) in samples.iter().enumerate() {
        let relatives: Vec<&Sample> = samples.iter().filter(|s| s.format == sample.format).collect();
        for round in 0..mutations {
            let mut random = Random(1 + k as u64 * mutations + round);
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
    let all = samples.len() as u64 * mutations;
    println!("{all} mutated files of {} samples: {refused} refused, the others read", samples.len());
    assert!((all / 5..all).contains(&refused), "{refused} of {all} refused");
}

/// Point caches are read through files, a frame at a time.
#[test]
fn mutated_point_caches_are_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base.off");
    fs::write(&base, "OFF 4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n").unwrap();
    let meshes: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", "meshes"].iter().collect();
    let array = |name: &str| fs::read(meshes.join(name)).unwrap();
    let numbers: Vec<u8> = (0..24).flat_map(|k| (k as f32 * 0.5).to_le_bytes()).collect();
    let big: Vec<u8> = (0..24).flat_map(|k| (k as f32 * 0.5).to_be_bytes()).collect();
    let words = |words: &[[u8; 4]]| words.concat();
    let frames = b"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 4, 3), }\n".to_vec();
    let times = [2u32, 4, 0, 1].map(u32::to_be_bytes);
    let head = [1u32, 4, 0, 0, 2].map(u32::to_le_bytes);
    let caches = [
        ("a.npy", array("points.npy")),
        ("b.npy", array("points_fortran_big.npy")),
        (
            "c.npy",
            [b"\x93NUMPY\x01\x00", &(frames.len() as u16).to_le_bytes()[..], &frames, &numbers].concat(),
        ),
        ("d.npz", array("points.npz")),
        ("e.npz", array("points_packed.npz")),
        ("f.pc2", [b"POINTCACHE2\0".to_vec(), words(&head), numbers.clone()].concat()),
        ("g.mdd", [words(&times), big].concat()),
        ("h.f32", numbers),
    ];
    let (mut refused, mutations) = (0, mutations(20 * caches.len()).min(2000));
    for (k, (name, bytes)) in caches.iter().enumerate() {
        let path = folder.path().join(name);
        for round in 0..=mutations {
            let mut random = Random(77 + k as u64 * 10_000_000 + round);
            (0..4).for_each(|_| _ = random.next());
            let mut changed = bytes.clone();
            if round > 0 {
                mutate(&mut random, &mut changed, bytes);
            }
            fs::write(&path, changed).unwrap();
            let all = catch_unwind(|| {
                let sequence = Sequence::open(&[base.clone(), path.clone()])?;
                let mut positions = Vec::new();
                for frame in 0..sequence.len().min(3) {
                    sequence.read_frame(frame, &mut positions)?;
                    assert_eq!(positions.len(), 4);
                    assert!(positions.iter().flatten().all(|c| c.is_finite()));
                }
                Ok::<_, ReadError>(())
            });
            let result = all.unwrap_or_else(|_| panic!("{name}, mutation {round}: the reader panicked"));
            assert!(round > 0 || result.is_ok(), "{name}: {result:?}");
            refused += u64::from(result.is_err());
        }
    }
    assert!(refused > mutations, "{refused} refused");
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
