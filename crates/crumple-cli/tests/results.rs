//! No option is silent: on every command `--out` and `--picture` write what they name, or are refused with a message.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use support::{Scratch, crumple, testdata};

/// Names that somebody may give; whether a command can write such a thing is its own affair.
const OUT: [&str; 10] = [
    "out.json",
    "out.jsonl",
    "out.html",
    "out.obj",
    "out.ply",
    "out.ply.gz",
    "out.vtu",
    "out.pvd",
    "out.txt",
    "folder",
];
const PICTURE: [&str; 2] = ["out.png", "out.jpg"];

const SHEET: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";
const BLADE: &str = "v 1 1 -1\nv 1 1 1\nv 1 1.5 1\nf 1 2 3\n";

/// Files that the commands work on.
fn prepare(dir: &Scratch) {
    dir.file("sheet.obj", SHEET);
    dir.file("blade.obj", BLADE);
    dir.file("points.xyz", "0 0 0\n9 9 9\n");
    dir.file("query.csv", &"0,1,0,1,0,1,0\n".repeat(8));
    fs::copy(testdata("meshes/box.off"), dir.path("box.off")).expect("copied");
    fs::create_dir(dir.path("many")).expect("made");
    fs::write(dir.path("many/sheet.obj"), SHEET).expect("written");
    for made in [
        &["judge", "many", "--out", "part.jsonl"][..],
        &["tile", "box.off", "--tiles", "1", "--out", "tiles"],
        &["check", "tiles/tile_000.ply", "--json", "--out", "part.json"],
        &["convert", "--scene", "drape-small", "scene"],
    ] {
        let output = run(dir, made);
        assert_eq!(output.status.code(), Some(0), "{made:?}: {}", message(&output));
    }
}

/// Every command with arguments that make it do something small, in several forms where it has several.
const COMMANDS: &[(&str, &[&str])] = &[
    ("", &[]),
    ("check", &["sheet.obj", "blade.obj"]),
    ("check", &["--sequence", "sheet.obj", "sheet.obj"]),
    ("check", &["tiles/tile_000.ply"]),
    ("step", &["sheet.obj", "sheet.obj"]),
    ("step", &["--queries", "query.csv", "--kind", "edge-edge"]),
    ("proximity", &["sheet.obj", "blade.obj", "--within", "1"]),
    ("simulate", &["drape", "--frames", "1"]),
    ("simulate", &["--list"]),
    ("simulate", &["--print", "drape"]),
    ("untangle", &["sheet.obj"]),
    ("judge", &["many"]),
    ("tile", &["box.off", "--tiles", "2"]),
    ("merge", &["part.json"]),
    ("merge", &["part.jsonl"]),
    ("inside", &["box.off", "points.xyz"]),
    ("overlap", &["box.off", "box.off", "--resolution", "4"]),
    ("overlap", &["box.off"]),
    ("distance", &["sheet.obj", "blade.obj"]),
    ("cut", &["sheet.obj", "--plane", "1,0,0,1,0,0"]),
    ("info", &["sheet.obj"]),
    ("convert", &["sheet.obj", "converted.ply"]),
    ("convert", &["--scene", "drape-small", "converted"]),
    ("convert", &["--list"]),
    ("bench", &["--scene", "scene", "--question", "self"]),
    ("reproduce", &["V24"]),
    ("reproduce", &["--list"]),
    ("page", &["--to", "page"]),
    ("completions", &["bash"]),
    ("manual", &[]),
];

