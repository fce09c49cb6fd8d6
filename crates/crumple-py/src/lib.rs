//! The Python package: the engine's `Scene`, name for name, with numpy arrays in and out.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `arrays.rs` | numpy in and out |
//! | `ids.rs`, `counts.rs` | ids and counts as arguments |
//! | `errors.rs` | exceptions, panics, work without the interpreter's lock |
//! | `scene/` | the scene, one file per kind of question |
//! | `mesh.rs`, `edit.rs`, `cut.rs`, `diagnostics.rs` | meshes, their next versions, cuts, what is odd about them |
//! | `files.rs` | readers, writers, sequences |
//! | `picture.rs`, `report.rs` | pictures, pages |
//!
//! What needs other packages (conversions) or is only put together (one-call functions) is Python, in `python/crumple`.

mod arrays;
mod counts;
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

use pyo3::PyClass;
use pyo3::prelude::*;

/// The address at which the engine reads these points: the caller's own, where nothing is converted.
#[pyfunction]
#[pyo3(signature = (points: "ArrayLike"))]
fn _address(points: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(arrays::Points::new(points, "points")?.address())
}

/// Fails inside the engine's catch, so that tests can see that a panic becomes an exception.
#[pyfunction]
fn _fail(py: Python<'_>, scene: &scene::Scene) -> PyResult<()> {
    Ok(scene.with(py, |_| panic!("a bug, on purpose"))?)
}

/// Adds a class. Python allocates objects at multiples of 16 bytes: a class that asks for more does not compile.
fn class<T: PyClass>(module: &Bound<'_, PyModule>) -> PyResult<()> {
    const { assert!(align_of::<T>() <= 16, "Python aligns objects to 16 bytes: put the field into a Box") };
    module.add_class::<T>()
}

#[pymodule]
fn _crumple(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::register(module)?;
    class::<scene::Scene>(module)?;
    class::<scene::Choice>(module)?;
    class::<scene::Contacts>(module)?;
    class::<scene::BudgetedContacts>(module)?;
    class::<scene::Undecided>(module)?;
    class::<scene::Places>(module)?;
    class::<scene::Proximity>(module)?;
    class::<scene::ProximityCandidates>(module)?;
    class::<scene::Impacts>(module)?;
    class::<scene::Impact>(module)?;
    class::<scene::Step>(module)?;
    class::<scene::Penetrations>(module)?;
    class::<scene::EdgePenetrations>(module)?;
    class::<scene::Distance>(module)?;
    class::<scene::Witness>(module)?;
    class::<scene::ClosePairs>(module)?;
    class::<scene::Overlap>(module)?;
    class::<scene::SelfOverlap>(module)?;
    class::<scene::VolumeDepth>(module)?;
    class::<scene::IntersectionCurve>(module)?;
    class::<scene::IntersectionCurves>(module)?;
    class::<scene::Untangled>(module)?;
    class::<scene::Drawing>(module)?;
    class::<mesh::Mesh>(module)?;
    class::<edit::Edit>(module)?;
    class::<edit::Changes>(module)?;
    class::<cut::Blade>(module)?;
    class::<cut::Cut>(module)?;
    class::<cut::Fused>(module)?;
    class::<diagnostics::Diagnostic>(module)?;
    class::<files::Sequence>(module)?;
    class::<picture::Picture>(module)?;
    class::<report::Report>(module)?;
    module.add_function(wrap_pyfunction!(cut::fuse, module)?)?;
    module.add_function(wrap_pyfunction!(cut::coincident, module)?)?;
    module.add_function(wrap_pyfunction!(files::read, module)?)?;
    module.add_function(wrap_pyfunction!(files::split_faces, module)?)?;
    module.add_function(wrap_pyfunction!(_address, module)?)?;
    module.add_function(wrap_pyfunction!(_fail, module)?)
}
