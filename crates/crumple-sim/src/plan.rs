//! How far to look for what things may meet, and for how long that holds.
//!
//! Near pairs are looked for as far as vertices reach. The further things go against each other, the further that must be, and the more
//! pairs there are; so it is chosen patch by patch for what will happen there in the next frames, up to a part of an edge. It
//! holds until two features can have come closer by that much, however many substeps or frames that takes.

use glam::DVec3;

use crate::World;

/// How much further things may go than their speed at the beginning says.
const MARGIN: f64 = 1.3;
/// How far parts of a body may go against each other, in its edges: beyond two thirds of an edge every vertex is near its
/// neighbours' triangles.
const REACH: f64 = 0.22;
/// The same for two bodies, in edges of the finer one.
const REACH_BETWEEN: f64 = 0.8;
/// What is looked at beyond that anyway, in edges.
const SLACK: f64 = 0.06;
/// For how many steps to look ahead.
const AHEAD: f64 = 1.5;

/// Near pairs, and how long they are all that can meet.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Where everything was when they were looked for; empty when they must be looked for anew.
    pub anchor: Vec<DVec3>,
    /// How far every vertex reaches: two features are searched within the sum of the largest reaches of their corners.
    pub reach: Vec<f64>,
    /// How long it should hold.
    pub time: f64,
    /// Pairs of vertices that move so differently that all features at them are watched as well, in order.
    beside: Vec<[u32; 2]>,
}

/// How many pairs of vertices may be watched beside what was found, and how many more in one substep.
const BESIDE: [usize; 2] = [1500, 300];

impl Watch {
    /// Whether it is still what was looked for, and nothing beside.
    pub fn is_pure(&self) -> bool {
        self.beside.is_empty()
    }
}

impl World {
    /// Chooses the reaches for the time that is left of a step of `dt`, and more if they can be had.
    pub(crate) fn plan(&mut self, remaining: f64, dt: f64) {
        let horizon = AHEAD * dt;
        let gravity = DVec3::from_array(self.settings.gravity) * remaining;
        let state = &self.state;
        let mut rate: Vec<DVec3> = (0..state.x.len())
            .map(|v| if state.w[v] > 0.0 { state.v[v] + gravity } else { DVec3::ZERO })
            .collect();
        for body in &self.bodies {
            for (v, goal) in body.range().zip(body.goal.iter().flatten()) {
                rate[v] = (*goal - state.x[v]) / remaining;
            }
        }
        self.motions.enclose(&state.x);
        self.motions.measure(|v| rate[v]);
        let pairs = self.body_pairs();
        let mut time = horizon;
        for &pair in &pairs {
            let reach = self.reach(pair);
            self.motions.descend(pair, |a, b| {
                let speed = MARGIN * a.difference(b);
                let is_slow = speed * time <= reach || speed * time <= a.distance(b);
                if !is_slow && a.is_leaf() && b.is_leaf() {
                    time = reach.max(a.distance(b)) / speed;
                }
                !is_slow
            });
        }
        self.choose_reach(&pairs, time);
        self.watch.anchor.clone_from(&self.state.x);
        self.watch.time = time;
        self.watch.beside.clear();
    }

    /// The smallest reaches for which patches are searched as far as they may go against each other in a time.
    fn choose_reach(&mut self, pairs: &[[usize; 2]], time: f64) {
        let mut of_patch = vec![0.0_f64; self.motions.len()];
        for &pair in pairs {
            let most = self.reach(pair);
            self.motions.descend_patches(pair, |[i, j], [p, q], is_bottom| {
                let way = MARGIN * p.difference(q) * time;
                let matters = way >= p.distance(q);
                if matters && is_bottom {
                    let half = 0.5 * way.min(most);
                    of_patch[i] = of_patch[i].max(half);
                    of_patch[j] = of_patch[j].max(half);
                }
                matters
            });
        }
        let mut reach = std::mem::take(&mut self.watch.reach);
        reach.clear();
        for body in &self.bodies {
            let edge = if body.is_led() { 0.0 } else { body.edge };
            reach.extend(std::iter::repeat_n(0.5 * body.thickness + 0.5 * SLACK * edge, body.len()));
        }
        self.motions.set_reach(&of_patch, &mut reach);
        self.watch.reach = reach;
    }

    /// Pairs of bodies that can move against each other.
    fn body_pairs(&self) -> Vec<[usize; 2]> {
        let is_still = |b: usize| self.bodies[b].is_led();
        let all = (0..self.bodies.len()).flat_map(|b| (0..=b).map(move |a| [a, b]));
        all.filter(|&[a, b]| !(is_still(a) && is_still(b))).collect()
    }

    /// How far two bodies may go against each other.
    fn reach(&self, [a, b]: [usize; 2]) -> f64 {
        let reach = if a == b { REACH } else { REACH_BETWEEN };
        reach * self.bodies[a].edge.min(self.bodies[b].edge)
    }

    /// Whether nothing can have come near that was not when near pairs were looked for.
    pub(crate) fn is_watched(&mut self) -> bool {
        self.unwatched(0).is_some_and(|pairs| pairs.is_empty())
    }

    /// Pairs of vertices at which features may have come near that were not when near pairs were looked for, in order; `None` when
    /// there are more than `most`.
    fn unwatched(&mut self, most: usize) -> Option<Vec<[u32; 2]>> {
        let (x, anchor) = (&self.state.x, &self.watch.anchor);
        if anchor.len() != x.len() {
            return None;
        }
        self.motions.measure(|v| x[v] - anchor[v]);
        let mut out = Vec::new();
        for pair in self.body_pairs() {
            self.motions.descend(pair, |p, q| {
                let closer = p.difference(q);
                // What is looked at is closer than that, up to rounding, for which a little less stands here.
                let looked_at = (p.reach + q.reach) * (1.0 - 1e-9);
                let may_meet =
                    out.len() <= most && closer >= looked_at && closer >= p.distance(q) * (1.0 - 1e-9);
                if may_meet && p.is_leaf() && q.is_leaf() {
                    let [v, w] = [p, q].map(|leaf| self.motions.vertex(leaf));
                    let pair = [v.min(w), v.max(w)];
                    if self.watch.beside.binary_search(&pair).is_err() {
                        out.push(pair);
                    }
                }
                may_meet
            });
        }
        out.sort_unstable();
        (out.len() <= most).then_some(out)
    }

    /// Watches what may have come near in the substep to `x` and was not looked for, pair by pair, as it is at `start`. False when
    /// that is too much: then near pairs must be looked for anew.
    pub(crate) fn watch_beside(&mut self) -> bool {
        let most = BESIDE[1].min(BESIDE[0].saturating_sub(self.watch.beside.len()));
        let Some(fresh) = self.unwatched(most) else { return false };
        let pairs = self.pairs_at(&fresh);
        self.contacts.pairs.extend(pairs);
        self.watch.beside.extend(fresh);
        self.watch.beside.sort_unstable();
        true
    }
}
