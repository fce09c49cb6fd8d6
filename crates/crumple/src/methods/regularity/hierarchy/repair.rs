//! Following an edit: patches that contain the change are written anew, and regions that contain them are traced anew.
//!
//! A triangle that goes leaves its patch; one that comes joins the patch of a neighbour, so that the regions above stay
//! what they were but for the change. A patch that outgrows its size is divided below its leaf, which stays one region. What
//! comes without neighbours is gathered in the annex, a cluster beside everything else.
//!
//! A region may be any set of triangles: it covers a point as often as its contours wind round it, whether it is connected or
//! not. So a region that loses triangles, or gains some, is certified by its contours as before, and nothing is assumed of
//! the edit.
//!
//! # When it is built anew
//! Repairs keep answers exact, not regions round. A hierarchy is worn when more than one triangle in [`WORN`] came or went since
//! it was built. Then another is built in the background of the next [`FRAMES`](super::super::surfaces::FRAMES) frames, from the
//! body as it is, and repairs go on; at the end of these frames it follows the edits since, and takes the place of the worn one.
//! On one thread there is no background, and it is built at that end. It is built at once when the body is small, when one
//! triangle in [`TORN`] came or went, when the annex has more than [`ANNEX_SIZE`] triangles, or when the body has equal triangles.
//! What lies unused in memory, patches and contours that were written anew, is closed up when it is as much as what is used.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::divide;
use super::rows::into_rows;
use super::tree::Node;
use super::upkeep::{ANNEX, Around, Upkeep};
use super::{AtVertices, Hierarchy, next_version};
use crate::geometry::Point;
use crate::mesh::Fates;
use crate::patches::{MAX_TRIANGLES, NO_PATCH};
use crate::{Mesh, TriangleId};

/// One triangle in so many may come or go before another hierarchy is built in the background.
const WORN: usize = 8;

/// One triangle in so many may come or go at all.
const TORN: usize = 2;

/// The most triangles of the annex.
const ANNEX_SIZE: usize = 1024;

/// A body after edits.
pub(crate) struct Edited<'a> {
    pub before: &'a Mesh,
    pub now: &'a Mesh,
    /// Triangles that are not the same in both, by their ids.
    pub ids: &'a [u32],
    /// Where its vertices are.
    pub positions: &'a [Point],
}

/// What a repair changed.
pub(crate) struct Repaired {
    /// Patches that were written anew.
    pub patches: Vec<u32>,
    /// The nodes of their leaves, and of those that went with them.
    pub leaves: Vec<u32>,
    /// How many nodes came in front of all others.
    pub before: usize,
}

/// The triangles of the patches that change.
type Lists = BTreeMap<u32, PatchList>;

/// The triangles of a patch that changes.
#[derive(Debug, Default)]
struct PatchList {
    ids: Vec<u32>,
    /// The same with their corners, where all were there before, in this order: they lie in rows already.
    thinned: Option<Vec<(u32, [u32; 3])>>,
}

impl PatchList {
    fn new(ids: Vec<u32>) -> Self {
        Self { ids, thinned: None }
    }

    fn push(&mut self, id: u32) {
        self.ids.push(id);
        self.thinned = None;
    }
}

impl Hierarchy {
    /// Follows an edit at its cost; `None` when the hierarchy must be built anew, and cannot be used until then.
    pub fn repair(&mut self, edited: &Edited<'_>) -> Option<Repaired> {
        if !self.copies.is_empty() || self.tree.nodes.is_empty() {
            return None;
        }
        self.version = next_version();
        let mut before = 0;
        if self.upkeep.is_none() {
            before = 2;
            let upkeep = Upkeep::new(edited.before, &mut self.patches, &mut self.tree);
            self.contours.resize(2, self.tree.nodes.len());
            self.upkeep = Some(Box::new(upkeep));
        }
        let mut upkeep = self.upkeep.take()?;
        let fates = Fates::of(edited.before, edited.now, edited.ids);
        upkeep.changes += fates.gone.len() + fates.come.len();
        if TORN * upkeep.changes > edited.now.triangle_count() {
            return None;
        }
        let mut repaired = self.follow(edited, &fates, &mut upkeep)?;
        self.contours.compact();
        if self.patches.waste() > edited.now.triangle_count() + (1 << 12) {
            self.patches.compact();
        }
        self.upkeep = Some(upkeep);
        if before > 0 {
            // The new root has no box yet, even where the edit changed no triangle.
            repaired.leaves.push(ANNEX as u32);
        }
        Some(Repaired { before, ..repaired })
    }

