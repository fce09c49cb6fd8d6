//! WebAssembly's vectors: two registers of four lanes of 32 bits, or of two of 64, are one vector.
//!
//! Only in modules that are built for it (`-C target-feature=+simd128`): an engine that does not know the instructions refuses the
//! whole module, so there is nothing to detect at run time.

use core::arch::wasm32::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::{Ids, Quad, Row, Simd, WIDTH};
use crate::geometry::Map;

/// The instruction set.
#[derive(Clone, Copy)]
pub struct Simd128;

impl Simd for Simd128 {
    type Mask8 = Mask8;
    type Mask4 = Mask4;
    type I32x8 = I32x8;
    type F32x8 = F32x8;
    type F32x4 = F32x4;
    type F64x4 = F64x4;

    #[inline(always)]
    fn prefetch<T>(self, _: &T) {}
}

/// All bits of each lane that is set, and none of the others.
#[derive(Clone, Copy)]
pub struct Mask8(v128, v128);

/// The same for four lanes of 64 bits.
#[derive(Clone, Copy)]
pub struct Mask4(v128, v128);

#[derive(Clone, Copy)]
pub struct I32x8(v128, v128);

#[derive(Clone, Copy)]
pub struct F32x8(v128, v128);

#[derive(Clone, Copy)]
pub struct F32x4(v128);

#[derive(Clone, Copy)]
pub struct F64x4(v128, v128);

/// Operators that are an instruction on each half.
macro_rules! operators {
    ($($vector:ident: $operator:ident $name:ident $instruction:ident;)*) => {$(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self($instruction(self.0, other.0), $instruction(self.1, other.1))
            }
        }
    )*};
}

operators! {
    Mask8: BitAnd bitand v128_and;
    Mask8: BitOr bitor v128_or;
    Mask4: BitAnd bitand v128_and;
    Mask4: BitOr bitor v128_or;
    I32x8: Add add i32x4_add;
    I32x8: Sub sub i32x4_sub;
    I32x8: BitOr bitor v128_or;
    F32x8: Add add f32x4_add;
    F32x8: Sub sub f32x4_sub;
    F32x8: Mul mul f32x4_mul;
    F32x8: Div div f32x4_div;
    F64x4: Add add f64x2_add;
    F64x4: Sub sub f64x2_sub;
    F64x4: Mul mul f64x2_mul;
    F64x4: Div div f64x2_div;
}

operator!(Not not for Mask8, |a| Self(v128_not(a.0), v128_not(a.1)));
operator!(Not not for Mask4, |a| Self(v128_not(a.0), v128_not(a.1)));
operator!(BitAnd bitand for I32x8, |a, b: Mask8| Self(v128_and(a.0, b.0), v128_and(a.1, b.1)));
operator!(Shl shl for I32x8, |a, b: u32| Self(i32x4_shl(a.0, b), i32x4_shl(a.1, b)));
operator!(Shr shr for I32x8, |a, b: u32| Self(i32x4_shr(a.0, b), i32x4_shr(a.1, b)));
operator!(Neg neg for F32x8, |a| Self(f32x4_neg(a.0), f32x4_neg(a.1)));

impl super::Mask for Mask8 {
    #[inline(always)]
    fn bitmask(self) -> u32 {
        u32::from(i32x4_bitmask(self.0)) | u32::from(i32x4_bitmask(self.1)) << 4
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(v128_or(self.0, self.1))
    }
}

impl super::Mask for Mask4 {
    #[inline(always)]
    fn bitmask(self) -> u32 {
        u32::from(i64x2_bitmask(self.0)) | u32::from(i64x2_bitmask(self.1)) << 2
    }
}

