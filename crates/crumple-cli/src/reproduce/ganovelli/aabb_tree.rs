//! The rival that section 4 names: van den Bergen's tree of boxes, built once and refitted.
//!
//! G. van den Bergen: *Efficient Collision Detection of Complex Deformable Models using AABB Trees*, 1997. A node's
//! primitives are parted at the middle of the longest side of its box, by their centres; when all lie on one side, half of
//! them go each way. After a deformation boxes are refitted from the leaves upward. In world coordinates, so that no
//! rotation has to be told apart from the deformation, as in the bucket tree.

use crumple::{Mesh, Positions};

type Box3 = [[f64; 3]; 2];

/// An inner node has two children that follow each other; a leaf has one primitive.
enum Node {
    Inner(u32),
    Leaf(u32),
}

/// A tree over the triangles of one body.
pub struct AabbTree {
    nodes: Vec<Node>,
    boxes: Vec<Box3>,
    /// Boxes of the triangles.
    leaves: Vec<Box3>,
}

fn joined(a: &Box3, b: &Box3) -> Box3 {
    [std::array::from_fn(|k| a[0][k].min(b[0][k])), std::array::from_fn(|k| a[1][k].max(b[1][k]))]
}

fn overlap(a: &Box3, b: &Box3) -> bool {
    (0..3).all(|k| a[0][k] <= b[1][k] && b[0][k] <= a[1][k])
}

fn leaf_boxes(mesh: &Mesh, at: Positions<'_>, out: &mut Vec<Box3>) {
    out.clear();
    out.extend(mesh.triangles().iter().map(|t| {
        let [a, b, c] = t.map(|v| at.get(v.index()));
        [std::array::from_fn(|k| a[k].min(b[k]).min(c[k])), std::array::from_fn(|k| a[k].max(b[k]).max(c[k]))]
    }));
}

impl AabbTree {
    /// Builds the tree from the top.
    pub fn new(mesh: &Mesh, at: Positions<'_>) -> Self {
        let mut tree = Self { nodes: Vec::new(), boxes: Vec::new(), leaves: Vec::new() };
        leaf_boxes(mesh, at, &mut tree.leaves);
        let mut order: Vec<u32> = (0..tree.leaves.len() as u32).collect();
        tree.nodes.push(Node::Leaf(0));
        tree.boxes.push([[0.0; 3]; 2]);
        if !order.is_empty() {
            tree.split(0, &mut order);
        }
        tree
    }

    fn split(&mut self, node: usize, order: &mut [u32]) {
        let whole = order[1..]
            .iter()
            .fold(self.leaves[order[0] as usize], |a, t| joined(&a, &self.leaves[*t as usize]));
        self.boxes[node] = whole;
        if order.len() == 1 {
            self.nodes[node] = Node::Leaf(order[0]);
            return;
        }
        let side = |k: usize| whole[1][k] - whole[0][k];
        let axis = (0..3).fold(0, |best, k| if side(k) > side(best) { k } else { best });
        let twice = |t: u32| self.leaves[t as usize][0][axis] + self.leaves[t as usize][1][axis];
        let middle = whole[0][axis] + whole[1][axis];
        let mut left = 0;
        for i in 0..order.len() {
            if twice(order[i]) < middle {
                order.swap(i, left);
                left += 1;
            }
        }
        if left == 0 || left == order.len() {
            left = order.len() / 2;
        }
        let first = self.nodes.len();
        for _ in 0..2 {
            self.nodes.push(Node::Leaf(0));
            self.boxes.push(whole);
        }
        self.nodes[node] = Node::Inner(first as u32);
        let (a, b) = order.split_at_mut(left);
        self.split(first, a);
        self.split(first + 1, b);
    }

    /// New boxes for new places; children come after their parents, so that one pass backwards does.
    pub fn refit(&mut self, mesh: &Mesh, at: Positions<'_>) {
        leaf_boxes(mesh, at, &mut self.leaves);
        for n in (0..self.nodes.len()).rev() {
            self.boxes[n] = match self.nodes[n] {
                Node::Leaf(t) if self.leaves.is_empty() => {
                    debug_assert_eq!(t, 0);
                    self.boxes[n]
                }
                Node::Leaf(t) => self.leaves[t as usize],
                Node::Inner(first) => joined(&self.boxes[first as usize], &self.boxes[first as usize + 1]),
            };
        }
    }

    /// Pairs of triangles whose boxes overlap, and how many pairs of boxes were compared.
    pub fn pairs(&self, other: &Self, out: &mut Vec<[u32; 2]>) -> u64 {
        out.clear();
        if self.leaves.is_empty() || other.leaves.is_empty() {
            return 0;
        }
        let mut tests = 0;
        let mut waiting = vec![(0_usize, 0_usize)];
        while let Some((a, b)) = waiting.pop() {
            tests += 1;
            if !overlap(&self.boxes[a], &other.boxes[b]) {
                continue;
            }
            let extent = |x: &Box3| (0..3).map(|k| x[1][k] - x[0][k]).fold(0.0, f64::max);
            match (&self.nodes[a], &other.nodes[b]) {
                (Node::Leaf(s), Node::Leaf(t)) => out.push([*s, *t]),
                (Node::Inner(first), Node::Leaf(_)) => {
                    waiting.extend([(*first as usize, b), (*first as usize + 1, b)]);
                }
                (Node::Inner(first), Node::Inner(_)) if extent(&self.boxes[a]) >= extent(&other.boxes[b]) => {
                    waiting.extend([(*first as usize, b), (*first as usize + 1, b)]);
                }
                (_, Node::Inner(first)) => {
                    waiting.extend([(a, *first as usize), (a, *first as usize + 1)]);
                }
            }
        }
        tests
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::lab::Stage;

    #[test]
    fn all_pairs_of_boxes_are_found_after_a_refit() {
        let stage = Stage::of(crumple_scenes::papers::ganovelli::clouds("c", 200, 180.0, 5)).unwrap();
        let [first, last] = [0, 4].map(|f| stage.pose(f));
        let mut trees = [0, 1].map(|b| AabbTree::new(&stage.mesh.meshes()[b], Positions::from(&first.0[b])));
        for (b, tree) in trees.iter_mut().enumerate() {
            tree.refit(&stage.mesh.meshes()[b], Positions::from(&last.0[b]));
        }
        let [a, b] = &trees;
        let mut found = Vec::new();
        let tests = a.pairs(b, &mut found);
        found.sort_unstable();
        let mut truth = Vec::new();
        for (s, x) in a.leaves.iter().enumerate() {
            truth.extend(
                (0..b.leaves.len()).filter(|t| overlap(x, &b.leaves[*t])).map(|t| [s as u32, t as u32]),
            );
        }
        assert!(!truth.is_empty());
        assert_eq!(found, truth);
        assert!((tests as usize) < a.leaves.len() * b.leaves.len());
    }
}
