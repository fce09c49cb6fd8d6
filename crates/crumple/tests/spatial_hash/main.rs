//! The spatial hash against brute force.

mod behaviour;
mod depth;
mod properties;
mod suite;

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::{Body, Contacts, Detector, Frame, Mesh, Pairs};
use crumple_scenes::{Elements, LazyScene};

/// The mesh of a scene.
pub fn mesh_of(scene: &LazyScene) -> Mesh {
    Mesh::new(scene.bodies.iter().map(|b| {
        match &b.elements {
            Elements::Triangles(t) => Body::triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Body::tets(&b.name, b.vertices, t),
            Elements::Points => Body::points(&b.name, b.vertices),
        }
        .expect("scenes are valid")
    }))
    .expect("scenes are small")
}

/// The truth about vertices in tets.
pub fn oracle(mesh: &Mesh, frame: Frame<'_>, pairs: Pairs) -> Contacts {
    let mut brute = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
    let mut out = Contacts::default();
    brute.update(mesh, frame).expect("scenes are finite");
    brute.contacts(mesh, frame, pairs, &mut out);
    out
}
