//! Curves along which surfaces cross, and untangling: generated scenes, and real ones when `CRUMPLE_DATA` names their folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crumple::{
    BodyId, CurveEnd, CurveKind, CurvePart, Element, Error, Mesh, Reason, Scene, UntangleOptions, Untangled,
    VertexId,
};
use crumple_scenes::{Surface, shapes};

type Point = [f64; 3];

/// A sheet of `n` by `n` cells over the unit square, bent by a map.
fn sheet(n: usize, map: impl Fn(f64, f64) -> Point) -> Surface {
    let positions = shapes::sheet_uv(n, n).map(|(u, v)| map(u, v)).collect();
    Surface { positions, triangles: shapes::sheet_triangles(n, n) }
}

fn moved(surface: Surface, by: Point, scale: f64) -> Surface {
    surface.mapped(|p| std::array::from_fn(|k| scale * p[k] + by[k]))
}

fn scene(bodies: &[Surface]) -> Scene {
    let mut scene = Scene::new();
    for (k, body) in bodies.iter().enumerate() {
        let mesh = Mesh::from_triangles(format!("body {k}"), body.positions.len(), &body.triangles);
        scene.add(mesh.expect("a mesh"), &body.positions).expect("finite");
    }
    scene
}

fn untangled(scene: &mut Scene) -> Untangled {
    scene.untangle(&UntangleOptions::default()).expect("untangles")
}

/// Waves, so that nothing lies in a plane.
fn wave(x: f64, y: f64) -> f64 {
    0.003 * (37.0 * x).sin() * (23.0 * y).cos()
}

fn flat(n: usize) -> Surface {
    sheet(n, |x, y| [x, wave(x, y), y])
}

/// A sheet with a dent that goes through a flat one.
fn bump(n: usize) -> Surface {
    sheet(n, |x, y| {
        let r_sq = (x - 0.51).powi(2) + (y - 0.48).powi(2);
        [x, 0.03 - 0.12 * (-r_sq / 0.02).exp(), y]
    })
}

fn layers(n: usize) -> Vec<Surface> {
    let layer = |k: f64| {
        move |x: f64, y: f64| {
            let bend = (6.0 * x + 2.3 * k).sin() * (5.0 * y + 1.7 * k).cos();
            [x, 0.02 * k + 0.05 * bend, y]
        }
    };
    (0..5).map(|k| sheet(n, layer(f64::from(k)))).collect()
}

/// A strip in the shape of an alpha, its ends passed through each other.
fn folded(n: usize) -> Surface {
    sheet(n, |x, y| {
        let t = 1.3 * (2.0 * x - 1.0);
        [t * t * t - 0.55 * t + 0.02 * y, 0.9 * t * t, y]
    })
}

/// Half of a cloth is inside a ball.
fn half_inside() -> Vec<Surface> {
    let cloth = sheet(24, |x, y| [0.1 + 0.8 * x, 0.05 + wave(x, y), 0.9 * (y - 0.5)]);
    vec![moved(shapes::icosphere(10), [0.0; 3], 0.5), cloth]
}

/// Positions of all bodies.
fn positions(scene: &Scene) -> Vec<Vec<Point>> {
    scene.ids().map(|id| scene.positions(id).expect("there").to_vec()).collect()
}

