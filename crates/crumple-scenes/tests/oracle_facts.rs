//! The oracle itself, on cases decided by hand (and, where the shared data are at hand, on thousands decided by others).

mod oracle;

use crumple_scenes::vector::Point;
use oracle::{in_tet, orient, triangles_intersect};

/// Two triangles without common vertices.
fn apart(a: [Point; 3], b: [Point; 3]) -> bool {
    triangles_intersect(&a, [0, 1, 2], &b, [0, 1, 2], false)
}

const FLOOR: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

#[test]
fn triangles_without_common_vertices() {
    let cases: &[(&str, [Point; 3], bool)] = &[
        ("through the middle", [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 0.5, 1.0]], true),
        ("tip on the face", [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 0.5, 1.0]], true),
        ("tip a hair above", [[1.0, 1.0, 5e-324], [1.0, 1.0, 1.0], [2.0, 0.5, 1.0]], false),
        ("tip on a corner", [[0.0, 0.0, 0.0], [-1.0, 1.0, 1.0], [-2.0, 0.5, 1.0]], true),
        ("edge across an edge", [[2.0, -1.0, 0.0], [2.0, 1.0, 0.0], [2.0, 0.0, 3.0]], true),
        ("beside", [[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [4.0, 3.0, 0.0]], false),
        ("coplanar inside", [[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]], true),
        ("coplanar around", [[-9.0, -9.0, 0.0], [30.0, -9.0, 0.0], [-9.0, 30.0, 0.0]], true),
        ("coplanar beside", [[2.1, 2.1, 0.0], [4.0, 4.0, 0.0], [3.0, 4.0, 0.0]], false),
        ("coplanar touching the slope", [[2.0, 2.0, 0.0], [4.0, 4.0, 0.0], [3.0, 4.0, 0.0]], true),
        ("a segment through", [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.5]], true),
        ("a segment in the plane, outside", [[3.0, 3.0, 0.0], [4.0, 4.0, 0.0], [3.5, 3.5, 0.0]], false),
        ("a point on it", [[1.0, 1.0, 0.0]; 3], true),
        ("a point beside it", [[1.0, 1.0, 1.0]; 3], false),
    ];
    for (what, b, expected) in cases {
        assert_eq!(apart(FLOOR, *b), *expected, "{what}");
        assert_eq!(apart(*b, FLOOR), *expected, "{what}, exchanged");
    }
    // Two segments, two points, written as triangles.
    let segment = |p: Point, q: Point| [p, q, p];
    assert!(apart(segment([0.0; 3], [2.0; 3]), segment([0.0, 2.0, 1.0], [2.0, 0.0, 1.0])));
    assert!(!apart(segment([0.0; 3], [2.0; 3]), segment([0.0, 2.0, 1.1], [2.0, 0.0, 1.1])));
    assert!(apart(segment([0.0; 3], [2.0; 3]), segment([1.0; 3], [3.0; 3])));
    assert!(!apart(segment([0.0; 3], [2.0; 3]), segment([2.5; 3], [3.0; 3])));
    assert!(apart([[1.0; 3]; 3], [[1.0; 3]; 3]) && !apart([[1.0; 3]; 3], [[2.0; 3]; 3]));
}

