//! The pairs of triangles closer than a margin.

use super::DistanceHierarchy;
use super::bounds::{SearchLimit, against, expand};
use super::proximity::height_field::HeightFields;
use super::regions::{Region, Regions};
use super::search::Side;
use super::search::block_pair::{ALL, Hints, PairScratch, Pass, Then, slab};
use crate::geometry::simd::{self, Kernel, Simd};
use crate::narrow::tri_tri_distance;
use crate::quota::Quota;
use crate::{BodyId, Error, NearPair, Stats, TriangleId, TrianglePair, parallel};

impl DistanceHierarchy {
    /// Every pair of triangles of two bodies at most `margin` apart, sorted.
    ///
    /// Twice the same body asks within it. Pairs that share a vertex are at distance 0 by their nature and left out then; so
    /// are duplicates, which share all three.
    pub fn closer_than(&mut self, bodies: [BodyId; 2], margin: f64) -> Result<Vec<NearPair>, Error> {
        self.closer_than_at_most(bodies, margin, usize::MAX)
    }

    /// The same, but if there are more than `most` pairs the search ends with [`Error::TooManyPairs`]: a margin as large as
    /// the bodies has as many pairs as the product of their triangles.
    pub fn closer_than_at_most(
        &mut self,
        bodies: [BodyId; 2],
        margin: f64,
        most: usize,
    ) -> Result<Vec<NearPair>, Error> {
        self.check_bodies(bodies)?;
        self.stats = Stats::default();
        let is_one = bodies[0] == bodies[1];
        let (mut out, quota) = (Vec::new(), Quota::new(most));
        self.triangle_pairs(bodies, margin, &quota, &mut out, |sides, pair| {
            let ids = [0, 1].map(|i| sides[i].state.body.triangle(TriangleId(pair[i])));
            let shares = is_one && ids[0].iter().any(|v| ids[1].contains(v));
            if shares { None } else { near_pair(sides, pair, margin) }
        });
        if quota.is_exceeded() {
            return Err(Error::TooManyPairs { most });
        }
        out.sort_unstable_by_key(|n| n.pair);
        Ok(out)
    }

