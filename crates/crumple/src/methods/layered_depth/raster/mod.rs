//! Triangles on the lattice, rasterised: which columns they touch, and which centre rays they cross.
//!
//! `reference.rs` says what is true, for any width of integers: [`SeenTriangle::each_centre`](reference::SeenTriangle)
//! for rays, [`Tile::each_column`](tile::Tile::each_column) for columns, ties by the top-left rule. The other files find
//! the same faster where numbers are small enough for double precision to be exact.

pub(crate) mod centres;
pub(crate) mod crossings;
mod edges;
pub(crate) mod fragments;
mod plane;
pub(crate) mod reference;
pub(crate) mod rows;
mod small;
pub(crate) mod tile;