    /// Whether another should be built in its place.
    pub fn is_worn(&self) -> bool {
        self.upkeep.as_ref().is_some_and(|upkeep| WORN * upkeep.changes > upkeep.patch_of.len())
    }

    fn follow(&mut self, edited: &Edited<'_>, fates: &Fates, upkeep: &mut Upkeep) -> Option<Repaired> {
        let around = Around { mesh: edited.now, positions: edited.positions };
        // Vertices whose triangles are others now, before the old corners are forgotten.
        let mut vertices: BTreeSet<u32> =
            (edited.before.vertex_count() as u32..edited.now.vertex_count() as u32).collect();
        vertices
            .extend(fates.gone.iter().flat_map(|&id| edited.before.triangle(TriangleId(id))).map(|v| v.0));
        vertices.extend(fates.come.iter().flat_map(|&id| edited.now.triangle(TriangleId(id))).map(|v| v.0));
        let mut lists = Lists::new();
        let (strays, thinned) = self.sort_in(around, fates, upkeep, &mut lists);
        let before = self.patches.len() as u32;
        let mut leaves = self.divide_full(around, upkeep, &mut lists);
        let mut divided: BTreeSet<u32> = (before..self.patches.len() as u32).collect();
        divided.extend(leaves.iter().map(|&leaf| self.tree.nodes[leaf as usize].patches[0]));
        if !strays.is_empty() && !self.renew_annex(around, strays, upkeep, &mut lists, &mut leaves) {
            return None;
        }
        let patches: Vec<u32> = lists.keys().copied().collect();
        let mut is_changed: BTreeSet<u32> = fates.come.iter().map(|&t| upkeep.patch_of[t as usize]).collect();
        is_changed.extend(upkeep.annex.iter().filter(|_| leaves.contains(&(ANNEX as u32))));
        is_changed.append(&mut divided);
        for (patch, PatchList { mut ids, thinned }) in lists {
            let rows = thinned.unwrap_or_else(|| {
                into_rows(&mut ids, |t| around.centre(t).map(|x| x as f32));
                ids.iter().map(|&t| (t, around.corners(t, upkeep))).collect()
            });
            self.patches.rewrite(patch as usize, &rows);
            leaves.push(upkeep.leaf_of[patch as usize]);
        }
        if let Some(AtVertices { one_rings, shared }) = self.at_vertices.get_mut() {
            for &v in &vertices {
                let mut round: Vec<u32> = edited.now.adjacency().star(v).collect();
                round.sort_unstable();
                round.dedup();
                let corners: Vec<[u32; 3]> = round.iter().map(|&t| around.corners(t, upkeep)).collect();
                one_rings.renew(v, &corners);
            }
            // Where triangles only went, what is known is more than enough: a vertex that a patch has no more is looked at in vain.
            for &patch in patches.iter().filter(|&patch| is_changed.contains(patch)) {
                shared.renew(patch, self.patches.vertices(patch as usize), |v, out| {
                    out.extend(edited.now.adjacency().star(v).map(|t| upkeep.patch_of[t as usize]));
                });
            }
        }
        let gone = fates.gone.iter().map(|&id| edited.before.triangle(TriangleId(id)));
        let come = fates.come.iter().map(|&id| edited.now.triangle(TriangleId(id)));
        let sides = gone.chain(come).flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        let edges: Vec<[u32; 2]> = sides.map(|side| side.map(|v| v.0)).collect();
        self.retrace(around, &edges, &thinned, upkeep);
        leaves.sort_unstable();
        leaves.dedup();
        Some(Repaired { patches, leaves, before: 0 })
    }

