//! Following bodies that are others now, or later versions of what they were.

use std::sync::OnceLock;

use super::regions::Regions;
use super::regions::edit::EditedBody;
use super::{BodyState, DistanceHierarchy};
use crate::geometry::{Aabb, Point};
use crate::{Bodies, Frame, Mesh, TriangleId};

impl DistanceHierarchy {
    /// Follows edits of bodies that did not move, at the cost of the edits: regions that nothing was written to stay fitted.
    /// Says whether that could be done; if not, nothing is changed.
    pub(super) fn follow_at_rest(&mut self, bodies: &Bodies, frame: Frame<'_>) -> bool {
        let states = self.bodies.iter().zip(bodies.meshes());
        let is_known = self.bodies.len() == bodies.meshes().len()
            && states.clone().zip(frame.iter()).all(|((state, mesh), given)| {
                // The map and the bounds on errors hold within the bounds of the frame.
                let mut new = state.body.vertex_count()..given.len();
                state.is_successor(mesh) && new.all(|v| self.bounds.contains(&given.get(v)))
            });
        if !is_known {
            return false;
        }
        let mut is_edited = vec![false; self.bodies.len()];
        for (id, given) in bodies.body_ids().zip(frame.iter()) {
            let (mesh, range) = (bodies.mesh(id), bodies.vertex_range(id));
            let state = &mut self.bodies[id.index()];
            state.first_vertex = range.start as u32;
            state.first_triangle = bodies.triangle_range(id).start as u32;
            if state.body.is_same(mesh) {
                continue;
            }
            is_edited[id.index()] = true;
            let new = state.body.vertex_count()..given.len();
            let at = range.start + new.start;
            if !new.is_empty() {
                self.positions.splice(at..at, new.map(|v| given.get(v)));
            }
            state.follow_mesh(mesh);
        }
        self.records.follow_edits(|body| {
            let state = &self.bodies[body.index()];
            (is_edited[body.index()], state.body.triangle_count())
        });
        let before: Vec<Option<usize>> =
            self.bodies.iter().map(|s| s.edited_from.as_ref().map(Mesh::vertex_count)).collect();
        self.cut();
        for (state, before) in self.bodies.iter_mut().zip(before) {
            if let Some(before) = before {
                let own = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
                state.follow_extent(own, before);
            }
        }
        true
    }

    /// Takes over the bodies of another mesh.
    pub(super) fn adopt(&mut self, bodies: &Bodies) {
        let mut old: Vec<Option<BodyState>> = self.bodies.drain(..).map(Some).collect();
        old.resize_with(bodies.meshes().len(), || None);
        let positions = std::mem::take(&mut self.positions);
        self.positions.reserve(bodies.vertex_count());
        for (id, old) in bodies.body_ids().zip(old) {
            let body = bodies.mesh(id);
            let mut state = match old {
                Some(mut state) if state.is_successor(body) => {
                    let kept = &positions[state.first_vertex as usize..][..state.body.vertex_count()];
                    self.positions.extend_from_slice(kept);
                    if !state.body.is_same(body) {
                        state.follow_mesh(body);
                        state.is_carried = false;
                    }
                    state
                }
                _ => BodyState::new(body),
            };
            let range = bodies.vertex_range(id);
            self.positions.resize(range.end, [0.0; 3]);
            state.first_vertex = range.start as u32;
            state.first_triangle = bodies.triangle_range(id).start as u32;
            self.bodies.push(state);
        }
        let states = &self.bodies;
        self.records.retain(|body| states.get(body.index()).is_some_and(|s| s.is_carried));
    }

    /// Brings the regions of bodies that changed to their present versions: by the edits, or afresh.
    pub(super) fn cut(&mut self) {
        let (partition, capacity) = (&self.params.partition, self.params.region_triangles);
        for state in self.bodies.iter_mut().filter(|s| !s.is_cut) {
            let positions = &self.positions[state.first_vertex as usize..][..state.body.vertex_count()];
            let now = &state.body;
            let edited =
                state.edited_from.take().zip(state.regions.as_mut()).is_some_and(|(before, regions)| {
                    let Some(changed) = now.changed_since(&before) else { return false };
                    let (before, ids, frame) = (&before, &changed.triangles[..], self.frame);
                    regions.edit(&EditedBody { before, now, ids, positions, capacity, frame })
                });
            if !edited {
                state.regions = Regions::new(&state.body, positions, partition, capacity);
            }
            state.is_cut = true;
            state.has_loose = match state.regions.as_ref().map(|r| &r.upkeep) {
                Some(Some(upkeep)) => upkeep.has_loose(),
                _ => has_loose(&state.body),
            };
        }
    }
}

