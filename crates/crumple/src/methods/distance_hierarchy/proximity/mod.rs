//! Vertices close to triangles, and edges close to edges, within bodies and between them.
//!
//! Pairs of blocks come from the regions' bounds, as for triangles closer than a margin. Every vertex and every edge belongs to
//! one block that has it, and every triangle is in one: so comparing the own vertices of a block with the
//! triangles of another, either way, and the own edges of both, meets each pair once. Elements lie in boxes that hold what is within their
//! reach, in rows of eight neighbours ([`elements`]); of two blocks rows are compared with rows, and elements with elements, by these boxes
//! ([`block_pair`]). What they leave is looked at in single precision, eight pairs at a time: most of it is apart along some direction
//! ([`separation`]). The rest is [`found`]: pairs of two ids in one number, which are put in the order of the answer before anything is
//! measured. Then they are measured, four at a time, with an exact verdict ([`judge`]), or handed out as candidates.
//!
//! Vertices that no triangle uses are in no block ([`loose`]). Where very many triangles meet in one vertex, planes through it take the
//! place of boxes ([`crowded`]). Parts of a surface that lie over a plane as a graph are not searched within at all ([`height_field`]).

mod block_pair;
mod borders;
mod crowded;
mod edges;
mod elements;
mod found;
pub(super) mod height_field;
mod judge;
mod loose;
mod rows;
mod separation;

use super::closer_than::{BlockPairs, PART, in_parts};
use super::regions::Region;
use super::{BodyState, DistanceHierarchy};
use crate::geometry::Point;
use crate::geometry::simd;
use crate::parallel;
use crate::proximity::most;
use crate::quota::Quota;
use crate::{
    BodyId, Closeness, EdgeEdge, Error, ParamError, Proximity, ProximityCandidates, Stats, TriangleId,
    VertexId, VertexTriangle,
};
use block_pair::{FeaturePass, FirstIds, NearElements};
use elements::{Elements, VertexReach};
use found::{FoundPairs, SortScratch, ids};
use height_field::{FindHeightFields, HeightFields};
use judge::{Judge, Lists, MeasureEdges, MeasureVertices};
use loose::Loose;

/// What is kept for the next question.
#[derive(Debug, Clone, Default)]
pub(super) struct Prepared {
    /// The elements of each body; empty until they are asked for.
    elements: Vec<Elements>,
    /// Where the ids of each body begin, and where those of all end.
    first: Vec<FirstIds>,
    /// Scratch.
    found: FoundPairs,
    fields: HeightFields,
    near: NearElements,
    sort: SortScratch,
}

