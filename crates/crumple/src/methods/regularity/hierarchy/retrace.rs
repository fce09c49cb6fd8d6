//! Contours of the regions that contain an edit: those of the lowest from their triangles, those above from their children.

use std::collections::BTreeSet;

use super::Hierarchy;
use super::contours::ContourEdge;
use super::half_edges::NONE;
use super::upkeep::{Around, Upkeep};
use crate::{TriangleId, VertexId};

/// An edge of a contour with both ends.
#[derive(Clone, Copy)]
struct Side {
    from: u32,
    to: u32,
    outer: u32,
}

impl Hierarchy {
    /// Traces the regions with triangles at these edges, or with these patches, and all that contain them.
    pub(super) fn retrace(
        &mut self,
        around: Around<'_>,
        edges: &[[u32; 2]],
        patches: &[u32],
        upkeep: &mut Upkeep,
    ) {
        let mut touched: BTreeSet<u32> = patches.iter().copied().collect();
        for &[u, v] in edges {
            let mut round = around.mesh.adjacency().star(u);
            let has_both = |t: &u32| around.mesh.triangle(TriangleId(*t)).contains(&VertexId(v));
            touched.extend(round.by_ref().filter(has_both).map(|t| upkeep.patch_of[t as usize]));
        }
        let mut waiting: BTreeSet<u32> = BTreeSet::new();
        for patch in touched {
            waiting.extend(self.lowest_region(upkeep.leaf_of[patch as usize]));
        }
        // Children stand behind their parents.
        while let Some(n) = waiting.pop_last() {
            let node = self.tree.nodes[n as usize];
            let is_lowest = node.child_range().all(|c| !self.tree.nodes[c].is_region);
            let sides = if is_lowest {
                self.sides_of_triangles(around, n, upkeep)
            } else {
                self.sides_of_children(n)
            };
            match upkeep.links.link(&sides, around.mesh.vertex_count()) {
                Some(loops) => self.contours.rewrite(n as usize, loops),
                None => {
                    debug_assert!(false, "the border of a set of triangles is closed");
                    self.tree.nodes[n as usize].is_region = false;
                }
            }
            if n != node.parent && self.tree.nodes[node.parent as usize].is_region {
                waiting.insert(node.parent);
            }
        }
    }

    /// The node itself or the first above it that is a region.
    fn lowest_region(&self, mut n: u32) -> Option<u32> {
        loop {
            let node = &self.tree.nodes[n as usize];
            if node.is_region {
                return Some(n);
            }
            if node.parent == n {
                return None;
            }
            n = node.parent;
        }
    }

    fn sides_of_triangles(&self, around: Around<'_>, n: u32, upkeep: &Upkeep) -> Vec<Side> {
        let node = self.tree.nodes[n as usize];
        let mut triangles = Vec::new();
        for patch in self.tree.patches_below(n as usize) {
            let ids = self.patches.places(patch as usize).map(|place| self.patches.id(place));
            triangles.extend(ids.map(|id| (id, around.corners(id, upkeep))));
        }
        // Most sides are within: to see that costs less than to walk round a vertex. Not so where an edge may have three.
        let is_manifold = around.mesh.adjacency().non_manifold_edge_count() == 0;
        let is_within =
            if is_manifold { twins_within(&triangles) } else { vec![[false; 3]; triangles.len()] };
        let mut sides = Vec::new();
        for ((id, c), is_within) in triangles.into_iter().zip(is_within) {
            for k in 0..3 {
                if !is_within[k] {
                    let (from, to) = (c[k], c[(k + 1) % 3]);
                    let twin = around.twin(id, [from, to], upkeep);
                    let outer = twin.map_or(NONE, |t| upkeep.rank_of[upkeep.patch_of[t as usize] as usize]);
                    if !node.holds(outer) {
                        sides.push(Side { from, to, outer });
                    }
                }
            }
        }
        sides
    }

    fn sides_of_children(&self, n: u32) -> Vec<Side> {
        let node = self.tree.nodes[n as usize];
        let mut sides = Vec::new();
        for child in node.child_range() {
            for edges in self.contours.loops(child) {
                let ends = edges.iter().skip(1).chain(edges.first()).map(|e| e.vertex);
                let all = edges.iter().zip(ends);
                let outside = all.filter(|(edge, _)| !node.holds(edge.outer));
                sides.extend(outside.map(|(edge, to)| Side { from: edge.vertex, to, outer: edge.outer }));
            }
        }
        sides
    }
}

/// Which sides of triangles have a side of another of them on the other side.
fn twins_within(triangles: &[(u32, [u32; 3])]) -> Vec<[bool; 3]> {
    // A table with open addressing: for each edge the first two sides that have it.
    let size = (6 * triangles.len()).next_power_of_two().max(2);
    let mut table: Vec<[u32; 2]> = vec![[NONE; 2]; size];
    let side = |s: u32| {
        let ((_, c), k) = (triangles[s as usize / 3], s as usize % 3);
        [c[k], c[(k + 1) % 3]]
    };
    let mut is_within = vec![[false; 3]; triangles.len()];
    for s in 0..3 * triangles.len() as u32 {
        let [u, v] = side(s);
        let key = u64::from(u.min(v)) << 32 | u64::from(u.max(v));
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (size - 1);
        while table[at][0] != NONE && side(table[at][0]) != [u, v] && side(table[at][0]) != [v, u] {
            at = (at + 1) & (size - 1);
        }
        match &mut table[at] {
            [first, _] if *first == NONE => *first = s,
            [first, second] => {
                // Two in opposite directions, of different triangles; a third takes that back.
                let is_twin = *second == NONE && u != v && side(*first) == [v, u] && *first / 3 != s / 3;
                *second = if *second == NONE { s } else { *second };
                for s in [*first, *second] {
                    is_within[s as usize / 3][s as usize % 3] = is_twin;
                }
            }
        }
    }
    is_within
}

/// Links edges of contours; what it needs is kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The first edge from each vertex, none between two calls, and for each edge the next one from the same vertex.
    first_from: Vec<u32>,
    next_from: Vec<u32>,
    edges: Vec<ContourEdge>,
    /// Where each loop ends.
    ends: Vec<usize>,
}

impl Links {
    /// Links edges into closed walks; `None` when they are not closed. Where several edges leave a vertex any of them will do:
    /// a contour that passes a vertex twice touches itself, however it is walked.
    fn link(
        &mut self,
        sides: &[Side],
        vertices: usize,
    ) -> Option<impl Iterator<Item = &[ContourEdge]> + use<'_>> {
        let Self { first_from, next_from, edges, ends } = self;
        first_from.resize(vertices.max(first_from.len()), NONE);
        next_from.clear();
        next_from.resize(sides.len(), NONE);
        edges.clear();
        ends.clear();
        for (i, side) in sides.iter().enumerate().rev() {
            next_from[i] = std::mem::replace(&mut first_from[side.from as usize], i as u32);
        }
        let mut is_closed = true;
        for start in sides {
            let mut at = start.from;
            // Every edge from this vertex may have been walked already.
            while first_from[at as usize] != NONE {
                let i = first_from[at as usize] as usize;
                first_from[at as usize] = next_from[i];
                edges.push(ContourEdge { vertex: at, outer: sides[i].outer });
                at = sides[i].to;
                if at == start.from {
                    ends.push(edges.len());
                    break;
                }
            }
            is_closed &= ends.last().copied().unwrap_or(0) == edges.len();
        }
        sides.iter().for_each(|side| first_from[side.from as usize] = NONE);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        is_closed.then(|| starts.zip(ends.iter()).map(|(from, &to)| &edges[from..to]))
    }
}
