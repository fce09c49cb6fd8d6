//! Cutting a mesh along a blade, and fusing two.

use crumple::VertexId;
use pyo3::prelude::*;

use crate::arrays::{Column, Points, Table, column, corners, point, refuse, table};
use crate::edit::Changes;
use crate::errors::{Named, detached};
use crate::mesh::Mesh;

/// What cuts: a plane without end, the strip that a polyline sweeps, or a triangulated surface.
///
/// >>> import crumple
/// >>> crumple.Blade.plane([[1, 0, 0], [1, 1, 0], [1, 0, 1]])
/// Blade(plane)
/// >>> crumple.Blade.sweep([[0, 0, 0], [1, 0, 0]], along=[0, 0, 2])
/// Blade(sweep)
#[pyclass(frozen, module = "crumple")]
pub struct Blade {
    pub blade: crumple::cut::Blade,
    kind: &'static str,
}

#[pymethods]
impl Blade {
    /// The plane through three points that are not on one line, (3, 3).
    #[staticmethod]
    #[pyo3(signature = (points: "ArrayLike"))]
    fn plane(points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let points = Points::new(points, "points")?.to_vec();
        let through = points.try_into().map_err(|_| refuse("points", "three points are wanted"))?;
        Ok(Self { blade: crumple::cut::Blade::plane(through).named("points")?, kind: "plane" })
    }

    /// The strip between a polyline, (n, 3), and the same moved by `along`.
    #[staticmethod]
    #[pyo3(signature = (polyline: "ArrayLike", along: "ArrayLike"))]
    fn sweep(polyline: &Bound<'_, PyAny>, along: &Bound<'_, PyAny>) -> PyResult<Self> {
        let polyline = Points::new(polyline, "polyline")?.to_vec();
        let along = point(along, "along")?;
        Ok(Self { blade: crumple::cut::Blade::sweep(&polyline, along).named("polyline")?, kind: "sweep" })
    }

    /// A triangulated surface: positions, (n, 3), and triangles, (m, 3). It must not cross itself within what it cuts.
    #[staticmethod]
    #[pyo3(signature = (positions: "ArrayLike", triangles: "ArrayLike"))]
    fn surface(positions: &Bound<'_, PyAny>, triangles: &Bound<'_, PyAny>) -> PyResult<Self> {
        let positions = Points::new(positions, "positions")?.to_vec();
        let triangles = corners(triangles, "triangles", "triangle")?;
        Ok(Self {
            blade: crumple::cut::Blade::surface(&positions, &triangles).named("triangles")?,
            kind: "surface",
        })
    }

    fn __repr__(&self) -> String {
        format!("Blade({})", self.kind)
    }
}

/// A mesh after a cut.
#[pyclass(frozen, module = "crumple")]
pub struct Cut {
    /// The next version of the mesh.
    #[pyo3(get)]
    mesh: Py<Mesh>,
    /// What changed.
    #[pyo3(get)]
    changes: Py<Changes>,
    /// Vertices that were one before the cut: the original and a copy, (k, 2) uint32.
    #[pyo3(get)]
    seam: Table<u32>,
}

#[pymethods]
impl Cut {
    fn __repr__(&self) -> String {
        format!("Cut({}, {})", self.mesh.get().__repr__(), self.changes.get().__repr__())
    }
}

impl Cut {
    /// What changed, the seam, and the mesh after it.
    pub fn new(
        py: Python<'_>,
        changes: crumple::Changes,
        seam: &[[crumple::VertexId; 2]],
        mesh: Mesh,
    ) -> PyResult<Self> {
        Ok(Self {
            seam: table(py, seam, |pair| pair.map(|v| v.0)),
            mesh: Py::new(py, mesh)?,
            changes: Py::new(py, Changes(changes))?,
        })
    }
}

#[pymethods]
impl Mesh {
    /// Cuts it along a blade: every element on the way is split, and the two sides get vertices of their own.
    fn cut(&self, py: Python<'_>, blade: &Blade) -> PyResult<Cut> {
        let done = detached(py, "", || crumple::cut::cut(&self.topology, &self.positions, &blade.blade))?;
        Cut::new(py, done.changes, &done.seam, Mesh::new(done.body, done.positions))
    }
}

/// Two meshes as one.
#[pyclass(frozen, module = "crumple")]
pub struct Fused {
    /// The next version of the first mesh, with the second in it.
    #[pyo3(get)]
    mesh: Py<Mesh>,
    /// What changed in the first mesh.
    #[pyo3(get)]
    changes: Py<Changes>,
    /// What each vertex of the second mesh is called now, (n,) uint32.
    #[pyo3(get)]
    vertices: Column<u32>,
    /// The key of each triangle of the second mesh now, (m,) uint32; empty for tetrahedral meshes.
    #[pyo3(get)]
    triangles: Column<u32>,
    /// The key of each tetrahedron of the second mesh now, (t,) uint32.
    #[pyo3(get)]
    tets: Column<u32>,
}

/// Makes one mesh of two surfaces or two tetrahedral meshes; `weld` pairs vertices that become one, (k, 2).
#[pyfunction]
#[pyo3(signature = (a, b, weld: "ArrayLike | None"=None))]
pub fn fuse(py: Python<'_>, a: &Mesh, b: &Mesh, weld: Option<&Bound<'_, PyAny>>) -> PyResult<Fused> {
    let weld = weld.map_or(Ok(Vec::new()), |given| corners::<2>(given, "weld", "pair"))?;
    let weld: Vec<_> = weld.into_iter().map(|[to, from]| (VertexId(to), VertexId(from))).collect();
    let sides = ((&a.topology, &a.positions[..]), (&b.topology, &b.positions[..]));
    let found = detached(py, "", || crumple::cut::fuse(sides.0, sides.1, &weld))?;
    Ok(Fused {
        mesh: Py::new(py, Mesh::new(found.body, found.positions))?,
        changes: Py::new(py, Changes(found.changes))?,
        vertices: column(py, found.vertices.iter().map(|v| v.0)),
        triangles: column(py, found.triangles.iter().map(|t| t.0)),
        tets: column(py, found.tets.iter().map(|t| t.0)),
    })
}

/// Pairs of a vertex of the first and one of the second that differ by at most `within` on each axis, (k, 2) uint32.
#[pyfunction]
pub fn coincident(py: Python<'_>, a: &Mesh, b: &Mesh, within: f64) -> PyResult<Table<u32>> {
    if !(within >= 0.0 && within.is_finite()) {
        return Err(refuse("within", format!("{within} is not a length")));
    }
    let pairs = detached(py, "", || {
        Ok::<_, crumple::Error>(crumple::cut::coincident(&a.positions, &b.positions, within))
    })?;
    Ok(table(py, &pairs, |(v, w)| [v.0, w.0]))
}
