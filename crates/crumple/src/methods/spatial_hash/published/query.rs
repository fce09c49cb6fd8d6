//! Following the frame, and the question.

use std::collections::BTreeSet;

use super::cell::{Cell, CellBox, Grid};
use super::cells::{CellQuery, Met};
use super::{InsideTest, PublishedSpatialHash};
use crate::detector::Method;
use crate::geometry::Aabb;
use crate::methods::spatial_hash::Snapshot;
use crate::methods::spatial_hash::draw::draw_hits;
use crate::methods::spatial_hash::update::used_vertices;
use crate::methods::spatial_hash::workers::unpack;
use crate::narrow::vertex_tet;
use crate::parallel;
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Pairs, Stats, TetId, Tone,
    VertexId, VertexTet,
};

/// Shares of the search hold at least this many tets or entries.
const SHARE: usize = 64;

impl PublishedSpatialHash {
    /// Notes which vertices are tested, when bodies have changed.
    fn follow_bodies(&mut self, bodies: &Bodies) {
        let (old, new) = (&self.meshes, bodies.meshes());
        if old.len() == new.len() && old.iter().zip(new).all(|(old, new)| old.is_same(new)) {
            return;
        }
        let used: Vec<bool> = new.iter().flat_map(|b| used_vertices(b, self.params.vertices)).collect();
        self.used = used.contains(&false).then_some(used);
        self.meshes = new.to_vec();
    }

    /// Figure 2: the cells that the box of a tet covers, those that hold a vertex as [`Tone::Visited`] and the vertices there as
    /// points, all in the frame of the last update.
    pub fn draw_tet(&self, bodies: &Bodies, frame: Frame<'_>, tet: TetId, into: &mut Drawing) {
        let view = Snapshot { bodies, frame };
        let (size, _) = self.cells.sizes();
        let corners = view.tet(tet.index());
        let bounds = Aabb::of(&corners);
        CellBox::new(Grid { size }, bounds.min, bounds.max).for_each(|cell| {
            let here = self.cells.items().iter().filter(|(c, _)| *c == cell);
            let before = into.points.len();
            into.points.extend(here.map(|&(_, v)| {
                let (body, _) = bodies.locate_vertex(VertexId(v));
                (view.positions(body.index(), [v])[0], Tone::Hit)
            }));
            let tone = if into.points.len() > before { Tone::Visited } else { Tone::Level(0) };
            let corner = |more: f64| cell.0.map(|i| size * (f64::from(i) + more));
            into.boxes.push((corner(0.0), corner(1.0), tone));
        });
    }

    /// Fills `self.keys` with (vertex, tet), sorted and each once; `exact` tells whether candidates are tested.
    fn search(&mut self, view: Snapshot<'_>, pairs: Pairs, exact: bool) -> Stats {
        let mut workers = std::mem::take(&mut self.workers);
        let used = self.used.as_deref();
        let query = CellQuery { view, params: &self.params, used, pairs, exact };
        let total = self.cells.shares(&query);
        let shares = parallel::shares();
        let size = total.div_ceil(shares).max(SHARE);
        workers.resize_with(total.div_ceil(size), Met::default);
        parallel::for_each(&mut workers, |n, met| {
            (met.stats, met.met) = (Stats::default(), 0);
            met.keys.clear();
            self.cells.search(&query, n * size..total.min((n + 1) * size), met);
        });
        self.keys.clear();
        let mut stats = Stats::default();
        for met in &workers {
            self.keys.extend_from_slice(&met.keys);
            stats += met.stats;
        }
        self.workers = workers;
        self.keys.sort_unstable();
        self.keys.dedup();
        stats
    }
}

impl Method for PublishedSpatialHash {
    fn name(&self) -> &'static str {
        "spatial-hash-published"
    }

    fn guarantee(&self) -> Guarantee {
        if self.params.test == InsideTest::Exact { Guarantee::Proved } else { Guarantee::AsPublished }
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        frame.check(bodies)?;
        self.follow_bodies(bodies);
        self.cells.fill(&Snapshot { bodies, frame }, &self.params, self.used.as_deref());
        Ok(())
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        let stats = self.search(Snapshot { bodies, frame }, pairs, false);
        out.vertex_tets.extend(self.keys.iter().map(|&k| unpack(k)));
        stats
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        let view = Snapshot { bodies, frame };
        let stats = self.search(view, pairs, true);
        out.vertex_tets.extend(self.keys.iter().map(|&key| {
            let (vertex, tet) = unpack(key);
            let (body, _) = bodies.locate_vertex(vertex);
            let [p] = view.positions(body.index(), [vertex.0]);
            VertexTet { vertex, tet, weights: vertex_tet::weights(&p, &view.tet(tet.index())) }
        }));
        Stats { contacts: out.vertex_tets.len() as u64, ..stats }
    }

    fn validate(&self, _: &Bodies, _: Frame<'_>) -> Result<(), Broken> {
        self.check()
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        let (edge, _) = self.cells.sizes();
        let cells: BTreeSet<Cell> = self.cells.items().iter().map(|i| i.0).collect();
        let corner = |c: Cell, more: f64| c.0.map(|i| edge * (f64::from(i) + more));
        into.boxes.extend(cells.into_iter().map(|c| (corner(c, 0.0), corner(c, 1.0), Tone::Level(0))));
        draw_hits(&Snapshot { bodies, frame }, &self.keys, into);
    }
}
