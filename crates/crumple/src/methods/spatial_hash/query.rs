//! The fast way through pass 2: every tet reads the rows of cells that its box meets, eight vertices at a time.

use std::ops::Range;

use super::{MeshView, SpatialHash};
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
    /// Vertices of one tet's box, as places in the table: first of eight, mask.
    places: Vec<(u32, u32)>,
}

fn key(vertex: u32, tet: u32) -> u64 {
    u64::from(vertex) << 32 | u64::from(tet)
}

/// Some tets against the table.
struct Search<'a> {
    hash: &'a SpatialHash,
    view: MeshView<'a>,
    pairs: Pairs,
    tets: Range<usize>,
    /// Whether candidates are tested.
    exact: bool,
    worker: &'a mut Worker,
}

impl Work for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        let tets = self.view.mesh.tets();
        for tet in self.tets.clone() {
            self.tet(lanes, tet as u32, tets[tet].map(|v| v.0));
        }
    }
}

impl Search<'_> {
    #[inline(always)]
    fn tet<L: Lanes>(&mut self, lanes: L, tet: u32, corners: [u32; 4]) {
        let snapped = &self.hash.snapped;
        let at = corners.map(|c| &snapped[c as usize]);
        let (low, high) = lanes.bounds(at);
        let extent: [u32; 3] = std::array::from_fn(|k| high[k].wrapping_sub(low[k]) as u32);
        let longest = extent[0].max(extent[1]).max(extent[2]);
        if self.hash.sizing.lattice.is_wrapped() && self.is_long(tet, longest) {
            self.in_full(tet, corners);
            return;
        }
        let levels = &self.hash.sizing.levels;
        let level = levels.iter().position(|l| longest <= l.longest).unwrap_or(levels.len() - 1);
        let table = &self.hash.tables[level];
        let places = &mut self.worker.places;
        places.clear();
        let mut count = 0;
        let found = |at: usize, mask: u32| {
            places.push((at as u32, mask));
            count += mask.count_ones();
        };
        // More rows than registers full of vertices: reading all is less.
        let rows = table.rows_of(&low, &high);
        if rows > 16 && rows * 8 > table.len() as u64 {
            table.visit_all(lanes, &low, &high, found);
        } else {
            table.visit(lanes, &low, &high, found);
        }
        self.worker.stats.visits += rows;
        // Its own corners are always met.
        if count <= 4 && self.hash.used.is_none() {
            return;
        }
        for n in 0..self.worker.places.len() {
            let (at, mut mask) = self.worker.places[n];
            while mask != 0 {
                let vertex = table.vertex(at as usize + mask.trailing_zeros() as usize);
                mask &= mask - 1;
                if !corners.contains(&vertex) {
                    self.candidate(vertex, tet, corners);
                }
            }
        }
    }

    fn is_long(&self, tet: u32, longest: u32) -> bool {
        longest >= 1 << 30 || self.hash.sizing.lattice.is_long(&self.view.tet(tet as usize))
    }

    /// A tet that the lattice cannot hold, against every vertex.
    #[cold]
    #[inline(never)]
    fn in_full(&mut self, tet: u32, corners: [u32; 4]) {
        for at in 0..self.hash.tables[0].len() {
            let vertex = self.hash.tables[0].vertex(at);
            if !corners.contains(&vertex) {
                self.candidate(vertex, tet, corners);
            }
        }
    }

    #[inline(never)]
    fn candidate(&mut self, vertex: u32, tet: u32, corners: [u32; 4]) {
        let snapped = &self.hash.snapped;
        let (body, other) = (snapped[vertex as usize][3] as usize, snapped[corners[0] as usize][3] as usize);
        if !(if body == other { self.pairs.within() } else { self.pairs.between() }) {
            return;
        }
        self.worker.stats.candidates += 1;
        if self.exact {
            let p = self.view.position(body, vertex);
            let t = corners.map(|c| self.view.position(other, c));
            if !vertex_tet::contains(&p, &t) {
                return;
            }
        }
        self.worker.found.push(key(vertex, tet));
    }
}

impl SpatialHash {
    /// Fills `self.keys` with (vertex, tet), sorted.
    fn search(&mut self, view: MeshView<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        if workers.is_empty() {
            workers.push(Worker::default());
        }
        let tets = view.mesh.tets().len();
        let worker = &mut workers[0];
        worker.found.clear();
        worker.stats = Stats::default();
        lanes::run(Search { hash: self, view, pairs, tets: 0..tets, exact, worker });
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
