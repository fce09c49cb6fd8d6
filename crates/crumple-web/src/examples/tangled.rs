//! What crosses at the start, to be untangled.

use std::f64::consts::TAU;

use crumple_scenes::Surface;
use crumple_scenes::shapes::{sheet, sheet_triangles, sheet_uv};
use crumple_scenes::trig::{sin, sin_cos};
use crumple_sim::{Cloth, Settings, SimError, Surface as Skin, World};

use super::{Example, ground};

/// Two sheets, one stuck through the other.
pub fn sheets() -> Result<Example, SimError> {
    let mut world = World::new(Settings { rests: true, substeps: 8, damping: 0.8, ..Settings::default() })?;
    let low =
        sheet(36, 36, [1.2, 1.2]).mapped(|[x, y, _]| [x, 0.55 + 0.03 * sin(5.0 * x) * sin(4.0 * y), -y]);
    let high =
        sheet(30, 30, [0.9, 0.9]).mapped(|[x, y, _]| [x + 0.06 * sin(6.0 * y), y + 0.82, 0.05 + 0.25 * y]);
    add(&mut world, "low", &low)?;
    add(&mut world, "high", &high)?;
    with_floor(world)
}

/// A shirt whose sleeves were pushed through its body.
pub fn shirt() -> Result<Example, SimError> {
    let mut world = World::new(Settings { rests: true, substeps: 8, damping: 0.8, ..Settings::default() })?;
    let body = tube(48, 36, |v| ([0.0, 0.3 + 0.8 * v, 0.0], [0.26, 0.16]), 1);
    add(&mut world, "shirt", &body)?;
    for (name, side) in [("left sleeve", -1.0), ("right sleeve", 1.0)] {
        // From beside the shoulder inward, through the shirt's side.
        let sleeve =
            tube(24, 24, |v| ([side * (0.62 - 0.5 * v), 0.95 - 0.22 * v, 0.02 * side], [0.07, 0.07]), 0);
        add(&mut world, name, &sleeve)?;
    }
    with_floor(world)
}

fn add(world: &mut World, name: &str, surface: &Surface) -> Result<(), SimError> {
    let skin = Skin { thickness: Some(0.006), friction: 0.4 };
    let material = Cloth { stretch: 600.0, bend: 1e-4, surface: skin, ..Cloth::default() };
    world.add_cloth(name, &surface.positions, &surface.triangles, material).map(drop)
}

fn with_floor(mut world: World) -> Result<Example, SimError> {
    let floor = ground(8, 4.0);
    world.add_fixed(
        "floor",
        &floor.positions,
        &floor.triangles,
        Skin { thickness: Some(0.006), friction: 0.6 },
    )?;
    Ok(Example { world, led: Vec::new(), view: ([0.0, 0.6, 0.0], 0.95) })
}

/// An open tube of so many cells around and along: centre and half axes at each height, round the axis 0 or 1.
fn tube(around: usize, along: usize, at: impl Fn(f64) -> ([f64; 3], [f64; 2]), axis: usize) -> Surface {
    // A sheet whose first and last columns are one.
    let grid = Surface {
        positions: sheet_uv(around, along).map(|(u, v)| [u, v, 0.0]).collect(),
        triangles: sheet_triangles(around, along),
    };
    let place = |[u, v, _]: [f64; 3]| {
        let (centre, half) = at(v);
        let (s, c) = sin_cos(TAU * u);
        let ring = if axis == 1 { [half[0] * c, 0.0, half[1] * s] } else { [0.0, half[0] * c, half[1] * s] };
        [0, 1, 2].map(|k| centre[k] + ring[k])
    };
    welded(&grid, place)
}

/// The grid with columns at 0 and at 1 joined, and its vertices in place.
fn welded(grid: &Surface, place: impl Fn([f64; 3]) -> [f64; 3]) -> Surface {
    let mut positions = Vec::new();
    let mut named = vec![0_u32; grid.positions.len()];
    for (v, p) in grid.positions.iter().enumerate() {
        let same = grid.positions[..v].iter().position(|q| p[0] == 1.0 && q[0] == 0.0 && q[1] == p[1]);
        named[v] = match same {
            Some(first) => named[first],
            None => {
                positions.push(place(*p));
                positions.len() as u32 - 1
            }
        };
    }
    let triangles = grid.triangles.iter().map(|t| t.map(|v| named[v as usize])).collect();
    Surface { positions, triangles }
}
