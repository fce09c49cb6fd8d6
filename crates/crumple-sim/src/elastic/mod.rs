//! What bodies are made of, as constraints on vertices of the world's arrays.

mod bend;
pub(crate) mod lanes;
mod stretch;
mod tets;

use crumple::geometry::simd::{Kernel, Simd, dispatch};
use glam::DVec3;

use crate::body::{Body, Kind};
use bend::Bends;
use lanes::Points;
use stretch::Stretches;
use tets::Tets;

/// The constraints of all bodies, each kind in the order of bodies, four at a time.
#[derive(Debug, Default)]
pub(crate) struct Elastic {
    stretches: Vec<Stretches>,
    bends: Vec<Bends>,
    tets: Vec<Tets>,
    parts: Vec<Part>,
    points: Points,
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
struct Substep {
    /// Damping by a time constant (Rayleigh's): with γ of it in a substep, a constraint C that changes by `rate` acts as
    /// (C + γ rate) / (1 + γ), with its compliance over 1 + γ.
    gamma: f64,
    /// 1 / (1 + γ).
    less: f64,
    /// What compliances are multiplied by: 1 / h² / (1 + γ).
    per_square: f64,
}

impl Substep {
    fn new(h: f64, damping: f64) -> Self {
        let gamma = damping / h;
        let less = 1.0 / (1.0 + gamma);
        Self { gamma, less, per_square: less / (h * h) }
    }
}

impl Elastic {
    pub fn new(bodies: &[Body]) -> Self {
        let mut elastic = Self::default();
        let vertices = bodies.iter().map(|b| b.range().end).max().unwrap_or(0);
        for body in bodies {
            let damping = match &body.kind {
                Kind::Cloth(material) => {
                    stretch::append(body, material, vertices, &mut elastic.stretches);
                    bend::append(body, material, vertices, &mut elastic.bends);
                    material.damping
                }
                Kind::Solid(material) => {
                    tets::append(body, material, vertices, &mut elastic.tets);
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
    pub fn solve(&mut self, x: &mut [DVec3], start: &[DVec3], w: &[f64], h: f64) {
        if self.parts.is_empty() {
            return;
        }
        let mut points = std::mem::take(&mut self.points);
        points.fill(x, start, w);
        dispatch(Sweep { elastic: self, points: &mut points, h });
        points.write(x);
        self.points = points;
    }

    /// The energy of deformation, 0 at rest, as it acts in substeps of length `h`.
    ///
    /// One sweep a substep does not stiffen a constraint beyond what its vertices' masses carry in that time: a spring of compliance α that is
    /// stretched and still acts with α + h² (1 + γ) Σ w |∇C|², which is what its force is divided by, and gives back no more than such a
    /// spring holds. With α alone a cloth that lies still, of springs too stiff for its substeps, would be said to hold thirty times
    /// the energy that it lost in falling.
    pub fn energy(&self, x: &[DVec3], w: &[f64], h: f64) -> f64 {
        let (mut stretch, mut bend, mut tet, mut sum) = (0, 0, 0, 0.0);
        for part in &self.parts {
            let square = h * h + h * part.damping;
            sum += self.tets[tet..part.tets].iter().map(|t| t.energy(x, w, square)).sum::<f64>();
            sum += self.bends[bend..part.bends].iter().map(|b| b.energy(x, w, square)).sum::<f64>();
            sum +=
                self.stretches[stretch..part.stretches].iter().map(|s| s.energy(x, w, square)).sum::<f64>();
            (stretch, bend, tet) = (part.stretches, part.bends, part.tets);
        }
        sum
    }
}

/// All constraints, body after body.
struct Sweep<'a> {
    elastic: &'a Elastic,
    points: &'a mut Points,
    h: f64,
}

impl Kernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Elastic { stretches, bends, tets, parts, .. } = self.elastic;
        let (mut stretch, mut bend, mut tet) = (0, 0, 0);
        for part in parts {
            let substep = Substep::new(self.h, part.damping);
            for tets in &tets[tet..part.tets] {
                tets.solve(simd, self.points, &substep);
            }
            for bends in &bends[bend..part.bends] {
                bends.solve(simd, self.points, &substep);
            }
            for stretches in &stretches[stretch..part.stretches] {
                stretches.solve(simd, self.points, &substep);
            }
            (stretch, bend, tet) = (part.stretches, part.bends, part.tets);
        }
    }
}
