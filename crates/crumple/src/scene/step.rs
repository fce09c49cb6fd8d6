//! What passes through what between two frames: impacts, and steps that touch nothing.

use std::sync::OnceLock;

use super::bodies::lay_out;
use super::{Answer, Element, Scene, StepState};
use crate::geometry::{Aabb, Point};
use crate::impact::{Features, Impact};
use crate::narrow::continuous::ImpactTime;
use crate::{Bodies, BodyId, Error, Frame, Guarantee, ParamError, Positions, Stats, TriangleId, VertexId};

/// A vertex that hits a triangle that it is not a corner of, and when first.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct VertexTriangleImpact {
    /// The vertex.
    pub vertex: Element<VertexId>,
    /// The triangle.
    pub triangle: Element<TriangleId>,
    /// When they first touch.
    pub time: ImpactTime,
}

/// Two edges without a common vertex that hit each other, and when first.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct EdgeEdgeImpact {
    /// The smaller edge, smaller vertex first.
    pub a: Element<[VertexId; 2]>,
    /// The larger edge, smaller vertex first.
    pub b: Element<[VertexId; 2]>,
    /// When they first touch.
    pub time: ImpactTime,
}

/// Everything that hits in a step.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
pub struct Impacts {
    /// Vertices that hit triangles, sorted.
    pub vertex_triangles: Answer<VertexTriangleImpact>,
    /// Edges that hit edges, sorted.
    pub edge_edges: Answer<EdgeEdgeImpact>,
    /// The earliest time of all; `None` when nothing hits.
    pub first: Option<ImpactTime>,
}

impl Impacts {
    /// Whether nothing hits.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    fn new(bodies: &Bodies, found: &[Impact], method: &'static str) -> Self {
        let (mut vertex_triangles, mut edge_edges) = (Vec::new(), Vec::new());
        for impact in found {
            let time = impact.time;
            match impact.features {
                Features::VertexTriangle(vertex, triangle) => vertex_triangles.push(VertexTriangleImpact {
                    vertex: Element::vertex(bodies, vertex),
                    triangle: Element::triangle(bodies, triangle),
                    time,
                }),
                Features::EdgeEdge(a, b) => edge_edges.push(EdgeEdgeImpact {
                    a: Element::edge(bodies, a),
                    b: Element::edge(bodies, b),
                    time,
                }),
            }
        }
        // The earliest contact is not after the smallest `by`, and not before the smallest `after`.
        let first = found
            .iter()
            .map(|i| i.time)
            .reduce(|a, b| ImpactTime { after: a.after.min(b.after), by: a.by.min(b.by) });
        Self {
            vertex_triangles: Answer::new(vertex_triangles, method, Guarantee::Proved, Stats::default()),
            edge_edges: Answer::new(edge_edges, method, Guarantee::Proved, Stats::default()),
            first,
        }
    }
}

/// How a scene was moved by [`Scene::step_to`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
pub struct Step {
    /// The share of the way that was gone, 0 to 1.
    pub share: f64,
    /// What stopped it; `None` when it went all the way.
    pub blocked_by: Option<Impact>,
}

