//! AVX2: eight numbers are one register.

use std::arch::x86_64::*;

use super::super::avx2::{Avx2, COMPRESS};
use super::{Floats, Ids, Map, Row, WIDTH, Work};

/// Does the work, compiled for AVX2.
#[inline]
pub(super) fn run<W: Work>(lanes: Avx2, work: W) -> W::Output {
    #[target_feature(enable = "avx2,bmi1,popcnt")]
    fn inner<W: Work>(work: W, lanes: Avx2) -> W::Output {
        work.run(lanes)
    }
    // SAFETY: `lanes` exists only where the processor was found to have every feature that `inner` asks for.
    unsafe { inner(work, lanes) }
}

/// Calls intrinsics of AVX2 and below, which are unsafe only where the processor may lack them.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: the lanes are a value of `Avx2`, which exists only where the processor was found to have it; the
        // intrinsics touch no memory but registers, or memory behind a reference of their own size.
        unsafe { $call }
    };
}

impl Floats for Avx2 {
    type F = __m256;
    type P = __m128;
    type M = __m256;

    #[inline(always)]
    fn splat(self, x: f32) -> __m256 {
        avx2!(_mm256_set1_ps(x))
    }

    #[inline(always)]
    fn load(self, row: &Row) -> __m256 {
        // `Row` is 32 bytes, aligned to 32.
        avx2!(_mm256_load_ps(row.0.as_ptr()))
    }

