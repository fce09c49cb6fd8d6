//! Pairs within and between bodies, on any number of threads.

use super::image::Image;
use super::octree::{Found, Lists};
use super::structure::Structure;
use super::{Boxes, BucketTree, threads};
use crate::broad_phase::BroadPhase;
use crate::detector::Method;
use crate::geometry::triangle::corners;
use crate::geometry::{Aabb, Point};
use crate::narrow::tri_tri;
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Pairs, Stats, TriangleId,
    TrianglePair,
};

/// What one thread finds, and its scratch.
#[derive(Debug, Clone, Default)]
pub(super) struct Worker {
    /// Which bodies it compares; the same twice for one with itself.
    bodies: [u32; 2],
    lists: Lists,
    /// Pairs of boxes that overlap, not yet tested.
    pending: Vec<(u32, u32)>,
    /// Pairs of triangles, packed so that they sort.
    found: Vec<u64>,
    stats: Stats,
}

/// One body in a search.
#[derive(Clone, Copy)]
struct Side<'a> {
    tree: &'a Structure,
    /// Corners by slot in an adaptive tree, by triangle in the other.
    corners: &'a [[u32; 3]],
    positions: &'a [Point],
    /// Number of its first triangle in the mesh.
    first: u32,
    /// Whether pairs come by slot.
    is_by_slot: bool,
}

impl Side<'_> {
    /// The triangle of a slot or place, counted in the mesh.
    #[inline(always)]
    fn triangle(&self, slot: u32) -> u32 {
        let own = if self.is_by_slot { self.tree.item(slot) } else { slot };
        self.first + own
    }
}

/// Takes pairs of boxes and tests them in batches, out of the way of the lanes.
struct Sink<'a> {
    a: Side<'a>,
    b: Side<'a>,
    is_self: bool,
    /// Whether pairs are tested.
    exact: bool,
    pending: &'a mut Vec<(u32, u32)>,
    found: &'a mut Vec<u64>,
    tested: u64,
}

/// Pairs per batch: enough to overlap their way through the caches.
const BATCH: usize = 64;

impl Found for Sink<'_> {
    #[inline(always)]
    fn found(&mut self, a: u32, b: u32) {
        self.pending.push((a, b));
        if self.pending.len() == BATCH {
            self.flush();
        }
    }
}

impl Sink<'_> {
    #[inline(never)]
    fn flush(&mut self) {
        self.tested += self.pending.len() as u64;
        let mut pending = std::mem::take(self.pending);
        if self.exact {
            self.touch(&pending);
        }
        for (i, j) in pending.drain(..) {
            if self.exact && !self.meet(i, j) {
                continue;
            }
            let (a, b) = (self.a.triangle(i), self.b.triangle(j));
            self.found.push(u64::from(a.min(b)) << 32 | u64::from(a.max(b)));
        }
        *self.pending = pending;
    }

    /// Reads a little of every corner. These reads do not wait for each other, as those of the tests do, so that the
    /// tests find everything in the first cache.
    #[inline(always)]
    fn touch(&self, pending: &[(u32, u32)]) {
        let mut sum = 0.0;
        for &(i, j) in pending {
            for (side, t) in [(&self.a, i), (&self.b, j)] {
                let [p, q, r] = corners(side.positions, side.corners[t as usize]);
                sum += p[0] + q[0] + r[2];
            }
        }
        std::hint::black_box(sum);
    }

    #[inline(always)]
    fn meet(&self, i: u32, j: u32) -> bool {
        let (ia, ib) = (self.a.corners[i as usize], self.b.corners[j as usize]);
        let (a, b) = (corners(self.a.positions, ia), corners(self.b.positions, ib));
        if self.is_self { tri_tri::meets_at(ia, a, ib, b) } else { tri_tri::intersects_at(a, b) }
    }
}

impl BucketTree {
    /// Fills `self.found`, sorted.
    fn search(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let split = self.params.split;
        let is_by_slot = self.trees.first().is_some_and(|t| t.tree.has_lanes(split));
        let sides: Vec<Side<'_>> = (self.trees.iter().zip(frame.iter()).zip(bodies.body_ids()))
            .map(|((tree, positions), id)| Side {
                tree: &tree.tree,
                corners: if is_by_slot { tree.corners.as_flattened() } else { tree.triangles() },
                positions: tree.positions(positions),
                first: bodies.triangle_range(id).start as u32,
                is_by_slot,
            })
            .collect();
        let used = self.share_out(&sides, pairs, exact, &mut workers);
        threads::for_each(&mut workers[..used], |_, worker| worker.run(&sides, split, exact));
        self.found.clear();
        let mut stats = Stats::default();
        for worker in &workers[..used] {
            self.found.extend_from_slice(&worker.found);
            stats += worker.stats;
        }
        self.found.sort_unstable();
        self.workers = workers;
        stats
    }

