//! Bringing regions up to date: images and bounds of blocks, then the nodes from the leaves up.

use std::ops::Range;

use super::super::bounds::{Bound, TINY, UP};
use super::{Block, Chunk, Node, Region, Regions, at};
use crate::budget::Clock;
use crate::geometry::simd::{F32x4, F32x8, Simd, multiversion};
use crate::geometry::{Map, Point};
use crate::parallel;

/// A frame as regions need it.
#[derive(Clone, Copy)]
pub(in super::super) struct Now<'a> {
    /// Its number.
    pub frame: u64,
    /// The positions of the body.
    pub positions: &'a [Point],
    pub map: &'a Map,
    /// What is not up to date when it is late stays so.
    pub clock: Clock,
}

/// Blocks that one thread fits between two looks at the clock: some ten microseconds.
const PIECE: usize = 128;

impl Regions {
    /// Brings some regions, and all that is in them, up to date; all, when these are many.
    pub fn refit_some(&mut self, regions: &[Region], now: Now<'_>) {
        let blocks: usize = regions.iter().map(|&r| self.block_count(r)).sum();
        if blocks > self.blocks.len() / 2 {
            return self.refit(self.root, now);
        }
        // Nodes first: blocks in them need nothing more then.
        regions.iter().filter(|r| !r.is_block()).for_each(|&r| self.refit(r, now));
        regions.iter().filter(|r| r.is_block()).for_each(|&r| self.refit(r, now));
    }

    /// Brings a region, and all that is in it, up to date, if it is not yet.
    pub fn refit(&mut self, region: Region, now: Now<'_>) {
        if self.is_fitted(region, now.frame) {
            return;
        }
        match &self.upkeep {
            None if region.is_block() => self.refit_range(region.index()..region.index() + 1, 0..0, now),
            None => {
                let node = self.node(region);
                let [first, end] = node.blocks.map(|b| b as usize);
                self.refit_range(first..end, region.index()..node.end as usize, now);
            }
            // After edits blocks and nodes of a region do not follow each other, but all of them are all.
            Some(upkeep) if region == self.root && upkeep.edited_frame != now.frame => {
                self.refit_range(0..self.blocks.len(), 0..self.nodes.len(), now);
            }
            Some(_) => self.refit_below(region, now),
        }
    }

    /// The blocks of a region that are not fitted, one by one, then the nodes above them.
    fn refit_below(&mut self, region: Region, now: Now<'_>) {
        if self.is_fitted(region, now.frame) {
            return;
        }
        if region.is_block() {
            return self.refit_range(region.index()..region.index() + 1, 0..0, now);
        }
        let Node { child, count, .. } = *self.node(region);
        child[..count].iter().for_each(|&c| self.refit_below(c, now));
        if now.clock.is_late() {
            return;
        }
        self.refit_range(0..0, region.index()..region.index() + 1, now);
    }

    /// Brings some blocks up to date, and then some nodes, in which all others are.
    fn refit_range(&mut self, mine: Range<usize>, inner: Range<usize>, now: Now<'_>) {
        let piece = if now.clock.is_set() { PIECE * parallel::shares() } else { usize::MAX };
        let mut next = mine.start;
        while next < mine.end {
            if now.clock.is_late() {
                return;
            }
            let end = next.saturating_add(piece).min(mine.end);
            self.refit_blocks(next..end, now);
            next = end;
        }
        if now.clock.is_late() {
            return;
        }
        let Self { nodes, bounds, .. } = self;
        // What is in a node follows it, so going backwards meets that first.
        for i in inner.clone().rev() {
            let (before, rest) = nodes.split_at_mut(i + 1);
            let node = &mut before[i];
            for c in 0..node.count {
                let child = node.child[c];
                let bound = if child.is_block() {
                    &bounds[child.index()]
                } else {
                    &rest[child.index() - i - 1].bound
                };
                node.set_bound(c, bound);
            }
            node.bound = around(node, now.map.apply(&now.positions[node.middle as usize]));
        }
        self.node_frames[inner].fill(now.frame);
    }

    fn refit_blocks(&mut self, mine: Range<usize>, now: Now<'_>) {
        let [first, end] = [mine.start, mine.end]
            .map(|b| self.blocks.get(b).map_or(self.slots.len(), |b| b.first_chunk as usize));
        let Self { blocks, bounds, points, slots, .. } = self;
        refit_blocks(
            &blocks[mine.clone()],
            &slots[first..end],
            &mut points[first..end],
            &mut bounds[mine.clone()],
            (now.positions, now.map),
        );
        self.block_frames[mine].fill(now.frame);
    }
}

