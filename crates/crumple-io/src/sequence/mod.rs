//! Frames of one body, read one at a time.
//!
//! A sequence is a list of mesh files, one `.pvd` or `.series` file that names such a list, or a base mesh and a
//! point cache (`.pc2`, `.mdd`, raw `.f32` or `.f64`). Opening reads the first mesh and the frame count; each frame
//! is read when it is asked for, so that memory holds one frame, however long the sequence is (a packed cache is
//! unpacked whole). The faces and tets of every file must be those of the first, in index and order.
//!
//! ```no_run
//! let sequence = crumple_io::Sequence::open(&["cloth.obj".into(), "cloth.pc2".into()])?;
//! let mut positions = Vec::new();
//! for frame in 0..sequence.len() {
//!     sequence.read_frame(frame, &mut positions)?;
//! }
//! # Ok::<(), crumple_io::ReadError>(())
//! ```

mod cache;
mod listing;

use std::path::{Path, PathBuf};

use crate::{MeshData, Place, ReadError, ReadOptions, Source, read_with};

use cache::{Cache, CacheKind};
use listing::Listing;

pub(crate) use listing::chunks as natural_key;

/// Frames of one body.
#[derive(Debug)]
pub struct Sequence {
    mesh: MeshData,
    frames: Frames,
    options: ReadOptions,
}

#[derive(Debug)]
enum Frames {
    /// One mesh file each; the first is kept as `mesh`.
    Files(Vec<PathBuf>),
    Cache(Cache),
}

impl Sequence {
    /// Opens numbered files, one `.pvd` or `.series`, or a base mesh and its point cache.
    ///
    /// Files keep the order in which they are given, with one exception: names that differ only in their numbers
    /// and come as a shell sorts them (1, 10, 2) are put into the order of the numbers.
    pub fn open(paths: &[PathBuf]) -> Result<Self, ReadError> {
        Self::open_with(paths, &ReadOptions::default())
    }

    /// As [`Sequence::open`], with mesh files read as `options` say; texture coordinates are those of the first.
    pub fn open_with(paths: &[PathBuf], options: &ReadOptions) -> Result<Self, ReadError> {
        if let [base, cache] = paths
            && CacheKind::of(cache).is_some()
        {
            return Self::with_cache(read_with(base, options)?, cache);
        }
        if let [path] = paths
            && let Some(listing) = Listing::of(path)
        {
            return Self::from_files_with(listing.read(&Source::open(path)?, path)?, options);
        }
        for path in paths {
            if Listing::of(path).is_some() {
                return Err(fault(path, "a list of frames is a sequence by itself: give it alone"));
            }
            if CacheKind::of(path).is_some() {
                return Err(fault(path, "a point cache is given second, after the one mesh that it moves"));
            }
        }
        Self::from_files_with(listing::by_number(paths.to_vec()), options)
    }

    /// Frames of `mesh` from a point cache. The positions of `mesh` itself are not a frame.
    pub fn with_cache(mesh: MeshData, cache: &Path) -> Result<Self, ReadError> {
        let cache = Cache::open(cache, mesh.positions.len())?;
        Ok(Self { mesh, frames: Frames::Cache(cache), options: ReadOptions::default() })
    }

    /// One frame per mesh file, in this order.
    pub fn from_files(files: Vec<PathBuf>) -> Result<Self, ReadError> {
        Self::from_files_with(files, &ReadOptions::default())
    }

    fn from_files_with(files: Vec<PathBuf>, options: &ReadOptions) -> Result<Self, ReadError> {
        let Some(first) = files.first() else {
            return Err(fault(Path::new("sequence"), "there is no file in it"));
        };
        let mesh = read_with(first, options)?;
        Ok(Self { mesh, frames: Frames::Files(files), options: ReadOptions { uvs: false, ..*options } })
    }

    /// The faces and tets of all frames. Its positions are those of the first file.
    pub fn mesh(&self) -> &MeshData {
        &self.mesh
    }

    /// Number of frames, at least 1.
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        match &self.frames {
            Frames::Files(files) => files.len(),
            Frames::Cache(cache) => cache.frames,
        }
    }

    /// The file that holds `frame`.
    pub fn file(&self, frame: usize) -> &Path {
        match &self.frames {
            Frames::Files(files) => &files[frame],
            Frames::Cache(cache) => &cache.path,
        }
    }

    /// Reads the positions of `frame`, which is below [`Sequence::len`], into `positions`.
    pub fn read_frame(&self, frame: usize, positions: &mut Vec<[f64; 3]>) -> Result<(), ReadError> {
        match &self.frames {
            Frames::Files(_) if frame == 0 => positions.clone_from(&self.mesh.positions),
            Frames::Files(files) => {
                let path = &files[frame];
                let mesh = read_with(path, &self.options)?;
                check_same(&self.mesh, &mesh).map_err(|what| {
                    let first = files[0].display();
                    fault(
                        path,
                        format!("{what} in the first frame ({first}); all frames need the same elements"),
                    )
                })?;
                *positions = mesh.positions;
            }
            Frames::Cache(cache) => cache.read_frame(frame, positions)?,
        }
        Ok(())
    }
}

/// Tells the first difference between the elements of two meshes.
fn check_same(first: &MeshData, mesh: &MeshData) -> Result<(), String> {
    let counts = [
        ("vertices", mesh.positions.len(), first.positions.len()),
        ("faces", mesh.polygons.len(), first.polygons.len()),
        ("tets", mesh.tets.len(), first.tets.len()),
    ];
    for (name, here, there) in counts {
        if here != there {
            return Err(format!("it has {here} {name}, against {there}"));
        }
    }
    for (f, (here, there)) in mesh.polygons.iter().zip(first.polygons.iter()).enumerate() {
        if here != there {
            return Err(format!("face {f} has the corners {}, against {}", shown(here), shown(there)));
        }
    }
    for (t, (here, there)) in mesh.tets.iter().zip(&first.tets).enumerate() {
        if here != there {
            return Err(format!("tet {t} has the corners {}, against {}", shown(here), shown(there)));
        }
    }
    Ok(())
}

/// Corners for a message; of a long polygon only the beginning.
fn shown(corners: &[u32]) -> String {
    let words: Vec<_> = corners.iter().take(8).map(u32::to_string).collect();
    format!("{}{}", words.join(" "), if corners.len() > 8 { " …" } else { "" })
}

fn fault(path: &Path, what: impl Into<String>) -> ReadError {
    ReadError::Malformed { file: path.display().to_string(), place: Place::File, what: what.into() }
}

/// The extension in lower case, a final `.gz` taken off first, and whether there was one.
fn extension(path: &Path) -> Option<(String, bool)> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let unpacked = name.strip_suffix(".gz");
    let (_, extension) = unpacked.unwrap_or(&name).rsplit_once('.')?;
    Some((extension.to_owned(), unpacked.is_some()))
}
