//! Edges against tets: finds what crosses without a vertex inside (T38, T-A16).

use std::ops::Range;

use super::boxes::BoxTable;
use super::bundles::{Bundle, TetLanes};
use super::lattice::{Lattice, Snapped};
use super::workers::{Worker, Workers};
use super::{Snapshot, SpatialHash, boxes};
use crate::geometry::simd::{self, Kernel, Mask, Simd};
use crate::methods::brute_force::all_edges;
use crate::narrow::edge_tet;
use crate::{EdgeTet, Pairs, Stats, TetId, VertexId};

/// The edges of all bodies, and where they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    ends: Vec<[u32; 2]>,
    points: Vec<Snapped>,
    /// Whether points are drawn to the edge of the lattice, so that only their order can be trusted.
    drawn: bool,
    table: BoxTable,
    workers: Workers<EdgeTet>,
}

impl Edges {
    /// Takes the edges of a new mesh.
    pub fn set_mesh(&mut self, view: &Snapshot<'_>) {
        self.ends.clear();
        self.ends.extend(all_edges(view.bodies).map(|e| e.map(|v| v.0)));
    }

    /// What the last search found, sorted.
    pub fn found(&self) -> &[EdgeTet] {
        &self.workers.all
    }

    /// Follows the frame.
    pub fn update(&mut self, lattice: &Lattice, view: &Snapshot<'_>) {
        self.drawn = boxes::snap_clamped(lattice, view, &mut self.points);
        self.table.fill(&self.points, self.ends.iter().copied());
    }

    /// Finds every edge and every tet that it meets, or may meet unless `exact`.
    pub fn search(&mut self, hash: &SpatialHash, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let bundles = hash.bundles.all();
        let work = |range: Range<usize>, worker: &mut Worker<EdgeTet>| {
            simd::dispatch(EdgeSearch { edges: self, view, pairs, exact, bundles: &bundles[range], worker });
        };
        let stats = workers.search(bundles.len(), 16, work);
        self.workers = workers;
        stats
    }
}

struct EdgeSearch<'a> {
    edges: &'a Edges,
    view: Snapshot<'a>,
    pairs: Pairs,
    exact: bool,
    bundles: &'a [Bundle],
    worker: &'a mut Worker<EdgeTet>,
}

impl Kernel for EdgeSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for bundle in self.bundles {
            self.bundle(simd, bundle);
        }
    }
}

impl EdgeSearch<'_> {
    #[inline(always)]
    fn bundle<S: Simd>(&mut self, simd: S, bundle: &Bundle) {
        let Edges { points, table, .. } = self.edges;
        let tets = TetLanes::new(simd, points, &bundle.corners);
        let (low, high) = tets.span();
        let near = &mut self.worker.near;
        near.clear();
        for class in 0..table.classes() {
            self.worker.stats.visits += table.gather(simd, class, &low, &high, near);
        }
        let faces = tets.faces(simd);
        let there = (1u32 << bundle.count) - 1;
        for n in 0..self.worker.near.len() {
            let edge = self.worker.near.get(n)[3] as usize;
            let (low, high) = table.corners(edge);
            let ends = self.edges.ends[edge];
            let mut may = !tets.apart(simd, low, high).bitmask() & !bundle.owners(simd, ends) & there;
            if may == 0 {
                continue;
            }
            self.worker.stats.tests += 1;
            if !self.edges.drawn {
                let ends = [&points[ends[0] as usize], &points[ends[1] as usize]];
                may &= !faces.exclude_segment(simd, &tets, ends).bitmask();
            }
            while may != 0 {
                self.candidate(edge, bundle, may.trailing_zeros() as usize);
                may &= may - 1;
            }
        }
    }

    #[inline(never)]
    fn candidate(&mut self, edge: usize, bundle: &Bundle, lane: usize) {
        let ends = self.edges.ends[edge];
        let body = self.edges.points[ends[0] as usize][3] as u32;
        if self.pairs.asks_for(body == bundle.body) {
            let pair = EdgeTet { edge: ends.map(VertexId), tet: TetId(bundle.tets[lane]) };
            self.worker.candidate(pair, self.exact, || {
                let tet = self.view.positions(bundle.body as usize, bundle.tet(lane));
                edge_tet::intersects(&self.view.positions(body as usize, ends), &tet)
            });
        }
    }
}
