//! Question `all`: every question asked of one scene, beside the same questions each in a scene of its own.

use anyhow::{Result, bail};
use crumple::{BodyId, Closeness, Guarantee, Resolution, Scene};

use super::answer::Answer;
use super::clock::Clock;
use super::meter::FrameSeconds;
use super::questions::scene_of;
use super::runners::{Pose, Runner, Task};
use super::scene::BenchScene;
use crate::args::BenchMethod;

/// A question, and how many rows its answer has.
type Ask = fn(&mut Scene, f64) -> Result<usize, crumple::Error>;

/// What is asked, in this order. Overlaps come last: they are of bodies that share volume, and cost the most.
const QUESTIONS: [Ask; 6] = [
    |scene, _| Ok(scene.contacts()?.len()),
    |scene, _| Ok(scene.vertices_in_tets()?.len()),
    |scene, within| Ok(scene.distances(within)?.len()),
    |scene, within| {
        let found = scene.proximity(&Closeness::below(within))?;
        Ok(found.vertex_triangles.len() + found.edge_edges.len())
    },
    |scene, _| {
        let found = scene.impacts()?;
        Ok(found.vertex_triangles.len() + found.edge_edges.len())
    },
    |scene, _| Ok(scene.overlaps(Resolution::rays(32))?.len()),
];

/// One scene that is asked everything, and one for each question.
pub struct Everything {
    shared: Scene,
    own: Vec<Scene>,
    within: f64,
    before: Pose,
    /// Which of both goes first in this round: what went before leaves its data in the caches.
    shared_first: bool,
}

impl Everything {
    pub fn new(task: &Task, bench: &BenchScene) -> Result<Self> {
        if task.method != BenchMethod::Auto {
            bail!("method {} does not answer question all", task.method.name());
        }
        let Some(within) = task.within else { bail!("question all needs --within") };
        let own = QUESTIONS.iter().map(|_| scene_of(bench)).collect::<Result<_>>()?;
        Ok(Self { shared: scene_of(bench)?, own, within, before: bench.pose(0), shared_first: false })
    }
}

/// Brings a scene to the next frame, as a step from the one before.
fn follow(scene: &mut Scene, before: &Pose, now: &Pose) -> Result<()> {
    for (id, positions) in (0..).map(BodyId).zip(before) {
        scene.set_positions(id, positions)?;
    }
    scene.begin_step();
    for (id, positions) in (0..).map(BodyId).zip(now) {
        scene.set_positions(id, positions)?;
    }
    Ok(())
}

impl Runner for Everything {
    fn method(&self) -> &'static str {
        BenchMethod::Auto.name()
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Proved
    }

    fn first_frame(&self) -> usize {
        1
    }

    fn rewind(&mut self, first: &Pose) {
        self.before.clone_from(first);
        self.shared_first = !self.shared_first;
    }

    fn frame(&mut self, pose: &mut Pose, clock: &Clock) -> Result<(FrameSeconds, Answer)> {
        let (mut together, mut apart) = (0.0, 0.0);
        let [mut found, mut rows] = [Vec::new(), Vec::new()];
        for is_shared in [self.shared_first, !self.shared_first] {
            if is_shared {
                follow(&mut self.shared, &self.before, pose)?;
                let start = clock.now();
                for ask in QUESTIONS {
                    found.push(ask(&mut self.shared, self.within)?);
                }
                together += clock.since(start);
                continue;
            }
            for (scene, ask) in self.own.iter_mut().zip(QUESTIONS) {
                follow(scene, &self.before, pose)?;
                let start = clock.now();
                rows.push(ask(scene, self.within)?);
                apart += clock.since(start);
            }
        }
        if found != rows {
            bail!("asked together {found:?} rows, asked apart {rows:?}");
        }
        self.before.clone_from(pose);
        let seconds = FrameSeconds { build: apart, update: 0.0, query: together };
        Ok((seconds, Answer::count(found.iter().sum())))
    }
}
