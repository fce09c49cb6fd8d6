//! Vertices close to triangles, and edges close to edges, within bodies and between them.
//!
//! Pairs of blocks come from the regions' bounds, as for triangles closer than a margin. Every vertex and every edge belongs to
//! one block, the first that has it, and every triangle is in one: so comparing the own vertices of a block with the
//! triangles of another, either way, and the own edges of both, meets each pair once ([`elements`]). Of two blocks only what is
//! near the other's box is compared, one with eight ([`block_pair`]); what that leaves is measured, and the verdict is exact
//! ([`crate::narrow`]). Vertices that no triangle uses are in no block ([`loose`]).

mod block_pair;
mod elements;
mod loose;

use super::DistanceHierarchy;
use super::closer_than::{BlockPairs, in_parts};
use super::search::Side;
use crate::geometry::Point;
use crate::geometry::simd;
use crate::narrow::close_features::{edge_edge, vertex_triangle};
use crate::quota::Quota;
use crate::{
    BodyId, Closeness, EdgeEdge, Error, ParamError, Proximity, Stats, TriangleId, VertexId, VertexTriangle,
};
use block_pair::{FeaturePass, NearElements};
use elements::Elements;
use loose::Loose;

/// What is kept for the next question.
#[derive(Debug, Clone, Default)]
pub(super) struct Prepared {
    /// The elements of each body; empty until they are asked for.
    elements: Vec<Elements>,
}

