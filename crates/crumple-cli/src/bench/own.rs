//! `crumple bench` alone: every definition, a table a question, and how good the automatic choice is.

use anyhow::Result;
use serde::Serialize;

use super::definition::{self, Definition, Entry};
use super::{clock, planner, record};
use crate::args::{BenchArgs, Common};
use crate::output::{self, duration, thousands};

/// The JSON document.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    threads: usize,
    benchmarks: Vec<Entry>,
}

/// Runs the definitions: on one thread unless told otherwise, since brute force has no more and CPU time is steadier.
pub fn run(args: &BenchArgs, common: &Common) -> Result<()> {
    let definitions = match &args.definitions {
        Some(path) => definition::read(path)?,
        None => definition::own()?,
    };
    let measure = || measure(&definitions, args, common);
    let document = match common.threads {
        Some(_) => measure()?,
        None => rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(measure)?,
    };
    if let Some(dir) = &args.record {
        let path = record::append(dir, document.benchmarks.iter().flat_map(|b| &b.runs))?;
        output::remark(common, || format!("recorded in {}", path.display()));
    }
    output::emit(common, &document, || document.text())
}

fn measure(definitions: &[Definition], args: &BenchArgs, common: &Common) -> Result<Document> {
    let bar = output::progress(common, definitions.iter().map(Definition::len).sum(), "benchmark");
    let mut benchmarks = Vec::new();
    for definition in definitions {
        bar.set_message(definition.name());
        benchmarks.push(definition.run(args.rounds)?);
        bar.inc(definition.len() as u64);
    }
    bar.finish_and_clear();
    Ok(Document { schema: "crumple.benchmarks/1", threads: rayon::current_num_threads(), benchmarks })
}

impl Document {
    fn text(&self) -> String {
        let mut out = String::new();
        // Definitions of one question follow each other in our files; elsewhere a question may have several tables.
        for group in self.benchmarks.chunk_by(|a, b| a.question == b.question) {
            out += &format!("question {}\n{}\n\n", group[0].question, table(group));
        }
        out += &format!("question by question, the automatic choice\n{}\n", planner::text(&self.benchmarks));
        out + &format!(
            "means over the frames of their best rounds; {}; every answer verified",
            clock(self.threads)
        )
    }
}

fn table(entries: &[Entry]) -> comfy_table::Table {
    let header = ["scene", "elements", "method", "build", "update", "query", "frame", "× best", "results"];
    let mut table = output::table(header);
    for entry in entries {
        let time = |r: &super::Report| entry.model.of(&r.seconds);
        let best = entry.runs.iter().map(time).fold(f64::INFINITY, f64::min);
        for (k, run) in entry.runs.iter().enumerate() {
            let (scene, elements) =
                if k == 0 { (entry.scene.clone(), thousands(entry.elements)) } else { Default::default() };
            let auto = entry.methods[k] == "auto";
            let method = if auto { format!("auto: {}", run.method) } else { run.method.to_owned() };
            let s = run.seconds;
            let times = [s.build, s.update, s.query, s.frame()].map(duration);
            let model = if entry.model == Default::default() { "" } else { entry.model.name() };
            let ratio = format!("{:.2} {model}", time(run) / best);
            let row = [scene, elements, method].into_iter().chain(times);
            table.add_row(row.chain([ratio, run.results.to_string()]));
        }
    }
    table
}
