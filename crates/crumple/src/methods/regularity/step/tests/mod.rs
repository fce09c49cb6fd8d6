//! Steps held to brute force; certified regions held to the oracle of the narrow phase, pair by pair.

mod certified;

use super::RegularityStep;
use crate::geometry::simd;
use crate::geometry::vector::{cross, dot, sub};
use crate::geometry::{Aabb, Aabb32, Map, Point};
use crate::methods::brute_force::impacts::{edge_edge, impacts, vertex_triangle};
use crate::methods::regularity::certificate::{BodyView, Certifier, ProjectedContour, Track};
use crate::methods::regularity::directions::Directions;
use crate::methods::regularity::facing::Facing;
use crate::methods::regularity::hierarchy::{ContourEdge, Hierarchy};
use crate::methods::swept_bvh::SweptBvh;
use crate::{Bodies, Features, Frame, Impact, Mesh, Pairs};
use crumple_scenes::{Elements, LazyScene, lazy};
use proptest::prelude::*;

type Positions = Vec<Vec<Point>>;

fn bodies_of(scene: &LazyScene) -> Bodies {
    let body = |b: &crumple_scenes::LazyBody| match &b.elements {
        Elements::Triangles(t) => Mesh::from_triangles(&b.name, b.vertices, t),
        Elements::Tets(t) => Mesh::from_tets(&b.name, b.vertices, t),
        Elements::Points => Mesh::from_points(&b.name, b.vertices),
    };
    Bodies::new(scene.bodies.iter().map(|b| body(b).expect("scenes are valid"))).expect("scenes are small")
}

fn frame(scene: &LazyScene, f: usize) -> Positions {
    scene.bodies.iter().map(|b| b.positions(f)).collect()
}

fn all(search: &mut RegularityStep, pairs: Pairs) -> Vec<Impact> {
    let mut out = Vec::new();
    search.impacts(pairs, &|_, _| true, &mut out);
    out
}

/// A corner named twice makes no edge.
fn is_edge(features: Features) -> bool {
    !matches!(features, Features::EdgeEdge(a, b) if a[0] == a[1] || b[0] == b[1])
}

/// Holds a step to brute force, and says how many impacts there are.
fn hold_to_oracle(search: &mut RegularityStep, bodies: &Bodies, start: &Positions, end: &Positions) -> usize {
    search.update(bodies, Frame::from(start).step_to(Frame::from(end))).expect("finite");
    let hits = impacts(bodies, Frame::from(start), Frame::from(end)).expect("finite");
    let wanted: Vec<Features> = hits.iter().map(|h| h.features).filter(|&f| is_edge(f)).collect();
    let found = all(search, Pairs::All);
    assert_eq!(found.iter().map(|i| i.features).collect::<Vec<_>>(), wanted);
    let by = found.iter().map(|i| i.time.by).fold(f64::INFINITY, f64::min);
    let first = found.iter().filter(|i| i.time.after <= by).map(|i| i.features).min();
    assert_eq!(search.first(Pairs::All, &|_, _| true).map(|i| i.features), first);
    let apart: usize = [Pairs::Within, Pairs::Between].map(|pairs| all(search, pairs).len()).iter().sum();
    assert_eq!(apart, found.len());
    found.len()
}

/// A grid sheet of 2 n² triangles.
fn sheet(n: u32) -> Vec<[u32; 3]> {
    let at = |i: u32, j: u32| i * (n + 1) + j;
    (0..n * n)
        .map(|c| (c / n, c % n))
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect()
}

