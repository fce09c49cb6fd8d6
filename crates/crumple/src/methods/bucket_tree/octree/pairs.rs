//! Down two trees at once, eight boxes at a time (B9, B21).

use super::super::image::Image;
use super::{BLOCK, Lanes, Octree, WIDTH};
use crate::Stats;
use crate::geometry::lanes::floats::{Floats, Work};

/// A node or block of tree a and one of tree b whose boxes overlap; or twice the same in one tree.
pub(in super::super) type Task = (u32, u32);

/// Takes what a descent finds.
pub(in super::super) trait Found {
    /// Two primitives whose boxes overlap, each pair once, by their slots: block · 8 + lane.
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

/// The lanes whose box meets lane i of `of`.
#[inline(always)]
fn meeting<L: Floats>(lanes: L, among: &Lanes, of: &Lanes, i: usize) -> u32 {
    let [lx, ly, lz, hx, hy, hz] = &of.boxes;
    lanes.overlaps(&among.boxes, [lx.0[i], ly.0[i], lz.0[i]], [hx.0[i], hy.0[i], hz.0[i]])
}

/// The lanes whose box meets another.
#[inline(always)]
fn near<L: Floats>(lanes: L, among: &Lanes, image: &Image) -> u32 {
    let Image { low, high } = image;
    lanes.overlaps(&among.boxes, [low[0], low[1], low[2]], [high[0], high[1], high[2]])
}

/// The number of a lane of a block.
#[inline(always)]
fn slot(block: u32, lane: usize) -> u32 {
    block * WIDTH as u32 + lane as u32
}

/// Takes the lowest bit of a mask.
#[inline(always)]
fn next(mask: &mut u32) -> usize {
    let bit = mask.trailing_zeros() as usize;
    *mask &= *mask - 1;
    // A mask has eight bits; this tells the compiler that lanes are in range.
    bit % WIDTH
}

// Loops over bits are spelled out: what is in a closure is compiled without the lanes' instructions.
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
                let (x, y) = (x ^ BLOCK, y ^ BLOCK);
                let (p, q) = (&a.blocks[x as usize], &b.blocks[y as usize]);
                let mut left = near(lanes, p, &b.block_boxes[y as usize]);
                self.stats.tests += 1 + u64::from(left.count_ones());
                while left != 0 {
                    let i = next(&mut left);
                    let mut right = meeting(lanes, q, p, i);
                    while right != 0 {
                        let j = next(&mut right);
                        self.sink.found(slot(x, i), slot(y, j));
                    }
                }
            }
            (false, false) => {
                let (p, q) = (&a.nodes[x as usize], &b.nodes[y as usize]);
                let mut left = near(lanes, p, &b.node_boxes[y as usize]);
                self.stats.tests += 1 + u64::from(left.count_ones());
                while left != 0 {
                    let i = next(&mut left);
                    let mut right = meeting(lanes, q, p, i);
                    while right != 0 {
                        let j = next(&mut right);
                        self.tasks.push((p.refs[i], q.refs[j]));
                    }
                }
            }
            (false, true) => {
                let p = &a.nodes[x as usize];
                let mut left = near(lanes, p, &b.block_boxes[(y ^ BLOCK) as usize]);
                self.stats.tests += 1;
                while left != 0 {
                    let i = next(&mut left);
                    self.tasks.push((p.refs[i], y));
                }
            }
            (true, false) => {
                let q = &b.nodes[y as usize];
                let mut right = near(lanes, q, &a.block_boxes[(x ^ BLOCK) as usize]);
                self.stats.tests += 1;
                while right != 0 {
                    let j = next(&mut right);
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
            self.stats.tests += 1;
            let mut later = meeting(lanes, p, p, i) & (!1 << i);
            while later != 0 {
                let j = next(&mut later);
                if is_block {
                    self.sink.found(slot(x ^ BLOCK, i), slot(x ^ BLOCK, j));
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
