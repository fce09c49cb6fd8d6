use super::*;
use crate::{Bodies, Mesh, Positions};

/// A point falls on the inside of a triangle, past its corner, onto its edge; the times are known.
#[test]
fn a_falling_point() {
    let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let fall = |x: f64, y: f64, from: f64, to: f64| {
        let at = |z: f64| [[x, y, z], triangle[0], triangle[1], triangle[2]];
        vertex_triangle(&at(from), &at(to))
    };
    let third = fall(1.0, 1.0, 1.0, -2.0).unwrap();
    assert!(third.is_in_interval(0.333, 0.334) && !third.is_in_interval(0.0, 1.0 / 3.0 - 1e-16));
    assert!(fall(2.0, 2.0, 1.0, 0.0).unwrap().is_in_interval(1.0, 1.0));
    assert!(fall(2.0, 2.0, 0.0, 1.0).unwrap().is_in_interval(0.0, 0.0));
    assert!(fall(2.0, f64::from_bits(2f64.to_bits() + 1), 1.0, 0.0).is_none());
    assert!(fall(1.0, 1.0, 1.0, 0.1).is_none());
}

/// Flat, on one line, point on point; and a cubic that touches zero without crossing it.
#[test]
fn ties() {
    let line = |x: [f64; 4]| x.map(|x| [x, 2.0 * x, -x]);
    assert!(
        edge_edge(&line([0.0, 1.0, 3.0, 4.0]), &line([2.0, 3.0, 1.0, 5.0])).unwrap().is_in_interval(0.5, 0.5)
    );
    assert!(edge_edge(&line([0.0, 1.0, 3.0, 4.0]), &line([0.0, 1.0, 1.5, 4.0])).is_none());
    assert!(point_point(&[[0.0; 3], [1.0; 3]], &[[1.0; 3], [0.0; 3]]).unwrap().is_in_interval(0.5, 0.5));
    assert!(
        point_edge(
            &[[0.0; 3], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0]],
            &[[2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0]]
        )
        .unwrap()
        .is_in_interval(0.5, 0.5)
    );
    // Height and one weight change sign together: f = (1 − 2t)² up to a factor.
    let start = [[-1.0, 0.0, 1.0], [0.0, -1.0, 0.0], [2.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let mut end = start;
    end[0] = [1.0, 0.0, -1.0];
    assert!(vertex_triangle(&start, &end).unwrap().is_in_interval(0.5, 0.5));
}

#[test]
fn two_boxes_of_one_triangle() {
    let sheet = Mesh::from_triangles("sheet", 4, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let spike = Mesh::from_triangles("spike", 3, &[[0, 1, 2]]).unwrap();
    let bodies = Bodies::new([sheet, spike]).unwrap();
    let square = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    let high = vec![[1.0, 0.5, 2.0], [1.5, 0.5, 2.0], [1.0, 0.5, 1.0]];
    let low: Vec<_> = high.iter().map(|p| [p[0], p[1], p[2] - 1.5]).collect();
    let (s0, s1) = ([Positions::from(&square), (&high).into()], [Positions::from(&square), (&low).into()]);
    let hits = impacts(&bodies, Frame::new(&s0), Frame::new(&s1)).unwrap();
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].features, Features::VertexTriangle(VertexId(6), TriangleId(0)));
    assert!(hits[0].first.is_in_interval(2.0 / 3.0 - 1e-12, 2.0 / 3.0 + 1e-12));
}
