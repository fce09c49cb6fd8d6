//! The paper's octree: every level complete, 8^l buckets, and marks instead of clearing (B2, B8).
//!
//! A node carries the number of the step in which something was below it. Placing the primitives anew is one more step,
//! and whatever has an old mark is empty, whatever its memory says; so a step costs the primitives and the buckets that
//! they occupy, not the 8^l that there are. The first step is 1, so that new memory is never current (B-A14).
//!
//! # Invariants
//! F1. Every primitive that is there is in exactly one list, that of its bucket.
//! F2. A node has the current mark if and only if a primitive is below it.
//! F3. The box of a marked node is the union of what is below it (or its cell, where the parameters say so).

use crate::epoch::Epoch;
use crate::geometry::{Aabb, Aabb32};
use crate::methods::bucket_tree::descent::Hierarchy;
use crate::methods::bucket_tree::grid::{Grid, MAX_BITS};
use crate::methods::bucket_tree::keys::PrimitiveKeys;

const NONE: u32 = u32::MAX;

/// One level: a mark and a box per node.
#[derive(Debug, Clone, Default)]
struct Level {
    marks: Vec<u32>,
    boxes: Vec<Aabb32>,
}

/// The complete octree of one body.
#[derive(Debug, Clone, Default)]
pub(super) struct FixedOctree {
    levels: Vec<Level>,
    /// First primitive of each bucket, where its mark is current.
    heads: Vec<u32>,
    /// Next primitive in the same bucket.
    next: Vec<u32>,
    /// Bucket of each primitive; [`NONE`] for one that is not there.
    bucket_of: Vec<u32>,
    epoch: Epoch,
    /// The grid whose cells serve as boxes, where they are not refitted.
    cells: Option<Grid>,
    /// Marked nodes of the level at work and of the one above.
    occupied: [Vec<u32>; 2],
}

impl FixedOctree {
    /// Places every primitive anew: one step of the paper. The keys need not be sorted.
    pub fn build(&mut self, keyed: &PrimitiveKeys, is_refitted: bool) {
        let Some(grid) = keyed.grid else { return };
        self.set_depth(grid.bits as usize);
        let Self { levels, heads, next, bucket_of, epoch, occupied, .. } = self;
        epoch.advance(|| levels.iter_mut().for_each(|l| l.marks.fill(0)));
        self.cells = (!is_refitted).then_some(grid);
        next.resize(keyed.images.len(), NONE);
        bucket_of.clear();
        bucket_of.resize(keyed.images.len(), NONE);
        let (stamp, depth) = (epoch.stamp(), grid.bits as usize);
        let [lower, upper] = occupied;
        lower.clear();
        let leaves = &mut levels[depth];
        for &k in keyed.keys.iter().rev() {
            let (leaf, id) = ((k >> 32) as u32, k as u32);
            let n = leaf as usize;
            if leaves.marks[n] != stamp {
                (leaves.marks[n], leaves.boxes[n], heads[n]) = (stamp, Aabb32::EMPTY, NONE);
                lower.push(leaf);
            }
            leaves.boxes[n] = leaves.boxes[n].union(&keyed.images[id as usize]);
            next[id as usize] = std::mem::replace(&mut heads[n], id);
            bucket_of[id as usize] = leaf;
        }
        for depth in (0..depth).rev() {
            let (above, below) = levels.split_at_mut(depth + 1);
            let (above, below) = (&mut above[depth], &below[0]);
            upper.clear();
            for &n in lower.iter() {
                let parent = n as usize / 8;
                if above.marks[parent] != stamp {
                    (above.marks[parent], above.boxes[parent]) = (stamp, Aabb32::EMPTY);
                    upper.push(parent as u32);
                }
                above.boxes[parent] = above.boxes[parent].union(&below.boxes[n as usize]);
            }
            std::mem::swap(lower, upper);
        }
    }

    fn set_depth(&mut self, depth: usize) {
        if self.levels.len() != depth + 1 {
            self.levels = (0..=depth)
                .map(|d| Level { marks: vec![0; 1 << (3 * d)], boxes: vec![Aabb32::EMPTY; 1 << (3 * d)] })
                .collect();
            self.heads = vec![NONE; 1 << (3 * depth)];
        }
    }

    fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    fn is_marked(&self, depth: usize, n: usize) -> bool {
        self.levels[depth].marks[n] == self.epoch.stamp()
    }

    /// The box of a node.
    pub fn image(&self, what: u32) -> Aabb32 {
        let (depth, n) = split(what);
        match &self.cells {
            Some(grid) => cell(grid, depth as u32, n as u32),
            None => self.levels[depth].boxes[n],
        }
    }

