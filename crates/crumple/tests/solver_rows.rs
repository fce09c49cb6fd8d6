//! What solvers take: reaches vertex by vertex, candidates, pairs from frame to frame, and rows of one form.

use crumple::methods::brute_force;
use crumple::{
    BodyId, ClosePairs, Closeness, Constraints, Frame, Mesh, PairHistory, Pairs, Proximity,
    ProximityCandidates, Resolution, Scene, TriangleKey, VertexId,
};
use crumple_scenes::shapes;

type Point = [f64; 3];

/// Two wavy sheets one over the other, and a ball that touches neither.
fn scene(gap: f64) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new();
    let wave = |z: f64| move |[x, y, _]: Point| [x, y, z + 0.05 * (7.0 * x).sin() * (5.0 * y).cos()];
    let mut ids = Vec::new();
    for (name, z) in [("low", 0.0), ("high", gap)] {
        let sheet = shapes::sheet(10, 9, [1.0, 1.0]).mapped(wave(z));
        let mesh = Mesh::from_triangles(name, sheet.positions.len(), &sheet.triangles).expect("a sheet");
        ids.push(scene.add(mesh, &sheet.positions[..]).expect("finite"));
    }
    let ball = shapes::icosphere(3).mapped(|p| [0.2 * p[0], 0.2 * p[1], 0.2 * p[2] + 0.35 + gap]);
    let mesh = Mesh::from_triangles("ball", ball.positions.len(), &ball.triangles).expect("a ball");
    ids.push(scene.add(mesh, &ball.positions[..]).expect("finite"));
    (scene, ids)
}

fn all_points(scene: &Scene) -> Vec<Vec<Point>> {
    scene.ids().map(|id| scene.positions(id).expect("there").to_vec()).collect()
}

fn keys(found: &Proximity) -> (Vec<[u32; 2]>, Vec<[u32; 4]>) {
    (
        found.vertex_triangles.iter().map(|p| [p.vertex.0, p.triangle.0]).collect(),
        found.edge_edges.iter().map(|p| [p.a[0].0, p.a[1].0, p.b[0].0, p.b[1].0]).collect(),
    )
}

/// The same by ids across bodies.
fn flat(scene: &Scene, found: &ClosePairs) -> (Vec<[u32; 2]>, Vec<[u32; 4]>) {
    let bodies = scene.bodies();
    let vertex = |b: BodyId, v: VertexId| bodies.vertex_range(b).start as u32 + v.0;
    let triangle = |b: BodyId, t: u32| bodies.triangle_range(b).start as u32 + t;
    let vt = found.vertex_triangles.iter();
    let ee = found.edge_edges.iter();
    (
        vt.map(|p| [vertex(p.vertex.body, p.vertex.id), triangle(p.triangle.body, p.triangle.id.0)])
            .collect(),
        ee.map(|p| {
            let [a, b] = [p.a, p.b].map(|e| e.id.map(|v| vertex(e.body, v)));
            [a[0], a[1], b[0], b[1]]
        })
        .collect(),
    )
}

