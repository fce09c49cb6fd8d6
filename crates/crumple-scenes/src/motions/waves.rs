//! Waves: ripple, crumple, shake.

use std::f64::consts::TAU;

use crate::{
    Rng,
    trig::{sin, sin_cos},
    vector::{Point, add, mul, scale},
};

/// A travelling wave along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ripple {
    /// Height of the wave, the same in every frame.
    pub amplitude: f64,
    /// Radians per unit of x and of y.
    pub frequency: [f64; 2],
    /// Radians per frame.
    pub speed: f64,
}

impl Ripple {
    /// Where `p` is in frame `f`.
    pub fn at(&self, [x, y, z]: Point, f: f64) -> Point {
        let phase = self.frequency[0] * x + self.frequency[1] * y + self.speed * f;
        [x, y, z + self.amplitude * sin(phase)]
    }
}

/// Displacements of a sheet over (u, v) in [0, 1]²: waves of several octaves in random directions, strong enough that
/// the sheet crosses itself all over.
#[derive(Debug, Clone)]
pub struct Creases(Vec<Crease>);

#[derive(Debug, Clone)]
struct Crease {
    frequency: [f64; 2],
    phase: f64,
    speed: f64,
    push: Point,
}

impl Creases {
    /// `octaves` octaves of six waves each; four fold a unit sheet thoroughly.
    pub fn new(octaves: usize, seed: u64) -> Self {
        // 2^-0.9 per octave: fine folds are nearly as steep as coarse ones.
        const FADE: f64 = 0.535_886_731_268_146_6;
        let mut rng = Rng::new(seed);
        let (mut frequency, mut amplitude) = (1.2, 0.20);
        let mut creases = Vec::new();
        for _ in 0..octaves {
            for _ in 0..6 {
                let (s, c) = sin_cos(rng.range(0.0, TAU));
                let (phase, speed) = (rng.range(0.0, TAU), rng.range(0.5, 1.5));
                let k = TAU * frequency * rng.range(0.7, 1.3);
                let push = scale(mul(rng.direction(), [0.8, 0.8, 1.0]), amplitude);
                creases.push(Crease { frequency: [k * c, k * s], phase, speed, push });
            }
            frequency *= 2.0;
            amplitude *= FADE;
        }
        Self(creases)
    }

    /// The displacement at (u, v); `t` lets each wave travel at its own speed.
    pub fn at(&self, u: f64, v: f64, t: f64) -> Point {
        self.0.iter().fold([0.0; 3], |sum, c| {
            let wave = sin(c.frequency[0] * u + c.frequency[1] * v + c.phase + t * c.speed);
            add(sum, scale(c.push, wave))
        })
    }
}

/// [`Creases`] as a motion, over the x and y of the rest position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crumple {
    /// Factor on the displacement.
    pub amplitude: f64,
    /// Octaves of folds.
    pub octaves: usize,
    /// Travel of the waves per frame.
    pub speed: f64,
    /// Which creases.
    pub seed: u64,
}

impl Crumple {
    /// The creases to hand to [`at`](Self::at).
    pub fn creases(&self) -> Creases {
        Creases::new(self.octaves, self.seed)
    }

    /// Where `p` is in frame `f`.
    pub fn at(&self, creases: &Creases, p: Point, f: f64) -> Point {
        add(p, scale(creases.at(p[0] + 0.5, p[1] + 0.5, self.speed * f), self.amplitude))
    }
}

/// Every vertex somewhere else each frame, within a ball about its rest position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shake {
    /// Radius of the ball.
    pub amplitude: f64,
    /// Which displacements.
    pub seed: u64,
}

impl Shake {
    /// Moves all positions to where they are in a frame.
    pub fn shake(&self, points: &mut [Point], frame: usize) {
        let mut rng = Rng::new(self.seed).fork(frame as u64);
        points.iter_mut().for_each(|p| *p = add(*p, scale(rng.in_ball(), self.amplitude)));
    }
}
