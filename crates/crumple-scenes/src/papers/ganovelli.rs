//! Ganovelli, Dingliana, O'Sullivan 2000: soups in cone-limited random motion (B13–B16).

use crate::{
    Elements, LazyBody, LazyScene, Surface,
    motions::{self, Cone, Motion},
    shapes::triangle_soup,
    trig,
    vector::{Point, add},
};

/// A soup of `count` triangles over a ball of radius 1, in cone-limited motion. Triangles are as large as their mean
/// spacing, so that the number of touching pairs grows with the count, not with its square.
pub fn cloud(name: &str, count: usize, alpha: f64, centre: Point, seed: u64) -> LazyBody {
    let spacing = trig::cube_root(4.2 / count.max(1) as f64);
    let Surface { positions, triangles } = triangle_soup(count, spacing, seed);
    let positions = positions.into_iter().map(|p| add(p, centre)).collect();
    // A step is at most a quarter of the spacing: coherent for small alpha, yet thresholds are crossed each frame.
    let cone = Cone { alpha, speed: 0.25 * spacing, seed: seed + 1000 };
    motions::body(name, Elements::Triangles(triangles), positions, &[Motion::Cone(cone)])
}

/// One soup of `count` primitives (B14, B15).
pub fn soup(name: &str, count: usize, alpha: f64, frames: usize) -> LazyScene {
    LazyScene::new(name, frames, vec![cloud("soup", count, alpha, [0.0; 3], 1)])
}

/// Two soups of `count` primitives each that overlap by about a third (B16, B17).
pub fn clouds(name: &str, count: usize, alpha: f64, frames: usize) -> LazyScene {
    let bodies = vec![
        cloud("left", count, alpha, [-0.5, 0.0, 0.0], 1),
        cloud("right", count, alpha, [0.5, 0.0, 0.0], 2),
    ];
    LazyScene::new(name, frames, bodies)
}
