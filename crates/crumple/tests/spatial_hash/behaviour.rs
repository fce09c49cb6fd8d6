//! What else the hash promises: threads, single precision, other bodies, bad input, published rules, statistics.

use crumple::methods::brute_force::{Ask, BruteForce};
#[cfg(feature = "parallel")]
use crumple::methods::spatial_hash::published::TableKind;
use crumple::methods::spatial_hash::published::{HashFunction, InsideTest, PublishedParams};
use crumple::methods::spatial_hash::{Find, SpatialHashParams, VertexChoice};
use crumple::{
    Bodies, BodyId, BuildError, Contacts, Detector, Drawing, Frame, FrameError, Guarantee, Mesh, Pairs,
    Positions, Tone, VertexId,
};
use crumple_scenes::shapes::tet_box;

use crate::{Way, hash_at, mesh_of, oracle, published_at};

fn contacts(mesh: &Bodies, bodies: &[Positions<'_>], params: SpatialHashParams) -> Contacts {
    contacts_by(mesh, bodies, Way::Ours(params))
}

fn contacts_by(mesh: &Bodies, bodies: &[Positions<'_>], way: Way) -> Contacts {
    let frame = Frame::new(bodies);
    let mut hash = way.at(mesh, frame);
    let mut out = Contacts::default();
    hash.update(mesh, frame).unwrap().contacts(Pairs::All, &mut out);
    out
}

#[cfg(feature = "parallel")]
#[test]
fn one_thread_equals_two_and_five() {
    // Large enough for every loop to be shared out: 24,200 vertices.
    let scene = crumple_scenes::lazy("tets-E").expect("registered");
    let mesh = mesh_of(&scene);
    let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(1)).collect();
    let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
    let sorted = PublishedParams { table: TableKind::Sorted, ..Default::default() };
    for way in [Way::Ours(SpatialHashParams::default()), Way::Published(sorted)] {
        let [one, two, five] = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| contacts_by(&mesh, &bodies, way))
        });
        assert!(one.vertex_tets.len() > 500);
        assert_eq!(one, two);
        assert_eq!(one, five);
    }
}

#[test]
fn single_precision_is_widened() {
    let scene = crumple_scenes::lazy("tets-A").expect("registered");
    let mesh = mesh_of(&scene);
    let narrow: Vec<Vec<[f32; 3]>> =
        scene.bodies.iter().map(|b| b.positions(0).iter().map(|p| p.map(|x| x as f32)).collect()).collect();
    let wide: Vec<Vec<[f64; 3]>> =
        narrow.iter().map(|b| b.iter().map(|p| p.map(f64::from)).collect()).collect();
    let narrow: Vec<Positions<'_>> = narrow.iter().map(Positions::from).collect();
    let wide: Vec<Positions<'_>> = wide.iter().map(Positions::from).collect();
    for way in Way::both() {
        let answer = contacts_by(&mesh, &narrow, way);
        assert!(!answer.vertex_tets.is_empty());
        assert_eq!(answer, contacts_by(&mesh, &wide, way));
    }
}

#[test]
fn clusters_far_apart_wrap_and_are_still_right() {
    // The second body is 2^22 cells away and the third 2^45: their lattice points wrap, or are drawn together.
    let solid = tet_box([3, 2, 2], [3.0, 2.0, 2.0]);
    let at =
        |dx: f64| -> Vec<[f64; 3]> { solid.positions.iter().map(|p| [p[0] + dx, p[1] - dx, p[2]]).collect() };
    let far = 2f64.powi(22);
    let farther = 2f64.powi(45);
    let places: Vec<_> = [0.0, 0.25, far, far + 0.5, farther, farther + 0.5].map(at).into();
    let mut bodies: Vec<Mesh> = Vec::new();
    for _ in &places {
        bodies.push(Mesh::from_tets("solid", solid.positions.len(), &solid.tets).expect("valid"));
    }
    // One tet spans all of it.
    bodies.push(Mesh::from_tets("span", 4, &[[0, 1, 2, 3]]).expect("valid"));
    let span =
        vec![[-1.0, 1.0, 0.1], [2.0 * farther, -2.0 * farther, 0.3], [0.0, 2.0, 5.0], [3.0, 4.0, -9.0]];
    let mesh = Bodies::new(bodies).expect("small");
    let positions: Vec<Positions<'_>> =
        places.iter().map(Positions::from).chain([Positions::from(&span)]).collect();
    let find = Find { vertex_tets: true, edge_tets: true, triangle_pairs: true };
    let mut brute = BruteForce::new(Ask { triangles: true, vertices: true, edges: true });
    let mut truth = Contacts::default();
    brute.update(&mesh, Frame::new(&positions)).expect("finite").contacts(Pairs::All, &mut truth);
    assert!(truth.vertex_tets.len() > 60 && truth.edge_tets.len() > 60 && truth.triangle_pairs.len() > 60);
    assert_eq!(contacts(&mesh, &positions, SpatialHashParams { find, ..Default::default() }), truth);
}

