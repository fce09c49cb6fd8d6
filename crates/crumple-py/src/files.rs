//! Mesh files and sequences.

use std::path::{Path, PathBuf};

use crumple_io::write::{Faces, MarkedBody};
use crumple_io::{Format, ReadOptions};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arrays::{Column, Table, column, points, refuse};
use crate::errors::detached;
use crate::mesh::Mesh;
use crate::scene::Scene;

/// Reads a mesh file: OBJ, PLY, STL, OFF, glTF, VTK, VTU, VTP, Gmsh, Medit, TetGen, NumPy, rows of points; also gzipped.
///
/// `format` is an extension such as "obj", for files that are not named after what they are.
#[pyfunction]
#[pyo3(signature = (path, *, format=None, name=None))]
pub fn read(py: Python<'_>, path: PathBuf, format: Option<&str>, name: Option<&str>) -> PyResult<Mesh> {
    let mut options = ReadOptions::default();
    if let Some(format) = format {
        let known = Format::from_name(format);
        options =
            options.with_format(known.ok_or_else(|| refuse("format", format!("{format:?} is not known")))?);
    }
    let data = detached(py, "", || crumple_io::read_with(&path, &options))?;
    let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    detached(py, &path.display().to_string(), || Mesh::from_data(name.unwrap_or(&own), data))
}

/// Writes a mesh with flags for its triangles.
pub fn write_mesh(py: Python<'_>, path: &Path, mesh: &Mesh, collides: Option<Vec<bool>>) -> PyResult<()> {
    let expected = mesh.topology.triangles().len();
    if let Some(flags) = collides.as_ref().filter(|flags| flags.len() != expected) {
        let what = format!("{} flags were given for {expected} triangles", flags.len());
        return Err(refuse("collides", what));
    }
    let polygons = mesh.polygons_to_write();
    let data = crumple_io::MeshData::default();
    let mut body = MarkedBody::new(mesh.topology.name(), &data);
    body.positions = &mesh.positions;
    body.tets = bytemuck::cast_slice(mesh.topology.tets());
    body.faces = faces(mesh, &polygons);
    body.marks.triangles = collides.as_deref();
    detached(py, "", || crumple_io::write_marked(path, &[body]))
}

fn faces<'a>(mesh: &'a Mesh, polygons: &'a crumple_io::Polygons) -> Faces<'a> {
    if mesh.topology.is_solid() {
        Faces::Triangles(bytemuck::cast_slice(mesh.topology.triangles()))
    } else {
        Faces::Polygons(polygons)
    }
}

#[pymethods]
impl Scene {
    /// Writes all bodies to an .obj, .ply or .vtu file, with what collides marked: triangles, tets, vertices and depths.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bodies = self.ask(py, "", |scene| {
            let (contacts, inside) = (scene.contacts()?, scene.penetrations()?);
            let mut all = Vec::new();
            for id in scene.ids().collect::<Vec<_>>() {
                let mesh = Mesh::new(scene.mesh(id)?.clone(), scene.positions(id)?.to_vec());
                let mut flags = Flags::new(&mesh.topology);
                for triangle in contacts.iter().flat_map(|c| [c.a, c.b]).filter(|t| t.body == id) {
                    flags.triangles[triangle.id.index()] = true;
                }
                for hit in &inside {
                    if hit.tet.body == id {
                        flags.tets[hit.tet.id.index()] = true;
                    }
                    if hit.vertex.body == id {
                        let depth = &mut flags.depths[hit.vertex.id.index()];
                        *depth = depth.max(hit.depth);
                        flags.vertices[hit.vertex.id.index()] = true;
                    }
                }
                all.push((mesh, flags));
            }
            Ok::<_, crumple::Error>(all)
        })?;
        let polygons: Vec<_> = bodies.iter().map(|(mesh, _)| mesh.polygons_to_write()).collect();
        let data = crumple_io::MeshData::default();
        let mut rows = Vec::new();
        for ((mesh, flags), polygons) in bodies.iter().zip(&polygons) {
            let mut body = MarkedBody::new(mesh.topology.name(), &data);
            body.positions = &mesh.positions;
            body.tets = bytemuck::cast_slice(mesh.topology.tets());
            body.faces = faces(mesh, polygons);
            body.marks.triangles = Some(&flags.triangles);
            if mesh.topology.is_solid() {
                body.marks.tets = Some(&flags.tets);
                body.marks.vertices = Some(&flags.vertices);
                body.marks.depths = Some(&flags.depths);
            }
            rows.push(body);
        }
        detached(py, "", || crumple_io::write_marked(&path, &rows))
    }
}

