//! Heidelberger, Teschner, Gross 2003: particles on a deforming body (H26). The pairs (H21–H24) and the points (H25)
//! are benchmark scenes of the same sizes.

use crate::{
    Elements, LazyBody, LazyScene, Rng, Surface,
    shapes::{Waves, uv_sphere},
    vector::Point,
};

/// A wobbling body of 10,000 triangles under a snowfall of 20,000 particles; those that leave at the bottom come back
/// at the top.
pub fn particles(name: &str) -> LazyScene {
    const FLAKES: usize = 20_000;
    const TOP: f64 = 2.0;
    const FALL: f64 = 4.0;
    let Surface { positions, triangles } = uv_sphere(100, 51);
    let waves = Waves::new(9, 41);
    let body = LazyBody::new("body", Elements::Triangles(triangles), positions.len(), move |frame| {
        waves.displace(&positions, 0.1 * frame as f64, 0.25)
    });
    let mut rng = Rng::new(42);
    let flakes: Vec<(Point, f64)> = (0..FLAKES)
        .map(|_| (rng.in_box([-1.5, -1.5, 0.0], [1.5, 1.5, FALL]), rng.range(0.03, 0.08)))
        .collect();
    let snow = LazyBody::new("particles", Elements::Points, FLAKES, move |frame| {
        let at = |&([x, y, z], speed): &(Point, f64)| {
            let fallen = (z + speed * frame as f64) % FALL;
            [x, y, TOP - fallen]
        };
        flakes.iter().map(at).collect()
    });
    LazyScene::new(name, 100, vec![body, snow])
}
