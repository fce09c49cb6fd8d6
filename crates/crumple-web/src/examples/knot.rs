//! Soft rings on a knot.

use std::f64::consts::TAU;

use crumple_scenes::Solid as Tets;
use crumple_scenes::shapes::{grid_tets, torus_knot};
use crumple_scenes::trig::sin_cos;
use crumple_scenes::vector::{Point, add, cross, scale, sub, unit};
use crumple_sim::{Settings, SimError, Solid, Surface, World};

use super::Example;

const TUBE: f64 = 0.2;
const ROUND: usize = 28;

/// A trefoil that stays, and three rings that hang on it.
pub fn build() -> Result<Example, SimError> {
    let mut world = World::new(Settings { rests: true, substeps: 6, damping: 0.6, ..Settings::default() })?;
    let knot = torus_knot(120, 14, TUBE).mapped(upright);
    let surface = Surface { thickness: Some(0.01), friction: 0.12 };
    world.add_fixed("knot", &knot.positions, &knot.triangles, surface)?;
    for (k, at) in [0.4, 2.6, 4.9].into_iter().enumerate() {
        let ring = ring(at, 0.14 + 0.015 * k as f64, 0.035);
        let material = Solid { young: 6e4, surface, ..Solid::default() };
        world.add_solid(&format!("ring {k}"), &ring.positions, &ring.tets, material)?;
    }
    Ok(Example { world, led: Vec::new(), view: ([0.0, 1.0, 0.0], 1.25) })
}

fn upright([x, y, z]: Point) -> Point {
    [x, y + 1.0, z]
}

/// The curve in the middle of the knot.
fn centre(t: f64) -> Point {
    let ((s2, c2), (s3, c3)) = (sin_cos(2.0 * t), sin_cos(3.0 * t));
    let r = 2.0 + c3;
    upright([r * c2 / 3.0, r * s2 / 3.0, s3 / 3.0])
}

/// A ring of this radius and thickness round the curve at `t`: tets on a grid that closes.
fn ring(t: f64, radius: f64, thickness: f64) -> Tets {
    let tangent = unit(sub(centre(t + 1e-4), centre(t - 1e-4)));
    let side = unit(cross(tangent, [0.3, 0.2, 0.9]));
    let up = cross(tangent, side);
    let mut positions = Vec::new();
    for i in 0..ROUND {
        let (s, c) = sin_cos(TAU * i as f64 / ROUND as f64);
        let out = add(scale(side, c), scale(up, s));
        for j in 0..=2 {
            for k in 0..=2 {
                let [a, b] = [j, k].map(|x| thickness * (x as f64 - 1.0));
                positions.push(add(centre(t), add(scale(out, radius + a), scale(tangent, b))));
            }
        }
    }
    Tets { positions, tets: grid_tets([ROUND, 2, 2], true, 0) }.oriented()
}
