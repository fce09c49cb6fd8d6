use crumple::geometry::Aabb;
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::generate::cases(4000))]

    #[test]
    fn boxes_hold_their_points(p in prop::array::uniform4([-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64])) {
        let b = Aabb::of(&p);
        prop_assert!(p.iter().all(|q| b.contains(q)));
        for k in 0..3 {
            prop_assert!(p.iter().any(|q| q[k] == b.min[k]) && p.iter().any(|q| q[k] == b.max[k]));
        }
        let left = Aabb::of(&p[..2]);
        let right = Aabb::of(&p[2..]);
        prop_assert_eq!(left.union(&right), b);
        prop_assert_eq!(left.distance_sq(&right) == 0.0, left.overlaps(&right));
        prop_assert!(p.iter().all(|q| (q[0] - p[0][0]).abs() <= b.diagonal()));
    }
}

#[test]
fn the_empty_box_is_neutral() {
    let b = Aabb::of(&[[1.0, 2.0, 3.0]]);
    assert_eq!(Aabb::EMPTY.union(&b), b);
    assert!(Aabb::EMPTY.is_empty() && !b.is_empty());
    assert!(!Aabb::EMPTY.overlaps(&b));
    assert_eq!(b.clamp(&[9.0, 2.0, -9.0]), [1.0, 2.0, 3.0]);
}
