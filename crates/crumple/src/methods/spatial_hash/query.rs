//! Pass 2: the questions.

use super::bundles::BundleSearch;
use super::workers::{Found, unpack};
use super::{Snapshot, SpatialHash};
use crate::detector::Method;
use crate::geometry::simd;
use crate::narrow::vertex_tet;
use crate::parallel;
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, EdgeTet, Frame, FrameError, Guarantee, Pairs, Stats,
    TetId, TrianglePair, VertexId, VertexTet,
};

/// Shares of the search hold at least this many bundles.
const SHARE: usize = 64;

impl SpatialHash {
    /// Fills `self.keys` with (vertex, tet), sorted and each once; `exact` tells whether candidates are tested.
    pub(super) fn search(&mut self, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let total = self.bundles.all().len();
        // Several shares a thread, so that one with many hits does not keep the others waiting.
        let shares = parallel::shares();
        let size = total.div_ceil(shares).max(SHARE);
        workers.resize_with(total.div_ceil(size), Found::default);
        parallel::for_each(&mut workers, |n, found| {
            found.clear();
            let bundles = &self.bundles.all()[n * size..total.min((n + 1) * size)];
            simd::dispatch(BundleSearch { hash: self, view, pairs, bundles, exact, found });
        });
        self.keys.clear();
        let mut stats = Stats::default();
        for found in &workers {
            self.keys.extend_from_slice(&found.keys);
            stats += found.stats;
        }
        self.workers = workers;
        self.keys.sort_unstable();
        self.keys.dedup();
        stats
    }

    /// A vertex in a tet, with its weights there.
    fn contact(&self, view: &Snapshot<'_>, key: u64) -> VertexTet {
        let (vertex, tet) = unpack(key);
        let corners = bytemuck::cast::<[VertexId; 4], [u32; 4]>(view.bodies.tets()[tet.index()]);
        let body = |v: u32| self.snapped[v as usize][3] as usize;
        let [p] = view.positions(body(vertex.0), [vertex.0]);
        let t = view.positions(body(corners[0]), corners);
        VertexTet { vertex, tet, weights: vertex_tet::weights(&p, &t) }
    }

    fn search_edges(
        &mut self,
        view: Snapshot<'_>,
        pairs: Pairs,
        exact: bool,
        found: impl FnMut(EdgeTet),
    ) -> Stats {
        if !self.params.find.edge_tets {
            return Stats::default();
        }
        let mut edges = std::mem::take(&mut self.edges);
        let stats = edges.search(self, view, pairs, exact, found);
        self.edges = edges;
        stats
    }

    fn search_triangles(
        &mut self,
        view: Snapshot<'_>,
        pairs: Pairs,
        exact: bool,
        found: impl FnMut(TrianglePair),
    ) -> Stats {
        if !self.params.find.triangle_pairs {
            return Stats::default();
        }
        self.triangles.search(view, pairs, exact, found)
    }
}

impl Method for SpatialHash {
    fn name(&self) -> &'static str {
        "spatial-hash"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        // Lanes count vertices as `i32`.
        if i32::try_from(bodies.vertex_count()).is_err() {
            return Err(FrameError::TooManyVertices {
                given: bodies.vertex_count(),
                most: i32::MAX as usize,
            });
        }
        self.follow(&Snapshot { bodies, frame });
        Ok(())
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let mut stats = Stats::default();
        if self.params.find.vertex_tets {
            stats += self.search(Snapshot { bodies, frame }, pairs, false);
            out.vertex_tets.extend(self.keys.iter().map(|&k| unpack(k)));
        }
        stats += self
            .search_edges(Snapshot { bodies, frame }, pairs, false, |e| out.edge_tets.push((e.edge, e.tet)));
        stats +=
            self.search_triangles(Snapshot { bodies, frame }, pairs, false, |p| out.triangle_pairs.push(p));
        stats
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let view = Snapshot { bodies, frame };
        let mut stats = Stats::default();
        if self.params.find.vertex_tets {
            stats += self.search(view, pairs, true);
            let none = VertexTet { vertex: VertexId(0), tet: TetId(0), weights: [0.0; 4] };
            out.vertex_tets.resize(self.keys.len(), none);
            let hash = &*self;
            parallel::for_each_chunk(&mut out.vertex_tets, parallel::WORTH / 4, |begin, contacts| {
                for (contact, &key) in contacts.iter_mut().zip(&hash.keys[begin..]) {
                    *contact = hash.contact(&view, key);
                }
            });
        }
        stats += self.search_edges(view, pairs, true, |e| out.edge_tets.push(e));
        stats += self.search_triangles(view, pairs, true, |p| out.triangle_pairs.push(p));
        stats.contacts = (out.vertex_tets.len() + out.edge_tets.len() + out.triangle_pairs.len()) as u64;
        stats
    }

    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.check(&Snapshot { bodies, frame })
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.draw_cells(&Snapshot { bodies, frame }, into);
    }
}
