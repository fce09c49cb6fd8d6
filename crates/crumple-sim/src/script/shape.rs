//! Shapes of a scene file's bodies.

use crumple_scenes::shapes::{self, Centreline, TubeGrid, Waves};
use crumple_scenes::vector::{Point, Rotation, add, scale};
use crumple_scenes::{Rng, Solid, Surface, trig};

use super::fields::Fields;
use super::{Loader, ScriptError};

/// Positions with triangles or tets, or none of them.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// One position a vertex.
    pub positions: Vec<[f64; 3]>,
    /// Corners of triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Corners of tets.
    pub tets: Vec<[u32; 4]>,
}

impl From<Surface> for Shape {
    fn from(s: Surface) -> Self {
        Self { positions: s.positions, triangles: s.triangles, tets: Vec::new() }
    }
}

impl From<Solid> for Shape {
    fn from(s: Solid) -> Self {
        Self { positions: s.positions, triangles: Vec::new(), tets: s.tets }
    }
}

/// Most cells along an axis.
const CELLS: usize = 512;

pub(super) fn read(f: &Fields<'_>, load: &Loader<'_>) -> Result<Shape, ScriptError> {
    let kind = f.required("kind")?;
    Ok(match kind {
        "sheet" => {
            let [n, m] = f.counts_or("cells", [20, 20], CELLS)?;
            // A sheet lies flat: y is up.
            shapes::sheet(n, m, f.numbers_or("size", [1.0, 1.0])?).mapped(|[x, y, z]| [x, z, -y]).into()
        }
        "floor" => {
            let [w, d] = f.numbers_or("size", [20.0, 20.0])?;
            let [n, m] = f.counts_or("cells", [1, 1], CELLS)?;
            shapes::sheet(n, m, [w, d]).mapped(|[x, y, z]| [x, z, -y]).into()
        }
        "box" => {
            shapes::tet_box(f.counts_or("cells", [4; 3], CELLS)?, f.numbers_or("size", [1.0; 3])?).into()
        }
        "ball" => {
            let radius = f.number_or("radius", 0.5)?;
            shapes::tet_ball(f.count_or("cells", 6, CELLS)?).mapped(|p| scale(p, radius)).into()
        }
        "sphere" => {
            let radius = f.number_or("radius", 0.5)?;
            shapes::icosphere(f.count_or("cells", 8, CELLS)?).mapped(|p| scale(p, radius)).into()
        }
        "blob" => {
            let radius = f.number_or("radius", 0.5)?;
            let waves = Waves::new(9, f.count_or("seed", 41, usize::MAX >> 1)? as u64);
            let Surface { positions, triangles } = shapes::icosphere(f.count_or("cells", 12, CELLS)?);
            let positions = waves.displace(&positions, 0.0, f.number_or("amplitude", 0.15)?);
            Surface { positions, triangles }.mapped(|p| scale(p, radius)).into()
        }
        "cylinder" => {
            let [n, m] = f.counts_or("cells", [24, 12], CELLS)?;
            let (radius, height) = (f.number_or("radius", 0.3)?, f.number_or("height", 1.0)?);
            shapes::cylinder(n, m, radius, height).mapped(upright).into()
        }
        "torus" => {
            let [n, m] = f.counts_or("cells", [32, 24], CELLS)?;
            let (ring, tube) = (f.number_or("ring", 0.7)?, f.number_or("tube", 0.2)?);
            shapes::torus(n, m, ring, tube).mapped(upright).into()
        }
        "soft-torus" => {
            let [around, along] = f.counts_or("cells", [8, 32], CELLS)?;
            soft_torus(around, along, f.number_or("ring", 0.7)?, f.number_or("tube", 0.2)?).into()
        }
        "pawn" => shapes::pawn(32, 20).mapped(upright).into(),
        "human" => shapes::human().mapped(upright).into(),
        "tooth" => shapes::tooth().mapped(upright).into(),
        "vessel" => vessel(f)?.into(),
        "points" => {
            let [low, high] = f.points("box")?.unwrap_or([[-0.5; 3], [0.5; 3]]);
            let mut rng = Rng::new(f.count_or("seed", 42, usize::MAX >> 1)? as u64);
            let count = f.count_or("count", 1000, 1_000_000)?;
            Shape { positions: (0..count).map(|_| rng.in_box(low, high)).collect(), ..Shape::default() }
        }
        "file" => {
            let path = f.required("path")?;
            load(path).map_err(|what| f.wrong("path", format!("a mesh that can be read ({what})")))?
        }
        _ => return Err(f.wrong("kind", KINDS)),
    })
}

const KINDS: &str = "one of sheet, floor, box, ball, sphere, blob, cylinder, torus, soft-torus, pawn, human, tooth, vessel, \
                     points, file";

/// Shapes that stand along z stand along y.
fn upright([x, y, z]: Point) -> Point {
    [x, z, -y]
}

/// One of the two entwined vessels of Teschner's set-up D, thinner, so that they do not touch.
fn vessel(f: &Fields<'_>) -> Result<Solid, ScriptError> {
    let which = f.count_or("which", 0, 1)?;
    let [around, along, wall] = f.counts_or("cells", [12, 82, 2], CELLS)?;
    let grid =
        TubeGrid { around: around.next_multiple_of(2), along, wall, six: f.count_or("six", 0, 1 << 30)? };
    struct Helix(f64);
    impl Centreline for Helix {
        fn centre(&self, t: f64) -> Point {
            let (s, c) = trig::sin_cos(2.2 * std::f64::consts::TAU * t + self.0 * std::f64::consts::PI);
            [0.3 * c, 0.3 * s, 8.0 * t - 4.0]
        }
        fn radius(&self, _: f64, w: f64) -> f64 {
            0.14 + 0.08 * w
        }
    }
    let positions = grid.positions(&Helix(which as f64));
    Ok(Solid { positions, tets: grid.elements() }.oriented().mapped(|[x, y, z]| scale([z, y, -x], 0.5)))
}

/// A ring of tets: a bar bent until its ends meet.
fn soft_torus(around: usize, along: usize, ring: f64, tube: f64) -> Solid {
    let along = along.max(8).next_multiple_of(2);
    let side = (around / 4).max(1);
    let tets = shapes::grid_tets([along, side, side], true, 0);
    let mut positions = Vec::new();
    for i in 0..along {
        let turn = Rotation::about([0.0, 1.0, 0.0], std::f64::consts::TAU * i as f64 / along as f64);
        for j in 0..=side {
            for k in 0..=side {
                let at = |n: usize| tube * (2.0 * n as f64 / side as f64 - 1.0);
                positions.push(turn.apply(add([ring, 0.0, 0.0], [at(j), at(k), 0.0])));
            }
        }
    }
    Solid { positions, tets }.oriented()
}
