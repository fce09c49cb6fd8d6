//! Who answers about a step: shape regularity over time for surfaces, boxes alone for soups and for distances above zero.
//!
//! Both give the same answers, so the choice is one of speed alone. On surfaces regularity is ahead where they are smooth and
//! level where they are not (the table on its [page](crate::methods::regularity::step)), so nothing is tried out or measured.

use super::planner::is_soup;
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
}

impl Stepper {
    /// Takes in a step, from `step.before()` to `step`.
    pub fn follow(&mut self, bodies: &Bodies, step: Frame<'_>) -> Result<(), Error> {
        self.is_regular = !is_soup(bodies.meshes());
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
        found
    }

    /// The earliest impact.
    pub fn first(&mut self, allows: Allows<'_>) -> Option<Impact> {
        if self.is_regular {
            self.regular.first(Pairs::All, allows)
        } else {
            self.plain.first(Pairs::All, allows)
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
