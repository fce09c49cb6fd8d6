//! Two patches that may meet: their features, eight boxes at a time, on their way to the narrow phase.

use super::candidates::{Candidates, Near, Relation};
use super::earliest::Horizon;
use super::opened::{Opened, Source};
use super::work::Work;
use crate::geometry::Point;
use crate::geometry::simd::dispatch;
use crate::narrow::continuous::{Batch, ImpactTime, Kind, separation};
use crate::{Features, Impact, TriangleId, VertexId};

/// Opened patches that a thread keeps, each in the slot of its number; of two that have one slot the second goes to a spare one.
const KEPT: usize = 128;

/// What is asked about two features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ask {
    /// When they touch.
    Touch,
    /// When they come this close; above 0.
    Within(f64),
    /// Nothing yet: they are listed, unless along the direction of their middles they stay further apart than this.
    List(f64),
}

/// Two features whose boxes meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    kind: Kind,
    pub features: Features,
    /// Among those of all bodies.
    vertices: [u32; 4],
}

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
    pub ask: Ask,
    /// Tells patches opened in this step from those of others.
    pub epoch: u32,
}

/// Memory of one thread.
#[derive(Debug)]
pub(crate) struct LeafScratch {
    opened: Vec<Opened>,
    found: Found,
    /// What was done; whoever reads it sets it back.
    pub work: Work,
}

/// Pairs of features whose boxes meet, and memory to find them.
#[derive(Debug, Default)]
struct Found {
    triangles: Near<3>,
    edges: Near<2>,
    pairs: Vec<[u16; 2]>,
    /// How many were asked about.
    asked: u32,
}

impl Default for LeafScratch {
    fn default() -> Self {
        Self { opened: vec![Opened::default(); KEPT + 1], found: Found::default(), work: Work::default() }
    }
}

/// Queries on their way to the narrow phase, and what came of them.
pub(crate) struct Stream<'a> {
    batch: Batch<Features>,
    found: Vec<Impact>,
    /// What [`Ask::List`] has listed.
    pub listed: Vec<Query>,
    horizon: &'a Horizon,
}