    #[inline(always)]
    fn store(self, x: __m256, row: &mut Row) {
        avx2!(_mm256_store_ps(row.0.as_mut_ptr(), x));
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_add_ps(a, b))
    }

    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_sub_ps(a, b))
    }

    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_mul_ps(a, b))
    }

    #[inline(always)]
    fn div(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_div_ps(a, b))
    }

    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_min_ps(a, b))
    }

    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_max_ps(a, b))
    }

    #[inline(always)]
    fn least(self, a: __m256) -> f32 {
        avx2!({
            let four = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }

    #[inline(always)]
    fn greatest(self, a: __m256) -> f32 {
        avx2!({
            let four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }

    #[inline(always)]
    fn sqrt(self, a: __m256) -> __m256 {
        avx2!(_mm256_sqrt_ps(a))
    }

    #[inline(always)]
    fn abs(self, a: __m256) -> __m256 {
        avx2!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), a))
    }

    #[inline(always)]
    fn at_most(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b))
    }

    #[inline(always)]
    fn exceeds(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b))
    }

    #[inline(always)]
    fn both(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_and_ps(a, b))
    }

    #[inline(always)]
    fn either(self, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_or_ps(a, b))
    }

    #[inline(always)]
    fn pick(self, m: __m256, a: __m256, b: __m256) -> __m256 {
        avx2!(_mm256_blendv_ps(b, a, m))
    }

    #[inline(always)]
    fn bits(self, m: __m256) -> u32 {
        avx2!(_mm256_movemask_ps(m)) as u32
    }

    #[inline(always)]
    fn overlaps(self, boxes: &[Row; 6], low: [f32; 3], high: [f32; 3]) -> u32 {
        // Spelled out: closures would be compiled without AVX2.
        let [lx, ly, lz, hx, hy, hz] = boxes;
        avx2!({
            let below_x = _mm256_cmp_ps::<_CMP_LE_OQ>(self.load(lx), self.splat(high[0]));
            let above_x = _mm256_cmp_ps::<_CMP_GE_OQ>(self.load(hx), self.splat(low[0]));
            let below_y = _mm256_cmp_ps::<_CMP_LE_OQ>(self.load(ly), self.splat(high[1]));
            let above_y = _mm256_cmp_ps::<_CMP_GE_OQ>(self.load(hy), self.splat(low[1]));
            let below_z = _mm256_cmp_ps::<_CMP_LE_OQ>(self.load(lz), self.splat(high[2]));
            let above_z = _mm256_cmp_ps::<_CMP_GE_OQ>(self.load(hz), self.splat(low[2]));
            let x = _mm256_and_ps(below_x, above_x);
            let y = _mm256_and_ps(below_y, above_y);
            let z = _mm256_and_ps(below_z, above_z);
            _mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z)) as u32
        })
    }

    #[inline(always)]
    fn overlaps_within(self, boxes: &[Row; 6]) -> u32 {
        let [lx, ly, lz, hx, hy, hz] = boxes;
        let (lx, ly, lz) = (self.load(lx), self.load(ly), self.load(lz));
        let (hx, hy, hz) = (self.load(hx), self.load(hy), self.load(hz));
        let mut all = 0;
        for r in 1..5 {
            all |= avx2!({
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let turn = _mm256_add_epi32(lanes, _mm256_set1_epi32(r));
                let below_x = _mm256_cmp_ps::<_CMP_LE_OQ>(lx, _mm256_permutevar8x32_ps(hx, turn));
                let above_x = _mm256_cmp_ps::<_CMP_GE_OQ>(hx, _mm256_permutevar8x32_ps(lx, turn));
                let below_y = _mm256_cmp_ps::<_CMP_LE_OQ>(ly, _mm256_permutevar8x32_ps(hy, turn));
                let above_y = _mm256_cmp_ps::<_CMP_GE_OQ>(hy, _mm256_permutevar8x32_ps(ly, turn));
                let below_z = _mm256_cmp_ps::<_CMP_LE_OQ>(lz, _mm256_permutevar8x32_ps(hz, turn));
                let above_z = _mm256_cmp_ps::<_CMP_GE_OQ>(hz, _mm256_permutevar8x32_ps(lz, turn));
                let x = _mm256_and_ps(below_x, above_x);
                let y = _mm256_and_ps(below_y, above_y);
                let z = _mm256_and_ps(below_z, above_z);
                _mm256_movemask_ps(_mm256_and_ps(_mm256_and_ps(x, y), z)) as u32
            }) << (8 * (r - 1));
        }
        all & 0x0fff_ffff
    }

    #[inline(always)]
    fn high_bits(self, ids: &Ids) -> u32 {
        // `Ids` is 32 bytes, aligned to 32.
        avx2!(_mm256_movemask_ps(_mm256_load_ps(ids.0.as_ptr().cast()))) as u32
    }

    #[inline(always)]
    fn compress(self, ids: &Ids, mask: u32, to: &mut [u32; WIDTH]) {
        let order = COMPRESS[mask as usize & 0xff];
        // `Ids` is 32 bytes, aligned to 32; `to` is 32 bytes, and the store asks for no alignment.
        avx2!({
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64));
            let front = _mm256_permutevar8x32_epi32(_mm256_load_si256(ids.0.as_ptr().cast()), order);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), front);
        });
    }

    #[inline(always)]
    fn any_equal(self, ids: &[Ids; 3], of: [u32; 3]) -> u32 {
        avx2!({
            let mut any = _mm256_setzero_si256();
            for id in of {
                let id = _mm256_set1_epi32(id as i32);
                for row in ids {
                    // `Ids` is 32 bytes, aligned to 32.
                    let row = _mm256_load_si256(row.0.as_ptr().cast());
                    any = _mm256_or_si256(any, _mm256_cmpeq_epi32(row, id));
                }
            }
            _mm256_movemask_ps(_mm256_castsi256_ps(any)) as u32
        })
    }

    #[inline(always)]
    fn prefetch<T>(self, at: &T) {
        avx2!(_mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(at).cast()));
    }

    #[inline(always)]
    fn place(self, p: &[f64; 3], map: &Map) -> __m128 {
        avx2!({
            // The masked load reads three numbers only.
            let three = _mm256_setr_epi64x(-1, -1, -1, 0);
            let at = _mm256_maskload_pd(p.as_ptr(), three);
            let origin = _mm256_maskload_pd(map.origin.as_ptr(), three);
            _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(at, origin), _mm256_set1_pd(map.scale)))
        })
    }

    #[inline(always)]
    fn load_point(self, p: &[f32; 4]) -> __m128 {
        avx2!(_mm_loadu_ps(p.as_ptr()))
    }

    #[inline(always)]
    fn store_point(self, p: __m128, to: &mut [f32; 4]) {
        avx2!(_mm_storeu_ps(to.as_mut_ptr(), p));
    }

    #[inline(always)]
    fn min_point(self, a: __m128, b: __m128) -> __m128 {
        avx2!(_mm_min_ps(a, b))
    }

    #[inline(always)]
    fn max_point(self, a: __m128, b: __m128) -> __m128 {
        avx2!(_mm_max_ps(a, b))
    }

    #[inline(always)]
    fn transpose(self, p: [__m128; WIDTH]) -> [__m256; 3] {
        avx2!({
            let pair = |i: usize| _mm256_set_m128(p[i + 4], p[i]);
            let (p0, p1, p2, p3) = (pair(0), pair(1), pair(2), pair(3));
            // x0 x1 y0 y1, z0 z1 . . in each half.
            let (low01, high01) = (_mm256_unpacklo_ps(p0, p1), _mm256_unpackhi_ps(p0, p1));
            let (low23, high23) = (_mm256_unpacklo_ps(p2, p3), _mm256_unpackhi_ps(p2, p3));
            [
                _mm256_shuffle_ps::<0b01_00_01_00>(low01, low23),
                _mm256_shuffle_ps::<0b11_10_11_10>(low01, low23),
                _mm256_shuffle_ps::<0b01_00_01_00>(high01, high23),
            ]
        })
    }
}
