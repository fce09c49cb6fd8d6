use super::*;
use crate::Resolution;
use crate::{BodyId, FrameError, Pairs, Positions, TriangleId, VertexId};

fn tet(at: f64) -> (Mesh, Vec<[f64; 3]>) {
    let body = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]]).unwrap();
    (body, vec![[at; 3], [at + 4.0, at, at], [at, at + 4.0, at], [at, at, at + 4.0]])
}

#[test]
fn an_empty_scene_answers_nothing() {
    let mut scene = Scene::new();
    assert!(scene.contacts().unwrap().is_empty());
    assert_eq!(scene.penetrations().unwrap().len(), 0);
    assert_eq!(scene.distance([BodyId(0), BodyId(1)]), Err(Error::NoBody { body: BodyId(0) }));
    assert_eq!(scene.explain().len(), 6);
}

#[test]
fn five_questions_follow_the_bodies() {
    let mut scene = Scene::new();
    let ((a, pa), (b, pb)) = (tet(0.0), tet(10.0));
    let a = scene.add(a, &pa).unwrap();
    let b = scene.add(b, &pb).unwrap();
    assert!(scene.contacts().unwrap().is_empty());
    // From the plane x + y + z = 4 to the corner (10, 10, 10).
    assert!((scene.distance([a, b]).unwrap().unwrap().distance - 26.0 / 3f64.sqrt()).abs() < 1e-12);
    assert_eq!(scene.overlap([a, b], Resolution::rays(32)).unwrap().upper, 0.0);
    scene.set_positions(b, &tet(1.0).1).unwrap();
    assert!(!scene.contacts().unwrap().is_empty());
    let inside: Vec<_> = scene.penetrations().unwrap().iter().map(|p| (p.vertex, p.depth > 0.0)).collect();
    assert_eq!(inside, [(Element { body: b, id: VertexId(0) }, true)]);
    // Contacts are known by now, and tell the distance as the search does.
    for (a, b) in [(a, b), (b, a)] {
        let known = scene.distance([a, b]).unwrap().unwrap();
        assert_eq!(known.distance, 0.0);
        let searched = scene.hierarchy().unwrap().distance([a, b]).unwrap().unwrap();
        let local = |t| scene.bodies().locate_triangle(t).1;
        assert_eq!(
            (known.a.triangle, known.b.triangle),
            (local(searched.a.triangle), local(searched.b.triangle))
        );
    }
    assert_eq!(scene.inside(a, &[[1.0, 1.0, 1.0], [9.0, 9.0, 9.0]][..]).unwrap()[..], [true, false]);
    // What is common is a tet of legs 1.
    let overlap = scene.overlap([a, b], Resolution::rays(64)).unwrap();
    assert!(overlap.lower <= 1.0 / 6.0 && 1.0 / 6.0 <= overlap.upper, "{overlap:?}");
    let surface = scene.intersection_surface(&[a, b], Resolution::rays(64)).unwrap();
    assert!((surface.volume() - 1.0 / 6.0).abs() < 1e-3, "{}", surface.volume());
    assert_eq!(
        scene.intersection_surface(&[a, BodyId(2)], Resolution::rays(64)),
        Err(Error::NoBody { body: BodyId(2) })
    );
}

#[test]
fn forced_methods_agree() {
    let mut scene = Scene::new();
    for at in [0.0, 1.0, 2.5] {
        let (body, positions) = tet(at);
        scene.add(body, &positions).unwrap();
    }
    let pairs = scene.contacts().unwrap().to_vec();
    let vertices: Vec<_> = scene.penetrations().unwrap().iter().map(|p| (p.vertex, p.tet)).collect();
    for method in [SurfaceMethod::BruteForce, SurfaceMethod::BucketTree] {
        scene.use_surface_method(method);
        assert_eq!(*scene.contacts().unwrap(), pairs, "{method:?}");
    }
    scene.use_solid_method(SolidMethod::BruteForce);
    assert_eq!(scene.penetrations().unwrap().iter().map(|p| (p.vertex, p.tet)).collect::<Vec<_>>(), vertices);
    assert_eq!(scene.explain()[0].method, "bucket-tree");
}

