//! One instruction, several numbers: vectors of eight `i32` or `f32`, or four `f64`.
//!
//! Code that wants vectors is a [`Kernel`], written once for any instruction set [`Simd`]; [`dispatch`] runs it with the
//! widest that the processor has. A loop that only wants to be compiled for that processor is a [`multiversion!`]
//! function. [`scalar`] is the reference, and the tests hold every other back end to it, to the bit.
//!
//! # Why at run time
//! A binary is built for the oldest processors of its kind, and runs on all of them: on x86-64 those have no AVX2.
//! So the choice is made here, once per kernel, by a test of five bits that the standard library keeps.
//!
//! # What must be inlined
//! A function is compiled for AVX2 if it is inlined into one that is. Kernels, and all they call with vectors, are
//! therefore `#[inline(always)]`. Closures cannot be: a small one is inlined anyway, but what stands in a large one, or
//! in the closure of an iterator, becomes a function call for every instruction.
//!
//! # From `lanes` and `lanes::floats` to `simd`
//!
//! | old | new |
//! | --- | --- |
//! | `use crate::geometry::lanes::{self, Lanes, Work, WIDTH, Four}` | `use crate::geometry::simd::{self, Kernel, Simd, WIDTH}` and the traits whose methods are called: `I32x8`, `F32x8`, `F32x4`, `F64x4`, `Mask` |
//! | `use crate::geometry::lanes::floats::{self, Floats, Work, Row, Ids, WIDTH, …3}` | the same, with `Row`, `Ids`, `sub3`, … from `simd` |
//! | `lanes::floats::Map` | `crate::geometry::Map` |
//! | `impl Work for X { fn run<L: Lanes>(self, lanes: L) }`, `fn run<L: Floats>(self, l: L)` | `impl Kernel for X { fn run<S: Simd>(self, simd: S) }` |
//! | `lanes::run(X { .. })`, `floats::run(..)`, `floats::run_scalar(..)` | `simd::dispatch(X { .. })`, `simd::dispatch_scalar(..)` |
//! | `struct X`, `impl Work for X { fn run<L>(self, _: L) }`, `lanes::run(X { .. })` | `simd::multiversion! { fn x(..) {..} }`, called as `x(..)` |
//! | `L::Ints`, `L::Floats`, `L::Doubles`, `L::F`, `L::P`, `L::M`, `Four<L>` | `S::I32x8`, `S::F32x8`, `S::F64x4`, `S::F32x8`, `S::F32x4`, `S::Mask8`, `S::F64x4` |
//! | ints used as masks (`outside`, `equal`, `less`) | `S::Mask8` |
//! | `lanes.splat(i)`, `lanes.splat_float(x)`, `l.splat(x)`, `Four::splat(lanes, x)` | `S::I32x8::splat(simd, i)`, `S::F32x8::splat(simd, x)`, `S::F64x4::splat(simd, x)` |
//! | `lanes.load(from, at)` | `S::I32x8::load(simd, &from[at..])` |
//! | `l.load(&row)`, `l.store(x, &mut row)` | `S::F32x8::load(simd, &row)`, `x.store(&mut row)`, `x.to_array()` |
//! | `lanes.pick(points, &numbers)` | `S::I32x8::gather(simd, points, &numbers)` |
//! | `l.pick(m, a, b)` | `S::F32x8::select(m, a, b)` |
//! | `lanes.compress(x, mask, to, at)` | `x.compress(mask, &mut to[at..])` |
//! | `l.compress(&ids, mask, &mut to)`, `to: [u32; 8]` | `S::I32x8::load_ids(simd, &ids).compress(mask, bytemuck::cast_slice_mut(&mut to))` |
//! | `plus`, `add`, `minus`, `sub`, `mul`, `div` | `+`, `-`, `*`, `/` |
//! | `l.sub(l.splat(0.0), x)`, `splat(0.0) - x`, where the sign of 0 does not matter | `-x` |
//! | `shift_left(x, n)`, `shift_right(x, n)` | `x << n`, `x >> n` |
//! | `and`, `both`, `or`, `either` (masks) | `a & b`, `a \| b`; `x & mask` for an integer that is 0 elsewhere; `x \| y` for integers |
//! | `min`, `min_float`, `min_point`, `max`, … | `a.min(b)`, `a.max(b)` |
//! | `least`, `most`, `greatest` | `x.reduce_min()`, `x.reduce_max()` |
//! | `lanes.outside(x, low, high)` | `x.outside(low, high)`; with `i32::MIN` or `i32::MAX` as a limit: `x.gt(high)`, `x.lt(low)` |
//! | `lanes.equal(a, b)` | `a.eq(b)` |
//! | `lanes.less(a, b)`, `exceeds(a, b)`, `at_most(a, b)` | `a.lt(b)`, `a.gt(b)`, `a.le(b)` |
//! | `l.le(a, b)`, `l.gt(a, b)` (bits) | `a.le(b).bitmask()`, `a.gt(b).bitmask()`; `.any()` for `!= 0` |
//! | `l.bits(m)`, `lanes.zeros(m)` | `m.bitmask()`, `(!m).bitmask()` |
//! | `lanes.difference(a, b)` | `(a - b).to_f32()` |
//! | `l.sqrt(x)`, `l.abs(x)` | `x.sqrt()`, `x.abs()` |
//! | `l.high_bits(&ids)` | `S::I32x8::load_ids(simd, &ids).lt(S::I32x8::splat(simd, 0)).bitmask()` |
//! | `l.any_equal(&ids, of)` | `eq` and `\|` on `S::I32x8::load_ids(simd, ..)` |
//! | `l.overlaps(&boxes, low, high)`, `l.overlaps_within(&boxes)` | `simd::overlaps(simd, &boxes, low, high)`, `simd::overlaps_within(simd, &boxes)` |
//! | `l.prefetch(&x)` | `simd.prefetch(&x)` |
//! | `l.place(&p, &map)`, `l.load_point(&p)`, `l.store_point(p, &mut to)`, `l.transpose(points)` | `S::F32x4::map(simd, &p, &map)`, `S::F32x4::load(simd, &p)`, `p.store(&mut to)`, `S::F32x4::transpose(points)` |
//! | `sub3(l, a, b)`, `dot3(l, a, b)`, `cross3(l, a, b)` | `sub3(a, b)`, `dot3(a, b)`, `cross3(a, b)`, for vectors of any type with operators |
//! | `load3(l, &rows)`, `splat3(l, v)` | `load3(simd, &rows)`, `splat3(simd, v)` |
//! | `Four::of(lanes, [..])`, `Four::from_ints(lanes, from, at)` | `S::F64x4::from_array(simd, [..])`, `S::F64x4::from_i32(simd, &from[at..])` |
//! | `Four::components(lanes, &of, k)` | `S::F64x4::transpose(simd, [&of[0][k], &of[1][k], &of[2][k], &of[3][k]])` |
//! | `x.positive()` (Four) | `x.gt(zero).bitmask()` |
//! | `x.store(to, at)` (Four) | `x.store(&mut to[at..])` |
//! | `lanes.compress_doubles(x, mask, to, at)`, `lanes.compress_words(x, mask, to, at)` | `x.compress(mask, &mut to[at..])`, `x.compress_low(mask, &mut to[at..])` |

