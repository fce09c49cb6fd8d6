//! Down two trees at once, eight boxes at a time (B9, B21).
//!
//! A pair of nodes is opened by comparing lanes, and the pairs of children that overlap go on a list without a branch per
//! pair. Pairs of blocks wait in a list of their own until there are many; then those lanes of one that reach into the
//! other are listed, and each is compared with eight primitives. Long lists and few branches keep the processor busy: it
//! waits neither for memory nor for a wrong guess, which took half of the time when pairs were followed one by one.

use super::queue::Queue;
use super::{BLOCK, Lanes, NONE, Octree, WIDTH};
use crate::Stats;
use crate::geometry::Aabb32;
use crate::geometry::simd::{self, I32x8, Ids, Kernel, Mask, Simd};

/// Takes what a descent finds.
pub(in super::super) trait Found {
    /// Two primitives whose boxes overlap, each pair once, by their slots: block · 8 + lane.
    fn found(&mut self, a: u32, b: u32);
}

/// Lists of a descent.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Lists {
    /// Nodes or blocks of tree a and b whose boxes overlap; or twice the same in one tree.
    pub tasks: Queue,
    /// Blocks of one tree with themselves; both numbers of a pair are the same.
    alone: Queue,
    /// Pairs of different blocks.
    blocks: Queue,
    /// Slots of a and blocks of b.
    slots: Queue,
}

impl Lists {
    /// Begins with the roots of two trees, or twice with that of one.
    pub fn begin(&mut self, a: &Octree, b: &Octree) {
        self.tasks.truncate(0);
        if let (Some(x), Some(y)) = (a.root(), b.root())
            && a.bounds(x).overlaps(b.bounds(y))
        {
            self.tasks.push(x, y);
        }
    }
}

/// When a descent stops. Pairs of blocks that it came to are settled in any case.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Until {
    /// When no task is left. The newest are taken first, so that lists stay short.
    Done,
    /// When so many tasks are left, or none. The oldest are taken first, to keep tasks even.
    Tasks(usize),
    /// When the tasks from one place to another are opened; they stay in the list.
    Opened(usize, usize),
}

/// Vertices of the eight primitives of a block round which all primitives are known not to meet beyond what they share, corner
/// by corner; [`NONE`] where that is not known.
pub(in super::super) type SettledCorners = [Ids; 3];

/// A descent of two trees, or of one with itself.
pub(in super::super) struct Descent<'a, F> {
    pub a: &'a Octree,
    pub b: &'a Octree,
    /// Whether a and b are one tree.
    pub is_self: bool,
    /// For one tree with itself: block by block, or empty where nothing is settled.
    pub settled: &'a [SettledCorners],
    pub lists: &'a mut Lists,
    pub until: Until,
    pub sink: &'a mut F,
    pub stats: &'a mut Stats,
}

/// How many pairs of blocks wait: their lists stay in the first cache.
const BATCH: usize = 256;

impl<F: Found> Kernel for Descent<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        match self.until {
            Until::Done => {
                while let Some((x, y)) = self.lists.tasks.pop() {
                    self.open(simd, x, y);
                    self.compare_many(simd);
                }
            }
            Until::Tasks(limit) => {
                let mut next = 0;
                while next < self.lists.tasks.len() && self.lists.tasks.len() - next < limit {
                    let (x, y) = self.lists.tasks.get(next);
                    next += 1;
                    self.open(simd, x, y);
                }
                self.lists.tasks.drop_front(next);
            }
            Until::Opened(from, to) => {
                for next in from..to {
                    let (x, y) = self.lists.tasks.get(next);
                    self.open(simd, x, y);
                    self.compare_many(simd);
                }
            }
        }
        self.compare_blocks(simd);
    }
}

/// The lanes whose box meets lane i of `of`.
#[inline(always)]
fn meeting<S: Simd>(simd: S, among: &Lanes, of: &Lanes, i: usize) -> u32 {
    let [lx, ly, lz, hx, hy, hz] = &of.boxes.rows;
    simd::overlaps(simd, &among.boxes.rows, [lx.0[i], ly.0[i], lz.0[i]], [hx.0[i], hy.0[i], hz.0[i]])
}

/// The lanes whose box meets another.
#[inline(always)]
fn overlapping<S: Simd>(simd: S, among: &Lanes, image: &Aabb32) -> u32 {
    simd::overlaps(simd, &among.boxes.rows, image.min3(), image.max3())
}

/// The lanes with a settled vertex that lane i of `of` has too.
#[inline(always)]
fn settled<S: Simd>(simd: S, among: &SettledCorners, of: &SettledCorners, i: usize) -> u32 {
    let [p, q, r] = among;
    let [p, q, r] = [S::I32x8::load_ids(simd, p), S::I32x8::load_ids(simd, q), S::I32x8::load_ids(simd, r)];
    let mut shared = 0;
    for corner in of {
        // What is not settled is equal to nothing, not even to what is not settled.
        let id = if corner.0[i] == NONE { NONE - 1 } else { corner.0[i] };
        let id = S::I32x8::splat(simd, id as i32);
        shared |= (id.eq(p) | id.eq(q) | id.eq(r)).bitmask();
    }
    shared
}

/// The pairs of lanes with a settled vertex in common, as [`simd::overlaps_among`] has them.
#[inline(always)]
fn settled_among<S: Simd>(simd: S, corners: &SettledCorners) -> u32 {
    let mut all = 0;
    for i in 0..WIDTH {
        // Lane (i + r) mod 8 comes to bit r − 1.
        let shared = settled(simd, corners, corners, i);
        let turned = (shared | shared << WIDTH) >> (i + 1);
        for r in 1..5 {
            all |= (turned >> (r - 1) & 1) << (WIDTH * (r - 1) + i);
        }
    }
    all
}

