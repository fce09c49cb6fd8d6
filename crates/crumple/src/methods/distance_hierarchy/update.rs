//! Following the frame: one pass over the positions. Regions are brought up to date later, where a question gets to them.

use super::bounds::Scale;
use super::copy::copy;
use super::motion::RigidMotion;
use super::regions::refit::Now;
use super::regions::{Region, Regions};
use super::{BodyState, DistanceHierarchy};
use crate::geometry::{Aabb, Point};
use crate::{Bodies, BodyId, Frame, FrameError, Mesh, TriangleId};

impl DistanceHierarchy {
    /// Takes the positions of `frame`; meshes that are not the same version as before are cut into regions afresh. The
    /// bounds of a region are refitted by the first question that gets to it. After an error everything is as it was.
    pub fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        let kept = !bodies.meshes().is_empty()
            && self.bodies.len() == bodies.meshes().len()
            && self.bodies.iter().zip(bodies.meshes()).all(|(s, b)| s.body.is_same(b));
        if !kept || !has_lengths(bodies, frame) {
            frame.check(bodies)?;
        }
        if !kept {
            self.adopt(bodies);
        }
        self.next.resize(self.positions.len(), [0.0; 3]);
        let mut seen = Vec::with_capacity(bodies.meshes().len());
        for (id, given) in bodies.body_ids().zip(frame.iter()) {
            let range = bodies.vertex_range(id);
            let (old, new) = (&self.positions[range.clone()], &mut self.next[range]);
            let taken = copy(given, old, new);
            if !taken.is_valid {
                return frame.check(bodies);
            }
            seen.push(taken);
        }
        std::mem::swap(&mut self.positions, &mut self.next);
        self.frame += 1;
        let is_followed = self.records.bodies(self.bodies.len());
        let mut extent = Aabb::EMPTY;
        for ((id, taken), given) in bodies.body_ids().zip(seen).zip(frame.iter()) {
            extent = extent.union(&taken.bounds);
            let state = &mut self.bodies[id.index()];
            let range = bodies.vertex_range(id);
            state.motion = kept.then_some(taken.steps).filter(|_| !given.is_empty());
            state.turn = state.motion.filter(|_| is_followed[id.index()]).map(|steps| {
                RigidMotion::of(
                    &self.next[range.clone()],
                    &self.positions[range.clone()],
                    &state.extent,
                    steps,
                )
            });
            state.extent = if state.has_loose {
                state.used_extent(&self.positions[bodies.vertex_range(id)])
            } else {
                taken.bounds
            };
        }
        self.scale = Scale::of(&extent);
        self.follow_records();
        for state in self.bodies.iter_mut().filter(|s| !s.is_cut) {
            let (partition, capacity) = (self.params.partition, self.params.region_triangles);
            let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
            state.regions = Regions::new(&state.body, positions, partition, capacity);
            state.is_cut = true;
        }
        Ok(())
    }

    /// Tells the records how far their bodies went.
    fn follow_records(&mut self) {
        let mut records = std::mem::take(&mut self.records);
        let moved = |b: BodyId| self.state(b).motion.is_some_and(|m| m.min != [0.0; 3] || m.max != [0.0; 3]);
        let keep = |b: BodyId| self.params.reuse_still || moved(b);
        records.travel(|a, b| {
            let (p, q) = (self.state(a).turn?, self.state(b).turn?);
            let approach = self.approach(a, b)?.min(p.approach(&q));
            (keep(a) && keep(b)).then_some(approach)
        });
        self.records = records;
    }

    /// Takes over the bodies of another mesh.
    fn adopt(&mut self, bodies: &Bodies) {
        let mut old: Vec<Option<BodyState>> = self.bodies.drain(..).map(Some).collect();
        old.resize_with(bodies.meshes().len(), || None);
        for (id, old) in bodies.body_ids().zip(old) {
            let body = bodies.mesh(id);
            let mut state = match old {
                Some(state) if state.body.is_same(body) => state,
                _ => BodyState::new(body),
            };
            state.first_vertex = bodies.vertex_range(id).start as u32;
            state.first_triangle = bodies.triangle_range(id).start as u32;
            self.bodies.push(state);
        }
        self.records.clear();
        self.positions.clear();
        self.positions.resize(bodies.vertex_count(), [0.0; 3]);
    }

    /// Brings some regions of a body up to date.
    pub(super) fn refit_some(&mut self, body: BodyId, regions: &[Region]) {
        let state = &mut self.bodies[body.index()];
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        if let Some(tree) = &mut state.regions {
            tree.refit_some(regions, Now { frame: self.frame, positions, map: &self.scale.map });
        }
    }

    /// Brings all regions of a body up to date.
    pub(super) fn refit(&mut self, body: BodyId) {
        let state = &mut self.bodies[body.index()];
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        if let Some(tree) = &mut state.regions {
            tree.refit(tree.root, Now { frame: self.frame, positions, map: &self.scale.map });
        }
    }
}

/// Whether a frame has as many bodies and vertices as the mesh.
fn has_lengths(bodies: &Bodies, frame: Frame<'_>) -> bool {
    frame.len() == bodies.meshes().len()
        && frame.iter().zip(bodies.meshes()).all(|(p, b)| p.len() == b.vertex_count())
}

impl BodyState {
    fn new(body: &Mesh) -> Self {
        let topology = body.topology();
        let mut components = vec![u32::MAX; topology.component_count()];
        for t in (0..body.triangles().len() as u32).rev() {
            components[topology.component_of(TriangleId(t))] = t;
        }
        let mut is_loose = vec![true; body.vertex_count()];
        body.triangles().iter().flatten().for_each(|v| is_loose[v.index()] = false);
        Self {
            body: body.clone(),
            first_vertex: 0,
            first_triangle: 0,
            regions: None,
            is_cut: false,
            components,
            is_closed: topology.is_closed(),
            has_loose: is_loose.contains(&true),
            extent: Aabb::EMPTY,
            motion: None,
            turn: None,
        }
    }

    /// The box of the vertices that triangles use.
    fn used_extent(&self, positions: &[Point]) -> Aabb {
        self.body.triangles().iter().flatten().fold(Aabb::EMPTY, |b, v| b.with(&positions[v.index()]))
    }
}
