//! Pass 2: the questions.

use super::bundles::BundleSearch;
use super::workers::unpack;
use super::{Snapshot, SpatialHash};
use crate::detector::Method;
use crate::geometry::simd;
use crate::narrow::vertex_tet;
use crate::parallel;
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Pairs, Stats, TetId,
    VertexId, VertexTet,
};

/// Shares of the search hold at least this many bundles.
const SHARE: usize = 64;

impl SpatialHash {
    /// Finds all that the parameters ask for; `exact` tells whether candidates are tested.
    fn search(&mut self, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut stats = Stats::default();
        if self.params.find.vertex_tets {
            let mut found = std::mem::take(&mut self.found);
            let bundles = self.bundles.all();
            stats += found.search(bundles.len(), SHARE, |range, worker| {
                simd::dispatch(BundleSearch {
                    hash: self,
                    view,
                    pairs,
                    bundles: &bundles[range],
                    exact,
                    worker,
                });
            });
            self.found = found;
        }
        if self.params.find.edge_tets {
            let mut edges = std::mem::take(&mut self.edges);
            stats += edges.search(self, view, pairs, exact);
            self.edges = edges;
        }
        if self.params.find.triangle_pairs {
            stats += self.triangles.search(view, pairs, exact);
        }
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
        let stats = self.search(Snapshot { bodies, frame }, pairs, false);
        out.vertex_tets.extend(self.found.all.iter().map(|&k| unpack(k)));
        out.edge_tets.extend(self.edges.found().iter().map(|e| (e.edge, e.tet)));
        out.triangle_pairs.extend_from_slice(self.triangles.found());
        stats
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let view = Snapshot { bodies, frame };
        let mut stats = self.search(view, pairs, true);
        let none = VertexTet { vertex: VertexId(0), tet: TetId(0), weights: [0.0; 4] };
        out.vertex_tets.resize(self.found.all.len(), none);
        let hash = &*self;
        parallel::for_each_chunk(&mut out.vertex_tets, parallel::WORTH / 4, |begin, contacts| {
            for (contact, &key) in contacts.iter_mut().zip(&hash.found.all[begin..]) {
                *contact = hash.contact(&view, key);
            }
        });
        out.edge_tets.extend_from_slice(self.edges.found());
        out.triangle_pairs.extend_from_slice(self.triangles.found());
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
