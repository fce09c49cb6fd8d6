//! Algorithm 2 of the paper: three orders, each with pointers to the first primitive of every slab.
//!
//! The orders are kept by insertion sort, which is linear while primitives keep their neighbours. Pointers move to the
//! new border of their slab. Then a walk along each order writes the slab of every primitive; only primitives next to a
//! border have their index computed. The printed procedure is repaired:
//!
//! * B-A1, B-A2, B-A7: one pointer more than slabs, bounded by the number of primitives; empty slabs repeat a pointer.
//! * B-A3, B-A5: a border is found by [`Grid::slab`] itself, so both algorithms agree to the bit.
//! * B-A4: a pointer is the number of primitives in the slabs before it.
//! * B-A13: more moves than the budget end in a full sort.

use crate::methods::bucket_tree::grid::{Grid, morton};
use crate::methods::bucket_tree::keys::{PrimitiveKeys, key};

/// A coordinate and the primitive that it belongs to.
type Entry = (f32, u32);

/// The orders X, Y, Z of the paper.
#[derive(Debug, Clone, Default)]
pub(super) struct SortedAxes {
    axes: [Axis; 3],
    /// Whether the orders list a primitive.
    listed: Vec<bool>,
    slabs: Vec<[u16; 3]>,
}

#[derive(Debug, Clone, Default)]
struct Axis {
    /// By coordinate.
    order: Vec<Entry>,
    /// Where each slab begins in `order` (B_x in the paper), and its length last.
    first: Vec<u32>,
}

impl SortedAxes {
    /// Finds the key of every primitive that is there, in the order of their numbers.
    pub fn renew_keys(&mut self, keyed: &mut PrimitiveKeys, budget: u32) {
        let Some(grid) = keyed.grid else { return };
        let mut keys = std::mem::take(&mut keyed.keys);
        keys.clear();
        self.update(keyed, &grid, budget, &mut keys);
        keyed.keys = keys;
    }

    /// Brings the orders up to date and appends the keys.
    fn update(&mut self, keyed: &PrimitiveKeys, grid: &Grid, budget: u32, keys: &mut Vec<u64>) {
        let count = keyed.images.len();
        let is_there = |id: u32| (id as usize) < count && !keyed.images[id as usize].is_empty();
        self.listed.clear();
        self.listed.resize(count, false);
        self.slabs.resize(count, [0; 3]);
        for axis in &mut self.axes {
            axis.order.retain(|e| is_there(e.1));
        }
        for e in &self.axes[0].order {
            self.listed[e.1 as usize] = true;
        }
        for id in (0..count as u32).filter(|&id| is_there(id) && !self.listed[id as usize]) {
            self.axes.iter_mut().for_each(|axis| axis.order.push((0.0, id)));
        }
        for (k, axis) in self.axes.iter_mut().enumerate() {
            for e in &mut axis.order {
                e.0 = keyed.point(e.1)[k];
            }
            insertion_sort(&mut axis.order, budget);
            axis.update_pointers(k, grid);
            for slab in 0..1 << grid.bits {
                for e in &axis.order[axis.first[slab] as usize..axis.first[slab + 1] as usize] {
                    self.slabs[e.1 as usize][k] = slab as u16;
                }
            }
        }
        let there = (0..count as u32).filter(|&id| is_there(id));
        keys.extend(there.map(|id| key(morton(self.slabs[id as usize].map(u32::from)), id)));
    }

    /// The primitives along an axis in order, and where each slab begins in that order; its length last.
    pub fn along(&self, axis: usize) -> (Vec<u32>, &[u32]) {
        let Axis { order, first } = &self.axes[axis];
        (order.iter().map(|e| e.1).collect(), first)
    }

    /// Gives primitives their new numbers.
    pub fn rename(&mut self, renamed: &[u32]) {
        for axis in &mut self.axes {
            axis.order.retain_mut(|e| {
                e.1 = renamed.get(e.1 as usize).copied().unwrap_or(u32::MAX);
                e.1 != u32::MAX
            });
        }
    }
}

impl Axis {
    /// UpdateBucketPointers of the paper.
    fn update_pointers(&mut self, axis: usize, grid: &Grid) {
        let (slabs, count) = (1usize << grid.bits, self.order.len());
        self.first.resize(slabs + 1, 0);
        self.first[0] = 0;
        self.first[slabs] = count as u32;
        let slab = |e: &Entry| grid.slab(axis, e.0) as usize;
        for i in 1..slabs {
            let mut at = (self.first[i] as usize).min(count);
            while at > 0 && slab(&self.order[at - 1]) >= i {
                at -= 1;
            }
            while at < count && slab(&self.order[at]) < i {
                at += 1;
            }
            self.first[i] = at as u32;
        }
    }
}

/// Sorts by coordinate. Gives up after `budget` moves per entry and sorts from scratch.
fn insertion_sort(order: &mut [Entry], budget: u32) {
    let mut left = u64::from(budget) * order.len() as u64;
    for i in 1..order.len() {
        let entry = order[i];
        let mut at = i;
        while at > 0 && order[at - 1].0 > entry.0 {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = entry;
        let moves = (i - at) as u64;
        if moves > left {
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            return;
        }
        left -= moves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Aabb32;
    use crate::methods::bucket_tree::grid::Shape;

    fn keyed(points: &[[f32; 3]]) -> PrimitiveKeys {
        let image = |p: &[f32; 3]| Aabb32::new(*p, *p);
        let mut keyed = PrimitiveKeys::default();
        keyed.images.extend(points.iter().map(image));
        keyed
    }

    #[test]
    fn pointers_count_what_lies_before_their_slab() {
        // Pseudo-random values with ties on the borders, empty slabs among them.
        let mut state = 7u32;
        let mut draw = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 20) % 97) as f32 / 8.0
        };
        let mut axes = SortedAxes::default();
        for round in 0..20 {
            let points: Vec<[f32; 3]> = (0..200).map(|_| [draw(), 3.0, draw() * draw()]).collect();
            let keyed = keyed(&points);
            let all = keyed.images.iter().fold(Aabb32::EMPTY, |a, b| a.union(b));
            let grid = Grid::over(&all, 3, Shape::Stretched, 0.0);
            let mut keys = Vec::new();
            axes.update(&keyed, &grid, if round % 2 == 0 { 0 } else { 1000 }, &mut keys);
            for (k, axis) in axes.axes.iter().enumerate() {
                assert!(axis.order.is_sorted_by(|a, b| a.0 <= b.0));
                for (i, &first) in axis.first.iter().enumerate() {
                    let before = points.iter().filter(|p| (grid.slab(k, p[k]) as usize) < i).count();
                    assert_eq!(first as usize, before, "axis {k}, slab {i}");
                }
            }
            let direct: Vec<u64> =
                points.iter().enumerate().map(|(id, &p)| key(grid.code(p), id as u32)).collect();
            assert_eq!(keys, direct);
        }
    }

    #[test]
    fn the_budget_changes_nothing_but_time() {
        let reversed: Vec<Entry> = (0..500u32).map(|i| ((500 - i) as f32, i)).collect();
        let (mut cheap, mut dear) = (reversed.clone(), reversed);
        insertion_sort(&mut cheap, 0);
        insertion_sort(&mut dear, u32::MAX);
        assert_eq!(cheap, dear);
    }
}
