//! `crumple bench`: the measuring frame that the methods plug into.
//!
//! A [`Runner`] answers one question on one scene. Frames advance in order, in several rounds; a frame's time is its
//! best over the rounds, and the mean over the frames is reported. With one thread, time is the process's CPU time.

mod clock;
mod own;
mod runners;
mod scene;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::Serialize;

use crate::args::{BenchArgs, Common, Question};
use crate::output::{self, duration};
use clock::Clock;
use runners::Runner;
use scene::BenchScene;

/// No new round begins after this much time, loading included, so that a run ends within half a minute.
const BUDGET: Duration = Duration::from_secs(10);
/// Rounds beyond this do not make the best any better.
const MAX_ROUNDS: u32 = 20;

/// The JSON document.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    scene: String,
    question: &'static str,
    method: &'static str,
    threads: usize,
    seconds: Seconds,
    results: Number,
    neighbour_results: u64,
    guarantee: String,
    rounds: u32,
    frames: Vec<FrameSeconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[f64; 2]>,
}

/// Means over the frames, of each frame's best round.
#[derive(Serialize)]
struct Seconds {
    build: f64,
    update: f64,
    query: f64,
}

/// The best round of one frame.
#[derive(Serialize, Clone, Copy)]
struct FrameSeconds {
    update: f64,
    query: f64,
}

/// A count stays an integer in JSON; a volume or a distance does not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Number {
    /// How many.
    Count(u64),
    /// How much.
    Amount(f64),
}

impl std::ops::AddAssign for Number {
    fn add_assign(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::Count(a), Self::Count(b)) => Self::Count(a + b),
            (a, b) => Self::Amount(a.amount() + b.amount()),
        };
    }
}

impl Number {
    fn amount(self) -> f64 {
        match self {
            Self::Count(n) => n as f64,
            Self::Amount(x) => x,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Count(n) => n.fmt(f),
            Self::Amount(x) => x.fmt(f),
        }
    }
}

/// The answer to a question in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// What the question counts or measures.
    pub results: Number,
    /// Pairs of triangles with a common vertex, counted apart (question self).
    pub neighbours: u64,
    /// Rigorous bounds of the amount, where the question has them.
    pub bounds: Option<[f64; 2]>,
}

impl Answer {
    /// A plain count.
    pub fn count(n: usize) -> Self {
        Self { results: Number::Count(n as u64), neighbours: 0, bounds: None }
    }
}

/// Runs one scene, or our own benchmarks.
pub fn run(args: &BenchArgs, common: &Common) -> Result<()> {
    let (Some(scene), Some(question)) = (&args.scene, args.question) else { return own::run(common) };
    let start = Instant::now();
    let scene = BenchScene::load(scene)?;
    let report = measure(args, question, &scene, start)?;
    output::emit(common, &report, || report.text())
}

fn measure(args: &BenchArgs, question: Question, scene: &BenchScene, start: Instant) -> Result<Report> {
    let threads = rayon::current_num_threads();
    let clock = Clock::new(threads);
    let begin = clock.now();
    let mut runner = runners::new(args, question, scene)?;
    let build = clock.since(begin);
    let mut best: Vec<Option<(FrameSeconds, Answer)>> = vec![None; scene.frames()];
    let mut rounds = 0;
    while rounds < args.rounds.unwrap_or(MAX_ROUNDS) && (rounds == 0 || start.elapsed() < BUDGET) {
        for (f, best) in best.iter_mut().enumerate() {
            let (seconds, answer) = step(runner.as_mut(), scene, f, clock)?;
            match best {
                None => *best = Some((seconds, answer)),
                Some((_, first)) if *first != answer => {
                    bail!("frame {f} answers {answer:?}, but {first:?} in the round before")
                }
                Some((fastest, _)) => {
                    if seconds.update + seconds.query < fastest.update + fastest.query {
                        *fastest = seconds;
                    }
                }
            }
        }
        rounds += 1;
    }
    let frames: Vec<(FrameSeconds, Answer)> = best.into_iter().flatten().collect();
    let mean = |of: fn(&FrameSeconds) -> f64| {
        frames.iter().map(|(s, _)| of(s)).sum::<f64>() / frames.len().max(1) as f64
    };
    let mut results = frames.first().map_or(Number::Count(0), |(_, a)| a.results);
    frames.iter().skip(1).for_each(|(_, a)| results += a.results);
    let bounds =
        frames.iter().map(|(_, a)| a.bounds).reduce(|x, y| Some([x?[0] + y?[0], x?[1] + y?[1]])).flatten();
    Ok(Report {
        schema: "crumple.bench/1",
        scene: scene.name.clone(),
        question: question.name(),
        method: runner.method(),
        threads,
        seconds: Seconds { build, update: mean(|s| s.update), query: mean(|s| s.query) },
        results,
        neighbour_results: frames.iter().map(|(_, a)| a.neighbours).sum(),
        guarantee: runner.guarantee().to_string(),
        rounds,
        frames: frames.iter().map(|(s, _)| *s).collect(),
        bounds,
    })
}

fn step(
    runner: &mut dyn Runner,
    scene: &BenchScene,
    frame: usize,
    clock: Clock,
) -> Result<(FrameSeconds, Answer)> {
    let slices = scene.slices(frame);
    let start = clock.now();
    runner.update(crumple::Frame::new(&slices))?;
    let update = clock.since(start);
    let start = clock.now();
    let answer = runner.query(crumple::Frame::new(&slices))?;
    Ok((FrameSeconds { update, query: clock.since(start) }, answer))
}

impl Report {
    fn text(&self) -> String {
        let mut table = output::table(["scene", "question", "method", "update", "query", "frame", "results"]);
        let Seconds { update, query, .. } = self.seconds;
        let method = format!("{} ({})", self.method, self.guarantee);
        let row = [duration(update), duration(query), duration(update + query), self.results.to_string()];
        table.add_row([self.scene.clone(), self.question.to_owned(), method].into_iter().chain(row));
        let threads = if self.threads == 1 {
            "1 thread, CPU time".to_owned()
        } else {
            format!("{} threads, wall time", self.threads)
        };
        format!(
            "{table}\nmean over {} frames of the best of {} rounds; {threads}",
            self.frames.len(),
            self.rounds
        )
    }
}
