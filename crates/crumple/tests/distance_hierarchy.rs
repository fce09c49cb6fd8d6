//! The distance hierarchy against brute force: every small scene with triangles, every frame, every way to set it up.

use crumple::methods::brute_force::{self, BruteForce};
use crumple::methods::distance_hierarchy::{Budget, DistanceHierarchy, DistanceParams, Partition};
use crumple::{
    Body, BodyId, Contacts, Detector, Distance, Frame, Guarantee, Mesh, NearPair, Pairs, Positions, VertexId,
};
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

fn scene(name: &str, frames: usize) -> LazyScene {
    crumple_scenes::lazy(name).expect("registered").first(frames)
}

/// Adversarial scenes, and the beginnings of others that brute force can follow.
fn scenes() -> Vec<LazyScene> {
    let mut scenes: Vec<LazyScene> = crumple_scenes::adversarial::SCENES
        .iter()
        .map(|e| crumple_scenes::lazy(e.name).expect("registered"))
        .collect();
    scenes.push(scene("near-10obj", 2));
    scenes.push(scene("M23", 2));
    scenes
}

fn with_frames(scene: &LazyScene, mut each: impl FnMut(usize, &Mesh, Frame<'_>)) {
    let mesh = mesh_of(scene);
    for f in 0..scene.frames {
        let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(f)).collect();
        let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
        let frame = Frame::new(&bodies);
        // Some scenes hold coordinates that the engine refuses; that is tested elsewhere.
        if frame.check(&mesh).is_ok() {
            each(f, &mesh, frame);
        }
    }
}

#[cfg(feature = "parallel")]
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool").install(work)
}

#[cfg(not(feature = "parallel"))]
fn on_threads<T>(_: usize, work: impl FnOnce() -> T) -> T {
    work()
}

fn ways() -> Vec<DistanceParams> {
    let base = DistanceParams::default();
    vec![
        base.clone(),
        DistanceParams { partition: Partition::Octree, ..base.clone() },
        DistanceParams { region_triangles: 5, ..base.clone() },
        DistanceParams { region_triangles: 1, partition: Partition::Octree, warm_start: false },
    ]
}

/// Both orders of the first few bodies.
fn body_pairs(mesh: &Mesh) -> Vec<[BodyId; 2]> {
    let n = mesh.bodies().len().min(4) as u32;
    (0..n).flat_map(|a| (0..n).filter(move |&b| b != a).map(move |b| [BodyId(a), BodyId(b)])).collect()
}

#[test]
fn distances_equal_brute_force_on_every_scene() {
    for scene in scenes() {
        let mut kept: Vec<DistanceHierarchy> = Vec::new();
        with_frames(&scene, |f, mesh, frame| {
            let fresh = ways().into_iter().map(|w| DistanceHierarchy::new(mesh, frame, w).expect("valid"));
            let fresh: Vec<_> = fresh.collect();
            if kept.is_empty() {
                kept = fresh;
            } else {
                kept.iter_mut().for_each(|h| h.update(mesh, frame).expect("finite"));
                kept.extend(fresh.into_iter().take(1));
            }
            for [a, b] in body_pairs(mesh) {
                let expected: Option<Distance> = brute_force::distance(mesh, frame, a, b).expect("finite");
                for (way, h) in kept.iter_mut().enumerate() {
                    let found = h.distance(a, b);
                    assert_eq!(found, expected, "{} frame {f} bodies {a} {b} way {way}", scene.name);
                    if let Some(found) = found {
                        bracketed(h, [a, b], &found, &scene.name);
                    }
                }
            }
            for h in &kept {
                h.validate(mesh, frame).expect("invariants hold");
            }
            kept.truncate(ways().len());
        });
    }
}

