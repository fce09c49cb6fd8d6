//! What is peculiar to this method: contours, directions, lanes. The suite and `tests/regularity.rs` cover the rest.

use super::bounds::find_bounds;
use super::certificate::{Case, Point2, ProjectedContour, Projection};
use super::directions::Directions;
use super::facing::{Facing, FindFacing};
use super::hierarchy::{ContourEdge, Hierarchy};
use crate::geometry::predicates::orient2d;
use crate::geometry::simd;
use crate::geometry::vector::dot;
use crate::geometry::{Aabb32, Map};
use crate::{Bodies, Frame, Mesh, Positions};
use proptest::prelude::*;

/// Adds a polygon as the loop of a region; vertex `i` is `points[i]`.
fn add(contour: &mut ProjectedContour<1>, loop_of: &[u32], region: u8, points: &[Point2]) {
    let edges: Vec<ContourEdge> =
        loop_of.iter().map(|&vertex| ContourEdge { vertex, outer: u32::MAX }).collect();
    contour.add(&edges, region, |_| false, |v| [points[v as usize]]);
}

fn is_simple(points: &[Point2]) -> bool {
    let mut contour = ProjectedContour::default();
    add(&mut contour, &(0..points.len() as u32).collect::<Vec<_>>(), 0, points);
    contour.is_simple()
}

/// Two polygons of a common list of points.
fn is_apart(points: &[Point2], a: &[u32], b: &[u32]) -> bool {
    let mut contour = ProjectedContour::default();
    add(&mut contour, a, 0, points);
    add(&mut contour, b, 1, points);
    contour.is_apart()
}

#[test]
fn contours_that_cross_touch_or_run_backwards_are_refused() {
    let square = [[0.0, 0.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]];
    assert!(is_simple(&square));
    assert!(!is_simple(&[square[3], square[2], square[1], square[0]]), "clockwise");
    assert!(!is_simple(&[square[0], square[1], square[3], square[2]]), "crosses itself");
    assert!(
        !is_simple(&[[0.0, 0.0], [0.5, 0.0], [0.2, 0.2], [0.5, 0.5], [0.0, 0.5], [0.2, 0.2]]),
        "touches itself"
    );
    assert!(!is_simple(&[[0.0, 0.0], [0.5, 0.0], [0.5, 0.5], [0.25, 0.0], [0.0, 0.5]]), "a corner on a side");
    assert!(!is_simple(&[[0.0, 0.0], [0.5, 0.0], [0.2, 0.0], [0.2, 0.5]]), "turns back on itself");
    // Winds twice: no two steps in a row look wrong.
    let twice: Vec<Point2> = (0..24)
        .map(|i| {
            let (angle, radius) = (f64::from(i) * std::f64::consts::TAU / 12.0, 0.3 + 0.01 * f64::from(i));
            [radius * angle.cos(), radius * angle.sin()]
        })
        .collect();
    assert!(!is_simple(&twice));
}

#[test]
fn holes_are_allowed_and_second_outsides_are_not() {
    let points = [
        [0.0, 0.0],
        [0.9, 0.0],
        [0.9, 0.9],
        [0.0, 0.9], // around
        [0.2, 0.2],
        [0.2, 0.4],
        [0.4, 0.4],
        [0.4, 0.2], // clockwise
    ];
    let mut contour = ProjectedContour::default();
    add(&mut contour, &[0, 1, 2, 3], 0, &points);
    add(&mut contour, &[4, 5, 6, 7], 0, &points);
    assert!(contour.is_simple());
    contour.clear();
    add(&mut contour, &[0, 1, 2, 3], 0, &points);
    add(&mut contour, &[7, 6, 5, 4], 0, &points);
    assert!(!contour.is_simple(), "the slit annulus: both run counter-clockwise");
}

#[test]
fn regions_with_a_common_vertex_must_lie_in_different_sectors() {
    let points =
        [[0.0, 0.0], [0.8, 0.0], [0.0, 0.8], [0.2, 0.1], [0.1, 0.2], [-0.5, 0.1], [-0.1, -0.5], [0.7, 0.7]];
    assert!(is_apart(&points, &[0, 1, 2], &[0, 5, 6]));
    assert!(!is_apart(&points, &[0, 1, 2], &[0, 3, 4]), "nested at the vertex");
    assert!(!is_apart(&points, &[0, 1, 2], &[0, 3, 7]), "runs out of the other");
    assert!(!is_apart(&points, &[0, 1, 2], &[5, 6, 7]), "crosses it");
    let nested = [[-0.9, -0.9], [0.9, -0.9], [0.0, 0.9], [0.0, 0.0], [0.1, 0.0], [0.0, 0.1]];
    assert!(!is_apart(&nested, &[0, 1, 2], &[3, 4, 5]), "surrounded");
}

