//! A step: substeps, and looking for what is near when it may have changed.

use crumple::{BodyId, VertexId};
use glam::DVec3;

use crate::body::Body;
use crate::contact::{Crossed, Held, Means};
use crate::plan::{Stale, Watch};
use crate::world::State;
use crate::{Blocker, SimError, StageSeconds, StepReport, World};

/// How often a single substep that went too far is tried again, each time half as long.
const TRIES: u32 = 8;

/// How often pairs are brought in beside those that were found, in a stretch.
const ROUNDS: usize = 4;

/// What is counted during a step.
#[derive(Default)]
struct Tally {
    report: StepReport,
    wanted: f64,
    made: f64,
    by: Vec<Blocker>,
}

/// Successive substeps that are proved at once.
struct Stretch {
    /// How long each is.
    h: f64,
    count: usize,
    /// What is left of the step when they begin.
    remaining: f64,
    is_last_try: bool,
    /// Whether it may be given up for pairs to be aimed that came in beside.
    may_aim: bool,
}

/// What came of the proof of a stretch.
enum Proof {
    Done,
    /// So much is in the way that it should be shorter.
    TooLong,
    /// Something may have come near that is not watched.
    Unwatched(Stale),
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

    /// Substeps until the time is over, stretch by stretch; what is near is looked for when it may have changed.
    fn advance(&mut self, dt: f64, tally: &mut Tally) -> Result<(), SimError> {
        let crossed = self.find_crossed()?;
        let nominal = dt / f64::from(self.settings.substeps);
        self.substep = nominal;
        let mut remaining = dt;
        // How often a single substep was too long right after looking.
        let mut tries = 0;
        // How many substeps may be proved at once.
        let mut most = usize::MAX;
        let mut stale = self.stale_at_start(dt);
        let (mut is_aimed, mut may_aim) = (false, true);
        while remaining > 1e-9 * dt {
            let begin = (self.clock)();
            let is_first = stale.is_any();
            if is_first {
                let search = self.plan(&mut stale, remaining, dt);
                self.find_pairs(&stale, search)?;
                debug_assert!(!self.stale_now().is_any(), "reaches are chosen for where things are");
                tally.report.passes += 1;
            }
            if is_first || !is_aimed {
                self.aim();
                self.since_aimed = 0.0;
                self.distrust(&crossed);
                (tally.report.contacts, tally.report.watched) =
                    (self.contacts.pushing.len(), self.contacts.pairs.len());
            }
            tally.report.seconds.detect += (self.clock)() - begin;
            let h = self.substep_length(nominal, tries).min(remaining);
            if is_first {
                most = ((self.watch.time() / h).round() as usize).max(1);
            }
            let count = if tries > 0 { 1 } else { ((remaining / h + 1e-6) as usize).clamp(1, most) };
            // A rest that is next to nothing belongs to these substeps.
            let rest = remaining - h * count as f64;
            let h = if rest < 1e-6 * dt { remaining / count as f64 } else { h };
            let stretch = Stretch { h, count, remaining, is_last_try: tries >= TRIES, may_aim };
            let (made, now_stale) = self.stretch(&stretch, &crossed, tally)?;
            stale = now_stale;
            is_aimed = made > 0 || stale.is_any();
            may_aim = is_aimed;
            most = match made {
                0 if !is_aimed => count,
                _ if made < count => made.max(1),
                _ => count.saturating_mul(2),
            };
            if made > 0 {
                remaining -= h * made as f64;
                tries = 0;
            } else if is_first && stale.is_any() {
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

    /// Some substeps, or as many of them as nothing came near in that is not watched and little is in the way of: yields their number, and where
    /// that is 0 what must be looked for anew; nothing if only what came in beside is to be aimed.
    fn stretch(
        &mut self,
        stretch: &Stretch,
        crossed: &Crossed,
        tally: &mut Tally,
    ) -> Result<(usize, Stale), SimError> {
        let begin = (self.clock)();
        let &Stretch { h, count, remaining, .. } = stretch;
        let since_aimed = self.since_aimed;
        let mut trail = std::mem::take(&mut self.trail);
        trail.begin(&self.state);
        for k in 0..count {
            self.predict_and_solve(h, (h / (remaining - h * k as f64)).min(1.0), crossed);
            self.check_finite()?;
            self.update_velocities(h);
            self.since_aimed += h;
            trail.push(&self.state);
        }
        let solved = (self.clock)();
        tally.report.seconds.solve += solved - begin;
        let (mut made, mut stale) = (count, Stale::default());
        if self.is_never_crossing() {
            loop {
                let shorter = Stretch { count: made, ..*stretch };
                match self.prove(trail.start(), &shorter, tally) {
                    Proof::Done => {
                        stale = Stale::default();
                        break;
                    }
                    Proof::TooLong => {
                        stale = Stale::default();
                        if stretch.may_aim && self.contacts.is_more() {
                            // What came in beside is to push.
                            made = 0;
                        }
                    }
                    Proof::Unwatched(what) => stale = what,
                }
                made /= 2;
                trail.restore(made, &mut self.state);
                if made == 0 {
                    break;
                }
            }
        } else {
            self.watch.forget();
        }
        self.since_aimed = since_aimed + h * made as f64;
        self.trail = trail;
        tally.report.substeps += made as u32;
        tally.report.seconds.certify += (self.clock)() - solved;
        Ok((made, stale))
    }

    /// Makes the straight way from where a stretch began to where it ended one on which nothing meets. A last try goes no further than is
    /// surely safe.
    fn prove(&mut self, from: &[DVec3], stretch: &Stretch, tally: &mut Tally) -> Proof {
        let &Stretch { h, count, is_last_try, .. } = stretch;
        let means = if count > 1 { Means::Push } else { Means::Any };
        let went = self.state.x.clone();
        if is_last_try {
            // Where things were looked for may be 10/17 of the reaches away already.
            self.shorten(from, 0.15 * self.watch.least_reach());
        }
        let (mut stale, mut held, mut first) = (Stale::default(), Held::default(), 0);
        // Pairs that come in beside those that were found may hold something back, which may bring in others.
        for round in 0..ROUNDS {
            let more = self.contacts.certify(&mut self.state, from, first, means);
            if more.is_too_long {
                return Proof::TooLong;
            }
            first = self.contacts.pairs.len();
            held.add(more);
            // All bodies at first, then those that the rounds moved.
            let is_asked = |b: &Body| round == 0 || self.state.x[b.range()] != went[b.range()];
            let asked: Vec<bool> = self.bodies.iter().map(is_asked).collect();
            let is_more;
            (stale, is_more) = self.watch_stretch(from, &asked);
            if !is_more {
                break;
            }
        }
        if stale.is_any() {
            if !is_last_try {
                return Proof::Unwatched(stale);
            }
            self.state.x.copy_from_slice(from);
        } else {
            self.watch.accept();
        }
        if is_last_try {
            self.answer_for(from, h);
        }
        tally.wanted += way(from, &went);
        tally.made += way(from, &self.state.x);
        tally.report.held += held.vertices;
        if !held.by.is_empty() {
            let named = held.by.iter().map(|&i| self.blocker(&self.contacts.pairs[i as usize]));
            tally.by = named.collect();
        }
        Proof::Done
    }

    /// What went no further than is surely safe is only that fast.
    fn answer_for(&mut self, from: &[DVec3], time: f64) {
        let State { x, v, w, .. } = &mut self.state;
        for i in (0..x.len()).filter(|&i| w[i] > 0.0) {
            v[i] = (x[i] - from[i]) / time;
        }
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

    /// Makes no way longer than this.
    fn shorten(&mut self, from: &[DVec3], longest: f64) {
        for (x, s) in self.state.x.iter_mut().zip(from) {
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
        // Not so of what is no number.
        let is_inside = |p: &DVec3| p.abs().cmple(DVec3::splat(crumple::MAX_COORDINATE)).all();
        match self.state.x.iter().position(|p| !is_inside(p)) {
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

/// The length of all ways.
fn way(from: &[DVec3], to: &[DVec3]) -> f64 {
    from.iter().zip(to).map(|(p, q)| p.distance(*q)).sum()
}
