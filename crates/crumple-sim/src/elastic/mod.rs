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

/// What all constraints of a substep share.
struct Substep<'a> {
    start: &'a [DVec3],
    w: &'a [f64],
    h: f64,
    per_square: f64,
}

impl Substep<'_> {
    /// Damping by a time constant (Rayleigh's): with γ of it in a substep, a constraint C that changes by `rate` acts as
    /// (C + γ rate) / (1 + γ), with its compliance over 1 + γ.
    #[inline]
    fn gamma(&self, damping: f64) -> f64 {
        damping / self.h
    }
}

impl Elastic {
    pub fn new(bodies: &[Body]) -> Self {
        let mut elastic = Self::default();
        for body in bodies {
            match &body.kind {
                Kind::Cloth(material) => {
                    stretch::append(body, material, &mut elastic.stretches);
                    bend::append(body, material, &mut elastic.bends);
                }
                Kind::Solid(material) => tets::append(body, material, &mut elastic.tets),
                Kind::Particles(_) | Kind::Led(_) => {}
            }
        }
        elastic
    }

    /// One sweep over all constraints of a substep of length `h` that began at `start`.
    pub fn solve(&self, x: &mut [DVec3], start: &[DVec3], w: &[f64], h: f64) {
        let substep = Substep { start, w, h, per_square: 1.0 / (h * h) };
        self.tets.iter().for_each(|t| t.solve(x, &substep));
        self.bends.iter().for_each(|b| b.solve(x, &substep));
        self.stretches.iter().for_each(|s| s.solve(x, &substep));
    }

    /// The energy of deformation, 0 at rest.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        self.stretches.iter().map(|s| s.energy(x)).sum::<f64>()
            + self.bends.iter().map(|b| b.energy(x)).sum::<f64>()
            + self.tets.iter().map(|t| t.energy(x)).sum::<f64>()
    }
}
