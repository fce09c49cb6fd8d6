//! Closed surfaces of revolution about the z axis.

use std::f64::consts::{PI, TAU};

use super::uv_sphere_triangles;
use crate::{Surface, trig};

/// Turns a profile about the z axis: a pole at height `top`, one ring of `nlon` vertices per (radius, height), a pole
/// at height `bottom`. Rings run from top to bottom. `nlon · rings + 2` vertices, `2 nlon · rings` triangles.
pub fn revolution(nlon: usize, top: f64, rings: &[[f64; 2]], bottom: f64) -> Surface {
    let nlon = nlon.max(3);
    if rings.is_empty() {
        return Surface::default();
    }
    let mut positions = Vec::with_capacity(nlon * rings.len() + 2);
    positions.push([0.0, 0.0, top]);
    for &[radius, z] in rings {
        for k in 0..nlon {
            let (s, c) = trig::sin_cos(TAU * k as f64 / nlon as f64);
            positions.push([radius * c, radius * s, z]);
        }
    }
    positions.push([0.0, 0.0, bottom]);
    Surface { positions, triangles: uv_sphere_triangles(nlon, rings.len() + 1) }
}

/// Closed cylinder of a radius and height, centred, with `rings` rings; the caps are fans.
pub fn cylinder(nlon: usize, rings: usize, radius: f64, height: f64) -> Surface {
    let rings = rings.max(2);
    let z = |k: usize| height * (0.5 - k as f64 / (rings - 1) as f64);
    let profile: Vec<[f64; 2]> = (0..rings).map(|k| [radius, z(k)]).collect();
    revolution(nlon, 0.5 * height, &profile, -0.5 * height)
}

/// Closed cone with its tip up at `height / 2` and a flat base.
pub fn cone(nlon: usize, rings: usize, radius: f64, height: f64) -> Surface {
    let rings = rings.max(1);
    let profile: Vec<[f64; 2]> = (1..=rings)
        .map(|k| {
            let share = k as f64 / rings as f64;
            [radius * share, height * (0.5 - share)]
        })
        .collect();
    revolution(nlon, 0.5 * height, &profile, -0.5 * height)
}

/// Cylinder of a length with a half sphere at each end, centred on the z axis: `bands` rings per half sphere, `middle`
/// rings between them (needed where it is going to bend).
pub fn capsule(nlon: usize, bands: usize, middle: usize, radius: f64, length: f64) -> Surface {
    let bands = bands.max(1);
    let half = |k: usize| trig::sin_cos(0.5 * PI * k as f64 / bands as f64);
    let upper = (1..=bands).map(|k| [radius * half(k).0, 0.5 * length + radius * half(k).1]);
    let between = (1..=middle).map(|k| [radius, length * (0.5 - k as f64 / (middle + 1) as f64)]);
    let lower = (1..=bands).rev().map(|k| [radius * half(k).0, -0.5 * length - radius * half(k).1]);
    let profile: Vec<[f64; 2]> = upper.chain(between).chain(lower).collect();
    revolution(nlon, 0.5 * length + radius, &profile, -0.5 * length - radius)
}

/// The pawn's outline: height, radius.
const PAWN: [[f64; 2]; 13] = [
    [-1.0, 0.0],
    [-0.97, 0.40],
    [-0.8, 0.40],
    [-0.6, 0.25],
    [-0.2, 0.16],
    [0.15, 0.13],
    [0.3, 0.26],
    [0.38, 0.16],
    [0.5, 0.24],
    [0.7, 0.29],
    [0.9, 0.18],
    [0.98, 0.08],
    [1.0, 0.0],
];

/// A pawn of chess, z from -1 to 1, base of radius 0.4: `nlon (nlat-1) + 2` vertices, `2 nlon (nlat-1)` triangles.
pub fn pawn(nlon: usize, nlat: usize) -> Surface {
    let nlat = nlat.max(3);
    let profile: Vec<[f64; 2]> = (1..nlat)
        .map(|r| {
            let z = trig::cos(PI * r as f64 / nlat as f64);
            let k = PAWN.partition_point(|p| p[0] <= z).clamp(1, PAWN.len() - 1);
            let ([z0, r0], [z1, r1]) = (PAWN[k - 1], PAWN[k]);
            [r0 + (r1 - r0) * (z - z0) / (z1 - z0), z]
        })
        .collect();
    revolution(nlon, 1.0, &profile, -1.0)
}
