//! Procedural meshes, motions and set-ups that tests, benchmarks, demonstrations and fuzzing share.
//!
//! Everything is deterministic: a name or a seed gives the same bits on every platform, because random numbers
//! ([`Rng`]), sines ([`trig`]) and roots are our own. The crate knows nothing of the engine; the engine's tests use it.
//!
//! ```
//! let scene = crumple_scenes::by_name("loop-5k").unwrap();
//! assert_eq!((scene.frames(), scene.elements()), (5, 5000));
//!
//! let large = crumple_scenes::lazy("sphere-1300k").unwrap(); // nothing computed yet
//! assert_eq!(large.bodies[0].elements.len(), 1_310_720);
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | [`shapes`] | meshes from parameters |
//! | [`motions`] | rest positions and a frame number to positions |
//! | [`bench`](mod@bench) | the benchmark scenes: `sphere-*`, `loop-*`, `crumple-*`, `drape-*`, `tets-*`, `pair-*`, `inside-*`, `near-*` |
//! | [`papers`] | the five papers' set-ups by checklist id |
//! | [`adversarial`] | small scenes that break a rule of thumb each |
//! | [`toml`](mod@toml) | scene files |
//! | [`random`] | scenes from a seed, for property tests and fuzzing |
//! | [`suite()`] | the scene files of `testdata/scenes`, built in |

pub mod adversarial;
pub mod bench;
mod expect;
pub mod mesh;
pub mod motions;
pub mod papers;
pub mod random;
mod registry;
mod rng;
mod scene;
pub mod shapes;
mod suite;
pub mod toml;
pub mod trig;
pub mod vector;

pub use expect::Expect;
pub use mesh::{Solid, Surface};
pub use registry::{Entry, by_name, entries, lazy, names};
pub use rng::Rng;
pub use scene::{Elements, LazyBody, LazyScene, Scene, SceneBody};
pub use suite::suite;
