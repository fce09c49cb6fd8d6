//! Two trees descended together, down to pairs of patches, whose features go to the narrow phase as they are found.

use super::build::Node;
use super::candidates::{Candidates, Relation};
use super::earliest::Horizon;
use super::opened::{Opened, Source};
use crate::geometry::Point;
use crate::geometry::simd::dispatch;
use crate::narrow::continuous::{Batch, ImpactTime, Kind, separation};
use crate::{Features, Impact, TriangleId, VertexId};

/// Opened patches that a thread keeps for each side of a pair.
const KEPT: usize = 32;

/// Two nodes of two bodies to be searched against each other; or one against itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodePair {
    pub bodies: [u32; 2],
    pub nodes: [u32; 2],
}

/// What one body brings to a search.
pub(super) struct Side<'a> {
    pub source: Source<'a>,
    /// Its first vertex and triangle among those of all bodies.
    pub first_vertex: u32,
    pub first_triangle: u32,
}

/// A step of all bodies, and what is asked about it.
pub(super) struct Search<'a> {
    pub sides: &'a [Side<'a>],
    /// Of all bodies.
    pub start: &'a [Point],
    pub end: &'a [Point],
    pub horizon: &'a Horizon,
    /// Ask when features come this close, instead of when they touch; above 0.
    pub thickness: Option<f64>,
    /// Tells patches opened in this step from those of others.
    pub epoch: u32,
}

/// Memory of one thread.
#[derive(Debug)]
pub(super) struct Scratch {
    stack: Vec<NodePair>,
    opened: [Vec<Opened>; 2],
    candidates: Vec<[u16; 2]>,
}

impl Default for Scratch {
    fn default() -> Self {
        let kept = || vec![Opened::default(); KEPT];
        Self { stack: Vec::new(), opened: [kept(), kept()], candidates: Vec::new() }
    }
}

/// Queries on their way to the narrow phase, and what came of them.
struct Stream<'a> {
    batch: Batch<Features>,
    found: Vec<Impact>,
    horizon: &'a Horizon,
}

