//! Exact signs of orientation determinants.
//!
//! A determinant is first computed in plain `f64` with a bound on its error; when it is larger than the bound its sign
//! is certain, and that settles almost every case (a [`Tally`] counts them). The rest goes to Shewchuk's adaptive
//! expansions (`robust`), times a power of two where their exponents ask for it, and coordinates that span more exponents
//! than those can carry go to wide integers. The sign is exact for every finite input, subnormal and 1e308 included.
//!
//! # The bound
//! With u = 2^-53 and computed differences bounded per axis by mx, my, mz, a 3x3 determinant is a sum of six products.
//! Each differs from its exact value by three roundings of differences and five of the evaluation: at most
//! 8u(1 + 8u) of mx·my·mz, 48u for all six. 49u covers the roundings of the bound itself. A product that underflows
//! is off by 2^-1075, times another difference at worst, so by less than 2^-1070·(M² + 1) in all with M the largest of
//! the three; the bound adds 2^-1020·(4M² + 1), which keeps clear of slow subnormal arithmetic. That term is infinite
//! whenever a 2x2 minor can overflow, so a determinant above the bound has finite minors and the right sign.

use super::vector::{cross, dot, max_abs, sub};
use super::{Point, exact, vector};

/// −1, 0 or 1.
pub type Sign = i8;

/// Magnitudes that `robust` decides exactly: a coordinate is zero or between these.
///
/// The lowest bit of a coordinate of at least 2^-300 is 2^-352, of a product of three 2^-1056: no bit is lost below
/// 2^-1074. At the upper end a sum of six products of three differences stays below 2^1008.
pub const EXPANSION_RANGE: std::ops::RangeInclusive<f64> = LOW..=HIGH;
const LOW: f64 = f64::from_bits((1023 - 300) << 52);
const HIGH: f64 = f64::from_bits((1023 + 332) << 52);

const UNIT: f64 = f64::EPSILON / 2.0;
const BOUND_2D: f64 = 4.01 * UNIT;
pub(crate) const BOUND_3D: f64 = 49.0 * UNIT;
pub(crate) const UNDERFLOW: f64 = f64::from_bits(3 << 52);

/// Counts signs by how they were settled. `()` counts nothing and costs nothing.
pub trait Tally {
    /// The floating-point filter settled `count` signs.
    fn filtered(&mut self, count: u64);
    /// `count` signs needed exact arithmetic.
    fn exact(&mut self, count: u64);
}

impl Tally for () {
    #[inline(always)]
    fn filtered(&mut self, _: u64) {}
    #[inline(always)]
    fn exact(&mut self, _: u64) {}
}

/// A [`Tally`] that counts.
#[cfg(feature = "internals")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Signs certain after the filter.
    pub filtered: u64,
    /// Signs that needed exact arithmetic.
    pub exact: u64,
}

#[cfg(feature = "internals")]
impl Tally for Settled {
    fn filtered(&mut self, count: u64) {
        self.filtered += count;
    }
    fn exact(&mut self, count: u64) {
        self.exact += count;
    }
}

/// The sign of a number that is not NaN.
#[inline(always)]
pub(crate) fn sign(x: f64) -> Sign {
    Sign::from(x > 0.0) - Sign::from(x < 0.0)
}

/// The error bound of a 3x3 determinant whose columns are at most `m` in magnitude.
#[inline(always)]
pub(crate) fn bound3(m: &Point) -> f64 {
    let largest = vector::max(vector::max(m[0], m[1]), m[2]);
    BOUND_3D * (m[0] * m[1] * m[2]) + UNDERFLOW * (4.0 * largest * largest + 1.0)
}

/// Whether a determinant of this value and bound has a certain sign.
#[inline(always)]
pub(crate) fn settled(det: f64, bound: f64) -> bool {
    det.abs() > bound
}

/// Side of `c` against the line from `a` to `b`: 1 on its left, −1 on its right, 0 on it.
#[inline]
pub fn orient2d(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    let left = (b[0] - a[0]) * (c[1] - a[1]);
    let right = (b[1] - a[1]) * (c[0] - a[0]);
    let det = left - right;
    // Two differences, a product and the subtraction: 4u of each product, to first order.
    if det.abs() > BOUND_2D * (left.abs() + right.abs()) + UNDERFLOW {
        sign(det)
    } else {
        orient2d_exact(a, b, c)
    }
}

