//! The curves along which bodies cross, and bodies moved until they do not.

use crumple::{
    BodyId, CurveEnd, CurveKind, CurvePart, CurvePoint, Element, Reason, UntangleOptions, VertexId,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use super::Scene;
use super::contacts::{Counters, Places, stats};
use crate::arrays::{Column, Table, column, corners, table};
use crate::counts;

/// A curve along which two surfaces cross, or one crosses itself.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct IntersectionCurve {
    /// The body of each side.
    bodies: (u32, u32),
    /// "closed", "open", "flat" (the outline of what two triangles have in common in a plane) or "point" (they touch).
    kind: &'static str,
    /// Where an open curve begins and stops: "border", "vertex" or "branch"; None for others.
    ends: Option<(&'static str, &'static str)>,
    /// Its length.
    length: f64,
    /// Its points in order, (n, 3) float64; a closed curve does not repeat the first.
    points: Table<f64>,
    /// The part of each side that holds a point, (n, 2) uint8: 0 a vertex, 1 the inside of an edge, 2 that of a triangle.
    part_kinds: Table<u8>,
    /// The numbers of those parts, (n, 4) uint32, two for each side: a vertex twice, the ends of an edge, a triangle twice.
    parts: Table<u32>,
    /// The weights of the corners of those parts, (n, 6) float64, three for each side; those that a part does not have are 0.
    weights: Table<f64>,
    /// Between each point and the next the triangle of each side, (m, 2) uint32.
    triangles: Table<u32>,
    /// The vertices of the smaller part that the curve cuts off on each side; None where it cuts nothing off.
    cut_off: (Option<Column<u32>>, Option<Column<u32>>),
    /// The vertices on which the length depends, (k, 2) uint32: body, vertex.
    gradient_vertices: Table<u32>,
    /// How the length changes as they move, (k, 3) float64.
    gradient: Table<f64>,
}

fn part(of: CurvePart) -> (u8, [u32; 2]) {
    match of {
        CurvePart::Vertex(v) => (0, [v.0; 2]),
        CurvePart::Edge(ends) => (1, ends.map(|v| v.0)),
        CurvePart::Triangle(t) => (2, [t.0; 2]),
    }
}

fn end(of: CurveEnd) -> &'static str {
    match of {
        CurveEnd::Border => "border",
        CurveEnd::Vertex => "vertex",
        CurveEnd::Branch => "branch",
    }
}

impl IntersectionCurve {
    fn new(py: Python<'_>, found: &crumple::IntersectionCurve) -> Self {
        let (kind, ends) = match found.kind {
            CurveKind::Closed => ("closed", None),
            CurveKind::Open([from, to]) => ("open", Some((end(from), end(to)))),
            CurveKind::Flat => ("flat", None),
            CurveKind::Point => ("point", None),
        };
        let cut_off = |side: usize| {
            let vertices = found.cut_off[side].as_ref()?;
            Some(column(py, vertices.iter().map(|v| v.0)))
        };
        Self {
            bodies: (found.bodies[0].0, found.bodies[1].0),
            kind,
            ends,
            length: found.length,
            points: table(py, &found.points, |p| p.point),
            part_kinds: table(py, &found.points, |p| p.parts.map(|side| part(side).0)),
            parts: table(py, &found.points, |p: &CurvePoint| {
                let [a, b] = p.parts.map(|side| part(side).1);
                [a[0], a[1], b[0], b[1]]
            }),
            weights: table(py, &found.points, |p: &CurvePoint| {
                let [a, b] = p.weights;
                [a[0], a[1], a[2], b[0], b[1], b[2]]
            }),
            triangles: table(py, &found.triangles, |t| t.map(|t| t.0)),
            cut_off: (cut_off(0), cut_off(1)),
            gradient_vertices: table(py, &found.gradient, |(v, _)| [v.body.0, v.id.0]),
            gradient: table(py, &found.gradient, |(_, slope)| *slope),
        }
    }
}

#[pymethods]
impl IntersectionCurve {
    fn __repr__(&self) -> String {
        let (a, b) = self.bodies;
        format!("IntersectionCurve({}, bodies {a} and {b}, length {:?})", self.kind, self.length)
    }
}

/// One curve after the other.
type CurveIterator<'py> = Bound<'py, PyAny>;

/// The curves along which surfaces cross, in order: `len` is their number, `curves[k]` one of them.
#[pyclass(frozen, module = "crumple")]
pub struct IntersectionCurves {
    found: crumple::Answer<crumple::IntersectionCurve>,
}

