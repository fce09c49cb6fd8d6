//! What is about to touch, in the form that a solver takes, and how far every vertex may go.

mod changes;
mod constraints;

pub use changes::{PairHistory, RowChanges};
pub use constraints::{Constraints, Term};

use super::{Answer, Element, Scene};
use crate::narrow::Feature;
use crate::{
    BodyId, Closeness, EdgeEdge, Error, Guarantee, ProximityCandidates, Stats, TriangleId, VertexId,
    VertexTriangle,
};

/// A vertex close to a triangle of which it is no corner.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CloseVertexTriangle {
    /// The vertex (side a).
    pub vertex: Element<VertexId>,
    /// The triangle (side b).
    pub triangle: Element<TriangleId>,
    /// How far apart they are; 0 exactly when the vertex lies on the triangle.
    pub distance: f64,
    /// The weights of the triangle's corners in its closest point.
    pub weights: [f64; 3],
    /// Unit vector from the triangle to the vertex; the triangle's normal where they touch.
    pub normal: [f64; 3],
    /// The part of the triangle that is closest.
    pub feature: Feature,
}

/// Two edges without a common vertex that are close.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CloseEdgeEdge {
    /// The smaller edge, smaller vertex first.
    pub a: Element<[VertexId; 2]>,
    /// The larger edge, smaller vertex first.
    pub b: Element<[VertexId; 2]>,
    /// How far apart they are; 0 exactly when they meet.
    pub distance: f64,
    /// Where the closest points are, from 0 at the first end of an edge to 1 at its second.
    pub weights: [f64; 2],
    /// Unit vector from b to a; the edges' cross product where they meet.
    pub normal: [f64; 3],
    /// The closest parts: an end, or the inside (`Edge(0)`).
    pub features: [Feature; 2],
}

/// Everything that is close, each pair once.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
pub struct ClosePairs {
    /// Vertices close to triangles, sorted.
    pub vertex_triangles: Answer<CloseVertexTriangle>,
    /// Edges close to edges, sorted.
    pub edge_edges: Answer<CloseEdgeEdge>,
}

impl Default for ClosePairs {
    fn default() -> Self {
        Self { vertex_triangles: empty(), edge_edges: empty() }
    }
}

fn empty<T>() -> Answer<T> {
    Answer::new(Vec::new(), "distance-hierarchy", Guarantee::Proved, Stats::default())
}

impl ClosePairs {
    /// The nearest triangle of every vertex that has one here, in the order of the vertices; of equally near ones the first.
    ///
    /// ```
    /// # use crumple::{Closeness, Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # scene.add(triangle("middle")?, &at(1.0)[..])?;
    /// # scene.add(triangle("high")?, &at(1.5)[..])?;
    /// let near = scene.proximity(&Closeness::below(5.0))?;
    /// let distances: Vec<f64> = near.nearest_triangles().map(|p| p.distance).collect();
    /// assert_eq!(distances, [1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn nearest_triangles(&self) -> impl Iterator<Item = &CloseVertexTriangle> {
        let of_vertices = self.vertex_triangles.chunk_by(|p, q| p.vertex == q.vertex);
        of_vertices.filter_map(|rows| rows.iter().reduce(|p, q| if q.distance < p.distance { q } else { p }))
    }
}

