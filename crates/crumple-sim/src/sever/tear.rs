//! Tearing where an edge is stretched too far: the body parts at one of its ends, across the edge.

use crumple::BodyId;

use super::facets::{centre, elements_at, facets};
use crate::{SimError, World};

/// How many vertices of a body may tear in a step.
const MOST: usize = 12;

impl World {
    /// Tears what is stretched beyond its limit. Returns how many facets were parted.
    pub(crate) fn tear(&mut self) -> Result<usize, SimError> {
        let mut torn = 0;
        for id in self.bodies() {
            let Some(limit) = self.bodies[id.index()].kind.tear() else { continue };
            let fresh = self.overstretched(id, limit);
            if !fresh.is_empty() {
                torn += self.sever(id, fresh)?.parted;
            }
        }
        if torn > 0 {
            self.build();
        }
        Ok(torn)
    }

    /// The facets at the ends of overstretched edges that lie across them.
    fn overstretched(&self, id: BodyId, limit: f64) -> Vec<[u32; 2]> {
        let body = &self.bodies[id.index()];
        let x = &self.state.x[body.range()];
        let edges = if body.mesh.is_solid() {
            body.mesh.tet_topology().edges()
        } else {
            body.mesh.topology().edges()
        };
        let mut worst: Vec<(f64, [u32; 2])> = Vec::new();
        for &[a, b] in edges {
            let rest = body.rest[a.index()].distance(body.rest[b.index()]);
            let now = x[a.index()].distance(x[b.index()]);
            if now > limit * rest {
                worst.push((now / rest, [a.0, b.0]));
            }
        }
        if worst.is_empty() {
            return Vec::new();
        }
        worst.sort_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
        let all = facets(&body.mesh);
        let mut used: Vec<u32> = Vec::new();
        let mut out = Vec::new();
        for (_, [a, b]) in worst {
            if used.len() >= 2 * MOST {
                break;
            }
            if used.contains(&a) || used.contains(&b) {
                continue;
            }
            // At a vertex on the border fewer facets must give.
            let count = |v: u32| elements_at(&body.mesh, v).len();
            let [v, w] = if count(b) < count(a) { [b, a] } else { [a, b] };
            let across = x[w as usize] - x[v as usize];
            let side = |e: u32| (centre(body, &self.state.x, e) - x[v as usize]).dot(across) > 0.0;
            let parted = all.iter().filter(|(_, vertices)| vertices.contains(&v));
            let parted = parted.filter(|(pair, _)| side(pair[0]) != side(pair[1])).map(|(pair, _)| *pair);
            let before = out.len();
            out.extend(parted);
            if out.len() > before {
                used.extend([v, w]);
            }
        }
        out
    }
}
