//! A scene: bodies that move, and every question about them, without naming a method.
//!
//! Add bodies, hand over their positions frame by frame, ask. A method is built when its question is first asked,
//! follows the frames from then on, and answers once per frame however often it is asked. New bodies are searched for
//! contacts by what is made quickly, since most are looked at once; from their second frame on by what is fast from frame
//! to frame ([`Scene::prepare`] makes it at once). [`Scene::explain`] says which method answers what and why;
//! [`Scene::use_surface_method`] takes another.
//!
//! ```
//! use crumple::{Mesh, Scene};
//! let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
//! let mut scene = Scene::new();
//! let low = scene.add(Mesh::from_triangles("low", 3, &[[0, 1, 2]])?, &flat[..])?;
//! let high =
//!     scene.add(Mesh::from_triangles("high", 3, &[[0, 1, 2]])?, &flat.map(|[x, y, z]| [x, y, z + 1.0])[..])?;
//! assert_eq!(scene.distance([low, high])?.unwrap().distance, 1.0);
//! scene.set_positions(high, &[[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
//! let contacts = scene.contacts()?;
//! assert_eq!((contacts[0].a.body, contacts[0].b.body), (low, high));
//! # Ok::<(), crumple::Error>(())
//! ```
//!
//! # The way of a question
//! | step | file |
//! | --- | --- |
//! | bodies under lasting ids, their positions and boxes | `bodies.rs` |
//! | which bodies are tested against which | `filter.rs` |
//! | which bodies are near each other | `near.rs` |
//! | which method answers, and why; bodies of different natures side by side | `planner.rs`, `mixed.rs` |
//! | what touches, what is inside tets | `contacts.rs` |
//! | bodies that are edited where they are | `edits.rs` |
//! | bodies that are cut, and cuts that are fresh | `cuts.rs` |
//! | answers within a budget | `budgets.rs` |
//! | connected contacts as places, the worst first | `places.rs` |
//! | what hits what between two frames, and steps that touch nothing | `step.rs` |
//! | what is about to touch, and how far vertices may go | `proximity/mod.rs` |
//! | pairs followed from frame to frame: new, kept, gone | `proximity/changes.rs` |
//! | everything that a solver takes, in one form | `proximity/constraints.rs` |
//! | along which curves bodies cross, and moving them apart | `untangle.rs` |
//! | how close, and where | `distances.rs` |
//! | how much volume is shared, which points are inside | `volumes.rs` |
//! | rows that name elements by their bodies, with method and guarantee | `answer.rs` |
//!
//! # What the questions share
//! - Positions are copied and checked once per frame; the methods trust them.
//! - Boxes: a body's box is found once a frame, by the first who needs it, and handed to all methods with the frame; what was the
//!   end of a step is kept as the start of the next.
//! - The broad phase: pairs of bodies whose boxes are near are found once a frame, in O(n log n) for n bodies, for the widest
//!   margin that the questions of the last frame had, and handed to all methods.
//! - Exact tests: once [`Scene::contacts`] has been asked in a frame, two bodies that touch have distance 0 at the first
//!   pair of triangles that it found, and no search is made.
//!
//! # Invariants
//! I1. `positions` has one entry per body ever added, of its length, all finite and within bounds; a removed body is an
//!     empty mesh, so that the ids of the others stay what they were.
//! I2. A kept answer belongs to the bodies and positions as they are now; every change drops it.
//! # Cost
//! An edit costs the change ([`Scene::edit`]). One copy of the positions of bodies that move (none with [`Scene::swap_positions`]), and what the methods that are
//! asked cost. Adding a body costs what the body costs; the ids are laid out when something is asked. A removed body
//! leaves a few hundred bytes.

mod answer;
mod bodies;
mod budgets;
mod contacts;
mod cuts;
mod distances;
mod edits;
mod filter;
mod mixed;
mod near;
mod places;
mod planner;
mod proximity;
mod step;
mod stepper;
#[cfg(test)]
mod tests;
mod untangle;
mod volumes;

use std::sync::OnceLock;

pub use answer::{Answer, Contact, EdgePenetration, Element, Penetration, VertexInTet};
pub use budgets::BudgetedContacts;
pub use filter::Groups;
pub use places::Place;
pub use planner::{Choice, Question, SolidMethod, StepMethod, SurfaceMethod, explain};
pub use proximity::{
    CloseEdgeEdge, ClosePairs, CloseVertexTriangle, Constraints, PairHistory, RowChanges, Term,
};
pub use step::{EdgeEdgeImpact, Impacts, Step, VertexTriangleImpact};
pub use untangle::{CurvePart, CurvePoint, IntersectionCurve, Left, Reason, Untangled};

