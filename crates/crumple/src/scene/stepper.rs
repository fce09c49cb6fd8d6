//! Who answers about a step: shape regularity over time, or boxes alone.
//!
//! Both give the same answers, so the choice is one of speed. Soups, and distances above zero, are for boxes. Surfaces begin with
//! regularity. Where its rules dismiss little, so that it comes to more pairs of patches than there are patches, boxes are tried
//! for the next steps: a few, or some more when they look ahead ([`swept_bvh`](crate::methods::swept_bvh)). The way with less
//! work a step, by counts and not by a clock, is kept for the next 128 steps, or until regularity has a quarter more to do than when
//! it was preferred; then the comparison is made again. Questions for all
//! impacts and for the first are judged apart.

use super::planner::{StepMethod, is_soup};
use crate::methods::regularity::step::RegularityStep;
use crate::methods::swept_bvh::SweptBvh;
use crate::{Bodies, BodyId, Error, Features, Frame, Impact, Pairs};

/// Which bodies may hit each other.
type Allows<'a> = &'a (dyn Fn(BodyId, BodyId) -> bool + Sync);

/// Both methods, and which of them is at the present step.
#[derive(Debug, Default)]
pub(super) struct Stepper {
    regular: RegularityStep,
    plain: SweptBvh,
    is_regular: bool,
    /// Which is better for all impacts, and which for the first.
    trials: [Trial; 2],
    /// Which of these questions was asked last.
    last: usize,
}

/// What a stepper knows of the present step of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum StepState {
    #[default]
    Unknown,
    /// All but edits of bodies, since which nothing moved.
    KnownButEdits,
    Known,
}

impl StepState {
    /// A body was edited that does not move in this step.
    pub fn outdate_by_edit(&mut self) {
        *self = if *self == Self::Unknown { Self::Unknown } else { Self::KnownButEdits };
    }
}

/// Steps for which boxes are tried, without and with looking ahead, and for which a choice holds.
const TRIED: [u32; 2] = [3, 16];
const HOLDS: u32 = 128;
/// The choice is changed for a gain of this much.
const GAIN: f64 = 0.97;
/// Regularity is compared again when it has this many times the work, but not sooner than after so many steps.
const MORE_WORK: f64 = 1.25;
const SOONEST: u32 = 8;

/// A comparison of both methods on one question.
#[derive(Debug, Clone, Copy)]
struct Trial {
    state: State,
    /// Questions in this state, and their cost by the method that answers.
    asked: u32,
    cost: f64,
    /// Questions that regularity answers before boxes are tried; the first may be about bodies at rest.
    patience: u32,
    /// The cost of a question by regularity when it was last asked.
    regular: f64,
    /// That cost when regularity was preferred; none before a comparison.
    preferred: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Regularity answers.
    Regular,
    /// Boxes are tried.
    Trying,
    /// Boxes answer, since that was less work.
    Plain,
}

impl Default for Trial {
    fn default() -> Self {
        Self {
            state: State::Regular,
            asked: 0,
            cost: 0.0,
            patience: 2,
            regular: 0.0,
            preferred: f64::INFINITY,
        }
    }
}

impl Trial {
    fn enter(&mut self, state: State, patience: u32) {
        *self = Self { state, patience, regular: self.regular, ..Self::default() };
    }

    /// Notes an answer by regularity.
    fn note_regular(&mut self, cost: f64, is_rough: bool) {
        self.asked += 1;
        self.regular = cost;
        let has_grown = self.asked >= SOONEST && cost > MORE_WORK * self.preferred;
        if is_rough && (self.asked >= self.patience || has_grown) {
            self.enter(State::Trying, 2);
        }
    }

    /// Notes an answer by boxes alone.
    fn note_plain(&mut self, cost: f64, looks_ahead: bool) {
        self.asked += 1;
        self.cost += cost;
        if self.state == State::Trying && self.asked >= TRIED[usize::from(looks_ahead)] {
            let is_better = self.cost / f64::from(self.asked) < GAIN * self.regular;
            let (state, patience) = if is_better { (State::Plain, 2) } else { (State::Regular, HOLDS) };
            self.enter(state, patience);
            if !is_better {
                self.preferred = self.regular;
            }
        } else if self.state == State::Plain && self.asked > HOLDS {
            self.enter(State::Regular, 2);
        }
    }
}

