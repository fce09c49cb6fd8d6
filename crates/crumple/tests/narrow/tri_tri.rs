use crate::generate::{indexed_pair, mirror, points, shear};
use crate::oracle::{self, Point};
use crumple::narrow::contact::contact;
use crumple::narrow::tri_tri::{intersects, meets};
use proptest::prelude::*;

const PERMUTATIONS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

fn split(p: &[Point; 6]) -> ([Point; 3], [Point; 3]) {
    ([p[0], p[1], p[2]], [p[3], p[4], p[5]])
}

/// Every order of corners, both orders of triangles, mirrored and sheared: one verdict.
fn verdict(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let first = intersects(a, b);
    for s in PERMUTATIONS {
        for t in PERMUTATIONS {
            let (a, b) = (s.map(|i| a[i]), t.map(|i| b[i]));
            assert_eq!(intersects(&a, &b), first, "{a:?} {b:?}");
            assert_eq!(intersects(&b, &a), first, "{b:?} {a:?}");
        }
    }
    assert_eq!(intersects(&a.map(|p| mirror(&p)), &b.map(|p| mirror(&p))), first, "mirrored {a:?} {b:?}");
    first
}

proptest! {
    #![proptest_config(crate::generate::cases(1000))]

    #[test]
    fn intersects_as_rationals_say(p in points::<6>()) {
        let (a, b) = split(&p);
        let truth = oracle::hulls_meet(&a, &b);
        prop_assert_eq!(verdict(&a, &b), truth);
        prop_assert_eq!(contact(&a, &b).is_some(), truth);
        if p.as_flattened().iter().all(|c| c.fract() == 0.0 && c.abs() < 1e6) {
            prop_assert_eq!(intersects(&a.map(|p| shear(&p)), &b.map(|p| shear(&p))), truth);
        }
    }

    #[test]
    fn meets_as_rationals_say((p, ia, ib) in indexed_pair()) {
        let at = |ids: [u32; 3]| ids.map(|i| p[i as usize]);
        let truth = oracle::triangles_meet(ia, &at(ia), ib, &at(ib));
        for s in PERMUTATIONS {
            for t in PERMUTATIONS {
                let (ia, ib) = (s.map(|i| ia[i]), t.map(|i| ib[i]));
                prop_assert_eq!(meets(ia, &at(ia), ib, &at(ib)), truth, "{:?} {:?}", ia, ib);
                prop_assert_eq!(meets(ib, &at(ib), ia, &at(ia)), truth, "{:?} {:?}", ib, ia);
            }
        }
        let mirrored = |ids: [u32; 3]| at(ids).map(|p| mirror(&p));
        prop_assert_eq!(meets(ia, &mirrored(ia), ib, &mirrored(ib)), truth);
    }
}

#[test]
fn equal_positions_are_shared_only_by_index() {
    let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let b = [[0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [-1.0, -1.0, 0.0]];
    assert!(!meets([0, 1, 2], &a, [0, 3, 4], &b));
    assert!(meets([0, 1, 2], &a, [5, 3, 4], &b));
    assert!(!meets([0, 1, 2], &a, [2, 0, 1], &[a[2], a[0], a[1]]), "a duplicate");
    assert!(meets([0, 1, 2], &a, [3, 4, 5], &a), "a copy that shares nothing");
}

/// The two counter-examples to testing contours of neighbours while ignoring shared vertices.
#[test]
fn neighbours_that_truly_cross() {
    let a = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let b = [[0.0, 0.0, 0.0], [1.0, 0.4, 0.5], [0.4, 1.0, -0.5]];
    assert!(meets([0, 1, 2], &a, [0, 3, 4], &b));

    let [u, v, t, y, x, p, q] = [0, 1, 2, 3, 4, 5, 6u32];
    let at: [Point; 7] = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 3.0, 0.0],
        [3.2, 0.9, 1.0],
        [3.0, 2.0, 0.0],
        [0.0, -1.0, 0.0],
        [5.0, -1.0, 10.0],
    ];
    let triangles = [[t, u, v], [t, v, y], [t, y, x], [u, p, q], [u, q, v], [v, q, x]];
    let mut pairs = Vec::new();
    for (i, &a) in triangles.iter().enumerate() {
        for (j, &b) in triangles.iter().enumerate().skip(i + 1) {
            let (pa, pb) = (a.map(|k| at[k as usize]), b.map(|k| at[k as usize]));
            assert_eq!(meets(a, &pa, b, &pb), oracle::triangles_meet(a, &pa, b, &pb), "{i} {j}");
            if meets(a, &pa, b, &pb) {
                pairs.push((i, j));
            }
        }
    }
    assert_eq!(pairs, [(1, 5), (2, 5)], "vqx crosses tvy and tyx");
}
