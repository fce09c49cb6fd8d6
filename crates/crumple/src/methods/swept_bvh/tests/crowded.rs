//! Very many triangles at one vertex, or on one edge: steps held to all pairs of features, work that grows with the number of triangles,
//! and planes held to the oracle.

use super::super::SweptBvh;
use super::super::parted::Parting;
use crate::geometry::Point;
use crate::methods::brute_force::impacts;
use crate::narrow::close_features;
use crate::narrow::continuous::{edge_edge, vertex_triangle};
use crate::patches::Patches;
use crate::{Bodies, Features, Frame, Impact, Mesh, Pairs, TriangleId, VertexId};
use proptest::prelude::*;
use std::cell::Cell;

/// Needles from the origin to a line, side by side in one plane.
fn star(n: u32) -> (Mesh, Vec<Point>) {
    let triangles: Vec<[u32; 3]> = (1..=n).map(|i| [0, i, i + 1]).collect();
    let line = (1..=n + 1).map(|i| [f64::from(i), 0.0, 1.0]);
    let mesh = Mesh::from_triangles("star", n as usize + 2, &triangles).expect("sound");
    (mesh, std::iter::once([0.0; 3]).chain(line).collect())
}

/// Needles on the edge from the first vertex to the second; every 97th lies flat on another.
fn fan(n: u32) -> (Mesh, Vec<Point>) {
    let triangles: Vec<[u32; 3]> = (0..n).map(|i| [0, 1, i + 2]).collect();
    let apex = (1..=n).map(|i| [0.5, f64::from(i), f64::from(i.wrapping_mul(i) % 97)]);
    let mesh = Mesh::from_triangles("fan", n as usize + 2, &triangles).expect("sound");
    (mesh, [[0.0; 3], [1.0, 0.0, 0.0]].into_iter().chain(apex).collect())
}

/// One triangle, again and again.
fn copies(n: u32) -> (Mesh, Vec<Point>) {
    let mesh = Mesh::from_triangles("copies", 3, &vec![[0, 1, 2]; n as usize]).expect("sound");
    (mesh, vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
}

/// Every vertex a little elsewhere.
fn shaken(at: &[Point], by: f64) -> Vec<Point> {
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        by * ((random % 2001) as f64 / 1000.0 - 1.0)
    };
    at.iter().map(|p| p.map(|x| x + next())).collect()
}

fn follow(mesh: &Mesh, start: &[Point], end: &[Point]) -> SweptBvh {
    let bodies = Bodies::new([mesh.clone()]).expect("one");
    let mut method = SweptBvh::new();
    let (start, end) = ([start.to_vec()], [end.to_vec()]);
    method.update(&bodies, Frame::from(&start).step_to(Frame::from(&end))).expect("finite");
    method
}

fn all(method: &mut SweptBvh) -> Vec<Impact> {
    let mut out = Vec::new();
    method.impacts(Pairs::All, &|_, _| true, &mut out);
    out
}

/// Every vertex against every triangle, every edge against every edge.
fn all_pairs(mesh: &Mesh, start: &[Point], end: &[Point]) -> Vec<Impact> {
    let at = |ids: [VertexId; 4]| [start, end].map(|p| ids.map(|v| p[v.index()]));
    let mut found = Vec::new();
    let mut edges: Vec<[VertexId; 2]> = (mesh.triangles().iter())
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    for v in (0..mesh.vertex_count() as u32).map(VertexId) {
        for (t, &[a, b, c]) in (0..).map(TriangleId).zip(mesh.triangles()) {
            if ![a, b, c].contains(&v) {
                let [s, e] = at([v, a, b, c]);
                let features = Features::VertexTriangle(v, t);
                found.extend(vertex_triangle(&s, &e, 1.0).map(|time| Impact { features, time }));
            }
        }
    }
    for (i, &e) in edges.iter().enumerate() {
        for &f in edges[i + 1..].iter().filter(|f| !e.iter().any(|v| f.contains(v))) {
            let [s, t] = at([e[0], e[1], f[0], f[1]]);
            let features = Features::EdgeEdge(e, f);
            found.extend(edge_edge(&s, &t, 1.0).map(|time| Impact { features, time }));
        }
    }
    found.sort_unstable_by_key(|i| i.features);
    found
}

