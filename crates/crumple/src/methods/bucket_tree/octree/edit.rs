//! Inserting, removing and moving one primitive, at a cost that follows the depth and the bucket, not the body.

use super::super::keys::{PrimitiveKeys, key};
use super::build::Fill;
use super::{BLOCK, BUCKET, Cell, Kind, Lanes, NONE, Octree, WIDTH};

/// A divided cell with so few primitives becomes a bucket again: a quarter, so that one at the border does not make
/// it change back and forth.
const SPARSE: u32 = BUCKET as u32 / 4;

impl Octree {
    /// Whether [`Octree::note_homes`] was called since the last build.
    pub fn has_homes(&self) -> bool {
        !self.homes.is_empty()
    }

    /// Takes the blocks that edits wrote to since the last time; one may come several times, and may be free by now.
    pub fn take_touched(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.touched)
    }

    /// Notes where each primitive is. Edits need this once after a build.
    pub fn note_homes(&mut self, count: usize) {
        self.homes.clear();
        self.homes.resize(count, NONE);
        for block in 0..self.blocks.len() as u32 {
            self.note_block(block);
        }
        self.touched.clear();
    }

    fn note_block(&mut self, block: u32) {
        self.touched.push(block);
        for (lane, id) in self.blocks[block as usize].held() {
            self.homes[id as usize] = block * WIDTH as u32 + lane as u32;
        }
    }

    /// Puts in a primitive that is not there; `keyed` knows it already.
    pub fn insert(&mut self, id: u32, keyed: &mut PrimitiveKeys) {
        self.is_ordered = false;
        self.homes.resize(keyed.images.len().max(self.homes.len()), NONE);
        if self.grids.is_empty() {
            self.grids.extend(keyed.grid);
        }
        let (at, parent, lane) = self.terminal(keyed.point(id));
        if at == NONE {
            self.insert_block(parent, lane, id, keyed);
        } else if self.count(at) >= BUCKET as u32 {
            self.rebuild(at, Some(id), keyed);
        } else {
            self.insert_at(at, id, keyed);
        }
    }

    /// The undivided cell of a point: what it holds, and its place in its parent.
    fn terminal(&self, point: [f32; 3]) -> (u32, u32, usize) {
        let (mut at, mut parent, mut lane) = (self.root, NONE, 0);
        while at & BLOCK == 0 && self.metas[at as usize].kind == Kind::Octants {
            let Cell { grid, level } = self.metas[at as usize].cell;
            let grid = &self.grids[grid as usize];
            parent = at;
            lane = (grid.code(point) >> (3 * (grid.bits - 1 - level)) & 7) as usize;
            at = self.nodes[at as usize].refs.0[lane];
        }
        (at, parent, lane)
    }

    /// Puts a primitive into a bucket: where boxes grow least, and among equals where fewest are.
    fn insert_at(&mut self, bucket: u32, id: u32, keyed: &mut PrimitiveKeys) {
        let image = &keyed.images[id as usize].clone();
        let mut at = bucket;
        while at & BLOCK == 0 {
            let lanes = &self.nodes[at as usize];
            let mut best = ((f32::INFINITY, u32::MAX), NONE);
            for (lane, child) in lanes.held() {
                let held = lanes.image(lane);
                let cost = (held.union(image).girth() - held.girth(), self.count(child));
                let is_full = child & BLOCK != 0 && cost.1 == WIDTH as u32;
                if !is_full && cost < best.0 {
                    best = (cost, child);
                }
            }
            match lanes.refs.0.iter().position(|&r| r == NONE) {
                _ if best.1 != NONE => at = best.1,
                Some(lane) => return self.insert_block(at, lane, id, keyed),
                None => return self.rebuild(bucket, Some(id), keyed),
            }
        }
        let block = at ^ BLOCK;
        let Some(lane) = self.blocks[block as usize].refs.0.iter().position(|&r| r == NONE) else {
            return self.rebuild(bucket, Some(id), keyed);
        };
        self.blocks[block as usize].set(lane, image, id);
        self.homes[id as usize] = block * WIDTH as u32 + lane as u32;
        self.touched.push(block);
        self.refresh(at);
        self.climb(at, 1);
    }

    /// Puts a primitive into a new block, in a lane of a node or, where there is none, as the root.
    fn insert_block(&mut self, parent: u32, lane: usize, id: u32, keyed: &PrimitiveKeys) {
        let block = self.new_block(&[key(0, id)], parent);
        if parent == NONE {
            self.root = block;
        } else {
            self.nodes[parent as usize].refs.0[lane] = block;
        }
        self.fit_below(block, keyed);
        self.climb(block, 1);
    }

    /// Takes out a primitive that is there.
    pub fn remove(&mut self, id: u32, keyed: &mut PrimitiveKeys) {
        self.is_ordered = false;
        let home = std::mem::replace(&mut self.homes[id as usize], NONE);
        let (block, lane) = (home / WIDTH as u32, home as usize % WIDTH);
        self.blocks[block as usize].clear(lane);
        self.touched.push(block);
        self.refresh(block | BLOCK);
        self.climb(block | BLOCK, -1);
        let is_bare = self.blocks[block as usize].held().next().is_none();
        let mut from = block | BLOCK;
        if is_bare {
            from = self.unlink(from);
        }
        self.thin_out(from, keyed);
    }

    /// Frees something empty, and every parent that is empty then; returns the first that is not, or [`NONE`].
    fn unlink(&mut self, mut what: u32) -> u32 {
        loop {
            let parent = self.parent(what);
            self.free_one(what);
            if parent == NONE {
                self.root = NONE;
                return NONE;
            }
            let lane = self.lane_of(parent, what);
            self.nodes[parent as usize].clear(lane);
            if self.metas[parent as usize].count > 0 {
                return parent;
            }
            what = parent;
        }
    }

    /// Makes one bucket of the highest cell that has become sparse, and fewer blocks of a bucket of many thin ones.
    fn thin_out(&mut self, from: u32, keyed: &mut PrimitiveKeys) {
        let (mut at, mut highest) = (from, NONE);
        while at != NONE {
            let is_sparse =
                at & BLOCK == 0 && self.metas[at as usize].kind == Kind::Octants && self.count(at) <= SPARSE;
            if is_sparse || self.is_bucket(at) && self.blocks_below(at) > 2 * self.count(at).div_ceil(8) + 2 {
                highest = at;
            }
            at = self.parent(at);
        }
        if highest != NONE {
            self.rebuild(highest, None, keyed);
        }
    }

    fn blocks_below(&self, what: u32) -> u32 {
        if what & BLOCK != 0 { 1 } else { self.children(what).map(|c| self.blocks_below(c)).sum() }
    }

    /// Follows a primitive whose box or ordering point changed; `keyed` knows the new ones.
    pub fn relocate(&mut self, id: u32, keyed: &mut PrimitiveKeys) {
        let home = self.homes[id as usize];
        let (block, lane) = (home / WIDTH as u32, home as usize % WIDTH);
        let mut bucket = block | BLOCK;
        while !self.is_bucket(bucket) {
            bucket = self.parent(bucket);
        }
        if self.terminal(keyed.point(id)).0 == bucket {
            self.blocks[block as usize].set(lane, &keyed.images[id as usize], id);
            self.refresh(block | BLOCK);
            self.climb(block | BLOCK, 0);
        } else {
            self.remove(id, keyed);
            self.insert(id, keyed);
        }
    }

    /// Builds the cell of a node or block afresh, with one primitive more. Boxes are taken from the lanes, which may have been
    /// fitted since `keyed` heard of them.
    fn rebuild(&mut self, what: u32, extra: Option<u32>, keyed: &mut PrimitiveKeys) {
        self.is_ordered = false;
        let parent = self.parent(what);
        let cell = match parent {
            NONE => Cell { grid: 0, level: 0 },
            _ => {
                let Cell { grid, level } = self.metas[parent as usize].cell;
                let divides = self.metas[parent as usize].kind == Kind::Octants;
                Cell { grid, level: level + u32::from(divides) }
            }
        };
        let before = self.count(what);
        let mut ids = Vec::new();
        self.collect(what, &mut ids);
        for &id in &ids {
            let home = self.homes[id as usize] as usize;
            keyed.images[id as usize] = self.blocks[home / WIDTH].image(home % WIDTH);
        }
        ids.extend(extra);
        let lane = if parent == NONE { 0 } else { self.lane_of(parent, what) };
        self.free_all(what);
        let grid = self.grids[cell.grid as usize];
        let mut keys: Vec<u64> = ids.iter().map(|&id| key(grid.code(keyed.point(id)), id)).collect();
        keys.sort_unstable();
        self.fill = Fill::Loose;
        let made = self.build_cell(&mut keys, cell, parent, keyed);
        if parent == NONE {
            self.root = made;
        } else {
            self.nodes[parent as usize].refs.0[lane] = made;
        }
        self.fit_below(made, keyed);
        self.climb(made, ids.len() as i64 - i64::from(before));
    }

    /// Fits the box of a node or block to its lanes.
    fn refresh(&mut self, what: u32) {
        let lanes = if what & BLOCK != 0 {
            &mut self.blocks[(what ^ BLOCK) as usize]
        } else {
            &mut self.nodes[what as usize]
        };
        lanes.bounds = lanes.union();
    }

    /// Primitives under a node, or in a block.
    pub fn count(&self, what: u32) -> u32 {
        if what & BLOCK == 0 { self.metas[what as usize].count } else { self.items(what).count() as u32 }
    }

    fn parent(&self, what: u32) -> u32 {
        if what & BLOCK == 0 {
            self.metas[what as usize].parent
        } else {
            self.block_parents[(what ^ BLOCK) as usize]
        }
    }

    fn lane_of(&self, parent: u32, child: u32) -> usize {
        let refs = &self.nodes[parent as usize].refs.0;
        refs.iter().position(|&r| r == child).expect("a child is in a lane of its parent")
    }

    /// Brings the boxes and counts of all that is above up to date.
    fn climb(&mut self, mut what: u32, more: i64) {
        loop {
            let parent = self.parent(what);
            if parent == NONE {
                return;
            }
            let (lane, image) = (self.lane_of(parent, what), *self.bounds(what));
            let node = &mut self.nodes[parent as usize];
            node.set(lane, &image, what);
            self.refresh(parent);
            let count = &mut self.metas[parent as usize].count;
            *count = (i64::from(*count) + more) as u32;
            what = parent;
        }
    }

    /// Fits the boxes of a part that was built just now, and notes its primitives.
    fn fit_below(&mut self, what: u32, keyed: &PrimitiveKeys) {
        if what & BLOCK != 0 {
            let block = (what ^ BLOCK) as usize;
            let held: Vec<(usize, u32)> = self.blocks[block].held().collect();
            for (lane, id) in held {
                self.blocks[block].set(lane, &keyed.images[id as usize], id);
            }
            self.refresh(what);
            self.note_block(block as u32);
            return;
        }
        let children: Vec<(usize, u32)> = self.nodes[what as usize].held().collect();
        for (lane, child) in children {
            self.fit_below(child, keyed);
            let image = *self.bounds(child);
            self.nodes[what as usize].set(lane, &image, child);
        }
        self.refresh(what);
    }

    fn free_one(&mut self, what: u32) {
        if what & BLOCK != 0 {
            let block = what ^ BLOCK;
            self.blocks[block as usize] = Lanes::EMPTY;
            self.touched.push(block);
            self.free_blocks.push(block);
        } else {
            self.free_nodes.push(what);
        }
    }

    fn free_all(&mut self, what: u32) {
        let children: Vec<u32> = self.children(what).collect();
        children.into_iter().for_each(|child| self.free_all(child));
        self.free_one(what);
    }
}
