//! Collision detection for meshes that change shape.

mod error;
mod frame;
mod ids;
mod mesh;

pub use error::{Broken, BuildError, FrameError, MeshError, ParamError};
pub use frame::{Frame, MAX_COORDINATE, Positions};
pub use ids::{BodyId, EdgeId, PolygonId, TetId, TetKey, TriangleId, TriangleKey, VertexId};
pub use mesh::{
    Added, Body, BoundaryLoop, Changes, Edit, Mesh, NewVertex, Orientation, TET_FACES, TetTopology, Topology,
};
