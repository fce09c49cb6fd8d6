//! Cutting and fusing: nothing is lost, sides part, slits end, names last.

use crumple::cut::{Blade, Cut, FreshCuts, coincident, cut, fuse};
use crumple::geometry::{Point, tet, triangle};
use crumple::methods::brute_force::BruteForce;
use crumple::{
    Bodies, BodyId, Contacts, Detector, Frame, Mesh, Pairs, Positions, Scene, TriangleId, VertexId,
};
use crumple_scenes::Rng;

/// A sheet of n × n squares over [0, 1]², each of two triangles.
fn sheet(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for y in 0..=n {
        for x in 0..=n {
            positions.push([f64::from(x) / f64::from(n), f64::from(y) / f64::from(n), 0.0]);
        }
    }
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let mut triangles = Vec::new();
    for y in 0..n {
        for x in 0..n {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    (Mesh::from_triangles("sheet", positions.len(), &triangles).unwrap(), positions)
}

/// A block of n³ cubes over [0, 1]³, each of six tets.
fn block(n: u32) -> (Mesh, Vec<Point>) {
    let mut positions = Vec::new();
    for z in 0..=n {
        for y in 0..=n {
            for x in 0..=n {
                positions.push([x, y, z].map(|i| f64::from(i) / f64::from(n)));
            }
        }
    }
    let at = |p: [u32; 3]| (p[2] * (n + 1) + p[1]) * (n + 1) + p[0];
    let mut tets = Vec::new();
    for cell in 0..n * n * n {
        let corner = [cell % n, cell / n % n, cell / n / n];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut p = corner;
            let mut ids = [at(p); 4];
            for (i, axis) in order.into_iter().enumerate() {
                p[axis] += 1;
                ids[i + 1] = at(p);
            }
            let odd = matches!(order, [0, 2, 1] | [1, 0, 2] | [2, 1, 0]);
            tets.push(if odd { [ids[0], ids[2], ids[1], ids[3]] } else { ids });
        }
    }
    (Mesh::from_tets("block", positions.len(), &tets).unwrap(), positions)
}

fn area(body: &Mesh, positions: &[Point]) -> f64 {
    body.triangles().iter().map(|t| triangle::area(&t.map(|v| positions[v.index()]))).sum()
}

fn volume(body: &Mesh, positions: &[Point]) -> f64 {
    body.tets().iter().map(|t| tet::volume(&t.map(|v| positions[v.index()]))).sum()
}

fn contacts(body: &Mesh, positions: &[Point]) -> (Bodies, Contacts) {
    let mesh = Bodies::new([body.clone()]).unwrap();
    let slices = [Positions::from(positions)];
    let mut out = Contacts::default();
    let mut oracle =
        BruteForce::new(crumple::methods::brute_force::Ask { triangles: true, vertices: true, edges: true });
    oracle.update(&mesh, Frame::new(&slices)).unwrap().contacts(Pairs::All, &mut out);
    (mesh, out)
}

/// The contacts of a frame that fresh cuts do not explain, and how many they do.
fn unexplained(fresh: &mut FreshCuts, body: &Mesh, positions: &[Point]) -> (Contacts, usize) {
    let (mesh, mut found) = contacts(body, positions);
    let slices = [Positions::from(positions)];
    let taken = fresh.filter(&mesh, Frame::new(&slices), &mut found);
    (found, taken)
}

/// Moves every component whose centre is ahead of x = at.
fn shift(cut: &Cut, at: f64, by: Point) -> Vec<Point> {
    let body = &cut.body;
    let topology = body.topology();
    let count = topology.component_count();
    let mut sums = vec![(0.0, 0.0); count];
    let mut component = vec![usize::MAX; body.vertex_count()];
    for (t, corners) in body.triangles().iter().enumerate() {
        let c = topology.component_of(TriangleId(t as u32));
        for v in corners {
            component[v.index()] = c;
            sums[c].0 += cut.positions[v.index()][0];
            sums[c].1 += 1.0;
        }
    }
    // Inner vertices of solids are in no triangle and follow their side of the plane.
    let ahead = |v: usize| match component[v] {
        usize::MAX => cut.positions[v][0] > at,
        c => sums[c].0 / sums[c].1 > at,
    };
    (0..cut.positions.len())
        .map(
            |v| {
                if ahead(v) { std::array::from_fn(|k| cut.positions[v][k] + by[k]) } else { cut.positions[v] }
            },
        )
        .collect()
}

fn across(x: f64) -> Blade {
    Blade::plane([[x, 0.0, 0.0], [x, 1.0, 0.3], [x, 0.2, 1.0]]).unwrap()
}

#[test]
fn a_sheet_falls_in_two() {
    let (body, positions) = sheet(5);
    // Between columns of vertices, and exactly through one.
    for x in [0.37, 0.4] {
        let cut = cut(&body, &positions, &across(x)).unwrap();
        assert_eq!(cut.body.topology().component_count(), 2);
        assert!((area(&cut.body, &cut.positions) - 1.0).abs() < 1e-12);
        assert!(cut.body.topology().non_manifold_edges().is_empty());
        for &[v, copy] in &cut.seam {
            assert_eq!(cut.positions[v.index()], cut.positions[copy.index()]);
            assert!((cut.positions[v.index()][0] - x).abs() < 1e-15);
        }
        for corners in cut.body.triangles() {
            let xs = corners.map(|v| cut.positions[v.index()][0]);
            assert!(xs.iter().all(|&c| c <= x + 1e-12) || xs.iter().all(|&c| c >= x - 1e-12));
        }
        // Every old triangle is there still, or named as removed.
        for t in 0..body.triangles().len() as u32 {
            let key = body.triangle_key(TriangleId(t));
            let gone = cut.changes.triangles_removed.contains(&key);
            assert_eq!(cut.body.triangle_with_key(key).is_none(), gone);
        }
    }
    assert_eq!(cut(&body, &positions, &across(0.4)).unwrap().changes.triangles_added, []);
}

#[test]
fn fresh_sides_are_exempt_until_they_part() {
    for (body, positions) in [sheet(4), block(2)] {
        for x in [0.3, 0.5] {
            let cut = cut(&body, &positions, &across(x)).unwrap();
            let mut fresh = FreshCuts::new();
            fresh.add(BodyId(0), &cut);
            let (found, taken) = unexplained(&mut fresh, &cut.body, &cut.positions);
            assert!(taken > 0 && found.is_empty(), "all of it at the seam: {found:?}");
            // Pressed into each other, sliding on by more than an element: still one wound, whoever meets whom.
            for step in 0..8 {
                let pressed = shift(&cut, x, [-0.01, 0.05 * f64::from(step), 0.0]);
                let (found, taken) = unexplained(&mut fresh, &cut.body, &pressed);
                assert!(taken > 0 && found.is_empty(), "step {step}: {found:?}");
            }
            // Apart: nothing touches, and the seam is open.
            let apart = shift(&cut, x, [0.1, 0.0, 0.0]);
            let (found, taken) = unexplained(&mut fresh, &cut.body, &apart);
            assert!(taken == 0 && found.is_empty() && fresh.is_empty());
            // Together again: a collision like any other.
            for by in [[-0.01, 0.003, 0.0], [0.0; 3]] {
                let again = shift(&cut, x, by);
                let (found, taken) = unexplained(&mut fresh, &cut.body, &again);
                assert!(taken == 0 && !found.is_empty());
                assert_eq!(found, contacts(&cut.body, &again).1);
            }
        }
    }
}

#[test]
fn a_wound_shakes_and_a_gap_is_asked_for() {
    let mut rng = Rng::new(12);
    for (body, positions) in [sheet(4), block(2)] {
        let cut = cut(&body, &positions, &across(0.3)).unwrap();
        let mut fresh = FreshCuts::with_gap(0.01);
        fresh.add(BodyId(0), &cut);
        // Every vertex for itself, so that sides part here and cross there, by far less than the gap.
        for round in 0..20 {
            let shaken: Vec<Point> = (cut.positions.iter())
                .map(|p| {
                    let by = rng.in_ball();
                    std::array::from_fn(|k| p[k] + 1e-3 * by[k])
                })
                .collect();
            let (found, _) = unexplained(&mut fresh, &cut.body, &shaken);
            assert!(found.is_empty() && !fresh.is_empty(), "round {round}: {found:?}");
        }
        let (_, taken) = unexplained(&mut fresh, &cut.body, &shift(&cut, 0.3, [0.1, 0.0, 0.0]));
        assert!(taken == 0 && fresh.is_empty());
    }
}

#[test]
fn random_cuts_explain_all_that_touches() {
    // Uneven ground, so that new vertices are rounded off the planes of their triangles, and blades that bend.
    let mut rng = Rng::new(5);
    let shake = |positions: &[Point], by: f64, rng: &mut Rng| -> Vec<Point> {
        positions.iter().map(|p| [p[0], p[1], p[2] + by * rng.unit()]).collect()
    };
    let mut taken_at_all = 0;
    for round in 0..60 {
        let solid = round % 3 == 0;
        let (body, flat) = if solid { block(2) } else { sheet(5) };
        let positions = shake(&flat, if solid { 0.05 } else { 0.4 }, &mut rng);
        let point = |rng: &mut Rng| rng.in_box([0.0, 0.0, -0.2], [1.0, 1.0, 0.6]);
        let blade = if rng.chance(0.5) {
            Blade::plane([point(&mut rng), point(&mut rng), point(&mut rng)])
        } else {
            let line: Vec<Point> = (0..4).map(|i| [0.5 * f64::from(i) - 0.2, rng.unit(), -2.0]).collect();
            Blade::sweep(&line, [0.0, 0.0, 4.0])
        };
        let cut = cut(&body, &positions, &blade.unwrap()).unwrap();
        let mut fresh = FreshCuts::new();
        fresh.add(BodyId(0), &cut);
        let (found, taken) = unexplained(&mut fresh, &cut.body, &cut.positions);
        assert!(found.is_empty(), "round {round}: {found:?}");
        taken_at_all += taken;
    }
    assert!(taken_at_all > 1000);
}

#[test]
fn where_a_wound_has_opened_it_collides() {
    let (body, positions) = sheet(8);
    let cut = cut(&body, &positions, &across(0.3)).unwrap();
    let mut fresh = FreshCuts::new();
    fresh.add(BodyId(0), &cut);
    // The right side moves by so much at a height: the wound gapes above 0.5, then closes with an overlap.
    let moved = |by: fn(f64) -> f64| -> Vec<Point> {
        let ahead = shift(&cut, 0.3, [1.0, 0.0, 0.0]);
        let both = cut.positions.iter().zip(&ahead);
        both.map(|(p, q)| if p == q { *p } else { [p[0] + by(p[1]), p[1], p[2]] }).collect()
    };
    let (found, taken) = unexplained(&mut fresh, &cut.body, &moved(|_| 0.0));
    assert!(taken > 0 && found.is_empty());
    let (found, taken) = unexplained(&mut fresh, &cut.body, &moved(|y| 0.2 * (y - 0.5).max(0.0)));
    assert!(taken > 0 && found.is_empty() && !fresh.is_empty());
    let closed = moved(|y| if y > 0.5 { -0.01 } else { 0.0 });
    let all = contacts(&cut.body, &closed).1.triangle_pairs;
    let (found, taken) = unexplained(&mut fresh, &cut.body, &closed);
    assert!(taken > 0 && !found.is_empty());
    let heights = |t: TriangleId| cut.body.triangles()[t.index()].map(|v| closed[v.index()][1]);
    for pair in all {
        let ys: Vec<f64> = [pair.a, pair.b].into_iter().flat_map(heights).collect();
        let is_reported = found.triangle_pairs.contains(&pair);
        // In between, where an element reaches from the closed part into the open one, either will do.
        if ys.iter().all(|y| *y > 0.7) {
            assert!(is_reported, "{pair:?} opened before");
        } else if ys.iter().all(|y| *y < 0.45) {
            assert!(!is_reported, "{pair:?} never opened");
        }
    }
}

#[test]
fn a_half_that_is_pushed_deep_into_the_other_is_seen() {
    for ((body, positions), depth, most) in
        [(sheet(12), None, 0.4), (sheet(12), Some(0.1), 0.2), (block(6), Some(0.1), 0.34)]
    {
        let cut = cut(&body, &positions, &across(0.5)).unwrap();
        let fresh = || depth.map_or_else(FreshCuts::new, |d| FreshCuts::new().with_depth(d));
        let added = || {
            let mut fresh = fresh();
            fresh.add(BodyId(0), &cut);
            assert!(unexplained(&mut fresh, &cut.body, &cut.positions).0.is_empty());
            fresh
        };
        // Less than an edge: the lips overlap.
        let (found, taken) = unexplained(&mut added(), &cut.body, &shift(&cut, 0.5, [-0.02, 0.0, 0.0]));
        assert!(taken > 0 && found.is_empty(), "{found:?}");
        // So deep that what meets is not in the lips.
        let deep = shift(&cut, 0.5, [-0.45, 0.001, 0.0]);
        let (found, _) = unexplained(&mut added(), &cut.body, &deep);
        assert!(!found.is_empty(), "{depth:?}");
        // What is farther from the seam than the lips reach is all there: nothing beyond `most` was taken out.
        let all = contacts(&cut.body, &deep).1;
        let far = |t: TriangleId| {
            let corners = cut.body.triangles()[t.index()];
            corners.iter().all(|v| (cut.positions[v.index()][0] - 0.5).abs() > most)
        };
        let is_far = |p: &&crumple::TrianglePair| far(p.a) || far(p.b);
        assert!(all.triangle_pairs.iter().filter(is_far).all(|p| found.triangle_pairs.contains(p)));
    }
}

#[test]
fn a_scene_cuts_and_keeps_fresh_wounds_out() {
    for (body, positions) in [sheet(12), block(6)] {
        let mut scene = Scene::new();
        scene.set_cut_depth(0.1);
        let done = cut(&body, &positions, &across(0.5)).unwrap();
        let id = scene.add(body, &positions).unwrap();
        let found = scene.cut(id, &across(0.5)).unwrap();
        assert_eq!((&found.changes, &found.seam), (&done.changes, &done.seam), "as a cut outside of a scene");
        assert_eq!(scene.positions(id).unwrap(), done.positions);
        assert!(!done.seam.is_empty() && scene.has_fresh_cuts());
        assert!(scene.contacts().unwrap().is_empty() && scene.penetrations().unwrap().is_empty());
        assert!(!contacts(&done.body, &done.positions).1.is_empty(), "brute force sees them");
        // Deep in each other: seen, by triangles and, of solids, by tets.
        scene.set_positions(id, &shift(&done, 0.5, [-0.45, 0.001, 0.0])).unwrap();
        assert!(!scene.contacts().unwrap().is_empty());
        assert!(!scene.contacts_of(Pairs::Within).unwrap().is_empty());
        assert!(scene.contacts_of(Pairs::Between).unwrap().is_empty());
        assert_eq!(scene.penetrations().unwrap().is_empty(), !done.body.is_solid());
        // Apart, and together again: contacts as any others.
        scene.set_positions(id, &shift(&done, 0.5, [0.2, 0.0, 0.0])).unwrap();
        assert!(scene.contacts().unwrap().is_empty() && scene.penetrations().unwrap().is_empty());
        assert!(!scene.has_fresh_cuts());
        scene.set_positions(id, &done.positions).unwrap();
        assert_eq!(
            scene.contacts().unwrap().len(),
            contacts(&done.body, &done.positions).1.triangle_pairs.len()
        );
    }
}

#[test]
fn impacts_of_lips_are_left_out_until_they_part() {
    for (body, positions) in [sheet(12), block(6)] {
        let done = cut(&body, &positions, &across(0.5)).unwrap();
        let mut scene = Scene::new();
        scene.set_cut_depth(0.1);
        let id = scene.add(done.body.clone(), &done.positions).unwrap();
        scene.add_seam(id, &done.seam).unwrap();
        let mut step = |by: [f64; 3], from: &[f64; 3]| {
            scene.set_positions(id, &shift(&done, 0.5, *from)).unwrap();
            assert!(scene.contacts().unwrap().is_empty(), "from {from:?}");
            scene.set_positions(id, &shift(&done, 0.5, by)).unwrap();
            let impacts = scene.impacts().unwrap();
            // The first impact knows of no cut.
            assert_eq!(scene.first_impact().unwrap().is_some(), from[0] == 0.0 || !impacts.is_empty());
            (impacts.vertex_triangles.len() + impacts.edge_edges.len(), scene.has_fresh_cuts())
        };
        // The lips are pressed together, and one half is pushed through the other.
        assert_eq!(step([-0.01, 0.003, 0.0], &[0.0; 3]), (0, true));
        let (deep, is_fresh) = step([-0.45, 0.001, 0.0], &[0.0; 3]);
        assert!(deep > 0 && is_fresh);
        // The cut opens: still of the cut. Then it has parted, and closing it is a collision.
        assert_eq!(step([0.2, 0.0, 0.0], &[0.0; 3]), (0, true));
        let (closing, is_fresh) = step([-0.01, 0.003, 0.0], &[0.2, 0.0, 0.0]);
        // Tets were not asked about, so that theirs has not opened.
        assert!(closing > 0 && is_fresh == done.body.is_solid());
    }
}

#[test]
fn a_seam_of_a_vertex_with_itself_is_refused() {
    let (body, positions) = sheet(4);
    let done = cut(&body, &positions, &across(0.3)).unwrap();
    let mut scene = Scene::new();
    let id = scene.add(done.body, &done.positions).unwrap();
    let mut seam = done.seam.clone();
    seam[1] = [seam[1][0]; 2];
    let error = scene.add_seam(id, &seam).unwrap_err();
    assert_eq!(error.to_string(), "seam 1: it pairs a vertex with itself");
    assert!(!scene.has_fresh_cuts());
}

#[test]
fn what_has_nothing_to_do_with_the_wound_is_reported() {
    let (body, positions) = sheet(4);
    let cut = cut(&body, &positions, &across(0.3)).unwrap();
    let blade = Mesh::from_triangles("tool", 3, &[[0, 1, 2]]).unwrap();
    // A tool through the wound: it touches both sides.
    let tool = [[0.3, 0.4, -0.5], [0.3, 0.6, -0.5], [0.3, 0.5, 0.5]];
    let mesh = Bodies::new([cut.body.clone(), blade]).unwrap();
    let slices = [Positions::from(&cut.positions), Positions::from(&tool[..])];
    let frame = Frame::new(&slices);
    let mut oracle = BruteForce::surfaces();
    oracle.update(&mesh, frame).unwrap();
    let mut found = Contacts::default();
    oracle.update(&mesh, frame).unwrap().contacts(Pairs::Between, &mut found);
    let between = found.triangle_pairs.clone();
    oracle.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut found);
    let mut fresh = FreshCuts::new();
    fresh.add(BodyId(0), &cut);
    assert!(fresh.filter(&mesh, frame, &mut found) > 0);
    assert!(!between.is_empty() && found.triangle_pairs == between);
}

