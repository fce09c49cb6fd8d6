//! Bodies under lasting ids: adding, replacing, removing, cutting, looking.

use std::sync::Arc;

use crumple::{Groups, Positions};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;

use super::{Scene, length};
use crate::arrays::{Points, Table, corners, points, refuse};
use crate::counts;
use crate::cut::{Blade, Cut};
use crate::edit::{Changes, Edit};
use crate::errors::Named;
use crate::ids::Body;
use crate::mesh::{Given, Mesh};

/// A body as a caller hands it over: arrays, a mesh of ours, or an object or file that can be made one.
enum Source<'py> {
    Arrays(crumple::Mesh, Points<'py>),
    Mesh(Bound<'py, Mesh>, Option<String>),
}

impl<'py> Source<'py> {
    fn new(given: &Bound<'py, PyAny>, elements: &Given<'_, 'py>, name: Option<&str>) -> PyResult<Self> {
        let py = given.py();
        if elements.is_empty() && !is_array(given)? {
            let mesh = match given.cast::<Mesh>() {
                Ok(mesh) => mesh.clone(),
                Err(_) => py
                    .import(intern!(py, "crumple._convert"))?
                    .call_method1(intern!(py, "as_mesh"), (given,))?
                    .cast_into::<Mesh>()?,
            };
            return Ok(Self::Mesh(mesh, name.map(str::to_owned)));
        }
        let points = Points::new(given, "points")?;
        let mesh = elements.mesh(py, name.unwrap_or(""), points.view().len())?;
        Ok(Self::Arrays(mesh, points))
    }

    /// What the engine takes. A mesh of ours keeps its history, so that a scene follows its edits; with another name it is a
    /// mesh of its own.
    fn parts(&self) -> PyResult<(crumple::Mesh, Positions<'_>)> {
        match self {
            Self::Arrays(mesh, points) => Ok((mesh.clone(), points.view())),
            Self::Mesh(mesh, name) => {
                let mesh = mesh.get();
                let topology = match name {
                    Some(name) if name != mesh.topology.name() => renamed(&mesh.topology, name)?,
                    _ => mesh.topology.clone(),
                };
                Ok((topology, Positions::F64(&mesh.positions)))
            }
        }
    }
}

fn renamed(mesh: &crumple::Mesh, name: &str) -> PyResult<crumple::Mesh> {
    let vertices = mesh.vertex_count();
    if mesh.is_solid() {
        return crumple::Mesh::from_tets(name, vertices, bytemuck::cast_slice(mesh.tets())).named("");
    }
    let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
    match mesh.polygons() {
        None => crumple::Mesh::from_triangles(name, vertices, triangles).named(""),
        // Fans share their first corner, and one polygon's triangles follow each other.
        Some(owners) => {
            let mut polygons: Vec<Vec<u32>> = vec![Vec::new(); mesh.polygon_count()];
            for (triangle, owner) in triangles.iter().zip(owners) {
                let polygon = &mut polygons[owner.index()];
                if polygon.is_empty() {
                    polygon.extend(triangle);
                } else {
                    polygon.push(triangle[2]);
                }
            }
            crumple::Mesh::from_polygons(name, vertices, polygons.iter().map(Vec::as_slice)).named("")
        }
    }
}

/// Whether this is an array of points, or nested lists, rather than a mesh.
fn is_array(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    use numpy::PyUntypedArray;
    use pyo3::types::{PyList, PyTuple};
    Ok(given.cast::<PyUntypedArray>().is_ok()
        || given.cast::<PyList>().is_ok()
        || given.cast::<PyTuple>().is_ok())
}

#[pymethods]
impl Scene {
    /// Adds a body and returns its id, which lasts: removing others does not change it, and it is not used again.
    ///
    /// `points` is an array (n, 3) with `triangles` (m, 3), `tets` (m, 4) or `polygons` ((m, k), or a pair of flat corners and
    /// starts), none of them for bare points; or a `crumple.Mesh`, a path, or a mesh of trimesh, meshio, pyvista or open3d. A
    /// `fixed` body is not tested against other fixed ones, nor against itself; `groups` is a pair (member, mask) of bits.
    ///
    /// >>> import crumple
    /// >>> scene = crumple.Scene()
    /// >>> scene.add([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], tets=[[0, 1, 2, 3]], name="tet")
    /// 0
    #[pyo3(signature = (points: "MeshLike", triangles: "ArrayLike | None"=None, *, tets: "ArrayLike | None"=None, polygons: "Polygons | None"=None, name=None, fixed=false, groups=None))]
    #[allow(clippy::too_many_arguments)]
    fn add(
        &self,
        py: Python<'_>,
        points: &Bound<'_, PyAny>,
        triangles: Option<&Bound<'_, PyAny>>,
        tets: Option<&Bound<'_, PyAny>>,
        polygons: Option<&Bound<'_, PyAny>>,
        name: Option<&str>,
        fixed: bool,
        #[pyo3(from_py_with = counts::groups)] groups: Option<(u32, u32)>,
    ) -> PyResult<u32> {
        let source = Source::new(points, &Given { triangles, tets, polygons }, name)?;
        let (mesh, positions) = source.parts()?;
        self.change(py, "points", |scene| {
            let id = scene.add(mesh, positions)?;
            if fixed {
                scene.set_fixed(id, true)?;
            }
            if let Some((member, mask)) = groups {
                scene.set_groups(id, Groups { member, mask })?;
            }
            Ok::<_, crumple::Error>(id.0)
        })
    }

    /// Replaces a body by its next version, or by another one; the rest of the scene is kept. Arguments as in `add`.
    #[pyo3(signature = (body, points: "MeshLike", triangles: "ArrayLike | None"=None, *, tets: "ArrayLike | None"=None, polygons: "Polygons | None"=None, name=None))]
    #[allow(clippy::too_many_arguments)]
    fn replace(
        &self,
        py: Python<'_>,
        body: Body,
        points: &Bound<'_, PyAny>,
        triangles: Option<&Bound<'_, PyAny>>,
        tets: Option<&Bound<'_, PyAny>>,
        polygons: Option<&Bound<'_, PyAny>>,
        name: Option<&str>,
    ) -> PyResult<()> {
        let source = Source::new(points, &Given { triangles, tets, polygons }, name)?;
        let (mesh, positions) = source.parts()?;
        self.change(py, "points", |scene| scene.replace(body.0, mesh, positions))
    }

    /// Removes a body and returns its mesh, at the place where it was; the others keep their ids.
    fn remove(&self, py: Python<'_>, body: Body) -> PyResult<Mesh> {
        self.change(py, "body", |scene| {
            let positions = scene.positions(body.0)?.to_vec();
            Ok::<_, crumple::Error>(Mesh::new(scene.remove(body.0)?, positions))
        })
    }

    /// Changes a body's elements where it is: `change` is called with an `Edit` of it, and what it did there is taken in.
    ///
    /// Nothing moves, so that what is asked next costs the change and the search, not the body. If `change` raises, the body stays
    /// as it is. New vertices are where their parents put them, or where `add_vertex` says.
    ///
    /// >>> import crumple
    /// >>> scene = crumple.Scene()
    /// >>> points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [1, 1, -1], [1, 1, 1], [3, 3, 1]]
    /// >>> body = scene.add(points, [[0, 1, 2], [3, 4, 5]])
    /// >>> len(scene.contacts())
    /// 1
    /// >>> changes = scene.edit(body, lambda edit: edit.remove_triangle(0))
    /// >>> changes.triangles_removed, len(scene.contacts())
    /// (array([0], dtype=uint32), 0)
    #[pyo3(signature = (body, change: "Callable[[Edit], object]"))]
    fn edit(&self, py: Python<'_>, body: Body, change: &Bound<'_, PyAny>) -> PyResult<Changes> {
        if !change.is_callable() {
            return Err(PyTypeError::new_err(format!(
                "change: a function is wanted, not {}",
                change.get_type()
            )));
        }
        let mesh = self.ask(py, "body", |scene| scene.mesh(body.0).cloned())?;
        let edit = Py::new(py, Edit::in_scene(py, &mesh)?)?;
        // Without the scene's lock: the function may ask the scene.
        change.call1((&edit,))?;
        let made = edit.get().take(py)?;
        let done = self.with(py, |state| {
            if !state.scene.mesh(body.0)?.is_same(&mesh) {
                return Ok(None);
            }
            let take_in = |edit: &mut crumple::Edit| {
                *edit = made;
                Ok(())
            };
            let done = state.scene.edit(body.0, take_in)?;
            state.changes += 1;
            Ok::<_, crumple::Error>(Some(Changes(done)))
        })?;
        done.named("change")?
            .ok_or_else(|| refuse("body", format!("body {} got other elements while `change` ran", body.0)))
    }

    /// Cuts a body along a blade, where it is now: its next version, whose parts can move apart.
    ///
    /// Until they have done so for the first time, `contacts`, `penetrations` and `edge_penetrations` leave out what touches because
    /// of the cut, to the depth of `set_cut_depth`. A half that is pushed deeper into the other is reported.
    fn cut(&self, py: Python<'_>, body: Body, blade: &Blade) -> PyResult<Cut> {
        let (done, positions) = self.change(py, "body", |scene| {
            let done = scene.cut(body.0, &blade.blade)?;
            Ok::<_, crumple::Error>((done, scene.positions(body.0)?.to_vec()))
        })?;
        Cut::new(py, done.changes, &done.seam, Mesh::new(done.body, positions))
    }

    /// Takes note of a cut that was made before the body came here: pairs of its vertices that were one, as `Cut.seam` has them,
    /// (k, 2). What touches because of it is left out as after `cut`.
    #[pyo3(signature = (body, seam: "ArrayLike"))]
    fn add_seam(&self, py: Python<'_>, body: Body, seam: &Bound<'_, PyAny>) -> PyResult<()> {
        let seam = corners::<2>(seam, "seam", "pair")?;
        let seam: Vec<_> = seam.into_iter().map(|pair| pair.map(crumple::VertexId)).collect();
        self.change(py, "seam", |scene| scene.add_seam(body.0, &seam))
    }

    /// How far from the seam what touches because of a cut is left out, for cuts made from now on; two mean edges at the seam
    /// unless told.
    fn set_cut_depth(&self, py: Python<'_>, depth: f64) -> PyResult<()> {
        length("depth", depth)?;
        Ok(self.with(py, |state| state.scene.set_cut_depth(depth))?)
    }

    /// Answers with more than `most` contacts or penetrations are an error from now on; None takes the limit away.
    #[pyo3(signature = (most))]
    fn limit_rows(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = counts::most)] most: Option<usize>,
    ) -> PyResult<()> {
        Ok(self.with(py, |state| state.scene.limit_rows(most))?)
    }

    /// Takes every cut as open: what touches because of one counts from now on.
    fn forget_cuts(&self, py: Python<'_>) -> PyResult<()> {
        Ok(self.with(py, |state| state.scene.forget_cuts())?)
    }

    /// Whether a cut has not opened everywhere yet, so that contacts are left out.
    fn has_fresh_cuts(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.with(py, |state| state.scene.has_fresh_cuts())?)
    }

    /// A body's mesh, at its present positions.
    fn mesh(&self, py: Python<'_>, body: Body) -> PyResult<Mesh> {
        self.ask(py, "body", |scene| {
            let positions = Arc::new(scene.positions(body.0)?.to_vec());
            Ok::<_, crumple::Error>(Mesh { topology: scene.mesh(body.0)?.clone(), positions, data: None })
        })
    }

    /// Where a body's vertices are, (n, 3) float64: a copy.
    fn positions(&self, py: Python<'_>, body: Body) -> PyResult<Table<f64>> {
        let found = self.ask(py, "body", |scene| scene.positions(body.0).map(<[_]>::to_vec))?;
        Ok(points(py, &found))
    }

    /// A body's name.
    fn name(&self, py: Python<'_>, body: Body) -> PyResult<String> {
        self.ask(py, "body", |scene| scene.mesh(body.0).map(|mesh| mesh.name().to_owned()))
    }

    /// The id of the body with this name; an error when there is none, or more than one.
    fn id(&self, py: Python<'_>, name: &str) -> PyResult<u32> {
        let found: Vec<u32> = self.with(py, |state| {
            let scene = &state.scene;
            let has_name = |id: &crumple::BodyId| scene.mesh(*id).is_ok_and(|mesh| mesh.name() == name);
            scene.ids().filter(has_name).map(|id| id.0).collect()
        })?;
        match found[..] {
            [id] => Ok(id),
            [] => Err(refuse("name", format!("no body is called {name:?}"))),
            _ => Err(refuse("name", format!("{} bodies are called {name:?}", found.len()))),
        }
    }
}
