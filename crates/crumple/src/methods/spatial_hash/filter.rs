//! A vertex against a tet on the lattice: settles most candidates without their positions.

use super::lattice::Snapped;

/// Whether the vertex is certainly outside the tet. Both must be within 2^30 units of the origin.
///
/// A position in units lies within 0.5 + 2^-20 of its lattice point, a difference of two within δ = 1.001. With
/// differences of at most X, Y, Z per axis, each of the six products in a 3×3 determinant is off by at most
/// δ(XY + YZ + ZX) + δ²(X + Y + Z) + δ³, and the `f64` arithmetic on integers of 31 bits adds less than a thousandth of that.
/// So a determinant beyond 6.1 (XY + YZ + ZX + X + Y + Z + 1) has the sign of the exact one, and two such of opposite sign
/// put the vertex outside, whichever way round the tet is.
#[inline(always)]
pub(super) fn is_outside(p: &Snapped, tet: [&Snapped; 4]) -> bool {
    let sub = |c: &Snapped| [f64::from(c[0] - p[0]), f64::from(c[1] - p[1]), f64::from(c[2] - p[2])];
    let d = [sub(tet[0]), sub(tet[1]), sub(tet[2]), sub(tet[3])];
    let max = |a: f64, b: f64| if a > b { a } else { b };
    let most = |k: usize| max(max(d[0][k].abs(), d[1][k].abs()), max(d[2][k].abs(), d[3][k].abs()));
    let m = [most(0), most(1), most(2)];
    let bound = 6.1 * (m[0] * m[1] + m[1] * m[2] + m[2] * m[0] + m[0] + m[1] + m[2] + 1.0);
    let minor = |i: usize, j: usize| d[i][0] * d[j][1] - d[i][1] * d[j][0];
    let (m01, m02, m03) = (minor(0, 1), minor(0, 2), minor(0, 3));
    let (m12, m13, m23) = (minor(1, 2), minor(1, 3), minor(2, 3));
    let z = [d[0][2], d[1][2], d[2][2], d[3][2]];
    let det = [
        z[1] * m23 - z[2] * m13 + z[3] * m12,
        z[2] * m03 - z[0] * m23 - z[3] * m02,
        z[0] * m13 - z[1] * m03 + z[3] * m01,
        z[1] * m02 - z[0] * m12 - z[2] * m01,
    ];
    det.iter().any(|&d| d > bound) & det.iter().any(|&d| d < -bound)
}