#[test]
fn reaches_equal_brute_force_and_candidates_hold_all_pairs() {
    let (mut scene, _) = scene(0.1);
    let count = scene.bodies().vertex_count();
    let mut seed = 9_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 40) as f64 / (1 << 24) as f64
    };
    let reach: Vec<f64> = (0..count).map(|_| 0.09 * random() * random()).collect();
    let close = Closeness { reach: Some(&reach), ..Closeness::below(0.0) };
    let expected = {
        let points = all_points(&scene);
        brute_force::proximity(scene.bodies(), Frame::from(&points), &close).expect("finite")
    };
    let found = scene.proximity(&close).expect("a question");
    assert_eq!(flat(&scene, &found), keys(&expected));
    assert!(expected.vertex_triangles.len() > 20 && expected.edge_edges.len() > 20);
    // What only some bodies are named for.
    let named = [true, false, false];
    for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
        let close = Closeness { bodies: Some(&named), pairs, ..close };
        let points = all_points(&scene);
        let expected = brute_force::proximity(scene.bodies(), Frame::from(&points), &close).expect("finite");
        let found = scene.proximity(&close).expect("a question");
        assert_eq!(flat(&scene, &found), keys(&expected));
    }
    assert!(scene.proximity(&Closeness { bodies: Some(&named[1..]), ..close }).is_err());
    // Uniform reaches are a distance.
    let half = vec![0.06; count];
    let uniform = scene.proximity(&Closeness { reach: Some(&half), ..close }).expect("a question");
    let plain = scene.proximity(&Closeness::below(0.12)).expect("a question");
    assert!(uniform.vertex_triangles[..] == plain.vertex_triangles[..]);
    assert!(uniform.edge_edges[..] == plain.edge_edges[..]);
    for close in [close, Closeness::below(0.12)] {
        let exact = scene.proximity(&close).expect("a question");
        let exact = flat(&scene, &exact);
        let mut candidates = ProximityCandidates::default();
        let _ = scene.proximity_candidates(&close, &mut candidates).expect("a question");
        let mut vt: Vec<[u32; 2]> = candidates.vertex_triangles.iter().map(|(v, t)| [v.0, t.0]).collect();
        let mut ee: Vec<[u32; 4]> =
            candidates.edge_edges.iter().map(|[a, b]| [a[0].0, a[1].0, b[0].0, b[1].0]).collect();
        vt.sort_unstable();
        ee.sort_unstable();
        let sizes = (vt.len(), ee.len());
        vt.dedup();
        ee.dedup();
        assert_eq!((vt.len(), ee.len()), sizes, "each pair once");
        assert!(exact.0.iter().all(|p| vt.binary_search(p).is_ok()));
        assert!(exact.1.iter().all(|p| ee.binary_search(p).is_ok()));
        // Reaches that differ from vertex to vertex are bounded patch by patch: ten times as many at most here.
        assert!(vt.len() < 10 * exact.0.len() && ee.len() < 10 * exact.1.len(), "{sizes:?}");
    }
    let short = Closeness { reach: Some(&reach[1..]), ..Closeness::below(0.0) };
    assert!(scene.proximity(&short).is_err());
}

#[test]
fn filters_hold_before_the_search() {
    let (mut scene, ids) = scene(0.1);
    scene.ignore([ids[0], ids[1]], true).expect("there");
    scene.set_fixed(ids[1], true).expect("there");
    scene.set_fixed(ids[2], true).expect("there");
    let near = scene.proximity(&Closeness::below(0.3)).expect("a question");
    assert!(!near.edge_edges.is_empty());
    let is_fine = |a: BodyId, b: BodyId| {
        let pair = [a.min(b), a.max(b)];
        pair == [ids[0], ids[0]] || pair == [ids[0], ids[2]]
    };
    assert!(near.vertex_triangles.iter().all(|p| is_fine(p.vertex.body, p.triangle.body)));
    assert!(near.edge_edges.iter().all(|p| is_fine(p.a.body, p.b.body)));
}

#[test]
fn memory_is_used_again() {
    let (mut scene, _) = scene(0.1);
    let close = Closeness::below(0.12);
    let mut near = scene.proximity(&close).expect("a question");
    let (before, held) = (near.vertex_triangles.as_ptr(), near.clone());
    scene.proximity_into(&close, &mut near).expect("a question");
    assert_ne!(near.vertex_triangles.as_ptr(), before, "a clone holds it");
    let before = near.vertex_triangles.as_ptr();
    drop(held);
    scene.proximity_into(&close, &mut near).expect("a question");
    assert_eq!(near.vertex_triangles.as_ptr(), before);
}

