//! Measures what is left, four pairs at a time, in the order of the answer.

use super::block_pair::FirstIds;
use super::elements::Elements;
use super::found::{FoundPairs, ids};
use crate::geometry::Point;
use crate::geometry::simd::{F64x4, Kernel, Simd};
use crate::narrow::close_features::{self, Close};
use crate::narrow::{Feature, close_four};
use crate::{Closeness, EdgeEdge, TriangleId, VertexId, VertexTriangle};

/// The edges and triangles of all bodies under ids across bodies.
#[derive(Clone, Copy)]
pub(super) struct Lists<'a> {
    pub elements: &'a [Elements],
    /// Where the ids of each body begin, and where those of all end.
    pub first: &'a [FirstIds],
}

impl Lists<'_> {
    /// Where the ids of all bodies end.
    pub fn ends(&self) -> FirstIds {
        self.first[self.first.len() - 1]
    }

    /// The body that has an id of a kind; `near` is the one that had the last.
    #[inline(always)]
    fn body(&self, id: u32, near: &mut usize, kind: impl Fn(&FirstIds) -> u32) -> usize {
        if id < kind(&self.first[*near]) || id >= kind(&self.first[*near + 1]) {
            *near = self.first.partition_point(|first| kind(first) <= id) - 1;
        }
        *near
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub fn triangle(&self, id: u32, near: &mut usize) -> [u32; 3] {
        let body = self.body(id, near, |f| f.triangle);
        let (first, corners) = (&self.first[body], &self.elements[body].corners);
        corners[(id - first.triangle) as usize].map(|v| first.vertex + v)
    }

    /// The ends of an edge.
    #[inline(always)]
    pub fn edge(&self, id: u32, near: &mut usize) -> [u32; 2] {
        let body = self.body(id, near, |f| f.edge);
        let (first, table) = (&self.first[body], &self.elements[body].table);
        table.ends()[(id - first.edge) as usize].map(|v| first.vertex + v)
    }
}

/// All that a verdict needs, ids across bodies.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    positions: &'a [Point],
    lists: Lists<'a>,
    close: &'a Closeness<'a>,
    /// Where vertices are at rest.
    rest: Option<&'a [Point]>,
}

impl<'a> Judge<'a> {
    pub fn new(
        positions: &'a [Point],
        lists: Lists<'a>,
        close: &'a Closeness<'a>,
        rest: Option<&'a [Point]>,
    ) -> Self {
        Self { positions, lists, close, rest }
    }

    /// The body that has a vertex.
    #[inline]
    fn body(&self, vertex: u32) -> usize {
        self.lists.body(vertex, &mut 0, |f| f.vertex)
    }

    /// The distance below which two features with these corners count.
    #[inline(always)]
    fn limit(&self, a: &[u32], b: &[u32]) -> f64 {
        let limit = match self.close.thickness {
            Some(_) => self.close.of(self.body(a[0]), self.body(b[0])),
            None => self.close.distance,
        };
        Closeness::between(self.close.reach, limit, [bytemuck::cast_slice(a), bytemuck::cast_slice(b)])
    }

    /// Where vertices are at rest, when both features are of one body.
    #[inline]
    fn rest(&self, a: u32, b: u32) -> Option<&[Point]> {
        self.rest.filter(|_| self.body(a) == self.body(b))
    }

    /// A vertex and a triangle, if they are close, and were not at rest.
    fn vertex_triangle(&self, pair: u64) -> Option<VertexTriangle> {
        let [vertex, triangle] = ids(pair);
        let corners = self.lists.triangle(triangle, &mut 0);
        let limit = self.limit(&[vertex], &corners);
        let at = |positions: &[Point]| {
            let t = corners.map(|v| positions[v as usize]);
            close_features::vertex_triangle(&positions[vertex as usize], &t, limit)
        };
        let Close { distance, weights, normal, features } = at(self.positions)?;
        if self.was_close_vertex(pair) {
            return None;
        }
        let (vertex, triangle) = (VertexId(vertex), TriangleId(triangle));
        Some(VertexTriangle { vertex, triangle, distance, weights: weights[1], normal, feature: features[1] })
    }

