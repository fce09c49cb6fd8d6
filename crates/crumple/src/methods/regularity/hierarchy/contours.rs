//! Contours of regions: closed walks along the half-edges whose other side is not in the region.
//!
//! Each edge knows the rank of the triangle across its edge. Since a region is an interval of ranks, the contour of
//! the union of two regions is found by dropping the edges that lead from one into the other: no marks, no search. What is left
//! are runs of edges, copied as they are; only where a run ends does a walk round the vertex say which is next. To walk along
//! every edge again took five times as long.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::half_edges::{HalfEdges, NONE, next};
use super::tree::{Node, Tree};
use crate::parallel;
use crate::patches::MAX_TRIANGLES;

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
    /// Finds the contour of every region: subtrees at the same time, then what is above them.
    pub(super) fn trace(tree: &Tree, ranks: &Ranks<'_>) -> Self {
        let (mut above, mut subtrees) = (Vec::new(), Vec::new());
        let mut open = if tree.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(n) = open.pop() {
            let node = &tree.nodes[n as usize];
            if node.is_leaf() || node.size() <= SUBTREE {
                subtrees.push(n);
            } else {
                above.push(n);
                open.extend(node.child_range().map(|child| child as u32));
            }
        }
        let parts =
            parallel::map(subtrees, &mut Trace::default(), |trace, root| trace.subtree(tree, ranks, root));
        let total = |of: fn(&Traced) -> usize| parts.iter().map(of).sum::<usize>() * 5 / 4;
        let mut nodes = vec![[0; 2]; tree.nodes.len()];
        let mut loops = Vec::with_capacity(total(|t| t.loops.len()));
        let mut edges = Vec::with_capacity(total(|t| t.edges.len()));
        // What is above begins with the loops of the roots of the subtrees.
        let (mut trace, mut known) = (Trace::default(), vec![[0; 2]; tree.nodes.len()]);
        for part in parts {
            let (first_loop, first_edge) = (loops.len() as u32, edges.len() as u32);
            part.nodes.iter().for_each(|&(n, own)| nodes[n as usize] = own.map(|l| l + first_loop));
            loops.extend(part.loops.iter().map(|ends| ends.map(|e| e + first_edge)));
            edges.extend_from_slice(&part.edges);
            if let Some(&(root, own)) = part.nodes.last() {
                known[root as usize] = trace.take(own, &part);
            }
        }
        let (seeds, first_edge) = (trace.loops.len() as u32, trace.edges.len());
        for n in above.into_iter().rev() {
            let node = &tree.nodes[n as usize];
            known[n as usize] = trace.node(node, node.child_range().map(|child| known[child]), ranks);
            nodes[n as usize] = known[n as usize].map(|l| l - seeds + loops.len() as u32);
        }
        let moved = |e: u32| e - first_edge as u32 + edges.len() as u32;
        loops.extend(trace.loops[seeds as usize..].iter().map(|ends| ends.map(moved)));
        edges.extend_from_slice(&trace.edges[first_edge..]);
        let used = edges.len();
        Self { nodes, loops, edges, used }
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

/// Where triangles stand: half-edges of triangles in the order of the tree, which differs from that of `half_edges`.
pub(super) struct Ranks<'a> {
    pub half_edges: &'a HalfEdges<'a>,
    /// The triangle of each rank.
    pub triangles: &'a [u32],
    /// The rank of each triangle.
    pub of: &'a [AtomicU32],
}

impl Ranks<'_> {
    /// What lies across a side of a triangle: the same side of the other, by ranks. [`NONE`] where no region can continue.
    fn twin(&self, side: u32) -> u32 {
        let twin = self.half_edges.twins[3 * self.triangles[side as usize / 3] as usize + side as usize % 3];
        if twin == NONE { NONE } else { 3 * self.of[twin as usize / 3].load(Relaxed) + twin % 3 }
    }

    /// The border of a region that follows a border of it.
    fn after(&self, side: u32, node: &Node) -> u32 {
        // Round the end vertex inside the region. This ends: going back from the first half-edge of the turn one would have to
        // cross `side`, which is a border.
        let mut at = next(side);
        loop {
            let twin = self.twin(at);
            if twin == NONE || !node.holds(twin / 3) {
                return at;
            }
            at = next(twin);
        }
    }
}