#[test]
fn pairs_are_found_again_after_moves_edits_and_removals() {
    let (mut scene, ids) = scene(0.1);
    let close = Closeness::below(0.12);
    let mut history = PairHistory::default();
    let first = scene.proximity(&close).expect("a question");
    history.follow(&first, &scene).expect("there");
    assert_eq!(history.vertex_triangles.new.len(), first.vertex_triangles.len());
    assert!(history.edge_edges.kept.is_empty() && history.edge_edges.gone.is_empty());
    history.follow(&first, &scene).expect("there");
    let all: Vec<[u32; 2]> = (0..first.edge_edges.len() as u32).map(|i| [i, i]).collect();
    assert_eq!(history.edge_edges.kept, all);
    // Without some triangles of the low sheet all ids after them are other ones; keys are not.
    let mesh = scene.mesh(ids[0]).expect("there").clone();
    let mut edit = mesh.edit();
    for t in [3, 40] {
        edit.remove_triangle(TriangleKey(t)).expect("there");
    }
    let (after, _) = edit.finish();
    let at = scene.positions(ids[0]).expect("there").to_vec();
    scene.replace(ids[0], after, &at[..]).expect("fits");
    let second = scene.proximity(&close).expect("a question");
    history.follow(&second, &scene).expect("there");
    let rows = &history.vertex_triangles;
    let lost = first
        .vertex_triangles
        .iter()
        .filter(|p| p.triangle.body == ids[0] && [3, 40].contains(&p.triangle.id.0));
    assert!(rows.new.is_empty());
    assert_eq!(rows.gone.len(), lost.count());
    assert_eq!(rows.kept.len(), second.vertex_triangles.len());
    for &[before, now] in &rows.kept {
        let (p, q) = (&first.vertex_triangles[before as usize], &second.vertex_triangles[now as usize]);
        assert_eq!((p.vertex, p.distance, p.normal), (q.vertex, q.distance, q.normal));
    }
    scene.remove(ids[1]).expect("there");
    let third = scene.proximity(&close).expect("a question");
    history.follow(&third, &scene).expect("there");
    assert_eq!(history.vertex_triangles.kept.len(), third.vertex_triangles.len());
    assert!(history.vertex_triangles.new.is_empty());
}

#[test]
fn the_nearest_triangle_of_every_vertex() {
    let (mut scene, _) = scene(0.1);
    let near = scene.proximity(&Closeness::below(0.2)).expect("a question");
    let nearest: Vec<_> = near.nearest_triangles().collect();
    assert!(nearest.windows(2).all(|w| w[0].vertex < w[1].vertex));
    for row in &near.vertex_triangles {
        let best = nearest.iter().find(|p| p.vertex == row.vertex).expect("has one");
        assert!((best.distance, best.triangle) <= (row.distance, row.triangle));
    }
}

/// Moves every vertex of a row a little along its gradient; the value must grow as the row says.
fn grows_as_told(constraints: &Constraints, scene: &mut Scene, value_of: impl Fn(&mut Scene, usize) -> f64) {
    const STEP: f64 = 1e-7;
    for row in 0..constraints.len() {
        let (value, terms) = constraints.row(row);
        let before: Vec<Vec<Point>> = all_points(scene);
        let mut moved = before.clone();
        let mut expected = 0.0;
        for term in terms {
            let at = &mut moved[term.vertex.body.index()][term.vertex.id.index()];
            (0..3).for_each(|k| at[k] += STEP * term.gradient[k]);
            expected += STEP * term.gradient.iter().map(|g| g * g).sum::<f64>();
        }
        let ids: Vec<BodyId> = scene.ids().collect();
        let put = |scene: &mut Scene, all: &[Vec<Point>]| {
            ids.iter().for_each(|id| scene.set_positions(*id, &all[id.index()][..]).expect("finite"));
        };
        put(scene, &moved);
        let grown = value_of(scene, row) - value;
        put(scene, &before);
        assert!((grown - expected).abs() < 0.02 * expected + 1e-12, "row {row}: {grown} for {expected}");
    }
}

