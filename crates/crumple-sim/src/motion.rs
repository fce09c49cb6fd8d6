//! How differently things move: a tree over the vertices of each body, asked "how much closer can two features have come?".

use glam::DVec3;

use crate::body::Body;
use crate::order::{larger, lower, smaller, upper};

/// Trees over the surfaces of all bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Motions {
    nodes: Vec<Node>,
    /// Vertices of the surfaces, leaf after leaf.
    members: Vec<u32>,
    /// Vertices of all triangles at a leaf's vertices, leaf after leaf.
    closure: Vec<u32>,
    /// The nodes of each body's tree, its root last; none of a body without a surface.
    trees: Vec<[u32; 2]>,
}

/// Vertices of a patch, at most: the nodes for which a search is planned.
const PATCH: usize = 4;

/// Some vertices of a body; one for a leaf.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// Both halves; the same twice for a leaf.
    children: [u32; 2],
    members: [u32; 2],
    closure: [u32; 2],
    /// Whether it is a patch, or in one.
    is_small: bool,
    /// How far its vertices reach at least.
    reach: f64,
    /// The box of all elements at its vertices when near pairs were last looked for.
    low: DVec3,
    high: DVec3,
    /// The box of all displacements.
    least: DVec3,
    most: DVec3,
}

impl Node {
    pub fn is_leaf(&self) -> bool {
        self.children[0] == self.children[1]
    }

    /// How far the boxes of two nodes are apart.
    #[inline]
    pub fn distance(&self, other: &Self) -> f64 {
        self.distance_sq(other).sqrt()
    }

    /// No two displacements, one of each, differ by more.
    #[inline]
    pub fn difference(&self, other: &Self) -> f64 {
        self.difference_sq(other).sqrt()
    }

    /// Of each axis one of the two is positive, and the larger is the furthest apart that displacements are.
    #[inline]
    fn difference_sq(&self, other: &Self) -> f64 {
        upper(self.most - other.least, other.most - self.least).length_squared()
    }

    /// How differently its own displacements are.
    #[inline]
    fn spread_sq(&self) -> f64 {
        (self.most - self.least).length_squared()
    }

    /// Whether no feature at one can have met a feature at the other: displacements differ by less than both reach, or less than the boxes
    /// are apart, of which only the part `kept` counts. This is asked some 10⁵ times a frame, so that no roots are taken.
    #[inline]
    pub fn is_apart(&self, other: &Self, kept: f64) -> bool {
        let (closer_sq, kept_sq) = (self.difference_sq(other), kept * kept);
        let reach = self.reach + other.reach;
        closer_sq < reach * reach * kept_sq || closer_sq < self.distance_sq(other) * kept_sq
    }

    #[inline]
    fn distance_sq(&self, other: &Self) -> f64 {
        upper(upper(other.low - self.high, self.low - other.high), DVec3::ZERO).length_squared()
    }

    /// The vertex of a leaf, by its place in the list of members.
    fn place(&self) -> usize {
        self.members[0] as usize
    }
}

impl Motions {
    pub fn new(bodies: &[Body]) -> Self {
        let mut motions = Self::default();
        for body in bodies {
            let mut vertices = surface_vertices(body);
            let first = motions.nodes.len() as u32;
            if !vertices.is_empty() {
                motions.split(body, &mut vertices);
            }
            motions.trees.push([first, motions.nodes.len() as u32]);
        }
        motions
    }

