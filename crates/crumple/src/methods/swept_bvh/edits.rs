//! The same tree after an edit: patches that contain the change are written anew, and nothing else is.
//!
//! A triangle that goes leaves its patch, which may be empty then: its box holds nothing, and nothing comes to it. One that comes
//! joins the smallest patch of a neighbour; without one, the leaf to which one comes by the nearer box at every node. A patch that
//! outgrows its size is halved, and so on, below its leaf. Where nothing moved, boxes are fitted to the patches that changed and to
//! the nodes above them only. Any tree gives the same answers; this one is as good as
//! it was but for what came.
//!
//! A tree is built anew when more than one triangle in [`WORN`] came or went since it was built, when its patches have grown to twice
//! their girths ([`Tree::is_loose`]), and when the body has vertices of very many triangles: those are in an order that an edit does not keep.

use std::collections::BTreeMap;

use super::build::{Node, Tree};
use crate::geometry::{Aabb, Point};
use crate::mesh::Fates;
use crate::patches::{MAX_TRIANGLES, NO_PATCH, halve};
use crate::{Mesh, TriangleId};

/// One triangle in so many may come or go before the tree is built anew.
const WORN: usize = 8;

/// The way back from triangles to leaves, kept from the first edit on.
#[derive(Debug, Clone)]
pub(super) struct Upkeep {
    /// The patch of each triangle.
    patch_of: Vec<u32>,
    /// The leaf of each patch.
    leaf_of: Vec<u32>,
    /// The node above each node; the root is its own.
    parent_of: Vec<u32>,
    /// Triangles that came or went since the tree was built.
    changes: usize,
}

impl Upkeep {
    fn new(tree: &Tree, triangles: usize) -> Self {
        let (mut patch_of, mut leaf_of) = (vec![NO_PATCH; triangles], vec![0; tree.patches.len()]);
        let mut parent_of = vec![0; tree.nodes.len()];
        for patch in 0..tree.patches.len() {
            tree.patches.places(patch).for_each(|p| patch_of[tree.patches.id(p) as usize] = patch as u32);
        }
        for (n, node) in (0..).zip(&tree.nodes) {
            if node.is_leaf() {
                leaf_of[node.patch as usize] = n;
            } else {
                node.children.iter().for_each(|&child| parent_of[child as usize] = n);
            }
        }
        Self { patch_of, leaf_of, parent_of, changes: 0 }
    }

    /// The node above a node; none above the root.
    pub fn parent(&self, node: u32) -> Option<u32> {
        (node > 0).then(|| self.parent_of[node as usize])
    }
}

/// The triangles of patches that change.
type Lists = BTreeMap<u32, Vec<u32>>;

impl Tree {
    /// Follows an edit at its cost, with the body where `positions` are; `None` when the tree must be built anew.
    pub fn edited(mut self, before: &Mesh, now: &Mesh, positions: &[Point]) -> Option<Self> {
        let ids = now.changed_since(before)?.triangles;
        if self.nodes.is_empty() || self.has_hubs {
            return None;
        }
        let mut upkeep =
            self.upkeep.take().unwrap_or_else(|| Box::new(Upkeep::new(&self, before.triangle_count())));
        let fates = Fates::of(before, now, &ids);
        upkeep.changes += fates.gone.len() + fates.come.len();
        if WORN * upkeep.changes > now.triangle_count() {
            return None;
        }
        let mut lists = self.take_out(&fates, &mut upkeep, now.triangle_count());
        let centre = |t: u32| -> Point {
            let [p, q, r] = now.triangle(TriangleId(t)).map(|v| positions[v.index()]);
            std::array::from_fn(|k| p[k] + q[k] + r[k])
        };
        for &t in &fates.come {
            let patch =
                self.patch_beside(t, now, &upkeep, &lists).unwrap_or_else(|| self.nearest(&centre(t)));
            upkeep.patch_of[t as usize] = patch;
            self.list(patch, &mut lists).push(t);
        }
        let mut given = self.representatives.follow(before, now, &fates);
        given.extend(self.divide_full(&mut lists, &mut upkeep, centre));
        for (patch, ids) in &lists {
            let corners = |&t: &u32| (t, now.triangle(TriangleId(t)).map(|v| v.0));
            self.patches.rewrite(*patch as usize, &ids.iter().map(corners).collect::<Vec<_>>());
        }
        if self.patches.waste() > now.triangle_count() + (1 << 12) {
            self.patches.compact();
        }
        self.represents.resize(self.patches.len(), false);
        let changed = lists.into_keys().chain(given.into_iter().map(|t| upkeep.patch_of[t as usize]));
        for patch in changed.map(|patch| patch as usize) {
            self.represents[patch] = self.does_represent(patch);
            if let Some(due) = &mut self.due {
                due.push(upkeep.leaf_of[patch]);
            }
        }
        self.upkeep = Some(upkeep);
        Some(self)
    }

