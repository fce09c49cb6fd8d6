//! A scene: bodies that move, and every question about them. One file per kind of question, as in the engine.
//!
//! A scene is locked while it is asked, and the interpreter's lock is free meanwhile: threads may ask different scenes at
//! once, and one scene in turn. The lock is only ever waited for without the interpreter's lock, so nothing can deadlock.

mod bodies;
mod budgets;
mod closeness;
mod contacts;
mod distances;
mod drawing;
mod filters;
mod moves;
mod proximity;
mod solids;
mod step;
mod untangle;
mod volumes;

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::arrays::{Table, refuse};
use crate::counts;
use crate::diagnostics::Diagnostic;
use crate::errors::{Fault, Named, Report, catch};
use crate::ids::Body;

pub use budgets::{BudgetedContacts, Undecided};
pub use closeness::ProximityCandidates;
pub use contacts::{Contacts, Places};
pub use distances::{ClosePairs, Distance, Witness};
pub use drawing::Drawing;
pub use proximity::Proximity;
pub use solids::{EdgePenetrations, Penetrations};
pub use step::{Impact, Impacts, Step};
pub use untangle::{IntersectionCurve, IntersectionCurves, Untangled};
pub use volumes::{Overlap, SelfOverlap, VolumeDepth};

/// Bodies that move, and every question about them, without naming a method.
///
/// Hand over meshes once and positions every frame. Questions may be asked in any order; what was found is kept until
/// something moves. `threads` is the number of threads to work with, all processors unless told.
///
/// >>> import crumple, numpy as np
/// >>> scene = crumple.Scene()
/// >>> flat = np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], dtype=float)
/// >>> low = scene.add(flat, [[0, 1, 2]], name="low")
/// >>> high = scene.add(flat + [0, 0, 1], [[0, 1, 2]], name="high")
/// >>> scene.distance(low, high).distance
/// 1.0
/// >>> scene.set_positions(high, [[1, 1, -1], [1, 1, 1], [3, 3, 1]])
/// >>> scene.contacts().triangle_pairs
/// array([[0, 0, 1, 0]], dtype=uint32)
#[pyclass(frozen, module = "crumple")]
pub struct Scene {
    /// In a box: Python aligns objects to 16 bytes, the engine's lanes ask for 32.
    state: Box<Mutex<State>>,
    pool: Option<rayon::ThreadPool>,
}

/// The scene, and how often it was changed.
#[derive(Default)]
pub struct State {
    pub scene: crumple::Scene,
    pub changes: u64,
}

impl Scene {
    /// Asks the scene something, without the interpreter's lock. `argument` names what the caller handed over.
    pub fn ask<T: Send, E: Into<Report> + Send>(
        &self,
        py: Python<'_>,
        argument: &str,
        work: impl FnOnce(&mut crumple::Scene) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        self.with(py, |state| work(&mut state.scene))?.named(argument)
    }

    /// Changes the scene: answers that refer to its frame are of the past from then on.
    pub fn change<T: Send, E: Into<Report> + Send>(
        &self,
        py: Python<'_>,
        argument: &str,
        work: impl FnOnce(&mut crumple::Scene) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let changed = self.with(py, |state| {
            let done = work(&mut state.scene);
            state.changes += u64::from(done.is_ok());
            done
        })?;
        changed.named(argument)
    }