use self::contacts::InTets;
use self::cuts::{CutBoxes, SceneCuts};
use self::filter::Filter;
use self::near::NearBodies;
use self::planner::Forced;
use self::stepper::{StepState, Stepper};
use crate::detector::Method;
use crate::geometry::{Aabb, Point};
use crate::methods::bucket_tree::BucketTree;
use crate::methods::distance_hierarchy::DistanceHierarchy;
use crate::methods::layered_depth::LayeredDepth;
use crate::methods::spatial_hash::{PenetrationDepth, Touch, check_weld, is_welded};
use crate::{Bodies, BodyId, Contacts, Error, Frame, FrameError, Mesh, ParamError};

/// Bodies that move, and every question about them, without naming a method.
#[derive(Default)]
pub struct Scene {
    meshes: Vec<Mesh>,
    is_removed: Vec<bool>,
    positions: Vec<Vec<Point>>,
    /// Where bodies were when something was last asked, of those that were moved since.
    before: Vec<Vec<Point>>,
    has_before: Vec<bool>,
    /// Whether something was asked since a body was moved: the next motion begins a new step.
    is_asked: bool,
    boxes: Vec<OnceLock<Aabb>>,
    /// The same at the start of the step.
    boxes_before: Vec<OnceLock<Aabb>>,
    filter: Filter,
    /// The bodies laid end to end, once something is asked.
    laid_out: OnceLock<Bodies>,
    forced: Forced,
    /// Rows that an answer may have.
    limit: Option<usize>,
    near: NearBodies,
    surfaces: Surfaces,
    /// Whether a body was not there, in this version, when contacts were last asked for.
    is_new: Vec<bool>,
    /// Whether contacts were answered in this frame by what keeps nothing.
    was_one_shot: bool,
    /// Whether many triangles of a body meet in single vertices, once contacts are asked for.
    crowded: Vec<OnceLock<bool>>,
    solids: Followed<Box<dyn Method>>,
    /// Whether edges in tets have been asked for.
    wants_edges: bool,
    /// Which vertices on, or near, the skin of a tet are in it.
    touch: Touch,
    weld: Option<f64>,
    /// Cuts that have not opened yet.
    fresh_cuts: SceneCuts,
    /// Where the elements of bodies that were cut are, while these do not move.
    element_boxes: CutBoxes,
    /// Answers within a budget where a method is forced that cannot stop.
    stoppable: Followed<BucketTree>,
    depths: Followed<PenetrationDepth>,
    distances: Followed<DistanceHierarchy>,
    layers: LayeredDepth,
    /// The body about whose inside was asked last, while nobody moves it.
    seen_inside: Option<BodyId>,
    stepper: Stepper,
    /// What `stepper` knows of the present step.
    step_state: StepState,
    /// Memory for what a detector finds.
    found: Contacts,
    contacts: Option<Answer<Contact>>,
    in_tets: Option<InTets>,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.ids().map(|id| self.meshes[id.index()].name()).collect();
        f.debug_struct("Scene").field("bodies", &names).finish_non_exhaustive()
    }
}

/// A method, and whether it is at the present frame.
struct Followed<M> {
    method: Option<M>,
    is_current: bool,
    /// Whether bodies were edited, but nothing moved, since it was.
    is_at_rest: bool,
}

impl<M> Default for Followed<M> {
    fn default() -> Self {
        Self { method: None, is_current: false, is_at_rest: false }
    }
}

