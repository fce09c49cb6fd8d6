//! Contours of regions: closed walks along the half-edges whose other side is not in the region.
//!
//! Each edge knows the rank of the triangle across its edge. Since a region is an interval of ranks, the contour of
//! the union of two regions is found by dropping the edges that lead from one into the other: no marks, no search.

use std::ops::Range;

use super::half_edges::{HalfEdges, NONE, next};
use super::tree::{Node, Tree};

/// An edge of a contour, the region on its left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContourEdge {
    /// Where it starts; it ends where the next edge of the loop starts.
    pub vertex: u32,
    /// The rank of the triangle on its right, or `u32::MAX` where no region can continue.
    pub outer: u32,
}

/// The contours of all nodes that are regions.
#[derive(Debug, Default)]
pub(crate) struct Contours {
    /// First loop of each node, and the one behind its last.
    nodes: Vec<[u32; 2]>,
    /// First edge of each loop, and the one behind its last. The loops of a node follow each other.
    loops: Vec<[u32; 2]>,
    edges: Vec<ContourEdge>,
    /// How many edges nodes have.
    used: usize,
}

impl Contours {
    /// Walks the contour of every region.
    pub fn trace(tree: &Tree, half_edges: &HalfEdges) -> Self {
        let mut trace = Trace {
            half_edges,
            walked: vec![NONE; half_edges.twins.len()],
            edges: Vec::new(),
            loops: Vec::new(),
            nodes: vec![[0; 2]; tree.nodes.len()],
        };
        // Children stand behind their parents, so that their half-edges are known first.
        for n in (0..tree.nodes.len()).rev() {
            trace.node(n, &tree.nodes);
        }
        trace.finish(tree)
    }

    /// The loops of a node.
    #[inline]
    pub fn loops(&self, node: usize) -> impl ExactSizeIterator<Item = &[ContourEdge]> + Clone {
        let [first, end] = self.nodes[node];
        let loops = self.loops[first as usize..end as usize].iter();
        loops.map(move |&[first, end]| &self.edges[first as usize..end as usize])
    }

    /// The edges of all loops of a node.
    #[inline]
    pub fn edges(&self, node: usize) -> &[ContourEdge] {
        let [first, end] = self.nodes[node];
        if first == end {
            return &[];
        }
        let [first, end] = [self.loops[first as usize][0], self.loops[end as usize - 1][1]];
        &self.edges[first as usize..end as usize]
    }

    /// Makes room for nodes: some before the others, and as many in all.
    pub fn resize(&mut self, before: usize, nodes: usize) {
        self.nodes.splice(0..0, std::iter::repeat_n([0; 2], before));
        self.nodes.resize(nodes, [0; 2]);
    }

    /// Gives a node these loops; those of before are left where they are, unused.
    pub fn rewrite<L: AsRef<[ContourEdge]>>(&mut self, node: usize, loops: impl IntoIterator<Item = L>) {
        self.used -= self.edges(node).len();
        let first = self.loops.len() as u32;
        for edges in loops {
            let from = self.edges.len() as u32;
            self.edges.extend_from_slice(edges.as_ref());
            self.loops.push([from, self.edges.len() as u32]);
        }
        self.nodes[node] = [first, self.loops.len() as u32];
        self.used += self.edges(node).len();
    }

    /// Closes the gaps that nodes with new loops left, when these are more than half of all.
    pub fn compact(&mut self) {
        if self.edges.len() <= 2 * self.used + (1 << 12) {
            return;
        }
        let old = std::mem::take(self);
        self.nodes.resize(old.nodes.len(), [0; 2]);
        self.edges.reserve(old.used);
        for n in 0..old.nodes.len() {
            self.rewrite(n, old.loops(n));
        }
    }
}

struct Trace<'h> {
    half_edges: &'h HalfEdges,
    /// The node that walked each half-edge last.
    walked: Vec<u32>,
    /// Half-edges of all loops so far, last node first.
    edges: Vec<u32>,
    /// First half-edge of each loop so far.
    loops: Vec<u32>,
    /// Loops of each node so far.
    nodes: Vec<[u32; 2]>,
}

impl Trace<'_> {
    fn node(&mut self, n: usize, nodes: &[Node]) {
        let node = &nodes[n];
        let first_loop = self.loops.len() as u32;
        if node.is_leaf() && node.is_region {
            for start in 3 * node.triangles[0]..3 * node.triangles[1] {
                self.walk(start, n as u32, node);
            }
        } else if node.is_region {
            for child in node.child_range() {
                for e in self.edge_range(child) {
                    self.walk(self.edges[e], n as u32, node);
                }
            }
        }
        self.nodes[n] = [first_loop, self.loops.len() as u32];
    }

    fn edge_range(&self, node: usize) -> Range<usize> {
        let [first, last] =
            self.nodes[node].map(|l| self.loops.get(l as usize).map_or(self.edges.len(), |&s| s as usize));
        first..last
    }

    fn is_border(&self, half_edge: u32, node: &Node) -> bool {
        let twin = self.half_edges.twins[half_edge as usize];
        twin == NONE || !node.holds(twin / 3)
    }

    /// Walks the loop through `start` unless it was walked for this node or is no border.
    fn walk(&mut self, start: u32, n: u32, node: &Node) {
        if self.walked[start as usize] == n || !self.is_border(start, node) {
            return;
        }
        self.loops.push(self.edges.len() as u32);
        let mut at = start;
        loop {
            self.walked[at as usize] = n;
            self.edges.push(at);
            // Round the end vertex inside the region to the next border. This ends: going back from the first
            // half-edge of the turn one would have to cross `at`, which is a border.
            at = next(at);
            while !self.is_border(at, node) {
                at = next(self.half_edges.twins[at as usize]);
            }
            if at == start {
                return;
            }
        }
    }

    fn finish(self, tree: &Tree) -> Contours {
        let mut out = Contours {
            nodes: Vec::with_capacity(tree.nodes.len()),
            loops: Vec::with_capacity(self.loops.len()),
            edges: Vec::with_capacity(self.edges.len()),
            used: 0,
        };
        let end = |l: usize| self.loops.get(l + 1).map_or(self.edges.len(), |&s| s as usize);
        for &[first, last] in &self.nodes {
            let loops = (first as usize..last as usize).map(|l| {
                let edges = self.edges[self.loops[l] as usize..end(l)].iter();
                edges.map(|&h| self.edge(h)).collect::<Vec<_>>()
            });
            out.nodes.push([0; 2]);
            out.rewrite(out.nodes.len() - 1, loops);
        }
        out
    }

    fn edge(&self, half_edge: u32) -> ContourEdge {
        let twin = self.half_edges.twins[half_edge as usize];
        let outer = if twin == NONE { NONE } else { twin / 3 };
        ContourEdge { vertex: self.half_edges.start(half_edge), outer }
    }
}
