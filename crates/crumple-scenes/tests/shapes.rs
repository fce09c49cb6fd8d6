//! Counts, closedness, orientation and Euler characteristic of every shape.

use crumple_scenes::{Solid, Surface, shapes::*};

fn closed(what: &str, s: &Surface, vertices: usize, triangles: usize, euler: i64) {
    assert_eq!((s.positions.len(), s.triangles.len()), (vertices, triangles), "{what}");
    assert!(s.is_closed(), "{what} is open");
    assert!(s.is_consistently_oriented(), "{what} is not oriented");
    assert!(s.volume() > 0.0, "{what} points inward: {}", s.volume());
    assert_eq!(s.euler(), euler, "{what}");
    assert!(s.positions.iter().flatten().all(|x| x.is_finite()), "{what}");
}

#[test]
fn spheres() {
    for n in [1, 2, 3, 7, 16] {
        let s = icosphere(n);
        closed("icosphere", &s, 10 * n * n + 2, 20 * n * n, 2);
        assert!(s.positions.iter().all(|p| (p.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14));
    }
    // The volume approaches that of the ball from below, with the square of the edge length.
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    let (coarse, fine) = (ball - icosphere(16).volume(), ball - icosphere(32).volume());
    assert!(fine > 0.0 && (coarse / fine - 4.0).abs() < 0.05, "{coarse} {fine}");
    closed("uv", &uv_sphere(7, 5), 7 * 4 + 2, 2 * 7 * 4, 2);
    closed("least uv", &uv_sphere(0, 0), 5, 6, 2);
}

#[test]
fn tori() {
    closed("torus", &torus(12, 7, 0.7, 0.2), 84, 168, 0);
    closed("knot", &torus_knot(60, 9, 0.42), 540, 1080, 0);
}

#[test]
fn revolutions() {
    closed("pawn", &pawn(32, 20), 610, 1216, 2);
    closed("cylinder", &cylinder(16, 16, 0.3, 2.0), 258, 512, 2);
    closed("cone", &cone(9, 4, 0.3, 2.0), 38, 72, 2);
    closed("capsule", &capsule(10, 4, 3, 0.3, 1.0), 112, 220, 2);
    assert_eq!(revolution(5, 1.0, &[], 0.0), Surface::default());
}

#[test]
fn blobs_and_polycubes() {
    closed("blob", &blob(9, 3, 0.2), 812, 1620, 2);
    closed("box", &box_surface([2, 3, 4], [1.0, 2.0, 3.0]), 54, 104, 2);
    assert!((box_surface([2, 3, 4], [1.0, 2.0, 3.0]).volume() - 6.0).abs() < 1e-12);
    closed("human", &human(), 946, 1888, 2);
    assert_eq!(human().edge_count(), 2832);
    closed("tooth", &tooth(), 1202, 2400, 2);
    assert_eq!(tooth().edge_count(), 3600);
}

#[test]
fn open_and_one_sided() {
    let s = sheet(5, 3, [2.0, 1.0]);
    assert_eq!((s.positions.len(), s.triangles.len(), s.euler()), (24, 30, 1));
    assert!(s.is_consistently_oriented() && !s.is_closed());
    let d = disc(8, 3);
    assert_eq!((d.positions.len(), d.triangles.len(), d.euler()), (25, 40, 1));
    assert!(d.is_consistently_oriented());
    assert_eq!(fan(9, 1.0).euler(), 1);
    assert_eq!(fan(9, 0.5).positions.len(), 11);

    let m = moebius_strip(20, 3, 0.4, 1);
    assert_eq!((m.positions.len(), m.triangles.len(), m.euler()), (80, 120, 0));
    assert!(!m.is_consistently_oriented());
    assert!(moebius_strip(20, 3, 0.4, 2).is_consistently_oriented());

    let k = klein_bottle(16, 12);
    assert_eq!((k.positions.len(), k.triangles.len(), k.euler()), (192, 384, 0));
    assert!(k.is_closed() && !k.is_consistently_oriented());
    // No edge may jump across the seam: all are about as long as a cell.
    let longest = k
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(a, b)| {
            let (p, q) = (k.positions[a as usize], k.positions[b as usize]);
            (0..3).map(|i| (p[i] - q[i]).powi(2)).sum::<f64>().sqrt()
        })
        .fold(0.0, f64::max);
    assert!(longest < 1.0, "{longest}");
}

fn solid(what: &str, s: &Solid, vertices: usize, tets: usize, volume: f64, boundary_euler: i64) {
    assert_eq!((s.positions.len(), s.tets.len()), (vertices, tets), "{what}");
    assert!(s.smallest_det() > 0.0, "{what}: {}", s.smallest_det());
    assert!((s.volume() / volume - 1.0).abs() < 1e-9, "{what}: {}", s.volume());
    // Conforming: what is left of the faces is a closed surface that encloses the same volume.
    let b = s.boundary();
    assert!(b.is_closed() && b.is_consistently_oriented(), "{what}");
    assert!((b.volume() / volume - 1.0).abs() < 1e-9, "{what}: {}", b.volume());
    let used: std::collections::HashSet<u32> = b.triangles.iter().flatten().copied().collect();
    let inner = s.positions.len() - used.len();
    assert_eq!(b.euler() - inner as i64, boundary_euler, "{what}");
}

#[test]
fn solids() {
    solid("box", &tet_box([3, 2, 4], [1.0, 2.0, 3.0]), 60, 120, 6.0, 2);
    solid("bar", &tet_bar(2, 1.0, 0.5), 12, 10, 0.25, 2);
    let ball = tet_ball(4);
    solid("ball", &ball, 125, 320, ball.volume(), 2);
    assert!(ball.volume() > 3.0 && ball.volume() < 4.19);
    for six in [0, 1, 7, 48, 1000] {
        let grid = TubeGrid { around: 6, along: 4, wall: 2, six };
        let tube = tet_tube(grid, 0.5, 1.0, 2.0);
        solid("tube", &tube, 90, 240 + six.min(48), tube.volume(), 0);
    }
    assert!(tet_soup(50, 0.2, 3).smallest_det() > 0.0);
    assert_eq!(triangle_soup(50, 0.2, 3).positions.len(), 150);
    assert_eq!(point_cloud(10, [0.0; 3], [1.0; 3], 1).len(), 10);
}
