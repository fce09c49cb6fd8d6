//! Projected contours: their points, coordinate by coordinate, in chains of edges that follow each other.

use super::plane::{OFF, Point2, Track};
use crate::geometry::simd::{F64x4, multiversion};
use crate::geometry::{Map, Point};
use crate::methods::regularity::hierarchy::ContourEdge;

/// More open chains than this are not linked: such a border is too ragged to be certified.
const MAX_CHAINS: usize = 64;

/// A run of edges: points `first..=last`. Closed when the last point repeats the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chain {
    pub first: usize,
    pub last: usize,
    /// Of the first or second region.
    pub region: u8,
}

/// So many numbers behind the last may be read, so that vectors need no remainder.
pub(super) const PADDING: usize = 4;

/// Points at each end of a step, coordinate by coordinate: anything may stand behind the last.
#[derive(Debug)]
pub(super) struct Points<const N: usize> {
    pub x: [Vec<f64>; N],
    pub y: [Vec<f64>; N],
}

impl<const N: usize> Default for Points<N> {
    fn default() -> Self {
        Self { x: [const { Vec::new() }; N], y: [const { Vec::new() }; N] }
    }
}

impl<const N: usize> Points<N> {
    /// One of them.
    #[inline(always)]
    pub fn at(&self, i: usize) -> Track<N> {
        std::array::from_fn(|end| [self.x[end][i], self.y[end][i]])
    }

    /// Makes room for the points from `first` on.
    pub(super) fn make_room(&mut self, first: usize, count: usize) {
        let len = first + count.next_multiple_of(4) + PADDING;
        for all in self.x.iter_mut().chain(&mut self.y) {
            if all.len() < len {
                all.resize(len, 0.0);
            }
        }
    }
}

/// A projection along a direction, in the frame's own scale.
#[derive(Clone, Copy)]
pub(crate) struct Projection<'a, const N: usize> {
    pub plane: &'a [Point; 2],
    pub map: &'a Map,
    pub positions: [&'a [Point]; N],
}

impl<const N: usize> Projection<'_, N> {
    /// Projects vertices to places from `first` on.
    fn project(&self, vertices: &[u32], first: usize, points: &mut Points<N>) {
        points.make_room(first, vertices.len());
        for (end, positions) in self.positions.into_iter().enumerate() {
            let (x, y) = (&mut points.x[end][first..], &mut points.y[end][first..]);
            project(self.plane, self.map, positions, vertices, x, y);
        }
    }
}

multiversion! {
    /// The coordinates of vertices on two axes; the outputs have room for a multiple of four.
    fn project<S: Simd>(
        simd: S,
        axes: &[Point; 2],
        map: &Map,
        positions: &[Point],
        vertices: &[u32],
        x: &mut [f64],
        y: &mut [f64],
    ) {
        let (origin, scale) = (S::F64x4::load3(simd, &map.origin), S::F64x4::splat(simd, map.scale));
        let mut of = [[scale; 3]; 2];
        for (axis, of) in axes.iter().zip(&mut of) {
            for (a, of) in axis.iter().zip(of) {
                *of = S::F64x4::splat(simd, *a);
            }
        }
        let mut at = 0;
        while at < vertices.len() {
            let mut four = [origin; 4];
            for (i, p) in four.iter_mut().enumerate() {
                let v = vertices[(at + i).min(vertices.len() - 1)];
                *p = (S::F64x4::load3(simd, &positions[v as usize]) - origin) * scale;
            }
            let [a, b, c, _] = S::F64x4::transpose4(four);
            (of[0][0] * a + of[0][1] * b + of[0][2] * c).store(&mut x[at..at + 4]);
            (of[1][0] * a + of[1][1] * b + of[1][2] * c).store(&mut y[at..at + 4]);
            at += 4;
        }
    }
}

/// Projected contours of one region or two. Scratch memory.
#[derive(Debug, Default)]
pub(super) struct Outline<const N: usize> {
    pub points: Points<N>,
    pub vertices: Vec<u32>,
    pub chains: Vec<Chain>,
}

