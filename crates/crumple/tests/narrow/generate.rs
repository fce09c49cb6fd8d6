//! Inputs in which ties abound, and inputs in which they almost do.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub type Point = [f64; 3];

/// So many cases, the same in every run. `PROPTEST_RNG_SEED` and another seed here try others.
pub fn cases(n: u32) -> ProptestConfig {
    ProptestConfig {
        cases: n,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2003),
        ..ProptestConfig::default()
    }
}

/// A coordinate on a grid of `n` values around 0.
fn grid(n: i32) -> impl Strategy<Value = f64> {
    (0..n).prop_map(move |i| f64::from(i - n / 2))
}

/// Points on a grid so small that coincidence, collinearity and coplanarity are common.
pub fn grid_points<const N: usize>() -> impl Strategy<Value = [Point; N]> {
    prop_oneof![
        prop::array::uniform::<_, N>([grid(3), grid(3), grid(3)]),
        prop::array::uniform::<_, N>([grid(5), grid(5), grid(5)]),
        // One plane, one line.
        prop::array::uniform::<_, N>([grid(4), grid(4), grid(1)]),
        prop::array::uniform::<_, N>([grid(5), grid(4), grid(1)]).prop_map(|p| p.map(|[x, y, _]| [
            x,
            y,
            x + y
        ])),
        prop::array::uniform::<_, N>(grid(7)).prop_map(|p| p.map(|x| [x, -x, 2.0 * x])),
    ]
}

/// Points in general position at many scales, far from the origin, flattened or rounded to `f32`.
pub fn float_points<const N: usize>() -> impl Strategy<Value = [Point; N]> {
    let c = || -1.0..1.0f64;
    let any = prop::array::uniform::<_, N>([c(), c(), c()]);
    (any, 0..7usize).prop_map(|(p, kind)| {
        p.map(|[x, y, z]| match kind {
            0 => [x, y, z],
            1 => [x, y, z].map(|c| c * 1e-40),
            2 => [x, y, z].map(|c| c + 1e12),
            3 => [x, y, 0.3 * x + 0.7 * y + 1e-16 * z],
            4 => [x, y, z].map(|c| f64::from(c as f32)),
            5 => [x, y, z].map(|c| c * 1e60),
            _ => [x, 1e-9 * y, 1e-9 * z],
        })
    })
}

pub fn points<const N: usize>() -> impl Strategy<Value = [Point; N]> {
    prop_oneof![4 => grid_points::<N>(), 1 => float_points::<N>()]
}

/// Two triangles over a pool of six vertices, by index; repeated and shared indices are common.
pub fn indexed_pair() -> impl Strategy<Value = ([Point; 6], [u32; 3], [u32; 3])> {
    let index = || prop::array::uniform3(0..6u32);
    let shared = prop_oneof![
        (index(), index()),
        Just(([0, 1, 2], [0, 3, 4])),
        Just(([0, 1, 2], [1, 0, 3])),
        Just(([0, 1, 2], [2, 3, 1])),
        Just(([0, 1, 2], [3, 4, 5])),
        Just(([0, 0, 1], [0, 2, 3])),
    ];
    (points::<6>(), shared).prop_map(|(p, (a, b))| (p, a, b))
}

/// Turns grid points by an exact linear map that keeps every incidence but no axis-aligned plane.
pub fn shear(p: &Point) -> Point {
    let [x, y, z] = *p;
    [x + 2.0 * y - z, 3.0 * y + z - x, 2.0 * z + x]
}

pub fn mirror([x, y, z]: &Point) -> Point {
    [-x, *y, *z]
}

/// The generators must produce what they are for, or the properties above them prove little.
#[test]
fn ties_abound() {
    use crumple::geometry::predicates::orient3d;
    use crumple::geometry::triangle::is_degenerate;
    use crumple::narrow::tri_tri::{intersects, meets};
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let (mut hits, mut flat, mut degenerate, mut sharing_hits, mut sharing) = (0, 0, 0, 0, 0);
    for _ in 0..1000 {
        let p = points::<6>().new_tree(&mut runner).expect("points").current();
        let (a, b) = ([p[0], p[1], p[2]], [p[3], p[4], p[5]]);
        hits += i32::from(intersects(&a, &b));
        flat += i32::from(b.iter().all(|q| orient3d(&a[0], &a[1], &a[2], q) == 0));
        degenerate += i32::from(is_degenerate(&a));
        let (p, ia, ib) = indexed_pair().new_tree(&mut runner).expect("pair").current();
        let at = |ids: [u32; 3]| ids.map(|i| p[i as usize]);
        if ia.iter().any(|i| ib.contains(i)) {
            sharing += 1;
            sharing_hits += i32::from(meets(ia, &at(ia), ib, &at(ib)));
        }
    }
    println!("{hits} hits, {flat} flat, {degenerate} degenerate, {sharing_hits} of {sharing} sharing");
    assert!((200..800).contains(&hits) && flat > 200 && degenerate > 100);
    assert!(sharing > 500 && sharing_hits * 10 > sharing && sharing_hits * 10 < sharing * 9);
}
