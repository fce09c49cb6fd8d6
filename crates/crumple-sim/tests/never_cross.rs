//! Never-cross mode: whatever the speed, nothing passes, and it does not freeze.

mod support;

use crumple::{Closeness, Mesh, Scene};
use crumple_scenes::shapes;
use crumple_sim::{Cloth, Mode, Settings, SimError, Solid, Surface, World};
use support::{DT, block, over_ball, sheet};

/// A ball of tets above a pinned cloth, shot at it.
fn shot(speed: f64, mode: Mode) -> (World, [crumple_sim::BodyId; 2]) {
    let settings = Settings { mode, gravity: [0.0; 3], ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let (points, triangles) = sheet(20, 1.0, [0.0; 3]);
    let cloth = world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
    for (v, p) in points.iter().enumerate() {
        if p[0].abs().max(p[2].abs()) > 0.49 {
            world.pin(cloth, crumple_sim::VertexId(v as u32)).unwrap();
        }
    }
    let ball = shapes::tet_ball(4).mapped(|p| [0.15 * p[0] + 0.02, 0.15 * p[1] + 0.9, 0.15 * p[2] - 0.01]);
    let ball = world.add_solid("ball", &ball.positions, &ball.tets, Solid::default()).unwrap();
    world.set_velocity(ball, [0.0, -speed, 0.0]).unwrap();
    (world, [cloth, ball])
}

fn lowest(world: &World, id: crumple_sim::BodyId) -> f64 {
    world.positions(id).unwrap().iter().map(|p| p[1]).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_ball_at_a_hundred_edges_a_step_does_not_pass() {
    let edge = 1.0 / 20.0;
    let (mut world, [cloth, ball]) = shot(100.0 * edge / DT, Mode::NeverCross);
    let mut moved = 0.0;
    for _ in 0..12 {
        let report = world.step(DT).unwrap();
        assert_eq!(report.intersections, 0, "frame {}", report.frame);
        moved += report.progress;
    }
    // The ball is above the cloth still: every vertex of it has cloth below.
    assert!(lowest(&world, ball) > lowest(&world, cloth));
    assert!(lowest(&world, cloth) < -0.02, "the cloth gave way");
    assert!(moved > 6.0, "it went on: {moved}");
}

#[test]
fn bodies_that_close_at_twelve_metres_a_second_bounce() {
    let mut world = World::new(Settings { gravity: [0.0; 3], ..Settings::default() }).unwrap();
    let ball = |x: f64| {
        let ball = shapes::tet_ball(5).mapped(|p| [0.2 * p[0] + x, 0.2 * p[1], 0.2 * p[2]]);
        (ball.positions, ball.tets)
    };
    let (points, tets) = ball(-0.5);
    let left = world.add_solid("left", &points, &tets, Solid::default()).unwrap();
    let (points, tets) = ball(0.5);
    let right = world.add_solid("right", &points, &tets, Solid::default()).unwrap();
    world.set_velocity(left, [6.0, 0.0, 0.0]).unwrap();
    world.set_velocity(right, [-6.0, 0.0, 0.0]).unwrap();
    for _ in 0..40 {
        let report = world.step(DT).unwrap();
        assert_eq!(report.intersections, 0, "frame {}", report.frame);
    }
    let mean = |id| world.velocities(id).unwrap().iter().map(|v| v[0]).sum::<f64>();
    assert!(mean(left) < 0.0 && mean(right) > 0.0, "they bounced");
}

#[test]
fn without_the_mode_the_ball_does_pass() {
    // The scene above is one in which something happens.
    let (mut world, [cloth, ball]) = shot(300.0, Mode::Free);
    let crossed: usize = (0..12).map(|_| world.step(DT).unwrap().intersections).sum();
    assert!(crossed > 0 || lowest(&world, ball) < lowest(&world, cloth));
}

#[test]
fn what_is_squeezed_is_held_and_named() {
    let mut world = World::new(Settings::default()).unwrap();
    let (points, triangles) = sheet(6, 0.5, [0.0; 3]);
    let cloth = world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
    let plates = [-0.2, 0.2].map(|y| {
        let (points, triangles) = sheet(2, 1.0, [0.0, y, 0.0]);
        (world.add_fixed("plate", &points, &triangles, Surface::default()).unwrap(), points)
    });
    let mut held = 0;
    for frame in 0..40 {
        for ((id, points), way) in plates.iter().zip([1.0, -1.0]) {
            let to: Vec<_> =
                points.iter().map(|p| [p[0], p[1] + way * 0.01 * f64::from(frame), p[2]]).collect();
            world.lead(*id, &to).unwrap();
        }
        let report = world.step(DT).unwrap();
        assert_eq!(report.intersections, 0);
        held += report.held;
        assert_eq!(report.blocked_by.is_empty(), report.held == 0);
    }
    assert!(held > 0);
    // The plates would have passed each other; their middles are held apart by what is between them. Two bodies that are led do not meet.
    assert!(world.positions(plates[0].0).unwrap()[4][1] < world.positions(plates[1].0).unwrap()[4][1]);
    assert!(world.positions(cloth).unwrap().iter().all(|p| p.iter().all(|x| x.is_finite())));
}

#[test]
fn a_start_that_crosses_is_refused() {
    let mut world = World::new(Settings::default()).unwrap();
    let (points, triangles) = sheet(4, 1.0, [0.0; 3]);
    world.add_cloth("first", &points, &triangles, Cloth::default()).unwrap();
    let turned: Vec<_> = points.iter().map(|p| [p[0], p[2], p[1]]).collect();
    let second = world.add_cloth("second", &turned, &triangles, Cloth::default()).unwrap();
    match world.step(DT) {
        Err(SimError::Crossed { pairs, first }) => {
            assert!(pairs > 0);
            assert_eq!((first.0.as_str(), first.2.as_str()), ("first", "second"));
        }
        other => panic!("{other:?}"),
    }
    let away: Vec<_> = turned.iter().map(|p| [p[0], p[1] + 5.0, p[2]]).collect();
    world.place(second, &away).unwrap();
    assert_eq!(world.step(DT).unwrap().intersections, 0);
}

/// The proof is about the way between substeps, so continuous detection must find nothing on it. With one substep a step,
/// the ends of steps are all there is.
#[test]
fn continuous_detection_agrees() {
    let mut world = over_ball(14, Settings { substeps: 1, ..Settings::default() });
    let (corners, tets) = block([2, 2, 2], 0.2, [0.0, 1.0, 0.0]);
    world.add_solid("block", &corners, &tets, Solid::default()).unwrap();
    let mut judge = Scene::new();
    for id in world.bodies() {
        let mesh = Mesh::clone(world.mesh(id).unwrap());
        judge.add(mesh, world.positions(id).unwrap()).unwrap();
    }
    let mut single = 0;
    for _ in 0..400 {
        judge.begin_step();
        let report = world.step(DT / 10.0).unwrap();
        for id in world.bodies() {
            judge.set_positions(id, world.positions(id).unwrap()).unwrap();
        }
        if report.substeps == 1 {
            single += 1;
            assert!(judge.impacts().unwrap().is_empty(), "frame {}", report.frame);
        }
    }
    assert!(single > 200, "{single}");
    let near = judge.proximity(&Closeness::below(0.02)).unwrap();
    assert!(near.vertex_triangles.iter().any(|p| p.vertex.body != p.triangle.body), "they met");
}

#[test]
fn a_state_that_is_not_finite_is_named() {
    let mut world = World::new(Settings::default()).unwrap();
    let (points, triangles) = sheet(3, 1.0, [0.0; 3]);
    let cloth = world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
    let before = world.step(DT).map(|_| world.hash()).unwrap();
    world.set_velocity(cloth, [f64::MAX, 0.0, 0.0]).unwrap();
    match world.step(1e6) {
        Err(SimError::NotFinite { frame, body, .. }) => assert_eq!((frame, body), (1, cloth)),
        other => panic!("{other:?}"),
    }
    world.set_velocity(cloth, [0.0; 3]).unwrap();
    assert_ne!(world.hash(), before);
    assert!(world.positions(cloth).unwrap().iter().flatten().all(|x| x.is_finite()));
}