/// Sixteen bytes of memory.
#[inline(always)]
fn load<T: Copy>(from: &[T]) -> v128 {
    assert!(size_of_val(from) >= 16);
    // SAFETY: there are sixteen readable bytes, and the load asks for no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

/// To sixteen bytes of memory.
#[inline(always)]
fn store<T: Copy>(x: v128, to: &mut [T]) {
    assert!(size_of_val(to) >= 16);
    // SAFETY: there are sixteen writable bytes, the store asks for no alignment, and all bits are a number of each type that is stored here.
    unsafe { v128_store(to.as_mut_ptr().cast(), x) }
}

/// The lanes of 32 bits that a mask of four names, in front.
#[inline(always)]
fn words_in_front(x: v128, mask: u32) -> v128 {
    u8x16_swizzle(x, load(&WORDS[mask as usize & 0xf]))
}

/// Components 0, 1 and 2 of four points.
#[inline(always)]
fn columns([a, b, c, d]: [v128; 4]) -> [v128; 3] {
    let (xy_ab, xy_cd) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d));
    let (z_ab, z_cd) = (i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d));
    [
        i64x2_shuffle::<0, 2>(xy_ab, xy_cd),
        i64x2_shuffle::<1, 3>(xy_ab, xy_cd),
        i64x2_shuffle::<0, 2>(z_ab, z_cd),
    ]
}

/// One number of four that are combined pairwise.
macro_rules! reduce {
    ($four:expr, $combine:expr, $extract:expr) => {{
        let four = $four;
        let two = $combine(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
        $extract($combine(two, i32x4_shuffle::<1, 0, 3, 2>(two, two)))
    }};
}

// `pmin(x, y)` is y < x ? y : x, and `pmax(x, y)` is x < y ? y : x: with the operands exchanged, the second where one is NaN.

#[inline(always)]
fn smaller(a: v128, b: v128) -> v128 {
    f32x4_pmin(b, a)
}

#[inline(always)]
fn larger(a: v128, b: v128) -> v128 {
    f32x4_pmax(b, a)
}

impl super::I32x8<Simd128> for I32x8 {
    #[inline(always)]
    fn splat(_: Simd128, x: i32) -> Self {
        Self(i32x4_splat(x), i32x4_splat(x))
    }

    #[inline(always)]
    fn load(_: Simd128, from: &[i32]) -> Self {
        let eight = &from[..WIDTH];
        Self(load(&eight[..4]), load(&eight[4..]))
    }

    #[inline(always)]
    fn load_ids(_: Simd128, ids: &Ids) -> Self {
        Self(load(&ids.0[..4]), load(&ids.0[4..]))
    }

    #[inline(always)]
    fn gather(_: Simd128, points: &[[i32; 4]], indices: &[i32; WIDTH]) -> [Self; 3] {
        let p = |i: usize| load(&points[indices[i] as u32 as usize]);
        let [x, y, z] = columns([p(0), p(1), p(2), p(3)]);
        let [u, v, w] = columns([p(4), p(5), p(6), p(7)]);
        [Self(x, u), Self(y, v), Self(z, w)]
    }

    #[inline(always)]
    fn compress(self, mask: u32, to: &mut [i32]) {
        let eight = &mut to[..WIDTH];
        let first = (mask & 0xf).count_ones() as usize;
        store(words_in_front(self.0, mask), eight);
        store(words_in_front(self.1, mask >> 4), &mut eight[first..first + 4]);
    }

    methods! {
        min |a, b| -> Self = Self(i32x4_min(a.0, b.0), i32x4_min(a.1, b.1));
        max |a, b| -> Self = Self(i32x4_max(a.0, b.0), i32x4_max(a.1, b.1));
        reduce_min |a| -> i32 = reduce!(i32x4_min(a.0, a.1), i32x4_min, i32x4_extract_lane::<0>);
        reduce_max |a| -> i32 = reduce!(i32x4_max(a.0, a.1), i32x4_max, i32x4_extract_lane::<0>);
        eq |a, b| -> Mask8 = Mask8(i32x4_eq(a.0, b.0), i32x4_eq(a.1, b.1));
        gt |a, b| -> Mask8 = Mask8(i32x4_gt(a.0, b.0), i32x4_gt(a.1, b.1));
        to_f32 |a| -> F32x8 = F32x8(f32x4_convert_i32x4(a.0), f32x4_convert_i32x4(a.1));
    }
}

impl super::F32x8<Simd128> for F32x8 {
    #[inline(always)]
    fn splat(_: Simd128, x: f32) -> Self {
        Self(f32x4_splat(x), f32x4_splat(x))
    }

    #[inline(always)]
    fn load(_: Simd128, row: &Row) -> Self {
        Self(load(&row.0[..4]), load(&row.0[4..]))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        store(self.0, &mut row.0[..4]);
        store(self.1, &mut row.0[4..]);
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        let mut twice = [0.0_f32; 2 * WIDTH];
        for (k, half) in [self.0, self.1, self.0, self.1].into_iter().enumerate() {
            store(half, &mut twice[4 * k..4 * k + 4]);
        }
        let at = &twice[by % WIDTH..][..WIDTH];
        Self(load(&at[..4]), load(&at[4..]))
    }

    #[inline(always)]
    fn select(mask: Mask8, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, mask.0), v128_bitselect(yes.1, no.1, mask.1))
    }

    methods! {
        min |a, b| -> Self = Self(smaller(a.0, b.0), smaller(a.1, b.1));
        max |a, b| -> Self = Self(larger(a.0, b.0), larger(a.1, b.1));
        reduce_min |a| -> f32 = reduce!(smaller(a.0, a.1), smaller, f32x4_extract_lane::<0>);
        reduce_max |a| -> f32 = reduce!(larger(a.0, a.1), larger, f32x4_extract_lane::<0>);
        sqrt |a| -> Self = Self(f32x4_sqrt(a.0), f32x4_sqrt(a.1));
        abs |a| -> Self = Self(f32x4_abs(a.0), f32x4_abs(a.1));
        le |a, b| -> Mask8 = Mask8(f32x4_le(a.0, b.0), f32x4_le(a.1, b.1));
        gt |a, b| -> Mask8 = Mask8(f32x4_gt(a.0, b.0), f32x4_gt(a.1, b.1));
    }
}

