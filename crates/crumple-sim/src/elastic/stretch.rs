//! Edges of cloth keep their length.

use glam::DVec3;

use super::Substep;
use crate::body::Body;
use crate::settings::Cloth;

/// Two vertices at a distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    a: u32,
    b: u32,
    rest: f64,
    /// Inverse of the spring constant.
    compliance: f64,
}

/// The edges of a cloth. An edge stands for a strip of cloth: its spring constant is the cloth's stiffness times the strip's
/// width over its length, so that finer meshes are no stiffer.
pub(super) fn append(body: &Body, material: &Cloth, out: &mut Vec<Stretch>) {
    let stiffness = material.stretch;
    if stiffness <= 0.0 {
        return;
    }
    let topology = body.mesh.topology();
    for (e, [a, b]) in topology.edges().iter().enumerate() {
        let rest = body.rest[a.index()].distance(body.rest[b.index()]);
        let sides = topology.triangles_of_edge(crumple::EdgeId(e as u32));
        let area: f64 =
            sides.iter().map(|t| body.area(body.mesh.triangles()[t.index()].map(|v| v.index()))).sum();
        if rest > 0.0 && area > 0.0 {
            // Of each triangle's area a third belongs to each edge.
            let compliance = rest * rest / (stiffness * area / 3.0);
            let [a, b] = [a, b].map(|v| body.first as u32 + v.0);
            out.push(Stretch { a, b, rest, compliance });
        }
    }
}

impl Stretch {
    #[inline]
    pub fn solve(&self, x: &mut [DVec3], substep: &Substep<'_>) {
        let (a, b) = (self.a as usize, self.b as usize);
        let (wa, wb) = (substep.w[a], substep.w[b]);
        let way = x[b] - x[a];
        let length = way.length();
        // Both pinned: nothing to do. At one point: no direction to go.
        if wa + wb > 0.0 && length > 0.0 {
            let per_length = 1.0 / length;
            let rate = length - way.dot(substep.start[b] - substep.start[a]) * per_length;
            let off = (length - self.rest + substep.gamma * rate) * substep.less;
            let sum = wa + wb + self.compliance * substep.per_square;
            let push = way * (off * per_length / sum);
            x[a] += push * wa;
            x[b] -= push * wb;
        }
    }

    pub fn energy(&self, x: &[DVec3]) -> f64 {
        let off = x[self.a as usize].distance(x[self.b as usize]) - self.rest;
        0.5 * off * off / self.compliance
    }
}