/// Whether two closed segments have a common point, exactly.
fn segments_meet(p: Point2, q: Point2, r: Point2, s: Point2) -> bool {
    let straddles = |a: Point2, b: Point2, c: Point2, d: Point2| orient2d(a, b, c) * orient2d(a, b, d) <= 0;
    let boxes = (0..2).all(|k| p[k].min(q[k]) <= r[k].max(s[k]) && r[k].min(s[k]) <= p[k].max(q[k]));
    boxes && straddles(p, q, r, s) && straddles(r, s, p, q)
}

fn is_simple_exactly(points: &[Point2]) -> bool {
    let n = points.len();
    let at = |i: usize| (points[i % n], points[(i + 1) % n]);
    let apart = (0..n).all(|i| {
        (i + 2..n).filter(|&j| !(i == 0 && j == n - 1)).all(|j| {
            let ((p, q), (r, s)) = (at(i), at(j));
            !segments_meet(p, q, r, s)
        })
    });
    let area: f64 = (0..n).map(|i| at(i).0[0] * at(i).1[1] - at(i).0[1] * at(i).1[0]).sum();
    apart && area > 0.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_called_simple_is_simple(noise in 0.0f64..0.6, at in prop::collection::vec(prop::array::uniform2(-1.0f64..1.0), 3..70)) {
        let n = at.len() as f64;
        let points: Vec<Point2> = at
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let angle = std::f64::consts::TAU * i as f64 / n;
                [0.4 * angle.cos() + noise * p[0], 0.4 * angle.sin() + noise * p[1]]
            })
            .collect();
        let exactly = is_simple_exactly(&points);
        // In general position the test is sharp: it refuses nothing that is simple.
        prop_assert_eq!(is_simple(&points), exactly);
    }

    #[test]
    fn a_contour_cut_as_in_a_frame_before_is_judged_as_it_is_now(
        noise in 0.0f64..0.3,
        at in prop::collection::vec(prop::array::uniform2(-1.0f64..1.0), 20..90),
        steps in prop::collection::vec((0.0f64..0.3, prop::array::uniform2(-7.0f64..7.0)), 1..8),
    ) {
        let n = at.len();
        let polygon: Vec<Point2> = (0..n)
            .map(|i| {
                let angle = std::f64::consts::TAU * i as f64 / n as f64;
                [0.4 * angle.cos() + noise * at[i][0], 0.4 * angle.sin() + noise * at[i][1]]
            })
            .collect();
        let mut contour = ProjectedContour::<1>::default();
        add(&mut contour, &(0..n as u32).collect::<Vec<_>>(), 0, &polygon);
        contour.is_certain(Case::Joined);
        let mut cuts = contour.cuts();
        let plane = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        for (strength, wave) in steps {
            // Smooth waves, under which most runs still advance, and some that fold the contour.
            let moved: Vec<Point2> = polygon
                .iter()
                .map(|p| {
                    let phase = wave[0] * p[0] + wave[1] * p[1];
                    [p[0] + strength * phase.sin(), p[1] - strength * (2.0 * phase).cos()]
                })
                .collect();
            let positions: Vec<[f64; 3]> = moved.iter().map(|p| [p[0], p[1], 0.0]).collect();
            let projection = Projection { plane: &plane, map: &Map::IDENTITY, positions: [&positions[..]] };
            contour.exchange(&mut cuts);
            let is_certain = contour.is_certain_again(Case::Joined, &projection);
            contour.exchange(&mut cuts);
            // Either way round, since what it is the contour of is not looked at.
            let turned: Vec<Point2> = moved.iter().rev().copied().collect();
            prop_assert_eq!(is_certain, is_simple_exactly(&moved) || is_simple_exactly(&turned));
        }
    }

    #[test]
    fn on_a_grid_nothing_wrong_is_called_simple(at in prop::collection::vec(prop::array::uniform2(0u8..5), 3..10)) {
        let points: Vec<Point2> = at.iter().map(|p| p.map(|x| f64::from(x) / 8.0)).collect();
        prop_assert!(!is_simple(&points) || is_simple_exactly(&points));
    }
}

