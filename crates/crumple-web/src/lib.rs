//! Crumple in the browser: the engine, the readers and the simulator as WebAssembly.
//!
//! Three classes are handed to JavaScript; `page/crumple.js` wraps them and gives typed arrays that are views of the
//! module's memory.
//!
//! | class | what | file |
//! | --- | --- | --- |
//! | `Scene` | files and arrays in; contacts, places, distances, volumes out | `scene.rs` |
//! | `World` | the simulator: grab, pull, cut, step | `world.rs`, `examples/` |
//! | `Figure` | the papers' figures, alive, each with its paper's own rule beside the exact answer | `figure.rs`, `papers/` |
//!
//! | shared part | file |
//! | --- | --- |
//! | surfaces as flat arrays, for drawing | `buffers.rs` |
//! | the structure of each method on a frame | `structure.rs` |
//! | structures as lines, points and painted triangles | `drawing.rs` |
//! | a mesh from what a reader found | `mesh.rs` |
//! | the page's clock | `clock.rs` |
//!
//! Nothing here decides anything: every number that a page shows is the engine's.

mod buffers;
mod clock;
mod drawing;
pub mod examples;
mod figure;
mod mesh;
mod papers;
mod scene;
mod structure;
mod world;

pub use drawing::Drawing;
pub use figure::Figure;
pub use scene::Scene;
pub use world::World;

use wasm_bindgen::JsError;

/// Any error as one of JavaScript's, in its own words.
fn told(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
