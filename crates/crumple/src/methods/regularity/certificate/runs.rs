//! Runs of edges that advance along one direction, their pieces, and the pairs of edges that may meet.
//!
//! # Edges that advance
//! If all edges of a run have a positive dot product with one direction, the run is a graph over it and does not meet itself.
//! Coordinates are off by [`OFF`] at most, so with u = 2^-53 the computed product of an edge d and a direction t, which
//! is what it is, is off by less than 2·OFF·|t|₁ from the coordinates and by 3u·|d|∞·|t|₁, |d|∞ ≤ 4, from the roundings:
//! less than 8·OFF·|t|₁ together. Through a step edges must advance at both ends.
//!
//! # Runs that follow each other
//! The last piece of one and the first piece of the next have a vertex in common. They meet nowhere else if a line through it has all
//! other points of one on its left, and all of the other on its right; the same bound holds for the product with the line.
//! What says where runs begin, and along which direction they advance, is a proposal: it may be of the frame before.

use super::contour::Outline;
use super::plane::{EdgeBoxes, OFF, Point2, minus};
use crate::geometry::simd::{F64x4, Kernel, Mask, Simd};
use crate::geometry::vector::{max, min};

/// Edges of a piece.
const PIECE: usize = 16;

/// Edges between points `first..=last` of a chain, and the direction along which they should advance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MonotoneRun {
    pub first: u32,
    pub last: u32,
    pub region: u8,
    pub along: Point2,
    /// Whether they were found to advance, in this frame.
    is_checked: bool,
}

/// A piece of a run.
#[derive(Debug, Clone, Copy)]
struct Piece {
    first: u32,
    last: u32,
    /// Which run it is part of.
    run: u32,
}

/// Runs and their pieces. Scratch memory.
#[derive(Debug, Default)]
pub(super) struct Runs<const N: usize> {
    pub list: Vec<MonotoneRun>,
    before: Vec<MonotoneRun>,
    pieces: Vec<Piece>,
    boxes: Vec<EdgeBoxes<N>>,
    /// Where each piece begins along the first axis, ascending, and which it is.
    order: Vec<(f64, u32)>,
}

impl<const N: usize> Runs<N> {
    /// Cuts chains where edges no longer fit into a half-plane: the middle of their directions is the one along which they advance.
    pub fn cut(&mut self, outline: &Outline<N>) {
        self.list.clear();
        for chain in &outline.chains {
            let mut first = chain.first;
            while first < chain.last {
                let (last, along) = run_from(outline, first, chain.last);
                let region = chain.region;
                self.list.push(MonotoneRun {
                    first: first as u32,
                    last: last as u32,
                    region,
                    along,
                    is_checked: false,
                });
                first = last;
            }
        }
    }
}

/// The end of the longest run from `start` whose edges fit into a half-plane, and the middle of their directions.
/// Rounding is not looked at here.
fn run_from<const N: usize>(outline: &Outline<N>, start: usize, last: usize) -> (usize, Point2) {
    let edge = |i: usize| minus(outline.points.at(i + 1), outline.points.at(i));
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

/// Cuts anew those runs of another frame that no longer advance; what is cut there stays cut.
pub(super) struct Refit<'a, const N: usize> {
    pub outline: &'a Outline<N>,
    pub runs: &'a mut Runs<N>,
}

impl<const N: usize> Kernel for Refit<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { outline, runs: Runs { list, before, .. } } = self;
        std::mem::swap(list, before);
        list.clear();
        for run in before.iter() {
            if advances(simd, outline, run) {
                list.push(MonotoneRun { is_checked: true, ..*run });
                continue;
            }
            let (mut first, end) = (run.first as usize, run.last as usize);
            while first < end {
                let (last, along) = run_from(outline, first, end);
                let is_checked = false;
                list.push(MonotoneRun { first: first as u32, last: last as u32, along, is_checked, ..*run });
                first = last;
            }
        }
    }
}

/// Hands pairs of edges that may meet to `are_apart`, by their first points and whether they are of one region, until it says
/// no. Says whether it never did.
pub(super) struct FindMeetings<'a, F, const N: usize> {
    pub outline: &'a Outline<N>,
    pub runs: &'a mut Runs<N>,
    pub are_apart: &'a mut F,
}

