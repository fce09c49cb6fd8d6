//! The fast way through pass 2: bundles of tets read the rows of cells that their box meets, eight vertices at a time.

use super::super::vertex_buffer::VertexBuffer;
use super::super::workers::{Worker, pack};
use super::super::{Snapshot, SpatialHash};
use super::{Bundle, TetLanes};
use crate::Pairs;
use crate::geometry::simd::{BASELINE, I32x8, Kernel, Mask, Simd};

/// Some bundles against the table.
pub(in super::super) struct BundleSearch<'a> {
    pub hash: &'a SpatialHash,
    pub view: Snapshot<'a>,
    pub pairs: Pairs,
    pub bundles: &'a [Bundle],
    /// Whether candidates are tested.
    pub exact: bool,
    pub worker: &'a mut Worker<u64>,
}

impl Kernel for BundleSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for bundle in self.bundles {
            self.bundle(simd, bundle);
        }
    }
}

impl BundleSearch<'_> {
    #[inline(always)]
    fn bundle<S: Simd>(&mut self, simd: S, bundle: &Bundle) {
        let hash = self.hash;
        let tets = TetLanes::new(simd, &hash.snapped, &bundle.corners);
        let (low, high) = tets.span();
        let wrapped = hash.sizing.lattice.is_wrapped();
        if wrapped && self.is_long(bundle, &low, &high) {
            self.in_full(bundle);
            return;
        }
        let near = &mut self.worker.near;
        near.clear();
        self.worker.stats.visits += hash.gather(simd, &low, &high, near);
        self.worker.stats.tests += near.len() as u64;
        let boxed = near.keep_boxed(simd, &tets, bundle);
        if boxed == 0 {
            return;
        }
        let faces = tets.faces(simd);
        for n in 0..boxed {
            let near = &self.worker.near;
            let (at, mut inside) = near.boxed(n);
            let [x, y, z, id] = near.get(at);
            if !wrapped {
                let point = [S::I32x8::splat(simd, x), S::I32x8::splat(simd, y), S::I32x8::splat(simd, z)];
                inside &= !faces.exclude(point).bitmask();
            }
            while inside != 0 {
                let lane = inside.trailing_zeros() as usize;
                inside &= inside - 1;
                self.candidate(id as u32, bundle, lane);
            }
        }
    }

    /// Whether some tet is too long for the lattice, or straddles its seam.
    #[cold]
    #[inline(never)]
    fn is_long(&self, bundle: &Bundle, low: &[i32; 3], high: &[i32; 3]) -> bool {
        let extent = |k: usize| high[k].wrapping_sub(low[k]) as u32;
        let corners = bundle.positions(&self.view);
        (0..3).any(|k| extent(k) >= 1 << 30) || self.hash.sizing.lattice.is_long(&corners)
    }

    /// A bundle that the lattice cannot hold, against every vertex.
    #[cold]
    #[inline(never)]
    fn in_full(&mut self, bundle: &Bundle) {
        let vertices = [&self.hash.tables, &self.hash.late.tables].into_iter().filter_map(|t| t.first());
        for vertex in vertices.flat_map(|table| (0..table.len()).map(|at| table.vertex(at))) {
            for lane in 0..bundle.count as usize {
                if bundle.corners.iter().all(|c| c[lane] as u32 != vertex) {
                    self.candidate(vertex, bundle, lane);
                }
            }
        }
    }

    /// A vertex that the lattice leaves open.
    #[inline(never)]
    fn candidate(&mut self, vertex: u32, bundle: &Bundle, lane: usize) {
        let (body, other) = (self.hash.snapped[vertex as usize][3] as u32, bundle.body);
        if self.hash.late.is_dead(vertex) {
            return;
        }
        if self.pairs.asks_for(body == other) {
            self.worker.candidate(pack(vertex, bundle.tets[lane]), self.exact, || {
                let [p] = self.view.positions(body as usize, [vertex]);
                self.hash.params.contains(&p, &self.view.positions(other as usize, bundle.tet(lane)))
            });
        }
    }
}

impl SpatialHash {
    /// Collects the vertices in a box, each once; returns how many rows were read.
    #[inline(always)]
    fn gather<S: Simd>(&self, simd: S, low: &[i32; 3], high: &[i32; 3], near: &mut VertexBuffer) -> u64 {
        let longest = (0..3).map(|k| high[k].wrapping_sub(low[k]) as u32).fold(0, u32::max);
        let levels = &self.sizing.levels;
        let level = levels.iter().position(|l| longest <= l.longest).unwrap_or(levels.len() - 1);
        let rows = self.tables[level].gather(simd, low, high, near);
        if self.late.tables.is_empty() { rows } else { rows + self.gather_late(level, low, high, near) }
    }

    /// The same for the vertices that came with edits. Apart, so that it does not take registers from the search.
    #[cold]
    #[inline(never)]
    fn gather_late(&self, level: usize, low: &[i32; 3], high: &[i32; 3], near: &mut VertexBuffer) -> u64 {
        self.late.tables.get(level).map_or(0, |late| late.gather(BASELINE, low, high, near))
    }
}
