//! The reference: arrays and loops, on any processor.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::{Ids, Quad, Row, Simd, WIDTH};
use crate::geometry::Map;
use crate::geometry::vector::{max, min};

/// No instruction set beyond what the binary is built for.
#[derive(Clone, Copy)]
pub struct Scalar;

impl Simd for Scalar {
    type Mask8 = Mask<WIDTH>;
    type Mask4 = Mask<4>;
    type I32x8 = I32x8;
    type F32x8 = F32x8;
    type F32x4 = F32x4;
    type F64x4 = F64x4;

    #[inline(always)]
    fn prefetch<T>(self, _: &T) {}
}

/// All bits of each lane that is set, and none of the others: so compilers find what instructions the processor has.
#[derive(Clone, Copy)]
pub struct Mask<const N: usize>([i32; N]);

#[derive(Clone, Copy)]
pub struct I32x8([i32; WIDTH]);

#[derive(Clone, Copy)]
pub struct F32x8([f32; WIDTH]);

#[derive(Clone, Copy)]
pub struct F32x4([f32; 4]);

#[derive(Clone, Copy)]
pub struct F64x4([f64; 4]);

/// An expression of each lane of one or two vectors, written out.
///
/// Not `std::array::from_fn`: every kernel is compiled once with these, and a loop over a closure of each operation would have
/// to be inlined, unrolled and cleaned up: 16 kernels of separating axes take 3.7 CPU s so, and 2.1 written out.
macro_rules! each {
    ([$($i:tt)*] $a:expr, |$x:ident| $of:expr) => {{
        let a = $a;
        [$({
            let $x = a[$i];
            $of
        }),*]
    }};
    ([$($i:tt)*] $a:expr, $b:expr, |$x:ident, $y:ident| $of:expr) => {{
        let (a, b) = ($a, $b);
        [$({
            let ($x, $y) = (a[$i], b[$i]);
            $of
        }),*]
    }};
}

macro_rules! each8 {
    ($($rest:tt)*) => { each!([0 1 2 3 4 5 6 7] $($rest)*) };
}

macro_rules! each4 {
    ($($rest:tt)*) => { each!([0 1 2 3] $($rest)*) };
}

/// Operators that are an expression of two lanes.
macro_rules! operators {
    ($($vector:ty, $each:ident: $operator:ident $name:ident |$x:ident, $y:ident| $of:expr;)*) => {$(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self($each!(self.0, other.0, |$x, $y| $of))
            }
        }
    )*};
}

operators! {
    I32x8, each8: Add add |a, b| a.wrapping_add(b);
    I32x8, each8: Sub sub |a, b| a.wrapping_sub(b);
    I32x8, each8: BitOr bitor |a, b| a | b;
    F32x8, each8: Add add |a, b| a + b;
    F32x8, each8: Sub sub |a, b| a - b;
    F32x8, each8: Mul mul |a, b| a * b;
    F32x8, each8: Div div |a, b| a / b;
    F64x4, each4: Add add |a, b| a + b;
    F64x4, each4: Sub sub |a, b| a - b;
    F64x4, each4: Mul mul |a, b| a * b;
    F64x4, each4: Div div |a, b| a / b;
    Mask<WIDTH>, each8: BitAnd bitand |a, b| a & b;
    Mask<WIDTH>, each8: BitOr bitor |a, b| a | b;
    Mask<4>, each4: BitAnd bitand |a, b| a & b;
    Mask<4>, each4: BitOr bitor |a, b| a | b;
}

/// What both widths of masks have beside that.
macro_rules! masks {
    ($($width:literal $each:ident [$($i:tt)*];)*) => {$(
        impl Not for Mask<$width> {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                Self($each!(self.0, |a| !a))
            }
        }

        impl super::Mask for Mask<$width> {
            #[inline(always)]
            fn bitmask(self) -> u32 {
                0 $(| (self.0[$i] as u32 & 1) << $i)*
            }
        }
    )*};
}

masks! {
    8 each8 [0 1 2 3 4 5 6 7];
    4 each4 [0 1 2 3];
}