impl super::F32x4<Simd128> for F32x4 {
    #[inline(always)]
    fn load(_: Simd128, p: &[f32; 4]) -> Self {
        Self(load(p))
    }

    #[inline(always)]
    fn map(_: Simd128, p: &[f64; 3], map: &Map) -> Self {
        let [x, y, z] = map.apply(p);
        Self(f32x4(x, y, z, 0.0))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; 4]) {
        store(self.0, to);
    }

    #[inline(always)]
    fn transpose(p: [Self; WIDTH]) -> [F32x8; 3] {
        let [x, y, z] = columns([p[0].0, p[1].0, p[2].0, p[3].0]);
        let [u, v, w] = columns([p[4].0, p[5].0, p[6].0, p[7].0]);
        [F32x8(x, u), F32x8(y, v), F32x8(z, w)]
    }

    methods! {
        min |a, b| -> Self = Self(smaller(a.0, b.0));
        max |a, b| -> Self = Self(larger(a.0, b.0));
    }
}

impl F64x4 {
    /// Four integers as numbers.
    #[inline(always)]
    fn of(words: v128) -> Self {
        let high = i64x2_shuffle::<1, 0>(words, words);
        Self(f64x2_convert_low_i32x4(words), f64x2_convert_low_i32x4(high))
    }
}

impl super::F64x4<Simd128> for F64x4 {
    #[inline(always)]
    fn splat(_: Simd128, x: f64) -> Self {
        Self(f64x2_splat(x), f64x2_splat(x))
    }

    #[inline(always)]
    fn from_array(_: Simd128, x: [f64; 4]) -> Self {
        Self(load(&x[..2]), load(&x[2..]))
    }

