//! Two groups of triangles that have a vertex or an edge in common, and a plane through it that parts them.
//!
//! # The rule
//! Let A and B have exactly the vertices S in common: s, or s and r. Let w be a fixed unit vector, d ≥ 0 a distance, and write
//! h(p) = w·(p − s), all points moving. Let ε = h(r), l ≤ min(0, ε) and u ≥ max(0, ε) at all times; without r all three are 0. *If
//! at both ends of the step α(p) = l − h(p) > d for every other vertex p of A, and α(q) = h(q) − u > d for every other vertex q of B,
//! and, where there is r, one of the two conditions below holds, then a feature f of A and a feature g of B without a common vertex are further apart than d at all times.*
//!
//! h is linear in time, so what holds at both ends holds throughout; ε and the distances |p − s| are at most the larger of those at
//! the ends. Take a point x of f and y of g, convex combinations of vertices.
//!
//! * f has no vertex of S: h(x) < l − d, and h(y) ≥ l, so they are further apart than d. The same if g has none.
//! * Otherwise f has one of S and g the other, say s and r (with r and s the same follows). Let λ be the weight of
//!   f's other vertices in x, μ that of g's in y, and H = Σ λᵢ α(pᵢ) + Σ μⱼ α(qⱼ). Then h(y) − h(x) ≥ H − |ε|.
//!
//!   1. *Steep*: d (1 + κ) + κ |ε| < |r − s|, with κ ≥ |p − s|/α(p), |p − r|/α(p) of all other vertices at all times. Then |x − s| ≤
//!      κ Σ λᵢ α(pᵢ) and |y − r| ≤ κ Σ μⱼ α(qⱼ), so |x − y| ≥ |r − s| − κ H, and of the two bounds one is at least
//!      (|r − s| − κ |ε|)/(1 + κ) > d.
//!   2. *Not overhanging*: let v be the direction of the edge, L ≤ v·(r − s), and let C ≥ v·(p − s), C' ≥ v·(r − p) of all other
//!      vertices at all times, both positive. v·(y − x) ≥ L − μ C' − λ C. So if x and y are no further apart than d, λ C + μ C' ≥ L − d, and
//!      with λ ≤ 1 and μ ≤ 1 it follows that μ ≥ (L − d − C)/C' and λ ≥ (L − d − C')/C. If the sum of these two (where they are not
//!      negative) times the least α exceeds d + |ε|, so does H: a contradiction. ∎
//!
//! # Which plane
//! Directions from s, half-way through the step, are looked at along an axis: the edge; or, without r, the normal of the plane of both
//! groups' mean directions, and those of the coordinates, along which the groups were cut. Round that axis each group spans angles.
//! If those of A end before those of B begin, the plane in the middle is tried. Any plane is sound; one that does not do is found out by the rule.
//!
//! # Rounding
//! h of a difference has the roundings of the difference, a product and two sums: 4u Σ |wₖ| |pₖ − sₖ|; 6u and 2^-760 for
//! underflow are taken, u = 2^-53. |w| and the direction of the edge are 1 up to 8u, and distances are taken as √3 times the
//! largest component: both are covered by requiring 1.001 times as much.

use super::hubs::unit;
use crate::geometry::Point;
use crate::geometry::vector::{cross, dot, max, max_abs, min, sub};
use crate::patches::Patches;
use std::ops::Range;

/// Covers the roundings of lengths.
const MORE: f64 = 1.001;
/// More than all products that underflow amount to: 2^-760.
const TINY: f64 = f64::from_bits((1023 - 760) << 52);

/// Where the vertices of a body are at the start and at the end of a step, and a distance.
#[derive(Clone, Copy)]
pub(super) struct Parting<'a> {
    pub ends: [&'a [Point]; 2],
    pub distance: f64,
}

