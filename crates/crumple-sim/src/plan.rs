//! How far to look for what things may meet, and for how long that holds.
//!
//! Near pairs are looked for within a radius. The further things go against each other, the larger it must be, and the more pairs there
//! are; so it is chosen for what will happen in the next frames, up to a part of an edge. It holds until two features
//! can have come closer by that much, however many substeps or frames that takes.

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
    /// The search radius of every body; two bodies are searched within the mean of theirs.
    pub radii: Vec<f64>,
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
    /// Chooses the radii for the time that is left of a step of `dt`, and more if they can be had.
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
        let radii = self.choose_radii(&pairs, time);
        self.watch = Watch { anchor: self.state.x.clone(), radii, time, beside: Vec::new() };
    }

    /// The smallest radii for which pairs of bodies are searched as far as they may go against each other in a time.
    fn choose_radii(&self, pairs: &[[usize; 2]], time: f64) -> Vec<f64> {
        let needs = |&[a, b]: &[usize; 2]| {
            let mut way: f64 = 0.0;
            self.motions.descend([a, b], |p, q| {
                let most = MARGIN * p.difference(q) * time;
                let matters = most > way && most >= p.distance(q);
                if matters && p.is_leaf() && q.is_leaf() {
                    way = most;
                }
                matters
            });
            let [a, b] = [a, b].map(|b| &self.bodies[b]);
            0.5 * a.thickness + 0.5 * b.thickness + way + SLACK * a.edge.min(b.edge)
        };
        let mut radii = vec![0.0_f64; self.bodies.len()];
        let is_led = |b: usize| self.bodies[b].is_led();
        for pair in pairs.iter().filter(|p| !p.iter().any(|b| is_led(*b))) {
            let need = needs(pair);
            pair.iter().for_each(|&b| radii[b] = radii[b].max(need));
        }
        // What is led is not searched against itself, so it takes what the others leave.
        for pair in pairs.iter().filter(|p| p.iter().any(|b| is_led(*b))) {
            let [led, other] = if is_led(pair[0]) { *pair } else { [pair[1], pair[0]] };
            radii[led] = radii[led].max(2.0 * needs(pair) - radii[other]);
        }
        radii
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
        for [a, b] in self.body_pairs() {
            // What is looked at is closer than the mean of the radii, exactly; a little less stands for rounding here.
            let radius = (0.5 * self.watch.radii[a] + 0.5 * self.watch.radii[b]) * (1.0 - 1e-9);
            self.motions.descend([a, b], |p, q| {
                let closer = p.difference(q);
                let may_meet =
                    out.len() <= most && closer >= radius && closer >= p.distance(q) * (1.0 - 1e-9);
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
