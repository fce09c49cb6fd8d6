//! Overlapping tet boxes, and two entwined vessels.

use std::f64::consts::{PI, TAU};

use crate::{
    Elements, LazyBody, LazyScene, Rng, Solid,
    shapes::{Centreline, TubeGrid, tet_box},
    trig::{self, cos, sin},
    vector::{Point, Rotation, add, scale},
};

/// Some equal boxes of tets, thrown together.
#[derive(Debug, Clone, Copy)]
pub struct TetBoxes {
    /// Number of boxes.
    pub count: usize,
    /// Cubes along each axis of a box; five tets a cube.
    pub cells: [usize; 3],
    /// Edge of a cube.
    pub cell: f64,
    /// Summed volume of the boxes over the volume they are thrown into: about the share of vertices that are inside
    /// another box.
    pub fill: f64,
    /// Fixes where they are and how they move.
    pub seed: u64,
}

impl TetBoxes {
    /// 100 boxes, 1000 tets, 1200 vertices.
    pub const A: Self = Self { count: 100, cells: [2, 1, 1], cell: 0.5, fill: 0.06, seed: 1 };
    /// 8 boxes, 4000 tets, 1936 vertices.
    pub const B: Self = Self { count: 8, cells: [10, 10, 1], cell: 0.1, fill: 0.06, seed: 2 };
    /// 20 of B's boxes, 10,000 tets, 4840 vertices.
    pub const C: Self = Self { count: 20, seed: 3, ..Self::B };
    /// 100 of B's boxes, 50,000 tets, 24,200 vertices.
    pub const E: Self = Self { count: 100, seed: 4, ..Self::B };
    /// 100 boxes, a million tets, 254,100 vertices.
    pub const MILLION: Self = Self { count: 100, cells: [20, 10, 10], cell: 0.05, fill: 0.06, seed: 6 };

    /// The boxes bending, twisting, spinning and drifting over some frames. Over a thousand frames they drift no
    /// further than over twenty: the drift swings, so that a long run stays as crowded as a short one.
    pub fn scene(self, name: &str, frames: usize) -> LazyScene {
        let size = self.cells.map(|n| n as f64 * self.cell);
        let longest = size[0].max(size[1]).max(size[2]);
        let Solid { positions, tets } = tet_box(self.cells, size);
        let rest: std::sync::Arc<[Point]> = positions.into_iter().map(|p| scale(p, 1.0 / longest)).collect();
        let side = trig::cube_root(self.count as f64 * size.iter().product::<f64>() / self.fill);
        let mut rng = Rng::new(self.seed);
        let bodies = (0..self.count).map(|o| {
            let path = Path::new(&mut rng, side, longest);
            let rest = rest.clone();
            LazyBody::new(format!("box{o:03}"), Elements::Tets(tets.clone()), rest.len(), move |frame| {
                path.positions(&rest, frame as f64)
            })
        });
        LazyScene::new(name, frames, bodies.collect())
    }
}

/// How one box moves.
struct Path {
    size: f64,
    turn: Rotation,
    centre: Point,
    velocity: Point,
    axis: Point,
    spin: f64,
    bend: f64,
    twist: f64,
    phase: f64,
}

impl Path {
    fn new(rng: &mut Rng, side: f64, size: f64) -> Self {
        Self {
            size,
            turn: Rotation::random(rng),
            centre: scale(rng.in_box([-0.5; 3], [0.5; 3]), side),
            velocity: scale([rng.normal(), rng.normal(), rng.normal()], 0.05 * size),
            axis: rng.direction(),
            spin: rng.range(-0.12, 0.12),
            bend: rng.range(-0.5, 0.5),
            twist: rng.range(-0.5, 0.5),
            phase: rng.range(0.0, TAU),
        }
    }

    fn positions(&self, rest: &[Point], f: f64) -> Vec<Point> {
        let bend = self.bend * (1.0 + 0.25 * sin(0.6 * f + self.phase));
        let twist = self.twist * (1.0 + 0.25 * cos(0.5 * f + self.phase));
        let turn = Rotation::about(self.axis, self.spin * f).after(&self.turn);
        let at = add(self.centre, scale(self.velocity, 20.0 * sin(f / 20.0)));
        let place = |&[x, y, z]: &Point| {
            let z = z + bend * (x * x - 0.08);
            let y = y + 0.12 * bend * sin(3.0 * x + self.phase);
            let (s, c) = trig::sin_cos(twist * x);
            add(turn.apply(scale([x, c * y - s * z, s * y + c * z], self.size)), at)
        };
        rest.iter().map(place).collect()
    }
}

/// The two vessels of `tets-D`: 20,400 tets, 6192 vertices.
pub const EQUAL_VESSELS: [TubeGrid; 2] = [TubeGrid { around: 12, along: 85, wall: 2, six: 0 }; 2];

/// Two hollow sinuous tubes that wind round each other and interpenetrate in places.
pub fn vessels(name: &str, grids: [TubeGrid; 2], frames: usize) -> LazyScene {
    let bodies = grids.into_iter().enumerate().map(|(o, grid)| {
        let rest = Vessel { o: o as f64, f: 0.0 };
        let Solid { tets, .. } = Solid { positions: grid.positions(&rest), tets: grid.elements() }.oriented();
        LazyBody::new(format!("vessel{o}"), Elements::Tets(tets), grid.vertices(), move |frame| {
            grid.positions(&Vessel { o: o as f64, f: frame as f64 })
        })
    });
    LazyScene::new(name, frames, bodies.collect())
}

/// Vessel `o` (0 or 1) in frame `f`.
struct Vessel {
    o: f64,
    f: f64,
}

impl Centreline for Vessel {
    fn centre(&self, t: f64) -> Point {
        let turn = 0.06 * self.f * (1.0 - 2.0 * self.o);
        let (s, c) = trig::sin_cos(2.2 * TAU * t + self.o * PI + turn);
        let r = 0.20 + 0.07 * sin(TAU * 3.3 * t + 1.7 * self.o + 0.1 * self.f);
        [r * c, r * s, 8.0 * t - 4.0]
    }

    fn radius(&self, t: f64, w: f64) -> f64 {
        (0.14 + 0.08 * w) * (1.0 + 0.12 * sin(TAU * 5.0 * t + 0.4 * self.f + self.o))
    }
}