#[test]
fn neighbours() {
    let p: Vec<Point> = vec![
        [0.0, 0.0, 0.0],  // 0
        [4.0, 0.0, 0.0],  // 1
        [0.0, 4.0, 0.0],  // 2
        [4.0, 4.0, 0.0],  // 3: unfolded neighbour over edge 1 2
        [1.0, 1.0, 0.0],  // 4: folded over it
        [1.0, 1.0, 1.0],  // 5
        [2.0, 2.0, 1.0],  // 6
        [1.0, 1.0, -1.0], // 7
        [-1.0, 0.0, 0.0], // 8
        [0.0, -1.0, 1.0], // 9
        [2.0, 0.0, 0.0],  // 10: on edge 0 1
    ];
    let hit = |a: [u32; 3], b: [u32; 3]| {
        assert_eq!(triangles_intersect(&p, a, &p, b, true), triangles_intersect(&p, b, &p, a, true));
        triangles_intersect(&p, a, &p, b, true)
    };
    assert!(!hit([0, 1, 2], [1, 3, 2]), "flat neighbour over an edge");
    assert!(hit([0, 1, 2], [1, 4, 2]), "folded flat over an edge");
    assert!(!hit([0, 1, 2], [1, 5, 2]), "roof over an edge");
    assert!(!hit([0, 1, 2], [0, 8, 9]), "common vertex only");
    assert!(hit([0, 1, 2], [0, 5, 7]), "pierced beside a common vertex");
    assert!(!hit([0, 1, 2], [0, 5, 6]), "standing on a common vertex");
    assert!(hit([0, 1, 2], [0, 10, 9]), "common vertex, and an edge along an edge");
    assert!(!hit([0, 1, 2], [2, 1, 0]), "duplicates are never a pair");
    assert!(hit([0, 1, 2], [0, 10, 10]), "a segment from a common vertex along an edge");
    assert!(!hit([0, 1, 2], [0, 0, 1]), "a segment that is the common edge");
}

#[test]
fn tets() {
    let t = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert_eq!(orient(t[0], t[1], t[2], t[3]), 1);
    let inverted = [t[1], t[0], t[2], t[3]];
    for (p, inside) in [
        ([0.25, 0.25, 0.25], true),
        ([0.5, 0.5, 0.0], true),
        ([0.0, 0.0, 1.0], true),
        ([0.5, 0.5, 5e-324], false),
        ([-5e-324, 0.2, 0.2], false),
    ] {
        assert_eq!(in_tet(p, t), inside, "{p:?}");
        assert_eq!(in_tet(p, inverted), inside, "{p:?}");
    }
    let flat = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    assert!(in_tet([1.5, 1.9, 0.0], flat) && in_tet([0.1, 1.0, 0.0], flat) && !in_tet([1.0, 1.0, 0.1], flat));
    assert!(!in_tet([2.1, 1.0, 0.0], flat));
    assert!(in_tet([1.0; 3], [[1.0; 3]; 4]) && !in_tet([1.0, 1.0, 2.0], [[1.0; 3]; 4]));
}

#[test]
fn shared_verdicts() {
    // CRUMPLE_DATA names the directory of the shared data; the test says nothing without it.
    let Some(data) = std::env::var_os("CRUMPLE_DATA") else { return };
    let folder = std::path::Path::new(&data).join("tri-tri");
    let numbers =
        |line: &str, by: char| -> Vec<f64> { line.split(by).filter_map(|x| x.trim().parse().ok()).collect() };
    for (file, verdict) in [("shen2003_intersected.txt", true), ("shen2003_separated.txt", false)] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let all: Vec<f64> = text.split_whitespace().filter_map(|x| x.parse().ok()).collect();
        assert_eq!(all.len(), 2500 * 18);
        for pair in all.chunks(18) {
            let p = |k: usize| [pair[3 * k], pair[3 * k + 1], pair[3 * k + 2]];
            assert_eq!(apart([p(0), p(1), p(2)], [p(3), p(4), p(5)]), verdict, "{file} {pair:?}");
        }
    }
    let text = std::fs::read_to_string(folder.join("real_pairs.csv")).unwrap();
    for line in text.lines().filter(|l| l.starts_with(|c: char| c.is_ascii_digit())) {
        let row = numbers(line, ',');
        let p = |k: usize| [row[3 + 3 * k], row[4 + 3 * k], row[5 + 3 * k]];
        assert_eq!(apart([p(0), p(1), p(2)], [p(3), p(4), p(5)]), row[21] == 1.0, "{line}");
    }
}
