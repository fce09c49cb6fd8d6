//! What a curve asks for: relative displacements that shrink it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::adjacency::Adjacency;
use super::aside::{Aside, Ways, asides};
use super::curves::{Curve, CurveEnd, CurveKind};
use super::gradient::pull;
use super::piercing::Piercing;
use super::regions::{Region, cuts};
use super::solve::Row;
use crate::geometry::vector::{dot, sub};
use crate::geometry::{Point, Sign};

/// The cosine below which the ways back of the two sides of a curve contradict each other.
const AGREEMENT: f64 = 0.2;

/// Nodes of a slit up to which each of its flanks may go back, in the first attempt; a longer one would close here and open there.
const SHORT: usize = 8;

/// What went through on each side of a curve.
type Regions = [Option<Region>; 2];

/// Everything that the curves of one round ask for.
pub(crate) struct Pushes {
    pub rows: Vec<Row>,
    /// Vertices that are on the wrong side of something.
    pub is_through: Vec<bool>,
    /// How many vertices there are in the parts that went through, all curves together.
    pub cut_off: usize,
    /// How far everything is to be moved aside, all gatherings together; `None` where nothing is.
    pub aside: Option<f64>,
}

/// What is tried with curves, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// Each curve asks its part to go back.
    Back,
    /// What is stuck through each other is moved aside; see [`asides`].
    Aside,
    /// What is crumpled into itself gets another shape; see [`make_fair`](super::fair::make_fair).
    Fair,
    /// One curve of each two surfaces draws its part all the way through; see [`Situation::drawn`].
    Drawn,
}

/// What is known of the surfaces and this round.
pub(crate) struct Situation<'s> {
    pub adjacency: &'s Adjacency<'s>,
    pub positions: &'s [Point],
    pub outer_sides: &'s [Sign],
    /// How far apart surfaces shall be.
    pub gap: f64,
    /// How hard rows pull, against an edge.
    pub stiffness: f64,
    /// The mean edge of the triangles that crossed at first, and how far a vertex goes in a round at most.
    pub edge: f64,
    pub reach: f64,
    pub attempt: Attempt,
}

