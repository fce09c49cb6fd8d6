//! The errors of the engine, one type per entry point.

use crate::cut::CutError;
use crate::{BodyId, TriangleId, VertexId};

/// A mesh that cannot be used, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A corner names a vertex that does not exist.
    #[error("{element} {index} uses vertex {vertex}, but there are only {vertices} vertices")]
    VertexOutOfRange {
        /// "triangle", "polygon" or "tet".
        element: &'static str,
        /// Which one.
        index: u32,
        /// The vertex it asks for.
        vertex: u32,
        /// How many vertices there are.
        vertices: u32,
    },
    /// More elements than a `u32` can name.
    #[error("{count} {element} are more than an id of 32 bits can name")]
    TooMany {
        /// "vertices", "triangles" or "tets".
        element: &'static str,
        /// How many there are.
        count: u64,
    },
    /// An edit names an element that is not there (any more).
    #[error("{element} {key} does not exist in this version of the body")]
    NoSuchElement {
        /// "triangle", "tet", "vertex" or "edge".
        element: &'static str,
        /// Its key or id.
        key: u32,
    },
    /// An edit that the element does not allow.
    #[error("{element} {key}: {why}")]
    BadEdit {
        /// "triangle", "tet", "vertex", or "seam" for a row of a seam.
        element: &'static str,
        /// Its key or id.
        key: u32,
        /// What is wrong, in a few words.
        why: &'static str,
    },
}

/// A frame that does not fit its mesh.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FrameError {
    /// The frame has another number of bodies than the mesh.
    #[error("the frame has positions for {given} bodies, but there are {expected}")]
    BodyCount {
        /// Bodies in the frame.
        given: usize,
        /// Bodies in the mesh.
        expected: usize,
    },
    /// A body has another number of positions than vertices.
    #[error("body {body} has {expected} vertices, but {given} positions were given")]
    VertexCount {
        /// The body.
        body: BodyId,
        /// Positions given.
        given: usize,
        /// Vertices expected.
        expected: usize,
    },
    /// A position is not a finite number.
    #[error("vertex {vertex} of body {body} is not finite: ({:?}, {:?}, {:?})", position[0], position[1], position[2])]
    NotFinite {
        /// The body.
        body: BodyId,
        /// The vertex, counted within the body.
        vertex: VertexId,
        /// What was given.
        position: [f64; 3],
    },
    /// More vertices than the method can count.
    #[error("{given} vertices are more than this method can count, at most {most}")]
    TooManyVertices {
        /// How many there are.
        given: usize,
        /// The most it can count.
        most: usize,
    },
    /// A position is so large that products of coordinates overflow.
    #[error("vertex {vertex} of body {body} lies beyond {:?}: ({:?}, {:?}, {:?})", crate::frame::MAX_COORDINATE, position[0], position[1], position[2])]
    TooLarge {
        /// The body.
        body: BodyId,
        /// The vertex, counted within the body.
        vertex: VertexId,
        /// What was given.
        position: [f64; 3],
    },
}

/// A parameter outside its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{parameter} = {value}: {expected}")]
pub struct ParamError {
    /// The field's name.
    pub parameter: &'static str,
    /// What was given.
    pub value: String,
    /// What is allowed.
    pub expected: &'static str,
}

/// Why a detector cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A parameter outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The frame does not fit the mesh.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

/// A question that cannot be answered, and where the fault lies: what a caller did wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The frame does not fit the mesh.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A mesh that cannot be used, or that does not go together with the others.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A step was asked about, but the frame says only where it ends; see [`Frame::step_to`](crate::Frame::step_to).
    #[error("the frame has no start: a step needs two ends")]
    NoStep,
    /// There is no such body.
    #[error("there is no body {body}")]
    NoBody {
        /// The body asked for.
        body: BodyId,
    },
    /// A body has no such triangle.
    #[error("body {body} has no triangle {triangle}")]
    NoTriangle {
        /// The body.
        body: BodyId,
        /// The triangle asked for.
        triangle: TriangleId,
    },
    /// The surface has a hole, so that it has no inside.
    #[error(
        "body {body} is open: {edges} edges are not balanced, the first joins vertices {} and {}; it has {loops} boundary loops",
        edge[0], edge[1]
    )]
    Open {
        /// The body.
        body: BodyId,
        /// The first edge whose triangles do not run through it equally often both ways, ids within the body.
        edge: [VertexId; 2],
        /// How many such edges there are.
        edges: usize,
        /// Walks along edges of one triangle.
        loops: usize,
    },
    /// The surface is closed but one-sided, or its sheets do not agree on a side where more than two of them meet.
    #[error("body {body} has no sides: {edges} edges are run through more often one way, the first joins vertices {} and {}", edge[0], edge[1])]
    OneSided {
        /// The body.
        body: BodyId,
        /// The first such edge, ids within the body.
        edge: [VertexId; 2],
        /// How many such edges there are.
        edges: usize,
    },
    /// The volume of interest is so thin, or so small beside the bodies, that no lattice resolves it.
    #[error("the volume of interest, {:?} by {:?} by {:?}, is too thin or too small beside the bodies to be sampled", size[0], size[1], size[2])]
    Unresolved {
        /// The sides of the volume of interest.
        size: [f64; 3],
    },
    /// An argument outside its range.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The answer has more rows than was asked for; the search ended there.
    #[error("there are more than {most} such pairs")]
    TooManyPairs {
        /// How many were allowed.
        most: usize,
    },
    /// A query point is not finite or lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[error("point {index} is not a usable position: ({:?}, {:?}, {:?})", position[0], position[1], position[2])]
    BadPoint {
        /// Which point.
        index: usize,
        /// What was given.
        position: [f64; 3],
    },
}

impl From<CutError> for Error {
    fn from(error: CutError) -> Self {
        match error {
            CutError::Blade(blade) => Self::Param(blade),
            CutError::Positions(positions) => Self::Frame(positions),
            CutError::Mesh(mesh) => Self::Mesh(mesh),
        }
    }
}

/// A broken invariant: a bug of ours, found by `validate`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[error("{method} breaks its invariant {invariant}: {what}")]
#[non_exhaustive]
pub struct Broken {
    /// The method's name.
    pub method: &'static str,
    /// The number on the method's page, for instance "I2".
    pub invariant: &'static str,
    /// What was found.
    pub what: String,
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Param(e) => e.into(),
            BuildError::Frame(e) => e.into(),
        }
    }
}