    /// Takes what is gone out of its patches, and puts what has come into those of neighbours. Returns what has none, and the
    /// patches from which something is gone.
    fn sort_in(
        &mut self,
        around: Around<'_>,
        fates: &Fates,
        upkeep: &mut Upkeep,
        lists: &mut Lists,
    ) -> (Vec<u32>, Vec<u32>) {
        let renamed = fates.renamed.iter();
        let turned: Vec<_> =
            renamed.map(|&[old, new]| (new as usize, upkeep.is_turned[old as usize])).collect();
        let count = around.mesh.triangle_count();
        upkeep.is_turned.resize(count, false);
        turned.into_iter().for_each(|(new, is_turned)| upkeep.is_turned[new] = is_turned);
        let patches = &mut self.patches;
        let gone = patches.renumber(fates, &mut upkeep.patch_of, count);
        for gone in gone.chunk_by(|a, b| a.0 == b.0) {
            let patch = gone[0].0;
            let places = patches.places(patch as usize).enumerate();
            // By place: what is gone may have the id of what was renamed.
            let left = places.filter(|(_, place)| !gone.contains(&(patch, *place)));
            let rows: Vec<_> =
                left.map(|(n, place)| (patches.id(place), patches.triangle(patch as usize, n))).collect();
            let ids = rows.iter().map(|(id, _)| *id).collect();
            lists.insert(patch, PatchList { ids, thinned: Some(rows) });
        }
        let thinned: Vec<u32> = lists.keys().copied().collect();
        let patches = &self.patches;
        let load = |lists: &mut Lists, patch: u32| {
            let all = || patches.places(patch as usize).map(|place| patches.id(place)).collect();
            lists.entry(patch).or_insert_with(|| PatchList::new(all()));
        };
        let mut waiting = fates.come.clone();
        loop {
            let before = waiting.len();
            waiting.retain(|&t| {
                let Some((patch, is_turned)) = beside(around, t, upkeep, lists, patches) else { return true };
                (upkeep.patch_of[t as usize], upkeep.is_turned[t as usize]) = (patch, is_turned);
                load(lists, patch);
                lists.get_mut(&patch).expect("loaded").push(t);
                false
            });
            if waiting.is_empty() || waiting.len() == before {
                return (waiting, thinned);
            }
        }
    }

    /// Divides patches that have outgrown their size, each below its leaf. Returns the leaves that are none any more.
    fn divide_full(&mut self, around: Around<'_>, upkeep: &mut Upkeep, lists: &mut Lists) -> Vec<u32> {
        let full: Vec<u32> =
            lists.iter().filter(|(_, l)| l.ids.len() > MAX_TRIANGLES).map(|(p, _)| *p).collect();
        let mut leaves = Vec::new();
        for patch in full {
            let mut items: Vec<_> = lists[&patch].ids.iter().map(|&t| (around.centre(t), t)).collect();
            let mut parts = Vec::new();
            divide(&mut items, MAX_TRIANGLES * 3 / 4, &mut parts);
            let leaf = upkeep.leaf_of[patch as usize];
            let mut below = vec![patch];
            for part in parts.drain(1..) {
                let new = self.new_patch(upkeep, upkeep.rank_of[patch as usize]);
                if upkeep.annex.contains(&patch) {
                    upkeep.annex.push(new);
                }
                part.iter().for_each(|&t| upkeep.patch_of[t as usize] = new);
                lists.insert(new, PatchList::new(part));
                below.push(new);
            }
            lists.insert(patch, PatchList::new(parts.remove(0)));
            self.hang(leaf as usize, &below, upkeep);
            leaves.push(leaf);
        }
        leaves
    }

