//! What may have come near that was not looked for: the second half of the proof that nothing crosses.
//!
//! Asked of every stretch, and of what a step will bring if everything goes on as it does. Where that is little it is watched from then on, pair
//! of vertices by pair of vertices, until the next step begins; otherwise it is stale, and looked for anew.

use glam::DVec3;

use crate::World;
use crate::order::{lower, smaller, upper};
use crate::plan::{KINDS, Looked, Stale, WITHIN};
use crate::turn::{KEPT, Turn};

/// How many pairs of vertices may be watched beside what was found, and how many more in one stretch.
const BESIDE: [usize; 2] = [1500, 300];

impl World {
    /// Whether it is known where everything was when near pairs were looked for.
    fn is_anchored(&self) -> bool {
        self.watch.kinds.iter().all(|k| k.anchor.len() == self.state.x.len())
    }

    /// What must be looked for when a step of `dt` begins: everything where nothing is known, that of which pairs were brought in beside
    /// those that were found (each pair of vertices brings some fifty of features, and others follow), and what will be stale before the
    /// step is over if everything goes on as it does.
    pub(crate) fn stale_at_start(&mut self, dt: f64) -> Stale {
        if !self.is_anchored() {
            return self.all_stale();
        }
        let mut stale = Stale::none(self.bodies.len());
        // While nothing had to be looked for, nothing is predicted: that costs as much as the proof.
        if self.last.passes > 0 {
            let then: Vec<DVec3> =
                self.state.x.iter().zip(self.rates(dt)).map(|(x, rate)| *x + rate * dt).collect();
            let now = std::mem::replace(&mut self.state.x, then);
            let (few, predicted) = self.unwatched(BESIDE[1], &vec![true; self.bodies.len()]);
            self.state.x = now;
            if few.is_empty() {
                stale = predicted;
            }
        }
        for pair in &self.watch.beside {
            let [a, b] = pair.map(|v| self.body_of[v as usize]);
            if a == b {
                stale.within[a as usize] = true;
            } else {
                let [a, b] = [a, b].map(|b| b as usize);
                if !stale.between[a] && !stale.between[b] {
                    stale.between[self.looked_for_anew([a, b], [0.0; 2])] = true;
                }
            }
        }
        stale
    }

    /// What may be near and was not looked for.
    pub(crate) fn stale_now(&mut self) -> Stale {
        self.unwatched(0, &vec![true; self.bodies.len()]).1
    }

    /// What may have come near in the stretch to `x` and was not looked for. If that is little, it is watched from now on, pair by pair as
    /// it is at its start, and gaps must be certified again: then it yields true. Bodies that are not asked about stay as they were when they were.
    pub(crate) fn watch_stretch(&mut self, from: &[DVec3], asked: &[bool]) -> (Stale, bool) {
        let most = BESIDE[1].min(BESIDE[0].saturating_sub(self.watch.beside.len()));
        let (fresh, stale) = self.unwatched(most, asked);
        if fresh.is_empty() {
            return (stale, false);
        }
        let pairs = self.pairs_at(&fresh, from);
        self.contacts.watch_more(pairs);
        self.watch.beside.extend(fresh);
        self.watch.beside.sort_unstable();
        (stale, true)
    }

