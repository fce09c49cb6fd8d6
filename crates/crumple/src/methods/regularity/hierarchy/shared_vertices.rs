//! Vertices that two patches have in common: needed to test neighbouring triangles across patches that rule II did not
//! certify.

use std::collections::HashMap;

use crate::csr::Csr;
use crate::parallel;
use crate::patches::Patches;

/// Patches round one vertex beyond which it is listed apart: pairs of patches grow with their square.
const MANY: usize = 32;

/// Patches that one thread takes at a time.
const PIECE: usize = 128;

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
        let hubs = (0..vertex_count as u32).filter(|&v| at.row(v as usize).len() > MANY).collect();
        let all: Vec<u32> = (0..patches.len() as u32).collect();
        let parts = parallel::map_chunks(&all, PIECE, &mut Vec::new(), |found, some| {
            let mut part = Self::default();
            some.iter().for_each(|&p| part.push(p, patches.vertices(p as usize), &at, found));
            part
        });
        let mut made = Self { hubs, ..Self::default() };
        for part in &parts {
            let (pair, vertex) = (made.others.len() as u32, made.vertices.len() as u32);
            made.starts.extend(part.starts.iter().map(|start| start + pair));
            made.vertex_starts.extend(part.vertex_starts.iter().map(|start| start + vertex));
            made.others.extend_from_slice(&part.others);
            made.vertices.extend_from_slice(&part.vertices);
        }
        made.starts.push(made.others.len() as u32);
        made.vertex_starts.push(made.vertices.len() as u32);
        made
    }

    /// Adds the pairs of a patch with later ones.
    fn push(&mut self, patch: u32, vertices: &[u32], at: &Csr, found: &mut Vec<[u32; 2]>) {
        found.clear();
        for &v in vertices {
            let row = at.row(v as usize);
            if row.len() > 1 && row.len() <= MANY {
                found.extend(row.iter().filter(|&&other| other > patch).map(|&other| [other, v]));
            }
        }
        found.sort_unstable();
        self.starts.push(self.others.len() as u32);
        for common in found.chunk_by(|a, b| a[0] == b[0]) {
            self.others.push(common[0][0]);
            self.vertex_starts.push(self.vertices.len() as u32);
            self.vertices.extend(common.iter().map(|[_, v]| v));
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