impl<F: FnMut(usize, usize, bool) -> bool, const N: usize> Kernel for FindMeetings<'_, F, N> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> bool {
        let Self { outline, runs: Runs { list, pieces, boxes, order, .. }, are_apart } = self;
        pieces.clear();
        boxes.clear();
        order.clear();
        for (number, run) in (0u32..).zip(list.iter()) {
            let MonotoneRun { first, last, is_checked, .. } = *run;
            let is_monotone = is_checked || advances(simd, outline, run);
            let mut from = first;
            while from < last {
                let to = min(from + PIECE as u32, last);
                let piece = Piece { first: from, last: to, run: number };
                let bounds = box_of(simd, outline, piece);
                order.push((min(bounds.min[0][0], bounds.min[N - 1][0]), pieces.len() as u32));
                pieces.push(piece);
                boxes.push(bounds);
                // Where rounding spoils it, edges are tested one by one.
                if !is_monotone && !edges_are_apart(simd, outline, piece, piece, &bounds, true, are_apart) {
                    return false;
                }
                from = to;
            }
            if !is_monotone {
                // Its pieces are no longer known to be apart.
                let of_run = pieces.iter().rposition(|p| p.run != number).map_or(0, |i| i + 1);
                for i in of_run..pieces.len() {
                    for j in i + 1..pieces.len() {
                        let (a, b) = (pieces[i], pieces[j]);
                        if !edges_are_apart(simd, outline, a, b, &boxes[j], true, are_apart) {
                            return false;
                        }
                    }
                }
            }
        }
        // Not the pieces themselves, which are large; equal ones in the order of the contour.
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for i in 0..order.len() {
            let at = order[i].1 as usize;
            let (a, bounds) = (pieces[at], boxes[at]);
            let end = max(bounds.max[0][0], bounds.max[N - 1][0]);
            for &(low, j) in &order[i + 1..] {
                if low > end {
                    break;
                }
                let j = j as usize;
                let b = pieces[j];
                if a.run == b.run || !bounds.may_meet(&boxes[j]) {
                    continue;
                }
                let (run_a, run_b) = (&list[a.run as usize], &list[b.run as usize]);
                if a.last == b.first && part_at_joint(simd, outline, [a, b], [run_a, run_b])
                    || b.last == a.first && part_at_joint(simd, outline, [b, a], [run_b, run_a])
                {
                    continue;
                }
                let same = run_a.region == run_b.region;
                if !edges_are_apart(simd, outline, a, b, &boxes[j], same, are_apart) {
                    return false;
                }
            }
        }
        true
    }
}

/// Four numbers from a place on.
#[inline(always)]
fn four<S: Simd>(simd: S, all: &[f64], at: usize) -> S::F64x4 {
    S::F64x4::from_array(simd, all[at..at + 4].try_into().expect("four numbers"))
}

/// Four numbers from a place on, and the four that follow the first of them.
#[inline(always)]
fn ends<S: Simd>(simd: S, all: &[f64], at: usize) -> [S::F64x4; 2] {
    let x: &[f64; 5] = all[at..at + 5].try_into().expect("five numbers");
    [
        S::F64x4::from_array(simd, [x[0], x[1], x[2], x[3]]),
        S::F64x4::from_array(simd, [x[1], x[2], x[3], x[4]]),
    ]
}

/// The lowest bits, of which there are at most four.
#[inline(always)]
fn lowest(count: usize) -> u32 {
    0xf >> (4 - count.min(4))
}

/// Whether the edges of a run certainly advance along its direction.
#[inline(always)]
fn advances<S: Simd, const N: usize>(simd: S, outline: &Outline<N>, run: &MonotoneRun) -> bool {
    let (first, last, [x, y]) = (run.first as usize, run.last as usize, run.along);
    let margin = S::F64x4::splat(simd, 8.0 * OFF * (x.abs() + y.abs()));
    let (along_x, along_y) = (S::F64x4::splat(simd, x), S::F64x4::splat(simd, y));
    for end in 0..N {
        let (x, y) = (&outline.points.x[end], &outline.points.y[end]);
        let mut at = first;
        while at < last {
            let ([x0, x1], [y0, y1]) = (ends(simd, x, at), ends(simd, y, at));
            let (dx, dy) = (x1 - x0, y1 - y0);
            let ahead = (dx * along_x + dy * along_y).gt(margin).bitmask();
            let edges = lowest(last - at);
            if ahead & edges != edges {
                return false;
            }
            at += 4;
        }
    }
    true
}

