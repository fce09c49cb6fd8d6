//! Surface triangles as primitives: only the narrow test is another (T17).

use super::boxes::{self, BoxTable};
use super::lattice::{Lattice, Snapped};
use super::near::Near;
use super::{MeshView, threads};
use crate::geometry::lanes::{self, Lanes, Work};
use crate::narrow::tri_tri;
use crate::{BodyId, Pairs, Stats, TriangleId, TrianglePair};

/// The triangles of all bodies, and where they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Triangles {
    points: Vec<Snapped>,
    table: BoxTable,
    workers: Vec<Worker>,
    all: Vec<TrianglePair>,
}

#[derive(Debug, Clone, Default)]
struct Worker {
    found: Vec<TrianglePair>,
    near: Near,
    stats: Stats,
}

impl Triangles {
    /// Follows the frame.
    pub fn update(&mut self, lattice: &Lattice, view: &MeshView<'_>) {
        boxes::snap_within(lattice, view, &mut self.points);
        self.table.fill(&self.points, view.mesh.triangles().iter().map(|t| t.map(|v| v.0)));
    }

    /// The boxes of all triangles.
    pub fn table(&self) -> &BoxTable {
        &self.table
    }

    /// The body of a vertex.
    pub fn body(&self, vertex: u32) -> BodyId {
        BodyId(self.points[vertex as usize][3] as u32)
    }

    /// Calls `found` with every pair that intersects, or may intersect unless `exact`; sorted.
    pub fn search(
        &mut self,
        view: MeshView<'_>,
        pairs: Pairs,
        exact: bool,
        mut found: impl FnMut(TrianglePair),
    ) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let total = view.mesh.triangles().len();
        let size = total.div_ceil(8 * threads::count()).max(128);
        workers.resize_with(total.div_ceil(size), Worker::default);
        threads::for_each_chunk(&mut workers, 1, |n, worker| {
            let range = n * size..total.min((n + 1) * size);
            worker[0].found.clear();
            worker[0].stats = Stats::default();
            lanes::run(TriangleSearch { triangles: self, view, pairs, exact, range, worker: &mut worker[0] });
        });
        self.all.clear();
        self.all.extend(workers.iter().flat_map(|w| &w.found));
        self.all.sort_unstable();
        self.all.iter().for_each(|&f| found(f));
        let stats = workers.iter().fold(Stats::default(), |mut sum, w| {
            sum += w.stats;
            sum
        });
        self.workers = workers;
        stats
    }
}

struct TriangleSearch<'a> {
    triangles: &'a Triangles,
    view: MeshView<'a>,
    pairs: Pairs,
    exact: bool,
    range: std::ops::Range<usize>,
    worker: &'a mut Worker,
}

impl Work for TriangleSearch<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        for triangle in self.range.clone() {
            self.triangle(lanes, triangle);
        }
    }
}

impl TriangleSearch<'_> {
    /// Looks for partners of the same class or a larger one, so that each pair is found from its smaller side.
    #[inline(always)]
    fn triangle<L: Lanes>(&mut self, lanes: L, a: usize) {
        let table = &self.triangles.table;
        let (low, high) = table.corners(a);
        let (low, high) = ([low[0], low[1], low[2]], [high[0], high[1], high[2]]);
        for class in table.class(a)..table.classes() {
            let near = &mut self.worker.near;
            near.clear();
            self.worker.stats.visits += table.gather(lanes, class, &low, &high, near);
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
        let ids = [a, b].map(|t| self.view.mesh.triangles()[t as usize].map(|v| v.0));
        let bodies = ids.map(|t| self.triangles.points[t[0] as usize][3] as usize);
        if !(if bodies[0] == bodies[1] { self.pairs.within() } else { self.pairs.between() }) {
            return;
        }
        self.worker.stats.candidates += 1;
        if self.exact {
            let pa = self.view.positions(bodies[0], ids[0]);
            let pb = self.view.positions(bodies[1], ids[1]);
            if !tri_tri::meets(ids[0], &pa, ids[1], &pb) {
                return;
            }
        }
        self.worker.found.push(TrianglePair::new(TriangleId(a), TriangleId(b)));
    }
}