/// A step is the motion from where the bodies were when something was last asked to where they are now: all vertices move on
/// straight lines, together. A body that was not moved since is still.
impl Scene {
    /// Every vertex that hits a triangle and every two edges that hit each other in the step, with the first time of each.
    ///
    /// No impact, and no contact at its start: then nothing crosses at any time of the step, its end included.
    ///
    /// What hits because of a cut that had not parted when contacts were last asked for is left out, as its contacts are
    /// ([`Scene::cut`]); [`Scene::first_impact`] and [`Scene::step_to`] leave out nothing.
    ///
    /// ```
    /// use crumple::{Mesh, Scene};
    /// let mut scene = Scene::new();
    /// let sheet = Mesh::from_triangles("sheet", 3, &[[0, 1, 2]])?;
    /// scene.add(sheet.clone(), &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// let ball = scene.add(sheet, &[[1.0, 1.0, 2.0], [1.1, 1.0, 2.0], [1.0, 1.1, 2.0]][..])?;
    /// assert!(scene.contacts()?.is_empty());
    /// scene.set_positions(ball, &[[1.0, 1.0, -2.0], [1.1, 1.0, -2.0], [1.0, 1.1, -2.0]][..])?;
    /// assert!(scene.contacts()?.is_empty()); // it is through, and nothing touches
    /// let impacts = scene.impacts()?;
    /// assert_eq!(impacts.vertex_triangles.len(), 3);
    /// assert!(impacts.first.unwrap().after <= 0.5 && 0.5 <= impacts.first.unwrap().by);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn impacts(&mut self) -> Result<Impacts, Error> {
        self.follow_step()?;
        let Self { stepper, filter, .. } = self;
        let mut found = stepper.impacts(&|a, b| filter.allows(a, b));
        let method = stepper.method();
        let mut of_cuts = self.fresh_cuts.surfaces.explains(self.bodies(), &found).into_iter();
        found.retain(|_| of_cuts.next() != Some(true));
        Ok(Impacts::new(self.bodies(), &found, method))
    }

    /// The earliest impact of the step; `None` when nothing hits. Cheaper than all of them.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// scene.begin_step();
    /// scene.set_positions(high, &at(-1.0)[..])?;
    /// let first = scene.first_impact()?.expect("it goes through");
    /// assert!(first.time.after <= 0.5 && 0.5 <= first.time.by);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn first_impact(&mut self) -> Result<Option<Impact>, Error> {
        self.follow_step()?;
        let Self { stepper, filter, .. } = self;
        Ok(stepper.first(&|a, b| filter.allows(a, b)))
    }

    /// The largest share of the way from here to `next` that surely touches nothing, 0 to 1: a bound below the exact first
    /// contact, at most 2^-40 below it, and 1 when nothing is hit at all. What touches already gives 0.
    ///
    /// ```
    /// # use crumple::{Frame, Mesh, Scene};
    /// # let mut scene = Scene::new();
    /// # let sheet = Mesh::from_triangles("sheet", 3, &[[0, 1, 2]])?;
    /// # scene.add(sheet.clone(), &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]][..])?;
    /// # scene.add(sheet, &[[1.0, 1.0, 2.0], [1.1, 1.0, 2.0], [1.0, 1.1, 2.0]][..])?;
    /// let next = vec![
    ///     vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]],
    ///     vec![[1.0, 1.0, -2.0], [1.1, 1.0, -2.0], [1.0, 1.1, -2.0]],
    /// ];
    /// let share = scene.safe_step(Frame::from(&next))?;
    /// assert!(share <= 0.5 && share > 0.5 - 1e-11);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn safe_step(&mut self, next: Frame<'_>) -> Result<f64, Error> {
        Ok(self.first_on_the_way(next)?.map_or(1.0, |impact| impact.time.after))
    }

    /// The largest share of the way from here to `next` on which everything stays further apart than `thickness`, 0 to 1.
    /// Conservative: the true share is larger by at most what a relative change of the thickness by
    /// `narrow::continuous::separation::BAND` makes of it. Features with a common vertex do not count; what is as
    /// close already gives 0.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let next = vec![at(0.0).to_vec(), at(-1.0).to_vec()];
    /// let share = scene.safe_step_apart(crumple::Frame::from(&next), 0.5)?;
    /// assert!(share <= 0.25); // half of the gap is left
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn safe_step_apart(&mut self, next: Frame<'_>, thickness: f64) -> Result<f64, Error> {
        if !(thickness.is_finite() && thickness > 0.0) {
            let (parameter, expected) = ("thickness", "a finite number above 0");
            return Err(ParamError { parameter, value: thickness.to_string(), expected }.into());
        }
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        next.check(bodies)?;
        self.step_state = StepState::Unknown;
        let Self { stepper, filter, positions, boxes, near, .. } = self;
        let step = Self::frame(positions, boxes, near).step_to(next).trusted();
        let found = stepper.first_closer_than(thickness, bodies, step, &|a, b| filter.allows(a, b))?;
        Ok(found.map_or(1.0, |(_, time)| time))
    }

    /// Moves towards `next` as far as nothing is touched, and proves it for the positions as they are rounded: nothing is hit
    /// on the straight way from here to them. If nothing intersects here, nothing does there, nor in between.
    ///
    /// ```
    /// # use crumple::{Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let next = vec![at(0.0).to_vec(), at(-1.0).to_vec()];
    /// let step = scene.step_to(crumple::Frame::from(&next))?;
    /// assert!(step.share <= 0.5 && step.blocked_by.is_some());
    /// assert!(scene.contacts()?.is_empty()); // it stopped in time
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn step_to(&mut self, next: Frame<'_>) -> Result<Step, Error> {
        next.check(self.bodies())?;
        let start = self.positions.clone();
        let mut blocked_by = None;
        let mut share = 1.0;
        // Each try goes a little less far than what was proved for exact positions; rounding moves points by an ulp, so one or
        // two tries do. At 0 nothing moves, and nothing is hit that does not touch already.
        for _ in 0..TRIES {
            let moved = between(&start, next, share);
            match self.first_on_the_way(Frame::from(&moved))? {
                None => {
                    for (id, body) in (0..).map(BodyId).zip(&moved) {
                        if !self.is_removed[id.index()] {
                            self.set_positions(id, body)?;
                        }
                    }
                    return Ok(Step { share, blocked_by });
                }
                Some(impact) => {
                    share *= impact.time.after * BACK_OFF;
                    blocked_by = Some(impact);
                }
            }
        }
        Ok(Step { share: 0.0, blocked_by })
    }

    fn first_on_the_way(&mut self, next: Frame<'_>) -> Result<Option<Impact>, Error> {
        let is_crowded = self.is_crowded();
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        next.check(bodies)?;
        self.step_state = StepState::Unknown;
        let Self { stepper, filter, positions, boxes, near, .. } = self;
        let step = Self::frame(positions, boxes, near).step_to(next).trusted();
        stepper.follow(bodies, step, is_crowded, self.forced.steps)?;
        Ok(stepper.first(&|a, b| filter.allows(a, b)))
    }

    pub(super) fn follow_step(&mut self) -> Result<(), Error> {
        self.is_asked = true;
        if self.step_state == StepState::Known {
            return Ok(());
        }
        let state = std::mem::take(&mut self.step_state);
        self.find_near(0.0, true);
        let is_crowded = self.is_crowded();
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        let start: Vec<Positions<'_>> = (0..self.positions.len())
            .map(|b| if self.has_before[b] { &self.before[b] } else { &self.positions[b] })
            .map(Positions::from)
            .collect();
        let boxes: Vec<OnceLock<Aabb>> = (0..self.positions.len())
            .map(|b| if self.has_before[b] { self.box_before(b) } else { self.box_of(b) })
            .map(|found| OnceLock::from(*found))
            .collect();
        let step = Frame::new(&start)
            .with_boxes(&boxes)
            .step_to(Self::frame(&self.positions, &self.boxes, &self.near))
            .with_near(self.near.known_of_step())
            .trusted();
        let step = if state == StepState::KnownButEdits { step.at_rest() } else { step };
        self.stepper.follow(bodies, step, is_crowded, self.forced.steps)?;
        self.step_state = StepState::Known;
        Ok(())
    }
}

