//! Following an edit: blocks that contain the change are written anew, the rest is kept.
//!
//! A triangle that goes leaves its block; one that comes joins the block of a neighbour, or, where it has none, the one that is
//! reached by going down to the nearest middle vertex. A block that outgrows its size is halved, and the new half hangs beside
//! it. What was written is refitted with the regions above it, and nothing else: k changes cost O(k log n).
//!
//! Blocks keep their order in memory. One that does not fit where it was is left empty and written behind all others, so
//! that a pass through all of them stays a pass through memory.
//!
//! # When they are made anew
//! When more than one triangle in [`WORN`] came or went since they were made, when the body is so small that this costs no more
//! ([`FEW`] blocks), or when a branch got deeper than [`DEEP`].

use std::collections::{BTreeMap, BTreeSet};

use super::super::bounds::Bound;
use super::build::{distance_sq, nearest_to_mean, plane};
use super::partition::WAYS;
use super::upkeep::{FREE, LOOSE, NONE, Upkeep};
use super::{Block, Node, Region, Regions};
use crate::geometry::Point;
use crate::geometry::simd::Row;
use crate::mesh::Fates;
use crate::patches::halve;
use crate::{Mesh, TriangleId};

/// One triangle in so many may come or go before regions are made anew.
const WORN: usize = 8;
/// Bodies of fewer blocks are cut afresh.
const FEW: usize = 8;
/// The deepest that a branch may grow.
const DEEP: usize = 32;
/// Chunks of slots that a block written at the end has to spare.
const SPARE_CHUNKS: usize = 2;

/// A body after edits.
pub(in super::super) struct EditedBody<'a> {
    pub before: &'a Mesh,
    pub now: &'a Mesh,
    /// Triangles that are not the same in both, by their ids.
    pub ids: &'a [u32],
    /// Where its vertices are.
    pub positions: &'a [Point],
    /// Most triangles of a block.
    pub capacity: usize,
    /// The number of the last frame: regions that were fitted to it still are, but for those that are written.
    pub frame: u64,
}

impl EditedBody<'_> {
    fn corners(&self, triangle: u32) -> [u32; 3] {
        self.now.triangle(TriangleId(triangle)).map(|v| v.0)
    }

    fn centre(&self, triangle: u32) -> Point {
        let [p, q, r] = self.corners(triangle).map(|v| self.positions[v as usize]);
        std::array::from_fn(|k| p[k] / 3.0 + q[k] / 3.0 + r[k] / 3.0)
    }
}

/// The triangles of the blocks that change.
type Lists = BTreeMap<u32, Vec<u32>>;

impl Regions {
    /// Follows an edit at its cost; says whether it did. If not, the regions must be made anew.
    pub fn edit(&mut self, edited: &EditedBody<'_>) -> bool {
        if self.root.is_block() || self.blocks.len() < FEW {
            return false;
        }
        let mut upkeep = match self.upkeep.take() {
            Some(upkeep) => upkeep,
            None => Box::new(Upkeep::new(self, edited.before)),
        };
        let fates = Fates::of(edited.before, edited.now, edited.ids);
        upkeep.changes += fates.gone.len() + fates.come.len();
        upkeep.edited_frame = edited.frame;
        upkeep.newly_loose.clear();
        if WORN * upkeep.changes > edited.now.triangle_count() {
            return false;
        }
        let is_done = self.follow(edited, &fates, &mut upkeep);
        self.upkeep = Some(upkeep);
        is_done
    }

    fn follow(&mut self, edited: &EditedBody<'_>, fates: &Fates, upkeep: &mut Upkeep) -> bool {
        let lists = self.sort_in(edited, fates, upkeep);
        // All vertices of what is written are free until a block takes them.
        let mut free: Vec<u32> =
            (edited.before.vertex_count() as u32..edited.now.vertex_count() as u32).collect();
        upkeep.owner_of.resize(edited.now.vertex_count(), FREE);
        for &b in lists.keys() {
            self.release(b as usize, upkeep, &mut free);
        }
        for (b, ids) in lists {
            if !self.write_parts(b as usize, ids, edited, upkeep) {
                return false;
            }
        }
        // What is still free belongs to a block that was not touched, or to none.
        for v in free {
            if upkeep.owner_of[v as usize] != FREE {
                continue;
            }
            let Some(t) = edited.now.adjacency().star(v).next() else {
                upkeep.owner_of[v as usize] = LOOSE;
                upkeep.loose.insert(v);
                upkeep.newly_loose.push(v);
                continue;
            };
            let b = upkeep.block_of[t as usize] as usize;
            self.release(b, upkeep, &mut Vec::new());
            self.write(Some(b), self.ids(b), edited, upkeep);
        }
        self.renew_middles(edited, fates, upkeep);
        true
    }

