//! The scene against brute force: every question, over whole sequences, with many bodies.

use crumple::methods::brute_force::{self, Ask, BruteForce};
use crumple::{
    Bodies, BodyId, Contact, Contacts, Detector, Element, Frame, Mesh, Pairs, Penetration, Positions,
    Resolution, Scene, SurfaceMethod, TetId, TriangleId, TrianglePair, VertexId, VertexTet,
};
use crumple_scenes::{Elements, LazyScene, bench};

fn bodies(scene: &crumple_scenes::Scene) -> Vec<Mesh> {
    let body = |b: &crumple_scenes::SceneBody| match &b.elements {
        Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.frames[0].len(), t).unwrap(),
        Elements::Tets(t) => Mesh::from_tets(&b.name, b.frames[0].len(), t).unwrap(),
        Elements::Points => Mesh::from_points(&b.name, b.frames[0].len()).unwrap(),
    };
    scene.bodies.iter().map(body).collect()
}

/// Follows a scene and holds contacts and penetrations to the oracle in every frame.
fn follow(generated: LazyScene, forced: Option<SurfaceMethod>) -> usize {
    let generated = generated.collect();
    let mesh = Bodies::new(bodies(&generated)).unwrap();
    let mut scene = Scene::new();
    forced.into_iter().for_each(|m| scene.use_surface_method(m));
    for (body, data) in mesh.meshes().iter().zip(&generated.bodies) {
        scene.add(body.clone(), &data.frames[0]).unwrap();
    }
    let mut oracle = BruteForce::new(Ask { triangles: true, vertices: true, edges: false });
    let (mut expected, mut total) = (Contacts::default(), 0);
    for f in 0..generated.frames() {
        let slices: Vec<Positions<'_>> =
            generated.bodies.iter().map(|b| Positions::from(&b.frames[f])).collect();
        let frame = Frame::new(&slices);
        // All at once, or one after the other: the same scene.
        if f % 2 == 0 {
            scene.set_all_positions(frame).unwrap();
        } else {
            (0u32..).zip(&slices).for_each(|(b, &p)| scene.set_positions(BodyId(b), p).unwrap());
        }
        oracle.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut expected);
        let global = |c: &Contact| {
            let id = |e: Element<TriangleId>| TriangleId(mesh.triangle_range(e.body).start as u32 + e.id.0);
            TrianglePair { a: id(c.a), b: id(c.b) }
        };
        let found: Vec<TrianglePair> = scene.contacts().unwrap().iter().map(global).collect();
        assert_eq!(found, expected.triangle_pairs, "{} frame {f}", generated.name);
        let global = |p: &Penetration| VertexTet {
            vertex: VertexId(mesh.vertex_range(p.vertex.body).start as u32 + p.vertex.id.0),
            tet: TetId(mesh.tet_range(p.tet.body).start as u32 + p.tet.id.0),
            weights: p.weights,
        };
        let inside: Vec<VertexTet> = scene.penetrations().unwrap().iter().map(global).collect();
        assert_eq!(inside, expected.vertex_tets, "{} frame {f}", generated.name);
        total += expected.triangle_pairs.len() + inside.len();
    }
    total
}

#[test]
fn contacts_and_penetrations_equal_brute_force_over_sequences() {
    assert!(follow(bench::swarm("swarm", 5), None) > 1000);
    assert!(follow(bench::swarm("swarm", 4), Some(SurfaceMethod::BucketTree)) > 500);
    assert!(follow(bench::TetBoxes::A.scene("tets-A", 3), None) > 100);
    assert!(follow(crumple_scenes::papers::ganovelli::clouds("soup", 700, 10.0, 3), None) > 10);
}

#[test]
fn near_bodies_overlaps_and_distances_equal_every_pair_asked_alone() {
    let generated = bench::swarm("swarm", 4).collect();
    let mut scene = Scene::new();
    for (body, data) in bodies(&generated).into_iter().zip(&generated.bodies) {
        scene.add(body, &data.frames[0]).unwrap();
    }
    let ids: Vec<BodyId> = scene.bodies().body_ids().collect();
    let margin = 0.1;
    let near = scene.box_pairs(margin);
    let close = scene.distances(margin).unwrap();
    let overlaps = scene.overlaps(Resolution::rays(32)).unwrap();
    assert!(!overlaps.is_empty());
    let (mut near_again, mut close_again, mut overlaps_again) = (Vec::new(), Vec::new(), Vec::new());
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[i + 1..] {
            let boxes = [a, b].map(|x| scene.bounds(x).unwrap().unwrap());
            if boxes[0].distance_sq(&boxes[1]).sqrt() <= margin {
                near_again.push([a, b]);
            }
            let distance = scene.distance([a, b]).unwrap().unwrap();
            if distance.distance <= margin {
                close_again.push(([a, b], distance.distance));
            }
            let overlap = scene.overlap([a, b], Resolution::rays(32)).unwrap();
            if overlap.upper > 0.0 {
                overlaps_again.push(([a, b], overlap));
            }
        }
    }
    assert_eq!(near, near_again);
    assert_eq!(close.iter().map(|d| (d.bodies, d.distance.distance)).collect::<Vec<_>>(), close_again);
    assert_eq!(overlaps, overlaps_again);
    // Asked after the contacts, distances are the same, points and features included.
    let before: Vec<_> = near.iter().map(|&[a, b]| scene.distance([a, b]).unwrap()).collect();
    let _ = scene.contacts().unwrap();
    assert_eq!(near.iter().map(|&[a, b]| scene.distance([a, b]).unwrap()).collect::<Vec<_>>(), before);
}

