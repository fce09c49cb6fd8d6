//! Pairs that boxes and directions leave: by ids across bodies, in the order of an answer once they are sorted.

use super::block_pair::FirstIds;
use super::judge::Lists;
use crate::csr::inclusive_sums;

/// Pairs by ids across bodies, two in a number: a vertex above a triangle, the smaller edge above the larger.
#[derive(Debug, Clone, Default)]
pub(super) struct FoundPairs {
    pub vertex_triangles: Vec<u64>,
    pub edge_edges: Vec<u64>,
}

impl FoundPairs {
    pub fn clear(&mut self) {
        self.vertex_triangles.clear();
        self.edge_edges.clear();
    }

    pub fn len(&self) -> usize {
        self.vertex_triangles.len() + self.edge_edges.len()
    }

    /// Adds what another thread found.
    pub fn append(&mut self, other: &Self) {
        self.vertex_triangles.extend_from_slice(&other.vertex_triangles);
        self.edge_edges.extend_from_slice(&other.edge_edges);
    }

    #[inline(always)]
    pub fn vertex(&mut self, vertex: u32, triangle: u32) {
        self.vertex_triangles.push(joined(vertex, triangle));
    }

    #[inline(always)]
    pub fn edges(&mut self, a: u32, b: u32) {
        self.edge_edges.push(if a < b { joined(a, b) } else { joined(b, a) });
    }
}

fn joined(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The two ids of a pair.
#[inline(always)]
pub(super) fn ids(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// Memory for sorting, used again.
#[derive(Debug, Clone, Default)]
pub(super) struct SortScratch {
    starts: Vec<u32>,
    pairs: Vec<u64>,
}

/// Fewer pairs are compared.
const FEW: usize = 2048;

impl SortScratch {
    /// Puts pairs of vertices and triangles in the order of an answer; ids end there.
    pub fn vertices(&mut self, pairs: &mut [u64], ends: FirstIds) {
        self.sort(pairs, [ends.vertex as usize, ends.triangle as usize]);
    }

    /// Puts pairs of edges in the order of their ends, which is that of their ids as long as edits brought none.
    pub fn edges(&mut self, pairs: &mut [u64], lists: &Lists<'_>) {
        let count = lists.ends().edge as usize;
        if lists.elements.iter().all(|e| e.table.is_in_order()) {
            return self.sort(pairs, [count; 2]);
        }
        if pairs.len() < count / 8 {
            let near = &mut 0;
            for pair in pairs.iter_mut() {
                let [a, b] = ids(*pair);
                if lists.edge(a, near) > lists.edge(b, near) {
                    *pair = pair.rotate_left(32);
                }
            }
            return pairs.sort_by_cached_key(|&pair| ids(pair).map(|e| lists.edge(e, near)));
        }
        let (mut ranks, mut order) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (elements, first) in lists.elements.iter().zip(lists.first) {
            let [own_ranks, own_order] = elements.table.ranks();
            ranks.extend(own_ranks.iter().map(|rank| first.edge + rank));
            order.extend(own_order.iter().map(|edge| first.edge + edge));
        }
        let renamed = |pair: u64, by: &[u32]| ids(pair).map(|e| by[e as usize]);
        for pair in pairs.iter_mut() {
            let [a, b] = renamed(*pair, &ranks);
            *pair = joined(a.min(b), a.max(b));
        }
        self.sort(pairs, [count; 2]);
        for pair in pairs {
            let [a, b] = renamed(*pair, &order);
            *pair = joined(a, b);
        }
    }

    /// Sorts pairs with so many ids above and below: by counting, first those below, then those above.
    fn sort(&mut self, pairs: &mut [u64], ids: [usize; 2]) {
        if pairs.len() < FEW || pairs.len() < (ids[0] + ids[1]) / 8 {
            return pairs.sort_unstable();
        }
        self.pairs.resize(pairs.len(), 0);
        scatter(&mut self.starts, pairs, &mut self.pairs, ids[1], |pair| pair as u32);
        scatter(&mut self.starts, &self.pairs, pairs, ids[0], |pair| (pair >> 32) as u32);
    }
}

/// Writes pairs in the order of a key below `count`; those with the same keep theirs.
fn scatter(starts: &mut Vec<u32>, from: &[u64], to: &mut [u64], count: usize, key: impl Fn(u64) -> u32) {
    starts.clear();
    starts.resize(count + 1, 0);
    from.iter().for_each(|&pair| starts[key(pair) as usize + 1] += 1);
    inclusive_sums(starts);
    for &pair in from {
        let next = &mut starts[key(pair) as usize];
        to[*next as usize] = pair;
        *next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_is_compared() {
        for (count, ids) in
            [(0, [1, 1]), (9000, [300, 7]), (9000, [1, 5000]), (100, [50, 50]), (3000, [90_000, 1])]
        {
            let mut state = 1u32;
            let mut next = |below: usize| {
                state = state.wrapping_mul(0x9E37_79B1).wrapping_add(12345);
                (state >> 8) % below as u32
            };
            let mut pairs: Vec<u64> = (0..count).map(|_| joined(next(ids[0]), next(ids[1]))).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            SortScratch::default().sort(&mut pairs, ids);
            assert_eq!(pairs, expected, "{count} of {ids:?}");
        }
    }
}
