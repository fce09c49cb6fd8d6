//! Cloth, soft bodies and particles on [`crumple`]'s detection: a simulator that never lets things pass through each other.
//!
//! ```
//! use crumple_sim::{Cloth, Settings, Surface, World};
//! let sheet = crumple_scenes::shapes::sheet(8, 8, [1.0, 1.0]).mapped(|[x, y, z]| [x, z + 0.6, y]);
//! let ball = crumple_scenes::shapes::icosphere(4).mapped(|p| p.map(|x| 0.4 * x));
//! let mut world = World::new(Settings::default())?;
//! let cloth = world.add_cloth("sheet", &sheet.positions, &sheet.triangles, Cloth::default())?;
//! world.add_fixed("ball", &ball.positions, &ball.triangles, Surface::with_friction(0.3))?;
//! for _ in 0..20 {
//!     let report = world.step(1.0 / 60.0)?;
//!     assert_eq!(report.intersections, 0); // exact detection says so, in every frame
//! }
//! assert!(world.positions(cloth)?.iter().all(|p| p[1] < 0.61));
//! # Ok::<(), crumple_sim::SimError>(())
//! ```
//!
//! # The way of a step
//! A step is some substeps. [`crumple::Scene::proximity_candidates`] is asked what is near only when something may have come near that
//! was not: a few times in a violent step, not at all while things lie still.
//!
//! | part of a step | file |
//! | --- | --- |
//! | how far to look, and how long that holds | `plan.rs`, `motion.rs`, `turn.rs` |
//! | near pairs as constraints, with fixed directions | `contact/pairs.rs`, `contact/pair.rs`, four at a time: `contact/closest.rs` |
//! | how much nearer they have come | `contact/nearing.rs` |
//! | what came near and was not looked for | `unwatched.rs` |
//! | predict, and the loop itself | `step.rs`, `trail.rs` |
//! | stretching, bending | `elastic/stretch.rs`, `elastic/bend.rs`, four at a time: `elastic/lanes.rs` |
//! | tets: stable neo-Hookean | `elastic/tets.rs` |
//! | pins, grabs, bodies that are led | `handles.rs` |
//! | contacts and friction | `contact/solve.rs` |
//! | particles that meet each other | `contact/particles.rs` |
//! | holding back what would cross, and the proof | `contact/certify.rs`, `contact/touched.rs` |
//! | bodies that cross already | `contact/crossed.rs`, `untangle.rs` |
//! | cutting, tearing | `sever/` |
//! | nothing moves any more | `rest.rs` |
//! | smaller and larger without a call | `order.rs` |
//!
//! The method is XPBD with small substeps (Macklin et al. 2019): one Gauss–Seidel sweep over all constraints in each. Everything runs
//! in a fixed order on one thread, with additions, products, quotients and roots only: the same bits on every machine,
//! and with any number of threads in detection.
//!
//! # Why nothing crosses
//! Let everything be free when near pairs are looked for. Two kinds of pairs of a vertex and a triangle, or of two edges, are there:
//! 1. *Near pairs*, closer than r: every vertex has a reach, and r is the sum of the largest of both features' corners. For each, a fixed
//!    direction n (from one closest point to the other) parts the two: all corners of one side lie above all corners of the other along n,
//!    with a gap. A stretch of substeps, most often a whole step,
//!    is accepted only if that gap is still there at its end. What counts is the straight way from its beginning to its end, not that
//!    which the substeps took: along it corners move on straight lines, so the gap was there all the way, and the two did not meet. What turned
//!    meanwhile is parted by a direction that turns with it, from n to m: all along (1 − t) n + t m, which three numbers prove of every two
//!    corners (`Pair::parts_turning`).
//! 2. *All others* were at least r apart where they were looked for: not where everything was, but where it was expected half way to the time until
//!    which that should hold, so that displacements from there are half as long. Two bodies have the places and reaches of the search that found their pairs last,
//!    which may be another than that of two others. Vertices are in trees; of every two nodes it is checked that the
//!    largest difference of displacements from there is less than the sum of the smallest reaches of both, or less than the distance of the boxes
//!    of the nodes' elements, or the same of their children. At the beginning that is so because reaches are chosen for it (`plan.rs`), at the end of
//!    every stretch it is checked, and differences of displacements go straight in between. Two features are closer than they were looked for
//!    by at most the largest difference of two corners' displacements, which is so less than r or less than their distance: they did not meet
//!    either. Within a body, displacements are those from where the body would be had it only turned (`turn.rs`), and distances are taken a
//!    twenty-fifth short for the straight ways.
//!
//! With no vertex on a triangle and no edge on an edge at any time, no two triangles ever intersect
//! ([`crumple::narrow::continuous`]). Exact detection asks again at the end of every step.
//!
//! What would close a gap is pushed apart, and what cannot be (a sheet pressed between two bodies that are led) goes a shorter
//! way: [`StepReport::held`] counts those vertices, [`StepReport::blocked_by`] names the pairs.

mod body;
pub mod clock;
mod contact;
mod elastic;
mod error;
pub mod gallery;
mod handles;
mod measure;
mod motion;
mod order;
mod plan;
mod report;
mod rest;
pub mod script;
mod settings;
mod sever;
mod step;
mod trail;
mod turn;
mod untangle;
mod unwatched;
mod world;

pub use body::Kind;
pub use clock::Clock;
pub use error::SimError;
pub use handles::GrabId;
pub use report::{Blocker, Energy, StageSeconds, StepReport, StrokeReport};
pub use settings::{Cloth, Mode, Particles, Settings, Solid, Surface};
pub use sever::Stroke;
pub use world::World;

pub use crumple::{BodyId, VertexId};

/// The guide's example is a test too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/simulation.md")]
struct Guide;
