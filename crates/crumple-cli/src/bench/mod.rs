//! `crumple bench`: the measuring frame that the methods plug into.
//!
//! A [`Runner`](runners::Runner) answers one question on one scene; a [`Meter`] leads it through the frames. Frames
//! advance in order, in several rounds; a frame's time is its best over the rounds, and the mean over the frames is
//! reported. With one thread, time is the process's CPU time. Without a scene, the definitions in
//! `benchmarks/definitions` run: every method beside brute force, every count verified.

mod answer;
mod clock;
mod definition;
mod edits;
mod everything;
pub mod machine;
mod meter;
mod own;
mod planner;
mod questions;
mod record;
mod runners;
mod scene;

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::args::{BenchArgs, Common};
use crate::output::{self, duration};
use meter::{Meter, Report};
use runners::Task;
use scene::BenchScene;

/// No new round begins after this much time, loading included, so that a run ends within half a minute.
const BUDGET: Duration = Duration::from_secs(10);
/// Rounds beyond this do not make the best any better.
const MAX_ROUNDS: u32 = 20;
/// Of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs one scene, or our own benchmarks.
pub fn run(args: &BenchArgs, common: &Common) -> Result<()> {
    let (Some(scene), Some(question)) = (&args.scene, args.question) else { return own::run(args, common) };
    let start = Instant::now();
    let scene = BenchScene::load(scene)?;
    let BenchArgs { method, body, within, cold, earliest, elements, ask, split, moving, .. } = *args;
    let task = Task { question, method, body, within, cold, earliest, elements, ask, split, moving };
    let mut meter = Meter::new(&task, &scene)?;
    let rounds = args.rounds.unwrap_or(MAX_ROUNDS);
    while meter.rounds() < rounds && (meter.rounds() == 0 || start.elapsed() < BUDGET) {
        meter.round()?;
    }
    let (report, _) = meter.finish();
    if let Some(dir) = &args.record {
        let path = record::append(dir, [&report])?;
        output::remark(common, || format!("recorded in {}", path.display()));
    }
    output::emit(common, &report, || report.text())
}

impl Report {
    fn text(&self) -> String {
        let mut table = output::table(["scene", "question", "method", "update", "query", "frame", "results"]);
        let seconds = self.seconds;
        let method = format!("{} ({})", self.method, self.guarantee);
        let times = [seconds.update, seconds.query, seconds.frame()].map(duration);
        let names = [self.scene.clone(), self.question.to_owned(), method];
        table.add_row(names.into_iter().chain(times).chain([self.results.to_string()]));
        let frames = self.frames.len();
        format!(
            "{table}\nmean over {frames} frames of the best of {} rounds; {}",
            self.rounds,
            clock(self.threads)
        )
    }
}

/// Which clock was read.
fn clock(threads: usize) -> String {
    if threads == 1 { "1 thread, CPU time".to_owned() } else { format!("{threads} threads, wall time") }
}
