//! A substep that closes no gap: the first half of the proof that nothing crosses.
//!
//! Every near pair keeps a gap along its direction: side a above side b. Where a substep would close it, both sides are pushed
//! apart; where that does not do, their vertices go a shorter part of their way, in the end none of it. At the start of the
//! substep every gap is there, so that this ends: shares only shrink, in few sizes, and a pair whose vertices all
//! stay has its gap.

use glam::DVec3;

use super::{Contacts, Pair};
use crate::world::State;

/// How often pushing apart is tried.
const PUSHES: u32 = 6;
/// How often a share is halved before it is 0.
const HALVINGS: i32 = 6;

/// What was held back.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// Vertices that go a shorter way.
    pub vertices: usize,
    /// Pairs that held them.
    pub by: Vec<u32>,
}

impl Contacts {
    /// Makes the substep from `start` to `x` keep every gap. After the first round only pairs are looked at of which a vertex was moved since:
    /// the others have their gap still.
    pub fn certify(&mut self, state: &mut State) -> Held {
        self.measure_drift(&state.x);
        let State { x, start, w, .. } = state;
        let Self { pairs, ends, slack, touched, drift, .. } = self;
        let mut is_any = false;
        for (i, own) in ends.iter().enumerate() {
            // What this round moves is looked at in the next, so that the drift before it will do.
            if slack[i] >= own.gone(drift) {
                continue;
            }
            let pair = &mut pairs[i];
            let mut gap = pair.gap(x);
            if gap < pair.need() {
                // Things slid: the direction as it was when the substep began may part them still.
                pair.turn(start);
                slack[i] = pair.slack();
                gap = pair.gap(x);
            }
            if gap < pair.need() {
                if !std::mem::replace(&mut is_any, true) {
                    touched.begin(ends, x.len());
                }
                pair.open(pair.need() - gap, x, w);
                pair.v.iter().for_each(|&v| touched.mark(v, i));
            }
        }
        for _ in 1..PUSHES {
            if !is_any {
                return Held::default();
            }
            is_any = false;
            touched.turn();
            let mut from = 0;
            while let Some(i) = touched.first_from(from) {
                from = i + 1;
                let pair = &pairs[i];
                let gap = pair.gap(x);
                if gap < pair.need() {
                    is_any = true;
                    pair.open(pair.need() - gap, x, w);
                    pair.v.iter().for_each(|&v| touched.mark(v, i));
                }
            }
        }
        if is_any { self.hold_back(x, start) } else { Held::default() }
    }

    fn hold_back(&mut self, x: &mut [DVec3], start: &[DVec3]) -> Held {
        let Self { pairs, touched, .. } = self;
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
                let pair = &pairs[i];
                if pair.gap(x) >= pair.need() {
                    continue;
                }
                let v = pair.v.map(|v| v as usize);
                let least = v.iter().map(|&v| share[v]).fold(1.0, f64::min);
                let less = if least > 0.5_f64.powi(HALVINGS) { 0.5 * least } else { 0.0 };
                for v in v {
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
                return held;
            }
        }
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
}
