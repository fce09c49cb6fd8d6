//! Vertices that two patches have in common: needed to test neighbouring triangles across patches that rule II did not
//! certify.

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
}
