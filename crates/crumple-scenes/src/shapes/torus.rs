//! Surfaces closed both ways: torus and torus knot.

use std::f64::consts::TAU;

use crate::{
    Surface, trig,
    vector::{Point, add, cross, dot, scale, sub, unit},
};

/// Triangles of a grid closed both ways: `nu nv` vertices (the second index runs fastest), `2 nu nv` triangles.
pub fn torus_triangles(nu: usize, nv: usize) -> Vec<[u32; 3]> {
    let at = |i: usize, j: usize| ((i % nu) * nv + j % nv) as u32;
    let mut triangles = Vec::with_capacity(2 * nu * nv);
    for i in 0..nu {
        for j in 0..nv {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// Torus about the z axis, `nu` steps round the axis and `nv` round the tube; `ring` is the radius of the tube's
/// centre, `tube` the radius of the tube.
pub fn torus(nu: usize, nv: usize, ring: f64, tube: f64) -> Surface {
    let (nu, nv) = (nu.max(3), nv.max(3));
    let mut positions = Vec::with_capacity(nu * nv);
    for i in 0..nu {
        let (su, cu) = trig::sin_cos(TAU * i as f64 / nu as f64);
        for j in 0..nv {
            let (sv, cv) = trig::sin_cos(TAU * j as f64 / nv as f64);
            let r = ring + tube * cv;
            positions.push([r * cu, r * su, tube * sv]);
        }
    }
    Surface { positions, triangles: torus_triangles(nu, nv) }
}

/// Trefoil: a tube along the curve that winds twice round the z axis and three times round the circle of radius 2;
/// `tube` is the tube's radius on that scale (below 0.5 it does not hit itself). The whole is scaled to about radius 1.
pub fn torus_knot(nu: usize, nv: usize, tube: f64) -> Surface {
    torus_knot_of([2, 3], nu, nv, tube)
}

/// The same with other windings: `p` times round the z axis and `q` times round the circle, which have no common
/// factor. The `p` strands side by side leave room for a tube of less than sin(π / p).
pub fn torus_knot_of([p, q]: [u32; 2], nu: usize, nv: usize, tube: f64) -> Surface {
    let [windings, rounds] = [p, q].map(f64::from);
    let (nu, nv) = (nu.max(3), nv.max(3));
    let mut positions = Vec::with_capacity(nu * nv);
    for i in 0..nu {
        let t = TAU * i as f64 / nu as f64;
        let ((sp, cp), (sq, cq)) = (trig::sin_cos(windings * t), trig::sin_cos(rounds * t));
        let r = 2.0 + cq;
        let centre = [r * cp, r * sp, sq];
        let tangent: Point =
            unit([-rounds * sq * cp - windings * r * sp, -rounds * sq * sp + windings * r * cp, rounds * cq]);
        // Away from the circle of radius 2: a reference that returns to itself after one round, as the tube must.
        let out = sub(centre, [2.0 * cp, 2.0 * sp, 0.0]);
        let normal = unit(sub(out, scale(tangent, dot(out, tangent))));
        let side = cross(tangent, normal);
        for j in 0..nv {
            let (s, c) = trig::sin_cos(TAU * j as f64 / nv as f64);
            let p = add(centre, scale(add(scale(normal, c), scale(side, s)), tube));
            positions.push(scale(p, 1.0 / 3.0));
        }
    }
    Surface { positions, triangles: torus_triangles(nu, nv) }.outward()
}
