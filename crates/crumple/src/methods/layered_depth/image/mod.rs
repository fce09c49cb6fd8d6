//! Layered depth images: the layers of bodies over a volume of interest, and what is read off them.

mod draw;
pub(crate) mod gradient;
pub(crate) mod layers;
pub(crate) mod span_surface;
pub(crate) mod spans;
mod validate;
pub(crate) mod view;
