//! Answers within a budget: what is found is exact, and what was not come to is told.

use std::time::Duration;

use crumple::Budget;
use numpy::{PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::Scene;
use super::contacts::Contacts;
use super::distances::Distance;
use crate::arrays::{Column, Table, column, refuse, table};
use crate::counts;
use crate::errors::Named;
use crate::ids::Body;

/// Contacts that were found within a budget.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct BudgetedContacts {
    /// Contacts, exact and sorted; all of them when nothing is undecided.
    contacts: Py<Contacts>,
    /// Where the search did not come to: every contact that is missing is between two of these regions.
    undecided: Py<Undecided>,
}

#[pymethods]
impl BudgetedContacts {
    /// Whether these are all contacts.
    #[getter]
    fn is_complete(&self) -> bool {
        self.undecided.get().rows == 0
    }

    fn __len__(&self) -> usize {
        self.contacts.get().__len__()
    }

    fn __repr__(&self) -> String {
        format!(
            "BudgetedContacts({}, {} pairs of regions undecided)",
            self.__len__(),
            self.undecided.get().rows
        )
    }
}

/// Pairs of regions, parts of two bodies or of one, that a search did not come to.
#[pyclass(frozen, module = "crumple")]
pub struct Undecided {
    /// The bodies, (k, 2) uint32; twice the same for one with itself.
    #[pyo3(get)]
    bodies: Table<u32>,
    /// Boxes round the two parts, (k, 2, 6) float64: smallest and largest corner.
    #[pyo3(get)]
    boxes: Py<PyArray3<f64>>,
    /// No more pairs of triangles than this can touch there, (k,) uint64.
    #[pyo3(get)]
    most: Column<u64>,
    rows: usize,
}

type Regions = crumple::methods::bucket_tree::Undecided;

impl Undecided {
    fn new(py: Python<'_>, found: &[Regions]) -> PyResult<Self> {
        let boxes = PyArray3::<f64>::zeros(py, [found.len(), 2, 6], false);
        for (row, regions) in boxes.readwrite().as_slice_mut()?.as_chunks_mut::<12>().0.iter_mut().zip(found)
        {
            let [a, b] = regions.boxes;
            row.copy_from_slice([a.min, a.max, b.min, b.max].as_flattened());
        }
        Ok(Self {
            bodies: table(py, found, |u| u.bodies.map(|b| b.0)),
            boxes: boxes.unbind(),
            most: column(py, found.iter().map(|u| u.most)),
            rows: found.len(),
        })
    }
}

#[pymethods]
impl Undecided {
    fn __len__(&self) -> usize {
        self.rows
    }

    fn __repr__(&self) -> String {
        format!("Undecided({})", self.rows)
    }
}

fn budget(seconds: Option<f64>, visits: Option<u64>) -> PyResult<Budget> {
    let budget = visits.map_or(Budget::unlimited(), Budget::visits);
    let Some(seconds) = seconds else { return Ok(budget) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) => Ok(budget.and_time(time)),
        Err(_) => Err(refuse("seconds", format!("{seconds} is not a time"))),
    }
}

#[pymethods]
impl Scene {
    /// The contacts that can be found in so many `seconds`, or by so many `visits` of the structure, or both: visits give the same
    /// answer on every machine. Without either it is `contacts`.
    ///
    /// What is found is exact. Where the search did not come to is told as pairs of regions, with a bound on how many pairs of
    /// triangles can touch there.
    ///
    /// >>> import crumple
    /// >>> scene = crumple.Scene()
    /// >>> low = scene.add([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    /// >>> high = scene.add([[1, 1, -1], [1, 1, 1], [2, 1, 1]], [[0, 1, 2]])
    /// >>> found = scene.contacts_budgeted(visits=0)
    /// >>> len(found), found.is_complete, int(found.undecided.most.sum())
    /// (0, False, 1)
    /// >>> scene.contacts_budgeted(0.5).contacts.triangle_pairs
    /// array([[0, 0, 1, 0]], dtype=uint32)
    #[pyo3(signature = (seconds=None, *, visits=None))]
    fn contacts_budgeted(
        slf: Bound<'_, Self>,
        seconds: Option<f64>,
        #[pyo3(from_py_with = counts::visits)] visits: Option<u64>,
    ) -> PyResult<BudgetedContacts> {
        let (py, budget) = (slf.py(), budget(seconds, visits)?);
        let found = slf.get().with(py, |state| {
            state
                .scene
                .contacts_budgeted(budget)
                .map(|found| (found.contacts, found.undecided, state.changes))
        })?;
        let (contacts, undecided, at) = found.named("")?;
        Ok(BudgetedContacts {
            contacts: Py::new(py, Contacts::new(py, slf.clone().unbind(), (contacts, at)))?,
            undecided: Py::new(py, Undecided::new(py, &undecided)?)?,
        })
    }

    /// The distance of two bodies as far as it can be told within a budget: it lies between `lower` and `upper`, and the points are
    /// `upper` apart. None as for `distance`.
    #[pyo3(signature = (a, b, seconds=None, *, visits=None))]
    fn distance_budgeted(
        &self,
        py: Python<'_>,
        a: Body,
        b: Body,
        seconds: Option<f64>,
        #[pyo3(from_py_with = counts::visits)] visits: Option<u64>,
    ) -> PyResult<Option<Distance>> {
        let budget = budget(seconds, visits)?;
        let found = self.ask(py, "body", |scene| scene.distance_budgeted([a.0, b.0], budget))?;
        found.map(|found| Distance::new(py, [a.0, b.0], found)).transpose()
    }
}
