//! A body as a BVH over patches: built once for each version of its mesh.

use super::hubs::{self, Branch, Sector};
use super::moving_box::MovingBox;
use super::owned::OwnedEdges;
use crate::Mesh;
use crate::geometry::Point;
use crate::patches::{PatchInput, Patches, VertexOrder, halve};
use std::ops::Range;

/// The hierarchy of one body. A body without triangles has no nodes.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// The root first; the first child of an inner node follows it.
    pub nodes: Vec<Node>,
    pub patches: Patches,
    pub edges: OwnedEdges,
    /// Sum of the girths of all patches when it was built, in the units of the positions; infinite until then.
    pub girth_when_built: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub bounds: MovingBox,
    /// The second child of an inner node; 0 in a leaf.
    pub second: u32,
    /// The patch of a leaf; the first one below an inner node.
    pub patch: u32,
    /// One past the last patch.
    pub end: u32,
    /// All triangles of the nodes of one hub have that vertex; [`hubs::NONE`] where there is no such vertex.
    pub hub: u32,
    /// Whether a vertex or an edge belongs to one of its patches: of two nodes without any, no pair of features is asked about.
    /// Of copies of a triangle only the patch of the first has what belongs to it.
    pub owns: bool,
}

impl Node {
    pub fn patches(&self) -> Range<usize> {
        self.patch as usize..self.end as usize
    }
}

impl Tree {
    /// Halves the triangles at the median of their centres along the longest extent until a patch holds them; those round a
    /// hub for themselves, by their directions from it. Boxes are left to be refitted.
    pub fn new(mesh: &Mesh, positions: &[Point], patch_size: usize) -> Self {
        let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
        if triangles.is_empty() {
            return Self { girth_when_built: f64::INFINITY, ..Self::default() };
        }
        let vertex_count = mesh.vertex_count();
        let mut branches = hubs::branches(triangles, vertex_count, positions);
        let mut growing = Growing { nodes: Vec::new(), sizes: Vec::new(), patch_size };
        growing.nodes.reserve(2 * triangles.len().div_ceil(patch_size));
        growing.join(&mut branches);
        let Growing { mut nodes, sizes, .. } = growing;
        let ids = branches.iter().flat_map(Branch::ids).collect();
        let cut = PatchInput { triangles, vertex_count, ids, order: VertexOrder::OwnFirst, multiple: 1 };
        let patches = Patches::new(cut, sizes);
        let edges = OwnedEdges::new(&patches, vertex_count);
        let owns: Vec<bool> = (0..patches.len())
            .map(|patch| !patches.own_vertices(patch).is_empty() || !edges.of(patch).is_empty())
            .collect();
        for node in &mut nodes {
            node.owns = owns[node.patches()].contains(&true);
        }
        Self { nodes, patches, edges, girth_when_built: f64::INFINITY }
    }
}

/// A tree that grows: its nodes, and the sizes of its patches.
struct Growing {
    nodes: Vec<Node>,
    sizes: Vec<usize>,
    patch_size: usize,
}

impl Growing {
    /// Adds a node, which is finished by [`Growing::close`].
    fn open(&mut self, hub: u32) -> usize {
        let patch = self.sizes.len() as u32;
        self.nodes.push(Node { bounds: MovingBox::EMPTY, second: 0, patch, end: patch, hub, owns: false });
        self.nodes.len() - 1
    }

    fn close(&mut self, node: usize) {
        self.nodes[node].end = self.sizes.len() as u32;
    }

    /// Makes the node of some branches, and those below it.
    fn join(&mut self, branches: &mut [Branch]) {
        match branches {
            [Branch::Anywhere(items)] => {
                return self.grow(items, hubs::NONE, |items, cut| {
                    halve(items, cut, |item, k| item.1[k], |item| item.0.into())
                });
            }
            [Branch::Round { hub, items }] => return self.grow(items, *hub, Sector::halve),
            _ => {}
        }
        let node = self.open(hubs::NONE);
        let (low, high) = branches.split_at_mut(branches.len() / 2);
        self.join(low);
        self.nodes[node].second = self.nodes.len() as u32;
        self.join(high);
        self.close(node);
    }

    /// Makes the node of these triangles, and those below it; `halve` puts so many first. All patches but the last are full, as
    /// are their rows of lanes. Halving the number of patches ends after 32 levels at most.
    fn grow<T>(
        &mut self,
        items: &mut [T],
        hub: u32,
        halve: impl Fn(&mut [T], usize) -> (&mut [T], &mut [T]) + Copy,
    ) {
        let node = self.open(hub);
        let patches = items.len().div_ceil(self.patch_size);
        if patches == 1 {
            self.sizes.push(items.len());
        } else {
            let (low, high) = halve(items, patches / 2 * self.patch_size);
            self.grow(low, hub, halve);
            self.nodes[node].second = self.nodes.len() as u32;
            self.grow(high, hub, halve);
        }
        self.close(node);
    }
}