impl<const N: usize> Outline<N> {
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.chains.clear();
    }

    /// Adds a loop of the first or second region without the edges that lead into the other.
    pub fn add(
        &mut self,
        edges: &[ContourEdge],
        region: u8,
        is_inner: impl Fn(u32) -> bool,
        projection: &Projection<'_, N>,
    ) {
        let from = self.vertices.len();
        self.link(edges, region, is_inner);
        self.project(from, projection);
    }

    /// Projects vertices from a place on.
    pub fn project(&mut self, from: usize, projection: &Projection<'_, N>) {
        projection.project(&self.vertices[from..], from, &mut self.points);
    }

    /// The same for points that are given.
    #[cfg(test)]
    pub fn add_points(
        &mut self,
        edges: &[ContourEdge],
        region: u8,
        is_inner: impl Fn(u32) -> bool,
        project: impl Fn(u32) -> Track<N>,
    ) {
        let from = self.vertices.len();
        self.link(edges, region, is_inner);
        self.points.make_room(from, self.vertices.len() - from);
        for (i, &v) in self.vertices.iter().enumerate().skip(from) {
            for (end, p) in project(v).into_iter().enumerate() {
                (self.points.x[end][i], self.points.y[end][i]) = (p[0], p[1]);
            }
        }
    }

    fn link(&mut self, edges: &[ContourEdge], region: u8, is_inner: impl Fn(u32) -> bool) {
        let from = self.vertices.len();
        if let Some(cut) = edges.iter().position(|e| is_inner(e.outer)) {
            // From behind an edge that is left out, round to it; an edge starts where the one before it ends.
            let mut open = None;
            for part in [&edges[cut + 1..], &edges[..=cut]] {
                for edge in part {
                    let is_left_out = is_inner(edge.outer);
                    if let Some(first) = open {
                        self.vertices.push(edge.vertex);
                        if is_left_out {
                            self.chains.push(Chain { first, last: self.vertices.len() - 1, region });
                            open = None;
                        }
                    } else if !is_left_out {
                        open = Some(self.vertices.len());
                        self.vertices.push(edge.vertex);
                    }
                }
            }
        } else if let Some(edge) = edges.first() {
            self.vertices.extend(edges.iter().map(|e| e.vertex));
            self.vertices.push(edge.vertex);
            self.chains.push(Chain { first: from, last: self.vertices.len() - 1, region });
        }
    }

    /// The edges of a chain at the start.
    pub fn edges(&self, chain: Chain) -> impl Iterator<Item = (Point2, Point2)> {
        (chain.first..chain.last).map(|i| (self.points.at(i)[0], self.points.at(i + 1)[0]))
    }

    /// Twice the area of a closed run of chains at the start as (sum, bound on its error), relative to `from`.
    fn area(&self, chain: Chain, from: Point2) -> (f64, f64) {
        let range = chain.first..=chain.last + PADDING;
        let [sum, size, reach] =
            area(&self.points.x[0][range.clone()], &self.points.y[0][range], from, chain.last - chain.first);
        let count = self.vertices.len() as f64;
        (sum, 16.0 * OFF * (reach + count * OFF) + f64::EPSILON * count * size)
    }

    pub fn has_positive_area(&self, chain: Chain) -> bool {
        let (sum, bound) = self.area(chain, self.points.at(chain.first)[0]);
        sum > bound
    }

    fn is_closed(&self, chain: Chain) -> bool {
        self.vertices[chain.first] == self.vertices[chain.last]
    }

    /// The chain, of those that are left, that goes on where another ends.
    fn follower(&self, left: u64, at: usize) -> Option<usize> {
        let end = self.vertices[self.chains[at].last];
        let starts_here = |&c: &usize| {
            left >> c & 1 == 1
                && !self.is_closed(self.chains[c])
                && self.vertices[self.chains[c].first] == end
        };
        (0..self.chains.len()).find(starts_here)
    }

    /// Whether all chains together are one loop.
    pub fn is_one_loop(&self) -> bool {
        let count = self.chains.len();
        if count == 0 || count > MAX_CHAINS {
            return false;
        }
        let goal = self.vertices[self.chains[0].first];
        let (mut left, mut at) = ((u64::MAX >> (64 - count)) - 1, 0);
        while self.vertices[self.chains[at].last] != goal {
            let Some(follower) = self.follower(left, at) else { return false };
            left &= !(1 << follower);
            at = follower;
        }
        left == 0
    }

    /// Links chains into loops; exactly one of them must run counter-clockwise, and every sense must be certain.
    pub fn has_one_outer_loop(&self) -> bool {
        if self.chains.is_empty() || self.chains.len() > MAX_CHAINS {
            return false;
        }
        let mut left: u64 = u64::MAX >> (64 - self.chains.len());
        let mut outer = 0;
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            left &= left - 1;
            let from = self.points.at(self.chains[start].first)[0];
            let (mut sum, mut bound) = self.area(self.chains[start], from);
            let mut at = start;
            let goal = self.vertices[self.chains[start].first];
            while self.vertices[self.chains[at].last] != goal {
                let Some(follower) = self.follower(left, at) else { return false };
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
}

multiversion! {
    /// The sum of the cross products of the ends of so many edges, seen from a point; the sum of their magnitudes; and the sum of
    /// the magnitudes of all coordinates in them.
    fn area<S: Simd>(simd: S, x: &[f64], y: &[f64], from: Point2, edges: usize) -> [f64; 3] {
        let (zero, one) = (S::F64x4::splat(simd, 0.0), S::F64x4::splat(simd, 1.0));
        let (from_x, from_y) = (S::F64x4::splat(simd, from[0]), S::F64x4::splat(simd, from[1]));
        let (mut sum, mut size, mut reach) = (zero, zero, zero);
        let counts = S::F64x4::from_array(simd, [0.0, 1.0, 2.0, 3.0]);
        for i in (0..edges).step_by(4) {
            let four = |all: &[f64], at: usize| -> [f64; 4] { all[at..at + 4].try_into().expect("four") };
            let (ux, uy) = (
                S::F64x4::from_array(simd, four(x, i)) - from_x,
                S::F64x4::from_array(simd, four(y, i)) - from_y,
            );
            let (vx, vy) = (
                S::F64x4::from_array(simd, four(x, i + 1)) - from_x,
                S::F64x4::from_array(simd, four(y, i + 1)) - from_y,
            );
            // 1 for an edge, 0 behind the last.
            let is_edge = S::F64x4::splat(simd, (edges - i) as f64).gt(counts);
            let one = S::F64x4::select(is_edge, one, zero);
            let det = (ux * vy - uy * vx) * one;
            sum = sum + det;
            size = size + det.abs();
            reach = reach + (ux.abs() + uy.abs() + vx.abs() + vy.abs()) * one;
        }
        let mut all = [[0.0; 4]; 3];
        for (part, out) in [sum, size, reach].into_iter().zip(&mut all) {
            part.store(out);
        }
        all.map(|four| (four[0] + four[1]) + (four[2] + four[3]))
    }
}
