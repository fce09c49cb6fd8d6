//! The gradient of the volume against formulas and finite differences.

use crumple::methods::layered_depth::{Gradient, LayeredDepth, Resolution};
use crumple::{BodyId, Frame, Positions};
use crumple_scenes::{Surface, shapes};

use super::{PI, ball, cuboid, exact, mesh_of, turned};

fn gradient(a: &Surface, b: &Surface, n: u32) -> Gradient {
    let mesh = mesh_of(&[a, b]);
    let bodies = [Positions::from(&a.positions), Positions::from(&b.positions)];
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    volumes.gradient([BodyId(0), BodyId(1)], Resolution::rays(n)).unwrap()
}

#[test]
fn two_balls_push_along_the_line_of_their_centres() {
    let offset: [f64; 3] = [0.7, 0.5, 0.3];
    let d = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
    let g = gradient(&ball(24, [0.0; 3], 1.0), &ball(24, offset, 1.0), 128);
    // The volume of the lens falls by the area of the disc where the balls meet.
    let disc = PI * (1.0 - d * d / 4.0);
    let (a, b) = (g.total(0), g.total(1));
    for k in 0..3 {
        assert!((a[k] - disc * offset[k] / d).abs() < 0.01 * disc, "{a:?} {disc}");
        assert!((a[k] + b[k]).abs() < 1e-12 * disc, "{a:?} {b:?}");
    }
    let spread = g.sampled.iter().fold(0.0f64, |m, v| m.max((v - g.sampled[0]).abs()));
    assert!(spread < 1e-3 * g.sampled[0], "{:?}", g.sampled);
    assert_eq!(g.unbalanced_rays, [0, 0]);
}

#[test]
fn vertices_agree_with_finite_differences() {
    let a = ball(2, [0.0; 3], 1.0);
    for b in [
        turned(cuboid([-0.2, -0.3, -0.4], [1.6, 1.5, 1.4]), 0.4),
        shapes::torus(10, 7, 0.8, 0.35).outward(),
        ball(3, [0.5, 0.2, -0.3], 0.8),
    ] {
        let g = gradient(&a, &b, 250);
        let h = 1e-4;
        let mut total = 0.0;
        for v in (0..a.positions.len()).step_by(5) {
            for k in 0..3 {
                let moved = |h: f64| {
                    let mut a = a.clone();
                    a.positions[v][k] += h;
                    exact(&a, &b)
                };
                let difference = (moved(h) - moved(-h)) / (2.0 * h);
                // A vertex of this ball has about 0.3 of surface; a pixel 5e-5.
                assert!(
                    (g.bodies[0][v][k] - difference).abs() < 2e-3,
                    "{v} {k}: {:?} {difference}",
                    g.bodies[0][v]
                );
                total += difference.abs();
            }
        }
        assert!(total > 0.3, "{total}");
    }
}

#[test]
fn what_lies_within_is_held_by_nothing_but_its_own_size() {
    // All of the inner ball's surface counts, and none of the outer one's.
    let (inner, outer) = (ball(8, [0.1, -0.1, 0.2], 0.5), ball(6, [0.0; 3], 1.5));
    let g = gradient(&inner, &outer, 128);
    assert!(g.bodies[1].iter().all(|g| *g == [0.0; 3]));
    assert!(g.total(0).iter().all(|t| t.abs() < 1e-12));
    // Growing by a factor: the derivative of its volume, three times the volume.
    let centre = [0.1, -0.1, 0.2];
    let growth: f64 = inner
        .positions
        .iter()
        .zip(&g.bodies[0])
        .map(|(p, g)| (0..3).map(|k| (p[k] - centre[k]) * g[k]).sum::<f64>())
        .sum();
    assert!((growth - 3.0 * inner.volume()).abs() < 2e-3 * growth, "{growth}");
}

#[test]
fn bodies_apart_have_no_gradient() {
    let g = gradient(&ball(3, [0.0; 3], 1.0), &ball(3, [3.0, 0.0, 0.0], 1.0), 32);
    assert!(g.bodies.iter().flatten().all(|g| *g == [0.0; 3]) && g.sampled == [0.0; 3]);
    assert!(!g.bodies[1].is_empty());
}
