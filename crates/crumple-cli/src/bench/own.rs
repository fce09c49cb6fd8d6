//! `crumple bench` alone: our own benchmarks, defined as data, their counts verified on every run.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::scene::BenchScene;
use super::{Number, Report, measure};
use crate::args::{BenchArgs, Common, MethodArg, Question};
use crate::output::{self, duration};

/// The definitions, part of the program so that it needs no file.
const DEFINITIONS: &str = include_str!("../../../../benchmarks/definitions/questions.toml");

#[derive(Deserialize)]
struct Definitions {
    bench: Vec<Definition>,
}

/// One benchmark: a scene, a question, the methods to compare, the count that every one of them must give.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    scene: String,
    question: String,
    methods: Vec<String>,
    results: Option<f64>,
    analysis: String,
}

/// The JSON document.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    benchmarks: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    analysis: String,
    runs: Vec<Report>,
}

/// Runs every definition on every method it names.
pub fn run(common: &Common) -> Result<()> {
    let definitions: Definitions =
        toml::from_str(DEFINITIONS).context("benchmarks/definitions/questions.toml")?;
    let bar = output::progress(common, definitions.bench.len(), "benchmark");
    let mut benchmarks = Vec::new();
    for definition in &definitions.bench {
        benchmarks.push(definition.run()?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let document = Document { schema: "crumple.benchmarks/1", benchmarks };
    output::emit(common, &document, || document.text())
}

impl Definition {
    fn run(&self) -> Result<Entry> {
        let place = || format!("benchmark {} {}", self.scene, self.question);
        let scene = BenchScene::load(self.scene.as_ref()).with_context(place)?;
        let question = parse::<Question>(&self.question).with_context(place)?;
        let mut runs: Vec<Report> = Vec::new();
        for method in &self.methods {
            let method = parse::<MethodArg>(method).with_context(place)?;
            let args = BenchArgs {
                scene: None,
                question: None,
                body: None,
                method,
                rounds: Some(3),
                within: None,
                cold: false,
            };
            let report = measure(&args, question, &scene, Instant::now()).with_context(place)?;
            let expected = self.results.or(runs.first().map(|r| r.results.amount()));
            if expected.is_some_and(|e| !is_same(report.results, e)) {
                bail!(
                    "{}: {} gives {}, expected {}",
                    place(),
                    report.method,
                    report.results,
                    expected.unwrap_or(0.0)
                );
            }
            runs.push(report);
        }
        Ok(Entry { analysis: self.analysis.clone(), runs })
    }
}

/// Counts must be equal, amounts to six digits.
fn is_same(found: Number, expected: f64) -> bool {
    match found {
        Number::Count(n) => n as f64 == expected,
        Number::Amount(x) => (x - expected).abs() <= 1e-6 * expected.abs(),
    }
}

fn parse<T: ValueEnum>(word: &str) -> Result<T> {
    T::from_str(word, true).map_err(anyhow::Error::msg)
}

impl Document {
    fn text(&self) -> String {
        let mut table = output::table(["scene", "question", "method", "update", "query", "frame", "results"]);
        for run in self.benchmarks.iter().flat_map(|b| &b.runs) {
            let (update, query) = (run.seconds.update, run.seconds.query);
            let times =
                [duration(update), duration(query), duration(update + query), run.results.to_string()];
            let names = [run.scene.clone(), run.question.to_owned(), run.method.to_owned()];
            table.add_row(names.into_iter().chain(times));
        }
        let threads = rayon::current_num_threads();
        format!(
            "{table}\nmean over the frames of the best of 3 rounds, {threads} threads; every count verified"
        )
    }
}
