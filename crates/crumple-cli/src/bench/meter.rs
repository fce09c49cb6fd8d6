//! Measuring: a method led through the frames of a scene, round after round.

use anyhow::{Result, bail};
use serde::Serialize;

use super::answer::{Answer, Number};
use super::clock::Clock;
use super::runners::{self, Pose, Runner, Task};
use super::scene::BenchScene;
use super::{VERSION, machine};

/// One method at work, and the best time of each frame so far. Rounds of several meters may alternate, so that what
/// disturbs the machine disturbs them all.
pub struct Meter<'s> {
    scene: &'s BenchScene,
    question: &'static str,
    runner: Box<dyn Runner + 's>,
    clock: Clock,
    build: f64,
    poses: Vec<Pose>,
    /// The frame whose pose the runner keeps; what the runner had at first is in its place.
    kept: Option<usize>,
    best: Vec<Option<(FrameSeconds, Answer)>>,
    rounds: u32,
    /// Frames of all rounds, and the seconds that they took.
    all: (u32, f64),
}

/// The JSON document of one method on one scene.
#[derive(Debug, Serialize)]
pub struct Report {
    pub schema: &'static str,
    pub scene: String,
    pub question: &'static str,
    pub method: &'static str,
    pub threads: usize,
    pub seconds: Seconds,
    pub results: Number,
    pub neighbour_results: u64,
    pub guarantee: String,
    pub rounds: u32,
    /// Seconds a frame, over all rounds: what is done in some frames for others counts here in full.
    pub mean: f64,
    pub frames: Vec<FrameSeconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f64; 2]>,
    pub machine: String,
    pub version: &'static str,
}

/// Means over the frames, of each frame's best round.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Seconds {
    pub build: f64,
    pub update: f64,
    pub query: f64,
}

impl Seconds {
    /// A frame: what must be done because positions changed, and the answer.
    pub fn frame(&self) -> f64 {
        self.update + self.query
    }
}

/// The best round of one frame.
#[derive(Debug, Serialize, Clone, Copy)]
pub struct FrameSeconds {
    /// What was built for this frame alone.
    #[serde(skip)]
    pub build: f64,
    pub update: f64,
    pub query: f64,
}

impl<'s> Meter<'s> {
    /// Builds the method, on the clock.
    pub fn new(task: &Task, scene: &'s BenchScene) -> Result<Self> {
        let clock = Clock::new(rayon::current_num_threads());
        let begin = clock.now();
        let runner = runners::new(task, scene)?;
        // Structures are built by the first frame that they see.
        let made = clock.since(begin);
        let poses = scene.poses();
        let best = vec![None; scene.frames()];
        let question = task.question.name();
        let (rounds, all) = (0, (0, 0.0));
        let mut meter =
            Self { scene, question, runner, clock, build: made, poses, kept: None, best, rounds, all };
        meter.build += meter.step(0)?.0.update;
        Ok(meter)
    }

    /// Every frame once, in order. A frame must answer as in the round before.
    pub fn round(&mut self) -> Result<()> {
        self.runner.rewind(&self.poses[0]);
        for f in self.runner.first_frame()..self.best.len() {
            let (seconds, answer) = self.step(f)?;
            self.all = (self.all.0 + 1, self.all.1 + seconds.update + seconds.query);
            match &mut self.best[f] {
                best @ None => *best = Some((seconds, answer)),
                Some((_, first)) if *first != answer => {
                    bail!("frame {f} answers {answer:?}, but {first:?} in the round before")
                }
                Some((fastest, _)) => {
                    let build = seconds.build.min(fastest.build);
                    if seconds.update + seconds.query < fastest.update + fastest.query {
                        *fastest = seconds;
                    }
                    fastest.build = build;
                }
            }
        }
        self.rounds += 1;
        Ok(())
    }

    fn step(&mut self, frame: usize) -> Result<(FrameSeconds, Answer)> {
        let done = self.runner.frame(&mut self.poses[frame], &self.clock)?;
        // It left the pose of the frame before, which goes where that belongs. At first it has that of frame 0.
        if self.runner.keeps_pose()
            && let Some(before) = self.kept.replace(frame)
        {
            self.poses.swap(before, frame);
        }
        Ok(done)
    }

    /// Rounds so far.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// What was measured, and the answers summed over the frames.
    pub fn finish(self) -> (Report, Answer) {
        let frames: Vec<(FrameSeconds, Answer)> = self.best.into_iter().flatten().collect();
        let mean = |of: fn(&FrameSeconds) -> f64| {
            frames.iter().map(|(s, _)| of(s)).sum::<f64>() / frames.len().max(1) as f64
        };
        let built = mean(|s| s.build);
        let answers = frames.iter().map(|(_, a)| *a);
        let sum = answers
            .reduce(|mut sum, a| {
                sum += a;
                sum
            })
            .unwrap_or(Answer::count(0));
        let report = Report {
            schema: "crumple.bench/1",
            scene: self.scene.name.clone(),
            question: self.question,
            method: self.runner.method(),
            threads: rayon::current_num_threads(),
            seconds: Seconds {
                build: if built > 0.0 { built } else { self.build },
                update: mean(|s| s.update),
                query: mean(|s| s.query),
            },
            results: sum.results,
            neighbour_results: sum.neighbours,
            guarantee: self.runner.guarantee().to_string(),
            rounds: self.rounds,
            mean: self.all.1 / f64::from(self.all.0.max(1)),
            frames: frames.iter().map(|(s, _)| *s).collect(),
            bounds: sum.bounds,
            machine: machine::name(),
            version: VERSION,
        };
        (report, sum)
    }
}