fn one(triangles: &[[u32; 3]], vertices: usize) -> Bodies {
    Bodies::new([Mesh::from_triangles("one", vertices, triangles).expect("sound")]).expect("small")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Coordinates on a small grid at both ends: everything touches, folds and turns over.
    #[test]
    fn sheets_on_a_small_grid(
        start in prop::collection::vec(prop::array::uniform3(-3i8..4), 36),
        end in prop::collection::vec(prop::array::uniform3(-3i8..4), 36),
    ) {
        let at = |grid: &[[i8; 3]]| vec![grid.iter().map(|p| p.map(f64::from)).collect::<Vec<_>>()];
        hold_to_oracle(&mut RegularityStep::default(), &one(&sheet(5), 36), &at(&start), &at(&end));
    }

    /// Smooth sheets that move a little or much: most regions are certified, some hit themselves.
    #[test]
    fn waves(size in 0.0f64..1.5, motion in 0.0f64..2.0, noise in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 2 * 81)) {
        let at = |shift: f64, noise: &[[f64; 3]]| {
            vec![noise
                .iter()
                .enumerate()
                .map(|(v, p)| {
                    let (i, j) = ((v / 9) as f64, (v % 9) as f64);
                    let fold = motion * shift * (0.9 * i).sin();
                    [i + fold + 0.2 * size * p[0], j + 0.2 * size * p[1], (0.5 * i).sin() + shift * size + 0.2 * size * p[2]]
                })
                .collect::<Vec<_>>()]
        };
        let (start, end) = (at(0.0, &noise[..81]), at(1.0, &noise[81..]));
        hold_to_oracle(&mut RegularityStep::default(), &one(&sheet(8), 81), &start, &end);
    }

    /// Triangles of any vertices: non-manifold, collapsed, duplicate, unoriented.
    #[test]
    fn soups_that_share_vertices(
        start in prop::collection::vec(prop::array::uniform3(-4i8..5), 14),
        end in prop::collection::vec(prop::array::uniform3(-4i8..5), 14),
        corners in prop::collection::vec(prop::array::uniform3(0u32..14), 1..40),
    ) {
        let at = |grid: &[[i8; 3]]| vec![grid.iter().map(|p| p.map(f64::from)).collect::<Vec<_>>()];
        hold_to_oracle(&mut RegularityStep::default(), &one(&corners, 14), &at(&start), &at(&end));
    }
}

#[test]
fn counter_examples_in_motion() {
    // From pulled apart to the pose in which the rule without contours is wrong, there and back, and turning over.
    let steps = [
        ([1.0, 1.0, 8.0], [1.0, 1.0, 1.0]),
        ([1.0, 1.0, 1.0], [1.0, 1.0, 8.0]),
        ([1.0, 1.0, 1.0], [1.0, -1.0, 1.0]),
        ([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]),
        ([1.0, 1.0, 0.5], [1.0, 1.0, -0.5]),
    ];
    let (mut impacts, mut certified) = (0, [0; 2]);
    let names =
        ["spiral-ramp", "slit-annulus", "branch-vertex", "fan", "nested-neighbours", "edge-neighbours"];
    for name in names {
        let scene = lazy(name).expect("registered");
        let bodies = bodies_of(&scene);
        let pose = frame(&scene, 0);
        let stretched = |by: [f64; 3]| -> Positions {
            pose.iter().map(|b| b.iter().map(|p| [0, 1, 2].map(|k| p[k] * by[k])).collect()).collect()
        };
        let mut searches = [2, 7, 64].map(RegularityStep::with_patch_size);
        for (from, to) in steps.map(|(from, to)| (stretched(from), stretched(to))) {
            // The oracle takes minutes where everything passes through everything; boxes alone are held to it elsewhere.
            let step = Frame::from(&from).step_to(Frame::from(&to));
            let (mut plain, mut expected) = (SweptBvh::new(), Vec::new());
            plain.update(&bodies, step).expect("finite");
            plain.impacts(Pairs::All, &|_, _| true, &mut expected);
            for search in &mut searches {
                if bodies.triangles().len() < 60 {
                    hold_to_oracle(search, &bodies, &from, &to);
                }
                search.update(&bodies, step).expect("finite");
                assert_eq!(all(search, Pairs::All), expected, "{name}");
            }
            impacts += expected.len();
            let of = hold_certificates(&searches[2]);
            certified = [certified[0] + of[0], certified[1] + of[1]];
        }
    }
    println!("{impacts} impacts, {certified:?} regions and pairs of regions certified");
    assert!(impacts > 80_000 && certified[0] > 0, "{impacts} {certified:?}");
}

