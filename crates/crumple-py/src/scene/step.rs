//! What passes through what between two frames, and steps that touch nothing.

use crumple::ImpactTime;
use crumple::{BodyId, Features};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Scene;
use super::moves::{Next, with_frame};
use crate::arrays::{Column, Table, column, refuse, stacked, table};

/// Everything that hits in a step, each pair once, with the time of its first contact.
///
/// Rows of `times` are those of `vertex_triangles`, then those of `edge_edges`.
#[pyclass(frozen, module = "crumple")]
pub struct Impacts {
    /// Vertices that hit triangles, (k, 4) uint32: body, vertex, body, triangle.
    #[pyo3(get)]
    vertex_triangles: Table<u32>,
    /// Edges that hit edges, (m, 6) uint32: body, v, w, body, v, w.
    #[pyo3(get)]
    edge_edges: Table<u32>,
    /// An interval that holds the time of the first contact, (k + m, 2) float64, at most 2^-40 wide.
    #[pyo3(get)]
    times: Table<f64>,
    /// The earliest of all, as an interval; None when nothing hits.
    #[pyo3(get)]
    first: Option<(f64, f64)>,
    rows: usize,
    guarantee: crumple::Guarantee,
    method: &'static str,
}

fn interval(time: ImpactTime) -> [f64; 2] {
    [time.after, time.by]
}

impl Impacts {
    fn new(py: Python<'_>, found: &crumple::Impacts) -> Self {
        let (v, e) = (&found.vertex_triangles, &found.edge_edges);
        Self {
            vertex_triangles: table(py, v, |i| {
                [i.vertex.body.0, i.vertex.id.0, i.triangle.body.0, i.triangle.id.0]
            }),
            edge_edges: table(py, e, |i| {
                [i.a.body.0, i.a.id[0].0, i.a.id[1].0, i.b.body.0, i.b.id[0].0, i.b.id[1].0]
            }),
            times: stacked(
                py,
                (&v[..], |i: &crumple::VertexTriangleImpact| interval(i.time)),
                (&e[..], |i: &crumple::EdgeEdgeImpact| interval(i.time)),
            ),
            first: found.first.map(|t| (t.after, t.by)),
            rows: v.len() + e.len(),
            guarantee: v.guarantee,
            method: v.method,
        }
    }
}

#[pymethods]
impl Impacts {
    /// The method that answered.
    #[getter]
    fn method(&self) -> &'static str {
        self.method
    }

    /// How reliable the answer is: "proved" is complete and exact.
    #[getter]
    fn guarantee(&self) -> String {
        self.guarantee.to_string()
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __repr__(&self) -> String {
        match self.first {
            None => "Impacts(none)".to_owned(),
            Some((after, _)) => format!("Impacts({}, the first at {after:.6})", self.rows),
        }
    }
}

/// Two features that hit each other, and when first.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Impact {
    /// "vertex-triangle" or "edge-edge".
    kind: &'static str,
    /// (body, vertex, body, triangle), or (body, v, w, body, v, w).
    elements: Vec<u32>,
    /// An interval that holds the time of the first contact.
    time: (f64, f64),
}

impl Impact {
    fn new(scene: &crumple::Scene, found: &crumple::Impact) -> Self {
        let bodies = scene.bodies();
        let (kind, elements) = match found.features {
            Features::VertexTriangle(vertex, triangle) => {
                let (v, t) = (bodies.locate_vertex(vertex), bodies.locate_triangle(triangle));
                ("vertex-triangle", vec![v.0.0, v.1.0, t.0.0, t.1.0])
            }
            Features::EdgeEdge(a, b) => {
                let row = [a, b].into_iter().flat_map(|edge| {
                    let [v, w] = edge.map(|v| bodies.locate_vertex(v));
                    [v.0.0, v.1.0, w.1.0]
                });
                ("edge-edge", row.collect())
            }
        };
        Self { kind, elements, time: (found.time.after, found.time.by) }
    }
}

#[pymethods]
impl Impact {
    fn __repr__(&self) -> String {
        format!("Impact({}, {:?}, at {:.6})", self.kind, self.elements, self.time.0)
    }
}

/// How a scene was moved by `step_to`.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Step {
    /// The share of the way that was gone, 0 to 1.
    share: f64,
    /// What stopped it; None when it went all the way.
    blocked_by: Option<Py<Impact>>,
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        let blocked = self.blocked_by.as_ref().map_or("None".to_owned(), |impact| impact.get().__repr__());
        format!("Step({:?}, {blocked})", self.share)
    }
}

/// The share of its way that each vertex may go: what it may move over what it wants to.
fn shares(bounds: &[f64], from: &[[f64; 3]], to: crumple::Positions<'_>) -> Vec<f64> {
    let share = |(v, bound): (usize, &f64)| {
        let way = way(from[v], to.get(v));
        if way <= *bound { 1.0 } else { bound / way }
    };
    bounds.iter().enumerate().map(share).collect()
}

fn way(from: [f64; 3], to: [f64; 3]) -> f64 {
    // A little long: rounding must not make a step seem shorter than it is.
    let length = (0..3).map(|k| (to[k] - from[k]).powi(2)).sum::<f64>().sqrt();
    length * (1.0 + 1e-12)
}