#[test]
fn rows_tell_how_values_change() {
    let (mut low, _) = scene(0.1);
    let close = Closeness::below(0.08);
    let near = low.proximity(&close).expect("a question");
    let mut constraints = Constraints::default();
    constraints.add_close_pairs(&near, 0.05, &low).expect("there");
    assert_eq!(constraints.len(), near.vertex_triangles.len() + near.edge_edges.len());
    assert!(constraints.iter().any(|(value, _)| value > 0.0));
    let rows = near.clone();
    let wide = Closeness::below(0.09);
    grows_as_told(&constraints, &mut low, |scene, row| {
        let now = scene.proximity(&wide).expect("a question");
        let distance = match row.checked_sub(rows.vertex_triangles.len()) {
            None => {
                let p = &rows.vertex_triangles[row];
                let same =
                    now.vertex_triangles.iter().find(|q| (q.vertex, q.triangle) == (p.vertex, p.triangle));
                same.expect("still close").distance
            }
            Some(row) => {
                let p = &rows.edge_edges[row];
                now.edge_edges.iter().find(|q| (q.a, q.b) == (p.a, p.b)).expect("still close").distance
            }
        };
        distance - 0.05
    });

    // Curves: a flat sheet through the wavy one. To go along a row makes its curve shorter.
    let (mut crossed, ids) = scene(0.1);
    let flat: Vec<Point> = crossed
        .positions(ids[1])
        .expect("there")
        .iter()
        .map(|p| [p[0] + 0.01, p[1] + 0.0137, 0.013 + 0.1 * p[0] + 0.03 * p[1]])
        .collect();
    crossed.set_positions(ids[1], &flat[..]).expect("finite");
    let curves = crossed.intersection_curves().expect("a question");
    assert!(!curves.is_empty());
    constraints.clear();
    constraints.add_curves(&curves);
    assert_eq!(constraints.len(), curves.len());
    let total = |curves: &[crumple::IntersectionCurve]| curves.iter().map(|c| c.length).sum::<f64>();
    let mut points = all_points(&crossed);
    for (value, terms) in constraints.iter() {
        assert!(value < 0.0 && !terms.is_empty());
        for term in terms {
            let at = &mut points[term.vertex.body.index()][term.vertex.id.index()];
            (0..3).for_each(|k| at[k] += 1e-5 * term.gradient[k]);
        }
    }
    for id in ids {
        crossed.set_positions(id, &points[id.index()][..]).expect("finite");
    }
    assert!(total(&crossed.intersection_curves().expect("a question")) < total(&curves));
}

#[test]
fn penetrations_and_volumes_push_bodies_apart() {
    let mut scene = Scene::new();
    let block = shapes::tet_box([3, 3, 3], [1.0, 1.0, 1.0]);
    let mesh = Mesh::from_tets("block", block.positions.len(), &block.tets).expect("a block");
    let shifted: Vec<Point> =
        block.positions.iter().map(|p| [p[0] + 0.9, p[1] + 0.03, p[2] + 0.02]).collect();
    let a = scene.add(mesh.clone(), &block.positions[..]).expect("finite");
    let b = scene.add(mesh, &shifted[..]).expect("finite");
    let inside = scene.penetrations().expect("a question");
    let mut constraints = Constraints::default();
    constraints.add_penetrations(&inside, &scene).expect("there");
    let gradient = scene.volumes().expect("closed").gradient([a, b], Resolution::rays(64)).expect("closed");
    constraints.add_volume([a, b], &gradient);
    assert_eq!(constraints.len(), inside.len() + 1);
    assert!(!inside.is_empty());
    for (value, terms) in constraints.iter() {
        assert!(value < 0.0);
        // No row pushes the two as a whole: what one gets, the other does.
        let sum = |k: usize| terms.iter().map(|t| t.gradient[k]).sum::<f64>();
        assert!((0..3).all(|k| sum(k).abs() < 1e-9), "{:?}", [sum(0), sum(1), sum(2)]);
    }
    let (volume, terms) = constraints.row(inside.len());
    assert!((volume + 0.1 * 0.97 * 0.98).abs() < 0.01, "{volume}");
    // Moving b along x by d shares d times the face less.
    let along: f64 = terms.iter().filter(|t| t.vertex.body == b).map(|t| t.gradient[0]).sum();
    assert!((along - 0.97 * 0.98).abs() < 0.05, "{along}");
}
