//! What a curve asks for: relative displacements that shrink it.

use std::collections::HashMap;

use super::adjacency::Adjacency;
use super::curves::{Curve, CurveEnd, CurveKind};
use super::gradient::pull;
use super::piercing::Piercing;
use super::regions::{Region, cuts};
use super::solve::Row;
use crate::geometry::vector::{dot, sub};
use crate::geometry::{Point, Sign};

/// The cosine below which the ways back of the two sides of a curve contradict each other.
const AGREEMENT: f64 = 0.2;

/// What went through on each side of a curve.
type Regions = [Option<Region>; 2];

/// Everything that the curves of one round ask for.
pub(crate) struct Pushes {
    pub rows: Vec<Row>,
    /// Vertices that are on the wrong side of something.
    pub is_through: Vec<bool>,
    /// How many vertices there are in the parts that went through, all curves together.
    pub cut_off: usize,
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
    /// Whether one curve of each two surfaces draws its part all the way through; see [`Situation::drawn`].
    pub draws: bool,
}

impl Situation<'_> {
    /// The rows of all curves.
    pub fn pushes(&self, curves: &[Curve]) -> Pushes {
        let mut pushes =
            Pushes { rows: Vec::new(), is_through: vec![false; self.positions.len()], cut_off: 0 };
        let crossing = |c: &&Curve| matches!(c.kind, CurveKind::Closed | CurveKind::Open(_));
        let known: Vec<(&Curve, Regions)> =
            curves.iter().filter(crossing).map(|c| (c, self.regions(c))).collect();
        let drawn = if self.draws { self.drawn(&known) } else { vec![false; known.len()] };
        for ((curve, regions), is_drawn) in known.iter().zip(drawn) {
            self.push(curve, regions, is_drawn, &mut pushes);
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

    fn push(&self, curve: &Curve, regions: &Regions, is_drawn: bool, out: &mut Pushes) {
        let cuts = [0, 1].map(|side| cuts(curve, side));
        let piercings: Vec<Option<Piercing>> =
            curve.nodes.iter().map(|n| Piercing::of(self.adjacency, self.positions, n)).collect();
        let mut wrong: Vec<Option<usize>> = (piercings.iter())
            .map(|p| {
                p.as_ref().and_then(|p| {
                    self.wrong_end(p, is_drawn || is_looped(curve), &cuts[p.side], regions[p.side].as_ref())
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

    /// What went through on each side: what the curve cuts off, or, where it cuts off nothing on either side, the smaller flank.
    fn regions(&self, curve: &Curve) -> Regions {
        if curve.is_one_trace {
            return [None, None];
        }
        if is_looped(curve) {
            let between = Region::loop_between(self.adjacency, curve);
            return [between.clone(), between];
        }
        let cut_off = [0, 1].map(|side| Region::cut_off(self.adjacency, curve, side));
        let is_slit = matches!(curve.kind, CurveKind::Open([CurveEnd::Border, CurveEnd::Border]));
        if is_slit && cut_off.iter().all(Option::is_none) {
            return [0, 1].map(|side| Region::flank(self.adjacency, curve, side));
        }
        cut_off
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

/// Whether the two traces of a curve meet in a vertex: a fold that went through itself.
fn is_looped(curve: &Curve) -> bool {
    matches!(curve.kind, CurveKind::Open(ends) if ends.contains(&CurveEnd::Vertex))
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