    #[inline]
    fn was_close_vertex(&self, pair: u64) -> bool {
        let [vertex, triangle] = ids(pair);
        let corners = self.lists.triangle(triangle, &mut 0);
        self.rest(vertex, corners[0]).is_some_and(|rest| {
            let t = corners.map(|v| rest[v as usize]);
            close_features::vertex_triangle(&rest[vertex as usize], &t, self.limit(&[vertex], &corners))
                .is_some()
        })
    }

    /// Two edges, likewise.
    fn edge_edge(&self, pair: u64) -> Option<EdgeEdge> {
        let [a, b] = ids(pair).map(|e| self.lists.edge(e, &mut 0));
        let at = |e: [u32; 2]| e.map(|v| self.positions[v as usize]);
        let Close { distance, weights, normal, features } =
            close_features::edge_edge(&at(a), &at(b), self.limit(&a, &b))?;
        if self.was_close_edge(pair) {
            return None;
        }
        let (a, b, weights) = (a.map(VertexId), b.map(VertexId), [weights[0][1], weights[1][1]]);
        Some(EdgeEdge { a, b, distance, weights, normal, features })
    }

    #[inline]
    fn was_close_edge(&self, pair: u64) -> bool {
        let [a, b] = ids(pair).map(|e| self.lists.edge(e, &mut 0));
        self.rest(a[0], b[0]).is_some_and(|rest| {
            let at = |e: [u32; 2]| e.map(|v| rest[v as usize]);
            close_features::edge_edge(&at(a), &at(b), self.limit(&a, &b)).is_some()
        })
    }

    /// Leaves what is close.
    pub fn retain(&self, found: &mut FoundPairs) {
        found.vertex_triangles.retain(|&pair| self.vertex_triangle(pair).is_some());
        found.edge_edges.retain(|&pair| self.edge_edge(pair).is_some());
    }
}

/// Adds the rows of some pairs of vertices and triangles that are close.
pub(super) struct MeasureVertices<'a, 'j, R, F> {
    pub judge: &'a Judge<'j>,
    pub pairs: &'a [u64],
    /// The form in which a row is wanted.
    pub row: &'a F,
    pub out: &'a mut Vec<R>,
}

impl<R, F: Fn(VertexTriangle) -> R> Kernel for MeasureVertices<'_, '_, R, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { judge, pairs, row, out } = self;
        let fours = pairs.chunks_exact(4);
        let rest = fours.remainder();
        let near = &mut 0;
        for four in fours {
            let (mut vertices, mut corners, mut limits) = ([0; 4], [[0; 4]; 3], [0.0; 4]);
            for i in 0..4 {
                let [vertex, triangle] = ids(four[i]);
                let [x, y, z] = judge.lists.triangle(triangle, near);
                (vertices[i], corners[0][i], corners[1][i], corners[2][i]) = (vertex, x, y, z);
                limits[i] = judge.limit(&[vertex], &[x, y, z]);
            }
            let p = gathered(simd, judge.positions, &vertices);
            let t = [
                gathered(simd, judge.positions, &corners[0]),
                gathered(simd, judge.positions, &corners[1]),
                gathered(simd, judge.positions, &corners[2]),
            ];
            let limit = S::F64x4::from_array(simd, limits);
            let (close, on) = close_four::vertex_triangle(simd, p, t, limit);
            if close.near | close.doubt == 0 {
                continue;
            }
            let (distance, along) = (stored(close.distance), stored(on.along));
            let normal = close.normal.map(stored);
            let inside = on.weights.map(stored);
            for i in 0..4 {
                let (bit, pair) = (1 << i, four[i]);
                if close.doubt & bit != 0 {
                    out.extend(judge.vertex_triangle(pair).map(row));
                    continue;
                }
                if close.near & bit == 0 || judge.rest.is_some() && judge.was_close_vertex(pair) {
                    continue;
                }
                let (weights, feature) = if on.inside & bit != 0 {
                    ([inside[0][i], inside[1][i], inside[2][i]], Feature::Face)
                } else {
                    let edge = if on.third & bit != 0 { 2 } else { usize::from(on.second & bit != 0) };
                    on_edge(edge, along[i])
                };
                let [vertex, triangle] = ids(pair);
                out.push(row(VertexTriangle {
                    vertex: VertexId(vertex),
                    triangle: TriangleId(triangle),
                    distance: distance[i],
                    weights,
                    normal: [normal[0][i], normal[1][i], normal[2][i]],
                    feature,
                }));
            }
        }
        out.extend(rest.iter().filter_map(|&pair| judge.vertex_triangle(pair)).map(row));
    }
}

