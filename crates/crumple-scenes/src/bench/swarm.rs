//! Thousands of small bodies.

use crate::{
    LazyBody, LazyScene, Rng,
    shapes::icosphere,
    trig::sin,
    vector::{Point, Rotation, add, scale},
};

/// `side`³ breathing balls of 80 triangles on a shaken grid, each drifting its own way: neighbours press into each other,
/// others never meet.
pub fn swarm(name: &str, side: usize) -> LazyScene {
    let mut rng = Rng::new(41);
    let mut bodies = Vec::new();
    for i in 0..side.pow(3) {
        let cell = [i % side, i / side % side, i / side / side].map(|x| x as f64);
        let centre = add(cell, scale(rng.direction(), 0.2));
        let (drift, phase) = (scale(rng.direction(), 0.01), rng.range(0.0, 6.0));
        let turn = Rotation::random(&mut rng);
        let ball = icosphere(2).mapped(|d| turn.apply(d));
        bodies.push(LazyBody::moving(format!("ball{i}"), ball, move |d: Point, frame| {
            let f = frame as f64;
            let radius = 0.42 + 0.04 * sin(phase + 0.3 * f + 3.0 * d[0]);
            add(add(scale(d, radius), centre), scale(drift, f))
        }));
    }
    LazyScene::new(name, 5, bodies)
}
