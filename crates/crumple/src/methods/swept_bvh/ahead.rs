//! Clearances kept over several steps, relative to the motion that is expected.
//!
//! Two features that are far enough apart need no look while they cannot have come closer. Kept as a distance that travel uses
//! up, such a clearance does not last: cloth that swings travels a tenth of an edge in a step, all of it together. So
//! clearances are measured along the way: every vertex is expected to go on as it does in this step, and what uses up a clearance is
//! how far vertices stray from that, which grows with the square of the number of steps and is a tenth of the travel.
//!
//! # Why nothing is missed
//! Let the expected motion lead from `start` to `end` on straight lines, in K steps of equal length, and let e be a vertex's true
//! place less its expected one. Between the ends of a step both move on straight lines, so e lies between what it is at the two
//! ends, and for a point of a triangle or an edge, a convex combination, in the box of those of the vertices. *If at some time
//! the expected places of two features have a gap above the leeway w along an axis, and the box of all e of the two patches to
//! which they belong has no side longer than w, the features do not meet at that time:* the gap changes by the difference of two e,
//! at most w. ∎ So one search with boxes that are wider by w/2, over the K steps at once, lists all pairs of features without such a gap.
//! The same holds for a gap above √3 w along any other direction, since the difference of two e is no longer than that. So pairs are not
//! listed that stay so far apart along the direction of their middles, as neighbours on a surface do.
//! In the steps that follow, two patches whose e keep to the leeway *rest*: of theirs only the listed pairs are asked about.
//! All others are searched as in any step.
//!
//! Expected places are numbers as they are stored; e is computed with errors below 16u of the largest coordinate M, u = 2^-53, so
//! the side of a box is off by less than 64uM, by which the leeway is lowered.
//!
//! # When it is done
//! When a step begins where the last one ended. The change of velocity from that step to this one, of a patch that is worse
//! than three in four, says how many steps the leeway will last; from three on it pays. The leeway is a fortieth of a patch's mean girth,
//! about a fifth of an edge; the list then has one pair to two triangles on a shirt that swings, four to a triangle on a grid along
//! the axes. If there are more than six, the cloth is in contact and nothing is kept; nor when the motion is too violent. Then
//! it is tried again after 2, 4 … 64 steps. When a quarter of the patches have left their leeway, it ends.

use super::build::Tree;
use super::leaves::Query;
use super::taken::{NodePair, TakenStep};
use crate::geometry::simd::multiversion;
use crate::geometry::{Aabb, Point};
use crate::{BodyId, Pairs};

/// The fewest steps to look ahead that pay, and the most.
const STEPS: [u32; 2] = [3, 24];
/// The leeway, as a part of a patch's mean girth.
const LEEWAY: f64 = 1.0 / 40.0;
/// More than the rounding of the side of a box of deviations, as a part of the largest coordinate: 64 · 2^-53.
const DOUBT: f64 = 1e-14;
/// The most pairs that are listed, to a triangle and in all.
const LISTED: [usize; 2] = [6, 1 << 20];
/// The longest time without a try, in steps.
const LONGEST_PAUSE: u32 = 64;

/// Pairs listed for two patches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The nodes of the two patches.
    pub pair: NodePair,
    /// The end of its queries in the list.
    pub end: usize,
}

/// What one body's vertices are off from where they were expected.
#[derive(Debug, Default)]
struct Deviations {
    /// Of each patch, at the end of the last step.
    last: Vec<Aabb>,
    /// Of each node, through the step.
    nodes: Vec<Aabb>,
}

/// The expected motion, and what it may bring together.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// From the first to the last of the steps that are expected.
    pub step: TakenStep,
    steps: u32,
    /// How many of them have been taken in; none when nothing is kept.
    taken: u32,
    /// The leeway, and what is left of it after rounding.
    pub leeway: f64,
    certain: f64,
    roots: Vec<NodePair>,
    queries: Vec<Query>,
    groups: Vec<Group>,
    deviations: Vec<Deviations>,
    /// Steps until the next try, and how many that will be if it fails.
    wait: u32,
    pause: u32,
}

