//! What is to be judged: files and sequences, found in folders or listed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use crumple_io::{Format, Sequence};

use crate::args::JudgeArgs;

/// One piece of work, judged by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// As the user knows it: the path, below the folder that was given.
    pub name: String,
    /// A mesh; or the frames, or the base mesh and the point cache, of a sequence.
    pub files: Vec<PathBuf>,
    pub is_sequence: bool,
    /// The frames of this unit, the last included; all unless told.
    pub range: Option<[usize; 2]>,
}

impl Unit {
    /// The key that sorts units: numbers in names by value.
    pub fn order(&self) -> (Vec<NameChunk>, usize) {
        (chunks(&self.name), self.range.map_or(0, |r| r[0]))
    }

    /// The name with the frames, where the unit is a part of a sequence.
    pub fn title(&self) -> String {
        match self.range {
            Some([from, to]) => format!("{} frames {from}-{to}", self.name),
            None => self.name.clone(),
        }
    }
}

/// All units of the command line, sorted, each once.
pub fn units(args: &JudgeArgs) -> Result<Vec<Unit>> {
    let mut units = Vec::new();
    for path in &args.what {
        if path.is_dir() {
            // Of several folders the names are told apart by the folder.
            let below = if args.what.len() == 1 { path } else { Path::new("") };
            folder(path, below, args.sequences, &mut units)?;
        } else if Format::of(path).is_some() || is_listing(path) {
            units.push(unit(path.display().to_string(), vec![path.clone()]));
        } else {
            list(path, &mut units)?;
        }
    }
    refuse_idle(args, &units)?;
    if let Some(most) = args.split_frames {
        units = units.into_iter().map(|u| ranges(u, most as usize)).collect::<Vec<_>>().concat();
    }
    units.sort_by_cached_key(Unit::order);
    units.dedup();
    if units.is_empty() {
        bail!("there is no mesh file to be judged");
    }
    Ok(units)
}

/// Options that have nothing to act on are refused.
fn refuse_idle(args: &JudgeArgs, units: &[Unit]) -> Result<()> {
    if args.sequences && !args.what.iter().any(|path| path.is_dir()) {
        bail!("--sequences takes numbered files of a folder for frames; no folder is given");
    }
    let option = match () {
        () if args.continuous => "--continuous",
        () if args.every > 1 => "--every",
        () if args.split_frames.is_some() => "--split-frames",
        () => return Ok(()),
    };
    if !units.is_empty() && units.iter().all(|unit| !unit.is_sequence) {
        let hint = if args.sequences { "" } else { "; --sequences takes numbered files of a folder for one" };
        bail!("{option} is for sequences, and nothing here is one{hint}");
    }
    Ok(())
}

fn is_listing(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    matches!(extension.as_deref(), Some("pvd" | "series"))
}

fn is_cache(path: &Path) -> bool {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    matches!(extension.as_deref(), Some("pc2" | "mdd" | "f32" | "f64"))
}

/// A mesh, or a list of frames, as a unit.
fn unit(name: String, files: Vec<PathBuf>) -> Unit {
    let is_sequence = files.len() > 1 || files.first().is_some_and(|f| is_listing(f));
    Unit { name, files, is_sequence, range: None }
}

/// A text file: one unit a line; several files on a line, with tabs between them, are one sequence.
fn list(path: &Path, units: &mut Vec<Unit>) -> Result<()> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the list {}", path.display()))?;
    let base = path.parent().unwrap_or(Path::new(""));
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut files = Vec::new();
        for word in line.split('\t').map(str::trim).filter(|word| !word.is_empty()) {
            let pattern = base.join(word);
            match pattern.to_str() {
                Some(pattern) => files.extend(crumple_io::expand_glob(pattern)?),
                None => files.push(pattern),
            }
        }
        units.push(unit(line.replace('\t', " "), files));
    }
    Ok(())
}

