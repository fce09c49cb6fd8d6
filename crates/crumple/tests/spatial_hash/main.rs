//! The spatial hash against brute force.

mod behaviour;
mod data;
mod depth;
mod properties;
mod regressions;
mod suite;

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::spatial_hash::published::{PublishedParams, PublishedSpatialHash};
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Bodies, BuildError, Contacts, Detector, Frame, Mesh, Pairs};
use crumple_scenes::{Elements, LazyScene};

/// The mesh of a scene.
pub fn mesh_of(scene: &LazyScene) -> Bodies {
    Bodies::new(scene.bodies.iter().map(|b| {
        match &b.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            Elements::Points => Mesh::from_points(&b.name, b.vertices),
        }
        .expect("scenes are valid")
    }))
    .expect("scenes are small")
}

/// The truth about vertices in tets.
pub fn oracle(mesh: &Bodies, frame: Frame<'_>, pairs: Pairs) -> Contacts {
    let mut brute = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
    let mut out = Contacts::default();
    brute.update(mesh, frame).expect("scenes are finite").contacts(pairs, &mut out);
    out
}

/// A hash that has followed the mesh to the frame.
pub fn hash_at(
    mesh: &Bodies,
    frame: Frame<'_>,
    params: SpatialHashParams,
) -> Result<SpatialHash, BuildError> {
    let mut hash = SpatialHash::new(params)?;
    hash.update(mesh, frame)?;
    Ok(hash)
}

/// A hash as published that has followed the mesh to the frame.
pub fn published_at(
    mesh: &Bodies,
    frame: Frame<'_>,
    params: PublishedParams,
) -> Result<PublishedSpatialHash, BuildError> {
    let mut hash = PublishedSpatialHash::new(params)?;
    hash.update(mesh, frame)?;
    Ok(hash)
}

/// One of the two.
#[derive(Debug, Clone, Copy)]
pub enum Way {
    /// Our own.
    Ours(SpatialHashParams),
    /// As published.
    Published(PublishedParams),
}

impl Way {
    /// Our own with its defaults, and the paper's.
    pub fn both() -> [Self; 2] {
        [Self::Ours(SpatialHashParams::default()), Self::Published(PublishedParams::default())]
    }

    /// A hash that has followed the mesh to the frame.
    pub fn at(&self, mesh: &Bodies, frame: Frame<'_>) -> Box<dyn Detector> {
        match *self {
            Self::Ours(params) => Box::new(hash_at(mesh, frame, params).expect("valid parameters")),
            Self::Published(params) => Box::new(published_at(mesh, frame, params).expect("valid parameters")),
        }
    }
}