impl<M> Followed<M> {
    /// The method at the present frame: built when there is none, updated when it is behind.
    fn at(
        &mut self,
        frame: Frame<'_>,
        build: impl FnOnce() -> Result<M, ParamError>,
        update: impl FnOnce(&mut M, Frame<'_>) -> Result<(), FrameError>,
    ) -> Result<&mut M, Error> {
        let method = self.at_until(frame, build, |method, frame| update(method, frame).map(|()| true))?;
        Ok(method.expect("it is there in full"))
    }

    /// The same where updating may give up, and then says so; `None` when it did.
    fn at_until(
        &mut self,
        frame: Frame<'_>,
        build: impl FnOnce() -> Result<M, ParamError>,
        update: impl FnOnce(&mut M, Frame<'_>) -> Result<bool, FrameError>,
    ) -> Result<Option<&mut M>, Error> {
        let method = match &mut self.method {
            Some(method) => method,
            none => none.insert(build()?),
        };
        if !self.is_current {
            let is_at_rest = std::mem::take(&mut self.is_at_rest);
            self.is_current = update(method, if is_at_rest { frame.at_rest() } else { frame })?;
        }
        Ok(Some(method).filter(|_| self.is_current))
    }

    /// Something moved.
    fn outdate(&mut self) {
        (self.is_current, self.is_at_rest) = (false, false);
    }

    /// A body was edited where it is.
    fn outdate_by_edit(&mut self) {
        self.is_at_rest = self.is_at_rest || self.is_current;
        self.is_current = false;
    }
}

/// The methods for triangles that intersect.
#[derive(Default)]
struct Surfaces {
    /// For bodies that last: slow to make, fast from frame to frame.
    lasting: Followed<Box<dyn Method>>,
    /// For bodies that are new and may be gone in the next frame.
    passing: Followed<Box<dyn Method>>,
}

impl Surfaces {
    fn outdate(&mut self) {
        self.lasting.outdate();
        self.passing.outdate();
    }

    fn outdate_by_edit(&mut self) {
        self.lasting.outdate_by_edit();
        self.passing.outdate_by_edit();
    }

    /// The method at the present frame.
    fn current(&self) -> Option<&dyn Method> {
        [&self.passing, &self.lasting].into_iter().find(|m| m.is_current)?.method.as_deref()
    }

    fn current_mut(&mut self) -> Option<&mut Box<dyn Method>> {
        [&mut self.passing, &mut self.lasting].into_iter().find(|m| m.is_current)?.method.as_mut()
    }
}

/// Which methods are taken.
impl Scene {
    /// An empty scene.
    ///
    /// ```
    /// let mut scene = crumple::Scene::new();
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes this method for [`Scene::contacts`] from now on; `None` lets the scene choose.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.use_surface_method(crumple::SurfaceMethod::BruteForce);
    /// assert_eq!(scene.contacts()?.method, "brute-force");
    /// scene.use_surface_method(None);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn use_surface_method(&mut self, method: impl Into<Option<SurfaceMethod>>) {
        self.forced.surfaces = method.into();
        (self.surfaces, self.contacts) = (Surfaces::default(), None);
    }

    /// Takes this method for [`Scene::penetrations`] from now on; `None` lets the scene choose.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # let a = scene.add(tet.clone(), &corners[..])?;
    /// # let b = scene.add(tet, &corners.map(|p| p.map(|x| x + 1.0))[..])?;
    /// scene.use_solid_method(crumple::SolidMethod::BruteForce);
    /// assert_eq!(scene.penetrations()?.len(), 1);
    /// scene.use_solid_method(None);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn use_solid_method(&mut self, method: impl Into<Option<SolidMethod>>) {
        self.forced.solids = method.into();
        (self.solids, self.in_tets) = (Followed::default(), None);
    }

    /// Takes this method for [`Scene::impacts`] and what else is asked about steps from now on; `None` lets the scene choose.
    /// Distances above 0 are for boxes always.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// use crumple::{Question, StepMethod};
    /// scene.set_positions(high, &at(-1.0)[..])?;
    /// for method in [StepMethod::Regularity, StepMethod::SweptBvh] {
    ///     scene.use_step_method(method);
    ///     assert!(!scene.impacts()?.is_empty());
    ///     let choice = scene.explain().into_iter().find(|c| c.question == Question::Impacts).unwrap();
    ///     assert_eq!((choice.method, &choice.why[..]), (method.name(), "it was asked for"));
    /// }
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn use_step_method(&mut self, method: impl Into<Option<StepMethod>>) {
        self.forced.steps = method.into();
        self.step_state = StepState::Unknown;
    }