impl Scene {
    /// Every vertex–triangle and edge–edge pair closer than [`Closeness`] says, within bodies and between them, with distance,
    /// weights and normal: what a solver needs to push things apart before they touch. The verdict is exact.
    ///
    /// ```
    /// use crumple::{Closeness, Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let one = Mesh::from_triangles("one", 3, &[[0, 1, 2]])?;
    /// scene.add(one.clone(), &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// scene.add(one, &[[1.0, 1.0, 0.5], [1.0, 1.0, 3.0], [2.0, 1.0, 3.0]][..])?;
    /// let near = scene.proximity(&Closeness::below(0.75))?;
    /// assert_eq!(near.vertex_triangles[0].distance, 0.5);
    /// assert_eq!(near.vertex_triangles[0].normal, [0.0, 0.0, 1.0]);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn proximity(&mut self, close: &Closeness<'_>) -> Result<ClosePairs, Error> {
        let mut out = ClosePairs::default();
        self.proximity_into(close, &mut out)?;
        Ok(out)
    }

    /// [`Scene::proximity`] into an answer whose memory is used again, unless a clone of it is still held.
    ///
    /// ```
    /// # use crumple::{ClosePairs, Closeness, Mesh, Scene};
    /// # let mut scene = Scene::new();
    /// let mut near = ClosePairs::default();
    /// for _ in 0..3 {
    ///     scene.proximity_into(&Closeness::below(0.1), &mut near)?;
    /// }
    /// assert!(near.vertex_triangles.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn proximity_into(&mut self, close: &Closeness<'_>, out: &mut ClosePairs) -> Result<(), Error> {
        let filter = self.filter.clone();
        let bodies = self.bodies();
        let starts: Vec<[u32; 2]> = bodies
            .body_ids()
            .map(|b| [bodies.vertex_range(b).start as u32, bodies.triangle_range(b).start as u32])
            .collect();
        let locate = |kind: usize, id: u32| {
            let body = starts.partition_point(|start| start[kind] <= id) - 1;
            (BodyId(body as u32), id - starts[body][kind])
        };
        let edge = |edge: [VertexId; 2]| {
            let (body, first) = locate(0, edge[0].0);
            Element { body, id: [VertexId(first), VertexId(first + (edge[1].0 - edge[0].0))] }
        };
        let vertex_triangle = |p: VertexTriangle| {
            let ((body, vertex), (other, triangle)) = (locate(0, p.vertex.0), locate(1, p.triangle.0));
            CloseVertexTriangle {
                vertex: Element { body, id: VertexId(vertex) },
                triangle: Element { body: other, id: TriangleId(triangle) },
                distance: p.distance,
                weights: p.weights,
                normal: p.normal,
                feature: p.feature,
            }
        };
        let edge_edge = |p: EdgeEdge| CloseEdgeEdge {
            a: edge(p.a),
            b: edge(p.b),
            distance: p.distance,
            weights: p.weights,
            normal: p.normal,
            features: p.features,
        };
        let hierarchy = self.hierarchy_near(close)?;
        let (mut vertex_triangles, mut edge_edges) =
            (out.vertex_triangles.take_rows(), out.edge_edges.take_rows());
        let stats = hierarchy.proximity_rows(
            close,
            &|a, b| filter.allows(a, b),
            (&mut vertex_triangles, vertex_triangle),
            (&mut edge_edges, edge_edge),
        );
        // After an error there is nothing.
        let cost = stats.as_ref().copied().unwrap_or_default();
        out.vertex_triangles.put_rows(cost, vertex_triangles);
        out.edge_edges.put_rows(cost, edge_edges);
        stats.map(drop)
    }

    /// Every pair closer than [`Closeness`] says, and some that are a little further apart, by ids across bodies
    /// ([`Scene::bodies`]) into a buffer that is reused: for a solver that measures pairs itself, many times between two
    /// questions. `rest`, and vertices inside tetrahedral bodies, are passed over.
    ///
    /// ```
    /// # use crumple::{Closeness, Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let mut near = crumple::ProximityCandidates::default();
    /// scene.proximity_candidates(&Closeness::below(1.5), &mut near)?;
    /// assert!(near.vertex_triangles.len() >= 6 && near.edge_edges.len() >= 9);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn proximity_candidates(
        &mut self,
        close: &Closeness<'_>,
        out: &mut ProximityCandidates,
    ) -> Result<Stats, Error> {
        let filter = self.filter.clone();
        self.hierarchy_near(close)?.proximity_candidates(close, &|a, b| filter.allows(a, b), out)
    }

    /// For every vertex of every body how far it may go, in any direction and whatever the others do within theirs, without
    /// anything being touched: at most half of `radius`.
    ///
    /// A vertex gets less than half of the smallest distance of the vertex–triangle and edge–edge pairs that it is part of.
    /// Points of a triangle or an edge move no farther than its corners, so two features at distance d come closer by less
    /// than d/2 + d/2: they do not meet. With that no vertex hits a triangle and no edge an edge, and then nothing crosses
    /// that did not cross before (`narrow::continuous`).
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let bounds = scene.safe_motion(2.0)?;
    /// assert!(bounds[low.index()].iter().chain(&bounds[high.index()]).all(|b| (0.4..=0.5).contains(b)));
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn safe_motion(&mut self, radius: f64) -> Result<Vec<Vec<f64>>, Error> {
        let close = self.proximity(&Closeness::below(radius))?;
        // Distances are rounded by a few units in the last place; half of them is taken a little short.
        let half = |distance: f64| 0.5 * distance * (1.0 - 1e-12);
        let mut bounds: Vec<Vec<f64>> = self.positions.iter().map(|p| vec![half(radius); p.len()]).collect();
        let mut lower = |v: Element<VertexId>, distance: f64| {
            let bound = &mut bounds[v.body.index()][v.id.index()];
            *bound = bound.min(half(distance));
        };
        for pair in &close.vertex_triangles {
            lower(pair.vertex, pair.distance);
            let body = pair.triangle.body;
            for id in self.meshes[body.index()].triangles()[pair.triangle.id.index()] {
                lower(Element { body, id }, pair.distance);
            }
        }
        for pair in &close.edge_edges {
            for edge in [pair.a, pair.b] {
                edge.id.into_iter().for_each(|id| lower(Element { body: edge.body, id }, pair.distance));
            }
        }
        Ok(bounds)
    }
}

/// Rows are written flat, as `[body, vertex, body, triangle, distance]` and `[body, v, w, body, v, w, distance]`.
#[cfg(feature = "serde")]
mod flat {
    use serde::{Serialize, Serializer};

    use super::{CloseEdgeEdge, CloseVertexTriangle};

    impl Serialize for CloseVertexTriangle {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            (self.vertex.body, self.vertex.id, self.triangle.body, self.triangle.id, self.distance)
                .serialize(to)
        }
    }

    impl Serialize for CloseEdgeEdge {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let (a, b) = (self.a, self.b);
            (a.body, a.id[0], a.id[1], b.body, b.id[0], b.id[1], self.distance).serialize(to)
        }
    }
}