impl Stepper {
    /// Takes in a step, from `step.before()` to `step`; at rest where it is the one before but for edits. Bodies in which very many triangles meet in one vertex are for boxes, which
    /// know planes to tell such triangles apart.
    pub fn follow(
        &mut self,
        bodies: &Bodies,
        step: Frame<'_>,
        is_crowded: bool,
        forced: Option<StepMethod>,
    ) -> Result<(), Error> {
        let is_chosen = || {
            let is_for_boxes = is_crowded || is_soup(bodies.meshes());
            !is_for_boxes && self.trials[self.last].state == State::Regular
        };
        let is_regular = forced.map_or_else(is_chosen, |method| method == StepMethod::Regularity);
        // The other method knows another step.
        let is_other = std::mem::replace(&mut self.is_regular, is_regular) != is_regular;
        let step = if is_other { step.moving() } else { step };
        if self.is_regular { self.regular.update(bodies, step) } else { self.plain.update(bodies, step) }
    }

    /// The name of the method that answers about the present step.
    pub fn method(&self) -> &'static str {
        if self.is_regular { RegularityStep::NAME } else { SweptBvh::NAME }
    }

    /// All impacts, sorted by their features.
    pub fn impacts(&mut self, allows: Allows<'_>) -> Vec<Impact> {
        let mut found = Vec::new();
        if self.is_regular {
            self.regular.impacts(Pairs::All, allows, &mut found);
        } else {
            self.plain.impacts(Pairs::All, allows, &mut found);
        }
        self.note(0);
        found
    }

    /// The earliest impact.
    pub fn first(&mut self, allows: Allows<'_>) -> Option<Impact> {
        let first = if self.is_regular {
            self.regular.first(Pairs::All, allows)
        } else {
            self.plain.first(Pairs::All, allows)
        };
        self.note(1);
        first
    }

    /// Notes what a question cost.
    fn note(&mut self, question: usize) {
        self.last = question;
        let trial = &mut self.trials[question];
        if self.is_regular {
            trial.note_regular(self.regular.cost(), self.regular.is_rough());
        } else if trial.state != State::Regular {
            trial.note_plain(self.plain.cost(), self.plain.looks_ahead());
        }
    }

    /// Takes in a step and says when something comes within a distance first, see [`SweptBvh::first_closer_than`]. Rules say
    /// what does not touch, not how far it is, so boxes do it. Another step must be taken in before the next question.
    pub fn first_closer_than(
        &mut self,
        thickness: f64,
        bodies: &Bodies,
        step: Frame<'_>,
        allows: Allows<'_>,
    ) -> Result<Option<(Features, f64)>, Error> {
        self.plain.update(bodies, step)?;
        Ok(self.plain.first_closer_than(thickness, Pairs::All, allows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which steps boxes answer, of some, by their costs and those of regularity.
    fn answered_by_boxes(regular: f64, plain: f64, is_rough: bool, steps: usize) -> Vec<usize> {
        let mut trial = Trial::default();
        (0..steps)
            .filter(|_| {
                let is_plain = trial.state != State::Regular;
                if is_plain {
                    trial.note_plain(plain, false)
                } else {
                    trial.note_regular(regular, is_rough)
                }
                is_plain
            })
            .collect()
    }

    #[test]
    fn the_way_with_less_work_is_taken() {
        assert!(answered_by_boxes(1.0, 0.1, false, 1000).is_empty(), "the rules dismiss nearly everything");
        let tried = answered_by_boxes(1.0, 2.0, true, 1000).len();
        assert!((3..=30).contains(&tried), "tried now and then: {tried}");
        let taken = answered_by_boxes(1.0, 0.5, true, 1000).len();
        assert!(taken > 970, "compared again now and then: {taken}");
    }

    #[test]
    fn a_choice_does_not_outlast_what_it_was_made_for() {
        // Regularity is preferred at first, and then has three times the work.
        let mut trial = Trial::default();
        let mut by_boxes = 0;
        for step in 0..60 {
            let regular = if step < 6 { 1.0 } else { 3.0 };
            if trial.state == State::Regular {
                trial.note_regular(regular, true);
            } else {
                trial.note_plain(1.5, false);
                by_boxes += 1;
            }
        }
        assert!(by_boxes > 40, "{by_boxes}");
    }
}