    /// Takes what is gone out of its blocks, and puts what has come into those of neighbours.
    fn sort_in(&self, edited: &EditedBody<'_>, fates: &Fates, upkeep: &mut Upkeep) -> Lists {
        let mut lists = Lists::new();
        let take = |lists: &mut Lists, upkeep: &Upkeep, id: u32| {
            let block = upkeep.block_of[id as usize];
            lists.entry(block).or_insert_with(|| self.ids(block as usize)).retain(|&t| t != id);
            block
        };
        for &id in &fates.gone {
            take(&mut lists, upkeep, id);
        }
        let moved: Vec<[u32; 2]> =
            fates.renamed.iter().map(|&[old, new]| [new, take(&mut lists, upkeep, old)]).collect();
        upkeep.block_of.resize(edited.now.triangle_count(), NONE);
        for [new, block] in moved {
            upkeep.block_of[new as usize] = block;
            lists.get_mut(&block).expect("taken from").push(new);
        }
        let mut join = |t: u32, block: u32, block_of: &mut [u32]| {
            block_of[t as usize] = block;
            lists.entry(block).or_insert_with(|| self.ids(block as usize)).push(t);
        };
        let mut waiting = fates.come.clone();
        waiting.iter().for_each(|&t| upkeep.block_of[t as usize] = NONE);
        while !waiting.is_empty() {
            let before = waiting.len();
            // Blocks that are full take more: they are halved in the end.
            waiting.retain(|&t| match beside(edited, t, &upkeep.block_of) {
                Some(block) => {
                    join(t, block, &mut upkeep.block_of);
                    false
                }
                None => true,
            });
            if waiting.len() == before
                && let Some(t) = waiting.pop()
            {
                join(t, self.nearest_block(edited, t), &mut upkeep.block_of);
            }
        }
        lists
    }

    /// The block that is reached by going down to the middle vertex nearest to a triangle.
    fn nearest_block(&self, edited: &EditedBody<'_>, triangle: u32) -> u32 {
        let centre = edited.centre(triangle);
        let away = |region: &Region| distance_sq(&edited.positions[self.middle(*region) as usize], &centre);
        let mut region = self.root;
        while !region.is_block() {
            let node = self.node(region);
            let children = node.child[..node.count].iter();
            region = *children.min_by(|x, y| away(x).total_cmp(&away(y))).expect("no node is empty");
        }
        region.index() as u32
    }

    /// The triangles of a block.
    fn ids(&self, block: usize) -> Vec<u32> {
        let Block { first, count, .. } = self.blocks[block];
        self.triangles[first as usize..][..count.into()].to_vec()
    }

    /// Lets go of a block's own vertices.
    fn release(&self, block: usize, upkeep: &mut Upkeep, free: &mut Vec<u32>) {
        let block = &self.blocks[block];
        for v in (0..block.own.into()).map(|slot| self.vertex(block, slot)) {
            upkeep.owner_of[v as usize] = FREE;
            free.push(v);
        }
    }

    /// Gives a block these triangles, in halves where they are too many; says whether the tree stayed shallow.
    fn write_parts(
        &mut self,
        block: usize,
        ids: Vec<u32>,
        edited: &EditedBody<'_>,
        upkeep: &mut Upkeep,
    ) -> bool {
        if ids.is_empty() {
            self.note_stale(block, upkeep);
            self.detach(Region::block(block), upkeep);
            self.blocks[block].empty();
            upkeep.written.push(block as u32);
            return true;
        }
        if ids.len() <= edited.capacity {
            self.write(Some(block), ids, edited, upkeep);
            return true;
        }
        let mut items: Vec<(Point, u32)> = ids.iter().map(|&t| (edited.centre(t), t)).collect();
        let mut parts = Vec::new();
        divide(&mut items, (edited.capacity * 3 / 4).max(1), &mut parts);
        let mut parts = parts.into_iter();
        let first = parts.next().expect("more than one part");
        let block = self.write(Some(block), first, edited, upkeep);
        parts.all(|part| {
            let new = self.write(None, part, edited, upkeep);
            self.attach(new, block, upkeep)
        })
    }

