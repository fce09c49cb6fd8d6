//! Answers within a budget: what is found is true, and what is missing is where the answer says that it did not come to.

use std::time::Duration;

use crumple::methods::brute_force::{self, BruteForce};
use crumple::{
    Bodies, BodyId, Budget, BudgetedContacts, Contact, Contacts, Detector, Frame, Guarantee, Mesh, Pairs,
    Scene, SurfaceMethod, TriangleId,
};
use crumple_scenes::Rng;

type Point = [f64; 3];

/// A sheet of n × n squares.
fn sheet(n: u32) -> Mesh {
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let squares = (0..n).flat_map(|y| (0..n).map(move |x| (x, y)));
    let triangles: Vec<[u32; 3]> = squares
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Mesh::from_triangles("sheet", ((n + 1) * (n + 1)) as usize, &triangles).unwrap()
}

/// The sheet over [0, 1]², folded over itself the more the larger `fold` is.
fn folded(n: u32, fold: f64) -> Vec<Point> {
    let place = |x: f64, y: f64| {
        let wave = fold * (6.0 * y).sin();
        [x + wave * (9.0 * x).cos(), y, 0.15 * (5.0 * x).sin() + wave * (7.0 * x + 2.0 * y).sin()]
    };
    let n1 = n + 1;
    (0..n1 * n1).map(|i| place(f64::from(i % n1) / f64::from(n), f64::from(i / n1) / f64::from(n))).collect()
}

/// Loose quads, two triangles each.
fn quads(count: u32) -> Mesh {
    let triangles: Vec<[u32; 3]> =
        (0..count).flat_map(|q| [[4 * q, 4 * q + 1, 4 * q + 2], [4 * q, 4 * q + 2, 4 * q + 3]]).collect();
    Mesh::from_triangles("quads", 4 * count as usize, &triangles).unwrap()
}

fn scattered(count: u32, random: &mut Rng) -> Vec<Point> {
    let mut out = Vec::new();
    for _ in 0..count {
        let mut any = |size: f64| std::array::from_fn(|_| size * (random.unit() - 0.5));
        let [centre, u, v]: [Point; 3] = [any(1.4), any(0.2), any(0.2)];
        let corner = |s: f64, t: f64| std::array::from_fn(|k| 0.3 + centre[k] + s * u[k] + t * v[k]);
        out.extend([corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)]);
    }
    out
}

/// Every contact, by the triangles' bodies and ids there.
fn truth(meshes: &[Mesh], positions: &[Vec<Point>], pairs: Pairs) -> Vec<Contact> {
    let bodies = Bodies::new(meshes.iter().cloned()).unwrap();
    let mut found = Contacts::default();
    BruteForce::surfaces().update(&bodies, Frame::from(positions)).unwrap().contacts(pairs, &mut found);
    let side = |t: TriangleId| {
        let (body, id) = bodies.locate_triangle(t);
        crumple::Element { body, id }
    };
    found.triangle_pairs.iter().map(|p| Contact { a: side(p.a), b: side(p.b) }).collect()
}

/// What is found is true, and what is missing is in a pair of regions that is undecided.
fn holds(found: &BudgetedContacts, truth: &[Contact], meshes: &[Mesh], positions: &[Vec<Point>]) {
    assert!(found.contacts.is_sorted());
    assert!(found.contacts.iter().all(|c| truth.binary_search(c).is_ok()), "only what is true");
    let has = |region: &crumple::geometry::Aabb, side: crumple::Element<TriangleId>| {
        let corners = meshes[side.body.index()].triangle(side.id);
        corners.iter().all(|v| region.contains(&positions[side.body.index()][v.index()]))
    };
    let missing: Vec<&Contact> = truth.iter().filter(|c| found.contacts.binary_search(c).is_err()).collect();
    for c in &missing {
        let is_told = found.undecided.iter().any(|u| {
            let [x, y] = &u.boxes;
            u.bodies == [c.a.body, c.b.body]
                && ((has(x, c.a) && has(y, c.b)) || (c.a.body == c.b.body && has(x, c.b) && has(y, c.a)))
        });
        assert!(is_told, "{c:?} is neither found nor undecided");
    }
    let most: u64 = found.undecided.iter().map(|u| u.most).sum();
    assert!(missing.len() as u64 <= most);
    assert_eq!(found.is_complete(), found.undecided.is_empty());
    let guarantee = if found.is_complete() { Guarantee::Proved } else { Guarantee::Partial };
    assert_eq!(found.contacts.guarantee, guarantee);
}