fn run(dir: &Scratch, args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_crumple"));
    program.args(args).current_dir(dir.path("")).output().expect("the program starts")
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether something with content is there: a file, numbered files, or a folder with files.
fn is_written(dir: &Scratch, name: &str) -> bool {
    let path = dir.path(name);
    match fs::metadata(&path) {
        Ok(it) if it.is_dir() => fs::read_dir(&path).is_ok_and(|mut files| files.next().is_some()),
        Ok(it) => it.len() > 0,
        Err(_) => {
            // One file a frame: out_0000.ply.
            let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
            Path::new(&dir.path(&format!("{stem}_0000.{extension}"))).exists()
        }
    }
}

#[test]
fn every_command_writes_what_it_is_asked_for_or_refuses() {
    let help = String::from_utf8_lossy(&crumple(&["help"]).stdout).into_owned();
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    // Lines of more than two blanks go on with the text of the line before.
    let names = listed.filter(|l| !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next());
    let listed: BTreeSet<&str> = names.collect();
    let tried: BTreeSet<&str> = COMMANDS.iter().map(|(name, _)| *name).chain(["help"]).collect();
    assert!(listed.len() > 15 && listed.is_subset(&tried), "not tried: {:?}", listed.difference(&tried));

    let options = OUT.map(|name| ("--out", name)).into_iter().chain(PICTURE.map(|name| ("--picture", name)));
    let options: Vec<(&str, &str)> = options.collect();
    let mut faults = Vec::new();
    for (command, args) in COMMANDS {
        let dir = Scratch::new();
        prepare(&dir);
        let mut written = 0;
        for &(option, name) in &options {
            let line: Vec<&str> = (Some(*command).filter(|c| !c.is_empty()).into_iter())
                .chain(args.iter().copied())
                .chain([option, name])
                // Without a file for the body these two have nothing to draw.
                .chain(
                    ["--out", "also.obj"]
                        .into_iter()
                        .filter(|_| option == "--picture" && ["untangle", "cut"].contains(command)),
                )
                .collect();
            let output = run(&dir, &line);
            let told = message(&output);
            let (status, has_written) = (output.status.code(), is_written(&dir, name));
            let fault = match status {
                Some(0 | 1) if has_written => {
                    written += 1;
                    continue;
                }
                Some(0 | 1) => "ended well and wrote nothing",
                Some(2) if has_written => "refused, but written",
                Some(2) if !told.contains(option) => "refused without naming the option",
                Some(2) => continue,
                _ => "crashed",
            };
            faults.push(format!("{}: {fault}: {}", line.join(" "), told.trim_end()));
        }
        let can_write = ["check", "untangle", "cut", "judge", "tile", "merge", "distance", "info", "bench"];
        if written == 0 && can_write.contains(command) {
            faults.push(format!("{command} {}: nothing can be written", args.join(" ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// One document, whatever the command; or a message that names the option.
#[test]
fn every_command_prints_one_document_or_refuses() {
    let mut faults = Vec::new();
    for (command, args) in COMMANDS.iter().filter(|(name, _)| !name.is_empty()) {
        let dir = Scratch::new();
        prepare(&dir);
        let more: &[&str] = match *command {
            "untangle" | "cut" => &["--out", "also.obj"],
            "tile" => &["--out", "folder"],
            _ => &[],
        };
        let output = run(&dir, &[&[*command], *args, &["--json"], more].concat());
        let fault = match output.status.code() {
            Some(0 | 1) if serde_json::from_slice::<serde_json::Value>(&output.stdout).is_err() => {
                "no document"
            }
            Some(2) if !message(&output).contains("--json") => "refused without naming the option",
            Some(0..=2) => continue,
            _ => "crashed",
        };
        faults.push(format!("{command} {}: {fault}", args.join(" ")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// An option that would change nothing is refused, and the message says why.
#[test]
fn options_that_would_do_nothing_are_refused() {
    let dir = Scratch::new();
    prepare(&dir);
    let lines: &[(&[&str], &str)] = &[
        (&["info", "sheet.obj", "--up", "z"], "--up"),
        (&["check", "sheet.obj", "--up", "z"], "--up"),
        (&["check", "sheet.obj", "--every", "2"], "--every"),
        (&["check", "--fixed", "sheet.obj", "blade.obj"], "--fixed"),
        (&["check", "sheet.obj", "--report", "page.txt"], "--report"),
        (&["judge", "many", "--summary", "page.txt"], "--summary"),
        (&["merge", "part.jsonl", "--junit", "outcome.json"], "--junit"),
        (&["step", "sheet.obj", "sheet.obj", "--kind", "edge-edge"], "--kind"),
        (&["simulate", "--list", "--frames", "3"], "--frames"),
        (&["simulate", "--list", "drape"], "--list"),
        (&["simulate", "--print", "drape", "--film", "film.png"], "--film"),
        (&["simulate", "drape", "--frames", "1", "--frames-as", "vtu"], "--frames-as"),
        (&["reproduce", "--list", "--full"], "--full"),
        (&["distance", "sheet.obj", "blade.obj", "--within", "-1"], "--within -1: a"),
        (&["proximity", "sheet.obj", "blade.obj", "--within", "-1"], "--within -1: a"),
        (&["overlap", "box.off", "box.off", "--tolerance", "-1"], "-1 is not a volume"),
    ];
    let before = std::fs::read_dir(dir.path("")).expect("a folder").count();
    for (line, word) in lines {
        let output = run(&dir, line);
        assert_eq!(output.status.code(), Some(2), "{line:?} is passed over in silence");
        assert!(message(&output).contains(word), "{line:?}: {}", message(&output));
    }
    assert_eq!(std::fs::read_dir(dir.path("")).expect("a folder").count(), before, "something was written");
    let up = ["check", "sheet.obj", "--up", "z", "--picture", "up.png"];
    assert_eq!(run(&dir, &up).status.code(), Some(0));
}
