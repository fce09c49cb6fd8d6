//! Vectors in space, one to a lane: `[x, y, z]`, each of them a vector of lanes.

use std::ops::{Add, Mul, Sub};

use super::{F32x8, Row, Simd};

/// a + b.
#[inline(always)]
pub fn add3<T: Copy + Add<Output = T>>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
#[inline(always)]
pub fn sub3<T: Copy + Sub<Output = T>>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a · by.
#[inline(always)]
pub fn scale3<T: Copy + Mul<Output = T>>(a: [T; 3], by: T) -> [T; 3] {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// Dot product, summed from x to z.
#[inline(always)]
pub fn dot3<T: Copy + Add<Output = T> + Mul<Output = T>>(a: [T; 3], b: [T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cross product.
#[inline(always)]
pub fn cross3<T: Copy + Sub<Output = T> + Mul<Output = T>>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Eight vectors from memory.
#[inline(always)]
pub(crate) fn load3<S: Simd>(simd: S, rows: &[Row; 3]) -> [S::F32x8; 3] {
    [S::F32x8::load(simd, &rows[0]), S::F32x8::load(simd, &rows[1]), S::F32x8::load(simd, &rows[2])]
}

/// The same vector eight times.
#[inline(always)]
pub(crate) fn splat3<S: Simd>(simd: S, v: [f32; 3]) -> [S::F32x8; 3] {
    [S::F32x8::splat(simd, v[0]), S::F32x8::splat(simd, v[1]), S::F32x8::splat(simd, v[2])]
}
