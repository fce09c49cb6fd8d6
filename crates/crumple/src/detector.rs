//! The face of every method that lists pairs: make it, bring it to a frame, ask about that frame.

use crate::budget::{Budgeted, Clock, Meter};
use crate::geometry::Aabb;
use crate::{Bodies, BodyId, Broken, Candidates, Contacts, Drawing, Frame, FrameError, Stats};

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
    /// No bound can be given, for instance for an open surface.
    Unproved,
    /// Exact as far as it goes, and not complete: a budget was spent. The answer tells what is left.
    Partial,
}

impl std::fmt::Display for Guarantee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Sampled => "sampled",
            Self::AsPublished => "as-published",
            Self::Unproved => "unproved",
            Self::Partial => "partial",
        })
    }
}

/// Which bodies are searched against which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    #[doc(hidden)]
    pub fn within(self) -> bool {
        self != Self::Between
    }

    /// Whether different bodies are searched against each other.
    #[doc(hidden)]
    pub fn between(self) -> bool {
        self != Self::Within
    }

    /// Whether pairs of one body, or of two, are asked for.
    pub(crate) fn asks_for(self, is_one_body: bool) -> bool {
        if is_one_body { self.within() } else { self.between() }
    }
}

/// A method that lists pairs, at work on bodies that move.
///
/// [`Detector::update`] brings it to a frame and hands out what can be asked about that frame, so that asking about
/// another one cannot be written. It accepts other bodies too: meshes that are not the same version as before are built
/// afresh, the others are kept.
///
/// ```
/// use crumple::methods::regularity::{Regularity, RegularityParams};
/// use crumple::{Bodies, Contacts, Detector, Frame, Mesh, Pairs};
/// let bodies = Bodies::new([Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?])?;
/// let mut method = Regularity::new(RegularityParams::default())?;
/// let mut found = Contacts::default();
/// let crossing = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]];
/// for positions in [vec![crossing.to_vec()]] {
///     method.update(&bodies, Frame::from(&positions))?.contacts(Pairs::All, &mut found);
///     assert_eq!(found.triangle_pairs.len(), 1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Detector: Send {
    /// The method's name, as the program spells it.
    fn name(&self) -> &'static str;

    /// How reliable the answers are under the present parameters.
    fn guarantee(&self) -> Guarantee;

    /// Makes the structure valid for `frame`, about which the returned value answers.
    fn update<'a>(&'a mut self, bodies: &'a Bodies, frame: Frame<'a>) -> Result<Ready<'a>, FrameError>;
}

impl<M: Method> Detector for M {
    fn name(&self) -> &'static str {
        Method::name(self)
    }

    fn guarantee(&self) -> Guarantee {
        Method::guarantee(self)
    }

    fn update<'a>(&'a mut self, bodies: &'a Bodies, frame: Frame<'a>) -> Result<Ready<'a>, FrameError> {
        Method::follow(self, bodies, frame)?;
        Ok(Ready { method: self, bodies, frame })
    }
}

/// A method that was brought to a frame; see [`Detector::update`].
pub struct Ready<'a> {
    method: &'a mut dyn Method,
    bodies: &'a Bodies,
    frame: Frame<'a>,
}

impl<'a> Ready<'a> {
    /// A method that was brought to this frame before.
    pub(crate) fn again(method: &'a mut dyn Method, bodies: &'a Bodies, frame: Frame<'a>) -> Self {
        Self { method, bodies, frame }
    }

    /// Replaces `out` by everything that touches, sorted and unique, and says what the search cost.
    ///
    /// The same set as the exact narrow phase leaves of [`Ready::candidates`].
    pub fn contacts(&mut self, pairs: Pairs, out: &mut Contacts) -> Stats {
        out.clear();
        self.method.contacts(self.bodies, self.frame, pairs, out)
    }

    /// Replaces `out` by every candidate, each once, and says what the search cost.
    pub fn candidates(&mut self, pairs: Pairs, out: &mut Candidates) -> Stats {
        out.clear();
        self.method.candidates(self.bodies, self.frame, pairs, out)
    }

    /// Checks the invariants on the method's page, by number.
    pub fn validate(&self) -> Result<(), Broken> {
        self.method.validate(self.bodies, self.frame)
    }

    /// Shows the structure as boxes, points, lines and painted triangles.
    pub fn draw(&self, into: &mut Drawing) {
        self.method.draw(self.bodies, self.frame, into);
    }
}

impl std::fmt::Debug for Ready<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready").field("method", &self.method.name()).finish_non_exhaustive()
    }
}

/// What a method does behind [`Detector`]. The frame of every question is the one that was followed last.
pub(crate) trait Method: Send {
    /// See [`Detector::name`].
    fn name(&self) -> &'static str;
    /// See [`Detector::guarantee`].
    fn guarantee(&self) -> Guarantee;
    /// Makes the structure valid for `frame`.
    fn follow(&mut self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), FrameError>;
    /// Appends every candidate exactly once.
    fn candidates(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Candidates) -> Stats;
    /// Appends everything that touches, sorted and unique.
    fn contacts(&mut self, bodies: &Bodies, frame: Frame<'_>, pairs: Pairs, out: &mut Contacts) -> Stats;
    /// As [`Method::follow`], but may give up when it is late, and then says `false`: the structure is at no frame, and the
    /// next one is followed as if everything had moved.
    fn follow_until(&mut self, bodies: &Bodies, frame: Frame<'_>, _: Clock) -> Result<bool, FrameError> {
        self.follow(bodies, frame).map(|()| true)
    }
    /// As [`Method::contacts`] until the budget is spent, with what is left; `None` from a method that cannot stop.
    fn contacts_budgeted(
        &mut self,
        _bodies: &Bodies,
        _frame: Frame<'_>,
        _pairs: Pairs,
        _meter: &mut Meter,
        _out: &mut Contacts,
    ) -> Option<Budgeted> {
        None
    }
    /// From now on the caller has no use for more contacts than this: the search may end when there are more, with any of
    /// them. A method without this searches on.
    fn limit(&mut self, _most: usize) {}
    /// Appends the triangles of a body, as it numbers them, whose boxes `is_wanted` may want; `false` when the method cannot
    /// tell. The boxes that are asked about hold those of the triangles.
    fn triangles_where(
        &self,
        _body: BodyId,
        _is_wanted: &dyn Fn(&Aabb) -> bool,
        _out: &mut Vec<u32>,
    ) -> bool {
        false
    }
    /// See [`Ready::validate`].
    fn validate(&self, bodies: &Bodies, frame: Frame<'_>) -> Result<(), Broken>;
    /// See [`Ready::draw`].
    fn draw(&self, bodies: &Bodies, frame: Frame<'_>, into: &mut Drawing);
}
