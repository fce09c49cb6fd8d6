//! Scenes as directories of raw arrays.

use std::error::Error;
use std::path::{Path, PathBuf};

use crumple_io::{SceneBody, SceneDir, SceneElements};
use crumple_scenes::{Elements, LazyBody, LazyScene};

/// A registered scene, or one of the suite.
pub fn find(name: &str) -> Result<LazyScene, Box<dyn Error>> {
    if let Some(scene) = crumple_scenes::lazy(name) {
        return Ok(scene);
    }
    let text = crumple_scenes::suite().find(|(known, _)| *known == name);
    let (_, text) = text.ok_or_else(|| format!("{name}: no such scene"))?;
    Ok(crumple_scenes::toml::parse(text)?)
}

/// Writes at most so many frames of a scene into a directory of its own, and tells where.
pub fn scene(folder: &Path, name: &str, frames: usize) -> Result<PathBuf, Box<dyn Error>> {
    let scene = find(name)?;
    let frames = scene.frames.min(frames);
    let body = |b: &LazyBody| SceneBody {
        name: b.name.clone(),
        vertices: b.vertices,
        elements: match &b.elements {
            Elements::Triangles(t) => SceneElements::Triangles(t.clone()),
            Elements::Tets(t) => SceneElements::Tets(t.clone()),
            Elements::Points => SceneElements::Points,
        },
    };
    let place = folder.join(name);
    let out = SceneDir::create(&place, name, frames, scene.bodies.iter().map(body).collect())?;
    for frame in 0..frames {
        for (b, body) in scene.bodies.iter().enumerate() {
            out.write_positions(b, frame, &body.positions(frame))?;
        }
    }
    Ok(place)
}