/// What collides in one body.
struct Flags {
    triangles: Vec<bool>,
    tets: Vec<bool>,
    vertices: Vec<bool>,
    depths: Vec<f64>,
}

impl Flags {
    fn new(mesh: &crumple::Mesh) -> Self {
        Self {
            triangles: vec![false; mesh.triangles().len()],
            tets: vec![false; mesh.tets().len()],
            vertices: vec![false; mesh.vertex_count()],
            depths: vec![0.0; mesh.vertex_count()],
        }
    }
}

/// The positions of frame after frame.
type FrameIterator<'py> = Bound<'py, PyAny>;

/// Goes through what has `__getitem__`, until it says that there is no more.
pub fn one_by_one<'py>(list: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    list.py().import("collections.abc")?.getattr("Sequence")?.call_method1("__iter__", (list,))
}

/// Frames of one body, read one at a time: numbered mesh files, one .pvd or .series file, or a mesh and its point cache
/// (.pc2, .mdd, raw .f32 or .f64).
///
/// `len` is the number of frames; `sequence[k]` reads the positions of frame `k`, and iterating reads them in order.
#[pyclass(frozen, module = "crumple")]
pub struct Sequence {
    sequence: crumple_io::Sequence,
}

#[pymethods]
impl Sequence {
    #[new]
    #[pyo3(signature = (*paths))]
    fn new(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Self> {
        let sequence = detached(py, "", || crumple_io::Sequence::open(&paths))?;
        Ok(Self { sequence })
    }

    /// The body, as it is in the first file.
    #[getter]
    fn mesh(&self, py: Python<'_>) -> PyResult<Mesh> {
        let name = self.file(0)?.file_name().unwrap_or_default().to_string_lossy().into_owned();
        detached(py, &name, || Mesh::from_data(&name, self.sequence.mesh().clone()))
    }

    /// The file that holds a frame.
    fn file(&self, frame: isize) -> PyResult<PathBuf> {
        Ok(self.sequence.file(self.check(frame)?).to_owned())
    }

    fn __len__(&self) -> usize {
        self.sequence.len()
    }

    fn __getitem__(&self, py: Python<'_>, frame: isize) -> PyResult<Table<f64>> {
        let frame = self.check(frame)?;
        let mut positions = Vec::new();
        detached(py, "", || self.sequence.read_frame(frame, &mut positions))?;
        Ok(points(py, &positions))
    }

    fn __iter__<'py>(slf: Bound<'py, Self>) -> PyResult<FrameIterator<'py>> {
        one_by_one(slf.into_any())
    }

    fn __repr__(&self) -> String {
        format!("Sequence({} frames of {})", self.sequence.len(), self.sequence.file(0).display())
    }
}

impl Sequence {
    /// The number of a frame, counted from the end when it is negative.
    fn check(&self, frame: isize) -> PyResult<usize> {
        let n = self.sequence.len();
        let at = if frame < 0 { frame.saturating_add_unsigned(n) } else { frame };
        let is_there = at >= 0 && (at as usize) < n;
        let wrong = || PyIndexError::new_err(format!("frame {frame} is not among the {n} frames"));
        is_there.then_some(at as usize).ok_or_else(wrong)
    }
}

/// Splits faces as VTK lists them, each after its number of corners, into flat corners and starts.
#[pyfunction]
#[pyo3(signature = (flat: "ArrayLike"))]
pub fn split_faces(py: Python<'_>, flat: &Bound<'_, PyAny>) -> PyResult<(Column<u32>, Column<u32>)> {
    let flat = crate::arrays::ids(flat, "faces")?;
    let (mut corners, mut starts) = (Vec::with_capacity(flat.len()), vec![0u32]);
    let mut at = 0;
    while at < flat.len() {
        let n = flat[at] as usize;
        let face = flat.get(at + 1..at + 1 + n);
        corners.extend(
            face.ok_or_else(|| refuse("faces", format!("a face of {n} corners goes beyond the end")))?,
        );
        starts.push(corners.len() as u32);
        at += 1 + n;
    }
    Ok((column(py, corners.into_iter()), column(py, starts.into_iter())))
}