#[test]
fn a_refused_body_leaves_the_scene_as_it_was() {
    let mut scene = Scene::new();
    let (body, positions) = tet(0.0);
    let id = scene.add(body.clone(), &positions).unwrap();
    let mut bad = positions.clone();
    bad[2][1] = f64::NAN;
    assert!(matches!(scene.add(body.clone(), &bad), Err(Error::Frame(FrameError::NotFinite { .. }))));
    assert_eq!(scene.bodies().meshes().len(), 1);
    assert!(scene.set_positions(id, &bad).is_err());
    assert!(scene.replace(id, body, &positions[..3].to_vec()).is_err());
    assert!(scene.contacts().unwrap().is_empty());
    assert_eq!(scene.bounds(id).unwrap().unwrap().max, [4.0; 3]);
    scene.remove(id).unwrap();
    assert_eq!(scene.ids().count(), 0);
    assert_eq!(scene.contacts().unwrap().len(), 0);
}

#[test]
fn soups_go_to_the_bucket_tree_and_surfaces_to_regularity() {
    let strip: Vec<[u32; 3]> = (0..20).map(|i| [i, i + 1, i + 2]).collect();
    let soup: Vec<[u32; 3]> = (0..20).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let at = |n: usize| (0..n).map(|i| [i as f64, (i % 2) as f64, (i * i % 7) as f64]).collect::<Vec<_>>();
    let mut scene = Scene::new();
    let id = scene.add(Mesh::from_triangles("strip", 22, &strip).unwrap(), &at(22)).unwrap();
    let before = scene.contacts().unwrap();
    assert_eq!((before.method, scene.explain()[0].method), ("bucket-tree", "bucket-tree"), "it is new");
    scene.set_positions(id, &at(22)).unwrap();
    assert_eq!(scene.explain()[0].method, "regularity");
    let again = scene.contacts().unwrap();
    assert_eq!((again.method, &*again), ("regularity", &*before));
    // The same positions in the same triangles, but none shares a vertex with another.
    let apart: Vec<[f64; 3]> = strip.iter().flatten().map(|&v| at(22)[v as usize]).collect();
    scene.replace(id, Mesh::from_triangles("soup", 60, &soup).unwrap(), &apart).unwrap();
    assert_eq!(scene.explain()[0].method, "bucket-tree");
    assert!(scene.contacts().unwrap().len() > before.len(), "neighbours touch now");
    let found = scene.contacts().unwrap().to_vec();
    scene.use_surface_method(SurfaceMethod::BruteForce);
    assert_eq!(*scene.contacts().unwrap(), found);
}

#[test]
fn a_scene_that_was_prepared_has_its_lasting_method_at_once() {
    let strip: Vec<[u32; 3]> = (0..20).map(|i| [i, i + 1, i + 2]).collect();
    let at = |n: usize| (0..n).map(|i| [i as f64, (i % 2) as f64, (i * i % 7) as f64]).collect::<Vec<_>>();
    let mesh = |name: &str| Mesh::from_triangles(name, 22, &strip).unwrap();
    let mut scene = Scene::new();
    scene.add(mesh("strip"), &at(22)).unwrap();
    let found = scene.contacts().unwrap();
    scene.prepare(Question::Contacts).unwrap();
    assert_eq!((scene.contacts_of(Pairs::All).unwrap().method, found.method), ("regularity", "bucket-tree"));
    // A small newcomer changes nothing, one as large as the rest does, until the next frame.
    let small = Mesh::from_triangles("small", 3, &[[0, 1, 2]]).unwrap();
    scene.add(small, &at(3)).unwrap();
    assert_eq!(scene.contacts().unwrap().method, "regularity");
    let large: Vec<[u32; 3]> = (0..40).map(|i| [i, i + 1, i + 2]).collect();
    let id = scene.add(Mesh::from_triangles("large", 42, &large).unwrap(), &at(42)).unwrap();
    assert_eq!(scene.contacts().unwrap().method, "bucket-tree");
    scene.set_positions(id, &at(42)).unwrap();
    assert_eq!(scene.contacts().unwrap().method, "regularity");
}

