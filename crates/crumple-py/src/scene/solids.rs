//! What is inside tetrahedra.

use crumple::methods::spatial_hash::Touch;
use crumple::{Answer, Cause, EdgePenetration, Guarantee};
use pyo3::prelude::*;

use super::{Scene, choose, length};
use crate::arrays::{Column, Table, column, refuse, table};

/// Vertices inside tetrahedra that do not own them, sorted.
#[pyclass(frozen, module = "crumple")]
pub struct Penetrations {
    /// (k, 4) uint32: body, vertex, body, tet.
    #[pyo3(get)]
    vertex_tets: Table<u32>,
    /// Barycentric weights of the vertex in the tet, (k, 4) float64: each in [0, 1], their sum 1.
    #[pyo3(get)]
    weights: Table<f64>,
    /// How deep, (k,) float64: the distance to the surface along the direction. None where it was not asked for.
    #[pyo3(get)]
    depths: Option<Column<f64>>,
    /// The way out, (k, 3) float64, of length 1. None where it was not asked for.
    #[pyo3(get)]
    directions: Option<Table<f64>>,
    /// Whether it is because a tet is inverted, an element to repair rather than a collision, (k,) bool. None where it was not
    /// asked for.
    #[pyo3(get)]
    inverted: Option<Column<bool>>,
    rows: usize,
    method: &'static str,
    guarantee: Guarantee,
}

#[pymethods]
impl Penetrations {
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
        format!("Penetrations({} vertices in tets, {}, {})", self.rows, self.method, self.guarantee)
    }
}

/// Edges that meet tetrahedra with which they share no vertex, sorted.
#[pyclass(frozen, module = "crumple")]
pub struct EdgePenetrations {
    /// (k, 5) uint32: body, v, w, body, tet.
    #[pyo3(get)]
    edge_tets: Table<u32>,
    found: Answer<EdgePenetration>,
}

#[pymethods]
impl EdgePenetrations {
    /// The method that answered.
    #[getter]
    fn method(&self) -> &'static str {
        self.found.method
    }

    /// How reliable the answer is: "proved" is complete and exact.
    #[getter]
    fn guarantee(&self) -> String {
        self.found.guarantee.to_string()
    }

    fn __len__(&self) -> usize {
        self.found.len()
    }

    fn __repr__(&self) -> String {
        format!("EdgePenetrations({} edges in tets)", self.found.len())
    }
}

#[pymethods]
impl Scene {
    /// Every vertex inside a tet that does not own it, its own body's included, with its depth and the way out.
    ///
    /// >>> import crumple, numpy as np
    /// >>> corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], dtype=float)
    /// >>> scene = crumple.Scene()
    /// >>> a = scene.add(corners, tets=[[0, 1, 2, 3]])
    /// >>> b = scene.add(corners + 1, tets=[[0, 1, 2, 3]])
    /// >>> inside = scene.penetrations()
    /// >>> inside.vertex_tets, inside.weights
    /// (array([[1, 0, 0, 0]], dtype=uint32), array([[0.25, 0.25, 0.25, 0.25]]))
    fn penetrations(&self, py: Python<'_>) -> PyResult<Penetrations> {
        let found = self.ask(py, "", crumple::Scene::penetrations)?;
        Ok(Penetrations {
            vertex_tets: table(py, &found, |p| [p.vertex.body.0, p.vertex.id.0, p.tet.body.0, p.tet.id.0]),
            weights: table(py, &found, |p| p.weights),
            depths: Some(column(py, found.iter().map(|p| p.depth))),
            directions: Some(table(py, &found, |p| p.direction)),
            inverted: Some(column(py, found.iter().map(|p| p.cause == Cause::Inverted))),
            rows: found.len(),
            method: found.method,
            guarantee: found.guarantee,
        })
    }

    /// As `penetrations`, without depths and directions, which take time of their own.
    fn vertices_in_tets(&self, py: Python<'_>) -> PyResult<Penetrations> {
        let found = self.ask(py, "", crumple::Scene::vertices_in_tets)?;
        Ok(Penetrations {
            vertex_tets: table(py, &found, |p| [p.vertex.body.0, p.vertex.id.0, p.tet.body.0, p.tet.id.0]),
            weights: table(py, &found, |p| p.weights),
            depths: None,
            directions: None,
            inverted: None,
            rows: found.len(),
            method: found.method,
            guarantee: found.guarantee,
        })
    }

    /// Every edge that meets a tet with which it shares no vertex.
    fn edge_penetrations(&self, py: Python<'_>) -> PyResult<EdgePenetrations> {
        let found = self.ask(py, "", crumple::Scene::edge_penetrations)?;
        let edge_tets =
            table(py, &found, |p| [p.edge.body.0, p.edge.id[0].0, p.edge.id[1].0, p.tet.body.0, p.tet.id.0]);
        Ok(EdgePenetrations { edge_tets, found })
    }

    /// Says which vertices on the skin of a tet, or near it, `penetrations` and `vertices_in_tets` count.
    ///
    /// "closed", as it is at first: those on the skin too. "open": only those inside. A depth: only those deeper than that below
    /// each of its faces. Vertices at most `weld` from a corner of a tet are that corner and not in it. All are decided exactly.
    ///
    /// >>> import crumple, numpy as np
    /// >>> corners = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], dtype=float)
    /// >>> scene = crumple.Scene()
    /// >>> a = scene.add(corners, tets=[[0, 1, 2, 3]])
    /// >>> b = scene.add(corners + 0.5, tets=[[0, 1, 2, 3]])  # a corner is 0.5 below three faces
    /// >>> counts = [len(scene.penetrations())]
    /// >>> for touch in ["open", 0.4, 0.5]:
    /// ...     scene.set_touch(touch)
    /// ...     counts.append(len(scene.penetrations()))
    /// >>> counts
    /// [1, 1, 1, 0]
    #[pyo3(signature = (touch: "Literal['closed', 'open'] | float", *, weld=None))]
    fn set_touch(&self, py: Python<'_>, touch: &Bound<'_, PyAny>, weld: Option<f64>) -> PyResult<()> {
        let touch = if let Ok(name) = touch.extract::<String>() {
            let all = [("closed", Touch::Closed), ("open", Touch::Open)];
            choose("touch", &name, all.map(|(name, touch)| (name.to_owned(), touch)))?
        } else {
            let depth = touch.extract::<f64>();
            let wanted = r#""closed", "open" or a depth is wanted"#;
            Touch::Deeper(length("touch", depth.map_err(|_| refuse("touch", wanted))?)?)
        };
        let weld = weld.map(|d| length("weld", d)).transpose()?;
        self.ask(py, "touch", |scene| scene.set_touch(touch, weld))
    }
}
