//! What repairs of a hierarchy need beside it: the way from triangles to patches, and from patches to leaves.

use super::half_edges::{NONE, oriented};
use super::retrace::Links;
use super::tree::{Node, Tree};
use crate::Mesh;
use crate::TriangleId;
use crate::geometry::Point;
use crate::patches::{NO_PATCH, Patches};

/// The way back from triangles to the tree, kept from the first repair on.
#[derive(Debug)]
pub(super) struct Upkeep {
    /// The patch of each triangle; [`NO_PATCH`] while it has none.
    pub patch_of: Vec<u32>,
    /// Whether each triangle is turned round in its patch.
    pub is_turned: Vec<bool>,
    /// The leaf of each patch.
    pub leaf_of: Vec<u32>,
    /// The rank that stands for each patch in contours. A patch that was split off another has that one's.
    pub rank_of: Vec<u32>,
    /// Patches of what has no neighbours, under the annex.
    pub annex: Vec<u32>,
    /// Triangles that came or went since the tree was built.
    pub changes: usize,
    /// Scratch of linking contours.
    pub links: Links,
}

/// The node that gathers what has no neighbours; its parent is the root.
pub(super) const ANNEX: usize = 1;

impl Upkeep {
    /// Looks at a hierarchy that was built for this body, and puts an empty annex beside everything: all nodes move two
    /// places on.
    pub fn new(body: &Mesh, patches: &mut Patches, tree: &mut Tree) -> Self {
        let count = body.triangle_count();
        let (mut patch_of, mut is_turned) = (vec![NO_PATCH; count], vec![false; count]);
        for p in 0..patches.len() {
            for (local, place) in patches.places(p).enumerate() {
                let id = patches.id(place);
                patch_of[id as usize] = p as u32;
                let corners = body.triangle(TriangleId(id)).map(|v| v.0);
                is_turned[id as usize] = patches.triangle(p, local) != corners;
            }
        }
        let annex = patches.len() as u32;
        patches.rewrite(annex as usize, &[]);
        let all = tree.nodes[0];
        let blank = Node { first_child: 0, children: 0, parent: 0, is_region: false, level: 0, ..all };
        let root = Node { first_child: ANNEX as u32, children: 2, patches: [0, annex + 1], ..blank };
        // No rank is in it, and none stands for it: what is there takes part in no region.
        let beside = Node { patches: [annex, annex + 1], triangles: [0; 2], level: 1, ..blank };
        for node in &mut tree.nodes {
            node.first_child += 2;
            node.parent += 2;
            node.level = node.level.saturating_add(1);
        }
        tree.nodes[0].parent = 0;
        tree.nodes.splice(0..0, [root, beside]);
        let mut leaf_of = vec![0; patches.len()];
        let mut rank_of = vec![NONE; patches.len()];
        for (n, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.is_leaf()) {
            leaf_of[node.patches[0] as usize] = n as u32;
            if node.size() > 0 {
                rank_of[node.patches[0] as usize] = node.triangles[0];
            }
        }
        Self {
            patch_of,
            is_turned,
            leaf_of,
            rank_of,
            annex: vec![annex],
            changes: 0,
            links: Links::default(),
        }
    }
}

/// The next version of a body, and what is known of its triangles.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub mesh: &'a Mesh,
    pub positions: &'a [Point],
}

impl Around<'_> {
    /// The corners of a triangle, turned as its patch has them.
    pub fn corners(&self, triangle: u32, upkeep: &Upkeep) -> [u32; 3] {
        let corners = self.mesh.triangle(TriangleId(triangle)).map(|v| v.0);
        oriented(corners, upkeep.is_turned[triangle as usize])
    }

    /// The other triangle of an edge of two.
    pub fn across(&self, triangle: u32, [u, v]: [u32; 2]) -> Option<u32> {
        let (mut sides, mut other) = (0, None);
        for t in self.mesh.adjacency().star(u) {
            let c = self.mesh.triangle(TriangleId(t)).map(|v| v.0);
            for k in 0..3 {
                let side = [c[k], c[(k + 1) % 3]];
                if side == [u, v] || side == [v, u] {
                    sides += 1;
                    other = if t == triangle { other } else { Some(t) };
                }
            }
        }
        other.filter(|_| sides == 2 && u != v)
    }

    /// The triangle across a side, as its triangle has it, where regions may continue: the edge is one of two triangles
    /// whose patches have it in opposite directions.
    pub fn twin(&self, triangle: u32, [u, v]: [u32; 2], upkeep: &Upkeep) -> Option<u32> {
        let other = self.across(triangle, [u, v])?;
        let c = self.corners(other, upkeep);
        (0..3).any(|k| [c[k], c[(k + 1) % 3]] == [v, u]).then_some(other)
    }

    /// The middle of a triangle.
    pub fn centre(&self, triangle: u32) -> Point {
        let [p, q, r] = self.mesh.triangle(TriangleId(triangle)).map(|v| self.positions[v.index()]);
        std::array::from_fn(|k| p[k] / 3.0 + q[k] / 3.0 + r[k] / 3.0)
    }
}
