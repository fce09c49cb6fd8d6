//! A rolled-up band: a closed surface that a ray may cross many times.

use std::f64::consts::{PI, TAU};

use super::uv_sphere_triangles;
use crate::{
    Surface, trig,
    vector::{Point, add, scale},
};

/// A thick band rolled up round the y axis with some turns, closed at all its edges like a sphere, and bent a little along
/// the axis. A ray across the roll passes every turn twice and each pass has an entry and an exit: four crossings a
/// turn. `around` steps round the band's cross-section and `bands` along it: `2 around (bands - 1)` triangles.
pub fn scroll(around: usize, bands: usize, turns: f64) -> Surface {
    /// Radius of the first turn; the last has radius 1.
    const INNER: f64 = 0.22;
    /// Thickness of the band over the distance of two turns: what remains is the gap.
    const FILL: f64 = 0.55;
    /// Half the length of the roll: longer than wide, so that the shortest way through it is across the turns.
    const LENGTH: f64 = 1.25;
    let (around, bands) = (around.max(4), bands.max(3));
    let pitch = (1.0 - INNER) / turns.max(0.5);
    let place = |s: f64, c: f64, side: f64| -> Point {
        // Full width but for a rounded stretch at both ends of the band.
        let t = 2.0 * s - 1.0;
        let t4 = t * t * t * t;
        let taper = (1.0 - t4 * t4).max(0.0).sqrt();
        let angle = TAU * turns * s;
        let (sin, cos) = trig::sin_cos(angle);
        let r = INNER + pitch * turns * s + 0.5 * FILL * pitch * taper * c;
        // A flat oval rather than an ellipse.
        let y = LENGTH * taper.sqrt() * side.abs().sqrt().copysign(side);
        let bent = [0.12 * trig::sin(1.4 * y), 0.0, 0.09 * trig::sin(1.1 * y + 1.0)];
        add(add(scale([cos, 0.0, sin], r), [0.0, y, 0.0]), bent)
    };
    let mut positions = Vec::with_capacity(around * (bands - 1) + 2);
    positions.push(place(0.0, 0.0, 0.0));
    for b in 1..bands {
        // Rings are closer together towards the ends, where the band is rounded.
        let s = 0.5 - 0.5 * trig::cos(PI * b as f64 / bands as f64);
        for k in 0..around {
            let (side, c) = trig::sin_cos(TAU * k as f64 / around as f64);
            positions.push(place(s, c, side));
        }
    }
    positions.push(place(1.0, 0.0, 0.0));
    Surface { positions, triangles: uv_sphere_triangles(around, bands) }.outward()
}
