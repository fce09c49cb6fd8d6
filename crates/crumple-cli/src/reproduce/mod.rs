//! `crumple reproduce`: the experiments of the five papers, replayed.
//!
//! One folder per paper holds its experiments; each runs a published set-up and puts our numbers beside the printed ones.
//! Sentences of the paper are quoted ([`claim`]) and judged, each by one number that is computed from the cells of the
//! experiment's table ([`measure`]) and held against a limit with a reason ([`limits`]). Machines of 1994 to 2007 are no
//! target: shapes, ratios, orderings and optima are.
//!
//! Everything is measured on one thread, as the papers did, in CPU time, contenders in turn, so that a busy machine is
//! unfair to none. Where a claim is about time, the ratio of each repetition is kept: if the limit lies among them, the
//! claim cannot be judged.

mod before;
mod choices;
mod claim;
mod common;
mod finding;
mod ganovelli;
mod heidelberger;
mod lab;
mod limits;
mod madera;
mod markdown;
mod measure;
mod page;
mod scenery;
mod sheet;
mod simulated;
mod teschner;
mod volino;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::Value as Json;

use crate::args::{Common, ReproduceArgs};
use crate::bench::machine;
use crate::output::{self, has_extension};
use claim::{Judged, Verdict};
use common::memory;
use finding::{Finding, overall, tally};
use lab::Extent;

/// Where the report on all experiments goes.
const REPORT: &str = "crumple-report/reproduce.html";

/// Width of the summary where no terminal tells its own.
const WIDTH: u16 = 140;

/// A paper and what it measured.
struct Paper {
    /// As it is cited in a line.
    short: &'static str,
    /// Title, authors and venue.
    citation: &'static str,
    /// What the method does, and for which question.
    idea: &'static str,
    /// What the authors measured on.
    machine: &'static str,
    /// What it claims, what is left of it, and what the engine repairs: the abstract at the head of the page.
    summary: &'static str,
    experiments: &'static [Experiment],
}

/// One table, figure or claim of a paper.
struct Experiment {
    /// The checklist's ids that it answers; the first names it.
    ids: &'static [&'static str],
    title: &'static str,
    /// Where the paper says it.
    source: &'static str,
    /// What the paper says.
    claim: &'static str,
    run: fn(Extent) -> Result<Finding>,
}

/// The papers in the order of the checklist, and what they ask for in common.
static PAPERS: &[&Paper] = &[
    &teschner::PAPER,
    &madera::PAPER,
    &heidelberger::PAPER,
    &ganovelli::PAPER,
    &volino::PAPER,
    &common::PAPER,
];

fn experiments() -> impl Iterator<Item = (&'static Paper, &'static Experiment)> {
    PAPERS.iter().flat_map(|paper| paper.experiments.iter().map(|e| (*paper, e)))
}

/// An experiment that has been run.
struct Done {
    paper: &'static Paper,
    experiment: &'static Experiment,
    /// The id that was asked for.
    id: &'static str,
    finding: Finding,
    /// Its claims with their verdicts.
    judged: Vec<Judged>,
    seconds: f64,
}

/// Where and how the experiments ran.
#[derive(Serialize)]
struct Setting {
    version: &'static str,
    /// The trees of the laboratory and of the engine in git: `git rev-parse COMMIT:crates/crumple-cli/src/reproduce` and
    /// `COMMIT:crates/crumple/src`. They stay when commits are rebased.
    laboratory: &'static str,
    engine: &'static str,
    compiler: &'static str,
    processor: String,
    cores: usize,
    date: String,
    steps: &'static str,
    seeds: &'static str,
}

impl Setting {
    fn new(extent: Extent) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            laboratory: env!("CRUMPLE_LABORATORY"),
            engine: env!("CRUMPLE_ENGINE"),
            compiler: env!("CRUMPLE_COMPILER"),
            processor: machine::processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            date: machine::today(),
            steps: match extent {
                Extent::Sample => "a sample, as each experiment says; --full runs the papers' own numbers",
                Extent::Full => "as many as in the papers",
            },
            seeds: "fixed with each scene, so that every run sees the same frames",
        }
    }
}

