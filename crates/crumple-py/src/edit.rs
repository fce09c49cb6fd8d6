//! Edits of the topology: the next version of a mesh, with keys that last.

use std::sync::Mutex;

use crumple::{Added, TetKey, TriangleKey, VertexId};
use pyo3::prelude::*;

use crate::arrays::{Column, column, ids, point, refuse};
use crate::errors::{Error, Named};
use crate::ids::{Key, Vertex};
use crate::mesh::Mesh;

/// Changes to a mesh, collected until `finish`. Elements go by their keys, vertices by their numbers.
///
/// >>> import crumple
/// >>> square = crumple.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
/// >>> edit = square.edit()
/// >>> edit.split_edge(0, 2, 0.5)
/// 4
/// >>> mesh, changes = edit.finish()
/// >>> mesh.points[4], changes.triangles_removed
/// (array([0.5, 0.5, 0. ]), array([0, 1], dtype=uint32))
#[pyclass(frozen, module = "crumple")]
pub struct Edit {
    state: Mutex<Option<State>>,
}

struct State {
    edit: crumple::Edit,
    positions: Vec<[f64; 3]>,
    /// Vertices out of nothing, and where they are.
    placed: Vec<(VertexId, [f64; 3])>,
}

impl Edit {
    pub fn new(mesh: &Mesh) -> Self {
        let state =
            State { edit: mesh.topology.edit(), positions: (*mesh.positions).clone(), placed: Vec::new() };
        Self { state: Mutex::new(Some(state)) }
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        match self.state.lock() {
            Ok(mut state) => work(state.as_mut().ok_or_else(finished)?),
            Err(_) => Err(crate::errors::Fault::Broken.into()),
        }
    }
}

/// The corners of one element.
fn vertices<const N: usize>(given: &Bound<'_, PyAny>) -> PyResult<[VertexId; N]> {
    let corners: [u32; N] = ids(given, "corners")?
        .try_into()
        .map_err(|_| refuse("corners", format!("{N} vertices are wanted")))?;
    Ok(corners.map(VertexId))
}

fn finished() -> PyErr {
    Error::new_err("this edit is finished; start another one with mesh.edit()")
}

#[pymethods]
impl Edit {
    /// Adds a vertex that nothing uses yet; its number.
    #[pyo3(signature = (position: "ArrayLike"))]
    fn add_vertex(&self, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let at = point(position, "position")?;
        self.with(|state| {
            let vertex = state.edit.add_vertex();
            state.placed.push((vertex, at));
            Ok(vertex.0)
        })
    }

    /// Adds a copy of a vertex and gives it to these triangles, which let go of the original.
    #[pyo3(signature = (vertex, triangles: "ArrayLike"))]
    fn duplicate_vertex(&self, vertex: Vertex, triangles: &Bound<'_, PyAny>) -> PyResult<u32> {
        let takers: Vec<TriangleKey> = ids(triangles, "triangles")?.into_iter().map(TriangleKey).collect();
        self.with(|state| Ok(state.edit.duplicate_vertex(vertex.0, &takers).named("")?.0))
    }

    /// Adds a copy of a vertex and gives it to these tetrahedra, which let go of the original.
    #[pyo3(signature = (vertex, tets: "ArrayLike"))]
    fn duplicate_vertex_of_tets(&self, vertex: Vertex, tets: &Bound<'_, PyAny>) -> PyResult<u32> {
        let takers: Vec<TetKey> = ids(tets, "tets")?.into_iter().map(TetKey).collect();
        self.with(|state| Ok(state.edit.duplicate_vertex_of_tets(vertex.0, &takers).named("")?.0))
    }

    /// Adds a triangle to a surface; its key.
    #[pyo3(signature = (corners: "ArrayLike"))]
    fn add_triangle(&self, corners: &Bound<'_, PyAny>) -> PyResult<u32> {
        let corners = vertices::<3>(corners)?;
        self.with(|state| Ok(state.edit.add_triangle(corners).named("corners")?.0))
    }

    /// Removes a triangle of a surface.
    fn remove_triangle(&self, key: Key) -> PyResult<()> {
        self.with(|state| state.edit.remove_triangle(TriangleKey(key.0)).named("key"))
    }

    /// Adds a tetrahedron to a tetrahedral mesh; its key.
    #[pyo3(signature = (corners: "ArrayLike"))]
    fn add_tet(&self, corners: &Bound<'_, PyAny>) -> PyResult<u32> {
        let corners = vertices::<4>(corners)?;
        self.with(|state| Ok(state.edit.add_tet(corners).named("corners")?.0))
    }

    /// Removes a tetrahedron; the boundary follows.
    fn remove_tet(&self, key: Key) -> PyResult<()> {
        self.with(|state| state.edit.remove_tet(TetKey(key.0)).named("key"))
    }

