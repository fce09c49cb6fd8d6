//! Does a projected contour cross or touch itself? A sufficient test that is never wrong when it says "no".
//!
//! # The theorem
//! Let all triangles of a region have positive area in the projection. Then a point is covered as often as the contours
//! wind round it. If the contours do not touch or cross, and exactly one runs counter-clockwise, that is 0 or 1 (it is
//! never negative), and no two triangles meet beyond what they share. A contour that passes a vertex twice touches
//! itself.
//!
//! Two regions without a common edge, of one contour each: if the contours meet at most in vertices that both have,
//! where the two sectors lie apart, and neither surrounds the other, their projections are apart but for these
//! vertices. Where contours meet in finitely many points and no sector overlaps, neither contour enters the other's
//! inside, so the insides are equal, nested or apart; the sectors, or without common vertices one point each, exclude
//! all but the last.
//!
//! # The tests
//! The contour is cut into monotone runs, and these into pieces of at most 16 edges. A sweep over the
//! boxes of pieces finds pairs of different runs that overlap; they are tested edge by edge. Every sign must be certain, a
//! doubt counts as a crossing. (A test for star-shaped contours in front of this was tried: contours run along edges, and
//! only one in twenty was star-shaped about its middle.)
//!
//! # Contours that move
//! All of this works on points that move through a step as well (`N` = 2), every sign being asked for at all times. A run is
//! monotone throughout if its edges advance along one direction at both ends. How the contours run, and whether one surrounds
//! the other, is looked at only at the start: while contours neither touch nor cross, neither can change. Signed areas are
//! continuous, and that of a simple polygon is not zero.

use super::plane::{
    EdgeBoxes, OFF, Point2, Track, certain_cross, certain_dot, is_beyond, minus, segments_are_apart,
};
use crate::methods::regularity::hierarchy::ContourEdge;

/// Edges of a piece.
const PIECE: usize = 16;

/// More open chains than this are not linked: such a border is too ragged to be certified.
const MAX_CHAINS: usize = 64;

/// A run of edges: points `first..=last`. Closed when the last point repeats the first.
#[derive(Debug, Clone, Copy)]
struct Chain {
    first: usize,
    last: usize,
    /// Of the first or second region.
    region: u8,
}

/// A piece of a chain with its boxes, grown by [`OFF`].
#[derive(Debug, Clone, Copy)]
struct Piece<const N: usize> {
    first: usize,
    last: usize,
    region: u8,
    /// Which run of edges it is part of.
    run: u32,
    is_monotone: bool,
    boxes: EdgeBoxes<N>,
}

/// Whether two regions are taken as one or must lie apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    /// One disc, perhaps with holes.
    Joined,
    /// Two discs that may have vertices in common.
    Apart,
}

/// A projected contour. Scratch memory.
#[derive(Debug, Default)]
pub(crate) struct ProjectedContour<const N: usize> {
    points: Vec<Track<N>>,
    vertices: Vec<u32>,
    chains: Vec<Chain>,
    pieces: Vec<Piece<N>>,
    /// Where each piece begins along the first axis, ascending, and which it is.
    order: Vec<(f64, u32)>,
    /// Vertices that both regions have, in the case [`Case::Apart`].
    pinches: Vec<u32>,
}

impl<const N: usize> ProjectedContour<N> {
    /// Forgets the last contour.
    pub fn clear(&mut self) {
        self.points.clear();
        self.vertices.clear();
        self.chains.clear();
    }

    /// Number of points.
    pub fn len(&self) -> u32 {
        self.points.len() as u32
    }

    /// Adds a loop of the first or second region without the edges that lead into the other.
    pub fn add(
        &mut self,
        edges: &[ContourEdge],
        region: u8,
        is_inner: impl Fn(u32) -> bool,
        project: impl Fn(u32) -> Track<N>,
    ) {
        let mut push = |vertex: u32| {
            self.points.push(project(vertex));
            self.vertices.push(vertex);
            self.points.len() - 1
        };
        let Some(cut) = edges.iter().position(|e| is_inner(e.outer)) else {
            if let Some(edge) = edges.first() {
                let first = push(edge.vertex);
                edges[1..].iter().for_each(|e| _ = push(e.vertex));
                let last = push(edge.vertex);
                self.chains.push(Chain { first, last, region });
            }
            return;
        };
        // From behind an edge that is left out, round to it; an edge starts where the one before it ends.
        let mut open = None;
        for edge in edges[cut + 1..].iter().chain(&edges[..=cut]) {
            let is_left_out = is_inner(edge.outer);
            match open {
                None if is_left_out => {}
                None => open = Some(push(edge.vertex)),
                Some(first) => {
                    let last = push(edge.vertex);
                    if is_left_out {
                        self.chains.push(Chain { first, last, region });
                        open = None;
                    }
                }
            }
        }
    }

    /// Whether everything added is certainly the contour of one disc, perhaps with holes.
    pub fn is_simple(&mut self) -> bool {
        !self.chains.is_empty() && self.has_one_outer_loop() && self.pieces_are_apart(Case::Joined)
    }

