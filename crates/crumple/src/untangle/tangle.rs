//! One untangling from its first round to its last: what may move, how hard it is pushed, and the best state so far.

use super::UntangleOptions;
use super::adjacency::{Adjacency, Part};
use super::curves::{Curve, curves};
use super::near::close_rows;
use super::push::{Pushes, Situation};
use super::regions::outer_sides;
use super::solve::{Material, Row, Solver};
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
const ITERATIONS: usize = 100;
/// The gap unless told, in mean edges of the triangles that cross.
const GAP: f64 = 0.02;
/// How far vertices are moved out of special position, in mean edges of the triangles that cross.
const JIGGLE: f64 = 2e-3;
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
    /// How far vertices are moved out of special position.
    jiggle: f64,
    rings: usize,
    stiffness: f64,
    /// What crosses now.
    pairs: Vec<TrianglePair>,
    /// The fewest pairs so far, and where the vertices were.
    best: (Vec<TrianglePair>, Vec<Point>),
    /// How many there were at first.
    first: Option<usize>,
    /// Whether it is the second attempt; see [`Situation::draws`].
    draws: bool,
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
            pairs: Vec::new(),
            best: (Vec::new(), given.clone()),
            given,
            is_fixed,
            gap: options.gap,
            reach: 0.0,
            jiggle: 0.0,
            rings: RINGS,
            stiffness: STIFFNESS[0],
            first: None,
            draws: false,
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

    /// Takes in what crosses now; whether another round is worth it. It may go back to an earlier state: what is close is to be
    /// found at [`Tangle::positions`] after this.
    pub fn goes_on(&mut self, pairs: Vec<TrianglePair>) -> bool {
        if self.first.is_none() {
            self.measure(&pairs);
        }
        let first = *self.first.get_or_insert(pairs.len());
        self.pairs = pairs;
        let pairs = &self.pairs;
        if self.rounds == 0 || pairs.len() < self.best.0.len() {
            self.best = (pairs.clone(), self.now.clone());
            self.since = 0;
        } else {
            self.since += 1;
            if self.since.is_multiple_of(PATIENCE) {
                self.rings = (2 * self.rings).min(1 << 16);
                self.stiffness = (2.0 * self.stiffness).min(STIFFNESS[1]);
            }
        }
        if pairs.len() > DIVERGED * first + 100 {
            self.since = STALLED;
        }
        if self.since >= STALLED && !self.draws {
            // Once more, from the best state, in the other way.
            self.draws = true;
            self.now.clone_from(&self.best.1);
            (self.since, self.stiffness) = (0, STIFFNESS[0]);
            (self.shortest, self.fewest) = (f64::INFINITY, usize::MAX);
            self.pairs.clone_from(&self.best.0);
        }
        !self.pairs.is_empty() && self.rounds < self.max_rounds && self.since < STALLED
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
        self.jiggle = JIGGLE * mean;
    }

    /// How close pairs must be to matter in a round.
    pub fn radius(&self) -> f64 {
        self.reach.max(self.gap.unwrap_or(0.0))
    }

    /// One round: from what crosses and what is close to the next positions.
    pub fn round(&mut self, close: &Proximity) {
        let gap = self.gap.unwrap_or(0.0);
        let curves = curves(&self.adjacency, &self.now, self.pairs.iter().copied());
        self.free();
        let situation = Situation {
            adjacency: &self.adjacency,
            positions: &self.now,
            outer_sides: &self.outer_sides,
            gap,
            stiffness: self.stiffness,
            draws: self.draws,
        };
        let mut pushes = situation.pushes(&curves);
        self.note(&curves, &pushes);
        let close = close_rows(&self.adjacency, close, gap, self.stiffness, &self.solver, &pushes);
        let moves = self.moves(&mut pushes.rows, close);
        for (&v, way) in self.solver.vertices().iter().zip(&moves) {
            if way.iter().all(|x| x.is_finite()) {
                (0..3).for_each(|k| self.now[v as usize][k] += way[k]);
            }
        }
        self.jiggle(&curves);
        self.rounds += 1;
        if self.solver.vertices().is_empty() {
            // All that crosses is fixed.
            (self.draws, self.since) = (true, STALLED);
        }
    }

    /// The displacements that the rows ask for and that drive nothing together that is close.
    fn moves(&mut self, rows: &mut Vec<Row>, mut close: Vec<Row>) -> Vec<Point> {
        let material = Material { hold: HOLD, steps: ITERATIONS };
        let mut moves = Vec::new();
        for _ in 0..PASSES {
            moves = self.solver.solve(&self.adjacency, &self.given, &self.now, rows, material);
            for way in &mut moves {
                let size = length(way);
                if size > self.reach {
                    *way = way.map(|x| x * self.reach / size);
                }
            }
            // Pairs that this would drive together keep their distance in the next pass.
            let before = rows.len();
            close.retain(|row| {
                let is_met = self.solver.along(row, &moves) < row.amount;
                if is_met {
                    rows.push(*row);
                }
                !is_met
            });
            if rows.len() == before {
                break;
            }
        }
        moves
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

    /// Moves the vertices of nodes that are not in general position a little, each in a direction of its own,
    /// so that the next round finds edges that pierce triangles.
    fn jiggle(&mut self, curves: &[Curve]) {
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
            let bits = scattered(u64::from(v) << 20 | self.rounds as u64);
            for k in 0..3 {
                let unit = ((bits >> (21 * k)) & 0x1F_FFFF) as f64 / f64::from(1 << 20) - 1.0;
                self.now[v as usize][k] += self.jiggle * unit;
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
    fn free(&mut self) {
        let crossing = self.pairs.iter().flat_map(|p| [p.a.0, p.b.0]);
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
            if start == end {
                break;
            }
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

/// Bits that look random (one step of splitmix64).
fn scattered(key: u64) -> u64 {
    let x = key.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

fn length(v: &Point) -> f64 {
    dot(v, v).sqrt()
}
