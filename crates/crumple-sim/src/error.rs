//! What a world refuses.

use crumple::{BodyId, VertexId};

/// Why a world could not be built or moved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// What detection refused: a mesh, a position, a body that is not there.
    #[error(transparent)]
    Detection(#[from] crumple::Error),
    /// A parameter outside its range.
    #[error("{parameter} = {value}: {expected}")]
    Parameter {
        /// Its name.
        parameter: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        expected: &'static str,
    },
    /// There is no such vertex.
    #[error("body {body} has no vertex {vertex}")]
    NoVertex {
        /// The body.
        body: BodyId,
        /// The vertex.
        vertex: VertexId,
    },
    /// A rest shape that has no volume, or is turned inside out, in an element.
    #[error("{name}: tet {tet} has no positive volume at rest")]
    FlatTet {
        /// The body's name.
        name: String,
        /// The tet.
        tet: usize,
    },
    /// A body that moves by itself cannot be led, and the other way round.
    #[error("body {body} is not {expected}")]
    WrongKind {
        /// The body.
        body: BodyId,
        /// What it would have to be.
        expected: &'static str,
    },
    /// Something crosses at the start, and nothing may.
    #[error("{pairs} pairs of triangles cross at the start, the first: triangle {} of {} and triangle {} of {}", first.1, first.0, first.3, first.2)]
    Crossed {
        /// How many.
        pairs: usize,
        /// Names of the two bodies and their triangles.
        first: (String, u32, String, u32),
    },
    /// A position is not finite any more; the world stays as it was before the step.
    #[error("frame {frame}: vertex {vertex} of body {body} ({name}) is not finite")]
    NotFinite {
        /// The frame, counted from 0.
        frame: u64,
        /// The body.
        body: BodyId,
        /// Its name.
        name: String,
        /// The vertex.
        vertex: VertexId,
    },
}

pub(crate) fn check(
    parameter: &'static str,
    value: f64,
    is_right: bool,
    expected: &'static str,
) -> Result<(), SimError> {
    if is_right && value.is_finite() {
        Ok(())
    } else {
        Err(SimError::Parameter { parameter, value: value.to_string(), expected })
    }
}