/// What counts as close, checked.
#[derive(Clone, Copy)]
struct Question<'a> {
    close: &'a Closeness<'a>,
    /// Where vertices are at rest, ids across bodies.
    rest: Option<&'a [Point]>,
    /// Whether vertices inside tetrahedral bodies take part, which no triangle uses.
    inside: bool,
    quota: &'a Quota,
    /// Whether only pairs that are close count for the quota, and others are dropped at once.
    is_strict: bool,
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
        self.proximity_allowed(close, &|_, _| true, out)
    }

    /// The same, of the pairs of bodies that are allowed.
    pub(crate) fn proximity_allowed(
        &mut self,
        close: &Closeness<'_>,
        allows: &dyn Fn(BodyId, BodyId) -> bool,
        out: &mut Proximity,
    ) -> Result<Stats, Error> {
        let Proximity { vertex_triangles, edge_edges } = out;
        self.proximity_rows(close, allows, (vertex_triangles, |row| row), (edge_edges, |row| row))
    }

    /// The same, with rows in the form in which they are wanted.
    pub(crate) fn proximity_rows<V: Send + Copy, E: Send + Copy>(
        &mut self,
        close: &Closeness<'_>,
        allows: &dyn Fn(BodyId, BodyId) -> bool,
        (vertex_triangles, vertex_triangle): (&mut Vec<V>, impl Fn(VertexTriangle) -> V + Sync),
        (edge_edges, edge_edge): (&mut Vec<E>, impl Fn(EdgeEdge) -> E + Sync),
    ) -> Result<Stats, Error> {
        vertex_triangles.clear();
        edge_edges.clear();
        let rest = self.check_closeness(close)?;
        let quota = &Quota::new(close.most);
        let question = Question { close, rest: rest.as_deref(), inside: true, quota, is_strict: false };
        self.search_close(question, allows)?;
        if quota.is_exceeded() {
            // More than that may be close, and fewer are: now they are counted.
            let quota = &Quota::new(close.most);
            self.search_close(Question { quota, is_strict: true, ..question }, allows)?;
            if quota.is_exceeded() {
                return Err(Error::TooManyPairs { most: close.most });
            }
        }
        let Self { prepared, positions, .. } = self;
        let Prepared { found, sort, first, elements, .. } = prepared;
        let lists = &Lists { elements, first };
        sort.vertices(&mut found.vertex_triangles, lists.ends());
        sort.edges(&mut found.edge_edges, lists);
        let judge = &Judge::new(positions, *lists, question.close, question.rest);
        measured(&found.vertex_triangles, vertex_triangles, |pairs, out| {
            simd::dispatch(MeasureVertices { judge, pairs, row: &vertex_triangle, out });
        });
        measured(&found.edge_edges, edge_edges, |pairs, out| {
            simd::dispatch(MeasureEdges { judge, pairs, row: &edge_edge, out });
        });
        self.stats.contacts = (vertex_triangles.len() + edge_edges.len()) as u64;
        Ok(self.stats)
    }

    /// Replaces `out` by every pair that is closer than [`Closeness`] says, and by some that are a little further apart: what
    /// [`proximity`](Self::proximity) would measure. The shape at rest and vertices inside tetrahedral bodies are passed over.
    pub(crate) fn proximity_candidates(
        &mut self,
        close: &Closeness<'_>,
        allows: &dyn Fn(BodyId, BodyId) -> bool,
        out: &mut ProximityCandidates,
    ) -> Result<Stats, Error> {
        out.clear();
        self.check_closeness(close)?;
        let quota = &Quota::new(close.most);
        self.search_close(Question { close, rest: None, inside: false, quota, is_strict: false }, allows)?;
        if quota.is_exceeded() {
            return Err(Error::TooManyPairs { most: close.most });
        }
        let Prepared { found, elements, first, .. } = &self.prepared;
        let (lists, mut near) = (Lists { elements, first }, 0);
        let pairs = found.vertex_triangles.iter().map(|&pair| ids(pair));
        out.vertex_triangles.extend(pairs.map(|[v, t]| (VertexId(v), TriangleId(t))));
        let pairs = found.edge_edges.iter().map(|&pair| ids(pair));
        out.edge_edges.extend(pairs.map(|edges| edges.map(|e| lists.edge(e, &mut near).map(VertexId))));
        Ok(self.stats)
    }

    /// Fills [`Prepared::found`].
    fn search_close(
        &mut self,
        question: Question<'_>,
        allows: &dyn Fn(BodyId, BodyId) -> bool,
    ) -> Result<(), Error> {
        self.stats = Stats::default();
        let Question { close, inside, quota, .. } = question;
        let mut pairs: Vec<[BodyId; 2]> = Vec::new();
        if close.pairs.within() {
            pairs.extend((0..self.bodies.len() as u32).map(|b| [BodyId(b); 2]));
        }
        if close.pairs.between() {
            pairs.extend(self.body_pairs(close.widest()));
        }
        pairs.retain(|&[a, b]| close.names(a, b) && allows(a, b));
        let mut loose = self.loose_pairs(close, inside);
        loose.retain(|&([a, b], _)| close.names(a, b) && allows(a, b));
        self.prepare_elements(close, pairs.iter().chain(loose.iter().map(|(bodies, _)| bodies)));
        self.prepared.find_first_ids(&self.bodies);
        let furthest: Option<Vec<f64>> = close.reach.map(|reach| {
            let own = |s: &BodyState| &reach[s.first_vertex as usize..][..s.body.vertex_count()];
            self.bodies.iter().map(|s| most(own(s))).collect()
        });
        let limit = |[a, b]: [BodyId; 2]| match &furthest {
            Some(furthest) => furthest[a.index()] + furthest[b.index()],
            None => close.of(a.index(), b.index()),
        };
        let mut found = std::mem::take(&mut self.prepared.found);
        found.clear();
        for bodies in pairs {
            if !quota.is_exceeded() {
                self.close_pairs(bodies, limit(bodies), question, &mut found)?;
            }
        }
        for (bodies, vertices) in loose {
            if !quota.is_exceeded() {
                self.loose_vertices(bodies, &vertices, limit(bodies), question, &mut found);
            }
        }
        self.stats.candidates = found.len() as u64;
        self.prepared.found = found;
        Ok(())
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
        if let Some(named) = close.bodies.filter(|n| n.len() != self.bodies.len()) {
            return bad("bodies", format!("{} bodies", named.len()), "yes or no for every body");
        }
        let vertices: usize = self.bodies.iter().map(|s| s.body.vertex_count()).sum();
        if let Some(reach) = close.reach.filter(|r| r.len() != vertices || !r.iter().all(usable)) {
            let value = format!("{} numbers", reach.len());
            return bad("reach", value, "a finite number for every vertex, none negative");
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
    fn prepare_elements<'p>(&mut self, close: &Closeness<'_>, pairs: impl Iterator<Item = &'p [BodyId; 2]>) {
        self.prepared.elements.resize_with(self.bodies.len(), Elements::default);
        let mut is_needed = vec![false; self.bodies.len()];
        pairs.flatten().for_each(|b| is_needed[b.index()] = true);
        for body in (0..self.bodies.len()).filter(|&b| is_needed[b]) {
            self.refit(BodyId(body as u32));
            let state = &self.bodies[body];
            let own = state.first_vertex as usize..state.first_vertex as usize + state.body.vertex_count();
            let reach = reach_of(close, body, own.clone());
            if let Some(regions) = &state.regions {
                let positions = &self.positions[own];
                self.prepared.elements[body].follow(
                    &state.body,
                    regions,
                    (self.frame, &self.scale),
                    positions,
                    reach,
                );
            }
        }
    }

    /// The vertices of a body that no triangle uses, with each body that they may be close to.
    fn loose_pairs(&self, close: &Closeness<'_>, inside: bool) -> Vec<([BodyId; 2], Vec<u32>)> {
        let mut out = Vec::new();
        let takes_part = |s: &BodyState| s.has_loose && (inside || !s.body.is_solid());
        for (a, state) in self.bodies.iter().enumerate().filter(|(_, s)| takes_part(s)) {
            let vertices = state.loose_vertices();
            let is_asked = |b: usize| if a == b { close.pairs.within() } else { close.pairs.between() };
            let others = (0..self.bodies.len()).filter(|&b| is_asked(b) && self.bodies[b].regions.is_some());
            out.extend(others.map(|b| ([BodyId(a as u32), BodyId(b as u32)], vertices.clone())));
        }
        out
    }

    /// Loose vertices of the first body against the triangles of the second.
    fn loose_vertices(
        &mut self,
        [a, b]: [BodyId; 2],
        vertices: &[u32],
        limit: f64,
        question: Question<'_>,
        out: &mut FoundPairs,
    ) {
        let Self { bodies, positions, scale, stats, prepared, .. } = self;
        let (state, Some(regions)) = (&bodies[a.index()], &bodies[b.index()].regions) else { return };
        let own = state.first_vertex as usize..state.first_vertex as usize + state.body.vertex_count();
        let reach = reach_of(question.close, a.index(), own);
        let placed = |&v: &u32| {
            let [x, y, z] = scale.map.apply(&positions[(state.first_vertex + v) as usize]);
            let reach = match reach {
                VertexReach::All(all) => all,
                VertexReach::Each(each) => each[v as usize],
            };
            (v, [x, y, z, scale.limit(reach)])
        };
        let vertices: Vec<(u32, [f32; 4])> = vertices.iter().map(placed).collect();
        let first = [a, b].map(|b| prepared.first[b.index()]);
        let elements = &prepared.elements[b.index()];
        let limit = scale.limit(limit);
        for vertices in vertices.chunks(PART) {
            if question.quota.is_exceeded() {
                return;
            }
            let mut part = FoundPairs::default();
            let found = &mut part;
            simd::dispatch(Loose { vertices, regions, elements, first, limit, stats, out: found });
            question.count(prepared.lists(), positions, &mut part);
            out.append(&part);
        }
    }

    /// The elements of two bodies, or of one given twice.
    fn close_pairs(
        &mut self,
        [a, b]: [BodyId; 2],
        limit: f64,
        question: Question<'_>,
        out: &mut FoundPairs,
    ) -> Result<(), Error> {
        let Self { bodies, positions, scale, scratch, stats, prepared, .. } = self;
        let [mine, other] = [&bodies[a.index()], &bodies[b.index()]];
        let (Some(tree), Some(other_tree)) = (&mine.regions, &other.regions) else { return Ok(()) };
        let Prepared { elements, first: all_first, fields, near: scratch_near, .. } = prepared;
        let lists = Lists { elements, first: all_first };
        let first = [a, b].map(|b| all_first[b.index()]);
        if a == b && elements[a.index()].crowding.is_crowded() {
            let own = &positions[mine.first_vertex as usize..][..mine.body.vertex_count()];
            let mut part = FoundPairs::default();
            let of = (&elements[a.index()], first[0]);
            // What is too many to be kept may still be few that are close.
            let all = Quota::new(usize::MAX);
            let quota = if question.is_strict { &all } else { question.quota };
            crowded::close_pairs(&mine.body, own, limit, of, quota, &mut part)?;
            if question.is_strict {
                question.count(lists, positions, &mut part);
            }
            out.append(&part);
            return Ok(());
        }
        let (same, limit) = (a == b, scale.limit(limit));
        let trees = [tree, other_tree];
        let elements = [&elements[a.index()], &elements[b.index()]];
        if same {
            let is_each = question.close.reach.is_some();
            simd::dispatch(FindHeightFields {
                regions: tree,
                elements: elements[0],
                limit,
                is_each,
                out: fields,
            });
        }
        let (stack, pairs, fields) = (&mut scratch.stack, &mut scratch.pairs, same.then_some(&*fields));
        stats.visits += simd::dispatch(BlockPairs { trees, fields, same, limit, stack, pairs });
        let pass = |pairs: &[[Region; 2]], near: &mut NearElements, out: &mut FoundPairs| {
            let mut stats = Stats::default();
            if !question.quota.is_exceeded() {
                let stats = &mut stats;
                simd::dispatch(FeaturePass { elements, first, same, pairs, near, stats, out });
                question.count(lists, positions, out);
            }
            stats
        };
        // On one thread there is no detour, and memory is used again.
        if !parallel::is_worth(pairs.len(), PART) {
            let is_counted = question.quota.is_limited();
            for pairs in pairs.chunks(PART) {
                if is_counted {
                    let mut part = FoundPairs::default();
                    *stats += pass(pairs, scratch_near, &mut part);
                    out.append(&part);
                } else {
                    *stats += pass(pairs, scratch_near, out);
                }
            }
            return Ok(());
        }
        let parts = in_parts(pairs, &mut scratch.leaf, |pairs, _| {
            let mut found = FoundPairs::default();
            let stats = pass(pairs, &mut NearElements::default(), &mut found);
            (found, stats)
        });
        for (found, cost) in parts {
            *stats += cost;
            out.append(&found);
        }
        Ok(())
    }
}

