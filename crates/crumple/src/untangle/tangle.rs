//! One untangling from its first round to its last: what may move, how hard it is pushed, and the best state so far.

use super::UntangleOptions;
use super::adjacency::{Adjacency, Part};
use super::aside::Ways;
use super::curves::{Curve, curves};
use super::fair::{crumpled, make_fair};
use super::near::close_rows;
use super::push::{Attempt, Pushes, Situation};
use super::regions::outer_sides;
use super::solve::{Material, Row, Solver};
use crate::geometry::vector::{dot, sub};
use crate::geometry::{Point, Sign};
use crate::{Bodies, Proximity, TrianglePair};

/// Rings of vertices around what crosses that may move at first.
const RINGS: usize = 6;
/// At last.
const MOST_RINGS: usize = 16 * RINGS;
/// Rings that may move at least where something is moved aside.
const ASIDE_RINGS: usize = 24;
/// Rounds without progress after which more may move and rows pull harder.
const PATIENCE: usize = 6;
/// How often vertices of a crumple go to the mean of their neighbours, for each ring round it.
const FAIRER: usize = 20;
/// Rounds without progress after which something else is tried, and at last it ends.
const STALLED: usize = 30;
/// Rounds with half as many pairs again as in the best state after which it goes back there, to go on with half the reach; and how
/// often it does. Layers that lie close together are driven into each other by long ways.
const ASTRAY: usize = 8;
const FINEST: i32 = 3;
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

/// The state with the fewest pairs: they, where the vertices were, and the shape that they want.
struct Best {
    pairs: Vec<TrianglePair>,
    now: Vec<Point>,
    given: Vec<Point>,
}

