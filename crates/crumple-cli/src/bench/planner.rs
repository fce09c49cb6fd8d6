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

/// A method and the time of its frame.
type Timed = (&'static str, f64);

impl Choice {
    /// Compares the runs of these methods; `None` when the choice or everything else is missing.
    pub fn new(methods: &[BenchMethod], runs: &[Report]) -> Option<Self> {
        let timed = |r: &Report| (r.method, r.seconds.frame());
        let of = |wanted: bool| {
            let both = methods.iter().zip(runs).filter(move |(m, _)| (**m == BenchMethod::Auto) == wanted);
            both.map(move |(_, r)| timed(r))
        };
        Some(Self::between(of(true).next()?, of(false).min_by(|a, b| a.1.total_cmp(&b.1))?))
    }

    /// Where the choice *is* the best method, the goal is met whatever two measurements of the same code say.
    fn between((auto, auto_seconds): Timed, (best, best_seconds): Timed) -> Self {
        let ratio = auto_seconds / best_seconds;
        Self { auto, auto_seconds, best, best_seconds, ratio, met: ratio <= GOAL || auto == best }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_missed_when_another_method_is_clearly_faster() {
        let choice = |auto, best| Choice::between(auto, best);
        assert!(choice(("regularity", 1.2), ("bucket-tree", 1.0)).met);
        assert!(choice(("regularity", 1.0), ("bucket-tree", 1.1)).met);
        assert!(!choice(("regularity", 1.4), ("bucket-tree", 1.0)).met);
        assert!(choice(("regularity", 1.4), ("regularity", 1.0)).met);
    }
}
