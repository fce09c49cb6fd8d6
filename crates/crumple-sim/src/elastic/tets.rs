//! Tets of stable neo-Hookean material.
//!
//! M. Macklin, M. Müller: *A Constraint-based Formulation of Stable Neo-Hookean Materials*, MIG 2021. With F the deformation, the energy
//! μ/2 |F|² + λ/2 (det F − 1 − μ/λ)² is two constraints, C₁ = |F| of compliance 1/(μV) and C₂ = det F − 1 − μ/λ of compliance 1/(λV).
//!
//! Where we differ: both are solved together, two equations with two unknowns. One after the other, as published, a body at rest does
//! not stay so (the first shrinks what the second blows up); together, rest is kept to the last bits.

use glam::{DMat3, DVec3};

use super::Substep;
use crate::body::Body;
use crate::settings::Solid;

#[derive(Debug, Clone, Copy)]
pub(super) struct Tet {
    v: [u32; 4],
    /// Inverse of the matrix of the rest shape's edges.
    inverse: DMat3,
    /// Compliances of |F| and of det F.
    compliance: [f64; 2],
    /// What det F is to be: 1 + μ/λ.
    full: f64,
}

pub(super) fn append(body: &Body, material: &Solid, out: &mut Vec<Tet>) {
    let (e, nu) = (material.young, material.poisson);
    let mu = e / (2.0 * (1.0 + nu));
    // With ν = 0, λ vanishes, and with it the resistance to inversion; a little is left.
    let lambda = (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))).max(0.1 * mu);
    for t in body.mesh.tets() {
        let [a, b, c, d] = t.map(|v| body.rest[v.index()]);
        let rest = DMat3::from_cols(b - a, c - a, d - a);
        let volume = rest.determinant() / 6.0;
        out.push(Tet {
            v: t.map(|v| body.first as u32 + v.0),
            inverse: rest.inverse(),
            compliance: [1.0 / (mu * volume), 1.0 / (lambda * volume)],
            full: 1.0 + mu / lambda,
        });
    }
}

impl Tet {
    #[inline]
    fn deformation(&self, x: &[DVec3]) -> DMat3 {
        let [a, b, c, d] = self.v.map(|v| x[v as usize]);
        DMat3::from_cols(b - a, c - a, d - a) * self.inverse
    }

    #[inline]
    pub fn solve(&self, x: &mut [DVec3], substep: &Substep<'_>) {
        let f = self.deformation(x);
        let norm = (f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared()).sqrt();
        if norm == 0.0 {
            return;
        }
        let turn = self.inverse.transpose();
        let first = gradients(f * turn * (1.0 / norm));
        let cofactor =
            DMat3::from_cols(f.y_axis.cross(f.z_axis), f.z_axis.cross(f.x_axis), f.x_axis.cross(f.y_axis));
        let second = gradients(cofactor * turn);
        let w = self.v.map(|v| substep.w[v as usize]);
        let (mut a11, mut a12, mut a22) = (0.0, 0.0, 0.0);
        let (mut rate1, mut rate2) = (0.0, 0.0);
        for i in 0..4 {
            let v = self.v[i] as usize;
            let gone = x[v] - substep.start[v];
            rate1 += first[i].dot(gone);
            rate2 += second[i].dot(gone);
            a11 += w[i] * first[i].length_squared();
            a12 += w[i] * first[i].dot(second[i]);
            a22 += w[i] * second[i].length_squared();
        }
        let (gamma, less) = (substep.gamma, substep.less);
        let c1 = (norm + gamma * rate1) * less;
        let c2 = (f.x_axis.dot(cofactor.x_axis) - self.full + gamma * rate2) * less;
        a11 += self.compliance[0] * substep.per_square;
        a22 += self.compliance[1] * substep.per_square;
        let scale = 1.0 / (a11 * a22 - a12 * a12);
        let l1 = (a12 * c2 - a22 * c1) * scale;
        let l2 = (a12 * c1 - a11 * c2) * scale;
        for i in 0..4 {
            x[self.v[i] as usize] += (first[i] * l1 + second[i] * l2) * w[i];
        }
    }

    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let f = self.deformation(x);
        let norm_sq = f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared();
        let off = f.determinant() - self.full;
        let at_rest = 1.0 - self.full;
        0.5 * (norm_sq - 3.0) / self.compliance[0]
            + 0.5 * (off * off - at_rest * at_rest) / self.compliance[1]
    }
}

/// Of the four corners, from those of the three edges.
#[inline]
fn gradients(edges: DMat3) -> [DVec3; 4] {
    let DMat3 { x_axis, y_axis, z_axis } = edges;
    [-(x_axis + y_axis + z_axis), x_axis, y_axis, z_axis]
}
