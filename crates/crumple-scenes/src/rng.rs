//! The random numbers of every scene: splitmix64.
//!
//! A counter that grows by the golden ratio of 2^64, and a mixer of two multiplications (Steele, Lea, Flood 2014). All
//! in wrapping `u64` arithmetic, so that a seed gives the same scene on every platform and with every version of the
//! compiler. Not for secrets.

use crate::vector::{Point, dot, scale};

/// A stream of random numbers, fixed by its seed.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The stream of this seed; neighbouring seeds give unrelated streams.
    pub fn new(seed: u64) -> Self {
        let mut rng = Self(seed);
        // One draw apart, so that seed s at step 1 is not seed s + 1 at step 0 in disguise.
        Self(rng.next_u64() ^ 0x6a09_e667_f3bc_c908)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Uniform in [lo, hi).
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// Uniform among 0, 1, …, n - 1; 0 when `n` is 0. (The bias of the multiplication is below n / 2^64.)
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Mean 0, deviation 1: the sum of twelve uniform numbers less 6. The tails end at 6, and no logarithm is needed.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// Uniform in the box between two corners.
    pub fn in_box(&mut self, lo: Point, hi: Point) -> Point {
        std::array::from_fn(|k| self.range(lo[k], hi[k]))
    }

    /// Uniform in the unit ball, by rejection.
    pub fn in_ball(&mut self) -> Point {
        loop {
            let p = self.in_box([-1.0; 3], [1.0; 3]);
            if dot(p, p) <= 1.0 {
                return p;
            }
        }
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Point {
        loop {
            let p = self.in_ball();
            let n = dot(p, p);
            if n > 1e-4 {
                return scale(p, 1.0 / n.sqrt());
            }
        }
    }

    /// A stream of its own for part `k`, so that one part's draws do not shift another's.
    pub fn fork(&self, k: u64) -> Self {
        Self::new(self.0 ^ (k + 1).wrapping_mul(0xd6e8_feb8_6659_fd93))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_pinned() {
        // Written down once; a change here changes every random scene.
        let mut r = Rng::new(1);
        let got: Vec<u64> = (0..3).map(|_| r.next_u64()).collect();
        assert_eq!(got, PINNED);
    }
    const PINNED: [u64; 3] =
        [10_822_128_211_905_458_246, 8_310_866_464_813_584_501, 2_184_933_311_476_411_211];

    #[test]
    fn moments() {
        let mut r = Rng::new(7);
        let n = 20_000;
        let (mut mean, mut var, mut below) = (0.0, 0.0, [0usize; 5]);
        for _ in 0..n {
            let x = r.normal();
            mean += x / n as f64;
            var += x * x / n as f64;
            below[r.below(5)] += 1;
            let p = r.in_ball();
            assert!(dot(p, p) <= 1.0);
        }
        assert!(mean.abs() < 0.03 && (var - 1.0).abs() < 0.05, "{mean} {var}");
        assert!(below.iter().all(|&c| (c as f64 / n as f64 - 0.2).abs() < 0.02), "{below:?}");
        assert_eq!(r.below(0), 0);
    }
}
