//! One runner per question: how a method is driven through frames and what it counts.

use anyhow::{Result, bail};
use crumple::methods::brute_force;
use crumple::methods::distance_hierarchy::{DistanceHierarchy, DistanceHierarchyParams};
use crumple::{
    Bodies, BodyId, Contact, Frame, Guarantee, Pairs, Resolution, Scene, SolidMethod, SurfaceMethod,
};

use super::answer::Answer;
use super::clock::Clock;
use super::edits::Edits;
use super::everything::Everything;
use super::meter::FrameSeconds;
use super::questions::{Close, Once, Steps};
use super::scene::BenchScene;
use crate::args::{AfterEdit, BenchMethod, Question};

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
    /// Only the first impact of each step (question step).
    pub earliest: bool,
    /// How many elements an edit removes (question edit).
    pub elements: usize,
    /// What is asked after an edit (question edit); the method's own question unless told.
    pub ask: Option<AfterEdit>,
    /// Whether it splits an edge of each of them instead.
    pub split: bool,
    /// Whether the body moves before each edit.
    pub moving: bool,
}

/// One frame's positions of every body.
pub type Pose = Vec<Vec<[f64; 3]>>;

/// A method at work on a scene, asked one question frame after frame.
pub trait Runner {
    /// The method's name.
    fn method(&self) -> &'static str;
    /// How reliable its answers are.
    fn guarantee(&self) -> Guarantee;
    /// The first frame that is measured.
    fn first_frame(&self) -> usize {
        0
    }
    /// Whether it keeps the positions that it is given, and leaves those that it had in their place.
    fn keeps_pose(&self) -> bool {
        false
    }
    /// A round begins anew: the frame before the first that is measured, or the first.
    fn rewind(&mut self, _first: &Pose) {}
    /// Follows a frame and answers, on the clock.
    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)>;
}

/// The runner for a task. A method that does not answer the question is an error, never another method.
pub fn new<'s>(task: &Task, scene: &'s BenchScene) -> Result<Box<dyn Runner + 's>> {
    if task.cold && task.question != Question::Distance {
        bail!("--cold goes with --question distance");
    }
    if task.earliest && task.question != Question::Step {
        bail!("--earliest goes with --question step");
    }
    if (task.split || task.moving) && task.question != Question::Edit {
        bail!("--split and --moving go with --question edit");
    }
    if task.elements != 1 && task.question != Question::Edit {
        bail!("--elements goes with --question edit");
    }
    if task.ask.is_some() && task.question != Question::Edit {
        bail!("--ask goes with --question edit");
    }
    if task.within.is_some()
        && !matches!(task.question, Question::Distance | Question::Proximity | Question::All)
    {
        bail!("--within goes with --question distance, proximity or all");
    }
    if let Some(margin) = task.within.filter(|m| !(m.is_finite() && *m >= 0.0)) {
        bail!("--within {margin}: a margin is a finite number, not below 0");
    }
    let runner = match task.question {
        Question::Within | Question::Pairs | Question::Tets => Box::new(Detection::new(task, scene)?),
        Question::Inside => inside(task, scene)?,
        Question::Overlap => overlap(task, scene)?,
        Question::Distance => distances(task, scene)?,
        Question::Step => Box::new(Steps::new(task, scene)?),
        Question::Proximity => Box::new(Close::new(task, scene)?),
        Question::Once | Question::OncePairs => Box::new(Once::new(task, scene)?),
        Question::Edit => Box::new(Edits::new(task, scene)?),
        Question::All => Box::new(Everything::new(task, scene)?),
    };
    if task.method != BenchMethod::Auto && task.method.name() != runner.method() {
        return unanswered(task);
    }
    Ok(runner)
}

fn unanswered<T>(task: &Task) -> Result<T> {
    bail!("method {} does not answer question {}", task.method.name(), task.question.name())
}

/// Contacts and penetrations, asked of a [`Scene`].
struct Detection {
    scene: Scene,
    /// The body of each body of the scene in the benchmark's poses.
    bodies: Vec<usize>,
    question: Question,
    /// The same for the scene.
    asked: crumple::Question,
    method: BenchMethod,
}

impl Detection {
    fn new(task: &Task, scene: &BenchScene) -> Result<Self> {
        let all = scene.mesh.meshes();
        let bodies: Vec<usize> = match task.body {
            Some(_) if task.question != Question::Within => bail!("--body goes with --question self"),
            Some(k) if k >= all.len() => bail!("{}: there is no body {k}; it has {}", scene.name, all.len()),
            Some(k) => vec![k],
            None => (0..all.len()).collect(),
        };
        let mut own = Scene::new();
        let pose = scene.pose(0);
        for &b in &bodies {
            own.add(all[b].clone(), &pose[b])?;
        }
        let is_tets = task.question == Question::Tets;
        match (task.method, is_tets) {
            (BenchMethod::Auto, _) => {}
            (BenchMethod::Regularity, false) => own.use_surface_method(SurfaceMethod::Regularity),
            (BenchMethod::BucketTree, false) => own.use_surface_method(SurfaceMethod::BucketTree),
            (BenchMethod::SpatialHash, false) => own.use_surface_method(SurfaceMethod::SpatialHash),
            (BenchMethod::BruteForce, false) => own.use_surface_method(SurfaceMethod::BruteForce),
            (BenchMethod::SpatialHash, true) => own.use_solid_method(SolidMethod::SpatialHash),
            (BenchMethod::BruteForce, true) => own.use_solid_method(SolidMethod::BruteForce),
            _ => return unanswered(task),
        }
        let asked = if is_tets { crumple::Question::Penetrations } else { crumple::Question::Contacts };
        Ok(Self { scene: own, bodies, question: task.question, asked, method: task.method })
    }
}

