//! A query: descend, open the patches that are left, settle what is left of them.

use super::Regularity;
use super::certificate::Proved;
use super::hierarchy::{AtVertices, Hierarchy};
use super::leaves::{LeafAnswer, NarrowOutput, NarrowPhase, PatchRows, Want, fill_patch_rows};
use super::one_ring::{OneRing, VertexRef};
use super::posed::{PatchPair, PatchRef, Posed};
use super::search::{Descent, Search};
use super::stats::RegularityStats;
use super::surfaces::Surface;
use super::update::Edits;
use crate::budget::{Budgeted, Clock, Meter};
use crate::detector::Method;
use crate::epoch::Epoch;
use crate::geometry::Aabb;
use crate::quota::Quota;
use crate::{
    Bodies, BodyId, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Pairs, Stats,
    TrianglePair, parallel,
};

/// What building takes for each triangle, about: 170 to 220 ns on an AMD EPYC. A budget that is shorter is not spent on it.
const BUILD_SECONDS: f64 = 250e-9;

/// A patch that was not opened.
const NOT_OPENED: u32 = u32::MAX;

/// The number of the first node, triangle, patch and vertex of each body, counted across bodies.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    pub first_node: Vec<u32>,
    pub first_triangle: Vec<u32>,
    pub first_patch: Vec<u32>,
    pub first_vertex: Vec<u32>,
    patches: u32,
    vertices: u32,
}

impl Numbering {
    /// Counts anew.
    pub fn count(&mut self, bodies: &Bodies, surfaces: &[Surface]) {
        let mut nodes = 0;
        (self.patches, self.vertices) = (0, 0);
        for list in
            [&mut self.first_node, &mut self.first_triangle, &mut self.first_patch, &mut self.first_vertex]
        {
            list.clear();
        }
        for (id, surface) in bodies.body_ids().zip(surfaces) {
            self.first_node.push(nodes);
            self.first_triangle.push(bodies.triangle_range(id).start as u32);
            self.first_patch.push(self.patches);
            self.first_vertex.push(self.vertices);
            nodes += surface.bounds.len() as u32;
            self.patches += surface.hierarchy.patches.len() as u32;
            self.vertices += surface.body.vertex_count() as u32;
        }
    }
}

/// Memory that queries share.
#[derive(Debug, Default)]
pub(crate) struct QueryMemory {
    pub(super) numbering: Numbering,
    /// What the descent found, one entry for each share of work.
    pub descents: Vec<Descent>,
    pub(super) patch_pairs: Vec<PatchPair>,
    /// Patches opened, and where: by number of the patch.
    pub(super) to_open: Vec<PatchRef>,
    pub(super) slots: Vec<u32>,
    pub(super) opened: Vec<PatchRows>,
    /// Vertices round which neighbours were not certified, each once: by number of the vertex.
    pub(super) vertices: Vec<VertexRef>,
    stamps: Vec<u32>,
    epoch: Epoch,
    pub(super) outputs: Vec<NarrowOutput>,
}

impl Method for Regularity {
    fn name(&self) -> &'static str {
        "regularity"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        let patch = self.params.patch;
        self.surfaces.follow(bodies, frame, Edits::Repair, move |body, positions| {
            Hierarchy::new(body, positions, patch)
        })?;
        Ok(())
    }

    fn follow_until(&mut self, bodies: &Bodies, frame: Frame<'_>, clock: Clock) -> Result<bool, FrameError> {
        if clock.is_sooner_than(BUILD_SECONDS * self.surfaces.list.new_triangles(bodies) as f64) {
            return Ok(false);
        }
        self.surfaces.clock = clock;
        let followed = Method::follow(self, bodies, frame);
        self.surfaces.clock = Clock::default();
        followed.map(|()| !clock.is_late())
    }

    fn contacts_budgeted(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        meter: &mut Meter,
        out: &mut Contacts,
    ) -> Option<Budgeted> {
        Some(self.query_budgeted(bodies, frame, pairs, meter, &mut out.triangle_pairs))
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        self.query(bodies, frame, pairs, Want::Candidates, &mut out.triangle_pairs)
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        self.query(bodies, frame, pairs, Want::Contacts, &mut out.triangle_pairs)
    }

    fn limit(&mut self, most: usize) {
        self.most = most;
    }

    fn triangles_where(&self, body: BodyId, is_wanted: &dyn Fn(&Aabb) -> bool, out: &mut Vec<u32>) -> bool {
        let surfaces = &self.surfaces;
        let Some(surface) = surfaces.list.values().get(body.index()) else { return false };
        let (nodes, patches) = (&surface.hierarchy.tree.nodes, &surface.hierarchy.patches);
        // Copies are in no patch, and scaled positions not in space.
        if !surface.hierarchy.copies.is_empty() || surface.is_lifted() {
            return false;
        }
        let mut open: Vec<usize> = if nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(n) = open.pop() {
            if !is_wanted(&surface.bounds[n].outward(&surfaces.map)) {
                continue;
            }
            open.extend(nodes[n].child_range());
            if nodes[n].is_leaf() {
                out.extend(patches.places(nodes[n].patches[0] as usize).map(|place| patches.id(place)));
            }
        }
        true
    }

    fn validate(&self, _: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.surfaces.validate(frame)
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.surfaces.draw_seen(bodies, frame, &self.memory.descents, into);
    }
}

