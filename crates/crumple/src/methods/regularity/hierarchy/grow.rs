//! Regions grow along common edges: clusters merge into patches, patches into regions.

use super::half_edges::NONE;
use super::merge::{Graph, MergeGroups};
use super::tree::Draft;

/// Merges clusters until unions would outgrow a patch. Returns the graph of patches and the patch of each cluster.
pub(crate) fn grow_patches(clusters: Graph, largest: usize, patch: usize) -> (Graph, Vec<u32>) {
    let mut graph = clusters;
    let mut union: Vec<u32> = (0..graph.len() as u32).collect();
    let full = patch as u32;
    let mut target = (2 * largest as u32).min(full);
    while target < 2 * full {
        // Unions may exceed the doubled size by half, so that nothing is left alone among full neighbours.
        let before = graph.len();
        if let Some(groups) = graph.pairs_and_leftovers((target + target / 2).min(full)) {
            graph = graph.contract(&groups);
            union.iter_mut().for_each(|u| *u = groups.of[*u as usize]);
        }
        // Near the full size rounds go on while they still merge one region in 64.
        if target < full || graph.len() * 64 >= before * 63 {
            target *= 2;
        }
    }
    (graph, union)
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
