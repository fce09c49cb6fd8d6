//! What the program carries: the built page for `crumple page` (every file of `crates/crumple-web/dist`, if that has been
//! built), and which compiler and which commit it was made with, so that measurements can name them.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    name_origin();
    embed_page();
}

/// Which compiler, and which commit.
fn name_origin() {
    let compiler = env::var("RUSTC").ok().and_then(|rustc| line(&rustc, &["--version"]));
    println!("cargo::rustc-env=CRUMPLE_COMPILER={}", compiler.as_deref().unwrap_or("unknown"));
    let head = Path::new("../../.git/logs/HEAD");
    if head.is_file() {
        println!("cargo::rerun-if-changed={}", head.display());
    }
    let commit = line("git", &["describe", "--always", "--abbrev=12", "--exclude=*"]);
    println!("cargo::rustc-env=CRUMPLE_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
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
