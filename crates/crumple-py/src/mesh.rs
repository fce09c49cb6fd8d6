//! A mesh: what a body is made of, and where its vertices are.

use std::sync::Arc;

use crumple_io::{MeshData, Polygons};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::{Column, Points, Table, column, corners, integers, points, refuse, table};
use crate::diagnostics::Diagnostic;
use crate::edit::Edit;
use crate::errors::{Named, detached};
use crate::files;

/// What a body is made of (triangles, polygons, tetrahedra or bare points) and where its vertices are.
///
/// A mesh never changes: `edit`, `cut` and `with_points` give another one. Triangles of a tetrahedral mesh are its boundary.
///
/// >>> import crumple
/// >>> square = crumple.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], name="square")
/// >>> square
/// Mesh('square', 4 vertices, 2 triangles)
/// >>> square.triangles.dtype, square.is_closed
/// (dtype('uint32'), False)
#[pyclass(frozen, module = "crumple")]
pub struct Mesh {
    pub topology: crumple::Mesh,
    pub positions: Arc<Vec<[f64; 3]>>,
    /// What the file said besides: polygons, objects, materials. Without positions.
    pub data: Option<Arc<MeshData>>,
}

impl Mesh {
    /// A mesh that was made here.
    pub fn new(topology: crumple::Mesh, positions: Vec<[f64; 3]>) -> Self {
        Self { topology, positions: Arc::new(positions), data: None }
    }

    /// A mesh that a file holds.
    pub fn from_data(name: &str, mut data: MeshData) -> Result<Self, crumple::MeshError> {
        let vertices = data.positions.len();
        let topology = if !data.tets.is_empty() {
            crumple::Mesh::from_tets(name, vertices, &data.tets)
        } else if !data.polygons.is_empty() {
            crumple::Mesh::from_polygons(name, vertices, data.polygons.iter())
        } else {
            crumple::Mesh::from_points(name, vertices)
        }?;
        let positions = Arc::new(std::mem::take(&mut data.positions));
        Ok(Self { topology, positions, data: Some(Arc::new(data)) })
    }

    /// Polygons for a writer: as the file had them, else as the triangles tell.
    pub fn polygons_to_write(&self) -> Polygons {
        match &self.data {
            Some(data) if self.topology.version() == 0 => data.polygons.clone(),
            _ => Polygons::from_triangles(bytemuck::cast_slice(self.topology.triangles())),
        }
    }
}

/// The elements that a caller hands over: one kind, or none for bare points.
pub struct Given<'a, 'py> {
    pub triangles: Option<&'a Bound<'py, PyAny>>,
    pub tets: Option<&'a Bound<'py, PyAny>>,
    pub polygons: Option<&'a Bound<'py, PyAny>>,
}

impl Given<'_, '_> {
    pub fn is_empty(&self) -> bool {
        self.triangles.is_none() && self.tets.is_none() && self.polygons.is_none()
    }

    /// The checked mesh.
    pub fn mesh(&self, py: Python<'_>, name: &str, vertices: usize) -> PyResult<crumple::Mesh> {
        match (self.triangles, self.tets, self.polygons) {
            (Some(given), None, None) => {
                let triangles = corners::<3>(given, "triangles", "triangle")?;
                detached(py, "triangles", || crumple::Mesh::from_triangles(name, vertices, &triangles))
            }
            (None, Some(given), None) => {
                let tets = corners::<4>(given, "tets", "tet")?;
                detached(py, "tets", || crumple::Mesh::from_tets(name, vertices, &tets))
            }
            (None, None, Some(given)) => {
                let polygons = Faces::new(given)?;
                detached(py, "polygons", || crumple::Mesh::from_polygons(name, vertices, polygons.iter()))
            }
            (None, None, None) => crumple::Mesh::from_points(name, vertices).named("points"),
            _ => Err(refuse("triangles, tets, polygons", "only one of them can be given")),
        }
    }
}

/// Polygons in one flat list.
struct Faces {
    corners: Vec<u32>,
    starts: Vec<u32>,
}

impl Faces {
    /// From an array of shape (m, k), or from a pair of flat corners and where each polygon begins and the last ends.
    fn new(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name = "polygons";
        if let Ok(pair) = given.cast::<PyTuple>()
            && pair.len() == 2
        {
            let corners = crate::arrays::ids(&pair.get_item(0)?, name)?;
            let starts = crate::arrays::ids(&pair.get_item(1)?, name)?;
            let is_sound = starts.first() == Some(&0)
                && starts.last().is_some_and(|&end| end as usize == corners.len())
                && starts.is_sorted();
            if !is_sound {
                return Err(refuse(name, "the second list must rise from 0 to the number of corners"));
            }
            return Ok(Self { corners, starts });
        }
        let (corners, shape) = integers(given, name, "polygon")?;
        let [rows, width] = shape[..] else {
            return Err(refuse(
                name,
                "the shape (m, k) is wanted, or a pair (corners, starts) of flat lists",
            ));
        };
        let starts = (0..=rows).map(|p| (p * width) as u32).collect();
        Ok(Self { corners, starts })
    }

    fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.corners[ends[0] as usize..ends[1] as usize])
    }
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (points: "ArrayLike", triangles: "ArrayLike | None"=None, *, tets: "ArrayLike | None"=None, polygons: "Polygons | None"=None, name=""))]
    fn from_python(
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        triangles: Option<&Bound<'_, PyAny>>,
        tets: Option<&Bound<'_, PyAny>>,
        polygons: Option<&Bound<'_, PyAny>>,
        name: &str,
    ) -> PyResult<Self> {
        let points = Points::new(points, "points")?;
        let given = Given { triangles, tets, polygons };
        let topology = given.mesh(py, name, points.view().len())?;
        Ok(Self::new(topology, finite(&points)?))
    }

    /// Where the vertices are, (n, 3) float64.
    #[getter]
    fn points(&self, py: Python<'_>) -> Table<f64> {
        points(py, &self.positions)
    }

    /// Corners of each triangle, (m, 3) uint32; of a tetrahedral mesh those of its boundary.
    #[getter]
    fn triangles(&self, py: Python<'_>) -> Table<u32> {
        table(py, self.topology.triangles(), |t| t.map(|v| v.0))
    }

    /// Corners of each tetrahedron, (t, 4) uint32.
    #[getter]
    fn tets(&self, py: Python<'_>) -> Table<u32> {
        table(py, self.topology.tets(), |t| t.map(|v| v.0))
    }

    /// The ends of each edge of the surface, (e, 2) uint32, the smaller first.
    #[getter]
    fn edges(&self, py: Python<'_>) -> Table<u32> {
        let edges = py.detach(|| self.topology.topology().edges());
        table(py, edges, |e| e.map(|v| v.0))
    }

    /// The polygon that each triangle is a part of, (m,) uint32: its own number where all polygons are triangles.
    #[getter]
    fn polygon_of_triangle(&self, py: Python<'_>) -> Column<u32> {
        let ids = 0..self.topology.triangles().len() as u32;
        column(
            py,
            ids.map(|t| self.topology.polygon_of(crumple::TriangleId(t)).0).collect::<Vec<_>>().into_iter(),
        )
    }

    /// Keys of the triangles, (m,) uint32: they last through edits, while numbers close up.
    #[getter]
    fn triangle_keys(&self, py: Python<'_>) -> Column<u32> {
        let ids = 0..self.topology.triangles().len() as u32;
        column(
            py,
            ids.map(|t| self.topology.triangle_key(crumple::TriangleId(t)).0).collect::<Vec<_>>().into_iter(),
        )
    }

    /// Keys of the tetrahedra, (t,) uint32.
    #[getter]
    fn tet_keys(&self, py: Python<'_>) -> Column<u32> {
        let ids = 0..self.topology.tets().len() as u32;
        column(py, ids.map(|t| self.topology.tet_key(crumple::TetId(t)).0).collect::<Vec<_>>().into_iter())
    }

    /// The name it was given.
    #[getter]
    fn name(&self) -> &str {
        self.topology.name()
    }

    /// 0 for a mesh as it was made, one more after each edit.
    #[getter]
    fn version(&self) -> u32 {
        self.topology.version()
    }

    /// Number of vertices, used or not.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.topology.vertex_count()
    }

    /// Number of polygons as they were given.
    #[getter]
    fn polygon_count(&self) -> usize {
        self.topology.polygon_count()
    }

    /// Number of connected parts of the surface.
    #[getter]
    fn component_count(&self, py: Python<'_>) -> usize {
        py.detach(|| self.topology.topology().component_count())
    }

    /// Whether it is a tetrahedral mesh.
    #[getter]
    fn is_solid(&self) -> bool {
        self.topology.is_solid()
    }

    /// Whether its surface has no boundary, so that it has an inside.
    #[getter]
    fn is_closed(&self, py: Python<'_>) -> bool {
        !self.topology.triangles().is_empty() && py.detach(|| self.topology.topology().is_closed())
    }

    /// What the reader skipped or repaired, one sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.data.as_ref().map_or(Vec::new(), |data| data.notes.clone())
    }

    /// The same elements at other positions, (n, 3).
    #[pyo3(signature = (points: "ArrayLike"))]
    fn with_points(&self, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let points = Points::new(points, "points")?;
        let (given, expected) = (points.view().len(), self.topology.vertex_count());
        if given != expected {
            return Err(refuse("points", format!("{given} points were given for {expected} vertices")));
        }
        let positions = Arc::new(finite(&points)?);
        Ok(Self { topology: self.topology.clone(), positions, data: self.data.clone() })
    }

    /// The objects of the file that it was read from, as meshes of their own; itself alone where the file names none.
    fn split_objects(slf: Bound<'_, Self>) -> PyResult<Vec<Py<Self>>> {
        let py = slf.py();
        let this = slf.get();
        let Some(data) = this.data.as_ref().filter(|_| this.topology.version() == 0) else {
            return Ok(vec![slf.unbind()]);
        };
        let mut whole = (**data).clone();
        whole.positions = (*this.positions).clone();
        let objects = whole.split_objects();
        objects
            .into_iter()
            .map(|object| Py::new(py, Self::from_data(&object.name, object.mesh).named("")?))
            .collect()
    }

    /// Starts an edit: add, remove and split elements, then `finish`.
    fn edit(&self, py: Python<'_>) -> PyResult<Edit> {
        Edit::new(py, self)
    }

    /// What is odd about it, by element: degenerate, duplicate and inverted elements, non-manifold edges, unused vertices.
    fn diagnose(&self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        let found = detached(py, "", || {
            let bodies = crumple::Bodies::new([self.topology.clone()])?;
            let positions = [crumple::Positions::from(&*self.positions)];
            Ok::<_, crumple::Error>(crumple::diagnose(&bodies, crumple::Frame::new(&positions))?)
        })?;
        Ok(found.into_iter().map(Diagnostic::from).collect())
    }

    /// Writes an .obj, .ply or .vtu file (.gz after it compresses); `collides` flags triangles, (m,) bool.
    #[pyo3(signature = (path, *, collides: "Sequence_[bool] | NDArray[np.bool_] | None"=None))]
    fn write(&self, py: Python<'_>, path: std::path::PathBuf, collides: Option<Vec<bool>>) -> PyResult<()> {
        files::write_mesh(py, &path, self, collides)
    }

    /// As a `trimesh.Trimesh`, which must be installed; vertices are kept as they are.
    #[pyo3(signature = () -> "Any")]
    fn to_trimesh<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_trimesh")
    }

    /// As a `meshio.Mesh`, which must be installed.
    #[pyo3(signature = () -> "Any")]
    fn to_meshio<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_meshio")
    }

    /// As a `pyvista.PolyData` or, of tetrahedra, a `pyvista.UnstructuredGrid`; pyvista must be installed.
    #[pyo3(signature = () -> "Any")]
    fn to_pyvista<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_pyvista")
    }

    /// As an `open3d.geometry.TriangleMesh` or `TetraMesh`; open3d must be installed.
    #[pyo3(signature = () -> "Any")]
    fn to_open3d<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        convert(slf, "to_open3d")
    }

    pub fn __repr__(&self) -> String {
        let mesh = &self.topology;
        let elements = match (mesh.tets().len(), mesh.triangles().len()) {
            (0, 0) => String::new(),
            (0, triangles) => format!(", {triangles} triangles"),
            (tets, _) => format!(", {tets} tets"),
        };
        format!("Mesh({:?}, {} vertices{elements})", mesh.name(), mesh.vertex_count()).replace('"', "'")
    }

    #[pyo3(signature = () -> "tuple[Any, tuple[Any, ...]]")]
    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let rebuild = py.import(intern!(py, "crumple._convert"))?.getattr(intern!(py, "rebuild"))?;
        let elements = if this.topology.is_solid() { this.tets(py) } else { this.triangles(py) };
        let arguments = (this.name(), this.points(py), elements, this.topology.is_solid());
        Ok((rebuild, arguments.into_pyobject(py)?))
    }
}

/// Calls a conversion that is written in Python.
fn convert<'py>(mesh: Bound<'py, Mesh>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    mesh.py().import(intern!(mesh.py(), "crumple._convert"))?.call_method1(name, (mesh,))
}

/// Positions as memory of our own. The engine checks them when a scene takes them; those of a mesh are checked here.
fn finite(points: &Points<'_>) -> PyResult<Vec<[f64; 3]>> {
    let positions = points.to_vec();
    match positions.iter().position(|p| !p.iter().all(|x| x.abs() <= crumple::MAX_COORDINATE)) {
        None => Ok(positions),
        Some(v) => {
            let [x, y, z] = positions[v];
            let what =
                if positions[v].iter().all(|x| x.is_finite()) { "is too large" } else { "is not finite" };
            Err(crate::errors::FrameError::new_err(format!("points: vertex {v} {what}: ({x}, {y}, {z})")))
        }
    }
}
