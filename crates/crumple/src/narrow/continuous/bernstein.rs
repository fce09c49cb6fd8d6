//! Cubics and quadratics by their Bernstein ordinates over a piece of time, in `f64`.
//!
//! A polynomial stays within the range of its ordinates, and is the first and the last of them at the ends of the piece.
//! Pieces are cut by de Casteljau's scheme. Halving is averages alone: each is rounded once, to no more than the largest
//! ordinate, so cutting a cubic adds at most 3u of that to the errors of its ordinates, a quadratic 2u (u = 2^-53).

use crate::geometry::vector::{max, max_abs, min};

/// Four ordinates of a cubic or three of a quadratic.
pub(super) type Ordinates<const N: usize> = [f64; N];

#[inline(always)]
fn average(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}

#[inline(always)]
pub(super) fn halve_cubic([b0, b1, b2, b3]: Ordinates<4>) -> [Ordinates<4>; 2] {
    let (c0, c1, c2) = (average(b0, b1), average(b1, b2), average(b2, b3));
    let (d0, d1) = (average(c0, c1), average(c1, c2));
    let e = average(d0, d1);
    [[b0, c0, d0, e], [e, d1, c2, b3]]
}

#[inline(always)]
pub(super) fn halve_quadratic([b0, b1, b2]: Ordinates<3>) -> [Ordinates<3>; 2] {
    let (c0, c1) = (average(b0, b1), average(b1, b2));
    let d = average(c0, c1);
    [[b0, c0, d], [d, c1, b2]]
}

/// The piece from 0 to `t`, which is in [0, 1]. A weighted mean has the roundings of a weight, a product and a sum: 3u of
/// the largest ordinate, and one is built on the other once for each degree.
#[inline(always)]
pub(super) fn until<const N: usize>(mut b: Ordinates<N>, t: f64) -> Ordinates<N> {
    let s = 1.0 - t;
    for first in 1..N {
        for i in (first..N).rev() {
            b[i] = s * b[i - 1] + t * b[i];
        }
    }
    b
}

/// The smallest and the largest ordinate.
#[inline(always)]
pub(super) fn range<const N: usize>(b: &Ordinates<N>) -> (f64, f64) {
    let (mut low, mut high) = (b[0], b[0]);
    for &x in &b[1..] {
        (low, high) = (min(low, x), max(high, x));
    }
    (low, high)
}

/// The largest magnitude.
#[inline(always)]
pub(super) fn largest<const N: usize>(b: &Ordinates<N>) -> f64 {
    b.iter().fold(0.0, |m, &x| max_abs(m, x))
}
