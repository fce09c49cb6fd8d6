//! A flat sheet over a ball.

use crate::{
    trig::{self, sin},
    vector::Point,
};

/// Lays the plane z = 0 over a ball at the origin, waves included; beyond a polar angle the sheet hangs straight down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drape {
    /// Radius of the ball.
    pub radius: f64,
    /// Mean height of the sheet above the ball, as a share of the radius.
    pub clearance: f64,
    /// Height of the waves, as a share of the radius; larger than `clearance`, they dip into the ball.
    pub wave: f64,
    /// Travel of the waves per frame, radians.
    pub speed: f64,
    /// Polar angle in radians at which the sheet leaves the ball.
    pub hang: f64,
}

impl Drape {
    /// Where `p` is in frame `f`.
    pub fn at(&self, [x, y, z]: Point, f: f64) -> Point {
        let rho = (x * x + y * y).sqrt();
        let (c, s) = if rho > 0.0 { (x / rho, y / rho) } else { (1.0, 0.0) };
        let polar = rho / self.radius;
        let (sp, cp) = trig::sin_cos(polar.min(self.hang));
        let phase = self.speed * f;
        let offset = self.clearance
            + self.wave * sin(9.0 * x / self.radius + phase) * sin(8.0 * y / self.radius - 0.8 * phase);
        let r = self.radius * (1.0 + offset) + z;
        let fall = self.radius * (polar - self.hang).max(0.0);
        [r * sp * c, r * sp * s, r * cp - fall]
    }
}
