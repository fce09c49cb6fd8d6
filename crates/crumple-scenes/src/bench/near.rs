//! Bodies that come close and never touch.

use std::f64::consts::TAU;

use crate::{
    Elements, Expect, LazyBody, LazyScene, Rng, Surface,
    shapes::{Waves, icosphere, pawn, torus},
    trig::{self, cos, sin},
    vector::{Point, Rotation, add, scale},
};

/// Five pawns, each moving into the hole of a torus, while the five couples close in on each other in a ring.
pub fn near_ten(name: &str) -> LazyScene {
    let mut rng = Rng::new(21);
    let mut bodies = Vec::new();
    for couple in 0..5 {
        let p = couple as f64;
        let turn = Rotation::random(&mut rng);
        // Where a couple's own frame is in the world: it spins, and its centre moves inward on the ring.
        let place = move |x: Point, frame: usize| {
            let (f, q) = (frame as f64, frame as f64 / 9.0);
            let angle = TAU * p / 5.0 + 0.1 * q;
            let ring = 4.5 - 2.2 * q;
            let (s, c) = trig::sin_cos(angle);
            let centre = [ring * c, ring * s, ring * 0.15 * sin(3.0 * angle)];
            let spin = Rotation::about([1.0, p, 2.0], 0.15 * f).after(&turn);
            add(scale(spin.apply(x), 0.75), centre)
        };
        let ring = torus(28 + 4 * couple, 22, 0.7, 0.2);
        bodies.push(LazyBody::moving(format!("torus{couple}"), ring, move |x, frame| {
            let wobble = 1.0 + 0.03 * sin(4.0 * x[0] + 0.5 * frame as f64 + p);
            place(scale(x, wobble), frame)
        }));
        bodies.push(LazyBody::moving(format!("pawn{couple}"), pawn(26 + 3 * couple, 28), move |x, frame| {
            let q = frame as f64 / 9.0;
            let wobble = 1.0 + 0.04 * sin(3.0 * x[2] + 0.4 * frame as f64 + p);
            place(add(scale(x, wobble), [0.14 * q, 0.0, -1.6 + 0.95 * q]), frame)
        }));
    }
    LazyScene::new(name, 10, bodies).expecting(Expect { pairs: Some(0), ..Expect::default() })
}

/// Frame by frame, the distance of `near-pair-100k`.
pub const GAPS: [f64; 5] = [0.2, 0.1, 0.05, 0.02, 0.01];

/// A wobbling blob and its mirror image in a plane x = const; the distance is that of [`GAPS`] by construction.
pub fn near_pair(name: &str) -> LazyScene {
    let Surface { positions, triangles } = icosphere(71);
    let directions: std::sync::Arc<[Point]> = positions.into();
    let waves = Waves::new(9, 31);
    // The blob with its largest x at 0.
    let left = move |frame: usize| {
        let mut x = waves.displace(&directions, 0.05 * frame as f64, 0.28);
        let most = x.iter().map(|p| p[0]).fold(f64::NEG_INFINITY, f64::max);
        x.iter_mut().for_each(|p| p[0] -= most);
        x
    };
    let vertices = 10 * 71 * 71 + 2;
    let mirrored = triangles.iter().map(|&[a, b, c]| [c, b, a]).collect();
    let right = {
        let left = left.clone();
        move |frame: usize| left(frame).into_iter().map(|[x, y, z]| [GAPS[frame] - x, y, z]).collect()
    };
    let bodies = vec![
        LazyBody::new("left", Elements::Triangles(triangles), vertices, left),
        LazyBody::new("right", Elements::Triangles(mirrored), vertices, right),
    ];
    let expect = Expect { pairs: Some(0), distance: Some(GAPS.iter().sum()), ..Expect::default() };
    LazyScene::new(name, GAPS.len(), bodies).expecting(expect)
}

/// Two nested, almost parallel shells: every part of one is close to the other.
pub fn near_shell(name: &str) -> LazyScene {
    let radius = |d: Point, f: f64| {
        1.0 + 0.12 * sin(3.0 * d[0] + 0.1 * f) * cos(2.0 * d[1]) + 0.06 * sin(5.0 * d[2] + 1.0)
    };
    let turn = Rotation::about([1.0, 1.0, 3.0], 0.4);
    let inner = LazyBody::moving("inner", icosphere(71), move |d, frame| scale(d, radius(d, frame as f64)));
    let outer = LazyBody::moving("outer", icosphere(71).mapped(|d| turn.apply(d)), move |d, frame| {
        let f = frame as f64;
        scale(d, radius(d, f) + 0.05 - 0.005 * f + 0.01 * sin(4.0 * d[0] + 3.0 * d[2]))
    });
    LazyScene::new(name, 5, vec![inner, outer]).expecting(Expect { pairs: Some(0), ..Expect::default() })
}
