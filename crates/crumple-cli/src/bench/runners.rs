//! One runner per question: how a method is driven through frames and what it counts.

use std::borrow::Cow;

use anyhow::{Result, bail};
use crumple::methods::brute_force;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceParams};
use crumple::methods::layered_depth::{LayeredDepth, LayeredDepthParams};
use crumple::{Bodies, BodyId, Contacts, Detector, Frame, Guarantee, Pairs, TrianglePair};

use super::answer::Answer;
use super::clock::Clock;
use super::meter::FrameSeconds;
use super::scene::BenchScene;
use crate::args::{BenchMethod, Question};
use crate::methods;

/// What to measure.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// What is asked.
    pub question: Question,
    /// Who answers.
    pub method: BenchMethod,
    /// Only this body (question self).
    pub body: Option<usize>,
    /// Pairs of vertices this close instead of distances (question distance).
    pub within: Option<f64>,
    /// Keep nothing from one frame for the next (question distance).
    pub cold: bool,
}

/// A method at work on a scene, asked one question frame after frame.
pub trait Runner {
    /// The method's name.
    fn method(&self) -> &'static str;
    /// What its answers are worth.
    fn guarantee(&self) -> Guarantee;
    /// Follows a frame and answers, on the clock.
    fn frame(&mut self, frame: Frame<'_>, clock: &Clock) -> Result<(FrameSeconds, Answer)>;
}

/// The runner for a task. A method that does not answer the question is an error, never another method.
pub fn new<'s>(task: &Task, scene: &'s BenchScene) -> Result<Box<dyn Runner + 's>> {
    if (task.within.is_some() || task.cold) && task.question != Question::Distance {
        bail!("--within and --cold go with --question distance");
    }
    if let Some(margin) = task.within.filter(|m| !(m.is_finite() && *m >= 0.0)) {
        bail!("--within {margin}: a margin is a finite number, not below 0");
    }
    let runner = match task.question {
        Question::Within | Question::Pairs | Question::Tets => Box::new(Detection::new(task, scene)?),
        Question::Inside => inside(task, scene)?,
        Question::Overlap => overlap(task, scene)?,
        Question::Distance => distances(task, scene)?,
    };
    if task.method != BenchMethod::Auto && task.method.name() != runner.method() {
        return unanswered(task);
    }
    Ok(runner)
}

fn unanswered<T>(task: &Task) -> Result<T> {
    bail!("method {} does not answer question {}", task.method.name(), task.question.name())
}

/// The questions that a [`Detector`] answers.
struct Detection<'s> {
    mesh: Cow<'s, Bodies>,
    only: Option<usize>,
    detector: Box<dyn Detector>,
    pairs: Pairs,
    count: fn(&Bodies, &Contacts) -> Answer,
    out: Contacts,
}

impl<'s> Detection<'s> {
    fn new(task: &Task, scene: &'s BenchScene) -> Result<Self> {
        let bodies = scene.mesh.meshes();
        match task.body {
            Some(_) if task.question != Question::Within => bail!("--body goes with --question self"),
            Some(k) if k >= bodies.len() => {
                bail!("{}: there is no body {k}; it has {}", scene.name, bodies.len())
            }
            _ => {}
        }
        let mesh = match task.body {
            Some(k) => Cow::Owned(Bodies::new([bodies[k].clone()])?),
            None => Cow::Borrowed(&scene.mesh),
        };
        let Some(method) = task.method.detector() else { return unanswered(task) };
        let (detector, pairs, count): (_, _, fn(&Bodies, &Contacts) -> Answer) = match task.question {
            Question::Within => (methods::surfaces(method, &mesh), Pairs::Within, within),
            Question::Pairs => (methods::surfaces(method, &mesh), Pairs::Between, |_, found| {
                Answer::count(found.triangle_pairs.len())
            }),
            _ => (methods::solids(method, methods::Tets::Vertices)?, Pairs::All, |_, found| {
                Answer::count(found.vertex_tets.len())
            }),
        };
        Ok(Self { mesh, only: task.body, detector, pairs, count, out: Contacts::default() })
    }
}

/// All bodies, or one of them.
fn select(frame: Frame<'_>, only: Option<usize>) -> Frame<'_> {
    only.and_then(|k| frame.only(crumple::BodyId(k as u32))).unwrap_or(frame)
}

/// Pairs within bodies; those with a common vertex are counted apart.
fn within(mesh: &Bodies, found: &Contacts) -> Answer {
    let share = |p: &&TrianglePair| {
        let [a, b] = [p.a, p.b].map(|t| mesh.triangles()[t.index()]);
        a.iter().any(|v| b.contains(v))
    };
    let neighbours = found.triangle_pairs.iter().filter(share).count();
    let answer = Answer::count(found.triangle_pairs.len() - neighbours);
    Answer { neighbours: neighbours as u64, ..answer }
}

impl Runner for Detection<'_> {
    fn method(&self) -> &'static str {
        self.detector.name()
    }

    fn guarantee(&self) -> Guarantee {
        self.detector.guarantee()
    }

    fn frame(&mut self, frame: Frame<'_>, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        let mut ready = self.detector.update(&self.mesh, select(frame, self.only))?;
        let update = clock.since(start);
        let start = clock.now();
        ready.contacts(self.pairs, &mut self.out);
        let query = clock.since(start);
        Ok((FrameSeconds { update, query }, (self.count)(&self.mesh, &self.out)))
    }
}