#[test]
fn mixed_sizes_have_several_levels() {
    let fine = tet_box([8, 8, 8], [1.0; 3]).mapped(|p| [p[0] + 0.1, p[1] - 0.2, p[2] + 0.3]);
    let coarse = tet_box([6, 6, 6], [60.0; 3]).mapped(|p| [p[0] + 0.3, p[1], 0.9 * p[2] + 0.1 * p[0]]);
    let body =
        |s: &crumple_scenes::Solid| Mesh::from_tets("solid", s.positions.len(), &s.tets).expect("valid");
    let mesh = Bodies::new([body(&fine), body(&coarse)]).expect("small");
    let positions = [Positions::from(&fine.positions), Positions::from(&coarse.positions)];
    let frame = Frame::new(&positions);
    let mut hash = hash_at(&mesh, frame, SpatialHashParams::default()).expect("valid");
    let ready = hash.update(&mesh, frame).unwrap();
    ready.validate().expect("invariants hold");
    let mut drawing = Drawing::default();
    ready.draw(&mut drawing);
    for level in 0..3 {
        assert_eq!(drawing.boxes.iter().any(|b| b.2 == Tone::Level(level)), level < 2, "level {level}");
    }
    let truth = oracle(&mesh, frame, Pairs::All).vertex_tets;
    assert!(truth.len() >= fine.positions.len());
    assert_eq!(contacts(&mesh, &positions, SpatialHashParams::default()).vertex_tets, truth);
}

#[test]
fn a_mesh_may_change_between_frames() {
    let solid = tet_box([2, 2, 2], [2.0; 3]);
    let shifted: Vec<[f64; 3]> = solid.positions.iter().map(|p| p.map(|x| x + 0.3)).collect();
    let body = Mesh::from_tets("solid", solid.positions.len(), &solid.tets).expect("valid");
    let fewer = Mesh::from_tets("solid", solid.positions.len(), &solid.tets[7..]).expect("valid");
    let mesh = Bodies::new([body.clone(), body]).expect("small");
    let positions = [Positions::from(&solid.positions), Positions::from(&shifted)];
    let frame = Frame::new(&positions);
    let any_size = PublishedParams { table_size: None, ..Default::default() };
    for way in [Way::Ours(SpatialHashParams::default()), Way::Published(any_size)] {
        let mut hash = way.at(&mesh, frame);
        let next = mesh.with_mesh(BodyId(1), fewer.clone()).expect("small");
        let mut out = Contacts::default();
        hash.update(&next, frame).expect("finite").contacts(Pairs::All, &mut out);
        assert_eq!(out.vertex_tets, contacts_by(&next, &positions, way).vertex_tets);
        assert_ne!(out.vertex_tets, contacts_by(&mesh, &positions, way).vertex_tets);
        hash.update(&next, frame).unwrap().validate().expect("invariants hold");
    }
}

#[test]
fn empty_meshes_and_points_have_no_contacts() {
    let empty = Bodies::new([]).expect("small");
    assert!(contacts(&empty, &[], SpatialHashParams::default()).is_empty());
    let mesh = Bodies::new([
        Mesh::from_points("points", 2).expect("valid"),
        Mesh::from_tets("none", 0, &[]).expect("valid"),
    ]);
    let points = vec![[0.0; 3]; 2];
    let none: Vec<[f64; 3]> = Vec::new();
    let positions = [Positions::from(&points), Positions::from(&none)];
    for way in Way::both() {
        assert!(contacts_by(mesh.as_ref().expect("small"), &positions, way).is_empty());
    }
}

#[test]
fn bad_input_is_refused() {
    let mesh = Bodies::new([Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]]).expect("valid")]).expect("small");
    let good = vec![[0.0; 3]; 4];
    let good = [Positions::from(&good)];
    for size in [0.0, f64::NAN] {
        let params = SpatialHashParams { cell_size: Some(size), ..Default::default() };
        let error = hash_at(&mesh, Frame::new(&good), params).expect_err("refused");
        assert!(matches!(error, BuildError::Param(e) if e.parameter == "cell_size"));
    }
    for size in [0, u32::MAX] {
        let params = PublishedParams { table_size: Some(size), ..Default::default() };
        let error = published_at(&mesh, Frame::new(&good), params).expect_err("refused");
        assert!(matches!(error, BuildError::Param(e) if e.parameter == "table_size"));
    }
    let bad = vec![[0.0; 3], [f64::NAN; 3], [0.0; 3], [0.0; 3]];
    let bad = [Positions::from(&bad)];
    let mut hash = hash_at(&mesh, Frame::new(&good), SpatialHashParams::default()).expect("valid");
    let error = hash.update(&mesh, Frame::new(&bad)).expect_err("refused");
    assert!(matches!(error, FrameError::NotFinite { vertex: VertexId(1), .. }));
}