impl Setting {
    /// Names and values, for the page and the record.
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Version", self.version.to_owned()),
            (
                "Sources",
                format!(
                    "git trees {} of crates/crumple-cli/src/reproduce and {} of crates/crumple/src (git rev-parse \
                     COMMIT:FOLDER gives a commit's)",
                    self.laboratory, self.engine
                ),
            ),
            ("Compiler", self.compiler.to_owned()),
            ("Processor", format!("{}, {} cores, one used", self.processor, self.cores)),
            ("Date", self.date.clone()),
            ("Steps", self.steps.to_owned()),
            ("Seeds", self.seeds.to_owned()),
        ]
    }
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    setting: &'a Setting,
    report: Option<String>,
    experiments: Vec<Entry<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    ids: &'a [&'a str],
    paper: &'a str,
    source: &'a str,
    title: &'a str,
    claim: &'a str,
    verdict: &'static str,
    why: String,
    claims: &'a [Judged],
    how: &'a str,
    rows: Vec<Json>,
    remarks: &'a [String],
    seconds: f64,
}

impl Done {
    fn entry(&self) -> Entry<'_> {
        Entry {
            id: self.id,
            ids: self.experiment.ids,
            paper: self.paper.short,
            source: self.experiment.source,
            title: self.experiment.title,
            claim: self.experiment.claim,
            verdict: self.verdict(),
            why: tally(&self.judged),
            claims: &self.judged,
            how: &self.finding.how,
            rows: self.finding.sheet.json(),
            remarks: &self.finding.remarks,
            seconds: self.seconds,
        }
    }

    /// All claims as one: strict, so that a lost claim is not hidden by others.
    fn verdict(&self) -> &'static str {
        overall(&self.judged).map_or("nothing claimed", Verdict::words)
    }

    fn text(&self) -> String {
        let Experiment { title, source, .. } = self.experiment;
        let mut out = format!(
            "{}  {title} ({}, {source})\nHere: {}\n{}\n",
            self.id,
            self.paper.short,
            self.finding.how,
            self.finding.sheet.text()
        );
        for j in &self.judged {
            out += &format!("The paper: “{}” ({})\n  {}: {}\n", j.quote, j.place, j.verdict.words(), j.why);
            if let Some(cause) = &j.cause {
                let tested = cause.tested.as_ref().map(|t| format!(" Tested: {t}.")).unwrap_or_default();
                out += &format!("  Cause: {}{tested}\n", cause.text);
            }
        }
        self.finding.remarks.iter().for_each(|r| out += &format!("Also: {r}\n"));
        out
    }
}

/// Runs the experiments that are asked for, all of them when none is.
pub fn run(args: &ReproduceArgs, common: &Common) -> Result<()> {
    if args.list {
        return list(common);
    }
    if let Some(row) = &args.alone {
        return alone(args, row);
    }
    let start = Instant::now();
    let all = args.ids.is_empty();
    let chosen: Vec<_> = if all {
        experiments().map(|(paper, e)| (paper, e, e.ids[0])).collect()
    } else {
        args.ids.iter().map(|id| find(id)).collect::<Result<_>>()?
    };
    let extent = if args.full { Extent::Full } else { Extent::Sample };
    let bar = output::progress(common, chosen.len(), "");
    // One thread, as the papers had, whatever the number of cores.
    let bench = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut done = Vec::new();
    for (paper, experiment, id) in chosen {
        bar.set_message(id);
        let start = Instant::now();
        let finding =
            bench.install(|| (experiment.run)(extent)).with_context(|| format!("experiment {id}"))?;
        let judged = finding.judged();
        done.push(Done { paper, experiment, id, finding, judged, seconds: output::seconds(start) });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let seconds = output::seconds(start);
    let setting = Setting::new(extent);
    let report = report_path(common, all);
    if let Some(path) = &report {
        save(&page::report(&done, &setting, seconds), path)?;
    }
    if let Some(path) = common.out.as_deref().filter(|p| has_extension(p, "md")) {
        let text = markdown::record(&done, &setting);
        crumple_io::write_file(path, |out| out.write_all(text.as_bytes()))?;
    }
    if let Some(path) = &common.picture {
        picture(&done, path)?;
    }
    let report = report.map(|p| p.display().to_string());
    let entries = done.iter().map(Done::entry).collect();
    let document =
        Document { schema: "crumple.reproduce/3", setting: &setting, report, experiments: entries, seconds };
    output::emit(common, &document, || if all { summary(&document) } else { texts(&done) })
}

/// One row of a comparison, for its memory: prints the peak of this process.
fn alone(args: &ReproduceArgs, row: &str) -> Result<()> {
    let row = memory::Row::parse(row)?;
    match args.ids.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["X1"] => common::methods::alone(row)?,
        ["X2"] => common::bodies::alone(row)?,
        _ => bail!("--alone is for one row of X1 or X2"),
    }
    let peak = memory::peak().context("the system does not tell how much memory a process has")?;
    output::print(&peak.to_string())
}

