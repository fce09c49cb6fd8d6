//! Close vertices, edges and triangles: against brute force as sets, against exact rationals, and against another library's
//! counts.

#[path = "narrow/oracle.rs"]
#[allow(dead_code)]
mod oracle;

use crumple::methods::brute_force;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::narrow::Feature;
use crumple::{Bodies, BodyId, Closeness, Error, Frame, Mesh, Pairs, Proximity, VertexId};
use crumple_scenes::shapes;
use oracle::{Point, rational};
use proptest::prelude::*;

fn found(bodies: &Bodies, now: &[Vec<Point>], close: &Closeness<'_>, region_triangles: usize) -> Proximity {
    let params = DistanceHierarchyParams { region_triangles, ..Default::default() };
    let mut h = DistanceHierarchy::new(params).expect("valid");
    h.update(bodies, Frame::from(now)).expect("finite");
    let mut out = Proximity::default();
    h.proximity(close, &mut out).expect("a question");
    // The buffers and the layout are reused.
    let first = out.clone();
    h.proximity(close, &mut out).expect("a question");
    assert_eq!(out, first);
    out
}

fn position(bodies: &Bodies, now: &[Vec<Point>], v: VertexId) -> Point {
    let (body, local) = bodies.locate_vertex(v);
    now[body.index()][local.index()]
}

