//! Particles on a body that breathes: the scene of Heidelberger, Teschner and Gross's figure 11, with particles that cannot
//! get in.

use crumple_scenes::shapes::{Waves, icosphere};
use crumple_scenes::{Rng, vector};
use crumple_sim::{Particles, Settings, SimError, Surface, World};

use super::{Example, ground};

const FLAKES: usize = 1500;

/// A breathing body of 5,120 triangles under falling particles.
pub fn build() -> Result<Example, SimError> {
    let mut world =
        World::new(Settings { substeps: 4, damping: 0.6, gravity: [0.0, -4.0, 0.0], ..Settings::default() })?;
    let ball = icosphere(16);
    let waves = Waves::new(7, 41);
    let directions = ball.positions.clone();
    let body = move |time: f64| -> Vec<[f64; 3]> {
        let at = waves.displace(&directions, 1.1 * time, 0.22);
        at.into_iter().map(|p| vector::add(vector::scale(p, 0.5), [0.0, 0.8, 0.0])).collect()
    };
    let surface = Surface { thickness: Some(0.02), friction: 0.5 };
    let id = world.add_fixed("body", &body(0.0), &ball.triangles, surface)?;
    let tray = ground(10, 3.2).mapped(|[x, _, z]| [x, 0.12 * (x * x + z * z), z]);
    world.add_fixed("tray", &tray.positions, &tray.triangles, surface)?;
    let mut rng = Rng::new(42);
    let flakes: Vec<[f64; 3]> = (0..FLAKES).map(|_| rng.in_box([-0.7, 1.6, -0.7], [0.7, 4.2, 0.7])).collect();
    world.add_particles("snow", &flakes, Particles::of_size(0.02))?;
    Ok(Example { world, led: vec![(id, Box::new(body))], view: ([0.0, 0.75, 0.0], 1.3) })
}