/// The state of an untangling.
pub(crate) struct Tangle<'b> {
    adjacency: Adjacency<'b>,
    /// The shape that they want: the given one, or where that was a crumple, a fair one.
    given: Vec<Point>,
    now: Vec<Point>,
    is_fixed: Vec<bool>,
    outer_sides: Vec<Sign>,
    solver: Solver,
    gap: Option<f64>,
    /// How far a vertex goes in a round at most, at first.
    reach: f64,
    /// How far vertices are moved out of special position.
    jiggle: f64,
    rings: usize,
    stiffness: f64,
    /// What crosses now.
    pairs: Vec<TrianglePair>,
    /// The fewest pairs so far.
    best: Best,
    /// How many there were at first.
    first: Option<usize>,
    /// What is tried now, and how many rounds without progress it is given.
    attempt: Attempt,
    patience: usize,
    rounds: usize,
    max_rounds: usize,
    /// The shortest that all curves were together, and the fewest vertices that were on the wrong side.
    shortest: f64,
    fewest: usize,
    /// Where vertices were sent that are moved aside.
    sent: Ways,
    /// The least that was left of the ways aside.
    nearest: f64,
    /// Rounds since one of them, or the number of pairs, became less.
    since: usize,
    /// Rounds astray since the number of pairs did, and how often the reach was halved for that.
    astray: usize,
    finer: i32,
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
            best: Best { pairs: Vec::new(), now: given.clone(), given: given.clone() },
            given,
            is_fixed,
            gap: options.gap,
            reach: 0.0,
            jiggle: 0.0,
            rings: RINGS,
            stiffness: STIFFNESS[0],
            first: None,
            attempt: Attempt::Back,
            patience: STALLED,
            rounds: 0,
            max_rounds: options.rounds,
            shortest: f64::INFINITY,
            fewest: usize::MAX,
            sent: Ways::new(),
            nearest: f64::INFINITY,
            since: 0,
            astray: 0,
            finer: 0,
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
        if self.rounds == 0 || pairs.len() < self.best.pairs.len() {
            self.best = Best { pairs: pairs.clone(), now: self.now.clone(), given: self.given.clone() };
            (self.since, self.astray) = (0, 0);
        } else {
            self.since += 1;
            self.astray += usize::from(2 * pairs.len() > 3 * self.best.pairs.len() + 16);
            if self.since.is_multiple_of(PATIENCE) {
                self.rings = (2 * self.rings).min(MOST_RINGS);
                self.stiffness = (2.0 * self.stiffness).min(STIFFNESS[1]);
            }
        }
        if pairs.len() > DIVERGED * first + 100 {
            self.since = self.patience;
        }
        if self.since >= self.patience {
            self.try_next();
        } else if self.astray >= ASTRAY
            && self.finer < FINEST
            && matches!(self.attempt, Attempt::Back | Attempt::Fair)
        {
            self.finer += 1;
            self.go_back();
        }
        !self.pairs.is_empty() && self.rounds < self.max_rounds && !self.is_stuck()
    }

    /// Once more, from the best state, in another way.
    fn try_next(&mut self) {
        self.attempt = match self.attempt {
            Attempt::Back => Attempt::Aside,
            Attempt::Aside => Attempt::Fair,
            Attempt::Fair => Attempt::Drawn,
            Attempt::Drawn => return,
        };
        (self.patience, self.finer, self.nearest) = (STALLED, 0, f64::INFINITY);
        (self.shortest, self.fewest) = (f64::INFINITY, usize::MAX);
        self.go_back();
    }

    /// To the best state, with few that may move and soft rows.
    fn go_back(&mut self) {
        self.now.clone_from(&self.best.now);
        self.given.clone_from(&self.best.given);
        self.pairs.clone_from(&self.best.pairs);
        (self.since, self.astray, self.stiffness) = (0, 0, STIFFNESS[0]);
        (self.solver, self.rings) = (Solver::new(self.now.len()), RINGS);
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

    /// How far a vertex goes in this round at most.
    fn reach(&self) -> f64 {
        self.reach * 0.5_f64.powi(self.finer)
    }

    /// How close pairs must be to matter in a round.
    pub fn radius(&self) -> f64 {
        self.reach().max(self.gap.unwrap_or(0.0))
    }

    /// One round: from what crosses and what is close to the next positions.
    pub fn round(&mut self, close: &Proximity) {
        let gap = self.gap.unwrap_or(0.0);
        let curves = curves(&self.adjacency, &self.now, self.pairs.iter().copied());
        if self.attempt == Attempt::Fair && self.since.is_multiple_of(PATIENCE) && self.make_fair(&curves) {
            self.rounds += 1;
            return;
        }
        self.free();
        let situation = Situation {
            adjacency: &self.adjacency,
            positions: &self.now,
            outer_sides: &self.outer_sides,
            gap,
            stiffness: self.stiffness,
            edge: self.reach / REACH,
            reach: self.reach(),
            attempt: self.attempt,
        };
        let mut pushes = situation.pushes(&curves, &mut self.sent);
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
            (self.attempt, self.since) = (Attempt::Drawn, self.patience);
        }
    }

    /// Gives what is crumpled another shape, the wider the longer nothing helped; whether there is any.
    fn make_fair(&mut self, curves: &[Curve]) -> bool {
        let rings = self.since / PATIENCE + 1;
        let mut vertices = crumpled(&self.adjacency, curves, rings);
        vertices.retain(|&v| !self.is_fixed[v as usize]);
        for positions in [&mut self.now, &mut self.given] {
            make_fair(&self.adjacency, &vertices, FAIRER * rings, positions);
        }
        if vertices.is_empty() {
            self.patience = PATIENCE;
        }
        !vertices.is_empty()
    }

    /// The displacements that the rows ask for and that drive nothing together that is close.
    fn moves(&mut self, rows: &mut Vec<Row>, mut close: Vec<Row>) -> Vec<Point> {
        let material = Material { hold: HOLD, steps: ITERATIONS };
        let reach = self.reach();
        let mut moves = Vec::new();
        for _ in 0..PASSES {
            moves = self.solver.solve(&self.adjacency, &self.given, &self.now, rows, material);
            for way in &mut moves {
                let size = length(way);
                if size > reach {
                    *way = way.map(|x| x * reach / size);
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
        if self.attempt == Attempt::Aside {
            self.note_aside(pushes.aside);
        }
    }

    /// Notes how much is left of the ways aside. Where nothing is moved aside it is the first attempt again, which is given time
    /// only if something was.
    fn note_aside(&mut self, aside: Option<f64>) {
        let left = aside.unwrap_or(0.0);
        if aside.is_none() && self.nearest.is_infinite() {
            self.patience = PATIENCE;
            return;
        }
        if left < 0.99 * self.nearest {
            self.since = 0;
        }
        self.nearest = self.nearest.min(left);
        (self.patience, self.rings) = (STALLED, self.rings.max(ASIDE_RINGS));
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

    /// Whether every way was tried and the last rounds made no progress.
    pub fn is_stuck(&self) -> bool {
        self.attempt == Attempt::Drawn && self.since >= self.patience
    }

    /// Rounds, and the positions with the fewest crossings.
    pub fn finish(self) -> (usize, Vec<Point>) {
        (self.rounds, self.best.now)
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
