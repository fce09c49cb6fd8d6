//! Pairs within and between bodies, on any number of threads.

use super::BucketTree;
use super::draw::Sketch;
use super::octree::{Descent, Found, Lists, Octree, SettledCorners, Until};
use crate::broad_phase::BroadPhase;
use crate::budget::{Budgeted, Clock, Meter};
use crate::detector::Method;
use crate::geometry::simd;
use crate::geometry::triangle::corners;
use crate::geometry::{Aabb, Aabb32, Point};
use crate::narrow::tri_tri;
use crate::parallel;
use crate::quota::Quota;
use crate::{
    Bodies, BodyId, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Pairs, Stats,
    TriangleId, TrianglePair,
};

/// What one thread finds, and its scratch.
#[derive(Debug, Clone, Default)]
pub(super) struct Worker {
    /// Which bodies it compares; the same twice for one with itself.
    pub bodies: [u32; 2],
    pub lists: Lists,
    /// Pairs of boxes that overlap, not yet tested.
    pending: Vec<(u32, u32)>,
    /// Pairs of triangles, packed so that they sort.
    pub found: Vec<u64>,
    pub stats: Stats,
}

/// Where the corners of primitives are.
#[derive(Clone, Copy)]
pub(super) struct Located<'a> {
    /// Corners of each triangle, or of what is in each slot.
    pub corners: &'a [[u32; 3]],
    pub positions: &'a [Point],
}

/// Whether triangle i of one body and j of another, or of the same, meet: exactly, beyond the vertices that they share.
#[inline(always)]
pub(super) fn meet(is_self: bool, a: Located<'_>, i: u32, b: Located<'_>, j: u32) -> bool {
    let (ia, ib) = (a.corners[i as usize], b.corners[j as usize]);
    let (a, b) = (corners(a.positions, ia), corners(b.positions, ib));
    if is_self { tri_tri::meets_at(ia, a, ib, b) } else { tri_tri::intersects_at(a, b) }
}

/// Two triangles, packed so that they sort.
#[inline(always)]
pub(super) fn pack(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// The pair that was [packed](pack).
pub(super) fn unpack(key: u64) -> TrianglePair {
    TrianglePair { a: TriangleId((key >> 32) as u32), b: TriangleId(key as u32) }
}

/// One body in a search.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub octree: &'a Octree,
    /// What is known of neighbours.
    settled: &'a [SettledCorners],
    /// By slot.
    located: Located<'a>,
    /// Number of its first triangle in the scene.
    first: u32,
}

impl Side<'_> {
    /// The triangle in a slot, counted in the scene.
    #[inline(always)]
    fn triangle(&self, slot: u32) -> u32 {
        self.first + self.octree.item(slot)
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
    quota: &'a Quota,
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
        if self.quota.is_exceeded() {
            return self.pending.clear();
        }
        let before = self.found.len();
        self.tested += self.pending.len() as u64;
        let mut pending = std::mem::take(self.pending);
        if self.exact {
            self.touch(&pending);
        }
        for (i, j) in pending.drain(..) {
            if self.exact && !meet(self.is_self, self.a.located, i, self.b.located, j) {
                continue;
            }
            self.found.push(pack(self.a.triangle(i), self.b.triangle(j)));
        }
        *self.pending = pending;
        self.quota.add(self.found.len() - before);
    }

    /// Reads a little of every corner. These loads do not wait for each other, as those of the tests do, so that the
    /// tests find everything in the first cache.
    #[inline(always)]
    fn touch(&self, pending: &[(u32, u32)]) {
        let mut sum = 0.0;
        for &(i, j) in pending {
            for (side, t) in [(&self.a.located, i), (&self.b.located, j)] {
                let [p, q, r] = corners(side.positions, side.corners[t as usize]);
                sum += p[0] + q[0] + r[2];
            }
        }
        std::hint::black_box(sum);
    }
}

impl BucketTree {
    /// Fills `self.found`, sorted.
    pub(super) fn search(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let sides = self.sides(bodies, frame);
        let quota = Quota::new(if exact { self.most } else { usize::MAX });
        let searched = self.body_pairs(pairs, frame.near());
        let used = self.share_out(&sides, &searched, exact, &quota, &mut workers);
        parallel::for_each(&mut workers[..used], |_, worker| {
            worker.descend(&sides, Until::Done, exact, &quota)
        });
        let stats = self.gather(&workers[..used]);
        self.workers = workers;
        stats
    }

    pub(super) fn sides<'a>(&'a self, bodies: &Bodies, frame: Frame<'a>) -> Vec<Side<'a>> {
        (self.trees.iter().zip(frame.iter()).zip(bodies.body_ids()))
            .map(|((tree, positions), id)| Side {
                octree: &tree.octree,
                settled: &tree.settled,
                located: Located {
                    corners: tree.corners.as_flattened(),
                    positions: tree.triangles.positions(positions),
                },
                first: bodies.triangle_range(id).start as u32,
            })
            .collect()
    }

    /// Takes together what the workers found, sorted.
    pub(super) fn gather(&mut self, workers: &[Worker]) -> Stats {
        self.found.clear();
        let mut stats = Stats::default();
        for worker in workers {
            self.found.extend_from_slice(&worker.found);
            stats += worker.stats;
        }
        self.found.sort_unstable();
        stats
    }

