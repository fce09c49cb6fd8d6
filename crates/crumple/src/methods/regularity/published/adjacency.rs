//! Adjacency as published (V9, V10, V11): a few vertices round each contour.
//!
//! Walk round a region and look at what lies across: the highest region that holds the triangle there and not the
//! region itself. Where that label changes, the vertex is stored. Two regions are taken for adjacent when a triangle
//! round a stored vertex of one belongs to the other. This finds nearly all adjacent pairs, not all: a region whose
//! label never changes stores nothing. A miss costs time, never a collision, and the default rules do without.

use crate::csr::Csr;
use crate::methods::regularity::hierarchy::{Hierarchy, NONE, Node};
use crate::{Mesh, VertexId};

/// The vertices where a label changes, by node, and the triangles round them.
#[derive(Debug)]
pub(crate) struct Adjacency {
    /// First entry of each node, and the number of entries last.
    starts: Vec<u32>,
    vertices: Vec<u32>,
    /// The ranks of the triangles round each vertex.
    ranks: Csr,
}

/// How long the lists of stored vertices are (V10: "hardly exceeds 6").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AdjacencyStats {
    /// Regions with a contour.
    pub regions: usize,
    /// Stored vertices in all.
    pub entries: usize,
    /// The longest list.
    pub longest: usize,
    /// Lists of more than six.
    pub beyond_six: usize,
    /// Regions that have a contour and store nothing.
    pub empty: usize,
}

/// Whether stored vertices tell all neighbours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ToldNeighbours {
    /// Pairs of regions with a common vertex, of which neither holds the other.
    pub neighbours: usize,
    /// Of these, pairs that the stored vertices do not tell.
    pub missed: usize,
}

impl Adjacency {
    /// Walks round every region.
    pub fn new(hierarchy: &Hierarchy, body: &Mesh) -> Self {
        let patches = &hierarchy.patches;
        let copies = &hierarchy.copies;
        let mut rank = vec![0u32; body.triangles().len()];
        (0..patches.triangle_count()).for_each(|i| rank[patches.id(i) as usize] = i as u32);
        let rank = &rank;
        let uses = (0..body.vertex_count() as u32).flat_map(|v| {
            let own = body.topology().triangles_at(VertexId(v)).iter().filter(|t| !copies.is_copy(t.0));
            own.map(move |t| (v, rank[t.index()]))
        });
        let ranks = Csr::from_pairs(body.vertex_count(), uses);
        let mut lists = Self { starts: vec![0], vertices: Vec::new(), ranks };
        let nodes = &hierarchy.tree.nodes;
        for n in 0..nodes.len() {
            for edges in hierarchy.contours.loops(n) {
                let label = |i: usize| label(nodes, n, edges[i].outer);
                let mut last = label(edges.len() - 1);
                for (i, edge) in edges.iter().enumerate() {
                    let here = label(i);
                    if here != last {
                        lists.vertices.push(edge.vertex);
                    }
                    last = here;
                }
            }
            lists.starts.push(lists.vertices.len() as u32);
        }
        lists
    }

    /// The vertices stored round a node.
    pub fn stored(&self, n: usize) -> &[u32] {
        &self.vertices[self.starts[n] as usize..self.starts[n + 1] as usize]
    }

    /// Whether a triangle round a stored vertex of one belongs to the other.
    pub fn are_adjacent(&self, hierarchy: &Hierarchy, a: usize, b: usize) -> bool {
        let nodes = &hierarchy.tree.nodes;
        let leads_to = |from: usize, to: &Node| {
            self.stored(from).iter().any(|&v| self.ranks.row(v as usize).iter().any(|&p| to.holds(p)))
        };
        leads_to(a, &nodes[b]) || leads_to(b, &nodes[a])
    }

    /// Looks at every two regions of which neither holds the other. Takes the square of their number.
    pub fn told(&self, hierarchy: &Hierarchy, body: &Mesh) -> ToldNeighbours {
        let nodes = &hierarchy.tree.nodes;
        let holds = |n: usize, v: usize| self.ranks.row(v).iter().any(|&rank| nodes[n].holds(rank));
        let mut of: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for v in 0..body.vertex_count() {
            (0..nodes.len()).filter(|&n| nodes[n].is_region && holds(n, v)).for_each(|n| of[n].push(v));
        }
        let mut told = ToldNeighbours::default();
        for (a, first) in nodes.iter().enumerate() {
            for (b, second) in nodes.iter().enumerate().take(a) {
                let apart =
                    first.triangles[1] <= second.triangles[0] || second.triangles[1] <= first.triangles[0];
                if apart && of[a].iter().any(|v| of[b].binary_search(v).is_ok()) {
                    told.neighbours += 1;
                    told.missed += usize::from(!self.are_adjacent(hierarchy, a, b));
                }
            }
        }
        told
    }

    /// How long the lists are.
    pub fn stats(&self, hierarchy: &Hierarchy) -> AdjacencyStats {
        let mut stats = AdjacencyStats::default();
        for n in 0..hierarchy.tree.nodes.len() {
            if hierarchy.contours.edges(n).is_empty() {
                continue;
            }
            let length = self.stored(n).len();
            stats.regions += 1;
            stats.entries += length;
            stats.longest = stats.longest.max(length);
            stats.beyond_six += usize::from(length > 6);
            stats.empty += usize::from(length == 0);
        }
        stats
    }
}

/// The highest region that holds the triangle with a rank and not the node; `None` stands for outside.
pub(super) fn label(nodes: &[Node], n: usize, rank: u32) -> Option<usize> {
    if rank == NONE {
        return None;
    }
    let mut above = n;
    while !nodes[above].holds(rank) {
        above = nodes[above].parent as usize;
    }
    nodes[above].child_range().find(|&child| nodes[child].holds(rank))
}