    #[inline(always)]
    fn load(_: Simd128, quad: &Quad) -> Self {
        Self(load(&quad.0[..2]), load(&quad.0[2..]))
    }

    #[inline(always)]
    fn load3(_: Simd128, p: &[f64; 3]) -> Self {
        Self(load(&p[..2]), f64x2(p[2], 0.0))
    }

    #[inline(always)]
    fn store_quad(self, quad: &mut Quad) {
        store(self.0, &mut quad.0[..2]);
        store(self.1, &mut quad.0[2..]);
    }

    #[inline(always)]
    fn transpose4([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        [
            Self(i64x2_shuffle::<0, 2>(a.0, b.0), i64x2_shuffle::<0, 2>(c.0, d.0)),
            Self(i64x2_shuffle::<1, 3>(a.0, b.0), i64x2_shuffle::<1, 3>(c.0, d.0)),
            Self(i64x2_shuffle::<0, 2>(a.1, b.1), i64x2_shuffle::<0, 2>(c.1, d.1)),
            Self(i64x2_shuffle::<1, 3>(a.1, b.1), i64x2_shuffle::<1, 3>(c.1, d.1)),
        ]
    }

    #[inline(always)]
    fn select(mask: Mask4, yes: Self, no: Self) -> Self {
        Self(v128_bitselect(yes.0, no.0, mask.0), v128_bitselect(yes.1, no.1, mask.1))
    }

    #[inline(always)]
    fn from_i32(_: Simd128, from: &[i32]) -> Self {
        Self::of(load(&from[..4]))
    }

    #[inline(always)]
    fn transpose(_: Simd128, points: [&[i32; 4]; 4]) -> [Self; 3] {
        let [a, b, c, d] = points;
        let [x, y, z] = columns([load(a), load(b), load(c), load(d)]);
        [Self::of(x), Self::of(y), Self::of(z)]
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let four = &mut to[..4];
        store(self.0, &mut four[..2]);
        store(self.1, &mut four[2..]);
    }

    #[inline(always)]
    fn compress(self, mask: u32, to: &mut [f64]) {
        let four = &mut to[..4];
        // Of two lanes only the second alone has to move.
        let in_front = |x: v128, mask: u32| if mask & 3 == 2 { i64x2_shuffle::<1, 0>(x, x) } else { x };
        let first = (mask & 3).count_ones() as usize;
        store(in_front(self.0, mask), four);
        store(in_front(self.1, mask >> 2), &mut four[first..first + 2]);
    }

    #[inline(always)]
    fn compress_low(self, mask: u32, to: &mut [u32]) {
        let words = i32x4_shuffle::<0, 2, 4, 6>(self.0, self.1);
        store(words_in_front(words, mask), &mut to[..4]);
    }

    methods! {
        sqrt |a| -> Self = Self(f64x2_sqrt(a.0), f64x2_sqrt(a.1));
        min |a, b| -> Self = Self(f64x2_pmin(b.0, a.0), f64x2_pmin(b.1, a.1));
        max |a, b| -> Self = Self(f64x2_pmax(b.0, a.0), f64x2_pmax(b.1, a.1));
        abs |a| -> Self = Self(f64x2_abs(a.0), f64x2_abs(a.1));
        gt |a, b| -> Mask4 = Mask4(f64x2_gt(a.0, b.0), f64x2_gt(a.1, b.1));
        to_f32 |a| -> F32x4 = F32x4(i32x4_shuffle::<0, 1, 4, 5>(f32x4_demote_f64x2_zero(a.0), f32x4_demote_f64x2_zero(a.1)));
    }
}

/// For each mask of four lanes the bytes of those that it names, in order; then anything.
static WORDS: [[u8; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lane, mut place) = (0, 0);
        while lane < 4 {
            if mask >> lane & 1 == 1 {
                let mut byte = 0;
                while byte < 4 {
                    table[mask][place] = (4 * lane + byte) as u8;
                    (byte, place) = (byte + 1, place + 1);
                }
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};
