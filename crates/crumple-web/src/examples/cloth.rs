//! A cloth on a ball, above a floor.

use crumple_scenes::shapes::{icosphere, sheet};
use crumple_sim::{Cloth, Settings, SimError, Surface, World};

use super::{Example, ground};

const RADIUS: f64 = 0.42;
/// The height of the ball's centre: the cloth's corners hang free.
const HEIGHT: f64 = 1.22;

/// A square of 70 by 70 cells above a ball. It falls as slowly as light cloth does in air.
pub fn build() -> Result<Example, SimError> {
    let mut world = World::new(Settings { rests: true, substeps: 3, damping: 5.0, ..Settings::default() })?;
    let size = 1.7;
    let square = sheet(70, 70, [size, size]).mapped(|[x, y, z]| [x + 0.05, z + HEIGHT + 0.48, 0.03 - y]);
    let surface = Surface { thickness: Some(0.2 * size / 70.0), friction: 0.35 };
    let material = Cloth { stretch: 800.0, bend: 5e-4, surface, ..Cloth::default() };
    world.add_cloth("cloth", &square.positions, &square.triangles, material)?;
    let ball = icosphere(10).mapped(|p| [RADIUS * p[0], RADIUS * p[1] + HEIGHT, RADIUS * p[2]]);
    world.add_fixed("ball", &ball.positions, &ball.triangles, surface)?;
    let floor = ground(12, 4.0);
    world.add_fixed("floor", &floor.positions, &floor.triangles, Surface { friction: 0.6, ..surface })?;
    Ok(Example { world, led: Vec::new(), view: ([0.0, 0.85, 0.0], 1.2) })
}