#[test]
fn many_bodies_are_asked_about_at_once() {
    let mut scene = Scene::new();
    // A chain of tets of legs 4, one step of 2.5 along the diagonal each: neighbours share a corner, others nothing.
    for i in 0..40 {
        let (body, positions) = tet(2.5 * f64::from(i) / 3.0);
        scene.add(body, &positions).unwrap();
    }
    let overlaps = scene.overlaps(Resolution::rays(16)).unwrap();
    let near = scene.box_pairs(0.0);
    for ([a, b], overlap) in overlaps.clone() {
        assert!(near.contains(&[a, b]));
        assert_eq!(scene.overlap([a, b], Resolution::rays(16)).unwrap(), overlap);
    }
    for b in 1..40 {
        let has = overlaps.iter().any(|(pair, _)| *pair == [BodyId(0), BodyId(b)]);
        assert_eq!(has, scene.overlap([BodyId(0), BodyId(b)], Resolution::rays(16)).unwrap().upper > 0.0);
    }
    let close: Vec<_> = scene.distances(0.5).unwrap().iter().map(|d| d.bodies).collect();
    for a in 0..40 {
        for b in a + 1..40 {
            let is_close = scene.distance([BodyId(a), BodyId(b)]).unwrap().unwrap().distance <= 0.5;
            assert_eq!(close.contains(&[BodyId(a), BodyId(b)]), is_close, "{a} and {b}");
        }
    }
}

#[test]
fn ids_last_and_are_not_used_again() {
    let mut scene = Scene::new();
    let ids: Vec<BodyId> = [0.0, 1.0, 2.0].map(|at| scene.add(tet(at).0, &tet(at).1).unwrap()).to_vec();
    let before = scene.contacts().unwrap();
    scene.remove(ids[0]).unwrap();
    let after: Vec<Contact> = before.iter().filter(|c| c.a.body != ids[0]).copied().collect();
    assert!(!after.is_empty());
    assert_eq!(*scene.contacts().unwrap(), after);
    assert_eq!(scene.remove(ids[0]).unwrap_err(), Error::NoBody { body: ids[0] });
    assert_eq!(scene.ids().collect::<Vec<_>>(), ids[1..]);
    let new = scene.add(tet(0.0).0, &tet(0.0).1).unwrap();
    assert!(!ids.contains(&new));
    for question in [Question::Contacts, Question::Penetrations, Question::Distance] {
        scene.prepare(question).unwrap();
    }
    assert!(scene.distance([ids[1], new]).unwrap().is_some());
    assert!(matches!(scene.inside(ids[0], &[[0.0; 3]][..]), Err(Error::NoBody { .. })));
}

#[test]
fn filters_hold_for_contacts_and_penetrations() {
    let mut scene = Scene::new();
    let [a, b, c] = [0.0, 1.0, 1.2].map(|at| scene.add(tet(at).0, &tet(at).1).unwrap());
    let pairs = |scene: &mut Scene| {
        let mut pairs: Vec<[BodyId; 2]> =
            scene.contacts().unwrap().iter().map(|c| [c.a.body, c.b.body]).collect();
        pairs.extend(
            scene
                .penetrations()
                .unwrap()
                .iter()
                .map(|p| [p.vertex.body.min(p.tet.body), p.vertex.body.max(p.tet.body)]),
        );
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    };
    assert_eq!(pairs(&mut scene), [[a, b], [a, c], [b, c]]);
    scene.ignore([c, a], true).unwrap();
    assert_eq!(pairs(&mut scene), [[a, b], [b, c]]);
    scene.ignore([a, c], false).unwrap();
    scene.set_fixed(b, true).unwrap();
    scene.set_fixed(c, true).unwrap();
    assert_eq!(pairs(&mut scene), [[a, b], [a, c]]);
    scene.set_groups(a, Groups { member: 1, mask: 2 }).unwrap();
    scene.set_groups(b, Groups { member: 2, mask: 1 }).unwrap();
    scene.set_groups(c, Groups { member: 4, mask: u32::MAX }).unwrap();
    assert_eq!(pairs(&mut scene), [[a, b]]);
    assert_eq!(scene.box_pairs(0.0), [[a, b]]);
}

