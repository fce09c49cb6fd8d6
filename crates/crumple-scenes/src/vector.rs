//! The little 3-vector arithmetic that shapes and motions need, on plain arrays.
//!
//! Only additions, multiplications, divisions and square roots, which IEEE 754 rounds alike everywhere; angles go
//! through [`crate::trig`]. So positions are the same, bit for bit, on every platform.

use crate::{Rng, trig};

/// A position or a direction: x, y, z.
pub type Point = [f64; 3];

/// `a + b`.
pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`.
pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a` times `s`.
pub fn scale(a: Point, s: f64) -> Point {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// `a` times `b`, axis by axis.
pub fn mul(a: Point, b: Point) -> Point {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

/// Scalar product.
pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length.
pub fn norm(a: Point) -> f64 {
    dot(a, a).sqrt()
}

/// `a` at length 1; the zero vector becomes the x axis, so that no caller meets a NaN.
pub fn unit(a: Point) -> Point {
    let n = norm(a);
    if n > 0.0 { scale(a, 1.0 / n) } else { [1.0, 0.0, 0.0] }
}

/// The point at share `t` of the way from `a` to `b`.
pub fn lerp(a: Point, b: Point, t: f64) -> Point {
    add(a, scale(sub(b, a), t))
}

/// Smallest and largest coordinates of some points; both zero when there is none.
pub fn bounds(points: &[Point]) -> (Point, Point) {
    let Some(&first) = points.first() else { return ([0.0; 3], [0.0; 3]) };
    points.iter().fold((first, first), |(lo, hi), p| {
        (std::array::from_fn(|k| lo[k].min(p[k])), std::array::from_fn(|k| hi[k].max(p[k])))
    })
}

/// Six times the signed volume of the tet `a b c d`; positive when `d` sees `a b c` counter-clockwise from behind.
pub fn det(a: Point, b: Point, c: Point, d: Point) -> f64 {
    dot(cross(sub(b, a), sub(c, a)), sub(d, a))
}

/// A rotation matrix, row after row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rotation([Point; 3]);

impl Rotation {
    /// No rotation.
    pub const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// By `angle` (radians) about `axis`, counter-clockwise seen from the axis' tip.
    pub fn about(axis: Point, angle: f64) -> Self {
        let a = unit(axis);
        let (s, w) = trig::sin_cos(0.5 * angle);
        Self::from_quaternion([w, s * a[0], s * a[1], s * a[2]])
    }

    /// Uniformly distributed over all rotations.
    pub fn random(rng: &mut Rng) -> Self {
        // A uniform point of the 4-ball by rejection; about one try in three succeeds.
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| rng.range(-1.0, 1.0));
            let n = q.iter().map(|x| x * x).sum::<f64>();
            if (1e-4..=1.0).contains(&n) {
                let n = n.sqrt();
                return Self::from_quaternion(q.map(|x| x / n));
            }
        }
    }

    fn from_quaternion([w, x, y, z]: [f64; 4]) -> Self {
        Self([
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ])
    }

    /// The rotated point.
    pub fn apply(&self, p: Point) -> Point {
        self.0.map(|row| dot(row, p))
    }

    /// First `first`, then this one.
    pub fn after(&self, first: &Self) -> Self {
        Self(std::array::from_fn(|r| {
            std::array::from_fn(|c| (0..3).map(|k| self.0[r][k] * first.0[k][c]).sum())
        }))
    }
}