/// The weights and the feature of a point of an edge of a triangle.
#[inline(always)]
fn on_edge(edge: usize, s: f64) -> ([f64; 3], Feature) {
    let next = (edge + 1) % 3;
    let mut weights = [0.0; 3];
    (weights[edge], weights[next]) = (1.0 - s, s);
    let feature = if s == 0.0 {
        Feature::Vertex(edge as u8)
    } else if s == 1.0 {
        Feature::Vertex(next as u8)
    } else {
        Feature::Edge(edge as u8)
    };
    (weights, feature)
}

/// Adds the rows of some pairs of edges that are close.
pub(super) struct MeasureEdges<'a, 'j, R, F> {
    pub judge: &'a Judge<'j>,
    pub pairs: &'a [u64],
    /// The form in which a row is wanted.
    pub row: &'a F,
    pub out: &'a mut Vec<R>,
}

impl<R, F: Fn(EdgeEdge) -> R> Kernel for MeasureEdges<'_, '_, R, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { judge, pairs, row, out } = self;
        let fours = pairs.chunks_exact(4);
        let rest = fours.remainder();
        let [near, near_b] = &mut [0; 2];
        for four in fours {
            let (mut ends, mut limits) = ([[0; 4]; 4], [0.0; 4]);
            for i in 0..4 {
                let [a, b] = ids(four[i]);
                let (a, b) = (judge.lists.edge(a, near), judge.lists.edge(b, near_b));
                (ends[0][i], ends[1][i], ends[2][i], ends[3][i]) = (a[0], a[1], b[0], b[1]);
                limits[i] = judge.limit(&a, &b);
            }
            let p = [gathered(simd, judge.positions, &ends[0]), gathered(simd, judge.positions, &ends[1])];
            let q = [gathered(simd, judge.positions, &ends[2]), gathered(simd, judge.positions, &ends[3])];
            let limit = S::F64x4::from_array(simd, limits);
            let (close, on) = close_four::edge_edge(simd, p, q, limit);
            if close.near | close.doubt == 0 {
                continue;
            }
            let (distance, s, t) = (stored(close.distance), stored(on.s), stored(on.t));
            let normal = close.normal.map(stored);
            for i in 0..4 {
                let (bit, pair) = (1 << i, four[i]);
                if close.doubt & bit != 0 {
                    out.extend(judge.edge_edge(pair).map(row));
                    continue;
                }
                if close.near & bit == 0 || judge.rest.is_some() && judge.was_close_edge(pair) {
                    continue;
                }
                out.push(row(EdgeEdge {
                    a: [VertexId(ends[0][i]), VertexId(ends[1][i])],
                    b: [VertexId(ends[2][i]), VertexId(ends[3][i])],
                    distance: distance[i],
                    weights: [s[i], t[i]],
                    normal: [normal[0][i], normal[1][i], normal[2][i]],
                    features: [end(s[i]), end(t[i])],
                }));
            }
        }
        out.extend(rest.iter().filter_map(|&pair| judge.edge_edge(pair)).map(row));
    }
}

/// The feature of a point of an edge.
#[inline(always)]
fn end(s: f64) -> Feature {
    if s == 0.0 {
        Feature::Vertex(0)
    } else if s == 1.0 {
        Feature::Vertex(1)
    } else {
        Feature::Edge(0)
    }
}

/// Four positions, by coordinate.
#[inline(always)]
fn gathered<S: Simd>(simd: S, positions: &[Point], of: &[u32; 4]) -> [S::F64x4; 3] {
    let [a, b, c, d] = [
        &positions[of[0] as usize],
        &positions[of[1] as usize],
        &positions[of[2] as usize],
        &positions[of[3] as usize],
    ];
    [
        S::F64x4::from_array(simd, [a[0], b[0], c[0], d[0]]),
        S::F64x4::from_array(simd, [a[1], b[1], c[1], d[1]]),
        S::F64x4::from_array(simd, [a[2], b[2], c[2], d[2]]),
    ]
}

#[inline(always)]
fn stored<S: Simd, V: F64x4<S>>(v: V) -> [f64; 4] {
    let mut out = [0.0; 4];
    v.store(&mut out);
    out
}
