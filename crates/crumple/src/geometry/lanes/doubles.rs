//! Four numbers of double precision at a time.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::scalar::Scalar;

/// Operations on four 64-bit floating-point numbers. Every operation rounds once, so that all back ends agree.
pub(crate) trait Doubles: Copy {
    /// Four numbers.
    type Doubles: Copy;

    /// The same number four times.
    fn splat_double(self, x: f64) -> Self::Doubles;

    /// Four numbers.
    fn doubles(self, x: [f64; 4]) -> Self::Doubles;

    /// The integers `from[at..at + 4]`.
    fn convert(self, from: &[i32], at: usize) -> Self::Doubles;

    /// The first three components of four points: all x, all y and all z.
    fn components_of_four(self, points: [&[i32; 4]; 4]) -> [Self::Doubles; 3];

    /// a + b.
    fn add_doubles(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;

    /// a − b.
    fn sub_doubles(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;

    /// a · b.
    fn mul_doubles(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;

    /// a / b.
    fn div_doubles(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;

    /// The smaller of two, lane by lane; where one is NaN, b.
    fn min_doubles(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;

    /// The larger of two, lane by lane; where one is NaN, b.
    fn max_doubles(self, a: Self::Doubles, b: Self::Doubles) -> Self::Doubles;

    /// Bit i tells whether lane i is above 0.
    fn positive(self, a: Self::Doubles) -> u32;

    /// Writes the lanes to `to[at..at + 4]`.
    fn store_doubles(self, a: Self::Doubles, to: &mut [f64], at: usize);

    /// Writes the low 32 bits of the lanes that `mask` names to `to[at..]`, one after the other, and anything to the rest
    /// of `to[at..at + 4]`.
    fn compress_words(self, a: Self::Doubles, mask: u32, to: &mut [u32], at: usize);

    /// Writes the lanes that `mask` names to `to[at..]`, one after the other, and anything to the rest of `to[at..at + 4]`.
    fn compress_doubles(self, a: Self::Doubles, mask: u32, to: &mut [f64], at: usize);
}

/// Four numbers with the lanes that they are in, so that formulas read as such. (Closures would do the same, but a large
/// one is compiled on its own, for the oldest processors.)
#[derive(Clone, Copy)]
pub(crate) struct Four<L: Doubles> {
    lanes: L,
    /// The numbers.
    pub x: L::Doubles,
}

impl<L: Doubles> Four<L> {
    /// The same number four times.
    #[inline(always)]
    pub fn splat(lanes: L, x: f64) -> Self {
        Self { lanes, x: lanes.splat_double(x) }
    }

    /// Four numbers.
    #[inline(always)]
    pub fn of(lanes: L, x: [f64; 4]) -> Self {
        Self { lanes, x: lanes.doubles(x) }
    }

    /// The integers `from[at..at + 4]`.
    #[inline(always)]
    pub fn from_ints(lanes: L, from: &[i32], at: usize) -> Self {
        Self { lanes, x: lanes.convert(from, at) }
    }

    /// The first three components of point `k` of four triangles.
    #[inline(always)]
    pub fn components(lanes: L, of: &[[[i32; 4]; 3]; 4], k: usize) -> [Self; 3] {
        let [x, y, z] = lanes.components_of_four([&of[0][k], &of[1][k], &of[2][k], &of[3][k]]);
        [Self { lanes, x }, Self { lanes, x: y }, Self { lanes, x: z }]
    }

    /// The smaller of two, lane by lane; where one is NaN, the other given.
    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        Self { lanes: self.lanes, x: self.lanes.min_doubles(self.x, other.x) }
    }

    /// The larger of two, lane by lane; where one is NaN, the other given.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self { lanes: self.lanes, x: self.lanes.max_doubles(self.x, other.x) }
    }

    /// Held within two numbers.
    #[inline(always)]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// Without the sign.
    #[inline(always)]
    pub fn abs(self) -> Self {
        self.max(Self::splat(self.lanes, 0.0) - self)
    }

    /// Writes the numbers to `to[at..at + 4]`.
    #[inline(always)]
    pub fn store(self, to: &mut [f64], at: usize) {
        self.lanes.store_doubles(self.x, to, at);
    }

    /// Bit i tells whether lane i is above 0.
    #[inline(always)]
    pub fn positive(self) -> u32 {
        self.lanes.positive(self.x)
    }
}

impl<L: Doubles> Add for Four<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { lanes: self.lanes, x: self.lanes.add_doubles(self.x, other.x) }
    }
}

impl<L: Doubles> Sub for Four<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { lanes: self.lanes, x: self.lanes.sub_doubles(self.x, other.x) }
    }
}