    /// Says what [`Scene::penetrations`] and [`Scene::vertices_in_tets`] make of vertices that lie on the skin of a tet, or near
    /// it, and of those that lie at one of its corners. By default every vertex of the closed tet counts that is not one of its
    /// own.
    ///
    /// ```
    /// use crumple::{Mesh, Scene, methods::spatial_hash::Touch};
    /// # let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// # let tet = Mesh::from_tets("tet", 4, &[[0, 1, 2, 3]])?;
    /// # let mut scene = Scene::new();
    /// # scene.add(tet.clone(), &corners[..])?;
    /// # scene.add(tet, &corners.map(|p| p.map(|x| x + 0.5))[..])?; // a corner is 0.5 below three faces
    /// assert_eq!(scene.penetrations()?.len(), 1);
    /// scene.set_touch(Touch::Deeper(0.6), None)?;
    /// assert!(scene.penetrations()?.is_empty());
    /// scene.set_touch(Touch::Closed, Some(1.0))?; // corners less than 1 apart are one
    /// assert!(scene.penetrations()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn set_touch(&mut self, touch: Touch, weld: Option<f64>) -> Result<(), Error> {
        touch.check()?;
        check_weld(weld)?;
        (self.touch, self.weld, self.in_tets) = (touch, weld, None);
        Ok(())
    }

    /// Leaves out vertices that are not in their tets as [`Scene::set_touch`] has it.
    fn retain_deep(&mut self) {
        if self.touch == Touch::Closed && self.weld.is_none() {
            return;
        }
        let (bodies, positions) = (self.laid_out.get().expect("laid out to follow"), &self.positions);
        let (touch, weld) = (self.touch, self.weld);
        self.found.vertex_tets.retain(|found| {
            let row = VertexInTet::new(bodies, found);
            let p = positions[row.vertex.body.index()][row.vertex.id.index()];
            let corners = bodies.mesh(row.tet.body).tet(row.tet.id);
            let t = corners.map(|v| positions[row.tet.body.index()][v.index()]);
            touch.allows(&p, &t) && !is_welded(weld, &p, &t)
        });
    }

    /// From now on [`Scene::contacts`], [`Scene::penetrations`] and [`Scene::edge_penetrations`] end with
    /// [`Error::TooManyPairs`] when there are more rows than this, before filters: 20,000 triangles in one spot have
    /// 200,000,000 contacts, and nobody reads them. `None` takes the limit away.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let mesh = Mesh::from_triangles("two", 6, &[[0, 1, 2], [3, 4, 5]])?;
    /// # let mut scene = Scene::new();
    /// # scene.add(mesh, &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0],
    /// #                   [1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [3.0, 3.0, 1.0]][..])?;
    /// scene.limit_rows(0);
    /// assert!(matches!(scene.contacts(), Err(crumple::Error::TooManyPairs { most: 0 })));
    /// scene.limit_rows(1);
    /// assert_eq!(scene.contacts()?.len(), 1);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn limit_rows(&mut self, most: impl Into<Option<usize>>) {
        self.limit = most.into();
        (self.contacts, self.in_tets) = (None, None);
    }

    /// Whether an answer may have so many rows.
    fn check_rows(&self, rows: usize) -> Result<(), Error> {
        self.limit.filter(|&most| rows > most).map_or(Ok(()), |most| Err(Error::TooManyPairs { most }))
    }

    /// Which method answers which question in this frame, and why.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// scene.add(Mesh::from_triangles("one", 3, &[[0, 1, 2]])?, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][..])?;
    /// for choice in scene.explain() {
    ///     println!("{choice}");
    /// }
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn explain(&self) -> Vec<Choice> {
        let mut choices = self.forced.explain(&self.meshes);
        let is_passing = match self.surfaces.current() {
            Some(_) => self.surfaces.passing.is_current,
            None => self.is_mostly_new(),
        };
        if is_passing {
            choices[0] = Choice::for_new_bodies();
        } else if let Some(method) = self.surfaces.current().filter(|m| m.name() != choices[0].method) {
            choices[0] = Choice::for_pairs_between(method.name());
        }
        if self.step_state == StepState::Known && self.stepper.method() != choices[1].method {
            choices[1] = Choice::for_less_work(self.stepper.method());
        }
        choices
    }

    /// Makes now what this and the following frames need to answer a question: for those who have time now and none
    /// later, or who measure. Without it, [`Scene::contacts`] answers the first frame of new bodies by a structure that is
    /// made quickly, and makes the one that is fast from frame to frame when a second frame comes.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// use crumple::Question;
    /// scene.prepare(Question::Contacts)?; // while there is time
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn prepare(&mut self, question: Question) -> Result<(), Error> {
        if question == Question::Contacts {
            self.is_new.fill(false);
            self.surfaces.passing.outdate();
        }
        self.prepare_frame(question)
    }

    /// Does now what the next such question would do first in this frame: makes the structure, or brings it to this frame.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let mut scene = Scene::new();
    /// # scene.add(Mesh::from_triangles("one", 3, &[[0, 1, 2]])?, &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]][..])?;
    /// use crumple::Question;
    /// scene.prepare_frame(Question::Contacts)?; // all but the search itself
    /// assert!(scene.contacts()?.is_empty());
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn prepare_frame(&mut self, question: Question) -> Result<(), Error> {
        match question {
            Question::Contacts => self.follow_surfaces(),
            Question::Penetrations => self.follow_solids(),
            Question::Distance => self.hierarchy().map(drop),
            Question::Impacts => self.follow_step(),
            Question::Overlap | Question::Inside => Ok(()),
        }
    }

    /// The frame as methods take it; the positions were checked when they were handed over.
    fn frame<'a>(
        positions: &'a [Vec<Point>],
        boxes: &'a [OnceLock<Aabb>],
        near: &'a NearBodies,
    ) -> Frame<'a> {
        Frame::from(positions).with_boxes(boxes).with_near(near.known()).trusted()
    }
}
