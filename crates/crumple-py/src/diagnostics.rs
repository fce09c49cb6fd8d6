//! What is odd about a mesh.

use pyo3::prelude::*;

/// One oddity of a mesh, which changes no verdict.
#[pyclass(frozen, get_all, module = "crumple")]
pub struct Diagnostic {
    /// Its kind, such as "degenerate-triangle".
    kind: &'static str,
    /// The body.
    body: u32,
    /// The element, counted within the body: a triangle, tet, edge, vertex or component, as the kind says.
    element: u32,
    /// One sentence.
    text: String,
}

impl From<crumple::Diagnostic> for Diagnostic {
    fn from(found: crumple::Diagnostic) -> Self {
        Self { kind: found.kind.name(), body: found.body.0, element: found.element, text: found.text }
    }
}

#[pymethods]
impl Diagnostic {
    fn __repr__(&self) -> String {
        format!("Diagnostic({}, body {}: {})", self.kind, self.body, self.text)
    }
}
