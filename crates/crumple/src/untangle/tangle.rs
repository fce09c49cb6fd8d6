//! One untangling from its first round to its last: what may move, how hard it is pushed, and the best state so far.

use super::UntangleOptions;
use super::adjacency::{Adjacency, Part};
use super::curves::{Curve, curves};
use super::near::close_rows;
use super::push::{Pushes, Situation};
use super::regions::outer_sides;
use super::solve::{Material, Solver};
use crate::geometry::vector::{dot, sub};
use crate::geometry::{Point, Sign};
use crate::{Bodies, Proximity, TrianglePair};

/// Rings of vertices around what crosses that may move at first.
const RINGS: usize = 6;
/// Rounds without progress after which more may move and rows pull harder.
const PATIENCE: usize = 6;
/// Rounds without progress after which it ends.
const STALLED: usize = 48;
/// So many times the pairs of the beginning, and it ends too.
const DIVERGED: usize = 4;
/// How hard rows pull at first and at last, against an edge that wants to be as it was.
const STIFFNESS: [f64; 2] = [30.0, 1e4];
/// How much a vertex wants to be where it was given: displacements fade over about 1/√HOLD edges.
const HOLD: f64 = 1e-3;
/// Steps of conjugate gradients in a round.
const STEPS: usize = 100;
/// The gap unless told, in mean edges of the triangles that cross.
const GAP: f64 = 0.02;
/// How far vertices are moved out of special position, in gaps.
const JIGGLE: f64 = 0.1;
/// How far a vertex goes in a round at most, in mean edges of the triangles that cross. One length for all, so that a part that
/// is moved as a whole stays whole.
const REACH: f64 = 0.25;
/// Solves in a round: the first without regard to what is close, each next with the pairs that the one before drove together.
const PASSES: usize = 3;

/// The state of an untangling.
pub(crate) struct Tangle<'b> {
    adjacency: Adjacency<'b>,
    given: Vec<Point>,
    now: Vec<Point>,
    is_fixed: Vec<bool>,
    outer_sides: Vec<Sign>,
    solver: Solver,
    gap: Option<f64>,
    /// How far a vertex goes in a round at most.
    reach: f64,
    rings: usize,
    stiffness: f64,
    /// The fewest intersecting pairs so far, and where the vertices were.
    best: (usize, Vec<Point>),
    /// Intersecting pairs at first.
    first: usize,
    rounds: usize,
    max_rounds: usize,
    /// The shortest that all curves were together, and the fewest vertices that were on the wrong side.
    shortest: f64,
    fewest: usize,
    /// Rounds since one of them, or the number of pairs, became less.
    since: usize,
}

impl<'b> Tangle<'b> {
    pub fn new(
        bodies: &'b Bodies,
        given: Vec<Point>,
        is_fixed: Vec<bool>,
        options: &UntangleOptions,
    ) -> Self {
        let adjacency = Adjacency::new(bodies);
        Self {
            outer_sides: outer_sides(&adjacency, &given),
            adjacency,
            solver: Solver::new(given.len()),
            now: given.clone(),
            best: (usize::MAX, given.clone()),
            given,
            is_fixed,
            gap: options.gap,
            reach: 0.0,
            rings: RINGS,
            stiffness: STIFFNESS[0],
            first: 0,
            rounds: 0,
            max_rounds: options.rounds,
            shortest: f64::INFINITY,
            fewest: usize::MAX,
            since: 0,
        }
    }

    /// Where the vertices are.
    pub fn positions(&self) -> &[Point] {
        &self.now
    }

    /// Takes in what crosses now; whether another round is worth it.
    pub fn goes_on(&mut self, pairs: &[TrianglePair]) -> bool {
        if self.best.0 == usize::MAX {
            self.measure(pairs);
            self.first = pairs.len();
        }
        if pairs.len() < self.best.0 {
            self.best = (pairs.len(), self.now.clone());
            self.since = 0;
        } else {
            self.since += 1;
            if self.since.is_multiple_of(PATIENCE) {
                self.rings *= 2;
                self.stiffness = (2.0 * self.stiffness).min(STIFFNESS[1]);
            }
        }
        if pairs.len() > DIVERGED * self.first + 100 {
            self.since = STALLED;
        }
        !pairs.is_empty() && self.rounds < self.max_rounds && self.since < STALLED
    }

    /// Sets lengths by what crosses at first.
    fn measure(&mut self, pairs: &[TrianglePair]) {
        let edges = pairs.iter().flat_map(|p| [p.a.0, p.b.0]).flat_map(|t| {
            let c = self.adjacency.corners(t).map(|v| self.given[v as usize]);
            [(0, 1), (1, 2), (2, 0)].map(|(i, j)| length(&sub(&c[i], &c[j])))
        });
        let (sum, n) = edges.fold((0.0, 0u32), |(sum, n), e| (sum + e, n + 1));
        let mean = sum / f64::from(n.max(1));
        self.gap = self.gap.or(Some(GAP * mean));
        self.reach = REACH * mean;
    }

    /// How close pairs must be to matter in a round.
    pub fn radius(&self) -> f64 {
        self.reach.max(self.gap.unwrap_or(0.0))
    }

