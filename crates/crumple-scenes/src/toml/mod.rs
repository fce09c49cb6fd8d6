//! The one scene format: tests, benchmarks, fuzzing and the program read the same files.
//!
//! ```
//! let scene = crumple_scenes::toml::parse(
//!     r#"
//!     name = "two-sheets"
//!     frames = 3
//!     [[body]]
//!     shape = { kind = "sheet", cells = [4, 4] }
//!     motion = [{ kind = "ripple", amplitude = 0.2 }]
//!     [[body]]
//!     shape = { kind = "sheet", cells = [3, 3] }
//!     place = { axis = [1, 0, 0], degrees = 90 }
//!     [expect]
//!     self = 0
//!     "#,
//! )
//! .unwrap();
//! assert_eq!((scene.frames, scene.elements()), (3, 32 + 18));
//! ```
//!
//! | key | meaning |
//! | --- | --- |
//! | `name` | required; the file's own name without `.toml` |
//! | `about` | one line: why the scene exists |
//! | `frames` | number of frames, 1 unless given |
//! | `seed` | for shapes and motions that draw random numbers and name none; each body takes the next one |
//! | `scene` | instead of bodies: a registered scene; `frames` then cuts it short |
//! | `snap` | every position of every frame rounded to multiples of this: exact ties |
//! | `f32` | every position rounded to the nearest `f32` first |
//! | `[[body]]` | `name`, `shape`, `motion`, `place`, and its own `snap` and `f32` |
//! | `[expect]` | `self`, `neighbours`, `pairs`, `tets`, `inside`, `distance`: see [`Expect`] |
//!
//! A body is its `shape` (a kind and its parameters, see [`shapes`](crate::shapes)), moved in its own coordinates by
//! each `motion` in turn (see [`motions`](crate::motions)), then put into the world by `place` (`scale`, then `degrees`
//! about `axis`, then `shift`), then snapped, then rounded. Angles are in degrees. A shape of kind `mesh` is written
//! out: `vertices` (or `frames`, one list of positions each), and `triangles` or `tets` or neither. [`write()`] makes
//! such a file of any scene.
//!
//! Every error names the key, as in `body[1].shape.cells`; unknown keys are errors.

mod fields;
mod motion;
mod shape;
mod write;

pub use write::write;

use fields::Fields;
use motion::Place;

use crate::{Elements, Expect, LazyBody, LazyScene, motions::Mover, vector::Point};

/// What is wrong with a scene file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TomlError {
    /// Not TOML; the text shows the line.
    #[error("{0}")]
    Syntax(String),
    /// A key that means nothing here.
    #[error("{key}: unknown key; known are {known}")]
    Unknown {
        /// Full name of the key.
        key: String,
        /// What could have been meant.
        known: String,
    },
    /// A value of the wrong kind or out of range, or a missing one.
    #[error("{key}: expected {expected}, found {found}")]
    Wrong {
        /// Full name of the key.
        key: String,
        /// What would have been right.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Numbers that are each in range but overflow together.
    #[error("body[{body}]: vertex {vertex} is not finite in frame {frame}")]
    NotFinite {
        /// Position in the list of bodies.
        body: usize,
        /// Index of the vertex.
        vertex: usize,
        /// Index of the frame.
        frame: usize,
    },
}

/// Most frames a file may ask for.
const FRAMES: usize = 10_000;

/// Most positions over all frames: a slip of the keyboard is an error, not an hour of waiting.
const POSITIONS: usize = 100_000_000;

/// Reads a scene file.
pub fn parse(text: &str) -> Result<LazyScene, TomlError> {
    let table: ::toml::Table = text
        .parse()
        .map_err(|e: ::toml::de::Error| TomlError::Syntax(e.to_string().trim_end().to_owned()))?;
    let f = Fields::new("", &table);
    let name = f.string("name")?.ok_or_else(|| f.wrong("name", "a name"))?.to_owned();
    f.string("about")?;
    let seed = f.seed_or("seed", 0)?;
    let finish = Finish::read(&f)?;
    let expect = f.table("expect")?.map_or(Ok(Expect::default()), read_expect)?;
    let mut scene = match f.string("scene")? {
        Some(other) => referred(&f, other, finish)?,
        None => composed(&f, seed, finish)?,
    };
    f.finish()?;
    scene.name = name;
    if !expect.is_empty() {
        scene.expect = expect;
    }
    Ok(scene)
}

/// A registered scene, perhaps cut short or rounded; its stated answers hold only if it is neither.
fn referred(f: &Fields<'_>, other: &str, finish: Finish) -> Result<LazyScene, TomlError> {
    let scene = crate::lazy(other).ok_or_else(|| f.wrong("scene", "the name of a registered scene"))?;
    if f.has("body") {
        return Err(f.wrong("body", "either a registered scene or bodies, not both"));
    }
    let frames = f.count_or("frames", scene.frames, 1..=scene.frames)?;
    let mut scene = scene.first(frames);
    if !finish.is_nothing() {
        scene.bodies = scene.bodies.into_iter().map(|b| finish.apply(b)).collect();
        scene.expect = Expect::default();
        check_finite(&scene.bodies, frames)?;
    }
    Ok(scene)
}

