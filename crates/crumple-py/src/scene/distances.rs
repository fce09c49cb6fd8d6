//! How close bodies are, and where.

use crumple::Feature;
use crumple::{Containment, NearPair};
use pyo3::prelude::*;

use super::{Scene, length};
use crate::arrays::{Column, Table, column, table};
use crate::counts;
use crate::ids::Body;

/// One end of a shortest connection.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Witness {
    /// "face", "edge" or "vertex": the part of the triangle that holds the point.
    feature: &'static str,
    /// The triangle, counted within its body.
    triangle: u32,
    /// The point.
    point: (f64, f64, f64),
}

impl From<crumple::Witness> for Witness {
    fn from(found: crumple::Witness) -> Self {
        let feature = match found.feature {
            Feature::Vertex(_) => "vertex",
            Feature::Edge(_) => "edge",
            Feature::Face => "face",
        };
        Self { feature, triangle: found.triangle.0, point: found.point.into() }
    }
}

#[pymethods]
impl Witness {
    fn __repr__(&self) -> String {
        format!("Witness({} of triangle {}, {:?})", self.feature, self.triangle, self.point)
    }
}

/// The distance between the surfaces of two bodies, with bounds; 0 only when they intersect.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Distance {
    /// The bodies.
    bodies: (u32, u32),
    /// The distance found.
    distance: f64,
    /// The true distance is not below this.
    lower: f64,
    /// The true distance is not above this.
    upper: f64,
    /// The point of the first body.
    a: Py<Witness>,
    /// The point of the second body.
    b: Py<Witness>,
    /// "a" or "b" when that body holds the other without touching it; None otherwise.
    contains: Option<&'static str>,
    /// How reliable the answer is.
    guarantee: String,
}

impl Distance {
    pub fn new(py: Python<'_>, bodies: [crumple::BodyId; 2], found: crumple::Distance) -> PyResult<Self> {
        Ok(Self {
            bodies: (bodies[0].0, bodies[1].0),
            distance: found.distance,
            lower: found.lower,
            upper: found.upper,
            a: Py::new(py, Witness::from(found.a))?,
            b: Py::new(py, Witness::from(found.b))?,
            contains: found.contains.map(|c| match c {
                Containment::A => "a",
                Containment::B => "b",
            }),
            guarantee: found.guarantee.to_string(),
        })
    }
}

#[pymethods]
impl Distance {
    fn __float__(&self) -> f64 {
        self.distance
    }

    fn __repr__(&self) -> String {
        format!("Distance({:?}, between {} and {})", self.distance, self.bodies.0, self.bodies.1)
    }
}

/// Triangles of two bodies that are close, sorted.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct ClosePairs {
    /// A triangle of the first body and one of the second, (k, 2) uint32.
    triangle_pairs: Table<u32>,
    /// How far apart they are, (k,) float64.
    distances: Column<f64>,
}

impl ClosePairs {
    fn new(py: Python<'_>, found: &[NearPair]) -> Self {
        Self {
            triangle_pairs: table(py, found, |p| [p.pair.a.0, p.pair.b.0]),
            distances: column(py, found.iter().map(|p| p.distance)),
        }
    }
}

#[pymethods]
impl ClosePairs {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.triangle_pairs.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("ClosePairs({})", self.__len__(py)?))
    }
}

#[pymethods]
impl Scene {
    /// How close the surfaces of two bodies are, and where; None when one of them has no triangle, or both are the same.
    fn distance(&self, py: Python<'_>, a: Body, b: Body) -> PyResult<Option<Distance>> {
        let found = self.ask(py, "body", |scene| scene.distance([a.0, b.0]))?;
        found.map(|found| Distance::new(py, [a.0, b.0], found)).transpose()
    }

    /// The pairs of bodies whose surfaces are at most `margin` apart, and how far.
    fn distances(&self, py: Python<'_>, margin: f64) -> PyResult<Vec<Distance>> {
        length("margin", margin)?;
        let found = self.ask(py, "margin", |scene| scene.distances(margin))?;
        found.into_iter().map(|d| Distance::new(py, d.bodies, d.distance)).collect()
    }

    /// Every pair of triangles of two bodies at most `margin` apart; of one body with itself those that share no vertex.
    fn closer_than(&self, py: Python<'_>, a: Body, b: Body, margin: f64) -> PyResult<ClosePairs> {
        length("margin", margin)?;
        let found = self.ask(py, "body", |scene| scene.closer_than([a.0, b.0], margin))?;
        Ok(ClosePairs::new(py, &found))
    }

    /// The same, but more than `most` pairs are an error: a margin as large as the bodies has as many as the product of their
    /// triangles.
    fn closer_than_at_most(
        &self,
        py: Python<'_>,
        a: Body,
        b: Body,
        margin: f64,
        #[pyo3(from_py_with = counts::most)] most: usize,
    ) -> PyResult<ClosePairs> {
        length("margin", margin)?;
        let found = self.ask(py, "body", |scene| scene.closer_than_at_most([a.0, b.0], margin, most))?;
        Ok(ClosePairs::new(py, &found))
    }

    /// For how many frames two bodies cannot meet if no vertex moves faster than in the last one, as a pair (approach in a
    /// frame, frames); None when that cannot be said: before the second frame that it has seen, or without triangles.
    fn safety(&self, py: Python<'_>, a: Body, b: Body) -> PyResult<Option<(f64, f64)>> {
        let found = self.ask(py, "body", |scene| scene.safety([a.0, b.0]))?;
        Ok(found.map(|safety| (safety.approach, safety.frames)))
    }
}
