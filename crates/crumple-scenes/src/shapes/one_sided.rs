//! Surfaces with one side only: no orientation is consistent.

use std::f64::consts::TAU;

use crate::{Surface, trig};

/// Möbius strip of radius 1 and a width, `n` cells long and `m` wide, with `half_turns` half turns (odd: one-sided;
/// even: two-sided). `n (m+1)` vertices, `2 n m` triangles.
pub fn moebius_strip(n: usize, m: usize, width: f64, half_turns: u32) -> Surface {
    let (n, m) = (n.max(3), m.max(1));
    let mut positions = Vec::with_capacity(n * (m + 1));
    for i in 0..n {
        let u = TAU * i as f64 / n as f64;
        let (su, cu) = trig::sin_cos(u);
        let (st, ct) = trig::sin_cos(0.5 * u * f64::from(half_turns));
        for j in 0..=m {
            let w = width * (j as f64 / m as f64 - 0.5);
            let r = 1.0 + w * ct;
            positions.push([r * cu, r * su, w * st]);
        }
    }
    let twisted = half_turns % 2 == 1;
    let at = |i: usize, j: usize| {
        let j = if i == n && twisted { m - j } else { j };
        ((i % n) * (m + 1) + j) as u32
    };
    let mut triangles = Vec::with_capacity(2 * n * m);
    for i in 0..n {
        for j in 0..m {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Surface { positions, triangles }
}

/// Klein bottle as a figure eight turned half round on its way about the z axis: closed, one-sided, and it must cross
/// itself. `nu nv` vertices, `2 nu nv` triangles; Euler characteristic 0.
pub fn klein_bottle(nu: usize, nv: usize) -> Surface {
    let (nu, nv) = (nu.max(3), nv.max(4));
    let mut positions = Vec::with_capacity(nu * nv);
    for i in 0..nu {
        let u = TAU * i as f64 / nu as f64;
        let ((su, cu), (sh, ch)) = (trig::sin_cos(u), trig::sin_cos(0.5 * u));
        for j in 0..nv {
            // Half a step off, so that no two vertices meet in the crossing point of the eight.
            let v = TAU * (j as f64 + 0.5) / nv as f64;
            let (x, y) = (0.4 * trig::sin(v), 0.4 * trig::sin(2.0 * v));
            let r = 1.0 + ch * x - sh * y;
            positions.push([r * cu, r * su, sh * x + ch * y]);
        }
    }
    // After one round the eight has turned by half a turn: (x, y) is (-x, -y), which is v -> -v.
    let at = |i: usize, j: usize| {
        let j = if i == nu { nv - 1 - j % nv } else { j % nv };
        ((i % nu) * nv + j) as u32
    };
    let mut triangles = Vec::with_capacity(2 * nu * nv);
    for i in 0..nu {
        for j in 0..nv {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Surface { positions, triangles }
}
