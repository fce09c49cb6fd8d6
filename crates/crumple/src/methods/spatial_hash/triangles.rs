//! Surface triangles as primitives: only the narrow test is another (T17).

use std::ops::Range;

use super::Snapshot;
use super::boxes::{self, BoxTable};
use super::lattice::{Lattice, Snapped};
use super::workers::{Worker, Workers};
use crate::geometry::simd::{self, Kernel, Simd};
use crate::narrow::tri_tri;
use crate::{BodyId, Pairs, Stats, TriangleId, TrianglePair};

/// The triangles of all bodies, and where they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Triangles {
    points: Vec<Snapped>,
    table: BoxTable,
    workers: Workers<TrianglePair>,
}

impl Triangles {
    /// What the last search found, sorted.
    pub fn found(&self) -> &[TrianglePair] {
        &self.workers.all
    }

    /// Follows the frame.
    pub fn update(&mut self, lattice: &Lattice, view: &Snapshot<'_>) {
        boxes::snap_clamped(lattice, view, &mut self.points);
        self.table.fill(&self.points, view.bodies.triangles().iter().map(|t| t.map(|v| v.0)));
    }

    /// The boxes of all triangles.
    pub fn table(&self) -> &BoxTable {
        &self.table
    }

    /// The body of a vertex.
    pub fn body(&self, vertex: u32) -> BodyId {
        BodyId(self.points[vertex as usize][3] as u32)
    }

    /// Finds every pair that intersects, or may intersect unless `exact`.
    pub fn search(&mut self, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let work = |range: Range<usize>, worker: &mut Worker<TrianglePair>| {
            simd::dispatch(TriangleSearch { triangles: self, view, pairs, exact, range, worker });
        };
        let stats = workers.search(view.bodies.triangles().len(), 128, work);
        self.workers = workers;
        stats
    }
}

struct TriangleSearch<'a> {
    triangles: &'a Triangles,
    view: Snapshot<'a>,
    pairs: Pairs,
    exact: bool,
    range: Range<usize>,
    worker: &'a mut Worker<TrianglePair>,
}

impl Kernel for TriangleSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for triangle in self.range.clone() {
            self.triangle(simd, triangle);
        }
    }
}

impl TriangleSearch<'_> {
    /// Looks for partners of the same class or a larger one, so that each pair is found from its smaller side.
    #[inline(always)]
    fn triangle<S: Simd>(&mut self, simd: S, a: usize) {
        let table = &self.triangles.table;
        let (low, high) = table.corners(a);
        let (low, high) = ([low[0], low[1], low[2]], [high[0], high[1], high[2]]);
        for class in table.class(a)..table.classes() {
            let near = &mut self.worker.near;
            near.clear();
            self.worker.stats.visits += table.gather(simd, class, &low, &high, near);
            for n in 0..self.worker.near.len() {
                let b = self.worker.near.get(n)[3] as usize;
                if b == a || (class == table.class(a) && b < a) {
                    continue;
                }
                self.worker.stats.tests += 1;
                let (_, end) = table.corners(b);
                if (0..3).all(|k| end[k] >= low[k]) {
                    self.candidate(a as u32, b as u32);
                }
            }
        }
    }

    #[inline(never)]
    fn candidate(&mut self, a: u32, b: u32) {
        let ids = [a, b].map(|t| self.view.bodies.triangles()[t as usize].map(|v| v.0));
        let bodies = ids.map(|t| self.triangles.points[t[0] as usize][3] as usize);
        if self.pairs.asks_for(bodies[0] == bodies[1]) {
            let pair = TrianglePair::new(TriangleId(a), TriangleId(b));
            self.worker.candidate(pair, self.exact, || {
                let [pa, pb] = [0, 1].map(|k| self.view.positions(bodies[k], ids[k]));
                tri_tri::meets(ids[0], &pa, ids[1], &pb)
            });
        }
    }
}
