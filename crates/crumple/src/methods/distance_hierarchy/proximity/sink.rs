//! Where pairs that boxes and planes leave go: to a judge who measures them, or as they are.

use super::super::search::Side;
use crate::geometry::Point;
use crate::narrow::close_features::{edge_edge, vertex_triangle};
use crate::quota::Quota;
use crate::{Closeness, EdgeEdge, Proximity, ProximityCandidates, TriangleId, VertexId, VertexTriangle};

/// Takes pairs, ids within their bodies.
pub(super) trait Sink: Default + Send {
    /// Whether vertices inside tetrahedral bodies take part, which no triangle uses.
    const INSIDE: bool;
    /// Forgets all pairs.
    fn clear(&mut self);
    /// How many pairs there are.
    fn len(&self) -> usize;
    /// Adds what another thread found.
    fn append(&mut self, other: Self);
    /// A vertex of one side and a triangle of the other.
    fn vertex(&mut self, judge: &Judge<'_>, side: usize, vertex: u32, triangle: u32);
    /// An edge of either side, the smaller end first.
    fn edges(&mut self, judge: &Judge<'_>, a: [u32; 2], b: [u32; 2]);
}

/// Measured.
impl Sink for Proximity {
    const INSIDE: bool = true;

    fn clear(&mut self) {
        Proximity::clear(self);
    }

    fn len(&self) -> usize {
        Proximity::len(self)
    }

    fn append(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
        } else {
            self.vertex_triangles.extend_from_slice(&other.vertex_triangles);
            self.edge_edges.extend_from_slice(&other.edge_edges);
        }
    }

    #[inline]
    fn vertex(&mut self, judge: &Judge<'_>, side: usize, vertex: u32, triangle: u32) {
        judge.vertex(side, vertex, triangle, self);
    }

    #[inline]
    fn edges(&mut self, judge: &Judge<'_>, a: [u32; 2], b: [u32; 2]) {
        judge.edges(a, b, self);
    }
}

/// As they are.
impl Sink for ProximityCandidates {
    const INSIDE: bool = false;

    fn clear(&mut self) {
        ProximityCandidates::clear(self);
    }

    fn len(&self) -> usize {
        self.vertex_triangles.len() + self.edge_edges.len()
    }

    fn append(&mut self, other: Self) {
        self.vertex_triangles.extend_from_slice(&other.vertex_triangles);
        self.edge_edges.extend_from_slice(&other.edge_edges);
    }

    #[inline]
    fn vertex(&mut self, judge: &Judge<'_>, side: usize, vertex: u32, triangle: u32) {
        let (mine, other) = (&judge.sides[side], &judge.sides[1 - side]);
        let vertex = VertexId(mine.state.first_vertex + vertex);
        self.vertex_triangles.push((vertex, TriangleId(other.state.first_triangle + triangle)));
    }

    #[inline]
    fn edges(&mut self, judge: &Judge<'_>, a: [u32; 2], b: [u32; 2]) {
        self.edge_edges.push(judge.across(a, b));
    }
}

/// What counts as close for one pair of bodies.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    pub limit: f64,
    /// How far every vertex reaches, ids across bodies; then `limit` is the furthest that any two do.
    pub reach: Option<&'a [f64]>,
    /// Where vertices are at rest, ids across bodies.
    pub rest: Option<&'a [Point]>,
    /// How many pairs of all bodies there may be.
    pub quota: &'a Quota,
}

/// Measures what the boxes leave.
pub(super) struct Judge<'a> {
    pub sides: [Side<'a>; 2],
    pub near: Near<'a>,
}

impl Judge<'_> {
    /// Two edges by ids across bodies, the smaller first.
    #[inline]
    fn across(&self, a: [u32; 2], b: [u32; 2]) -> [[VertexId; 2]; 2] {
        let [a, b] = [(0, a), (1, b)].map(|(i, e)| e.map(|v| VertexId(self.sides[i].state.first_vertex + v)));
        if b < a { [b, a] } else { [a, b] }
    }

    /// A vertex of one side and a triangle of the other of which it is no corner, ids within their bodies.
    fn vertex(&self, side: usize, vertex: u32, triangle: u32, out: &mut Proximity) {
        let (mine, other) = (&self.sides[side], &self.sides[1 - side]);
        let corners = other.state.body.triangles()[triangle as usize];
        let corners = corners.map(|v| VertexId(other.state.first_vertex + v.0));
        let (at, t) = (mine.vertex(vertex), other.corners(triangle));
        let vertex = VertexId(mine.state.first_vertex + vertex);
        let limit = Closeness::between(self.near.reach, self.near.limit, [&[vertex], &corners]);
        let Some(found) = vertex_triangle(&at, &t, limit) else { return };
        if let Some(rest) = self.near.rest {
            let t = corners.map(|v| rest[v.index()]);
            if vertex_triangle(&rest[vertex.index()], &t, limit).is_some() {
                return;
            }
        }
        out.vertex_triangles.push(VertexTriangle {
            vertex,
            triangle: TriangleId(other.state.first_triangle + triangle),
            distance: found.distance,
            weights: found.weights[1],
            normal: found.normal,
            feature: found.features[1],
        });
    }

    /// An edge of either side, ids within their bodies, the smaller end first; they have no common vertex.
    fn edges(&self, a: [u32; 2], b: [u32; 2], out: &mut Proximity) {
        let [a, b] = self.across(a, b);
        let at = |positions: &[Point], e: [VertexId; 2]| e.map(|v| positions[v.index()]);
        let positions = self.sides[0].positions;
        let limit = Closeness::between(self.near.reach, self.near.limit, [&a, &b]);
        let Some(found) = edge_edge(&at(positions, a), &at(positions, b), limit) else { return };
        let rest = self.near.rest;
        if rest.is_some_and(|rest| edge_edge(&at(rest, a), &at(rest, b), limit).is_some()) {
            return;
        }
        out.edge_edges.push(EdgeEdge {
            a,
            b,
            distance: found.distance,
            weights: [found.weights[0][1], found.weights[1][1]],
            normal: found.normal,
            features: found.features,
        });
    }
}
