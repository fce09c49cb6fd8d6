//! A stretch of substeps that closes no gap: the first half of the proof that nothing crosses.
//!
//! Every near pair keeps a gap along its direction, or along one that turns as the two do: side a above side b. Where a stretch would close
//! it, both sides are pushed apart; where that does not do, their vertices go a shorter part of their way, in the end none of it. At the
//! start of the stretch every gap is there, so that this ends: shares only shrink, in few sizes, and a pair whose vertices all stay has
//! its gap.

use glam::DVec3;

use super::{Contacts, Pair};
use crate::world::State;

/// How often pushing apart is tried.
const PUSHES: u32 = 6;
/// How often a share is halved before it is 0.
const HALVINGS: i32 = 6;
/// The part of a thickness by which a pair may be pushed apart after several substeps, to which elastic forces have not answered.
const DEEP: f64 = 0.5;
/// The same of a pair that came in beside since: in the substeps nothing was in its way.
const DEEP_BESIDE: f64 = 0.25;
/// How often the speeds of what was pushed apart are gone through.
const STOPS: u32 = 2;

/// What was held back.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// Vertices that go a shorter way.
    pub vertices: usize,
    /// Pairs that held them.
    pub by: Vec<u32>,
    /// Whether so much is in the way that the stretch should be a shorter one.
    pub is_too_long: bool,
}

/// How a stretch may be made to keep every gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// By pushing apart a little: what pushes further or holds back is a matter of single substeps.
    Push,
    /// By whatever is needed.
    Any,
}

impl Held {
    /// Adds what was held back later.
    pub fn add(&mut self, more: Self) {
        self.vertices += more.vertices;
        self.by.extend(more.by);
        self.is_too_long |= more.is_too_long;
    }
}

impl Contacts {
    /// Makes the stretch from `start` to where things are keep every gap, of which those of the pairs before `first` are kept already. After the
    /// first round only pairs are looked at of which a vertex was moved since: the others have their gap still.
    pub fn certify(&mut self, state: &mut State, start: &[DVec3], first: usize, means: Means) -> Held {
        let too_long = Held { is_too_long: true, ..Held::default() };
        let State { x, v, w, .. } = state;
        let Self { pairs, guards, ways, beyond, aimed_at, touched, opened, aimed, .. } = self;
        opened.clear();
        // What this round moves is looked at in the next, so that how far things are before it will do.
        ways.measure(x, aimed_at);
        ways.beyond(&guards[first..], beyond);
        let mut is_any = false;
        for i in beyond.iter().map(|i| first + *i as usize) {
            let pair = &mut pairs[i];
            let mut gap = pair.gap(x);
            if gap < pair.need() || pair.is_turned() {
                // Things slid: the direction as it was when the stretch began may part them still.
                pair.turn(start);
                guards[i] = pair.guard();
                gap = pair.gap(x);
            }
            if gap < pair.need() && pair.parts_turning(start, x) {
                pair.set_turned();
            } else if gap < pair.need() {
                let deep = if i < *aimed { DEEP } else { DEEP_BESIDE };
                if means == Means::Push && pair.need() - gap > deep * f64::from(pair.thickness) {
                    return too_long;
                }
                if !std::mem::replace(&mut is_any, true) {
                    touched.begin(guards, x.len());
                }
                pair.open(pair.need() - gap, x, w);
                opened.push(i as u32);
                pair.v.iter().for_each(|&v| touched.mark(v, i));
            }
        }
        for _ in 1..PUSHES {
            if !is_any {
                break;
            }
            is_any = false;
            touched.turn();
            let mut from = 0;
            while let Some(i) = touched.first_from(from) {
                from = i + 1;
                let pair = &mut pairs[i];
                let gap = pair.gap(x);
                if gap < pair.need() {
                    if pair.parts_turning(start, x) {
                        pair.set_turned();
                        guards[i] = pair.guard();
                        continue;
                    }
                    is_any = true;
                    pair.open(pair.need() - gap, x, w);
                    opened.push(i as u32);
                    pair.v.iter().for_each(|&v| touched.mark(v, i));
                }
            }
        }
        if is_any && means == Means::Push {
            return too_long;
        }
        opened.sort_unstable();
        opened.dedup();
        for _ in 0..STOPS {
            opened.iter().for_each(|&i| pairs[i as usize].stop(v, w));
        }
        if is_any { self.hold_back(x, v, start) } else { Held::default() }
    }