// The one place where `unsafe` is allowed: each block says why it is sound.
#![allow(unsafe_code)]
// Until everything that `lanes` does is done here.
#![allow(dead_code, unused_imports, unused_macros)]

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
mod boxes;
mod scalar;
#[cfg(test)]
mod tests;
mod vec3;
mod vectors;

pub(crate) use boxes::{overlaps, overlaps_within};
pub(crate) use vec3::{add3, cross3, dot3, load3, scale3, splat3, sub3};
pub(crate) use vectors::{F32x4, F32x8, F64x4, I32x8, Mask};

/// Lanes of 32 bits.
pub(crate) const WIDTH: usize = 8;

/// Eight numbers in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Row(pub [f32; WIDTH]);

/// Eight indices in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Ids(pub [u32; WIDTH]);

/// An instruction set.
pub(crate) trait Simd: Copy {
    /// Eight lanes of yes or no.
    type Mask8: Mask;
    /// Four lanes of yes or no.
    type Mask4: Mask;
    /// Eight integers.
    type I32x8: I32x8<Self>;
    /// Eight numbers of single precision.
    type F32x8: F32x8<Self>;
    /// One point of single precision.
    type F32x4: F32x4<Self>;
    /// Four numbers of double precision.
    type F64x4: F64x4<Self>;

    /// Asks for something that will be needed soon.
    fn prefetch<T>(self, at: &T);
}

/// Something to be computed with vectors.
pub(crate) trait Kernel {
    /// What it yields.
    type Output;

    /// Computes it. Implementations are `#[inline(always)]`, see [the page](self).
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Runs a kernel with the widest vectors there are.
#[inline]
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = avx2::Avx2::detect() {
        return simd.run(kernel);
    }
    kernel.run(scalar::Scalar)
}

/// Runs a kernel with the reference.
#[cfg(test)]
pub(crate) fn dispatch_scalar<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(scalar::Scalar)
}

/// A function without vectors of its own that is compiled for each instruction set, and chosen at run time.
///
/// Arguments are plain names; `impl Fn` is welcome, type parameters and `self` are not.
macro_rules! multiversion {
    ($(#[$attribute:meta])* $visible:vis fn $name:ident(
        $($argument:ident: $type:ty),* $(,)?
    ) $(-> $output:ty)? $body:block) => {
        $(#[$attribute])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $visible fn $name($($argument: $type),*) $(-> $output)? {
            #[inline(always)]
            fn body($($argument: $type),*) $(-> $output)? $body

            #[cfg(target_arch = "x86_64")]
            if $crate::geometry::simd::avx2::Avx2::detect().is_some() {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn avx2($($argument: $type),*) $(-> $output)? {
                    body($($argument),*)
                }
                // SAFETY: `detect` has just found every feature that the function is compiled for.
                return unsafe { avx2($($argument),*) };
            }
            body($($argument),*)
        }
    };
}
pub(crate) use multiversion;
