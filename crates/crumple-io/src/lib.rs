//! Mesh files, sequences, pictures and reports for Crumple.
//!
//! One file per format. Every reader takes bytes that are already in memory (a [`Source`]) and returns a
//! [`MeshData`] whose coordinates, vertex order and face order are those of the file. Readers never trust a
//! count in a header: memory grows with the bytes that are really there, and a fault is a [`ReadError`] that
//! names the file and the line or byte.
//!
//! ```no_run
//! let bunny = crumple_io::read("bunny.ply.gz".as_ref())?;
//! println!("{} vertices, {} faces", bunny.positions.len(), bunny.polygons.len());
//! # Ok::<(), crumple_io::ReadError>(())
//! ```

mod archive;
#[allow(dead_code, reason = "not every format needs every number")]
mod binary;
mod check;
mod data;
mod elements;
mod error;
mod format;
mod glob;
mod gltf;
mod gmsh;
mod medit;
mod names;
mod numbers;
mod numpy;
mod obj;
mod off;
mod ply;
mod queries;
mod scene_dir;
mod sequence;
mod sniff;
mod source;
mod split;
mod stl;
mod tetgen;
#[allow(dead_code, reason = "not every format needs every way of reading")]
mod text;
mod vtk;
pub mod write;
mod xyz;

pub mod picture;
pub mod report;

pub use data::{MeshData, Part, Polygons, Uvs};
pub use error::{Place, ReadError};
pub use format::{Format, ReadOptions, read, read_from, read_source, read_source_with, read_with};
pub use glob::expand_glob;
pub use queries::{Query, read_queries};
pub use scene_dir::{SceneBody, SceneDir, SceneElements};
pub use sequence::Sequence;
pub use source::Source;
pub use split::Object;
pub use write::{MarkedBody, WriteError, write, write_file, write_marked};
