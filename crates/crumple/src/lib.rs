//! Collision detection for meshes that change shape: cloth, skin, organs, soft robots, finite-element meshes.
//!
//! Hand it meshes once and positions every frame; it tells what touches, what passed through what, how close things are,
//! what is inside and how much volume is shared. It has no solver attached and fits under any simulator.
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
//! yields its next version, with stable keys. [`Bodies`] lays meshes end to end, so that each owns one contiguous
//! range of every kind of id. A [`Frame`] borrows where the vertices are now, `f64` or `f32`, one slice per body.
//!
//! # Questions
//! | question | of a [`Scene`] | method |
//! | --- | --- | --- |
//! | What touches? | [`Scene::contacts`] | [`methods::regularity`], [`methods::bucket_tree`] for soups |
//! | What passed through what between two frames, and when? | [`Scene::impacts`] | [`methods::regularity::step`], [`methods::swept_bvh`] |
//! | Which vertices are inside which tetrahedra? | [`Scene::penetrations`] | [`methods::spatial_hash`] |
//! | How much volume do they share? Is this point inside? | [`Scene::overlap`], [`Scene::inside`] | [`methods::layered_depth`] |
//! | What is about to touch? | [`Scene::proximity`] | [`methods::distance_hierarchy`] |
//! | Along which curves do they cross, and how are they moved apart? | [`Scene::intersection_curves`], [`Scene::untangle`] | [`untangle`] |
//! | How close are they, and where? | [`Scene::distance`], [`Scene::closer_than`] | [`methods::distance_hierarchy`] |
//!
//! A scene asks without naming a method. On its own, each method is made from its parameters, brought to a frame by `update`, and
//! asked about that frame; those that list pairs are [`Detector`]s. [`methods::brute_force`] answers everything by
//! trying everything, and is the oracle that the others are held to.
//!
//! # What an answer means
//! Verdicts are exact: signs come from adaptive predicates (`orient3d`, `orient2d`), never from a tolerance, and closed
//! sets touch when they have a common point. Degenerate elements are what they are and are named by [`diagnose`].
//! Results are sorted and unique, equal on one thread and on many, equal after updates and after a fresh build. Every
//! answer has a [`Guarantee`].
//!
//! # Guides
//! [Cloth](guide::cloth), [finite elements and organs](guide::fem), [solvers](guide::solvers), [cutting](guide::cutting),
//! [games](guide::games), [checking files](guide::checking_files), [Blender and ParaView](guide::viewers).
//!
//! # Features
//! With `parallel` (default) work runs on the current rayon pool; without it on the calling thread, with equal answers. `serde`:
//! results can be written. `glam`: positions as slices of `glam` vectors. `published`: the papers' own variants of the
//! methods. `oracle`: brute force for every question, for steps in integers of any size.

#![warn(missing_debug_implementations)]

mod broad_phase;
mod budget;
mod candidate;
mod contact;
mod counting_sort;
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
#[cfg(not(feature = "internals"))]
mod narrow;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod narrow;
mod parallel;
mod patches;
mod proximity;
mod quota;
mod scene;
mod stats;
pub mod untangle;
mod vertex_fan;

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
    Added, Adjacency, Bodies, BoundaryLoop, Changes, Edit, Mesh, NewVertex, Orientation, TetTopology,
    Topology,
};
pub use methods::layered_depth::Resolution;
pub use methods::spatial_hash::Cause;
pub use narrow::Feature;
pub use narrow::contact::{Intersection, Polygon};
pub use narrow::continuous::ImpactTime;
pub use proximity::{Closeness, EdgeEdge, Proximity, ProximityCandidates, VertexTriangle};
pub use scene::{
    Answer, BudgetedContacts, Choice, CloseEdgeEdge, ClosePairs, CloseVertexTriangle, Constraints, Contact,
    CurvePart, CurvePoint, EdgeEdgeImpact, EdgePenetration, Element, Groups, Impacts, IntersectionCurve,
    Left, PairHistory, Penetration, Place, Question, Reason, RowChanges, Scene, SolidMethod, Step,
    StepMethod, SurfaceMethod, Term, Untangled, VertexInTet, VertexTriangleImpact, explain,
};
pub use stats::Stats;
pub use untangle::{CurveEnd, CurveKind, UntangleOptions};

/// The README's example is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