#[test]
fn directions_cover_the_sphere() {
    // Checklist 5.4, finding 9: half-angle of the cone of normals for which a direction is always found.
    for (count, guaranteed) in [(12, 52.0), (32, 67.0), (64, 69.0), (128, 75.0)] {
        let directions = Directions::new(count);
        let mut least: f64 = 90.0;
        for i in 0..4000 {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 4000.0;
            let (sin, cos) = (2.399_963 * f64::from(i)).sin_cos();
            let p = [(1.0 - z * z).sqrt() * cos, (1.0 - z * z).sqrt() * sin, z];
            let nearest = directions
                .nearest(u128::MAX >> (128 - count), &p.map(|x| x as f32))
                .expect("some bit is set");
            let [x, y] = directions.plane(nearest);
            let towards = crate::geometry::vector::cross(x, y);
            least = least.min(90.0 - dot(&p, &towards).clamp(-1.0, 1.0).acos().to_degrees());
        }
        assert!(least > guaranteed, "{count} directions: {least}");
    }
}

/// A wavy sheet.
fn sheet(n: u32) -> (Vec<[f64; 3]>, Mesh) {
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let triangles: Vec<[u32; 3]> = (0..n * n)
        .map(|c| (c / n, c % n))
        .flat_map(|(i, j)| {
            [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
        })
        .collect();
    let positions: Vec<[f64; 3]> = (0..(n + 1) * (n + 1))
        .map(|v| {
            let (x, y) = (f64::from(v / (n + 1)), f64::from(v % (n + 1)));
            [x, y, 2.0 * (0.7 * x).sin() * (0.5 * y).cos()]
        })
        .collect();
    let body = Mesh::from_triangles("sheet", positions.len(), &triangles).expect("sound");
    (positions, body)
}

#[test]
fn lanes_and_reference_agree_on_whole_passes() {
    let (positions, body) = sheet(40);
    let hierarchy = Hierarchy::new(&body, &positions, 64);
    let patches = &hierarchy.patches;
    let map = Map { origin: [20.0, 20.0, 0.0], scale: 1.0 / 32.0 };
    let directions = Directions::new(128);
    let empty = || (vec![Aabb32::EMPTY; patches.len()], vec![Facing::default(); patches.len()]);
    let ((mut fast, mut fast_facing), (mut slow, mut slow_facing)) = (empty(), empty());
    macro_rules! find {
        ($bounds:ident, $facing:ident) => {
            FindFacing {
                patches,
                positions: &positions,
                map: &map,
                directions: &directions,
                first: 0,
                bounds: &mut $bounds,
                facing: &mut $facing,
            }
        };
    }
    simd::dispatch(find!(fast, fast_facing));
    simd::dispatch_scalar(find!(slow, slow_facing));
    assert_eq!((&fast, &fast_facing), (&slow, &slow_facing));
    assert!(fast_facing.iter().any(|s| s.bits != 0) && fast_facing.iter().any(|s| s.bits != u128::MAX));
    let mut alone = vec![Aabb32::EMPTY; patches.len()];
    find_bounds(patches, &positions, &map, 0, &mut alone);
    let corners =
        |b: &[Aabb32]| b.iter().map(|b| (b.min[..3].to_vec(), b.max[..3].to_vec())).collect::<Vec<_>>();
    assert_eq!(corners(&alone), corners(&fast));
}

#[test]
fn patches_are_full_and_the_tree_is_balanced() {
    let (positions, body) = sheet(100);
    let hierarchy = Hierarchy::new(&body, &positions, 64);
    let patches = hierarchy.patches.len();
    assert!(patches * 40 < 20_000, "{patches} patches for 20000 triangles");
    let depth = hierarchy.tree.nodes.iter().map(|n| n.level).max().expect("not empty");
    assert!(f64::from(depth) < 1.5 * (patches as f64).log2() + 2.0, "{depth} levels over {patches} patches");
    // A round patch of 48 triangles has about 20 border edges.
    let edges: usize = (0..hierarchy.tree.nodes.len())
        .filter(|&n| hierarchy.tree.nodes[n].is_leaf())
        .map(|n| hierarchy.contours.edges(n).len())
        .sum();
    assert!(edges < 28 * patches, "{edges} edges round {patches} patches");
}

#[test]
fn a_frame_far_away_keeps_its_certificates() {
    let (positions, body) = sheet(40);
    let bodies = Bodies::new([body]).expect("small");
    let count = |shift: f64| {
        let moved: Vec<[f64; 3]> = positions.iter().map(|p| p.map(|x| x + shift)).collect();
        let slices = [Positions::from(&moved)];
        let frame = Frame::new(&slices);
        let mut method = super::Regularity::new(Default::default()).expect("sound");
        let mut out = crate::Contacts::default();
        crate::Detector::update(&mut method, &bodies, frame)
            .expect("sound")
            .contacts(crate::Pairs::All, &mut out);
        method.stats().calls
    };
    assert_eq!(count(0.0), count(1e9));
}
