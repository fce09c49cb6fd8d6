//! How good the automatic choice is: its time beside that of the best single method.

use serde::Serialize;

use super::definition::Entry;
use super::meter::Report;
use crate::args::BenchMethod;
use crate::output::{self, duration};

/// The automatic choice may cost this many times the best single method's frame.
const GOAL: f64 = 1.3;

/// The automatic choice on one benchmark.
#[derive(Debug, Serialize)]
pub struct Choice {
    /// What it took.
    pub auto: &'static str,
    pub auto_seconds: f64,
    /// What would have been best.
    pub best: &'static str,
    pub best_seconds: f64,
    /// Time of the choice / time of the best.
    pub ratio: f64,
    pub met: bool,
}

impl Choice {
    /// Compares the runs of these methods; `None` when the choice or everything else is missing.
    ///
    /// Where the choice *is* the best method, the goal is met whatever the two measurements of the same code say.
    pub fn new(methods: &[BenchMethod], runs: &[Report]) -> Option<Self> {
        let (mut autos, singles): (Vec<_>, Vec<_>) =
            methods.iter().zip(runs).partition(|(m, _)| **m == BenchMethod::Auto);
        let auto = autos.pop()?.1;
        let best =
            singles.iter().map(|(_, r)| *r).min_by(|a, b| a.seconds.frame().total_cmp(&b.seconds.frame()))?;
        let ratio = auto.seconds.frame() / best.seconds.frame();
        Some(Self {
            auto: auto.method,
            auto_seconds: auto.seconds.frame(),
            best: best.method,
            best_seconds: best.seconds.frame(),
            ratio,
            met: ratio <= GOAL || auto.method == best.method,
        })
    }
}

/// The table, and a sentence that says how often the goal was met.
pub fn text(entries: &[Entry]) -> String {
    let mut table = output::table(["question", "scene", "automatic", "frame", "best", "frame", "ratio", ""]);
    let choices = || entries.iter().filter_map(|e| Some((e, e.choice.as_ref()?)));
    for (entry, c) in choices() {
        let verdict = match (c.met, c.auto == c.best) {
            (true, true) => "the same",
            (true, false) => "within",
            (false, _) => "MISSED",
        };
        let (auto, best) = (duration(c.auto_seconds), duration(c.best_seconds));
        let ratio = format!("{:.2}", c.ratio);
        table.add_row([entry.question, &entry.scene, c.auto, &auto, c.best, &best, &ratio, verdict]);
    }
    let (all, missed) = (choices().count(), choices().filter(|(_, c)| !c.met).collect::<Vec<_>>());
    let verdict = match missed[..] {
        [] => format!("met on all {all} benchmarks"),
        _ => {
            let names: Vec<String> =
                missed.iter().map(|(e, _)| format!("{} {}", e.question, e.scene)).collect();
            format!("MISSED on {} of {all}: {}", missed.len(), names.join(", "))
        }
    };
    format!(
        "{table}\nthe automatic choice at most {GOAL} times slower than the best single method: {verdict}"
    )
}