    /// Adds what has no neighbours to the annex; says whether there was room.
    fn renew_annex(
        &mut self,
        around: Around<'_>,
        strays: Vec<u32>,
        upkeep: &mut Upkeep,
        lists: &mut Lists,
        leaves: &mut Vec<u32>,
    ) -> bool {
        let mut all = strays;
        for patch in std::mem::take(&mut upkeep.annex) {
            let ids = || self.patches.places(patch as usize).map(|place| self.patches.id(place)).collect();
            all.extend(lists.remove(&patch).map_or_else(ids, |list| list.ids));
            lists.insert(patch, PatchList::default());
            upkeep.annex.push(patch);
        }
        if all.len() > ANNEX_SIZE {
            return false;
        }
        let mut items: Vec<_> = all.iter().map(|&t| (around.centre(t), t)).collect();
        let mut parts = Vec::new();
        divide(&mut items, MAX_TRIANGLES, &mut parts);
        let rank = upkeep.rank_of[upkeep.annex[0] as usize];
        while upkeep.annex.len() < parts.len() {
            let new = self.new_patch(upkeep, rank);
            upkeep.annex.push(new);
        }
        for (part, patch) in parts.into_iter().zip(upkeep.annex.clone()) {
            for &t in &part {
                (upkeep.patch_of[t as usize], upkeep.is_turned[t as usize]) = (patch, false);
            }
            lists.insert(patch, PatchList::new(part));
        }
        self.hang(ANNEX, &upkeep.annex.clone(), upkeep);
        leaves.push(ANNEX as u32);
        true
    }

    fn new_patch(&mut self, upkeep: &mut Upkeep, rank: u32) -> u32 {
        let new = self.patches.len();
        self.patches.rewrite(new, &[]);
        upkeep.leaf_of.push(0);
        upkeep.rank_of.push(rank);
        new as u32
    }

    /// Puts patches below a node, each in a leaf of its own; one alone is the node's own. Parents stay before their children.
    fn hang(&mut self, node: usize, patches: &[u32], upkeep: &mut Upkeep) {
        let nodes = &mut self.tree.nodes;
        nodes[node].patches = [patches[0], patches[0] + 1];
        if let [only] = patches {
            nodes[node].children = 0;
            upkeep.leaf_of[*only as usize] = node as u32;
            return;
        }
        let first = nodes.len();
        let (triangles, level) = (nodes[node].triangles, nodes[node].level.saturating_add(1));
        (nodes[node].first_child, nodes[node].children) = (first as u32, 2);
        let blank = Node {
            first_child: 0,
            children: 0,
            parent: node as u32,
            patches: [0; 2],
            triangles,
            is_region: false,
            level,
        };
        nodes.extend([blank; 2]);
        self.contours.resize(0, first + 2);
        let (low, high) = patches.split_at(patches.len() / 2);
        self.hang(first, low, upkeep);
        self.hang(first + 1, high, upkeep);
    }
}

/// The smallest patch of a neighbour, and whether the triangle must be turned to agree with that one.
fn beside(
    around: Around<'_>,
    triangle: u32,
    upkeep: &Upkeep,
    lists: &Lists,
    patches: &crate::patches::Patches,
) -> Option<(u32, bool)> {
    let c = around.mesh.triangle(TriangleId(triangle)).map(|v| v.0);
    let size = |patch: u32| {
        lists.get(&patch).map_or_else(|| patches.places(patch as usize).len(), |list| list.ids.len())
    };
    let mut best = None;
    for k in 0..3 {
        let side = [c[k], c[(k + 1) % 3]];
        let Some(other) = around.across(triangle, side) else { continue };
        let patch = upkeep.patch_of[other as usize];
        if patch == NO_PATCH {
            continue;
        }
        let o = around.corners(other, upkeep);
        let is_turned = (0..3).any(|j| [o[j], o[(j + 1) % 3]] == side);
        let found = (size(patch), patch, is_turned);
        best = Some(best.map_or(found, |best| found.min(best)));
    }
    best.map(|(_, patch, is_turned)| (patch, is_turned))
}
