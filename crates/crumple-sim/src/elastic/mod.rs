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
    parts: Vec<Part>,
}

/// The constraints of one body: one past the last of each kind, and its inner damping as a time.
#[derive(Debug)]
struct Part {
    stretches: usize,
    bends: usize,
    tets: usize,
    damping: f64,
}

/// What all constraints of a body share in a substep.
struct Substep<'a> {
    start: &'a [DVec3],
    w: &'a [f64],
    /// Damping by a time constant (Rayleigh's): with γ of it in a substep, a constraint C that changes by `rate` acts as
    /// (C + γ rate) / (1 + γ), with its compliance over 1 + γ.
    gamma: f64,
    /// 1 / (1 + γ).
    less: f64,
    /// What compliances are multiplied by: 1 / h² / (1 + γ).
    per_square: f64,
}

impl<'a> Substep<'a> {
    fn new(start: &'a [DVec3], w: &'a [f64], h: f64, damping: f64) -> Self {
        let gamma = damping / h;
        let less = 1.0 / (1.0 + gamma);
        Self { start, w, gamma, less, per_square: less / (h * h) }
    }
}

impl Elastic {
    pub fn new(bodies: &[Body]) -> Self {
        let mut elastic = Self::default();
        for body in bodies {
            let damping = match &body.kind {
                Kind::Cloth(material) => {
                    stretch::append(body, material, &mut elastic.stretches);
                    bend::append(body, material, &mut elastic.bends);
                    material.damping
                }
                Kind::Solid(material) => {
                    tets::append(body, material, &mut elastic.tets);
                    material.damping
                }
                Kind::Particles(_) | Kind::Led(_) => continue,
            };
            let Self { stretches, bends, tets, .. } = &elastic;
            let (stretches, bends, tets) = (stretches.len(), bends.len(), tets.len());
            elastic.parts.push(Part { stretches, bends, tets, damping });
        }
        elastic
    }

    /// One sweep over all constraints of a substep of length `h` that began at `start`.
    pub fn solve(&self, x: &mut [DVec3], start: &[DVec3], w: &[f64], h: f64) {
        let (mut stretch, mut bend, mut tet) = (0, 0, 0);
        for part in &self.parts {
            let substep = Substep::new(start, w, h, part.damping);
            self.tets[tet..part.tets].iter().for_each(|t| t.solve(x, &substep));
            self.bends[bend..part.bends].iter().for_each(|b| b.solve(x, &substep));
            self.stretches[stretch..part.stretches].iter().for_each(|s| s.solve(x, &substep));
            (stretch, bend, tet) = (part.stretches, part.bends, part.tets);
        }
    }

    /// The energy of deformation, 0 at rest.
    pub fn energy(&self, x: &[DVec3]) -> f64 {
        self.stretches.iter().map(|s| s.energy(x)).sum::<f64>()
            + self.bends.iter().map(|b| b.energy(x)).sum::<f64>()
            + self.tets.iter().map(|t| t.energy(x)).sum::<f64>()
    }
}
