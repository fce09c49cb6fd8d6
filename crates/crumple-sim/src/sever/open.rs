//! Opening severed facets: vertices become two, both sides draw back, and everything stays free.

use crumple::BodyId;
use glam::DVec3;

use super::facets::{self, Takers, takers};
use crate::plan::Watch;
use crate::{SimError, StrokeReport, World};

/// Parts of the way to the middle of their elements by which the sides of a cut draw back, in the order in which they are tried.
const KERFS: [f64; 4] = [0.06, 0.12, 0.03, 0.2];
/// How often facets whose parting makes something touch are left out, before all are.
const ROUNDS: usize = 6;

/// A vertex on a side of a cut, and the elements there that use it.
type Side = (u32, Vec<u32>);

/// What a body is before it is parted.
struct Before {
    body: crate::body::Body,
    state: crate::world::State,
    handles: crate::handles::Handles,
    firsts: Vec<usize>,
}

impl World {
    /// Severs some facets of a body, and opens what falls apart. What cannot be parted now waits, and is tried again after every step.
    pub(crate) fn sever(&mut self, id: BodyId, mut fresh: Vec<[u32; 2]>) -> Result<StrokeReport, SimError> {
        let mut report = StrokeReport::default();
        fresh.append(&mut self.bodies[id.index()].waiting);
        fresh.sort_unstable();
        fresh.dedup();
        fresh.retain(|f| self.bodies[id.index()].severed.binary_search(f).is_err());
        let wanted = fresh.clone();
        self.show()?;
        let known = self.scene.contacts()?.len();
        for round in 0..=ROUNDS {
            if fresh.is_empty() {
                break;
            }
            let before = self.remember(id);
            let severed = &mut self.bodies[id.index()].severed;
            severed.extend(&fresh);
            severed.sort_unstable();
            let (opened, sides) = self.split(id)?;
            if opened == 0 {
                report.parted = fresh.len();
                break;
            }
            let mut touching = Vec::new();
            let mut is_free = false;
            for kerf in KERFS {
                self.draw_back(id, &sides, kerf);
                self.renew(id)?;
                let contacts = self.scene.contacts()?;
                if contacts.len() <= known || !self.is_never_crossing() {
                    is_free = true;
                    break;
                }
                touching = contacts.iter().flat_map(|c| [c.a, c.b]).filter(|t| t.body == id).collect();
                self.take_forward(id, &sides);
            }
            if is_free {
                (report.parted, report.opened) = (fresh.len(), opened);
                break;
            }
            let mesh = self.bodies[id.index()].mesh.clone();
            self.restore(id, before)?;
            if round + 1 >= ROUNDS {
                fresh.clear();
            }
            let element =
                |t: &crumple::Element<crumple::TriangleId>| mesh.tet_of(t.id).map_or(t.id.0, |(t, _)| t.0);
            let mut bad: Vec<u32> = touching.iter().map(element).collect();
            bad.sort_unstable();
            let count = fresh.len();
            fresh.retain(|f| !f.iter().any(|e| bad.binary_search(e).is_ok()));
            if fresh.len() == count {
                fresh.clear();
            }
        }
        let body = &mut self.bodies[id.index()];
        body.waiting = wanted;
        body.waiting.retain(|f| body.severed.binary_search(f).is_err());
        report.refused = body.waiting.len();
        if report.opened > 0 {
            (self.is_built, self.watch) = (false, Watch::default());
        }
        Ok(report)
    }

    /// Tries again to part what waits. Returns how many facets were parted.
    pub(crate) fn sever_waiting(&mut self) -> Result<usize, SimError> {
        let mut parted = 0;
        for id in self.bodies() {
            if !self.bodies[id.index()].waiting.is_empty() {
                parted += self.sever(id, Vec::new())?.parted;
            }
        }
        if parted > 0 {
            self.build();
        }
        Ok(parted)
    }

    fn remember(&self, id: BodyId) -> Before {
        Before {
            body: self.bodies[id.index()].clone(),
            state: self.state.clone(),
            handles: self.handles.clone(),
            firsts: self.bodies.iter().map(|b| b.first).collect(),
        }
    }

    fn restore(&mut self, id: BodyId, before: Before) -> Result<(), SimError> {
        self.bodies[id.index()] = before.body;
        (self.state, self.handles) = (before.state, before.handles);
        self.bodies.iter_mut().zip(before.firsts).for_each(|(b, first)| b.first = first);
        self.renew(id)
    }

