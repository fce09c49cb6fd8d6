//! Following a frame, checking and drawing.

use super::DistanceHierarchy;
use crate::{Bodies, Broken, Drawing, Frame, FrameError};

impl DistanceHierarchy {
    /// Takes the positions of `frame`; bodies of the mesh that are new are cut into regions. The bounds of a region are
    /// brought up to date by the first question that gets to it.
    pub fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError> {
        self.follow(bodies, frame)
    }

    /// Checks the invariants on the method's page, by number.
    pub fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken> {
        self.check(bodies, frame)
    }

    /// Shows the structure as boxes, points and lines.
    pub fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing) {
        self.sketch(bodies, frame, into);
    }
}