operator!(BitAnd bitand for I32x8, |a, b: Mask<WIDTH>| Self(each8!(a.0, b.0, |x, m| x & m)));
operator!(Shl shl for I32x8, |a, b: u32| Self(each8!(a.0, |x| x << b)));
operator!(Shr shr for I32x8, |a, b: u32| Self(each8!(a.0, |x| x >> b)));
operator!(Neg neg for F32x8, |a| Self(each8!(a.0, |x| -x)));

/// All bits or none.
#[inline(always)]
fn lane(is_set: bool) -> i32 {
    -i32::from(is_set)
}

/// Branch-free: a lane is always written, and kept by counting.
#[inline(always)]
fn compress<T: Copy, const N: usize>(lanes: [T; N], mask: u32, to: &mut [T]) {
    let to = &mut to[..N];
    let mut n = 0;
    for (i, x) in lanes.into_iter().enumerate() {
        to[n] = x;
        n = (n + (mask >> i & 1) as usize) % N;
    }
}

impl super::I32x8<Scalar> for I32x8 {
    #[inline(always)]
    fn splat(_: Scalar, x: i32) -> Self {
        Self([x; WIDTH])
    }

    #[inline(always)]
    fn load(_: Scalar, from: &[i32]) -> Self {
        let eight: &[i32; WIDTH] = from[..WIDTH].try_into().expect("as many");
        Self(*eight)
    }

    #[inline(always)]
    fn load_ids(_: Scalar, ids: &Ids) -> Self {
        Self(each8!(ids.0, |x| x as i32))
    }

    #[inline(always)]
    fn gather(_: Scalar, points: &[[i32; 4]], indices: &[i32; WIDTH]) -> [Self; 3] {
        let p = each8!(indices, |i| points[i as u32 as usize]);
        [Self(each8!(p, |p| p[0])), Self(each8!(p, |p| p[1])), Self(each8!(p, |p| p[2]))]
    }

    #[inline(always)]
    fn compress(self, mask: u32, to: &mut [i32]) {
        compress(self.0, mask, to);
    }

    methods! {
        min |a, b| -> Self = Self(each8!(a.0, b.0, |a, b| if a < b { a } else { b }));
        max |a, b| -> Self = Self(each8!(a.0, b.0, |a, b| if a > b { a } else { b }));
        reduce_min |a| -> i32 = a.0.into_iter().fold(i32::MAX, min);
        reduce_max |a| -> i32 = a.0.into_iter().fold(i32::MIN, max);
        eq |a, b| -> Mask<WIDTH> = Mask(each8!(a.0, b.0, |a, b| lane(a == b)));
        gt |a, b| -> Mask<WIDTH> = Mask(each8!(a.0, b.0, |a, b| lane(a > b)));
        to_f32 |a| -> F32x8 = F32x8(each8!(a.0, |x| x as f32));
    }
}

impl super::F32x8<Scalar> for F32x8 {
    #[inline(always)]
    fn splat(_: Scalar, x: f32) -> Self {
        Self([x; WIDTH])
    }

    #[inline(always)]
    fn load(_: Scalar, row: &Row) -> Self {
        Self(row.0)
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        row.0 = self.0;
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        let x = self.0;
        Self(each8!([0, 1, 2, 3, 4, 5, 6, 7], |i| x[(i + by) % WIDTH]))
    }

    #[inline(always)]
    fn select(mask: Mask<WIDTH>, yes: Self, no: Self) -> Self {
        let (yes, no) = (yes.0, no.0);
        Self(each8!([0, 1, 2, 3, 4, 5, 6, 7], |i| if mask.0[i] != 0 { yes[i] } else { no[i] }))
    }

    methods! {
        min |a, b| -> Self = Self(each8!(a.0, b.0, |a, b| if a < b { a } else { b }));
        max |a, b| -> Self = Self(each8!(a.0, b.0, |a, b| if a > b { a } else { b }));
        reduce_min |a| -> f32 = a.0.into_iter().fold(f32::INFINITY, min);
        reduce_max |a| -> f32 = a.0.into_iter().fold(f32::NEG_INFINITY, max);
        sqrt |a| -> Self = Self(each8!(a.0, |x| x.sqrt()));
        abs |a| -> Self = Self(each8!(a.0, |x| x.abs()));
        le |a, b| -> Mask<WIDTH> = Mask(each8!(a.0, b.0, |a, b| lane(a <= b)));
        gt |a, b| -> Mask<WIDTH> = Mask(each8!(a.0, b.0, |a, b| lane(a > b)));
    }
}

