//! Near pairs from detection, each with a fixed direction and fixed weights until the next pass.

use crumple::narrow::Feature;
use crumple::{BodyId, CloseEdgeEdge, CloseVertexTriangle, Closeness, Element, TriangleId, VertexId};
use glam::DVec3;

use crate::body::Body;
use crate::{Blocker, SimError, World};

/// The near pairs of a pass.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub pairs: Vec<Pair>,
    /// Which of them push.
    pub pushing: Vec<u32>,
}

/// A vertex and a triangle, or two edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    /// The first `split` vertices are side a.
    pub v: [u32; 4],
    /// Weights of the closest points, those of side b negative.
    pub c: [f64; 4],
    /// From b to a, of length 1.
    pub n: DVec3,
    pub split: u8,
    /// The gap along `n` that must stay.
    pub need: f64,
    /// The distance that is wanted; not below 0.
    pub target: f64,
    pub friction: f64,
    /// The triangle in its body, for a vertex and a triangle.
    triangle: u32,
}

/// The part of a thickness below which nothing comes.
const FLOOR: f64 = 0.05;

impl World {
    /// Finds what is closer than the radii say, for a pass of this length.
    pub(crate) fn find_pairs(&mut self, radii: &[f64], time: f64) -> Result<(), SimError> {
        self.show()?;
        let close = Closeness { thickness: Some(radii), ..Closeness::below(0.0) };
        let near = self.scene.proximity(&close)?;
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.pairs.clear();
        contacts.pushing.clear();
        let grow = self.settings.push * time;
        let mut same: Vec<(Element<VertexId>, [u32; 2])> = Vec::new();
        for row in &near.vertex_triangles {
            let mut pair = self.vertex_triangle(row, grow);
            if same.first().is_some_and(|(v, _)| *v != row.vertex) {
                same.clear();
            }
            // A vertex over an edge comes with both its triangles: one of them pushes.
            let key = closest_key(&pair, row.feature);
            let is_again = key.is_some_and(|key| same.contains(&(row.vertex, key)));
            same.extend(key.map(|key| (row.vertex, key)));
            if is_again || self.is_connected(&pair, row.vertex.body, row.triangle.body) {
                pair.target = 0.0;
            }
            contacts.push(pair);
        }
        for row in &near.edge_edges {
            let mut pair = self.edge_edge(row, grow);
            // An end of an edge is a vertex over an edge, which came above.
            let is_inner = row.features == [Feature::Edge(0); 2];
            if !is_inner || self.is_connected(&pair, row.a.body, row.b.body) {
                pair.target = 0.0;
            }
            contacts.push(pair);
        }
        self.contacts = contacts;
        Ok(())
    }

    fn vertex_triangle(&self, row: &CloseVertexTriangle, grow: f64) -> Pair {
        let [a, b] = [row.vertex.body, row.triangle.body].map(|b| &self.bodies[b.index()]);
        let corners = b.mesh.triangles()[row.triangle.id.index()];
        let [p, q, r] = corners.map(|v| b.first as u32 + v.0);
        let [s, t, u] = row.weights;
        let v = [a.first as u32 + row.vertex.id.0, p, q, r];
        pair([a, b], v, [1.0, -s, -t, -u], 1, row.normal, row.distance, grow, row.triangle.id.0)
    }

    fn edge_edge(&self, row: &CloseEdgeEdge, grow: f64) -> Pair {
        let [a, b] = [row.a.body, row.b.body].map(|b| &self.bodies[b.index()]);
        let [i, j] = row.a.id.map(|v| a.first as u32 + v.0);
        let [k, l] = row.b.id.map(|v| b.first as u32 + v.0);
        let [s, t] = row.weights;
        pair([a, b], [i, j, k, l], [1.0 - s, s, t - 1.0, -t], 2, row.normal, row.distance, grow, u32::MAX)
    }

    /// Whether two features of one body hang together and are about as close at rest: neighbours, not contacts.
    fn is_connected(&self, pair: &Pair, a: BodyId, b: BodyId) -> bool {
        if a != b {
            return false;
        }
        let body = &self.bodies[a.index()];
        let v = pair.v.map(|v| v as usize - body.first);
        let way: DVec3 = (0..4).map(|i| body.rest[v[i]] * pair.c[i]).sum();
        if way.length() > 1.5 * body.thickness {
            return false;
        }
        let topology = body.mesh.topology();
        let (mine, theirs) = v.split_at(pair.split.into());
        mine.iter().any(|m| {
            topology.neighbours(VertexId(*m as u32)).any(|n| {
                theirs.contains(&n.index()) || { topology.neighbours(n).any(|n| theirs.contains(&n.index())) }
            })
        })
    }

    /// A pair as reports name it.
    pub(crate) fn blocker(&self, pair: &Pair) -> Blocker {
        let element = |v: u32| {
            let (body, id) = self.locate(v);
            Element { body, id }
        };
        if pair.split == 1 {
            let body = self.locate(pair.v[1]).0;
            Blocker::VertexTriangle(element(pair.v[0]), Element { body, id: TriangleId(pair.triangle) })
        } else {
            let edge = |i: usize| {
                let (body, v) = self.locate(pair.v[i]);
                Element { body, id: [v, self.locate(pair.v[i + 1]).1] }
            };
            Blocker::EdgeEdge(edge(0), edge(2))
        }
    }
}

impl Contacts {
    fn push(&mut self, pair: Pair) {
        if pair.target > 0.0 {
            self.pushing.push(self.pairs.len() as u32);
        }
        self.pairs.push(pair);
    }
}

#[allow(clippy::too_many_arguments, reason = "what a row of either kind holds")]
fn pair(
    bodies: [&Body; 2],
    v: [u32; 4],
    c: [f64; 4],
    split: u8,
    normal: [f64; 3],
    distance: f64,
    grow: f64,
    triangle: u32,
) -> Pair {
    let [a, b] = bodies;
    let thickness = 0.5 * a.thickness + 0.5 * b.thickness;
    let friction = (a.kind.surface().friction * b.kind.surface().friction).sqrt();
    Pair {
        v,
        c,
        n: DVec3::from_array(normal),
        split,
        need: (FLOOR * thickness).min(0.5 * distance),
        // What is closer than it should be is pushed apart little by little.
        target: thickness.min(distance + grow * thickness),
        friction,
        triangle,
    }
}

/// The edge or the vertex of the triangle that is closest; `None` when its inside is.
fn closest_key(pair: &Pair, feature: Feature) -> Option<[u32; 2]> {
    let corner = |i: u8| pair.v[1 + usize::from(i) % 3];
    match feature {
        Feature::Face => None,
        Feature::Edge(i) => {
            let (a, b) = (corner(i), corner(i + 1));
            Some([a.min(b), a.max(b)])
        }
        Feature::Vertex(i) => Some([corner(i); 2]),
    }
}
