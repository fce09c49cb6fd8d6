//! Triangles on the lattice, rasterised: which columns they touch, and which centre rays they cross.

pub(crate) mod centres;
pub(crate) mod crossings;
pub(crate) mod edges;
pub(crate) mod fragments;
pub(crate) mod reference;
pub(crate) mod rows;
pub(crate) mod tile;
