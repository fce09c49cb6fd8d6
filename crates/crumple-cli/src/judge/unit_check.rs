//! One unit: read, checked frame by frame, its page written, its row made. Nothing of it is an error: a bad file is a row.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, copy};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Error, Result};
use crumple_io::ReadOptions;
use crumple_report::{ContentHash, FrameLabel, Options, Recorder, Regions, deepest};

use super::links;
use super::row::{Row, SCHEMA};
use super::units::Unit;
use crate::args::{Common, JudgeArgs};
use crate::output;
use crate::world::World;

/// Hashes that are kept.
const MOST_HASHES: usize = 10_000;

/// Hashes of files, which parts of one sequence share.
#[derive(Default)]
pub struct Hashes(Mutex<HashMap<PathBuf, String>>);

impl Hashes {
    fn of(&self, path: &Path) -> Result<String> {
        if let Some(known) = self.0.lock().ok().and_then(|known| known.get(path).cloned()) {
            return Ok(known);
        }
        let mut hash = ContentHash::default();
        let file = File::open(path).with_context(|| path.display().to_string())?;
        copy(&mut BufReader::with_capacity(1 << 20, file), &mut hash)
            .with_context(|| path.display().to_string())?;
        let hex = hash.hex();
        if let Ok(mut known) = self.0.lock() {
            // Memory does not grow with the number of files.
            if known.len() >= MOST_HASHES {
                known.clear();
            }
            known.insert(path.to_owned(), hex.clone());
        }
        Ok(hex)
    }
}

/// What names a unit by its content: of the same key, the same row.
pub fn key(unit: &Unit, args: &JudgeArgs, hashes: &Hashes) -> String {
    let mut hash = ContentHash::default();
    let question = (args.continuous, args.every, unit.range, unit.is_sequence);
    hash.update(format!("{SCHEMA} {question:?} {}", env!("CARGO_PKG_VERSION")).as_bytes());
    for file in &unit.files {
        // What cannot be read is a row too, with the reason for its content.
        let content = hashes.of(file).unwrap_or_else(|error| format!("{error:#}"));
        hash.update(content.as_bytes());
    }
    hash.hex()
}

/// Judges a unit. `pages` is the folder of pages as rows name it.
pub fn judge(unit: &Unit, key: String, pages: Option<&Path>, args: &JudgeArgs, common: &Common) -> Row {
    let mut row = Row {
        schema: SCHEMA.to_owned(),
        key,
        name: unit.name.clone(),
        range: unit.range,
        frames: 0,
        bad_frames: 0,
        pairs: 0,
        inside: 0,
        edges: 0,
        impacts: 0,
        depth: 0.0,
        worst_frame: None,
        problem: None,
        report: None,
    };
    if let Err(error) = check(unit, pages, args, common, &mut row) {
        row.problem = Some(told(&error));
    }
    row
}

/// An error on one line.
fn told(error: &Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string).filter(|c| !c.is_empty()) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text.replace(['\n', '\r'], " ")
}

fn check(unit: &Unit, pages: Option<&Path>, args: &JudgeArgs, common: &Common, row: &mut Row) -> Result<()> {
    let mut options = ReadOptions::default();
    if args.reports.is_some() {
        options = options.with_uvs();
    }
    let mut world = World::with_options(options);
    if unit.is_sequence {
        world.add_sequence(&unit.files)?;
    } else {
        let file = unit.files.first().context("no file")?;
        world.add_file(file)?;
    }
    let [from, to] = unit.range.unwrap_or([0, world.frames() - 1]);
    let frames: Vec<usize> = (from..=to).step_by(args.every as usize).collect();
    // Between the parts of a sequence there is a step too: it belongs to the later part.
    let before = (args.continuous && from > 0).then(|| from.saturating_sub(args.every as usize));
    let order: Vec<usize> = before.into_iter().chain(frames.iter().copied()).collect();
    world.read_ahead(&order);
    let mut page = args.reports.as_ref().map(|_| recorder(unit, common, &world, frames.len()));
    let (mut most, mut has_before) = (0, false);
    for &f in &order {
        let is_counted = before != Some(f);
        if let Err(error) = world.advance(f) {
            if let (Some(page), true) = (&mut page, is_counted) {
                page.problem(&label(&world, f), told(&error));
            }
            row.problem.get_or_insert_with(|| told(&error));
            continue;
        }
        if !is_counted {
            world.scene.begin_step();
            has_before = true;
            continue;
        }
        let contacts = world.scene.contacts().map_err(|e| world.blame(f, e))?;
        let edges = world.scene.edge_penetrations()?.len();
        let inside = world.scene.penetrations()?.len();
        let mut impacts = 0;
        if args.continuous && has_before {
            let found = world.scene.impacts().map_err(|e| world.blame(f, e))?;
            impacts = found.vertex_triangles.len() + found.edge_edges.len();
        }
        has_before = true;
        let hits = contacts.len() + inside + edges + impacts;
        row.frames += 1;
        row.pairs += contacts.len();
        (row.inside, row.edges, row.impacts) =
            (row.inside + inside, row.edges + edges, row.impacts + impacts);
        if hits > 0 {
            row.bad_frames += 1;
            row.depth = row.depth.max(deepest(&mut world.scene)?);
        }
        if hits > most {
            (most, row.worst_frame) = (hits, Some(f));
        }
        if let Some(page) = &mut page {
            let label = label(&world, f);
            page.frame_after(&mut world.scene, &label, impacts)?;
        }
    }
    if let (Some(page), Some(folder), Some(pages)) = (page, &args.reports, pages)
        && (row.hits() > 0 || row.problem.is_some())
    {
        let name = format!("{}.html", page_name(&row.title(), &row.key));
        page.finish().save(&folder.join(&name))?;
        row.report = Some(links::text(&pages.join(name)));
    }
    Ok(())
}

fn recorder(unit: &Unit, common: &Common, world: &World, frames: usize) -> Recorder {
    let mut options = Options::new(unit.title());
    (options.up, options.frames) = (common.upward(), frames);
    let mut recorder = Recorder::new(options);
    world.scene.ids().for_each(|id| recorder.regions(id, Regions::of(world.data(id))));
    recorder
}

fn label(world: &World, frame: usize) -> FrameLabel {
    let name = world.has_frame_files().then(|| output::file_name(world.frame_file(frame)));
    FrameLabel { number: frame, name }
}

/// A file name from a unit's: its letters and digits, and the beginning of its key, so that no two are the same.
fn page_name(title: &str, key: &str) -> String {
    let plain: String =
        title.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect();
    let from = plain.len().saturating_sub(80);
    format!("{}-{}", plain[from..].trim_matches(['.', '_']), &key[..12.min(key.len())])
}
