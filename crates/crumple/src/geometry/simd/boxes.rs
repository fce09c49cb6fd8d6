//! Eight closed boxes, one to a lane: rows of the lower x, y, z and of the upper x, y, z.

use super::{F32x8, Mask, Row, Simd, WIDTH, load3};

/// Bit i tells whether box i has a common point with the box from `low` to `high`.
// Spelled out, here and below: what is in a closure would be compiled without the instruction set.
#[inline(always)]
pub(crate) fn overlaps<S: Simd>(simd: S, boxes: &[Row; 6], low: [f32; 3], high: [f32; 3]) -> u32 {
    let [lx, ly, lz, hx, hy, hz] = boxes;
    let x = S::F32x8::load(simd, lx).le(S::F32x8::splat(simd, high[0]))
        & S::F32x8::load(simd, hx).ge(S::F32x8::splat(simd, low[0]));
    let y = S::F32x8::load(simd, ly).le(S::F32x8::splat(simd, high[1]))
        & S::F32x8::load(simd, hy).ge(S::F32x8::splat(simd, low[1]));
    let z = S::F32x8::load(simd, lz).le(S::F32x8::splat(simd, high[2]))
        & S::F32x8::load(simd, hz).ge(S::F32x8::splat(simd, low[2]));
    (x & y & z).bitmask()
}

/// Bit 8 (r − 1) + i tells whether boxes i and (i + r) mod 8 have a common point, r from 1 to 4; every pair of the eight
/// boxes is there once.
#[inline(always)]
pub(crate) fn overlaps_among<S: Simd>(simd: S, boxes: &[Row; 6]) -> u32 {
    let [lx, ly, lz, hx, hy, hz] = boxes;
    let ([lx, ly, lz], [hx, hy, hz]) = (load3(simd, &[*lx, *ly, *lz]), load3(simd, &[*hx, *hy, *hz]));
    let mut all = 0;
    for r in 1..5 {
        let x = lx.le(hx.rotate(r)) & hx.ge(lx.rotate(r));
        let y = ly.le(hy.rotate(r)) & hy.ge(ly.rotate(r));
        let z = lz.le(hz.rotate(r)) & hz.ge(lz.rotate(r));
        all |= (x & y & z).bitmask() << (WIDTH * (r - 1));
    }
    // At r = 4 each pair comes twice.
    all & 0x0fff_ffff
}