impl Parting<'_> {
    /// Whether features of two runs of patches that have no vertex in common certainly stay further apart than the distance,
    /// throughout the step; or do not touch, if that is 0.
    pub fn are_parted(&self, patches: &Patches, [a, b]: [Range<usize>; 2]) -> bool {
        let [mut a, mut b] = [a, b].map(|run| members(patches, run));
        let shared: Vec<u32> = a.iter().copied().filter(|v| b.binary_search(v).is_ok()).take(3).collect();
        let (s, r) = match shared[..] {
            [s] => (s, None),
            [s, r] => (s, Some(r)),
            _ => return false,
        };
        a.retain(|v| !shared.contains(v));
        b.retain(|v| !shared.contains(v));
        let Some(seen) = self.directions(s, [&a, &b]) else { return false };
        let axes: &[Option<Point>] = match r {
            Some(r) => &[self.direction(s, r)],
            None => &[unit(cross(&seen.means[0], &seen.means[1])), X, Y, Z],
        };
        let mut planes = axes.iter().flatten().filter_map(|along| seen.plane(along));
        planes.any(|w| self.does_part(&w, s, r, [&a, &b]))
    }

    /// Where the other vertices of both groups are, seen from one.
    fn directions(&self, from: u32, of: [&[u32]; 2]) -> Option<Seen> {
        let [a, b] = of.map(|of| of.iter().map(|&v| self.direction(from, v)).collect::<Option<Vec<Point>>>());
        let all = [a?, b?];
        let means = [mean(&all[0])?, mean(&all[1])?];
        Some(Seen { all, means })
    }

    /// From one vertex to another, half-way; a vector of length 1.
    fn direction(&self, from: u32, to: u32) -> Option<Point> {
        let half = |v: u32| -> Point {
            std::array::from_fn(|k| 0.5 * self.ends[0][v as usize][k] + 0.5 * self.ends[1][v as usize][k])
        };
        unit(sub(&half(to), &half(from)))
    }

    /// The rule.
    fn does_part(&self, w: &Point, s: u32, r: Option<u32>, [a, b]: [&[u32]; 2]) -> bool {
        let height = |v: u32, end: usize| {
            let d = sub(&self.ends[end][v as usize], &self.ends[end][s as usize]);
            Height::of(w, &d)
        };
        let (mut low, mut high) = (0.0, 0.0);
        if let Some(r) = r {
            for h in [height(r, 0), height(r, 1)] {
                (low, high) = (min(low, h.value - h.off), max(high, h.value + h.off));
            }
        }
        let distance = MORE * self.distance;
        let (mut steepest, mut least) = (0.0, f64::INFINITY);
        for (side, of) in [a, b].into_iter().enumerate() {
            for &v in of {
                let h = [height(v, 0), height(v, 1)];
                let alpha =
                    |h: &Height| if side == 0 { low - h.value - h.off } else { h.value - h.off - high };
                let alpha = min(alpha(&h[0]), alpha(&h[1]));
                // Also false for what is no number.
                if alpha <= distance || alpha.is_nan() {
                    return false;
                }
                least = min(least, alpha);
                if let Some(r) = r {
                    let far = max(max(h[0].length, h[1].length), self.farthest(v, r));
                    steepest = max(steepest, far / alpha);
                }
            }
        }
        let Some(r) = r else { return true };
        let Some(along) = self.direction(s, r) else { return false };
        let off = max(high, -low);
        let edge = self.least_along(&along, s, r);
        MORE * (distance * (1.0 + steepest) + steepest * off) < edge
            || self
                .do_not_overhang(&along, [s, r], [a, b], edge - distance)
                .is_some_and(|share| share * least > MORE * (distance + off))
    }

    /// At most how far one vertex is beyond another along a vector, at either end.
    fn least_along(&self, along: &Point, from: u32, to: u32) -> f64 {
        let at = |end: usize| {
            let h = Height::of(along, &sub(&self.ends[end][to as usize], &self.ends[end][from as usize]));
            h.value - h.off
        };
        min(at(0), at(1))
    }

    /// The least sum of the weights λ and μ of points that are no further apart than `edge` along the edge, see the rule.
    fn do_not_overhang(
        &self,
        along: &Point,
        [s, r]: [u32; 2],
        [a, b]: [&[u32]; 2],
        edge: f64,
    ) -> Option<f64> {
        let (mut from_s, mut from_r) = (TINY, TINY);
        for &v in a.iter().chain(b) {
            from_s = max(from_s, -self.least_along(along, v, s));
            from_r = max(from_r, -self.least_along(along, r, v));
        }
        let share = max(0.0, (edge - from_s) / from_r) + max(0.0, (edge - from_r) / from_s);
        share.is_finite().then_some(share / MORE)
    }

    /// At least the largest distance of two vertices.
    fn farthest(&self, v: u32, w: u32) -> f64 {
        let at = |end: usize| length(&sub(&self.ends[end][v as usize], &self.ends[end][w as usize]));
        max(at(0), at(1))
    }
}

/// The axes of the coordinates.
const X: Option<Point> = Some([1.0, 0.0, 0.0]);
const Y: Option<Point> = Some([0.0, 1.0, 0.0]);
const Z: Option<Point> = Some([0.0, 0.0, 1.0]);

/// Directions from a vertex to those of two groups, and the means of both.
struct Seen {
    all: [Vec<Point>; 2],
    means: [Point; 2],
}

impl Seen {
    /// The normal of a plane along an axis that is likely to part the two groups.
    fn plane(&self, along: &Point) -> Option<Point> {
        let [a, b] = &self.means;
        let turn = sub(b, a);
        let part = dot(&turn, along);
        let up = unit(std::array::from_fn(|k| turn[k] - part * along[k]))?;
        let forward = cross(along, &up);
        let is_back = dot(&forward, a) + dot(&forward, b) < 0.0;
        let forward = if is_back { forward.map(|x| -x) } else { forward };
        let angle = |d: &Point| dot(d, &up).atan2(dot(d, &forward));
        let last = self.all[0].iter().map(angle).fold(f64::NEG_INFINITY, max);
        let mut first = f64::INFINITY;
        for d in &self.all[1] {
            first = min(first, angle(d));
            if first <= last {
                return None;
            }
        }
        let (sin, cos) = (0.5 * (last + first)).sin_cos();
        unit(std::array::from_fn(|k| cos * up[k] - sin * forward[k]))
    }
}

/// A difference along a vector: its value, how much that may be off, and at least the length of the difference.
struct Height {
    value: f64,
    off: f64,
    length: f64,
}

impl Height {
    fn of(w: &Point, d: &Point) -> Self {
        const UNIT: f64 = f64::EPSILON / 2.0;
        let size = (0..3).map(|k| (w[k] * d[k]).abs()).sum::<f64>();
        Height { value: dot(w, d), off: 6.0 * UNIT * size + TINY, length: length(d) }
    }
}

/// At least the length of a vector, and little more.
fn length(d: &Point) -> f64 {
    1.7321 * max_abs(max_abs(d[0], d[1]), d[2])
}

/// The vertices of some patches, ascending.
fn members(patches: &Patches, run: Range<usize>) -> Vec<u32> {
    let mut all: Vec<u32> = run.flat_map(|patch| patches.vertices(patch)).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The mean of some vectors; `None` of none.
fn mean(of: &[Point]) -> Option<Point> {
    let sum = of.iter().fold([0.0; 3], |sum, d| std::array::from_fn(|k| sum[k] + d[k]));
    (!of.is_empty()).then(|| sum.map(|x| x / of.len() as f64))
}
