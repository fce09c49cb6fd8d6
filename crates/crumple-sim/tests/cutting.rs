//! Cutting stroke by stroke, tearing, and friction on a slope.

mod support;

use crumple_scenes::shapes;
use crumple_sim::{BodyId, Cloth, Settings, Solid, Stroke, Surface, VertexId, World};
use support::{DT, block, sheet};

/// A vertical blade that moves along x from `a` to `b` at z = 0.013.
fn stroke(a: f64, b: f64) -> Stroke {
    Stroke { from: [[a, -2.0, 0.013], [a, 2.0, 0.013]], to: [[b, -2.0, 0.013], [b, 2.0, 0.013]] }
}

fn components(world: &World, id: BodyId) -> usize {
    world.mesh(id).unwrap().topology().component_count()
}

#[test]
fn eight_short_strokes_cut_a_moving_body_in_two() {
    let mut world = World::new(Settings { gravity: [0.0; 3], ..Settings::default() }).unwrap();
    let (points, tets) = block([6, 3, 4], 0.6, [0.0; 3]);
    let id = world.add_solid("block", &points, &tets, Solid::default()).unwrap();
    world.set_velocity(id, [0.0, 0.3, 0.0]).unwrap();
    let mass = |world: &World| world.momentum()[1];
    let before = mass(&world);
    let (mut parted, mut opened) = (0, 0);
    for k in 0..8 {
        let at = |k: i32| -0.4 + 0.1 * f64::from(k);
        let report = world.stroke(&stroke(at(k), at(k + 1))).unwrap();
        assert_eq!(report.refused, 0);
        parted += report.parted;
        opened += report.opened;
        assert_eq!(world.step(DT).unwrap().intersections, 0);
    }
    assert!(parted > 0 && opened > 0);
    assert_eq!(components(&world, id), 2, "{parted} facets parted, {opened} vertices opened");
    assert_eq!(world.mesh(id).unwrap().tets().len(), tets.len(), "no tet is split");
    assert!((mass(&world) - before).abs() < 0.02 * before.abs());
    for _ in 0..20 {
        assert_eq!(world.step(DT).unwrap().intersections, 0);
    }
}

/// A body that comes towards the blade between two strokes, or goes aside, is cut through all the same.
#[test]
fn bodies_that_move_between_strokes_are_cut_through() {
    for velocity in [[-2.0, 0.0, 0.0], [2.0, 0.5, 0.0], [-1.0, 0.5, -0.5], [-4.0, 0.0, 0.4]] {
        let mut world = World::new(Settings { gravity: [0.0; 3], ..Settings::default() }).unwrap();
        let (points, tets) = block([6, 3, 5], 0.6, [0.0; 3]);
        let id = world.add_solid("block", &points, &tets, Solid::default()).unwrap();
        world.set_velocity(id, velocity).unwrap();
        for k in 0..40 {
            let at = |k: i32| -1.0 + 0.1 * f64::from(k);
            let _ = world.stroke(&stroke(at(k), at(k + 1))).unwrap();
            assert_eq!(world.step(DT).unwrap().intersections, 0);
        }
        assert_eq!(components(&world, id), 2, "{velocity:?}");
        assert_eq!(world.mesh(id).unwrap().tets().len(), tets.len(), "no tet is split");
    }
}

#[test]
fn a_bar_that_sags_falls_in_two() {
    let mut script = crumple_sim::gallery::script("ganovelli").unwrap();
    for _ in 0..150 {
        assert_eq!(script.step().unwrap().intersections, 0);
    }
    let world = script.world();
    let bar = world.bodies().next().unwrap();
    assert_eq!(world.mesh(bar).unwrap().name(), "bar");
    assert_eq!(components(world, bar), 2);
}

