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
//!
//! # Which reader, and why
//!
//! Every reader is our own unless a well-kept crate reads as exactly, as safely and as fast. Tried on the samples in
//! `testdata/meshes`, on 1,500 mutations of each, and on files of a million triangles (processor time, same machine and
//! run):
//!
//! | format | crate tried | what decided |
//! | --- | --- | --- |
//! | OBJ | `tobj` 4.0.5 | ours: 3 times as fast (258 against 831 ms); `tobj` splits vertices between objects, drops files of points, fails on a line with a colour where others have none, parses to `f32` |
//! | PLY | `ply-rs-bw` 4.0.1 | ours: no strips there, every row is a map of its own; checks neither indices nor numbers, so that it reads what we refuse in 40 of 3,000 mutations |
//! | STL | `stl_io` 0.11.0 | ours: 269 against 420 ms; checks no numbers, so that it reads what we refuse in 163 of 1,500 mutations; `f32` only, where text has more digits |
//! | glTF | `gltf` 1.4.1 | ours: panics (3 of 1,500 mutations), refuses files without bounds of positions, places no nodes |
//! | VTK, legacy and XML | `vtkio` 0.7.0-rc2 | ours: refuses fields before the points and appended raw arrays (8 of 20 samples); 142 against 99 ms on inline base64 |
//! | Gmsh, Medit, TetGen, OFF, rows of points | none that reads them all | ours |
//! | NumPy | | ours: the header is one line; `zip` draws in a source of random numbers, see `archive.rs` |
//! | FBX | `ufbx` 0.11.5 | crate, with the feature `fbx`: it is 33,000 lines of C, so that a C compiler is needed |
//! | gzip, zlib, base64, XML, JSON | `flate2`, `base64`, `quick-xml`, `serde_json` | crates |
//! | names by pattern | `glob` 0.3 | crate |
//!
//! `benchmarks/readers/compare` times them beside those of other languages, too; `docs/scale.md` of the repository has the table.
//!
//! # What is not read
//!
//! | format | crate tried | verdict |
//! | --- | --- | --- |
//! | USD | `openusd` 0.8.0, 0.6.0 | 0.8 needs Rust 1.96; 0.6 takes minutes to build and promises no stable interface. Not yet |
//! | Alembic | `ogawa-rs` 0.4.0 | by its own words reads only parts of curves, and no meshes. Export as `.pc2`, `.mdd`, `.npy` or numbered files |

mod archive;
#[allow(dead_code, reason = "not every format needs every number")]
mod binary;
mod check;
mod data;
mod elements;
mod error;
#[cfg(feature = "fbx")]
mod fbx;
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
pub mod stream;

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
