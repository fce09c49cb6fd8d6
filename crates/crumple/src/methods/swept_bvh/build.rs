//! A body as a BVH over patches: built once, and then [edited](super::edits).

use super::edits::Upkeep;
use super::hubs::{self, Branch, Sector};
use super::moving_box::MovingBox;
use super::representatives::Representatives;
use crate::Mesh;
use crate::geometry::{Map, Point};
use crate::patches::{Patches, halve};
use std::ops::Range;

/// The hierarchy of one body. A body without triangles has no nodes.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// The root first; children stand behind their parent.
    pub nodes: Vec<Node>,
    pub patches: Patches,
    pub representatives: Representatives,
    /// Whether a triangle of a patch represents something: of two patches without, no pair of features is asked about. Of copies of
    /// a triangle only the first does.
    pub represents: Vec<bool>,
    /// Sum of the girths of all patches when it was built, in the units of the positions; infinite until then.
    pub girth_when_built: f64,
    /// Whether triangles round a vertex stand by themselves somewhere.
    pub has_hubs: bool,
    /// The map of the boxes; `None` before they are fitted.
    pub map: Option<Map>,
    /// Leaves that edits changed since the boxes were fitted; `None` when all boxes are due.
    pub due: Option<Vec<u32>>,
    /// What edits need; made by the first.
    pub upkeep: Option<Box<Upkeep>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub bounds: MovingBox,
    /// Of an inner node; 0 in a leaf.
    pub children: [u32; 2],
    /// The patch of a leaf; the first one below an inner node when it was built.
    pub patch: u32,
    /// One past the last of those.
    pub end: u32,
    /// All triangles of the nodes of one hub have that vertex; [`hubs::NONE`] where there is no such vertex.
    pub hub: u32,
    /// Whether a triangle below represents something.
    pub represents: bool,
}

impl Node {
    pub fn is_leaf(&self) -> bool {
        self.children[0] == 0
    }

    /// The patches below, of a body that was not edited.
    pub fn patches(&self) -> Range<usize> {
        self.patch as usize..self.end as usize
    }

    /// A leaf.
    pub fn of_patch(patch: u32) -> Self {
        let bounds = MovingBox::EMPTY;
        Self { bounds, children: [0; 2], patch, end: patch + 1, hub: hubs::NONE, represents: false }
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
        let mut branches = hubs::branches(triangles, mesh.vertex_count(), positions);
        let mut growing = Growing { nodes: Vec::new(), sizes: Vec::new(), patch_size };
        growing.nodes.reserve(2 * triangles.len().div_ceil(patch_size));
        growing.join(&mut branches);
        let Growing { nodes, sizes, .. } = growing;
        let ids = branches.iter().flat_map(Branch::ids).collect();
        let patches = Patches::new(triangles, ids, sizes);
        let representatives = Representatives::new(mesh);
        let has_hubs = nodes.iter().any(|node| node.hub != hubs::NONE);
        let girth_when_built = f64::INFINITY;
        let mut tree =
            Self { nodes, patches, representatives, girth_when_built, has_hubs, ..Self::default() };
        tree.represents = (0..tree.patches.len()).map(|patch| tree.does_represent(patch)).collect();
        tree
    }

    /// Whether a triangle of a patch represents something.
    pub fn does_represent(&self, patch: usize) -> bool {
        let ids = self.patches.places(patch).map(|place| self.patches.id(place));
        ids.into_iter().any(|t| !self.representatives.of(t).is_nothing())
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
        self.nodes.push(Node { hub, end: patch, ..Node::of_patch(patch) });
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
        let first = self.nodes.len() as u32;
        self.join(low);
        self.nodes[node].children = [first, self.nodes.len() as u32];
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
            let first = self.nodes.len() as u32;
            self.grow(low, hub, halve);
            self.nodes[node].children = [first, self.nodes.len() as u32];
            self.grow(high, hub, halve);
        }
        self.close(node);
    }
}
