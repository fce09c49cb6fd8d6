//! The hierarchy of regions of one body: built once per topology, from triangles up.

mod contours;
mod copies;
mod gather;
mod grow;
mod half_edges;
mod merge;
mod repair;
mod retrace;
mod shared_vertices;
mod tree;
mod upkeep;

pub(crate) use self::contours::{ContourEdge, Contours};
pub(crate) use self::copies::{Copies, pairs_of_copies};
pub(crate) use self::half_edges::{HalfEdges, NONE, next};
#[cfg(feature = "published")]
pub(crate) use self::merge::shape_factor;
pub(crate) use self::merge::{Graph, MergeGroups};
pub(crate) use self::repair::{Edited, Repaired};
pub(crate) use self::shared_vertices::SharedVertices;
pub(crate) use self::tree::{Node, Tree};

use self::gather::{Placed, centre, gather, into_rows, pack_crumbs};
use self::grow::{grow_patches, grow_regions};
use self::merge::members;
use self::tree::Draft;
use self::upkeep::Upkeep;
use super::one_ring::OneRings;
use crate::Mesh;
use crate::geometry::Point;
use crate::geometry::predicates::exponent;
use crate::patches::Patches;

/// What the topology of one body gives, once.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    pub copies: Copies,
    /// All triangles but copies, in the order of the tree: places are ranks.
    pub patches: Patches,
    pub tree: Tree,
    pub contours: Contours,
    pub one_rings: OneRings,
    pub shared_vertices: SharedVertices,
    /// What repairs need; made by the first.
    upkeep: Option<Box<Upkeep>>,
}

impl Hierarchy {
    /// Builds the hierarchy of a body, with two children to a node and patches of at most so many triangles, in the pose of
    /// `positions`, which only guides the shapes of regions.
    pub fn new(body: &Mesh, positions: &[Point], patch_size: usize) -> Self {
        Self::by_rounds(body, positions, patch_size, Graph::pairs)
    }

    /// The same where `round` says which regions merge.
    pub fn by_rounds(
        body: &Mesh,
        positions: &[Point],
        patch_size: usize,
        round: impl Fn(&Graph) -> Option<MergeGroups>,
    ) -> Self {
        let copies = Copies::new(body);
        let half_edges = HalfEdges::new(body, &copies);
        let positions = &within_unit(positions)[..];
        let centres: Vec<Point> = half_edges
            .corners
            .iter()
            .map(|c| {
                let [p, q, r] = c.map(|v| positions[v as usize]);
                std::array::from_fn(|k| (p[k] + q[k] + r[k]) / 3.0)
            })
            .collect();
        let (graph, clusters) = grow_patches(&half_edges, positions, patch_size);
        let mut triangles = members(&clusters, graph.len());
        let (pieces, is_region) = pack_crumbs(&graph, &triangles, &centres, patch_size, &copies);
        let size = |p: &Vec<u32>| p.iter().map(|&c| graph.size[c as usize]).sum();
        let sizes: Vec<u32> = pieces.iter().map(size).collect();
        let centre_of = |piece: &[u32]| {
            centre(piece.iter().flat_map(|&c| triangles.row(c as usize)).map(|&t| &centres[t as usize]))
        };
        let piece_centres: Vec<Point> = pieces.iter().map(|p| centre_of(p)).collect();

        let mut draft = Draft::of_patches(is_region);
        let roots = grow_regions(graph, &pieces, round, &mut draft);
        // A root stands where its first patch does: clusters gather whole components, near enough is enough.
        let mut items: Vec<Placed> =
            roots.into_iter().map(|(node, patch)| (piece_centres[patch as usize], node)).collect();
        let (tree, order) = if items.is_empty() {
            (Tree::default(), Vec::new())
        } else {
            let root = gather(&mut items, &mut draft);
            Tree::lay_out(&draft, root, &sizes)
        };

        let mut ids = Vec::with_capacity(half_edges.corners.len());
        for &patch in &order {
            let first = ids.len();
            for &c in &pieces[patch as usize] {
                ids.extend_from_slice(triangles.row_mut(c as usize));
            }
            into_rows(&mut ids[first..], |t| centres[t as usize]);
        }
        let one_rings = OneRings::new(&half_edges, body, &copies);
        let in_order = half_edges.reordered(&ids);
        let patches =
            Patches::new(&half_edges.corners, ids, order.iter().map(|&p| sizes[p as usize] as usize));
        let contours = Contours::trace(&tree, &in_order);
        let shared_vertices = SharedVertices::new(&patches, body.vertex_count());
        Self { copies, patches, tree, contours, one_rings, shared_vertices, upkeep: None }
    }
}

/// Positions times a power of two that takes them into [−1, 1]³, so that no area or length underflows or overflows.
/// Exact, but for coordinates that are nothing beside the largest.
fn within_unit(positions: &[Point]) -> Vec<Point> {
    let largest = positions.as_flattened().iter().fold(0f64, |m, x| if x.abs() > m { x.abs() } else { m });
    // Two factors, since the inverse of a subnormal number is no finite power of two.
    let shift = -1 - exponent(largest);
    let factors = [shift / 2, shift - shift / 2].map(|e| f64::from_bits(((1023 + e) as u64) << 52));
    positions.iter().map(|p| p.map(|x| x * factors[0] * factors[1])).collect()
}
