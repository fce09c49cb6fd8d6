//! What counts as close, out of a caller's arguments, and the pairs that may be.

use crumple::{BodyId, Closeness, Frame, Pairs, Positions};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::contacts::{Counters, pairs_of, stats};
use super::moves::{Next, no_body, with_frame};
use super::{Scene, length};
use crate::arrays::{Table, numbers, refuse, table};
use crate::counts;
use crate::ids::Body;

/// What counts as close. The shape at rest comes apart: it is borrowed from the caller.
pub struct Close {
    distance: f64,
    thickness: Option<Vec<f64>>,
    reach: Option<Vec<f64>>,
    pairs: Pairs,
    bodies: Option<Vec<bool>>,
    most: usize,
}

/// How many vertices each body ever added has; nothing for one that was removed.
struct Sizes(Vec<(BodyId, usize, bool)>);

impl Sizes {
    fn new(py: Python<'_>, scene: &Scene) -> PyResult<Self> {
        let sizes = scene.with(py, |state| {
            let scene = &state.scene;
            let of = |(b, mesh): (usize, &crumple::Mesh)| {
                let id = BodyId(b as u32);
                (id, mesh.vertex_count(), scene.mesh(id).is_ok())
            };
            scene.bodies().meshes().iter().enumerate().map(of).collect()
        })?;
        Ok(Self(sizes))
    }

    fn check(&self, body: BodyId) -> PyResult<()> {
        let is_there = self.0.get(body.index()).is_some_and(|(_, _, is_there)| *is_there);
        if is_there { Ok(()) } else { Err(no_body(body)) }
    }

    /// Yes or no for each body, from a list.
    fn named(&self, given: &[Body]) -> PyResult<Vec<bool>> {
        let mut all = vec![false; self.0.len()];
        for body in given {
            self.check(body.0)?;
            all[body.0.index()] = true;
        }
        Ok(all)
    }

    /// The thickness of each body, from a dict; bodies that are not in it have none.
    fn thicknesses(&self, given: &Bound<'_, PyDict>) -> PyResult<Vec<f64>> {
        let mut all = vec![0.0; self.0.len()];
        for (body, value) in given.iter() {
            let body: Body = body.extract()?;
            self.check(body.0)?;
            all[body.0.index()] = length("thickness", value.extract()?)?;
        }
        Ok(all)
    }

    /// The reach of each vertex, from a dict; the vertices of bodies that are not in it reach nowhere.
    fn reaches(&self, given: &Bound<'_, PyDict>) -> PyResult<Vec<f64>> {
        let mut all: Vec<Vec<f64>> = self.0.iter().map(|(_, vertices, _)| vec![0.0; *vertices]).collect();
        for (body, value) in given.iter() {
            let body: Body = body.extract()?;
            self.check(body.0)?;
            let (argument, of) = (format!("reach of body {}", body.0), &mut all[body.0.index()]);
            let found = numbers(&value, &argument)?;
            if found.len() != of.len() {
                let what = format!("{} numbers were given for {} vertices", found.len(), of.len());
                return Err(refuse(&argument, what));
            }
            if let Some(v) = found.iter().position(|x| !(x.is_finite() && *x >= 0.0)) {
                return Err(refuse(&argument, format!("vertex {v} has {}, which is not a length", found[v])));
            }
            *of = found;
        }
        Ok(all.concat())
    }
}

/// The arguments that tell what counts as close.
pub struct CloseArguments<'a, 'py> {
    pub distance: Option<f64>,
    pub thickness: Option<&'a Bound<'py, PyDict>>,
    pub reach: Option<&'a Bound<'py, PyDict>>,
    pub pairs: &'a str,
    pub bodies: Option<Vec<Body>>,
    pub most: Option<usize>,
}

impl Close {
    pub fn new(py: Python<'_>, scene: &Scene, given: &CloseArguments<'_, '_>) -> PyResult<Self> {
        let (pairs, most) = (pairs_of(given.pairs)?, given.most.unwrap_or(usize::MAX));
        let named = |given: &Vec<Body>| Sizes::new(py, scene)?.named(given);
        let bodies = given.bodies.as_ref().map(named).transpose()?;
        let none = Self { distance: 0.0, thickness: None, reach: None, pairs, bodies, most };
        match (given.distance, given.thickness, given.reach) {
            (Some(distance), None, None) => Ok(Self { distance: length("distance", distance)?, ..none }),
            (None, Some(thickness), None) => {
                let all = Sizes::new(py, scene)?.thicknesses(thickness)?;
                let distance = all.iter().copied().fold(0.0, f64::max);
                Ok(Self { distance, thickness: Some(all), ..none })
            }
            (None, None, Some(reach)) => {
                let all = Sizes::new(py, scene)?.reaches(reach)?;
                // No two vertices reach further than this together.
                let distance = 2.0 * all.iter().copied().fold(0.0, f64::max);
                Ok(Self { distance, reach: Some(all), ..none })
            }
            _ => Err(refuse("distance, thickness, reach", "one of them is wanted")),
        }
    }

