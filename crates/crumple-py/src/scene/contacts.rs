//! What touches.

use std::sync::OnceLock;

use crumple::{Answer, BodyId, Contact, Element, Pairs, TriangleId};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Scene, choose};
use crate::arrays::{Column, Table, column, corners, ids, points, refuse, table};
use crate::errors::{Error, Named};

/// Pairs of triangles that intersect, sorted and unique.
///
/// `len` is their number. `points` and `outlines` are found when they are first asked for, and belong to the frame: ask
/// before the scene moves on.
#[pyclass(frozen, module = "crumple")]
pub struct Contacts {
    /// (k, 4) uint32: body, triangle, body, triangle.
    #[pyo3(get)]
    triangle_pairs: Table<u32>,
    found: Answer<Contact>,
    scene: Py<Scene>,
    /// How often the scene had been changed.
    at: u64,
    places: OnceLock<Outlines>,
}

/// The common points of each pair, one pair after the other.
struct Outlines {
    points: Vec<[f64; 3]>,
    starts: Vec<u32>,
}

impl Contacts {
    pub fn new(py: Python<'_>, scene: Py<Scene>, (found, at): (Answer<Contact>, u64)) -> Self {
        let triangle_pairs = table(py, &found, |c| [c.a.body.0, c.a.id.0, c.b.body.0, c.b.id.0]);
        Self { triangle_pairs, found, scene, at, places: OnceLock::new() }
    }

    fn outlines_now(&self, py: Python<'_>) -> PyResult<&Outlines> {
        if let Some(known) = self.places.get() {
            return Ok(known);
        }
        let found = self.scene.get().with(py, |state| {
            if state.changes != self.at {
                return None;
            }
            let mut all = Outlines { points: Vec::new(), starts: vec![0] };
            for contact in &self.found {
                if let Ok(Some(common)) = state.scene.intersection(contact) {
                    all.points.extend(common.points());
                }
                all.starts.push(all.points.len() as u32);
            }
            Some(all)
        })?;
        let moved = || Error::new_err("the scene has moved since: ask for points before it does");
        Ok(self.places.get_or_init({
            let found = found.ok_or_else(moved)?;
            || found
        }))
    }
}

#[pymethods]
impl Contacts {
    /// Where each pair intersects, (k, 3) float64: the middle of what the two triangles have in common.
    #[getter]
    fn points(&self, py: Python<'_>) -> PyResult<Table<f64>> {
        let all = self.outlines_now(py)?;
        let spans: Vec<&[[f64; 3]]> =
            all.starts.windows(2).map(|ends| &all.points[ends[0] as usize..ends[1] as usize]).collect();
        Ok(table(py, &spans, |span| middle(span)))
    }

    /// What each pair has in common: its points, (n, 3), and where those of each pair begin and the last end, (k + 1,).
    ///
    /// One point where two triangles touch, two where they cross, a polygon where they overlap in a plane.
    #[getter]
    fn outlines(&self, py: Python<'_>) -> PyResult<(Table<f64>, Column<u32>)> {
        let all = self.outlines_now(py)?;
        Ok((points(py, &all.points), column(py, all.starts.iter().copied())))
    }

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

    /// What the search cost: visits, tests, certified, candidates, contacts.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Counters<'py>> {
        stats(py, &self.found.stats)
    }

    pub fn __len__(&self) -> usize {
        self.found.len()
    }

    fn __repr__(&self) -> String {
        let within = self.found.iter().filter(|c| c.is_within_a_body()).count();
        let between = self.found.len() - within;
        format!(
            "Contacts({within} within bodies, {between} between, {}, {})",
            self.found.method, self.found.guarantee
        )
    }
}

/// The counters of a search, by name.
pub type Counters<'py> = Bound<'py, PyDict>;

/// The counters of a search.
pub fn stats<'py>(py: Python<'py>, stats: &crumple::Stats) -> PyResult<Counters<'py>> {
    let dict = PyDict::new(py);
    dict.set_item("visits", stats.visits)?;
    dict.set_item("tests", stats.tests)?;
    dict.set_item("certified", stats.certified)?;
    dict.set_item("candidates", stats.candidates)?;
    dict.set_item("contacts", stats.contacts)?;
    Ok(dict)
}

fn middle(points: &[[f64; 3]]) -> [f64; 3] {
    let sum = points.iter().fold([0.0; 3], |s, p| std::array::from_fn(|k| s[k] + p[k]));
    sum.map(|x| x / points.len().max(1) as f64)
}

/// Where bodies touch: contacts that hang together as one place each, the longest crossing first.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Places {
    /// The bodies, (k, 2) uint32; twice the same for contacts within one.
    bodies: Table<u32>,
    /// How many pairs of triangles intersect there, (k,) int64.
    contacts: Column<i64>,
    /// Length of the curve along which they cross, (k,) float64.
    lengths: Column<f64>,
    /// The middle of the box that holds the crossing, (k, 3) float64.
    centres: Table<f64>,
    /// The diagonal of that box, (k,) float64.
    sizes: Column<f64>,
}