impl super::F32x4<Scalar> for F32x4 {
    #[inline(always)]
    fn load(_: Scalar, p: &[f32; 4]) -> Self {
        Self(*p)
    }

    #[inline(always)]
    fn map(_: Scalar, p: &[f64; 3], map: &Map) -> Self {
        let [x, y, z] = map.apply(p);
        Self([x, y, z, 0.0])
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; 4]) {
        *to = self.0;
    }

    #[inline(always)]
    fn transpose(points: [Self; WIDTH]) -> [F32x8; 3] {
        let p = points;
        [F32x8(each8!(p, |p| p.0[0])), F32x8(each8!(p, |p| p.0[1])), F32x8(each8!(p, |p| p.0[2]))]
    }

    methods! {
        min |a, b| -> Self = Self(each4!(a.0, b.0, |a, b| if a < b { a } else { b }));
        max |a, b| -> Self = Self(each4!(a.0, b.0, |a, b| if a > b { a } else { b }));
    }
}

impl super::F64x4<Scalar> for F64x4 {
    #[inline(always)]
    fn splat(_: Scalar, x: f64) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    fn from_array(_: Scalar, x: [f64; 4]) -> Self {
        Self(x)
    }

    #[inline(always)]
    fn load(_: Scalar, quad: &Quad) -> Self {
        Self(quad.0)
    }

    #[inline(always)]
    fn load3(_: Scalar, p: &[f64; 3]) -> Self {
        Self([p[0], p[1], p[2], 0.0])
    }

    #[inline(always)]
    fn store_quad(self, quad: &mut Quad) {
        quad.0 = self.0;
    }

    #[inline(always)]
    fn transpose4(p: [Self; 4]) -> [Self; 4] {
        [
            Self(each4!(p, |p| p.0[0])),
            Self(each4!(p, |p| p.0[1])),
            Self(each4!(p, |p| p.0[2])),
            Self(each4!(p, |p| p.0[3])),
        ]
    }

    #[inline(always)]
    fn select(mask: Mask<4>, yes: Self, no: Self) -> Self {
        let m = each4!(mask.0, |m| m != 0);
        Self([
            if m[0] { yes.0[0] } else { no.0[0] },
            if m[1] { yes.0[1] } else { no.0[1] },
            if m[2] { yes.0[2] } else { no.0[2] },
            if m[3] { yes.0[3] } else { no.0[3] },
        ])
    }

    #[inline(always)]
    fn from_i32(_: Scalar, from: &[i32]) -> Self {
        let four: &[i32; 4] = from[..4].try_into().expect("as many");
        Self(each4!(four, |x| f64::from(x)))
    }

    #[inline(always)]
    fn transpose(_: Scalar, points: [&[i32; 4]; 4]) -> [Self; 3] {
        let p = points;
        [
            Self(each4!(p, |p| f64::from(p[0]))),
            Self(each4!(p, |p| f64::from(p[1]))),
            Self(each4!(p, |p| f64::from(p[2]))),
        ]
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        to[..4].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn compress(self, mask: u32, to: &mut [f64]) {
        compress(self.0, mask, to);
    }

    #[inline(always)]
    fn compress_low(self, mask: u32, to: &mut [u32]) {
        compress(self.0.map(|x| x.to_bits() as u32), mask, to);
    }

    methods! {
        sqrt |a| -> Self = Self(each4!(a.0, |x| x.sqrt()));
        min |a, b| -> Self = Self(each4!(a.0, b.0, |a, b| if a < b { a } else { b }));
        max |a, b| -> Self = Self(each4!(a.0, b.0, |a, b| if a > b { a } else { b }));
        abs |a| -> Self = Self(each4!(a.0, |x| x.abs()));
        gt |a, b| -> Mask<4> = Mask(each4!(a.0, b.0, |a, b| lane(a > b)));
        to_f32 |a| -> F32x4 = F32x4(each4!(a.0, |x| x as f32));
    }
}
