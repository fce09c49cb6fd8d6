//! Near pairs from detection. Each has a direction and weights that stay fixed until it is aimed anew.

use crumple::narrow::{Feature, point_tri, seg_seg};
use crumple::{BodyId, Closeness, Element, TriangleId, VertexId};
use glam::DVec3;

use crate::body::Body;
use crate::{Blocker, SimError, World};

/// The near pairs that are watched.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    /// Vertices and triangles, sorted; then edges and edges, sorted.
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
    /// Whether both hang together and are as close at rest: neighbours, not contacts.
    is_neighbour: bool,
    /// The part of the triangle that is closest, or `Face` for the insides of two edges, and a vertex for an end of one.
    feature: Feature,
    /// The gap along `n` that must stay.
    pub need: f64,
    /// The distance that is wanted.
    pub target: f64,
    pub friction: f64,
    /// How far the two bodies' surfaces stay apart.
    thickness: f64,
    /// The gap when it was aimed.
    aimed: f64,
    /// The triangle in its body, for a vertex and a triangle.
    triangle: u32,
}

/// The part of a thickness below which nothing comes.
const FLOOR: f64 = 0.05;

impl World {
    /// Finds what is closer than the watch's radii.
    pub(crate) fn find_pairs(&mut self) -> Result<(), SimError> {
        self.show()?;
        let thickness = Some(&self.watch.radii[..]);
        let close = Closeness { thickness, ..Closeness::below(0.0) };
        let near = self.scene.proximity(&close)?;
        let mut pairs = std::mem::take(&mut self.contacts.pairs);
        pairs.clear();
        for row in &near.vertex_triangles {
            let [a, b] = [row.vertex.body, row.triangle.body].map(|b| &self.bodies[b.index()]);
            let [p, q, r] = b.mesh.triangles()[row.triangle.id.index()].map(|v| b.first as u32 + v.0);
            let [s, t, u] = row.weights;
            let mut pair = Pair::new([a, b], [a.first as u32 + row.vertex.id.0, p, q, r], 1);
            (pair.c, pair.n, pair.aimed) = ([1.0, -s, -t, -u], row.normal.into(), row.distance);
            (pair.feature, pair.triangle) = (row.feature, row.triangle.id.0);
            pair.is_neighbour = self.is_connected(&pair, row.vertex.body, row.triangle.body);
            pairs.push(pair);
        }
        for row in &near.edge_edges {
            let [a, b] = [row.a.body, row.b.body].map(|b| &self.bodies[b.index()]);
            let [i, j] = row.a.id.map(|v| a.first as u32 + v.0);
            let [k, l] = row.b.id.map(|v| b.first as u32 + v.0);
            let [s, t] = row.weights;
            let mut pair = Pair::new([a, b], [i, j, k, l], 2);
            (pair.c, pair.n, pair.aimed) = ([1.0 - s, s, t - 1.0, -t], row.normal.into(), row.distance);
            pair.feature = inner(s, t);
            pair.is_neighbour = self.is_connected(&pair, row.a.body, row.b.body);
            pairs.push(pair);
        }
        pairs.iter_mut().for_each(Pair::set_need);
        self.contacts.pairs = pairs;
        Ok(())
    }

    /// All features at one vertex with all at the other, of some pairs of vertices, aimed where the substep began. They keep their gaps and do
    /// not push: what is that near for long is found when near pairs are looked for next.
    pub(crate) fn pairs_at(&self, vertices: &[[u32; 2]]) -> Vec<Pair> {
        let mut out = Vec::new();
        for &[v, w] in vertices {
            let [a, b] = [v, w].map(|v| &self.bodies[self.locate(v).0.index()]);
            for (v, w, a, b) in [(v, w, a, b), (w, v, b, a)] {
                for (t, corners) in b.triangles_at(w) {
                    if !corners.contains(&v) {
                        let mut pair = Pair::new([a, b], [v, corners[0], corners[1], corners[2]], 1);
                        pair.triangle = t;
                        out.push(pair);
                    }
                }
            }
            for &e in &a.edges_at(v) {
                for &f in &b.edges_at(w) {
                    if !e.iter().any(|v| f.contains(v)) {
                        let [e, f] = [e.min(f), e.max(f)];
                        out.push(Pair::new([a, b], [e[0], e[1], f[0], f[1]], 2));
                    }
                }
            }
        }
        out.sort_unstable_by_key(|p| (p.split, p.v));
        out.dedup_by_key(|p| (p.split, p.v));
        for pair in &mut out {
            pair.is_neighbour = true;
            pair.aimed = f64::NEG_INFINITY;
            pair.aim(&self.state.start);
        }
        out
    }

