//! Why a volume or an inside flag cannot be told.

use crate::{BodyId, FrameError, ParamError, VertexId};

/// A question that has no answer, and where the fault lies.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LayeredError {
    /// The frame does not fit the mesh.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The mesh has no such body.
    #[error("there is no body {body}, only {bodies}")]
    NoBody {
        /// The body asked for.
        body: BodyId,
        /// Bodies of the mesh.
        bodies: usize,
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
    #[error("the volume of interest, {} by {} by {}, is too thin or too small beside the bodies to be sampled", size[0], size[1], size[2])]
    Unresolved {
        /// The sides of the volume of interest.
        size: [f64; 3],
    },
    /// The tolerance asked for is not a tolerance.
    #[error(transparent)]
    Tolerance(ParamError),
    /// A query point is not finite or lies beyond [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    #[error("point {index} is not a usable position: ({}, {}, {})", position[0], position[1], position[2])]
    BadPoint {
        /// Which point.
        index: usize,
        /// What was given.
        position: [f64; 3],
    },
}
