//! The curves along which surfaces cross, chained exactly.
//!
//! Two triangles in general position cross along a segment. Each of its ends is an edge of one of them that pierces the other:
//! a *node*, named by the two parts of the meshes that meet there. The next segment of the curve has the same node, since it
//! comes from the other triangle of that edge and the same pierced triangle. So curves are chained by names, which come from
//! exact signs, and never by comparing rounded points. What is not in general position has names too: a vertex on a face, two
//! edges that cross, a vertex that both triangles share.

use std::collections::HashMap;

use super::adjacency::{Adjacency, Part};
use crate::TrianglePair;
use crate::geometry::Point;
use crate::geometry::vector::sub;
use crate::narrow::contact::extreme_points;

/// Where a curve stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CurveEnd {
    /// At an edge of one triangle only: the border of a surface.
    Border,
    /// At a vertex that both triangles share: both traces of the curve run into it.
    Vertex,
    /// Where several curves meet, at an edge of more than two triangles or where surfaces touch.
    Branch,
}

/// What a curve is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum CurveKind {
    /// It returns to its first point.
    Closed,
    /// It begins and stops.
    Open([CurveEnd; 2]),
    /// The outline of a part that two triangles have in common in one plane.
    Flat,
    /// A single point in which two triangles touch.
    Point,
}

/// A point of a curve: the parts of the two sides that meet there, by ids across bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Node {
    pub point: Point,
    pub parts: [Part; 2],
}

/// A curve along which two surfaces, or two parts of one, cross.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    pub kind: CurveKind,
    /// In order; a closed curve does not repeat the first one. `parts[0]` is always of the same side.
    pub nodes: Vec<Node>,
    /// Between each node and the next (of a closed curve also the last and the first): the triangles that cross. Never empty.
    pub triangles: Vec<[u32; 2]>,
    /// A closed curve within a surface that exchanges its sides when it is gone round once: its two traces are one.
    pub is_one_trace: bool,
}

impl Curve {
    pub fn length(&self) -> f64 {
        let n = self.nodes.len();
        let sides = match self.kind {
            CurveKind::Closed | CurveKind::Flat => n,
            CurveKind::Open(_) | CurveKind::Point => n - 1,
        };
        (0..sides).map(|i| length(&sub(&self.nodes[(i + 1) % n].point, &self.nodes[i].point))).sum()
    }

    /// Whether the two traces meet in a vertex: a fold that went through itself.
    pub fn is_looped(&self) -> bool {
        matches!(self.kind, CurveKind::Open(ends) if ends.contains(&CurveEnd::Vertex))
    }

    /// The nodes before and after a node on the curve.
    pub fn around(&self, i: usize) -> impl Iterator<Item = &Node> {
        let n = self.nodes.len();
        let ring = self.kind == CurveKind::Closed && n > 1;
        let before = if i > 0 { Some(i - 1) } else { ring.then_some(n - 1) };
        let after = if i + 1 < n { Some(i + 1) } else { ring.then_some(0) };
        before.into_iter().chain(after).map(|j| &self.nodes[j])
    }
}

fn length(v: &Point) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// The segment in which two triangles cross.
struct Segment {
    triangles: [u32; 2],
    nodes: [u32; 2],
    /// Whether the first part of the node is of the second triangle.
    is_swapped: [bool; 2],
}

#[derive(Default)]
struct Chains {
    ids: HashMap<[Part; 2], u32>,
    nodes: Vec<Node>,
    /// The segments at each node.
    at: Vec<Vec<u32>>,
    segments: Vec<Segment>,
}

/// All curves of the intersecting pairs, in the order of their first triangles.
pub(crate) fn curves(
    adjacency: &Adjacency<'_>,
    positions: &[Point],
    pairs: impl IntoIterator<Item = TrianglePair>,
) -> Vec<Curve> {
    let mut chains = Chains::default();
    let mut out = Vec::new();
    for pair in pairs {
        let triangles = [pair.a.0, pair.b.0];
        let [a, b] = triangles.map(|t| adjacency.corners(t).map(|v| positions[v as usize]));
        let hits: Vec<Node> = extreme_points(&a, &b)
            .map(|hit| Node {
                point: hit.point,
                parts: [adjacency.part(triangles[0], hit.a), adjacency.part(triangles[1], hit.b)],
            })
            .collect();
        match hits.len() {
            0 => {}
            2 => chains.push(triangles, [hits[0], hits[1]]),
            n => {
                let kind = if n == 1 { CurveKind::Point } else { CurveKind::Flat };
                let triangles = vec![triangles; n];
                out.push(Curve { kind, nodes: hits, triangles, is_one_trace: false });
            }
        }
    }
    chains.walk(adjacency, &mut out);
    out.sort_by(|a, b| {
        let first = |c: &Curve| (c.triangles.first().copied(), c.nodes[0].parts);
        first(a).cmp(&first(b))
    });
    out
}