    /// Hands every pair of triangles (ids within the bodies) that may be at most `margin` apart to `judge`, which keeps
    /// some. Of one body against itself each pair comes once.
    pub(super) fn triangle_pairs<T: Send>(
        &mut self,
        [a, b]: [BodyId; 2],
        margin: f64,
        quota: &Quota,
        out: &mut Vec<T>,
        judge: impl Fn(&[Side<'_>; 2], [u32; 2]) -> Option<T> + Sync,
    ) {
        self.refit(a);
        self.refit(b);
        let Self { bodies, positions, scale, scratch, stats, .. } = self;
        let sides = Side::of(&bodies[a.index()], positions).zip(Side::of(&bodies[b.index()], positions));
        let Some((side_a, side_b)) = sides else { return };
        let sides = &[side_a, side_b];
        let (same, limit) = (a == b, scale.limit(margin));
        let trees = [side_a.regions, side_b.regions];
        let (stack, pairs) = (&mut scratch.stack, &mut scratch.pairs);
        stats.visits += simd::dispatch(BlockPairs { trees, fields: None, same, limit, stack, pairs });
        let parts = in_parts(pairs, &mut scratch.leaf, |pairs, leaf| {
            let mut part = SharedPairs { kept: Vec::new(), stats: Stats::default() };
            let part_of = &mut part;
            simd::dispatch(TrianglePairs {
                sides,
                same,
                limit,
                pairs,
                leaf,
                quota,
                part: part_of,
                judge: &judge,
            });
            part
        });
        for part in parts {
            *stats += part.stats;
            out.extend(part.kept);
        }
    }
}

fn near_pair(sides: &[Side<'_>; 2], pair: [u32; 2], margin: f64) -> Option<NearPair> {
    let [s, t] = [0, 1].map(|i| sides[i].corners(pair[i]));
    let closest = tri_tri_distance::closest_up_to(&s, &t, margin)?;
    // The distance that is reported decides, and that one is as sharp as it gets.
    let distance =
        if closest.is_tight() { closest.distance } else { tri_tri_distance::closest(&s, &t).distance };
    let [a, b] = [0, 1].map(|i| TriangleId(sides[i].state.first_triangle + pair[i]));
    (distance <= margin).then(|| NearPair { pair: TrianglePair::new(a, b), distance })
}

/// Block pairs that one thread takes at a time.
pub(super) const PART: usize = 64;

/// Does the work on all pairs, in one part or, with several threads, in many; the results in order.
pub(super) fn in_parts<T: Send>(
    pairs: &[[Region; 2]],
    leaf: &mut PairScratch,
    work: impl Fn(&[[Region; 2]], &mut PairScratch) -> T + Sync,
) -> Vec<T> {
    let part = if parallel::is_worth(pairs.len(), PART) { PART } else { pairs.len().max(1) };
    parallel::map_chunks(pairs, part, leaf, |leaf, part| work(part, leaf))
}

/// What a thread found.
struct SharedPairs<T> {
    kept: Vec<T>,
    stats: Stats,
}

/// All pairs of blocks that the limit does not rule out; yields the number of pairs of regions looked at.
pub(super) struct BlockPairs<'a> {
    pub trees: [&'a Regions; 2],
    /// Regions of the one tree that are not to be searched within.
    pub fields: Option<&'a HeightFields>,
    /// Whether both trees are the same: then every pair comes once, a block with itself included.
    pub same: bool,
    pub limit: f32,
    pub stack: &'a mut Vec<[Region; 2]>,
    pub pairs: &'a mut Vec<[Region; 2]>,
}

impl Kernel for BlockPairs<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> u64 {
        let Self { trees, fields, same, limit, stack, pairs } = self;
        let mut near = SearchLimit::fixed(limit);
        let mut visits = 0;
        pairs.clear();
        stack.clear();
        let roots = trees.map(|t| t.root);
        if same || trees[0].bound(roots[0]).distance(trees[1].bound(roots[1])) <= limit {
            stack.push(roots);
        }
        while let Some(pair) = stack.pop() {
            visits += 1;
            if pair[0] == pair[1] && fields.is_some_and(|f| f.is_apart(pair[0])) {
                continue;
            }
            if pair.iter().all(|r| r.is_block()) {
                pairs.push(pair);
            } else if same && pair[0] == pair[1] {
                let node = trees[0].node(pair[0]);
                for i in 0..node.count {
                    stack.push([node.child[i]; 2]);
                    let child = |j: usize| [node.child[i], node.child[j]];
                    let later = |x: Region, y: Region| {
                        // Children are numbered in order, blocks and nodes apart.
                        (x.is_block(), x.index()) < (y.is_block(), y.index())
                    };
                    let mut found = |_: f32, x: Region, y: Region| {
                        if later(x, y) {
                            stack.push([x, y]);
                        }
                    };
                    against(simd, &node.bound_of(i), node, &mut near, child, &mut found, &mut |_, _, _| ());
                }
            } else {
                expand(simd, trees, pair, &mut near, |_, x, y| stack.push([x, y]), |_, _, _| ());
            }
        }
        visits
    }
}

/// All pairs of triangles of some pairs of blocks that the limit does not rule out and `judge` keeps.
struct TrianglePairs<'a, T, J> {
    sides: &'a [Side<'a>; 2],
    same: bool,
    limit: f32,
    pairs: &'a [[Region; 2]],
    leaf: &'a mut PairScratch,
    quota: &'a Quota,
    part: &'a mut SharedPairs<T>,
    judge: &'a J,
}

impl<T, J: Fn(&[Side<'_>; 2], [u32; 2]) -> Option<T>> Kernel for TrianglePairs<'_, T, J> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let SharedPairs { kept, stats } = self.part;
        let trees = self.sides.map(|s| s.regions);
        let mut hints = Hints::default();
        for &[x, y] in self.pairs {
            if self.quota.is_exceeded() {
                break;
            }
            let before = kept.len();
            let blocks = [&trees[0].blocks[x.index()], &trees[1].blocks[y.index()]];
            let one = self.same && x == y;
            let slab = slab(simd, trees, blocks, self.limit, &mut hints);
            if slab.lower > self.limit {
                stats.certified += 1;
                continue;
            }
            let pass = Pass { direction: slab.direction, among: ALL, limit: self.limit, margin: 0.0 };
            stats.tests += self.leaf.pairs::<S, false>(simd, trees, blocks, pass, |i, j, _| {
                if !one || i < j {
                    stats.candidates += 1;
                    let pair = [trees[0].triangles[i as usize], trees[1].triangles[j as usize]];
                    kept.extend((self.judge)(self.sides, pair));
                }
                Then::Continue
            });
            self.quota.add(kept.len() - before);
        }
    }
}