    /// Whether the two regions, each of one loop and without a common edge, are certainly apart but for vertices that
    /// both have.
    pub fn is_apart(&mut self) -> bool {
        let [a, b] = self.chains[..] else { return false };
        if a.region == b.region || !self.has_positive_area(a) || !self.has_positive_area(b) {
            return false;
        }
        self.pieces_are_apart(Case::Apart)
            && if self.pinches.is_empty() {
                self.is_outside(self.points[a.first][0], b) && self.is_outside(self.points[b.first][0], a)
            } else {
                (0..self.pinches.len()).all(|i| self.sectors_are_apart(self.pinches[i], a, b))
            }
    }

    /// The edges of a chain at the start.
    fn edges(&self, chain: Chain) -> impl Iterator<Item = (Point2, Point2)> {
        self.points[chain.first..=chain.last].windows(2).map(|w| (w[0][0], w[1][0]))
    }

    /// Twice the area of a closed run of chains at the start as (sum, bound on its error), relative to `from`.
    fn area(&self, chain: Chain, from: Point2) -> (f64, f64) {
        let (mut sum, mut size, mut bound) = (0.0, 0.0, 0.0);
        for (p, q) in self.edges(chain) {
            let [[u], [v]] = [minus([p], [from]), minus([q], [from])];
            let det = u[0] * v[1] - u[1] * v[0];
            sum += det;
            size += det.abs();
            bound += 16.0 * OFF * (u[0].abs() + u[1].abs() + v[0].abs() + v[1].abs() + OFF);
        }
        (sum, bound + f64::EPSILON * self.points.len() as f64 * size)
    }

    fn has_positive_area(&self, chain: Chain) -> bool {
        let (sum, bound) = self.area(chain, self.points[chain.first][0]);
        sum > bound
    }

    fn is_closed(&self, chain: Chain) -> bool {
        self.vertices[chain.first] == self.vertices[chain.last]
    }