/// What must hold of every pair: weights lead to points that far apart, along the normal.
fn consistent(bodies: &Bodies, now: &[Vec<Point>], all: &Proximity, close: &Closeness<'_>) {
    let at = |v| position(bodies, now, v);
    // Points near the origin are sums of corners that need not be, and as far off as these allow.
    let size = now.iter().flatten().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    let check = |p: Point, q: Point, distance: f64, normal: Point| {
        let way: Point = std::array::from_fn(|k| p[k] - q[k]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((length - distance).abs() <= 1e-13 * size, "{length} {distance}");
        assert!((normal.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
        if distance > 1e-6 * size {
            let along: f64 = (0..3).map(|k| way[k] * normal[k]).sum();
            assert!((along - distance).abs() <= 1e-6 * distance, "{along} {distance}");
        }
        assert!(distance < close.distance || close.thickness.is_some());
    };
    for p in &all.vertex_triangles {
        let corners = bodies.triangles()[p.triangle.index()].map(at);
        let q = std::array::from_fn(|k| (0..3).map(|i| p.weights[i] * corners[i][k]).sum());
        check(at(p.vertex), q, p.distance, p.normal);
        let zeros = p.weights.iter().filter(|w| **w == 0.0).count();
        assert!(
            matches!(
                (p.feature, zeros),
                (Feature::Face, 0) | (Feature::Edge(_), 1) | (Feature::Vertex(_), 2)
            ),
            "{p:?}"
        );
    }
    for p in &all.edge_edges {
        let point = |e: [VertexId; 2], s: f64| {
            let [v, w] = e.map(at);
            std::array::from_fn(|k| (1.0 - s) * v[k] + s * w[k])
        };
        check(point(p.a, p.weights[0]), point(p.b, p.weights[1]), p.distance, p.normal);
    }
}

/// The pairs closer than a distance by exact arithmetic, by ids.
#[allow(clippy::type_complexity)]
fn exact(bodies: &Bodies, now: &[Vec<Point>], limit: f64) -> (Vec<(u32, u32)>, Vec<([u32; 2], [u32; 2])>) {
    let limit_sq = rational(limit) * rational(limit);
    let at = |v: u32| position(bodies, now, VertexId(v));
    let triangles: Vec<[u32; 3]> = bodies.triangles().iter().map(|t| t.map(|v| v.0)).collect();
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]).collect();
    edges.iter_mut().for_each(|e| e.sort_unstable());
    edges.retain(|[v, w]| v != w);
    edges.sort_unstable();
    edges.dedup();
    let (mut vertices, mut pairs) = (Vec::new(), Vec::new());
    for v in 0..bodies.vertex_count() as u32 {
        for (t, corners) in triangles.iter().enumerate().filter(|(_, c)| !c.contains(&v)) {
            if oracle::distance_sq(&[at(v)], &corners.map(at)) < limit_sq {
                vertices.push((v, t as u32));
            }
        }
    }
    for (i, &a) in edges.iter().enumerate() {
        for &b in edges[i + 1..].iter().filter(|b| !a.contains(&b[0]) && !a.contains(&b[1])) {
            if oracle::distance_sq(&a.map(at), &b.map(at)) < limit_sq {
                pairs.push((a, b));
            }
        }
    }
    (vertices, pairs)
}

/// Triangles on few vertices of a small grid: they share vertices, touch, align and vanish.
fn tangle() -> impl Strategy<Value = (Vec<[i8; 3]>, Vec<[u8; 3]>)> {
    let vertices = proptest::collection::vec(prop::array::uniform3(-3i8..=3), 4..=10);
    (vertices, proptest::collection::vec(prop::array::uniform3(0u8..100), 1..=7))
}

fn body(raw: &(Vec<[i8; 3]>, Vec<[u8; 3]>), unit: f64) -> (Mesh, Vec<Point>) {
    let n = raw.0.len() as u32;
    let triangles: Vec<[u32; 3]> = raw.1.iter().map(|t| t.map(|v| u32::from(v) % n)).collect();
    let positions = raw.0.iter().map(|p| p.map(|x| unit * f64::from(x))).collect();
    (Mesh::from_triangles("tangle", raw.0.len(), &triangles).expect("valid"), positions)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn tangles_equal_exact_arithmetic(
        raw in [tangle(), tangle()],
        unit in prop::sample::select(vec![1.0, 0.1, 1e-120, 1e-200, 1e30]),
        // Squared distances of the grid are met exactly: 1, 2, 1/2, 1/3 ...
        limit in prop::sample::select(vec![1.0, 2.0, 0.5f64.sqrt(), 2f64.sqrt(), (1.0f64 / 3.0).sqrt(), 1.5, 0.0, 1e-9]),
        region_triangles in 1usize..=8,
    ) {
        let parts = raw.each_ref().map(|r| body(r, unit));
        let bodies = Bodies::new(parts.iter().map(|p| p.0.clone())).expect("small");
        let now: Vec<Vec<Point>> = parts.iter().map(|p| p.1.clone()).collect();
        let close = Closeness::below(limit * unit);
        let all = found(&bodies, &now, &close, region_triangles);
        prop_assert_eq!(&all, &brute_force::proximity(&bodies, Frame::from(&now), &close).expect("finite"));
        let (vertices, edges) = exact(&bodies, &now, limit * unit);
        let ids: Vec<_> = all.vertex_triangles.iter().map(|p| (p.vertex.0, p.triangle.0)).collect();
        prop_assert_eq!(ids, vertices);
        let ids: Vec<_> = all.edge_edges.iter().map(|p| (p.a.map(|v| v.0), p.b.map(|v| v.0))).collect();
        prop_assert_eq!(ids, edges);
        if unit >= 0.1 {
            consistent(&bodies, &now, &all, &close);
        }
        for pairs in [Pairs::Within, Pairs::Between] {
            let close = Closeness { pairs, ..close };
            let some = found(&bodies, &now, &close, region_triangles);
            prop_assert_eq!(some, brute_force::proximity(&bodies, Frame::from(&now), &close).expect("finite"));
        }
    }
}

/// Two wavy spheres, one in the other.
fn shells() -> (Bodies, Vec<Vec<Point>>) {
    let (outer, inner) = (shapes::icosphere(6), shapes::icosphere(5));
    let wavy = |p: &Point, r: f64| p.map(|x| x * r * (1.0 + 0.05 * (9.0 * p[0] + 5.0 * p[1]).sin()));
    let now: Vec<Vec<Point>> = vec![
        outer.positions.iter().map(|p| wavy(p, 1.0)).collect(),
        inner.positions.iter().map(|p| wavy(p, 0.93)).collect(),
    ];
    let mesh = |s: &crumple_scenes::Surface| {
        Mesh::from_triangles("shell", s.positions.len(), &s.triangles).expect("valid")
    };
    (Bodies::new([mesh(&outer), mesh(&inner)]).expect("two"), now)
}

#[test]
fn shells_equal_brute_force_on_any_number_of_threads() {
    let (bodies, now) = shells();
    for distance in [0.02, 0.08, 0.15] {
        let close = Closeness::below(distance);
        let expected = brute_force::proximity(&bodies, Frame::from(&now), &close).expect("finite");
        assert!(expected.vertex_triangles.len() + expected.edge_edges.len() > 10 || distance < 0.05);
        consistent(&bodies, &now, &expected, &close);
        for region_triangles in [64, 7] {
            assert_eq!(found(&bodies, &now, &close, region_triangles), expected);
        }
        #[cfg(feature = "parallel")]
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            assert_eq!(pool.install(|| found(&bodies, &now, &close, 16)), expected, "{threads} threads");
        }
    }
}

