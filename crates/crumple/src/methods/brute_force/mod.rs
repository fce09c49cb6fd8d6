//! Brute force: everything against everything, by the exact narrow phase. The oracle of all other methods.
//!
//! Nothing here is clever, so that it can be seen to be right: triangles and tets are sorted by the left end of
//! their boxes, and each is tested against those that begin before it ends. [`inside()`], [`overlap_volume`] and
//! [`distance`] and [`proximity()`] answer the other questions the same way, every element against every element.
//!
//! # The way of a frame
//! | question | file |
//! | --- | --- |
//! | triangles that intersect, vertices and edges in tets | `mod.rs` |
//! | what hits what during a step, in integers of any size | `impacts/mod.rs`, `impacts/query.rs`, `impacts/algebraic.rs` |
//! | vertex–triangle and edge–edge pairs closer than a distance | `proximity.rs` |
//! | how close two surfaces are | `distance.rs` |
//! | which points are inside | `inside.rs` |
//! | how much volume two bodies share | `volume.rs` |
//!
//! # Invariants
//! I1. `order` lists every triangle once, by the smallest x of its box.
//! # Cost
//! update O(n log n) · query O(n²) at worst, O(n·k) where k boxes overlap along x.
//! # When to choose it
//! For a few hundred elements, and as the oracle in tests.

#[cfg(feature = "oracle")]
mod distance;
#[cfg(feature = "oracle")]
pub mod impacts;
#[cfg(feature = "oracle")]
mod inside;
#[cfg(feature = "oracle")]
mod proximity;
#[cfg(test)]
mod tests;
#[cfg(feature = "oracle")]
mod volume;

#[cfg(feature = "oracle")]
pub use distance::{distance, pairs_closer_than};
#[cfg(feature = "oracle")]
pub use inside::inside;
#[cfg(feature = "oracle")]
pub use proximity::proximity;
#[cfg(feature = "oracle")]
pub use volume::overlap_volume;

use crate::detector::Method;
use crate::geometry::{Aabb, Point};
use crate::narrow::{edge_tet, vertex_tet};
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, EdgeTet, Frame, FrameError, Guarantee, Pairs, Stats,
    TetId, Tone, TriangleId, TrianglePair, VertexId, VertexTet,
};

/// What [`BruteForce`] looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ask {
    /// Intersecting triangles.
    pub triangles: bool,
    /// Vertices inside tets.
    pub vertices: bool,
    /// Edges that meet tets.
    pub edges: bool,
}

/// Everything against everything.
#[derive(Debug, Clone)]
pub struct BruteForce {
    ask: Ask,
    positions: Vec<Point>,
    triangles: Sweep,
    tets: Sweep,
}

impl BruteForce {
    /// A detector that looks for these things.
    pub fn new(ask: Ask) -> Self {
        Self { ask, positions: Vec::new(), triangles: Sweep::default(), tets: Sweep::default() }
    }

    /// A detector for intersecting triangles.
    pub fn surfaces() -> Self {
        Self::new(Ask { triangles: true, vertices: false, edges: false })
    }

    /// A detector for vertices inside tets and edges through them.
    pub fn solids() -> Self {
        Self::new(Ask { triangles: false, vertices: true, edges: true })
    }

    fn triangle(&self, bodies: &Bodies, t: TriangleId) -> [Point; 3] {
        bodies.triangles()[t.index()].map(|v| self.positions[v.index()])
    }

    fn tet(&self, bodies: &Bodies, t: TetId) -> [Point; 4] {
        bodies.tets()[t.index()].map(|v| self.positions[v.index()])
    }

    fn triangle_candidates(&self, bodies: &Bodies, pairs: Pairs, out: &mut Candidates, stats: &mut Stats) {
        stats.tests += self.triangles.pairs(|a, b| {
            let (a, b) = (TriangleId(a), TriangleId(b));
            let same = bodies.locate_triangle(a).0 == bodies.locate_triangle(b).0;
            if pairs.asks_for(same) {
                out.triangle_pairs.push(TrianglePair::new(a, b));
            }
        });
    }

    fn tet_candidates(&self, bodies: &Bodies, pairs: Pairs, out: &mut Candidates, stats: &mut Stats) {
        let wanted = |v: VertexId, t: TetId| {
            let same = bodies.locate_vertex(v).0 == bodies.locate_tet(t).0;
            pairs.asks_for(same)
        };
        for v in used_vertices(bodies).filter(|_| self.ask.vertices) {
            let p = self.positions[v.index()];
            stats.tests += self.tets.overlapping(&Aabb { min: p, max: p }, |t| {
                let t = TetId(t);
                if !bodies.tets()[t.index()].contains(&v) && wanted(v, t) {
                    out.vertex_tets.push((v, t));
                }
            });
        }
        for edge in all_edges(bodies).filter(|_| self.ask.edges) {
            let ends = edge.map(|v| self.positions[v.index()]);
            stats.tests += self.tets.overlapping(&Aabb::of(&ends), |t| {
                let t = TetId(t);
                if !edge.iter().any(|v| bodies.tets()[t.index()].contains(v)) && wanted(edge[0], t) {
                    out.edge_tets.push((edge, t));
                }
            });
        }
    }
}

