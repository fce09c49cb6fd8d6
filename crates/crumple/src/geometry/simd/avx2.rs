//! AVX2: one register is eight lanes of 32 bits, or four of 64.

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::avx512::Avx512;
use super::{
    ByteTriangle, DirectionRows, Ids, Kernel, LocalPoints, Mask as _, Quad, Row, Simd, UnitNormals, WIDTH,
};
use crate::geometry::Map;

/// Proof that the processor has AVX2 and its companions: only [`Avx2::detect`] makes one.
///
/// The vectors below prove it too: their registers are private to this file, and the first of them needs an [`Avx2`].
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    /// The instruction set, where the processor has it.
    #[inline]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt"))
        .then_some(Self(()))
    }

    /// Runs a kernel, compiled for this instruction set.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn inner<K: Kernel>(simd: Avx2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        // SAFETY: `self` exists, so the processor has every feature that `inner` is compiled for.
        unsafe { inner(self, kernel) }
    }
}

impl Simd for Avx2 {
    type Mask8 = Mask8;
    type Mask4 = Mask4;
    type I32x8 = I32x8;
    type F32x8 = F32x8;
    type F32x4 = F32x4;
    type F64x4 = F64x4;

    #[inline(always)]
    fn prefetch<T>(self, at: &T) {
        // SAFETY: every x86-64 processor has the instruction, and it may be given any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(at).cast()) }
    }

    #[inline(always)]
    fn unit_normals(self, points: &LocalPoints, count: usize, triangles: &[ByteTriangle]) -> UnitNormals {
        match Avx512::detect().and_then(|simd| simd.unit_normals(points, count, triangles)) {
            Some(normals) => normals,
            None => UnitNormals::of(self, points, triangles),
        }
    }

    #[inline(always)]
    fn faced(self, normals: &UnitNormals, margin: f32, directions: &DirectionRows) -> u128 {
        match Avx512::detect() {
            Some(simd) => simd.faced(normals, margin, directions),
            None => normals.faced(self, margin, directions),
        }
    }
}

/// All bits of each lane that is set, and none of the others.
#[derive(Clone, Copy)]
pub struct Mask8(__m256i);

/// The same for four lanes.
#[derive(Clone, Copy)]
pub struct Mask4(__m256d);

#[derive(Clone, Copy)]
pub struct I32x8(__m256i);

#[derive(Clone, Copy)]
pub struct F32x8(__m256);

#[derive(Clone, Copy)]
pub struct F32x4(__m128);

#[derive(Clone, Copy)]
pub struct F64x4(__m256d);

/// Instructions that go from registers to registers.
macro_rules! registers {
    ($instructions:expr) => {
        // SAFETY: where this stands there is an `Avx2` or a vector, which exists only where the processor was found to
        // have AVX2; nothing but registers is touched.
        unsafe { $instructions }
    };
}

/// Operators that are an instruction on two registers.
macro_rules! operators {
    ($($vector:ident: $operator:ident $name:ident $instruction:ident;)*) => {$(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(registers!($instruction(self.0, other.0)))
            }
        }
    )*};
}

operators! {
    Mask8: BitAnd bitand _mm256_and_si256;
    Mask8: BitOr bitor _mm256_or_si256;
    Mask4: BitAnd bitand _mm256_and_pd;
    Mask4: BitOr bitor _mm256_or_pd;
    I32x8: Add add _mm256_add_epi32;
    I32x8: Sub sub _mm256_sub_epi32;
    I32x8: BitOr bitor _mm256_or_si256;
    F32x8: Add add _mm256_add_ps;
    F32x8: Sub sub _mm256_sub_ps;
    F32x8: Mul mul _mm256_mul_ps;
    F32x8: Div div _mm256_div_ps;
    F64x4: Add add _mm256_add_pd;
    F64x4: Sub sub _mm256_sub_pd;
    F64x4: Mul mul _mm256_mul_pd;
    F64x4: Div div _mm256_div_pd;
}

operator!(Not not for Mask8, |a| Self(registers!(_mm256_xor_si256(a.0, _mm256_set1_epi32(-1)))));
operator!(Not not for Mask4, |a| Self(registers!(_mm256_xor_pd(a.0, _mm256_castsi256_pd(_mm256_set1_epi32(-1))))));
operator!(BitAnd bitand for I32x8, |a, b: Mask8| Self(registers!(_mm256_and_si256(a.0, b.0))));
operator!(Shl shl for I32x8, |a, b: u32| Self(registers!(_mm256_sll_epi32(a.0, _mm_cvtsi32_si128(b as i32)))));
operator!(Shr shr for I32x8, |a, b: u32| Self(registers!(_mm256_sra_epi32(a.0, _mm_cvtsi32_si128(b as i32)))));
operator!(Neg neg for F32x8, |a| Self(registers!(_mm256_xor_ps(a.0, _mm256_set1_ps(-0.0)))));

