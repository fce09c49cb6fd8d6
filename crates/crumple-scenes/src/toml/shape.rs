//! `shape = { kind = …, … }`: elements and rest positions.

use super::{TomlError, fields::Fields};
use crate::{Elements, Solid, Surface, shapes, vector::Point};

/// Largest count in one, two and three directions, so that a typing error is an error and not a full memory.
const LINE: usize = 2_000_000;
const PLANE: usize = 1_000;
const SPACE: usize = 100;

/// What a body starts from.
pub(super) struct Shape {
    pub(super) elements: Elements,
    /// Positions of each frame where the file lists them, otherwise one list for all.
    pub(super) frames: Vec<Vec<Point>>,
}

impl From<Surface> for Shape {
    fn from(s: Surface) -> Self {
        Self { elements: Elements::Triangles(s.triangles), frames: vec![s.positions] }
    }
}

impl From<Solid> for Shape {
    fn from(s: Solid) -> Self {
        Self { elements: Elements::Tets(s.tets), frames: vec![s.positions] }
    }
}

pub(super) const KINDS: &str = "icosphere, uv-sphere, torus, torus-knot, sheet, disc, fan, moebius, klein, cylinder, \
    cone, capsule, pawn, blob, box, human, tooth, triangle-soup, tet-box, tet-ball, tet-tube, tet-soup, points, mesh";

/// Reads a shape; `seed` is used where the shape draws random numbers and names no seed itself.
pub(super) fn read(f: Fields<'_>, seed: u64) -> Result<Shape, TomlError> {
    let Some(kind) = f.string("kind")? else { return Err(f.wrong("kind", format!("one of {KINDS}"))) };
    let around = |default| f.count_or("around", default, 3..=PLANE);
    let cells2 = |default: [usize; 2], least| f.counts_or("cells", default, least..=PLANE);
    let shape: Shape = match kind {
        "icosphere" => shapes::icosphere(f.count_or("n", 4, 1..=300)?).into(),
        "uv-sphere" => shapes::uv_sphere(around(12)?, f.count_or("bands", 8, 2..=PLANE)?).into(),
        "torus" => {
            let [nu, nv] = cells2([16, 8], 3)?;
            shapes::torus(nu, nv, f.positive_or("ring", 0.7)?, f.positive_or("tube", 0.2)?).into()
        }
        "torus-knot" => {
            let [nu, nv] = cells2([48, 6], 3)?;
            shapes::torus_knot(nu, nv, f.positive_or("tube", 0.42)?).into()
        }
        "sheet" => {
            let [nx, ny] = cells2([8, 8], 1)?;
            shapes::sheet(nx, ny, f.numbers_or("size", [1.0, 1.0])?).into()
        }
        "disc" => shapes::disc(around(12)?, f.count_or("rings", 3, 1..=PLANE)?).into(),
        "fan" => shapes::fan(f.count_or("triangles", 12, 3..=LINE)?, f.positive_or("turns", 1.0)?).into(),
        "moebius" => {
            let [n, m] = cells2([24, 3], 1)?;
            let half_turns = f.count_or("half_turns", 1, 0..=100)? as u32;
            shapes::moebius_strip(n, m, f.positive_or("width", 0.5)?, half_turns).into()
        }
        "klein" => {
            let [nu, nv] = cells2([16, 10], 3)?;
            shapes::klein_bottle(nu, nv).into()
        }
        "cylinder" | "cone" => {
            let make = if kind == "cone" { shapes::cone } else { shapes::cylinder };
            let (n, rings) = (around(12)?, f.count_or("rings", 6, 1..=PLANE)?);
            make(n, rings, f.positive_or("radius", 0.4)?, f.positive_or("height", 2.0)?).into()
        }
        "capsule" => {
            let (bands, middle) = (f.count_or("bands", 3, 1..=PLANE)?, f.count_or("middle", 4, 0..=PLANE)?);
            let (radius, length) = (f.positive_or("radius", 0.3)?, f.positive_or("length", 1.0)?);
            shapes::capsule(around(10)?, bands, middle, radius, length).into()
        }
        "pawn" => shapes::pawn(around(16)?, f.count_or("bands", 14, 3..=PLANE)?).into(),
        "blob" => shapes::blob(f.count_or("n", 4, 1..=300)?, f.seed_or("seed", seed)?, 0.0).into(),
        "box" => {
            let cells = f.counts_or("cells", [2, 2, 2], 1..=SPACE)?;
            shapes::box_surface(cells, f.numbers_or("size", [1.0; 3])?).into()
        }
        "human" => shapes::human().into(),
        "tooth" => shapes::tooth().into(),
        "triangle-soup" | "tet-soup" => {
            let (count, size) = (f.count_or("count", 100, 0..=LINE)?, f.positive_or("size", 0.3)?);
            let seed = f.seed_or("seed", seed)?;
            match kind {
                "tet-soup" => shapes::tet_soup(count, size, seed).into(),
                _ => shapes::triangle_soup(count, size, seed).into(),
            }
        }
        "tet-box" => {
            let cells = f.counts_or("cells", [2, 2, 2], 1..=SPACE)?;
            shapes::tet_box(cells, f.numbers_or("size", [1.0; 3])?).into()
        }
        "tet-ball" => shapes::tet_ball(f.count_or("n", 3, 1..=SPACE)?).into(),
        "tet-tube" => {
            let grid = shapes::TubeGrid {
                around: f.count_or("around", 8, 4..=PLANE)?,
                along: f.count_or("along", 8, 1..=PLANE)?,
                wall: f.count_or("wall", 1, 1..=20)?,
                six: 0,
            };
            let (inner, outer) = (f.positive_or("inner", 0.3)?, f.positive_or("outer", 0.5)?);
            shapes::tet_tube(grid, inner, outer, f.positive_or("length", 2.0)?).into()
        }
        "points" => {
            let count = f.count_or("count", 100, 0..=LINE)?;
            let (lo, hi) = (f.numbers_or("lo", [-1.0; 3])?, f.numbers_or("hi", [1.0; 3])?);
            let points = shapes::point_cloud(count, lo, hi, f.seed_or("seed", seed)?);
            Shape { elements: Elements::Points, frames: vec![points] }
        }
        "mesh" => mesh(&f)?,
        _ => return Err(f.wrong("kind", format!("one of {KINDS}"))),
    };
    f.finish()?;
    Ok(shape)
}

/// A mesh written out: `vertices` (or `frames`, one list of positions per frame), and `triangles` or `tets` or neither.
fn mesh(f: &Fields<'_>) -> Result<Shape, TomlError> {
    let frames = match (f.rows("vertices")?, f.frames("frames")?) {
        (Some(vertices), None) => vec![vertices],
        (None, Some(frames)) if !frames.is_empty() => frames,
        _ => return Err(f.wrong("vertices", "either vertices or frames")),
    };
    let vertices = frames[0].len();
    if frames.iter().any(|p| p.len() != vertices) {
        return Err(f.wrong("frames", format!("{vertices} positions in every frame")));
    }
    let elements = match (f.elements("triangles", vertices)?, f.elements("tets", vertices)?) {
        (Some(t), None) => Elements::Triangles(t),
        (None, Some(t)) => Elements::Tets(t),
        (None, None) => Elements::Points,
        (Some(_), Some(_)) => return Err(f.wrong("tets", "either triangles or tets, not both")),
    };
    Ok(Shape { elements, frames })
}