impl Method for BruteForce {
    fn name(&self) -> &'static str {
        "brute-force"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        let mut scratch = Vec::new();
        self.positions = frame.flat(bodies, &mut scratch)?.to_vec();
        self.triangles = Sweep::new(bodies.triangles(), &self.positions);
        self.tets = Sweep::new(bodies.tets(), &self.positions);
        Ok(())
    }

    fn candidates(&mut self, bodies: &Bodies, _: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let mut stats = Stats::default();
        if self.ask.triangles {
            self.triangle_candidates(bodies, pairs, out, &mut stats);
        }
        self.tet_candidates(bodies, pairs, out, &mut stats);
        stats.candidates = (out.triangle_pairs.len() + out.vertex_tets.len() + out.edge_tets.len()) as u64;
        stats
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let mut candidates = Candidates::default();
        let mut stats = self.candidates(bodies, frame, pairs, &mut candidates);
        out.clear();
        for &pair in &candidates.triangle_pairs {
            let ids = [pair.a, pair.b].map(|t| bodies.triangles()[t.index()].map(|v| v.0));
            let [a, b] = [pair.a, pair.b].map(|t| self.triangle(bodies, t));
            if crate::narrow::tri_tri::meets(ids[0], &a, ids[1], &b) {
                out.triangle_pairs.push(pair);
            }
        }
        for &(vertex, tet) in &candidates.vertex_tets {
            let (p, corners) = (self.positions[vertex.index()], self.tet(bodies, tet));
            if vertex_tet::contains(&p, &corners) {
                out.vertex_tets.push(VertexTet { vertex, tet, weights: vertex_tet::weights(&p, &corners) });
            }
        }
        for &(edge, tet) in &candidates.edge_tets {
            if edge_tet::intersects(&edge.map(|v| self.positions[v.index()]), &self.tet(bodies, tet)) {
                out.edge_tets.push(EdgeTet { edge, tet });
            }
        }
        out.sort();
        stats.contacts = (out.triangle_pairs.len() + out.vertex_tets.len() + out.edge_tets.len()) as u64;
        stats
    }

    fn validate(&self, bodies: &Bodies, _: Frame<'_>) -> Result<(), Broken> {
        let mut seen = vec![false; bodies.triangles().len()];
        self.triangles.order.iter().for_each(|&t| seen[t as usize] = true);
        let sorted = self.triangles.boxes.is_sorted_by(|a, b| a.min[0] <= b.min[0]);
        if sorted && seen.iter().all(|&s| s) && seen.len() == self.triangles.order.len() {
            return Ok(());
        }
        Err(Broken {
            method: "brute-force",
            invariant: "I1",
            what: "the order is no order of the triangles".into(),
        })
    }

    fn draw(&self, _: &Bodies, _: Frame<'_>, into: &mut Drawing) {
        into.boxes.extend(self.triangles.boxes.iter().map(|b| (b.min, b.max, Tone::Level(0))));
    }
}

/// Every vertex that a triangle or a tet uses, ascending.
pub(crate) fn used_vertices(bodies: &Bodies) -> impl Iterator<Item = VertexId> + use<> {
    let mut used = vec![false; bodies.vertex_count()];
    bodies.triangles().iter().flatten().for_each(|v| used[v.index()] = true);
    bodies.tets().iter().flatten().for_each(|v| used[v.index()] = true);
    used.into_iter().enumerate().filter(|(_, used)| *used).map(|(v, _)| VertexId(v as u32))
}

/// Every edge of tets, and of triangles on bodies without tets, ids across bodies.
pub(crate) fn all_edges(bodies: &Bodies) -> impl Iterator<Item = [VertexId; 2]> {
    bodies.body_ids().flat_map(|b| {
        let body = bodies.mesh(b);
        let first = bodies.vertex_range(b).start as u32;
        let edges = if body.is_solid() { body.tet_topology().edges() } else { body.topology().edges() };
        edges.iter().map(move |e| e.map(|v| VertexId(v.0 + first)))
    })
}

/// Boxes sorted by their left end.
#[derive(Debug, Clone, Default)]
struct Sweep {
    order: Vec<u32>,
    boxes: Vec<Aabb>,
    /// The largest extent along x: no box that begins further left than this can reach.
    widest: f64,
}

impl Sweep {
    fn new<const N: usize>(elements: &[[VertexId; N]], positions: &[Point]) -> Self {
        let boxes: Vec<Aabb> = elements.iter().map(|e| Aabb::of(&e.map(|v| positions[v.index()]))).collect();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| {
            boxes[a as usize].min[0].total_cmp(&boxes[b as usize].min[0]).then(a.cmp(&b))
        });
        let boxes: Vec<Aabb> = order.iter().map(|&e| boxes[e as usize]).collect();
        // Rounded up, so that no box is shorter than it says.
        let widest = boxes.iter().map(|b| (b.max[0] - b.min[0]).next_up()).fold(0.0, f64::max);
        Self { order, boxes, widest }
    }

    /// Every pair of overlapping boxes once; returns the number of box tests.
    fn pairs(&self, mut found: impl FnMut(u32, u32)) -> u64 {
        let mut tests = 0;
        for (i, a) in self.boxes.iter().enumerate() {
            for (j, b) in self.boxes.iter().enumerate().skip(i + 1).take_while(|(_, b)| b.min[0] <= a.max[0])
            {
                tests += 1;
                if a.overlaps(b) {
                    found(self.order[i], self.order[j]);
                }
            }
        }
        tests
    }

    /// Every box that overlaps `query`; returns the number of box tests.
    fn overlapping(&self, query: &Aabb, mut found: impl FnMut(u32)) -> u64 {
        let begin = (query.min[0] - self.widest).next_down();
        let first = self.boxes.partition_point(|b| b.min[0] < begin);
        let mut tests = 0;
        for (i, b) in self.boxes.iter().enumerate().skip(first).take_while(|(_, b)| b.min[0] <= query.max[0])
        {
            tests += 1;
            if b.overlaps(query) {
                found(self.order[i]);
            }
        }
        tests
    }
}
