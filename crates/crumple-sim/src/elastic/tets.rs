//! Tets of stable neo-Hookean material.
//!
//! With F the deformation and J its determinant, the energy per volume is μ/2 (|F|² − 3) − μ (J − 1) + (λ + μ)/2 (J − 1)², that of B. Smith,
//! F. de Goes, T. Kim: *Stable Neo-Hookean Flesh Simulation*, TOG 2018, whose λ is ours plus μ: so μ and λ are Lamé's, and small deformations
//! have Young's modulus and Poisson's ratio as told. As constraints, as in M. Macklin, M. Müller: *A Constraint-based Formulation of Stable
//! Neo-Hookean Materials*, MIG 2021, it is μ/2 C₁² + λ/2 C₂² with C₂ = J − 1 and
//!
//! C₁² = |F|² − 3 − 2 (J − 1) + (J − 1)²,
//!
//! which is never negative: |F|² is at least 3 s² with s³ = |J|, and 3 s² − 4 s³ + s⁶ = s² (s − 1)² (s² + 2 s + 3).
//!
//! # Where we differ
//! The paper takes C₁ = |F|, which does not vanish at rest: there its gradient is that of C₂, and what changes the shape alone is not seen
//! to first order. Solved one after the other, a body at rest does not stay so (the first shrinks what the second blows up); solved together,
//! the forces that restore the shape are explicit, and corners of light tets flutter for ever at 2.5 m/s. With both 0 at rest,
//! they are solved together, two equations with two unknowns.
//!
//! C₁ is the length of the strain, of which one step goes along the gradient. A tet that is held strained in one way, say under a load, would
//! take that way's share of the masses also for what changes in another, where light corners go much further: at each step they would
//! overshoot and come back, for ever. So the share is never less than half of the largest of any strain (`steepest`): near rest C₁² is 2 |ε|²
//! with ε the symmetric part of F − 1, a step of a corner changes its square by at most 2 w |b|² with b the corner's row of the inverse
//! rest matrix, and no way is overshot by more than itself.
//!
//! The energy does not see how the rest shape is turned: turned so that its matrix is triangular, a third of the products are not there.

use crumple::geometry::simd::{F64x4, Quad, Simd, add3, cross3, dot3, scale3, sub3};
use glam::{DMat3, DVec3};

use super::Substep;
use super::lanes::{Points, corners, gather, groups_of_four, moved, quad, scatter, xyz};
use crate::body::Body;
use crate::settings::Solid;

#[derive(Debug, Clone, Copy)]
struct Tet {
    v: [u32; 4],
    /// Inverse of the matrix of the rest shape's edges, which is upper triangular.
    inverse: DMat3,
    /// Compliances of both constraints.
    compliance: [f64; 2],
    /// Half of the most that masses let the first constraint's square change.
    steepest: f64,
}

/// Four that have no vertex in common.
#[derive(Debug)]
pub(super) struct Tets {
    v: [[u32; 4]; 4],
    /// Column after column, down to the diagonal.
    inverse: [Quad; 6],
    compliance: [Quad; 2],
    steepest: Quad,
}

/// The tets of a body. `vertices` is how many the world has.
pub(super) fn append(body: &Body, material: &Solid, vertices: usize, out: &mut Vec<Tets>) {
    let (e, nu) = (material.young, material.poisson);
    let mu = e / (2.0 * (1.0 + nu));
    // With ν = 0, λ vanishes, and with it the resistance to inversion; a little is left.
    let lambda = (e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))).max(0.1 * mu);
    let masses = body.masses();
    let tet = |t: &[crumple::VertexId; 4]| {
        let [a, b, c, d] = t.map(|v| body.rest[v.index()]);
        let rest = upright(DMat3::from_cols(b - a, c - a, d - a));
        let volume = rest.determinant() / 6.0;
        let compliance = [1.0 / (mu * volume), 1.0 / (lambda * volume)];
        let inverse = rest.inverse();
        let steepest = steepest(&inverse, t.map(|v| 1.0 / masses[v.index()]));
        Tet { v: t.map(|v| body.first as u32 + v.0), inverse, compliance, steepest }
    };
    let all: Vec<Tet> = body.mesh.tets().iter().map(tet).collect();
    let rows: Vec<[u32; 4]> = all.iter().map(|t| t.v).collect();
    for four in groups_of_four(&rows, vertices) {
        let four = four.map(|place| place.map(|i| &all[i]));
        out.push(Tets {
            v: corners(&four, vertices, |t| t.v),
            inverse: UPPER.map(|[j, k]| quad(&four, 0.0, |t| t.inverse.col(j)[k])),
            compliance: std::array::from_fn(|i| quad(&four, 1.0, |t| t.compliance[i])),
            steepest: quad(&four, 0.0, |t| t.steepest),
        });
    }
}

