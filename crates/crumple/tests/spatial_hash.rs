//! The spatial hash against brute force: every scene with tets, every frame, every way to set it up.

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::spatial_hash::{SpatialHash, SpatialHashParams};
use crumple::{Body, Contacts, Detector, Frame, Mesh, Pairs, Positions};
use crumple_scenes::{Elements, LazyScene};

fn mesh_of(scene: &LazyScene) -> Mesh {
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

/// Scenes with tets, small enough for brute force.
fn scenes() -> Vec<LazyScene> {
    let mut scenes: Vec<LazyScene> = crumple_scenes::adversarial::SCENES
        .iter()
        .map(|e| crumple_scenes::lazy(e.name).expect("registered"))
        .filter(|s| s.bodies.iter().any(|b| matches!(b.elements, Elements::Tets(_))))
        .collect();
    scenes.extend(["tets-A", "tets-B"].map(|n| crumple_scenes::lazy(n).expect("registered").first(2)));
    scenes.push(crumple_scenes::lazy("tets-D").expect("registered").first(1));
    scenes
}

fn oracle(mesh: &Mesh, frame: Frame<'_>, pairs: Pairs) -> Contacts {
    let mut brute = BruteForce::new(Ask { triangles: false, vertices: true, edges: false });
    let mut out = Contacts::default();
    brute.update(mesh, frame).expect("scenes are finite");
    brute.contacts(mesh, frame, pairs, &mut out);
    out
}

#[test]
fn every_scene_equals_brute_force() {
    for scene in scenes() {
        let mesh = mesh_of(&scene);
        let mut hash = None;
        for f in 0..scene.frames {
            let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(f)).collect();
            let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
            let frame = Frame::new(&bodies);
            let hash = hash.get_or_insert_with(|| {
                SpatialHash::new(&mesh, frame, SpatialHashParams::default()).expect("defaults are valid")
            });
            hash.update(&mesh, frame).expect("scenes are finite");
            for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
                let mut out = Contacts::default();
                hash.contacts(&mesh, frame, pairs, &mut out);
                assert_eq!(
                    out.vertex_tets,
                    oracle(&mesh, frame, pairs).vertex_tets,
                    "{} frame {f} {pairs:?}",
                    scene.name
                );
            }
        }
    }
}