impl<L: Doubles> Mul for Four<L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self { lanes: self.lanes, x: self.lanes.mul_doubles(self.x, other.x) }
    }
}

impl<L: Doubles> Div for Four<L> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self { lanes: self.lanes, x: self.lanes.div_doubles(self.x, other.x) }
    }
}

#[inline(always)]
fn each(a: [f64; 4], b: [f64; 4], f: impl Fn(f64, f64) -> f64) -> [f64; 4] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
}

impl Doubles for Scalar {
    type Doubles = [f64; 4];

    #[inline(always)]
    fn splat_double(self, x: f64) -> [f64; 4] {
        [x; 4]
    }

    #[inline(always)]
    fn doubles(self, x: [f64; 4]) -> [f64; 4] {
        x
    }

    #[inline(always)]
    fn convert(self, from: &[i32], at: usize) -> [f64; 4] {
        let four = &from[at..at + 4];
        std::array::from_fn(|i| f64::from(four[i]))
    }

    #[inline(always)]
    fn components_of_four(self, [a, b, c, d]: [&[i32; 4]; 4]) -> [[f64; 4]; 3] {
        let at = |k: usize| [f64::from(a[k]), f64::from(b[k]), f64::from(c[k]), f64::from(d[k])];
        [at(0), at(1), at(2)]
    }

    #[inline(always)]
    fn add_doubles(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub_doubles(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul_doubles(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn div_doubles(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(a, b, |a, b| a / b)
    }

    #[inline(always)]
    fn min_doubles(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(a, b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max_doubles(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn positive(self, a: [f64; 4]) -> u32 {
        (0..4).fold(0, |mask, i| mask | u32::from(a[i] > 0.0) << i)
    }

    #[inline(always)]
    fn store_doubles(self, a: [f64; 4], to: &mut [f64], at: usize) {
        to[at..at + 4].copy_from_slice(&a);
    }

    #[inline(always)]
    fn compress_words(self, a: [f64; 4], mask: u32, to: &mut [u32], at: usize) {
        let to = &mut to[at..at + 4];
        let mut n = 0;
        for (i, x) in a.into_iter().enumerate() {
            // Always written, and kept by counting: no branch.
            to[n] = x.to_bits() as u32;
            n = (n + (mask >> i & 1) as usize) % 4;
        }
    }

    #[inline(always)]
    fn compress_doubles(self, a: [f64; 4], mask: u32, to: &mut [f64], at: usize) {
        let to = &mut to[at..at + 4];
        let mut n = 0;
        for (i, x) in a.into_iter().enumerate() {
            to[n] = x;
            n = (n + (mask >> i & 1) as usize) % 4;
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Doubles for Avx2 {
    type Doubles = __m256d;

    #[inline(always)]
    fn splat_double(self, x: f64) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_set1_pd(x) }
    }

    #[inline(always)]
    fn doubles(self, x: [f64; 4]) -> __m256d {
        // SAFETY: `self` proves AVX2; `x` is 32 readable bytes, and the load asks for no alignment.
        unsafe { _mm256_loadu_pd(x.as_ptr()) }
    }

    #[inline(always)]
    fn convert(self, from: &[i32], at: usize) -> __m256d {
        let four = &from[at..at + 4];
        // SAFETY: `self` proves AVX2; `four` is 16 readable bytes, and the load asks for no alignment.
        unsafe { _mm256_cvtepi32_pd(_mm_loadu_si128(four.as_ptr().cast())) }
    }

    #[inline(always)]
    fn components_of_four(self, [a, b, c, d]: [&[i32; 4]; 4]) -> [__m256d; 3] {
        // SAFETY: `self` proves AVX2; each point is 16 readable bytes, and the loads ask for no alignment.
        unsafe {
            let load = |p: &[i32; 4]| _mm_loadu_si128(p.as_ptr().cast());
            let (a, b, c, d) = (load(a), load(b), load(c), load(d));
            let (xy_ab, xy_cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
            let (x, y) = (_mm_unpacklo_epi64(xy_ab, xy_cd), _mm_unpackhi_epi64(xy_ab, xy_cd));
            let z = _mm_unpacklo_epi64(_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
            [_mm256_cvtepi32_pd(x), _mm256_cvtepi32_pd(y), _mm256_cvtepi32_pd(z)]
        }
    }

    #[inline(always)]
    fn add_doubles(self, a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_add_pd(a, b) }
    }

    #[inline(always)]
    fn sub_doubles(self, a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_sub_pd(a, b) }
    }

    #[inline(always)]
    fn mul_doubles(self, a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_mul_pd(a, b) }
    }

    #[inline(always)]
    fn div_doubles(self, a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_div_pd(a, b) }
    }

    #[inline(always)]
    fn min_doubles(self, a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_min_pd(a, b) }
    }

    #[inline(always)]
    fn max_doubles(self, a: __m256d, b: __m256d) -> __m256d {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_max_pd(a, b) }
    }

    #[inline(always)]
    fn positive(self, a: __m256d) -> u32 {
        // SAFETY: `self` proves AVX2. `movemask` takes sign bits, which are set where the comparison holds.
        unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, _mm256_setzero_pd())) as u32 }
    }