#[test]
fn a_block_falls_in_two_closed_halves() {
    let (body, positions) = block(3);
    for x in [0.41, 1.0 / 3.0] {
        let cut = cut(&body, &positions, &across(x)).unwrap();
        assert!((volume(&cut.body, &cut.positions) - 1.0).abs() < 1e-12);
        let topology = cut.body.topology();
        assert_eq!(topology.component_count(), 2);
        assert!(topology.is_closed() && topology.non_manifold_edges().is_empty());
        // Two faces of the cut, each of area 1, on top of the six of the block.
        assert!((area(&cut.body, &cut.positions) - 8.0).abs() < 1e-9);
    }
    let far = cut(&body, &positions, &across(7.0)).unwrap();
    assert!(far.seam.is_empty() && far.body.tets() == body.tets());
}

/// A tilted plane meets vertices of a grid but for rounding: they count as on it, so that no element without volume comes of it.
#[test]
fn a_plane_that_nearly_meets_vertices_leaves_no_slivers() {
    let (body, positions) = block(10);
    for [at, slope] in [[0.51, 0.1], [0.43, 0.1], [0.62, 0.2], [0.57, 0.3]] {
        let point = |y: f64, z: f64| [at - slope * y, y, z];
        let blade = Blade::plane([point(0.0, 0.0), point(1.0, 0.0), point(0.0, 1.0)]).unwrap();
        let done = cut(&body, &positions, &blade).unwrap();
        let least = done.body.tets().iter().map(|t| {
            let [p, q, r, s] = t.map(|v| done.positions[v.index()]);
            let [u, v, w] = [q, r, s].map(|x| [0, 1, 2].map(|k| x[k] - p[k]));
            let cross = [0, 1, 2].map(|k| v[(k + 1) % 3] * w[(k + 2) % 3] - v[(k + 2) % 3] * w[(k + 1) % 3]);
            (0..3).map(|k| u[k] * cross[k]).sum::<f64>()
        });
        let least = least.fold(f64::INFINITY, f64::min);
        assert!(least > 1e-9, "{at} {slope}: {least}");
        assert_eq!(done.body.topology().component_count(), 2);
        assert!((volume(&done.body, &done.positions) - volume(&body, &positions)).abs() < 1e-9);
        let mut fresh = FreshCuts::new();
        fresh.add(BodyId(0), &done);
        let (left, _) = unexplained(&mut fresh, &done.body, &done.positions);
        assert!(left.triangle_pairs.is_empty(), "{at} {slope}: {}", left.triangle_pairs.len());
    }
}

