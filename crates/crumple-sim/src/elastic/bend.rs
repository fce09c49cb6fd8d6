//! Two triangles at an edge keep their angle: quadratic hinges.
//!
//! M. Bergou, M. Wardetzky, D. Harmon, D. Zorin, E. Grinspun: *A Quadratic Bending Model for Inextensible Surfaces*, SGP 2006. The
//! vector L = Σ k x, with cotangent weights k of the rest shape, is the edge's mean curvature; flat is L = 0. Its length
//! is what the hinge keeps: no angle, no trigonometry, and the same bits everywhere.

use crumple::EdgeId;
use crumple::geometry::simd::{F64x4, Mask, Quad, Simd, add3, dot3, scale3, sub3};
use glam::DVec3;

use super::Substep;
use super::lanes::{Points, corners, gather, groups_of_four, moved, quad, scatter, xyz};
use crate::body::Body;
use crate::settings::Cloth;

/// The two ends of an edge and the two corners across it.
#[derive(Debug, Clone, Copy)]
struct Bend {
    v: [u32; 4],
    k: [f64; 4],
    /// Length of L at rest; 0 for what is flat.
    rest: f64,
    compliance: f64,
}

/// Four that have no vertex in common.
#[derive(Debug)]
pub(super) struct Bends {
    v: [[u32; 4]; 4],
    k: [Quad; 4],
    rest: Quad,
    compliance: Quad,
}

/// The inner edges of a cloth. `vertices` is how many the world has.
pub(super) fn append(body: &Body, material: &Cloth, vertices: usize, out: &mut Vec<Bends>) {
    let stiffness = material.bend;
    if stiffness <= 0.0 {
        return;
    }
    let topology = body.mesh.topology();
    let mut all = Vec::new();
    for (e, [a, b]) in topology.edges().iter().enumerate() {
        let &[s, t] = topology.triangles_of_edge(EdgeId(e as u32)) else { continue };
        let across =
            |t: crumple::TriangleId| body.mesh.triangles()[t.index()].into_iter().find(|v| v != a && v != b);
        let (Some(c), Some(d)) = (across(s), across(t)) else { continue };
        // The same triangle twice is no hinge.
        if c == d {
            continue;
        }
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
            all.push(Bend { v: v.map(|v| body.first as u32 + v.0), k, rest, compliance });
        }
    }
    let rows: Vec<[u32; 4]> = all.iter().map(|b| b.v).collect();
    for four in groups_of_four(&rows, vertices) {
        let four = four.map(|place| place.map(|i| &all[i]));
        out.push(Bends {
            v: corners(&four, vertices, |b| b.v),
            k: std::array::from_fn(|i| quad(&four, 0.0, |b| b.k[i])),
            rest: quad(&four, 0.0, |b| b.rest),
            compliance: quad(&four, 1.0, |b| b.compliance),
        });
    }
}

fn cotangent(a: DVec3, b: DVec3) -> f64 {
    a.dot(b) / a.cross(b).length()
}

impl Bends {
    #[inline(always)]
    pub fn solve<S: Simd>(&self, simd: S, points: &mut Points, substep: &Substep) {
        let [a, b, c, d] = &self.v;
        let k0 = S::F64x4::load(simd, &self.k[0]);
        let k1 = S::F64x4::load(simd, &self.k[1]);
        let k2 = S::F64x4::load(simd, &self.k[2]);
        let k3 = S::F64x4::load(simd, &self.k[3]);
        let k = [k0, k1, k2, k3];
        let splat = S::F64x4::splat;
        let start = &points.start;
        let began = curvature::<S>(
            k,
            gather(simd, start, a),
            gather(simd, start, b),
            gather(simd, start, c),
            gather(simd, start, d),
        );
        let p = gather(simd, &points.x, a);
        let q = gather(simd, &points.x, b);
        let r = gather(simd, &points.x, c);
        let o = gather(simd, &points.x, d);
        let l = curvature::<S>(k, p, q, r, o);
        let (gamma, less) = (splat(simd, substep.gamma), splat(simd, substep.less));
        let rate = sub3(l, began);
        let mut off = scale3(add3(l, scale3(rate, gamma)), less);
        let (rest, zero) = (S::F64x4::load(simd, &self.rest), splat(simd, 0.0));
        let is_bent = rest.gt(zero);
        if is_bent.any() {
            let length = dot3(l, l).sqrt();
            let n = scale3(l, splat(simd, 1.0) / length.max(splat(simd, 1e-100)));
            let bent = scale3(n, (length - rest + gamma * dot3(n, rate)) * less);
            off = [
                S::F64x4::select(is_bent, bent[0], off[0]),
                S::F64x4::select(is_bent, bent[1], off[1]),
                S::F64x4::select(is_bent, bent[2], off[2]),
            ];
        }
        let sum = p[3] * k0 * k0 + q[3] * k1 * k1 + r[3] * k2 * k2 + o[3] * k3 * k3;
        let soft = S::F64x4::load(simd, &self.compliance) * splat(simd, substep.per_square);
        let push = scale3(off, zero - splat(simd, 1.0) / (sum + soft));
        scatter::<S>(&mut points.x, a, moved::<S>(p, push, p[3] * k0));
        scatter::<S>(&mut points.x, b, moved::<S>(q, push, q[3] * k1));
        scatter::<S>(&mut points.x, c, moved::<S>(r, push, r[3] * k2));
        scatter::<S>(&mut points.x, d, moved::<S>(o, push, o[3] * k3));
    }

    /// What those at `x` hold; see [`Elastic::energy`](super::Elastic::energy).
    pub fn energy(&self, x: &[DVec3], w: &[f64], square: f64) -> f64 {
        let mut energy = 0.0;
        for i in 0..4 {
            let v = self.v.map(|v| v[i] as usize);
            if v[0] < x.len() {
                let k = self.k.map(|k| k.0[i]);
                let l: DVec3 = (0..4).map(|c| x[v[c]] * k[c]).sum();
                let sum: f64 = (0..4).map(|c| w[v[c]] * k[c] * k[c]).sum();
                let off = l.length() - self.rest.0[i];
                energy += 0.5 * off * off / (self.compliance.0[i] + square * sum);
            }
        }
        energy
    }
}

/// Σ k x.
#[inline(always)]
fn curvature<S: Simd>(
    k: [S::F64x4; 4],
    p: [S::F64x4; 4],
    q: [S::F64x4; 4],
    r: [S::F64x4; 4],
    o: [S::F64x4; 4],
) -> [S::F64x4; 3] {
    add3(add3(scale3(xyz(p), k[0]), scale3(xyz(q), k[1])), add3(scale3(xyz(r), k[2]), scale3(xyz(o), k[3])))
}
