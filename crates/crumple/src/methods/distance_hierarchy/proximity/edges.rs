//! The edges of a body by number, and which block has each.

use std::collections::BTreeMap;

use super::super::regions::Regions;
use super::elements::corners;
use super::rows::NONE;

/// Edges in the order of their ends, the smaller end first; those that edits bring have numbers behind, and those that edits take
/// away keep theirs.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeTable {
    ends: Vec<[u32; 2]>,
    /// The block that has each edge, or [`NONE`].
    owner: Vec<u32>,
    /// How many were there before the first edit; the rest by their ends.
    first: usize,
    later: BTreeMap<[u32; 2], u32>,
}

impl EdgeTable {
    /// Numbers all edges, and yields those of each block, the first that has it. An edge from a vertex to itself is none.
    pub fn deal_out(&mut self, vertices: usize, regions: &Regions) -> Vec<Vec<u32>> {
        // The larger end and the block of every side of every triangle, by the smaller end.
        let mut first = vec![0u32; vertices + 2];
        let sides = || (0..regions.blocks.len()).flat_map(|b| sides(regions, b).map(move |e| (e, b as u32)));
        sides().for_each(|([v, _], _)| first[v as usize + 2] += 1);
        for v in 2..first.len() {
            first[v] += first[v - 1];
        }
        let mut others = vec![(0u32, 0u32); first[vertices + 1] as usize];
        for ([v, w], b) in sides() {
            let next = &mut first[v as usize + 1];
            others[*next as usize] = (w, b);
            *next += 1;
        }
        self.ends.clear();
        self.owner.clear();
        self.later.clear();
        let mut owned = vec![Vec::new(); regions.blocks.len()];
        for v in 0..vertices {
            let row = &mut others[first[v] as usize..first[v + 1] as usize];
            row.sort_unstable();
            let mut last = None;
            for &mut (w, b) in row {
                if last != Some(w) {
                    owned[b as usize].push(self.ends.len() as u32);
                    self.ends.push([v as u32, w]);
                    self.owner.push(b);
                    last = Some(w);
                }
            }
        }
        self.first = self.ends.len();
        owned
    }

    /// The ends of all edges by number, the smaller first.
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    /// The number of an edge, the smaller end first.
    pub fn number(&self, ends: [u32; 2]) -> Option<u32> {
        match self.ends[..self.first].binary_search(&ends) {
            Ok(number) => Some(number as u32),
            Err(_) => self.later.get(&ends).copied(),
        }
    }

    /// Gives an edge that no block has to this one; says its number if that is so.
    pub fn claim(&mut self, ends: [u32; 2], block: u32) -> Option<u32> {
        let number = self.number(ends).unwrap_or_else(|| {
            let number = self.ends.len() as u32;
            self.ends.push(ends);
            self.owner.push(NONE);
            self.later.insert(ends, number);
            number
        });
        let owner = &mut self.owner[number as usize];
        (*owner == NONE).then(|| {
            *owner = block;
            number
        })
    }

    /// Takes an edge from its block.
    pub fn release(&mut self, number: u32) {
        self.owner[number as usize] = NONE;
    }

    /// Whether no block has an edge.
    pub fn is_free(&self, number: u32) -> bool {
        self.owner[number as usize] == NONE
    }

    /// Whether numbers are in the order of the ends.
    pub fn is_in_order(&self) -> bool {
        self.later.is_empty()
    }

    /// The place of each edge in the order of the ends, those that are gone among them; and the edge of each place.
    pub fn ranks(&self) -> [Vec<u32>; 2] {
        let mut order = Vec::with_capacity(self.ends.len());
        let mut next = 0..self.first as u32;
        for (ends, &number) in &self.later {
            let before = self.ends[..self.first].partition_point(|e| e < ends) as u32;
            order.extend(next.start..before);
            next.start = before;
            order.push(number);
        }
        order.extend(next);
        let mut ranks = vec![0; order.len()];
        order.iter().enumerate().for_each(|(rank, &number)| ranks[number as usize] = rank as u32);
        [ranks, order]
    }
}

/// The sides of a block's triangles, the smaller end first.
pub(super) fn sides(regions: &Regions, block: usize) -> impl Iterator<Item = [u32; 2]> + '_ {
    let sides = corners(regions, &regions.blocks[block]).flat_map(|[p, q, r]| [[p, q], [q, r], [r, p]]);
    sides.filter(|[v, w]| v != w).map(|[v, w]| [v.min(w), v.max(w)])
}
