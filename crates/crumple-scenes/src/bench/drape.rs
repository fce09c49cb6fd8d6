//! A square cloth over a breathing body.

use crate::{
    Elements, LazyBody, LazyScene,
    shapes::{sheet_triangles, sheet_uv, uv_sphere},
    trig::{self, cos, sin},
    vector::{Point, mul, scale},
};

/// Half axes of the body before it breathes.
const BODY: Point = [0.95, 0.62, 1.7];
/// Polar angle at which the cloth leaves the body and hangs.
const HANG: f64 = 1.45;

/// Radius of the breathing body in direction `d`, before the half axes.
fn radius(d: Point, f: f64) -> f64 {
    1.0 + 0.10 * sin(3.0 * d[0] + 0.15 * f) * cos(2.0 * d[2])
        + 0.07 * sin(5.0 * d[2] + 1.0 + 0.1 * f)
        + 0.04 * sin(6.0 * d[1] - 0.2 * f) * sin(4.0 * d[0] + 0.5)
}

/// Where the cloth's point (a, b) in [-1, 1]² is: on the body with a small wavy offset, mostly outside and locally
/// inside; beyond [`HANG`] falling in folds.
fn cloth_point(a: f64, b: f64, f: f64) -> Point {
    let rho = (a * a + b * b).sqrt();
    let (c, s) = if rho > 0.0 { (a / rho, b / rho) } else { (1.0, 0.0) };
    let polar = 1.9 * rho;
    let (sp, cp) = trig::sin_cos(polar.min(HANG));
    let d = [sp * c, sp * s, cp];
    let offset = 0.012
        + 0.020 * sin(9.0 * a + 0.5 * f) * sin(8.0 * b - 0.4 * f)
        + 0.006 * sin(23.0 * a) * sin(21.0 * b + f);
    let [x, y, z] = mul(scale(d, radius(d, f) * (1.0 + offset)), BODY);
    let hang = (polar - HANG).max(0.0);
    let (c14, s14) = trig::multiple_angle(c, s, 14);
    let (sf, cf) = trig::sin_cos(0.3 * f);
    let fold = 1.0 + hang * (0.30 + 0.22 * (s14 * cf + c14 * sf));
    [x * fold, y * fold, z - 1.4 * hang]
}

/// A cloth of `cloth` cells on a body of (meridians, bands): `2 c0 c1` and `2 b0 (b1 - 1)` triangles.
pub fn drape(name: &str, cloth: [usize; 2], body: [usize; 2], frames: usize) -> LazyScene {
    let [nx, ny] = cloth;
    let triangles = Elements::Triangles(sheet_triangles(nx, ny));
    let cloth = LazyBody::new("cloth", triangles, (nx + 1) * (ny + 1), move |frame| {
        sheet_uv(nx, ny).map(|(u, v)| cloth_point(2.0 * u - 1.0, 2.0 * v - 1.0, frame as f64)).collect()
    });
    let body = LazyBody::moving("body", uv_sphere(body[0], body[1]), |d, frame| {
        mul(scale(d, radius(d, frame as f64)), BODY)
    });
    LazyScene::new(name, frames, vec![cloth, body])
}
