//! Regions grow along common edges: triangles merge into patches, patches into regions.

use super::half_edges::{HalfEdges, NONE};
use super::merge::{Graph, MergeGroups};
use super::tree::Draft;
use crate::geometry::vector::{dot, sub};
use crate::geometry::{Point, triangle};

/// Merges triangles until unions would outgrow a patch. Returns the graph of patches and the patch of each triangle.
pub(crate) fn grow_patches(half_edges: &HalfEdges, positions: &[Point], patch: usize) -> (Graph, Vec<u32>) {
    let at = |v: u32| &positions[v as usize];
    let areas: Vec<f64> = half_edges.corners.iter().map(|c| triangle::area(&c.map(|v| *at(v)))).collect();
    let lengths: Vec<f32> = half_edges
        .corners
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .map(|(v, w)| {
            let d = sub(at(w), at(v));
            dot(&d, &d).sqrt() as f32
        })
        .collect();
    let mut graph = Graph::of_triangles(&half_edges.twins, &lengths, &areas);
    let mut clusters: Vec<u32> = (0..areas.len() as u32).collect();
    let full = patch as u32;
    let mut target = 2;
    while target < 2 * full {
        // Unions may exceed the doubled size by half, so that nothing is left alone among full neighbours.
        let before = graph.len();
        if let Some(groups) = graph.pairs_and_leftovers((target + target / 2).min(full)) {
            graph = graph.contract(&groups);
            clusters.iter_mut().for_each(|c| *c = groups.of[*c as usize]);
        }
        // Near the full size rounds go on while they still merge one region in 64.
        if target < full || graph.len() * 64 >= before * 63 {
            target *= 2;
        }
    }
    (graph, clusters)
}

/// Merges patches into regions until no neighbours are left; `round` says which merge. Returns the roots, each with its
/// first patch.
pub(crate) fn grow_regions(
    graph: Graph,
    pieces: &[Vec<u32>],
    round: impl Fn(&Graph) -> Option<MergeGroups>,
    draft: &mut Draft,
) -> Vec<(u32, u32)> {
    // Crumbs have no links, so they pass through the rounds as they are.
    let mut node = vec![NONE; graph.len()];
    let mut first = vec![NONE; graph.len()];
    for (patch, piece) in pieces.iter().enumerate() {
        node[piece[0] as usize] = patch as u32;
        first[piece[0] as usize] = patch as u32;
    }
    let mut graph = graph;
    while let Some(groups) = round(&graph) {
        let parts = groups.members();
        let children = |g: usize| -> Vec<u32> { parts.row(g).iter().map(|&r| node[r as usize]).collect() };
        let next: Vec<u32> = (0..groups.count).map(|g| draft.join(children(g), true)).collect();
        first = (0..groups.count).map(|g| first[parts.row(g)[0] as usize]).collect();
        node = next;
        graph = graph.contract(&groups);
    }
    node.into_iter().zip(first).filter(|&(n, _)| n != NONE).collect()
}
