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
//! The units at hand, and for every unit its name and its row: less than a kilobyte each.

mod junit;
mod links;
mod queue;
mod results;
mod row;
mod unit_check;
mod units;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result};
use crumple_report::{Summary, Verdicts};
use serde::Serialize;

pub use self::links::folder_of;
use self::queue::Work;
use self::results::{Done, Results};
pub use self::results::{latest, read};
pub use self::row::{Allowed, Row, SCHEMA, Verdict};
use self::unit_check::{Hashes, judge, key};
use self::units::Unit;
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
    let base = links::folder_of(common.out.as_deref());
    let pages = args.reports.as_deref().map(|folder| links::relative(base, folder));
    let bar = output::progress(common, units.len(), "judged");
    stop::listen();
    let done = results.as_mut().map(Results::take_done).unwrap_or_default();
    let judging = Judging {
        units: &units,
        pages: pages.as_deref(),
        done: Mutex::new(done),
        fresh: AtomicUsize::new(0),
        hashes: Hashes::default(),
        args,
        common,
    };
    let (mut rows, mut left) = (Vec::new(), 0);
    let handed_over = queue::in_order(&judging, units.len(), rayon::current_num_threads(), |answer| {
        bar.inc(1);
        let row = match answer {
            Answer::Fresh(row) => {
                if let Some(results) = &mut results {
                    results.append(&row)?;
                }
                row
            }
            Answer::Known(row) => row,
            Answer::Left => {
                left += 1;
                return Ok(());
            }
        };
        if !common.json {
            bar.suspend(|| output::print(&line(&row, args.outcome.allowed())))?;
        }
        rows.push(row);
        Ok(())
    })?;
    left += units.len() - handed_over;
    bar.finish_and_clear();
    let status = tell(&rows, left, base, &args.outcome, common)?;
    if left > 0 {
        output::note(common, || {
            format!("{} units are left; the same command goes on with them", thousands(left))
        });
    }
    Ok(status)
}

/// The units of a run and what is known of them already.
struct Judging<'a> {
    units: &'a [Unit],
    /// The folder of pages, from that of the results.
    pages: Option<&'a Path>,
    done: Mutex<Done>,
    /// Units that are work in this run, so far.
    fresh: AtomicUsize,
    hashes: Hashes,
    args: &'a JudgeArgs,
    common: &'a Common,
}

/// What becomes of a unit: it is judged, known, or left for the next run.
enum Plan {
    Judge(String),
    Known(Row),
    Left,
}

enum Answer {
    Fresh(Row),
    Known(Row),
    Left,
}

impl Work for Judging<'_> {
    type Key = String;
    type Plan = Plan;
    type Answer = Answer;

    fn key(&self, unit: usize) -> String {
        key(&self.units[unit], self.args, &self.hashes)
    }

    fn classify(&self, unit: usize, key: String) -> Plan {
        let known =
            self.done.lock().ok().and_then(|mut done| done.remove(&(self.units[unit].title(), key.clone())));
        if let Some(row) = known {
            return Plan::Known(row);
        }
        // Units beyond the limit are left, in order.
        if self.args.limit.is_some_and(|limit| self.fresh.load(Ordering::Relaxed) >= limit) {
            return Plan::Left;
        }
        self.fresh.fetch_add(1, Ordering::Relaxed);
        Plan::Judge(key)
    }

    fn judge(&self, unit: usize, plan: Plan) -> Answer {
        match plan {
            Plan::Judge(key) => {
                Answer::Fresh(judge(&self.units[unit], key, self.pages, self.args, self.common))
            }
            Plan::Known(row) => Answer::Known(row),
            Plan::Left => Answer::Left,
        }
    }

    fn is_stopped(&self) -> bool {
        stop::is_asked()
    }
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

/// The summary: text or JSON, the page, the XML; and the exit status. Pages of units are named from the folder `base`.
pub fn tell(rows: &[Row], left: usize, base: &Path, outcome: &Outcome, common: &Common) -> Result<u8> {
    let allowed = outcome.allowed();
    let count = |wanted: Verdict| rows.iter().filter(|r| r.verdict(allowed) == wanted).count();
    let [passed, collides, broken] = [Verdict::Passed, Verdict::Collides, Verdict::Broken].map(count);
    if let Some(path) = &outcome.summary {
        page(rows, allowed, base, path).save(path)?;
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
fn page(rows: &[Row], allowed: Allowed, base: &Path, path: &Path) -> Verdicts {
    let here = links::folder_of(Some(path));
    let title = output::file_name(&path.with_extension(""));
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
        link: row.report.as_ref().map(|page| links::text(&links::relative(here, &base.join(page)))),
    });
    Verdicts { title, rows: rows.collect() }
}