    fn closeness<'a>(&'a self, rest: Option<Frame<'a>>) -> Closeness<'a> {
        Closeness {
            thickness: self.thickness.as_deref(),
            reach: self.reach.as_deref(),
            pairs: self.pairs,
            bodies: self.bodies.as_deref(),
            most: self.most,
            rest,
            ..Closeness::below(self.distance)
        }
    }

    /// Asks a scene with it. The shape at rest is checked first.
    pub fn ask<T>(
        &self,
        scene: &mut crumple::Scene,
        rest: Option<&[(BodyId, Positions<'_>)]>,
        work: impl FnOnce(&mut crumple::Scene, &Closeness<'_>) -> Result<T, crumple::Error>,
    ) -> Result<T, crumple::Error> {
        match rest {
            None => work(scene, &self.closeness(None)),
            Some(rest) => with_frame(scene, rest, |scene, frame: Frame<'_>| {
                frame.check(scene.bodies())?;
                work(scene, &self.closeness(Some(frame)))
            }),
        }
    }
}

/// The shape at rest, as a caller hands it over.
pub fn rest_of<'py>(scene: &Scene, given: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Next<'py>>> {
    given.map(|given| Next::new(scene, given)).transpose()
}

/// Pairs that may be close: every pair that is, and some that are a little further apart; nothing is measured.
#[pyclass(frozen, module = "crumple")]
pub struct ProximityCandidates {
    /// Vertices and triangles of which they are no corners, (k, 4) uint32: body, vertex, body, triangle.
    #[pyo3(get)]
    vertex_triangles: Table<u32>,
    /// Edges without a common vertex, (m, 6) uint32: body, v, w, body, v, w.
    #[pyo3(get)]
    edge_edges: Table<u32>,
    rows: [usize; 2],
    cost: crumple::Stats,
}

#[pymethods]
impl ProximityCandidates {
    /// What the search cost.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Counters<'py>> {
        stats(py, &self.cost)
    }

    fn __len__(&self) -> usize {
        self.rows[0] + self.rows[1]
    }

    fn __repr__(&self) -> String {
        format!("ProximityCandidates({} vertex-triangle, {} edge-edge)", self.rows[0], self.rows[1])
    }
}

#[pymethods]
impl Scene {
    /// Every pair closer than asked for, and some that are a little further apart, unmeasured: for a solver that measures pairs
    /// itself, many times between two questions. Arguments as in `proximity`; vertices inside tetrahedral bodies are passed over.
    #[pyo3(signature = (distance=None, *, thickness: "Mapping[int, float] | None"=None, reach: "Mapping[int, ArrayLike] | None"=None, pairs: "PairsOf"="all", bodies=None, most=None))]
    #[allow(clippy::too_many_arguments)]
    fn proximity_candidates(
        &self,
        py: Python<'_>,
        distance: Option<f64>,
        thickness: Option<&Bound<'_, PyDict>>,
        reach: Option<&Bound<'_, PyDict>>,
        pairs: &str,
        bodies: Option<Vec<Body>>,
        #[pyo3(from_py_with = counts::most)] most: Option<usize>,
    ) -> PyResult<ProximityCandidates> {
        let close =
            Close::new(py, self, &CloseArguments { distance, thickness, reach, pairs, bodies, most })?;
        let (vertices, edges, cost) = self.ask(py, "", |scene| {
            let mut found = crumple::ProximityCandidates::default();
            let cost =
                close.ask(scene, None, |scene, close| scene.proximity_candidates(close, &mut found))?;
            let bodies = scene.bodies();
            let vertices = found.vertex_triangles.iter().map(|&(v, t)| {
                let ((a, v), (b, t)) = (bodies.locate_vertex(v), bodies.locate_triangle(t));
                [a.0, v.0, b.0, t.0]
            });
            let edges = found.edge_edges.iter().map(|edges| {
                let [[(a, v), (_, w)], [(b, x), (_, y)]] =
                    edges.map(|ends| ends.map(|v| bodies.locate_vertex(v)));
                [a.0, v.0, w.0, b.0, x.0, y.0]
            });
            Ok::<_, crumple::Error>((vertices.collect::<Vec<_>>(), edges.collect::<Vec<_>>(), cost))
        })?;
        Ok(ProximityCandidates {
            vertex_triangles: table(py, &vertices, |row| *row),
            edge_edges: table(py, &edges, |row| *row),
            rows: [vertices.len(), edges.len()],
            cost,
        })
    }
}
