//! Distances against exact rationals: bounds that hold, 0 only when surfaces intersect, and of equal distances the smallest
//! pair, at every scale.

#[path = "narrow/oracle.rs"]
#[allow(dead_code)]
mod oracle;

use crumple::methods::brute_force;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::{Bodies, BodyId, Distance, Frame, Mesh};
use num_rational::BigRational;
use oracle::{Point, rational};
use proptest::prelude::*;

const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];

/// A soup of triangles.
fn soup(points: &[Point]) -> Mesh {
    let triangles: Vec<[u32; 3]> =
        (0..points.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::from_triangles("soup", points.len(), &triangles).expect("valid")
}

/// The smallest squared distance, the smallest pair of triangles that has it, and of how many pairs it is.
fn exact(a: &[Point], b: &[Point]) -> (BigRational, [u32; 2]) {
    let mut best: Option<(BigRational, [u32; 2])> = None;
    for (i, s) in a.chunks(3).enumerate() {
        for (j, t) in b.chunks(3).enumerate() {
            let d = oracle::distance_sq(s, t);
            if best.as_ref().is_none_or(|(e, _)| d < *e) {
                best = Some((d, [i as u32, j as u32]));
            }
        }
    }
    best.expect("triangles")
}

fn holds(found: &Distance, (true_sq, pair): &(BigRational, [u32; 2]), first_b: u32) -> Result<(), String> {
    let square = |x: f64| rational(x) * rational(x);
    if !found.upper.is_finite() || !found.lower.is_finite() {
        return Err(format!("no bound: {found:?}"));
    }
    let named = [found.a.triangle.0, found.b.triangle.0 - first_b];
    if square(found.lower) > *true_sq || square(found.upper) < *true_sq {
        return Err(format!("not between its bounds: {found:?}"));
    }
    if (found.distance == 0.0) != (*true_sq == rational(0.0)) {
        return Err(format!("0 only where they intersect: {found:?}"));
    }
    if named != *pair {
        return Err(format!("{pair:?} is the smallest closest pair, not {named:?}: {found:?}"));
    }
    Ok(())
}

/// Coordinates with ties, at a scale, some of them a step off.
fn coordinates(n: usize) -> impl Strategy<Value = Vec<[(i8, i8); 3]>> {
    let one = (-4i8..=4, prop_oneof![6 => Just(0i8), 1 => -2i8..=2]);
    proptest::collection::vec(prop::array::uniform3(one), 3..=3 * n)
}

/// As many whole triangles as there are, shifted.
fn place(raw: &[[(i8, i8); 3]], unit: f64, shift: [f64; 3]) -> Vec<Point> {
    let at = |p: &[(i8, i8); 3]| {
        std::array::from_fn(|k| {
            let x = unit * (f64::from(p[k].0) + shift[k]);
            (0..p[k].1.abs()).fold(x, |x, _| if p[k].1 < 0 { x.next_down() } else { x.next_up() })
        })
    };
    raw[..raw.len() / 3 * 3].iter().map(at).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn soups_at_every_scale(
        raw in [coordinates(4), coordinates(4)],
        unit in prop::sample::select(vec![1.0, 0.1, 3e40, 1e-100, 1e-108, 1e-130, 1e-160, 1e-300, f64::from_bits(1)]),
        small in prop::sample::select(vec![1.0, 1.0, 1e-6, 1e-25, 1e-90]),
        shifts in proptest::collection::vec([-9i8..=9, -9i8..=9, -9i8..=9], 3),
    ) {
        let mut warm: Option<DistanceHierarchy> = None;
        for shift in shifts {
            let now = vec![
                place(&raw[0], unit, [0.0; 3]),
                place(&raw[1], unit * small, shift.map(|x| f64::from(x) / 1.5)),
            ];
            let bodies = Bodies::new(now.iter().map(|p| soup(p))).expect("small");
            let frame = Frame::from(&now);
            let truth = exact(&now[0], &now[1]);
            let first = now[0].len() as u32 / 3;
            let params = DistanceHierarchyParams { region_triangles: 2, ..Default::default() };
            let mut cold = DistanceHierarchy::new(params).expect("valid");
            let kept = warm.get_or_insert_with(|| cold.clone());
            for h in [&mut cold, kept] {
                h.update(&bodies, frame).expect("finite");
                let found = h.distance(BOTH).expect("bodies").expect("triangles");
                prop_assert_eq!(holds(&found, &truth, first), Ok(()));
                h.validate(&bodies, frame).expect("invariants hold");
            }
            let found = brute_force::distance(&bodies, frame, BodyId(0), BodyId(1)).expect("finite").expect("triangles");
            prop_assert_eq!(holds(&found, &truth, first), Ok(()));
            // Nothing as close as the closest is dropped.
            let near = cold.closer_than(BOTH, found.upper).expect("bodies");
            prop_assert!(near.iter().any(|n| [n.pair.a.0, n.pair.b.0 - first] == truth.1), "{near:?}");
        }
    }
}

/// Vertices and triangles of a small OFF file.
fn read(name: &str) -> (Vec<Point>, Vec<[u32; 3]>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/regressions/");
    let text = std::fs::read_to_string(format!("{path}{name}")).expect("a file");
    let mut words = text.lines().filter(|l| !l.starts_with('#')).flat_map(str::split_whitespace).skip(1);
    let mut number = || words.next().expect("a number").parse::<f64>().expect("a number");
    let (vertices, triangles) = (number() as usize, number() as usize);
    number();
    let positions = (0..vertices).map(|_| [number(), number(), number()]).collect();
    let corners = (0..triangles).map(|_| {
        number();
        [number() as u32, number() as u32, number() as u32]
    });
    (positions, corners.collect())
}

#[test]
fn a_subnormal_gap_is_no_contact() {
    let ((p, s), (q, t)) = (read("gap_a.off"), read("gap_b.off"));
    let mesh = |p: &[Point], t: &[[u32; 3]]| Mesh::from_triangles("gap", p.len(), t).expect("valid");
    let bodies = Bodies::new([mesh(&p, &s), mesh(&q, &t)]).expect("two");
    let (first, truth) = (s.len() as u32, exact(&p, &q));
    assert!(truth.0 > rational(0.0));
    let now = vec![p, q];
    let mut h = DistanceHierarchy::new(DistanceHierarchyParams::default()).expect("valid");
    h.update(&bodies, Frame::from(&now)).expect("finite");
    let found = h.distance(BOTH).expect("bodies").expect("triangles");
    holds(&found, &truth, first).expect("exact");
    assert!(found.distance > 0.0 && found.distance < 1e-320, "{found:?}");
    assert!(h.closer_than(BOTH, 0.0).expect("bodies").is_empty());
    let known = brute_force::distance(&bodies, Frame::from(&now), BodyId(0), BodyId(1)).expect("finite");
    assert_eq!(known, Some(found));
}

#[test]
fn a_body_far_smaller_than_the_scene_breaks_no_invariant() {
    for size in [1e-20, 1e-23, 1e-60] {
        let small =
            |i: i32| [2.0 + size * f64::from(i % 5), size * f64::from(i * i % 7), size * f64::from(i % 3)];
        let tiny: Vec<Point> = (0..24).map(small).map(|p| [p[0] - 2.0, p[1], p[2]]).collect();
        let wide: Vec<Point> =
            (0..24).map(|i| [3.0 + f64::from(i % 4), f64::from(i % 5), f64::from(i % 7)]).collect();
        let bodies = Bodies::new([soup(&tiny), soup(&wide)]).expect("small");
        let truth = exact(&tiny, &wide);
        let now = vec![tiny, wide];
        let mut h =
            DistanceHierarchy::new(DistanceHierarchyParams { region_triangles: 4, ..Default::default() })
                .expect("valid");
        h.update(&bodies, Frame::from(&now)).expect("finite");
        holds(&h.distance(BOTH).expect("bodies").expect("triangles"), &truth, 8).expect("exact");
        h.validate(&bodies, Frame::from(&now)).unwrap_or_else(|e| panic!("{size}: {e}"));
    }
}
