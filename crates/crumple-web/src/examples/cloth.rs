//! A cloth on a ball and a floor.

use crumple_scenes::shapes::{icosphere, sheet};
use crumple_sim::{Cloth, Settings, SimError, Surface, World};

use super::{Example, ground};

const RADIUS: f64 = 0.42;

/// A square of 70 by 70 cells above a ball that stands on the floor.
pub fn build() -> Result<Example, SimError> {
    let mut world = World::new(Settings { substeps: 8, damping: 0.4, ..Settings::default() })?;
    let size = 1.7;
    let square = sheet(70, 70, [size, size]).mapped(|[x, y, z]| [x + 0.05, z + 1.15, 0.03 - y]);
    let edge = size / 70.0;
    let surface = Surface { thickness: Some(0.35 * edge), friction: 0.35 };
    let material = Cloth { stretch: 800.0, bend: 5e-5, surface, ..Cloth::default() };
    world.add_cloth("cloth", &square.positions, &square.triangles, material)?;
    let ball = icosphere(16).mapped(|p| [RADIUS * p[0], RADIUS * p[1] + RADIUS + 0.02, RADIUS * p[2]]);
    let hard = Surface { thickness: Some(0.35 * edge), friction: 0.35 };
    world.add_fixed("ball", &ball.positions, &ball.triangles, hard)?;
    let floor = ground(12, 4.0);
    world.add_fixed("floor", &floor.positions, &floor.triangles, Surface { friction: 0.6, ..hard })?;
    Ok(Example { world, led: Vec::new(), view: ([0.0, 0.45, 0.0], 1.2) })
}
