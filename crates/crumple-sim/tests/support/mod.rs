//! Bodies that the tests share.
#![allow(dead_code, reason = "each test file uses its part")]

use crumple_scenes::shapes;
use crumple_sim::{Cloth, Settings, Surface, World};

/// The length of a step.
pub const DT: f64 = 1.0 / 60.0;

/// A flat square sheet at a place.
pub fn sheet(cells: usize, size: f64, at: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let sheet = shapes::sheet(cells, cells, [size; 2]);
    (sheet.positions.iter().map(|[x, y, z]| [x + at[0], z + at[1], at[2] - y]).collect(), sheet.triangles)
}

/// A cube of tets at a place.
pub fn block(cells: [usize; 3], size: f64, at: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 4]>) {
    let longest = *cells.iter().max().unwrap() as f64;
    let solid = shapes::tet_box(cells, cells.map(|n| size * n as f64 / longest));
    (solid.positions.iter().map(|p| [p[0] + at[0], p[1] + at[1], p[2] + at[2]]).collect(), solid.tets)
}

/// A square of two triangles.
pub fn floor(size: f64, y: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let h = 0.5 * size;
    (vec![[-h, y, -h], [-h, y, h], [h, y, h], [h, y, -h]], vec![[0, 1, 2], [0, 2, 3]])
}

/// A cloth above a fixed ball of radius 0.4.
pub fn over_ball(cells: usize, settings: Settings) -> World {
    let mut world = World::new(settings).unwrap();
    let (points, triangles) = sheet(cells, 1.2, [0.03, 0.55, 0.01]);
    world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
    let ball = shapes::icosphere(8).mapped(|p| p.map(|x| 0.4 * x));
    world.add_fixed("ball", &ball.positions, &ball.triangles, Surface::with_friction(0.3)).unwrap();
    world
}
