//! Down one tree or two, node by node: the paper's traversal (B9), box queries, nearest primitives, all buckets.
//!
//! Written once for every tree and in any coordinates; pairs of trees in the same coordinates have a faster way
//! (`octree/pairs.rs`).

use super::octree::Octree;
use crate::Stats;
use crate::geometry::{Aabb, Point};

/// A tree of boxes.
pub(super) trait Hierarchy {
    /// The root, unless the tree is empty.
    fn root(&self) -> Option<u32>;
    /// The box of a node.
    fn bounds(&self, node: u32) -> Aabb;
    /// Writes the children of a node and says how many; a leaf has none.
    fn children(&self, node: u32, into: &mut [u32; 8]) -> usize;
    /// The primitives of a leaf.
    fn items(&self, node: u32, each: impl FnMut(u32));
    /// Whether the node is a bucket, or above buckets (`false`).
    fn is_bucket(&self, node: u32) -> bool;
}

impl Hierarchy for Octree {
    fn root(&self) -> Option<u32> {
        Octree::root(self)
    }

    fn bounds(&self, node: u32) -> Aabb {
        Octree::bounds(self, node).widened()
    }

    fn children(&self, node: u32, into: &mut [u32; 8]) -> usize {
        let mut count = 0;
        for child in Octree::children(self, node) {
            into[count] = child;
            count += 1;
        }
        count
    }

    fn items(&self, node: u32, each: impl FnMut(u32)) {
        Octree::items(self, node).for_each(each);
    }

    fn is_bucket(&self, node: u32) -> bool {
        Octree::is_bucket(self, node)
    }
}

/// A descent of two trees.
pub(super) struct Both<'a, A, B, F> {
    pub a: &'a A,
    pub b: &'a B,
    /// Whether the first of two inner nodes that overlap is opened; [`is_larger`] is the usual rule.
    pub opens_first: fn(&Aabb, &Aabb) -> bool,
    pub stats: &'a mut Stats,
    /// Called with two leaves whose boxes overlap, or twice with the same leaf of one tree.
    pub found: F,
}

#[cfg(feature = "published")]
impl<A: Hierarchy, F: FnMut(u32, u32)> Both<'_, A, A, F> {
    /// Leaves of one tree, each pair once, each leaf with itself.
    pub fn within(&mut self, x: u32) {
        let mut children = [0; 8];
        let count = self.a.children(x, &mut children);
        if count == 0 {
            (self.found)(x, x);
        }
        for i in 0..count {
            self.within(children[i]);
            for j in i + 1..count {
                self.between(children[i], children[j]);
            }
        }
    }
}

impl<A: Hierarchy, B: Hierarchy, F: FnMut(u32, u32)> Both<'_, A, B, F> {
    /// Leaves of two trees.
    pub fn between(&mut self, x: u32, y: u32) {
        self.stats.visits += 1;
        self.stats.tests += 1;
        let (of_x, of_y) = (self.a.bounds(x), self.b.bounds(y));
        if !of_x.overlaps(&of_y) {
            return;
        }
        let (mut below_x, mut below_y) = ([0; 8], [0; 8]);
        let (in_x, in_y) = (self.a.children(x, &mut below_x), self.b.children(y, &mut below_y));
        let opens_x = match (in_x, in_y) {
            (0, 0) => return (self.found)(x, y),
            (_, 0) => true,
            (0, _) => false,
            _ => (self.opens_first)(&of_x, &of_y),
        };
        if opens_x {
            below_x[..in_x].iter().for_each(|&c| self.between(c, y));
        } else {
            below_y[..in_y].iter().for_each(|&c| self.between(x, c));
        }
    }
}

/// Whether the first box has at least the volume of the second.
pub(super) fn is_larger(a: &Aabb, b: &Aabb) -> bool {
    let volume = |b: &Aabb| b.size().iter().product::<f64>();
    volume(a) >= volume(b)
}

/// Calls `each` with every bucket that holds something: whether it is a leaf, and its primitives, ascending.
pub(super) fn each_bucket<H: Hierarchy>(tree: &H, mut each: impl FnMut(bool, &[u32])) {
    let mut items = Vec::new();
    let mut stack: Vec<u32> = tree.root().into_iter().collect();
    while let Some(node) = stack.pop() {
        let mut children = [0; 8];
        let count = tree.children(node, &mut children);
        if tree.is_bucket(node) {
            items.clear();
            collect(tree, node, &mut items);
            items.sort_unstable();
            each(count == 0, &items);
        } else {
            stack.extend(children[..count].iter().rev());
        }
    }
}

/// Calls `each` with the primitives of every leaf: of a block of the adaptive tree, of a bucket of a fixed one.
pub(super) fn each_leaf<H: Hierarchy>(tree: &H, mut each: impl FnMut(&[u32])) {
    let mut items = Vec::new();
    let mut stack: Vec<u32> = tree.root().into_iter().collect();
    while let Some(node) = stack.pop() {
        let mut children = [0; 8];
        match tree.children(node, &mut children) {
            0 => {
                items.clear();
                tree.items(node, |id| items.push(id));
                each(&items);
            }
            count => stack.extend(children[..count].iter().rev()),
        }
    }
}

fn collect<H: Hierarchy>(tree: &H, node: u32, out: &mut Vec<u32>) {
    tree.items(node, |id| out.push(id));
    let mut children = [0; 8];
    let count = tree.children(node, &mut children);
    children[..count].iter().for_each(|&c| collect(tree, c, out));
}

/// Every leaf whose box meets another box.
pub(super) fn in_box<H: Hierarchy>(tree: &H, query: &Aabb, mut found: impl FnMut(u32)) {
    fn go<H: Hierarchy>(tree: &H, node: u32, query: &Aabb, found: &mut impl FnMut(u32)) {
        if !tree.bounds(node).overlaps(query) {
            return;
        }
        let mut children = [0; 8];
        let count = tree.children(node, &mut children);
        if count == 0 {
            found(node);
        }
        children[..count].iter().for_each(|&c| go(tree, c, query, found));
    }
    if let Some(root) = tree.root() {
        go(tree, root, query, &mut found);
    }
}

/// The primitive nearest to a point, the smaller number among equals, and the square of its distance.
pub(super) fn nearest<H: Hierarchy>(
    tree: &H,
    to: &Point,
    mut distance_sq: impl FnMut(u32) -> f64,
) -> Option<(u32, f64)> {
    let mut best: Option<(f64, u32)> = None;
    let mut open: Vec<(f64, u32)> = tree.root().map(|root| (0.0, root)).into_iter().collect();
    let here = Aabb { min: *to, max: *to };
    while let Some((bound, node)) = open.pop() {
        if best.is_some_and(|(least, _)| bound > least) {
            continue;
        }
        tree.items(node, |id| {
            let d = distance_sq(id);
            if best.is_none_or(|(least, other)| d < least || (d == least && id < other)) {
                best = Some((d, id));
            }
        });
        let mut children = [0; 8];
        let count = tree.children(node, &mut children);
        let first = open.len();
        open.extend(children[..count].iter().map(|&c| {
            let bounds = tree.bounds(c);
            // A measured distance may be rounded below that of the box by a little of the box's size.
            let size = bounds.size().into_iter().fold(0.0, f64::max);
            let gap = bounds.distance_sq(&here).sqrt() * (1.0 - 1e-9) - 1e-9 * size;
            (gap.max(0.0).powi(2), c)
        }));
        // The nearest is popped first.
        open[first..].sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    }
    best.map(|(d, id)| (id, d))
}
