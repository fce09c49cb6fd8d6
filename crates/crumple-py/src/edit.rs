//! Edits of the topology: the next version of a mesh, with keys that last.

use std::sync::{Arc, Mutex};

use crumple::{Added, MeshError, TetKey, TriangleKey, VertexId};
use pyo3::prelude::*;

use crate::arrays::{Column, column, ids, point, refuse};
use crate::errors::{Error, Fault, Named, catch};
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
    /// Where the mesh's vertices are; the edit of a body in a scene has them there.
    positions: Option<Arc<Vec<[f64; 3]>>>,
}

impl Edit {
    /// Starts to edit a mesh. The first edit of a mesh finds its neighbourhoods.
    pub fn new(py: Python<'_>, mesh: &Mesh) -> PyResult<Self> {
        Self::start(py, &mesh.topology, Some(mesh.positions.clone()))
    }

    /// Starts to edit a body where it is, in a scene that takes the edit in.
    pub fn in_scene(py: Python<'_>, mesh: &crumple::Mesh) -> PyResult<Self> {
        Self::start(py, mesh, None)
    }

    fn start(py: Python<'_>, mesh: &crumple::Mesh, positions: Option<Arc<Vec<[f64; 3]>>>) -> PyResult<Self> {
        let edit = py.detach(|| catch(|| mesh.edit()))?;
        Ok(Self { state: Mutex::new(Some(State { edit, positions })) })
    }

    /// Does some work on it, without the interpreter's lock. `argument` names what the caller handed over.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        argument: &str,
        work: impl FnOnce(&mut crumple::Edit) -> Result<T, MeshError> + Send,
    ) -> PyResult<T> {
        let done = self.with_state(py, |state| state.as_mut().map(|state| work(&mut state.edit)))?;
        done.ok_or_else(finished)?.named(argument)
    }

    fn with_state<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<State>) -> T + Send,
    ) -> Result<T, Fault> {
        // The guard lives within what is caught: a panic poisons the lock.
        py.detach(|| catch(|| Ok(work(&mut *self.state.lock().map_err(|_| Fault::Broken)?)))?)
    }

    /// Ends the edit of a body in a scene.
    pub fn take(&self, py: Python<'_>) -> PyResult<crumple::Edit> {
        self.with_state(py, Option::take)?.map(|state| state.edit).ok_or_else(finished)
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
    Error::new_err("this edit is finished; start another one")
}

#[pymethods]
impl Edit {
    /// Adds a vertex that nothing uses yet; its number.
    #[pyo3(signature = (position: "ArrayLike"))]
    fn add_vertex(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let at = point(position, "position")?;
        self.with(py, "position", |edit| Ok(edit.add_vertex_at(at).0))
    }

    /// Adds a copy of a vertex and gives it to these triangles, which let go of the original.
    #[pyo3(signature = (vertex, triangles: "ArrayLike"))]
    fn duplicate_vertex(
        &self,
        py: Python<'_>,
        vertex: Vertex,
        triangles: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        let takers: Vec<TriangleKey> = ids(triangles, "triangles")?.into_iter().map(TriangleKey).collect();
        self.with(py, "", |edit| Ok(edit.duplicate_vertex(vertex.0, &takers)?.0))
    }

    /// Adds a copy of a vertex and gives it to these tetrahedra, which let go of the original.
    #[pyo3(signature = (vertex, tets: "ArrayLike"))]
    fn duplicate_vertex_of_tets(
        &self,
        py: Python<'_>,
        vertex: Vertex,
        tets: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        let takers: Vec<TetKey> = ids(tets, "tets")?.into_iter().map(TetKey).collect();
        self.with(py, "", |edit| Ok(edit.duplicate_vertex_of_tets(vertex.0, &takers)?.0))
    }

    /// Adds a triangle to a surface; its key.
    #[pyo3(signature = (corners: "ArrayLike"))]
    fn add_triangle(&self, py: Python<'_>, corners: &Bound<'_, PyAny>) -> PyResult<u32> {
        let corners = vertices::<3>(corners)?;
        self.with(py, "corners", |edit| Ok(edit.add_triangle(corners)?.0))
    }

    /// Removes a triangle of a surface.
    fn remove_triangle(&self, py: Python<'_>, key: Key) -> PyResult<()> {
        self.with(py, "key", |edit| edit.remove_triangle(TriangleKey(key.0)))
    }

    /// Adds a tetrahedron to a tetrahedral mesh; its key.
    #[pyo3(signature = (corners: "ArrayLike"))]
    fn add_tet(&self, py: Python<'_>, corners: &Bound<'_, PyAny>) -> PyResult<u32> {
        let corners = vertices::<4>(corners)?;
        self.with(py, "corners", |edit| Ok(edit.add_tet(corners)?.0))
    }

    /// Removes a tetrahedron; the boundary follows.
    fn remove_tet(&self, py: Python<'_>, key: Key) -> PyResult<()> {
        self.with(py, "key", |edit| edit.remove_tet(TetKey(key.0)))
    }

    /// Puts a vertex on an edge, `at` of the way from `a` to `b`, and splits every element that has the edge; its number.
    fn split_edge(&self, py: Python<'_>, a: Vertex, b: Vertex, at: f64) -> PyResult<u32> {
        if !(at > 0.0 && at < 1.0) {
            return Err(refuse("at", format!("{at} is not between 0 and 1")));
        }
        self.with(py, "", |edit| Ok(edit.split_edge(a.0, b.0, at)?.0))
    }

    /// Puts a vertex inside a tetrahedron, at these weights of its corners, and splits it in four; its number.
    fn split_tet(&self, py: Python<'_>, key: Key, weights: [f64; 4]) -> PyResult<u32> {
        if !weights.iter().all(|w| w.is_finite()) {
            return Err(refuse("weights", format!("{weights:?} are not finite")));
        }
        self.with(py, "key", |edit| Ok(edit.split_tet(TetKey(key.0), weights)?.0))
    }

    /// The corners of a triangle as they are now, within the edit.
    fn triangle(&self, py: Python<'_>, key: Key) -> PyResult<[u32; 3]> {
        self.with(py, "key", |edit| Ok(edit.triangle(TriangleKey(key.0))?.map(|v| v.0)))
    }

    /// The corners of a tetrahedron as they are now, within the edit.
    fn tet(&self, py: Python<'_>, key: Key) -> PyResult<[u32; 4]> {
        self.with(py, "key", |edit| Ok(edit.tet(TetKey(key.0))?.map(|v| v.0)))
    }

    /// The next version of the mesh, and what changed. What is edited in a scene is finished by the scene.
    fn finish(&self, py: Python<'_>) -> PyResult<(Mesh, Changes)> {
        let made = self.with_state(py, |state| {
            // What belongs to a scene stays as it is.
            let positions = state.as_mut().map(|state| state.positions.take());
            let Some(positions) = positions.flatten() else { return state.is_some().then_some(None) };
            let (mesh, changes) = state.take()?.edit.finish();
            let mut positions = Arc::unwrap_or_clone(positions);
            changes.extend_positions(&mut positions);
            Some(Some((Mesh::new(mesh, positions), Changes(changes))))
        })?;
        made.ok_or_else(finished)?.ok_or_else(|| {
            Error::new_err("an edit in a scene is finished by the scene, when `change` returns")
        })
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
