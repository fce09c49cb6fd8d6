//! Loose primitives: no shared vertices, no order, nothing to rely on.

use crate::{
    Rng, Solid, Surface,
    vector::{Point, add, scale},
};

/// `count` triangles of about size `size` strewn over the ball of radius 1; each has its own three vertices.
pub fn triangle_soup(count: usize, size: f64, seed: u64) -> Surface {
    let mut rng = Rng::new(seed);
    let positions = clusters::<3>(count, size, &mut rng);
    let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Surface { positions, triangles }
}

/// `count` tets of about size `size` strewn over the ball of radius 1; each has its own four vertices.
pub fn tet_soup(count: usize, size: f64, seed: u64) -> Solid {
    let mut rng = Rng::new(seed);
    let positions = clusters::<4>(count, size, &mut rng);
    let tets = (0..count as u32).map(|t| [4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3]).collect();
    Solid { positions, tets }.oriented()
}

/// `count` points uniform in the box between two corners.
pub fn point_cloud(count: usize, lo: Point, hi: Point, seed: u64) -> Vec<Point> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| rng.in_box(lo, hi)).collect()
}

fn clusters<const K: usize>(count: usize, size: f64, rng: &mut Rng) -> Vec<Point> {
    let mut positions = Vec::with_capacity(K * count);
    for _ in 0..count {
        let centre = rng.in_ball();
        positions.extend((0..K).map(|_| add(centre, scale(rng.in_ball(), 0.5 * size))));
    }
    positions
}