impl Places {
    pub fn new(py: Python<'_>, found: &[crumple::Place]) -> Self {
        Self {
            bodies: table(py, found, |p| p.bodies.map(|b| b.0)),
            contacts: column(py, found.iter().map(|p| p.contacts as i64)),
            lengths: column(py, found.iter().map(|p| p.length)),
            centres: table(py, found, |p| p.centre),
            sizes: column(py, found.iter().map(|p| p.size)),
        }
    }
}

#[pymethods]
impl Places {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.bodies.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Places({})", self.__len__(py)?))
    }
}

#[pymethods]
impl Scene {
    /// Every pair of triangles that intersect, within and between bodies.
    ///
    /// Two triangles intersect when they have a common point outside of what they share by vertex index. The verdict is exact.
    fn contacts(slf: Bound<'_, Self>) -> PyResult<Contacts> {
        let py = slf.py();
        let found = slf.get().with(py, |state| state.scene.contacts().map(|found| (found, state.changes)))?;
        Ok(Contacts::new(py, slf.clone().unbind(), found.named("")?))
    }

    /// The contacts within bodies only ("within"), between bodies only ("between"), or "all"; what is not asked for is not
    /// searched.
    #[pyo3(signature = (pairs: "PairsOf"))]
    fn contacts_of(slf: Bound<'_, Self>, pairs: &str) -> PyResult<Contacts> {
        let py = slf.py();
        let pairs = pairs_of(pairs)?;
        let found =
            slf.get().with(py, |state| state.scene.contacts_of(pairs).map(|found| (found, state.changes)))?;
        Ok(Contacts::new(py, slf.clone().unbind(), found.named("")?))
    }

    /// The places where there are contacts: those that hang together as one, the longest crossing first.
    fn places(&self, py: Python<'_>) -> PyResult<Places> {
        Ok(Places::new(py, &self.ask(py, "", crumple::Scene::places)?))
    }

    /// The places, and for each row of `contacts().triangle_pairs` which of them it belongs to, (k,) uint32.
    fn places_of_contacts(&self, py: Python<'_>) -> PyResult<(Places, Column<u32>)> {
        let (places, place_of) = self.ask(py, "", crumple::Scene::places_of_contacts)?;
        Ok((Places::new(py, &places), column(py, place_of.into_iter())))
    }

    /// The places of some of the contacts only, (k, 4): rows of `contacts().triangle_pairs`.
    #[pyo3(signature = (triangle_pairs: "ArrayLike"))]
    fn places_of(&self, py: Python<'_>, triangle_pairs: &Bound<'_, PyAny>) -> PyResult<Places> {
        let pairs = corners::<4>(triangle_pairs, "triangle_pairs", "pair")?;
        let contacts: Vec<Contact> = pairs.into_iter().map(pair).collect();
        let found = self.ask(py, "triangle_pairs", |scene| scene.places_of(&contacts))?;
        Ok(Places::new(py, &found))
    }

    /// What two triangles have in common, (n, 3) float64: one point where they touch, two where they cross, a polygon where they
    /// overlap in a plane; None when they do not intersect. `triangle_pair` is a row of `contacts().triangle_pairs`.
    ///
    /// >>> import crumple
    /// >>> scene = crumple.Scene()
    /// >>> low = scene.add([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    /// >>> high = scene.add([[1, 1, -1], [1, 1, 1], [2, 1, 1]], [[0, 1, 2]])
    /// >>> scene.intersection([low, 0, high, 0])
    /// array([[1.5, 1. , 0. ],
    ///        [1. , 1. , 0. ]])
    #[pyo3(signature = (triangle_pair: "ArrayLike"))]
    fn intersection(&self, py: Python<'_>, triangle_pair: &Bound<'_, PyAny>) -> PyResult<Option<Table<f64>>> {
        let row = ids(triangle_pair, "triangle_pair")?;
        let wrong = |_| refuse("triangle_pair", "four numbers are wanted: body, triangle, body, triangle");
        let contact = pair(row.try_into().map_err(wrong)?);
        let found = self.ask(py, "triangle_pair", |scene| scene.intersection(&contact))?;
        Ok(found.map(|common| points(py, common.points())))
    }
}

/// Two triangles by their bodies.
fn pair([a, s, b, t]: [u32; 4]) -> Contact {
    let element = |body, id| Element { body: BodyId(body), id: TriangleId(id) };
    Contact { a: element(a, s), b: element(b, t) }
}

/// Which bodies are searched against which.
pub fn pairs_of(name: &str) -> PyResult<Pairs> {
    let all = [("within", Pairs::Within), ("between", Pairs::Between), ("all", Pairs::All)];
    choose("pairs", name, all.map(|(name, pairs)| (name.to_owned(), pairs)))
}