#[test]
fn two_balls_cross_along_one_closed_curve() {
    let mut scene = scene(&[shapes::icosphere(8), moved(shapes::icosphere(8), [1.31, 0.12, 0.07], 0.9)]);
    let contacts = scene.contacts().expect("contacts");
    let curves = scene.intersection_curves().expect("curves");
    assert_eq!((curves.len(), curves[0].kind), (1, CurveKind::Closed));
    let curve = &curves[0];
    assert_eq!(curve.bodies, [BodyId(0), BodyId(1)]);
    // Every intersecting pair is one segment of the curve, once.
    let pairs: BTreeSet<_> = curve.triangles.iter().copied().collect();
    assert_eq!((pairs.len(), curve.triangles.len()), (contacts.len(), contacts.len()));
    assert!(contacts.iter().all(|c| pairs.contains(&[c.a.id, c.b.id])));
    assert_eq!(curve.points.len(), curve.triangles.len());
    let places = scene.places().expect("places");
    assert!((places[0].length - curve.length).abs() < 1e-9);
    // Each side is cut in two, and the smaller part is what is inside the other ball.
    for (side, (centre, radius)) in [([1.31, 0.12, 0.07], 0.9), ([0.0; 3], 1.0)].into_iter().enumerate() {
        let cap = curve.cut_off[side].as_ref().expect("a cap");
        let points = scene.positions(BodyId(side as u32)).expect("there");
        let distance = |p: &Point| (0..3).map(|k| (p[k] - centre[k]).powi(2)).sum::<f64>().sqrt();
        let far = cap.iter().map(|v| distance(&points[v.index()])).fold(0.0, f64::max);
        assert!(!cap.is_empty() && far < radius, "{far}");
    }
    // Weights lead to the points.
    for point in &curve.points {
        for side in 0..2 {
            let (mesh, at) = (scene.mesh(curve.bodies[side]), scene.positions(curve.bodies[side]));
            let (mesh, at) = (mesh.expect("there"), at.expect("there"));
            let corners = match point.parts[side] {
                CurvePart::Vertex(v) => vec![v],
                CurvePart::Edge(ends) => ends.to_vec(),
                CurvePart::Triangle(t) => mesh.triangles()[t.index()].to_vec(),
            };
            for k in 0..3 {
                let sum: f64 =
                    corners.iter().zip(point.weights[side]).map(|(v, w)| w * at[v.index()][k]).sum();
                assert!((sum - point.point[k]).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn the_gradient_is_that_of_the_length() {
    let mut scene = scene(&[shapes::icosphere(5), moved(shapes::icosphere(4), [1.31, 0.12, 0.07], 0.9)]);
    let curve = scene.intersection_curves().expect("curves")[0].clone();
    let given = positions(&scene);
    let mut length_with = |v: Element<VertexId>, k: usize, by: f64| {
        let mut moved = given[v.body.index()].clone();
        moved[v.id.index()][k] += by;
        scene.set_positions(v.body, &moved).expect("finite");
        let curves = scene.intersection_curves().expect("curves");
        scene.set_positions(v.body, &given[v.body.index()]).expect("finite");
        (curves[0].points.len(), curves[0].length)
    };
    let mut compared = 0;
    for &(v, gradient) in curve.gradient.iter().step_by(5) {
        for k in 0..3 {
            let h = 1e-6;
            let ((n, above), (m, below)) = (length_with(v, k, h), length_with(v, k, -h));
            // Where an edge begins or ceases to be cut, the length has no derivative.
            if n == curve.points.len() && m == n {
                let slope = (above - below) / (2.0 * h);
                assert!((slope - gradient[k]).abs() < 1e-4 * (1.0 + slope.abs()), "{slope} {gradient:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn curves_end_at_borders_and_in_shared_vertices() {
    // Edges of one meet no edge of the other.
    let upright = sheet(8, |x, y| [0.473, 0.8 * x - 0.33, 0.113 + 0.77 * y]);
    let mut crossed = scene(&[flat(10), upright]);
    let curves = crossed.intersection_curves().expect("curves");
    assert_eq!(curves.len(), 1);
    assert_eq!(curves[0].kind, CurveKind::Open([CurveEnd::Border; 2]));
    // The narrower sheet is cut in two, the other has a slit.
    assert!(curves[0].cut_off[0].is_none() && curves[0].cut_off[1].is_some());
    // Two triangles with a common vertex, one through the other.
    let mesh = Mesh::from_triangles("pair", 5, &[[0, 1, 2], [0, 3, 4]]).expect("a mesh");
    let points = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, -1.0], [1.5, 2.0, 1.0]];
    let mut pair = Scene::new();
    pair.add(mesh, &points[..]).expect("finite");
    let curves = pair.intersection_curves().expect("curves");
    assert_eq!(curves.len(), 1);
    let CurveKind::Open(mut ends) = curves[0].kind else { panic!("{:?}", curves[0].kind) };
    ends.sort();
    assert_eq!(ends, [CurveEnd::Border, CurveEnd::Vertex]);
}

#[test]
fn crossings_are_undone() {
    let tilted = sheet(20, |x, y| [x + 0.013, 0.2 * (x - 0.45), y + 0.017]);
    let upright = sheet(20, |x, y| [0.473, 0.8 * x - 0.33, 0.1 + 0.8 * y]);
    let corner = sheet(20, |x, y| [0.473, 0.8 * x - 0.33, 0.601 + 0.8 * y]);
    let balls =
        vec![moved(shapes::icosphere(8), [0.0; 3], 0.5), moved(shapes::icosphere(8), [0.7, 0.11, 0.05], 0.4)];
    // What crosses, and how far it may be moved at most.
    let cases: [(&str, Vec<Surface>, f64); 8] = [
        ("a dent through a sheet", vec![flat(24), bump(24)], 0.15),
        ("tilted sheets", vec![flat(20), tilted], 0.3),
        ("crossed sheets", vec![flat(20), upright], 0.6),
        ("sheets crossed at their sides", vec![flat(20), corner], 0.6),
        ("five layers", layers(24), 0.25),
        ("a sheet folded through itself", vec![folded(24)], 1.3),
        ("a cloth half inside a ball", half_inside(), 0.6),
        ("two balls", balls, 0.4),
    ];
    for (name, bodies, bound) in cases {
        let mut scene = scene(&bodies);
        let before = scene.contacts().expect("contacts").len();
        let done = untangled(&mut scene);
        assert!(before > 0 && done.before == before, "{name}");
        assert!(done.after == 0 && done.left.is_empty(), "{name}: {done:?}");
        assert!(scene.contacts().expect("contacts").is_empty(), "{name}");
        assert!(done.largest > 0.0 && done.largest < bound, "{name}: {}", done.largest);
        // The report tells how far vertices went.
        let (now, given) = (positions(&scene), bodies.iter().map(|b| &b.positions));
        let moves = now.iter().flatten().zip(given.flatten());
        let moves: Vec<f64> = moves
            .map(|(p, q)| (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt())
            .filter(|d| *d > 0.0)
            .collect();
        assert_eq!(done.moved, moves.len(), "{name}");
        assert!((done.largest - moves.iter().copied().fold(0.0, f64::max)).abs() < 1e-15, "{name}");
    }
}

#[test]
fn a_rod_through_a_ring_is_moved_aside() {
    // Neither end of the rod is near: drawn all the way through, it would go 1.
    let rod = shapes::icosphere(16).mapped(|[x, y, z]| [1.03 + 0.12 * x, 0.02 + 0.12 * y, 0.013 + z]);
    let mut scene = scene(&[shapes::torus(60, 20, 1.0, 0.2), rod]);
    assert_eq!(scene.intersection_curves().expect("curves").len(), 2);
    let done = untangled(&mut scene);
    assert!(done.before > 300 && done.after == 0 && done.largest < 0.5, "{done:?}");
    assert!(scene.contacts().expect("contacts").is_empty());
}

#[test]
fn what_is_crumpled_into_itself_is_made_fair() {
    let mut ball = shapes::icosphere(14);
    let mut bits = 7_u64;
    let mut random = || {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (bits >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    // Farther than an edge is long.
    for p in ball.positions.iter_mut().filter(|p| p[2] > 0.85) {
        *p = p.map(|x| x + 0.12 * random());
    }
    let mut scene = scene(&[ball]);
    let done = untangled(&mut scene);
    assert!(done.before > 300 && done.after == 0 && done.largest < 0.4, "{done:?}");
    assert!(scene.contacts().expect("contacts").is_empty());
}

#[test]
fn what_is_fixed_stays() {
    for fixed in [0, 1] {
        let bodies = half_inside();
        let mut scene = scene(&bodies);
        scene.set_fixed(BodyId(fixed), true).expect("there");
        let done = untangled(&mut scene);
        assert_eq!(done.after, 0, "body {fixed} fixed: {done:?}");
        assert_eq!(scene.positions(BodyId(fixed)).expect("there"), bodies[fixed as usize].positions);
    }
    let bodies = [flat(24), bump(24)];
    let mut scene = scene(&bodies);
    let mut options = UntangleOptions::default();
    options.fixed = (0..625).map(|v| Element { body: BodyId(0), id: VertexId(v) }).collect();
    assert_eq!(scene.untangle(&options).expect("untangles").after, 0);
    assert_eq!(scene.positions(BodyId(0)).expect("there"), bodies[0].positions);
    options.fixed.push(Element { body: BodyId(0), id: VertexId(625) });
    assert!(matches!(scene.untangle(&options), Err(Error::Param(_))));
    options.fixed = Vec::new();
    options.gap = Some(f64::NAN);
    assert!(matches!(scene.untangle(&options), Err(Error::Param(_))));
}

#[test]
fn nothing_is_moved_where_nothing_crosses() {
    let mut clean = scene(&[flat(12), sheet(12, |x, y| [x, 0.1, y])]);
    let given = positions(&clean);
    let done = untangled(&mut clean);
    assert_eq!((done.before, done.after, done.moved, done.rounds), (0, 0, 0, 0));
    assert_eq!(positions(&clean), given);
    // Far from the crossing vertices stay, bit for bit.
    let long = |y0: f64| sheet(10, move |x, y| [x, y0 + wave(x, y), 8.0 * y]);
    let poke = sheet(6, |x, y| [0.4 + 0.1 * x, 0.05 * y - 0.01, 0.3 + 0.05 * x]);
    let bodies = [long(0.0), poke];
    let mut local = scene(&bodies);
    let done = untangled(&mut local);
    assert!(done.before > 0 && done.after == 0);
    let now = local.positions(BodyId(0)).expect("there");
    let far = bodies[0].positions.iter().zip(now).filter(|(p, _)| p[2] > 7.0);
    assert!(far.clone().count() > 0);
    far.for_each(|(p, q)| assert_eq!(p, q));
}

#[test]
fn what_cannot_be_undone_is_told() {
    // A closed surface with one side crosses itself wherever its vertices are.
    let mut bottle = scene(&[shapes::klein_bottle(24, 12)]);
    let done = untangled(&mut bottle);
    assert!(done.after > 0 && done.after <= done.before);
    assert!(done.left.iter().all(|left| left.why == Reason::OneSided), "{:?}", done.left);
    assert_eq!(done.left.iter().map(|l| l.place.contacts).sum::<usize>(), done.after);
    // A ring that is fixed, and a membrane whose fixed rim is linked with it.
    let ring = shapes::torus(24, 8, 1.0, 0.2);
    let disc = shapes::disc(24, 8);
    // The outermost ring of the disc comes last.
    let rim = disc.positions.len() - 24..disc.positions.len();
    // It stands across the tube of the ring, its rim around the tube.
    let disc = disc.mapped(|[x, y, _]| [1.0 + 0.6 * x, 0.013 * x, 0.6 * y]);
    let mut linked = scene(&[ring, disc]);
    linked.set_fixed(BodyId(0), true).expect("there");
    let mut options = UntangleOptions::default();
    options.fixed = rim.map(|v| Element { body: BodyId(1), id: VertexId(v as u32) }).collect();
    let done = linked.untangle(&options).expect("untangles");
    assert!(done.before > 0 && done.after > 0 && done.after <= done.before, "{done:?}");
    assert_eq!(done.left[0].place.bodies, [BodyId(0), BodyId(1)]);
    assert!(done.left.iter().any(|left| left.why == Reason::Stuck), "{:?}", done.left);
    assert_eq!(linked.contacts().expect("contacts").len(), done.after);
    // Two fixed parts of one body.
    let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]]).expect("a mesh");
    let points =
        [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]];
    let mut two = Scene::new();
    two.add(mesh, &points[..]).expect("finite");
    let mut options = UntangleOptions::default();
    options.fixed = (0..6).map(|v| Element { body: BodyId(0), id: VertexId(v) }).collect();
    let done = two.untangle(&options).expect("untangles");
    assert_eq!((done.after, done.moved, done.left[0].why), (1, 0, Reason::Fixed));
}

#[test]
fn what_is_left_between_a_small_and_a_large_body_is_told() {
    let needle = moved(sheet(1, |x, y| [0.51 + 0.01 * x, 2.0 * y - 1.0, 0.48]), [0.0; 3], 1.0);
    let mut scene = scene(&[needle, flat(12)]);
    let mut options = UntangleOptions::default();
    options.rounds = 0;
    let done = scene.untangle(&options).expect("untangles");
    assert!(
        done.after > 0 && done.left.iter().all(|left| left.place.bodies == [BodyId(0), BodyId(1)]),
        "{done:?}"
    );
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let mut scene = scene(&layers(16));
            let done = untangled(&mut scene);
            (done, positions(&scene))
        })
    };
    assert_eq!(run(1), run(4));
}

/// Real bodies, one of them a tube that passes through itself, one a garment whose pieces slit each other at their borders.
#[test]
fn real_meshes_are_untangled() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA").map(PathBuf::from) else { return };
    let files = [
        "two-cubes-intersecting.ply",
        "spheres_intersecting.off",
        "two_spheres.stl",
        "self_intersectA.obj",
        "multilayer-drape.obj",
    ];
    for file in files {
        let read = crumple_io::read(&data.join("self-intersecting").join(file)).expect("readable");
        let mesh = Mesh::from_polygons(file, read.positions.len(), read.polygons.iter()).expect("a mesh");
        let mut scene = Scene::new();
        scene.add(mesh, &read.positions).expect("finite");
        let done = untangled(&mut scene);
        assert!(done.before > 0 && done.after == 0, "{file}: {done:?}");
        assert!(scene.contacts().expect("contacts").is_empty(), "{file}");
    }
}