    /// Does some work on the scene while nobody else does.
    pub fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> T + Send,
    ) -> Result<T, Fault> {
        py.detach(|| {
            // The guard lives within what is caught, so that a panic poisons the lock: what a failed call left behind is
            // not to be trusted.
            catch(|| {
                let mut state = self.state.lock().map_err(|_| Fault::Broken)?;
                let state = &mut *state;
                Ok(match &self.pool {
                    Some(pool) => pool.install(|| work(state)),
                    None => work(state),
                })
            })?
        })
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (*, threads=None))]
    fn new(#[pyo3(from_py_with = counts::threads)] threads: Option<usize>) -> PyResult<Self> {
        let pool = match threads {
            None => None,
            Some(n @ 1..=1024) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
                Some(pool.map_err(|e| refuse("threads", e))?)
            }
            Some(n) => return Err(refuse("threads", format!("{n} is not between 1 and 1024"))),
        };
        Ok(Self { state: Box::default(), pool })
    }

    /// The ids of the bodies that are there.
    fn ids(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        Ok(self.with(py, |state| state.scene.ids().map(|id| id.0).collect())?)
    }

    /// Which method answers which question, and why.
    ///
    /// >>> import crumple
    /// >>> print(crumple.Scene().explain()[0])
    /// contacts: regularity, because there are no triangles, so there is nothing to find
    fn explain(&self, py: Python<'_>) -> PyResult<Vec<Choice>> {
        let choices = self.with(py, |state| state.scene.explain())?;
        Ok(choices.into_iter().map(Choice::from).collect())
    }

    /// Makes now what this and the following frames need to answer a question, for those who have time now and none later.
    ///
    /// Without it, `contacts` answers the first frame of new bodies by a structure that is made quickly, and makes the one that is
    /// fast from frame to frame when a second frame comes.
    #[pyo3(signature = (question: "QuestionName"))]
    fn prepare(&self, py: Python<'_>, question: &str) -> PyResult<()> {
        let question = question_of(question)?;
        self.ask(py, "", |scene| scene.prepare(question))
    }

    /// Does now what the next such question would do first in this frame: makes the structure, or brings it to this frame.
    #[pyo3(signature = (question: "QuestionName"))]
    fn prepare_frame(&self, py: Python<'_>, question: &str) -> PyResult<()> {
        let question = question_of(question)?;
        self.ask(py, "", |scene| scene.prepare_frame(question))
    }

    /// Takes this method for contacts: "regularity", "bucket-tree", "spatial-hash" or "brute-force"; None lets the scene choose.
    #[pyo3(signature = (method: "Literal['regularity', 'bucket-tree', 'spatial-hash', 'brute-force'] | None"))]
    fn use_surface_method(&self, py: Python<'_>, method: Option<&str>) -> PyResult<()> {
        use crumple::SurfaceMethod as M;
        let all =
            [M::Regularity, M::BucketTree, M::SpatialHash, M::BruteForce].map(|m| (m.name().to_owned(), m));
        let method = method.map(|name| choose("method", name, all)).transpose()?;
        Ok(self.with(py, |state| state.scene.use_surface_method(method))?)
    }

    /// Takes this method for penetrations: "spatial-hash" or "brute-force"; None lets the scene choose.
    #[pyo3(signature = (method: "Literal['spatial-hash', 'brute-force'] | None"))]
    fn use_solid_method(&self, py: Python<'_>, method: Option<&str>) -> PyResult<()> {
        use crumple::SolidMethod as M;
        let all = [M::SpatialHash, M::BruteForce].map(|m| (m.name().to_owned(), m));
        let method = method.map(|name| choose("method", name, all)).transpose()?;
        Ok(self.with(py, |state| state.scene.use_solid_method(method))?)
    }

    /// Takes this method for impacts and steps: "regularity" or "swept-bvh"; None lets the scene choose.
    #[pyo3(signature = (method: "Literal['regularity', 'swept-bvh'] | None"))]
    fn use_step_method(&self, py: Python<'_>, method: Option<&str>) -> PyResult<()> {
        use crumple::StepMethod as M;
        let all = [M::Regularity, M::SweptBvh].map(|m| (m.name().to_owned(), m));
        let method = method.map(|name| choose("method", name, all)).transpose()?;
        Ok(self.with(py, |state| state.scene.use_step_method(method))?)
    }

    /// What is odd about the bodies, by element.
    fn diagnose(&self, py: Python<'_>) -> PyResult<Vec<Diagnostic>> {
        let found = self.ask(py, "", |scene| scene.diagnose())?;
        Ok(found.into_iter().map(Diagnostic::from).collect())
    }

    /// The box of a body's vertices, (2, 3) float64; None when it has none.
    fn bounds(&self, py: Python<'_>, body: Body) -> PyResult<Option<Table<f64>>> {
        let found = self.ask(py, "body", |scene| scene.bounds(body.0))?;
        Ok(found.map(|b| crate::arrays::points(py, &[b.min, b.max])))
    }

    /// Every pair of bodies whose boxes are at most `margin` apart, (k, 2) uint32.
    #[pyo3(signature = (margin=0.0))]
    fn box_pairs(&self, py: Python<'_>, margin: f64) -> PyResult<Table<u32>> {
        length("margin", margin)?;
        let pairs = self.with(py, |state| state.scene.box_pairs(margin))?;
        Ok(crate::arrays::table(py, &pairs, |pair| pair.map(|b| b.0)))
    }

    /// The bodies as `pyvista.MultiBlock`, with `collides` for each triangle and `depth` for each vertex inside a tet.
    #[pyo3(signature = () -> "Any")]
    fn to_pyvista<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("crumple._convert")?.call_method1("scene_to_pyvista", (slf,))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.with(py, |state| state.scene.ids().count())?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names: Vec<String> = self.with(py, |state| {
            let scene = &state.scene;
            scene.ids().filter_map(|id| scene.mesh(id).ok()).map(|mesh| mesh.name().to_owned()).collect()
        })?;
        Ok(format!("Scene({} bodies: {})", names.len(), names.join(", ")))
    }
}

/// Which method answers a question, and why.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Choice {
    /// What is asked.
    question: String,
    /// The method's name.
    method: &'static str,
    /// One sentence.
    why: String,
}

impl From<crumple::Choice> for Choice {
    fn from(choice: crumple::Choice) -> Self {
        Self { question: choice.question.to_string(), method: choice.method, why: choice.why }
    }
}

#[pymethods]
impl Choice {
    fn __str__(&self) -> String {
        format!("{}: {}, because {}", self.question, self.method, self.why)
    }

    fn __repr__(&self) -> String {
        format!("Choice({}: {})", self.question, self.method)
    }
}

/// A question by its name.
fn question_of(name: &str) -> PyResult<crumple::Question> {
    use crumple::Question as Q;
    let all = [Q::Contacts, Q::Impacts, Q::Penetrations, Q::Overlap, Q::Inside, Q::Distance];
    choose("question", name, all.map(|q| (q.to_string(), q)))
}

/// One of several words.
pub fn choose<T, const N: usize>(argument: &str, given: &str, all: [(String, T); N]) -> PyResult<T> {
    let known: Vec<String> = all.iter().map(|(name, _)| format!("{name:?}")).collect();
    let found = all.into_iter().find(|(name, _)| name == given).map(|(_, value)| value);
    found.ok_or_else(|| refuse(argument, format!("{given:?} is none of {}", known.join(", "))))
}

/// A length: finite and not negative.
pub fn length(argument: &str, value: f64) -> PyResult<f64> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(refuse(argument, format!("{value} is not a length")))
    }
}
