//! How a body turned as a whole.
//!
//! A body that tumbles does not come nearer to itself. So within a body displacements are measured from where the body would be had it only
//! turned and gone on: with Q an isometry and X where vertices were, x = c + Q (X − C) + r, and two points come closer by at most the
//! difference of their r. On the straight way between two such states with Q and Q' everything is shortened by √(1 − |Q − Q'|²/4) at
//! most, since |(1−s) Q u + s Q' u|² = 1 − s (1−s) |Q u − Q' u|² for every unit vector u.

use glam::{DMat3, DVec3};

/// An isometry from where a body was to about where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    q: DMat3,
    from: DVec3,
    to: DVec3,
}

/// What is left of distances on the way from a turn to the next, at least: √(1 − 0.5²/4) is 0.9682.
pub(crate) const KEPT: f64 = 0.96;

/// How far two successive turns may differ (Frobenius' norm), about 20°.
const NEAR: f64 = 0.5;
/// How far a turn may be from an isometry.
const OFF: f64 = 1e-9;
/// Newton's steps: of a flat body the last axis is nearly lost, and every step halves what is too much of it.
const STEPS: usize = 16;

impl Turn {
    pub const NONE: Self = Self { q: DMat3::IDENTITY, from: DVec3::ZERO, to: DVec3::ZERO };

    /// Whether nothing turned.
    pub fn is_none(&self) -> bool {
        self.q == DMat3::IDENTITY
    }

    /// The turn that leaves least: the polar decomposition of the covariance, by Newton's iteration. Where that leaves the direction open, as
    /// of what is flat, or is not near the turn of the last stretch, that one stands: any isometry will do for the proof.
    pub fn of(was: &[DVec3], now: &[DVec3], last: &Self) -> Self {
        let per = 1.0 / was.len().max(1) as f64;
        let (from, to) = (was.iter().sum::<DVec3>() * per, now.iter().sum::<DVec3>() * per);
        let mut sum = DMat3::ZERO;
        for (p, q) in was.iter().zip(now) {
            let (p, q) = (*p - from, *q - to);
            sum.x_axis += q * p.x;
            sum.y_axis += q * p.y;
            sum.z_axis += q * p.z;
        }
        let size = norm(sum);
        let mut q = sum * (1.0 / size);
        for _ in 0..STEPS {
            q = (q + q.inverse().transpose()) * 0.5;
        }
        let off = norm(q.transpose() * q - DMat3::IDENTITY);
        // Not so if it is not a number.
        let is_next = off <= OFF && norm(q - last.q) <= NEAR;
        Self { q: if is_next { q } else { last.q }, from, to }
    }

    /// How far a vertex is from where it would be had the body only turned.
    #[inline]
    pub fn rest(&self, was: DVec3, now: DVec3) -> DVec3 {
        (now - self.to) - self.q * (was - self.from)
    }
}

/// Velocities without that of the body as a whole: what is left of `rate` at the places `x`.
pub(crate) fn without_spin(x: &[DVec3], rate: &[DVec3]) -> Vec<DVec3> {
    let per = 1.0 / x.len().max(1) as f64;
    let (centre, mean) = (x.iter().sum::<DVec3>() * per, rate.iter().sum::<DVec3>() * per);
    let (mut inertia, mut momentum) = (DMat3::ZERO, DVec3::ZERO);
    for (p, v) in x.iter().zip(rate) {
        let p = *p - centre;
        momentum += p.cross(*v - mean);
        let square = p.length_squared();
        inertia.x_axis += DVec3::X * square - p * p.x;
        inertia.y_axis += DVec3::Y * square - p * p.y;
        inertia.z_axis += DVec3::Z * square - p * p.z;
    }
    let spin = inertia.inverse() * momentum;
    let spin = if spin.is_finite() { spin } else { DVec3::ZERO };
    x.iter().zip(rate).map(|(p, v)| *v - mean - spin.cross(*p - centre)).collect()
}

fn norm(m: DMat3) -> f64 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a box that is longer than wide.
    fn corners() -> Vec<DVec3> {
        let at = |i: u32, bit: u32| f64::from(i >> bit & 1);
        (0..8).map(|i| DVec3::new(3.0 * at(i, 0), 2.0 * at(i, 1), at(i, 2))).collect()
    }

    #[test]
    fn what_only_turned_leaves_nothing() {
        let was = corners();
        let mut turn = Turn::NONE;
        for k in 1..10 {
            let q = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 2.0) / 3.0, 0.1 * f64::from(k));
            let now: Vec<DVec3> = was.iter().map(|p| q * *p + DVec3::new(5.0, -1.0, 2.0)).collect();
            turn = Turn::of(&was, &now, &turn);
            for (p, q) in was.iter().zip(&now) {
                assert!(turn.rest(*p, *q).length() < 1e-12);
            }
        }
        let spin = DVec3::new(0.3, -2.0, 1.0);
        let rate: Vec<DVec3> = was.iter().map(|p| spin.cross(*p) + DVec3::X).collect();
        assert!(without_spin(&was, &rate).iter().all(|v| v.length() < 1e-12));
    }

    #[test]
    fn what_is_flat_or_turns_fast_keeps_its_turn() {
        let flat: Vec<DVec3> = corners().iter().map(|p| DVec3::new(p.x, p.y, 0.0)).collect();
        let fast = DMat3::from_axis_angle(DVec3::Z, 1.0);
        for (was, now) in [
            (flat.clone(), flat.iter().map(|p| *p * 2.0).collect::<Vec<_>>()),
            (corners(), corners().iter().map(|p| fast * *p).collect()),
        ] {
            let turn = Turn::of(&was, &now, &Turn::NONE);
            assert_eq!(turn.q, DMat3::IDENTITY);
            assert!(turn.rest(was[0], now[0]).is_finite());
        }
    }

    #[test]
    fn straight_ways_between_near_turns_keep_what_is_said() {
        // Frobenius' norm of the difference of two turns by an angle is 2 √2 sin(angle / 2).
        let angle = 2.0 * (NEAR / 8.0_f64.sqrt()).asin();
        let half = DMat3::from_axis_angle(DVec3::Z, angle) * 0.5 + DMat3::IDENTITY * 0.5;
        assert!((half * DVec3::X).length() > KEPT + 0.005);
    }
}
