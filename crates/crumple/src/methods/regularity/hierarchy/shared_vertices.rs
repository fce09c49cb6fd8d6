//! Vertices that two patches have in common: needed to test neighbouring triangles across patches that rule II did not
//! certify.

use std::collections::HashMap;

use crate::csr::Csr;
use crate::patches::Patches;

/// Patches round one vertex beyond which it is listed apart: pairs of patches grow with their square.
const MANY: usize = 32;

/// Common vertices, by pair of patches.
#[derive(Debug, Default)]
pub(crate) struct SharedVertices {
    /// First pair of each patch, and the number of pairs last.
    starts: Vec<u32>,
    /// The later patch of each pair, ascending within the earlier one.
    others: Vec<u32>,
    /// First vertex of each pair, and the number of vertices last.
    vertex_starts: Vec<u32>,
    vertices: Vec<u32>,
    hubs: Vec<u32>,
    edited: EditedPatches,
}

/// The pairs of patches that edits changed, which the lists above do not know.
#[derive(Debug, Default)]
struct EditedPatches {
    /// For each of them the patches that it has vertices in common with, and these.
    with: HashMap<u32, Vec<u32>>,
    vertices: HashMap<[u32; 2], Vec<u32>>,
}

impl SharedVertices {
    /// Finds the common vertices of all pairs of patches.
    pub fn new(patches: &Patches, vertex_count: usize) -> Self {
        let uses = (0..patches.len()).flat_map(|p| patches.vertices(p).iter().map(move |&v| (v, p as u32)));
        let at = Csr::from_pairs(vertex_count, uses);
        let mut shared: Vec<[u32; 3]> = Vec::new();
        let mut hubs = Vec::new();
        for v in 0..vertex_count {
            let row = at.row(v);
            if row.len() > MANY {
                hubs.push(v as u32);
                continue;
            }
            for (i, &p) in row.iter().enumerate() {
                shared.extend(row[i + 1..].iter().map(|&q| [p, q, v as u32]));
            }
        }
        shared.sort_unstable();
        let mut made = Self { hubs, ..Self::default() };
        for &[p, q, v] in &shared {
            let is_new = made.starts.len() <= p as usize || made.others.last() != Some(&q);
            made.open(p as usize);
            if is_new {
                made.others.push(q);
                made.vertex_starts.push(made.vertices.len() as u32);
            }
            made.vertices.push(v);
        }
        made.open(patches.len());
        made.vertex_starts.push(made.vertices.len() as u32);
        made
    }

    /// Starts the rows up to that of patch `p`.
    fn open(&mut self, p: usize) {
        if self.starts.len() <= p {
            self.starts.resize(p + 1, self.others.len() as u32);
        }
    }

    /// The common vertices of patches `p` and `q`, but for hubs.
    #[inline]
    pub fn between(&self, p: u32, q: u32) -> &[u32] {
        if !self.edited.with.is_empty() && [p, q].iter().any(|patch| self.edited.with.contains_key(patch)) {
            return self.edited.vertices.get(&[p.min(q), p.max(q)]).map_or(&[], Vec::as_slice);
        }
        let (p, q) = (p.min(q) as usize, p.max(q));
        let (first, last) = (self.starts[p] as usize, self.starts[p + 1] as usize);
        match self.others[first..last].iter().position(|&other| other == q) {
            None => &[],
            Some(i) => {
                let pair = first + i;
                &self.vertices[self.vertex_starts[pair] as usize..self.vertex_starts[pair + 1] as usize]
            }
        }
    }

    /// Whether patches `p` and `q` may have a vertex in common.
    #[inline]
    pub fn may_touch(&self, p: u32, q: u32) -> bool {
        !self.hubs.is_empty() || !self.between(p, q).is_empty()
    }

    /// Vertices of very many patches.
    pub fn hubs(&self) -> &[u32] {
        &self.hubs
    }

    /// Finds the common vertices of one patch, which an edit changed, with all others. `at` appends the patches round a
    /// vertex.
    pub fn renew(&mut self, patch: u32, vertices: &[u32], mut at: impl FnMut(u32, &mut Vec<u32>)) {
        let pair = |other: u32| [patch.min(other), patch.max(other)];
        let Self { edited, hubs, .. } = self;
        for other in edited.with.remove(&patch).unwrap_or_default() {
            edited.vertices.remove(&pair(other));
        }
        let mut with: Vec<u32> = Vec::new();
        let mut round = Vec::new();
        for &v in vertices.iter().filter(|v| !hubs.contains(v)).collect::<Vec<_>>() {
            round.clear();
            at(v, &mut round);
            round.sort_unstable();
            round.dedup();
            if round.len() > MANY {
                hubs.push(v);
                continue;
            }
            for &other in round.iter().filter(|&&other| other != patch) {
                with.push(other);
                let common = edited.vertices.entry(pair(other)).or_default();
                // The other may have been renewed before, and found it too.
                if !common.contains(&v) {
                    common.push(v);
                }
            }
        }
        with.sort_unstable();
        with.dedup();
        edited.with.insert(patch, with);
    }
}