#[test]
fn thickness_is_half_and_half() {
    let (bodies, now) = shells();
    let thickness = [0.1, 0.06];
    let close = Closeness { thickness: Some(&thickness), ..Closeness::below(0.0) };
    let all = found(&bodies, &now, &close, 64);
    assert_eq!(all, brute_force::proximity(&bodies, Frame::from(&now), &close).expect("finite"));
    let ids = |p: &Proximity| p.vertex_triangles.iter().map(|p| (p.vertex, p.triangle)).collect::<Vec<_>>();
    let between = found(&bodies, &now, &Closeness { pairs: Pairs::Between, ..close }, 64);
    assert_eq!(
        ids(&between),
        ids(&found(&bodies, &now, &Closeness { pairs: Pairs::Between, ..Closeness::below(0.08) }, 64))
    );
}

#[test]
fn what_is_close_at_rest_is_no_contact() {
    // A strip that is bent until its ends nearly meet.
    let n = 24;
    let strip = |bend: f64| -> Vec<Point> {
        (0..=n)
            .flat_map(|i| {
                let a = bend * f64::from(i) / f64::from(n);
                let p = if bend == 0.0 {
                    [f64::from(i) / f64::from(n), 0.0]
                } else {
                    [a.sin() / bend, (1.0 - a.cos()) / bend]
                };
                [[p[0], p[1], 0.0], [p[0], p[1], 0.05]]
            })
            .collect()
    };
    let quads = |i: u32| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]];
    let triangles: Vec<[u32; 3]> = (0..n as u32).flat_map(quads).collect();
    let bodies =
        Bodies::new([Mesh::from_triangles("strip", 2 * (n as usize + 1), &triangles).expect("valid")])
            .expect("one");
    let (rest, bent) = (vec![strip(0.0)], vec![strip(6.1)]);
    let plain = Closeness::below(0.06);
    let all = found(&bodies, &bent, &plain, 8);
    let close = Closeness { rest: Some(Frame::from(&rest)), ..plain };
    let some = found(&bodies, &bent, &close, 8);
    assert_eq!(some, brute_force::proximity(&bodies, Frame::from(&bent), &close).expect("finite"));
    assert!(!some.is_empty() && some.vertex_triangles.len() < all.vertex_triangles.len() / 4);
    let first = |v: VertexId| v.0 < 8;
    assert!(some.edge_edges.iter().all(|p| first(p.a[0]) && !first(p.b[0])), "only the ends meet");
    assert!(found(&bodies, &rest, &close, 8).is_empty());
}

#[test]
fn questions_that_cannot_be_asked() {
    let (bodies, now) = shells();
    let mut h = DistanceHierarchy::new(DistanceHierarchyParams::default()).expect("valid");
    h.update(&bodies, Frame::from(&now)).expect("finite");
    let mut out = Proximity::default();
    let mut refused = |close: Closeness<'_>| matches!(h.proximity(&close, &mut out), Err(Error::Param(_)));
    assert!(
        refused(Closeness::below(f64::NAN))
            && refused(Closeness::below(-1.0))
            && refused(Closeness::below(f64::INFINITY))
    );
    assert!(refused(Closeness { thickness: Some(&[1.0]), ..Closeness::below(1.0) }));
    let short = vec![now[0].clone()];
    assert!(refused(Closeness { rest: Some(Frame::from(&short)), ..Closeness::below(1.0) }));
    assert!(!refused(Closeness::below(0.0)));
    let none = Bodies::new([]).expect("none");
    h.update(&none, Frame::new(&[])).expect("nothing");
    h.proximity(&Closeness::below(1.0), &mut out).expect("nothing");
    assert!(out.is_empty() && BodyId(0).index() == 0);
}

