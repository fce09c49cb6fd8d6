//! What the tests share: scenes as the engine takes them, where real data is, and random scenes held to brute force.
//!
//! `cargo run --release -p crumple-testkit -- COUNT [SEED]` holds so many random scenes to brute force and says so.

mod entrants;
mod oracle;

use std::path::PathBuf;

use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs, TrianglePair};
use crumple_scenes::{Elements, Scene, SceneBody};

pub use oracle::{Tally, hold};

/// The mesh of a body.
pub fn mesh(body: &SceneBody) -> Mesh {
    let vertices = body.frames[0].len();
    let mesh = match &body.elements {
        Elements::Triangles(t) => Mesh::from_triangles(&body.name, vertices, t),
        Elements::Tets(t) => Mesh::from_tets(&body.name, vertices, t),
        Elements::Points => Mesh::from_points(&body.name, vertices),
    };
    mesh.expect("scenes are sound")
}

/// The bodies of a scene.
pub fn bodies(scene: &Scene) -> Bodies {
    Bodies::new(scene.bodies.iter().map(mesh)).expect("scenes are small")
}

/// Where the bodies of a scene are in a frame.
pub fn positions(scene: &Scene, frame: usize) -> Vec<Vec<[f64; 3]>> {
    scene.bodies.iter().map(|b| b.frames[frame].clone()).collect()
}

/// The pairs of triangles that a detector finds in a frame.
pub fn contacts(
    detector: &mut dyn Detector,
    bodies: &Bodies,
    frame: Frame<'_>,
    pairs: Pairs,
) -> Vec<TrianglePair> {
    let mut out = Contacts::default();
    detector.update(bodies, frame).expect("the frame fits").contacts(pairs, &mut out);
    out.triangle_pairs
}

/// A file or folder of the real data that `CRUMPLE_DATA` names; says so when it is not there.
pub fn data(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("CRUMPLE_DATA").map(|d| PathBuf::from(d).join(name)).filter(|p| p.exists());
    if path.is_none() {
        eprintln!("skipped: CRUMPLE_DATA does not name a directory with {name}");
    }
    path
}