#[test]
fn parts_of_the_contacts_make_the_whole() {
    let mut scene = Scene::new();
    let crossing: Vec<[f64; 3]> = tet(0.0).1.into_iter().chain(tet(1.0).1).collect();
    let both = Mesh::from_tets("both", 8, &[[0, 1, 2, 3], [4, 5, 6, 7]]).unwrap();
    scene.add(both, &crossing).unwrap();
    scene.add(tet(0.5).0, &tet(0.5).1).unwrap();
    let within = scene.contacts_of(Pairs::Within).unwrap();
    let between = scene.contacts_of(Pairs::Between).unwrap();
    assert!(within.iter().all(Contact::is_within_a_body) && !within.is_empty());
    assert!(!between.iter().any(Contact::is_within_a_body) && !between.is_empty());
    let mut both: Vec<Contact> = within.iter().chain(&between).copied().collect();
    both.sort_unstable();
    assert_eq!(*scene.contacts().unwrap(), both);
    assert!(!scene.edge_penetrations().unwrap().is_empty());
}

#[test]
fn every_contact_belongs_to_one_place() {
    let mut scene = Scene::new();
    // Two spikes through one sheet, far apart, and a third beside the first, all of one body.
    let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let spikes = Mesh::from_triangles("spikes", 9, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]).unwrap();
    let at = |x: f64, y: f64, wide: f64| [[x, y, 1.0], [x + wide, y, 1.0], [x, y, -1.0]];
    let corners = [at(1.0, 0.5, 0.5), at(9.0, 9.5, 0.25), at(1.0, 0.75, 0.125)].concat();
    scene.add(sheet, &[[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 10.0, 0.0], [0.0, 10.0, 0.0]][..]).unwrap();
    scene.add(spikes, &corners).unwrap();
    let contacts = scene.contacts().unwrap();
    let (places, of_contacts) = scene.places_of_contacts().unwrap();
    assert_eq!(places, scene.places().unwrap());
    assert_eq!(of_contacts.len(), contacts.len());
    for (k, place) in places.iter().enumerate() {
        let theirs: Vec<_> =
            contacts.iter().zip(&of_contacts).filter(|(_, p)| **p as usize == k).map(|(c, _)| c).collect();
        assert_eq!(theirs.len(), place.contacts);
        assert!(theirs.iter().all(|c| [c.a.body, c.b.body] == place.bodies));
    }
    // The sheet's triangles hold the spikes of each together: one place under, one over the diagonal.
    assert_eq!(places.iter().map(|p| p.contacts).collect::<Vec<_>>(), [3]);
}

