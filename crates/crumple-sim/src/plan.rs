//! How far to look for what things may meet, and for how long that holds.
//!
//! Near pairs are looked for as far as vertices reach. The further things go against each other, the further that must be, and the more
//! pairs there are; so it is chosen patch by patch for what will happen there in the next frames, up to a part of an edge. It
//! holds until two features can have come closer by that much, however many substeps or frames that takes.
//!
//! It is looked from where things will be half of that time later if they go on as they do: from there they are half as far away when they begin
//! and when they end as the whole way is long. Half the reach does, which finds 14,000 pairs of a falling cloth instead of 18,000, and 36,000
//! of a pile of soft bodies instead of 51,000.
//!
//! Pairs within each body and pairs between bodies are looked for apart: a body that flies turns and bends little but comes near others
//! fast, and what is known within it holds on while those are looked for. Between bodies what one of a pile does that moves more than the others is looked for
//! apart, too: pairs of two bodies belong to the search that found them last, and some searches are remembered.

use glam::DVec3;

use crate::body::Body;
use crate::motion::Motions;
use crate::order::{larger, smaller};
use crate::turn::{Turn, without_spin};
use crate::{Kind, World};

/// How much further things may go than their speed at the beginning says.
const MARGIN: f64 = 1.7;
/// How far parts of a body may go against each other, in its edges. Further, every vertex is near its neighbours' triangles; with 0.22
/// a cloth that swings is searched 3.5 times a frame, with this 1.4 times, and a frame takes half as long.
const REACH: f64 = 0.5;
/// The same for two bodies, in edges of the finer one.
const REACH_BETWEEN: f64 = 0.8;
/// What is looked at beyond that anyway, in edges.
const SLACK: f64 = 0.04;
/// For how many steps to look ahead.
const AHEAD: f64 = 1.0;
/// How often it is tried to look from where things will be half of that time later.
const TRIES: u32 = 3;
/// How many pairs there may be to a vertex before it is looked less far: in a stack of sheets every pair costs more than looking again.
const CROWD: f64 = 12.0;

/// Places in [`Watch::kinds`] and in the world's trees: pairs within bodies, and then those between bodies of each search that is remembered.
pub(crate) const WITHIN: usize = 0;
pub(crate) const BETWEEN: std::ops::Range<usize> = 1..KINDS;
pub(crate) const KINDS: usize = 5;
/// If pairs of more than this part of the bodies are looked for, those of all are.
const MANY: f64 = 0.5;

/// Near pairs, and how long they are all that can meet.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Pairs within bodies, and between them.
    pub kinds: [Looked; KINDS],
    /// The search of every two bodies, row after row.
    search_of: Vec<u8>,
    /// How every body has turned since pairs within it were looked for: when the last stretch was accepted, and now.
    pub(crate) turns: [Vec<Turn>; 2],
    /// Pairs of vertices that move so differently that all features at them are watched as well, in order.
    pub(crate) beside: Vec<[u32; 2]>,
}

/// When and how far pairs of one kind were looked for.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// From where they were looked for; empty when they must be looked for anew. Within bodies, each body has its own time.
    pub anchor: Vec<DVec3>,
    /// How far every vertex reaches: two features are searched within the sum of the largest reaches of their corners.
    pub reach: Vec<f64>,
    /// How long it should hold, and the part of the largest reach that may be used: for each body, or for all pairs of bodies.
    spans: Vec<Span>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    time: f64,
    share: f64,
}

/// What must be looked for anew.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stale {
    /// Pairs within each body.
    pub within: Vec<bool>,
    /// Pairs of each body with others.
    pub between: Vec<bool>,
}

impl Stale {
    pub fn none(bodies: usize) -> Self {
        Self { within: vec![false; bodies], between: vec![false; bodies] }
    }

    pub fn is_any(&self) -> bool {
        self.is_between() || self.within.contains(&true)
    }

    /// Whether pairs between bodies are among it.
    pub fn is_between(&self) -> bool {
        self.between.contains(&true)
    }

    /// Whether pairs of two bodies, or of one given twice, are among it.
    pub fn has(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|b| b as usize);
        if a == b { self.within[a] } else { self.between[a] || self.between[b] }
    }
}

impl Watch {
    /// How long everything should hold.
    pub fn time(&self) -> f64 {
        self.kinds.iter().flat_map(|k| &k.spans).map(|s| s.time).fold(f64::INFINITY, f64::min)
    }

    /// The search of the pairs of two bodies, the first before the second.
    #[inline]
    pub fn search_of(&self, [a, b]: [usize; 2]) -> usize {
        self.search_of[a * self.turns[0].len() + b].into()
    }