impl DistanceHierarchy {
    /// Replaces `out` by every pair of a vertex and a triangle of which it is no corner, and every pair of edges of triangles
    /// without a common vertex, that are closer than [`Closeness`] says: each once, sorted. Vertices that no triangle uses, as
    /// those of a body of points, take part.
    ///
    /// Whether a pair is closer is decided exactly; distance, weights and normal are rounded.
    ///
    /// ```
    /// use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
    /// use crumple::{Bodies, Closeness, Frame, Mesh, Proximity};
    /// let one = Mesh::from_triangles("one", 3, &[[0, 1, 2]])?;
    /// let low = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    /// let high = vec![[1.0, 1.0, 0.5], [1.0, 1.0, 3.0], [2.0, 1.0, 3.0]];
    /// let mut hierarchy = DistanceHierarchy::new(DistanceHierarchyParams::default())?;
    /// hierarchy.update(&Bodies::new([one.clone(), one])?, Frame::from(&vec![low, high]))?;
    /// let mut near = Proximity::default();
    /// hierarchy.proximity(&Closeness::below(0.75), &mut near)?;
    /// assert_eq!((near.vertex_triangles.len(), near.edge_edges.len()), (1, 0));
    /// assert_eq!(near.vertex_triangles[0].distance, 0.5);
    /// assert_eq!(near.vertex_triangles[0].normal, [0.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn proximity(&mut self, close: &Closeness<'_>, out: &mut Proximity) -> Result<Stats, Error> {
        out.clear();
        self.stats = Stats::default();
        let rest = self.check_closeness(close)?;
        let widest = match close.thickness {
            Some(thickness) => thickness.iter().copied().fold(0.0, f64::max),
            None => close.distance,
        };
        let mut pairs: Vec<[BodyId; 2]> = Vec::new();
        if close.pairs.within() {
            pairs.extend((0..self.bodies.len() as u32).map(|b| [BodyId(b); 2]));
        }
        if close.pairs.between() {
            pairs.extend(self.body_pairs(widest));
        }
        let loose = self.loose_pairs(close);
        self.prepare_elements(pairs.iter().chain(loose.iter().map(|(bodies, _)| bodies)));
        let quota = &Quota::new(close.most);
        for bodies in pairs {
            let limit = close.of(bodies[0].index(), bodies[1].index());
            let rest = rest.as_deref().filter(|_| bodies[0] == bodies[1]);
            self.close_pairs(bodies, Near { limit, rest, quota }, out);
        }
        for (bodies, vertices) in loose {
            let limit = close.of(bodies[0].index(), bodies[1].index());
            let rest = rest.as_deref().filter(|_| bodies[0] == bodies[1]);
            self.loose_vertices(bodies, &vertices, Near { limit, rest, quota }, out);
        }
        if quota.is_exceeded() {
            out.clear();
            return Err(Error::TooManyPairs { most: close.most });
        }
        out.sort();
        self.stats.contacts = (out.vertex_triangles.len() + out.edge_edges.len()) as u64;
        Ok(self.stats)
    }

    /// Whether the question can be asked; yields the positions at rest, ids across bodies.
    fn check_closeness(&self, close: &Closeness<'_>) -> Result<Option<Vec<Point>>, Error> {
        let usable = |x: &f64| x.is_finite() && *x >= 0.0;
        let bad =
            |parameter, value: String, expected| Err(Error::Param(ParamError { parameter, value, expected }));
        match close.thickness {
            None if !usable(&close.distance) => {
                return bad("distance", close.distance.to_string(), "a finite number, not negative");
            }
            Some(t) if t.len() != self.bodies.len() || !t.iter().all(usable) => {
                return bad("thickness", format!("{t:?}"), "a finite number for every body, none negative");
            }
            _ => {}
        }
        let Some(frame) = close.rest else { return Ok(None) };
        let lengths = frame.iter().map(|p| p.len());
        if !lengths.eq(self.bodies.iter().map(|s| s.body.vertex_count())) {
            return bad(
                "rest",
                format!("{} bodies", frame.len()),
                "positions for every vertex of every body",
            );
        }
        for (body, (state, given)) in self.bodies.iter().zip(frame.iter()).enumerate() {
            crate::frame::check_body(BodyId(body as u32), &state.body, &given)?;
        }
        Ok(Some(frame.iter().flat_map(|p| (0..p.len()).map(move |v| p.get(v))).collect()))
    }

    /// Refits the bodies of some pairs, and lays out their vertices, edges and triangles.
    fn prepare_elements<'p>(&mut self, pairs: impl Iterator<Item = &'p [BodyId; 2]>) {
        self.prepared.elements.resize_with(self.bodies.len(), Elements::default);
        let mut is_needed = vec![false; self.bodies.len()];
        pairs.flatten().for_each(|b| is_needed[b.index()] = true);
        for body in (0..self.bodies.len()).filter(|&b| is_needed[b]) {
            self.refit(BodyId(body as u32));
            let state = &self.bodies[body];
            if let Some(regions) = &state.regions {
                self.prepared.elements[body].follow(&state.body, regions, self.frame);
            }
        }
    }

    /// The vertices of a body that no triangle uses, with each body that they may be close to.
    fn loose_pairs(&self, close: &Closeness<'_>) -> Vec<([BodyId; 2], Vec<u32>)> {
        let mut out = Vec::new();
        for (a, state) in self.bodies.iter().enumerate().filter(|(_, s)| s.has_loose) {
            let mut is_loose = vec![true; state.body.vertex_count()];
            state.body.triangles().iter().flatten().for_each(|v| is_loose[v.index()] = false);
            let vertices: Vec<u32> = (0..is_loose.len() as u32).filter(|&v| is_loose[v as usize]).collect();
            let is_asked = |b: usize| if a == b { close.pairs.within() } else { close.pairs.between() };
            let others = (0..self.bodies.len()).filter(|&b| is_asked(b) && self.bodies[b].regions.is_some());
            out.extend(others.map(|b| ([BodyId(a as u32), BodyId(b as u32)], vertices.clone())));
        }
        out
    }

    /// Loose vertices of the first body against the triangles of the second.
    fn loose_vertices(&mut self, [a, b]: [BodyId; 2], vertices: &[u32], near: Near<'_>, out: &mut Proximity) {
        let Self { bodies, positions, scale, stats, prepared, .. } = self;
        let (state, Some(other)) = (&bodies[a.index()], Side::of(&bodies[b.index()], positions)) else {
            return;
        };
        // Of the side of the vertices only those are asked for.
        let mine = Side { state, regions: other.regions, positions };
        let judge = Judge { sides: [mine, other], same: a == b, near };
        let (regions, elements) = (other.regions, &prepared.elements[b.index()]);
        let limit = scale.limit(near.limit);
        simd::dispatch(Loose {
            side: 0,
            vertices,
            regions,
            elements,
            scale,
            limit,
            stats,
            judge: &judge,
            out,
        });
    }

    fn close_pairs(&mut self, [a, b]: [BodyId; 2], near: Near<'_>, out: &mut Proximity) {
        let Self { bodies, positions, scale, scratch, stats, prepared, .. } = self;
        let sides = Side::of(&bodies[a.index()], positions).zip(Side::of(&bodies[b.index()], positions));
        let Some((side_a, side_b)) = sides else { return };
        let (same, reach) = (a == b, scale.limit(near.limit));
        let trees = [side_a.regions, side_b.regions];
        let (stack, pairs) = (&mut scratch.stack, &mut scratch.pairs);
        stats.visits += simd::dispatch(BlockPairs { trees, same, limit: reach, stack, pairs });
        let elements = [&prepared.elements[a.index()], &prepared.elements[b.index()]];
        let judge = Judge { sides: [side_a, side_b], same, near };
        let parts = in_parts(pairs, &mut scratch.leaf, |pairs, _| {
            let (mut found, mut stats) = (Proximity::default(), Stats::default());
            let mut near = NearElements::default();
            simd::dispatch(FeaturePass {
                trees,
                elements,
                same,
                limit: reach,
                pairs,
                near: &mut near,
                stats: &mut stats,
                judge: &judge,
                out: &mut found,
            });
            (found, stats)
        });
        for (found, cost) in parts {
            *stats += cost;
            out.vertex_triangles.extend_from_slice(&found.vertex_triangles);
            out.edge_edges.extend_from_slice(&found.edge_edges);
        }
    }
}

