use super::*;
use crate::Detector;
use crate::{BodyId, Containment, Mesh, Positions};

/// The surface of a box, outward.
fn cuboid(low: [f64; 3], high: [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { high[k] } else { low[k] });
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn two(a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3])) -> (Bodies, Vec<Vec<[f64; 3]>>) {
    let ((pa, ta), (pb, tb)) = (cuboid(a.0, a.1), cuboid(b.0, b.1));
    let bodies = [Mesh::from_triangles("a", 8, &ta).unwrap(), Mesh::from_triangles("b", 8, &tb).unwrap()];
    (Bodies::new(bodies).unwrap(), vec![pa, pb])
}

#[test]
fn boxes_share_the_volume_of_their_common_box() {
    for (low, high, expected) in [
        ([0.5, 0.5, 0.5], [2.0, 2.0, 2.0], 0.125),
        ([0.25, 0.25, 0.25], [0.5, 0.75, 0.5], 0.03125),
        ([2.0, 0.0, 0.0], [3.0, 1.0, 1.0], 0.0),
        ([-1.0, -1.0, 0.5], [3.0, 3.0, 0.75], 0.25),
    ] {
        let (bodies, p) = two(([0.0; 3], [1.0; 3]), (low, high));
        let slices = [Positions::from(&p[0]), Positions::from(&p[1])];
        let volume = overlap_volume(&bodies, Frame::new(&slices), BodyId(0), BodyId(1)).unwrap();
        assert!((volume - expected).abs() < 1e-13, "{volume} for {low:?} {high:?}");
    }
}

#[test]
fn distance_knows_containment_and_touching() {
    let ask = |low: f64, high: f64| {
        let (bodies, p) = two(([0.0; 3], [1.0; 3]), ([low; 3], [high; 3]));
        let slices = [Positions::from(&p[0]), Positions::from(&p[1])];
        distance(&bodies, Frame::new(&slices), BodyId(0), BodyId(1)).unwrap().unwrap()
    };
    let apart = ask(2.0, 3.0);
    assert_eq!((apart.distance, apart.contains), (3f64.sqrt(), None));
    assert_eq!((apart.a.point, apart.b.point), ([1.0; 3], [2.0; 3]));
    assert_eq!((ask(0.25, 0.75).distance, ask(0.25, 0.75).contains), (0.25, Some(Containment::A)));
    assert_eq!(ask(-1.0, 2.0).contains, Some(Containment::B));
    assert_eq!((ask(1.0, 2.0).distance, ask(1.0, 2.0).contains), (0.0, None));
}

#[test]
fn inside_is_closed_and_blind_to_orientation() {
    let (positions, mut triangles) = cuboid([0.0; 3], [1.0; 3]);
    triangles[3].swap(0, 1);
    let bodies = Bodies::new([Mesh::from_triangles("box", 8, &triangles).unwrap()]).unwrap();
    let points =
        [[0.5, 0.5, 0.5], [1.0, 0.5, 0.5], [1.0, 1.0, 1.0], [1.0 + 1e-15, 0.5, 0.5], [0.5, 0.5, -1.0]];
    let slices = [Positions::from(&positions)];
    let answer = inside(&bodies, Frame::new(&slices), BodyId(0), Positions::F64(&points)).unwrap();
    assert_eq!(answer, [true, true, true, false, false]);
}

#[test]
fn crossing_boxes_and_their_pairs() {
    let (bodies, p) = two(([0.0; 3], [1.0; 3]), ([0.5; 3], [2.0; 3]));
    let slices = [Positions::from(&p[0]), Positions::from(&p[1])];
    let frame = Frame::new(&slices);
    let mut detector = BruteForce::surfaces();
    detector.update(&bodies, frame).unwrap().validate().unwrap();
    let mut out = Contacts::default();
    detector.update(&bodies, frame).unwrap().contacts(Pairs::All, &mut out);
    assert!(out.triangle_pairs.iter().all(|p| p.a.0 < 12 && p.b.0 >= 12), "each box alone is clean");
    let all = out.clone();
    detector.update(&bodies, frame).unwrap().contacts(Pairs::Between, &mut out);
    assert_eq!(out, all);
    detector.update(&bodies, frame).unwrap().contacts(Pairs::Within, &mut out);
    assert!(out.is_empty());
    let near = pairs_closer_than(&bodies, frame, BodyId(0), BodyId(1), 0.0).unwrap();
    assert_eq!(near.iter().map(|n| n.pair).collect::<Vec<_>>(), all.triangle_pairs);
}

#[test]
fn a_tet_through_a_tet_has_edges_but_no_vertices_inside() {
    let tets = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]]).unwrap();
    let bodies = Bodies::new([tets.clone(), tets]).unwrap();
    let a = vec![[-4.0, -0.1, 0.0], [4.0, -0.1, 0.0], [0.0, 0.2, 0.1], [0.0, 0.2, -0.1]];
    let b: Vec<[f64; 3]> = a.iter().map(|p| [p[2], -p[1], p[0]]).collect();
    let slices = [Positions::from(&a), Positions::from(&b)];
    let mut detector = BruteForce::solids();
    detector.update(&bodies, Frame::new(&slices)).unwrap();
    let mut out = Contacts::default();
    detector.update(&bodies, Frame::new(&slices)).unwrap().contacts(Pairs::All, &mut out);
    assert!(out.vertex_tets.is_empty());
    assert!(!out.edge_tets.is_empty());
}
