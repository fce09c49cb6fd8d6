//! Orientation signs against exact arithmetic: near ties, at both ends of the exponent range, and in between.

use crate::oracle::{Point, rational};
use crumple::geometry::predicates::{
    EXPANSION_RANGE, collinear, on_segment, orient2d, orient3d, same_direction,
};
use crumple::geometry::triangle::{self, Shape};
use num_rational::BigRational;
use proptest::prelude::*;

fn minus(a: &[BigRational; 3], b: &[BigRational; 3]) -> [BigRational; 3] {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}

fn sign(x: &BigRational) -> i8 {
    let zero = rational(0.0);
    i8::from(*x > zero) - i8::from(*x < zero)
}

fn truth(p: &[Point; 4]) -> i8 {
    let q = p.map(|p| p.map(rational));
    let [u, v, w] = [1, 2, 3].map(|i| minus(&q[i], &q[0]));
    let minor = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    sign(&(minor(1, 2) * &w[0] + minor(2, 0) * &w[1] + minor(0, 1) * &w[2]))
}

fn truth2(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> i8 {
    let [a, b, c] = [a, b, c].map(|p| p.map(rational));
    sign(&((&b[0] - &a[0]) * (&c[1] - &a[1]) - (&b[1] - &a[1]) * (&c[0] - &a[0])))
}

/// Coordinates of any magnitude; small integers often enough that ties survive scaling.
fn coordinate() -> impl Strategy<Value = f64> {
    let wide = (
        -3..4i32,
        prop::sample::select(vec![-1074, -1000, -320, -300, -299, -60, 0, 60, 331, 332, 340, 1000, 1021]),
    );
    prop_oneof![
        wide.prop_map(|(i, e)| f64::from(i) * 2f64.powi(e / 2) * 2f64.powi(e - e / 2)),
        (-3..4i32).prop_map(f64::from),
        -1.0..1.0f64,
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
    ]
}

/// A point as near to the plane of three others as rounding allows, then nudged by some units in the last place.
fn nearly_coplanar() -> impl Strategy<Value = [Point; 4]> {
    let c = || -1.0..1.0f64;
    let scale = prop::sample::select(vec![1.0, 1e-12, 1e12, 1e-95, 1e98, 1e-250, 1e290]);
    (prop::array::uniform3([c(), c(), c()]), (c(), c()), prop::array::uniform3(-2..3i32), scale, 0.0..1e9f64)
        .prop_map(|(t, (s, r), nudge, scale, offset)| {
            let t = t.map(|p| p.map(|x| (x + if scale == 1.0 { offset } else { 0.0 }) * scale));
            let d: Point = std::array::from_fn(|k| {
                let x = t[0][k] + s * (t[1][k] - t[0][k]) + r * (t[2][k] - t[0][k]);
                match nudge[k] {
                    i if i < 0 => (i..0).fold(x, |x, _| x.next_down()),
                    i => (0..i).fold(x, |x, _| x.next_up()),
                }
            });
            [t[0], t[1], t[2], d]
        })
}

proptest! {
    #![proptest_config(crate::generate::cases(1000))]

    #[test]
    fn orient3d_of_anything(p in prop::array::uniform4([coordinate(), coordinate(), coordinate()])) {
        prop_assert_eq!(orient3d(&p[0], &p[1], &p[2], &p[3]), truth(&p));
    }

    #[test]
    fn orient3d_near_a_plane(p in nearly_coplanar()) {
        let sign = truth(&p);
        prop_assert_eq!(orient3d(&p[0], &p[1], &p[2], &p[3]), sign);
        prop_assert_eq!(orient3d(&p[1], &p[0], &p[2], &p[3]), -sign);
        prop_assert_eq!(orient3d(&p[3], &p[2], &p[1], &p[0]), sign);
    }

    #[test]
    fn orient2d_of_anything(p in prop::array::uniform3([coordinate(), coordinate()]), s in -1.0..2.0f64) {
        let [a, b, c] = p;
        prop_assert_eq!(orient2d(a, b, c), truth2(a, b, c));
        let on: [f64; 2] = std::array::from_fn(|k| (a[k] + s * (b[k] - a[k])).clamp(f64::MIN, f64::MAX));
        if on.iter().all(|x| x.is_finite()) {
            prop_assert_eq!(orient2d(a, b, on), truth2(a, b, on));
        }
    }

    /// What the constant promises holds for coordinates at its ends, times small integers that do not leave it.
    #[test]
    fn expansions_decide_within_their_range(
        i in prop::array::uniform4([1..4i32, 1..4i32, 1..4i32]),
        low in prop::array::uniform4([any::<bool>(), any::<bool>(), any::<bool>()]),
    ) {
        let p: [Point; 4] = std::array::from_fn(|j| std::array::from_fn(|k| {
            let m = f64::from(i[j][k]);
            if low[j][k] { EXPANSION_RANGE.start() * m } else { EXPANSION_RANGE.end() / 4.0 * m }
        }));
        prop_assert_eq!(orient3d(&p[0], &p[1], &p[2], &p[3]), truth(&p));
        let c = |p: &Point| robust::Coord3D { x: p[0], y: p[1], z: p[2] };
        let det = robust::orient3d(c(&p[0]), c(&p[1]), c(&p[2]), c(&p[3]));
        prop_assert_eq!(i8::from(det < 0.0) - i8::from(det > 0.0), truth(&p));
    }
}

/// Why the range is guarded: the adaptive expansions alone answer 0 or the wrong sign beyond it.
#[test]
fn expansions_alone_fail_out_of_range() {
    let tiny = 1e-120;
    let (o, x, y, z) = ([0.0; 3], [tiny, 0.0, 0.0], [0.0, tiny, 0.0], [0.0, 0.0, tiny]);
    let c = |p: &Point| robust::Coord3D { x: p[0], y: p[1], z: p[2] };
    assert_eq!(robust::orient3d(c(&o), c(&x), c(&y), c(&z)), 0.0);
    assert_eq!(orient3d(&o, &x, &y, &z), 1);
}

#[test]
fn lines_and_directions() {
    let (a, b) = ([0.1, 0.2, 0.3], [0.4, 0.8, 1.2]);
    assert!(collinear(&a, &a, &b) && on_segment(&a, &a, &b) && on_segment(&b, &a, &b));
    let (o, p, q, r) = ([0.0; 3], [1.0, 2.0, -1.0], [3.0, 6.0, -3.0], [-2.0, -4.0, 2.0]);
    assert!(same_direction(&o, &p, &q) && !same_direction(&o, &p, &r));
    assert!(!same_direction(&o, &o, &p) && !same_direction(&o, &p, &o) && !same_direction(&o, &o, &o));
    assert!(on_segment(&p, &q, &o) && !on_segment(&r, &q, &o) && on_segment(&o, &q, &r));
    // A third of a third is not a ninth in f64: nearly on the segment is not on it.
    let third: Point = q.map(|x| x * (1.0 / 3.0) * (1.0 / 3.0));
    assert_eq!(on_segment(&third, &q, &o), collinear(&third, &q, &o));
}

#[test]
fn shapes() {
    let (o, x, y) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert_eq!(triangle::shape(&[o, o, o]), Shape::Point);
    assert_eq!(triangle::shape(&[x, o, o]), Shape::Segment(1, 0));
    assert_eq!(triangle::shape(&[x, [0.5, 0.0, 0.0], [-1.0, 0.0, 0.0]]), Shape::Segment(2, 0));
    assert_eq!(triangle::shape(&[o, x, y]), Shape::Triangle(2));
    assert!(triangle::is_degenerate(&[o, x, [3.0, 0.0, 0.0]]) && !triangle::is_degenerate(&[o, x, y]));
    // An area that underflows in f64 is an area.
    let tiny = [[0.0; 3], [1e-200, 0.0, 0.0], [0.0, 1e-200, 0.0]];
    assert_eq!(triangle::area(&tiny), 0.0);
    assert_eq!(triangle::shape(&tiny), Shape::Triangle(2));
}

/// Past the door that refuses them, non-finite coordinates give some answer and never a panic.
#[test]
fn nothing_panics_on_non_finite_input() {
    use crumple::narrow::{
        contact, edge_tet, edge_tri, point_tri, seg_seg, tri_tri, tri_tri_distance, vertex_tet, winding,
    };
    let values = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1.0, f64::MAX, f64::MIN_POSITIVE];
    for i in 0..7usize.pow(4) {
        let pick = |k: usize| values[(i / 7usize.pow((k % 4) as u32) + k / 4 * (i % 5)) % 7];
        let p: [Point; 6] = std::array::from_fn(|j| std::array::from_fn(|k| pick(3 * j + k)));
        let (a, b, tet) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]], [p[1], p[2], p[3], p[4]]);
        tri_tri::intersects(&a, &b);
        tri_tri::meets([0, 1, 2], &a, [0, 3, 4], &[p[0], p[3], p[4]]);
        tri_tri::meets([0, 1, 2], &a, [0, 1, 4], &[p[0], p[1], p[4]]);
        contact::contact(&a, &b);
        tri_tri_distance::closest(&a, &b);
        vertex_tet::contains(&p[0], &tet);
        vertex_tet::weights(&p[0], &tet);
        edge_tet::intersects(&[p[0], p[5]], &tet);
        edge_tri::intersects(&[p[0], p[1]], &b);
        seg_seg::closest(&[p[0], p[1]], &[p[2], p[3]]);
        point_tri::closest(&p[0], &b);
        winding::crossing(&p[0], &b);
    }
}