/// Columns and rows down to the diagonal.
const UPPER: [[usize; 2]; 6] = [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]];

/// Turned so that it is upper triangular.
fn upright(m: DMat3) -> DMat3 {
    let x = m.x_axis.normalize();
    let z = m.x_axis.cross(m.y_axis).normalize();
    let to = DMat3::from_cols(x, z.cross(x), z).transpose();
    let mut turned = to * m;
    (turned.x_axis.y, turned.x_axis.z, turned.y_axis.z) = (0.0, 0.0, 0.0);
    turned
}

/// The largest eigenvalue of Σ w b bᵀ, with b the corners' rows of the inverse.
fn steepest(inverse: &DMat3, w: [f64; 4]) -> f64 {
    let DMat3 { x_axis: p, y_axis: q, z_axis: r } = inverse.transpose();
    let outer = |b: DVec3| DMat3::from_cols(b * b.x, b * b.y, b * b.z);
    let sum = outer(p + q + r) * w[0] + outer(p) * w[1] + outer(q) * w[2] + outer(r) * w[3];
    let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
    // The 256th power is nearly that of the largest alone, times a projection.
    let mut power = sum;
    for _ in 0..8 {
        power *= 1.0 / trace(&power);
        power = power * power;
    }
    let columns = [power.x_axis, power.y_axis, power.z_axis];
    let v = columns
        .into_iter()
        .fold(DVec3::ZERO, |v, c| if c.length_squared() > v.length_squared() { c } else { v });
    v.dot(sum * v) / v.length_squared()
}

/// Less than the square of any strain that matters; keeps what is at rest from dividing by 0.
const NO_STRAIN: f64 = 1e-20;

