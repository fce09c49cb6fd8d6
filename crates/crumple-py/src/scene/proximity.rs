//! What is about to touch, in the form that a solver takes.

use crumple::Feature;
use crumple::{BodyId, CloseEdgeEdge, ClosePairs, CloseVertexTriangle};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::closeness::{Close, CloseArguments, rest_of};
use super::contacts::{Counters, stats};
use super::moves::Next;
use super::{Scene, length};
use crate::arrays::{Column, Table, column, stacked, table};
use crate::counts;
use crate::ids::Body;

/// Vertex–triangle and edge–edge pairs that are close, each once.
///
/// Rows of `distances`, `normals`, `weights`, `bodies`, `vertices` and `features` are those of `vertex_triangles`, then those of
/// `edge_edges`. For each row the gap is a sum over four vertices:
/// `(weights[i][:, None] * x[vertices[i]]).sum(axis=0) == distances[i] * normals[i]`, where the first `1` (or `2`) vertices
/// belong to side a and the others to side b, `bodies[i] = [a, b]`.
#[pyclass(frozen, module = "crumple")]
pub struct Proximity {
    /// Vertices close to triangles, (k, 4) uint32: body, vertex, body, triangle.
    #[pyo3(get)]
    vertex_triangles: Table<u32>,
    /// Edges close to edges, (m, 6) uint32: body, v, w, body, v, w.
    #[pyo3(get)]
    edge_edges: Table<u32>,
    /// How far apart, (k + m,) float64; 0 exactly where they touch.
    #[pyo3(get)]
    distances: Column<f64>,
    /// Unit vectors from side b to side a, (k + m, 3) float64.
    #[pyo3(get)]
    normals: Table<f64>,
    /// Weights of the four vertices in the gap, (k + m, 4) float64: positive on side a, negative on side b.
    #[pyo3(get)]
    weights: Table<f64>,
    /// The bodies on both sides, (k + m, 2) uint32.
    #[pyo3(get)]
    bodies: Table<u32>,
    /// The four vertices, numbers within their bodies, (k + m, 4) uint32.
    #[pyo3(get)]
    vertices: Table<u32>,
    /// The closest parts on both sides, (k + m, 2) uint8: 0 to 2 a corner (or end), 3 to 5 an edge, 6 a face.
    #[pyo3(get)]
    features: Table<u8>,
    found: ClosePairs,
}

fn feature(of: Feature) -> u8 {
    match of {
        Feature::Vertex(k) => k,
        Feature::Edge(k) => 3 + k,
        Feature::Face => 6,
    }
}

/// A close vertex and triangle, with the triangle's corners.
type CloseVertex = (CloseVertexTriangle, [u32; 3]);

impl Proximity {
    fn new(py: Python<'_>, found: ClosePairs, corners: Vec<[u32; 3]>) -> Self {
        let vertices: Vec<CloseVertex> = found.vertex_triangles.iter().copied().zip(corners).collect();
        let (v, e): (&[CloseVertex], &[CloseEdgeEdge]) = (&vertices, &found.edge_edges);
        Self {
            vertex_triangles: table(py, v, |(p, _)| {
                [p.vertex.body.0, p.vertex.id.0, p.triangle.body.0, p.triangle.id.0]
            }),
            edge_edges: table(py, e, |p| {
                [p.a.body.0, p.a.id[0].0, p.a.id[1].0, p.b.body.0, p.b.id[0].0, p.b.id[1].0]
            }),
            distances: column(py, Both(v.iter().map(|(p, _)| p.distance), e.iter().map(|p| p.distance))),
            normals: stacked(py, (v, |(p, _): &CloseVertex| p.normal), (e, |p: &CloseEdgeEdge| p.normal)),
            weights: stacked(
                py,
                (v, |(p, _): &CloseVertex| {
                    let [a, b, c] = p.weights;
                    [1.0, -a, -b, -c]
                }),
                (e, |p: &CloseEdgeEdge| {
                    let [s, t] = p.weights;
                    [1.0 - s, s, t - 1.0, -t]
                }),
            ),
            bodies: stacked(
                py,
                (v, |(p, _): &CloseVertex| [p.vertex.body.0, p.triangle.body.0]),
                (e, |p: &CloseEdgeEdge| [p.a.body.0, p.b.body.0]),
            ),
            vertices: stacked(
                py,
                (v, |(p, t): &CloseVertex| [p.vertex.id.0, t[0], t[1], t[2]]),
                (e, |p: &CloseEdgeEdge| [p.a.id[0].0, p.a.id[1].0, p.b.id[0].0, p.b.id[1].0]),
            ),
            features: stacked(
                py,
                (v, |(p, _): &CloseVertex| [0, feature(p.feature)]),
                (e, |p: &CloseEdgeEdge| p.features.map(feature)),
            ),
            found,
        }
    }
}

/// Two iterators of known length, one after the other.
struct Both<A, B>(A, B);

impl<T, A: ExactSizeIterator<Item = T>, B: ExactSizeIterator<Item = T>> Iterator for Both<A, B> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next().or_else(|| self.1.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.len() + self.1.len();
        (n, Some(n))
    }
}

impl<T, A: ExactSizeIterator<Item = T>, B: ExactSizeIterator<Item = T>> ExactSizeIterator for Both<A, B> {}

