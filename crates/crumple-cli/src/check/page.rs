//! `check --report`: what was found as a page to look around in.

use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use crumple_report::{FrameLabel, Options, Recorder, Regions};

use super::report::{FrameRow, Report};
use crate::args::Common;
use crate::output;
use crate::world::World;

/// Notes on the page about odd elements of the first frame.
const MOST_NOTES: usize = 50;

/// Takes the frames of a check and writes the page at the end.
pub struct PageSink {
    path: PathBuf,
    recorder: Recorder,
    /// The first frame that could not be read.
    first: Option<Error>,
    is_many: bool,
}

impl PageSink {
    /// For the frames that will be checked.
    pub fn new(path: &Path, common: &Common, world: &World, frames: &[usize]) -> Self {
        let mut options = Options::new(title(world));
        let words = std::env::args().skip(1).map(|word| quoted(&word));
        options.command = ["crumple".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ");
        (options.up, options.frames) = (common.upward(), frames.len());
        let mut recorder = Recorder::new(options);
        for id in world.scene.ids() {
            recorder.regions(id, Regions::of(world.data(id)));
        }
        Self { path: path.to_owned(), recorder, first: None, is_many: frames.len() > 1 }
    }

    /// Records a frame that was checked.
    pub fn frame(&mut self, world: &mut World, row: &FrameRow) -> Result<(), crumple::Error> {
        let label = FrameLabel { number: row.frame, name: row.name.clone() };
        self.recorder.frame_after(&mut world.scene, &label, row.impacts.as_ref().map_or(0, |i| i.len()))
    }

    /// Records a frame that could not be read.
    pub fn problem(&mut self, world: &World, frame: usize, error: Error) {
        let name = world.has_frame_files().then(|| output::file_name(world.frame_file(frame)));
        self.recorder.problem(&FrameLabel { number: frame, name }, format!("{error:#}"));
        self.first.get_or_insert(error);
    }

    /// Writes the page; the first frame that could not be read is an error once it is written.
    pub fn finish(mut self, report: &Report) -> Result<()> {
        for frame in report.frames.iter().take(1) {
            for odd in frame.diagnostics.iter().take(MOST_NOTES) {
                let when = if self.is_many { format!("frame {}, ", frame.frame) } else { String::new() };
                self.recorder.note(format!("{when}{}: {}", report.bodies[odd.body.index()].name, odd.text));
            }
            let left = frame.diagnostics.len().saturating_sub(MOST_NOTES);
            if left > 0 {
                self.recorder.note(format!("… and {left} more odd elements (--json lists all)"));
            }
            let found = format!("{} ({})", frame.method, frame.guarantee);
            self.recorder.fact("Method", found);
        }
        self.recorder.fact("Time", report.times());
        let path = &self.path;
        self.recorder.finish().save(path).with_context(|| format!("--report {}", path.display()))?;
        match self.first {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// The bodies by name, as many as fit a line; a single one with its folder, which often says more.
fn title(world: &World) -> String {
    let names: Vec<&str> = world.scene.bodies().meshes().iter().map(|m| m.name()).collect();
    let folder = world.frame_file(0).parent().and_then(Path::file_name);
    match &names[..] {
        [a, b, c, _, rest @ ..] if !rest.is_empty() => format!("{a}, {b}, {c} and {} more", rest.len() + 1),
        [one] => folder.map_or_else(|| (*one).to_owned(), |f| format!("{} / {one}", f.to_string_lossy())),
        all => all.join(", "),
    }
}

/// A word as it is typed into a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