#[pymethods]
impl IntersectionCurves {
    /// The method that found the contacts.
    #[getter]
    fn method(&self) -> &'static str {
        self.found.method
    }

    /// How reliable the answer is: "proved" is complete and exact.
    #[getter]
    fn guarantee(&self) -> String {
        self.found.guarantee.to_string()
    }

    /// What the search for contacts cost.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Counters<'py>> {
        stats(py, &self.found.stats)
    }

    fn __len__(&self) -> usize {
        self.found.len()
    }

    fn __getitem__(&self, py: Python<'_>, curve: isize) -> PyResult<IntersectionCurve> {
        let n = self.found.len();
        let at = if curve < 0 { curve.checked_add_unsigned(n) } else { Some(curve) };
        let found = at.and_then(|at| self.found.get(usize::try_from(at).ok()?));
        let wrong = || PyIndexError::new_err(format!("curve {curve} is not among the {n} curves"));
        Ok(IntersectionCurve::new(py, found.ok_or_else(wrong)?))
    }

    fn __iter__<'py>(slf: Bound<'py, Self>) -> PyResult<CurveIterator<'py>> {
        crate::files::one_by_one(slf.into_any())
    }

    fn __repr__(&self) -> String {
        let length: f64 = self.found.iter().map(|c| c.length).sum();
        format!("IntersectionCurves({}, {length:?} long in all)", self.found.len())
    }
}

/// What `untangle` did.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Untangled {
    /// Pairs of triangles that intersected before.
    before: usize,
    /// And after: those that `contacts` lists.
    after: usize,
    /// Rounds of detection and displacement.
    rounds: usize,
    /// How many vertices were moved.
    moved: usize,
    /// The largest displacement.
    largest: f64,
    /// The mean displacement of those that were moved.
    mean: f64,
    /// Where something is left, the worst first; empty when nothing crosses any more.
    left: Py<Places>,
    /// Why each of them was not undone: "fixed", "one-sided", "stuck" or "unfinished".
    why: Vec<&'static str>,
}

#[pymethods]
impl Untangled {
    fn __repr__(&self) -> String {
        format!("Untangled({} pairs to {}, {} vertices moved)", self.before, self.after, self.moved)
    }
}

fn reason(why: Reason) -> &'static str {
    match why {
        Reason::Fixed => "fixed",
        Reason::OneSided => "one-sided",
        Reason::Stuck => "stuck",
        _ => "unfinished",
    }
}

#[pymethods]
impl Scene {
    /// The curves along which surfaces cross, within and between bodies: contacts chained through the meshes' adjacency.
    ///
    /// >>> import crumple, numpy as np
    /// >>> scene = crumple.Scene()
    /// >>> square = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], dtype=float)
    /// >>> floor = scene.add(square, [[0, 1, 2], [0, 2, 3]])
    /// >>> wall = scene.add([[1, 2, -1], [3.5, 2, -1], [3.5, 2, 1], [1, 2, 1]], [[0, 1, 2], [0, 2, 3]])
    /// >>> [curve] = scene.intersection_curves()
    /// >>> curve.kind, curve.ends, curve.length
    /// ('open', ('border', 'border'), 2.5)
    fn intersection_curves(&self, py: Python<'_>) -> PyResult<IntersectionCurves> {
        Ok(IntersectionCurves { found: self.ask(py, "", crumple::Scene::intersection_curves)? })
    }

    /// Moves vertices until nothing crosses, as little as possible; what is left is told, with the reason.
    ///
    /// Fixed bodies stay, and so do the vertices in `fixed`, (k, 2): body, vertex. `gap` is how far apart surfaces shall be that
    /// crossed, a fiftieth of the mean edge unless told; `rounds` at most.
    ///
    /// >>> import crumple, numpy as np
    /// >>> scene = crumple.Scene()
    /// >>> square = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], dtype=float)
    /// >>> floor = scene.add(square, [[0, 1, 2], [0, 2, 3]], fixed=True)
    /// >>> wall = scene.add([[1, 2, -0.5], [3, 2, -0.5], [3, 2, 1.5], [1, 2, 1.5]], [[0, 1, 2], [0, 2, 3]])
    /// >>> done = scene.untangle()
    /// >>> done.before > 0, done.after, len(done.left), len(scene.contacts())
    /// (True, 0, 0, 0)
    #[pyo3(signature = (*, gap=None, rounds=300, fixed: "ArrayLike | None"=None))]
    fn untangle(
        &self,
        py: Python<'_>,
        gap: Option<f64>,
        #[pyo3(from_py_with = counts::rounds)] rounds: usize,
        fixed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Untangled> {
        let fixed = fixed.map_or(Ok(Vec::new()), |given| corners::<2>(given, "fixed", "row"))?;
        let fixed = fixed.into_iter().map(|[body, v]| Element { body: BodyId(body), id: VertexId(v) });
        let mut options = UntangleOptions::default();
        (options.gap, options.rounds, options.fixed) = (gap, rounds, fixed.collect());
        let done = self.change(py, "", |scene| scene.untangle(&options))?;
        let left: Vec<crumple::Place> = done.left.iter().map(|left| left.place).collect();
        Ok(Untangled {
            before: done.before,
            after: done.after,
            rounds: done.rounds,
            moved: done.moved,
            largest: done.largest,
            mean: done.mean,
            left: Py::new(py, Places::new(py, &left))?,
            why: done.left.iter().map(|left| reason(left.why)).collect(),
        })
    }
}