impl Leaves<'_> {
    /// An empty stream.
    pub fn stream(&self) -> Stream<'_> {
        let batch = Batch::new(self.horizon.until());
        Stream { batch, found: Vec::new(), listed: Vec::new(), horizon: self.horizon }
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
        let LeafScratch { opened, found, work } = scratch;
        let is_listed = matches!(self.ask, Ask::List(_));
        *(if is_listed { &mut work.listed_patches } else { &mut work.patches }) += 1;
        let mut open = |to: &mut Opened, side: usize| {
            let key = [self.epoch, bodies[side], patches[side]];
            work.opened += u32::from(to.ensure(key, until, &self.sides[bodies[side] as usize].source));
        };
        let slot = |side: usize| (patches[side] as usize + 61 * bodies[side] as usize) % KEPT;
        let relation = if is_one_body { Relation::OneBody } else { Relation::TwoBodies };
        found.asked = 0;
        if is_itself {
            let one = &mut opened[slot(0)];
            open(one, 0);
            self.vertex_triangle([(a, one), (a, one)], patches[0], relation, found, stream);
            self.edge_edge([(a, one), (a, one)], Relation::Same, found, stream);
        } else {
            let slots = [slot(0), if slot(0) == slot(1) { KEPT } else { slot(1) }];
            let [one, other] = opened.get_disjoint_mut(slots).expect("two slots");
            open(one, 0);
            open(other, 1);
            self.vertex_triangle([(a, one), (b, other)], patches[1], relation, found, stream);
            self.vertex_triangle([(b, other), (a, one)], patches[0], relation, found, stream);
            self.edge_edge([(a, one), (b, other)], relation, found, stream);
        }
        *(if is_listed { &mut work.listed } else { &mut work.queries }) += found.asked;
    }

    fn vertex_triangle(
        &self,
        [(a, one), (b, other)]: [(&Side<'_>, &Opened); 2],
        patch: u32,
        relation: Relation,
        found: &mut Found,
        stream: &mut Stream<'_>,
    ) {
        let out = &mut found.pairs;
        dispatch(Candidates {
            probes: &one.vertices,
            probe_bounds: &one.bounds,
            rows: &other.triangles,
            row_bounds: &other.bounds,
            relation,
            near: &mut found.triangles,
            out,
        });
        found.asked += out.len() as u32;
        let patches = b.source.patches;
        let first_place = patches.places(patch as usize).start;
        for &[i, j] in &*out {
            let [v] = one.vertices.vertices(i.into()).map(|v| v + a.first_vertex);
            let [t0, t1, t2] = other.triangles.vertices(j.into()).map(|v| v + b.first_vertex);
            let triangle = TriangleId(b.first_triangle + patches.id(first_place + usize::from(j)));
            let features = Features::VertexTriangle(VertexId(v), triangle);
            let vertices = [v, t0, t1, t2];
            self.ask(&Query { kind: Kind::VertexTriangle, features, vertices }, stream);
        }
    }

    fn edge_edge(
        &self,
        [(a, one), (b, other)]: [(&Side<'_>, &Opened); 2],
        relation: Relation,
        found: &mut Found,
        stream: &mut Stream<'_>,
    ) {
        let out = &mut found.pairs;
        dispatch(Candidates {
            probes: &one.edges,
            probe_bounds: &one.bounds,
            rows: &other.edges,
            row_bounds: &other.bounds,
            relation,
            near: &mut found.edges,
            out,
        });
        found.asked += out.len() as u32;
        for &[i, j] in &*out {
            let e = one.edges.vertices(i.into()).map(|v| v + a.first_vertex);
            let f = other.edges.vertices(j.into()).map(|v| v + b.first_vertex);
            let (e, f) = if e < f { (e, f) } else { (f, e) };
            let features = Features::EdgeEdge(e.map(VertexId), f.map(VertexId));
            let vertices = [e[0], e[1], f[0], f[1]];
            self.ask(&Query { kind: Kind::EdgeEdge, features, vertices }, stream);
        }
    }

    /// Asks about two features, as they move in this step.
    #[inline(always)]
    pub fn ask(&self, query: &Query, stream: &mut Stream<'_>) {
        let Query { kind, features, vertices } = *query;
        let at = |of: &[Point]| vertices.map(|v| of[v as usize]);
        let Stream { batch, found, listed, horizon } = stream;
        match self.ask {
            Ask::List(distance) => {
                let stay_apart = match kind {
                    Kind::VertexTriangle => separation::vertex_triangle_stay_apart,
                    Kind::EdgeEdge => separation::edge_edge_stay_apart,
                };
                if !stay_apart(&at(self.start), &at(self.end), distance) {
                    listed.push(*query);
                }
            }
            Ask::Within(thickness) => {
                let approach = match kind {
                    Kind::VertexTriangle => separation::vertex_triangle,
                    Kind::EdgeEdge => separation::edge_edge,
                };
                if let Some(near) = approach(&at(self.start), &at(self.end), thickness, horizon.until()) {
                    let time = ImpactTime { after: near.after, by: near.after };
                    horizon.lower(time);
                    found.push(Impact { features, time });
                }
            }
            Ask::Touch => {
                batch.until = horizon.until();
                batch.push(kind, features, &at(self.start), &at(self.end), |features, time| {
                    horizon.lower(time);
                    found.push(Impact { features, time });
                });
            }
        }
    }
}

impl Stream<'_> {
    /// Answers what is left, and hands out all impacts, in no order; up to the horizon, and perhaps some after it.
    pub fn finish(self) -> Vec<Impact> {
        let Stream { mut batch, mut found, horizon, .. } = self;
        batch.until = horizon.until();
        batch.flush(|features, time| {
            horizon.lower(time);
            found.push(Impact { features, time });
        });
        found
    }
}
