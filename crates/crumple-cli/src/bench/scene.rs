//! A benchmark's scene in memory: the engine's mesh and every frame's positions.

use std::path::Path;

use anyhow::{Context, Result};
use crumple::{Bodies, Mesh, MeshError};
use crumple_io::{SceneDir, SceneElements};
use crumple_scenes::{Elements, LazyScene};

use crate::convert;

/// A scene ready to be measured.
pub struct BenchScene {
    /// Its name.
    pub name: String,
    /// Its bodies.
    pub mesh: Bodies,
    /// `frames[f][b]` are the positions of body `b`.
    frames: Vec<Vec<Vec<[f64; 3]>>>,
}

impl BenchScene {
    /// A scene directory, one of our scenes by name, or a scene file.
    pub fn load(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Self::from_dir(path);
        }
        let name = path.to_str().with_context(|| format!("{}: not a name in UTF-8", path.display()))?;
        Self::from_scene(&convert::find_scene(name)?)
    }

    fn from_dir(path: &Path) -> Result<Self> {
        let dir = SceneDir::open(path)?;
        let body = |b: &crumple_io::SceneBody| match &b.elements {
            SceneElements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            SceneElements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            SceneElements::Points => Mesh::from_points(&b.name, b.vertices),
        };
        let bodies = dir.bodies.iter().map(body).collect::<Result<Vec<_>, MeshError>>();
        let mesh = bodies.and_then(Bodies::new).with_context(|| path.display().to_string())?;
        let mut frames = vec![vec![Vec::new(); dir.bodies.len()]; dir.frames];
        for (f, bodies) in frames.iter_mut().enumerate() {
            for (b, positions) in bodies.iter_mut().enumerate() {
                dir.read_positions(b, f, positions)?;
            }
        }
        Ok(Self { name: dir.name, mesh, frames })
    }

    /// One of our own scenes.
    pub fn from_scene(scene: &LazyScene) -> Result<Self> {
        let body = |b: &crumple_scenes::LazyBody| match &b.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            Elements::Points => Mesh::from_points(&b.name, b.vertices),
        };
        let mesh = Bodies::new(scene.bodies.iter().map(body).collect::<Result<Vec<_>, _>>()?)?;
        let frames =
            (0..scene.frames).map(|f| scene.bodies.iter().map(|b| b.positions(f)).collect()).collect();
        Ok(Self { name: scene.name.clone(), mesh, frames })
    }

    /// Number of triangles and tets; boundary triangles of a body of tets are not counted.
    pub fn elements(&self) -> usize {
        let count = |b: &Mesh| if b.is_solid() { b.tets().len() } else { b.triangles().len() };
        self.mesh.meshes().iter().map(count).sum()
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Positions of each body in one frame.
    pub fn pose(&self, frame: usize) -> Vec<Vec<[f64; 3]>> {
        self.frames[frame].clone()
    }

    /// Positions of each body in every frame.
    pub fn poses(&self) -> Vec<Vec<Vec<[f64; 3]>>> {
        self.frames.clone()
    }
}
