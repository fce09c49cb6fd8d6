//! Where answers go: standard output, a file, a terminal.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use comfy_table::{ContentArrangement, Table, presets};
use crumple::{Budget, Question, Scene};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use serde::Serialize;

use crate::args::Common;
use crate::hints;
use crate::world::World;

/// Prints the JSON document when asked for, else the text; writes `--out FILE.json` too.
pub fn emit(common: &Common, json: &impl Serialize, text: impl FnOnce() -> String) -> Result<()> {
    if let Some(path) = common.out.as_deref().filter(|p| has_extension(p, "json")) {
        let document = serde_json::to_string(json)? + "\n";
        crumple_io::write::write_file(path, |file| file.write_all(document.as_bytes()))?;
    }
    print(if common.json { serde_json::to_string(json)? } else { text() }.trim_end())
}

/// A text on standard output.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        // `crumple … | head` is no reason to complain.
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

/// Whether the path ends in this extension, whatever its case.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

/// `marked.ply` as `marked_0012.ply`, `marked.ply.gz` as `marked_0012.ply.gz`.
pub fn numbered(path: &Path, frame: usize) -> PathBuf {
    suffixed(path, &format!("{frame:04}"))
}

/// `marked.ply` as `marked_1012.ply` for the number 1012.
pub fn suffixed(path: &Path, number: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (stem, extension) = name.split_once('.').unwrap_or((&name, ""));
    path.with_file_name(format!("{stem}_{number}.{extension}"))
}

/// Where the last number of a file's name is, if it has one: the frame.
pub fn last_number(name: &str) -> Option<std::ops::Range<usize>> {
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    Some(start..end)
}

/// File names by pattern, for shells that do not expand `frame_*.ply` themselves.
pub fn expand(files: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    for file in files {
        match file.to_str() {
            Some(pattern) => out.extend(crumple_io::expand_glob(pattern)?),
            None => out.push(file.clone()),
        }
    }
    Ok(out)
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// A table for people.
pub fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(header);
    if let Some((width, _)) = terminal_size::terminal_size() {
        table.set_width(width.0);
    }
    table
}

/// Says with `-v` which methods answer these questions, and why.
pub fn explain(common: &Common, scene: &Scene, questions: &[Question]) {
    for choice in scene.explain().iter().filter(|c| questions.contains(&c.question)) {
        remark(common, || choice.to_string());
    }
}

/// A remark on standard error, with `-v` only.
pub fn remark(common: &Common, text: impl FnOnce() -> String) {
    if common.verbose {
        eprintln!("crumple: {}", text());
    }
}

/// Says where the caller may have gone wrong, with `-v` or when somebody looks.
pub fn hint(common: &Common, world: &World) {
    if let Some(hint) = hints::units(world) {
        note(common, || format!("hint: {hint}"));
    }
}

/// A note on standard error, with `-v` or when somebody looks.
pub fn note(common: &Common, text: impl FnOnce() -> String) {
    if common.verbose || std::io::stderr().is_terminal() {
        eprintln!("crumple: {}", text());
    }
}

/// A progress bar on standard error, when somebody looks.
pub fn progress(common: &Common, steps: usize, what: &str) -> ProgressBar {
    if steps < 2 || !(std::io::stderr().is_terminal() || common.verbose) {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg:>12} {wide_bar} {pos}/{len} {eta}")
        .unwrap_or(ProgressStyle::default_bar());
    ProgressBar::new(steps as u64).with_style(style).with_message(what.to_owned())
}

/// Says on standard error, when somebody looks, what is being done and for how long, until it is dropped.
pub fn busy(what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}")
        .unwrap_or(ProgressStyle::default_spinner());
    let bar = ProgressBar::new_spinner().with_style(style).with_message(what);
    bar.enable_steady_tick(Duration::from_millis(250));
    bar.with_finish(ProgressFinish::AndClear)
}

/// When the program started.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// The user waits from now on.
pub fn start_clock() {
    STARTED.get_or_init(Instant::now);
}

/// What the user waited for until now, and for what: parts that are told, and the rest.
pub fn in_all(parts: &[(&str, f64)]) -> String {
    let all = STARTED.get().copied().map_or(0.0, seconds);
    let rest = all - parts.iter().map(|(_, s)| s).sum::<f64>();
    let told = parts.iter().map(|(what, s)| format!("{what} {}", duration(*s)));
    // Pictures, files and what else is written.
    let rest = (rest > 0.1 * all).then(|| format!("the rest {}", duration(rest)));
    let told: Vec<String> = if parts.is_empty() { Vec::new() } else { told.chain(rest).collect() };
    let colon = if told.is_empty() { "" } else { ": " };
    format!("{} in all{colon}{}", duration(all), told.join(", "))
}

/// Seconds since `start`.
pub fn seconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64()
}

/// `1234567` as `1,234,567`.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number as short as it can be told; tiny and huge ones with an exponent.
pub fn real(x: f64) -> String {
    if x == 0.0 || (1e-5..1e16).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

/// A duration with three digits and a unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

/// A length that an option was given.
pub fn length(option: &str, length: f64) -> Result<f64> {
    if !(length.is_finite() && length >= 0.0) {
        bail!("{option} {length}: a length is a finite number, not below 0");
    }
    Ok(length)
}

/// A budget of so many milliseconds, of so many visits, or of both; none where neither is told.
pub fn budget(milliseconds: Option<f64>, visits: Option<u64>) -> Result<Option<Budget>> {
    let visited = visits.map(Budget::visits);
    let Some(milliseconds) = milliseconds else { return Ok(visited) };
    match Duration::try_from_secs_f64(milliseconds / 1000.0) {
        Ok(time) => Ok(Some(visited.unwrap_or_default().and_time(time))),
        Err(_) => bail!("--budget-ms {milliseconds}: a time is a finite number, not below 0"),
    }
}