/// Takes the lowest bit of a mask.
#[inline(always)]
fn next(mask: &mut u32) -> usize {
    let bit = mask.trailing_zeros() as usize;
    *mask &= *mask - 1;
    // A mask has eight bits; this tells the compiler that lanes are in range.
    bit % WIDTH
}

/// Whether no lane holds a node: blocks and nothing have the highest bit.
#[inline(always)]
fn holds_blocks<S: Simd>(simd: S, node: &Lanes) -> bool {
    S::I32x8::load_ids(simd, &node.refs).lt(S::I32x8::splat(simd, 0)).bitmask() == 0xff
}

/// The numbers of the lanes.
const LANES: Ids = Ids([0, 1, 2, 3, 4, 5, 6, 7]);

// Loops over bits are spelled out: what is in a closure is compiled without the lanes' instructions.
impl<F: Found> Descent<'_, F> {
    /// Compares two nodes, or a node and a block, and lists what overlaps below.
    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, x: u32, y: u32) {
        self.stats.visits += 1;
        let (a, b) = (self.a, self.b);
        let Lists { tasks, alone, blocks, .. } = &mut *self.lists;
        match (x & BLOCK != 0, y & BLOCK != 0) {
            (true, true) if self.is_self && x == y => alone.push(x, x),
            (true, true) => blocks.push(x, y),
            (false, false) if self.is_self && x == y => {
                let p = &a.nodes[x as usize];
                let is_bucket = holds_blocks(simd, p);
                let to = if is_bucket { blocks } else { &mut *tasks };
                let held = overlapping(simd, p, &p.bounds);
                let mut left = held;
                self.stats.tests += 1 + u64::from(left.count_ones());
                while left != 0 {
                    let i = next(&mut left);
                    let later = meeting(simd, p, p, i) & left;
                    to.push_right(simd, p.refs.0[i], &p.refs, later);
                }
                if is_bucket { alone } else { tasks }.push_twice(simd, &p.refs, held);
            }
            (false, false) => {
                let (p, q) = (&a.nodes[x as usize], &b.nodes[y as usize]);
                let to = if holds_blocks(simd, p) && holds_blocks(simd, q) { blocks } else { tasks };
                let mut left = overlapping(simd, p, &q.bounds);
                self.stats.tests += 1 + u64::from(left.count_ones());
                while left != 0 {
                    let i = next(&mut left);
                    let right = meeting(simd, q, p, i);
                    to.push_right(simd, p.refs.0[i], &q.refs, right);
                }
            }
            (false, true) => {
                let p = &a.nodes[x as usize];
                let to = if holds_blocks(simd, p) { blocks } else { tasks };
                self.stats.tests += 1;
                to.push_left(simd, &p.refs, y, overlapping(simd, p, &b.blocks[(y ^ BLOCK) as usize].bounds));
            }
            (true, false) => {
                let q = &b.nodes[y as usize];
                let to = if holds_blocks(simd, q) { blocks } else { tasks };
                self.stats.tests += 1;
                to.push_right(simd, x, &q.refs, overlapping(simd, q, &a.blocks[(x ^ BLOCK) as usize].bounds));
            }
        }
    }

    /// Settles the pairs of blocks when many wait.
    #[inline(always)]
    fn compare_many<S: Simd>(&mut self, simd: S) {
        if self.lists.blocks.len() + self.lists.alone.len() >= BATCH {
            self.compare_blocks(simd);
        }
    }

    /// Settles the pairs of blocks that wait.
    #[inline(always)]
    fn compare_blocks<S: Simd>(&mut self, simd: S) {
        let Lists { alone, blocks, slots, .. } = &mut *self.lists;
        let (a, b) = (&self.a.blocks[..], &self.b.blocks[..]);
        for n in 0..blocks.len() {
            let (x, y) = blocks.get(n);
            let (p, q) = (&a[(x ^ BLOCK) as usize], &b[(y ^ BLOCK) as usize]);
            slots.push_left(simd, &LANES, n as u32, overlapping(simd, p, &q.bounds));
        }
        self.stats.tests += (4 * alone.len() + blocks.len() + slots.len()) as u64;
        for n in 0..alone.len() {
            let (x, _) = alone.get(n);
            let mut pairs = simd::overlaps_among(simd, &a[(x ^ BLOCK) as usize].boxes.rows);
            if let Some(corners) = self.settled.get((x ^ BLOCK) as usize) {
                pairs &= !settled_among(simd, corners);
            }
            while pairs != 0 {
                let bit = pairs.trailing_zeros() as usize;
                pairs &= pairs - 1;
                let (i, j) = (bit % WIDTH, (bit % WIDTH + bit / WIDTH + 1) % WIDTH);
                self.sink.found(slot(x, i), slot(x, j));
            }
        }
        for n in 0..slots.len() {
            let (lane, pair) = slots.get(n);
            let lane = lane as usize % WIDTH;
            let (x, y) = blocks.get(pair as usize);
            let (p, q) = (&a[(x ^ BLOCK) as usize], &b[(y ^ BLOCK) as usize]);
            let mut right = meeting(simd, q, p, lane);
            if !self.settled.is_empty() {
                let corners = |block: u32| &self.settled[(block ^ BLOCK) as usize];
                right &= !settled(simd, corners(y), corners(x), lane);
            }
            while right != 0 {
                let j = next(&mut right);
                self.sink.found(slot(x, lane), slot(y, j));
            }
        }
        alone.truncate(0);
        blocks.truncate(0);
        slots.truncate(0);
    }
}

/// The number of a lane of a block.
#[inline(always)]
fn slot(block: u32, lane: usize) -> u32 {
    (block ^ BLOCK) * WIDTH as u32 + lane as u32
}