/// Pairs within bodies; those with a common vertex are counted apart.
pub(super) fn within(scene: &Scene, found: &[Contact]) -> Answer {
    let share = |c: &&Contact| {
        let [a, b] = [c.a, c.b].map(|t| scene.mesh(t.body).expect("it is there").triangles()[t.id.index()]);
        a.iter().any(|v| b.contains(v))
    };
    let neighbours = found.iter().filter(share).count();
    let answer = Answer::count(found.len() - neighbours);
    Answer { neighbours: neighbours as u64, ..answer }
}

impl Runner for Detection {
    fn method(&self) -> &'static str {
        // Frames follow each other here, so that the method for bodies that last answers from the first one on. Reasons are found
        // when they are asked for, off the clock.
        match self.method {
            BenchMethod::Auto => {
                let choices = crumple::explain(self.scene.bodies().meshes());
                choices.iter().find(|c| c.question == self.asked).map_or("", |c| c.method)
            }
            forced => forced.name(),
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    /// Else they would be put back between the frames, and what the next frame reads would be pushed out of the caches.
    fn keeps_pose(&self) -> bool {
        true
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        swap(&mut self.scene, &self.bodies, pose)?;
        self.scene.prepare(self.asked)?;
        let update = clock.since(start);
        let start = clock.now();
        let found = match self.question {
            Question::Within => Ok(self.scene.contacts_of(Pairs::Within)?),
            Question::Pairs => Ok(self.scene.contacts_of(Pairs::Between)?),
            _ => Err(self.scene.vertices_in_tets()?.len()),
        };
        let query = clock.since(start);
        let answer = match &found {
            Ok(found) if self.question == Question::Within => within(&self.scene, found),
            Ok(found) => Answer::count(found.len()),
            Err(count) => Answer::count(*count),
        };
        Ok((FrameSeconds { build: 0.0, update, query }, answer))
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

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        let answer = (self.answer)(Frame::from(&*pose))?;
        Ok((FrameSeconds { build: 0.0, update: 0.0, query: clock.since(start) }, answer))
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

/// A question asked of a scene, all of whose work is in the query.
struct Asked<F> {
    scene: Scene,
    /// The body of each body of the scene in the benchmark's poses.
    bodies: Vec<usize>,
    method: &'static str,
    guarantee: Guarantee,
    ask: F,
}

impl<F: FnMut(&mut Scene, &Pose) -> Result<Answer>> Runner for Asked<F> {
    fn method(&self) -> &'static str {
        self.method
    }

    fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        swap(&mut self.scene, &self.bodies, pose)?;
        let answer = (self.ask)(&mut self.scene, pose)?;
        let query = clock.since(start);
        // The pose keeps its own positions.
        swap(&mut self.scene, &self.bodies, pose)?;
        Ok((FrameSeconds { build: 0.0, update: 0.0, query }, answer))
    }
}

/// Boxes a closure as a runner; the bound is what lets it take any scene.
fn asked<'s>(
    scene: Scene,
    bodies: Vec<usize>,
    method: BenchMethod,
    guarantee: Guarantee,
    ask: impl FnMut(&mut Scene, &Pose) -> Result<Answer> + 's,
) -> Box<dyn Runner + 's> {
    Box::new(Asked { scene, bodies, method: method.name(), guarantee, ask })
}

/// Exchanges the positions of the scene's bodies and the pose's.
pub(super) fn swap(scene: &mut Scene, bodies: &[usize], pose: &mut Pose) -> Result<()> {
    for (id, &b) in (0..).map(BodyId).zip(bodies) {
        scene.swap_positions(id, &mut pose[b])?;
    }
    Ok(())
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
    let mut own = Scene::new();
    let id = own.add(mesh.mesh(surface).clone(), &scene.pose(0)[surface.index()])?;
    let ask = move |scene: &mut Scene, pose: &Pose| Ok(count(&scene.inside(id, &pose[points.index()])?));
    Ok(asked(own, vec![surface.index()], BenchMethod::LayeredDepth, Guarantee::Proved, ask))
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
    let mut own = Scene::new();
    let pose = scene.pose(0);
    for (mesh, positions) in mesh.meshes().iter().zip(&pose) {
        own.add(mesh.clone(), positions)?;
    }
    let ask = move |scene: &mut Scene, _: &Pose| {
        let found = scene.overlap([a, b], Resolution::default())?;
        Ok(Answer { bounds: Some([found.lower, found.upper]), ..Answer::amount(found.volume) })
    };
    Ok(asked(own, vec![0, 1], BenchMethod::LayeredDepth, Guarantee::Sampled, ask))
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
    let params = DistanceHierarchyParams {
        warm_start: !task.cold,
        // A frame that repeats positions is charged in full.
        reuse_still: false,
        ..DistanceHierarchyParams::default()
    };
    let hierarchy = DistanceHierarchy::new(params)?;
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

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let start = clock.now();
        self.hierarchy.update(self.mesh, Frame::from(&*pose))?;
        let update = clock.since(start);
        let start = clock.now();
        let answer = match self.within {
            Some(margin) => Answer::count(self.hierarchy.count_vertices_closer_than(margin) as usize),
            None => Answer::amount(self.hierarchy.all_pairs().iter().map(|p| p.distance.distance).sum()),
        };
        Ok((FrameSeconds { build: 0.0, update, query: clock.since(start) }, answer))
    }
}