    /// Tells detection about a body's next version.
    fn renew(&mut self, id: BodyId) -> Result<(), SimError> {
        let body = &self.bodies[id.index()];
        let at: &[[f64; 3]] = bytemuck::cast_slice(&self.state.x[body.range()]);
        Ok(self.scene.replace(id, body.mesh.clone(), at)?)
    }

    /// Gives every group of elements at a vertex but the first a copy of it. Returns how many copies there are, and which
    /// vertices with which elements are on a side of a cut.
    fn split(&mut self, id: BodyId) -> Result<(usize, Vec<Side>), SimError> {
        let body = &self.bodies[id.index()];
        let mut vertices: Vec<u32> = Vec::new();
        for [a, b] in &body.severed {
            let other = facets::corners(&body.mesh, *b);
            vertices
                .extend(facets::corners(&body.mesh, *a).iter().filter(|v| other.contains(v)).map(|v| v.0));
        }
        vertices.sort_unstable();
        vertices.dedup();
        let mut edit = body.mesh.edit();
        let mut sides = Vec::new();
        let mut parents = Vec::new();
        for v in vertices {
            let groups = facets::groups(&body.mesh, &body.severed, v);
            if groups.len() < 2 {
                continue;
            }
            for (k, group) in groups.into_iter().enumerate() {
                let vertex = crumple::VertexId(v);
                let name = if k == 0 {
                    v
                } else {
                    parents.push(v);
                    let copy = match takers(&body.mesh, &group) {
                        Takers::Triangles(keys) => edit.duplicate_vertex(vertex, &keys),
                        Takers::Tets(keys) => edit.duplicate_vertex_of_tets(vertex, &keys),
                    };
                    copy.map_err(crumple::Error::from)?.0
                };
                sides.push((name, group));
            }
        }
        if !parents.is_empty() {
            self.bodies[id.index()].mesh = edit.finish().0;
            self.grow(id, &parents);
        }
        Ok((parents.len(), sides))
    }

    /// Adds copies of vertices to a body; what comes after it moves up.
    fn grow(&mut self, id: BodyId, parents: &[u32]) {
        let body = &self.bodies[id.index()];
        let (first, end, count) = (body.first, body.range().end, parents.len());
        let copy = |all: &[DVec3]| parents.iter().map(|p| all[first + *p as usize]).collect::<Vec<_>>();
        let state = &mut self.state;
        let (x, v) = (copy(&state.x), copy(&state.v));
        let pinned: Vec<bool> = parents.iter().map(|p| state.w[first + *p as usize] == 0.0).collect();
        state.x.splice(end..end, x.clone());
        state.start.splice(end..end, x);
        state.v.splice(end..end, v);
        state.mass.splice(end..end, vec![0.0; count]);
        state.w.splice(end..end, vec![0.0; count]);
        let rest: Vec<DVec3> = parents.iter().map(|p| self.bodies[id.index()].rest[*p as usize]).collect();
        self.bodies[id.index()].rest.extend(rest);
        self.bodies[id.index() + 1..].iter_mut().for_each(|b| b.first += count);
        let follow = |v: &mut u32| *v += if *v as usize >= end { count as u32 } else { 0 };
        self.handles.pins.iter_mut().for_each(follow);
        self.handles.grabs.iter_mut().for_each(|g| follow(&mut g.vertex));
        let copies = (0..count).filter(|&i| pinned[i]).map(|i| (end + i) as u32);
        self.handles.pins.extend(copies);
        self.handles.pins.sort_unstable();
        let masses = self.bodies[id.index()].masses();
        for (i, m) in masses.into_iter().enumerate() {
            let v = first + i;
            self.state.mass[v] = m;
            let is_pinned = self.handles.pins.binary_search(&(v as u32)).is_ok();
            self.state.w[v] = if is_pinned || m <= 0.0 { 0.0 } else { 1.0 / m };
        }
    }

    /// Moves the sides of a cut towards the middle of their elements.
    fn draw_back(&mut self, id: BodyId, sides: &[Side], kerf: f64) {
        self.state.start.copy_from_slice(&self.state.x);
        let body = &self.bodies[id.index()];
        for (v, group) in sides {
            let sum: DVec3 = group.iter().map(|e| facets::centre(body, &self.state.start, *e)).sum();
            let middle = sum / group.len() as f64;
            let at = body.first + *v as usize;
            self.state.x[at] = self.state.start[at] + (middle - self.state.start[at]) * kerf;
        }
    }

    /// Takes the drawing back back.
    fn take_forward(&mut self, id: BodyId, sides: &[Side]) {
        let first = self.bodies[id.index()].first;
        for (v, _) in sides {
            self.state.x[first + *v as usize] = self.state.start[first + *v as usize];
        }
    }
}
