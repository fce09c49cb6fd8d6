//! Scene directories: several bodies over several frames as raw arrays.
//!
//! ```text
//! manifest.json            {"name", "frames", "objects": [{"name", "kind", "vertices", "elements"}]}
//! obj{i}_e.u32             corners of each element: 3 ("tri"), 4 ("tet"), or an empty file ("points")
//! obj{i}_v_{frame:03}.f64  x y z of each vertex
//! ```
//!
//! Numbers are little-endian. Opening reads the manifest and the elements and checks the size of every file;
//! positions are read a frame at a time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::check;
use crate::{Place, ReadError, Source};

/// A directory with bodies and their frames.
#[derive(Debug, Clone)]
pub struct SceneDir {
    folder: PathBuf,
    /// The name of the scene.
    pub name: String,
    /// Number of frames of every body, at least 1.
    pub frames: usize,
    /// The bodies in order.
    pub bodies: Vec<SceneBody>,
}

/// A body of a scene directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneBody {
    /// The name of the body.
    pub name: String,
    /// Number of vertices.
    pub vertices: usize,
    /// What it is made of.
    pub elements: SceneElements,
}

/// The elements of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SceneElements {
    /// A surface.
    Triangles(Vec<[u32; 3]>),
    /// A volume.
    Tets(Vec<[u32; 4]>),
    /// Vertices only.
    Points,
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    name: String,
    frames: usize,
    objects: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    kind: Kind,
    vertices: usize,
    elements: usize,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Tri,
    Tet,
    Points,
}

impl SceneDir {
    /// Opens a scene directory.
    pub fn open(folder: &Path) -> Result<Self, ReadError> {
        let source = Source::open(&folder.join("manifest.json"))?;
        let manifest: Manifest = serde_json::from_slice(&source.bytes)
            .map_err(|e| source.error(Place::Line(e.line() as u64), format!("not a scene: {e}")))?;
        if manifest.frames == 0 {
            return Err(source.error(Place::File, "the scene has no frames"));
        }
        let mut scene = Self {
            folder: folder.to_owned(),
            name: manifest.name,
            frames: manifest.frames,
            bodies: Vec::new(),
        };
        for (body, entry) in manifest.objects.into_iter().enumerate() {
            let path = scene.elements_path(body);
            let elements = match entry.kind {
                Kind::Tri => SceneElements::Triangles(read_elements(&path, &entry)?),
                Kind::Tet => SceneElements::Tets(read_elements(&path, &entry)?),
                Kind::Points => {
                    check_size(&path, 0, 4)?;
                    SceneElements::Points
                }
            };
            scene.bodies.push(SceneBody { name: entry.name, vertices: entry.vertices, elements });
            for frame in 0..scene.frames {
                check_size(&scene.positions_path(body, frame), entry.vertices, 24)?;
            }
        }
        Ok(scene)
    }

    /// Makes a scene directory, and writes its manifest and elements; [`SceneDir::write_positions`] does the rest.
    pub fn create(folder: &Path, name: &str, frames: usize, bodies: Vec<SceneBody>) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let scene = Self { folder: folder.to_owned(), name: name.to_owned(), frames, bodies };
        let mut objects = Vec::new();
        for (i, body) in scene.bodies.iter().enumerate() {
            let (kind, elements, corners) = match &body.elements {
                SceneElements::Triangles(triangles) => (Kind::Tri, triangles.len(), triangles.as_flattened()),
                SceneElements::Tets(tets) => (Kind::Tet, tets.len(), tets.as_flattened()),
                SceneElements::Points => (Kind::Points, 0, &[][..]),
            };
            if let Some(bad) = corners.iter().find(|&&corner| corner as usize >= body.vertices) {
                let what = format!("body {i} has vertex {bad}, but only {} vertices", body.vertices);
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
            save(&scene.elements_path(i), &bytes)?;
            objects.push(Entry { name: body.name.clone(), kind, vertices: body.vertices, elements });
        }
        let manifest = Manifest { name: scene.name.clone(), frames, objects };
        let mut text = serde_json::to_string_pretty(&manifest)?;
        text.push('\n');
        save(&folder.join("manifest.json"), text.as_bytes())?;
        Ok(scene)
    }

