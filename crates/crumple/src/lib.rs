//! Collision detection for meshes that change shape: cloth, skin, organs, soft robots, finite-element meshes.
//!
//! Hand it meshes once and positions every frame; it answers five questions about what touches. It has no solver
//! attached and fits under any simulator.
//!
//! ```
//! use crumple::{Mesh, Scene};
//! let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]])?;
//! let spike = Mesh::from_triangles("spike", 3, &[[0, 1, 2]])?;
//! let mut scene = Scene::new();
//! scene.add(sheet, &vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]])?;
//! let spike = scene.add(spike, &vec![[1.0, 1.0, 2.0], [1.5, 1.0, 2.0], [1.0, 1.0, 1.0]])?;
//! assert!(scene.contacts()?.is_empty());
//! scene.set_positions(spike, &vec![[1.0, 1.0, 1.0], [1.5, 1.0, 1.0], [1.0, 1.0, -0.5]])?;
//! assert_eq!(scene.contacts()?.len(), 2);
//! # Ok::<(), crumple::Error>(())
//! ```
//!
//! # Meshes, bodies, frames
//! A [`Mesh`] is what one body is made of: triangles, polygons, tets or points. It never changes; [`Mesh::edit`]
//! yields its next version, with keys that last. A [`Bodies`] lays bodies end to end, so that each owns one contiguous
//! range of every kind of id. A [`Frame`] borrows where the vertices are now, `f64` or `f32`, one slice per body.
//!
//! # Five questions
//! | question | method | answer |
//! | --- | --- | --- |
//! | Where does this surface hit itself, or another? | [`methods::regularity`] | [`TrianglePair`]s |
//! | Which vertices are inside which tetrahedra? | [`methods::spatial_hash`] | [`VertexTet`]s, depth, direction |
//! | How much volume do they share? Is this point inside? | [`methods::layered_depth`] | volume with bounds, flags |
//! | Which pieces of this soup touch, now that it was cut? | [`methods::bucket_tree`] | [`TrianglePair`]s |
//! | What is about to touch? | [`methods::distance_hierarchy`] | [`Proximity`] |
//! | How close are they, and where? | [`methods::distance_hierarchy`] | [`Distance`], [`NearPair`]s |
//!
//! A [`Scene`] asks them without naming a method. On its own, each method has three verbs: `new`, `update`, and its
//! question; those that list pairs are [`Detector`]s. [`methods::brute_force`] answers everything by trying everything,
//! and is the oracle that the others are held to.
//!
//! # What an answer means
//! Verdicts are exact: signs come from adaptive predicates ([`geometry::predicates`]), never from a tolerance, and closed
//! sets touch when they have a common point. Degenerate elements are what they are and are named by [`diagnose`].
//! Results are sorted and unique, equal on one thread and on many, equal after updates and after a fresh build. Every
//! answer has a [`Guarantee`].
//!
//! # Guides
//! [Cloth](guide::cloth), [finite elements and organs](guide::fem), [games](guide::games), [checking
//! files](guide::checking_files).
//!
//! # Threads
//! With the feature `parallel` (default) work runs on the current rayon pool; without it on the calling thread. Answers
//! are equal. Other features: `serde` (results can be written), `glam` (positions as slices of `glam` vectors).

mod broad_phase;
#[allow(dead_code)]
mod budget;
mod candidate;
mod contact;
#[allow(dead_code)]
mod counting_sort;
#[allow(dead_code)]
mod csr;
pub mod cut;
mod detector;
mod diagnostics;
mod distance;
mod drawing;
mod epoch;
mod error;
mod frame;
pub mod geometry;
pub mod guide;
mod ids;
mod impact;
mod mesh;
pub mod methods;
pub mod narrow;
// The methods take these parts up one after the other.
#[allow(dead_code)]
mod parallel;
#[allow(dead_code)]
mod patches;
mod proximity;
mod scene;
mod stats;

pub use budget::Budget;
pub use candidate::Candidates;
pub use contact::{Contacts, EdgeTet, TrianglePair, VertexTet};
pub use detector::{Detector, Guarantee, Pairs, Ready};
pub use diagnostics::{Diagnostic, DiagnosticKind, diagnose};
pub use distance::{Containment, Distance, NearPair, Witness};
pub use drawing::{Drawing, Tone};
pub use error::{Broken, BuildError, Error, FrameError, MeshError, ParamError};
pub use frame::{Frame, MAX_COORDINATE, Positions};
pub use ids::{BodyId, EdgeId, PolygonId, TetId, TetKey, TriangleId, TriangleKey, VertexId};
pub use impact::{Features, Impact};
pub use mesh::{
    Added, Bodies, BoundaryLoop, Changes, Edit, Mesh, NewVertex, Orientation, TetTopology, Topology,
};
pub use proximity::{Closeness, EdgeEdge, Proximity, VertexTriangle};
pub use scene::{
    Answer, Choice, Contact, EdgePenetration, Element, Groups, Penetration, Place, Question, Scene,
    SolidMethod, SurfaceMethod, VertexInTet, explain,
};
pub use stats::Stats;

/// The README's example is a test too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