/// How often a step that is not free is tried again, a little shorter.
const TRIES: usize = 16;
/// How much shorter: far less than a solver would notice, far more than rounding moves a point.
const BACK_OFF: f64 = 1.0 - 1e-9;

/// The positions at a share of the way, rounded.
fn between(start: &[Vec<Point>], end: Frame<'_>, share: f64) -> Vec<Vec<Point>> {
    let body = |(start, end): (&Vec<Point>, Positions<'_>)| {
        let point = |(v, p): (usize, &Point)| {
            let q = end.get(v);
            if share == 1.0 { q } else { std::array::from_fn(|k| p[k] + share * (q[k] - p[k])) }
        };
        start.iter().enumerate().map(point).collect()
    };
    start.iter().zip(end.iter()).map(body).collect()
}

/// Rows are written flat, with the interval of the time at the end.
#[cfg(feature = "serde")]
mod flat {
    use serde::{Serialize, Serializer};

    use super::{EdgeEdgeImpact, VertexTriangleImpact};

    impl Serialize for VertexTriangleImpact {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let (v, t) = (self.vertex, self.triangle);
            (v.body, v.id, t.body, t.id, self.time.after, self.time.by).serialize(to)
        }
    }

    impl Serialize for EdgeEdgeImpact {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let (a, b) = (self.a, self.b);
            (a.body, a.id[0], a.id[1], b.body, b.id[0], b.id[1], self.time.after, self.time.by).serialize(to)
        }
    }
}
