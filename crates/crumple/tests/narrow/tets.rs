use crate::generate::points;
use crate::oracle;
use crumple::geometry::tet;
use crumple::narrow::vertex_tet::Location;
use crumple::narrow::{edge_tet, edge_tri, point_tri, seg_seg, vertex_tet};
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::generate::cases(1000))]

    #[test]
    fn vertex_in_tet(p in points::<5>()) {
        let tet = [p[1], p[2], p[3], p[4]];
        let truth = oracle::hulls_meet(&p[..1], &tet);
        for order in [[0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 1, 0], [2, 3, 1, 0]] {
            let tet = order.map(|i: usize| tet[i]);
            prop_assert_eq!(vertex_tet::contains(&p[0], &tet), truth);
            prop_assert_eq!(vertex_tet::contains_by_half_spaces(&p[0], &tet), truth);
            let on_face = tet::FACES.iter().any(|f| point_tri::contains(&p[0], &f.map(|i| tet[i])));
            let location = match (truth, on_face) {
                (false, _) => Location::Outside,
                (true, true) => Location::Boundary,
                (true, false) => Location::Inside,
            };
            prop_assert_eq!(vertex_tet::locate(&p[0], &tet), location);
        }
        let w = vertex_tet::weights(&p[0], &tet);
        prop_assert!(w.iter().all(|w| (0.0..=1.0).contains(w)), "{:?}", w);
        prop_assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-15 * 4.0);
        if truth {
            let scale = p.as_flattened().iter().fold(0.0f64, |m, c| m.max(c.abs()));
            for k in 0..3 {
                let x: f64 = (0..4).map(|i| w[i] * tet[i][k]).sum();
                prop_assert!((x - p[0][k]).abs() <= 1e-9 * scale, "{} {} {:?}", x, p[0][k], w);
            }
        }
    }

    #[test]
    fn edge_meets_tet(p in points::<6>()) {
        let (edge, tet) = ([p[0], p[1]], [p[2], p[3], p[4], p[5]]);
        let truth = oracle::hulls_meet(&edge, &tet);
        prop_assert_eq!(edge_tet::intersects(&edge, &tet), truth);
        prop_assert_eq!(edge_tet::intersects(&[p[1], p[0]], &[p[3], p[2], p[4], p[5]]), truth);
    }

    #[test]
    fn edge_meets_triangle(p in points::<5>()) {
        let (edge, tri) = ([p[0], p[1]], [p[2], p[3], p[4]]);
        let truth = oracle::hulls_meet(&edge, &tri);
        prop_assert_eq!(edge_tri::intersects(&edge, &tri), truth);
        prop_assert_eq!(edge_tri::intersects(&[p[1], p[0]], &[p[4], p[3], p[2]]), truth);
        prop_assert_eq!(point_tri::contains(&p[0], &tri), oracle::hulls_meet(&p[..1], &tri));
        prop_assert_eq!(seg_seg::intersects(&edge, &[p[2], p[3]]), oracle::hulls_meet(&edge, &p[2..4]));
    }
}
