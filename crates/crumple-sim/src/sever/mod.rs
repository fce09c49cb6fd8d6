//! Parting bodies along facets that exist: cutting by a moving blade, and tearing.
//!
//! Elements (triangles of cloth, tets) hang together through facets (edges, faces). A facet is *severed* when the blade has passed the centres
//! of its two elements on different sides, or when its body tears there. Severed facets are remembered; a vertex becomes two as soon as
//! the elements round it fall into two groups. No element is ever split: short strokes add up to the same cut as a long
//! one, in whatever pose they are made, nothing shatters, and mass and momentum stay.
//!
//! Both sides of a cut would touch. They draw back by a small part of an element, the width of the blade, and exact detection
//! is asked whether everything is free; facets whose parting would make something touch wait until it does not.

mod facets;
mod open;
mod stroke;
mod tear;

pub(crate) use stroke::Blade;
pub use stroke::Stroke;