    /// Where a search for the pairs of some bodies is remembered; of all, if there is no place or they are many.
    fn begin_search(&mut self, pairs: &[[usize; 2]], between: &mut [bool]) -> usize {
        let bodies = between.len();
        self.search_of.resize(bodies * bodies, BETWEEN.start as u8);
        let is_kept = |[a, b]: [usize; 2]| !between[a] && !between[b];
        let mut is_free = [true; KINDS];
        for &pair in pairs.iter().filter(|pair| is_kept(**pair)) {
            is_free[self.search_of(pair)] = false;
        }
        let many = between.iter().filter(|is| **is).count() as f64 > MANY * bodies as f64;
        let place = BETWEEN.clone().find(|&k| is_free[k]).filter(|_| !many).unwrap_or_else(|| {
            between.fill(true);
            is_free.fill(true);
            BETWEEN.start
        });
        for k in BETWEEN.filter(|&k| is_free[k]) {
            self.kinds[k].spans.iter_mut().for_each(|span| span.time = f64::INFINITY);
        }
        for &[a, b] in pairs.iter().filter(|[a, b]| between[*a] || between[*b]) {
            self.search_of[a * bodies + b] = place as u8;
        }
        place
    }

    /// The last stretch was made: the next begins where bodies are turned now.
    pub fn accept(&mut self) {
        let [accepted, now] = &mut self.turns;
        accepted.clone_from(now);
    }

    /// The least reach of all.
    pub fn least_reach(&self) -> f64 {
        self.kinds.iter().flat_map(|k| &k.reach).copied().fold(f64::INFINITY, f64::min)
    }

    /// It must all be looked for anew.
    pub fn forget(&mut self) {
        self.kinds.iter_mut().for_each(|k| k.anchor.clear());
        self.beside.clear();
    }
}

impl World {
    /// Everything, to be looked for.
    pub(crate) fn all_stale(&self) -> Stale {
        Stale {
            within: self.bodies.iter().map(Body::meets_itself).collect(),
            between: vec![true; self.bodies.len()],
        }
    }

    /// How fast everything goes if nothing is in its way for the time that is left.
    pub(crate) fn rates(&self, remaining: f64) -> Vec<DVec3> {
        let gravity = DVec3::from_array(self.settings.gravity) * remaining;
        let state = &self.state;
        let own = |v: usize| if state.w[v] > 0.0 { state.v[v] + gravity } else { DVec3::ZERO };
        let mut rates: Vec<DVec3> = (0..state.x.len()).map(own).collect();
        for body in &self.bodies {
            for (v, goal) in body.range().zip(body.goal.iter().flatten()) {
                rates[v] = (*goal - state.x[v]) / remaining;
            }
        }
        rates
    }

    /// Chooses the reaches of what is stale for the time that is left of a step of `dt`, and more if they can be had.
    /// Yields the place of the search between bodies, if there is one; what is stale may become more by that.
    pub(crate) fn plan(&mut self, stale: &mut Stale, remaining: f64, dt: f64) -> Option<usize> {
        let rate = self.rates(remaining);
        let (vertices, bodies) = (self.state.x.len(), self.bodies.len());
        for (kind, looked) in self.watch.kinds.iter_mut().enumerate() {
            let spans = if kind == WITHIN { bodies } else { 1 };
            looked.anchor.resize(vertices, DVec3::NAN);
            looked.reach.resize(vertices, 0.0);
            looked.spans.resize(spans, Span { time: f64::INFINITY, share: 1.0 });
        }
        self.watch.turns.iter_mut().for_each(|turns| turns.resize(bodies, Turn::NONE));
        let horizon = 0.5 * AHEAD * dt;
        for b in (0..bodies).filter(|&b| stale.within[b]) {
            self.watch.turns.iter_mut().for_each(|turns| turns[b] = Turn::NONE);
            let range = self.bodies[b].range();
            let own = without_spin(&self.state.x[range.clone()], &rate[range.clone()]);
            self.plan_pairs(WITHIN, b, &[b], &[[b, b]], |v| own[v - range.start], horizon);
        }
        let mut search = None;
        if stale.is_between() {
            let mut pairs = self.body_pairs();
            let place = self.watch.begin_search(&pairs, &mut stale.between);
            pairs.retain(|&pair| self.watch.search_of(pair) == place);
            let all: Vec<usize> = (0..bodies).collect();
            self.plan_pairs(place, 0, &all, &pairs, |v| rate[v], horizon);
            search = Some(place);
        }
        let body_of = &self.body_of;
        self.watch.beside.retain(|pair| {
            let [a, b] = pair.map(|v| body_of[v as usize]);
            !stale.has(a, b)
        });
        search
    }

