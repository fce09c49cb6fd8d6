//! Triangles around one vertex, and discs made of rings.

use std::f64::consts::TAU;

use crate::{Surface, trig};

/// `n` triangles around the origin over `turns` turns, rim at radius 1 and height 0, normals up. The rim is closed when
/// `turns` is whole, and then the centre is an inner vertex whose star winds `turns` times.
pub fn fan(n: usize, turns: f64) -> Surface {
    let n = n.max(3);
    let closed = turns.fract() == 0.0;
    let rim = if closed { n } else { n + 1 };
    let mut positions = vec![[0.0; 3]];
    for k in 0..rim {
        let (s, c) = trig::sin_cos(TAU * turns * k as f64 / n as f64);
        positions.push([c, s, 0.0]);
    }
    let triangles = (0..n).map(|k| [0, 1 + k as u32, 1 + ((k + 1) % rim) as u32]).collect();
    Surface { positions, triangles }
}

/// A flat disc of radius 1 in the plane z = 0: a centre and `rings` rings of `nlon` vertices, normals up.
/// `nlon (2 rings - 1)` triangles.
pub fn disc(nlon: usize, rings: usize) -> Surface {
    let (nlon, rings) = (nlon.max(3), rings.max(1));
    let mut surface = fan(nlon, 1.0).mapped(|p| p.map(|x| x / rings as f64));
    for r in 2..=rings {
        let base = surface.positions.len() as u32;
        for k in 0..nlon {
            let (s, c) = trig::sin_cos(TAU * k as f64 / nlon as f64);
            let radius = r as f64 / rings as f64;
            surface.positions.push([radius * c, radius * s, 0.0]);
        }
        for k in 0..nlon as u32 {
            let next = (k + 1) % nlon as u32;
            let (a, b, c, d) = (base - nlon as u32 + k, base + k, base + next, base - nlon as u32 + next);
            surface.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    surface
}