impl Ahead {
    /// Whether something is kept for the present step.
    pub fn is_on(&self) -> bool {
        self.taken > 0
    }

    /// Forgets everything.
    pub fn end(&mut self) {
        self.taken = 0;
        self.queries.clear();
        self.groups.clear();
    }

    /// Takes in a step that begins where the last one ended.
    pub fn follow(&mut self, trees: &[Tree], end: &[Point]) {
        self.wait = self.wait.saturating_sub(1);
        if self.is_on() && self.taken < self.steps {
            self.advance(trees, end);
        } else {
            self.end();
        }
    }

    fn advance(&mut self, trees: &[Tree], end: &[Point]) {
        self.taken += 1;
        let share = f64::from(self.taken) / f64::from(self.steps);
        let (mut patches, mut resting) = (0, 0);
        for (body, tree) in trees.iter().enumerate() {
            let Deviations { last, nodes } = &mut self.deviations[body];
            let [from, to] = self.step.ends(body);
            let now = &end[self.step.vertices(body)];
            nodes.resize(tree.nodes.len(), Aabb::EMPTY);
            // Children stand behind their parent.
            for (i, node) in tree.nodes.iter().enumerate().rev() {
                nodes[i] = if node.is_leaf() {
                    let patch = node.patch as usize;
                    let before = last[patch];
                    last[patch] = deviation(tree.patches.vertices(patch), from, to, now, share);
                    let through = before.union(&last[patch]);
                    patches += 1;
                    resting += usize::from(longest(&through) <= self.certain);
                    through
                } else {
                    let [a, b] = node.children.map(|c| c as usize);
                    nodes[a].union(&nodes[b])
                };
            }
        }
        if 4 * resting < 3 * patches {
            // One that did not last has not paid.
            if self.taken < STEPS[0] { self.give_up() } else { self.end() }
        }
    }

    /// Whether what two nodes hold needs no look beyond the list.
    pub fn rests(&self, pair: &NodePair) -> bool {
        let of = |side: usize| &self.deviations[pair.bodies[side] as usize].nodes[pair.nodes[side] as usize];
        longest(&of(0).union(of(1))) <= self.certain
    }

    /// Whether the same pairs of bodies are asked about as when the list was made.
    pub fn covers(&mut self, pairs: Pairs, allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync)) -> bool {
        self.step.roots(pairs, allows, Some(2.0 * self.leeway)) == self.roots
    }

    /// Every listed pair of patches that rest.
    pub fn queries(&self) -> impl Iterator<Item = &Query> {
        let starts = std::iter::once(0).chain(self.groups.iter().map(|g| g.end));
        starts
            .zip(&self.groups)
            .filter(|(_, group)| self.rests(&group.pair))
            .flat_map(|(start, group)| &self.queries[start..group.end])
    }

    /// Looks ahead from this step if that is likely to pay: expects motion, and says which roots are to be searched.
    pub fn expect(
        &mut self,
        trees: &[Tree],
        step: &TakenStep,
        before: [&[Point]; 2],
        pairs: Pairs,
        allows: &(dyn Fn(BodyId, BodyId) -> bool + Sync),
    ) -> Option<Vec<NodePair>> {
        if self.wait > 0 {
            return None;
        }
        let patches: usize = trees.iter().map(|tree| tree.patches.len()).sum();
        let girth: f64 = trees.iter().map(|t| t.girth_when_built).filter(|g| g.is_finite()).sum();
        let leeway = LEEWAY * girth / patches.max(1) as f64;
        let steps = lasts(leeway, worse_than_three_in_four(trees, step, before));
        let size = step.largest();
        if steps < STEPS[0] || !(1e-200..1e200).contains(&size) {
            self.give_up();
            return None;
        }
        step.ahead(f64::from(steps), &mut self.step);
        self.certain = leeway - DOUBT * size.max(self.step.largest());
        if self.certain <= 0.0 {
            self.give_up();
            return None;
        }
        (self.steps, self.leeway) = (steps, leeway);
        self.roots = self.step.roots(pairs, allows, Some(2.0 * leeway));
        Some(self.roots.clone())
    }

    /// How many pairs may be listed.
    pub fn room(&self) -> usize {
        LISTED[1].min(LISTED[0] * self.step.triangle_count())
    }

    /// Keeps the list that was made for [`Ahead::expect`].
    pub fn keep(&mut self, queries: Vec<Query>, groups: Vec<Group>, trees: &[Tree], end: &[Point]) {
        (self.queries, self.groups) = (queries, groups);
        self.deviations.resize_with(trees.len(), Deviations::default);
        for (of_body, tree) in self.deviations.iter_mut().zip(trees) {
            of_body.last.clear();
            of_body.last.resize(tree.patches.len(), Aabb { min: [0.0; 3], max: [0.0; 3] });
        }
        self.pause = 1;
        self.taken = 0;
        self.advance(trees, end);
    }

    /// Waits before the next try, each time twice as long.
    pub fn give_up(&mut self) {
        self.end();
        self.pause = (2 * self.pause).clamp(2, LONGEST_PAUSE);
        self.wait = self.pause;
    }
}