impl Regularity {
    /// Appends the pairs that are wanted, sorted.
    fn query(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        pairs: Pairs,
        want: Want,
        out: &mut Vec<TrianglePair>,
    ) -> Stats {
        self.surfaces.prepare(frame, pairs.within());
        let positions = self.surfaces.positions(frame);
        let posed = self.surfaces.posed(&positions);
        let memory = &mut self.memory;
        memory.numbering.count(bodies, posed.surfaces);
        memory.forget();
        memory.descend(posed, pairs, frame.near());
        memory.open(&posed);
        memory.gather_vertices(&posed, pairs);
        let first = out.len();
        let quota = Quota::new(if want == Want::Contacts { self.most } else { usize::MAX });
        self.stats = memory.settle(posed, want, &quota, out);
        out[first..].sort_unstable();
        self.stats.summary()
    }
}

impl QueryMemory {
    fn descend(&mut self, posed: Posed<'_>, pairs: Pairs, near: Option<&[[BodyId; 2]]>) {
        let first_node = &self.numbering.first_node;
        Search { posed, certificates: Proved, first_node, near }.run(pairs, &mut self.descents);
        self.patch_pairs.clear();
        self.descents.iter().for_each(|d| self.patch_pairs.extend_from_slice(&d.patch_pairs));
    }

    /// Forgets the last query: no patch is open, and no vertex is listed.
    pub(super) fn forget(&mut self) {
        self.to_open.clear();
        self.slots.clear();
        self.slots.resize(self.numbering.patches as usize, NOT_OPENED);
        let stamps = &mut self.stamps;
        stamps.resize(self.numbering.vertices as usize, 0);
        self.epoch.advance(|| stamps.fill(0));
    }

    /// Opens every patch that the descent left and that is not open yet.
    pub(super) fn open(&mut self, posed: &Posed<'_>) {
        let open = self.to_open.len();
        for &p in self.patch_pairs.as_flattened() {
            let slot = &mut self.slots[(self.numbering.first_patch[p.body as usize] + p.patch) as usize];
            if *slot == NOT_OPENED {
                *slot = self.to_open.len() as u32;
                self.to_open.push(p);
            }
        }
        if self.opened.len() < self.to_open.len() {
            self.opened.resize_with(self.to_open.len(), PatchRows::new);
        }
        let (to_open, opened) = (&self.to_open[open..], &mut self.opened[open..self.to_open.len()]);
        parallel::for_each_chunk(opened, 32, |first, out| {
            fill_patch_rows(posed, &to_open[first..first + out.len()], out);
        });
    }

    /// Lists the vertices that uncertified patches have in common and that were not listed before.
    pub(super) fn gather_vertices(&mut self, posed: &Posed<'_>, pairs: Pairs) {
        self.vertices.clear();
        if !pairs.within() {
            return;
        }
        let (stamps, stamp) = (&mut self.stamps, self.epoch.stamp());
        // Of each body that is left with pairs of its own.
        let mut known: Vec<Option<&AtVertices>> = vec![None; posed.surfaces.len()];
        for [a, _] in self.patch_pairs.iter().filter(|[a, b]| a.body == b.body) {
            let Surface { body, hierarchy, .. } = &posed.surfaces[a.body as usize];
            known[a.body as usize].get_or_insert_with(|| hierarchy.find_at_vertices(body));
        }
        let mut add = |body: u32, known: &AtVertices, vertex: u32| {
            let at = &mut stamps[(self.numbering.first_vertex[body as usize] + vertex) as usize];
            if *at != stamp {
                *at = stamp;
                let ring = known.one_rings.kind(vertex);
                if ring != OneRing::Lone {
                    self.vertices.push(VertexRef { body, vertex, ring });
                }
            }
        };
        for &[a, b] in &self.patch_pairs {
            let Some(known) = known[a.body as usize].filter(|_| a.body == b.body) else { continue };
            if a == b {
                let patches = &posed.surfaces[a.body as usize].hierarchy.patches;
                patches.vertices(a.patch as usize).iter().for_each(|&v| add(a.body, known, v));
            } else {
                known.shared.between(a.patch, b.patch).iter().for_each(|&v| add(a.body, known, v));
            }
        }
        for (body, known) in known.iter().enumerate() {
            let hubs = known.map_or(&[][..], |known| known.shared.hubs());
            hubs.iter().for_each(|&v| add(body as u32, known.expect("it has hubs"), v));
        }
        self.vertices.sort_unstable_by_key(|v| v.ring);
    }

    fn settle(
        &mut self,
        posed: Posed<'_>,
        want: Want,
        quota: &Quota,
        out: &mut Vec<TrianglePair>,
    ) -> RegularityStats {
        let first_triangle = &self.numbering.first_triangle;
        let narrow = NarrowPhase {
            posed,
            first_patch: &self.numbering.first_patch,
            opened: &self.opened,
            slots: &self.slots,
            answer: LeafAnswer { surfaces: posed.surfaces, first_triangle, want, quota },
        };
        self.outputs.resize_with(parallel::shares(), NarrowOutput::default);
        self.outputs.iter_mut().for_each(NarrowOutput::clear);
        let (pairs, vertices) = (&self.patch_pairs, &self.vertices);
        parallel::for_each_share(pairs.len(), &mut self.outputs, |r, out| narrow.compare(&pairs[r], out));
        parallel::for_each_share(vertices.len(), &mut self.outputs, |r, out| {
            narrow.one_rings(&vertices[r], out)
        });
        let mut stats = RegularityStats::default();
        self.descents.iter().for_each(|d| stats += d.stats);
        stats.opened = self.to_open.len() as u64;
        for output in &self.outputs {
            stats += output.stats;
            out.extend_from_slice(&output.pairs);
        }
        stats
    }
}