impl Situation<'_> {
    /// The rows of all curves; `sent` is for what is moved aside, from round to round.
    pub fn pushes(&self, curves: &[Curve], sent: &mut Ways) -> Pushes {
        let mut pushes = Pushes {
            rows: Vec::new(),
            is_through: vec![false; self.positions.len()],
            cut_off: 0,
            aside: None,
        };
        let crossing = |c: &&Curve| matches!(c.kind, CurveKind::Closed | CurveKind::Open(_));
        let known: Vec<(&Curve, Regions)> =
            curves.iter().filter(crossing).map(|c| (c, self.regions(c))).collect();
        let none = || vec![false; known.len()];
        let drawn = if self.attempt == Attempt::Drawn { self.drawn(&known) } else { none() };
        let mut ways = vec![None; known.len()];
        if self.attempt == Attempt::Aside {
            let curves: Vec<&Curve> = known.iter().map(|k| k.0).collect();
            ways = asides(self.adjacency, self.positions, self.outer_sides, &curves, sent);
            let groups: BTreeMap<usize, f64> = ways.iter().flatten().map(|a| (a.group, a.amount)).collect();
            pushes.aside = (!groups.is_empty()).then(|| groups.values().sum());
        }
        for (((curve, regions), is_drawn), way) in known.iter().zip(drawn).zip(ways) {
            match way {
                Some(aside) => self.push_aside(curve, &aside, &mut pushes),
                None => self.push(curve, regions, is_drawn, &mut pushes),
            }
        }
        pushes
    }

    /// A rod through a ball has two curves with it. Behind the ball's surface is the middle of the rod, and one curve asks it to
    /// go back, the other to go on. Then the curve that cuts off the least of all curves of the same two surfaces draws that
    /// part after it, and the others follow.
    fn drawn(&self, known: &[(&Curve, Regions)]) -> Vec<bool> {
        let mut smallest: HashMap<[usize; 2], (usize, usize)> = HashMap::new();
        let mut counts: HashMap<[usize; 2], usize> = HashMap::new();
        let surfaces = |curve: &Curve| {
            let mut pair = curve.triangles[0].map(|t| self.adjacency.component(t));
            pair.sort_unstable();
            pair
        };
        for (i, (curve, regions)) in known.iter().enumerate() {
            // Of one surface with itself all curves count, whatever they are between.
            let least = regions.iter().flatten().map(|r| r.vertices().len()).max();
            *counts.entry(surfaces(curve)).or_insert(0) += 1;
            if let Some(size) = least {
                let best = smallest.entry(surfaces(curve)).or_insert((size, i));
                *best = (*best).min((size, i));
            }
        }
        let is_drawn = |(i, (curve, _)): (usize, &(&Curve, Regions))| {
            let pair = surfaces(curve);
            counts[&pair] > 1 && smallest.get(&pair).is_some_and(|s| s.1 == i)
        };
        known.iter().enumerate().map(is_drawn).collect()
    }

    /// Everything along a curve goes the same way. What is near it on both sides passes each other, too, before it is free.
    fn push_aside(&self, curve: &Curve, aside: &Aside, out: &mut Pushes) {
        let amount = (aside.amount + self.gap).min(2.0 * self.reach);
        let mut near: Vec<u32> = Vec::new();
        for p in curve.nodes.iter().filter_map(|n| Piercing::of(self.adjacency, self.positions, n)) {
            near.extend(p.ends.into_iter().chain(p.corners));
            let direction = if p.side == 0 { aside.direction } else { aside.direction.map(|x| -x) };
            out.rows.push(p.row([1.0 - p.s, p.s], direction, amount, self.stiffness));
        }
        let rings = (aside.amount / self.edge).ceil() as usize + 2;
        let mut seen: HashSet<u32> = near.iter().copied().collect();
        for _ in 0..rings {
            let next = near.iter().flat_map(|&v| self.adjacency.neighbours(v));
            near = next.filter(|w| seen.insert(*w)).collect();
        }
        seen.into_iter().for_each(|v| out.is_through[v as usize] = true);
    }

    fn push(&self, curve: &Curve, regions: &Regions, is_drawn: bool, out: &mut Pushes) {
        let cuts = [0, 1].map(|side| cuts(curve, side));
        let piercings: Vec<Option<Piercing>> =
            curve.nodes.iter().map(|n| Piercing::of(self.adjacency, self.positions, n)).collect();
        let mut wrong: Vec<Option<usize>> = (piercings.iter())
            .map(|p| {
                p.as_ref().and_then(|p| {
                    self.wrong_end(p, is_drawn || curve.is_looped(), &cuts[p.side], regions[p.side].as_ref())
                })
            })
            .collect();
        self.settle(&piercings, regions, &mut wrong);
        // Of the first side against the second, where it is known which way is back.
        let mut back: Vec<Option<Point>> = vec![None; piercings.len()];
        for (i, piercing) in piercings.iter().enumerate() {
            let (Some(p), Some(end)) = (piercing, wrong[i]) else { continue };
            self.mark(p.ends[end], regions[p.side].as_ref(), &mut out.is_through);
            let (direction, amount) = self.way_back(p, end);
            out.rows.push(p.row([1.0 - end as f64, end as f64], direction, amount, self.stiffness));
            let sign = if p.side == 0 { amount } else { -amount };
            back[i] = Some(direction.map(|x| sign * x));
        }
        out.cut_off += regions.iter().flatten().map(|r| r.vertices().len()).sum::<usize>();
        let is_known = back.iter().any(Option::is_some);
        for (i, piercing) in piercings.iter().enumerate() {
            let Some(p) = piercing.as_ref().filter(|_| back[i].is_none()) else { continue };
            let way = if is_known { nearest(&back, i) } else { self.shrink(curve, i, p) };
            let way = way.map(|x| if p.side == 0 { x } else { -x });
            let amount = dot(&way, &way).sqrt();
            if amount > 0.0 && amount.is_finite() {
                let direction = way.map(|x| x / amount);
                out.rows.push(p.row([1.0 - p.s, p.s], direction, amount, 0.25 * self.stiffness));
            }
        }
    }

    /// What went through on each side: what the curve cuts off, or, where it cuts off nothing on either side, a flank.
    fn regions(&self, curve: &Curve) -> Regions {
        if curve.is_one_trace {
            return [None, None];
        }
        if curve.is_looped() {
            let between = Region::loop_between(self.adjacency, curve);
            return [between.clone(), between];
        }
        let cut_off = [0, 1].map(|side| Region::cut_off(self.adjacency, curve, side));
        let is_slit = matches!(curve.kind, CurveKind::Open([CurveEnd::Border, CurveEnd::Border]));
        if is_slit && cut_off.iter().all(Option::is_none) {
            return self.flanks(curve);
        }
        cut_off
    }

    /// Of a slit in both sides one flank each: the smaller ones. Of a short slit those whose ways back agree and of which the
    /// longest is as short as can be.
    fn flanks(&self, curve: &Curve) -> Regions {
        let flanks = [0, 1].map(|side| Region::flanks(self.adjacency, curve, side));
        if curve.nodes.len() > SHORT || self.attempt != Attempt::Back {
            return flanks.map(|both| both.map(|[smaller, _]| smaller));
        }
        let cuts = [0, 1].map(|side| cuts(curve, side));
        // Of the first side against the second, for each side and flank: the sum of the ways back, and the longest of them.
        let mut ways = [[([0.0; 3], 0.0f64); 2]; 2];
        for p in curve.nodes.iter().filter_map(|n| Piercing::of(self.adjacency, self.positions, n)) {
            for (flank, (sum, longest)) in ways[p.side].iter_mut().enumerate() {
                let region = flanks[p.side].as_ref().map(|f| &f[flank]);
                let Some(end) = self.wrong_end(&p, false, &cuts[p.side], region) else { continue };
                let (direction, amount) = self.way_back(&p, end);
                let sign = if p.side == 0 { amount } else { -amount };
                (0..3).for_each(|k| sum[k] += sign * direction[k]);
                *longest = longest.max(amount);
            }
        }
        let mut best = (f64::INFINITY, [0; 2]);
        for choice in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let [a, b] = [0, 1].map(|side| &ways[side][choice[side]]);
            let longest = a.1.max(b.1);
            if dot(&a.0, &b.0) >= 0.0 && longest < best.0 {
                best = (longest, choice);
            }
        }
        std::array::from_fn(|side| flanks[side].as_ref().map(|f| f[best.1[side]].clone()))
    }

    /// Marks a vertex that went through and those around it that did too.
    fn mark(&self, vertex: u32, region: Option<&Region>, is_through: &mut [bool]) {
        is_through[vertex as usize] = true;
        for v in self.adjacency.neighbours(vertex) {
            is_through[v as usize] |= region.is_some_and(|r| r.contains(v));
        }
    }

    /// The way back of an end that went through, and how far it is.
    fn way_back(&self, p: &Piercing, end: usize) -> (Point, f64) {
        let sign = if p.heights[end] < p.heights[1 - end] { 1.0 } else { -1.0 };
        (p.normal.map(|x| sign * x), p.heights[end].abs() + self.gap)
    }

    /// Where the two sides contradict each other, the one with the larger part gives in.
    fn settle(&self, piercings: &[Option<Piercing>], regions: &Regions, wrong: &mut [Option<usize>]) {
        let mut sums = [[0.0; 3]; 2];
        for (p, end) in piercings.iter().zip(wrong.iter()) {
            let (Some(p), Some(end)) = (p, end) else { continue };
            let (way, amount) = self.way_back(p, *end);
            let sign = if p.side == 0 { amount } else { -amount };
            (0..3).for_each(|k| sums[p.side][k] += sign * way[k]);
        }
        let size = |side: usize| regions[side].as_ref().map_or(usize::MAX, |r| r.vertices().len());
        let [a, b] = sums;
        if dot(&a, &b) < AGREEMENT * (dot(&a, &a) * dot(&b, &b)).sqrt() && size(0) != size(1) {
            let gives_in = usize::from(size(1) > size(0));
            for (p, end) in piercings.iter().zip(wrong.iter_mut()) {
                if p.as_ref().is_some_and(|p| p.side == gives_in) {
                    *end = None;
                }
            }
        }
    }

    /// The end of the edge that went through the triangle, if that is known.
    fn wrong_end(
        &self,
        p: &Piercing,
        by_region: bool,
        cuts: &HashMap<u32, u32>,
        region: Option<&Region>,
    ) -> Option<usize> {
        if cuts[&p.edge].is_multiple_of(2) {
            return None;
        }
        let higher = usize::from(p.heights[1] > p.heights[0]);
        let outer = if by_region { 0 } else { self.outer_sides[p.triangle as usize] };
        match outer {
            1 => Some(1 - higher),
            -1 => Some(higher),
            _ => {
                let [a, b] = p.ends.map(|v| region.is_some_and(|r| r.contains(v)));
                (a != b).then_some(usize::from(b))
            }
        }
    }

    /// The way of the first side against the second along which the curve becomes shorter fastest (Volino and
    /// Magnenat-Thalmann 2006), as long as half the edge at most.
    fn shrink(&self, curve: &Curve, i: usize, p: &Piercing) -> Point {
        let pull = pull(curve, i);
        let [way, _] = p.split(self.positions, &pull);
        let [a, b] = p.ends.map(|v| self.positions[v as usize]);
        let size = dot(&way, &way).sqrt();
        let reach = 0.5 * distance(&a, &b) * dot(&pull, &pull).sqrt().min(1.0);
        let way = if size > 0.0 && size.is_finite() { way.map(|x| x * reach / size) } else { [0.0; 3] };
        if p.side == 0 { way } else { way.map(|x| -x) }
    }
}

/// The mean of the nearest known ways before and after a node.
fn nearest(known: &[Option<Point>], i: usize) -> Point {
    let n = known.len();
    let before = (1..n).find_map(|k| known[(i + n - k) % n]);
    let after = (1..n).find_map(|k| known[(i + k) % n]);
    match (before, after) {
        (Some(a), Some(b)) => std::array::from_fn(|k| 0.5 * (a[k] + b[k])),
        _ => [0.0; 3],
    }
}

fn distance(a: &Point, b: &Point) -> f64 {
    let d = sub(a, b);
    dot(&d, &d).sqrt()
}
