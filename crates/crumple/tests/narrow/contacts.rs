use crate::generate::points;
use crate::oracle::{self, Point, approximate};
use crumple::geometry::Aabb;
use crumple::geometry::triangle::is_degenerate;
use crumple::narrow::contact::{Intersection, contact};
use proptest::prelude::*;

const DIRECTIONS: [Point; 7] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [1.0, -2.0, 0.5],
    [-0.3, 1.0, 2.0],
    [0.7, 0.1, -1.0],
];

fn reach(points: &[Point], d: &Point) -> f64 {
    points.iter().map(|p| p[0] * d[0] + p[1] * d[1] + p[2] * d[2]).fold(f64::NEG_INFINITY, f64::max)
}

proptest! {
    #![proptest_config(crate::generate::cases(1000))]

    /// The exact common part and the reported one reach equally far in every direction, so they are the same set.
    #[test]
    fn contact_is_the_common_part(p in points::<6>()) {
        let (a, b) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
        let exact = oracle::common_points(&a, &b);
        let found = contact(&a, &b);
        prop_assert_eq!(found.is_some(), !exact.is_empty());
        let Some(found) = found else { return Ok(()) };
        let span = Aabb::of(&p).size().into_iter().fold(0.0, f64::max);
        let scale = p.as_flattened().iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        let grid = p.as_flattened().iter().all(|c| c.fract() == 0.0 && c.abs() < 10.0);
        let bounds = Aabb::of(&a).intersection(&Aabb::of(&b));
        for q in found.points() {
            prop_assert!(bounds.contains(q));
            for t in [&a, &b] {
                let off = approximate(&oracle::distance_sq(&[*q], t)).sqrt();
                prop_assert!(off <= 1e-12 * span + 4e-16 * scale, "{:?} is {} off", q, off);
            }
        }
        if grid {
            for d in DIRECTIONS {
                let (there, here) = (reach(&exact, &d), reach(found.points(), &d));
                prop_assert!((there - here).abs() <= 1e-12 * scale, "{:?}: {:?} {:?}", d, exact, found);
                let back = d.map(|c| -c);
                let (there, here) = (reach(&exact, &back), reach(found.points(), &back));
                prop_assert!((there - here).abs() <= 1e-12 * scale, "{:?}: {:?} {:?}", back, exact, found);
            }
            if !is_degenerate(&a) && !is_degenerate(&b) {
                prop_assert_eq!(found.points().len(), exact.len());
            }
        }
    }
}

#[test]
fn the_three_kinds() {
    let a = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let through = [[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, -5.0, 0.0]];
    assert_eq!(contact(&a, &through), Some(Intersection::Segment([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])));
    let touching = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]];
    assert_eq!(contact(&a, &touching), Some(Intersection::Point([1.0, 1.0, 0.0])));
    let star = [[3.0, 3.0, 0.0], [-1.0, 3.0, 0.0], [3.0, -1.0, 0.0]];
    match contact(&a, &star) {
        Some(Intersection::Polygon(p)) => {
            assert_eq!(p.points().len(), 6);
            // Convex, in order: every turn is to the same side.
            let turn = |i: usize| {
                let [p, q, r] = [0, 1, 2].map(|k| p.points()[(i + k) % 6]);
                (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0])
            };
            assert!((0..6).all(|i| turn(i) > 0.0) || (0..6).all(|i| turn(i) < 0.0));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(contact(&a, &[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), None);
}