#[test]
fn short_strokes_equal_one_long_stroke() {
    let fresh = || {
        let mut world = World::new(Settings { gravity: [0.0; 3], ..Settings::default() }).unwrap();
        let (points, triangles) = sheet(12, 1.0, [0.0; 3]);
        let id = world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
        (world, id)
    };
    let (mut long, a) = fresh();
    let report = long.stroke(&stroke(-0.7, 0.7)).unwrap();
    assert_eq!(report.refused, 0);
    let (mut short, b) = fresh();
    for k in 0..14 {
        let at = |k: i32| -0.7 + 0.1 * f64::from(k);
        assert_eq!(short.stroke(&stroke(at(k), at(k + 1))).unwrap().refused, 0);
    }
    assert_eq!(components(&long, a), 2);
    assert_eq!(components(&short, b), 2);
    assert_eq!(long.mesh(a).unwrap().vertex_count(), short.mesh(b).unwrap().vertex_count());
    // A stroke that meets nothing does nothing.
    assert_eq!(long.stroke(&stroke(5.0, 6.0)).unwrap(), Default::default());
}

#[test]
fn half_a_stroke_leaves_a_slit() {
    let mut world = World::new(Settings::default()).unwrap();
    let (points, triangles) = sheet(10, 1.0, [0.0; 3]);
    let id = world.add_cloth("cloth", &points, &triangles, Cloth::default()).unwrap();
    let report = world.stroke(&stroke(-0.7, 0.1)).unwrap();
    assert!(report.opened > 0);
    assert_eq!(components(&world, id), 1);
    assert_eq!(world.step(DT).unwrap().intersections, 0);
}

#[test]
fn a_cloth_tears_under_a_weight_and_not_without_limit() {
    let hang = |tear: Option<f64>| {
        let mut world = World::new(Settings::default()).unwrap();
        let (points, triangles) = sheet(10, 1.0, [0.0; 3]);
        let cloth = Cloth { stretch: 60.0, tear, ..Cloth::default() };
        let id = world.add_cloth("cloth", &points, &triangles, cloth).unwrap();
        for (v, p) in points.iter().enumerate() {
            if p[0] < -0.49 || p[0] > 0.49 {
                world.pin(id, VertexId(v as u32)).unwrap();
            }
        }
        let ball = shapes::tet_ball(4).mapped(|p| [0.12 * p[0], 0.12 * p[1] + 0.2, 0.12 * p[2]]);
        world
            .add_solid("ball", &ball.positions, &ball.tets, Solid { density: 4000.0, ..Solid::default() })
            .unwrap();
        let torn: usize = (0..60)
            .map(|_| {
                let report = world.step(DT).unwrap();
                assert_eq!(report.intersections, 0, "frame {}", report.frame);
                report.torn
            })
            .sum();
        (torn, world.mesh(id).unwrap().vertex_count() - points.len())
    };
    assert_eq!(hang(None), (0, 0));
    let (torn, new) = hang(Some(1.25));
    assert!(torn > 0 && new > 0, "{torn} facets, {new} vertices");
}

/// A block on a slope slides when the slope is steeper than its friction, and only then.
#[test]
fn friction_holds_below_its_angle_only() {
    let slide = |slope: f64, friction: f64| {
        // The slope is made by tilting gravity.
        let n = (1.0 + slope * slope).sqrt();
        let gravity = [9.81 * slope / n, -9.81 / n, 0.0];
        let mut world = World::new(Settings { gravity, damping: 0.0, ..Settings::default() }).unwrap();
        let surface = Surface { thickness: Some(0.02), friction };
        let (points, triangles) = support::floor(6.0, 0.0);
        world.add_fixed("slope", &points, &triangles, surface).unwrap();
        let (points, tets) = block([3, 2, 3], 0.3, [-1.0, 0.1201, 0.0]);
        let solid = Solid { young: 1e6, surface, ..Solid::default() };
        let id = world.add_solid("block", &points, &tets, solid).unwrap();
        let middle = |world: &World| {
            let all = world.positions(id).unwrap();
            all.iter().map(|p| p[0]).sum::<f64>() / all.len() as f64
        };
        let start = middle(&world);
        for _ in 0..60 {
            assert_eq!(world.step(DT).unwrap().intersections, 0);
        }
        middle(&world) - start
    };
    let held = slide(0.3, 0.5);
    assert!(held.abs() < 0.02, "slid {held} though it should hold");
    let slid = slide(0.8, 0.5);
    assert!(slid > 0.5, "slid only {slid}");
    // Without friction it goes as free fall does: g sin / 2 in a second.
    let free = slide(0.3, 0.0);
    let fall = 0.5 * 9.81 * 0.3 / (1.09_f64).sqrt();
    assert!((free - fall).abs() < 0.1 * fall, "{free} against {fall}");
}
