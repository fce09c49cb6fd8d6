//! A step: substeps, and looking for what is near when it may have changed.

use crumple::{BodyId, VertexId};
use glam::DVec3;

use crate::contact::Crossed;
use crate::plan::{Stale, Watch};
use crate::world::State;
use crate::{Blocker, SimError, StageSeconds, StepReport, World};

/// How often a substep that went too far is tried again, each time half as long.
const TRIES: u32 = 8;

/// How often pairs are brought in beside those that were found, in a substep.
const ROUNDS: usize = 3;

/// What is counted during a step.
#[derive(Default)]
struct Tally {
    report: StepReport,
    wanted: f64,
    made: f64,
    by: Vec<Blocker>,
}

impl World {
    /// Moves everything by `dt`.
    ///
    /// In [`Mode::NeverCross`](crate::Mode::NeverCross) a world that crosses at the start is refused, with the first pair. On an error the world
    /// is as it was before the step.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, SimError> {
        crate::error::check("dt", dt, dt > 0.0, "a finite time above 0")?;
        let begin = (self.clock)();
        if self.is_at_rest() {
            return Ok(self.stay(dt));
        }
        self.build();
        self.admit()?;
        let before = (self.state.x.clone(), self.state.v.clone());
        let mut tally = Tally::default();
        let result = self.advance(dt, &mut tally).and_then(|()| self.conclude(&before.0, &mut tally));
        if let Err(error) = result {
            if before.0.len() == self.state.x.len() {
                (self.state.x, self.state.v) = before;
            }
            self.watch = Watch::default();
            self.end_of_leading();
            return Err(error);
        }
        self.note_rest(dt);
        self.end_of_leading();
        self.frame += 1;
        self.time += dt;
        let mut report = tally.report;
        report.frame = self.frame;
        report.progress = if tally.wanted > 0.0 { (tally.made / tally.wanted).min(1.0) } else { 1.0 };
        report.blocked_by = tally.by;
        report.seconds.step = (self.clock)() - begin;
        self.last = StepReport { seconds: StageSeconds::default(), ..report.clone() };
        Ok(report)
    }

    /// Refuses a start that crosses, where nothing may.
    fn admit(&mut self) -> Result<(), SimError> {
        if self.is_admitted {
            return Ok(());
        }
        self.show()?;
        let contacts = self.scene.contacts()?;
        self.is_crossed = !contacts.is_empty();
        if let Some(first) = contacts.first().filter(|_| self.is_never_crossing()) {
            let name = |b: BodyId| self.bodies[b.index()].mesh.name().to_owned();
            let first = (name(first.a.body), first.a.id.0, name(first.b.body), first.b.id.0);
            return Err(SimError::Crossed { pairs: contacts.len(), first });
        }
        self.is_admitted = true;
        Ok(())
    }

    /// Substeps until the time is over; what is near is looked for when it may have changed.
    fn advance(&mut self, dt: f64, tally: &mut Tally) -> Result<(), SimError> {
        let crossed = self.find_crossed()?;
        let nominal = dt / f64::from(self.settings.substeps);
        self.substep = nominal;
        let mut remaining = dt;
        // How often the present substep was too long right after looking.
        let mut tries = 0;
        let mut stale = self.stale_at_start();
        let mut is_aimed = false;
        while remaining > 1e-9 * dt {
            let begin = (self.clock)();
            let is_first = stale.is_any();
            if is_first {
                self.plan(&stale, remaining, dt);
                self.find_pairs(&stale)?;
                tally.report.passes += 1;
            }
            if is_first || !is_aimed {
                self.aim();
                self.since_aimed = 0.0;
                self.distrust(&crossed);
                (tally.report.contacts, tally.report.watched) =
                    (self.contacts.pushing.len(), self.contacts.pairs.len());
            }
            is_aimed = true;
            tally.report.seconds.detect += (self.clock)() - begin;
            let h = self.substep_length(nominal, tries).min(remaining);
            // A rest that is next to nothing belongs to this substep.
            let h = if remaining - h < 1e-6 * dt { remaining } else { h };
            stale = self.substep(h, h / remaining, &crossed, tries >= TRIES, tally)?;
            if !stale.is_any() {
                remaining -= h;
                self.since_aimed += h;
                tries = 0;
            } else if is_first {
                tries += 1;
            }
        }
        Ok(())
    }

    /// A substep that is likely to stay within what is watched.
    fn substep_length(&self, nominal: f64, tries: u32) -> f64 {
        let time = self.watch.time();
        let is_fast = self.is_never_crossing() && time < nominal / 3.0;
        let within = if is_fast { time.max(nominal / 256.0) } else { nominal };
        within * 0.5_f64.powi(tries as i32)
    }

    /// One substep, or nothing when something might have come near that is not watched: yields what must be looked for
    /// anew then. A `last` try goes no further than is surely safe.
    fn substep(
        &mut self,
        h: f64,
        share: f64,
        crossed: &Crossed,
        last: bool,
        tally: &mut Tally,
    ) -> Result<Stale, SimError> {
        let begin = (self.clock)();
        self.predict_and_solve(h, share.min(1.0), crossed);
        self.check_finite()?;
        let solved = (self.clock)();
        tally.report.seconds.solve += solved - begin;
        let mut stale = Stale::default();
        if self.is_never_crossing() {
            let wanted = self.way();
            if last {
                self.shorten(0.2 * self.watch.least_reach());
            }
            // Pairs that come in beside those that were found may hold something back, which may bring in others.
            let mut held = self.contacts.certify(&mut self.state);
            let mut is_more;
            (stale, is_more) = self.watch_substep();
            for _ in 0..ROUNDS {
                if !is_more {
                    break;
                }
                let more = self.contacts.certify(&mut self.state);
                held.vertices += more.vertices;
                held.by.extend(more.by);
                (stale, is_more) = self.watch_substep();
            }
            if stale.is_any() {
                self.state.x.copy_from_slice(&self.state.start);
            }
            if !stale.is_any() || last {
                tally.wanted += wanted;
                tally.made += self.way();
                tally.report.held += held.vertices;
                if !held.by.is_empty() {
                    let named = held.by.iter().map(|&i| self.blocker(&self.contacts.pairs[i as usize]));
                    tally.by = named.collect();
                }
            }
        } else {
            self.watch.forget();
        }
        tally.report.seconds.certify += (self.clock)() - solved;
        if stale.is_any() && !last {
            return Ok(stale);
        }
        if !stale.is_any() {
            self.watch.accept();
        }
        self.update_velocities(h);
        tally.report.substeps += 1;
        Ok(Stale::default())
    }

    /// Predicts and solves: from `start` to `x`, both at `start` before.
    fn predict_and_solve(&mut self, h: f64, share: f64, crossed: &Crossed) {
        let gravity = DVec3::from_array(self.settings.gravity) * h;
        self.state.start.copy_from_slice(&self.state.x);
        for i in 0..self.state.x.len() {
            if self.state.w[i] > 0.0 {
                self.state.x[i] += (self.state.v[i] + gravity) * h;
            }
        }
        self.lead_on(share);
        let State { x, start, w, .. } = &mut self.state;
        self.elastic.solve(x, start, w, h);
        self.draw_grabs(self.grab_reach());
        crossed.solve(&mut self.state, share);
        self.grains.solve(&mut self.state, self.settings.push * h);
        self.contacts.solve(&mut self.state, self.settings.push * (self.since_aimed + h));
    }

    /// How far a grab may draw in a substep.
    fn grab_reach(&self) -> f64 {
        let edges = self.bodies.iter().filter(|b| !b.is_led()).map(|b| b.edge);
        0.2 * edges.fold(f64::INFINITY, f64::min).min(1e9)
    }

    /// The length of all ways in the substep.
    fn way(&self) -> f64 {
        self.state.x.iter().zip(&self.state.start).map(|(x, s)| x.distance(*s)).sum()
    }

    /// Makes no way in the substep longer than this.
    fn shorten(&mut self, longest: f64) {
        for (x, s) in self.state.x.iter_mut().zip(&self.state.start) {
            *x = *s + (*x - *s).clamp_length_max(longest);
        }
    }

    fn update_velocities(&mut self, h: f64) {
        let keep = (1.0 - self.settings.damping * h).max(0.0);
        let state = &mut self.state;
        for i in 0..state.x.len() {
            if state.w[i] > 0.0 {
                state.v[i] = (state.x[i] - state.start[i]) * (keep / h);
            }
        }
    }

    fn check_finite(&self) -> Result<(), SimError> {
        let is_bad = |p: &DVec3| !p.is_finite() || p.abs().max_element() > crumple::MAX_COORDINATE;
        match self.state.x.iter().position(is_bad) {
            None => Ok(()),
            Some(v) => {
                let (body, vertex): (BodyId, VertexId) = self.locate(v as u32);
                let name = self.bodies[body.index()].mesh.name().to_owned();
                Err(SimError::NotFinite { frame: self.frame, body, name, vertex })
            }
        }
    }

    /// Tears, and asks exact detection.
    fn conclude(&mut self, before: &[DVec3], tally: &mut Tally) -> Result<(), SimError> {
        let begin = (self.clock)();
        let parted = self.sever_waiting()?;
        tally.report.torn = self.tear()?;
        let cut = (self.clock)();
        tally.report.seconds.cut = cut - begin;
        self.show()?;
        let mut contacts = self.scene.contacts()?;
        if !contacts.is_empty() && self.is_never_crossing() && tally.report.torn + parted == 0 {
            // The proof says that this does not happen; if it does, the step is not made.
            self.state.x.copy_from_slice(before);
            self.state.v.fill(DVec3::ZERO);
            self.watch = Watch::default();
            tally.made = 0.0;
            self.show()?;
            contacts = self.scene.contacts()?;
        }
        tally.report.intersections = contacts.len();
        self.is_crossed = !contacts.is_empty();
        tally.report.seconds.verify = (self.clock)() - cut;
        Ok(())
    }
}
