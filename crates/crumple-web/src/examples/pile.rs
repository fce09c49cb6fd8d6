//! Soft bodies in a bowl.

use crumple_scenes::shapes::{sheet, tet_box};
use crumple_scenes::vector::{Rotation, add, norm, scale};
use crumple_scenes::{Rng, Solid as Tets};
use crumple_sim::{Settings, SimError, Solid, Surface, World};

use super::Example;

const COUNT: usize = 30;

/// How far a cube's shells are blown up to spheres. With 1 its edges become flat, and the tets there too, which then flutter.
const ROUND: f64 = 0.55;

/// Pebbles, cubes and bars, each of 500 tets.
pub fn build() -> Result<Example, SimError> {
    let mut world = World::new(Settings { rests: true, substeps: 4, damping: 2.0, ..Settings::default() })?;
    let bowl = sheet(24, 24, [2.6, 2.6]).mapped(|[x, y, _]| [x, 0.42 * (x * x + y * y), -y]);
    let surface = Surface { thickness: Some(0.01), friction: 0.4 };
    world.add_fixed("bowl", &bowl.positions, &bowl.triangles, surface)?;
    let mut rng = Rng::new(7);
    for k in 0..COUNT {
        let (row, layer) = (k % 9, k / 9);
        let at = [
            0.42 * ((row % 3) as f64 - 1.0) + rng.range(-0.02, 0.02),
            0.75 + 0.42 * layer as f64,
            0.42 * ((row / 3) as f64 - 1.0) + rng.range(-0.02, 0.02),
        ];
        let turn = Rotation::random(&mut rng);
        let body = shape(k).mapped(|p| add(turn.apply(p), at));
        let material = Solid { young: 4e4, poisson: 0.4, damping: 0.01, surface, ..Solid::default() };
        world.add_solid(
            &format!("{} {k}", ["pebble", "cube", "bar"][k % 3]),
            &body.positions,
            &body.tets,
            material,
        )?;
    }
    Ok(Example { world, led: Vec::new(), view: ([0.0, 0.55, 0.0], 1.5) })
}

/// A pebble, a cube or a bar within a ball of radius 0.2.
fn shape(k: usize) -> Tets {
    let cells = [5, 5, 4];
    match k % 3 {
        0 => tet_box(cells, [2.0; 3]).mapped(|p| {
            let shell = p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let length = norm(p);
            if length > 0.0 { scale(p, 0.145 * (1.0 - ROUND + ROUND * shell / length)) } else { p }
        }),
        1 => tet_box(cells, [0.22; 3]),
        _ => tet_box(cells, [0.32, 0.16, 0.14]),
    }
}