#[test]
fn as_published_finds_what_is_not_degenerate() {
    let scene = crumple_scenes::lazy("tets-A").expect("registered");
    let mesh = mesh_of(&scene);
    let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(0)).collect();
    let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
    let truth = oracle(&mesh, Frame::new(&bodies), Pairs::All).vertex_tets;
    assert!(truth.len() > 50);
    for test in [InsideTest::Barycentric, InsideTest::HalfSpaces] {
        let params = PublishedParams { test, ..Default::default() };
        let hash = published_at(&mesh, Frame::new(&bodies), params).expect("valid");
        assert_eq!(hash.guarantee(), Guarantee::AsPublished);
        assert_eq!(contacts_by(&mesh, &bodies, Way::Published(params)).vertex_tets, truth);
    }
}

#[test]
fn surface_vertices_only_on_request() {
    let solid = tet_box([4, 4, 4], [4.0; 3]);
    let shifted: Vec<[f64; 3]> =
        solid.positions.iter().map(|p| [p[0] + 0.3, p[1] + 0.2, p[2] + 0.1]).collect();
    let body = Mesh::from_tets("solid", solid.positions.len(), &solid.tets).expect("valid");
    let on_surface: Vec<bool> = {
        let mut on = vec![false; solid.positions.len()];
        body.triangles().iter().flatten().for_each(|v| on[v.index()] = true);
        on
    };
    let mesh = Bodies::new([body.clone(), body]).expect("small");
    let positions = [Positions::from(&solid.positions), Positions::from(&shifted)];
    let all = contacts(&mesh, &positions, SpatialHashParams::default()).vertex_tets;
    let wanted: Vec<_> =
        all.iter().filter(|c| on_surface[mesh.locate_vertex(c.vertex).1.index()]).copied().collect();
    assert!(!wanted.is_empty() && wanted.len() < all.len());
    let vertices = VertexChoice::Surface;
    let ours = SpatialHashParams { vertices, ..Default::default() };
    let published = PublishedParams { vertices, test: InsideTest::Exact, ..Default::default() };
    for way in [Way::Ours(ours), Way::Published(published)] {
        assert_eq!(contacts_by(&mesh, &positions, way).vertex_tets, wanted);
    }
}

#[test]
fn statistics_count_what_the_paper_counts() {
    let scene = crumple_scenes::lazy("tets-A").expect("registered");
    let mesh = mesh_of(&scene);
    let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(0)).collect();
    let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
    let frame = Frame::new(&bodies);
    let hits = oracle(&mesh, frame, Pairs::All).vertex_tets.len() as u64;
    let of = |params| published_at(&mesh, frame, params).expect("valid").statistics(&mesh, frame);
    let large = of(PublishedParams::default());
    assert_eq!((large.vertices, large.entries, large.hits), (1200, 9973, hits));
    assert!((large.load - 1200.0 / 9973.0).abs() < 1e-12);
    assert!(large.met > large.in_cell && large.in_cell > large.candidates && large.candidates > large.hits);
    // A table of one entry: every visit meets every vertex, and the cell kept with each sorts out the strangers.
    let one = of(PublishedParams { table_size: Some(1), ..Default::default() });
    assert_eq!((one.longest_entry, one.in_cell, one.candidates), (1200, large.in_cell, large.candidates));
    assert_eq!(one.met, (one.cells_per_tet * 1000.0).round() as u64 * 1200);
}

#[test]
fn the_picture_shows_cells_and_hits() {
    let scene = crumple_scenes::lazy("tets-A").expect("registered");
    let mesh = mesh_of(&scene);
    let positions: Vec<_> = scene.bodies.iter().map(|b| b.positions(0)).collect();
    let bodies: Vec<Positions<'_>> = positions.iter().map(Positions::from).collect();
    let frame = Frame::new(&bodies);
    let rows = PublishedParams { hash: HashFunction::Rows, ..Default::default() };
    for way in Way::both().into_iter().chain([Way::Published(rows)]) {
        let mut hash = way.at(&mesh, frame);
        let mut out = Contacts::default();
        hash.update(&mesh, frame).unwrap().contacts(Pairs::All, &mut out);
        let mut drawing = Drawing::default();
        hash.update(&mesh, frame).unwrap().draw(&mut drawing);
        let mut hit: Vec<_> = out.vertex_tets.iter().map(|c| c.vertex).collect();
        hit.dedup();
        assert_eq!(drawing.points.len(), hit.len());
        // Every vertex lies in a drawn cell.
        let margin = 1e-3;
        for p in positions.iter().flatten() {
            let near = |b: &([f64; 3], [f64; 3], _)| {
                (0..3).all(|k| b.0[k] - margin <= p[k] && p[k] <= b.1[k] + margin)
            };
            assert!(drawing.boxes.iter().any(near), "{p:?}");
        }
    }
}