    /// Pairs of vertices at which features may have come near that were not when near pairs were looked for, in order, and of what they
    /// are; no pairs when there are more than `most`.
    fn unwatched(&mut self, most: usize, asked: &[bool]) -> (Vec<[u32; 2]>, Stale) {
        if !self.is_anchored() {
            return (Vec::new(), self.all_stale());
        }
        let x = &self.state.x;
        let mut stale = Stale::none(self.bodies.len());
        let mut out = Vec::new();
        for b in (0..self.bodies.len()).filter(|&b| asked[b] && self.bodies[b].meets_itself()) {
            let anchor = &self.watch.kinds[WITHIN].anchor;
            let range = self.bodies[b].range();
            let last = &self.watch.turns[0][b];
            // What did not turn and hardly moved in itself needs no tree.
            let least = KEPT * 2.0 * self.motions[WITHIN].least_reach(b);
            if last.is_none() && spread(&anchor[range.clone()], &x[range.clone()]) < least {
                self.watch.turns[1][b] = *last;
                continue;
            }
            let (was, now) = (&anchor[range.clone()], &x[range.clone()]);
            let turn = Turn::of(was, now, last);
            self.watch.turns[1][b] = turn;
            // Nor does what no vertex has gone as far as it reaches but for the turn.
            if room(was, now, &self.watch.kinds[WITHIN].reach[range], KEPT, Some(&turn)) > 0.0 {
                continue;
            }
            self.motions[WITHIN].measure(b, |v| turn.rest(anchor[v], x[v]));
            stale.within[b] = self.unwatched_of(WITHIN, [b, b], most, &mut out);
        }
        // Bodies of which one has gone no further beyond its reach than the other has left need none either.
        let mut left: [Vec<f64>; KINDS] = std::array::from_fn(|_| vec![f64::NAN; self.bodies.len()]);
        let mut is_measured: [Vec<bool>; KINDS] = std::array::from_fn(|_| vec![false; self.bodies.len()]);
        for pair in self.body_pairs() {
            let [a, b] = pair;
            if !asked[a] && !asked[b] {
                continue;
            }
            let search = self.watch.search_of(pair);
            let Looked { anchor, reach, .. } = &self.watch.kinds[search];
            let left = &mut left[search];
            for body in pair {
                if left[body].is_nan() {
                    let r = self.bodies[body].range();
                    left[body] = room(&anchor[r.clone()], &x[r.clone()], &reach[r], 1.0 - 1e-9, None);
                }
            }
            if left[a] + left[b] > 0.0 {
                continue;
            }
            for body in pair {
                if !std::mem::replace(&mut is_measured[search][body], true) {
                    self.motions[search].measure(body, |v| x[v] - anchor[v]);
                }
            }
            let is_any = self.unwatched_of(search, pair, most, &mut out);
            if is_any && !stale.between[a] && !stale.between[b] {
                stale.between[self.looked_for_anew(pair, pair.map(|b| left[b]))] = true;
            }
        }
        if out.len() > most {
            out.clear();
        }
        out.sort_unstable();
        (out, stale)
    }

    /// Which of two bodies is looked for anew: the one with less left, and not one that is led, which may be a floor under all.
    fn looked_for_anew(&self, [a, b]: [usize; 2], left: [f64; 2]) -> usize {
        match [a, b].map(|b| self.bodies[b].is_led()) {
            [true, false] => b,
            [false, true] => a,
            _ if left[1] < left[0] => b,
            _ => a,
        }
    }

    /// The same of two bodies, appended; whether there are some. Stops soon after `most`.
    fn unwatched_of(&self, kind: usize, pair: [usize; 2], most: usize, out: &mut Vec<[u32; 2]>) -> bool {
        let motions = &self.motions[kind];
        // What is looked at is closer than that, up to rounding, for which a little less stands here.
        let kept = if kind == WITHIN { KEPT } else { 1.0 - 1e-9 };
        let mut is_any = false;
        motions.descend(pair, |p, q| {
            let may_meet = !(p.is_apart(q, kept) || is_any && out.len() > most);
            if may_meet && p.is_leaf() && q.is_leaf() {
                let [v, w] = [p, q].map(|leaf| motions.vertex(leaf));
                let pair = [v.min(w), v.max(w)];
                if self.watch.beside.binary_search(&pair).is_err() {
                    is_any = true;
                    out.push(pair);
                }
            }
            may_meet
        });
        is_any
    }
}

/// How much further any of some vertices may go: the least of what they reach, of which only the part `kept` counts, and have not gone
/// since, but for a turn. Rounded down.
fn room(from: &[DVec3], to: &[DVec3], reach: &[f64], kept: f64, turn: Option<&Turn>) -> f64 {
    let left = |((p, q), reach): ((&DVec3, &DVec3), &f64)| {
        let way = turn.map_or(*q - *p, |turn| turn.rest(*p, *q));
        kept * *reach - way.length() * (1.0 + 1e-12)
    };
    from.iter().zip(to).zip(reach).map(left).fold(f64::INFINITY, smaller)
}

/// No two of some vertices went further apart than this from where they were to each other.
fn spread(from: &[DVec3], to: &[DVec3]) -> f64 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (p, q) in from.iter().zip(to) {
        (low, high) = (lower(low, *q - *p), upper(high, *q - *p));
    }
    (high - low).length() * (1.0 + 1e-12)
}