// `movemask` takes sign bits, which are set where a lane is.

impl super::Mask for Mask8 {
    #[inline(always)]
    fn bitmask(self) -> u32 {
        registers!(_mm256_movemask_ps(_mm256_castsi256_ps(self.0))) as u32
    }
}

impl super::Mask for Mask4 {
    #[inline(always)]
    fn bitmask(self) -> u32 {
        registers!(_mm256_movemask_pd(self.0)) as u32
    }
}

impl super::I32x8<Avx2> for I32x8 {
    #[inline(always)]
    fn splat(_: Avx2, x: i32) -> Self {
        Self(registers!(_mm256_set1_epi32(x)))
    }

    #[inline(always)]
    fn load(_: Avx2, from: &[i32]) -> Self {
        let eight = &from[..WIDTH];
        // SAFETY: there is an `Avx2`; `eight` is 32 readable bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_ids(_: Avx2, ids: &Ids) -> Self {
        // SAFETY: there is an `Avx2`; `Ids` is 32 readable bytes, aligned to 32.
        Self(unsafe { _mm256_load_si256(ids.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn gather(simd: Avx2, points: &[[i32; 4]], indices: &[i32; WIDTH]) -> [Self; 3] {
        let last = i32::try_from(points.len()).unwrap_or(i32::MAX) - 1;
        let missing = Self::load(simd, indices).outside(Self::splat(simd, 0), Self::splat(simd, last));
        assert!(!missing.any(), "a point that is not there");
        // SAFETY: there is an `Avx2`; every index was just found to be below the number of points, which are 16 bytes
        // each, and the loads ask for no alignment.
        let [x, y, z] = unsafe {
            let point = |i: usize| points.as_ptr().add(indices[i] as usize).cast::<__m128i>();
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
        };
        [Self(x), Self(y), Self(z)]
    }

    #[inline(always)]
    fn compress(self, mask: u32, to: &mut [i32]) {
        let eight = &mut to[..WIDTH];
        let order = WORDS8[mask as usize & 0xff];
        // SAFETY: `self` proves AVX2; `eight` is 32 writable bytes, and the store asks for no alignment.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64));
            _mm256_storeu_si256(eight.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(self.0, order));
        }
    }

    #[inline(always)]
    fn reduce_min(self) -> i32 {
        registers!({
            let four = _mm_min_epi32(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let two = _mm_min_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_min_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
        })
    }

    #[inline(always)]
    fn reduce_max(self) -> i32 {
        registers!({
            let four = _mm_max_epi32(_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0));
            let two = _mm_max_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
        })
    }

    methods! {
        min |a, b| -> Self = Self(registers!(_mm256_min_epi32(a.0, b.0)));
        max |a, b| -> Self = Self(registers!(_mm256_max_epi32(a.0, b.0)));
        eq |a, b| -> Mask8 = Mask8(registers!(_mm256_cmpeq_epi32(a.0, b.0)));
        gt |a, b| -> Mask8 = Mask8(registers!(_mm256_cmpgt_epi32(a.0, b.0)));
        to_f32 |a| -> F32x8 = F32x8(registers!(_mm256_cvtepi32_ps(a.0)));
    }
}

impl super::F32x8<Avx2> for F32x8 {
    #[inline(always)]
    fn splat(_: Avx2, x: f32) -> Self {
        Self(registers!(_mm256_set1_ps(x)))
    }

    #[inline(always)]
    fn load(_: Avx2, row: &Row) -> Self {
        // SAFETY: there is an `Avx2`; `Row` is 32 readable bytes, aligned to 32.
        Self(unsafe { _mm256_load_ps(row.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        // SAFETY: `self` proves AVX2; `Row` is 32 writable bytes, aligned to 32.
        unsafe { _mm256_store_ps(row.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn rotate(self, by: usize) -> Self {
        // The permutation takes the low three bits of an index: it wraps by itself.
        Self(registers!({
            let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            _mm256_permutevar8x32_ps(self.0, _mm256_add_epi32(lanes, _mm256_set1_epi32(by as i32)))
        }))
    }

    #[inline(always)]
    fn reduce_min(self) -> f32 {
        registers!({
            let four = _mm_min_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }

    #[inline(always)]
    fn reduce_max(self) -> f32 {
        registers!({
            let four = _mm_max_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps::<1>(two, two)))
        })
    }

    #[inline(always)]
    fn select(mask: Mask8, yes: Self, no: Self) -> Self {
        Self(registers!(_mm256_blendv_ps(no.0, yes.0, _mm256_castsi256_ps(mask.0))))
    }

    methods! {
        min |a, b| -> Self = Self(registers!(_mm256_min_ps(a.0, b.0)));
        max |a, b| -> Self = Self(registers!(_mm256_max_ps(a.0, b.0)));
        sqrt |a| -> Self = Self(registers!(_mm256_sqrt_ps(a.0)));
        abs |a| -> Self = Self(registers!(_mm256_andnot_ps(_mm256_set1_ps(-0.0), a.0)));
        le |a, b| -> Mask8 = Mask8(registers!(_mm256_castps_si256(_mm256_cmp_ps::<_CMP_LE_OQ>(a.0, b.0))));
        gt |a, b| -> Mask8 = Mask8(registers!(_mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(a.0, b.0))));
    }
}

impl super::F32x4<Avx2> for F32x4 {
    #[inline(always)]
    fn load(_: Avx2, p: &[f32; 4]) -> Self {
        // SAFETY: there is an `Avx2`; `p` is 16 readable bytes, and the load asks for no alignment.
        Self(unsafe { _mm_loadu_ps(p.as_ptr()) })
    }

    #[inline(always)]
    fn map(_: Avx2, p: &[f64; 3], map: &Map) -> Self {
        // SAFETY: there is an `Avx2`; the masked loads read three numbers only, which both arrays have.
        Self(unsafe {
            let three = _mm256_setr_epi64x(-1, -1, -1, 0);
            let at = _mm256_maskload_pd(p.as_ptr(), three);
            let origin = _mm256_maskload_pd(map.origin.as_ptr(), three);
            _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_sub_pd(at, origin), _mm256_set1_pd(map.scale)))
        })
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; 4]) {
        // SAFETY: `self` proves AVX2; `to` is 16 writable bytes, and the store asks for no alignment.
        unsafe { _mm_storeu_ps(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn transpose(p: [Self; WIDTH]) -> [F32x8; 3] {
        let [x, y, z] = registers!({
            let pair = |i: usize| _mm256_set_m128(p[i + 4].0, p[i].0);
            let (p0, p1, p2, p3) = (pair(0), pair(1), pair(2), pair(3));
            // x0 x1 y0 y1, z0 z1 . . in each half.
            let (low01, high01) = (_mm256_unpacklo_ps(p0, p1), _mm256_unpackhi_ps(p0, p1));
            let (low23, high23) = (_mm256_unpacklo_ps(p2, p3), _mm256_unpackhi_ps(p2, p3));
            [
                _mm256_shuffle_ps::<0b01_00_01_00>(low01, low23),
                _mm256_shuffle_ps::<0b11_10_11_10>(low01, low23),
                _mm256_shuffle_ps::<0b01_00_01_00>(high01, high23),
            ]
        });
        [F32x8(x), F32x8(y), F32x8(z)]
    }

    methods! {
        min |a, b| -> Self = Self(registers!(_mm_min_ps(a.0, b.0)));
        max |a, b| -> Self = Self(registers!(_mm_max_ps(a.0, b.0)));
    }
}

impl super::F64x4<Avx2> for F64x4 {
    #[inline(always)]
    fn splat(_: Avx2, x: f64) -> Self {
        Self(registers!(_mm256_set1_pd(x)))
    }

    #[inline(always)]
    fn from_array(_: Avx2, x: [f64; 4]) -> Self {
        // SAFETY: there is an `Avx2`; `x` is 32 readable bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_loadu_pd(x.as_ptr()) })
    }

    #[inline(always)]
    fn load(_: Avx2, quad: &Quad) -> Self {
        // SAFETY: there is an `Avx2`; `Quad` is 32 readable bytes, aligned to 32.
        Self(unsafe { _mm256_load_pd(quad.0.as_ptr()) })
    }

    #[inline(always)]
    fn load3(_: Avx2, p: &[f64; 3]) -> Self {
        // SAFETY: there is an `Avx2`; the masked load reads three numbers only, which `p` has.
        Self(unsafe { _mm256_maskload_pd(p.as_ptr(), _mm256_setr_epi64x(-1, -1, -1, 0)) })
    }

    #[inline(always)]
    fn store_quad(self, quad: &mut Quad) {
        // SAFETY: `self` proves AVX2; `Quad` is 32 writable bytes, aligned to 32.
        unsafe { _mm256_store_pd(quad.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn transpose4([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let [x, y, z, w] = registers!({
            let (ab, ab_odd) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
            let (cd, cd_odd) = (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
            [
                _mm256_permute2f128_pd::<0x20>(ab, cd),
                _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
                _mm256_permute2f128_pd::<0x31>(ab, cd),
                _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd),
            ]
        });
        [Self(x), Self(y), Self(z), Self(w)]
    }

    #[inline(always)]
    fn select(mask: Mask4, yes: Self, no: Self) -> Self {
        Self(registers!(_mm256_blendv_pd(no.0, yes.0, mask.0)))
    }

    #[inline(always)]
    fn from_i32(_: Avx2, from: &[i32]) -> Self {
        let four = &from[..4];
        // SAFETY: there is an `Avx2`; `four` is 16 readable bytes, and the load asks for no alignment.
        Self(unsafe { _mm256_cvtepi32_pd(_mm_loadu_si128(four.as_ptr().cast())) })
    }

    #[inline(always)]
    fn transpose(_: Avx2, [a, b, c, d]: [&[i32; 4]; 4]) -> [Self; 3] {
        // SAFETY: there is an `Avx2`; each point is 16 readable bytes, and the loads ask for no alignment.
        let [x, y, z] = unsafe {
            let load = |p: &[i32; 4]| _mm_loadu_si128(p.as_ptr().cast());
            let (a, b, c, d) = (load(a), load(b), load(c), load(d));
            let (xy_ab, xy_cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let (x, y) = (_mm_unpacklo_epi64(xy_ab, xy_cd), _mm_unpackhi_epi64(xy_ab, xy_cd));
            let z = _mm_unpacklo_epi64(_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            [_mm256_cvtepi32_pd(x), _mm256_cvtepi32_pd(y), _mm256_cvtepi32_pd(z)]
        };
        [Self(x), Self(y), Self(z)]
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        let four = &mut to[..4];
        // SAFETY: `self` proves AVX2; `four` is 32 writable bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_pd(four.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn compress(self, mask: u32, to: &mut [f64]) {
        let four = &mut to[..4];
        let order = HALVES[mask as usize & 0xf];
        // SAFETY: `self` proves AVX2; `four` is 32 writable bytes, and the store asks for no alignment.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64));
            let kept = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(self.0), order);
            _mm256_storeu_pd(four.as_mut_ptr(), _mm256_castsi256_pd(kept));
        }
    }

    #[inline(always)]
    fn compress_low(self, mask: u32, to: &mut [u32]) {
        let four = &mut to[..4];
        let order = LOW_HALVES[mask as usize & 0xf];
        // SAFETY: `self` proves AVX2; `four` is 16 writable bytes, and the store asks for no alignment.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi32_si128(order as i32));
            let words = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(self.0), order);
            _mm_storeu_si128(four.as_mut_ptr().cast(), _mm256_castsi256_si128(words));
        }
    }

    methods! {
        sqrt |a| -> Self = Self(registers!(_mm256_sqrt_pd(a.0)));
        min |a, b| -> Self = Self(registers!(_mm256_min_pd(a.0, b.0)));
        max |a, b| -> Self = Self(registers!(_mm256_max_pd(a.0, b.0)));
        abs |a| -> Self = Self(registers!(_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.0)));
        gt |a, b| -> Mask4 = Mask4(registers!(_mm256_cmp_pd::<_CMP_GT_OQ>(a.0, b.0)));
        to_f32 |a| -> F32x4 = F32x4(registers!(_mm256_cvtpd_ps(a.0)));
    }
}

/// For each mask the numbers of its lanes, one per byte, lowest first.
static WORDS8: [u64; 256] = {
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

/// For each mask of four lanes the places of both halves of them, one per byte, lowest first.
static HALVES: [u64; 16] = {
    let mut table = [0; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lane, mut place) = (0, 0);
        while lane < 4 {
            if mask >> lane & 1 == 1 {
                table[mask] |= ((2 * lane) | ((2 * lane + 1) << 8)) << place;
                place += 16;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// The same for the low halves alone.
static LOW_HALVES: [u32; 16] = {
    let mut table = [0; 16];
    let mut mask = 0;
    while mask < 16 {
        let mut i = 0;
        while i < 4 {
            table[mask] |= ((HALVES[mask] >> (16 * i) & 0xff) as u32) << (8 * i);
            i += 1;
        }
        mask += 1;
    }
    table
};