    /// Links chains into loops; exactly one of them must run counter-clockwise, and every sense must be certain.
    fn has_one_outer_loop(&self) -> bool {
        if self.chains.len() > MAX_CHAINS {
            return false;
        }
        let mut left: u64 = u64::MAX >> (64 - self.chains.len());
        let mut outer = 0;
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            left &= left - 1;
            let from = self.points[self.chains[start].first][0];
            let (mut sum, mut bound) = self.area(self.chains[start], from);
            let mut at = start;
            let goal = self.vertices[self.chains[start].first];
            while self.vertices[self.chains[at].last] != goal {
                let end = self.vertices[self.chains[at].last];
                let starts_here = |&c: &usize| {
                    left >> c & 1 == 1
                        && !self.is_closed(self.chains[c])
                        && self.vertices[self.chains[c].first] == end
                };
                let Some(follower) = (0..self.chains.len()).find(starts_here) else { return false };
                left &= !(1 << follower);
                let (more, uncertain) = self.area(self.chains[follower], from);
                (sum, bound) = (sum + more, bound + uncertain);
                at = follower;
            }
            if sum.abs() <= bound {
                return false;
            }
            outer += u32::from(sum > 0.0);
        }
        outer == 1
    }

    /// Cuts chains into pieces. Runs of edges whose directions fit into a half-plane get one number: they advance along
    /// the middle of these directions, so no two of them meet.
    fn cut_into_pieces(&mut self) {
        self.pieces.clear();
        let mut runs = 0;
        for &Chain { first, last, region } in &self.chains {
            let mut start = first;
            while start < last {
                let (end, towards) = self.run_from(start, last);
                let advances =
                    |w: &[Track<N>]| minus(w[1], w[0]).iter().all(|&d| certain_dot([d], [towards]) > 0.0);
                let is_monotone = self.points[start..=end].windows(2).all(advances);
                for from in (start..end).step_by(PIECE) {
                    let to = (from + PIECE).min(end);
                    let boxes = EdgeBoxes::of(&self.points[from..=to]);
                    // Where rounding spoils it, each piece stands for itself and is tested edge by edge.
                    runs += u32::from(!is_monotone || from == start);
                    self.pieces.push(Piece { first: from, last: to, region, run: runs, is_monotone, boxes });
                }
                start = end;
            }
        }
        // Not the pieces themselves, which are large; equal ones in the order of the contour.
        self.order.clear();
        self.order.extend((0u32..).zip(&self.pieces).map(|(i, piece)| (piece.boxes.range()[0], i)));
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// The end of the longest run from `start` whose edges fit into a half-plane, and the middle of their directions.
    /// Rounding is not looked at here.
    fn run_from(&self, start: usize, last: usize) -> (usize, Point2) {
        let edge = |i: usize| minus(self.points[i + 1], self.points[i]);
        let cross = |u: Point2, v: Point2| u[0] * v[1] - u[1] * v[0];
        let (mut right, mut left) = (edge(start)[0], edge(start)[0]);
        let mut end = start;
        'run: while end < last {
            for d in edge(end) {
                let (from_right, to_left) = (cross(right, d), cross(d, left));
                if to_left < 0.0 {
                    if from_right <= 0.0 {
                        break 'run;
                    }
                    left = d;
                } else if from_right < 0.0 {
                    if to_left <= 0.0 {
                        break 'run;
                    }
                    right = d;
                }
            }
            end += 1;
        }
        // An edge that turns round within the step is a run of its own.
        let end = end.max(start + 1);
        let unit = |u: Point2| {
            let length = (u[0] * u[0] + u[1] * u[1]).sqrt();
            [u[0] / length, u[1] / length]
        };
        let (r, l) = (unit(right), unit(left));
        (end, [r[0] + l[0], r[1] + l[1]])
    }

    /// Whether no two edges cross or touch but where they follow each other, or where [`Case::Apart`] allows it.
    fn pieces_are_apart(&mut self, case: Case) -> bool {
        self.cut_into_pieces();
        self.pinches.clear();
        for i in 0..self.pieces.len() {
            let a = self.pieces[self.order[i].1 as usize];
            if !a.is_monotone && !self.edges_are_apart(a, a, case) {
                return false;
            }
            let a_end = a.boxes.range()[1];
            for j in i + 1..self.order.len() {
                let (low, b) = self.order[j];
                if low > a_end {
                    break;
                }
                let b = self.pieces[b as usize];
                if a.run != b.run && a.boxes.may_meet(&b.boxes) && !self.edges_are_apart(a, b, case) {
                    return false;
                }
            }
        }
        true
    }

    /// Every edge of one piece against every edge of the other, or of one piece against each other.
    fn edges_are_apart(&mut self, a: Piece<N>, b: Piece<N>, case: Case) -> bool {
        for i in a.first..a.last {
            let boxes = EdgeBoxes::of_edge(&self.points[i], &self.points[i + 1]);
            if !b.boxes.may_meet(&boxes) {
                continue;
            }
            let from = if a.first == b.first { i + 1 } else { b.first };
            for j in from..b.last {
                if boxes.may_meet(&EdgeBoxes::of_edge(&self.points[j], &self.points[j + 1]))
                    && !self.two_edges_are_apart(i, j, a.region == b.region, case)
                {
                    return false;
                }
            }
        }
        true
    }

    /// Two edges whose boxes overlap.
    fn two_edges_are_apart(&mut self, i: usize, j: usize, same_region: bool, case: Case) -> bool {
        let at = |k: usize| (self.vertices[k], self.points[k]);
        let (p, q, r, s) = (at(i), at(i + 1), at(j), at(j + 1));
        let (shared, other, follows) = if q.0 == r.0 && p.0 != s.0 {
            (q, (p, s), true)
        } else if p.0 == s.0 && q.0 != r.0 {
            (p, (q, r), true)
        } else if p.0 == r.0 && q.0 != s.0 {
            (p, (q, s), false)
        } else if q.0 == s.0 && p.0 != r.0 {
            (q, (p, r), false)
        } else if p.0 == r.0 || p.0 == s.0 || q.0 == r.0 || q.0 == s.0 {
            return false; // Both ends are common.
        } else {
            return segments_are_apart(p.1, q.1, r.1, s.1);
        };
        match (case, same_region) {
            (Case::Joined, _) | (Case::Apart, true) if !follows => return false,
            (Case::Apart, false) if !self.pinches.contains(&shared.0) => self.pinches.push(shared.0),
            _ => {}
        }
        let (u, v) = (minus(other.0.1, shared.1), minus(other.1.1, shared.1));
        certain_cross(u, v) != 0.0 || certain_dot(u, v) < 0.0
    }

    /// Whether the insides of two regions certainly lie in different sectors at a vertex that both have.
    fn sectors_are_apart(&self, vertex: u32, a: Chain, b: Chain) -> bool {
        // Directions to the next and the last vertex: the inside is between them, counter-clockwise.
        let rays = |chain: Chain| {
            let at = (chain.first..chain.last).find(|&i| self.vertices[i] == vertex)?;
            let before = if at == chain.first { chain.last - 1 } else { at - 1 };
            Some((minus(self.points[at + 1], self.points[at]), minus(self.points[before], self.points[at])))
        };
        let (Some((a_next, a_last)), Some((b_next, b_last))) = (rays(a), rays(b)) else { return false };
        is_beyond(a_next, a_last, b_next)
            && is_beyond(a_next, a_last, b_last)
            && is_beyond(b_next, b_last, a_next)
            && is_beyond(b_next, b_last, a_last)
    }

    /// Whether a point is certainly outside a closed chain at the start.
    fn is_outside(&self, p: Point2, chain: Chain) -> bool {
        let mut winding = 0;
        for (q, r) in self.edges(chain) {
            let [[u], [v]] = [minus([q], [p]), minus([r], [p])];
            if u[1].abs() <= 4.0 * OFF || v[1].abs() <= 4.0 * OFF {
                return false;
            }
            if (u[1] > 0.0) != (v[1] > 0.0) {
                let side = certain_cross([u], [v]);
                if side == 0.0 {
                    return false;
                }
                // Crosses the line through p; to its right when p is left of an upward edge.
                winding += match (v[1] > 0.0, side > 0.0) {
                    (true, true) => 1,
                    (false, false) => -1,
                    _ => 0,
                };
            }
        }
        winding == 0
    }
}