    #[inline(always)]
    fn store_doubles(self, a: __m256d, to: &mut [f64], at: usize) {
        let four = &mut to[at..at + 4];
        // SAFETY: `self` proves AVX2; `four` is 32 writable bytes, and the store asks for no alignment.
        unsafe { _mm256_storeu_pd(four.as_mut_ptr(), a) }
    }

    #[inline(always)]
    fn compress_words(self, a: __m256d, mask: u32, to: &mut [u32], at: usize) {
        let four = &mut to[at..at + 4];
        let order = WORDS[mask as usize & 0xf];
        // SAFETY: `self` proves AVX2; `four` is 16 writable bytes, and the store asks for no alignment.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi32_si128(order as i32));
            let words = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(a), order);
            _mm_storeu_si128(four.as_mut_ptr().cast(), _mm256_castsi256_si128(words));
        }
    }

    #[inline(always)]
    fn compress_doubles(self, a: __m256d, mask: u32, to: &mut [f64], at: usize) {
        let four = &mut to[at..at + 4];
        let order = HALVES[mask as usize & 0xf];
        // SAFETY: `self` proves AVX2; `four` is 32 writable bytes, and the store asks for no alignment.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64));
            let kept = _mm256_permutevar8x32_epi32(_mm256_castpd_si256(a), order);
            _mm256_storeu_pd(four.as_mut_ptr(), _mm256_castsi256_pd(kept));
        }
    }
}

/// For each mask the places of both halves of its lanes, one per byte, lowest first.
#[cfg(target_arch = "x86_64")]
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
#[cfg(target_arch = "x86_64")]
static WORDS: [u32; 16] = {
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

#[cfg(test)]
mod tests {
    use super::super::{Lanes, Work, run};
    use super::*;

    /// Everything the lanes can do, as words.
    struct All<'a>(&'a [[i32; 4]]);

    impl Work for All<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Vec<u32> {
            let (mut out, mut four) = (Vec::new(), [0; 4]);
            for (i, points) in self.0.windows(4).enumerate() {
                let [x, y, z] = lanes.components_of_four([&points[3], &points[1], &points[2], &points[0]]);
                let ratio = lanes.div_doubles(x, lanes.add_doubles(y, z));
                for all in [
                    x,
                    y,
                    z,
                    ratio,
                    lanes.convert(points.as_flattened(), i % 7),
                    lanes.max_doubles(ratio, x),
                    lanes.min_doubles(ratio, x),
                ] {
                    lanes.compress_words(all, 0xf, &mut four, 0);
                    out.extend(four);
                }
                let halves = lanes.doubles([0.5, -0.25, 2.0, 0.0]);
                let low = lanes.min_doubles(lanes.sub_doubles(x, y), lanes.mul_doubles(y, halves));
                let high = lanes.max_doubles(low, lanes.add_doubles(z, lanes.splat_double(1e12)));
                for mixed in [x, low, high] {
                    out.push(lanes.positive(mixed) & 7);
                    lanes.compress_words(mixed, 7, &mut four, 0);
                    out.extend(&four[..3]);
                }
                let mask = i as u32 % 8;
                lanes.compress_words(lanes.sub_doubles(x, z), mask, &mut four, 0);
                out.extend(&four[..mask.count_ones() as usize]);
                let mut kept = [0.0; 4];
                lanes.compress_doubles(high, mask, &mut kept, 0);
                let mut whole = [0.0; 5];
                lanes.store_doubles(high, &mut whole, 1);
                out.extend(whole[1..4].iter().map(|x| x.to_bits() as u32));
                let bits = kept[..mask.count_ones() as usize].iter().map(|x| x.to_bits());
                out.extend(bits.flat_map(|b| [b as u32, (b >> 32) as u32]));
            }
            out
        }
    }

    #[test]
    fn every_back_end_equals_the_scalar_one() {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as i32 >> (state >> 8 & 15)
        };
        let points: Vec<[i32; 4]> = (0..500)
            .map(|i| [next(), if i % 7 == 0 { 0 } else { -next() }, if i % 7 < 2 { 0 } else { next() }, 0])
            .collect();
        assert_eq!(run(All(&points)), All(&points).run(Scalar));
    }
}
