//! What the program carries: the built page for `crumple page` (every file of `crates/crumple-web/dist`, if that has been
//! built), and which compiler and which sources it was made with, so that measurements can name them.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    name_origin();
    embed_page();
}

/// Folders whose state a record of measurements names: the laboratory and the engine.
const SOURCES: [(&str, &str); 2] =
    [("CRUMPLE_LABORATORY", "crates/crumple-cli/src/reproduce"), ("CRUMPLE_ENGINE", "crates/crumple/src")];

/// Which compiler, and which sources. A folder is named by its tree in git, not by the commit, so that a history that is
/// rebased still has it: `git rev-parse COMMIT:FOLDER`.
fn name_origin() {
    let compiler = env::var("RUSTC").ok().and_then(|rustc| line(&rustc, &["--version"]));
    println!("cargo::rustc-env=CRUMPLE_COMPILER={}", compiler.as_deref().unwrap_or("unknown"));
    // In a linked worktree `.git` is a file; git knows where its own files are.
    for file in ["logs/HEAD", "index"] {
        if let Some(path) = line("git", &["rev-parse", "--git-path", file]).filter(|p| Path::new(p).is_file())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for (name, folder) in SOURCES {
        let here = Path::new("../..").join(folder);
        if here.is_dir() {
            println!("cargo::rerun-if-changed={}", here.display());
        }
        println!("cargo::rustc-env={name}={}", state(folder).as_deref().unwrap_or("unknown"));
    }
}

/// The tree of a folder in git, marked where files differ from it.
fn state(folder: &str) -> Option<String> {
    let tree = line("git", &["rev-parse", "--short=12", &format!("HEAD:{folder}")])?;
    let changed = line("git", &["status", "--porcelain", "--", &format!(":/{folder}")]).is_some();
    Some(if changed { format!("{tree} with changes") } else { tree })
}

/// The first line that a program prints.
fn line(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().map(str::to_owned).filter(|l| !l.is_empty())
}

fn embed_page() {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../crumple-web/dist");
    let mut list = String::from("&[\n");
    // Published alone, the crate has no page beside it.
    if dist.is_dir() {
        println!("cargo::rerun-if-changed={}", dist.display());
        if dist.join("index.html").is_file() {
            gather(&dist, "", &mut list);
        }
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("page_files.rs");
    fs::write(out, list).expect("cargo's own folder can be written");
}

/// Adds the files of a folder, in order: their paths in the page, and their bytes.
fn gather(folder: &Path, within: &str, list: &mut String) {
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the page's folder can be read")
        .map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    for name in names {
        let (path, file) = (format!("{within}{name}"), folder.join(&name));
        if file.is_dir() {
            gather(&file, &format!("{path}/"), list);
        } else if name != "README.md" {
            let file = file.canonicalize().expect("it was just listed");
            writeln!(list, "    ({path:?}, include_bytes!({file:?})),").expect("a string grows");
        }
    }
}
