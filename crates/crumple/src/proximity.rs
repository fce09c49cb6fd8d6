//! What is about to touch: pairs of a vertex and a triangle, and of two edges, that are closer than a distance.

use crate::narrow::Feature;
use crate::{BodyId, Frame, Pairs, TriangleId, VertexId};

/// A vertex close to a triangle of which it is no corner; ids across bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct VertexTriangle {
    /// The vertex (side a).
    pub vertex: VertexId,
    /// The triangle (side b).
    pub triangle: TriangleId,
    /// How far apart they are; 0 exactly when the vertex lies on the triangle.
    pub distance: f64,
    /// The weights of the triangle's corners in its closest point: each in [0, 1], their sum is 1 up to rounding.
    pub weights: [f64; 3],
    /// Unit vector from the triangle to the vertex; the triangle's normal where they touch.
    pub normal: [f64; 3],
    /// The part of the triangle that is closest.
    pub feature: Feature,
}

/// Two edges without a common vertex that are close; ids across bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EdgeEdge {
    /// The edge with the smaller ends, the smaller end first.
    pub a: [VertexId; 2],
    /// The other edge, likewise.
    pub b: [VertexId; 2],
    /// How far apart they are; 0 exactly when they meet.
    pub distance: f64,
    /// Where the closest points are, from 0 at the first end of an edge to 1 at its second.
    pub weights: [f64; 2],
    /// Unit vector from b to a; the edges' cross product where they meet.
    pub normal: [f64; 3],
    /// The closest parts: an end, or the inside (`Edge(0)`).
    pub features: [Feature; 2],
}

/// All close pairs, sorted by their ids, each once. The buffers are reused by the next question.
///
/// Several pairs may stand for one and the same closest pair of points: a vertex close to an edge that two triangles share
/// comes with both, and with the edge pairs at that vertex. `feature` and `features` tell.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Proximity {
    /// Vertices close to triangles.
    pub vertex_triangles: Vec<VertexTriangle>,
    /// Edges close to edges.
    pub edge_edges: Vec<EdgeEdge>,
}

impl Proximity {
    /// Whether nothing is close.
    pub fn is_empty(&self) -> bool {
        self.vertex_triangles.is_empty() && self.edge_edges.is_empty()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.vertex_triangles.len() + self.edge_edges.len()
    }

    #[cfg(feature = "oracle")]
    pub(crate) fn sort(&mut self) {
        self.vertex_triangles.sort_unstable_by_key(|p| (p.vertex, p.triangle));
        self.edge_edges.sort_unstable_by_key(|p| (p.a, p.b));
    }
}

/// Pairs that may be close: every pair that is, and some that are a little further apart. Ids across bodies, in an order that
/// depends on nothing but the meshes and where they are; nothing is measured. The buffers are reused by the next question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProximityCandidates {
    /// Vertices and triangles of which they are no corners.
    pub vertex_triangles: Vec<(VertexId, TriangleId)>,
    /// Edges without a common vertex, the smaller first, of each the smaller end first.
    pub edge_edges: Vec<[[VertexId; 2]; 2]>,
}

impl ProximityCandidates {
    /// Forgets all pairs and keeps the memory.
    pub fn clear(&mut self) {
        self.vertex_triangles.clear();
        self.edge_edges.clear();
    }
}

/// What counts as close; construct with [`Closeness::below`] and change fields.
#[derive(Debug, Clone, Copy)]
pub struct Closeness<'a> {
    /// Pairs closer than this count, strictly. Not negative, and finite.
    pub distance: f64,
    /// The thickness of every body: pairs closer than half the sum of their bodies' count instead, so that within a body its own
    /// thickness does, and between bodies two half layers.
    pub thickness: Option<&'a [f64]>,
    /// How far every vertex reaches, ids across bodies: pairs closer than the sum of the largest reaches of the corners of both
    /// count instead. What moves fast reaches far, and the rest is not searched for more than it needs.
    pub reach: Option<&'a [f64]>,
    /// Which bodies are searched against which.
    pub pairs: Pairs,
    /// Whose pairs are searched, yes or no for every body: of two bodies one must be named, within a body that body. What is known of
    /// the others still, because they hardly moved, need not be searched again.
    pub bodies: Option<&'a [bool]>,
    /// The shape at rest: pairs within a body that are as close there already are no contacts and left out.
    pub rest: Option<Frame<'a>>,
    /// If there are more pairs than this, the search ends with [`Error::TooManyPairs`](crate::Error::TooManyPairs);
    /// `usize::MAX` unless told.
    pub most: usize,
}

/// The largest; 0 of nothing.
pub(crate) fn most(all: &[f64]) -> f64 {
    all.iter().copied().fold(0.0, f64::max)
}

impl Closeness<'_> {
    /// All pairs closer than this, within bodies and between them.
    pub fn below(distance: f64) -> Self {
        Self {
            distance,
            thickness: None,
            reach: None,
            pairs: Pairs::All,
            bodies: None,
            rest: None,
            most: usize::MAX,
        }
    }

    /// The largest of the distances.
    pub(crate) fn widest(&self) -> f64 {
        match (self.reach, self.thickness) {
            (Some(reach), _) => 2.0 * most(reach),
            (None, Some(thickness)) => most(thickness),
            (None, None) => self.distance,
        }
    }

    /// Whether pairs of two bodies, or of one given twice, are searched.
    pub(crate) fn names(&self, a: BodyId, b: BodyId) -> bool {
        self.bodies.is_none_or(|named| named[a.index()] || named[b.index()])
    }

    /// The distance below which pairs of two bodies count; of vertices that reach, none further apart does.
    pub(crate) fn of(&self, a: usize, b: usize) -> f64 {
        self.thickness.map_or(self.distance, |t| 0.5 * t[a] + 0.5 * t[b])
    }

    /// The distance below which two features with these corners count, of bodies for which it is `limit`.
    #[inline]
    pub(crate) fn between(reach: Option<&[f64]>, limit: f64, corners: [&[VertexId]; 2]) -> f64 {
        reach.map_or(limit, |reach| {
            let far = |side: &[VertexId]| side.iter().map(|v| reach[v.index()]).fold(0.0, f64::max);
            far(corners[0]) + far(corners[1])
        })
    }
}