    /// The box of everything.
    pub fn extent(&self) -> Aabb32 {
        Hierarchy::root(self).map_or(Aabb32::EMPTY, |root| self.image(root))
    }

    /// Replaces `out` by the primitives of a bucket.
    pub fn list(&self, bucket: u32, out: &mut Vec<u32>) {
        out.clear();
        self.items(bucket, |id| out.push(id));
    }

    /// Checks F1 to F3; names the broken one.
    pub fn check(&self, keyed: &PrimitiveKeys) -> Result<(), (&'static str, String)> {
        let Some(grid) = keyed.grid else { return Ok(()) };
        let mut seen = vec![false; keyed.images.len()];
        let depth = self.depth();
        for leaf in (0..self.heads.len()).filter(|&n| self.is_marked(depth, n)) {
            let mut at = self.heads[leaf];
            let mut all = Aabb32::EMPTY;
            while at != NONE {
                if std::mem::replace(&mut seen[at as usize], true)
                    || self.bucket_of[at as usize] != leaf as u32
                    || grid.code(keyed.point(at)) != leaf as u32
                {
                    return Err(("F1", format!("primitive {at} does not belong in bucket {leaf}")));
                }
                all = all.union(&keyed.images[at as usize]);
                at = self.next[at as usize];
            }
            if all.is_empty() {
                return Err(("F2", format!("bucket {leaf} is marked and empty")));
            }
            if all != self.levels[depth].boxes[leaf] {
                return Err(("F3", format!("bucket {leaf} has the box of something else")));
            }
        }
        if let Some(id) = (0..seen.len()).find(|&id| seen[id] == keyed.images[id].is_empty()) {
            return Err(("F1", format!("primitive {id} is in no bucket, or in one without being there")));
        }
        for d in 0..depth {
            for n in 0..self.levels[d].marks.len() {
                let held = (8 * n..8 * n + 8).filter(|&c| self.is_marked(d + 1, c));
                let all = held.fold(Aabb32::EMPTY, |all, c| all.union(&self.levels[d + 1].boxes[c]));
                if self.is_marked(d, n) == all.is_empty() {
                    return Err(("F2", format!("node {n} of level {d} has the wrong mark")));
                }
                if !all.is_empty() && all != self.levels[d].boxes[n] {
                    return Err(("F3", format!("node {n} of level {d} has the box of something else")));
                }
            }
        }
        Ok(())
    }

    /// Makes the next step the one in which the marks wrap, to test that.
    #[cfg(test)]
    pub fn wear_out(&mut self) {
        self.epoch = Epoch::last();
    }
}

/// The box of a cell of the level, in images.
fn cell(grid: &Grid, level: u32, code: u32) -> Aabb32 {
    let slab = |axis: u32| (0..MAX_BITS).fold(0, |slab, j| slab | (code >> (3 * j + axis) & 1) << j);
    let mut image = Aabb32::new([0.0; 3], [0.0; 3]);
    for k in 0..3 {
        let at = |slab: u32| {
            let part = slab as f32 / (1u32 << level) as f32;
            grid.low[k] + part * (grid.high[k] - grid.low[k])
        };
        (image.min[k], image.max[k]) = (at(slab(k as u32)), at(slab(k as u32) + 1));
    }
    image
}

/// A node as one number: depth in the highest byte.
fn join(depth: usize, n: usize) -> u32 {
    (depth as u32) << 24 | n as u32
}

fn split(what: u32) -> (usize, usize) {
    ((what >> 24) as usize, (what & 0xff_ffff) as usize)
}

impl Hierarchy for FixedOctree {
    fn root(&self) -> Option<u32> {
        (!self.levels.is_empty() && self.is_marked(0, 0)).then_some(join(0, 0))
    }

    fn bounds(&self, what: u32) -> Aabb {
        self.image(what).widened()
    }

    fn children(&self, what: u32, into: &mut [u32; 8]) -> usize {
        let (depth, n) = split(what);
        let mut count = 0;
        if depth < self.depth() {
            for c in (8 * n..8 * n + 8).filter(|&c| self.is_marked(depth + 1, c)) {
                into[count] = join(depth + 1, c);
                count += 1;
            }
        }
        count
    }

    fn items(&self, what: u32, mut each: impl FnMut(u32)) {
        let (depth, n) = split(what);
        if depth == self.depth() {
            let mut at = self.heads[n];
            while at != NONE {
                each(at);
                at = self.next[at as usize];
            }
        }
    }

    fn is_bucket(&self, what: u32) -> bool {
        split(what).0 == self.depth()
    }
}