    fn hold_back(&mut self, x: &mut [DVec3], v: &mut [DVec3], start: &[DVec3]) -> Held {
        let Self { pairs, guards, touched, .. } = self;
        let end = x.to_vec();
        let mut share = vec![1.0_f64; x.len()];
        let mut held = Held::default();
        // What the last push moved is looked at first, then what was held back since.
        loop {
            let mut any = false;
            touched.turn();
            let mut from = 0;
            while let Some(i) = touched.first_from(from) {
                from = i + 1;
                let pair = &mut pairs[i];
                if pair.gap(x) >= pair.need() {
                    continue;
                }
                if pair.parts_turning(start, x) {
                    pair.set_turned();
                    guards[i] = pair.guard();
                    continue;
                }
                let corners = pair.v.map(|v| v as usize);
                let least = corners.iter().map(|&v| share[v]).fold(1.0, f64::min);
                let less = if least > 0.5_f64.powi(HALVINGS) { 0.5 * least } else { 0.0 };
                for v in corners {
                    if share[v] > less {
                        any = true;
                        held.vertices += usize::from(share[v] == 1.0);
                        share[v] = less;
                        x[v] = if less == 0.0 { start[v] } else { start[v] + (end[v] - start[v]) * less };
                        touched.mark(v as u32, i);
                    }
                }
                if held.by.len() < 8 && !held.by.contains(&(i as u32)) {
                    held.by.push(i as u32);
                }
            }
            if !any {
                break;
            }
        }
        // What went a part of its way was that much slower.
        v.iter_mut().zip(share).filter(|(_, share)| *share < 1.0).for_each(|(v, share)| *v *= share);
        held
    }
}

impl Pair {
    /// Moves both sides apart, the lighter one more.
    fn open(&self, by: f64, x: &mut [DVec3], w: &[f64]) {
        let v = self.v.map(|v| v as usize);
        let split = self.split();
        // Sides move as wholes, so that momentum stays; one of which a vertex is pinned does not.
        let side = |v: &[usize]| 1.0 / v.iter().map(|&v| 1.0 / w[v]).sum::<f64>();
        let (a, b) = (side(&v[..split]), side(&v[split..]));
        if a + b <= 0.0 {
            return;
        }
        // A little more than needed, so that rounding does not ask again.
        let push = self.normal() * (1.001 * by / (a + b));
        v[..split].iter().for_each(|&v| x[v] += push * a);
        v[split..].iter().for_each(|&v| x[v] -= push * b);
    }

    /// Takes away the speed at which both sides come nearer, and adds none at which they part: an impulse without a rebound.
    fn stop(&self, v: &mut [DVec3], w: &[f64]) {
        let (corners, c, n) = (self.v.map(|v| v as usize), self.weights(), self.normal());
        let speed: f64 = (0..4).map(|i| n.dot(v[corners[i]]) * c[i]).sum();
        let sum: f64 = (0..4).map(|i| w[corners[i]] * c[i] * c[i]).sum();
        if speed < 0.0 && sum > 0.0 {
            (0..4).for_each(|i| v[corners[i]] -= n * (speed / sum * w[corners[i]] * c[i]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Meeting;
    use crate::contact::pair::Kind;

    #[test]
    fn what_is_stopped_does_not_rebound() {
        let x = [[0.3, 0.3, 0.1], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(DVec3::from_array);
        let (mass, w) = ([2.0, 1.0, 1.0, 4.0], [0.5, 1.0, 1.0, 0.25]);
        let meeting = Meeting { thickness: 0.2, friction: 0.0 };
        let mut pair = Pair::new(Kind::VertexTriangle, [0, 1, 2, 3], meeting);
        pair.aim_anew(f64::NEG_INFINITY, &x);
        let sum = |v: &[DVec3; 4]| v.iter().zip(mass).map(|(v, m)| *v * m).sum::<DVec3>();
        let energy = |v: &[DVec3; 4]| v.iter().zip(mass).map(|(v, m)| m * v.length_squared()).sum::<f64>();
        let speed = |v: &[DVec3; 4]| (0..4).map(|i| pair.normal().dot(v[i]) * pair.weights()[i]).sum::<f64>();
        let falls = [DVec3::new(1.0, 0.0, -3.0), DVec3::Z, DVec3::ZERO, DVec3::X];
        let mut v = falls;
        pair.stop(&mut v, &w);
        assert!(speed(&falls) < -2.0 && speed(&v).abs() < 1e-12, "{}", speed(&v));
        assert!((sum(&v) - sum(&falls)).length() < 1e-12);
        assert!(energy(&v) < energy(&falls));
        // What goes apart goes on as it did.
        let rises = falls.map(|v| -v);
        let mut v = rises;
        pair.stop(&mut v, &w);
        assert_eq!(v, rises);
    }
}
