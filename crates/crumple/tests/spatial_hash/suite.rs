//! Every scene with tets, every frame, every way to set the hash up, against brute force.

use crumple::methods::brute_force::{Ask, BruteForce};
use crumple::methods::spatial_hash::published::{
    HashFunction, InsideTest, Passes, PublishedParams, Strangers, TableKind,
};
use crumple::methods::spatial_hash::{Find, SpatialHashParams};
use crumple::{Candidates, Contacts, Detector, Frame, Pairs, Positions};
use crumple_scenes::{Elements, LazyScene};

use crate::{Way, hash_at, mesh_of, oracle};

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

/// Several cell sizes of ours, and every alternative of the paper, each with the exact test.
fn variants() -> Vec<Way> {
    let sizes = [None, Some(0.03), Some(0.7), Some(50.0)];
    let ours = sizes.map(|cell_size| Way::Ours(SpatialHashParams { cell_size, ..Default::default() }));
    let exact = PublishedParams { test: InsideTest::Exact, ..Default::default() };
    let mut all = Vec::new();
    for table in [TableKind::Stamped, TableKind::Sorted] {
        all.extend(HashFunction::ALL.map(|hash| PublishedParams { hash, table, ..exact }));
        all.push(PublishedParams { table, table_size: Some(1), ..exact });
        all.push(PublishedParams { table, table_size: Some(99), strangers: Strangers::Skip, ..exact });
        all.push(PublishedParams { table, passes: Passes::One, ..exact });
        let (table_size, cell_size) = (None, Some(0.9));
        all.push(PublishedParams { table, table_size, cell_size, passes: Passes::One, ..exact });
    }
    ours.into_iter().chain(all.into_iter().map(Way::Published)).collect()
}

/// Runs every frame of a scene through every variant and compares with brute force.
fn compare(scene: &LazyScene, variants: &[Way], all: &[Pairs]) {
    let mesh = mesh_of(scene);
    let mut hashes: Vec<(Way, Box<dyn Detector>)> = Vec::new();
    for f in 0..scene.frames {
        let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(f)).collect();
        let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
        let frame = Frame::new(&bodies);
        if f == 0 {
            hashes.extend(variants.iter().map(|way| (*way, way.at(&mesh, frame))));
        }
        for &pairs in all {
            let truth = oracle(&mesh, frame, pairs).vertex_tets;
            for (way, hash) in &mut hashes {
                let mut out = Contacts::default();
                hash.update(&mesh, frame).expect("scenes are finite");
                hash.update(&mesh, frame).unwrap().validate().expect("invariants hold");
                hash.update(&mesh, frame).unwrap().contacts(pairs, &mut out);
                assert_eq!(out.vertex_tets, truth, "{} frame {f} {pairs:?} {way:?}", scene.name);
                let mut may = Candidates::default();
                hash.update(&mesh, frame).unwrap().candidates(pairs, &mut may);
                assert!(may.vertex_tets.is_sorted_by(|a, b| a < b), "candidates are sorted and unique");
                let missing =
                    truth.iter().find(|c| may.vertex_tets.binary_search(&(c.vertex, c.tet)).is_err());
                assert_eq!(missing, None, "every contact is a candidate");
            }
        }
    }
}

#[test]
fn every_scene_equals_brute_force() {
    for scene in scenes() {
        compare(
            &scene,
            &[Way::Ours(SpatialHashParams::default())],
            &[Pairs::All, Pairs::Within, Pairs::Between],
        );
    }
}

#[test]
fn every_alternative_equals_brute_force() {
    for scene in scenes().into_iter().filter(|s| s.elements() < 1500) {
        compare(&scene.first(2), &variants(), &[Pairs::All]);
    }
}

/// Edges against tets and triangles against triangles, on every adversarial scene.
#[test]
fn edges_and_triangles_equal_brute_force() {
    let find = Find { vertex_tets: true, edge_tets: true, triangle_pairs: true };
    let ask = Ask { triangles: true, vertices: true, edges: true };
    for entry in crumple_scenes::adversarial::SCENES.iter().filter(|e| e.name != "enormous") {
        let scene = crumple_scenes::lazy(entry.name).expect("registered");
        let mesh = mesh_of(&scene);
        for f in 0..scene.frames.min(3) {
            let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(f)).collect();
            let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
            let frame = Frame::new(&bodies);
            let mut hash = hash_at(&mesh, frame, SpatialHashParams { find, ..Default::default() })
                .expect("valid parameters");
            let mut brute = BruteForce::new(ask);
            brute.update(&mesh, frame).expect("finite");
            for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
                let (mut ours, mut truth) = (Contacts::default(), Contacts::default());
                hash.update(&mesh, frame).unwrap().contacts(pairs, &mut ours);
                brute.update(&mesh, frame).unwrap().contacts(pairs, &mut truth);
                assert_eq!(ours, truth, "{} frame {f} {pairs:?}", scene.name);
            }
        }
    }
}
