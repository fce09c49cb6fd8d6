//! A world that has come to rest stays as it is until something is done to it.

use crate::body::Body;
use crate::{StepReport, World};
use glam::DVec3;

/// How far a body may stray and still count as resting, in its mean edges (root mean square over its vertices).
const NEAR: f64 = 0.15;
/// For how long it must stay within that.
const LONG: f64 = 0.5;

impl World {
    /// Whether nothing went anywhere for long, and nobody touches anything.
    pub(crate) fn is_at_rest(&self) -> bool {
        let is_known = self.is_built && self.is_admitted && !self.is_crossed;
        self.settings.rests && self.still >= LONG && is_known && !self.is_touched()
    }

    /// Whether somebody holds or leads something, or a cut waits to open.
    fn is_touched(&self) -> bool {
        let is_led = |b: &Body| b.goal.is_some() || !b.waiting.is_empty();
        !self.handles.grabs.is_empty() || self.bodies.iter().any(is_led)
    }

    /// A step of a world at rest: every bit is as exact detection saw it at the end of the last.
    pub(crate) fn stay(&mut self, dt: f64) -> StepReport {
        self.frame += 1;
        self.time += dt;
        StepReport {
            frame: self.frame,
            passes: 0,
            substeps: 0,
            held: 0,
            torn: 0,
            progress: 1.0,
            blocked_by: Vec::new(),
            ..self.last.clone()
        }
    }

    /// Notes for how long nothing went anywhere. What comes to rest has no speed left.
    pub(crate) fn note_rest(&mut self, dt: f64) {
        if !self.settings.rests {
            return;
        }
        let x = &self.state.x;
        let is_near = |body: &Body| {
            let gone: f64 = body.range().map(|v| x[v].distance_squared(self.settled[v])).sum();
            gone <= (NEAR * body.edge).powi(2) * body.len() as f64
        };
        let stays = self.settled.len() == x.len() && !self.is_touched() && self.bodies.iter().all(is_near);
        if stays {
            self.still += dt;
        } else {
            self.settled.clone_from(&self.state.x);
            self.still = 0.0;
        }
        if self.is_at_rest() {
            self.state.v.fill(DVec3::ZERO);
        }
    }
}
