//! Surfaces against themselves: sphere, loop, crumple.

use crate::{
    Elements, LazyBody, LazyScene,
    motions::Creases,
    shapes::{icosphere, sheet_triangles, sheet_uv},
    trig::{cos, sin},
    vector::{add, scale},
};

/// A sphere of frequency `n` whose radius ripples a little more each frame. Nothing touches.
pub fn sphere(name: &str, n: usize) -> LazyScene {
    let body = LazyBody::moving("sphere", icosphere(n), |d, frame| {
        let f = frame as f64;
        let wave = sin(3.0 * d[0] + 0.4 * f) * cos(2.0 * d[1]) + 0.5 * sin(4.0 * d[2] + 0.2 * f);
        scale(d, 1.0 + 0.02 * f * wave)
    });
    LazyScene::new(name, 5, vec![body])
}

/// A sheet of `nx` by `nx` cells swept along the curve (t³ - at, t²), which crosses itself once at t = ±√a; the
/// crossing line is oblique to the grid.
pub fn self_loop(name: &str, nx: usize) -> LazyScene {
    let vertices = (nx + 1) * (nx + 1);
    let body = LazyBody::new("sheet", Elements::Triangles(sheet_triangles(nx, nx)), vertices, move |frame| {
        let f = frame as f64;
        let curve = LoopCurve::new(0.913 + 0.08 * f);
        sheet_uv(nx, nx)
            .map(|(u, v)| {
                let [x, y] = curve.at(0.02 + 0.90 * u + 0.06 * v);
                let z = 3.2 * (v - 0.5) + 0.05 * sin(5.0 * u + 0.1 * f);
                [x, y + 0.03 * sin(3.0 * z + 0.2 * f), z]
            })
            .collect()
    });
    LazyScene::new(name, 5, vec![body])
}

/// A sheet of `nx` by `nx` cells folded by waves of four octaves, which drift a little each frame.
pub fn crumple(name: &str, nx: usize) -> LazyScene {
    let vertices = (nx + 1) * (nx + 1);
    let creases = Creases::new(4, 77);
    let body = LazyBody::new("sheet", Elements::Triangles(sheet_triangles(nx, nx)), vertices, move |frame| {
        let at = |(u, v)| add([1.2 * (u - 0.5), 1.2 * (v - 0.5), 0.0], creases.at(u, v, 0.08 * frame as f64));
        sheet_uv(nx, nx).map(at).collect()
    });
    LazyScene::new(name, 5, vec![body])
}

/// The curve (t³ - at, t²) for t in [-1.6, 1.6], by share of its length.
struct LoopCurve {
    points: Vec<[f64; 2]>,
    /// Length from the start to each point.
    lengths: Vec<f64>,
}

impl LoopCurve {
    fn new(a: f64) -> Self {
        const SEGMENTS: usize = 20_000;
        let point = |k: usize| {
            let t = 3.2 * k as f64 / SEGMENTS as f64 - 1.6;
            [t * t * t - a * t, t * t]
        };
        let points: Vec<[f64; 2]> = (0..=SEGMENTS).map(point).collect();
        let mut lengths = vec![0.0];
        for w in points.windows(2) {
            let (dx, dy) = (w[1][0] - w[0][0], w[1][1] - w[0][1]);
            lengths.push(lengths[lengths.len() - 1] + (dx * dx + dy * dy).sqrt());
        }
        Self { points, lengths }
    }

    fn at(&self, share: f64) -> [f64; 2] {
        let length = share * self.lengths[self.lengths.len() - 1];
        let k = self.lengths.partition_point(|&l| l <= length).clamp(1, self.points.len() - 1);
        let (l0, l1) = (self.lengths[k - 1], self.lengths[k]);
        let t = ((length - l0) / (l1 - l0)).clamp(0.0, 1.0);
        let (p, q) = (self.points[k - 1], self.points[k]);
        [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]
    }
}
