//! The distance hierarchy against brute force: every small scene with triangles, every frame, every way to set it up.

use crumple::methods::brute_force;
use crumple::methods::distance_hierarchy::{
    DistanceHierarchy, DistanceHierarchyParams, Partition, SplitRule,
};
use crumple::{Bodies, BodyId, Budget, Distance, Frame, Guarantee, Mesh, NearPair, Positions, VertexId};
use crumple_scenes::{Elements, LazyScene, Surface, shapes};
use proptest::prelude::*;

fn mesh_of(scene: &LazyScene) -> Bodies {
    Bodies::new(scene.bodies.iter().map(|b| {
        match &b.elements {
            Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
            Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
            Elements::Points => Mesh::from_points(&b.name, b.vertices),
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

fn with_frames(scene: &LazyScene, mut each: impl FnMut(usize, &Bodies, Frame<'_>)) {
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

fn built(mesh: &Bodies, frame: Frame<'_>, params: DistanceHierarchyParams) -> DistanceHierarchy {
    let mut hierarchy = DistanceHierarchy::new(params).expect("valid");
    hierarchy.update(mesh, frame).expect("finite");
    hierarchy
}

/// A rule of one's own, by numbers alone, that does not always add up.
#[derive(Debug)]
struct InOrder;

impl SplitRule for InOrder {
    fn split(&self, triangles: &mut [u32], _: &[[f64; 3]], depth: usize) -> Vec<usize> {
        triangles.sort_unstable();
        let third = triangles.len() / 3;
        if depth == 1 { vec![0, triangles.len()] } else { vec![third, triangles.len() - third] }
    }
}

fn ways() -> Vec<DistanceHierarchyParams> {
    let base = DistanceHierarchyParams::default();
    let own = Partition::Custom(std::sync::Arc::new(InOrder));
    vec![
        base.clone(),
        DistanceHierarchyParams { partition: Partition::Limbs, region_triangles: 7, ..base.clone() },
        DistanceHierarchyParams { partition: own, region_triangles: 9, ..base.clone() },
        DistanceHierarchyParams { partition: Partition::Octree, ..base.clone() },
        DistanceHierarchyParams { region_triangles: 5, ..base.clone() },
        DistanceHierarchyParams {
            region_triangles: 1,
            partition: Partition::Octree,
            warm_start: false,
            ..base
        },
    ]
}

/// Both orders of the first few bodies.
fn body_pairs(mesh: &Bodies) -> Vec<[BodyId; 2]> {
    let n = mesh.meshes().len().min(4) as u32;
    (0..n).flat_map(|a| (0..n).filter(move |&b| b != a).map(move |b| [BodyId(a), BodyId(b)])).collect()
}

#[test]
fn distances_equal_brute_force_on_every_scene() {
    for scene in scenes() {
        let mut kept: Vec<DistanceHierarchy> = Vec::new();
        with_frames(&scene, |f, mesh, frame| {
            let fresh = ways().into_iter().map(|w| built(mesh, frame, w));
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
                    let found = h.distance([a, b]).expect("bodies");
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
        let some = h.budgeted([a, b], Budget::visits(visits)).expect("bodies").expect("both have triangles");
        assert!(some.lower <= exact.upper, "{name}: {} > {}", some.lower, exact.upper);
        assert!(some.upper >= exact.lower, "{name}: {} < {}", some.upper, exact.lower);
        assert!(some.lower <= some.distance && some.distance <= some.upper);
        let apart: f64 = (0..3).map(|k| (some.a.point[k] - some.b.point[k]).powi(2)).sum::<f64>().sqrt();
        // Points are rounded as coordinates are: a million away by 1e-10.
        let reach = some.a.point.iter().chain(&some.b.point).fold(0.0, |m: f64, x| m.max(x.abs()));
        let doubt = 1e-12 * (1.0 + apart) + 2.0 * f64::EPSILON * reach;
        assert!((apart - some.distance).abs() <= doubt, "{name}: {apart} {}", some.distance);
        if some.guarantee == Guarantee::Proved {
            assert_eq!(&some, exact);
        }
    }
    h.forget();
    assert_eq!(h.budgeted([a, b], Budget::visits(u64::MAX)).expect("bodies").as_ref(), Some(exact));
}

#[test]
fn pairs_within_a_margin_equal_brute_force_on_every_scene() {
    for scene in scenes() {
        let mut kept: Option<DistanceHierarchy> = None;
        with_frames(&scene.clone().first(2), |f, mesh, frame| {
            let h = kept.get_or_insert_with(|| {
                let params = DistanceHierarchyParams { region_triangles: 12, ..Default::default() };
                built(mesh, frame, params)
            });
            h.update(mesh, frame).expect("finite");
            for [a, b] in body_pairs(mesh).into_iter().filter(|[a, b]| a < b) {
                let Some(d) = h.distance([a, b]).expect("bodies").map(|d| d.distance) else { continue };
                for margin in [0.0, d, d * 1.01, d + 0.05] {
                    let expected: Vec<NearPair> =
                        brute_force::pairs_closer_than(mesh, frame, a, b, margin).expect("finite");
                    let at = format!("{} frame {f} bodies {a} {b} margin {margin}", scene.name);
                    assert_eq!(h.closer_than([a, b], margin).expect("bodies"), expected, "{at}");
                    assert_eq!(
                        on_threads(2, || h.closer_than([a, b], margin).expect("bodies")),
                        expected,
                        "{at}, two threads"
                    );
                    vertex_pairs(h, mesh, frame, [a, b], margin, &at);
                }
                assert_eq!(
                    on_threads(2, || h.distance([a, b]).expect("bodies")),
                    h.distance([a, b]).expect("bodies")
                );
            }
        });
    }
}

fn position(mesh: &Bodies, frame: Frame<'_>, v: VertexId) -> [f64; 3] {
    let (body, local) = mesh.locate_vertex(v);
    frame.get(body).unwrap().get(local.index())
}

fn vertex_pairs(
    h: &mut DistanceHierarchy,
    mesh: &Bodies,
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
    let found: Vec<_> =
        h.vertices_closer_than([a, b], margin).expect("bodies").into_iter().map(|p| (p.a, p.b)).collect();
    assert_eq!(found, expected, "{at}, vertices");
    if mesh.meshes().len() == 2 {
        assert_eq!(h.count_vertices_closer_than(margin), expected.len() as u64, "{at}, vertices counted");
    }
}

/// Two wobbling spheres: one grows slowly, the other comes slowly closer, in steps far smaller than the gap.
fn slowly(frame: usize, spheres: &[Surface; 2]) -> [Vec<[f64; 3]>; 2] {
    let f = frame as f64;
    let wobble = |p: &[f64; 3], phase: f64| 1.0 + 0.05 * (5.0 * p[0] + 3.0 * p[2] + phase).sin();
    let first = spheres[0].positions.iter().map(|p| p.map(|x| x * wobble(p, 0.01 * f))).collect();
    let second = spheres[1].positions.iter().map(|p| {
        let w = wobble(p, 1.0 - 0.02 * f);
        [p[0] * w + 2.3 - 0.004 * f, p[1] * w + 0.3, p[2] * w - 0.002 * f]
    });
    [first, second.collect()]
}

#[test]
fn slow_motion_continues_from_the_front_and_stays_exact() {
    let spheres = [shapes::icosphere(7), shapes::icosphere(8)];
    let body = |s: &Surface| Mesh::from_triangles("sphere", s.positions.len(), &s.triangles).expect("valid");
    let mesh = Bodies::new([body(&spheres[0]), body(&spheres[1])]).expect("small");
    let (a, b) = (BodyId(0), BodyId(1));
    for (reuse_still, region_triangles) in [(false, 64), (true, 8)] {
        let mut kept: Option<DistanceHierarchy> = None;
        let (mut warm, mut cold) = (0, 0);
        for frame in 0..40 {
            // The first body stands still for a while, to the bit.
            let still = if (10..20).contains(&frame) { 10 } else { frame };
            let now = [slowly(still, &spheres)[0].clone(), slowly(frame, &spheres)[1].clone()];
            let bodies = [Positions::from(&now[0]), Positions::from(&now[1])];
            let at = Frame::new(&bodies);
            let params = DistanceHierarchyParams {
                reuse_still,
                region_triangles,
                ..DistanceHierarchyParams::default()
            };
            let mut fresh = built(&mesh, at, params.clone());
            let h = kept.get_or_insert_with(|| built(&mesh, at, params));
            h.update(&mesh, at).expect("finite");
            let found = h.distance([a, b]).expect("bodies");
            warm += h.stats().visits;
            assert_eq!(found, fresh.distance([a, b]).expect("bodies"), "frame {frame}");
            cold += fresh.stats().visits;
            if frame % 8 == 0 {
                assert_eq!(found, brute_force::distance(&mesh, at, a, b).expect("finite"), "frame {frame}");
            }
            assert_eq!(
                h.distance([b, a]).expect("bodies"),
                fresh.distance([b, a]).expect("bodies"),
                "frame {frame}, the other way"
            );
            h.validate(&mesh, at).expect("invariants hold");
        }
        // The front is dropped while a body stands still, unless that is allowed; then it saves a good part.
        assert!(warm < cold && (!reuse_still || 3 * warm < 2 * cold), "warm {warm}, cold {cold}");
    }
}

#[test]
fn creeping_bodies_rest_and_stay_exact_on_all_threads() {
    let spheres = [shapes::icosphere(10), shapes::icosphere(11)];
    let body = |s: &Surface| Mesh::from_triangles("sphere", s.positions.len(), &s.triangles).expect("valid");
    let mesh = Bodies::new([body(&spheres[0]), body(&spheres[1])]).expect("small");
    let from = slowly(0, &spheres);
    let to = slowly(1, &spheres);
    let warm = DistanceHierarchyParams { region_triangles: 16, ..DistanceHierarchyParams::default() };
    let cold = DistanceHierarchyParams { warm_start: false, ..warm.clone() };
    let mut kept: Vec<DistanceHierarchy> = Vec::new();
    let (mut few, mut many) = (0, 0);
    for frame in 0..60 {
        // A step is a five hundredth of what `slowly` takes; every twentieth is twenty of those.
        let t = f64::from(frame) / 500.0 + f64::from(frame / 20) * 20.0;
        let now = [0, 1].map(|b| -> Vec<[f64; 3]> {
            let ends = from[b].iter().zip(&to[b]);
            ends.map(|(p, q)| std::array::from_fn(|k| p[k] + t * (q[k] - p[k]))).collect()
        });
        let bodies = [Positions::from(&now[0]), Positions::from(&now[1])];
        let at = Frame::new(&bodies);
        if kept.is_empty() {
            let ways = [&warm, &warm, &cold].map(|w| built(&mesh, at, w.clone()));
            kept = ways.into_iter().collect();
        } else {
            kept.iter_mut().for_each(|h| h.update(&mesh, at).expect("finite"));
        }
        let [one, two, fresh] = &mut kept[..] else { unreachable!() };
        let expected = fresh.distance([BodyId(0), BodyId(1)]).expect("bodies");
        assert_eq!(
            on_threads(1, || one.distance([BodyId(0), BodyId(1)]).expect("bodies")),
            expected,
            "frame {frame}"
        );
        assert_eq!(
            on_threads(2, || two.all_pairs()[0].distance),
            expected.expect("triangles"),
            "frame {frame}"
        );
        if frame % 20 > 2 {
            many += fresh.stats().visits;
            few += one.stats().visits;
        }
        kept.iter().for_each(|h| h.validate(&mesh, at).expect("invariants hold"));
    }
    assert!(3 * few < many, "{few} pairs instead of {many}");
}

#[test]
fn vertex_distances_equal_brute_force() {
    let torus = shapes::torus(12, 8, 0.7, 0.2);
    let ball = shapes::icosphere(5);
    let body = |s: &Surface| Mesh::from_triangles("part", s.positions.len(), &s.triangles).expect("valid");
    let points: Vec<[f64; 3]> =
        (0..60).map(|i| [0.1 * f64::from(i) - 3.0, 0.3, 0.05 * f64::from(i)]).collect();
    let mesh =
        Bodies::new([body(&torus), body(&ball), Mesh::from_points("points", points.len()).expect("few")])
            .expect("small");
    let bodies = [&torus.positions, &ball.positions, &points].map(Positions::from);
    let mut h = built(&mesh, Frame::new(&bodies), DistanceHierarchyParams::default());
    for [a, b] in [[0, 1], [1, 0], [2, 0], [2, 1]].map(|p| p.map(BodyId)) {
        let found = h.vertex_distances([a, b]).expect("bodies").expect("a surface");
        assert_eq!(on_threads(2, || h.vertex_distances([a, b]).expect("bodies")).as_ref(), Some(&found));
        for (v, found) in found.iter().enumerate() {
            let p = bodies[a.index()].get(v);
            let closest = mesh.triangle_range(b).map(|t| {
                let corners = mesh.triangles()[t].map(|v| position(&mesh, Frame::new(&bodies), v));
                (crumple::narrow::point_tri::closest(&p, &corners), t)
            });
            let best = closest.min_by(|x, y| x.0.distance_sq.total_cmp(&y.0.distance_sq).then(x.1.cmp(&y.1)));
            let (best, t) = best.expect("triangles");
            assert_eq!((found.distance, found.triangle.index()), (best.distance_sq.sqrt(), t), "vertex {v}");
            assert_eq!((found.point, found.feature), (best.point, best.feature));
        }
    }
}

/// Some triangles on a small grid, so that they touch, align and vanish.
fn soup(triangles: usize) -> impl Strategy<Value = Vec<[[i8; 3]; 3]>> {
    proptest::collection::vec(prop::array::uniform3(prop::array::uniform3(-3i8..=3)), 1..=triangles)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn soups_on_a_grid_equal_brute_force(
        parts in [soup(24), soup(24)],
        shifts in proptest::collection::vec(prop::array::uniform3(-6i8..=6), 3),
        region_triangles in 1usize..=9,
        octree in any::<bool>(),
        unit in prop::sample::select(vec![1.0, 0.1, 1e-30, 3e20]),
    ) {
        let partition = if octree { Partition::Octree } else { Partition::Median };
        let params = DistanceHierarchyParams { partition, region_triangles, ..DistanceHierarchyParams::default() };
        let bodies = parts.iter().map(|p| {
            let triangles: Vec<[u32; 3]> = (0..p.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
            Mesh::from_triangles("soup", 3 * p.len(), &triangles).expect("valid")
        });
        let mesh = Bodies::new(bodies).expect("small");
        let (a, b) = (BodyId(0), BodyId(1));
        let mut kept: Option<DistanceHierarchy> = None;
        for shift in shifts {
            let place = |part: usize| -> Vec<[f64; 3]> {
                let moved = |x: i8, k: usize| unit * (f64::from(x) + f64::from(part as i8 * shift[k]));
                parts[part].as_flattened().iter().map(|p| std::array::from_fn(|k| moved(p[k], k))).collect()
            };
            let now = [place(0), place(1)];
            let bodies = [Positions::from(&now[0]), Positions::from(&now[1])];
            let at = Frame::new(&bodies);
            let h = kept.get_or_insert_with(|| built(&mesh, at, params.clone()));
            h.update(&mesh, at).expect("finite");
            h.validate(&mesh, at).expect("invariants hold");
            let exact = brute_force::distance(&mesh, at, a, b).expect("finite").expect("triangles");
            prop_assert_eq!(h.distance([a, b]).expect("bodies"), Some(exact));
            for margin in [0.0, unit, exact.distance] {
                let expected = brute_force::pairs_closer_than(&mesh, at, a, b, margin).expect("finite");
                prop_assert_eq!(h.closer_than([a, b], margin).expect("bodies"), expected);
                vertex_pairs(h, &mesh, at, [a, b], margin, "grid");
            }
            for visits in [0, 3, 10] {
                let some = h.budgeted([a, b], Budget::visits(visits)).expect("bodies").expect("triangles");
                prop_assert!(some.lower <= exact.upper && exact.lower <= some.upper);
            }
        }
    }
}

/// What two bodies do from one frame to the next.
#[derive(Debug, Clone)]
enum Move {
    /// The second body goes on by some ten thousandths.
    Creep([i8; 3]),
    /// Both turn together by some hundredths, and one wobbles by less.
    Turn(i8),
    /// The second body is somewhere else at once.
    Jump([i8; 3]),
    /// One vertex of the first body leaps.
    Teleport(usize, [i8; 3]),
    /// Each takes the other's place.
    Swap,
    /// Everything goes to the nearest point of a coarse grid, where there are ties.
    Snap,
    /// Nothing moves.
    Stay,
    /// As creeping, but nobody asks.
    Skip([i8; 3]),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let small = || prop::array::uniform3(-9i8..=9);
    let slow = prop_oneof![small().prop_map(Move::Creep), (-9i8..=9).prop_map(Move::Turn)];
    let sudden = prop_oneof![
        small().prop_map(Move::Jump),
        (0usize..1000, small()).prop_map(|(v, by)| Move::Teleport(v, by)),
        Just(Move::Swap),
        Just(Move::Snap),
        Just(Move::Stay),
        small().prop_map(Move::Skip),
    ];
    proptest::collection::vec(prop_oneof![4 => slow, 1 => sudden], 12)
}

fn shift(body: &mut [[f64; 3]], by: [i8; 3], unit: f64) {
    body.iter_mut().for_each(|p| (0..3).for_each(|k| p[k] += unit * f64::from(by[k])));
}

fn go(now: &mut [Vec<[f64; 3]>; 2], next: &Move) {
    match *next {
        Move::Creep(by) | Move::Skip(by) => shift(&mut now[1], by, 1e-4),
        Move::Jump(by) => shift(&mut now[1], by, 0.1),
        Move::Turn(by) => {
            let (sin, cos) = (0.01 * f64::from(by)).sin_cos();
            now.iter_mut()
                .flatten()
                .for_each(|p| *p = [cos * p[0] - sin * p[1], sin * p[0] + cos * p[1], p[2]]);
            now[0].iter_mut().for_each(|p| p[2] += 1e-4 * (9.0 * p[0]).sin());
        }
        Move::Teleport(v, by) => {
            let v = v % now[0].len();
            shift(&mut now[0][v..=v], by, 0.2);
        }
        Move::Swap => {
            let x = now[1][0][0] - now[0][0][0];
            now[0].iter_mut().for_each(|p| p[0] += x);
            now[1].iter_mut().for_each(|p| p[0] -= x);
        }
        Move::Snap => now.iter_mut().flatten().flatten().for_each(|x| *x = (8.0 * *x).round() / 8.0),
        Move::Stay => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_motion_stays_exact(
        all in moves(),
        gap in 0u8..12,
        region_triangles in 2usize..=20,
        reuse_still in any::<bool>(),
    ) {
        let spheres = [shapes::icosphere(3), shapes::icosphere(2)];
        let body = |s: &Surface| Mesh::from_triangles("sphere", s.positions.len(), &s.triangles).expect("valid");
        let mesh = Bodies::new([body(&spheres[0]), body(&spheres[1])]).expect("small");
        let (a, b) = (BodyId(0), BodyId(1));
        let mut now = spheres.map(|s| s.positions);
        shift(&mut now[1], [20, 1, 2], 0.1);
        shift(&mut now[1], [1, 0, 0], 0.05 * f64::from(gap));
        let mut kept: Option<[DistanceHierarchy; 2]> = None;
        for next in &all {
            go(&mut now, next);
            let bodies = [Positions::from(&now[0]), Positions::from(&now[1])];
            let at = Frame::new(&bodies);
            let params = DistanceHierarchyParams { region_triangles, reuse_still, ..DistanceHierarchyParams::default() };
            let new = || built(&mesh, at, params.clone());
            let [one, two] = kept.get_or_insert_with(|| [new(), new()]);
            for h in [&mut *one, &mut *two] {
                h.update(&mesh, at).expect("finite");
                h.validate(&mesh, at).expect("invariants hold");
            }
            if matches!(next, Move::Skip(_)) {
                continue;
            }
            let expected = brute_force::distance(&mesh, at, a, b).expect("finite");
            prop_assert_eq!(on_threads(1, || one.distance([a, b]).expect("bodies")), expected, "{:?}", next);
            prop_assert_eq!(on_threads(2, || two.all_pairs().pop().map(|d| d.distance)), expected, "{:?}", next);
            one.validate(&mesh, at).expect("invariants hold");
        }
    }
}

/// Vertices and triangles of an OBJ or OFF file, polygons as fans.
fn read(path: &std::path::Path) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let text = std::fs::read_to_string(path).expect("a file");
    let number = |w: &str| w.parse::<f64>().expect("a number");
    let (mut positions, mut polygons): (Vec<[f64; 3]>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
    let point = |w: &[&str]| [number(w[0]), number(w[1]), number(w[2])];
    if path.extension().is_some_and(|e| e == "obj") {
        for words in text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>()) {
            let corner = |w: &&str| w.split('/').next().unwrap_or("").parse::<u32>().expect("an index") - 1;
            match words.first() {
                Some(&"v") => positions.push(point(&words[1..])),
                Some(&"f") => polygons.push(words[1..].iter().map(corner).collect()),
                _ => {}
            }
        }
    } else {
        let lines = text.lines().map(|l| l.split('#').next().unwrap_or("").trim()).filter(|l| !l.is_empty());
        let rows: Vec<Vec<&str>> = lines.skip(1).map(|l| l.split_whitespace().collect()).collect();
        let count = number(rows[0][0]) as usize;
        positions.extend(rows[1..=count].iter().map(|r| point(r)));
        let corners = |r: &Vec<&str>| {
            let n = number(r[0]) as usize;
            r[1..=n].iter().map(|w| number(w) as u32).collect()
        };
        polygons.extend(rows[1 + count..].iter().map(corners));
    }
    let fan = |p: &Vec<u32>| (1..p.len() - 1).map(|k| [p[0], p[k], p[k + 1]]).collect::<Vec<_>>();
    (positions, polygons.iter().flat_map(fan).collect())
}

fn rows(path: &std::path::Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("a table");
    text.lines().skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn independent_distances_agree_when_the_data_is_there() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA").map(std::path::PathBuf::from) else { return };
    for row in rows(&data.join("truth/distance/mesh_mesh.csv")) {
        let n = |i: usize| row[i].parse::<f64>().expect("a number");
        let place = |file: &str, scale: f64, c: [f64; 3], t: [f64; 3]| {
            let (p, triangles) = read(&data.join(file));
            let p: Vec<[f64; 3]> =
                p.iter().map(|p| std::array::from_fn(|k| (p[k] - c[k]) * scale + t[k])).collect();
            (Mesh::from_triangles(file, p.len(), &triangles).expect("valid"), p)
        };
        let (body_a, p) = place(&row[0], n(2), [n(3), n(4), n(5)], [0.0; 3]);
        let (body_b, q) = place(&row[1], n(6), [n(7), n(8), n(9)], [n(10), n(11), n(12)]);
        let mesh = Bodies::new([body_a, body_b]).expect("two meshes");
        let bodies = [Positions::from(&p), Positions::from(&q)];
        let mut h = built(&mesh, Frame::new(&bodies), DistanceHierarchyParams::default());
        let found = h.distance([BodyId(0), BodyId(1)]).expect("bodies").expect("triangles");
        let size = p.iter().chain(&q).flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!((found.distance - n(13)).abs() <= 1e-9 * size, "{row:?}: {}", found.distance);
        assert_eq!(found.distance == 0.0, row[14] == "1", "{row:?}");
    }
    for name in ["surfaces__armadillo.obj", "surfaces__bear.off", "surfaces__knot2.off"] {
        let table = rows(&data.join(format!("truth/distance/points__{name}.csv")));
        let number = |r: &Vec<String>, i: usize| r[i].parse::<f64>().expect("a number");
        let points: Vec<[f64; 3]> =
            table.iter().map(|r| [number(r, 0), number(r, 1), number(r, 2)]).collect();
        let (p, triangles) = read(&data.join(name.replacen("__", "/", 1)));
        let surface = Mesh::from_triangles(name, p.len(), &triangles).expect("valid");
        let mesh =
            Bodies::new([surface, Mesh::from_points("points", points.len()).expect("few")]).expect("small");
        let bodies = [Positions::from(&p), Positions::from(&points)];
        let mut h = built(&mesh, Frame::new(&bodies), DistanceHierarchyParams::default());
        let size = p.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        for (row, found) in
            table.iter().zip(h.vertex_distances([BodyId(1), BodyId(0)]).expect("bodies").expect("a surface"))
        {
            assert!(
                (found.distance - number(row, 3)).abs() <= 1e-9 * size,
                "{name} {row:?}: {}",
                found.distance
            );
        }
    }
}