/// The experiment with this id, in either case.
fn find(id: &str) -> Result<(&'static Paper, &'static Experiment, &'static str)> {
    for (paper, experiment) in experiments() {
        if let Some(known) = experiment.ids.iter().find(|known| known.eq_ignore_ascii_case(id)) {
            return Ok((paper, experiment, known));
        }
    }
    let known: Vec<_> = PAPERS
        .iter()
        .map(|p| p.experiments.iter().flat_map(|e| e.ids).copied().collect::<Vec<_>>().join(" "))
        .collect();
    bail!("no experiment {id:?}; there are:\n  {}", known.join("\n  "))
}

fn list(common: &Common) -> Result<()> {
    #[derive(Serialize)]
    struct Known {
        ids: &'static [&'static str],
        paper: &'static str,
        source: &'static str,
        title: &'static str,
        claim: &'static str,
    }
    let known: Vec<_> = experiments()
        .map(|(paper, e)| Known {
            ids: e.ids,
            paper: paper.short,
            source: e.source,
            title: e.title,
            claim: e.claim,
        })
        .collect();
    output::emit(common, &known, || {
        let mut table = output::table(["id", "paper", "where", "experiment"]);
        for k in &known {
            table.add_row([&k.ids.join(" "), k.paper, k.source, k.title]);
        }
        table.to_string()
    })
}

/// `--out FILE.html`, or the usual place when everything was run.
fn report_path(common: &Common, all: bool) -> Option<PathBuf> {
    let asked = common.out.as_deref().filter(|p| has_extension(p, "html"));
    asked.or(all.then_some(Path::new(REPORT))).map(Path::to_owned)
}

fn save(report: &crumple_io::report::Report, path: &Path) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    report.save(path).with_context(|| format!("cannot write {}", path.display()))
}

/// The first picture of the experiments that were run.
fn picture(done: &[Done], path: &Path) -> Result<()> {
    match done.iter().flat_map(|d| &d.finding.pictures).next() {
        Some((image, _)) => image.save(path).with_context(|| format!("cannot write {}", path.display())),
        None => bail!("these experiments have no picture; T37, M25, H28, B17 and V22 to V24 do"),
    }
}

fn texts(done: &[Done]) -> String {
    done.iter().map(Done::text).collect::<Vec<_>>().join("\n")
}

fn summary(document: &Document<'_>) -> String {
    let mut table = output::table(["id", "claim", "verdict", "why"]);
    if table.width().is_none() {
        // Nobody knows how wide a file is read.
        table.set_width(WIDTH);
    }
    for e in &document.experiments {
        for (k, j) in e.claims.iter().enumerate() {
            let id = if k == 0 { e.id } else { "" };
            table.add_row([id, j.quote, j.verdict.words(), &j.why]);
        }
    }
    let all: Vec<Judged> = document.experiments.iter().flat_map(|e| e.claims.to_vec()).collect();
    format!(
        "{table}\n{} claims of {} experiments: {}; {:.0} s\nreport: {}",
        all.len(),
        document.experiments.len(),
        tally(&all),
        document.seconds,
        document.report.as_deref().unwrap_or("none")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_of_the_checklist_has_one_place() {
        let mut ids: Vec<_> = experiments().flat_map(|(_, e)| e.ids).copied().collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "an id is there twice");
        let ranges = [('T', 25, 37), ('M', 18, 25), ('H', 21, 28), ('B', 13, 18), ('V', 18, 24)];
        for (letter, from, to) in ranges {
            for n in from..=to {
                assert!(find(&format!("{letter}{n}")).is_ok(), "{letter}{n} is missing");
            }
        }
    }

    #[test]
    fn ids_are_found_in_either_case_and_unknown_ones_are_told_the_known() {
        assert_eq!(find("t30").unwrap().2, "T30");
        let error = find("T99").err().unwrap().to_string();
        assert!(error.contains("T99") && error.contains("T25") && error.contains("V18"), "{error}");
    }
}
