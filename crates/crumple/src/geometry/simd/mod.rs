//! One instruction, several numbers: vectors of eight `i32` or `f32`, or four `f64`.
//!
//! Code that wants vectors is a `multiversion!` function or a [`Kernel`], written once for any instruction set [`Simd`], and run
//! with the widest that the processor has. A loop may also only want to be compiled for that processor. `scalar` is the
//! reference, and the tests hold every other back end to it, to the bit.
//!
//! # Why at run time
//! A binary is built for the oldest processors of its kind, and runs on all of them: on x86-64 those have no AVX2.
//! So the choice is made here, once per kernel, by a test of five bits that the standard library keeps.
//!
//! # What must be inlined
//! A function is compiled for AVX2 if it is inlined into one that is. Kernels, and all they call with vectors, are
//! therefore `#[inline(always)]`. Closures cannot be: a small one is inlined anyway, but what stands in a large one, or
//! in the closure of an iterator, becomes a function call for every instruction.

// The one place where `unsafe` is allowed: each block says why it is sound.
#![allow(unsafe_code)]

/// An operator of a vector.
macro_rules! operator {
    ($operator:ident $name:ident for $vector:ty, |$a:ident| $of:expr) => {
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $name(self) -> Self {
                let $a = self;
                $of
            }
        }
    };
    ($operator:ident $name:ident for $vector:ty, |$a:ident, $b:ident: $other:ty| $of:expr) => {
        impl $operator<$other> for $vector {
            type Output = Self;

            #[inline(always)]
            fn $name(self, $b: $other) -> Self {
                let $a = self;
                $of
            }
        }
    };
}

/// Methods of a vector, each an expression of one or two of its kind.
macro_rules! methods {
    ($($name:ident |$a:ident $(, $b:ident)?| -> $output:ty = $of:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $b: Self)?) -> $output {
            let $a = self;
            $of
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod boxes;
mod normals;
// Not used where the module is built for vectors.
#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), allow(dead_code))]
mod scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(test)]
mod tests;
mod vec3;
mod vectors;

pub(crate) use boxes::{overlaps, overlaps_among};
pub use normals::UnitNormals;
pub(crate) use normals::{
    ByteTriangle, ByteTriangles, DirectionRows, LocalPoints, NormalBounds, corner_row, edges, short_row,
};
pub use vec3::{add3, cross3, dot3, scale3, sub3};
pub(crate) use vec3::{load3, splat3};
pub use vectors::{F32x4, F32x8, F64x4, I32x8, Mask};

/// Lanes of 32 bits.
pub(crate) const WIDTH: usize = 8;

/// Eight numbers in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub struct Row(pub [f32; WIDTH]);

/// Four numbers of double precision in memory.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(C, align(32))]
pub struct Quad(pub [f64; 4]);

/// Eight indices in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub struct Ids(pub [u32; WIDTH]);

/// An instruction set.
pub trait Simd: Copy {
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

    /// Bounds on the unit normals of some triangles, at least one, all of whose corners are below `count`.
    #[inline(always)]
    fn unit_normals(self, points: &LocalPoints, _count: usize, triangles: &[ByteTriangle]) -> UnitNormals {
        UnitNormals::of(self, points, triangles)
    }

    /// The directions that all normals in some bounds face by more than a margin, one bit each.
    #[inline(always)]
    fn faced(self, normals: &UnitNormals, margin: f32, directions: &DirectionRows) -> u128 {
        normals.faced(self, margin, directions)
    }
}

/// Something to be computed with vectors.
pub trait Kernel {
    /// What it yields.
    type Output;

    /// Computes it. Implementations are `#[inline(always)]`, see [the page](self).
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// What every processor has that the binary is built for.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) const BASELINE: scalar::Scalar = scalar::Scalar;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) const BASELINE: simd128::Simd128 = simd128::Simd128;

/// Runs a kernel with the widest vectors there are.
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(simd) = avx2::Avx2::detect() {
        return simd.run(kernel);
    }
    kernel.run(BASELINE)
}

/// Runs a kernel with the reference.
#[cfg(test)]
pub(crate) fn dispatch_scalar<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(scalar::Scalar)
}

/// A function that is compiled for each instruction set, and chosen at run time: with vectors `fn name<S: Simd>(simd: S, …)`,
/// or without them. It reads as a function where a [`Kernel`] with the same arguments would be a type, an implementation and a
/// value; kernels are for what has parts of its own.
///
/// Arguments are plain names; `impl Fn` is welcome, other type parameters and `self` are not.
macro_rules! multiversion {
    ($(#[$attribute:meta])* $visible:vis fn $name:ident<$set:ident: Simd>(
        $simd:ident: $of:ident $(, $argument:ident: $type:ty)* $(,)?
    ) $(-> $output:ty)? $body:block) => {
        $(#[$attribute])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $visible fn $name($($argument: $type),*) $(-> $output)? {
            #[inline(always)]
            fn for_any<$set: $crate::geometry::simd::Simd>($simd: $of, $($argument: $type),*) $(-> $output)? $body

            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = $crate::geometry::simd::avx2::Avx2::detect() {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn for_avx2(
                    simd: $crate::geometry::simd::avx2::Avx2,
                    $($argument: $type),*
                ) $(-> $output)? {
                    for_any(simd, $($argument),*)
                }
                // SAFETY: `detect` has just found every feature that the function is compiled for.
                return unsafe { for_avx2(simd, $($argument),*) };
            }
            for_any($crate::geometry::simd::BASELINE, $($argument),*)
        }
    };
    ($(#[$attribute:meta])* $visible:vis fn $name:ident(
        $($argument:ident: $type:ty),* $(,)?
    ) $(-> $output:ty)? $body:block) => {
        $crate::geometry::simd::multiversion! {
            $(#[$attribute])*
            $visible fn $name<S: Simd>(_simd: S $(, $argument: $type)*) $(-> $output)? $body
        }
    };
}
pub(crate) use multiversion;