    /// Takes what is gone out of its patches, and gives what has another number that one.
    fn take_out(&mut self, fates: &Fates, upkeep: &mut Upkeep, triangles: usize) -> Lists {
        let patches = &mut self.patches;
        let gone = patches.renumber(fates, &mut upkeep.patch_of, triangles);
        let mut lists = Lists::new();
        for gone in gone.chunk_by(|a, b| a.0 == b.0) {
            let patch = gone[0].0;
            let left = patches.places(patch as usize).filter(|&place| !gone.contains(&(patch, place)));
            lists.insert(patch, left.map(|place| patches.id(place)).collect());
        }
        lists
    }

    /// The triangles of a patch that changes.
    fn list<'a>(&self, patch: u32, lists: &'a mut Lists) -> &'a mut Vec<u32> {
        let patches = &self.patches;
        lists
            .entry(patch)
            .or_insert_with(|| patches.places(patch as usize).map(|place| patches.id(place)).collect())
    }

    /// The smallest patch of a triangle with a common vertex, if there is one.
    fn patch_beside(&self, triangle: u32, mesh: &Mesh, upkeep: &Upkeep, lists: &Lists) -> Option<u32> {
        let size = |patch: u32| {
            lists.get(&patch).map_or_else(|| self.patches.places(patch as usize).len(), |list| list.len())
        };
        let round = mesh.triangle(TriangleId(triangle)).into_iter().flat_map(|v| mesh.adjacency().star(v.0));
        let patches = round.map(|t| upkeep.patch_of[t as usize]).filter(|&patch| patch != NO_PATCH);
        patches.map(|patch| (size(patch), patch)).min().map(|(_, patch)| patch)
    }

    /// The patch to which one comes by the nearer box at every node, from three times a point.
    fn nearest(&self, centre: &Point) -> u32 {
        let at = self.map.map_or([0.0; 3], |map| map.apply(&centre.map(|x| x / 3.0)));
        let at = Aabb::of(&[at.map(f64::from)]);
        let far = |n: u32| self.nodes[n as usize].bounds.start.widened().distance_sq(&at);
        let mut node = &self.nodes[0];
        while !node.is_leaf() {
            let [a, b] = node.children;
            node = &self.nodes[if far(b) < far(a) { b } else { a } as usize];
        }
        node.patch
    }

    /// Halves patches that have outgrown their size, each below its leaf, until none has. Returns the first triangle of each part.
    fn divide_full(
        &mut self,
        lists: &mut Lists,
        upkeep: &mut Upkeep,
        centre: impl Fn(u32) -> Point,
    ) -> Vec<u32> {
        let mut full: Vec<u32> =
            lists.iter().filter(|(_, list)| list.len() > MAX_TRIANGLES).map(|(&patch, _)| patch).collect();
        let mut firsts = Vec::new();
        while let Some(patch) = full.pop() {
            let ids = lists.remove(&patch).expect("it is full");
            let mut items: Vec<(u32, Point)> = ids.into_iter().map(|t| (t, centre(t))).collect();
            let half = items.len() / 2;
            let (low, high) = halve(&mut items, half, |item, k| item.1[k], |item| item.0.into());
            let new = self.patches.len() as u32;
            self.patches.rewrite(new as usize, &[]);
            high.iter().for_each(|item| upkeep.patch_of[item.0 as usize] = new);
            let (leaf, first) = (upkeep.leaf_of[patch as usize] as usize, self.nodes.len() as u32);
            self.nodes[leaf].children = [first, first + 1];
            self.nodes.extend([patch, new].map(Node::of_patch));
            upkeep.leaf_of[patch as usize] = first;
            upkeep.leaf_of.push(first + 1);
            upkeep.parent_of.extend([leaf as u32; 2]);
            for (patch, part) in [(patch, low), (new, high)] {
                firsts.extend(part.first().map(|item| item.0));
                full.extend((part.len() > MAX_TRIANGLES).then_some(patch));
                lists.insert(patch, part.iter().map(|item| item.0).collect());
            }
        }
        firsts
    }
}
