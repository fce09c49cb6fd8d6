//! Benchmarks as data: a scene, a question, the methods to compare, the answer that every one of them must give.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::meter::{Meter, Report, Seconds};
use super::planner::Choice;
use super::runners::Task;
use super::scene::BenchScene;
use crate::args::{BenchMethod, Question};

/// The definitions, part of the program so that it needs no file.
const FILES: &[(&str, &str)] = &[
    ("self.toml", include_str!("../../definitions/self.toml")),
    ("pairs.toml", include_str!("../../definitions/pairs.toml")),
    ("tets.toml", include_str!("../../definitions/tets.toml")),
    ("inside.toml", include_str!("../../definitions/inside.toml")),
    ("overlap.toml", include_str!("../../definitions/overlap.toml")),
    ("distance.toml", include_str!("../../definitions/distance.toml")),
];

/// A definition's methods take turns for this long, and each has one turn at least.
const BUDGET: Duration = Duration::from_millis(1500);
/// Turns beyond this do not make the best any better.
const MAX_ROUNDS: u32 = 10;

/// A round shorter than this is repeated at once.
const SHORT: Duration = Duration::from_millis(50);

/// A file of definitions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bench: Vec<Definition>,
}

/// One benchmark.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// A scene's name or file, or the scene itself, written as in a scene file.
    scene: toml::Value,
    question: String,
    methods: Vec<String>,
    /// Only this body (question self).
    body: Option<usize>,
    /// Which time the methods are compared by.
    #[serde(default)]
    model: Model,
    /// Summed over the frames; neighbours are counted apart.
    results: f64,
    #[serde(default)]
    neighbours: u64,
    /// What to look for.
    analysis: String,
}

/// Which time is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Making the structure, once.
    Build,
    /// Following the positions.
    Update,
    /// Answering.
    Query,
    /// Following and answering.
    #[default]
    Frame,
}

impl Model {
    /// That time.
    pub fn of(self, seconds: &Seconds) -> f64 {
        match self {
            Self::Build => seconds.build,
            Self::Update => seconds.update,
            Self::Query => seconds.query,
            Self::Frame => seconds.frame(),
        }
    }

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Update => "update",
            Self::Query => "query",
            Self::Frame => "frame",
        }
    }
}

/// What a definition gave.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub scene: String,
    pub question: &'static str,
    pub elements: usize,
    pub model: Model,
    pub analysis: String,
    /// What each run was asked for; its own `method` says who answered.
    pub methods: Vec<&'static str>,
    pub runs: Vec<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
}

/// Our own definitions.
pub fn own() -> Result<Vec<Definition>> {
    let parsed = FILES
        .iter()
        .map(|(name, text)| parse(text).with_context(|| format!("benchmarks/definitions/{name}")));
    Ok(parsed.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The definitions of a file.
pub fn read(path: &Path) -> Result<Vec<Definition>> {
    let place = || path.display().to_string();
    parse(&std::fs::read_to_string(path).with_context(place)?).with_context(place)
}

fn parse(text: &str) -> Result<Vec<Definition>> {
    Ok(toml::from_str::<File>(text)?.bench)
}

impl Definition {
    /// How it is called in messages.
    pub fn name(&self) -> String {
        let inline = || self.scene.get("name").and_then(toml::Value::as_str);
        format!("{} {}", self.question, self.scene.as_str().or_else(inline).unwrap_or("?"))
    }

    fn load(&self) -> Result<BenchScene> {
        match self.scene.as_str() {
            Some(name) => BenchScene::load(name.as_ref()),
            None => BenchScene::from_scene(&crumple_scenes::toml::parse(&toml::to_string(&self.scene)?)?),
        }
    }

    /// Measures every method, in turns, and verifies every answer.
    pub fn run(&self, rounds: Option<u32>) -> Result<Entry> {
        let place = || format!("benchmark {}", self.name());
        self.measure(rounds).with_context(place)
    }

    fn measure(&self, rounds: Option<u32>) -> Result<Entry> {
        let scene = self.load()?;
        let question = word::<Question>(&self.question)?;
        let methods = self.methods.iter().map(|m| word::<BenchMethod>(m)).collect::<Result<Vec<_>>>()?;
        let (body, within, cold, earliest, elements, ask, split, moving) =
            (self.body, None, false, false, 1, None, false, false);
        let task = |&method: &BenchMethod| Task {
            question,
            method,
            body,
            within,
            cold,
            earliest,
            elements,
            ask,
            split,
            moving,
        };
        let mut meters = methods.iter().map(|m| Meter::new(&task(m), &scene)).collect::<Result<Vec<_>>>()?;
        // A slow method has spent its share after a turn and does not hold up the others.
        let mut spent = vec![Duration::ZERO; meters.len()];
        for _ in 0..rounds.unwrap_or(MAX_ROUNDS) {
            for (meter, spent) in meters.iter_mut().zip(&mut spent).filter(|(_, s)| **s < BUDGET) {
                *spent += turn(meter)?;
            }
        }
        let mut runs = Vec::new();
        for meter in meters {
            let (report, answer) = meter.finish();
            if !answer.is(self.results) || answer.neighbours != self.neighbours {
                let (expected, neighbours) = (self.results, self.neighbours);
                bail!(
                    "{} answers {answer:?}, expected {expected} and {neighbours} neighbours",
                    report.method
                );
            }
            runs.push(report);
        }
        let choice = if self.model == Model::Frame { Choice::new(&methods, &runs) } else { None };
        Ok(Entry {
            scene: scene.name.clone(),
            question: question.name(),
            elements: scene.elements(),
            model: self.model,
            analysis: self.analysis.clone(),
            methods: methods.iter().map(|m| m.name()).collect(),
            runs,
            choice,
        })
    }

    /// How many methods it measures.
    pub fn len(&self) -> usize {
        self.methods.len()
    }
}

/// A round, and a second one where it is short: whose turn it was before has left its data in the caches, not ours.
fn turn(meter: &mut Meter<'_>) -> Result<Duration> {
    let start = Instant::now();
    meter.round()?;
    if start.elapsed() < SHORT {
        meter.round()?;
    }
    Ok(start.elapsed())
}

fn word<T: ValueEnum>(word: &str) -> Result<T> {
    T::from_str(word, true).map_err(|_| {
        let known: Vec<_> = T::value_variants().iter().filter_map(|v| v.to_possible_value()).collect();
        let known: Vec<_> = known.iter().map(|v| v.get_name()).collect();
        anyhow::anyhow!("{word:?} is none of {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_definitions_name_scenes_questions_and_methods_that_exist() {
        for definition in own().expect("our own files parse") {
            let name = definition.name();
            word::<Question>(&definition.question).expect(&name);
            assert!(definition.methods.iter().all(|m| word::<BenchMethod>(m).is_ok()), "{name}");
            assert!(
                definition.methods.iter().any(|m| m == "auto"),
                "{name}: the planner is judged everywhere"
            );
            if let Some(scene) = definition.scene.as_str() {
                assert!(crate::convert::find_scene(scene).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn every_question_has_brute_force_beside_it() {
        let definitions = own().expect("our own files parse");
        // The others are measured on request only: with --scene and --question.
        let on_request = [
            Question::Step,
            Question::Proximity,
            Question::Once,
            Question::OncePairs,
            Question::Edit,
            Question::All,
        ];
        for question in Question::value_variants().iter().filter(|q| !on_request.contains(q)) {
            let of = definitions.iter().filter(|d| d.question == question.name());
            assert!(of.flat_map(|d| &d.methods).any(|m| m == "brute-force"), "{}", question.name());
        }
    }
}