#[test]
fn wrong_use_is_an_error() {
    let mut scene = Scene::new();
    let nobody = BodyId(7);
    let (mesh, positions) = tet(0.0);
    let id = scene.add(mesh.clone(), &positions).unwrap();
    let no = Error::NoBody { body: nobody };
    assert_eq!(scene.set_positions(nobody, &positions), Err(no.clone()));
    assert_eq!(scene.replace(nobody, mesh.clone(), &positions), Err(no.clone()));
    assert_eq!(scene.distance([id, nobody]), Err(no.clone()));
    assert_eq!(scene.closer_than([id, nobody], 1.0), Err(no.clone()));
    assert_eq!(scene.overlap([nobody, id], Resolution::rays(16)), Err(no.clone()));
    assert_eq!(scene.bounds(nobody), Err(no.clone()));
    assert_eq!(scene.set_fixed(nobody, true), Err(no));
    let short = FrameError::VertexCount { body: id, given: 3, expected: 4 };
    assert_eq!(scene.set_positions(id, Positions::F64(&positions[..3])), Err(short.into()));
    let bad =
        Contact { a: Element { body: id, id: TriangleId(9) }, b: Element { body: id, id: TriangleId(0) } };
    assert!(matches!(scene.intersection(&bad), Err(Error::NoTriangle { .. })));
    let mut nan = positions.clone();
    nan[1][2] = f64::INFINITY;
    assert!(matches!(scene.swap_positions(id, &mut nan), Err(Error::Frame(FrameError::NotFinite { .. }))));
    assert_eq!(scene.positions(id).unwrap(), positions);
}

#[test]
fn steps_stop_before_anything_is_closer_than_asked() {
    let mut scene = Scene::new();
    let one = Mesh::from_triangles("one", 3, &[[0, 1, 2]]).unwrap();
    let low = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let at = |z: f64| vec![[1.0, 1.0, z], [1.5, 1.0, z + 1.0], [1.0, 1.5, z + 1.0]];
    scene.add(one.clone(), &low).unwrap();
    let moving = scene.add(one, &at(2.0)).unwrap();
    let next = [low.clone(), at(-2.0)];
    let share = scene.safe_step_apart(Frame::from(&next), 0.5).unwrap();
    assert!((share - 0.375).abs() < 1e-6 && share <= 0.375, "{share}");
    assert!((scene.safe_step(Frame::from(&next)).unwrap() - 0.5).abs() < 1e-11);
    assert_eq!(scene.safe_step_apart(Frame::from(&[low.clone(), at(1.0)]), 0.5).unwrap(), 1.0);
    assert_eq!(scene.safe_step_apart(Frame::from(&next), 2.5).unwrap(), 0.0, "closer already");
    for thickness in [0.0, -1.0, f64::NAN] {
        assert!(matches!(scene.safe_step_apart(Frame::from(&next), thickness), Err(Error::Param(_))));
    }
    // Half of the gap is free for both, whatever the other does.
    scene.set_positions(moving, &at(1.0)).unwrap();
    let free = scene.safe_motion(8.0).unwrap();
    assert!(free[0].iter().chain(&free[1][..1]).all(|b| *b < 0.5 && *b > 0.499), "{free:?}");
    let step = scene.step_to(Frame::from(&[low, at(-9.0)])).unwrap();
    assert!(step.share < 0.1 && step.share > 0.0999 && step.blocked_by.is_some());
    assert!(scene.contacts().unwrap().is_empty());
}