/// The mesh and the positions of a row: a file, or a frame of a sequence.
fn load(data: &std::path::Path, name: &str) -> (Mesh, Vec<Point>) {
    let (file, frame) =
        name.split_once('#').map_or((name, None), |(f, k)| (f, Some(k.parse::<usize>().expect("a frame"))));
    let path = data.join(file);
    let path = if frame.is_some() { path.join("topology.obj") } else { path };
    let mesh = crumple_io::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let fan = |p: &[u32]| (1..p.len() - 1).map(|k| [p[0], p[k], p[k + 1]]).collect::<Vec<_>>();
    let triangles: Vec<[u32; 3]> = mesh.polygons.iter().flat_map(fan).collect();
    let mut positions: Vec<Point> = mesh.positions.clone();
    if let Some(k) = frame {
        let bytes = std::fs::read(data.join(file).join("positions.f32")).expect("frames");
        let size = 12 * positions.len();
        let one = &bytes[k * size..][..size];
        let number = |i: usize| f64::from(f32::from_le_bytes(one[4 * i..][..4].try_into().expect("four")));
        positions =
            (0..positions.len()).map(|v| [number(3 * v), number(3 * v + 1), number(3 * v + 2)]).collect();
    }
    (Mesh::from_triangles(name, positions.len(), &triangles).expect("valid"), positions)
}

#[test]
fn counts_agree_with_another_library_when_the_data_is_there() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA").map(std::path::PathBuf::from) else {
        println!("CRUMPLE_DATA is not set: not compared");
        return;
    };
    let table = std::fs::read_to_string(data.join("truth/proximity.csv")).expect("a table");
    for row in table.lines().skip(1).map(|l| l.split(',').collect::<Vec<_>>()) {
        let (mesh, positions) = load(&data, row[0]);
        let bodies = Bodies::new([mesh]).expect("one");
        // The table has three digits of the distance, so the truth is between the counts at either end of what they mean.
        let distance: f64 = row[1].parse().expect("a number");
        let half = 0.5 * 10f64.powi(distance.log10().floor() as i32 - 2);
        let now = [positions];
        let count = |d: f64| {
            let all = found(&bodies, &now, &Closeness::below(d), 64);
            [all.vertex_triangles.len(), all.edge_edges.len()]
        };
        let (least, most) = (count(distance - half), count(distance + half));
        for k in 0..2 {
            let truth: usize = row[2 + k].parse().expect("a number");
            assert!((least[k]..=most[k]).contains(&truth), "{row:?}: {least:?} {most:?}");
        }
        println!("{row:?}: {least:?} to {most:?}");
    }
}

/// Needles from one vertex, or on one edge: boxes tell none of them apart.
#[test]
fn crowds_equal_brute_force_without_looking_at_every_pair() {
    let n = 600u32;
    let star: Vec<[u32; 3]> = (1..n).map(|i| [0, i, i + 1]).collect();
    let line = (1..=n).map(|i| [f64::from(i), 0.0, 1.0]);
    let fan: Vec<[u32; 3]> = (2..n).map(|i| [0, 1, i]).collect();
    let apex = (1..n - 1).map(|i| [0.5, f64::from(i), f64::from(i * i % 97)]);
    let scenes = [
        (star, std::iter::once([0.0; 3]).chain(line).collect::<Vec<Point>>()),
        (fan, [[0.0; 3], [1.0, 0.0, 0.0]].into_iter().chain(apex).collect()),
    ];
    let mut pairs = 0;
    for (triangles, at) in scenes {
        let mesh = Mesh::from_triangles("crowd", at.len(), &triangles).expect("sound");
        let (bodies, now) = (Bodies::new([mesh]).expect("one"), vec![at]);
        for limit in [1e-6, 1e-3, 0.05] {
            let close = Closeness::below(limit);
            let mut h = DistanceHierarchy::new(DistanceHierarchyParams::default()).expect("valid");
            h.update(&bodies, Frame::from(&now)).expect("finite");
            let mut out = Proximity::default();
            let stats = h.proximity(&close, &mut out).expect("a question");
            let expected = brute_force::proximity(&bodies, Frame::from(&now), &close).expect("finite");
            assert_eq!(out, expected, "{limit}");
            if limit < 1e-3 {
                assert!(stats.candidates < 400 * u64::from(n), "{limit} {}", stats.candidates);
            }
            pairs += out.len();
        }
    }
    assert!(pairs > 1000, "{pairs}");
}