#[pymethods]
impl Proximity {
    /// The method that answered.
    #[getter]
    fn method(&self) -> &'static str {
        self.found.vertex_triangles.method
    }

    /// How reliable the answer is: "proved" is complete and exact.
    #[getter]
    fn guarantee(&self) -> String {
        self.found.vertex_triangles.guarantee.to_string()
    }

    /// The nearest triangle of every vertex that has one here: rows of `vertex_triangles`, (k,) uint32, in the order of the vertices;
    /// of equally near ones the first.
    #[getter]
    fn nearest_triangles(&self, py: Python<'_>) -> Column<u32> {
        let rows = &*self.found.vertex_triangles;
        let row = |found: &CloseVertexTriangle| {
            // Rows are sorted by vertex and triangle, each once.
            let key = |p: &CloseVertexTriangle| (p.vertex, p.triangle);
            rows.binary_search_by_key(&key(found), key).expect("a row of the list") as u32
        };
        column(py, self.found.nearest_triangles().map(row).collect::<Vec<_>>().into_iter())
    }

    /// What the search cost.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Counters<'py>> {
        stats(py, &self.found.vertex_triangles.stats)
    }

    fn __len__(&self) -> usize {
        self.found.vertex_triangles.len() + self.found.edge_edges.len()
    }

    fn __repr__(&self) -> String {
        let (v, e) = (self.found.vertex_triangles.len(), self.found.edge_edges.len());
        format!("Proximity({v} vertex-triangle, {e} edge-edge)")
    }
}

#[pymethods]
impl Scene {
    /// Every vertex–triangle and edge–edge pair closer than `distance`, within bodies and between them, with weights and
    /// normals: what a solver needs to push things apart before they touch. The verdict is exact.
    ///
    /// `thickness`, a dict from bodies to lengths, replaces the distance: pairs closer than half the sum of their bodies' count. So
    /// does `reach`, a dict from bodies to a length for each vertex, (n,): pairs closer than the sum of the largest reaches of the
    /// corners of both count, so that what moves fast reaches far.
    ///
    /// `bodies`, a list, searches only pairs of which one is of a body in it: what is known of the others need not be asked again.
    ///
    /// `rest`, positions as in `set_all_positions`, leaves out pairs within a body that are as close in that shape already. More
    /// pairs than `most` are an error.
    ///
    /// >>> import crumple, numpy as np
    /// >>> scene = crumple.Scene()
    /// >>> flat = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], dtype=float)
    /// >>> low = scene.add(flat, [[0, 1, 2]])
    /// >>> tip = scene.add([[1, 1, 0.5], [1, 1, 3], [2, 1, 3]], [[0, 1, 2]])
    /// >>> near = scene.proximity(0.75)
    /// >>> near.vertex_triangles, near.distances, near.normals
    /// (array([[1, 0, 0, 0]], dtype=uint32), array([0.5]), array([[0., 0., 1.]]))
    #[pyo3(signature = (distance=None, *, thickness: "Mapping[int, float] | None"=None, reach: "Mapping[int, ArrayLike] | None"=None, pairs: "PairsOf"="all", bodies=None, rest: "Positions | None"=None, most=None))]
    #[allow(clippy::too_many_arguments)]
    fn proximity(
        &self,
        py: Python<'_>,
        distance: Option<f64>,
        thickness: Option<&Bound<'_, PyDict>>,
        reach: Option<&Bound<'_, PyDict>>,
        pairs: &str,
        bodies: Option<Vec<Body>>,
        rest: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = counts::most)] most: Option<usize>,
    ) -> PyResult<Proximity> {
        let close =
            Close::new(py, self, &CloseArguments { distance, thickness, reach, pairs, bodies, most })?;
        let rest = rest_of(self, rest)?;
        let rest = rest.as_ref().map(Next::views);
        let (found, corners) = self.ask(py, "", |scene| {
            let found = close.ask(scene, rest.as_deref(), crumple::Scene::proximity)?;
            let corners = found
                .vertex_triangles
                .iter()
                .map(|p| Ok(scene.mesh(p.triangle.body)?.triangles()[p.triangle.id.index()].map(|v| v.0)));
            let corners = corners.collect::<Result<_, crumple::Error>>()?;
            Ok::<_, crumple::Error>((found, corners))
        })?;
        Ok(Proximity::new(py, found, corners))
    }

    /// For every vertex of every body how far it may go, in any direction and whatever the others do within theirs, without
    /// anything being touched: at most half of `radius`. A dict from bodies to (n,) float64.
    #[pyo3(signature = (radius) -> "dict[int, F64]")]
    fn safe_motion<'py>(&self, py: Python<'py>, radius: f64) -> PyResult<Bound<'py, PyDict>> {
        length("radius", radius)?;
        let (ids, bounds) = self.ask(py, "radius", |scene| {
            let ids: Vec<BodyId> = scene.ids().collect();
            Ok::<_, crumple::Error>((ids, scene.safe_motion(radius)?))
        })?;
        let dict = PyDict::new(py);
        for id in ids {
            dict.set_item(id.0, column(py, bounds[id.index()].iter().copied()))?;
        }
        Ok(dict)
    }
}
