//! Which bodies are tested against which.

use crumple::Groups;
use pyo3::prelude::*;

use super::Scene;
use crate::counts;
use crate::ids::Body;

#[pymethods]
impl Scene {
    /// A fixed body is not tested against other fixed bodies, nor against itself.
    #[pyo3(signature = (body, is_fixed=true))]
    fn set_fixed(&self, py: Python<'_>, body: Body, is_fixed: bool) -> PyResult<()> {
        self.ask(py, "body", |scene| scene.set_fixed(body.0, is_fixed))
    }

    /// Whether a body is fixed.
    fn is_fixed(&self, py: Python<'_>, body: Body) -> PyResult<bool> {
        self.ask(py, "body", |scene| scene.is_fixed(body.0))
    }

    /// The groups that a body belongs to and those that it is tested against, one bit each. Two bodies are tested against each
    /// other when each belongs to a group of the other's mask.
    #[pyo3(signature = (body, member=u32::MAX, mask=u32::MAX))]
    fn set_groups(
        &self,
        py: Python<'_>,
        body: Body,
        #[pyo3(from_py_with = counts::member)] member: u32,
        #[pyo3(from_py_with = counts::mask)] mask: u32,
    ) -> PyResult<()> {
        self.ask(py, "body", |scene| scene.set_groups(body.0, Groups { member, mask }))
    }

    /// Leaves a pair of bodies out (one body twice: what it does with itself), or takes it in again.
    #[pyo3(signature = (a, b, is_ignored=true))]
    fn ignore(&self, py: Python<'_>, a: Body, b: Body, is_ignored: bool) -> PyResult<()> {
        self.ask(py, "body", |scene| scene.ignore([a.0, b.0], is_ignored))
    }
}
