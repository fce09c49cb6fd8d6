//! AVX2: one register is eight lanes.

use std::arch::x86_64::*;

use super::{Lanes, WIDTH, Work};

/// Proof that the processor has AVX2: only [`Avx2::detect`] makes one.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The lanes, where the processor has them.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }

    /// Does the work, compiled for this processor.
    #[inline]
    pub fn run<W: Work>(self, work: W) -> W::Output {
        // SAFETY: `self` exists, so the processor has every feature that `with_features` asks for.
        unsafe { with_features(self, work) }
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn with_features<W: Work>(lanes: Avx2, work: W) -> W::Output {
    work.run(lanes)
}

impl Lanes for Avx2 {
    type Ints = __m256i;

    #[inline(always)]
    fn splat(self, x: i32) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_set1_epi32(x) }
    }

    #[inline(always)]
    fn load(self, from: &[i32], at: usize) -> __m256i {
        let eight = &from[at..at + WIDTH];
        // SAFETY: `self` proves AVX2; `eight` is 32 readable bytes, and the load asks for no alignment.
        unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) }
    }

    #[inline(always)]
    fn outside(self, x: __m256i, low: __m256i, high: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_or_si256(_mm256_cmpgt_epi32(low, x), _mm256_cmpgt_epi32(x, high)) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn zeros(self, a: __m256i) -> u32 {
        // SAFETY: `self` proves AVX2. `movemask` takes sign bits, which are set where a lane is not 0.
        !unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(a)) } as u32 & 0xff
    }

    #[inline(always)]
    fn bounds(self, corners: [&[i32; 4]; 4]) -> ([i32; 4], [i32; 4]) {
        // SAFETY: `self` proves AVX2, which includes SSE4.1; an array of four `i32` is 16 bytes to read or write.
        unsafe {
            let [a, b, c, d] = corners.map(|c| _mm_loadu_si128(c.as_ptr().cast()));
            let low = _mm_min_epi32(_mm_min_epi32(a, b), _mm_min_epi32(c, d));
            let high = _mm_max_epi32(_mm_max_epi32(a, b), _mm_max_epi32(c, d));
            let mut bounds = ([0; 4], [0; 4]);
            _mm_storeu_si128(bounds.0.as_mut_ptr().cast(), low);
            _mm_storeu_si128(bounds.1.as_mut_ptr().cast(), high);
            bounds
        }
    }
}
