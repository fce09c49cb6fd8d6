//! Which patch an edge belongs to.

use std::collections::HashSet;

use crate::patches::Patches;

/// The edges of all patches, each edge of the body once: it belongs to the first patch that has a triangle with it.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnedEdges {
    /// First edge of each patch, and the number of edges last.
    starts: Vec<u32>,
    /// Indices into the vertices of the patch; the vertex of smaller number first.
    ends: Vec<[u8; 2]>,
}

impl OwnedEdges {
    /// The patches list their own vertices first. An edge with an end of their own is in no patch before; of the others those
    /// whose two vertices are both in several patches are remembered. Corners that are one vertex make no edge.
    pub fn new(patches: &Patches, vertex_count: usize) -> Self {
        let mut uses = vec![0u32; vertex_count];
        for p in 0..patches.len() {
            patches.vertices(p).iter().for_each(|&v| uses[v as usize] += 1);
        }
        let mut taken: HashSet<[u32; 2]> = HashSet::new();
        let mut owned = Self { starts: vec![0], ends: Vec::with_capacity(patches.triangle_count() * 3 / 2) };
        let mut mine: Vec<[u8; 2]> = Vec::new();
        for p in 0..patches.len() {
            let vertices = patches.vertices(p);
            let name = |[a, b]: [u8; 2]| [vertices[usize::from(a)], vertices[usize::from(b)]];
            mine.clear();
            for &[a, b, c, _] in patches.corners(p) {
                for edge in [[a, b], [b, c], [c, a]] {
                    match name(edge) {
                        [v, w] if v < w => mine.push(edge),
                        [v, w] if v > w => mine.push([edge[1], edge[0]]),
                        _ => {}
                    }
                }
            }
            mine.sort_unstable();
            mine.dedup();
            let is_shared = |v: u32| uses[v as usize] > 1;
            mine.retain(|&edge| {
                let [v, w] = name(edge);
                !(is_shared(v) && is_shared(w)) || taken.insert([v, w])
            });
            owned.ends.extend_from_slice(&mine);
            owned.starts.push(owned.ends.len() as u32);
        }
        owned
    }

    /// Those of one patch.
    #[inline(always)]
    pub fn of(&self, patch: usize) -> &[[u8; 2]] {
        &self.ends[self.starts[patch] as usize..self.starts[patch + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patches::{PatchInput, VertexOrder};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn every_edge_belongs_to_one_patch(
            triangles in prop::collection::vec([0u32..12, 0..12, 0..12], 1..90),
            size in 1usize..20,
        ) {
            let n = triangles.len();
            let ids = (0..n as u32).collect();
            let order = VertexOrder::OwnFirst;
            let cut = PatchInput { triangles: &triangles, vertex_count: 12, ids, order, multiple: 1 };
            let patches = Patches::new(cut, (0..n.div_ceil(size)).map(|i| size.min(n - i * size)));
            let owned = OwnedEdges::new(&patches, 12);
            let mut found = Vec::new();
            for p in 0..patches.len() {
                let v = patches.vertices(p);
                let edges = owned.of(p).iter().map(|e| e.map(|c| v[usize::from(c)]));
                for edge in edges {
                    let has = |t: &[u32; 3]| edge.iter().all(|v| t.contains(v));
                    prop_assert!(patches.places(p).any(|i| has(&triangles[i])), "a triangle of the patch has it");
                    found.push(edge);
                }
            }
            found.sort_unstable();
            let mut all: Vec<[u32; 2]> = triangles
                .iter()
                .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
                .filter(|[a, b]| a != b)
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(found, all, "each once");
        }
    }
}