#[pymethods]
impl Scene {
    /// Every vertex that hits a triangle and every two edges that hit each other since positions were last asked about: all
    /// vertices move on straight lines, together. The verdict is exact.
    ///
    /// No impact, and no contact at the start: then nothing crosses at any time of the step, its end included.
    ///
    /// >>> import crumple, numpy as np
    /// >>> scene = crumple.Scene()
    /// >>> flat = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], dtype=float)
    /// >>> sheet = scene.add(flat, [[0, 1, 2]])
    /// >>> ball = scene.add(flat / 40 + [1, 1, 2], [[0, 1, 2]])
    /// >>> scene.begin_step()
    /// >>> scene.set_positions(ball, flat / 40 + [1, 1, -2])
    /// >>> len(scene.contacts()), scene.impacts()
    /// (0, Impacts(3, the first at 0.500000))
    fn impacts(&self, py: Python<'_>) -> PyResult<Impacts> {
        let found = self.ask(py, "", crumple::Scene::impacts)?;
        Ok(Impacts::new(py, &found))
    }

    /// The earliest impact of the step; None when nothing hits. Cheaper than all of them.
    fn first_impact(&self, py: Python<'_>) -> PyResult<Option<Impact>> {
        self.ask(py, "", |scene| {
            let found = scene.first_impact()?;
            Ok::<_, crumple::Error>(found.map(|impact| Impact::new(scene, &impact)))
        })
    }

    /// The largest share of the way from here to `next` that surely touches nothing, 0 to 1.
    ///
    /// `next` is a dict from bodies to positions, a list with an entry for each body, or the positions of the only body that is
    /// not fixed. With `thickness` everything stays further apart than that. With `per_vertex` each vertex has its own share, as
    /// a dict from the bodies in `next` to (n,) float64: vertices far from everything go all the way.
    // overload: (self, next: Positions, *, thickness: float | None = None, per_vertex: Literal[False] = False) -> float
    // overload: (self, next: Positions, *, thickness: None = None, per_vertex: Literal[True]) -> dict[int, F64]
    #[pyo3(signature = (next: "Positions", *, thickness=None, per_vertex=false) -> "float | dict[int, F64]")]
    fn safe_step<'py>(
        &self,
        py: Python<'py>,
        next: &Bound<'py, PyAny>,
        thickness: Option<f64>,
        per_vertex: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        match (thickness, per_vertex) {
            (Some(_), true) => Err(refuse("thickness, per_vertex", "only one of them can be given")),
            (Some(thickness), false) => {
                Ok(self.safe_step_apart(py, next, thickness)?.into_pyobject(py)?.into_any())
            }
            (None, false) => {
                let next = Next::new(self, next)?;
                let views = next.views();
                let share =
                    self.ask(py, "next", |scene| with_frame(scene, &views, crumple::Scene::safe_step))?;
                Ok(share.into_pyobject(py)?.into_any())
            }
            (None, true) => Ok(self.shares_of(py, next)?.into_any()),
        }
    }

    /// The largest share of the way from here to `next` on which everything stays further apart than `thickness`.
    #[pyo3(signature = (next: "Positions", thickness))]
    fn safe_step_apart(&self, py: Python<'_>, next: &Bound<'_, PyAny>, thickness: f64) -> PyResult<f64> {
        let next = Next::new(self, next)?;
        let views = next.views();
        self.ask(py, "next", |scene| {
            with_frame(scene, &views, |scene, frame| scene.safe_step_apart(frame, thickness))
        })
    }

    /// Moves towards `next` as far as nothing is touched, and proves it for the positions as they are rounded.
    #[pyo3(signature = (next: "Positions"))]
    fn step_to(&self, py: Python<'_>, next: &Bound<'_, PyAny>) -> PyResult<Step> {
        let next = Next::new(self, next)?;
        let views = next.views();
        let (share, impact) = self.change(py, "next", |scene| {
            let step = with_frame(scene, &views, crumple::Scene::step_to)?;
            Ok::<_, crumple::Error>((step.share, step.blocked_by.map(|impact| Impact::new(scene, &impact))))
        })?;
        Ok(Step { share, blocked_by: impact.map(|impact| Py::new(py, impact)).transpose()? })
    }
}

impl Scene {
    /// For each body in `next`, how far each of its vertices may go on its way.
    fn shares_of<'py>(&self, py: Python<'py>, next: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let next = Next::new(self, next)?;
        let views = next.views();
        let found = self.ask(py, "next", |scene| {
            with_frame(scene, &views, |scene, frame| {
                frame.check(scene.bodies())?;
                let mut longest = 0.0_f64;
                for &(body, to) in &views {
                    let from = scene.positions(body)?;
                    longest = (0..to.len()).map(|v| way(from[v], to.get(v))).fold(longest, f64::max);
                }
                // A vertex may go half of the radius at most.
                let bounds = scene.safe_motion(2.0 * longest * (1.0 + 1e-9))?;
                let share = |&(body, to): &(BodyId, crumple::Positions<'_>)| {
                    Ok((body, shares(&bounds[body.index()], scene.positions(body)?, to)))
                };
                views.iter().map(share).collect::<Result<Vec<_>, crumple::Error>>()
            })
        })?;
        let dict = PyDict::new(py);
        for (body, shares) in found {
            let shares: Column<f64> = column(py, shares.into_iter());
            dict.set_item(body.0, shares)?;
        }
        Ok(dict)
    }
}
