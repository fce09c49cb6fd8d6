//! Down two trees at once, eight boxes at a time (B9, B21).

use super::{BLOCK, Lanes, Octree, WIDTH};
use crate::Stats;
use crate::geometry::lanes::floats::{Floats, Work};

/// A node or block of tree a and one of tree b whose boxes overlap; or twice the same in one tree.
pub(in super::super) type Task = (u32, u32);

/// Takes what a descent finds.
pub(in super::super) trait Found {
    /// Two primitives whose boxes overlap, each pair once.
    fn found(&mut self, a: u32, b: u32);
}

/// A descent that goes on until `limit` tasks are left, or none.
pub(in super::super) struct Descent<'a, F> {
    pub a: &'a Octree,
    pub b: &'a Octree,
    /// Whether a and b are one tree.
    pub is_self: bool,
    /// What is left to do.
    pub tasks: &'a mut Vec<Task>,
    /// Stops when so many are left; the oldest are taken first, to keep tasks even. 0 goes to the end, newest first.
    pub limit: usize,
    pub sink: &'a mut F,
    pub stats: &'a mut Stats,
}

impl<F: Found> Work for Descent<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(mut self, lanes: L) {
        if self.limit == 0 {
            while let Some(task) = self.tasks.pop() {
                self.step(lanes, task);
            }
            return;
        }
        let mut next = 0;
        while next < self.tasks.len() && self.tasks.len() - next < self.limit {
            let task = self.tasks[next];
            next += 1;
            self.step(lanes, task);
        }
        self.tasks.drain(..next);
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// The lanes whose box meets lane i of `of`.
#[inline(always)]
fn meeting<L: Floats>(lanes: L, among: &Lanes, of: &Lanes, i: usize) -> u32 {
    let low = std::array::from_fn(|k| of.boxes[k].0[i]);
    let high = std::array::from_fn(|k| of.boxes[k + 3].0[i]);
    lanes.overlaps(&among.boxes, low, high)
}

impl<F: Found> Descent<'_, F> {
    #[inline(always)]
    fn step<L: Floats>(&mut self, lanes: L, (x, y): Task) {
        self.stats.visits += 1;
        let (a, b) = (self.a, self.b);
        if self.is_self && x == y {
            self.alone(lanes, x);
            return;
        }
        match (x & BLOCK != 0, y & BLOCK != 0) {
            (true, true) => {
                let (p, q) = (&a.blocks[(x ^ BLOCK) as usize], &b.blocks[(y ^ BLOCK) as usize]);
                let reach = &b.block_boxes[(y ^ BLOCK) as usize];
                let near = lanes.overlaps(&p.boxes, reach.low3(), reach.high3());
                self.stats.tests += 1 + u64::from(near.count_ones());
                for i in bits(near) {
                    for j in bits(meeting(lanes, q, p, i)) {
                        self.sink.found(p.refs[i], q.refs[j]);
                    }
                }
            }
            (false, false) => {
                let (p, q) = (&a.nodes[x as usize], &b.nodes[y as usize]);
                let reach = &b.node_boxes[y as usize];
                let near = lanes.overlaps(&p.boxes, reach.low3(), reach.high3());
                self.stats.tests += 1 + u64::from(near.count_ones());
                for i in bits(near) {
                    for j in bits(meeting(lanes, q, p, i)) {
                        self.tasks.push((p.refs[i], q.refs[j]));
                    }
                }
            }
            (false, true) => {
                let (p, reach) = (&a.nodes[x as usize], &b.block_boxes[(y ^ BLOCK) as usize]);
                self.stats.tests += 1;
                for i in bits(lanes.overlaps(&p.boxes, reach.low3(), reach.high3())) {
                    self.tasks.push((p.refs[i], y));
                }
            }
            (true, false) => {
                let (reach, q) = (&a.block_boxes[(x ^ BLOCK) as usize], &b.nodes[y as usize]);
                self.stats.tests += 1;
                for j in bits(lanes.overlaps(&q.boxes, reach.low3(), reach.high3())) {
                    self.tasks.push((x, q.refs[j]));
                }
            }
        }
    }

    /// Pairs within one node or block.
    #[inline(always)]
    fn alone<L: Floats>(&mut self, lanes: L, x: u32) {
        let is_block = x & BLOCK != 0;
        let p = if is_block { &self.a.blocks[(x ^ BLOCK) as usize] } else { &self.a.nodes[x as usize] };
        for i in 0..WIDTH {
            if p.refs[i] == super::NONE {
                continue;
            }
            let later = meeting(lanes, p, p, i) & (!1 << i);
            self.stats.tests += 1;
            for j in bits(later) {
                if is_block {
                    self.sink.found(p.refs[i], p.refs[j]);
                } else {
                    self.tasks.push((p.refs[i], p.refs[j]));
                }
            }
            if !is_block {
                self.tasks.push((p.refs[i], p.refs[i]));
            }
        }
    }
}