/// How many steps a leeway lasts: with a change of velocity of c in each step, deviations after K steps are c K (K − 1)/2, and two
/// patches stray about twice as far from each other as one from itself.
fn lasts(leeway: f64, change: f64) -> u32 {
    (1..=STEPS[1]).rev().find(|&k| change * f64::from(k * (k - 1)) <= leeway).unwrap_or(0)
}

#[inline(always)]
fn longest(deviations: &Aabb) -> f64 {
    let [x, y, z] = deviations.size();
    x.max(y).max(z)
}

/// The change of velocity within a patch, of one for which it is larger than for three in four.
fn worse_than_three_in_four(trees: &[Tree], step: &TakenStep, before: [&[Point]; 2]) -> f64 {
    let mut widths = Vec::new();
    for (body, tree) in trees.iter().enumerate() {
        let ([start, end], range) = (step.ends(body), step.vertices(body));
        let before = before.map(|of| &of[range.clone()]);
        let of_patch =
            |p: usize| longest(&change(tree.patches.vertices(p), before[0], before[1], start, end));
        widths.extend((0..tree.patches.len()).map(of_patch));
    }
    let place = widths.len() * 3 / 4;
    if widths.is_empty() { 0.0 } else { *widths.select_nth_unstable_by(place, f64::total_cmp).1 }
}

multiversion! {
    /// The box of what vertices are off from a share of the expected way.
    fn deviation(vertices: &[u32], from: &[Point], to: &[Point], now: &[Point], share: f64) -> Aabb {
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &v in vertices {
            let (p, q, x) = (&from[v as usize], &to[v as usize], &now[v as usize]);
            for k in 0..3 {
                let e = x[k] - (p[k] + share * (q[k] - p[k]));
                min[k] = if e < min[k] { e } else { min[k] };
                max[k] = if e > max[k] { e } else { max[k] };
            }
        }
        Aabb { min, max }
    }
}

multiversion! {
    /// The box of the changes of velocity of vertices that went from a to b and go from c to d.
    fn change(vertices: &[u32], a: &[Point], b: &[Point], c: &[Point], d: &[Point]) -> Aabb {
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &v in vertices {
            let v = v as usize;
            for k in 0..3 {
                let e = (d[v][k] - c[v][k]) - (b[v][k] - a[v][k]);
                min[k] = if e < min[k] { e } else { min[k] };
                max[k] = if e > max[k] { e } else { max[k] };
            }
        }
        Aabb { min, max }
    }
}
