//! A query: descend, open the patches that are left, settle what is left of them.

use super::hierarchy::NONE;
use super::leaves::{Chunk, Leaves, VertexRef, Want};
use super::leaves::{Open, Opened};
use super::one_ring::Star;
use super::search::{Found, PatchPair, PatchRef, Scene, search};
use super::stats::RegularityStats;
use super::surface::Surface;
use super::{Regularity, threads};
use crate::detector::Method;
use crate::epoch::Epoch;
use crate::geometry::Point;
use crate::geometry::lanes::floats;
use crate::{
    Bodies, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Guarantee, Pairs, Stats, TrianglePair,
};

/// Memory that queries share.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// What the descent found, one entry for each share of work.
    pub found: Vec<Found>,
    patch_pairs: Vec<PatchPair>,
    first_node: Vec<u32>,
    first_triangle: Vec<u32>,
    first_patch: Vec<u32>,
    first_vertex: Vec<u32>,
    /// Patches opened, and where: by number of the patch.
    to_open: Vec<PatchRef>,
    slots: Vec<u32>,
    opened: Vec<Opened>,
    /// Vertices round which neighbours wait, each once: by number of the vertex.
    stars: Vec<VertexRef>,
    stamps: Vec<u32>,
    epoch: Epoch,
    chunks: Vec<Chunk>,
}

impl Method for Regularity {
    fn name(&self) -> &'static str {
        "regularity"
    }

    fn guarantee(&self) -> Guarantee {
        self.params.rules.guarantee()
    }

    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)
    }

    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats {
        self.query(bodies, frame, pairs, Want::Candidates, &mut out.triangle_pairs)
    }

    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        self.query(bodies, frame, pairs, Want::Contacts, &mut out.triangle_pairs)
    }

    fn validate(&self, _: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.check_invariants(frame)
    }

    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.draw_tested(bodies, frame, into);
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
        // The next update prepares what this query needs.
        self.wants_sights = pairs.within();
        if pairs.within() {
            self.find_sights(frame);
        }
        let positions: Vec<&[Point]> =
            self.surfaces.iter().zip(frame.iter()).map(|(s, p)| s.positions(p)).collect();
        let scratch = &mut self.scratch;
        scratch.number(bodies, &self.surfaces);
        let first_node = std::mem::take(&mut scratch.first_node);
        let scene = Scene {
            surfaces: &self.surfaces,
            positions: &positions,
            map: &self.map,
            directions: &self.directions,
            rules: self.params.rules,
            is_single: self.params.patch == 1,
            first_node: &first_node,
        };
        scratch.descend(&scene, pairs);
        if !scene.is_single {
            scratch.open(&scene);
            scratch.gather_stars(&scene, pairs);
        }
        let first = out.len();
        self.stats = scratch.settle(scene, want, out);
        out[first..].sort_unstable();
        self.scratch.first_node = first_node;
        self.stats.summary()
    }
}

impl Scratch {
    /// Numbers patches, vertices and triangles across bodies.
    fn number(&mut self, bodies: &Bodies, surfaces: &[Surface]) {
        let (mut patches, mut vertices, mut nodes) = (0, 0, 0);
        self.first_triangle.clear();
        self.first_patch.clear();
        self.first_vertex.clear();
        self.first_node.clear();
        for (id, surface) in bodies.body_ids().zip(surfaces) {
            self.first_node.push(nodes);
            nodes += surface.bounds.len() as u32;
            self.first_triangle.push(bodies.triangle_range(id).start as u32);
            self.first_patch.push(patches);
            self.first_vertex.push(vertices);
            patches += surface.hierarchy.patches.len() as u32;
            vertices += surface.body.vertex_count() as u32;
        }
        self.slots.resize(patches as usize, NONE);
        self.stamps.resize(vertices as usize, 0);
    }

    fn descend(&mut self, scene: &Scene<'_>, pairs: Pairs) {
        search(scene, pairs, &mut self.found);
        self.patch_pairs.clear();
        self.found.iter().for_each(|f| self.patch_pairs.extend_from_slice(&f.patch_pairs));
    }

    /// Opens every patch that the descent left, once.
    fn open(&mut self, scene: &Scene<'_>) {
        self.to_open.clear();
        self.slots.fill(NONE);
        for &p in self.patch_pairs.as_flattened() {
            let slot = &mut self.slots[(self.first_patch[p.body as usize] + p.patch) as usize];
            if *slot == NONE {
                *slot = self.to_open.len() as u32;
                self.to_open.push(p);
            }
        }
        if self.opened.len() < self.to_open.len() {
            self.opened.resize_with(self.to_open.len(), Opened::new);
        }
        let (to_open, opened) = (&self.to_open, &mut self.opened[..self.to_open.len()]);
        threads::in_pieces(opened, 32, |first, out| {
            floats::run(Open { scene, patches: &to_open[first..first + out.len()], out });
        });
    }

    /// Lists the vertices that uncertified patches have in common.
    fn gather_stars(&mut self, scene: &Scene<'_>, pairs: Pairs) {
        self.stars.clear();
        if !pairs.within() {
            return;
        }
        let stamps = &mut self.stamps;
        self.epoch.advance(|| stamps.fill(0));
        let stamp = self.epoch.stamp();
        let mut add = |body: u32, vertex: u32| {
            let at = &mut stamps[(self.first_vertex[body as usize] + vertex) as usize];
            if *at != stamp {
                *at = stamp;
                let star = scene.surfaces[body as usize].hierarchy.stars.kind(vertex);
                if star != Star::Lone {
                    self.stars.push(VertexRef { body, vertex, star });
                }
            }
        };
        for &[a, b] in &self.patch_pairs {
            let hierarchy = &scene.surfaces[a.body as usize].hierarchy;
            if a == b {
                hierarchy.patches.vertices(a.patch as usize).iter().for_each(|&v| add(a.body, v));
            } else if a.body == b.body {
                hierarchy.borders.between(a.patch, b.patch).iter().for_each(|&v| add(a.body, v));
            }
        }
        for (body, surface) in scene.surfaces.iter().enumerate() {
            surface.hierarchy.borders.hubs().iter().for_each(|&v| add(body as u32, v));
        }
        self.stars.sort_unstable_by_key(|s| s.star);
    }

    fn settle(&mut self, scene: Scene<'_>, want: Want, out: &mut Vec<TrianglePair>) -> RegularityStats {
        let leaves = Leaves {
            scene,
            first_triangle: &self.first_triangle,
            first_patch: &self.first_patch,
            opened: &self.opened,
            slots: &self.slots,
            want,
        };
        self.chunks.resize_with(threads::chunks(), Chunk::default);
        self.chunks.iter_mut().for_each(Chunk::clear);
        threads::spread(&self.patch_pairs, &mut self.chunks, |pairs, chunk| leaves.compare(pairs, chunk));
        threads::spread(&self.stars, &mut self.chunks, |stars, chunk| leaves.stars(stars, chunk));
        let mut stats = RegularityStats::default();
        self.found.iter().for_each(|f| stats += f.stats);
        stats.opened = self.to_open.len() as u64;
        for chunk in &self.chunks {
            stats += chunk.stats;
            out.extend_from_slice(&chunk.pairs);
        }
        stats
    }
}