/// Triangles of a subtree that one thread traces.
const SUBTREE: u32 = 1 << 13;

/// Contours of some nodes, as they are traced.
#[derive(Default)]
struct Trace {
    edges: Vec<ContourEdge>,
    /// The side, by ranks, that each edge is.
    sides: Vec<u32>,
    /// First edge of each loop, and the one behind its last.
    loops: Vec<[u32; 2]>,
    runs: Vec<Run>,
}

/// Edges of a loop, one after the other, that are still borders of a union.
#[derive(Clone, Copy)]
struct Run {
    /// The side that begins it.
    side: u32,
    first: u32,
    count: u32,
    /// The loop that it is part of: it may go on at its beginning.
    within: [u32; 2],
    is_taken: bool,
}

/// The contours of a subtree.
struct Traced {
    /// The loops of each of its nodes, the root last.
    nodes: Vec<(u32, [u32; 2])>,
    loops: Vec<[u32; 2]>,
    edges: Vec<ContourEdge>,
    /// The sides that the edges of the root are, which are the last.
    sides: Vec<u32>,
}

impl Trace {
    /// The contours of all nodes below one, and its own.
    fn subtree(&mut self, tree: &Tree, ranks: &Ranks<'_>, root: u32) -> Traced {
        let (mut below, mut open) = (Vec::new(), vec![root]);
        while let Some(n) = open.pop() {
            below.push(n);
            open.extend(tree.nodes[n as usize].child_range().map(|child| child as u32));
        }
        self.edges.reserve(tree.nodes[root as usize].size() as usize);
        self.sides.clear();
        // Its nodes below the root are an interval, since it was numbered depth first.
        let first = below.get(1).map_or(0, |_| tree.nodes[root as usize].first_child as usize);
        let mut loops_of = vec![[0; 2]; below.len()];
        let mut nodes = Vec::with_capacity(below.len());
        for &n in below.iter().rev() {
            let node = &tree.nodes[n as usize];
            let children = node.child_range().map(|child| loops_of[child - first]);
            let loops = self.node(node, children, ranks);
            nodes.push((n, loops));
            if n != root {
                loops_of[n as usize - first] = loops;
            }
        }
        let [first, end] = nodes[nodes.len() - 1].1;
        let from = if first < end { self.loops[first as usize][0] as usize } else { self.sides.len() };
        let sides = self.sides[from..].to_vec();
        Traced {
            nodes,
            loops: std::mem::take(&mut self.loops),
            edges: std::mem::take(&mut self.edges),
            sides,
        }
    }

    /// Takes over the loops of a subtree's root.
    fn take(&mut self, [first, end]: [u32; 2], part: &Traced) -> [u32; 2] {
        let before = self.loops.len() as u32;
        let last = part.edges.len() - part.sides.len();
        let moved = |e: u32| e - last as u32 + self.edges.len() as u32;
        self.loops.extend(part.loops[first as usize..end as usize].iter().map(|ends| ends.map(moved)));
        self.edges.extend_from_slice(&part.edges[last..]);
        self.sides.extend_from_slice(&part.sides);
        [before, self.loops.len() as u32]
    }

    /// The loops of a node whose children have these.
    fn node(&mut self, node: &Node, children: impl Iterator<Item = [u32; 2]>, ranks: &Ranks<'_>) -> [u32; 2] {
        let first = self.loops.len() as u32;
        if node.is_region && node.is_leaf() {
            self.patch(node, ranks);
        } else if node.is_region {
            self.union(node, children, ranks);
        }
        [first, self.loops.len() as u32]
    }

