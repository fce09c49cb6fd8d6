//! A soft organ between two clamps, to be cut.

use crumple_scenes::shapes::tet_box;
use crumple_scenes::trig::{cos, sin};
use crumple_sim::{Settings, SimError, Solid, Surface, VertexId, World};

use super::{Example, ground};

/// A lobe of 18 by 8 by 7 cells, held at both ends.
pub fn build() -> Result<Example, SimError> {
    let mut world = World::new(Settings { rests: true, substeps: 5, damping: 1.0, ..Settings::default() })?;
    let lobe = tet_box([18, 8, 7], [1.4, 0.5, 0.44]).mapped(|[x, y, z]| {
        let along = x / 0.7;
        let girth = 0.55 + 0.45 * cos(1.25 * along) + 0.1 * sin(3.0 * along + 0.6);
        [x, 0.75 + girth * y + 0.06 * sin(2.4 * along), girth * z + 0.05 * cos(3.1 * along)]
    });
    let surface = Surface { thickness: Some(0.012), friction: 0.5 };
    let material = Solid { young: 2e5, poisson: 0.42, surface, ..Solid::default() };
    let id = world.add_solid("organ", &lobe.positions, &lobe.tets, material)?;
    for (v, p) in lobe.positions.iter().enumerate() {
        if p[0].abs() > 0.66 {
            world.pin(id, VertexId(v as u32))?;
        }
    }
    let floor = ground(10, 3.0);
    world.add_fixed("table", &floor.positions, &floor.triangles, surface)?;
    Ok(Example { world, led: Vec::new(), view: ([0.0, 0.55, 0.0], 1.05) })
}
