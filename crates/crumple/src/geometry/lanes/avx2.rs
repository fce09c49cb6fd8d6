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
    fn equal(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_cmpeq_epi32(a, b) }
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
    fn compress(self, x: __m256i, mask: u32, to: &mut [i32], at: usize) {
        let eight = &mut to[at..at + WIDTH];
        let order = COMPRESS[mask as usize & 0xff];
        // SAFETY: `self` proves AVX2; `eight` is 32 writable bytes, and the store asks for no alignment.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64));
            _mm256_storeu_si256(eight.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(x, order));
        }
    }

    #[inline(always)]
    fn bounds(self, corners: [&[i32; 4]; 4]) -> ([i32; 4], [i32; 4]) {
        // SAFETY: `self` proves AVX2, which includes SSE4.1; an array of four `i32` is 16 bytes to read or write.
        unsafe {
            let load = |c: &[i32; 4]| _mm_loadu_si128(c.as_ptr().cast());
            let (a, b, c, d) = (load(corners[0]), load(corners[1]), load(corners[2]), load(corners[3]));
            let low = _mm_min_epi32(_mm_min_epi32(a, b), _mm_min_epi32(c, d));
            let high = _mm_max_epi32(_mm_max_epi32(a, b), _mm_max_epi32(c, d));
            let mut bounds = ([0; 4], [0; 4]);
            _mm_storeu_si128(bounds.0.as_mut_ptr().cast(), low);
            _mm_storeu_si128(bounds.1.as_mut_ptr().cast(), high);
            bounds
        }
    }

    #[inline(always)]
    fn transpose(self, vectors: &[[i32; 4]; WIDTH]) -> [__m256i; 3] {
        // SAFETY: `self` proves AVX2; the vectors are 128 bytes to read.
        unsafe {
            let load = |i: usize| _mm256_loadu_si256(vectors[2 * i..].as_ptr().cast());
            // Vectors 0 and 4, 1 and 5, 2 and 6, 3 and 7, each pair in one register.
            let (v01, v23, v45, v67) = (load(0), load(1), load(2), load(3));
            let (v04, v15) =
                (_mm256_permute2x128_si256::<0x20>(v01, v45), _mm256_permute2x128_si256::<0x31>(v01, v45));
            let (v26, v37) =
                (_mm256_permute2x128_si256::<0x20>(v23, v67), _mm256_permute2x128_si256::<0x31>(v23, v67));
            let (xy01, z01) = (_mm256_unpacklo_epi32(v04, v15), _mm256_unpackhi_epi32(v04, v15));
            let (xy23, z23) = (_mm256_unpacklo_epi32(v26, v37), _mm256_unpackhi_epi32(v26, v37));
            [
                _mm256_unpacklo_epi64(xy01, xy23),
                _mm256_unpackhi_epi64(xy01, xy23),
                _mm256_unpacklo_epi64(z01, z23),
            ]
        }
    }
}

/// For each mask the numbers of its lanes, one per byte, lowest first.
static COMPRESS: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut place) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask] |= lane << place;
                place += 8;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};