/// Distances that no number of single precision holds, seen from the scene: everything is close.
#[test]
fn margins_far_beyond_the_scene_find_all_pairs() {
    let grid = shapes::sheet(4, 3, [1.0, 1.0]);
    for scale in [1.0, 1e-60, 1e-200] {
        let at: Vec<Point> = grid.positions.iter().map(|p| p.map(|x| x * scale)).collect();
        let mesh = Mesh::from_triangles("sheet", at.len(), &grid.triangles).expect("valid");
        let (bodies, now) = (Bodies::new([mesh]).expect("one"), vec![at]);
        for distance in [8.0 * scale, 1e-4, 1e30, f64::MAX] {
            let close = Closeness::below(distance);
            let expected = brute_force::proximity(&bodies, Frame::from(&now), &close).expect("finite");
            assert_eq!(found(&bodies, &now, &close, 24), expected, "{scale} {distance}");
            assert!(expected.len() > 300 || distance < scale, "{scale} {distance}");
            let reach = vec![0.5 * distance; now[0].len()];
            let close = Closeness { reach: Some(&reach), ..Closeness::below(0.0) };
            let reaching = found(&bodies, &now, &close, 24);
            assert_eq!(reaching.len(), expected.len(), "{scale} reaching {distance}");
        }
    }
}

/// A strip of cells along an angle, two across; where each point is by angle and radius.
fn strip(cells: usize, angle: f64, at: impl Fn(f64, f64) -> Point) -> (Bodies, Vec<Vec<Point>>) {
    let grid = shapes::sheet(cells, 3, [1.0, 1.0]);
    let place = |p: &Point| at(angle * (p[0] + 0.5), 1.25 + 0.5 * p[1]);
    let now = vec![grid.positions.iter().map(place).collect()];
    let mesh = Mesh::from_triangles("strip", grid.positions.len(), &grid.triangles).expect("valid");
    (Bodies::new([mesh]).expect("one"), now)
}

/// Parts that lie over a plane are not searched where nothing in them can be close: what overlaps itself in the projection, and what comes
/// round to itself within the plane, must be found all the same.
#[test]
fn what_lies_over_a_plane_equals_brute_force() {
    let round = |t: f64, r: f64, z: f64| [r * t.cos(), r * t.sin(), z];
    let tau = std::f64::consts::TAU;
    let shapes = [
        ("a ramp of two turns", strip(60, 2.0 * tau, |t, r| round(t, r, 0.1 * t / tau))),
        ("a steep ramp", strip(60, 2.0 * tau, |t, r| round(t, r, 0.5 * t / tau))),
        ("a ring that nearly closes", strip(40, tau - 0.04, |t, r| round(t, r, 0.0))),
        ("a ring that overlaps", strip(40, tau + 0.1, |t, r| round(t, r, 0.02 * t / tau))),
        ("a wave", strip(50, 4.0, |t, r| [t, r, 0.4 * (5.0 * t).sin()])),
        ("a fold", strip(50, 4.0, |t, r| [(2.2 * t).sin(), r, 0.05 * t])),
        ("a saw", strip(80, 4.0, |t, r| [t, r + 0.2 * ((20.0 * t) as i32 % 2) as f64, 0.0])),
        ("a comb", strip(80, 4.0, |t, r| [t, if (20.0 * t) as i32 % 2 == 0 { r } else { 1.0 }, 0.1 * r])),
    ];
    for (name, (bodies, now)) in &shapes {
        for distance in [0.0, 0.01, 0.045, 0.06, 0.11, 0.2] {
            let close = Closeness::below(distance);
            let expected = brute_force::proximity(bodies, Frame::from(now), &close).expect("finite");
            for region_triangles in [64, 24, 5] {
                let all = found(bodies, now, &close, region_triangles);
                assert_eq!(all, expected, "{name} below {distance}, {region_triangles}");
            }
            // The same with reaches, of which some are longer.
            let long = |v: usize| if v.is_multiple_of(7) { 0.6 } else { 0.3 };
            let reach: Vec<f64> = (0..now[0].len()).map(|v| long(v) * distance).collect();
            let close = Closeness { reach: Some(&reach), ..Closeness::below(0.0) };
            let expected = brute_force::proximity(bodies, Frame::from(now), &close).expect("finite");
            assert_eq!(found(bodies, now, &close, 24), expected, "{name} reaching {distance}");
        }
    }
}
