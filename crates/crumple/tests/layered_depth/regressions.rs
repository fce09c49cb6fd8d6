//! Files that once broke a promise, in `testdata/regressions`; the first line of each tells how.

use std::path::Path;
use std::time::Instant;

use crumple::methods::layered_depth::{LayeredDepth, Overlap, Refined, Resolution, Stop, Tolerance};
use crumple::{Bodies, BodyId, Frame, Mesh};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::cuboid;

type Point = [f64; 3];

const BOTH: [BodyId; 2] = [BodyId(0), BodyId(1)];

fn read(name: &str) -> (Mesh, Vec<Point>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/regressions");
    let file = crumple_io::read(&folder.join(name)).unwrap();
    let mesh = Mesh::from_polygons(name, file.positions.len(), file.polygons.iter()).unwrap();
    (mesh, file.positions)
}

fn overlap((a, pa): (Mesh, Vec<Point>), (b, pb): (Mesh, Vec<Point>), resolution: Resolution) -> Overlap {
    let (bodies, positions) = (Bodies::new([a, b]).unwrap(), vec![pa, pb]);
    let mut method = LayeredDepth::default();
    method.update(&bodies, Frame::from(&positions)).unwrap().overlap(BOTH, resolution).unwrap()
}

fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).unwrap()
}

/// The volume that a closed surface of one shell encloses, exactly.
fn exact_volume((mesh, positions): &(Mesh, Vec<Point>)) -> BigRational {
    let zero = BigRational::from_integer(BigInt::from(0));
    let mut six = zero.clone();
    for t in mesh.triangles() {
        let [a, b, c] = t.map(|v| positions[v.index()].map(rational));
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            six += &a[k] * (&b[i] * &c[j] - &b[j] * &c[i]);
        }
    }
    (if six < zero { -six } else { six }) / BigRational::from_integer(BigInt::from(6))
}

#[track_caller]
fn assert_between(o: &Overlap, truth: &BigRational) {
    assert!(rational(o.lower) <= *truth && *truth <= rational(o.upper), "{o:?}");
    assert!(o.lower <= o.volume && o.volume <= o.upper, "{o:?}");
}

#[test]
fn tiny_bodies_have_a_volume() {
    // The second body is one of the two shells of the first.
    let (a, b) = (read("overlap_tiny_a.off"), read("overlap_tiny_b.off"));
    let truth = exact_volume(&b);
    for n in [1, 16, 128] {
        let o = overlap(a.clone(), b.clone(), Resolution::rays(n));
        assert_between(&o, &truth);
        assert!(n == 1 || (o.lower > 0.0 && o.sampled > 0.0), "{o:?}");
    }
}

#[test]
fn the_box_as_a_bound_is_rounded_up() {
    let (a, b) = (read("overlap_box_bound_a.off"), read("overlap_box_bound_b.off"));
    let truth = exact_volume(&b);
    assert_between(&overlap(a, b, Resolution::default()), &truth);
}

#[test]
fn a_tolerance_that_is_out_of_reach_is_told_soon() {
    let (a, b) = (read("slow_tolerance_cube.off"), read("slow_tolerance_plate.off"));
    let (bodies, positions) = (Bodies::new([a.0, b.0]).unwrap(), vec![a.1, b.1]);
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&bodies, Frame::from(&positions)).unwrap();
    let start = Instant::now();
    let Refined { overlap, stop, blocks, .. } =
        volumes.refined_overlap(BOTH, Resolution::default(), Tolerance::Relative(1e-5)).unwrap();
    assert_eq!(stop, Stop::Work, "{overlap:?}");
    // The plate is 1e-6 high and 3e-7 aside from top to bottom; within the cube it is a prism of that height.
    assert!(overlap.lower <= 1e-6 && 0.9e-6 <= overlap.upper, "{overlap:?}");
    // Counted, since machines differ; 400,000 blocks took 40 s.
    assert!(blocks < 20_000, "{blocks} blocks in {:?}", start.elapsed());
}

/// A half space under a tilted plane, as a box of a million kilometres, and a small box that it cuts. The upper bound was
/// ten million times the volume of the small box.
#[test]
fn bounds_hold_beside_far_corners_and_within_the_box() {
    let mut state = 9u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    for _ in 0..12 {
        // The plane z = x / 4 + y / 8 + c; all its corners are numbers.
        let far = f64::from(1 << 30);
        let c = (next() * 0.25 * f64::from(1 << 23)).round() / f64::from(1 << 23);
        let mut half_space = cuboid([-far; 3], [2.0 * far; 3]);
        for p in &mut half_space.positions {
            if p[2] > 0.0 {
                p[2] = 0.25 * p[0] + 0.125 * p[1] + c;
            }
        }
        let (min, size) = ([next() * 0.1, next() * 0.1, -0.1 * next()], [0.5 + next() * 0.4; 3]);
        let small = cuboid(min, [size[0], size[1], 1.0 + next()]);
        let mesh = |s: &crumple_scenes::Surface| {
            (Mesh::from_triangles("body", s.positions.len(), &s.triangles).unwrap(), s.positions.clone())
        };
        let (lo, hi) = crumple_scenes::vector::bounds(&small.positions);
        let ([x0, y0, z0], [x1, y1, _]) = (lo.map(rational), hi.map(rational));
        let half = rational(0.5);
        let middle = [(&x0 + &x1) * &half, (&y0 + &y1) * &half];
        let height = &middle[0] * rational(0.25) + &middle[1] * rational(0.125) + rational(c) - z0;
        let truth = (x1 - x0) * (y1 - y0) * height;
        let most = exact_volume(&mesh(&small)) * rational(1.0 + 1e-9);
        for n in [4, 32] {
            let o = overlap(mesh(&half_space), mesh(&small), Resolution::rays(n));
            assert_between(&o, &truth);
            assert!(rational(o.upper) <= most, "{o:?}");
        }
    }
}