/// Every mesh file below a folder. A mesh with the one point cache beside it is a sequence; so are a list of frames and, where
/// it is asked for, files whose names differ only in their last number. Units are named by their path below `below`.
fn folder(root: &Path, below: &Path, has_sequences: bool, units: &mut Vec<Unit>) -> Result<()> {
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries =
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let (mut meshes, mut caches, mut listings) = (Vec::new(), Vec::new(), Vec::new());
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if is_hidden {
                continue;
            }
            // Links to folders are not followed: they may lead in circles.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push(path);
            } else if is_listing(&path) {
                listings.push(path);
            } else if is_cache(&path) {
                caches.push(path);
            } else if is_mesh(&path) {
                meshes.push(path);
            }
        }
        let name = |path: &Path| path.strip_prefix(below).unwrap_or(path).display().to_string();
        meshes.sort();
        for cache in caches {
            let same = meshes.iter().position(|m| m.file_stem() == cache.file_stem());
            let Some(base) = same.or((meshes.len() == 1).then_some(0)) else { continue };
            units.push(unit(name(&cache), vec![meshes[base].clone(), cache]));
            if meshes.len() > 1 || same.is_some() {
                continue;
            }
        }
        let has_cache = |mesh: &PathBuf| {
            units.iter().any(|u| u.files.len() == 2 && u.files[0] == *mesh && is_cache(&u.files[1]))
        };
        meshes.retain(|mesh| !has_cache(mesh));
        for listing in listings {
            units.push(unit(name(&listing), vec![listing]));
        }
        if has_sequences {
            for (pattern, mut files) in numbered(meshes) {
                files.sort_by_cached_key(|f| chunks(&f.to_string_lossy()));
                let is_one = files.len() == 1;
                units.push(unit(if is_one { name(&files[0]) } else { name(Path::new(&pattern)) }, files));
            }
        } else {
            units.extend(meshes.into_iter().map(|mesh| unit(name(&mesh), vec![mesh])));
        }
    }
    Ok(())
}

/// Files that a folder is searched for; rows of numbers are no meshes, and of TetGen's two files one is enough.
fn is_mesh(path: &Path) -> bool {
    match Format::of(path) {
        None | Some(Format::Points | Format::Numpy | Format::TetgenNode) => false,
        Some(_) => true,
    }
}

/// Files by their names with a `*` for the last number.
fn numbered(files: Vec<PathBuf>) -> BTreeMap<String, Vec<PathBuf>> {
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in files {
        let name = file.to_string_lossy().into_owned();
        let stem = file.file_name().map_or(0, |n| name.len() - n.to_string_lossy().len());
        let end = name[stem..].rfind(|c: char| c.is_ascii_digit()).map(|i| stem + i + 1);
        let pattern = end.map_or_else(
            || name.clone(),
            |end| {
                let start =
                    name[stem..end].rfind(|c: char| !c.is_ascii_digit()).map_or(stem, |i| stem + i + 1);
                format!("{}*{}", &name[..start], &name[end..])
            },
        );
        groups.entry(pattern).or_default().push(file);
    }
    groups
}

/// A long sequence as units of at most so many frames; one that cannot be opened stays whole, and will be a row that says why.
fn ranges(unit: Unit, most: usize) -> Vec<Unit> {
    if !unit.is_sequence {
        return vec![unit];
    }
    let Ok(sequence) = Sequence::open(&unit.files) else { return vec![unit] };
    let frames = sequence.len();
    if frames <= most {
        return vec![unit];
    }
    let starts = (0..frames).step_by(most);
    starts.map(|from| Unit { range: Some([from, (from + most).min(frames) - 1]), ..unit.clone() }).collect()
}

/// A run of digits, by value, or of other characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameChunk {
    /// Digits without leading zeros, the shorter number first.
    Number(usize, String),
    /// Anything else.
    Word(String),
}

/// A name as words and numbers, so that `f2` comes before `f10`.
pub fn chunks(name: &str) -> Vec<NameChunk> {
    let mut out = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (chunk, after) = rest.split_at(end);
        let digits = chunk.trim_start_matches('0');
        out.push(if is_digit {
            NameChunk::Number(digits.len(), digits.to_owned())
        } else {
            NameChunk::Word(chunk.to_owned())
        });
        rest = after;
    }
    out
}