    /// The curves of these pairs.
    pub fn curves(&self, pairs: &[TrianglePair]) -> Vec<Curve> {
        curves(&self.adjacency, &self.now, pairs.iter().copied())
    }

    /// One round: from what crosses and what is close to the next positions.
    pub fn round(&mut self, pairs: &[TrianglePair], close: &Proximity) {
        let gap = self.gap.unwrap_or(0.0);
        let curves = self.curves(pairs);
        self.free(pairs);
        let situation = Situation {
            adjacency: &self.adjacency,
            positions: &self.now,
            outer_sides: &self.outer_sides,
            gap,
            stiffness: self.stiffness,
        };
        let mut pushes = situation.pushes(&curves);
        self.note(&curves, &pushes);
        let mut close = close_rows(&self.adjacency, close, gap, self.stiffness, &self.solver, &pushes);
        let material = Material { hold: HOLD, steps: STEPS };
        let reach = self.reach;
        let mut moves = Vec::new();
        for _ in 0..PASSES {
            moves = self.solver.solve(&self.adjacency, &self.given, &self.now, &pushes.rows, material);
            for way in &mut moves {
                let size = length(way);
                if size > reach {
                    *way = way.map(|x| x * reach / size);
                }
            }
            // Pairs that this would drive together keep their distance in the next pass.
            let before = pushes.rows.len();
            let met: Vec<bool> =
                close.iter().map(|row| self.solver.along(row, &moves) < row.amount).collect();
            let mut each = met.iter();
            close.retain(|row| {
                let is_met = each.next().is_some_and(|m| *m);
                if is_met {
                    pushes.rows.push(*row);
                }
                !is_met
            });
            if pushes.rows.len() == before {
                break;
            }
        }
        for (&v, way) in self.solver.vertices().iter().zip(&moves) {
            if way.iter().all(|x| x.is_finite()) {
                (0..3).for_each(|k| self.now[v as usize][k] += way[k]);
            }
        }
        self.jiggle(&curves, gap);
        self.rounds += 1;
    }

    /// Notes progress that the number of pairs does not show.
    fn note(&mut self, curves: &[Curve], pushes: &Pushes) {
        let total: f64 = curves.iter().map(Curve::length).sum();
        if total < 0.99 * self.shortest || pushes.cut_off < self.fewest {
            self.since = 0;
        }
        self.shortest = self.shortest.min(total);
        self.fewest = self.fewest.min(pushes.cut_off);
    }

    /// Moves the vertices of nodes that are not in general position by far less than the gap, each in a direction of its own,
    /// so that the next round finds edges that pierce triangles.
    fn jiggle(&mut self, curves: &[Curve], gap: f64) {
        let mut vertices: Vec<u32> = Vec::new();
        for node in curves.iter().flat_map(|c| &c.nodes) {
            let [x, y] = node.parts;
            if x != y
                && !matches!((x, y), (Part::Edge(_), Part::Triangle(_)) | (Part::Triangle(_), Part::Edge(_)))
            {
                for part in [x, y] {
                    match part {
                        Part::Vertex(v) => vertices.push(v),
                        Part::Edge(e) => vertices.extend(self.adjacency.ends(e)),
                        Part::Triangle(t) => vertices.extend(self.adjacency.corners(t)),
                    }
                }
            }
        }
        vertices.sort_unstable();
        vertices.dedup();
        for v in vertices.into_iter().filter(|&v| !self.is_fixed[v as usize]) {
            // A splitmix step of the vertex and the round, three times 21 bits.
            let mut bits = (u64::from(v) << 20 | self.rounds as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            bits ^= bits >> 27;
            for k in 0..3 {
                let unit = ((bits >> (21 * k)) & 0x1F_FFFF) as f64 / f64::from(1 << 20) - 1.0;
                self.now[v as usize][k] += JIGGLE * gap * unit;
            }
        }
    }

    /// Whether the last rounds made no progress.
    pub fn is_stuck(&self) -> bool {
        self.since >= STALLED
    }

    /// Rounds, and the positions with the fewest crossings.
    pub fn finish(self) -> (usize, Vec<Point>) {
        (self.rounds, self.best.1)
    }

    /// Lets the vertices around what crosses move.
    fn free(&mut self, pairs: &[TrianglePair]) {
        let crossing = pairs.iter().flat_map(|p| [p.a.0, p.b.0]);
        let mut seen = vec![false; self.now.len()];
        let mut reached: Vec<u32> = Vec::new();
        let mut reach = |v: u32, reached: &mut Vec<u32>| {
            if !std::mem::replace(&mut seen[v as usize], true) {
                reached.push(v);
            }
        };
        for v in crossing.flat_map(|t| self.adjacency.corners(t)) {
            reach(v, &mut reached);
        }
        let mut start = 0;
        for _ in 0..self.rings {
            let end = reached.len();
            for i in start..end {
                let v = reached[i];
                self.adjacency.neighbours(v).for_each(|w| reach(w, &mut reached));
            }
            start = end;
        }
        reached.retain(|&v| !self.is_fixed[v as usize]);
        self.solver.free(&self.adjacency, reached);
    }
}

fn length(v: &Point) -> f64 {
    dot(v, v).sqrt()
}
