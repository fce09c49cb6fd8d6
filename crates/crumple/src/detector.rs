//! The face that every method shows: build, update, query.

use crate::{Bodies, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Stats};

/// How far an answer can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Guarantee {
    /// Complete and exact for the stated question.
    Proved,
    /// Sampled, with the bound that the answer carries.
    Sampled,
    /// The paper's rule to the letter; may miss.
    AsPublished,
}

impl std::fmt::Display for Guarantee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Sampled => "sampled",
            Self::AsPublished => "as-published",
        })
    }
}

/// Which bodies are searched against which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pairs {
    /// Each body against itself.
    Within,
    /// Each body against every other.
    Between,
    /// Both.
    #[default]
    All,
}

impl Pairs {
    /// Whether a body is searched against itself.
    pub fn within(self) -> bool {
        self != Self::Between
    }

    /// Whether different bodies are searched against each other.
    pub fn between(self) -> bool {
        self != Self::Within
    }
}

/// A method at work on one mesh. Made by the method's `new`, followed through frames by `update`.
///
/// `update` accepts the next version of the mesh too: bodies that are not the same version as before are built
/// afresh, the others are kept.
pub trait Detector {
    /// The method's name, as the program spells it.
    fn name(&self) -> &'static str;

    /// What the answers are worth under the present parameters.
    fn guarantee(&self) -> Guarantee;

    /// Makes the structure valid for `frame`.
    fn update(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError>;

    /// Appends every candidate exactly once, and says what the search cost.
    ///
    /// The frame must be the one of the last `update`.
    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats;

    /// Replaces `out` by everything that touches, sorted and unique.
    ///
    /// The same set as the exact narrow phase leaves of [`Detector::candidates`].
    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats;

    /// Checks the invariants on the method's page, by number.
    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken>;

    /// Shows the structure as boxes, points, lines and painted triangles.
    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing);
}