impl Chains {
    fn push(&mut self, triangles: [u32; 2], ends: [Node; 2]) {
        let segment = self.segments.len() as u32;
        let mut is_swapped = [false; 2];
        let mut nodes = [0; 2];
        for (k, end) in ends.into_iter().enumerate() {
            is_swapped[k] = end.parts[0] > end.parts[1];
            let [x, y] = end.parts;
            let name = [x.min(y), x.max(y)];
            let new = self.nodes.len() as u32;
            nodes[k] = *self.ids.entry(name).or_insert(new);
            if nodes[k] == new {
                self.nodes.push(Node { point: end.point, parts: name });
                self.at.push(Vec::new());
            }
            self.at[nodes[k] as usize].push(segment);
        }
        self.segments.push(Segment { triangles, nodes, is_swapped });
    }

    /// Whether a curve goes on through a node.
    fn is_passed(&self, node: u32) -> bool {
        let [x, y] = self.nodes[node as usize].parts;
        self.at[node as usize].len() == 2 && x != y
    }

    fn end(&self, adjacency: &Adjacency<'_>, node: u32) -> CurveEnd {
        let [x, y] = self.nodes[node as usize].parts;
        let is_border = |part: Part| matches!(part, Part::Edge(e) if adjacency.is_border(e));
        if x == y {
            CurveEnd::Vertex
        } else if self.at[node as usize].len() == 1 && (is_border(x) || is_border(y)) {
            CurveEnd::Border
        } else {
            CurveEnd::Branch
        }
    }

    fn walk(&self, adjacency: &Adjacency<'_>, out: &mut Vec<Curve>) {
        let mut used = vec![false; self.segments.len()];
        for node in 0..self.nodes.len() as u32 {
            if !self.is_passed(node) {
                for &segment in &self.at[node as usize] {
                    if !used[segment as usize] {
                        out.push(self.follow(adjacency, node, segment, &mut used));
                    }
                }
            }
        }
        for segment in 0..self.segments.len() as u32 {
            if !used[segment as usize] {
                let start = self.segments[segment as usize].nodes[0];
                out.push(self.follow(adjacency, start, segment, &mut used));
            }
        }
    }

    fn follow(&self, adjacency: &Adjacency<'_>, start: u32, first: u32, used: &mut [bool]) -> Curve {
        let (mut node, mut at) = (start, first);
        // Whether the first triangle of the segment is of the second side.
        let mut turned = false;
        let mut curve =
            Curve { kind: CurveKind::Closed, nodes: Vec::new(), triangles: Vec::new(), is_one_trace: false };
        loop {
            used[at as usize] = true;
            let segment = &self.segments[at as usize];
            let k = usize::from(segment.nodes[0] != node);
            let sided = |k: usize, node: u32| {
                let Node { point, parts: [x, y] } = self.nodes[node as usize];
                let parts = if segment.is_swapped[k] ^ turned { [y, x] } else { [x, y] };
                Node { point, parts }
            };
            let [a, b] = segment.triangles;
            curve.nodes.push(sided(k, node));
            curve.triangles.push(if turned { [b, a] } else { [a, b] });
            let here = segment.nodes[1 - k];
            let arrived = sided(1 - k, here);
            if !self.is_passed(here) {
                curve.nodes.push(arrived);
                curve.kind = CurveKind::Open([self.end(adjacency, start), self.end(adjacency, here)]);
                return curve;
            }
            if here == start {
                curve.is_one_trace = arrived.parts != curve.nodes[0].parts;
                return curve;
            }
            let ways = &self.at[here as usize];
            let next = if ways[0] == at { ways[1] } else { ways[0] };
            let after = &self.segments[next as usize];
            let j = usize::from(after.nodes[0] != here);
            turned ^= segment.is_swapped[1 - k] ^ after.is_swapped[j];
            (node, at) = (here, next);
        }
    }
}
