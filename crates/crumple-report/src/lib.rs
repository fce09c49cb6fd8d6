//! One page about what a check found, that opens in any browser and needs no network.
//!
//! A [`Recorder`] follows a [`Scene`](crumple::Scene) from frame to frame and asks what it needs; [`Recorder::finish`]
//! makes a [`Page`]: bodies in three dimensions with their colliding triangles, a time line with the pairs of each frame,
//! the worst frames and places first, and a table of all places.
//!
//! ```
//! use crumple::{Mesh, Scene};
//! use crumple_report::{FrameLabel, Options, Recorder};
//!
//! let mut scene = Scene::new();
//! let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?;
//! scene.add(mesh, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
//!                   [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.5, 1.0, -1.0]][..])?;
//! let mut recorder = Recorder::new(Options::new("two triangles"));
//! recorder.frame(&mut scene, &FrameLabel::number(0))?;
//! let html = recorder.finish().to_html();
//! assert!(html.contains("<canvas"));
//! # Ok::<(), crumple::Error>(())
//! ```
//!
//! # The way of a page
//!
//! | step | file |
//! | --- | --- |
//! | one frame's pairs become places with names and depths | `places.rs`, `regions.rs` |
//! | its positions become numbers of a grid; bodies too large for a page are thinned | `chunk.rs`, `decimate.rs` |
//! | the worst frames are kept for thumbnails | `recorder.rs`, `thumbnails.rs` |
//! | everything becomes one file | `page.rs`, with the scripts and styles in `page/` |
//! | many files become one table that links to their pages | `summary.rs` |
//!
//! # Invariants
//! P1. Names from files are data: they reach the page as JSON in which `<`, `>` and `&` are escaped, or as escaped text;
//!     the scripts set them by `textContent` only.
//! P2. The content policy allows the page's own script and style, by their hashes, and `data:` pictures; no
//!     network, no frame, no form.
//! P3. Verdicts, counts and the table are those of the scene. What the picture leaves out (triangles of a thinned surface,
//!     positions of some frames of a long sequence, places beyond the longest of a frame) is counted and said on the page.
//! P4. Colliding triangles are drawn from their own corners, on a grid of 2^24 steps, whatever is left out of the rest.

mod chunk;
mod decimate;
mod page;
mod places;
mod recorder;
mod regions;
mod summary;
mod text;
mod thumbnails;

pub use page::Page;
pub use places::deepest;
pub use recorder::{FrameLabel, Options, Recorder};
pub use regions::Regions;
pub use summary::{Summary, Verdict, Verdicts};
pub use text::ContentHash;