    /// The contour of one patch.
    fn patch(&mut self, node: &Node, ranks: &Ranks<'_>) {
        let [first, end] = node.triangles;
        // Of each side the twin, and the rank of what lies across. Branch-free append of borders: every eighth side is one, an
        // unpredictable branch.
        let mut twins = [NONE; 3 * MAX_TRIANGLES];
        let mut outer = [NONE; 3 * MAX_TRIANGLES];
        let mut starts = [0; 3 * MAX_TRIANGLES];
        // Fetched before anything is computed, so that the reads, which are all over memory, overlap.
        for (i, &t) in ranks.triangles[first as usize..end as usize].iter().enumerate() {
            starts[3 * i..3 * i + 3].copy_from_slice(&ranks.half_edges.corners[t as usize]);
            twins[3 * i..3 * i + 3].copy_from_slice(&ranks.half_edges.twins[3 * t as usize..][..3]);
        }
        let count = 3 * (end - first) as usize;
        for (outer, &twin) in outer[..count].iter_mut().zip(&twins) {
            *outer = if twin == NONE { NONE } else { ranks.of[twin as usize / 3].load(Relaxed) };
        }
        let (mut borders, mut found) = ([0u32; 3 * MAX_TRIANGLES + 1], 0);
        for (side, &rank) in outer[..count].iter().enumerate() {
            borders[found] = side as u32;
            found += usize::from(!node.holds(rank));
        }
        let mut is_walked = [false; 3 * MAX_TRIANGLES];
        for &start in &borders[..found] {
            if is_walked[start as usize] {
                continue;
            }
            let from = self.edges.len() as u32;
            let mut at = start;
            loop {
                is_walked[at as usize] = true;
                self.edges.push(ContourEdge { vertex: starts[at as usize], outer: outer[at as usize] });
                self.sides.push(3 * first + at);
                // As in `Ranks::after`.
                at = next(at);
                while node.holds(outer[at as usize]) {
                    at = next(3 * (outer[at as usize] - first) + twins[at as usize] % 3);
                }
                if at == start {
                    break;
                }
            }
            self.loops.push([from, self.edges.len() as u32]);
        }
    }

    /// The contour of a union: what is left of the contours of its parts. Their edges stay in order but where some lead from
    /// one part into the other; there the walk round the vertex says how it goes on. It gets to the beginning of a run: the
    /// border before any other edge is, by the same walk within its part, the edge before it in its loop.
    fn union(&mut self, node: &Node, children: impl Iterator<Item = [u32; 2]>, ranks: &Ranks<'_>) {
        self.runs.clear();
        for child in children {
            for l in child[0]..child[1] {
                self.cut(self.loops[l as usize], node);
            }
        }
        self.runs.sort_unstable_by_key(|run| run.side);
        for i in 0..self.runs.len() {
            if self.runs[i].is_taken {
                continue;
            }
            let from = self.edges.len() as u32;
            let mut at = i;
            while !std::mem::replace(&mut self.runs[at].is_taken, true) {
                let last = self.append(self.runs[at]);
                let after = ranks.after(last, node);
                at = self.runs.binary_search_by_key(&after, |run| run.side).expect("a run begins there");
            }
            self.loops.push([from, self.edges.len() as u32]);
        }
    }

    /// Finds the runs of a loop of a part; one that is left whole is a loop of the union.
    fn cut(&mut self, within: [u32; 2], node: &Node) {
        let [from, to] = within;
        let gone = |edge: &ContourEdge| node.holds(edge.outer);
        let edges = &self.edges[from as usize..to as usize];
        let Some(gap) = edges.iter().position(gone) else {
            let range = from as usize..to as usize;
            let first = self.edges.len() as u32;
            self.edges.extend_from_within(range.clone());
            self.sides.extend_from_within(range);
            self.loops.push([first, self.edges.len() as u32]);
            return;
        };
        let (mut first, mut count) = (0, 0);
        // Round the loop from one gap to the same again.
        for place in (gap + 1..edges.len()).chain(0..=gap) {
            if !gone(&edges[place]) {
                first = if count == 0 { from + place as u32 } else { first };
                count += 1;
            } else if count > 0 {
                self.runs.push(Run {
                    side: self.sides[first as usize],
                    first,
                    count,
                    within,
                    is_taken: false,
                });
                count = 0;
            }
        }
    }

    /// Appends the edges of a run, and returns the last of its sides.
    fn append(&mut self, Run { first, count, within: [from, to], .. }: Run) -> u32 {
        let end = (first + count).min(to);
        let rest = from..from + (first + count - end);
        for range in [first..end, rest] {
            let range = range.start as usize..range.end as usize;
            self.edges.extend_from_within(range.clone());
            self.sides.extend_from_within(range);
        }
        self.sides[self.sides.len() - 1]
    }
}
