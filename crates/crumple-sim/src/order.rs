//! The smaller and the larger of numbers that are not NaN: `f64::min` and `f64::max` are calls in WebAssembly.

use glam::DVec3;

/// The smaller of two.
#[inline]
pub(crate) fn smaller<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

/// The larger of two.
#[inline]
pub(crate) fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// The smaller of each axis.
#[inline]
pub(crate) fn lower(p: DVec3, q: DVec3) -> DVec3 {
    DVec3::new(smaller(p.x, q.x), smaller(p.y, q.y), smaller(p.z, q.z))
}

/// The larger of each axis.
#[inline]
pub(crate) fn upper(p: DVec3, q: DVec3) -> DVec3 {
    DVec3::new(larger(p.x, q.x), larger(p.y, q.y), larger(p.z, q.z))
}