    /// Gives each worker a part of the search; returns how many have one.
    fn share_out(
        &self,
        sides: &[Side<'_>],
        pairs: &[[u32; 2]],
        exact: bool,
        quota: &Quota,
        workers: &mut Vec<Worker>,
    ) -> usize {
        let mut used = 0;
        let shares = parallel::shares();
        for &pair in pairs {
            let begin = used;
            begin_worker(workers, &mut used, pair, sides);
            if shares > 1 {
                workers[begin].descend(sides, Until::Tasks(shares), exact, quota);
                let mut lists = std::mem::take(&mut workers[begin].lists);
                let size = lists.tasks.len().div_ceil(shares).max(1);
                while lists.tasks.len() > size {
                    let rest = lists.tasks.split_off(lists.tasks.len() - size);
                    begin_worker(workers, &mut used, pair, sides).lists.tasks = rest;
                }
                workers[begin].lists = lists;
            }
        }
        used
    }

    /// Bodies to compare: each with itself, and those whose boxes overlap.
    pub(super) fn body_pairs(&self, pairs: Pairs, near: Option<&[[BodyId; 2]]>) -> Vec<[u32; 2]> {
        let mut out = body_pairs(self.trees.iter().map(|t| t.octree.extent()), pairs, near);
        let is_guest = |body: &u32| self.guests.get(*body as usize).is_some_and(|guest| *guest);
        out.retain(|pair| !pair.iter().all(is_guest));
        out
    }

    /// From now on these bodies are only searched against others that are not of them.
    pub(crate) fn set_guests(&mut self, guests: Vec<bool>) {
        self.guests = guests;
    }
}

/// Of bodies with these boxes, each with itself and those whose boxes overlap, as far as they are asked for. Where pairs are
/// `known` that hold all that may touch, only those are compared.
pub(super) fn body_pairs(
    extents: impl Iterator<Item = Aabb32>,
    pairs: Pairs,
    known: Option<&[[BodyId; 2]]>,
) -> Vec<[u32; 2]> {
    let boxes: Vec<Aabb> = extents.map(|e| e.widened()).collect();
    let mut out: Vec<[u32; 2]> = Vec::new();
    if pairs.within() {
        out.extend((0u32..).zip(&boxes).filter(|(_, e)| !e.is_empty()).map(|(b, _)| [b, b]));
    }
    if pairs.between() {
        let mut near = Vec::new();
        BroadPhase::default().pairs_among(known, &boxes, 0.0, &mut near);
        out.extend(near.iter().map(|[a, b]| [a.0, b.0]));
    }
    out
}

/// The next worker, at the roots of two bodies.
pub(super) fn begin_worker<'w>(
    workers: &'w mut Vec<Worker>,
    used: &mut usize,
    pair: [u32; 2],
    sides: &[Side<'_>],
) -> &'w mut Worker {
    if *used == workers.len() {
        workers.push(Worker::default());
    }
    let worker = &mut workers[*used];
    *used += 1;
    let [a, b] = pair.map(|body| sides[body as usize].octree);
    worker.bodies = pair;
    worker.lists.begin(a, b);
    worker.found.clear();
    worker.stats = Stats::default();
    worker
}

impl Worker {
    /// Goes on with its tasks.
    pub fn descend(&mut self, sides: &[Side<'_>], until: Until, exact: bool, quota: &Quota) {
        let [a, b] = self.bodies.map(|b| sides[b as usize]);
        let is_self = self.bodies[0] == self.bodies[1];
        let mut sink = Sink {
            a,
            b,
            is_self,
            exact,
            pending: &mut self.pending,
            found: &mut self.found,
            quota,
            tested: 0,
        };
        simd::dispatch(Descent {
            a: a.octree,
            b: b.octree,
            is_self,
            // Candidates are all pairs of boxes that overlap.
            settled: if is_self && exact { a.settled } else { &[] },
            lists: &mut self.lists,
            until,
            sink: &mut sink,
            stats: &mut self.stats,
        });
        sink.flush();
        self.stats.candidates += sink.tested;
        self.stats.contacts = self.found.len() as u64;
    }
}

impl Method for BucketTree {
    fn name(&self) -> &'static str {
        "bucket-tree"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)
    }

    fn follow_until(&mut self, bodies: &Bodies, frame: Frame<'_>, clock: Clock) -> Result<bool, FrameError> {
        self.follow_until(bodies, frame, clock)
    }

    fn contacts_budgeted(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        meter: &mut Meter,
        out: &mut Contacts,
    ) -> Option<Budgeted> {
        Some(self.search_budgeted(bodies, frame, pairs, meter, out))
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let stats = self.search(bodies, frame, pairs, false);
        out.triangle_pairs.extend(self.found.iter().map(|&k| unpack(k)));
        Stats { contacts: 0, ..stats }
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let stats = self.search(bodies, frame, pairs, true);
        out.triangle_pairs.extend(self.found.iter().map(|&k| unpack(k)));
        stats
    }

    fn limit(&mut self, most: usize) {
        self.most = most;
    }

    fn triangles_where(&self, body: BodyId, is_wanted: &dyn Fn(&Aabb) -> bool, out: &mut Vec<u32>) -> bool {
        let (Some(map), Some(tree)) = (&self.map, self.trees.get(body.index())) else { return false };
        let octree = &tree.octree;
        let mut open: Vec<u32> = octree.root().into_iter().collect();
        while let Some(what) = open.pop() {
            if is_wanted(&octree.bounds(what).outward(map)) {
                open.extend(octree.children(what));
                out.extend(octree.items(what));
            }
        }
        true
    }

    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.check(bodies, frame)
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        let trees = self.trees.iter().map(|t| (&t.triangles, &t.octree));
        Sketch { bodies, frame, found: &self.found }.draw(trees, into);
    }
}
