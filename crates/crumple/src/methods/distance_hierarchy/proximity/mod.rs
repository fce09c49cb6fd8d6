//! Vertices close to triangles, and edges close to edges, within bodies and between them.
//!
//! Pairs of blocks come from the regions' bounds, as for triangles closer than a margin. Every vertex and every edge belongs to
//! one block, the first that has it, and every triangle is in one: so comparing the own vertices of a block with the
//! triangles of another, either way, and the own edges of both, meets each pair once ([`elements`]). Of two blocks only what is
//! near the other's box is compared, one with eight ([`block_pair`]), as far as they [`reach`]; what that leaves is handed to a [`Sink`]: measured, with an
//! exact verdict ([`crate::narrow`]), or noted as a candidate. Vertices that no triangle uses are in no block ([`loose`]). Where very many
//! triangles meet in one vertex, planes through it take the place of boxes ([`crowded`]). Parts of a surface that lie over a plane as a graph
//! are not searched within at all ([`height_field`]).

mod block_pair;
mod crowded;
mod elements;
pub(super) mod height_field;
mod loose;
mod reach;
mod sink;
mod sort;

use super::closer_than::{BlockPairs, PART, in_parts};
use super::regions::Region;
use super::search::Side;
use super::{BodyState, DistanceHierarchy};
use crate::geometry::Point;
use crate::geometry::simd;
use crate::parallel;
use crate::quota::Quota;
use crate::{BodyId, Closeness, Error, ParamError, Proximity, ProximityCandidates, Stats};
use block_pair::{FeaturePass, NearElements};
use elements::Elements;
use height_field::{FindHeightFields, HeightFields};
use loose::Loose;
use reach::Reach;
use sink::{Judge, Near, Sink};
use sort::SortScratch;

