//! What holds for every motion: rest stays, momentum stays, energy does not grow, the same bits on any number of threads.

mod support;

use crumple_sim::{Cloth, Settings, Solid, Surface, World};
use support::{DT, block, floor, over_ball, sheet};

#[test]
fn what_is_at_rest_stays_there() {
    let mut world = World::new(Settings { gravity: [0.0; 3], ..Settings::default() }).unwrap();
    let (points, triangles) = sheet(10, 1.0, [0.0, 2.0, 0.0]);
    let cloth = world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
    let (corners, tets) = block([3, 3, 3], 0.5, [0.0; 3]);
    let solid = world.add_solid("block", &corners, &tets, Solid::default()).unwrap();
    for _ in 0..60 {
        assert_eq!(world.step(DT).unwrap().held, 0);
    }
    for (id, rest) in [(cloth, &points), (solid, &corners)] {
        for (x, r) in world.positions(id).unwrap().iter().zip(rest) {
            assert!((0..3).all(|k| (x[k] - r[k]).abs() < 1e-9), "{x:?} was {r:?}");
        }
    }
    assert!(world.energy().total() < 1e-12);
}

#[test]
fn momentum_stays_when_bodies_collide() {
    let settings = Settings { gravity: [0.0; 3], damping: 0.0, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let (corners, tets) = block([3, 3, 3], 0.5, [-0.45, 0.0, 0.0]);
    let left = world.add_solid("left", &corners, &tets, Solid::default()).unwrap();
    let (corners, tets) = block([3, 3, 3], 0.5, [0.45, 0.13, 0.07]);
    let right =
        world.add_solid("right", &corners, &tets, Solid { density: 500.0, ..Solid::default() }).unwrap();
    world.set_velocity(left, [3.0, 0.0, 0.0]).unwrap();
    world.set_velocity(right, [-3.0, 0.0, 0.0]).unwrap();
    let before = world.momentum();
    let mut touched = false;
    for _ in 0..60 {
        let report = world.step(DT).unwrap();
        assert_eq!((report.intersections, report.held), (0, 0));
        touched |= report.contacts > 0;
    }
    let after = world.momentum();
    assert!(touched);
    assert!((0..3).all(|k| (after[k] - before[k]).abs() < 1e-9 * 375.0), "{before:?} {after:?}");
    // The lighter one was turned back, and they part.
    let mean = |id| world.velocities(id).unwrap().iter().map(|v| v[0]).sum::<f64>();
    assert!(mean(right) > 0.0 && mean(right) > mean(left));
}

#[test]
fn energy_does_not_grow() {
    let mut world = over_ball(16, Settings { damping: 0.0, ..Settings::default() });
    let (corners, tets) = block([3, 2, 3], 0.3, [0.0, 1.6, 0.0]);
    world.add_solid("block", &corners, &tets, Solid::default()).unwrap();
    // Wide enough for a block that rolls off in any direction: from the top of a ball that is chance.
    let (points, triangles) = floor(8.0, -0.6);
    world.add_fixed("floor", &points, &triangles, Surface::with_friction(0.5)).unwrap();
    let start = world.energy().total();
    for _ in 0..300 {
        assert_eq!(world.step(DT).unwrap().intersections, 0);
        let energy = world.energy().total();
        assert!(energy <= start + 5e-3 * start.abs(), "{energy} after {start}");
    }
    let kinetic = world.energy().kinetic;
    // The block has rolled off the ball and lies on the floor.
    assert!(kinetic < 0.02 * start.abs(), "{kinetic} of {start}");
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = over_ball(20, Settings::default());
            let hashes: Vec<u64> = (0..50)
                .map(|_| {
                    let _ = world.step(DT).unwrap();
                    world.hash()
                })
                .collect();
            hashes
        })
    };
    assert_eq!(run(1), run(2));
}
