//! How bodies move from frame to frame, and by how much two of them can have come closer.
//!
//! What two bodies do together brings them no closer. Taking the box of all displacements of each, that is seen of shifts
//! but not of turns: bodies that turn as one seem to run into each other, the faster the larger they are. So each body's
//! motion is also split into a rigid one, fitted to some vertices, and what is left of all others' displacements. Seen
//! from one body that moves rigidly, the other shows its own rigid motion less that, and what is left of both.

use glam::{DMat3, DVec3};

use crate::geometry::simd::{F64x4, multiversion};
use crate::geometry::{Aabb, Point};

/// Where a body's vertices went since the frame before: the box of their displacements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Motion {
    pub min: Point,
    pub max: Point,
}

impl Motion {
    /// By how much a point that moves like this may have come closer to one that moves like the other.
    ///
    /// The largest difference of displacements, axis by axis; what both share brings them no closer. A point of a triangle
    /// moves by a mean of its corners' steps, so the box of those holds it.
    pub fn approach(&self, other: &Self) -> f64 {
        let (p, q) = (self, other);
        let square: f64 =
            (0..3).map(|k| (p.max[k] - q.min[k]).abs().max((q.max[k] - p.min[k]).abs())).map(|x| x * x).sum();
        // Differences are off by 2^-53 of themselves.
        square.sqrt() * (1.0 + 1e-14)
    }

    fn of(steps: impl Iterator<Item = DVec3>) -> Self {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        steps.for_each(|s| (min, max) = (min.min(s), max.max(s)));
        Self { min: min.to_array(), max: max.to_array() }
    }

    fn size(&self) -> DVec3 {
        DVec3::from_array(self.max) - DVec3::from_array(self.min)
    }
}

/// A rigid motion that a body follows more or less, and what is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RigidMotion {
    /// The middle of the body's box before, and where the motion takes it.
    from: DVec3,
    to: DVec3,
    turn: DMat3,
    /// Half the size of that box.
    half: DVec3,
    /// How far vertices went beyond the motion.
    left: Motion,
}

/// Vertices to which a rigid motion is fitted, about.
const SAMPLES: usize = 16;

/// More than the rounding of a place computed here, as a part of the lengths that it is computed from.
const DOUBT: f64 = 1e-14;

impl RigidMotion {
    /// Fits a motion to a body that went from one place to the other; the box is that of the used vertices before. Without
    /// turning when that leaves no more than twice as much.
    pub fn of(before: &[Point], now: &[Point], extent: &Aabb, steps: Motion) -> Self {
        let [min, max] = [extent.min, extent.max].map(DVec3::from_array);
        let from = 0.5 * min + 0.5 * max;
        let mut fitted = Self { from, to: from, turn: DMat3::IDENTITY, half: max - from, left: steps };
        let some = (before.len() / SAMPLES).max(1);
        let sampled = || before.iter().zip(now).step_by(some).map(|(p, q)| vectors(p, q));
        let Some((to, turn)) = fit(from, sampled) else { return fitted };
        let left = |(p, q): (DVec3, DVec3)| (q - to) - turn * (p - from);
        let shifted = Motion::of(sampled().map(|(p, q)| q - p));
        if 2.0 * Motion::of(sampled().map(left)).size().length() > shifted.size().length() {
            return fitted;
        }
        let all = remainder(before, now, from, to, turn);
        let doubt = DOUBT * (fitted.half + all.size()).element_sum();
        (fitted.to, fitted.turn) = (to, turn);
        fitted.left = Motion { min: all.min.map(|x| x - doubt), max: all.max.map(|x| x + doubt) };
        fitted
    }

    /// By how much points of two bodies may have come closer.
    pub fn approach(&self, other: &Self) -> f64 {
        self.seen_from(other).approach(&other.left).min(other.seen_from(self).approach(&self.left))
    }

