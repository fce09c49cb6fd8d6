//! Motions do what they say.

use crumple_scenes::{
    Elements,
    motions::{
        Bend, Cone, ConeWalk, Drape, Motion, Pieces, Rigid, Ripple, SelfLoop, Squash, Stretch, Twist, body,
    },
    shapes::{sheet, tet_soup, triangle_soup},
    vector::{Point, norm, sub},
};

const REST: [Point; 4] = [[0.0, 0.0, 0.0], [0.4, 0.1, 0.0], [-0.3, 0.2, 0.1], [0.5, -0.5, -0.2]];

#[test]
fn rigid_motion_keeps_distances() {
    let m = Rigid { velocity: [0.1, 0.2, -0.3], axis: [1.0, 1.0, 0.0], spin: 0.3, centre: [0.5, 0.0, 0.0] };
    for f in 0..5 {
        let at = REST.map(|p| m.at(p, f64::from(f)));
        for i in 0..4 {
            for j in 0..i {
                let (now, rest) = (norm(sub(at[i], at[j])), norm(sub(REST[i], REST[j])));
                assert!((now - rest).abs() < 1e-14);
            }
        }
    }
    // The centre only drifts; without spin nothing is rounded.
    let c = m.at(m.centre, 2.0);
    assert!(norm(sub(c, [0.7, 0.4, -0.6])) < 1e-15);
    let still = Rigid { spin: 0.0, velocity: [0.0; 3], ..m };
    assert_eq!(REST.map(|p| still.at(p, 7.0)), REST);
}

#[test]
fn frame_zero_is_the_rest_shape_where_promised() {
    let motions = [
        Motion::Bend(Bend { amount: 0.0, rate: 1.0 }),
        Motion::Twist(Twist { amount: 0.0, rate: 1.0 }),
        Motion::Stretch(Stretch { rate: [0.1, 0.2, 0.3] }),
        Motion::Squash(Squash { axis: 1, wall: 1.0, rate: -0.5 }),
        Motion::Cone(Cone { alpha: 30.0, speed: 0.1, seed: 4 }),
    ];
    let b = body("x", Elements::Points, REST.to_vec(), &motions);
    assert_eq!(b.positions(0), REST);
    assert_ne!(b.positions(1), REST);
}

#[test]
fn bending_keeps_the_length_of_the_middle_line() {
    let m = Bend { amount: 0.5, rate: 0.5 };
    let n = 1000;
    let line: Vec<Point> =
        (0..=n).map(|k| m.at([2.0 * f64::from(k) / f64::from(n) - 1.0, 0.0, 0.0], 3.0)).collect();
    let length: f64 = line.windows(2).map(|w| norm(sub(w[1], w[0]))).sum();
    assert!((length - 2.0).abs() < 1e-5, "{length}");
    // Curvature 2 over a length of π closes the circle.
    let ends = [-1.0, 1.0].map(|s| m.at([s * std::f64::consts::FRAC_PI_2, 0.0, 0.0], 3.0));
    assert!(norm(sub(ends[0], ends[1])) < 1e-14);
}

#[test]
fn the_loop_crosses_itself_where_it_says() {
    let m = SelfLoop { opening: 0.9, rate: 0.1, slant: 0.0 };
    // t = ±√a at a = 1 is x = ±1/3.2.
    let [a, b] = [-1.0, 1.0].map(|s| m.at([s / 3.2, 0.0, 0.0], 1.0));
    assert!(norm(sub(a, b)) < 1e-15, "{a:?} {b:?}");
}

#[test]
fn squash_and_twist_and_ripple() {
    let s = Squash { axis: 2, wall: 0.5, rate: -0.25 };
    assert_eq!(s.at([1.0, 2.0, 3.0], 1.0), [1.0, 2.0, 0.25]);
    assert_eq!(s.at([1.0, 2.0, 0.1], 1.0), [1.0, 2.0, 0.1]);
    let t = Twist { amount: std::f64::consts::FRAC_PI_2, rate: 0.0 };
    assert!(norm(sub(t.at([1.0, 1.0, 0.0], 0.0), [1.0, 0.0, 1.0])) < 1e-15);
    let r = Ripple { amplitude: 0.2, frequency: [1.0, 0.0], speed: 1.0 };
    assert_eq!(r.at([0.0, 5.0, 1.0], 0.0), [0.0, 5.0, 1.0]);
}

#[test]
fn a_draped_sheet_lies_on_the_ball() {
    let m = Drape { radius: 2.0, clearance: 0.1, wave: 0.0, speed: 0.0, hang: 1.0 };
    for p in sheet(6, 6, [2.0, 2.0]).positions {
        assert!((norm(m.at(p, 0.0)) - 2.2).abs() < 1e-14);
    }
    // Beyond the hang angle it falls straight down.
    let [a, b] = [2.5, 3.5].map(|x| m.at([x, 0.0, 0.0], 0.0));
    assert!((a[0] - b[0]).abs() < 1e-14 && (a[2] - b[2] - 1.0).abs() < 1e-14);
}

#[test]
fn cone_directions_stay_within_the_angle_and_fill_it() {
    let soup = triangle_soup(4000, 0.1, 3);
    let elements = Elements::Triangles(soup.triangles);
    let walk =
        ConeWalk::new(Cone { alpha: 25.0, speed: 0.1, seed: 9 }, Pieces::of(&elements, soup.positions.len()));
    let mut moved = soup.positions.clone();
    walk.advance(&mut moved, 1);
    let steps: Vec<Point> =
        moved.chunks(3).zip(soup.positions.chunks(3)).map(|(a, b)| sub(a[0], b[0])).collect();
    // A triangle moves as one.
    for (a, b) in moved.chunks(3).zip(soup.positions.chunks(3)) {
        let rigid = (1..3).all(|k| norm(sub(sub(a[k], b[k]), sub(a[0], b[0]))) < 1e-15);
        assert!(rigid);
    }
    let mean: Point = std::array::from_fn(|k| steps.iter().map(|s| s[k]).sum::<f64>());
    let cosines: Vec<f64> =
        steps.iter().map(|&s| (0..3).map(|k| s[k] * mean[k]).sum::<f64>() / norm(s) / norm(mean)).collect();
    let least = cosines.iter().copied().fold(1.0, f64::min);
    // The mean direction is the axis up to sampling error; the cap is filled to its rim.
    assert!(
        least.acos().to_degrees() < 26.0 && least.acos().to_degrees() > 23.0,
        "{}",
        least.acos().to_degrees()
    );
    let length = norm(steps[0]);
    assert!((0.05..=0.1).contains(&length) && steps.iter().all(|&s| (norm(s) - length).abs() < 1e-12));
}

#[test]
fn connected_bodies_move_vertex_by_vertex() {
    let grid = sheet(2, 2, [1.0, 1.0]);
    let connected = Pieces::of(&Elements::Triangles(grid.triangles), 9);
    assert_eq!(connected, Pieces::of(&Elements::Points, 9));
    let loose = tet_soup(3, 0.1, 1);
    assert_ne!(Pieces::of(&Elements::Tets(loose.tets), 12), Pieces::of(&Elements::Points, 12));
}
