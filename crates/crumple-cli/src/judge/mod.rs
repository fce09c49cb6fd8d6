//! `crumple judge`: many files and sequences, each by itself; what was judged once is not judged again.
//!
//! # How a run goes on after a stop
//! A unit is a file, a sequence or a range of its frames. Its key is the SHA-256 of the content of its files and of the options
//! that change what is found. Units are judged in the order of their names, several at a time, and their rows are
//! appended to the results file in that order, each by one write, after its page was written. So at any moment the file holds the rows
//! of the first k units, and perhaps the beginning of one more line, which the next run removes. A row has nothing in it
//! that differs between runs: the file of a run that was killed and went on equals that of one that was not.
//!
//! # Shards
//! `--shard i/n` takes every n-th unit from the i-th on, counted from 0. Shards know nothing of each other; `crumple merge` puts
//! their files together in the order of units, which gives the file of one run.
//!
//! # Memory
//! The names of all units, and the units at hand.

mod junit;
mod results;
mod row;
mod unit_check;
mod units;

use std::path::Path;

use anyhow::{Context, Result};
use crumple_report::{Summary, Verdicts};
use rayon::prelude::*;
use serde::Serialize;

use self::results::Results;
pub use self::results::{latest, read};
pub use self::row::{Allowed, Row, SCHEMA, Verdict};
use self::unit_check::{Hashes, judge, key};
use crate::args::{Common, JudgeArgs, Outcome};
use crate::output::{self, thousands};
use crate::stop;

/// The JSON document.
#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    units: usize,
    passed: usize,
    collides: usize,
    broken: usize,
    /// Units that were not reached: a limit, or a stop.
    left: usize,
    rows: &'a [Row],
}

/// Judges everything; status 2 when something could not be judged, 1 when something collides beyond what is allowed.
pub fn run(args: &JudgeArgs, common: &Common) -> Result<u8> {
    let mut units = units::units(args)?;
    if let Some(shard) = args.shard {
        units = units.into_iter().skip(shard.index).step_by(shard.of).collect();
    }
    if let Some(folder) = &args.reports {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut results = common.out.as_deref().map(Results::open).transpose()?;
    let bar = output::progress(common, units.len(), "judged");
    stop::listen();
    let hashes = Hashes::default();
    let mut rows = Vec::new();
    let (mut fresh, mut left) = (0, 0);
    // So many at a time that every core has one in hand and one to come.
    let batch = 2 * rayon::current_num_threads();
    for some in units.chunks(batch) {
        if stop::is_asked() {
            left += some.len();
            continue;
        }
        let keys: Vec<String> = some.par_iter().map(|unit| key(unit, args, &hashes)).collect();
        hashes.clear();
        let known: Vec<Option<Row>> = some
            .iter()
            .zip(&keys)
            .map(|(unit, key)| results.as_ref().and_then(|r| r.find(&unit.title(), key).cloned()))
            .collect();
        // Units beyond the limit are left, in order.
        let mut room = args.limit.map_or(usize::MAX, |limit| limit - fresh);
        let work: Vec<bool> = known
            .iter()
            .map(|row| {
                let is_work = row.is_none() && room > 0;
                room -= usize::from(is_work);
                is_work
            })
            .collect();
        let judged: Vec<Option<Row>> = (some, keys, known, &work)
            .into_par_iter()
            .map(|(unit, key, known, is_work)| {
                known.or_else(|| is_work.then(|| judge(unit, key, args, common)))
            })
            .collect();
        for (row, is_work) in judged.into_iter().zip(work) {
            bar.inc(1);
            let Some(row) = row else {
                left += 1;
                continue;
            };
            if is_work {
                fresh += 1;
                if let Some(results) = &mut results {
                    results.append(&row)?;
                }
            }
            if !common.json {
                bar.suspend(|| output::print(&line(&row, args.outcome.allowed())))?;
            }
            rows.push(row);
        }
    }
    bar.finish_and_clear();
    let status = tell(&rows, left, &args.outcome, common)?;
    if left > 0 {
        output::note(common, || {
            format!("{} units are left; the same command goes on with them", thousands(left))
        });
    }
    Ok(status)
}

/// One line for people.
fn line(row: &Row, allowed: Allowed) -> String {
    let word = match row.verdict(allowed) {
        Verdict::Passed => "passed  ",
        Verdict::Collides => "COLLIDES",
        Verdict::Broken => "BROKEN  ",
    };
    format!("{word} {}: {}", row.title(), row.text())
}

/// The summary: text or JSON, the page, the XML; and the exit status.
pub fn tell(rows: &[Row], left: usize, outcome: &Outcome, common: &Common) -> Result<u8> {
    let allowed = outcome.allowed();
    let count = |wanted: Verdict| rows.iter().filter(|r| r.verdict(allowed) == wanted).count();
    let [passed, collides, broken] = [Verdict::Passed, Verdict::Collides, Verdict::Broken].map(count);
    if let Some(path) = &outcome.summary {
        page(rows, allowed, path).save(path)?;
    }
    if let Some(path) = &outcome.junit {
        let text = junit::xml(rows, allowed);
        crumple_io::write_file(path, |out| out.write_all(text.as_bytes()))?;
    }
    let report = Report { schema: SCHEMA, units: rows.len() + left, passed, collides, broken, left, rows };
    output::emit(common, &report, || {
        let all = thousands(rows.len());
        format!(
            "{all} judged: {} passed, {} collide, {} broken",
            thousands(passed),
            thousands(collides),
            thousands(broken)
        )
    })?;
    Ok(if broken > 0 { crate::BAD } else { u8::from(collides > 0) })
}

/// The page of all units.
fn page(rows: &[Row], allowed: Allowed, path: &Path) -> Verdicts {
    let title = format!("{} judged", output::file_name(&path.with_extension("")));
    let rows = rows.iter().map(|row| Summary {
        name: row.title(),
        verdict: match row.verdict(allowed) {
            Verdict::Passed => crumple_report::Verdict::Good,
            Verdict::Collides => crumple_report::Verdict::Bad,
            Verdict::Broken => crumple_report::Verdict::Broken,
        },
        hits: row.hits(),
        depth: row.depth,
        frames: row.frames,
        text: row.text(),
        link: row.report.clone(),
    });
    Verdicts { title, rows: rows.collect() }
}
