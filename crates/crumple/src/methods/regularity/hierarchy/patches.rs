//! Patches: the leaves of the hierarchy, each a few dozen triangles with a vertex list of its own.
//!
//! A patch names its vertices once, in ascending order, and its triangles by one byte a corner. Following a frame then
//! reads every position about 1.3 times, nearly in sequence, instead of six times at random; triangle boxes and
//! normals are made from the few hundred bytes at hand, and only where a query asks for them.

use std::ops::Range;

use super::half_edges::HalfEdges;

/// Triangles in a group: one lane each.
pub(crate) const LANES: usize = 8;

/// The largest patch: as many groups as lanes. Its corners fit a byte, since it has at most 192 vertices.
pub(crate) const MAX_PATCH: usize = LANES * LANES;

/// All patches of one body, triangles in the order of the tree.
#[derive(Debug, Default)]
pub(crate) struct Patches {
    /// First rank of each patch, and the number of triangles last.
    starts: Vec<u32>,
    /// The triangle of each rank, as the body numbers it.
    ids: Vec<u32>,
    /// First entry of each patch in `vertices`, and their number last.
    vertex_starts: Vec<u32>,
    vertices: Vec<u32>,
    /// Corners of the triangle of each rank, as indices into its patch's vertices. The fourth byte is 0.
    corners: Vec<[u8; 4]>,
}

impl Patches {
    /// Cuts triangles, already in order, into patches of the given sizes.
    pub fn new(half_edges: &HalfEdges, ids: Vec<u32>, sizes: impl IntoIterator<Item = u32>) -> Self {
        let n = ids.len();
        let mut patches = Self {
            starts: vec![0],
            ids,
            vertex_starts: vec![0],
            vertices: Vec::with_capacity(n),
            corners: Vec::with_capacity(n),
        };
        let mut own = Vec::new();
        for size in sizes {
            let first = *patches.starts.last().expect("never empty") as usize;
            let triangles = &half_edges.corners[first..first + size as usize];
            own.clear();
            own.extend(triangles.as_flattened());
            own.sort_unstable();
            own.dedup();
            let local = |v: u32| own.binary_search(&v).expect("listed above") as u8;
            patches.corners.extend(triangles.iter().map(|&[a, b, c]| [local(a), local(b), local(c), 0]));
            patches.vertices.extend_from_slice(&own);
            patches.starts.push((first + size as usize) as u32);
            patches.vertex_starts.push(patches.vertices.len() as u32);
        }
        patches
    }

    /// Number of patches.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.ids.len()
    }

    /// The ranks of a patch's triangles.
    #[inline]
    pub fn ranks(&self, patch: usize) -> Range<usize> {
        self.starts[patch] as usize..self.starts[patch + 1] as usize
    }

    /// Vertices of a patch, ascending.
    #[inline]
    pub fn vertices(&self, patch: usize) -> &[u32] {
        &self.vertices[self.vertex_starts[patch] as usize..self.vertex_starts[patch + 1] as usize]
    }

    /// Corners of a patch's triangles.
    #[inline]
    pub fn corners(&self, patch: usize) -> &[[u8; 4]] {
        &self.corners[self.ranks(patch)]
    }

    /// The triangle with a rank, as the body numbers it.
    #[inline]
    pub fn id(&self, rank: usize) -> u32 {
        self.ids[rank]
    }

    /// The vertices of one triangle of a patch.
    #[inline]
    pub fn triangle(&self, patch: usize, local: usize) -> [u32; 3] {
        let [a, b, c, _] = self.corners[self.starts[patch] as usize + local];
        let first = self.vertex_starts[patch] as usize;
        [a, b, c].map(|corner| self.vertices[first + usize::from(corner)])
    }
}