    /// Reads where the vertices of `body` are in `frame`.
    pub fn read_positions(
        &self,
        body: usize,
        frame: usize,
        positions: &mut Vec<[f64; 3]>,
    ) -> Result<(), ReadError> {
        let path = self.positions_path(body, frame);
        let source = read_raw(&path)?;
        check_length(&source, source.bytes.len() as u64, self.bodies[body].vertices, 24)?;
        positions.clear();
        for (vertex, point) in source.bytes.as_chunks::<24>().0.iter().enumerate() {
            let (coordinates, _) = point.as_chunks::<8>();
            let position = [
                f64::from_le_bytes(coordinates[0]),
                f64::from_le_bytes(coordinates[1]),
                f64::from_le_bytes(coordinates[2]),
            ];
            positions.push(check::finite(&source, Place::Byte(24 * vertex as u64), vertex, position)?);
        }
        Ok(())
    }

    /// Writes where the vertices of `body` are in `frame`.
    pub fn write_positions(&self, body: usize, frame: usize, positions: &[[f64; 3]]) -> io::Result<()> {
        let vertices = self.bodies[body].vertices;
        if positions.len() != vertices {
            let what =
                format!("{} positions for body {body}, which has {vertices} vertices", positions.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let bytes: Vec<u8> = positions.as_flattened().iter().flat_map(|c| c.to_le_bytes()).collect();
        save(&self.positions_path(body, frame), &bytes)
    }

    fn elements_path(&self, body: usize) -> PathBuf {
        self.folder.join(format!("obj{body}_e.u32"))
    }

    fn positions_path(&self, body: usize, frame: usize) -> PathBuf {
        self.folder.join(format!("obj{body}_v_{frame:03}.f64"))
    }
}

/// Writes a file, whole or not at all; the error names it.
fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    crate::write::save(path, |out| out.write_all(bytes))
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// The bytes of a file as they are: numbers may begin like gzip.
fn read_raw(path: &Path) -> Result<Source, ReadError> {
    let name = path.display().to_string();
    match fs::read(path) {
        Ok(bytes) => Ok(Source { name, bytes }),
        Err(source) => Err(ReadError::Io { file: name, source }),
    }
}

fn read_elements<const N: usize>(path: &Path, entry: &Entry) -> Result<Vec<[u32; N]>, ReadError> {
    check_size(path, entry.elements, 4 * N)?;
    let source = read_raw(path)?;
    check_length(&source, source.bytes.len() as u64, entry.elements, 4 * N)?;
    let mut elements = Vec::with_capacity(entry.elements);
    for (e, bytes) in source.bytes.chunks_exact(4 * N).enumerate() {
        let mut element = [0; N];
        for (corner, bytes) in element.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *corner = u32::from_le_bytes(*bytes);
            if *corner as usize >= entry.vertices {
                let what =
                    format!("element {e} has vertex {corner}, but there are {} vertices", entry.vertices);
                return Err(source.error(Place::Byte((4 * N * e) as u64), what));
            }
        }
        elements.push(element);
    }
    Ok(elements)
}

/// Compares the size of a file with what the manifest says, without reading it.
fn check_size(path: &Path, items: usize, bytes_each: usize) -> Result<(), ReadError> {
    let name = path.display().to_string();
    match fs::metadata(path) {
        Ok(metadata) => check_length(&Source { name, bytes: Vec::new() }, metadata.len(), items, bytes_each),
        Err(source) => Err(ReadError::Io { file: name, source }),
    }
}

fn check_length(source: &Source, length: u64, items: usize, bytes_each: usize) -> Result<(), ReadError> {
    let expected = items as u128 * bytes_each as u128;
    if u128::from(length) == expected {
        return Ok(());
    }
    let what = format!("it has {length} bytes where the manifest asks for {expected}");
    Err(source.error(Place::File, what))
}