/// A method that keeps nothing from frame to frame: all its work is in the query.
struct Afresh<F> {
    method: &'static str,
    guarantee: Guarantee,
    answer: F,
}

impl<F: FnMut(Frame<'_>) -> Result<Answer>> Runner for Afresh<F> {
    fn method(&self) -> &'static str {
        self.method
    }

    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    fn frame(&mut self, frame: Frame<'_>, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        let answer = (self.answer)(frame)?;
        Ok((FrameSeconds { update: 0.0, query: clock.since(start) }, answer))
    }
}

/// Boxes a closure as a runner; the bound is what lets it take any frame.
fn afresh<'s>(
    method: &'static str,
    guarantee: Guarantee,
    answer: impl FnMut(Frame<'_>) -> Result<Answer> + 's,
) -> Box<dyn Runner + 's> {
    Box::new(Afresh { method, guarantee, answer })
}

/// Points of the points body inside the surface.
fn inside<'s>(task: &Task, scene: &'s BenchScene) -> Result<Box<dyn Runner + 's>> {
    let mesh = &scene.mesh;
    let find = |points: bool| mesh.body_ids().find(|&b| mesh.mesh(b).triangles().is_empty() == points);
    let (Some(surface), Some(points)) = (find(false), find(true)) else {
        bail!("{}: question inside needs a surface and a points body", scene.name)
    };
    let count = |inside: &[bool]| Answer::count(inside.iter().filter(|i| **i).count());
    if task.method == BenchMethod::BruteForce {
        return Ok(afresh(task.method.name(), Guarantee::Proved, move |frame| {
            let points = frame.get(points).expect("chosen from the scene");
            Ok(count(&brute_force::inside(mesh, frame, surface, points)?))
        }));
    }
    let mut layers = LayeredDepth::new(LayeredDepthParams::default())?;
    Ok(afresh(BenchMethod::LayeredDepth.name(), Guarantee::Proved, move |frame| {
        let points = frame.get(points).expect("chosen from the scene");
        Ok(count(&layers.inside(mesh, frame, surface, points)?))
    }))
}

/// The volume common to the two bodies: with bounds at 128 x 128, or by brute force.
fn overlap<'s>(task: &Task, scene: &'s BenchScene) -> Result<Box<dyn Runner + 's>> {
    let mesh = &scene.mesh;
    if mesh.meshes().len() != 2 {
        bail!("{}: question overlap needs two bodies, it has {}", scene.name, mesh.meshes().len());
    }
    let [a, b] = [BodyId(0), BodyId(1)];
    if task.method == BenchMethod::BruteForce {
        return Ok(afresh(task.method.name(), Guarantee::Proved, move |frame| {
            Ok(Answer::amount(brute_force::overlap_volume(mesh, frame, a, b)?))
        }));
    }
    let mut layers = LayeredDepth::new(LayeredDepthParams::default())?;
    Ok(afresh(BenchMethod::LayeredDepth.name(), Guarantee::Sampled, move |frame| {
        let found = layers.overlap(mesh, frame, a, b)?;
        Ok(Answer { bounds: Some([found.lower, found.upper]), ..Answer::amount(found.volume) })
    }))
}

/// The sum of the distances of all pairs of bodies, or the number of pairs of vertices within a margin.
fn distances<'s>(task: &Task, scene: &'s BenchScene) -> Result<Box<dyn Runner + 's>> {
    let mesh = &scene.mesh;
    if task.method == BenchMethod::BruteForce && task.within.is_some() {
        return unanswered(task);
    }
    if task.method == BenchMethod::BruteForce {
        return Ok(afresh(task.method.name(), Guarantee::Proved, move |frame| {
            let mut sum = 0.0;
            for a in mesh.body_ids() {
                for b in mesh.body_ids().filter(|b| *b > a) {
                    sum += brute_force::distance(mesh, frame, a, b)?.map_or(0.0, |d| d.distance);
                }
            }
            Ok(Answer::amount(sum))
        }));
    }
    let slices = scene.slices(0);
    let params = DistanceParams { warm_start: !task.cold, ..DistanceParams::default() };
    let hierarchy = DistanceHierarchy::new(mesh, Frame::new(&slices), params)?;
    Ok(Box::new(Distances { mesh, hierarchy, within: task.within }))
}

struct Distances<'s> {
    mesh: &'s Bodies,
    hierarchy: DistanceHierarchy,
    within: Option<f64>,
}

impl Runner for Distances<'_> {
    fn method(&self) -> &'static str {
        BenchMethod::DistanceHierarchy.name()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn frame(&mut self, frame: Frame<'_>, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        self.hierarchy.update(self.mesh, frame)?;
        let update = clock.since(start);
        let start = clock.now();
        let answer = match self.within {
            Some(margin) => Answer::count(self.hierarchy.count_all_vertices_within(margin) as usize),
            None => Answer::amount(self.hierarchy.all_pairs().iter().map(|p| p.distance.distance).sum()),
        };
        Ok((FrameSeconds { update, query: clock.since(start) }, answer))
    }
}
