use crate::generate::points;
use crumple::geometry::tet::{self, FACES};
use crumple::narrow::winding::{Winding, number};
use crumple::narrow::{point_tri, vertex_tet};
use proptest::prelude::*;

type Point = [f64; 3];

fn faces(t: &[Point; 4]) -> Vec<[Point; 3]> {
    FACES.iter().map(|f| f.map(|i| t[i])).collect()
}

proptest! {
    #![proptest_config(crate::generate::cases(4000))]

    /// Around a tet's surface the number is its orientation inside, 0 outside; two tets add up.
    #[test]
    fn around_tets(p in points::<9>()) {
        let (s, t, q) = ([p[0], p[1], p[2], p[3]], [p[4], p[5], p[6], p[7]], p[8]);
        let around = |t: &[Point; 4]| {
            if faces(t).iter().any(|f| point_tri::contains(&q, f)) {
                Winding::On
            } else if vertex_tet::contains(&q, t) {
                Winding::Number(tet::orientation(t).into())
            } else {
                Winding::Number(0)
            }
        };
        prop_assert_eq!(number(&q, faces(&s)), around(&s));
        let both = match (around(&s), around(&t)) {
            (Winding::Number(m), Winding::Number(n)) => Winding::Number(m + n),
            _ => Winding::On,
        };
        prop_assert_eq!(number(&q, faces(&s).into_iter().chain(faces(&t))), both);
    }
}

/// A cube and an octahedron asked at every grid point: rays through corners, along edges, within faces.
#[test]
fn around_solids_on_the_grid() {
    let corner = |i: usize| [(i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64].map(|c| 2.0 * c - 1.0);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cube: Vec<[Point; 3]> =
        quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).map(|t| t.map(corner)).collect();
    let mut octahedron = Vec::new();
    for i in 0..8 {
        let s = corner(i);
        let mut t = [[s[0] * 2.0, 0.0, 0.0], [0.0, s[1] * 2.0, 0.0], [0.0, 0.0, s[2] * 2.0]];
        if s[0] * s[1] * s[2] < 0.0 {
            t.swap(0, 1);
        }
        octahedron.push(t);
    }
    let steps: Vec<f64> = (-6..=6).map(|i| f64::from(i) / 2.0).collect();
    for &x in &steps {
        for &y in &steps {
            for &z in &steps {
                let expected = |radius: f64, limit: f64| match radius.total_cmp(&limit) {
                    std::cmp::Ordering::Less => Winding::Number(1),
                    std::cmp::Ordering::Equal => Winding::On,
                    std::cmp::Ordering::Greater => Winding::Number(0),
                };
                let p = [x, y, z];
                let size = p.map(f64::abs);
                let largest = size[0].max(size[1]).max(size[2]);
                assert_eq!(number(&p, cube.iter().copied()), expected(largest, 1.0), "cube {p:?}");
                let sum = size[0] + size[1] + size[2];
                assert_eq!(number(&p, octahedron.iter().copied()), expected(sum, 2.0), "octahedron {p:?}");
                let inward = octahedron.iter().map(|t| [t[0], t[2], t[1]]);
                let turned = match expected(sum, 2.0) {
                    Winding::Number(n) => Winding::Number(-n),
                    Winding::On => Winding::On,
                };
                assert_eq!(number(&p, inward), turned, "inward octahedron {p:?}");
                assert_eq!(turned.is_inside(), sum <= 2.0);
            }
        }
    }
}
