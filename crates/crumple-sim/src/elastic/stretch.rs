//! Edges of cloth keep their length.

use crumple::geometry::simd::{F64x4, Quad, Simd, dot3, scale3, sub3};
use glam::DVec3;

use super::Substep;
use super::lanes::{Points, corners, gather, groups_of_four, moved, quad, scatter, xyz};
use crate::body::Body;
use crate::settings::Cloth;

/// Two vertices at a distance.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    v: [u32; 2],
    rest: f64,
    /// Inverse of the spring constant.
    compliance: f64,
}

/// Four that have no vertex in common.
#[derive(Debug)]
pub(super) struct Stretches {
    v: [[u32; 4]; 2],
    rest: Quad,
    compliance: Quad,
}

/// The edges of a cloth. An edge stands for a strip of cloth: its spring constant is the cloth's stiffness times the strip's
/// width over its length, so that finer meshes are no stiffer. `vertices` is how many the world has.
pub(super) fn append(body: &Body, material: &Cloth, vertices: usize, out: &mut Vec<Stretches>) {
    let stiffness = material.stretch;
    if stiffness <= 0.0 {
        return;
    }
    let topology = body.mesh.topology();
    let mut all = Vec::new();
    for (e, [a, b]) in topology.edges().iter().enumerate() {
        let rest = body.rest[a.index()].distance(body.rest[b.index()]);
        let sides = topology.triangles_of_edge(crumple::EdgeId(e as u32));
        let area: f64 =
            sides.iter().map(|t| body.area(body.mesh.triangles()[t.index()].map(|v| v.index()))).sum();
        if rest > 0.0 && area > 0.0 {
            // Of each triangle's area a third belongs to each edge.
            let compliance = rest * rest / (stiffness * area / 3.0);
            all.push(Stretch { v: [a, b].map(|v| body.first as u32 + v.0), rest, compliance });
        }
    }
    let rows: Vec<[u32; 2]> = all.iter().map(|s| s.v).collect();
    for four in groups_of_four(&rows, vertices) {
        let four = four.map(|place| place.map(|i| &all[i]));
        out.push(Stretches {
            v: corners(&four, vertices, |s| s.v),
            rest: quad(&four, 0.0, |s| s.rest),
            compliance: quad(&four, 1.0, |s| s.compliance),
        });
    }
}

impl Stretches {
    #[inline(always)]
    pub fn solve<S: Simd>(&self, simd: S, points: &mut Points, substep: &Substep) {
        let [v, w] = &self.v;
        let (a, b) = (gather(simd, &points.x, v), gather(simd, &points.x, w));
        let way = sub3(xyz(b), xyz(a));
        let began = sub3(xyz(gather(simd, &points.start, w)), xyz(gather(simd, &points.start, v)));
        let splat = S::F64x4::splat;
        let length = dot3(way, way).sqrt();
        // At one point there is no direction to go, and the way is 0.
        let per_length = splat(simd, 1.0) / length.max(splat(simd, 1e-100));
        let rate = length - dot3(way, began) * per_length;
        let rest = S::F64x4::load(simd, &self.rest);
        let off = (length - rest + splat(simd, substep.gamma) * rate) * splat(simd, substep.less);
        let soft = S::F64x4::load(simd, &self.compliance) * splat(simd, substep.per_square);
        let push = scale3(way, off * per_length / (a[3] + b[3] + soft));
        let zero = splat(simd, 0.0);
        scatter::<S>(&mut points.x, v, moved::<S>(a, push, a[3]));
        scatter::<S>(&mut points.x, w, moved::<S>(b, push, zero - b[3]));
    }

    /// What those at `x` hold; see [`Elastic::energy`](super::Elastic::energy).
    pub fn energy(&self, x: &[DVec3], w: &[f64], square: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..4 {
            let [a, b] = self.v.map(|v| v[i] as usize);
            if a < x.len() {
                let off = x[a].distance(x[b]) - self.rest.0[i];
                sum += 0.5 * off * off / (self.compliance.0[i] + square * (w[a] + w[b]));
            }
        }
        sum
    }
}