    /// Gives each worker a part of the search; returns how many have one.
    fn share_out(&self, sides: &[Side<'_>], pairs: Pairs, exact: bool, workers: &mut Vec<Worker>) -> usize {
        let mut used = 0;
        let shares = if threads::count() == 1 { 1 } else { 8 * threads::count() };
        for pair in self.body_pairs(pairs) {
            let begin = used;
            take(workers, &mut used, pair);
            let (a, b) = (sides[pair[0] as usize], sides[pair[1] as usize]);
            let other = (pair[0] != pair[1]).then_some(b.tree);
            if !a.tree.has_lanes(self.params.split) {
                continue;
            }
            Structure::begin(a.tree, other, &mut workers[begin].lists);
            if shares > 1 {
                workers[begin].descend(sides, shares, exact);
                let mut lists = std::mem::take(&mut workers[begin].lists);
                let size = lists.tasks.len().div_ceil(shares).max(1);
                while lists.tasks.len() > size {
                    let rest = lists.tasks.split_off(lists.tasks.len() - size);
                    take(workers, &mut used, pair).lists.tasks = rest;
                }
                workers[begin].lists = lists;
            }
        }
        used
    }

    /// Bodies to compare: each with itself, and those whose boxes overlap.
    pub(super) fn body_pairs(&self, pairs: Pairs) -> Vec<[u32; 2]> {
        let widen = |x: &[f32]| std::array::from_fn(|k| f64::from(x[k]));
        let extent = |e: Image| Aabb { min: widen(&e.low), max: widen(&e.high) };
        let boxes: Vec<Aabb> = self.trees.iter().map(|t| extent(t.tree.extent())).collect();
        let mut out: Vec<[u32; 2]> = Vec::new();
        if pairs.within() {
            out.extend((0u32..).zip(&boxes).filter(|(_, e)| !e.is_empty()).map(|(b, _)| [b, b]));
        }
        if pairs.between() {
            let mut near = Vec::new();
            BroadPhase::default().pairs(&boxes, 0.0, &mut near);
            out.extend(near.iter().map(|[a, b]| [a.0, b.0]));
        }
        out
    }
}

fn take<'w>(workers: &'w mut Vec<Worker>, used: &mut usize, pair: [u32; 2]) -> &'w mut Worker {
    if *used == workers.len() {
        workers.push(Worker::default());
    }
    let worker = &mut workers[*used];
    *used += 1;
    worker.bodies = pair;
    worker.lists.tasks.truncate(0);
    worker.found.clear();
    worker.stats = Stats::default();
    worker
}

impl Worker {
    fn run(&mut self, sides: &[Side<'_>], split: super::Split, exact: bool) {
        if sides[self.bodies[0] as usize].tree.has_lanes(split) {
            self.descend(sides, 0, exact);
        } else {
            self.climb_down(sides, split, exact);
        }
    }

    /// Eight boxes at a time.
    fn descend(&mut self, sides: &[Side<'_>], limit: usize, exact: bool) {
        let [a, b] = self.bodies.map(|b| sides[b as usize]);
        let is_self = self.bodies[0] == self.bodies[1];
        let mut sink =
            Sink { a, b, is_self, exact, pending: &mut self.pending, found: &mut self.found, tested: 0 };
        let other = (!is_self).then_some(b.tree);
        Structure::descend(a.tree, other, &mut self.lists, limit, &mut sink, &mut self.stats);
        sink.flush();
        self.stats.candidates += sink.tested;
        self.stats.contacts = self.found.len() as u64;
    }

    /// Node by node, as in the paper.
    fn climb_down(&mut self, sides: &[Side<'_>], split: super::Split, exact: bool) {
        let [a, b] = self.bodies.map(|b| sides[b as usize]);
        let is_self = self.bodies[0] == self.bodies[1];
        let mut sink =
            Sink { a, b, is_self, exact, pending: &mut self.pending, found: &mut self.found, tested: 0 };
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let box_of = |side: &Side<'_>, t: u32| {
            let all = corners(side.positions, side.corners[t as usize]);
            all.iter().fold(crate::geometry::Aabb::EMPTY, |bounds, p| bounds.with(p))
        };
        let other = (!is_self).then_some(b.tree);
        let mut tests = 0;
        Structure::leaf_pairs(a.tree, other, split, &mut self.stats, |x, y| {
            a.tree.items(x, &mut left);
            b.tree.items(y, &mut right);
            for (n, &i) in left.iter().enumerate() {
                let of_i = box_of(&a, i);
                let others = if is_self && x == y { &right[n + 1..] } else { &right[..] };
                tests += others.len() as u64;
                others.iter().filter(|&&j| of_i.overlaps(&box_of(&b, j))).for_each(|&j| sink.found(i, j));
            }
        });
        sink.flush();
        self.stats.tests += tests;
        self.stats.candidates += sink.tested;
        self.stats.contacts = self.found.len() as u64;
    }
}

fn pair(key: u64) -> TrianglePair {
    TrianglePair { a: TriangleId((key >> 32) as u32), b: TriangleId(key as u32) }
}

impl BucketTree {
    /// Buckets of two bodies whose boxes overlap, as numbers of visits and tests (B16); `a == b` compares a body with
    /// itself.
    pub fn bucket_collisions(&self, a: crate::BodyId, b: crate::BodyId) -> (usize, Stats) {
        let (mut count, mut stats) = (0, Stats::default());
        let other = (a != b).then_some(&self.trees[b.index()].tree);
        Structure::leaf_pairs(&self.trees[a.index()].tree, other, self.params.split, &mut stats, |_, _| {
            count += 1
        });
        (count, stats)
    }
}

impl Method for BucketTree {
    fn name(&self) -> &'static str {
        "bucket-tree"
    }

    fn guarantee(&self) -> Guarantee {
        if self.params.boxes == Boxes::Refitted { Guarantee::Proved } else { Guarantee::AsPublished }
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let stats = self.search(bodies, frame, pairs, false);
        out.triangle_pairs.extend(self.found.iter().map(|&k| pair(k)));
        Stats { contacts: 0, ..stats }
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        let stats = self.search(bodies, frame, pairs, true);
        out.triangle_pairs.extend(self.found.iter().map(|&k| pair(k)));
        stats
    }

    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.check(bodies, frame)
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.draw_buckets(bodies, frame, into);
    }
}
