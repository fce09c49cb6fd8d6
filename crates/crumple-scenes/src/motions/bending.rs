//! Bend, twist, and the loop through itself.

use crate::{trig, vector::Point};

/// Rolls the x direction up about the y axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bend {
    /// Curvature in frame 0, radians per unit of x; positive bends both ends up.
    pub amount: f64,
    /// Growth of the curvature per frame. A sheet of length l touches its own end at 2π/l.
    pub rate: f64,
}

impl Bend {
    /// Where `p` is in frame `f`.
    pub fn at(&self, [x, y, z]: Point, f: f64) -> Point {
        let k = self.amount + self.rate * f;
        if k.abs() < 1e-9 {
            return [x, y, z];
        }
        let (s, c) = trig::sin_cos(k * x);
        let r = 1.0 / k - z;
        [r * s, y, 1.0 / k - r * c]
    }
}

/// Turns about the x axis in proportion to x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Radians per unit of x in frame 0.
    pub amount: f64,
    /// Growth per frame.
    pub rate: f64,
}

impl Twist {
    /// Where `p` is in frame `f`.
    pub fn at(&self, [x, y, z]: Point, f: f64) -> Point {
        let (s, c) = trig::sin_cos((self.amount + self.rate * f) * x);
        [x, c * y - s * z, s * y + c * z]
    }
}

/// Sweeps the x direction along the curve (t³ - at, t²), which crosses itself at t = ±√a when a > 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelfLoop {
    /// The curve's a in frame 0.
    pub opening: f64,
    /// Growth of a per frame.
    pub rate: f64,
    /// How much y grows with x, so that the crossing line is oblique to the mesh; 0 leaves it aligned.
    pub slant: f64,
}

impl SelfLoop {
    /// Where `p` is in frame `f`; x in [-0.5, 0.5] spans t in [-1.6, 1.6].
    pub fn at(&self, [x, y, z]: Point, f: f64) -> Point {
        let t = 3.2 * x;
        let a = self.opening + self.rate * f;
        [t * t * t - a * t, y + self.slant * x, t * t + z]
    }
}
