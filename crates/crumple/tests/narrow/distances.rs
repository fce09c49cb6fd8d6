use crate::generate::points;
use crate::oracle::{self, Point, approximate};
use crumple::narrow::{Feature, point_tri, seg_seg, tri_tri, tri_tri_distance};
use proptest::prelude::*;

/// The largest coordinate difference: the size of numbers that a distance is computed from.
fn size(p: &[Point]) -> f64 {
    (0..3).fold(0.0, |m: f64, k| {
        let low = p.iter().fold(f64::INFINITY, |m, q| m.min(q[k]));
        let high = p.iter().fold(f64::NEG_INFINITY, |m, q| m.max(q[k]));
        m.max(high - low)
    })
}

/// Equal to 1e-12, or to some units in the last place of the largest difference.
fn close(computed_sq: f64, exact: &num_rational::BigRational, size: f64) -> bool {
    let (d, e) = (computed_sq.sqrt(), approximate(exact).sqrt());
    (d - e).abs() <= 1e-12 * e + 2e-14 * size
}

fn distance(p: &Point, q: &Point) -> f64 {
    (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
}

/// Whether the bounds hold, and the distance is between them.
fn is_bounded(c: &tri_tri_distance::ClosestTriangles, exact: &num_rational::BigRational) -> bool {
    let square = |x: f64| oracle::rational(x) * oracle::rational(x);
    square(c.lower) <= *exact && *exact <= square(c.upper) && c.lower <= c.distance && c.distance <= c.upper
}

/// The points of a triangle that a feature is made of.
fn part(t: &[Point; 3], f: Feature) -> Vec<Point> {
    match f {
        Feature::Vertex(i) => vec![t[usize::from(i)]],
        Feature::Edge(i) => vec![t[usize::from(i)], t[(usize::from(i) + 1) % 3]],
        Feature::Face => t.to_vec(),
    }
}

/// Witness points carry a rounding of the coordinates themselves, which may be far larger than their differences.
fn coordinate_error(p: &[Point]) -> f64 {
    4e-16 * p.as_flattened().iter().fold(0.0, |m: f64, c| m.max(c.abs()))
}

proptest! {
    #![proptest_config(crate::generate::cases(800))]

    #[test]
    fn point_and_triangle(p in points::<4>()) {
        let t = [p[1], p[2], p[3]];
        let c = point_tri::closest(&p[0], &t);
        let exact = oracle::distance_sq(&p[..1], &t);
        prop_assert!(close(c.distance_sq, &exact, size(&p)), "{} {}", c.distance_sq.sqrt(), approximate(&exact).sqrt());
        let tolerance = 1e-12 * size(&p) + coordinate_error(&p);
        prop_assert!((distance(&p[0], &c.point) - c.distance_sq.sqrt()).abs() <= tolerance);
        prop_assert!(c.weights.iter().all(|w| (0.0..=1.0).contains(w)));
        prop_assert!((c.weights.iter().sum::<f64>() - 1.0).abs() <= 1e-15);
        let mixed: Point = std::array::from_fn(|k| (0..3).map(|i| c.weights[i] * t[i][k]).sum());
        prop_assert!(distance(&mixed, &c.point) <= tolerance);
        let on_part = oracle::distance_sq(&p[..1], &part(&t, c.feature));
        prop_assert!(close(c.distance_sq, &on_part, size(&p)), "{:?} is not where it is closest", c.feature);
    }

    #[test]
    fn two_segments(p in points::<4>()) {
        let (a, b) = ([p[0], p[1]], [p[2], p[3]]);
        let c = seg_seg::closest(&a, &b);
        let exact = oracle::distance_sq(&a, &b);
        prop_assert!(close(c.distance_sq, &exact, size(&p)), "{} {}", c.distance_sq.sqrt(), approximate(&exact).sqrt());
        prop_assert!((0.0..=1.0).contains(&c.s) && (0.0..=1.0).contains(&c.t));
        let tolerance = 1e-12 * size(&p) + coordinate_error(&p);
        prop_assert!((distance(&c.a, &c.b) - c.distance_sq.sqrt()).abs() <= tolerance);
    }

    #[test]
    fn two_triangles(p in points::<6>()) {
        let (a, b) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
        let c = tri_tri_distance::closest(&a, &b);
        let exact = oracle::distance_sq(&a, &b);
        prop_assert_eq!(c.distance == 0.0, exact == oracle::rational(0.0));
        prop_assert_eq!(c.distance == 0.0, tri_tri::intersects(&a, &b));
        prop_assert!(is_bounded(&c, &exact), "{:?} {}", c, approximate(&exact).sqrt());
        prop_assert!(c.upper - c.lower <= 1e-11 * c.lower || c.upper == c.lower.next_up(), "{:?}", c);
        let tolerance = 1e-12 * size(&p) + coordinate_error(&p);
        prop_assert!((distance(&c.a.point, &c.b.point) - c.distance).abs() <= tolerance);
        let (on_a, on_b) = (part(&a, c.a.feature), part(&b, c.b.feature));
        prop_assert!(close(c.distance * c.distance, &oracle::distance_sq(&on_a, &on_b), size(&p)), "{:?}", c);
        let limits = [0.0, 0.5, 0.999, 1.0, 1.001, 2.0].map(|f| f * c.distance);
        for limit in limits.into_iter().chain([0.0, 1e-30, 1.0, 2.0, 3.0, 1e60]) {
            let is_closer = exact <= oracle::rational(limit) * oracle::rational(limit);
            match tri_tri_distance::closest_up_to(&a, &b, limit) {
                Some(found) => prop_assert!(is_bounded(&found, &exact) && found.lower <= limit),
                None => prop_assert!(!is_closer, "{limit} {:?}", c),
            }
        }
        let back = tri_tri_distance::closest(&b, &a);
        prop_assert!(is_bounded(&back, &exact));
    }
}

#[test]
fn features_of_a_right_triangle() {
    let t = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let at = |p: Point| {
        let c = point_tri::closest(&p, &t);
        (c.feature, c.distance_sq)
    };
    assert_eq!(at([1.0, 1.0, 3.0]), (Feature::Face, 9.0));
    assert_eq!(at([-1.0, -1.0, 0.0]), (Feature::Vertex(0), 2.0));
    assert_eq!(at([6.0, -1.0, 0.0]), (Feature::Vertex(1), 5.0));
    assert_eq!(at([-1.0, 5.0, 0.0]), (Feature::Vertex(2), 2.0));
    assert_eq!(at([2.0, -3.0, 0.0]), (Feature::Edge(0), 9.0));
    assert_eq!(at([3.0, 3.0, 0.0]), (Feature::Edge(1), 2.0));
    assert_eq!(at([-2.0, 1.0, 1.0]), (Feature::Edge(2), 5.0));
}

/// Triangles closer than rounding can tell apart still have a distance when they do not intersect.
#[test]
fn zero_only_when_they_intersect() {
    let a = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let above = |z: f64| [[0.25, 0.25, z], [0.25, 0.5, 1.0], [0.5, 0.25, 1.0]];
    assert_eq!(tri_tri_distance::closest(&a, &above(0.0)).distance, 0.0);
    for tiny in [1e-300, f64::from_bits(1)] {
        let c = tri_tri_distance::closest(&a, &above(tiny));
        assert_eq!((c.distance, c.lower, c.upper), (tiny, tiny, tiny));
    }
    assert_eq!(tri_tri_distance::closest(&a, &above(-1e-300)).distance, 0.0);
    let c = tri_tri_distance::closest(&a, &above(0.5));
    assert_eq!((c.distance, c.a.feature, c.b.feature), (0.5, Feature::Face, Feature::Vertex(0)));
}
