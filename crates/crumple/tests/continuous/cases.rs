//! Cases made by hand, with times that one can see.

use crumple::narrow::continuous::{ImpactTime, edge_edge, point_edge, point_point, vertex_triangle};

type Point = [f64; 3];

const TRIANGLE: [Point; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn with_triangle(p: Point) -> [Point; 4] {
    [p, TRIANGLE[0], TRIANGLE[1], TRIANGLE[2]]
}

/// A point that moves while the triangle rests.
fn flies(from: Point, to: Point) -> Option<ImpactTime> {
    vertex_triangle(&with_triangle(from), &with_triangle(to), 1.0)
}

fn at(t: f64) -> Option<ImpactTime> {
    Some(ImpactTime { after: t, by: t })
}

#[test]
fn through_the_middle_an_edge_a_corner() {
    assert_eq!(flies([1.0, 1.0, 1.0], [1.0, 1.0, -1.0]), at(0.5));
    assert_eq!(flies([2.0, 2.0, 3.0], [2.0, 2.0, -1.0]), at(0.75));
    assert_eq!(flies([4.0, 0.0, 1.0], [4.0, 0.0, -3.0]), at(0.25));
    assert_eq!(flies([4.0, 0.0, 1.0], [4.0, 0.0, 0.0]), at(1.0));
    assert_eq!(flies([1.0, 1.0, 0.0], [1.0, 1.0, 5.0]), at(0.0));
    assert_eq!(flies([1.0, 1.0, 1.0], [1.0, 1.0, 5e-324]), None);
    assert_eq!(flies([4.0, f64::from_bits(1), 1.0], [4.0, f64::from_bits(1), -3.0]), None);
}

#[test]
fn nothing_moves() {
    assert_eq!(flies([1.0, 1.0, 0.0], [1.0, 1.0, 0.0]), at(0.0));
    assert_eq!(flies([3.0, 3.0, 0.0], [3.0, 3.0, 0.0]), None);
    assert_eq!(flies([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]), None);
}

/// In the plane of the triangle: straight on, along an edge, onto a corner, past it.
#[test]
fn within_the_plane() {
    assert_eq!(flies([-2.0, 1.0, 0.0], [2.0, 1.0, 0.0]), at(0.5));
    assert_eq!(flies([-4.0, 0.0, 0.0], [4.0, 0.0, 0.0]), at(0.5));
    assert_eq!(flies([-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]), at(0.5));
    assert_eq!(flies([-1.0, 0.875, 0.0], [1.0, -1.125, 0.0]), None);
    assert_eq!(flies([1.0, 1.0, 0.0], [9.0, 9.0, 0.0]), at(0.0));
}

/// Two edges in one plane that meet head-on half-way, at one instant only.
#[test]
fn head_on_in_a_plane() {
    let start = [[-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    // On one line; then each turns away after they have met.
    let end = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
    assert_eq!(edge_edge(&start, &end, 1.0), at(0.5));
    let end = [[-2.0, 4.0, 0.0], [1.0, 2.0, 0.0], [-1.0, -2.0, 0.0], [2.0, -4.0, 0.0]];
    assert_eq!(edge_edge(&start, &end, 1.0), None);
    let (start, end) = (
        [[-2.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 1.0, 0.0]],
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    );
    assert_eq!(edge_edge(&start, &end, 1.0), at(0.5));
}

#[test]
fn parallel_edges() {
    let start = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.0, 1.0], [2.0, 0.0, 1.0]];
    let mut end = start;
    (end[2][2], end[3][2]) = (-1.0, -1.0);
    assert_eq!(edge_edge(&start, &end, 1.0), at(0.5));
    let away = |mut p: [Point; 4]| {
        p[2][0] += 1.0;
        p[3][0] += 1.0;
        p
    };
    assert_eq!(edge_edge(&away(start), &away(end), 1.0), None);
}

/// A triangle that collapses to a segment just when the point is on it, or beside it; one that always is a segment or point.
#[test]
fn collapse() {
    let start = [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [2.0, 2.0, 0.0]];
    let end = |x: f64| [[x, 0.0, -1.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [2.0, -2.0, 0.0]];
    assert_eq!(vertex_triangle(&start, &end(1.0), 1.0), at(0.5));
    assert_eq!(vertex_triangle(&start, &end(9.0), 1.0), None);
    let segment = |z: f64| [[1.0, 0.0, z], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
    assert_eq!(vertex_triangle(&segment(3.0), &segment(-1.0), 1.0), at(0.75));
    let point = |z: f64| [[1.0, 0.0, z], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    assert_eq!(vertex_triangle(&point(1.0), &point(-3.0), 1.0), at(0.25));
    // The end of the edge is that point from the beginning; without it, the point is met on the way.
    assert_eq!(edge_edge(&point(1.0), &point(-3.0), 1.0), at(0.0));
    let two = |z: f64| [[1.0, 0.0, z], [1.0, 0.0, z], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    assert_eq!(edge_edge(&two(1.0), &two(-3.0), 1.0), at(0.25));
}

/// The cubic touches zero without crossing it, or does so thrice.
#[test]
fn repeated_roots() {
    // The vertex and the plane come and go: height (1 − 2t)², as the triangle's normal turns over with it.
    let start = [[0.0, 0.0, 1.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let end = [[0.0, 0.0, -1.0], [1.0, -1.0, 0.0], [-1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(vertex_triangle(&start, &end, 1.0), at(0.5));
    // All vectors turn round: (1 − 2t)³, and at t = 1/2 all four points coincide.
    let start = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let end = start.map(|p| p.map(|x: f64| -x));
    assert_eq!(vertex_triangle(&start, &end, 1.0), at(0.5));
    // The same at t = 1/3.
    let end = start.map(|p| p.map(|x: f64| -2.0 * x));
    let t = vertex_triangle(&start, &end, 1.0).unwrap();
    assert!(t.after <= 1.0 / 3.0 && 1.0 / 3.0 <= t.by && t.by - t.after < 1e-12);
}

#[test]
fn points() {
    let o = [0.0; 3];
    assert_eq!(point_point(&[o, [1.0, 2.0, 3.0]], &[[1.0, 2.0, 3.0], o]), at(0.5));
    assert_eq!(point_point(&[o, [1.0, 2.0, 3.0]], &[[1.0, 2.0, 3.0], [0.0, 1e-300, 0.0]]), None);
    assert_eq!(point_point(&[o, o], &[[1.0; 3], [2.0; 3]]), at(0.0));
    let edge = [[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]];
    assert_eq!(point_edge(&[o, edge[0], edge[1]], &[[2.0, 0.0, 0.0], edge[0], edge[1]]), at(0.5));
    assert_eq!(point_edge(&[o, edge[0], edge[1]], &[[2.0, 4.0, 0.0], edge[0], edge[1]]), None);
}

/// The whole range of exponents in one query.
#[test]
fn extremes() {
    let (tiny, huge) = (f64::from_bits(1), f64::MAX);
    let start = [[tiny, tiny, tiny], [-huge, -huge, 0.0], [huge, -huge, 0.0], [0.0, huge, 0.0]];
    let mut end = start;
    end[0][2] = -tiny;
    assert_eq!(vertex_triangle(&start, &end, 1.0), at(0.5));
    end[0][2] = -huge;
    let t = vertex_triangle(&start, &end, 1.0).unwrap();
    assert!(t.after == 0.0 && t.by > 0.0 && t.by < 1e-12);
    end[0][2] = tiny;
    assert_eq!(vertex_triangle(&start, &end, 1.0), None);
}
