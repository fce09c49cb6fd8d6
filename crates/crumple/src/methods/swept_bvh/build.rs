//! A body as a BVH over patches: built once for each version of its mesh.

use super::moving_box::MovingBox;
use super::owned::OwnedEdges;
use crate::Mesh;
use crate::geometry::Point;
use crate::patches::{PatchInput, Patches, VertexOrder, halve};

/// The hierarchy of one body. A body without triangles has no nodes.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    /// The root first; the first child of an inner node follows it.
    pub nodes: Vec<Node>,
    pub patches: Patches,
    pub edges: OwnedEdges,
    /// Sum of the girths of all patches when it was built, in the units of the positions; infinite until then.
    pub girth_when_built: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub bounds: MovingBox,
    /// The second child of an inner node; 0 in a leaf.
    pub second: u32,
    /// The patch of a leaf.
    pub patch: u32,
}

impl Tree {
    /// Halves the triangles at the median of their centres along the longest extent until a patch holds them. Boxes are
    /// left to be refitted.
    pub fn new(mesh: &Mesh, positions: &[Point], patch_size: usize) -> Self {
        let triangles: &[[u32; 3]] = bytemuck::cast_slice(mesh.triangles());
        if triangles.is_empty() {
            return Self { girth_when_built: f64::INFINITY, ..Self::default() };
        }
        let mut items: Vec<(u32, Point)> = (0u32..)
            .zip(triangles)
            .map(|(i, t)| {
                let [a, b, c] = t.map(|v| positions[v as usize]);
                (i, std::array::from_fn(|k| a[k] + b[k] + c[k]))
            })
            .collect();
        let mut nodes = Vec::with_capacity(2 * triangles.len().div_ceil(patch_size));
        let mut sizes = Vec::with_capacity(triangles.len().div_ceil(patch_size));
        grow(&mut nodes, &mut sizes, &mut items, patch_size);
        let vertex_count = mesh.vertex_count();
        let ids = items.iter().map(|item| item.0).collect();
        let cut = PatchInput { triangles, vertex_count, ids, order: VertexOrder::OwnFirst, multiple: 1 };
        let patches = Patches::new(cut, sizes);
        let edges = OwnedEdges::new(&patches, vertex_count);
        Self { nodes, patches, edges, girth_when_built: f64::INFINITY }
    }
}

/// Makes the node of these triangles, and those below it. All patches but the last are full, as are their rows of lanes.
/// Halving the number of patches ends after 32 levels at most.
fn grow(nodes: &mut Vec<Node>, sizes: &mut Vec<usize>, items: &mut [(u32, Point)], patch_size: usize) {
    let node = nodes.len();
    let patches = items.len().div_ceil(patch_size);
    nodes.push(Node { bounds: MovingBox::EMPTY, second: 0, patch: sizes.len() as u32 });
    if patches == 1 {
        sizes.push(items.len());
        return;
    }
    let cut = patches / 2 * patch_size;
    let (low, high) = halve(items, cut, |item, k| item.1[k], |item| item.0.into());
    grow(nodes, sizes, low, patch_size);
    nodes[node].second = nodes.len() as u32;
    grow(nodes, sizes, high, patch_size);
}
