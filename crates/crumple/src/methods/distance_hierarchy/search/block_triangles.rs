//! Two blocks, triangle by triangle: which are near, and which are closest.

use super::super::regions::{Block, Region};
use super::block_pair::{ALL, Pass, Separation, Then, closest_vertices, slab};
use super::front::Nearby;
use super::{ClosestPair, RunningSearch};
use crate::geometry::simd::Simd;
use crate::narrow::tri_tri_distance;

/// Times that a pair of blocks is begun again in a better direction.
const RESTARTS: usize = 2;

impl RunningSearch<'_, '_> {
    #[inline(always)]
    fn block_pair(&self, pair: [Region; 2]) -> [&'_ Block; 2] {
        [&self.trees[0].blocks[pair[0].index()], &self.trees[1].blocks[pair[1].index()]]
    }

    /// Whether two blocks cannot change the answer: where surfaces touch nothing is closer, and only smaller ids matter.
    #[inline(always)]
    pub fn is_final(&self, pair: [Region; 2]) -> bool {
        let blocks = self.block_pair(pair);
        self.best.as_ref().is_some_and(|b| b.is_final_before([blocks[0].least, blocks[1].least]))
    }

    /// The thickest slab found between two blocks.
    #[inline(always)]
    pub fn slab<S: Simd>(&mut self, simd: S, pair: [Region; 2]) -> Separation {
        let trees = self.trees;
        let blocks = [&trees[0].blocks[pair[0].index()], &trees[1].blocks[pair[1].index()]];
        slab(simd, trees, blocks, self.near.limit + self.margin, &mut self.hints)
    }

    /// Compares the triangles of two blocks, which are at least `lower` apart, and puts them to rest.
    #[inline(always)]
    pub fn compare<S: Simd>(&mut self, simd: S, pair: [Region; 2], lower: f32, known: Option<Separation>) {
        let trees = self.trees;
        let blocks = [&trees[0].blocks[pair[0].index()], &trees[1].blocks[pair[1].index()]];
        let mut known = known;
        if self.best.is_none() {
            let [i, j] = closest_vertices(simd, trees, blocks);
            let vertices = [trees[0].vertex(blocks[0], i.into()), trees[1].vertex(blocks[1], j.into())];
            let [p, q] = self.look_at(vertices);
            self.hints.directions[1] = self.between(&p, &q);
            known = None;
        }
        for restart in 0..=RESTARTS {
            let slab = match known.take() {
                Some(slab) => slab,
                None => self.slab(simd, pair),
            };
            if slab.lower > self.near.limit {
                self.stats.certified += 1;
                return self.rest(slab.lower, pair);
            }
            let (limit, margin) = (self.near.limit, self.margin);
            let pass = Pass { direction: slab.direction, among: ALL, limit, margin };
            let (last, before) = (restart == RESTARTS, self.stats.tests);
            // Without a margin the blocks wake in the next frame anyway. Where surfaces touch, the distances of most
            // triangles are not asked for.
            let Some(near_lower) = (if margin > 0.0 {
                self.pass::<S, true>(simd, blocks, pass, last)
            } else {
                self.pass::<S, false>(simd, blocks, pass, last)
            }) else {
                continue;
            };
            self.scratch.front.pacing.count(self.stats.tests - before);
            if margin == 0.0 || self.upper == 0.0 {
                return self.rest(lower.max(slab.lower), pair);
            }
            // What is not near was ruled out by this limit, or by a larger one before.
            let others = self.search.scale.certain(self.near.limit + margin);
            if self.scratch.leaf.near[0] == 0 {
                return self.scratch.front.rest(others, pair);
            }
            let near = self.scratch.front.nearby(self.scratch.leaf.near, slab.direction, others);
            return self.scratch.front.rest_near(near_lower, pair, near);
        }
    }

    /// Compares those triangles of two blocks again that were near.
    #[inline(always)]
    pub fn compare_near<S: Simd>(&mut self, simd: S, pair: [Region; 2], near: Nearby) {
        let trees = self.trees;
        let blocks = [&trees[0].blocks[pair[0].index()], &trees[1].blocks[pair[1].index()]];
        let (direction, among) = (near.direction, near.triangles);
        let pass = Pass { direction, among, limit: self.near.limit, margin: self.margin };
        if let Some(lower) = self.pass::<S, true>(simd, blocks, pass, true) {
            self.scratch.front.rest_near(lower, pair, near);
        }
    }

    /// Looks at the triangles of two blocks: a distance that those which are near do not go below, or `None` when closer
    /// ones than before were found and it is not the `last` pass.
    #[inline(always)]
    fn pass<S: Simd, const MARGIN: bool>(
        &mut self,
        simd: S,
        blocks: [&Block; 2],
        pass: Pass,
        last: bool,
    ) -> Option<f64> {
        let trees = self.trees;
        let mut leaf = std::mem::take(&mut self.scratch.leaf);
        let (mut then, mut lower) = (Then::Continue, f64::INFINITY);
        self.stats.tests += leaf.pairs::<S, MARGIN>(simd, trees, blocks, pass, |i, j, limit| {
            let seen = self.exact([trees[0].triangles[i as usize], trees[1].triangles[j as usize]]);
            lower = lower.min(seen.lower);
            if seen.is_closer && !last {
                then = Then::Stop;
            }
            *limit = self.near.limit;
            then
        });
        if MARGIN {
            // What was not even noted is beyond the margin.
            let noted = leaf.noted.min(self.near.limit + pass.margin);
            lower = lower.min(self.search.scale.certain(noted));
        }
        self.scratch.leaf = leaf;
        (then == Then::Continue).then_some(lower)
    }

    /// Looks at two triangles.
    #[inline(always)]
    fn exact(&mut self, pair: [u32; 2]) -> Seen {
        if self.best.as_ref().is_some_and(|b| b.is_final_before(pair)) {
            return Seen { is_closer: false, lower: 0.0 };
        }
        self.stats.candidates += 1;
        let (s, t) = (self.search.sides[0].corners(pair[0]), self.search.sides[1].corners(pair[1]));
        if let Some(best) = &self.best
            && best.pair < pair
            && tri_tri_distance::ends_at_corners_of(&best.closest, &s, &t)
        {
            return Seen { is_closer: false, lower: best.closest.lower };
        }
        let Some(closest) = tri_tri_distance::closest_up_to(&s, &t, self.upper) else {
            return Seen { is_closer: false, lower: self.upper };
        };
        let lower = closest.lower;
        let found = ClosestPair { pair, closest };
        if !found.beats(&self.best, &self.search.sides, &mut self.ties) {
            return Seen { is_closer: false, lower };
        }
        (self.best, self.ties.best) = (Some(found), None);
        self.hints.directions[0] = self.between(&closest.a.point, &closest.b.point);
        let is_closer = closest.upper < self.upper;
        self.lower_to(closest.upper);
        Seen { is_closer, lower }
    }
}

/// What a look at two triangles found.
struct Seen {
    /// Whether they are closer than anything before.
    is_closer: bool,
    /// How far they are apart at least.
    lower: f64,
}