impl Tets {
    #[inline(always)]
    pub fn solve<S: Simd>(&self, simd: S, points: &mut Points, substep: &Substep) {
        let [v0, v1, v2, v3] = &self.v;
        let splat = S::F64x4::splat;
        let start = &points.start;
        let began = xyz(gather(simd, start, v0));
        let began1 = sub3(xyz(gather(simd, start, v1)), began);
        let began2 = sub3(xyz(gather(simd, start, v2)), began);
        let began3 = sub3(xyz(gather(simd, start, v3)), began);
        let p0 = gather(simd, &points.x, v0);
        let p1 = gather(simd, &points.x, v1);
        let p2 = gather(simd, &points.x, v2);
        let p3 = gather(simd, &points.x, v3);
        let e1 = sub3(xyz(p1), xyz(p0));
        let e2 = sub3(xyz(p2), xyz(p0));
        let e3 = sub3(xyz(p3), xyz(p0));
        // How the edges changed in the substep.
        let (d1, d2, d3) = (sub3(e1, began1), sub3(e2, began2), sub3(e3, began3));
        let m00 = S::F64x4::load(simd, &self.inverse[0]);
        let m10 = S::F64x4::load(simd, &self.inverse[1]);
        let m11 = S::F64x4::load(simd, &self.inverse[2]);
        let m20 = S::F64x4::load(simd, &self.inverse[3]);
        let m21 = S::F64x4::load(simd, &self.inverse[4]);
        let m22 = S::F64x4::load(simd, &self.inverse[5]);
        let f0 = scale3(e1, m00);
        let f1 = add3(scale3(e1, m10), scale3(e2, m11));
        let f2 = add3(add3(scale3(e1, m20), scale3(e2, m21)), scale3(e3, m22));
        // Columns of the cofactor matrix: the gradient of J.
        let (c0, c1, c2) = (cross3(f1, f2), cross3(f2, f0), cross3(f0, f1));
        let volume = dot3(f0, c0);
        let off = volume - splat(simd, 1.0);
        let norm_sq = dot3(f0, f0) + dot3(f1, f1) + dot3(f2, f2);
        let strain_sq = norm_sq - splat(simd, 3.0) - off - off + off * off;
        let strain = strain_sq.max(splat(simd, NO_STRAIN)).sqrt();
        let per_strain = splat(simd, 1.0) / strain;
        // C₁ times its gradient is F + (J − 2) cof F.
        let more = volume - splat(simd, 2.0);
        let a0 = add3(f0, scale3(c0, more));
        let a1 = add3(f1, scale3(c1, more));
        let a2 = add3(f2, scale3(c2, more));
        // Of the corners, both constraints' gradients; the first corner's is minus the sum.
        let g1 = add3(add3(scale3(a0, m00), scale3(a1, m10)), scale3(a2, m20));
        let g2 = add3(scale3(a1, m11), scale3(a2, m21));
        let g3 = scale3(a2, m22);
        let g0 = add3(add3(g1, g2), g3);
        let h1 = add3(add3(scale3(c0, m00), scale3(c1, m10)), scale3(c2, m20));
        let h2 = add3(scale3(c1, m11), scale3(c2, m21));
        let h3 = scale3(c2, m22);
        let h0 = add3(add3(h1, h2), h3);
        let (w0, w1, w2, w3) = (p0[3], p1[3], p2[3], p3[3]);
        let gg = w0 * dot3(g0, g0) + w1 * dot3(g1, g1) + w2 * dot3(g2, g2) + w3 * dot3(g3, g3);
        let gh = w0 * dot3(g0, h0) + w1 * dot3(g1, h1) + w2 * dot3(g2, h2) + w3 * dot3(g3, h3);
        let hh = w0 * dot3(h0, h0) + w1 * dot3(h1, h1) + w2 * dot3(h2, h2) + w3 * dot3(h3, h3);
        let rate_g = (dot3(g1, d1) + dot3(g2, d2) + dot3(g3, d3)) * per_strain;
        let rate_h = dot3(h1, d1) + dot3(h2, d2) + dot3(h3, d3);
        let (gamma, less) = (splat(simd, substep.gamma), splat(simd, substep.less));
        let c1 = (strain + gamma * rate_g) * less;
        let c2 = (off + gamma * rate_h) * less;
        let soft = splat(simd, substep.per_square);
        let steep = (gg * per_strain * per_strain).max(S::F64x4::load(simd, &self.steepest));
        let a11 = steep + S::F64x4::load(simd, &self.compliance[0]) * soft;
        let a12 = gh * per_strain;
        let a22 = hh + S::F64x4::load(simd, &self.compliance[1]) * soft;
        let scale = splat(simd, 1.0) / (a11 * a22 - a12 * a12);
        let l1 = (a12 * c2 - a22 * c1) * scale * per_strain;
        let l2 = (a12 * c1 - a11 * c2) * scale;
        let zero = splat(simd, 0.0);
        let x = &mut points.x;
        scatter::<S>(x, v0, moved::<S>(p0, add3(scale3(g0, l1), scale3(h0, l2)), zero - w0));
        scatter::<S>(x, v1, moved::<S>(p1, add3(scale3(g1, l1), scale3(h1, l2)), w1));
        scatter::<S>(x, v2, moved::<S>(p2, add3(scale3(g2, l1), scale3(h2, l2)), w2));
        scatter::<S>(x, v3, moved::<S>(p3, add3(scale3(g3, l1), scale3(h3, l2)), w3));
    }

    /// What those at `x` hold; see [`Elastic::energy`](super::Elastic::energy).
    pub fn energy(&self, x: &[DVec3], w: &[f64], square: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..4 {
            let v = self.v.map(|v| v[i] as usize);
            if v[0] >= x.len() {
                continue;
            }
            let [a, b, c, d] = v.map(|v| x[v]);
            let mut inverse = DMat3::ZERO;
            for ([j, k], q) in UPPER.into_iter().zip(&self.inverse) {
                inverse.col_mut(j)[k] = q.0[i];
            }
            let f = DMat3::from_cols(b - a, c - a, d - a) * inverse;
            let cofactor = DMat3::from_cols(
                f.y_axis.cross(f.z_axis),
                f.z_axis.cross(f.x_axis),
                f.x_axis.cross(f.y_axis),
            );
            let volume = f.x_axis.dot(cofactor.x_axis);
            let (off, turn) = (volume - 1.0, inverse.transpose());
            let norm_sq = f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared();
            let strain_sq = (norm_sq - 3.0 - 2.0 * off + off * off).max(NO_STRAIN);
            let weighed = |edges: DMat3| {
                let DMat3 { x_axis: p, y_axis: q, z_axis: r } = edges;
                let all = [p + q + r, p, q, r];
                (0..4).map(|c| w[v[c]] * all[c].length_squared()).sum::<f64>()
            };
            let g = (weighed((f + cofactor * (volume - 2.0)) * turn) / strain_sq).max(self.steepest.0[i]);
            let h = weighed(cofactor * turn);
            sum += 0.5 * strain_sq / (self.compliance[0].0[i] + square * g);
            sum += 0.5 * off * off / (self.compliance[1].0[i] + square * h);
        }
        sum
    }
}