#[test]
fn crowded_steps_equal_all_pairs() {
    let mut found = 0;
    for (mesh, start) in [star(400), fan(400), copies(400)] {
        for end in [start.clone(), shaken(&start, 1e-6), shaken(&start, 0.05), shaken(&start, 3.0)] {
            let expected = all_pairs(&mesh, &start, &end);
            assert_eq!(all(&mut follow(&mesh, &start, &end)), expected, "{}", mesh.name());
            found += expected.len();
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn a_crowded_part_of_a_larger_body_is_told_apart() {
    // A star, a fan on another edge, and a strip of triangles that crosses both.
    let (one, mut at) = star(300);
    let (other, more) = fan(300);
    let strip = 40u32;
    let first = at.len() as u32;
    let second = first + more.len() as u32;
    at.extend(more.iter().map(|p| [p[0] + 7.0, p[1] - 5.0, p[2] - 30.0]));
    at.extend(
        (0..strip + 2).map(|i| [f64::from(i) * 5.0, f64::from(i % 2) - 0.5, 0.3 + 0.01 * f64::from(i)]),
    );
    let shifted = |mesh: &Mesh, by: u32| -> Vec<[u32; 3]> {
        mesh.triangles().iter().map(|t| t.map(|v| v.0 + by)).collect()
    };
    let mut triangles = shifted(&one, 0);
    triangles.extend(shifted(&other, first));
    triangles.extend((0..strip).map(|i| [second + i, second + i + 1, second + i + 2]));
    let mesh = Mesh::from_triangles("all", at.len(), &triangles).expect("sound");
    let end = shaken(&at, 0.01);
    let expected = all_pairs(&mesh, &at, &end);
    assert!(expected.len() > 100, "{}", expected.len());
    assert_eq!(all(&mut follow(&mesh, &at, &end)), expected);
}

/// Pairs of patches and of features that came up for a step of so many triangles.
fn work(of: fn(u32) -> (Mesh, Vec<Point>), n: u32, motion: f64) -> [u32; 2] {
    let (mesh, start) = of(n);
    let end = shaken(&start, motion);
    let mut method = follow(&mesh, &start, &end);
    method.first(Pairs::All, &|_, _| true);
    let first = method.work.queries;
    all(&mut method);
    assert!(method.work.queries >= first);
    [method.work.patches, method.work.queries]
}

#[test]
fn work_grows_with_the_triangles_and_not_with_their_pairs() {
    for (name, of) in [("star", star as fn(u32) -> _), ("fan", fan), ("copies", copies)] {
        for motion in [0.0, 1e-5] {
            let [few, many] = [2000, 8000].map(|n| work(of, n, motion));
            // All pairs would be 16 times as many.
            assert!(many[0] < 7 * few[0] && many[1] <= 7 * few[1], "{name} {motion} {few:?} {many:?}");
            assert!(many[1] < 8000 * 1200, "{name} {motion} {many:?}");
        }
    }
}

#[test]
fn close_features_of_a_crowd_are_few() {
    for (name, of, most) in [("star", star as fn(u32) -> (Mesh, Vec<Point>), 400), ("fan", fan, 1200)] {
        let (mesh, at) = of(4000);
        let mut method = follow(&mesh, &at, &at);
        let counted = |count: &mut u64, _| {
            *count += 1;
            true
        };
        let count: u64 = method.close_features(1e-6, &counted).iter().sum();
        assert!(count < 4000 * most, "{name}: {count}");
        // Who has enough ends the search.
        let first = |count: &mut u64, _| {
            *count += 1;
            false
        };
        let parts = method.close_features(1e-6, &first);
        assert!(parts.iter().all(|count| *count <= 1) && parts.contains(&1), "{name}: {parts:?}");
    }
}

/// Two groups of triangles at vertex 0, or on the edge from 0 to 1, with corners on a small grid.
#[derive(Debug)]
struct Groups {
    patches: Patches,
    a: usize,
    triangles: Vec<[u32; 3]>,
    ends: [Vec<Point>; 2],
}

fn groups() -> impl Strategy<Value = Groups> {
    let grid = || prop::collection::vec(prop::array::uniform3(-6i8..7), 14);
    (grid(), grid(), 0u8..3, prop::bool::ANY, prop::bool::ANY).prop_map(
        |(start, drift, speed, is_edge, joins)| {
            // The first half of the outer corners lies above, the other below, so that many are parted.
            let place = |v: usize, p: [i8; 3]| -> Point {
                let [x, y, z] = p.map(f64::from);
                if v == 0 {
                    [0.0; 3]
                } else if v == 1 && (is_edge || joins) {
                    [3.0, 0.0, 0.0]
                } else if v < 8 {
                    [x, y, z.abs() + 0.5]
                } else {
                    [x, y, -z.abs() - 0.5]
                }
            };
            let from: Vec<Point> = (0..14).map(|v| place(v, start[v])).collect();
            let to = (0..14)
                .map(|v| [0, 1, 2].map(|k| from[v][k] + f64::from(speed) * f64::from(drift[v][k]) / 24.0))
                .collect();
            let round = |corners: &[u32]| -> Vec<[u32; 3]> {
                if is_edge {
                    corners.iter().map(|&v| [0, 1, v]).collect()
                } else {
                    corners.windows(2).map(|w| [0, w[0], w[1]]).collect()
                }
            };
            // With `joins` both groups have vertex 1, at the end of an edge that they share.
            let [a, b]: [Vec<u32>; 2] = if joins && !is_edge {
                [vec![1, 2, 3, 4, 5], vec![1, 8, 9, 10, 11]]
            } else {
                [vec![2, 3, 4, 5, 6, 7], vec![8, 9, 10, 11, 12, 13]]
            };
            let (a, b) = (round(&a), round(&b));
            let sizes = [a.len(), b.len()];
            let triangles = [a, b].concat();
            let ids = (0..triangles.len() as u32).collect();
            Groups { patches: Patches::new(&triangles, ids, sizes), a: sizes[0], triangles, ends: [from, to] }
        },
    )
}

impl Groups {
    /// Calls `ask` with every pair of features, one of each group, that have no vertex in common: a vertex and a triangle, or two edges.
    fn pairs(&self, mut ask: impl FnMut(bool, [u32; 4])) {
        let (a, b) = self.triangles.split_at(self.a);
        for (s, t) in a.iter().flat_map(|s| b.iter().map(move |t| (s, t))) {
            for (one, other) in [(s, t), (t, s)] {
                for &v in one.iter().filter(|v| !other.contains(v)) {
                    ask(true, [v, other[0], other[1], other[2]]);
                }
            }
            let edges = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
            for e in edges(s) {
                for f in edges(t).iter().filter(|f| !e.iter().any(|v| f.contains(v))) {
                    ask(false, [e[0], e[1], f[0], f[1]]);
                }
            }
        }
    }
}

/// What a plane parts is apart: by the oracle, and at some times by the distance.
#[test]
fn what_planes_part_is_apart() {
    let [touching, distant, whole] = [const { Cell::new(0) }; 3];
    let count = |of: &Cell<u32>| of.set(of.get() + 1);
    proptest!(ProptestConfig::with_cases(400), |(groups in groups(), distance in 0u8..4)| {
        let ends = [&groups.ends[0][..], &groups.ends[1][..]];
        count(&whole);
        let runs = || [0..1, 1..2];
        let is_parted = |distance: f64| Parting { ends, distance }.are_parted(&groups.patches, runs());
        if is_parted(0.0) {
            count(&touching);
            groups.pairs(|is_vertex, ids| {
                let [s, e] = ends.map(|end| ids.map(|v| end[v as usize]));
                let hit = if is_vertex { impacts::vertex_triangle(&s, &e) } else { impacts::edge_edge(&s, &e) };
                assert!(hit.is_none(), "{groups:?} {ids:?}");
            });
        }
        let distance = f64::from(distance) / 8.0;
        if distance > 0.0 && is_parted(distance) {
            count(&distant);
            for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let at = |v: u32| -> Point { [0, 1, 2].map(|k| (1.0 - t) * ends[0][v as usize][k] + t * ends[1][v as usize][k]) };
                groups.pairs(|is_vertex, ids| {
                    let [p, q, r, s] = ids.map(at);
                    let near = if is_vertex {
                        close_features::vertex_triangle(&p, &[q, r, s], distance).is_some()
                    } else {
                        close_features::edge_edge(&[p, q], &[r, s], distance).is_some()
                    };
                    assert!(!near, "{groups:?} {ids:?} {t} {distance}");
                });
            }
        }
    });
    let counts = [touching, distant, whole].map(Cell::into_inner);
    assert!(counts[0] * 4 > counts[2] && counts[1] * 20 > counts[2], "{counts:?}");
}