    /// Halves a set of vertices along its longest axis at rest until it is small. Children come before their parent.
    fn split(&mut self, body: &Body, vertices: &mut [u32]) -> u32 {
        let mut node = Node { is_small: vertices.len() <= PATCH, ..Node::default() };
        if vertices.len() > 1 {
            let at = |v: &u32| body.rest[*v as usize];
            let low = vertices.iter().map(at).reduce(DVec3::min).unwrap_or_default();
            let high = vertices.iter().map(at).reduce(DVec3::max).unwrap_or_default();
            let axis = (high - low).max_position();
            let middle = vertices.len() / 2;
            vertices
                .select_nth_unstable_by(middle, |v, w| at(v)[axis].total_cmp(&at(w)[axis]).then(v.cmp(w)));
            let (left, right) = vertices.split_at_mut(middle);
            node.children = [self.split(body, left), self.split(body, right)];
        } else {
            let topology = body.mesh.topology();
            let mut closure: Vec<u32> = vertices.to_vec();
            for v in vertices.iter() {
                let triangles = topology.triangles_at(crumple::VertexId(*v));
                closure.extend(triangles.iter().flat_map(|t| body.mesh.triangles()[t.index()]).map(|v| v.0));
            }
            closure.sort_unstable();
            closure.dedup();
            let first = body.first as u32;
            let put = |all: &mut Vec<u32>, new: &[u32]| {
                let begin = all.len() as u32;
                all.extend(new.iter().map(|v| first + v));
                [begin, all.len() as u32]
            };
            node.members = put(&mut self.members, vertices);
            node.closure = put(&mut self.closure, &closure);
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Halves the vertices of a body of points anew, by where they are: points go their own ways, and what was near at rest is not for long.
    pub fn gather(&mut self, body: usize, x: &[DVec3]) {
        let tree = range(self.trees[body]);
        let Some(root) = tree.clone().next_back() else { return };
        let leaves = tree.filter(|&i| self.nodes[i].is_leaf());
        let mut vertices: Vec<u32> = leaves.map(|i| self.members[self.nodes[i].place()]).collect();
        self.settle(root, &mut vertices, x);
    }

    fn settle(&mut self, node: usize, vertices: &mut [u32], x: &[DVec3]) {
        if let [v] = *vertices {
            let Node { members, closure, .. } = self.nodes[node];
            (self.members[members[0] as usize], self.closure[closure[0] as usize]) = (v, v);
            return;
        }
        let at = |v: &u32| x[*v as usize];
        let (low, high) = bounds(vertices.iter().map(at));
        let axis = (high - low).max_position();
        let middle = vertices.len() / 2;
        vertices.select_nth_unstable_by(middle, |v, w| at(v)[axis].total_cmp(&at(w)[axis]).then(v.cmp(w)));
        let (left, right) = vertices.split_at_mut(middle);
        let [a, b] = self.nodes[node].children.map(|c| c as usize);
        self.settle(a, left, x);
        self.settle(b, right, x);
    }

    /// The boxes of the elements of a body's nodes.
    pub fn enclose(&mut self, body: usize, x: &[DVec3]) {
        for i in range(self.trees[body]) {
            let node = &self.nodes[i];
            let (low, high) = if node.is_leaf() {
                bounds(self.closure[range(node.closure)].iter().map(|v| x[*v as usize]))
            } else {
                let [a, b] = node.children.map(|c| &self.nodes[c as usize]);
                (lower(a.low, b.low), upper(a.high, b.high))
            };
            (self.nodes[i].low, self.nodes[i].high) = (low, high);
        }
    }

    /// The displacements of the vertices of a body's nodes.
    pub fn measure(&mut self, body: usize, displacement: impl Fn(usize) -> DVec3) {
        for i in range(self.trees[body]) {
            let node = &self.nodes[i];
            if node.is_leaf() {
                let own = displacement(self.members[node.place()] as usize);
                (self.nodes[i].least, self.nodes[i].most) = (own, own);
            } else {
                let [a, b] = node.children.map(|c| &self.nodes[c as usize]);
                let (least, most) = (lower(a.least, b.least), upper(a.most, b.most));
                (self.nodes[i].least, self.nodes[i].most) = (least, most);
            }
        }
    }

    /// How far the vertices of a body's surface reach at least; any distance if there is none.
    pub fn least_reach(&self, body: usize) -> f64 {
        let [begin, end] = self.trees[body];
        if begin < end { self.nodes[end as usize - 1].reach } else { f64::INFINITY }
    }

    /// The vertex of a leaf.
    pub fn vertex(&self, leaf: &Node) -> u32 {
        self.members[leaf.place()]
    }

    /// Gives every vertex of a body a reach: that of its patch, by the patch's root.
    pub fn set_reach(&mut self, body: usize, of_patch: &[f64], of_vertex: &mut [f64]) {
        // Children come before their parents, so patches are filled from above.
        let tree = range(self.trees[body]);
        let first = tree.start;
        let mut inherited = of_patch[tree.clone()].to_vec();
        for i in tree.clone().rev() {
            let node = &self.nodes[i];
            let own = inherited[i - first];
            if node.is_leaf() {
                let v = self.members[node.place()] as usize;
                of_vertex[v] += own;
            } else {
                for c in node.children {
                    let below = &mut inherited[c as usize - first];
                    *below = larger(*below, own);
                }
            }
        }
        for i in tree {
            let node = &self.nodes[i];
            self.nodes[i].reach = if node.is_leaf() {
                of_vertex[self.members[node.place()] as usize]
            } else {
                let [a, b] = node.children.map(|c| &self.nodes[c as usize]);
                smaller(a.reach, b.reach)
            };
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Goes down two bodies' trees (or one body's with itself) together to their vertices, as long as `deeper` says so of two nodes.
    pub fn descend(&self, pair: [usize; 2], mut deeper: impl FnMut(&Node, &Node) -> bool) {
        self.walk(pair, Node::is_leaf, |i, j| deeper(&self.nodes[i], &self.nodes[j]));
    }

    /// The same to patches; `deeper` gets the nodes with their numbers, and whether both are patches.
    pub fn descend_patches(
        &self,
        pair: [usize; 2],
        mut deeper: impl FnMut([usize; 2], [&Node; 2], bool) -> bool,
    ) {
        self.walk(
            pair,
            |node| node.is_small,
            |i, j| {
                let [p, q] = [&self.nodes[i], &self.nodes[j]];
                deeper([i, j], [p, q], p.is_small && q.is_small)
            },
        );
    }

    fn walk(
        &self,
        [a, b]: [usize; 2],
        is_bottom: impl Fn(&Node) -> bool,
        mut deeper: impl FnMut(usize, usize) -> bool,
    ) {
        let root = |[begin, end]: [u32; 2]| (begin < end).then(|| end - 1);
        let (Some(a), Some(b)) = (root(self.trees[a]), root(self.trees[b])) else { return };
        // Of many bodies most pairs end here, without a stack.
        if !deeper(a as usize, b as usize) {
            return;
        }
        let mut stack = vec![(a, b)];
        while let Some((i, j)) = stack.pop() {
            let (p, q) = (&self.nodes[i as usize], &self.nodes[j as usize]);
            let [[a, b], [c, d]] = [p.children, q.children];
            let mut go = |i: u32, j: u32| {
                if deeper(i as usize, j as usize) {
                    stack.push((i, j));
                }
            };
            if i == j {
                if !is_bottom(p) {
                    go(a, a);
                    go(a, b);
                    go(b, b);
                }
            } else if !is_bottom(p) && (is_bottom(q) || p.spread_sq() >= q.spread_sq()) {
                go(a, j);
                go(b, j);
            } else if !is_bottom(q) {
                go(i, c);
                go(i, d);
            }
        }
    }
}

fn range([begin, end]: [u32; 2]) -> std::ops::Range<usize> {
    begin as usize..end as usize
}

#[inline]
fn bounds(points: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (lower(l, p), upper(h, p)))
}

/// The vertices that can meet something: those of triangles, and loose ones of a body of points.
fn surface_vertices(body: &Body) -> Vec<u32> {
    let mut vertices: Vec<u32> = body.mesh.triangles().iter().flatten().map(|v| v.0).collect();
    if !body.mesh.is_solid() {
        vertices.extend(body.mesh.topology().unused_vertices().iter().map(|v| v.0));
    }
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}
