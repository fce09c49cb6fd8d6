use crate::oracle::rational;
use crumple::geometry::aabb::{above, below, round_down, round_up};
use crumple::geometry::{Aabb, Aabb32};
use proptest::prelude::*;

/// Any finite number, all exponents alike; and many that an `f32` holds exactly or almost.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        -1e3..1e3f64,
        (-4..4i32).prop_map(f64::from),
        any::<f32>().prop_map(f64::from),
        any::<f32>().prop_map(|x| f64::from(x).next_up()),
        any::<f32>().prop_map(|x| f64::from(x).next_down()),
        Just(f64::MAX),
        Just(f64::MIN),
    ]
    .prop_filter("finite", |x| x.is_finite())
}

proptest! {
    #![proptest_config(crate::generate::cases(4000))]

    #[test]
    fn rounding_is_outward_and_tight(x in number()) {
        let (low, high) = (round_down(x), round_up(x));
        prop_assert!(f64::from(low) <= x && x <= f64::from(high));
        prop_assert!(low == high || low.next_up() == high);
    }

    #[test]
    fn a_difference_is_rounded_outward_too(x in number(), origin in number()) {
        let exact = rational(x) - rational(origin);
        let (low, high) = (below(x, origin), above(x, origin));
        prop_assert!(low == f32::NEG_INFINITY || rational(f64::from(low)) <= exact, "{} {}", low, exact);
        prop_assert!(high == f32::INFINITY || rational(f64::from(high)) >= exact, "{} {}", high, exact);
        if low.is_finite() && high.is_finite() {
            let mut steps = low;
            for _ in 0..3 {
                steps = steps.next_up();
            }
            prop_assert!(steps >= high, "{} {}", low, high);
        }
    }

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
        prop_assert_eq!(left.overlaps(&right), !left.intersection(&right).is_empty());
        prop_assert_eq!(left.distance_sq(&right) == 0.0, left.overlaps(&right));
        let origin = p[3];
        let (l, r) = (Aabb32::relative(&left, &origin), Aabb32::of(&p[2..], &origin));
        prop_assert!(l.overlaps(&r) || !left.overlaps(&right), "a common point was lost");
        prop_assert_eq!(l.union(&r), Aabb32::of(&p, &origin));
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