#[test]
fn several_bodies_equal_brute_force_and_the_plain_tree() {
    let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]]).expect("sound");
    let bodies = Bodies::new([
        Mesh::from_triangles("sheet", 36, &sheet(5)).expect("sound"),
        Mesh::from_points("points", 3).expect("sound"),
        tet.clone(),
        tet,
        Mesh::from_triangles("nothing", 0, &[]).expect("sound"),
    ])
    .expect("small");
    let flat: Vec<Point> = (0..36).map(|v| [f64::from(v / 6), f64::from(v % 6), 0.0]).collect();
    let tet =
        |x: f64, z: f64| vec![[x, 1.0, z], [x + 1.3, 1.2, z], [x, 2.6, z + 0.1], [x + 0.3, 1.5, z + 1.0]];
    let at = |z: f64, x: f64| vec![flat.clone(), vec![[0.0; 3]; 3], tet(x, z), tet(2.2, 0.75), Vec::new()];
    let mut search = RegularityStep::default();
    let (start, end) = (at(2.0, 0.4), at(-1.5, 1.9));
    let count = hold_to_oracle(&mut search, &bodies, &start, &end);
    assert!(count > 10, "{count}");
    let mut plain = SweptBvh::new();
    plain.update(&bodies, Frame::from(&start).step_to(Frame::from(&end))).expect("finite");
    for pairs in [Pairs::All, Pairs::Within, Pairs::Between] {
        let mut expected = Vec::new();
        plain.impacts(pairs, &|a, b| a != b || a.0 == 0, &mut expected);
        let mut found = Vec::new();
        search.impacts(pairs, &|a, b| a != b || a.0 == 0, &mut found);
        assert_eq!(found, expected);
        assert_eq!(search.first(pairs, &|_, _| true), plain.first(pairs, &|_, _| true));
    }
}

#[test]
fn scenes_equal_the_plain_tree_on_any_number_of_threads_at_any_size() {
    for name in ["sphere-5k", "loop-5k", "crumple-20k", "drape-small"] {
        let scene = lazy(name).expect("registered");
        let bodies = bodies_of(&scene);
        let (start, end) = (frame(&scene, 0), frame(&scene, 1));
        let step = Frame::from(&start).step_to(Frame::from(&end));
        let mut plain = SweptBvh::new();
        plain.update(&bodies, step).expect("finite");
        let mut expected = Vec::new();
        plain.impacts(Pairs::All, &|_, _| true, &mut expected);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| {
                let mut search = RegularityStep::default();
                search.update(&bodies, step).expect("finite");
                assert_eq!(all(&mut search, Pairs::All), expected, "{name} on {threads}");
                let first = search.first(Pairs::All, &|_, _| true);
                assert_eq!(first, plain.first(Pairs::All, &|_, _| true), "{name} on {threads}");
            });
        }
        let tiny = |at: &Positions| -> Positions {
            at.iter().map(|b| b.iter().map(|p| p.map(|x| x * 2f64.powi(-700))).collect()).collect()
        };
        let (start, end) = (tiny(&start), tiny(&end));
        let mut search = RegularityStep::default();
        search.update(&bodies, Frame::from(&start).step_to(Frame::from(&end))).expect("finite");
        assert_eq!(all(&mut search, Pairs::All), expected, "{name}, tiny");
    }
}

/// The vertices of each triangle, by rank.
fn in_order(hierarchy: &Hierarchy) -> Vec<[u32; 3]> {
    let patches = &hierarchy.patches;
    let of = |p: usize| (0..patches.places(p).len()).map(move |i| patches.triangle(p, i));
    (0..patches.len()).flat_map(of).collect()
}

