//! Collision detection for meshes that change shape.

mod candidate;
mod contact;
mod detector;
mod diagnostics;
mod distance;
mod drawing;
mod epoch;
mod error;
mod frame;
pub mod geometry;
mod ids;
mod mesh;
pub mod methods;
pub mod narrow;
mod scene;
mod stats;

pub use candidate::Candidates;
pub use contact::{Contacts, EdgeTet, TrianglePair, VertexTet};
pub use detector::{Detector, Guarantee, Pairs};
pub use diagnostics::{Diagnostic, Kind, diagnose};
pub use distance::{Containment, Distance, NearPair, Witness};
pub use drawing::{Drawing, Tone};
pub use error::{Broken, BuildError, FrameError, MeshError, ParamError};
pub use frame::{Frame, MAX_COORDINATE, Positions};
pub use ids::{BodyId, EdgeId, PolygonId, TetId, TetKey, TriangleId, TriangleKey, VertexId};
pub use mesh::{
    Added, Body, BoundaryLoop, Changes, Edit, Mesh, NewVertex, Orientation, TetTopology, Topology,
};
pub use scene::{Choice, Question, Scene, SceneError, SolidMethod, SurfaceMethod};
pub use stats::Stats;