    /// How far vertices went beyond the rigid motion of the other.
    fn seen_from(&self, other: &Self) -> Motion {
        let apart = self.from - other.from;
        let shift = (self.to - other.to) - other.turn * apart;
        let turn = self.turn - other.turn;
        let spread = turn.x_axis.abs() * self.half.x
            + turn.y_axis.abs() * self.half.y
            + turn.z_axis.abs() * self.half.z;
        // A box that two bodies of the scene fit in times 1e-14 is what distances of its own are off by anyway.
        let spread = spread + DOUBT * (apart.abs() + shift.abs() + self.half).element_sum();
        let (min, max) = (DVec3::from_array(self.left.min), DVec3::from_array(self.left.max));
        Motion { min: (min + shift - spread).to_array(), max: (max + shift + spread).to_array() }
    }
}

multiversion! {
    /// Looks how far vertices went beyond a rigid motion.
    fn remainder<S: Simd>(
        simd: S,
        before: &[Point],
        now: &[Point],
        from: DVec3,
        to: DVec3,
        turn: DMat3,
    ) -> Motion {
        let splat = |x: f64| S::F64x4::splat(simd, x);
        let (from, to, turn) = (from.to_array(), to.to_array(), turn.to_cols_array_2d());
        let (mut least, mut most) = ([splat(f64::INFINITY); 3], [splat(f64::NEG_INFINITY); 3]);
        let last = before.len().saturating_sub(1);
        for first in (0..before.len()).step_by(4) {
            // Pad with the last point; min and max do not change.
            let at = |i: usize| if first + i < last { first + i } else { last };
            let [a, b, c, d] = [at(0), at(1), at(2), at(3)];
            let four = |of: &[Point], k: usize| {
                S::F64x4::from_array(simd, [of[a][k], of[b][k], of[c][k], of[d][k]])
            };
            let x = [
                four(before, 0) - splat(from[0]),
                four(before, 1) - splat(from[1]),
                four(before, 2) - splat(from[2]),
            ];
            for k in 0..3 {
                let there = splat(turn[0][k]) * x[0] + splat(turn[1][k]) * x[1] + splat(turn[2][k]) * x[2];
                let left = four(now, k) - splat(to[k]) - there;
                least[k] = left.min(least[k]);
                most[k] = left.max(most[k]);
            }
        }
        let (mut min, mut max, mut four) = ([0.0; 3], [0.0; 3], [0.0; 4]);
        for k in 0..3 {
            least[k].store(&mut four);
            min[k] = four.iter().copied().fold(f64::INFINITY, f64::min);
            most[k].store(&mut four);
            max[k] = four.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        }
        Motion { min, max }
    }
}

fn vectors(p: &Point, q: &Point) -> (DVec3, DVec3) {
    (DVec3::from_array(*p), DVec3::from_array(*q))
}

/// The rigid motion nearest to the displacements, if there is a single one: where it takes `from`, and how it turns.
fn fit<S: Iterator<Item = (DVec3, DVec3)>>(from: DVec3, places: impl Fn() -> S) -> Option<(DVec3, DMat3)> {
    let (mut count, mut mean, mut step) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for (p, q) in places() {
        count += 1.0;
        mean += p - from;
        step += q - p;
    }
    (mean, step) = (mean / count, step / count);
    // Small turns: the displacement at r is w × r, and the least squares have the inertia of the vertices.
    let (mut inertia, mut moment) = (DMat3::ZERO, DVec3::ZERO);
    for (p, q) in places() {
        let r = p - from - mean;
        inertia += DMat3::from_diagonal(DVec3::splat(r.length_squared()));
        inertia -= DMat3::from_cols(r * r.x, r * r.y, r * r.z);
        moment += r.cross(q - p - step);
    }
    let half = inertia.inverse() * moment * 0.5;
    // Half a turn at most in a step; NaN where the inertia has no inverse.
    if half.is_nan() || half.length_squared() > 1.0 {
        return None;
    }
    // Cayley's rotation: orthogonal whatever the vector.
    let across = DMat3::from_cols(
        DVec3::new(0.0, half.z, -half.y),
        DVec3::new(-half.z, 0.0, half.x),
        DVec3::new(half.y, -half.x, 0.0),
    );
    let turn = DMat3::IDENTITY + (across + across * across) * (2.0 / (1.0 + half.length_squared()));
    Some((from + mean + step - turn * mean, turn))
}