/// Budgets of any size bracket the distance, and a large one finds it.
fn bracketed(h: &mut DistanceHierarchy, [a, b]: [BodyId; 2], exact: &Distance, name: &str) {
    for visits in [0, 1, 2, 5, 20, 100] {
        h.forget();
        let some = h.budgeted(a, b, Budget::visits(visits)).expect("both have triangles");
        assert!(some.lower <= exact.distance, "{name}: {} > {}", some.lower, exact.distance);
        assert!(some.upper >= exact.distance, "{name}: {} < {}", some.upper, exact.distance);
        assert_eq!(some.distance, some.upper);
        let apart: f64 = (0..3).map(|k| (some.a.point[k] - some.b.point[k]).powi(2)).sum::<f64>().sqrt();
        assert!((apart - some.distance).abs() <= 1e-12 * (1.0 + apart), "{name}: {apart} {}", some.distance);
        if some.guarantee == Guarantee::Proved {
            assert_eq!(&some, exact);
        }
    }
    h.forget();
    assert_eq!(h.budgeted(a, b, Budget::visits(u64::MAX)).as_ref(), Some(exact));
}

#[test]
fn pairs_within_a_margin_equal_brute_force_on_every_scene() {
    for scene in scenes() {
        let mut kept: Option<DistanceHierarchy> = None;
        with_frames(&scene.clone().first(2), |f, mesh, frame| {
            let h = kept.get_or_insert_with(|| {
                DistanceHierarchy::new(
                    mesh,
                    frame,
                    DistanceParams { region_triangles: 12, ..DistanceParams::default() },
                )
                .expect("valid")
            });
            h.update(mesh, frame).expect("finite");
            for [a, b] in body_pairs(mesh).into_iter().filter(|[a, b]| a < b) {
                let Some(d) = h.distance(a, b).map(|d| d.distance) else { continue };
                for margin in [0.0, d, d * 1.01, d + 0.05] {
                    let expected: Vec<NearPair> =
                        brute_force::pairs_within(mesh, frame, a, b, margin).expect("finite");
                    let at = format!("{} frame {f} bodies {a} {b} margin {margin}", scene.name);
                    assert_eq!(h.within(a, b, margin), expected, "{at}");
                    assert_eq!(on_threads(2, || h.within(a, b, margin)), expected, "{at}, two threads");
                    vertex_pairs(h, mesh, frame, [a, b], margin, &at);
                }
                assert_eq!(on_threads(2, || h.distance(a, b)), h.distance(a, b));
            }
        });
    }
}

fn position(mesh: &Mesh, frame: Frame<'_>, v: VertexId) -> [f64; 3] {
    let (body, local) = mesh.locate_vertex(v);
    frame.bodies()[body.index()].get(local.index())
}

fn vertex_pairs(
    h: &mut DistanceHierarchy,
    mesh: &Mesh,
    frame: Frame<'_>,
    [a, b]: [BodyId; 2],
    margin: f64,
    at: &str,
) {
    let used = |body: BodyId| {
        let mut v: Vec<VertexId> = mesh.triangle_range(body).flat_map(|t| mesh.triangles()[t]).collect();
        v.sort_unstable();
        v.dedup();
        v
    };
    let mut expected = Vec::new();
    for &v in &used(a) {
        for &w in &used(b) {
            let (p, q) = (position(mesh, frame, v), position(mesh, frame, w));
            let distance_sq: f64 = (0..3).map(|k| (p[k] - q[k]) * (p[k] - q[k])).sum();
            if distance_sq.sqrt() <= margin {
                expected.push((v, w));
            }
        }
    }
    let found: Vec<_> = h.vertices_within(a, b, margin).into_iter().map(|p| (p.a, p.b)).collect();
    assert_eq!(found, expected, "{at}, vertices");
    assert_eq!(h.count_vertices_within(a, b, margin), expected.len() as u64, "{at}, vertices counted");
}

#[test]
fn contacts_equal_brute_force_on_every_scene() {
    for scene in scenes() {
        with_frames(&scene.clone().first(2), |f, mesh, frame| {
            let mut h = DistanceHierarchy::new(mesh, frame, DistanceParams::default()).expect("valid");
            let mut brute = BruteForce::surfaces();
            brute.update(mesh, frame).expect("finite");
            for pairs in [Pairs::Within, Pairs::Between, Pairs::All] {
                let (mut found, mut expected) = (Contacts::default(), Contacts::default());
                h.contacts(mesh, frame, pairs, &mut found);
                brute.contacts(mesh, frame, pairs, &mut expected);
                assert_eq!(found, expected, "{} frame {f} {pairs:?}", scene.name);
            }
        });
    }
}
