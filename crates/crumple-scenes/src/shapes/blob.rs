//! Star-shaped closed surfaces with dents and bulges.

use std::f64::consts::TAU;

use super::icosphere;
use crate::{
    Rng, Surface,
    trig::sin,
    vector::{Point, dot, norm, scale},
};

/// A random smooth function on the unit sphere: a sum of plane waves, and how fast each travels.
#[derive(Debug, Clone)]
pub struct Waves(Vec<Wave>);

#[derive(Debug, Clone)]
struct Wave {
    frequency: Point,
    phase: f64,
    speed: f64,
}

impl Waves {
    /// `count` waves of 2 to 6 radians per unit length.
    pub fn new(count: usize, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let wave = |_| {
            let direction = rng.direction();
            let frequency = scale(direction, rng.range(2.0, 6.0));
            Wave { frequency, phase: rng.range(0.0, TAU), speed: rng.range(0.5, 1.5) }
        };
        Self((0..count).map(wave).collect())
    }

    /// The value at `p` and time `t`; long waves weigh more.
    pub fn at(&self, p: Point, t: f64) -> f64 {
        self.0.iter().map(|w| sin(dot(p, w.frequency) + w.phase + t * w.speed) / norm(w.frequency)).sum()
    }

    /// Moves each unit direction out to a radius of about 1 ± `amplitude`, never below 0.25, so that the surface stays
    /// star-shaped and cannot hit itself.
    pub fn displace(&self, directions: &[Point], t: f64, amplitude: f64) -> Vec<Point> {
        let heights: Vec<f64> = directions.iter().map(|&d| self.at(d, t)).collect();
        let mean_sq = heights.iter().map(|h| h * h).sum::<f64>() / heights.len().max(1) as f64;
        let gain = if mean_sq > 0.0 { amplitude / (2.0 * mean_sq.sqrt()) } else { 0.0 };
        directions.iter().zip(heights).map(|(&d, h)| scale(d, 1.0 + (gain * h).clamp(-0.75, 2.0))).collect()
    }
}

/// Star-shaped blob on a geodesic sphere of frequency `n`, at time `t` of its slow wobble: `20 n²` triangles.
pub fn blob(n: usize, seed: u64, t: f64) -> Surface {
    let Surface { positions, triangles } = icosphere(n);
    Surface { positions: Waves::new(9, seed).displace(&positions, t, 0.28), triangles }
}