impl Search<'_> {
    fn node(&self, pair: &NodePair, side: usize) -> &Node {
        &self.sides[pair.bodies[side] as usize].source.tree.nodes[pair.nodes[side] as usize]
    }

    /// Puts the pairs below a pair in its place; "no" if both are leaves. A node against itself becomes its children, each
    /// against itself and one against the other; of two nodes the larger is opened.
    fn split(&self, pair: NodePair, to: &mut Vec<NodePair>) -> bool {
        let (a, b) = (self.node(&pair, 0), self.node(&pair, 1));
        let [i, j] = pair.nodes;
        let with = |nodes| NodePair { nodes, ..pair };
        if pair.bodies[0] == pair.bodies[1] && i == j {
            if a.second == 0 {
                return false;
            }
            to.extend([[i + 1, a.second], [i + 1, i + 1], [a.second, a.second]].map(with));
        } else if a.second != 0 && (b.second == 0 || a.bounds.girth() >= b.bounds.girth()) {
            to.extend([[i + 1, j], [a.second, j]].map(with));
        } else if b.second != 0 {
            to.extend([[i, j + 1], [i, b.second]].map(with));
        } else {
            return false;
        }
        true
    }

    fn is_apart(&self, pair: &NodePair) -> bool {
        let is_itself = pair.bodies[0] == pair.bodies[1] && pair.nodes[0] == pair.nodes[1];
        let wide = |side: usize| {
            let widened = self.sides[pair.bodies[side] as usize].source.widened;
            self.node(pair, side).bounds.widened(widened)
        };
        !is_itself && wide(0).is_apart(&wide(1), self.horizon.until_f32())
    }

    /// Splits pairs until there are at least `count`, or none can be split.
    pub fn tasks(&self, mut pairs: Vec<NodePair>, count: usize) -> Vec<NodePair> {
        let mut next = Vec::new();
        while pairs.len() < count {
            let mut any = false;
            for pair in pairs.drain(..).filter(|pair| !self.is_apart(pair)) {
                if self.split(pair, &mut next) {
                    any = true;
                } else {
                    next.push(pair);
                }
            }
            std::mem::swap(&mut pairs, &mut next);
            if !any {
                break;
            }
        }
        pairs
    }

    /// All impacts of what is below two nodes, in no order; up to the horizon, and perhaps some after it.
    pub fn run(&self, pair: NodePair, scratch: &mut Scratch) -> Vec<Impact> {
        let mut stream =
            Stream { batch: Batch::new(self.horizon.until()), found: Vec::new(), horizon: self.horizon };
        let mut stack = std::mem::take(&mut scratch.stack);
        stack.push(pair);
        while let Some(pair) = stack.pop() {
            if !self.is_apart(&pair) && !self.split(pair, &mut stack) {
                self.leaves(&pair, scratch, &mut stream);
            }
        }
        scratch.stack = stack;
        stream.flush();
        stream.found
    }

    /// The features of two patches, or of one: its vertices and the other's triangles both ways, and its edges and the other's.
    fn leaves(&self, pair: &NodePair, scratch: &mut Scratch, stream: &mut Stream<'_>) {
        let [a, b] = pair.bodies.map(|body| &self.sides[body as usize]);
        let patches = [self.node(pair, 0).patch, self.node(pair, 1).patch];
        let is_one_body = pair.bodies[0] == pair.bodies[1];
        let is_itself = is_one_body && patches[0] == patches[1];
        let until = self.horizon.until_f32();
        let [one, other] = &mut scratch.opened;
        let open = |to: &mut Opened, side: usize| {
            let key = [self.epoch, pair.bodies[side], patches[side]];
            to.ensure(key, until, &self.sides[pair.bodies[side] as usize].source);
        };
        let one = &mut one[patches[0] as usize % KEPT];
        open(one, 0);
        let relation = if is_one_body { Relation::OneBody } else { Relation::TwoBodies };
        let out = &mut scratch.candidates;
        if is_itself {
            self.vertex_triangle([(a, one), (a, one)], patches[0], relation, out, stream);
            self.edge_edge([(a, one), (a, one)], Relation::Same, out, stream);
            return;
        }
        let other = &mut other[patches[1] as usize % KEPT];
        open(other, 1);
        self.vertex_triangle([(a, one), (b, other)], patches[1], relation, out, stream);
        self.vertex_triangle([(b, other), (a, one)], patches[0], relation, out, stream);
        self.edge_edge([(a, one), (b, other)], relation, out, stream);
    }

    fn vertex_triangle(
        &self,
        [(a, one), (b, other)]: [(&Side<'_>, &Opened); 2],
        patch: u32,
        relation: Relation,
        out: &mut Vec<[u16; 2]>,
        stream: &mut Stream<'_>,
    ) {
        dispatch(Candidates {
            probes: &one.vertices,
            probe_bounds: &one.bounds,
            rows: &other.triangles,
            row_bounds: &other.bounds,
            relation,
            out,
        });
        let patches = &b.source.tree.patches;
        let first_place = patches.places(patch as usize).start;
        for &[i, j] in &*out {
            let [v] = one.vertices.vertices(i.into()).map(|v| v + a.first_vertex);
            let [t0, t1, t2] = other.triangles.vertices(j.into()).map(|v| v + b.first_vertex);
            let triangle = TriangleId(b.first_triangle + patches.id(first_place + usize::from(j)));
            let features = Features::VertexTriangle(VertexId(v), triangle);
            self.ask(Kind::VertexTriangle, features, [v, t0, t1, t2], stream);
        }
    }

    fn edge_edge(
        &self,
        [(a, one), (b, other)]: [(&Side<'_>, &Opened); 2],
        relation: Relation,
        out: &mut Vec<[u16; 2]>,
        stream: &mut Stream<'_>,
    ) {
        dispatch(Candidates {
            probes: &one.edges,
            probe_bounds: &one.bounds,
            rows: &other.edges,
            row_bounds: &other.bounds,
            relation,
            out,
        });
        for &[i, j] in &*out {
            let e = one.edges.vertices(i.into()).map(|v| v + a.first_vertex);
            let f = other.edges.vertices(j.into()).map(|v| v + b.first_vertex);
            let (e, f) = if e < f { (e, f) } else { (f, e) };
            let features = Features::EdgeEdge(e.map(VertexId), f.map(VertexId));
            self.ask(Kind::EdgeEdge, features, [e[0], e[1], f[0], f[1]], stream);
        }
    }

    #[inline(always)]
    fn ask(&self, kind: Kind, features: Features, vertices: [u32; 4], stream: &mut Stream<'_>) {
        let at = |of: &[Point]| vertices.map(|v| of[v as usize]);
        let Stream { batch, found, horizon } = stream;
        if let Some(thickness) = self.thickness {
            let approach = match kind {
                Kind::VertexTriangle => separation::vertex_triangle,
                Kind::EdgeEdge => separation::edge_edge,
            };
            if let Some(near) = approach(&at(self.start), &at(self.end), thickness, horizon.until()) {
                let time = ImpactTime { after: near.after, by: near.after };
                horizon.lower(time);
                found.push(Impact { features, time });
            }
            return;
        }
        batch.until = horizon.until();
        batch.push(kind, features, &at(self.start), &at(self.end), |features, time| {
            horizon.lower(time);
            found.push(Impact { features, time });
        });
    }
}

impl Stream<'_> {
    fn flush(&mut self) {
        let Stream { batch, found, horizon } = self;
        batch.until = horizon.until();
        batch.flush(|features, time| {
            horizon.lower(time);
            found.push(Impact { features, time });
        });
    }
}

impl<'a> Side<'a> {
    pub fn new(source: Source<'a>, first: [u32; 2]) -> Self {
        let [first_vertex, first_triangle] = first;
        Self { source, first_vertex, first_triangle }
    }
}
