//! One-sided surfaces and closed bodies in each other.

use super::still;
use crate::{
    LazyBody, LazyScene,
    motions::{Bend, Twist},
    shapes::{capsule, icosphere, klein_bottle, moebius_strip, point_cloud, torus},
    trig::sin,
    vector::{Point, add, scale},
};

/// A Möbius strip whose opposite sides are pulled towards, and in the last frames through, each other.
pub fn moebius(name: &str) -> LazyScene {
    let body = LazyBody::moving("strip", moebius_strip(40, 4, 0.5, 1), |[x, y, z], frame| {
        let pull = 1.0 - 0.4 * frame as f64 * (1.0 - 0.6 * y * y);
        [pull * x + 0.02 * y, y, z + 0.05 * sin(3.0 * x)]
    });
    LazyScene::new(name, 5, vec![body])
}

/// A Klein bottle: closed, one-sided, and bound to cross itself.
pub fn klein(name: &str) -> LazyScene {
    let body = LazyBody::moving("bottle", klein_bottle(20, 12), |[x, y, z], frame| {
        let f = 0.3 * frame as f64;
        [x, y, z * (1.0 + 0.1 * sin(2.0 * x + f))]
    });
    LazyScene::new(name, 2, vec![body])
}

/// Four closed surfaces inside one another, nothing touching, and points in all the shells. Distances are small,
/// containment is deep: no distance rule can tell.
pub fn nested(name: &str) -> LazyScene {
    let shell = |r: f64| icosphere(3).mapped(move |p| scale(p, r));
    let points = point_cloud(300, [-2.2; 3], [2.2; 3], 91);
    let breathe = |p: Point, frame: usize| scale(p, 1.0 + 0.05 * frame as f64);
    let bodies = vec![
        LazyBody::moving("outermost", shell(2.0), breathe),
        LazyBody::moving("middle", shell(1.5), breathe),
        LazyBody::moving("inner", shell(1.0), breathe),
        LazyBody::still("torus", torus(12, 8, 0.5, 0.2)),
        LazyBody::still_points("points", points),
    ];
    LazyScene::new(name, 3, bodies)
}

/// A capsule bent into a ring whose ends run into each other: where they overlap, the surface winds twice round a
/// point. Points all over.
pub fn winding_two(name: &str) -> LazyScene {
    // 5.4 long in all: from a curvature of 1.17 on the ends meet.
    let rod = capsule(10, 3, 16, 0.35, 4.7).mapped(|[x, y, z]| [z, y, -x]);
    let roll = Bend { amount: 1.21, rate: 0.06 };
    let bent = LazyBody::moving("ring", rod, move |p, frame| roll.at(p, frame as f64));
    let points = LazyBody::still_points("points", point_cloud(200, [-1.3, -0.4, -0.4], [1.3, 0.4, 2.0], 92));
    LazyScene::new(name, 3, vec![bent, points])
}

/// A twisted ribbon ring and a torus, linked like a chain and closing in.
pub fn linked(name: &str) -> LazyScene {
    let twist = Twist { amount: 0.2, rate: 0.1 };
    let chain = torus(16, 8, 0.7, 0.2);
    let bodies = vec![
        LazyBody::still("first", chain.clone()),
        LazyBody::moving("second", chain, move |[x, y, z], frame| {
            let s = 0.7 + 0.1 * frame as f64;
            twist.at(add([x, -z, y], [s, 0.0, 0.0]), frame as f64)
        }),
    ];
    LazyScene::new(name, 4, bodies)
}

/// Two spheres that hit each other on the way through: apart, touching lightly, deep, one inside the other.
pub fn through_each_other(name: &str) -> LazyScene {
    let small = icosphere(3).mapped(|p| scale(p, 0.4));
    let places = [1.6, 1.35, 0.9, 0.2];
    let bodies = vec![
        LazyBody::still("large", icosphere(4)),
        LazyBody::moving("small", small, move |p, frame| add(p, [places[frame], 0.03, 0.01])),
    ];
    LazyScene::new(name, places.len(), bodies)
}

/// Two combs, the teeth of one between those of the other: boxes overlap deeply, the distance is 1/4 everywhere between
/// tips and spines, and nothing touches.
pub fn interlocked(name: &str) -> LazyScene {
    use crate::shapes::{VoxelBox, polycube};
    let comb = |flip: i32| {
        let tooth = |k: i32| VoxelBox::new([4 * k + 2 * flip, 0, 0], [4 * k + 2 * flip + 1, 1, 4]);
        let spine = VoxelBox::new([0, 0, 4], [12, 1, 5]);
        let mut boxes: Vec<VoxelBox> = (0..3).map(tooth).collect();
        boxes.push(spine);
        polycube(&boxes)
    };
    // The second comb hangs upside down, its spine a quarter below the tips of the first.
    let second = comb(1).mapped(|[x, y, z]| [x, 1.0 - y, 3.75 - z]).outward();
    still(name, [("standing", comb(0)), ("hanging", second)])
}
