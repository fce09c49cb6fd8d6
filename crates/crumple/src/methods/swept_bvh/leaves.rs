//! Two patches that may meet: their features, eight boxes at a time, on their way to the narrow phase.

use super::candidates::{Candidates, Relation};
use super::earliest::Horizon;
use super::opened::{Opened, Source};
use crate::geometry::Point;
use crate::geometry::simd::dispatch;
use crate::narrow::continuous::{Batch, ImpactTime, Kind, separation};
use crate::{Features, Impact, TriangleId, VertexId};

/// Opened patches that a thread keeps for each side of a pair.
const KEPT: usize = 32;

/// What one body brings to a search.
pub(crate) struct Side<'a> {
    pub source: Source<'a>,
    /// Its first vertex and triangle among those of all bodies.
    pub first_vertex: u32,
    pub first_triangle: u32,
}

/// A step of all bodies, and what is asked about it.
pub(crate) struct Leaves<'a> {
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
pub(crate) struct LeafScratch {
    opened: [Vec<Opened>; 2],
    candidates: Vec<[u16; 2]>,
}

impl Default for LeafScratch {
    fn default() -> Self {
        let kept = || vec![Opened::default(); KEPT];
        Self { opened: [kept(), kept()], candidates: Vec::new() }
    }
}

/// Queries on their way to the narrow phase, and what came of them.
pub(crate) struct Stream<'a> {
    batch: Batch<Features>,
    found: Vec<Impact>,
    horizon: &'a Horizon,
}

impl Leaves<'_> {
    /// An empty stream.
    pub fn stream(&self) -> Stream<'_> {
        Stream { batch: Batch::new(self.horizon.until()), found: Vec::new(), horizon: self.horizon }
    }

    /// The features of two patches, or of one: its vertices and the other's triangles both ways, and its edges and the other's.
    pub fn search(
        &self,
        bodies: [u32; 2],
        patches: [u32; 2],
        scratch: &mut LeafScratch,
        stream: &mut Stream<'_>,
    ) {
        let [a, b] = bodies.map(|body| &self.sides[body as usize]);
        let is_one_body = bodies[0] == bodies[1];
        let is_itself = is_one_body && patches[0] == patches[1];
        let until = self.horizon.until_f32();
        let [one, other] = &mut scratch.opened;
        let open = |to: &mut Opened, side: usize| {
            let key = [self.epoch, bodies[side], patches[side]];
            to.ensure(key, until, &self.sides[bodies[side] as usize].source);
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
        let patches = b.source.patches;
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
    /// Answers what is left, and hands out all impacts, in no order; up to the horizon, and perhaps some after it.
    pub fn finish(self) -> Vec<Impact> {
        let Stream { mut batch, mut found, horizon } = self;
        batch.until = horizon.until();
        batch.flush(|features, time| {
            horizon.lower(time);
            found.push(Impact { features, time });
        });
        found
    }
}