/// A scene of these bodies, and whether it has answered a frame already.
fn scene_of(meshes: &[Mesh], positions: &[Vec<Point>]) -> Scene {
    let mut scene = Scene::new();
    for (mesh, positions) in meshes.iter().zip(positions) {
        scene.add(mesh.clone(), positions).unwrap();
    }
    scene.prepare(crumple::Question::Contacts).unwrap();
    scene
}

#[test]
fn visits_are_counted_and_what_is_left_covers_what_is_missing() {
    let mut random = Rng::new(7);
    let smooth = vec![sheet(24), sheet(20)];
    let soup = vec![quads(300), quads(200)];
    let both = vec![sheet(24), quads(300), sheet(12)];
    let mut complete = 0;
    for (meshes, method) in [(smooth, "regularity"), (soup, "bucket-tree"), (both, "regularity+bucket-tree")]
    {
        let positions: Vec<Vec<Point>> = meshes
            .iter()
            .map(|mesh| match mesh.name() {
                "sheet" => folded((mesh.vertex_count() as f64).sqrt() as u32 - 1, 0.12 + 0.1 * random.unit()),
                _ => scattered(mesh.vertex_count() as u32 / 4, &mut random),
            })
            .collect();
        let truth = truth(&meshes, &positions, Pairs::All);
        assert!(truth.len() > 50, "{method}: {}", truth.len());
        let mut found = Vec::new();
        for visits in [0, 1, 2, 3, 5, 8, 13, 30, 70, 150, 300, 700, 1500, 4000, 20_000, 1 << 40] {
            let budget = Budget::visits(visits);
            let mut scene = scene_of(&meshes, &positions);
            let first = scene.contacts_budgeted(budget).unwrap();
            assert_eq!(first.contacts.method, method);
            holds(&first, &truth, &meshes, &positions);
            // Twice, and with another that says the same: the same answer.
            assert_eq!(scene.contacts_budgeted(budget).unwrap(), first);
            let also = scene_of(&meshes, &positions).contacts_budgeted(budget).unwrap();
            assert_eq!(also, first, "a number of visits means the same everywhere");
            if first.is_complete() {
                assert_eq!(first.contacts.to_vec(), truth);
                complete += 1;
            }
            found.push(first.contacts.len());
        }
        assert!(found[0] == 0 && found.is_sorted(), "{method}: more visits find no less: {found:?}");
        assert!(found.iter().any(|n| (1..truth.len()).contains(n)), "{method}: some: {found:?}");
    }
    assert!(complete >= 3);
}

