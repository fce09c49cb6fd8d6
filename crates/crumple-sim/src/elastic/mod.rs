//! What bodies are made of, as constraints on vertices of the world's arrays.

mod bend;
mod stretch;
mod tets;

use glam::DVec3;

use crate::body::{Body, Kind};
use bend::Bend;
use stretch::Stretch;
use tets::Tet;

/// The constraints of all bodies, each kind in the order of bodies and elements.
#[derive(Debug, Default)]
pub(crate) struct Elastic {
    stretches: Vec<Stretch>,
    bends: Vec<Bend>,
    tets: Vec<Tet>,
}

impl Elastic {
    pub fn new(bodies: &[Body]) -> Self {
        let mut elastic = Self::default();
        for body in bodies {
            match &body.kind {
                Kind::Cloth(material) => {
                    stretch::append(body, material.stretch, &mut elastic.stretches);
                    bend::append(body, material.bend, &mut elastic.bends);
                }
                Kind::Solid(material) => tets::append(body, material, &mut elastic.tets),
                Kind::Particles(_) | Kind::Led(_) => {}
            }
        }
        elastic
    }

    /// One sweep over all constraints of a substep of length `h`.
    pub fn solve(&self, x: &mut [DVec3], w: &[f64], h: f64) {
        let per_square = 1.0 / (h * h);
        self.tets.iter().for_each(|t| t.solve(x, w, per_square));
        self.bends.iter().for_each(|b| b.solve(x, w, per_square));
        self.stretches.iter().for_each(|s| s.solve(x, w, per_square));
    }

    /// The energy of deformation, 0 at rest.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        self.stretches.iter().map(|s| s.energy(x)).sum::<f64>()
            + self.bends.iter().map(|b| b.energy(x)).sum::<f64>()
            + self.tets.iter().map(|t| t.energy(x)).sum::<f64>()
    }
}
