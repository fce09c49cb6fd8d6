//! What each command can write: `--out` and `--picture` do what they say, or are refused before any work is done.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::args::{Command, Common};
use crate::output::has_extension;

/// The kinds of results of a command.
struct Results {
    command: &'static str,
    /// Extensions that `--out` understands.
    out: &'static [&'static str],
    has_picture: bool,
    has_json: bool,
    /// What to say when `--out` names a mesh.
    hint: &'static str,
}

impl Results {
    fn of(command: Option<&Command>) -> Self {
        let (command, out, has_picture, hint): (_, &'static [&'static str], _, _) = match command {
            None => ("the demonstration", &["json"], false, "; its pictures are in crumple-report/"),
            Some(Command::Check(_)) => ("check", &["json", "obj", "ply", "vtu", "pvd"], true, ""),
            Some(Command::Step(args)) if args.queries.is_some() => ("step --queries", &["json"], false, ""),
            Some(Command::Step(_)) => ("step", &["json"], true, ""),
            Some(Command::Proximity(_)) => ("proximity", &["json"], true, ""),
            Some(Command::Untangle(_)) => ("untangle", &["obj", "ply", "vtu", "pvd"], true, ""),
            Some(Command::Simulate(args)) if args.list => ("simulate --list", &["json"], false, ""),
            Some(Command::Simulate(args)) if args.print.is_some() => ("simulate --print", &[], false, ""),
            Some(Command::Simulate(_)) => {
                ("simulate", &["json"], false, "; --out DIR writes frames there, --film FILE.png a film")
            }
            Some(Command::Judge(_)) => {
                ("judge", &["jsonl"], false, "; --summary and --junit write the outcome")
            }
            Some(Command::Tile(_)) => ("tile", &[], false, ""),
            Some(Command::Merge(_)) => ("merge", &["json", "jsonl"], false, ""),
            Some(Command::Inside(_)) => ("inside", &["json"], true, ""),
            Some(Command::Overlap(_)) => {
                ("overlap", &["json"], true, "; --mesh FILE writes the common volume")
            }
            Some(Command::Distance(_)) => ("distance", &["json"], true, ""),
            Some(Command::Cut(_)) => ("cut", &["obj", "ply", "vtu"], true, ""),
            Some(Command::Info(_)) => ("info", &["json"], false, ""),
            Some(Command::Convert(_)) => ("convert", &["json"], false, "; the second file is what it writes"),
            Some(Command::Bench(_)) => ("bench", &["json"], false, ""),
            Some(Command::Reproduce(args)) if args.list => ("reproduce --list", &["json"], false, ""),
            Some(Command::Reproduce(_)) => ("reproduce", &["json", "html", "md"], true, ""),
            Some(Command::Page(_)) => ("page", &[], false, "; --to FOLDER writes the page"),
            Some(Command::Completions { .. }) => ("completions", &[], false, ""),
            Some(Command::Manual) => ("manual", &[], false, ""),
        };
        // These print a text of their own, or serve.
        let has_json = !matches!(command, "simulate --print" | "page" | "completions" | "manual");
        Self { command, out, has_picture, has_json, hint }
    }
}

/// Refuses what the command cannot write.
pub fn check(common: &Common, command: Option<&Command>) -> Result<()> {
    let can = Results::of(command);
    // Of tile it is a folder.
    if let Some(path) = common.out.as_ref().filter(|_| !matches!(command, Some(Command::Tile(_)))) {
        let plain = path.to_string_lossy();
        let plain = Path::new(plain.strip_suffix(".gz").unwrap_or(&plain));
        let is_folder = plain.extension().is_none()
            && matches!(command, Some(Command::Simulate(args)) if !args.list && args.print.is_none());
        if !is_folder && !can.out.iter().any(|e| has_extension(plain, e)) {
            let known = match can.out {
                [] => "nothing".to_owned(),
                all => all.iter().map(|e| format!(".{e}")).collect::<Vec<_>>().join(" "),
            };
            bail!("--out {}: {} can write {known}{}", path.display(), can.command, can.hint);
        }
    }
    if let Some(path) = &common.picture {
        if !can.has_picture {
            bail!("--picture {}: {} draws no picture{}", path.display(), can.command, can.hint);
        }
        if !has_extension(path, "png") {
            bail!("--picture {}: pictures are PNG files; call it .png", path.display());
        }
    }
    if common.json && !can.has_json {
        bail!("--json: {} prints no JSON{}", can.command, can.hint);
    }
    if common.up.is_some() && common.picture.is_none() && !has_report(command) {
        bail!("--up is about pictures and reports, and none is drawn; it goes with --picture");
    }
    pages(command).into_iter().try_for_each(|(option, path, extension, what)| match path {
        Some(path) if !has_extension(path, extension) => {
            bail!("{option} {}: {what}; call it .{extension}", path.display())
        }
        _ => Ok(()),
    })
}

/// Whether pages are written, which are drawn with an axis that points up.
fn has_report(command: Option<&Command>) -> bool {
    match command {
        Some(Command::Check(args)) => args.report.is_some(),
        Some(Command::Judge(args)) => args.reports.is_some(),
        _ => false,
    }
}

/// Options that name a file of one kind: the option, the file, its extension, what it is.
fn pages(command: Option<&Command>) -> Vec<(&'static str, Option<&PathBuf>, &'static str, &'static str)> {
    let outcome = match command {
        Some(Command::Check(args)) => {
            return vec![("--report", args.report.as_ref(), "html", "a report is an HTML page")];
        }
        Some(Command::Judge(args)) => &args.outcome,
        Some(Command::Merge(args)) => &args.outcome,
        _ => return Vec::new(),
    };
    vec![
        ("--summary", outcome.summary.as_ref(), "html", "a summary is an HTML page"),
        ("--junit", outcome.junit.as_ref(), "xml", "JUnit's results are XML"),
    ]
}
