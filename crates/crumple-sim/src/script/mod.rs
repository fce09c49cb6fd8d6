//! Scenes as text: bodies, materials, what holds them, and what happens when.
//!
//! ```
//! let mut script = crumple_sim::script::Script::parse(r#"
//!     name = "drop"
//!     frames = 30
//!     [[body]]
//!     name = "ball"
//!     kind = "solid"
//!     shape = { kind = "ball", cells = 4, radius = 0.2 }
//!     place = { move = [0, 0.5, 0] }
//!     [[body]]
//!     kind = "fixed"
//!     shape = { kind = "floor" }
//! "#)?;
//! let report = script.step()?;
//! assert_eq!((report.frame, report.intersections, script.frames()), (1, 0, 30));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | key | meaning |
//! | --- | --- |
//! | `name`, `about` | what it is called, and one line on why it exists |
//! | `frames`, `step` | how many frames, and seconds a frame (1/60) |
//! | `mode` | `never-cross` (default) or `free` |
//! | `substeps`, `gravity`, `damping`, `push` | as [`Settings`] has them |
//! | `[view]` | `from` (a direction), `focus` (a box): how a film looks at it |
//! | `[[body]]` | `kind` (cloth, solid, particles, fixed), `shape`, `place`, `copies`, `velocity`, `pin`, `motion`, material |
//! | `[[event]]` | `kind` (stroke, grab, turn-pins, unpin), from `frame` on until `until` |
//!
//! A mistake is told with its line.

mod body;
mod event;
mod fields;
mod shape;

pub use shape::Shape;

use toml::de::DeTable;

use crate::{Mode, Settings, SimError, StepReport, World};
use event::{Event, Led};
use fields::{Fields, line_of};

/// What is wrong with a scene file, and on which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ScriptError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// Reads a mesh file that a scene names, or says why not.
pub type Loader<'a> = dyn Fn(&str) -> Result<Shape, String> + 'a;

/// A scene that plays: a world, and what happens in it.
#[derive(Debug)]
pub struct Script {
    name: String,
    about: String,
    frames: usize,
    step: f64,
    view: Look,
    world: World,
    events: Vec<Event>,
    led: Vec<Led>,
}

/// How a film looks at a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// The direction from the scene's middle to the viewer.
    pub from: [f64; 3],
    /// The box that is in view; the first frame's unless told.
    pub focus: Option<[[f64; 3]; 2]>,
}

impl Script {
    /// Reads a scene that names no files.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        Self::parse_with(text, &|path| Err(format!("{path}: no files here")))
    }

    /// Reads a scene.
    pub fn parse_with(text: &str, load: &Loader<'_>) -> Result<Self, ScriptError> {
        let table = DeTable::parse(text).map_err(|e| ScriptError {
            line: line_of(text, e.span().map_or(0, |s| s.start)),
            what: e.message().to_owned(),
        })?;
        let f = Fields::new(text, table.span(), table.get_ref());
        let settings = settings(&f)?;
        let world = World::new(settings).map_err(|e| f.mistake(e.to_string()))?;
        let mut script = Self {
            name: f.required("name")?.to_owned(),
            about: f.string("about")?.unwrap_or_default().to_owned(),
            frames: f.count_or("frames", 120, 1_000_000)?,
            step: f.number_or("step", 1.0 / 60.0)?,
            view: look(&f)?,
            world,
            events: Vec::new(),
            led: Vec::new(),
        };
        if script.step.is_nan() || script.step <= 0.0 {
            return Err(f.wrong("step", "seconds above 0"));
        }
        for body in f.tables("body")? {
            body::read(body, &mut script.world, &mut script.led, load)?;
        }
        if script.world.bodies().len() == 0 {
            return Err(f.wrong("body", "at least one [[body]]"));
        }
        for event in f.tables("event")? {
            script.events.push(event::read(event, &script.world)?);
        }
        f.finish()?;
        Ok(script)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it exists.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// How many frames it plays.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Seconds a frame.
    pub fn seconds(&self) -> f64 {
        self.step
    }

    /// How to look at it.
    pub fn look(&self) -> Look {
        self.view
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to take part.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Whether something intersects, as far as the last step knows.
    pub fn is_crossed(&self) -> bool {
        self.world.is_crossed
    }

    /// Plays one frame: what happens in it, then a step.
    pub fn step(&mut self) -> Result<StepReport, SimError> {
        let Self { world, events, led, step, .. } = self;
        let frame = world.frame() as usize;
        for led in led {
            led.lead(world, frame + 1, *step)?;
        }
        for event in events {
            event.happen(world, frame, *step)?;
        }
        world.step(*step)
    }
}

fn settings(f: &Fields<'_>) -> Result<Settings, ScriptError> {
    let default = Settings::default();
    let mode = match f.string("mode")? {
        None | Some("never-cross") => Mode::NeverCross,
        Some("free") => Mode::Free,
        Some(_) => return Err(f.wrong("mode", "never-cross or free")),
    };
    let settings = Settings {
        mode,
        gravity: f.numbers_or("gravity", default.gravity)?,
        substeps: f.count_or("substeps", default.substeps as usize, 1000)? as u32,
        damping: f.number_or("damping", default.damping)?,
        push: f.number_or("push", default.push)?,
        rests: default.rests,
    };
    match settings.check() {
        Ok(()) => Ok(settings),
        Err(SimError::Parameter { parameter, expected, .. }) => Err(f.wrong(parameter, expected)),
        Err(other) => Err(f.mistake(other.to_string())),
    }
}

fn look(f: &Fields<'_>) -> Result<Look, ScriptError> {
    let from = [0.6, 0.45, 1.0];
    let Some(view) = f.table("view")? else { return Ok(Look { from, focus: None }) };
    let look = Look { from: view.numbers_or("from", from)?, focus: view.points("focus")? };
    view.finish()?;
    Ok(look)
}
