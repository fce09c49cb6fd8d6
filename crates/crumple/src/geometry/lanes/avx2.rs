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
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_features<W: Work>(lanes: Avx2, work: W) -> W::Output {
    work.run(lanes)
}

impl Lanes for Avx2 {
    type Ints = __m256i;
    type Floats = __m256;

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
    fn pick(self, points: &[[i32; 4]], numbers: &[i32; WIDTH]) -> [__m256i; 3] {
        let all = self.load(numbers, 0);
        let last = i32::try_from(points.len()).unwrap_or(i32::MAX) - 1;
        let missing = self.zeros(self.outside(all, self.splat(0), self.splat(last))) != 0xff;
        assert!(!missing, "a point that is not there");
        // SAFETY: `self` proves AVX2; every number was just found to be below the number of points, which are 16 bytes
        // each, and the loads ask for no alignment.
        unsafe {
            let point = |i: usize| points.as_ptr().add(numbers[i] as usize).cast::<__m128i>();
            let two = |i: usize| {
                let low = _mm256_castsi128_si256(_mm_loadu_si128(point(i)));
                _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(point(i + 4)))
            };
            let (p04, p15, p26, p37) = (two(0), two(1), two(2), two(3));
            let (xy01, z01) = (_mm256_unpacklo_epi32(p04, p15), _mm256_unpackhi_epi32(p04, p15));
            let (xy23, z23) = (_mm256_unpacklo_epi32(p26, p37), _mm256_unpackhi_epi32(p26, p37));
            [
                _mm256_unpacklo_epi64(xy01, xy23),
                _mm256_unpackhi_epi64(xy01, xy23),
                _mm256_unpacklo_epi64(z01, z23),
            ]
        }
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
    fn least(self, a: __m256i) -> i32 {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let a = _mm_min_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            let a = _mm_min_epi32(a, _mm_shuffle_epi32::<0b01_00_11_10>(a));
            _mm_cvtsi128_si32(_mm_min_epi32(a, _mm_shuffle_epi32::<0b00_00_00_01>(a)))
        }
    }

    #[inline(always)]
    fn most(self, a: __m256i) -> i32 {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let a = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            let a = _mm_max_epi32(a, _mm_shuffle_epi32::<0b01_00_11_10>(a));
            _mm_cvtsi128_si32(_mm_max_epi32(a, _mm_shuffle_epi32::<0b00_00_00_01>(a)))
        }
    }

    #[inline(always)]
    fn outside(self, x: __m256i, low: __m256i, high: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_or_si256(_mm256_cmpgt_epi32(low, x), _mm256_cmpgt_epi32(x, high)) }
    }

    #[inline(always)]
    fn plus(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_add_epi32(a, b) }
    }

    #[inline(always)]
    fn minus(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_sub_epi32(a, b) }
    }

    #[inline(always)]
    fn shift_left(self, a: __m256i, by: u32) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_sll_epi32(a, _mm_cvtsi32_si128(by as i32)) }
    }

    #[inline(always)]
    fn shift_right(self, a: __m256i, by: u32) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_sra_epi32(a, _mm_cvtsi32_si128(by as i32)) }
    }

    #[inline(always)]
    fn zeros(self, a: __m256i) -> u32 {
        // SAFETY: `self` proves AVX2. `movemask` takes sign bits, which are set where a lane is not 0.
        !unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(a)) } as u32 & 0xff
    }

    #[inline(always)]
    fn splat_float(self, x: f32) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_set1_ps(x) }
    }

    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_min_epi32(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_max_epi32(a, b) }
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
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn difference(self, a: __m256i, b: __m256i) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_cvtepi32_ps(_mm256_sub_epi32(a, b)) }
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    fn min_float(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_min_ps(a, b) }
    }

    #[inline(always)]
    fn max_float(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    fn less(self, a: __m256, b: __m256) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b)) }
    }
}

/// For each mask the numbers of its lanes, one per byte, lowest first.
pub(super) static COMPRESS: [u64; 256] = {
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