#[test]
fn points_are_inside_as_brute_force_says() {
    let generated = bench::swarm("swarm", 2).collect();
    let mut scene = Scene::new();
    for (body, data) in bodies(&generated).into_iter().zip(&generated.bodies) {
        scene.add(body, &data.frames[0]).unwrap();
    }
    let points: Vec<[f64; 3]> = generated.bodies.iter().flat_map(|b| b.frames[0].iter().copied()).collect();
    let slices: Vec<Positions<'_>> = generated.bodies.iter().map(|b| Positions::from(&b.frames[0])).collect();
    for id in scene.bodies().body_ids() {
        let expected = brute_force::inside(scene.bodies(), Frame::new(&slices), id, Positions::from(&points));
        let found = scene.inside(id, &points).unwrap();
        assert!(found.contains(&true) && found.contains(&false));
        assert_eq!(expected.as_deref(), Ok(&found[..]), "body {id}");
    }
}

/// One triangle many times over, a fan of triangles on one edge, and a star of triangles that have one vertex in common and
/// nothing else: neighbours are not compared pair by pair, in the first frame and in the following ones.
#[test]
fn many_triangles_at_one_place_cost_linear_time() {
    const N: u32 = 3000;
    let copies = (vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]; N as usize]);
    let mut fan = (vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], Vec::new());
    let mut star = (vec![[0.0; 3]], Vec::new());
    for k in 0..N {
        let angle = f64::from(k) * std::f64::consts::TAU / f64::from(N);
        fan.0.push([0.5, angle.cos(), angle.sin()]);
        fan.1.push([0, 1, k + 2]);
        let side = (angle + 0.5 / f64::from(N)).sin_cos();
        star.0.extend([[angle.cos(), angle.sin(), 1.0], [side.1, side.0, 1.0]]);
        star.1.push([0, 2 * k + 1, 2 * k + 2]);
    }
    for (name, (at, triangles)) in [("copies", copies), ("fan", fan), ("star", star)] {
        let mut scene = Scene::new();
        let mesh = Mesh::from_triangles(name, at.len(), &triangles).unwrap();
        let body = scene.add(mesh, &at).unwrap();
        for frame in 0..3 {
            let found = scene.contacts().unwrap();
            let looked_at = found.stats.tests + found.stats.candidates;
            assert!(looked_at < 300 * u64::from(N), "{name}, frame {frame}: {:?}", found.stats);
            assert!(found.is_empty(), "{name}, frame {frame}: {} contacts", found.len());
            let next: Vec<_> = at.iter().map(|p| p.map(|x| x + f64::from(frame))).collect();
            scene.set_positions(body, &next).unwrap();
        }
    }
}