    /// Chooses the reaches of some bodies, for pairs of bodies.
    fn plan_pairs(
        &mut self,
        kind: usize,
        span: usize,
        bodies: &[usize],
        pairs: &[[usize; 2]],
        rate: impl Fn(usize) -> DVec3,
        horizon: f64,
    ) {
        let Span { time: last, share } = self.watch.kinds[kind].spans[span];
        // Reaches are chosen for the difference of any two vertices' ways in `time`, with a margin, so that with no more than that ahead nothing is
        // further from where it is looked for than it reaches: what the proof needs where a stretch begins.
        let mut ahead = horizon.min(0.5 * last);
        let mut time;
        for &b in bodies {
            self.motions[kind].measure(b, &rate);
        }
        let mut tries = 0;
        loop {
            let (x, motions) = (&self.state.x, &mut self.motions[kind]);
            let anchor = &mut self.watch.kinds[kind].anchor;
            for &b in bodies {
                for v in self.bodies[b].range() {
                    anchor[v] = x[v] + rate(v) * ahead;
                }
                if matches!(self.bodies[b].kind, Kind::Particles(_)) {
                    motions.gather(b, anchor);
                    motions.measure(b, &rate);
                }
                motions.enclose(b, anchor);
            }
            time = self.least_time(kind, pairs, share, horizon);
            if ahead <= time {
                break;
            }
            tries += 1;
            ahead = if tries < TRIES { 0.9 * time } else { 0.0 };
        }
        let motions = &self.motions[kind];
        let of_patch = self.patch_reaches(motions, pairs, share, time);
        let looked = &mut self.watch.kinds[kind];
        looked.spans[span].time = ahead + time;
        for &b in bodies {
            let body = &self.bodies[b];
            let edge = if body.is_led() { 0.0 } else { body.edge };
            looked.reach[body.range()].fill(0.5 * body.thickness + 0.5 * SLACK * edge);
            self.motions[kind].set_reach(b, &of_patch, &mut looked.reach);
        }
    }

    /// For how long, at most `horizon`, no two bodies of some pairs go further against each other than they may reach.
    fn least_time(&self, kind: usize, pairs: &[[usize; 2]], share: f64, horizon: f64) -> f64 {
        let mut time = horizon;
        for &pair in pairs {
            let reach = share * self.reach(pair);
            self.motions[kind].descend(pair, |a, b| {
                let speed = MARGIN * a.difference(b);
                let is_slow = speed * time <= reach || speed * time <= a.distance(b);
                if !is_slow && a.is_leaf() && b.is_leaf() {
                    time = larger(reach, a.distance(b)) / speed;
                }
                !is_slow
            });
        }
        time
    }

    /// The smallest reaches for which patches are searched as far as they may go against each other in a time.
    fn patch_reaches(&self, motions: &Motions, pairs: &[[usize; 2]], share: f64, time: f64) -> Vec<f64> {
        let mut of_patch = vec![0.0_f64; motions.len()];
        for &pair in pairs {
            let most = share * self.reach(pair);
            motions.descend_patches(pair, |[i, j], [p, q], is_bottom| {
                let way = MARGIN * p.difference(q) * time;
                let matters = way >= p.distance(q);
                if matters && is_bottom {
                    let half = 0.5 * smaller(way, most);
                    of_patch[i] = larger(of_patch[i], half);
                    of_patch[j] = larger(of_patch[j], half);
                }
                matters
            });
        }
        of_patch
    }

    /// Looks less far the next time where there were many pairs, further where there were few.
    pub(crate) fn note_found(&mut self, stale: &Stale, search: Option<usize>) {
        let mut found = vec![0_usize; self.bodies.len()];
        let mut between = 0;
        for pair in &self.contacts.pairs {
            let [a, b] = [pair.v[0], pair.v[3]].map(|v| self.body_of[v as usize] as usize);
            if a == b {
                found[a] += 1;
            } else {
                between += 1;
            }
        }
        let adapt = |span: &mut Span, pairs: usize, vertices: usize| {
            let crowd = pairs as f64 / vertices.max(1) as f64;
            let change = (CROWD / crowd.max(1e-3)).sqrt().clamp(0.5, 1.25);
            span.share = (span.share * change).clamp(0.25, 1.0);
        };
        for (b, body) in self.bodies.iter().enumerate().filter(|(b, _)| stale.within[*b]) {
            adapt(&mut self.watch.kinds[WITHIN].spans[b], found[b], body.len());
        }
        if let Some(place) = search {
            let moving = self.bodies.iter().filter(|b| !b.is_led()).map(|b| b.len()).sum();
            let mut span = self.watch.kinds[place].spans[0];
            adapt(&mut span, between, moving);
            BETWEEN.for_each(|k| self.watch.kinds[k].spans[0].share = span.share);
        }
    }

    /// Pairs of different bodies that can move against each other.
    pub(crate) fn body_pairs(&self) -> Vec<[usize; 2]> {
        let is_still = |b: usize| self.bodies[b].is_led();
        let is_points = |b: usize| matches!(self.bodies[b].kind, Kind::Particles(_));
        let all = (0..self.bodies.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
        all.filter(|&[a, b]| !(is_still(a) && is_still(b) || is_points(a) && is_points(b))).collect()
    }

    /// How far two bodies may go against each other.
    fn reach(&self, [a, b]: [usize; 2]) -> f64 {
        let reach = if a == b { REACH } else { REACH_BETWEEN };
        reach * self.bodies[a].edge.min(self.bodies[b].edge)
    }
}
