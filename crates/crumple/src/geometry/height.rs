//! How far a point is from a plane, to nearly all digits even when that is next to nothing.
//!
//! A plain determinant keeps no digits of a height that is 1e-15 of the triangle. Where the rounding bound is not far
//! below the value, it is computed again in numbers of twice the precision (a sum of two `f64`), with a relative error
//! of about 1e-31 of the products it is made of.

use super::Point;
use super::predicates::bound3;
use super::vector::{cross, dot, max, max_abs, sub};

/// det(b − a, c − a, d − a), whose sign may be wrong only when it is below 1e-30 of its terms.
pub(crate) fn determinant(a: &Point, b: &Point, c: &Point, d: &Point) -> f64 {
    let (u, v, w) = (sub(b, a), sub(c, a), sub(d, a));
    let det = dot(&cross(&u, &v), &w);
    let m = std::array::from_fn(|k| max(max_abs(u[k], v[k]), w[k].abs()));
    // Thirty bits more than the sign needs: nine digits.
    const ROOM: f64 = (1u64 << 30) as f64;
    if det.abs() > ROOM * bound3(&m) { det } else { in_twice_the_precision(a, b, c, d) }
}

#[cold]
fn in_twice_the_precision(a: &Point, b: &Point, c: &Point, d: &Point) -> f64 {
    let from_a = |p: &Point| -> [Double; 3] { std::array::from_fn(|k| Double::difference(p[k], a[k])) };
    let (u, v, w) = (from_a(b), from_a(c), from_a(d));
    let minor = |i: usize, j: usize| u[i].times(v[j]).minus(u[j].times(v[i]));
    let sum = minor(1, 2).times(w[0]).minus(minor(0, 2).times(w[1])).minus(minor(1, 0).times(w[2]));
    sum.0 + sum.1
}

/// The unevaluated sum of two numbers, the second at most half a unit in the last place of the first.
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    /// a + b exactly.
    fn sum(a: f64, b: f64) -> Double {
        let s = a + b;
        let b_part = s - a;
        Double(s, (a - (s - b_part)) + (b - b_part))
    }

    /// a − b exactly.
    fn difference(a: f64, b: f64) -> Double {
        Double::sum(a, -b)
    }

    /// a · b exactly, by splitting each into halves of 26 bits.
    fn product(a: f64, b: f64) -> Double {
        let split = |x: f64| {
            let high = 134_217_729.0 * x;
            let high = high - (high - x);
            (high, x - high)
        };
        let ((a0, a1), (b0, b1)) = (split(a), split(b));
        let p = a * b;
        Double(p, a1 * b1 - (((p - a0 * b0) - a1 * b0) - a0 * b1))
    }

    fn minus(self, other: Double) -> Double {
        let s = Double::sum(self.0, -other.0);
        Double::sum(s.0, s.1 + (self.1 - other.1))
    }

    fn times(self, other: Double) -> Double {
        let p = Double::product(self.0, other.0);
        Double::sum(p.0, p.1 + (self.0 * other.1 + self.1 * other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_digits_that_plain_arithmetic_loses() {
        let (a, b, c) = ([0.1, 0.2, 0.3], [1.3, 0.1, 0.7], [0.4, 1.9, 0.2]);
        assert!(determinant(&a, &b, &c, &b).abs() < 1e-31);
        // One unit in the last place above corner b: the height is the z component of the normal times that unit.
        let d = [b[0], b[1], b[2].next_up()];
        let normal_z = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let expected = normal_z * (d[2] - b[2]);
        assert!((determinant(&a, &b, &c, &d) - expected).abs() < 1e-12 * expected);
    }
}