    /// Puts a vertex on an edge, `at` of the way from `a` to `b`, and splits every element that has the edge; its number.
    fn split_edge(&self, a: Vertex, b: Vertex, at: f64) -> PyResult<u32> {
        if !(at > 0.0 && at < 1.0) {
            return Err(refuse("at", format!("{at} is not between 0 and 1")));
        }
        self.with(|state| Ok(state.edit.split_edge(a.0, b.0, at).named("")?.0))
    }

    /// Puts a vertex inside a tetrahedron, at these weights of its corners, and splits it in four; its number.
    fn split_tet(&self, key: Key, weights: [f64; 4]) -> PyResult<u32> {
        if !weights.iter().all(|w| w.is_finite()) {
            return Err(refuse("weights", format!("{weights:?} are not finite")));
        }
        self.with(|state| Ok(state.edit.split_tet(TetKey(key.0), weights).named("key")?.0))
    }

    /// The corners of a triangle as they are now, within the edit.
    fn triangle(&self, key: Key) -> PyResult<[u32; 3]> {
        self.with(|state| Ok(state.edit.triangle(TriangleKey(key.0)).named("key")?.map(|v| v.0)))
    }

    /// The corners of a tetrahedron as they are now, within the edit.
    fn tet(&self, key: Key) -> PyResult<[u32; 4]> {
        self.with(|state| Ok(state.edit.tet(TetKey(key.0)).named("key")?.map(|v| v.0)))
    }

    /// The next version of the mesh, and what changed.
    fn finish(&self) -> PyResult<(Mesh, Changes)> {
        let state = self.state.lock().map_err(|_| PyErr::from(crate::errors::Fault::Broken))?.take();
        let State { edit, mut positions, placed } = state.ok_or_else(finished)?;
        let (mesh, changes) = edit.finish();
        changes.extend_positions(&mut positions);
        for (vertex, at) in placed {
            positions[vertex.index()] = at;
        }
        Ok((Mesh::new(mesh, positions), Changes(changes)))
    }
}

/// What an edit changed: the keys of elements removed, added and given other corners, and the new vertices.
#[pyclass(frozen, module = "crumple")]
pub struct Changes(pub crumple::Changes);

fn keys<K: Copy>(py: Python<'_>, keys: &[K], number: impl Fn(K) -> u32) -> Column<u32> {
    column(py, keys.iter().map(|&k| number(k)))
}

fn added<K: Copy>(py: Python<'_>, added: &[Added<K>], number: impl Fn(K) -> u32) -> Column<u32> {
    column(py, added.iter().map(|a| number(a.key)))
}

#[pymethods]
impl Changes {
    /// Numbers of the new vertices, (k,) uint32.
    #[getter]
    fn vertices(&self, py: Python<'_>) -> Column<u32> {
        column(py, self.0.vertices.iter().map(|v| v.vertex.0))
    }

    /// Keys of the triangles that are gone, (k,) uint32.
    #[getter]
    fn triangles_removed(&self, py: Python<'_>) -> Column<u32> {
        keys(py, &self.0.triangles_removed, |k| k.0)
    }

    /// Keys of the triangles that are new, (k,) uint32.
    #[getter]
    fn triangles_added(&self, py: Python<'_>) -> Column<u32> {
        added(py, &self.0.triangles_added, |k| k.0)
    }

    /// The key of the triangle that each new one is a piece of, (k,) int64; -1 where there is none.
    #[getter]
    fn triangle_parents(&self, py: Python<'_>) -> Column<i64> {
        column(py, self.0.triangles_added.iter().map(|a| a.parent.map_or(-1, |k| i64::from(k.0))))
    }

    /// Keys of the triangles that have other corners now, (k,) uint32.
    #[getter]
    fn triangles_changed(&self, py: Python<'_>) -> Column<u32> {
        keys(py, &self.0.triangles_changed, |k| k.0)
    }

    /// Keys of the tetrahedra that are gone, (k,) uint32.
    #[getter]
    fn tets_removed(&self, py: Python<'_>) -> Column<u32> {
        keys(py, &self.0.tets_removed, |k| k.0)
    }

    /// Keys of the tetrahedra that are new, (k,) uint32.
    #[getter]
    fn tets_added(&self, py: Python<'_>) -> Column<u32> {
        added(py, &self.0.tets_added, |k| k.0)
    }

    /// The key of the tetrahedron that each new one is a piece of, (k,) int64; -1 where there is none.
    #[getter]
    fn tet_parents(&self, py: Python<'_>) -> Column<i64> {
        column(py, self.0.tets_added.iter().map(|a| a.parent.map_or(-1, |k| i64::from(k.0))))
    }

    /// Keys of the tetrahedra that have other corners now, (k,) uint32.
    #[getter]
    fn tets_changed(&self, py: Python<'_>) -> Column<u32> {
        keys(py, &self.0.tets_changed, |k| k.0)
    }

    pub fn __repr__(&self) -> String {
        let c = &self.0;
        let removed = c.triangles_removed.len() + c.tets_removed.len();
        let added = c.triangles_added.len() + c.tets_added.len();
        format!("Changes({} new vertices, {removed} elements removed, {added} added)", c.vertices.len())
    }
}