    /// Aims the pairs at where things are now, and chooses those that push in the next `time`.
    pub(crate) fn aim(&mut self, time: f64) {
        let (x, grow) = (&self.state.x, self.settings.push * time);
        let Contacts { pairs, pushing } = &mut self.contacts;
        pushing.clear();
        let mut same: Vec<[u32; 2]> = Vec::new();
        let mut vertex = u32::MAX;
        for (i, pair) in pairs.iter_mut().enumerate() {
            pair.aim(x);
            pair.target = pair.thickness.min(pair.aimed + grow * pair.thickness);
            let pushes = if pair.is_neighbour {
                false
            } else if pair.split == 2 {
                // An end of an edge is a vertex over an edge, which came before.
                pair.feature == Feature::Face
            } else {
                if pair.v[0] != vertex {
                    same.clear();
                    vertex = pair.v[0];
                }
                // A vertex over an edge comes with both its triangles: one of them pushes.
                let key = pair.closest_key();
                let is_again = key.is_some_and(|key| same.contains(&key));
                same.extend(key);
                !is_again
            };
            if pushes {
                pushing.push(i as u32);
            }
        }
    }

    /// Whether two features of one body hang together and are about as close at rest.
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
                theirs.contains(&n.index()) || topology.neighbours(n).any(|n| theirs.contains(&n.index()))
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

impl Pair {
    fn new([a, b]: [&Body; 2], v: [u32; 4], split: u8) -> Self {
        Self {
            v,
            c: [0.0; 4],
            n: DVec3::ZERO,
            split,
            is_neighbour: false,
            feature: Feature::Face,
            need: 0.0,
            target: 0.0,
            friction: (a.kind.surface().friction * b.kind.surface().friction).sqrt(),
            thickness: 0.5 * a.thickness + 0.5 * b.thickness,
            aimed: 0.0,
            triangle: u32::MAX,
        }
    }

    fn set_need(&mut self) {
        self.need = (FLOOR * self.thickness).min(0.5 * self.aimed);
    }

    /// Takes the direction of the closest points as they are now, unless the old one parts the two better or they are far apart
    /// and have not come nearer.
    pub(super) fn aim(&mut self, x: &[DVec3]) {
        let gap = self.gap(x);
        if gap == self.aimed || gap > 0.8 * self.aimed && gap > 1.6 * self.thickness {
            return;
        }
        let p = self.v.map(|v| x[v as usize].to_array());
        let (c, feature) = if self.split == 1 {
            let closest = point_tri::closest(&p[0], &[p[1], p[2], p[3]]);
            let [s, t, u] = closest.weights;
            ([1.0, -s, -t, -u], closest.feature)
        } else {
            let closest = seg_seg::closest(&[p[0], p[1]], &[p[2], p[3]]);
            let (s, t) = (closest.s, closest.t);
            ([1.0 - s, s, t - 1.0, -t], inner(s, t))
        };
        let way: DVec3 = (0..4).map(|i| x[self.v[i] as usize] * c[i]).sum();
        let fresh = Self { c, n: way.normalize_or_zero(), feature, ..*self };
        let opened = fresh.gap(x);
        if opened >= gap {
            *self = fresh;
        }
        self.aimed = opened.max(gap);
        self.set_need();
    }

    /// The edge or the vertex of the triangle that is closest; `None` when its inside is.
    fn closest_key(&self) -> Option<[u32; 2]> {
        let corner = |i: u8| self.v[1 + usize::from(i) % 3];
        match self.feature {
            Feature::Face => None,
            Feature::Edge(i) => {
                let (a, b) = (corner(i), corner(i + 1));
                Some([a.min(b), a.max(b)])
            }
            Feature::Vertex(i) => Some([corner(i); 2]),
        }
    }
}

/// Whether the closest points of two edges are inside both.
fn inner(s: f64, t: f64) -> Feature {
    let is_end = |s: f64| s == 0.0 || s == 1.0;
    if is_end(s) || is_end(t) { Feature::Vertex(0) } else { Feature::Face }
}
