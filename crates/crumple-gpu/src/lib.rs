//! Layered depth images by compute shaders (wgpu), equal to those of [`crumple`] bit for bit.
//!
//! A graphics processor rasterises for a living, but by rules of its own: which pixels an edge owns, how a vertex is
//! rounded and how a depth is stored differ from one maker to the next. So nothing of its raster unit is used here. The
//! engine snaps vertices to an integer lattice and says in integers which ray crosses which triangle and where
//! ([`View`](crumple::methods::layered_depth::image::View), rules 1 to 6); compute kernels follow the same rules in the same
//! integers, of which 64 bits are made up from two words. The layers are then the same on every device, and one may be
//! tested against the other without a tolerance.
//!
//! ```
//! # #[cfg(feature = "wgpu")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use crumple::methods::layered_depth::{LayeredDepth, Resolution};
//! use crumple::{Mesh, BodyId, Frame, Bodies, Positions};
//! use crumple_gpu::{LayersOn, Wanted};
//!
//! let ball = crumple_scenes::shapes::icosphere(20);
//! let mesh = Bodies::new([Mesh::from_triangles("ball", ball.positions.len(), &ball.triangles)?])?;
//! let frame = [Positions::from(&ball.positions)];
//! let mut method = LayeredDepth::default();
//! let mut volumes = method.update(&mesh, Frame::new(&frame))?;
//! let mut view = volumes.view_of(BodyId(0), Resolution::default())?.expect("a ball has a volume");
//!
//! let mut on = LayersOn::choose(&Wanted::Hardware);
//! let layers = on.layers(&mut view, 0);
//! println!("{} layers, drawn {on}", layers.count());
//! assert!(layers == view.layers(0));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "wgpu"))]
//! # fn main() {}
//! ```
//!
//! [`LayersOn`] is the choice at run time: a device if there is one, else the engine, with the reason. [`Gpu`] is the
//! device itself, for those who want its errors.
//!
//! # In the program
//! `cargo build --release -p crumple-cli --features gpu` builds a `crumple` whose `overlap --gpu` draws the layers of both
//! bodies here and tells the sampled volume; `--gpu=any` takes a software adapter too and `--gpu=NAME` one by its name.
//! It says on whose layers the answer stands, and answers the same where no adapter is found. Proved bounds need to know
//! which pixels a surface covers, not only which centre rays it crosses, so they are left to the engine, as `overlap` is
//! without `--gpu`. `crumple inside` has no use for layers: its exact test looks a point up in a coarse grid of untouched
//! cells and takes exact signs beside the surface; only the paper's nearest ray would need an image, and is wrong there.
//!
//! # How a body is drawn
//! 1. *Pieces*: the pixels whose centres lie in a triangle's box are cut into pieces of 8 × 8, a thread's work each. The
//!    pieces of all triangles are counted and summed up; a thread finds its triangle by bisection.
//! 2. *Count*: each piece decides by edge functions which of its rays are crossed and counts them in their columns.
//! 3. *Sum*: a prefix sum turns counts into places; its total says how much memory the layers take (H-A3).
//! 4. *Fill*: each piece writes depth, triangle and orientation of its crossings to the next free places.
//! 5. *Sort*: a thread per column puts them in the order of [`Layer`](crumple::methods::layered_depth::image::Layer), by
//!    insertion up to 24 and as a heap up to 4096; longer columns are sorted by the engine.
//!
//! The numbers of pieces and of layers and the layers themselves are read back, three waits in all.
//!
//! # Invariants
//! I1. The layers equal those of [`View::layers`](crumple::methods::layered_depth::image::View::layers) in all fields: every
//! decision is one of integers that do not overflow, and threads differ only in the order in which they write, which
//! sorting by unlike keys undoes.
//! I2. Any number of layers on a ray, any size of triangle: places are counted first, nothing is cut off. Sums that do
//! not fit 32 bits are seen and reported.
//! I3. Nothing panics or hangs for what a device does: faults and loss become a [`GpuError`], and [`LayersOn`] goes on
//! with the engine.
//! I4. No buffer is larger than the device binds, nor than 256 MB: the image is drawn in bands, a large mesh in parts.
//! I5. No dispatch has more than 2^20 pieces, so that a driver's watchdog stays asleep.
//!
//! # Cost
//! O(T + pieces · (log T + 64) + layers · log layers-per-ray) · memory 16 V + 16 T + 4 pixels + 8 layers on the device,
//! and as much again of the largest for reading back · upload 16 V + 12 T, read back 4 pixels + 8 layers.
//!
//! On llvmpipe, a *software* adapter, that is, on the same two cores, with everything included (`cargo run --release
//! -p crumple-gpu --features wgpu --example layers_cost`); milliseconds of processor time:
//!
//! | triangles | pixels | layers | engine | llvmpipe |
//! | ---: | ---: | ---: | ---: | ---: |
//! | 11,520 | 128² | 25,872 | 0.6 | 4.9 |
//! | 11,520 | 512² | 413,780 | 6.3 | 47 |
//! | 109,520 | 128² | 25,876 | 1.7 | 20 |
//! | 109,520 | 512² | 413,804 | 8.3 | 61 |
//! | 518,420 | 128² | 25,876 | 4.3 | 48 |
//! | 518,420 | 512² | 413,808 | 14 | 143 |
//!
//! This shows that it works and that emulation loses, by a factor of 7 to 12; it says nothing about graphics processors,
//! of which none was at hand. Hence [`Wanted::Hardware`], the default, never takes a software adapter.
//!
//! # Limits
//! Vertices are snapped by the engine, since WGSL has no 64-bit floats. *Far* triangles, which reach beyond ±2^30
//! units, eight times the image, are crossed by the engine and merged in. One ray with more layers than a buffer holds
//! (2^25) is an error, and drawn by the engine.
//!
//! # Where we differ from the paper
//! It renders n_max times and keeps the n-th fragment of each pixel, because the hardware of 2003 could not append
//! (H8–H11, H-A1 to H-A4). Counting first gives exact places in two passes.

#![cfg_attr(not(feature = "wgpu"), allow(rustdoc::broken_intra_doc_links))]
#![cfg(feature = "wgpu")]

mod adapter;
mod band;
mod choice;
mod chunk;
mod device;
mod draw;
mod error;
mod gpu;
mod scan;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod wide;

pub use adapter::{Adapter, Wanted, adapters};
pub use choice::LayersOn;
pub use error::GpuError;
pub use gpu::Gpu;