/// Blocks below this number are not worth another thread.
const BLOCKS_PER_THREAD: usize = 128;

fn refit_blocks(
    blocks: &[Block],
    slots: &[[u32; 8]],
    points: &mut [Chunk],
    bounds: &mut [Bound],
    at: (&[Point], &Map),
) {
    if parallel::is_worth(blocks.len(), 2 * BLOCKS_PER_THREAD - 1) {
        let half = blocks.len() / 2;
        let chunk = (blocks[half].first_chunk - blocks[0].first_chunk) as usize;
        let ((b0, b1), (s0, s1)) = (blocks.split_at(half), slots.split_at(chunk));
        let ((p0, p1), (o0, o1)) = (points.split_at_mut(chunk), bounds.split_at_mut(half));
        parallel::join(|| refit_blocks(b0, s0, p0, o0, at), || refit_blocks(b1, s1, p1, o1, at));
        return;
    }
    refit_share(blocks, slots, points, bounds, at);
}

multiversion! {
    fn refit_share<S: Simd>(
        simd: S,
        blocks: &[Block],
        slots: &[[u32; 8]],
        points: &mut [Chunk],
        bounds: &mut [Bound],
        at: (&[Point], &Map),
    ) {
        let base = blocks.first().map_or(0, |b| b.first_chunk as usize);
        for (block, bound) in blocks.iter().zip(bounds) {
            // Blocks that edits left empty, or that have chunks to spare, leave gaps.
            if block.count > 0 {
                let mine = block.first_chunk as usize - base..block.first_chunk as usize - base + block.chunks as usize;
                *bound = refit_block(simd, block, &slots[mine.clone()], &mut points[mine], at);
            }
        }
    }
}

#[inline(always)]
fn refit_block<S: Simd>(
    simd: S,
    block: &Block,
    slots: &[[u32; 8]],
    chunks: &mut [Chunk],
    (positions, map): (&[Point], &Map),
) -> Bound {
    let mut low = [S::F32x8::splat(simd, f32::INFINITY); 3];
    let mut high = [S::F32x8::splat(simd, f32::NEG_INFINITY); 3];
    for (slots, chunk) in slots.iter().zip(chunks.iter_mut()) {
        // A loop, not `slots.map`: its closure is compiled without the lanes' instructions, at four times the cost.
        let mut eight = [S::F32x4::map(simd, &positions[slots[0] as usize], map); 8];
        for i in 1..8 {
            eight[i] = S::F32x4::map(simd, &positions[slots[i] as usize], map);
        }
        let eight = S::F32x4::transpose(eight);
        for k in 0..3 {
            eight[k].store(&mut chunk[k]);
            low[k] = low[k].min(eight[k]);
            high[k] = high[k].max(eight[k]);
        }
    }
    let centre = at(chunks, block.middle);
    let mut far = S::F32x8::splat(simd, 0.0);
    for chunk in chunks.iter() {
        let mut sum = S::F32x8::splat(simd, 0.0);
        for k in 0..3 {
            let step = S::F32x8::load(simd, &chunk[k]) - S::F32x8::splat(simd, centre[k]);
            sum = sum + step * step;
        }
        far = far.max(sum);
    }
    let mut bound = Bound { centre, radius: far.reduce_max().sqrt() * UP + TINY, ..Bound::EMPTY };
    for k in 0..3 {
        bound.min[k] = low[k].reduce_min();
        bound.max[k] = high[k].reduce_max();
    }
    bound
}

/// The bound of a node from those of its children: the radius is what the children's radii allow, or what the box does.
fn around(node: &Node, centre: [f32; 3]) -> Bound {
    let mut bound = Bound { centre, ..Bound::EMPTY };
    let mut by_children: f32 = 0.0;
    for c in 0..node.count {
        let child = node.bound_of(c);
        let mut sum = 0.0;
        for (k, from) in centre.iter().enumerate() {
            bound.min[k] = bound.min[k].min(child.min[k]);
            bound.max[k] = bound.max[k].max(child.max[k]);
            let step = child.centre[k] - from;
            sum += step * step;
        }
        by_children = by_children.max((sum.sqrt() * UP + TINY + child.radius) * UP);
    }
    let corner = |k: usize| (bound.max[k] - centre[k]).max(centre[k] - bound.min[k]);
    let by_box = (0..3).map(|k| corner(k) * corner(k)).sum::<f32>().sqrt() * UP + TINY;
    bound.radius = by_children.min(by_box);
    bound
}
