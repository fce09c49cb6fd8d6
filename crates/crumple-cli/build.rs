//! Embeds the built page for `crumple page`: every file of `crates/crumple-web/dist`, if that has been built.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
