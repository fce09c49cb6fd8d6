//! Following the frame: one pass over the positions. Regions are brought up to date later, where a question gets to them.

use super::DistanceHierarchy;
use super::bounds::Scale;
use super::copy::copy_until;
use super::motion::RigidMotion;
use super::regions::Region;
use super::regions::refit::Now;
use crate::budget::Clock;
use crate::geometry::Aabb;
use crate::{Bodies, BodyId, Frame, FrameError, Mesh};

/// What cutting a body into regions takes for each triangle, about: 200 to 250 ns on an AMD EPYC (docs/edits.md). A budget that
/// is shorter is not spent on it.
const BUILD_SECONDS: f64 = 250e-9;

impl DistanceHierarchy {
    /// Takes the positions of `frame`; meshes that are not the same version as before follow their edits, or are cut into
    /// regions afresh. The bounds of a region are refitted by the first question that gets to it. After an error everything
    /// is as it was.
    pub fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.update_until(bodies, frame, Clock::default()).map(drop)
    }

    /// The same as long as it is not late. Says whether there was time; otherwise everything is as it was.
    pub(crate) fn update_until(
        &mut self,
        bodies: &Bodies,
        frame: Frame<'_>,
        clock: Clock,
    ) -> Result<bool, FrameError> {
        self.near = None;
        let kept = !bodies.meshes().is_empty()
            && self.bodies.len() == bodies.meshes().len()
            && self.bodies.iter().zip(bodies.meshes()).all(|(s, b)| s.body.is_same(b));
        if !kept || !has_lengths(bodies, frame) {
            frame.check(bodies)?;
        }
        if clock.is_sooner_than(BUILD_SECONDS * self.new_triangles(bodies) as f64) {
            return Ok(false);
        }
        if frame.is_at_rest() && self.follow_at_rest(bodies, frame) {
            return Ok(true);
        }
        // Bodies that are taken over must be brought to a frame.
        let clock = if kept { clock } else { Clock::default() };
        if !kept {
            self.adopt(bodies);
        }
        self.next.resize(self.positions.len(), [0.0; 3]);
        let mut seen = Vec::with_capacity(bodies.meshes().len());
        for (id, given) in bodies.body_ids().zip(frame.iter()) {
            let range = bodies.vertex_range(id);
            let (old, new) = (&self.positions[range.clone()], &mut self.next[range]);
            let Some(taken) = copy_until(given, old, new, clock) else { return Ok(false) };
            if !taken.is_valid {
                return frame.check(bodies).map(|()| false);
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
            state.motion = state.is_carried.then_some(taken.steps).filter(|_| !given.is_empty());
            state.is_carried = true;
            let may_fit = is_followed[id.index()] && !clock.is_late();
            state.turn = state.motion.filter(|_| may_fit).map(|steps| {
                RigidMotion::of(
                    &self.next[range.clone()],
                    &self.positions[range.clone()],
                    &state.extent,
                    steps,
                )
            });
            state.extent = taken.bounds;
        }
        (self.scale, self.bounds) = (Scale::of(&extent), extent);
        self.follow_records();
        self.cut();
        for state in self.bodies.iter_mut().filter(|s| s.has_loose) {
            let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
            state.extent = state.used_extent(positions);
        }
        Ok(true)
    }

    /// Triangles of bodies of which no version is here.
    fn new_triangles(&self, bodies: &Bodies) -> usize {
        let is_known = |(n, mesh): (usize, &Mesh)| {
            self.bodies.get(n).is_some_and(|s| s.is_cut && s.body.is_version_of(mesh))
        };
        let meshes = bodies.meshes().iter().enumerate().filter(|pair| !is_known(*pair));
        meshes.map(|(_, mesh)| mesh.triangle_count()).sum()
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

    /// Brings some regions of a body up to date, as long as it is not late.
    pub(super) fn refit_some(&mut self, body: BodyId, regions: &[Region], clock: Clock) {
        let state = &mut self.bodies[body.index()];
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        if let Some(tree) = &mut state.regions {
            tree.refit_some(regions, Now { frame: self.frame, positions, map: &self.scale.map, clock });
        }
    }

    /// Brings all regions of a body up to date.
    pub(super) fn refit(&mut self, body: BodyId) {
        let state = &mut self.bodies[body.index()];
        let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
        if let Some(tree) = &mut state.regions {
            let clock = Clock::default();
            tree.refit(tree.root, Now { frame: self.frame, positions, map: &self.scale.map, clock });
        }
    }
}

/// Whether a frame has as many bodies and vertices as the mesh.
fn has_lengths(bodies: &Bodies, frame: Frame<'_>) -> bool {
    frame.len() == bodies.meshes().len()
        && frame.iter().zip(bodies.meshes()).all(|(p, b)| p.len() == b.vertex_count())
}