/// What counts as close for one pair of bodies.
#[derive(Clone, Copy)]
struct Near<'a> {
    limit: f64,
    /// Where vertices are at rest, ids across bodies.
    rest: Option<&'a [Point]>,
    /// How many pairs of all bodies there may be.
    quota: &'a Quota,
}

/// Measures what the boxes leave.
struct Judge<'a> {
    sides: [Side<'a>; 2],
    /// Whether both sides are one body.
    same: bool,
    near: Near<'a>,
}

impl Judge<'_> {
    /// A vertex of one side and a triangle of the other, ids within their bodies.
    fn vertex(&self, side: usize, vertex: u32, triangle: u32, out: &mut Proximity) {
        let (mine, other) = (&self.sides[side], &self.sides[1 - side]);
        let corners = other.state.body.triangles()[triangle as usize];
        if self.same && corners.contains(&VertexId(vertex)) {
            return;
        }
        let Some(found) = vertex_triangle(&mine.vertex(vertex), &other.corners(triangle), self.near.limit)
        else {
            return;
        };
        let vertex = mine.state.first_vertex + vertex;
        if let Some(rest) = self.near.rest {
            let t = corners.map(|v| rest[other.state.first_vertex as usize + v.index()]);
            if vertex_triangle(&rest[vertex as usize], &t, self.near.limit).is_some() {
                return;
            }
        }
        out.vertex_triangles.push(VertexTriangle {
            vertex: VertexId(vertex),
            triangle: TriangleId(other.state.first_triangle + triangle),
            distance: found.distance,
            weights: found.weights[1],
            normal: found.normal,
            feature: found.features[1],
        });
    }

    /// An edge of either side, ids within their bodies, the smaller first.
    fn edges(&self, a: [u32; 2], b: [u32; 2], out: &mut Proximity) {
        if self.same && (a.contains(&b[0]) || a.contains(&b[1])) {
            return;
        }
        let [mut a, mut b] = [(0, a), (1, b)].map(|(i, e)| e.map(|v| self.sides[i].state.first_vertex + v));
        if b < a {
            (a, b) = (b, a);
        }
        let at = |positions: &[Point], e: [u32; 2]| e.map(|v| positions[v as usize]);
        let positions = self.sides[0].positions;
        let Near { limit, rest, .. } = self.near;
        let Some(found) = edge_edge(&at(positions, a), &at(positions, b), limit) else { return };
        if rest.is_some_and(|rest| edge_edge(&at(rest, a), &at(rest, b), limit).is_some()) {
            return;
        }
        out.edge_edges.push(EdgeEdge {
            a: a.map(VertexId),
            b: b.map(VertexId),
            distance: found.distance,
            weights: [found.weights[0][1], found.weights[1][1]],
            normal: found.normal,
            features: found.features,
        });
    }
}