/// How far the vertices of a body reach, of which these are the ids across bodies.
fn reach_of<'a>(close: &Closeness<'a>, body: usize, own: std::ops::Range<usize>) -> VertexReach<'a> {
    match (close.reach, close.thickness) {
        (Some(reach), _) => VertexReach::Each(&reach[own]),
        (None, Some(thickness)) => VertexReach::All(0.5 * thickness[body]),
        (None, None) => VertexReach::All(0.5 * close.distance),
    }
}

impl Question<'_> {
    /// Counts what one part of a search found.
    fn count(&self, lists: Lists<'_>, positions: &[Point], part: &mut FoundPairs) {
        if !self.quota.is_limited() {
            return;
        }
        if self.is_strict {
            Judge::new(positions, lists, self.close, self.rest).retain(part);
        }
        self.quota.add(part.len());
    }
}

impl Prepared {
    fn lists(&self) -> Lists<'_> {
        Lists { elements: &self.elements, first: &self.first }
    }

    fn find_first_ids(&mut self, bodies: &[BodyState]) {
        let mut next = FirstIds::default();
        self.first.clear();
        for (state, elements) in bodies.iter().zip(&self.elements) {
            self.first.push(next);
            next.vertex += state.body.vertex_count() as u32;
            next.triangle += state.body.triangle_count() as u32;
            next.edge += elements.table.ends().len() as u32;
        }
        self.first.push(next);
    }
}

/// Pairs that one thread measures at a time.
const PAIRS: usize = 4096;

/// Adds the rows of pairs that are close, in the order in which they are.
fn measured<T: Send + Copy>(pairs: &[u64], out: &mut Vec<T>, measure: impl Fn(&[u64], &mut Vec<T>) + Sync) {
    if !parallel::is_worth(pairs.len(), PAIRS) {
        return measure(pairs, out);
    }
    let parts = parallel::map_chunks(pairs, PAIRS, &mut (), |(), pairs| {
        let mut part = Vec::with_capacity(pairs.len());
        measure(pairs, &mut part);
        part
    });
    parts.iter().for_each(|part| out.extend_from_slice(part));
}
