//! Queries in which ties abound, and queries in which they almost do. The same in every run.

pub type Point = [f64; 3];

/// Four points at the start and at the end.
pub type Query = [[Point; 4]; 2];

/// xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) % n
    }

    /// Between −1 and 1.
    pub fn unit(&mut self) -> f64 {
        self.below(1 << 53) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// How coordinates are drawn.
fn coordinate(random: &mut Random, kind: u64) -> f64 {
    match kind {
        // Small grids, where points coincide, lie on lines and in planes.
        0..=6 => {
            let n = [2, 3, 5, 9][kind as usize % 4];
            random.below(n) as f64 - (n / 2) as f64
        }
        7 => random.unit(),
        8 => f64::from(random.unit() as f32),
        // Many scales at once, far away, tiny, subnormal, huge.
        9 => random.unit() * 2f64.powi(random.below(40) as i32 - 20),
        10 => random.unit() * 1e-3 + 1e6,
        11 => random.unit() * 2f64.powi(-500 * random.below(3) as i32),
        12 => f64::from_bits(random.below(1 << 54)),
        _ => random.unit() * 1e50,
    }
}

/// Kinds in turn; those with exponents far apart, which take the oracle a hundred times as long, now and then.
pub fn kind(i: u64) -> u64 {
    match i % 256 {
        rare @ 253..=255 => rare - 242,
        common => common % 11,
    }
}

/// A query of a kind, often with a structure laid over it.
pub fn query(random: &mut Random, kind: u64) -> Query {
    let mut q = [[[0.0; 3]; 4]; 2];
    q.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x = coordinate(random, kind));
    match random.below(14) {
        // One plane, another plane, one line.
        0 => each(&mut q, |p| p[2] = 0.0),
        1 => each(&mut q, |p| p[2] = p[0] + p[1]),
        2 => each(&mut q, |p| *p = [p[0], 2.0 * p[0], -p[0]]),
        // Only the first point moves; nothing moves; everything moves by one vector, but for the first point.
        3 => (1..4).for_each(|i| q[1][i] = q[0][i]),
        4 => q[1] = q[0],
        5 => {
            let d = q[1][0];
            (1..4).for_each(|i| q[1][i] = std::array::from_fn(|k| q[0][i][k] + d[k]));
        }
        // Two points coincide at the start, at the end, throughout.
        6 => q[0][2] = q[0][1],
        7 => q[1][3] = q[1][2],
        8 => (0..2).for_each(|f| q[f][2] = q[f][1]),
        // The first and the second change places: they meet half-way.
        9 => (q[1][0], q[1][1]) = (q[0][1], q[0][0]),
        // Flat at the start, or at the end.
        10 => q[0].iter_mut().for_each(|p| p[1] = 1.0),
        11 => q[1].iter_mut().for_each(|p| p[0] = p[1]),
        _ => {}
    }
    q
}

fn each(q: &mut Query, f: impl FnMut(&mut Point)) {
    q.as_flattened_mut().iter_mut().for_each(f);
}

/// How many queries a run takes: `CRUMPLE_CCD_QUERIES`, or a few thousand.
pub fn how_many(few: u64) -> u64 {
    number("CRUMPLE_CCD_QUERIES", few)
}

/// `CRUMPLE_CCD_SEED`, or 1.
pub fn seed() -> u64 {
    number("CRUMPLE_CCD_SEED", 1)
}

/// What an environment variable says, or else this.
pub fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}