    /// Writes triangles to a block if they fit there, and else behind all others, in its place if there is one. Returns the
    /// block in which they are.
    fn write(
        &mut self,
        block: Option<usize>,
        mut ids: Vec<u32>,
        edited: &EditedBody<'_>,
        upkeep: &mut Upkeep,
    ) -> usize {
        // Ascending, so that the first of equally close pairs is met early.
        ids.sort_unstable();
        let mut members: Vec<u32> = ids.iter().flat_map(|&t| edited.corners(t)).collect();
        members.sort_unstable();
        members.dedup();
        let middle = nearest_to_mean(&members, edited.positions);
        let is_foreign = |v: u32| upkeep.owner_of[v as usize] < LOOSE;
        members.sort_by_key(|&v| is_foreign(v));
        let own = members.iter().filter(|&&v| !is_foreign(v)).count();
        let chunks = members.len().div_ceil(8);
        let fits = |b: &usize| chunks <= self.chunk_room(*b) && ids.len() <= self.triangle_room(*b);
        let at = match block.filter(fits) {
            Some(block) => block,
            None => self.append(chunks + SPARE_CHUNKS, edited.capacity, upkeep),
        };
        if let Some(old) = block.filter(|&b| b != at) {
            self.blocks[old].empty();
            upkeep.written.push(old as u32);
            upkeep.block_parent[at] = upkeep.block_parent[old];
            let parent = &mut self.nodes[upkeep.block_parent[at] as usize];
            let i = parent.place_of(Region::block(old));
            parent.child[i] = Region::block(at);
        }
        let mut slots: Vec<(u32, u8)> = members.iter().enumerate().map(|(i, &v)| (v, i as u8)).collect();
        slots.sort_unstable();
        let slot = |v: u32| slots[slots.binary_search_by_key(&v, |s| s.0).expect("a member")].1;
        let Block { first_chunk, first, .. } = self.blocks[at];
        self.blocks[at] = Block {
            first_chunk,
            chunks: chunks as u8,
            own: own as u8,
            vertices: members.len() as u8,
            middle: slot(middle),
            plane: plane(&members, edited.positions),
            count: ids.len() as u8,
            first,
            least: ids[0],
        };
        let last = members[members.len() - 1];
        for (to, eight) in self.slots[first_chunk as usize..].iter_mut().zip(members.chunks(8)) {
            *to = std::array::from_fn(|i| eight.get(i).copied().unwrap_or(last));
        }
        for (i, &t) in (first as usize..).zip(&ids) {
            (self.triangles[i], self.corners[i]) = (t, edited.corners(t).map(slot));
            upkeep.block_of[t as usize] = at as u32;
        }
        for &v in &members[..own] {
            if upkeep.owner_of[v as usize] == LOOSE {
                upkeep.loose.remove(&v);
            }
            upkeep.owner_of[v as usize] = at as u32;
        }
        self.block_frames[at] = 0;
        upkeep.written.push(at as u32);
        self.note_stale(at, upkeep);
        at
    }

    /// Chunks that a block may have where it is.
    fn chunk_room(&self, block: usize) -> usize {
        let end = self.blocks.get(block + 1).map_or(self.slots.len(), |b| b.first_chunk as usize);
        end - self.blocks[block].first_chunk as usize
    }

    /// Triangles that a block may have where it is.
    fn triangle_room(&self, block: usize) -> usize {
        let end = self.blocks.get(block + 1).map_or(self.triangles.len(), |b| b.first as usize);
        end - self.blocks[block].first as usize
    }

    /// An empty block behind all others, in no region yet.
    fn append(&mut self, chunks: usize, triangles: usize, upkeep: &mut Upkeep) -> usize {
        let (first_chunk, first) = (self.slots.len() as u32, self.triangles.len() as u32);
        self.slots.extend(std::iter::repeat_n([0; 8], chunks));
        self.points.extend(std::iter::repeat_n([Row([0.0; 8]); 3], chunks));
        self.triangles.extend(std::iter::repeat_n(NONE, triangles));
        self.corners.extend(std::iter::repeat_n([0; 3], triangles));
        let blank = Block { vertices: 0, middle: 0, plane: [0; 3], least: 0, ..self.blocks[0].clone() };
        self.blocks.push(Block { first_chunk, first, ..blank });
        self.blocks[self.block_frames.len()].empty();
        self.block_frames.push(0);
        self.bounds.push(Bound::EMPTY);
        upkeep.block_parent.push(NONE);
        self.blocks.len() - 1
    }

