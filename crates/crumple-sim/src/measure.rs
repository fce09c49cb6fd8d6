//! Energies and hashes.

use glam::DVec3;

use crate::{Energy, World};

pub(crate) fn energy(world: &World) -> Energy {
    let state = &world.state;
    let gravity = DVec3::from_array(world.settings.gravity);
    let mut energy = Energy::default();
    for (i, &mass) in state.mass.iter().enumerate() {
        energy.kinetic += 0.5 * mass * state.v[i].length_squared();
        energy.potential -= mass * gravity.dot(state.x[i]);
    }
    energy.elastic = world.elastic.energy(&state.x, &state.w, world.substep);
    energy
}

/// FNV-1a over the bits.
pub(crate) fn hash<'a>(points: impl Iterator<Item = &'a DVec3>) -> u64 {
    let bytes = points.flat_map(|p| p.to_array()).flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}