impl BodyState {
    fn new(body: &Mesh) -> Self {
        Self {
            body: body.clone(),
            first_vertex: 0,
            first_triangle: 0,
            regions: None,
            is_cut: false,
            edited_from: None,
            is_carried: false,
            components: OnceLock::new(),
            has_loose: false,
            extent: Aabb::EMPTY,
            motion: None,
            turn: None,
        }
    }

    /// Whether a mesh is the version that is here, or came from it by edits.
    fn is_successor(&self, mesh: &Mesh) -> bool {
        self.body.is_same(mesh) || mesh.changed_since(&self.body).is_some()
    }

    /// Takes the next version; its regions follow in [`DistanceHierarchy::cut`].
    fn follow_mesh(&mut self, mesh: &Mesh) {
        let known = self.components.take().and_then(|known| follow_components(known, &self.body, mesh));
        self.components = known.map_or_else(OnceLock::new, OnceLock::from);
        let before = std::mem::replace(&mut self.body, mesh.clone());
        self.edited_from = Some(before);
        self.is_cut = false;
        (self.motion, self.turn) = (None, None);
    }

    /// Brings the box of used vertices up to date after an edit where nothing moved; so many vertices were there before.
    fn follow_extent(&mut self, positions: &[Point], before: usize) {
        let upkeep = self.regions.as_ref().and_then(|r| r.upkeep.as_ref());
        let Some(upkeep) = upkeep else {
            self.extent = self.used_extent(positions);
            return;
        };
        let is_at_edge = |v: &u32| {
            let (p, e) = (&positions[*v as usize], &self.extent);
            (0..3).any(|k| p[k] <= e.min[k] || p[k] >= e.max[k])
        };
        if upkeep.newly_loose().iter().any(is_at_edge) {
            self.extent = self.used_extent(positions);
            return;
        }
        let new = (before..positions.len()).filter(|&v| upkeep.is_used(v));
        self.extent = new.fold(self.extent, |all, v| all.with(&positions[v]));
    }

    /// The box of the vertices that triangles use.
    pub(super) fn used_extent(&self, positions: &[Point]) -> Aabb {
        match self.regions.as_ref().and_then(|r| r.upkeep.as_ref()) {
            Some(upkeep) => {
                let used = positions.iter().enumerate().filter(|(v, _)| upkeep.is_used(*v));
                used.fold(Aabb::EMPTY, |b, (_, p)| b.with(p))
            }
            None => {
                let used = self.body.triangles().iter().flatten();
                used.fold(Aabb::EMPTY, |b, v| b.with(&positions[v.index()]))
            }
        }
    }

    /// The vertices that no triangle uses, ascending.
    pub(super) fn loose_vertices(&self) -> Vec<u32> {
        if let Some(upkeep) = self.regions.as_ref().and_then(|r| r.upkeep.as_ref()) {
            return upkeep.loose().collect();
        }
        let mut is_loose = vec![true; self.body.vertex_count()];
        self.body.triangles().iter().flatten().for_each(|v| is_loose[v.index()] = false);
        (0..is_loose.len() as u32).filter(|&v| is_loose[v as usize]).collect()
    }

    /// A triangle of each component: the first, or after edits some more.
    pub(super) fn components(&self) -> &[u32] {
        self.components.get_or_init(|| {
            let topology = self.body.topology();
            let mut first = vec![u32::MAX; topology.component_count()];
            for t in (0..self.body.triangle_count() as u32).rev() {
                first[topology.component_of(TriangleId(t))] = t;
            }
            first
        })
    }
}

/// One triangle in so many may stand for a component.
const FEW: usize = 16;

/// A triangle of each component of a version, from those of the version before; `None` when there are too many, or nothing is
/// known.
///
/// A component that an edit did not touch is what it was. Any other has a triangle that is new, or a corner of one that is gone:
/// all of these are taken. So no component is missed, and some are told by more than one triangle.
fn follow_components(known: Vec<u32>, before: &Mesh, now: &Mesh) -> Option<Vec<u32>> {
    let changed = now.changed_since(before)?.triangles;
    let mut all: Vec<u32> = known.into_iter().filter(|t| changed.binary_search(t).is_err()).collect();
    all.extend(changed.iter().filter(|&&t| (t as usize) < now.triangle_count()));
    let gone = changed.iter().filter(|&&t| (t as usize) < before.triangle_count());
    let corners = gone.flat_map(|&t| before.triangle(TriangleId(t)));
    all.extend(corners.flat_map(|v| now.adjacency().star(v.0)));
    all.sort_unstable();
    all.dedup();
    (FEW * all.len() <= now.triangle_count() + FEW * FEW).then_some(all)
}

/// Whether there are vertices that no triangle uses.
fn has_loose(body: &Mesh) -> bool {
    let mut is_loose = vec![true; body.vertex_count()];
    body.triangles().iter().flatten().for_each(|v| is_loose[v.index()] = false);
    is_loose.contains(&true)
}