    /// Hangs a block beside another; says whether the tree stayed shallow.
    fn attach(&mut self, new: usize, beside: usize, upkeep: &mut Upkeep) -> bool {
        let mut parent = upkeep.block_parent[beside];
        if self.nodes[parent as usize].count == WAYS {
            // Parents come before their children.
            let index = self.nodes.len();
            let mut child = [Region::default(); WAYS];
            child[0] = Region::block(beside);
            let middle = self.middle(child[0]);
            self.nodes.push(Node {
                rows: [Row([0.0; 8]); 10],
                child,
                count: 1,
                bound: Bound::EMPTY,
                middle,
                end: 0,
                blocks: [0, WAYS as u32],
            });
            self.node_frames.push(0);
            upkeep.node_parent.push(parent);
            upkeep.block_parent[beside] = index as u32;
            let above = &mut self.nodes[parent as usize];
            let i = above.place_of(Region::block(beside));
            above.child[i] = Region::node(index);
            parent = index as u32;
        }
        let node = &mut self.nodes[parent as usize];
        node.child[node.count] = Region::block(new);
        node.count += 1;
        upkeep.block_parent[new] = parent;
        self.note_stale(new, upkeep);
        upkeep.above(new).count() < DEEP
    }

    /// Takes a region out of the one above it, and with it that one if nothing else is in it.
    fn detach(&mut self, region: Region, upkeep: &Upkeep) {
        let parents = if region.is_block() { &upkeep.block_parent } else { &upkeep.node_parent };
        let parent = parents[region.index()];
        if parent == NONE {
            return;
        }
        let node = &mut self.nodes[parent as usize];
        let i = node.place_of(region);
        node.count -= 1;
        node.child[i] = node.child[node.count];
        if node.count == 0 {
            self.detach(Region::node(parent as usize), upkeep);
        }
    }

    /// Notes that the regions round a block must be refitted.
    fn note_stale(&mut self, block: usize, upkeep: &mut Upkeep) {
        let mut stale = std::mem::take(&mut upkeep.stale);
        for n in upkeep.above(block) {
            self.node_frames[n as usize] = 0;
            stale.insert(n);
        }
        upkeep.stale = stale;
    }

    /// Middle vertices that left their regions are replaced by those of regions in them.
    fn renew_middles(&mut self, edited: &EditedBody<'_>, fates: &Fates, upkeep: &mut Upkeep) {
        let gone = fates.gone.iter().flat_map(|&t| edited.before.triangle(TriangleId(t)));
        let left: BTreeSet<u32> = gone.map(|v| v.0).collect();
        // The innermost first.
        for n in std::mem::take(&mut upkeep.stale).into_iter().rev() {
            let Node { child, count, middle, .. } = self.nodes[n as usize];
            let is_in = |v: u32| {
                let mut round = edited.now.adjacency().star(v);
                round.any(|t| upkeep.above(upkeep.block_of[t as usize] as usize).any(|m| m == n))
            };
            if !left.contains(&middle) || is_in(middle) {
                continue;
            }
            let at = |v: u32| &edited.positions[v as usize];
            let away = |v: &u32| distance_sq(at(*v), at(middle));
            let inner = child[..count].iter().map(|&c| self.middle(c));
            if let Some(v) = inner.min_by(|v, w| away(v).total_cmp(&away(w))) {
                self.nodes[n as usize].middle = v;
            }
        }
    }
}

impl Block {
    /// Leaves nothing in it.
    fn empty(&mut self) {
        (self.chunks, self.own, self.vertices, self.count) = (0, 0, 0, 0);
    }
}

impl Node {
    fn place_of(&self, child: Region) -> usize {
        self.child[..self.count].iter().position(|&c| c == child).expect("a region is in its parent")
    }
}

/// Triangles that are looked at round a corner.
const NEIGHBOURS: usize = 64;

/// The block that has most of the triangles round this one.
fn beside(edited: &EditedBody<'_>, triangle: u32, block_of: &[u32]) -> Option<u32> {
    let adjacency = edited.now.adjacency();
    let corners = edited.corners(triangle);
    let round = corners.iter().flat_map(|&v| adjacency.star(v).take(NEIGHBOURS));
    let mut blocks: Vec<u32> = round.map(|t| block_of[t as usize]).filter(|&b| b != NONE).collect();
    blocks.sort_unstable();
    blocks.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
}

/// Divides triangles by halving space until no part has more than `most`.
fn divide(items: &mut [(Point, u32)], most: usize, out: &mut Vec<Vec<u32>>) {
    if items.len() <= most {
        out.push(items.iter().map(|&(_, t)| t).collect());
        return;
    }
    let middle = items.len() / 2;
    let (low, high) = halve(items, middle, |(p, _), axis| p[axis], |&(_, t)| t.into());
    divide(low, most, out);
    divide(high, most, out);
}