/// A pair of triangles, given by ranks, with features that meet during a step by the oracle; `None` when there is none.
fn a_hit(
    triangles: &[[u32; 3]],
    ends: [&[Point]; 2],
    mut pairs: impl Iterator<Item = [u32; 2]>,
) -> Option<[u32; 2]> {
    let at = |vertices: [u32; 4]| ends.map(|end| vertices.map(|v| end[v as usize]));
    let path = |vertices: &[u32]| {
        Aabb::of(&vertices.iter().flat_map(|&v| ends.map(|end| end[v as usize])).collect::<Vec<_>>())
    };
    pairs.find(|&[a, b]| {
        let (s, t) = (triangles[a as usize], triangles[b as usize]);
        if !path(&s).overlaps(&path(&t)) {
            return false;
        }
        let vertices = |s: [u32; 3], t: [u32; 3]| {
            s.into_iter().filter(|v| !t.contains(v)).any(|v| {
                let [start, end] = at([v, t[0], t[1], t[2]]);
                path(&[v]).overlaps(&path(&t)) && vertex_triangle(&start, &end).is_some()
            })
        };
        let edges = |t: [u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        vertices(s, t)
            || vertices(t, s)
            || edges(s).iter().any(|e| {
                edges(t).iter().filter(|f| !e.iter().any(|v| f.contains(v))).any(|f| {
                    let [start, end] = at([e[0], e[1], f[0], f[1]]);
                    path(e).overlaps(&path(f)) && edge_edge(&start, &end).is_some()
                })
            })
    })
}

/// Asks the oracle about all pairs in regions, and pairs of regions, that are certified. Says how many these are.
fn hold_certificates(search: &RegularityStep) -> [usize; 2] {
    let surface = &search.surfaces.values()[0];
    let hierarchy = &surface.hierarchy;
    let positions = search.step.ends(0);
    let view = BodyView {
        hierarchy,
        facing: &surface.facing,
        directions: &search.directions,
        positions,
        map: &search.step.map,
    };
    let mut certifier = Certifier::<2>::default();
    let nodes = &hierarchy.tree.nodes;
    let ranks = |n: usize| nodes[n].triangles[0]..nodes[n].triangles[1];
    let triangles = in_order(hierarchy);
    let mut certified = [0; 2];
    for a in 0..nodes.len() {
        if certifier.rule_one(&view, a) {
            certified[0] += 1;
            let pairs = ranks(a).flat_map(|i| (i + 1..ranks(a).end).map(move |j| [i, j]));
            assert_eq!(a_hit(&triangles, positions, pairs), None, "region {a}");
        }
        for b in a + 1..nodes.len() {
            let is_apart = ranks(a).end <= ranks(b).start || ranks(b).end <= ranks(a).start;
            if is_apart && certifier.rule_two(&view, [a, b]) {
                certified[1] += 1;
                let pairs = ranks(a).flat_map(|i| ranks(b).map(move |j| [i, j]));
                assert_eq!(a_hit(&triangles, positions, pairs), None, "regions {a} and {b}");
            }
        }
    }
    certified
}

/// The same hierarchy with small patches, so that there are many regions.
fn with_small_patches(bodies: &Bodies, start: &Positions, end: &Positions, patch: usize) -> RegularityStep {
    let mut search = RegularityStep { patch, ..RegularityStep::default() };
    search.update(bodies, Frame::from(start).step_to(Frame::from(end))).expect("finite");
    search
}

#[test]
fn certified_regions_are_clean() {
    let n = 12;
    let bodies = one(&sheet(n), 169);
    let wave = |phase: f64, height: f64, curl: f64| -> Positions {
        let at = |v: u32| {
            let (i, j) = (f64::from(v / (n + 1)) / 4.0, f64::from(v % (n + 1)) / 4.0);
            let angle = curl * i;
            let z = height * (2.0 * i + phase).sin() * (1.5 * j).cos();
            // Rolled up along i: from flat to more than once round.
            if curl == 0.0 {
                [i, j, z]
            } else {
                [((1.0 + 0.1 * i) / curl + z) * angle.sin(), j, ((1.0 + 0.1 * i) / curl + z) * angle.cos()]
            }
        };
        vec![(0..169).map(at).collect()]
    };
    let steps = [
        (wave(0.0, 0.2, 0.0), wave(0.7, 0.2, 0.0)),
        (wave(0.0, 0.6, 0.0), wave(2.0, -0.6, 0.0)),
        (wave(0.0, 0.1, 1.0), wave(0.3, 0.1, 2.5)),
        (wave(0.0, 0.05, 2.0), wave(0.3, 0.05, 3.0)),
        (wave(0.0, 0.3, 0.0), wave(0.0, 0.3, 2.0)),
    ];
    let mut certified = [0; 2];
    for (start, end) in &steps {
        let of = hold_certificates(&with_small_patches(&bodies, start, end, 6));
        certified = [certified[0] + of[0], certified[1] + of[1]];
    }
    assert!(certified[0] > 200 && certified[1] > 1000, "{certified:?}");
}

#[test]
fn a_sheet_that_turns_over_is_not_certified() {
    // Flat at both ends with the same normals, mirrored twice in between: only the mixed normals tell.
    let bodies = one(&sheet(4), 25);
    let flat = |sign: f64| -> Positions {
        vec![(0..25).map(|v| [sign * f64::from(v / 5), sign * f64::from(v % 5), 0.0]).collect()]
    };
    let search = with_small_patches(&bodies, &flat(1.0), &flat(-1.0), 4);
    let surface = &search.surfaces.values()[0];
    assert!(surface.facing.iter().all(|f| f.bits == 0), "everything passes through one point");
    let search = with_small_patches(&bodies, &flat(1.0), &flat(2.0), 4);
    assert!(search.surfaces.values()[0].facing.iter().all(|f| f.bits != 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A set bit holds at all times.
    #[test]
    fn bits_hold_throughout(at in prop::collection::vec(prop::array::uniform3(-1.0f64..1.0), 24), motion in 0.0f64..1.0) {
        let triangles = sheet(2);
        let mesh = Mesh::from_triangles("two", 9, &triangles).expect("sound");
        let place = |v: usize, p: &[f64; 3]| [v as f64 / 3.0 + 0.3 * p[0], (v % 3) as f64 + 0.3 * p[1], 0.4 * p[2]];
        let start: Vec<Point> = (0..9).map(|v| place(v, &at[v])).collect();
        let end: Vec<Point> =
            (0..9).map(|v| [0, 1, 2].map(|k| start[v][k] + motion * at[v + 9][k])).collect();
        let hierarchy = Hierarchy::new(&mesh, &start, 64);
        let directions = Directions::new(128);
        let (mut boxes, mut facing) = ([[Aabb32::EMPTY; 2]], [Facing::default()]);
        simd::dispatch(super::follow::FindMovingFacing {
            patches: &hierarchy.patches,
            ends: [&start, &end],
            map: &Map { origin: [0.0; 3], scale: 0.125 },
            directions: &directions,
            first: 0,
            boxes: &mut boxes,
            facing: &mut facing,
        });
        for d in (0..128).filter(|d| facing[0].bits >> d & 1 == 1) {
            let [x, y] = directions.plane(d);
            let towards = cross(x, y);
            for t in (0..33).map(|i| f64::from(i) / 32.0) {
                let p = |v: u32| -> Point { [0, 1, 2].map(|k| (1.0 - t) * start[v as usize][k] + t * end[v as usize][k]) };
                for c in &triangles {
                    let [a, b, c] = c.map(p);
                    let normal = cross(&sub(&b, &a), &sub(&c, &a));
                    prop_assert!(dot(&normal, &towards) > 0.0, "direction {} at {}", d, t);
                }
            }
        }
    }

    /// What is called simple throughout is simple whenever one looks.
    #[test]
    fn contours_called_simple_are_simple_at_all_times(
        noise in 0.0f64..0.5,
        start in prop::collection::vec(prop::array::uniform2(-1.0f64..1.0), 3..40),
        end in prop::collection::vec(prop::array::uniform2(-1.0f64..1.0), 40),
        turn in -1.0f64..1.0,
    ) {
        let n = start.len();
        let point = |i: usize, turn: f64, p: [f64; 2]| {
            let angle = std::f64::consts::TAU * i as f64 / n as f64 + turn;
            [0.4 * angle.cos() + noise * p[0], 0.4 * angle.sin() + noise * p[1]]
        };
        let tracks: Vec<Track<2>> =
            (0..n).map(|i| [point(i, 0.0, start[i]), point(i, turn, end[i])]).collect();
        let edges: Vec<ContourEdge> = (0..n as u32).map(|vertex| ContourEdge { vertex, outer: u32::MAX }).collect();
        let mut moving = ProjectedContour::<2>::default();
        moving.add(&edges, 0, |_| false, |v| tracks[v as usize]);
        if moving.is_simple() {
            for t in (0..17).map(|i| f64::from(i) / 16.0) {
                let at = |v: u32| [tracks[v as usize]].map(|[p, q]| [0, 1].map(|k| (1.0 - t) * p[k] + t * q[k]));
                let mut still = ProjectedContour::<1>::default();
                still.add(&edges, 0, |_| false, at);
                prop_assert!(still.is_simple(), "at {}", t);
            }
        }
    }
}