#[test]
fn a_short_blade_leaves_a_slit() {
    let (body, positions) = sheet(6);
    let along = [0.0, 0.0, 2.0];
    // From the border to the middle: one piece still, its border runs into the slit and out again.
    let blade = Blade::sweep(&[[0.45, -0.5, -1.0], [0.45, 0.55, -1.0]], along).unwrap();
    let open = cut(&body, &positions, &blade).unwrap();
    assert_eq!(open.body.topology().component_count(), 1);
    assert_eq!(open.body.topology().boundary_loops().len(), 1);
    assert!(!open.seam.is_empty());
    // Inside: a second border.
    let blade = Blade::sweep(&[[0.45, 0.2, -1.0], [0.45, 0.8, -1.0]], along).unwrap();
    let hole = cut(&body, &positions, &blade).unwrap();
    assert_eq!(hole.body.topology().boundary_loops().len(), 2);
    // Round a corner, from border to border: the corner falls off.
    let blade = Blade::sweep(&[[0.55, -0.5, -1.0], [0.57, 0.42, -1.0], [1.5, 0.47, -1.0]], along).unwrap();
    let corner = cut(&body, &positions, &blade).unwrap();
    assert_eq!(corner.body.topology().component_count(), 2);
    for cut in [open, hole, corner] {
        assert!((area(&cut.body, &cut.positions) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn random_planes_lose_nothing() {
    let mut rng = Rng::new(3);
    let (mut sheet, mut on_sheet) = sheet(4);
    let (mut solid, mut in_solid) = block(2);
    for round in 0..6 {
        // On a grid, so that planes meet vertices and edges.
        let grid = |rng: &mut Rng| (0..3).map(|_| rng.below(9) as f64 / 8.0).collect::<Vec<_>>();
        let blade = loop {
            let points: [Point; 3] = std::array::from_fn(|_| grid(&mut rng).try_into().unwrap());
            if let Ok(blade) = Blade::plane(points) {
                break blade;
            }
        };
        let a = cut(&sheet, &on_sheet, &blade).unwrap();
        assert!((area(&a.body, &a.positions) - 1.0).abs() < 1e-9, "round {round}");
        assert!(a.body.topology().non_manifold_edges().is_empty());
        (sheet, on_sheet) = (a.body, a.positions);
        let b = cut(&solid, &in_solid, &blade).unwrap();
        assert!((volume(&b.body, &b.positions) - 1.0).abs() < 1e-9, "round {round}");
        assert!(b.body.topology().is_closed());
        (solid, in_solid) = (b.body, b.positions);
    }
    assert!(solid.topology().component_count() > 2);
}

#[test]
fn halves_fuse_again() {
    for (body, positions) in [sheet(3), block(2)] {
        let (other, mut moved) = (body.clone(), positions.clone());
        moved.iter_mut().for_each(|p| p[0] += 1.0);
        let weld = coincident(&positions, &moved, 1e-9);
        let loose = fuse((&body, &positions), (&other, &moved), &[]).unwrap();
        assert_eq!(loose.body.topology().component_count(), 2);
        let one = fuse((&body, &positions), (&other, &moved), &weld).unwrap();
        assert_eq!(one.body.topology().component_count(), 1);
        assert_eq!(one.body.vertex_count(), 2 * body.vertex_count() - weld.len());
        assert_eq!(one.positions.len(), one.body.vertex_count());
        for (v, name) in one.vertices.iter().enumerate() {
            assert!((one.positions[name.index()][0] - moved[v][0]).abs() < 1e-9);
        }
        if body.is_solid() {
            assert!((volume(&one.body, &one.positions) - 2.0).abs() < 1e-12);
            assert_eq!(one.tets.len(), other.tets().len());
        } else {
            assert!((area(&one.body, &one.positions) - 2.0).abs() < 1e-12);
            assert_eq!(one.triangles.len(), other.triangles().len());
        }
        for t in 0..body.triangles().len() as u32 {
            let key = body.triangle_key(TriangleId(t));
            let inner = one.changes.triangles_removed.contains(&key);
            assert_eq!(one.body.triangle_with_key(key).is_none(), inner, "names of the first stay");
        }
    }
}

#[test]
fn bad_blades_and_bodies_are_refused() {
    assert!(Blade::plane([[0.0; 3], [1.0; 3], [2.0; 3]]).is_err());
    assert!(Blade::plane([[0.0; 3], [1.0; 3], [f64::NAN, 0.0, 0.0]]).is_err());
    assert!(Blade::sweep(&[[0.0; 3]], [0.0, 0.0, 1.0]).is_err());
    assert!(Blade::sweep(&[[0.0; 3], [0.0, 0.0, 1.0]], [0.0, 0.0, 1.0]).is_err());
    let (body, positions) = sheet(1);
    assert!(cut(&body, &positions[1..], &across(0.5)).is_err());
    let mut broken = positions.clone();
    broken[2][1] = f64::INFINITY;
    assert!(cut(&body, &broken, &across(0.5)).is_err());
    let (solid, in_solid) = block(1);
    assert!(fuse((&body, &positions), (&solid, &in_solid), &[]).is_err());
    let beyond = [(VertexId(0), VertexId(99))];
    assert!(fuse((&body, &positions), (&body, &positions), &beyond).is_err());
}