/// A scene of the file's own bodies.
fn composed(f: &Fields<'_>, seed: u64, finish: Finish) -> Result<LazyScene, TomlError> {
    let bodies = f.tables("body")?;
    if bodies.is_empty() {
        return Err(f.wrong("body", "at least one body, or the name of a registered scene"));
    }
    let frames = f.count_or("frames", 1, 1..=FRAMES)?;
    let read = |(k, b): (usize, Fields<'_>)| read_body(b, k, seed.wrapping_add(k as u64), frames, finish);
    let bodies = bodies.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    let twice = (1..bodies.len()).find(|&k| bodies[..k].iter().any(|b| b.name == bodies[k].name));
    if let Some(k) = twice {
        let (key, found) = (format!("body[{k}].name"), format!("{:?} again", bodies[k].name));
        return Err(TomlError::Wrong { key, expected: "a name of its own".into(), found });
    }
    let vertices: usize = bodies.iter().map(|b| b.vertices).sum();
    if vertices.saturating_mul(frames) > POSITIONS {
        let expected = format!("at most {POSITIONS} positions in all frames of {vertices} vertices");
        return Err(f.wrong("frames", expected));
    }
    check_finite(&bodies, frames)?;
    Ok(LazyScene::new("", frames, bodies))
}

/// The last step of a position: snapping and rounding.
#[derive(Clone, Copy)]
struct Finish {
    snap: Option<f64>,
    f32: bool,
}

impl Finish {
    fn read(f: &Fields<'_>) -> Result<Self, TomlError> {
        let snap = if f.has("snap") { Some(f.positive_or("snap", 1.0)?) } else { None };
        Ok(Self { snap, f32: f.flag("f32")? })
    }

    fn is_nothing(self) -> bool {
        self.snap.is_none() && !self.f32
    }

    fn at(self, p: Point) -> Point {
        p.map(|x| {
            let x = self.snap.map_or(x, |s| (x / s).round() * s);
            if self.f32 { f64::from(x as f32) } else { x }
        })
    }

    fn apply(self, body: LazyBody) -> LazyBody {
        let (name, elements, vertices) = (body.name.clone(), body.elements.clone(), body.vertices);
        LazyBody::new(name, elements, vertices, move |frame| {
            body.positions(frame).into_iter().map(|p| self.at(p)).collect()
        })
    }
}

fn read_body(f: Fields<'_>, k: usize, seed: u64, frames: usize, all: Finish) -> Result<LazyBody, TomlError> {
    let name = f.string("name")?.map_or_else(|| format!("body{k}"), str::to_owned);
    let shape = f.table("shape")?.ok_or_else(|| f.wrong("shape", "a table with a kind"))?;
    let shape = shape::read(shape, seed)?;
    if shape.frames.len() != 1 && shape.frames.len() != frames {
        return Err(f.wrong("shape", format!("positions for {frames} frames, or for one")));
    }
    let vertices = shape.frames[0].len();
    let motions =
        f.tables("motion")?.into_iter().map(|m| motion::read(m, seed)).collect::<Result<Vec<_>, _>>()?;
    let place = f.table("place")?.map_or(Ok(Place::NOWHERE), Place::read)?;
    let own = Finish::read(&f)?;
    f.finish()?;
    let finish = Finish { snap: own.snap.or(all.snap), f32: own.f32 || all.f32 };
    let movers: Vec<Mover> = motions.iter().map(|m| m.mover(&shape.elements, vertices)).collect();
    let (elements, rest): (Elements, Vec<Vec<Point>>) = (shape.elements, shape.frames);
    Ok(LazyBody::new(name, elements, vertices, move |frame| {
        let mut points = rest[frame.min(rest.len() - 1)].clone();
        movers.iter().for_each(|mover| mover(&mut points, frame));
        points.iter_mut().for_each(|p| *p = finish.at(place.at(*p)));
        points
    }))
}

fn read_expect(f: Fields<'_>) -> Result<Expect, TomlError> {
    let count = |key: &'static str| Ok(if f.has(key) { Some(f.seed_or(key, 0)?) } else { None });
    let expect = Expect {
        self_pairs: count("self")?,
        neighbour_pairs: count("neighbours")?,
        pairs: count("pairs")?,
        tets: count("tets")?,
        inside: count("inside")?,
        distance: f.number("distance")?,
    };
    f.finish()?;
    Ok(expect)
}

/// First and last frame: motions grow monotonically, so that what overflows does so there.
fn check_finite(bodies: &[LazyBody], frames: usize) -> Result<(), TomlError> {
    for (k, body) in bodies.iter().enumerate() {
        for frame in [0, frames - 1] {
            let bad = body.positions(frame).iter().position(|p| !p.iter().all(|x| x.is_finite()));
            if let Some(vertex) = bad {
                return Err(TomlError::NotFinite { body: k, vertex, frame });
            }
        }
    }
    Ok(())
}