/// Whether a line through the vertex where one piece ends and the other begins has all else of one on its left and all else of the
/// other on its right.
#[inline(always)]
fn part_at_joint<S: Simd, const N: usize>(
    simd: S,
    outline: &Outline<N>,
    [a, b]: [Piece; 2],
    [run_a, run_b]: [&MonotoneRun; 2],
) -> bool {
    // Along the middle between the way back and the way on.
    let line = [run_b.along[0] - run_a.along[0], run_b.along[1] - run_a.along[1]];
    let joint = a.last as usize;
    let margin = S::F64x4::splat(simd, 8.0 * OFF * (line[0].abs() + line[1].abs()));
    let (line_x, line_y) = (S::F64x4::splat(simd, line[0]), S::F64x4::splat(simd, line[1]));
    let turn = run_a.along[0] * run_b.along[1] - run_a.along[1] * run_b.along[0];
    for (first, last, is_on) in [(a.first as usize, joint, false), (joint + 1, b.last as usize + 1, true)] {
        for end in 0..N {
            let (x, y) = (&outline.points.x[end], &outline.points.y[end]);
            let (from_x, from_y) = (S::F64x4::splat(simd, x[joint]), S::F64x4::splat(simd, y[joint]));
            let mut at = first;
            while at < last {
                let (dx, dy) = (four(simd, x, at) - from_x, four(simd, y, at) - from_y);
                let (left, right) = (line_x * dy, line_y * dx);
                // Where the turn is to the left, the way on is on the line's right.
                let beyond = if is_on == (turn > 0.0) { right - left } else { left - right };
                let points = lowest(last - at);
                if beyond.gt(margin).bitmask() & points != points {
                    return false;
                }
                at += 4;
            }
        }
    }
    true
}

/// The box of a piece.
#[inline(always)]
fn box_of<S: Simd, const N: usize>(simd: S, outline: &Outline<N>, piece: Piece) -> EdgeBoxes<N> {
    let mut boxes = EdgeBoxes { min: [[0.0; 2]; N], max: [[0.0; 2]; N] };
    for end in 0..N {
        for (k, all) in [&outline.points.x[end], &outline.points.y[end]].into_iter().enumerate() {
            let all = &all[piece.first as usize..=piece.last as usize];
            let (mut lowest, mut highest) = (all[0], all[0]);
            if all.len() < 4 {
                for &x in all {
                    (lowest, highest) = (min(lowest, x), max(highest, x));
                }
            } else {
                let last = all.len() - 4;
                let mut low = four(simd, all, last);
                let mut high = low;
                let (fours, _) = all.as_chunks::<4>();
                for &x in fours {
                    let x = S::F64x4::from_array(simd, x);
                    (low, high) = (low.min(x), high.max(x));
                }
                let (mut least, mut most) = ([0.0; 4], [0.0; 4]);
                low.store(&mut least);
                high.store(&mut most);
                lowest = min(min(least[0], least[1]), min(least[2], least[3]));
                highest = max(max(most[0], most[1]), max(most[2], most[3]));
            }
            (boxes.min[end][k], boxes.max[end][k]) = (lowest - OFF, highest + OFF);
        }
    }
    boxes
}

/// Every edge of one piece against every edge of the other, or of one piece against each other.
#[inline(always)]
fn edges_are_apart<S: Simd, const N: usize>(
    simd: S,
    outline: &Outline<N>,
    a: Piece,
    b: Piece,
    box_of_b: &EdgeBoxes<N>,
    same_region: bool,
    are_apart: &mut impl FnMut(usize, usize, bool) -> bool,
) -> bool {
    let is_one = a.first == b.first;
    let mut rest = meeting(simd, outline, a, box_of_b);
    while rest != 0 {
        let i = a.first as usize + rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let edge = EdgeBoxes::of_edge(&outline.points.at(i), &outline.points.at(i + 1));
        let mut others = meeting(simd, outline, b, &edge);
        while others != 0 {
            let j = b.first as usize + others.trailing_zeros() as usize;
            others &= others - 1;
            if (!is_one || i < j) && !are_apart(i, j, same_region) {
                return false;
            }
        }
    }
    true
}

/// The edges of a piece whose boxes may meet a box, one bit each.
#[inline(always)]
fn meeting<S: Simd, const N: usize>(
    simd: S,
    outline: &Outline<N>,
    piece: Piece,
    other: &EdgeBoxes<N>,
) -> u32 {
    let off = S::F64x4::splat(simd, OFF);
    let (first, last) = (piece.first as usize, piece.last as usize);
    let mut found = 0;
    let mut at = first;
    while at < last {
        // Apart, if along one axis one is below the other at both ends.
        let mut apart = [u32::MAX; 4];
        for end in 0..N {
            for (k, all) in [&outline.points.x[end], &outline.points.y[end]].into_iter().enumerate() {
                let [p, q] = ends(simd, all, at);
                let low = S::F64x4::splat(simd, other.min[end][k]);
                let high = S::F64x4::splat(simd, other.max[end][k]);
                apart[2 * k] &= low.gt(p.max(q) + off).bitmask();
                apart[2 * k + 1] &= (p.min(q) - off).gt(high).bitmask();
            }
        }
        let any = apart[0] | apart[1] | apart[2] | apart[3];
        found |= (!any & lowest(last - at)) << (at - first);
        at += 4;
    }
    found
}
