//! The Python package: the engine's `Scene`, name for name, with numpy arrays in and out.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `arrays.rs` | numpy in and out |
//! | `ids.rs` | ids as arguments |
//! | `errors.rs` | exceptions, panics, work without the interpreter's lock |
//! | `scene/` | the scene, one file per kind of question |
//! | `mesh.rs`, `edit.rs`, `cut.rs`, `diagnostics.rs` | meshes, their next versions, cuts, what is odd about them |
//! | `files.rs` | readers, writers, sequences |
//! | `picture.rs`, `report.rs` | pictures, pages |
//!
//! What needs other packages (conversions) or is only put together (one-call functions) is Python, in `python/crumple`.

mod arrays;
mod cut;
mod diagnostics;
mod edit;
mod errors;
mod files;
mod ids;
mod mesh;
mod picture;
mod report;
mod scene;

use pyo3::prelude::*;

/// The address at which the engine reads these points: the caller's own, where nothing is converted.
#[pyfunction]
fn _address(points: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(arrays::Points::new(points, "points")?.address())
}

/// Fails inside the engine's catch, so that tests can see that a panic becomes an exception.
#[pyfunction]
fn _fail(py: Python<'_>, scene: &scene::Scene) -> PyResult<()> {
    Ok(scene.with(py, |_| panic!("a bug, on purpose"))?)
}

#[pymodule]
fn _crumple(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::register(module)?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<scene::Choice>()?;
    module.add_class::<scene::Contacts>()?;
    module.add_class::<scene::Places>()?;
    module.add_class::<scene::Proximity>()?;
    module.add_class::<scene::Impacts>()?;
    module.add_class::<scene::Impact>()?;
    module.add_class::<scene::Step>()?;
    module.add_class::<scene::Penetrations>()?;
    module.add_class::<scene::EdgePenetrations>()?;
    module.add_class::<scene::Distance>()?;
    module.add_class::<scene::Witness>()?;
    module.add_class::<scene::ClosePairs>()?;
    module.add_class::<scene::Overlap>()?;
    module.add_class::<scene::SelfOverlap>()?;
    module.add_class::<mesh::Mesh>()?;
    module.add_class::<edit::Edit>()?;
    module.add_class::<edit::Changes>()?;
    module.add_class::<cut::Blade>()?;
    module.add_class::<cut::Cut>()?;
    module.add_class::<cut::Fused>()?;
    module.add_class::<diagnostics::Diagnostic>()?;
    module.add_class::<files::Sequence>()?;
    module.add_class::<picture::Picture>()?;
    module.add_class::<report::Report>()?;
    module.add_function(wrap_pyfunction!(cut::fuse, module)?)?;
    module.add_function(wrap_pyfunction!(cut::coincident, module)?)?;
    module.add_function(wrap_pyfunction!(files::read, module)?)?;
    module.add_function(wrap_pyfunction!(files::split_faces, module)?)?;
    module.add_function(wrap_pyfunction!(_address, module)?)?;
    module.add_function(wrap_pyfunction!(_fail, module)?)
}