#[test]
fn a_time_that_is_over_leaves_nothing_wrong_behind() {
    let mut random = Rng::new(3);
    let mut meshes = vec![sheet(30), quads(400), sheet(16)];
    let mut quads_at = scattered(400, &mut random);
    let mut scene: Option<Scene> = None;
    let mut ended = [0; 2];
    for frame in 0..60u32 {
        let fold = 0.18 + 0.1 * f64::from(frame).sin();
        let mut positions = vec![folded(30, fold), quads_at.clone(), folded(16, 0.5 * fold)];
        quads_at.iter_mut().flatten().for_each(|x| *x += 0.01 * (random.unit() - 0.5));
        let scene = scene.get_or_insert_with(|| scene_of(&meshes, &positions));
        for (id, at) in (0..).map(BodyId).zip(&positions) {
            scene.set_positions(id, at).unwrap();
        }
        if frame % 5 == 4 {
            let body = BodyId(frame % 2);
            let gone = scene.mesh(body).unwrap().triangle_key(TriangleId(frame));
            let _ = scene.edit(body, |edit| edit.remove_triangle(gone)).unwrap();
            meshes = scene.bodies().meshes().to_vec();
            positions = (0..3).map(|n| scene.positions(BodyId(n)).unwrap().to_vec()).collect();
        }
        let truth = truth(&meshes, &positions, Pairs::All);
        // From nothing to enough, in a frame that is new to the structures.
        let micros = [0, 20, 60, 150, 400, 1_000, 5_000, 10_000_000][frame as usize % 8];
        let budget = Budget::time(Duration::from_micros(micros));
        let found = scene.contacts_budgeted(budget).unwrap();
        holds(&found, &truth, &meshes, &positions);
        ended[usize::from(found.is_complete())] += 1;
        let near = scene.distance_budgeted([BodyId(0), BodyId(1)], budget).unwrap().unwrap();
        let bodies = Bodies::new(meshes.iter().cloned()).unwrap();
        let exact = brute_force::distance(&bodies, Frame::from(&positions), BodyId(0), BodyId(1));
        let exact = exact.unwrap().unwrap().distance;
        assert!(
            near.lower <= exact * (1.0 + 1e-12) && exact <= near.upper * (1.0 + 1e-12),
            "{near:?} {exact}"
        );
        if near.guarantee == Guarantee::Proved {
            assert!((near.distance - exact).abs() <= 1e-12);
        }
        if frame % 3 == 0 {
            assert_eq!(scene.contacts().unwrap().to_vec(), truth, "frame {frame}");
            let whole = scene.distance([BodyId(0), BodyId(1)]).unwrap().unwrap();
            assert!((whole.distance - exact).abs() <= 1e-12, "frame {frame}");
        }
    }
    assert!(ended[0] > 0 && ended[1] > 0, "{ended:?}");
}

#[test]
fn what_cannot_stop_is_not_asked() {
    let meshes = vec![sheet(12), quads(60)];
    let mut random = Rng::new(5);
    let positions = vec![folded(12, 0.2), scattered(60, &mut random)];
    let truth = truth(&meshes, &positions, Pairs::All);
    for forced in [SurfaceMethod::BruteForce, SurfaceMethod::SpatialHash, SurfaceMethod::Regularity] {
        let mut scene = scene_of(&meshes, &positions);
        scene.use_surface_method(forced);
        let found = scene.contacts_budgeted(Budget::visits(40)).unwrap();
        holds(&found, &truth, &meshes, &positions);
        let found = scene.contacts_budgeted(Budget::visits(1 << 40)).unwrap();
        assert_eq!(found.contacts.to_vec(), truth);
        let is_able = forced == SurfaceMethod::Regularity;
        assert_eq!(found.contacts.method, if is_able { "regularity" } else { "bucket-tree" });
    }
}

#[test]
fn pairs_between_bodies_are_chosen_for() {
    let mut random = Rng::new(11);
    let meshes = vec![sheet(24), quads(300)];
    let loose = scattered(300, &mut random);
    let at = |frame: u32| vec![folded(24, 0.1 + 0.02 * f64::from(frame).sin()), loose.clone()];
    let mut scene = scene_of(&meshes, &at(0));
    let mut methods = Vec::new();
    // Only pairs between bodies for a while, then all, then both questions by turns.
    for frame in 0..40u32 {
        let positions = at(frame);
        for (id, at) in (0..).map(BodyId).zip(&positions) {
            scene.set_positions(id, at).unwrap();
        }
        let pairs = match frame {
            0..8 => Pairs::Between,
            8..12 => Pairs::All,
            _ if frame % 2 == 0 => Pairs::Between,
            _ => Pairs::Within,
        };
        let found = scene.contacts_of(pairs).unwrap();
        assert_eq!(found.to_vec(), truth(&meshes, &positions, pairs), "frame {frame}");
        let told = scene.explain();
        assert_eq!(told[0].method, found.method, "frame {frame}: {}", told[0]);
        methods.push(found.method);
    }
    let mixed = "regularity+bucket-tree";
    assert_eq!((methods[0], methods[7], methods[8]), (mixed, "regularity", "regularity"));
    assert!(
        methods[9..].iter().all(|m| *m == mixed),
        "who asks by turns does not pay for changes: {methods:?}"
    );
}
