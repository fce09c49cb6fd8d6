//! The fast way through pass 2: every tet reads the rows of cells that its box meets, eight vertices at a time.

use super::bundles::Bundle;
use super::filter::TetLanes;
use super::near::Near;
use super::{MeshView, SpatialHash, threads};
use crate::geometry::lanes::{self, Lanes, Work};
use crate::narrow::vertex_tet;
use crate::{
    Broken, Candidates, Contacts, Detector, Drawing, Frame, FrameError, Guarantee, Mesh, Pairs, Stats, TetId,
    VertexId, VertexTet,
};

/// What one thread finds, and its scratch.
#[derive(Debug, Clone, Default)]
pub(super) struct Worker {
    /// Vertex and tet, packed so that they sort.
    found: Vec<u64>,
    stats: Stats,
    near: Near,
}

fn key(vertex: u32, tet: u32) -> u64 {
    u64::from(vertex) << 32 | u64::from(tet)
}

/// Some bundles against the table.
struct Search<'a> {
    hash: &'a SpatialHash,
    view: MeshView<'a>,
    pairs: Pairs,
    bundles: &'a [Bundle],
    /// Whether candidates are tested.
    exact: bool,
    worker: &'a mut Worker,
}

impl Work for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        for bundle in self.bundles {
            self.bundle(lanes, bundle);
        }
    }
}

impl Search<'_> {
    #[inline(always)]
    fn bundle<L: Lanes>(&mut self, lanes: L, bundle: &Bundle) {
        let hash = self.hash;
        let tets = TetLanes::new(lanes, &hash.snapped, &bundle.corners);
        let (low, high) = tets.span(lanes);
        let wrapped = hash.sizing.lattice.is_wrapped();
        if wrapped && self.is_long(bundle, &low, &high) {
            self.in_full(bundle);
            return;
        }
        let near = &mut self.worker.near;
        near.clear();
        self.worker.stats.visits += hash.gather(lanes, &low, &high, near);
        self.worker.stats.tests += near.len() as u64;
        let boxed = near.keep_boxed(lanes, &tets, bundle);
        if boxed == 0 {
            return;
        }
        let faces = tets.faces(lanes);
        for n in 0..boxed {
            let near = &self.worker.near;
            let (at, mut inside) = near.boxed(n);
            let [x, y, z, id] = near.get(at);
            if !wrapped {
                inside &= lanes.zeros(faces.exclude(lanes, [lanes.splat(x), lanes.splat(y), lanes.splat(z)]));
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
        let corners = bundle.corners.map(|c| c.map(|v| self.view.position(bundle.body as usize, v as u32)));
        (0..3).any(|k| extent(k) >= 1 << 30) || self.hash.sizing.lattice.is_long(corners.as_flattened())
    }

    /// A bundle that the lattice cannot hold, against every vertex.
    #[cold]
    #[inline(never)]
    fn in_full(&mut self, bundle: &Bundle) {
        for at in 0..self.hash.tables[0].len() {
            let vertex = self.hash.tables[0].vertex(at);
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
        if !(if body == other { self.pairs.within() } else { self.pairs.between() }) {
            return;
        }
        self.worker.stats.candidates += 1;
        if self.exact {
            let p = self.view.position(body as usize, vertex);
            let t = bundle.corners.map(|c| self.view.position(other as usize, c[lane] as u32));
            if !vertex_tet::contains(&p, &t) {
                return;
            }
        }
        self.worker.found.push(key(vertex, bundle.tets[lane]));
    }
}

impl SpatialHash {
    /// Collects the vertices in a box, each once; returns how many rows were read.
    #[inline(always)]
    fn gather<L: Lanes>(&self, lanes: L, low: &[i32; 3], high: &[i32; 3], near: &mut Near) -> u64 {
        let longest = (0..3).map(|k| high[k].wrapping_sub(low[k]) as u32).fold(0, u32::max);
        let levels = &self.sizing.levels;
        let level = levels.iter().position(|l| longest <= l.longest).unwrap_or(levels.len() - 1);
        self.tables[level].gather(lanes, low, high, near)
    }
}

impl SpatialHash {
    /// Fills `self.keys` with (vertex, tet), sorted.
    fn search(&mut self, view: MeshView<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let bundles = self.bundles.all();
        // Several shares a thread, so that one with many hits does not keep the others waiting.
        let shares = if threads::count() == 1 { 1 } else { 8 * threads::count() };
        let size = bundles.len().div_ceil(shares).max(64);
        workers.resize_with(bundles.len().div_ceil(size), Worker::default);
        threads::for_each_chunk(&mut workers, 1, |n, worker| {
            let bundles = &bundles[n * size..bundles.len().min((n + 1) * size)];
            let worker = &mut worker[0];
            worker.found.clear();
            worker.stats = Stats::default();
            lanes::run(Search { hash: self, view, pairs, bundles, exact, worker });
        });
        self.keys.clear();
        let mut stats = Stats::default();
        for worker in &workers {
            self.keys.extend_from_slice(&worker.found);
            stats += worker.stats;
        }
        self.workers = workers;
        self.keys.sort_unstable();
        stats
    }
}

impl Detector for SpatialHash {
    fn name(&self) -> &'static str {
        "spatial-hash"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn update(&mut self, mesh: &Mesh, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(mesh, frame)
    }

    fn candidates(&mut self, mesh: &Mesh, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let stats = self.search(MeshView { mesh, frame }, pairs, false);
        out.vertex_tets.extend(self.keys.iter().map(|k| (VertexId((k >> 32) as u32), TetId(*k as u32))));
        stats
    }

    fn contacts(&mut self, mesh: &Mesh, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let view = MeshView { mesh, frame };
        let mut stats = self.search(view, pairs, true);
        out.clear();
        out.vertex_tets.extend(self.keys.iter().map(|&key| {
            let (vertex, tet) = ((key >> 32) as u32, key as u32);
            let corners = mesh.tets()[tet as usize];
            let p = view.position(self.snapped[vertex as usize][3] as usize, vertex);
            let body = self.snapped[corners[0].index()][3] as usize;
            let weights = vertex_tet::weights(&p, &corners.map(|c| view.position(body, c.0)));
            VertexTet { vertex: VertexId(vertex), tet: TetId(tet), weights }
        }));
        stats.contacts += out.vertex_tets.len() as u64;
        stats
    }

    fn validate(&self, _mesh: &Mesh, _frame: Frame<'_>) -> Result<(), Broken> {
        Ok(())
    }

    fn draw(&self, _mesh: &Mesh, _frame: Frame<'_>, _into: &mut Drawing) {}
}