#[cold]
#[inline(never)]
fn orient2d_exact(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Sign {
    if a == b || a == c || b == c || (0..2).any(|k| a[k] == b[k] && a[k] == c[k]) {
        return 0;
    }
    match in_range([a, b, c]) {
        Some(scaled) => {
            let [a, b, c] = scaled.map(|p| robust::Coord { x: p[0], y: p[1] });
            sign(robust::orient2d(a, b, c))
        }
        None => exact::orient2d(&a, &b, &c),
    }
}

/// Side of `d` against the plane through `a`, `b`, `c`: 1 where their right-handed normal points, 0 on the plane.
///
/// The sign of det(b − a, c − a, d − a), which is that of the volume of the tet `a b c d`.
#[inline]
pub fn orient3d(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    orient3d_tallied(a, b, c, d, &mut ())
}

/// [`orient3d`] that counts how the sign was settled.
#[inline]
pub fn orient3d_tallied(a: &Point, b: &Point, c: &Point, d: &Point, tally: &mut impl Tally) -> Sign {
    let (u, v, w) = (sub(b, a), sub(c, a), sub(d, a));
    let det = dot(&cross(&u, &v), &w);
    let m = std::array::from_fn(|k| vector::max(max_abs(u[k], v[k]), w[k].abs()));
    if settled(det, bound3(&m)) {
        tally.filtered(1);
        sign(det)
    } else {
        tally.exact(1);
        orient3d_exact(a, b, c, d)
    }
}

/// [`orient3d`] without the filter, for callers whose own filter did not settle it.
#[cold]
#[inline(never)]
pub(crate) fn orient3d_exact(a: &Point, b: &Point, c: &Point, d: &Point) -> Sign {
    // Flat along an axis is common (sheets, grids) and needs no arithmetic.
    if (0..3).any(|k| a[k] == b[k] && a[k] == c[k] && a[k] == d[k]) {
        return 0;
    }
    match in_range([*a, *b, *c, *d]) {
        Some(scaled) => {
            let [a, b, c, d] = scaled.map(|p| robust::Coord3D { x: p[0], y: p[1], z: p[2] });
            -sign(robust::orient3d(a, b, c, d))
        }
        None => exact::orient3d(a, b, c, d),
    }
}

/// Points with every coordinate zero or in the range of expansions: as they are, or times a power of two, exactly, which
/// changes no sign. `None` when they span too many exponents.
fn in_range<const D: usize, const N: usize>(points: [[f64; D]; N]) -> Option<[[f64; D]; N]> {
    let is_fit = |x: f64| x == 0.0 || EXPANSION_RANGE.contains(&x.abs());
    if points.iter().flatten().all(|&x| is_fit(x)) {
        return Some(points);
    }
    let largest = points.iter().flatten().fold(0.0, |m, x| vector::max(m, x.abs()));
    // The largest goes to the upper end. Twice half the way, since 2^-exponent of a subnormal is no finite number.
    let shift = 331 - exponent(largest);
    let factors = [shift / 2, shift - shift / 2].map(|e| f64::from_bits(((1023 + e) as u64) << 52));
    let scaled = points.map(|p| p.map(|x| x * factors[0] * factors[1]));
    // What is in the range was not rounded on the way; what has become zero was.
    let is_exact = |(x, y): (&f64, &f64)| is_fit(*y) && (*y != 0.0 || *x == 0.0);
    points.iter().flatten().zip(scaled.iter().flatten()).all(is_exact).then_some(scaled)
}

/// The exponent of the power of two at or below a positive number; −1075 for zero.
pub(crate) fn exponent(x: f64) -> i64 {
    match (x.to_bits() >> 52) as i64 {
        0 => -1011 - i64::from(x.to_bits().leading_zeros()),
        e => e - 1023,
    }
}

/// Points against the plane of a triangle: determinants that share one normal and one error bound.
pub(crate) struct Heights<const N: usize> {
    det: [f64; N],
    bound: f64,
    n: Point,
    largest: f64,
}

impl<const N: usize> Heights<N> {
    /// Always inlined, and by reference: the loads then come straight from the mesh. Copied corners stall, since the
    /// compiler's wide loads span what was just stored narrowly; that doubled the time of a triangle test.
    #[inline(always)]
    pub(crate) fn of(triangle: [&Point; 3], points: [&Point; N]) -> Self {
        let [a, b, c] = triangle;
        let (u, v) = (sub(b, a), sub(c, a));
        let n = cross(&u, &v);
        let mut m = [max_abs(u[0], v[0]), max_abs(u[1], v[1]), max_abs(u[2], v[2])];
        let mut det = [0.0; N];
        for i in 0..N {
            let w = sub(points[i], a);
            det[i] = dot(&n, &w);
            m = [max_abs(m[0], w[0]), max_abs(m[1], w[1]), max_abs(m[2], w[2])];
        }
        Heights { det, bound: bound3(&m), n, largest: vector::max(vector::max(m[0], m[1]), m[2]) }
    }

    /// Whether all are certainly strictly on one side.
    #[inline(always)]
    pub(crate) fn one_sided(&self) -> bool {
        let (mut low, mut high) = (self.det[0], self.det[0]);
        for &d in &self.det[1..] {
            (low, high) = (vector::min(low, d), vector::max(high, d));
        }
        (low > self.bound) | (high < -self.bound)
    }

    /// The square of a distance from the plane that no point is nearer than; 0 unless all are certainly on one side.
    #[inline(always)]
    pub(crate) fn gap_sq(&self) -> f64 {
        let mut nearest = f64::INFINITY;
        for &d in &self.det {
            nearest = vector::min(nearest, d.abs());
        }
        // A component of the normal is off by at most 10u of a product of two differences (six roundings each).
        let normal = dot(&self.n, &self.n).sqrt() + 20.0 * UNIT * self.largest * self.largest;
        let height = (nearest - self.bound) / normal;
        if self.one_sided() { (1.0 - 1e-12) * height * height } else { 0.0 }
    }

    /// The exact signs.
    #[inline(always)]
    pub(crate) fn signs(
        &self,
        triangle: [&Point; 3],
        points: [&Point; N],
        tally: &mut impl Tally,
    ) -> [Sign; N] {
        if self.det.iter().all(|&d| settled(d, self.bound)) {
            tally.filtered(N as u64);
            self.det.map(sign)
        } else {
            let [a, b, c] = triangle;
            std::array::from_fn(|i| orient3d_tallied(a, b, c, points[i], tally))
        }
    }
}

/// Sides of three points against the plane of a triangle; its normal is computed once.
#[inline]
pub fn sides(triangle: &[Point; 3], points: &[Point; 3], tally: &mut impl Tally) -> [Sign; 3] {
    let (triangle, points) = (triangle.each_ref(), points.each_ref());
    Heights::of(triangle, points).signs(triangle, points, tally)
}

/// [`orient2d`] of the points as seen along axis `k` (0, 1, 2): x is axis k + 1, y is axis k + 2.
#[inline]
pub fn orient_along(k: usize, a: &Point, b: &Point, c: &Point) -> Sign {
    let seen = |p: &Point| [p[(k + 1) % 3], p[(k + 2) % 3]];
    orient2d(seen(a), seen(b), seen(c))
}

/// Whether three points lie on one line, exactly. Equal points do.
pub fn collinear(a: &Point, b: &Point, c: &Point) -> bool {
    (0..3).all(|k| orient_along(k, a, b, c) == 0)
}

/// Whether `p` lies on the closed segment `a b`, exactly. The segment may be a point.
pub fn on_segment(p: &Point, a: &Point, b: &Point) -> bool {
    (0..3).all(|k| (a[k] <= p[k] && p[k] <= b[k]) || (b[k] <= p[k] && p[k] <= a[k])) && collinear(a, b, p)
}

/// Whether `p` and `q`, both different from `from`, lie in exactly the same direction from it.
pub fn same_direction(from: &Point, p: &Point, q: &Point) -> bool {
    let side = |p: &Point| -> [Sign; 3] {
        std::array::from_fn(|k| Sign::from(p[k] > from[k]) - Sign::from(p[k] < from[k]))
    };
    side(p) == side(q) && p != from && collinear(from, p, q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_or_large_goes_to_expansions_all_the_same() {
        let tiny = f64::from_bits(1);
        let points = |s: f64| [[s, 0.0, 3.0 * s], [-7.0 * s, s, s], [0.0, 5.0 * s, -s], [s, s, s]];
        for s in [tiny, 1e-320, 1e-300, 1e-91, 1e-3, 1e90, 1e200, 1e300] {
            let scaled = in_range(points(s)).expect("one power of two suits all of them");
            // The same points but for one factor.
            let factor = scaled[0][0] / 2f64.powi(300);
            assert_eq!(scaled.map(|p| p.map(|x| x / 2f64.powi(300))), points(factor), "{s:e}");
            let [a, b, c, d] = points(s);
            assert_eq!(orient3d_exact(&a, &b, &c, &d), exact::orient3d(&a, &b, &c, &d), "{s:e}");
        }
        assert_eq!(in_range([[1e-200, 1.0], [0.0, 1.0]]), None, "too many exponents");
        assert_eq!(in_range([[tiny, 0.0], [1e300, 1.0]]), None, "nothing may become zero");
    }
}
