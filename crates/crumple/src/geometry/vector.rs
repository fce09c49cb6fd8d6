//! The few vector operations that the predicates need, on plain arrays.

use super::Point;

/// `a − b`.
#[inline(always)]
pub(crate) fn sub(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Dot product, summed from x to z.
#[inline(always)]
pub(crate) fn dot(a: &Point, b: &Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cross product.
#[inline(always)]
pub(crate) fn cross(a: &Point, b: &Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The smaller of two numbers that are not NaN; one instruction, unlike `f64::min`.
#[inline(always)]
pub(crate) fn min<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// The larger of two numbers that are not NaN; one instruction, unlike `f64::max`.
#[inline(always)]
pub(crate) fn max<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// The larger of two magnitudes.
#[inline(always)]
pub(crate) fn max_abs(a: f64, b: f64) -> f64 {
    max(a.abs(), b.abs())
}