/// All triangles cross: the search ends with an error, not with a list of all pairs, in every method that a scene takes.
#[test]
fn lists_that_explode_end_with_an_error() {
    let crossing = |k: u32| {
        let a = f64::from(k) * 0.001;
        [[a.cos(), a.sin(), -1.0], [a.cos(), a.sin(), 1.0], [-a.cos(), -a.sin(), 0.1 * a]]
    };
    let at: Vec<[f64; 3]> = (0..1000).flat_map(crossing).collect();
    let triangles: Vec<[u32; 3]> = (0..1000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    for method in [None, Some(SurfaceMethod::Regularity), Some(SurfaceMethod::BucketTree)] {
        let mut scene = Scene::new();
        scene.use_surface_method(method);
        scene.add(Mesh::from_triangles("all", at.len(), &triangles).unwrap(), &at).unwrap();
        let all = scene.contacts().unwrap().len();
        assert_eq!(all, 1000 * 999 / 2);
        for most in [0, 1000, all - 1] {
            scene.limit_rows(most);
            let refused =
                matches!(scene.contacts(), Err(crumple::Error::TooManyPairs { most: m }) if m == most);
            assert!(refused, "{method:?}, at most {most}");
        }
        for most in [Some(all), None] {
            scene.limit_rows(most);
            assert_eq!(scene.contacts().unwrap().len(), all, "{method:?}, at most {most:?}");
        }
    }
}

/// A box of unit size whose lowest corner is at `at`, every side n × n squares.
fn block(n: u32, at: [f64; 3]) -> (Mesh, Vec<[f64; 3]>) {
    let mut positions: Vec<[f64; 3]> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for axis in 0..3usize {
        for side in [0, n] {
            for (u, v) in (0..n).flat_map(|u| (0..n).map(move |v| (u, v))) {
                let mut corner = |u: u32, v: u32| {
                    let mut p = [0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, u, v);
                    *known.entry(p).or_insert_with(|| {
                        let place = |k: usize| at[k] + f64::from(p[k]) / f64::from(n);
                        positions.push(std::array::from_fn(place));
                        positions.len() as u32 - 1
                    })
                };
                let four = [corner(u, v), corner(u + 1, v), corner(u + 1, v + 1), corner(u, v + 1)];
                let [a, b, c, d] = if side == 0 { [four[0], four[3], four[2], four[1]] } else { four };
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    (Mesh::from_triangles("block", positions.len(), &triangles).unwrap(), positions)
}

#[test]
fn depths_come_from_the_common_volume_within_their_bounds() {
    // The way out and the depth along it, for blocks that reach into each other by so much along x.
    for (by, aside) in [(0.1, [0.0, 0.0]), (0.25, [0.0, 0.0]), (0.05, [0.3, 0.0]), (0.02, [0.01, 0.015])] {
        let mut scene = Scene::new();
        let (mesh, at) = block(4, [0.0; 3]);
        let a = scene.add(mesh, &at).unwrap();
        let (mesh, mut at) = block(4, [1.0 - by, aside[0], aside[1]]);
        if aside == [0.0, 0.0] {
            // Narrower than the first: no face lies on another.
            at.iter_mut().for_each(|p| (p[1], p[2]) = (0.25 + 0.5 * p[1], 0.25 + 0.5 * p[2]));
        }
        let b = scene.add(mesh, &at).unwrap();
        let found = scene.depth([a, b], Resolution::rays(64)).unwrap().expect("they share volume");
        // The gradient of (1 − x)(1 − y)(1 − z) at the shift.
        let [y, z] = aside.map(|s| 1.0 - s);
        let way = [
            y * z,
            by * z * f64::from(u8::from(aside[0] > 0.0)),
            by * y * f64::from(u8::from(aside[1] > 0.0)),
        ];
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        if aside == [0.0, 0.0] {
            assert!((found.direction[0] - 1.0).abs() < 1e-9, "{found:?}");
            assert!((found.depth - by).abs() < 1e-6, "{found:?}");
        } else {
            assert!((0..3).all(|k| (found.direction[k] - way[k] / length).abs() < 0.1), "{found:?} {way:?}");
        }
        // Along a slanted way through a slab no stretch is shorter than the slab, nor longer than its diagonal.
        assert!(
            found.lower <= found.depth && found.depth <= found.upper && found.lower > 0.5 * by,
            "{found:?}"
        );
        let length: f64 = (0..3).map(|k| (found.ends[1][k] - found.ends[0][k]) * found.direction[k]).sum();
        assert!(
            (length - found.depth).abs() < 1e-6,
            "the ends are as far apart as the depth says: {found:?}"
        );
        // Moved by what parts them surely, they touch no more.
        let away: Vec<[f64; 3]> = at
            .iter()
            .map(|p| std::array::from_fn(|k| p[k] + (1.0 + 1e-9) * found.parting * found.direction[k]))
            .collect();
        scene.set_positions(b, &away).unwrap();
        assert!(scene.contacts().unwrap().is_empty());
        assert_eq!(scene.depth([a, b], Resolution::rays(64)).unwrap(), None);
    }
}

#[test]
fn a_depth_says_something_of_a_body_in_another() {
    let mut scene = Scene::new();
    let (mesh, at) = block(3, [0.0; 3]);
    let a = scene.add(mesh.clone(), &at).unwrap();
    let small: Vec<[f64; 3]> =
        at.iter().map(|p| [0.2 * p[0] + 0.7, 0.2 * p[1] + 0.4, 0.2 * p[2] + 0.4]).collect();
    let b = scene.add(mesh, &small).unwrap();
    let found = scene.depth([a, b], Resolution::rays(64)).unwrap().expect("they share volume");
    assert!(found.direction[0] > 0.99 && (found.depth - 0.2).abs() < 0.01, "{found:?}");
    assert!((found.parting - 0.3).abs() < 1e-9, "{found:?}");
}
