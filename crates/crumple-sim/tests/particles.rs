//! Particles that meet each other, and starts that cross.

mod support;

use crumple_scenes::shapes;
use crumple_sim::{Cloth, Particles, Settings, Solid, Surface, VertexId, World};
use support::{DT, block, floor, sheet};

fn distance(p: &[f64; 3], q: &[f64; 3]) -> f64 {
    p.iter().zip(q).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

#[test]
fn two_particles_stop_each_other_and_keep_their_momentum() {
    let mut world = World::new(Settings { gravity: [0.0; 3], damping: 0.0, ..Settings::default() }).unwrap();
    let light = world.add_particles("light", &[[-0.2, 0.001, 0.0]], Particles::of_size(0.05)).unwrap();
    let heavy = Particles { mass: 0.003, ..Particles::of_size(0.07) };
    let heavy = world.add_particles("heavy", &[[0.2, 0.0, 0.0]], heavy).unwrap();
    world.set_velocity(light, [2.0, 0.0, 0.0]).unwrap();
    world.set_velocity(heavy, [-1.0, 0.0, 0.0]).unwrap();
    let before = world.momentum();
    let mut nearest = f64::INFINITY;
    for _ in 0..30 {
        let _ = world.step(DT).unwrap();
        nearest =
            nearest.min(distance(&world.positions(light).unwrap()[0], &world.positions(heavy).unwrap()[0]));
    }
    let after = world.momentum();
    assert!((0..3).all(|k| (after[k] - before[k]).abs() < 1e-12), "{before:?} {after:?}");
    assert!(nearest > 0.9 * 0.06, "{nearest}");
    // They stop each other: none is where it would be without the other.
    assert!(world.positions(light).unwrap()[0][0] < world.positions(heavy).unwrap()[0][0] - 0.05);
}

#[test]
fn a_heap_of_particles_has_a_height() {
    let mut world = World::new(Settings::default()).unwrap();
    let (points, triangles) = floor(4.0, 0.0);
    world.add_fixed("floor", &points, &triangles, Surface { thickness: Some(0.04), friction: 0.6 }).unwrap();
    // A column of 4 by 4 by 20 that is not quite straight.
    let at = |i: usize| {
        let [x, y, z] = [i % 4, i / 16, i / 4 % 4].map(|k| k as f64);
        [0.05 * x + 0.004 * (y * 1.7).sin(), 0.05 + 0.05 * y, 0.05 * z + 0.004 * (y * 2.3).cos()]
    };
    let column: Vec<[f64; 3]> = (0..320).map(at).collect();
    let grains = world.add_particles("grains", &column, Particles::of_size(0.04)).unwrap();
    for _ in 0..150 {
        assert_eq!(world.step(DT).unwrap().intersections, 0);
    }
    let now = world.positions(grains).unwrap();
    assert!(now.iter().all(|p| p[1] > 0.0), "none fell through");
    let highest = now.iter().map(|p| p[1]).fold(0.0, f64::max);
    assert!(highest > 0.06, "they lie on each other: {highest}");
    let mut close = 0;
    for (i, p) in now.iter().enumerate() {
        close += now[i + 1..].iter().filter(|q| distance(p, q) < 0.5 * 0.04).count();
    }
    assert_eq!(close, 0, "pairs closer than half their thickness");
}

#[test]
fn crossed_sheets_come_apart_before_the_first_step() {
    let mut world = World::new(Settings::default()).unwrap();
    let (points, triangles) = sheet(10, 1.0, [0.0; 3]);
    let low = world.add_cloth("low", &points, &triangles, Cloth::default()).unwrap();
    world.pin(low, VertexId(0)).unwrap();
    // One corner of the second hangs through the first.
    let tilted: Vec<[f64; 3]> = points
        .iter()
        .map(|p| [p[0] + 0.03, 0.12 - 0.3 * (p[0] + p[2] - 0.4).max(0.0), p[2] + 0.02])
        .collect();
    world.add_cloth("high", &tilted, &triangles, Cloth::default()).unwrap();
    assert!(world.step(DT).is_err());
    let done = world.untangle().unwrap();
    assert!(done.before > 0 && done.after == 0, "{done:?}");
    assert_eq!(world.positions(low).unwrap()[0], points[0], "a pin stays");
    for _ in 0..10 {
        assert_eq!(world.step(DT).unwrap().intersections, 0);
    }
}

#[test]
fn soft_bodies_that_cross_come_apart_with_what_is_inside() {
    let mut world = World::new(Settings { gravity: [0.0; 3], ..Settings::default() }).unwrap();
    let (points, tets) = block([5, 4, 4], 0.5, [0.0; 3]);
    let left = world.add_solid("left", &points, &tets, Solid::default()).unwrap();
    let ball = shapes::tet_ball(5).mapped(|p| [0.2 * p[0] + 0.4, 0.2 * p[1] + 0.01, 0.2 * p[2] + 0.02]);
    world.add_solid("right", &ball.positions, &ball.tets, Solid::default()).unwrap();
    let done = world.untangle().unwrap();
    assert!(done.before > 0 && done.after == 0, "{done:?}");
    // No tet is turned inside out.
    let at = world.positions(left).unwrap();
    for t in world.mesh(left).unwrap().tets() {
        let [a, b, c, d] = t.map(|v| glam::DVec3::from_array(at[v.index()]));
        assert!((b - a).cross(c - a).dot(d - a) > 0.0);
    }
    for _ in 0..10 {
        assert_eq!(world.step(DT).unwrap().intersections, 0);
    }
}