/// A question about new bodies alone makes nothing that lasts; a second frame is followed as ever.
#[test]
fn contacts_between_new_bodies_are_found_in_one_shot() {
    let grid = |n: u32, z: fn(f64) -> f64| {
        let at = |i: u32| f64::from(i) / f64::from(n);
        let points = (0..=n).flat_map(|j| (0..=n).map(move |i| [at(i), at(j), z(at(i))]));
        let square = |i: u32| {
            let v = i / n * (n + 1) + i % n;
            [[v, v + 1, v + n + 1], [v + 1, v + n + 2, v + n + 1]]
        };
        let triangles: Vec<[u32; 3]> = (0..n * n).flat_map(square).collect();
        let points: Vec<[f64; 3]> = points.collect();
        (Mesh::from_triangles("grid", points.len(), &triangles).expect("in range"), points)
    };
    let (flat, low) = grid(48, |_| 0.0);
    let (wave, high) = grid(40, |x| 0.1 * (9.0 * x).sin());
    let mut scene = Scene::new();
    scene.add(flat.clone(), &low).expect("it fits");
    scene.add(wave.clone(), &high).expect("it fits");
    let pairs = |scene: &mut Scene, pairs| scene.contacts_of(pairs).expect("they are there").to_vec();
    let between = pairs(&mut scene, Pairs::Between);
    assert!(scene.surfaces.current().is_none() && !between.is_empty());
    // In the same frame the whole answer still comes from what is made quickly.
    let all = scene.contacts().expect("they are there");
    assert_eq!((all.method, &all[..]), ("bucket-tree", &between[..]));
    let truth = |scene: &Scene| {
        let mut other = Scene::new();
        other.use_surface_method(SurfaceMethod::BruteForce);
        for id in scene.ids() {
            other.add(scene.mesh(id).unwrap().clone(), scene.positions(id).unwrap()).expect("it fits");
        }
        other.contacts_of(Pairs::Between).expect("they are there").to_vec()
    };
    assert_eq!(between, truth(&scene));
    // After one shot alone, the second frame is for what lasts; a body that comes later is new.
    let mut scene = Scene::new();
    scene.add(flat.clone(), &low).expect("it fits");
    let b = scene.add(wave.clone(), &high).expect("it fits");
    assert_eq!(pairs(&mut scene, Pairs::Between), between);
    scene.set_positions(b, &high).expect("it fits");
    assert_eq!(pairs(&mut scene, Pairs::Between), between);
    assert!(scene.surfaces.lasting.is_current);
    let (large, higher) = grid(64, |x| 0.05 - 0.1 * x);
    let c = scene.add(large.clone(), &higher).expect("it fits");
    let found = pairs(&mut scene, Pairs::Between);
    assert!(scene.surfaces.current().is_none() && found.len() > between.len());
    assert_eq!(found, truth(&scene));
    let mut scene = Scene::new();
    let ids =
        [(&flat, &low), (&wave, &high), (&large, &higher)].map(|(m, p)| scene.add(m.clone(), p).unwrap());
    scene.ignore([ids[0], c], true).expect("they are there");
    let is_left = |contact: &Contact| [contact.a.body, contact.b.body] != [ids[0], c];
    let left: Vec<Contact> = found.into_iter().filter(is_left).collect();
    assert_eq!(pairs(&mut scene, Pairs::Between), left);
}

#[test]
fn bodies_that_are_near_are_looked_for_once_a_frame() {
    type Ask = fn(&mut Scene) -> String;
    let questions: [Ask; 5] = [
        |s| format!("{:?}", s.contacts().unwrap()[..].to_vec()),
        |s| format!("{:?}", s.impacts().unwrap()),
        |s| format!("{:?}", s.distances(0.5).unwrap().iter().map(|d| d.bodies).collect::<Vec<_>>()),
        |s| {
            format!("{:?}", s.proximity(&crate::Closeness::below(0.7)).unwrap().vertex_triangles[..].to_vec())
        },
        |s| format!("{:?}", s.overlaps(Resolution::rays(16)).unwrap()),
    ];
    let scene = || {
        let mut scene = Scene::new();
        for i in 0..12 {
            let (body, positions) = tet(2.5 * f64::from(i));
            scene.add(body, &positions).unwrap();
        }
        scene
    };
    let (mut all, mut own) = (scene(), questions.map(|_| scene()));
    for frame in 0..8 {
        let before = all.near.searches();
        for i in 0..12 {
            // Every third body swings far enough to jump over others within a step.
            let at = 2.5 * f64::from(i)
                + if i % 3 == 0 { 4.0 * f64::from(frame).sin() } else { 0.1 * f64::from(frame) };
            own.iter_mut().chain([&mut all]).for_each(|s| s.set_positions(BodyId(i), &tet(at).1).unwrap());
        }
        for (own, ask) in own.iter_mut().zip(questions) {
            assert_eq!(ask(&mut all), ask(own), "frame {frame}");
        }
        let searches = all.near.searches() - before;
        assert!(searches == 1 || frame == 0, "{searches} in frame {frame}");
    }
}
