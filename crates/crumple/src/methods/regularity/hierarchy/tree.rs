//! The hierarchy of regions, in flat arrays.
//!
//! A [`Draft`] collects regions as they merge. [`Tree::lay_out`] numbers them so that parents come before children,
//! siblings stand side by side, and the patches, hence the triangles, of every node are one interval. So "is this
//! triangle in that region" is two comparisons, where the paper walks up the parents.

use std::ops::Range;

/// The hierarchy as it grows: leaves are patches, in any order.
pub(crate) struct Draft {
    /// Children of each node; none for a leaf.
    kids: Vec<Vec<u32>>,
    /// The patch of a leaf.
    patch: Vec<u32>,
    /// Whether the triangles form one connected, edge-manifold, consistently oriented region.
    is_region: Vec<bool>,
}

impl Draft {
    /// One leaf for each patch, in order.
    pub fn of_patches(is_region: Vec<bool>) -> Self {
        let n = is_region.len();
        Self { kids: vec![Vec::new(); n], patch: (0..n as u32).collect(), is_region }
    }

    /// A node over others; one child alone is the node itself.
    pub fn join(&mut self, children: Vec<u32>, is_region: bool) -> u32 {
        if let [only] = children[..] {
            return only;
        }
        self.kids.push(children);
        self.patch.push(u32::MAX);
        self.is_region.push(is_region);
        self.kids.len() as u32 - 1
    }
}

/// One region, or a cluster of regions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The first child; the others follow.
    pub first_child: u32,
    /// Number of children; 0 for a patch.
    pub children: u32,
    /// The node above; the root is its own parent.
    pub parent: u32,
    /// The patches under it, but for those that edits added; of a leaf the first is its own.
    pub patches: [u32; 2],
    /// The ranks of its triangles, when it was built; triangles that came since go by the rank of what they came to.
    pub triangles: [u32; 2],
    /// Whether it can carry a certificate. A cluster only gathers what lies near.
    pub is_region: bool,
    /// Steps from the root.
    pub level: u8,
}

impl Node {
    /// Whether it is one patch.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.children == 0
    }

    /// Number of triangles.
    #[inline]
    pub fn size(&self) -> u32 {
        self.triangles[1] - self.triangles[0]
    }

    /// Whether the triangle of this rank belongs to it.
    #[inline]
    pub fn holds(&self, rank: u32) -> bool {
        rank.wrapping_sub(self.triangles[0]) < self.size()
    }

    /// Indices of the children.
    #[inline]
    pub fn child_range(&self) -> Range<usize> {
        self.first_child as usize..(self.first_child + self.children) as usize
    }
}

/// All nodes of one body, root first. Empty when the body has no triangle.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
}

impl Tree {
    /// Numbers the nodes under `root`; also says in which order the patches stand now.
    pub fn lay_out(draft: &Draft, root: u32, patch_sizes: &[u32]) -> (Self, Vec<u32>) {
        let blank = Node {
            first_child: 0,
            children: 0,
            parent: 0,
            patches: [0; 2],
            triangles: [0; 2],
            is_region: false,
            level: 0,
        };
        let mut nodes = vec![blank];
        let (mut order, mut triangles) = (Vec::new(), 0);
        // (draft node, rank), depth first; a second visit closes the node.
        let mut stack = vec![(root, 0usize, false)];
        while let Some((from, at, is_done)) = stack.pop() {
            if is_done {
                nodes[at].patches[1] = order.len() as u32;
                nodes[at].triangles[1] = triangles;
                continue;
            }
            let kids = &draft.kids[from as usize];
            let first_child = nodes.len() as u32;
            let level = nodes[at].level;
            nodes[at] = Node {
                first_child,
                children: kids.len() as u32,
                patches: [order.len() as u32; 2],
                triangles: [triangles; 2],
                is_region: draft.is_region[from as usize],
                ..nodes[at]
            };
            stack.push((from, at, true));
            if kids.is_empty() {
                let patch = draft.patch[from as usize];
                order.push(patch);
                triangles += patch_sizes[patch as usize];
            }
            nodes.resize(
                nodes.len() + kids.len(),
                Node { parent: at as u32, level: level.saturating_add(1), ..blank },
            );
            stack.extend(
                kids.iter().enumerate().rev().map(|(i, &kid)| (kid, first_child as usize + i, false)),
            );
        }
        (Self { nodes }, order)
    }

    /// The patches under a node, in the order of the tree.
    pub fn patches_below(&self, node: usize) -> Vec<u32> {
        let (mut open, mut found) = (vec![node], Vec::new());
        while let Some(n) = open.pop() {
            open.extend(self.nodes[n].child_range().rev());
            found.extend(self.nodes[n].is_leaf().then_some(self.nodes[n].patches[0]));
        }
        found
    }

    /// Whether a node is below the root; those that an edit replaced are not.
    pub fn is_reachable(&self, mut n: usize) -> bool {
        while n != 0 {
            let parent = self.nodes[n].parent as usize;
            if !self.nodes[parent].child_range().contains(&n) {
                return false;
            }
            n = parent;
        }
        true
    }

    /// Whether a node was one patch before an edit divided it, or is below such a one.
    pub fn is_divided_patch(&self, n: usize) -> bool {
        let node = &self.nodes[n];
        !node.is_leaf() && node.child_range().all(|c| self.nodes[c].triangles == node.triangles)
    }
}