/// What is kept for the next question.
#[derive(Debug, Clone, Default)]
pub(super) struct Prepared {
    /// The elements of each body; empty until they are asked for.
    elements: Vec<Elements>,
    /// How far the elements of each body reach.
    reach: Vec<Reach>,
    /// Scratch.
    fields: HeightFields,
    near: NearElements,
    sort: SortScratch,
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
        self.search_close(close, allows, out)?;
        let vertices = self.bodies.iter().map(|s| s.body.vertex_count()).sum();
        self.prepared.sort.sort(out, vertices);
        self.stats.contacts = out.len() as u64;
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
        self.search_close(close, allows, out)?;
        Ok(self.stats)
    }

    fn search_close<O: Sink>(
        &mut self,
        close: &Closeness<'_>,
        allows: &dyn Fn(BodyId, BodyId) -> bool,
        out: &mut O,
    ) -> Result<(), Error> {
        out.clear();
        self.stats = Stats::default();
        let rest = self.check_closeness(close)?;
        let most = |all: &[f64]| all.iter().copied().fold(0.0, f64::max);
        let widest = match (close.reach, close.thickness) {
            (Some(reach), _) => 2.0 * most(reach),
            (None, Some(thickness)) => most(thickness),
            (None, None) => close.distance,
        };
        let mut pairs: Vec<[BodyId; 2]> = Vec::new();
        if close.pairs.within() {
            pairs.extend((0..self.bodies.len() as u32).map(|b| [BodyId(b); 2]));
        }
        if close.pairs.between() {
            pairs.extend(self.body_pairs(widest));
        }
        pairs.retain(|&[a, b]| close.names(a, b) && allows(a, b));
        let mut loose = self.loose_pairs(close, O::INSIDE);
        loose.retain(|&([a, b], _)| close.names(a, b) && allows(a, b));
        self.prepare_elements(pairs.iter().chain(loose.iter().map(|(bodies, _)| bodies)));
        if let Some(reach) = close.reach {
            self.prepare_reach(reach);
        }
        let quota = &Quota::new(close.most);
        let furthest: Option<Vec<f64>> = close.reach.map(|reach| {
            let own = |s: &BodyState| &reach[s.first_vertex as usize..][..s.body.vertex_count()];
            self.bodies.iter().map(|s| most(own(s))).collect()
        });
        let near = |[a, b]: [BodyId; 2]| {
            let limit = match &furthest {
                Some(furthest) => furthest[a.index()] + furthest[b.index()],
                None => close.of(a.index(), b.index()),
            };
            Near { limit, reach: close.reach, rest: rest.as_deref().filter(|_| a == b), quota }
        };
        for bodies in pairs {
            self.close_pairs(bodies, near(bodies), out)?;
        }
        for (bodies, vertices) in loose {
            self.loose_vertices(bodies, &vertices, near(bodies), out);
        }
        if quota.is_exceeded() {
            out.clear();
            return Err(Error::TooManyPairs { most: close.most });
        }
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

    /// How far elements reach, of the bodies that are fitted.
    fn prepare_reach(&mut self, reach: &[f64]) {
        let Self { bodies, prepared, scale, frame, .. } = self;
        let Prepared { reach: of_bodies, elements, .. } = prepared;
        of_bodies.resize_with(bodies.len(), Reach::default);
        for ((state, out), elements) in bodies.iter().zip(of_bodies).zip(elements) {
            let Some(regions) = state.regions.as_ref().filter(|_| elements.is_at(*frame)) else { continue };
            let own = &reach[state.first_vertex as usize..][..state.body.vertex_count()];
            out.follow(own, regions, elements, scale);
        }
    }

    /// The vertices of a body that no triangle uses, with each body that they may be close to.
    fn loose_pairs(&self, close: &Closeness<'_>, inside: bool) -> Vec<([BodyId; 2], Vec<u32>)> {
        let mut out = Vec::new();
        let takes_part = |s: &BodyState| s.has_loose && (inside || !s.body.is_solid());
        for (a, state) in self.bodies.iter().enumerate().filter(|(_, s)| takes_part(s)) {
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
    fn loose_vertices<O: Sink>(
        &mut self,
        [a, b]: [BodyId; 2],
        vertices: &[u32],
        near: Near<'_>,
        out: &mut O,
    ) {
        let Self { bodies, positions, scale, stats, prepared, .. } = self;
        let (state, Some(other)) = (&bodies[a.index()], Side::of(&bodies[b.index()], positions)) else {
            return;
        };
        // Of the side of the vertices only those are asked for.
        let mine = Side::new(state, other.regions, positions);
        let judge = Judge { sides: [mine, other], near };
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

    fn close_pairs<O: Sink>(
        &mut self,
        [a, b]: [BodyId; 2],
        near: Near<'_>,
        out: &mut O,
    ) -> Result<(), Error> {
        let Self { bodies, positions, scale, scratch, stats, prepared, .. } = self;
        let sides = Side::of(&bodies[a.index()], positions).zip(Side::of(&bodies[b.index()], positions));
        let Some((side_a, side_b)) = sides else { return Ok(()) };
        if a == b && prepared.elements[a.index()].is_crowded {
            let judge = Judge { sides: [side_a, side_b], near };
            let (mesh, first) = (&side_a.state.body, side_a.state.first_vertex as usize);
            let own = &positions[first..first + mesh.vertex_count()];
            stats.candidates += crowded::close_pairs(mesh, own, &judge, out)?;
            return Ok(());
        }
        let (same, limit) = (a == b, scale.limit(near.limit));
        let trees = [side_a.regions, side_b.regions];
        let Prepared { elements, reach, fields, near: scratch_near, .. } = prepared;
        let elements = [&elements[a.index()], &elements[b.index()]];
        let reach = near.reach.map(|_| [a, b].map(|b| &reach[b.index()]));
        if same {
            let reach = reach.map(|[reach, _]| reach);
            simd::dispatch(FindHeightFields {
                regions: trees[0],
                elements: elements[0],
                limit,
                reach,
                out: fields,
            });
        }
        let (stack, pairs, fields) = (&mut scratch.stack, &mut scratch.pairs, same.then_some(&*fields));
        stats.visits += simd::dispatch(BlockPairs { trees, fields, same, limit, stack, pairs });
        let judge = Judge { sides: [side_a, side_b], near };
        let pass = |pairs: &[[Region; 2]], near: &mut NearElements, out: &mut O| {
            let mut stats = Stats::default();
            let (stats_of, judge) = (&mut stats, &judge);
            simd::dispatch(FeaturePass {
                trees,
                elements,
                same,
                limit,
                reach,
                pairs,
                near,
                stats: stats_of,
                judge,
                out,
            });
            stats
        };
        // On one thread there is no detour, and memory is used again.
        if !parallel::is_worth(pairs.len(), PART) {
            *stats += pass(pairs, scratch_near, out);
            return Ok(());
        }
        let parts = in_parts(pairs, &mut scratch.leaf, |pairs, _| {
            let mut found = O::default();
            let stats = pass(pairs, &mut NearElements::default(), &mut found);
            (found, stats)
        });
        for (found, cost) in parts {
            *stats += cost;
            out.append(found);
        }
        Ok(())
    }
}
