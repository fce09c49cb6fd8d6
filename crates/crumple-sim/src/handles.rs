//! How a world is held and led: pins, grabs, bodies that go where they are told.

use crumple::{BodyId, VertexId};
use glam::DVec3;

use crate::{SimError, World};

/// A grab, until it is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GrabId(pub u32);

#[derive(Debug, Clone, Default)]
pub(crate) struct Handles {
    /// Vertices that do not move, in order.
    pub pins: Vec<u32>,
    pub grabs: Vec<Grab>,
    next: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Grab {
    id: GrabId,
    pub vertex: u32,
    pub goal: DVec3,
}

/// Share of the way to its goal that a grabbed vertex is drawn in a substep.
const PULL: f64 = 0.25;

impl World {
    /// Pins a vertex where it is.
    pub fn pin(&mut self, body: BodyId, vertex: VertexId) -> Result<(), SimError> {
        let v = self.vertex(body, vertex)?;
        self.still = 0.0;
        self.state.w[v] = 0.0;
        self.state.v[v] = DVec3::ZERO;
        if let Err(at) = self.handles.pins.binary_search(&(v as u32)) {
            self.handles.pins.insert(at, v as u32);
        }
        Ok(())
    }

    /// Lets a pinned vertex go.
    pub fn unpin(&mut self, body: BodyId, vertex: VertexId) -> Result<(), SimError> {
        let v = self.vertex(body, vertex)?;
        if let Ok(at) = self.handles.pins.binary_search(&(v as u32)) {
            self.handles.pins.remove(at);
            self.still = 0.0;
            let mass = self.state.mass[v];
            self.state.w[v] = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        }
        Ok(())
    }

    /// Moves a pinned vertex: it goes there during the next step.
    pub fn move_pin(&mut self, body: BodyId, vertex: VertexId, to: [f64; 3]) -> Result<(), SimError> {
        self.pin(body, vertex)?;
        let v = self.vertex(body, vertex)? as u32;
        self.handles.grabs.retain(|g| g.id.0 != u32::MAX || g.vertex != v);
        // A goal without an id: it is over when the step is.
        let grab = Grab { id: GrabId(u32::MAX), vertex: v, goal: DVec3::from_array(to) };
        self.handles.grabs.push(grab);
        Ok(())
    }

    /// Takes hold of a vertex; [`World::pull`] leads it from then on.
    pub fn grab(&mut self, body: BodyId, vertex: VertexId) -> Result<GrabId, SimError> {
        let v = self.vertex(body, vertex)?;
        let id = GrabId(self.handles.next);
        self.handles.next += 1;
        self.handles.grabs.push(Grab { id, vertex: v as u32, goal: self.state.x[v] });
        Ok(id)
    }

    /// The vertex of a body that moves by itself nearest to a line from `from` in direction `along`, within `reach` of it: what a
    /// pointer points at.
    pub fn pick(&self, from: [f64; 3], along: [f64; 3], reach: f64) -> Option<(BodyId, VertexId)> {
        let (from, along) = (DVec3::from_array(from), DVec3::from_array(along).normalize_or_zero());
        let mut best: Option<(f64, u32)> = None;
        for body in self.bodies.iter().filter(|b| !b.is_led()) {
            for v in body.range() {
                let way = self.state.x[v] - from;
                let ahead = way.dot(along);
                let aside = (way - along * ahead).length();
                // Of what is about as near to the line, the first along it.
                let rank = aside + 0.05 * ahead;
                if ahead > 0.0 && aside <= reach && best.is_none_or(|(r, _)| rank < r) {
                    best = Some((rank, v as u32));
                }
            }
        }
        best.map(|(_, v)| self.locate(v))
    }

    /// Draws a grabbed vertex to a place; a grab that was released is passed over.
    pub fn pull(&mut self, grab: GrabId, to: [f64; 3]) -> Result<(), SimError> {
        for x in to {
            crate::error::check("pull", x, true, "three finite numbers")?;
        }
        if let Some(grab) = self.handles.grabs.iter_mut().find(|g| g.id == grab) {
            grab.goal = DVec3::from_array(to);
        }
        Ok(())
    }

    /// Lets a grabbed vertex go.
    pub fn release(&mut self, grab: GrabId) {
        self.handles.grabs.retain(|g| g.id != grab);
    }

    /// Leads a fixed body: it goes there during the next step, as far as nothing is in its way.
    pub fn lead(&mut self, id: BodyId, to: &[[f64; 3]]) -> Result<(), SimError> {
        let body = self.body(id)?;
        if !body.is_led() {
            return Err(SimError::WrongKind { body: id, expected: "fixed" });
        }
        if to.len() != body.len() {
            let (given, expected) = (to.len(), body.len());
            return Err(
                crumple::Error::from(crumple::FrameError::VertexCount { body: id, given, expected }).into()
            );
        }
        for x in to.iter().flatten() {
            crate::error::check("lead", *x, x.abs() <= crumple::MAX_COORDINATE, "positions below 1e50")?;
        }
        self.bodies[id.index()].goal = Some(to.iter().map(|p| DVec3::from_array(*p)).collect());
        Ok(())
    }

    /// Moves what is led for a substep that is this share of the time that is left.
    pub(crate) fn lead_on(&mut self, share: f64) {
        for body in &self.bodies {
            if let Some(goal) = &body.goal {
                for (v, goal) in body.range().zip(goal) {
                    let x = self.state.x[v];
                    self.state.x[v] = if share >= 1.0 { *goal } else { x + (*goal - x) * share };
                }
            }
        }
        for grab in &self.handles.grabs {
            let v = grab.vertex as usize;
            if grab.id.0 == u32::MAX {
                let x = self.state.x[v];
                self.state.x[v] = x + (grab.goal - x) * share;
            }
        }
    }

    /// Draws grabbed vertices towards their goals, at most by `reach`.
    pub(crate) fn draw_grabs(&mut self, reach: f64) {
        for grab in &self.handles.grabs {
            let v = grab.vertex as usize;
            if grab.id.0 != u32::MAX && self.state.w[v] > 0.0 {
                let way = (grab.goal - self.state.x[v]) * PULL;
                self.state.x[v] += way.clamp_length_max(reach);
            }
        }
    }

    /// The step is over: what was led has arrived, or stays where it was held.
    pub(crate) fn end_of_leading(&mut self) {
        self.bodies.iter_mut().for_each(|b| b.goal = None);
        self.handles.grabs.retain(|g| g.id.0 != u32::MAX);
    }
}
