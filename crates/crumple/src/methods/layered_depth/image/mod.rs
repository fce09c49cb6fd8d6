//! Layered depth images: the layers of bodies over a volume of interest, and what is read off them.
//!
//! For those who draw layers elsewhere, and for pictures of the method at work; a user asks [`Volumes`](super::Volumes).

mod draw;
pub(crate) mod gradient;
pub(crate) mod layers;
mod sampled;
pub(crate) mod span_surface;
pub(crate) mod spans;
mod validate;
pub(crate) mod view;

pub use layers::{BadLayers, Layer, Layers};
pub use span_surface::SpanSurface;
pub use spans::{Span, Spans};
pub use view::View;

pub use super::lattice::Lattice;
pub use super::voi::Voi;
