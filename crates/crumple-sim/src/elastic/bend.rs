//! Two triangles at an edge keep their angle: quadratic hinges.
//!
//! M. Bergou, M. Wardetzky, D. Harmon, D. Zorin, E. Grinspun: *A Quadratic Bending Model for Inextensible Surfaces*, SGP 2006. The
//! vector L = Σ k x, with cotangent weights k of the rest shape, is the edge's mean curvature; flat is L = 0. Its length
//! is what the hinge keeps: no angle, no trigonometry, and the same bits everywhere.

use crumple::EdgeId;
use glam::DVec3;

use super::Substep;
use crate::body::Body;
use crate::settings::Cloth;

/// The two ends of an edge and the two corners across it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bend {
    v: [u32; 4],
    k: [f64; 4],
    /// Length of L at rest; 0 for what is flat.
    rest: f64,
    compliance: f64,
}

/// The inner edges of a cloth.
pub(super) fn append(body: &Body, material: &Cloth, out: &mut Vec<Bend>) {
    let stiffness = material.bend;
    if stiffness <= 0.0 {
        return;
    }
    let topology = body.mesh.topology();
    for (e, [a, b]) in topology.edges().iter().enumerate() {
        let &[s, t] = topology.triangles_of_edge(EdgeId(e as u32)) else { continue };
        let across =
            |t: crumple::TriangleId| body.mesh.triangles()[t.index()].into_iter().find(|v| v != a && v != b);
        let (Some(c), Some(d)) = (across(s), across(t)) else { continue };
        let v = [*a, *b, c, d];
        let [p, q, r, o] = v.map(|v| body.rest[v.index()]);
        let area = 0.5 * ((q - p).cross(r - p).length() + (q - p).cross(o - p).length());
        let [c01, c02] = [cotangent(q - p, r - p), cotangent(q - p, o - p)];
        let [c03, c04] = [cotangent(p - q, r - q), cotangent(p - q, o - q)];
        let k = [c03 + c04, c01 + c02, -c01 - c03, -c02 - c04];
        if area > 0.0 && k.iter().all(|k| k.is_finite()) {
            let curvature = (p * k[0] + q * k[1] + r * k[2] + o * k[3]).length();
            let size = (q - p).length();
            let rest = if curvature < 1e-6 * size { 0.0 } else { curvature };
            let compliance = area / (3.0 * stiffness);
            out.push(Bend { v: v.map(|v| body.first as u32 + v.0), k, rest, compliance });
        }
    }
}

fn cotangent(a: DVec3, b: DVec3) -> f64 {
    a.dot(b) / a.cross(b).length()
}

impl Bend {
    #[inline]
    fn curvature(&self, x: &[DVec3]) -> DVec3 {
        let [a, b, c, d] = self.v.map(|v| x[v as usize]);
        a * self.k[0] + b * self.k[1] + c * self.k[2] + d * self.k[3]
    }

    #[inline]
    pub fn solve(&self, x: &mut [DVec3], substep: &Substep<'_>) {
        let w = self.v.map(|v| substep.w[v as usize]);
        let sum: f64 = (0..4).map(|i| w[i] * self.k[i] * self.k[i]).sum();
        if sum <= 0.0 {
            return;
        }
        let l = self.curvature(x);
        let (gamma, less) = (substep.gamma, substep.less);
        let rate = l - self.curvature(substep.start);
        let off = if self.rest == 0.0 {
            (l + rate * gamma) * less
        } else {
            let length = l.length();
            if length == 0.0 {
                return;
            }
            let n = l * (1.0 / length);
            n * ((length - self.rest + gamma * n.dot(rate)) * less)
        };
        let push = off * (1.0 / (sum + self.compliance * substep.per_square));
        for i in 0..4 {
            x[self.v[i] as usize] -= push * (w[i] * self.k[i]);
        }
    }

    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let off = self.curvature(x).length() - self.rest;
        0.5 * off * off / self.compliance
    }
}
