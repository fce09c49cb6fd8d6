//! What the tree promises its readers: pages name their files, names mean one thing, codes are explained, the field's
//! words are used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const METHODS: [&str; 7] = [
    "brute_force",
    "bucket_tree",
    "distance_hierarchy",
    "layered_depth",
    "regularity",
    "spatial_hash",
    "swept_bvh",
];

fn engine() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below a folder, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            out.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
    out.sort();
    out
}

fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// Each page has "The way of a frame", and names every file of its folder.
#[test]
fn pages_name_all_their_files() {
    for method in METHODS {
        let folder = engine().join("methods").join(method);
        let page = fs::read_to_string(folder.join("mod.rs")).expect("a page");
        let page: String =
            page.lines().filter_map(|l| l.strip_prefix("//!")).map(|l| format!("{l}\n")).collect();
        assert!(page.contains("# The way of a frame"), "{method}: the page has no way of a frame");
        for file in sources(&folder).iter().filter(|f| !is_test(f)) {
            let name = file.strip_prefix(&folder).expect("below").to_string_lossy().replace('\\', "/");
            // A room is named with its files.
            let room = name.strip_suffix("/mod.rs").map(|room| format!("`{room}/"));
            let is_named =
                page.contains(&format!("`{name}`")) || room.is_some_and(|room| page.contains(&room));
            assert!(is_named || name == "mod.rs", "{method}: the page does not name `{name}`");
        }
    }
}

/// The name of the type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub").map_or(line, |rest| {
        let rest = rest.trim_start();
        if rest.starts_with('(') { rest.split_once(')').map_or(rest, |(_, r)| r) } else { rest }.trim_start()
    });
    let name = ["struct ", "enum ", "trait "].iter().find_map(|k| line.strip_prefix(k))?;
    Some(name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(name))
}

/// Types of the papers' own variants may be called as ours are: they replay the same nouns. So may the back ends of one
/// vector of numbers.
#[test]
fn no_type_name_stands_for_two_things_within_a_folder() {
    let methods = METHODS.map(|method| format!("methods/{method}"));
    let others = ["cut", "geometry", "mesh", "narrow", "scene", "untangle"].map(str::to_owned);
    for folder in methods.iter().chain(&others) {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in sources(&engine().join(folder)).iter().filter(|f| !is_test(f)) {
            let name = file.strip_prefix(engine().join(folder)).expect("below").display().to_string();
            if name.starts_with("published") || name.starts_with("simd") {
                continue;
            }
            let text = fs::read_to_string(file).expect("readable");
            for line in text.lines().take_while(|l| !l.contains("mod tests")) {
                if let Some(defined) = defined(line) {
                    places.entry(defined.to_owned()).or_default().push(name.clone());
                }
            }
        }
        for (name, files) in places {
            assert!(files.len() == 1, "{folder}: {name} is defined in {files:?}");
        }
    }
}

/// Short codes such as V13 or T-A8, as sources cite them.
fn codes(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    let is_code = |w: &&str| {
        let Some(rest) = w.strip_prefix(['T', 'M', 'H', 'B', 'V']) else { return false };
        let digits = rest.strip_prefix("-A").unwrap_or(rest);
        (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    };
    words.filter(is_code).map(str::to_owned).collect()
}

#[test]
fn every_code_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(legend) = fs::read_to_string(root.join("docs/papers.md")) else { return };
    let explained: BTreeSet<String> = legend
        .lines()
        .filter_map(|l| l.strip_prefix("| ")?.split_once(" |"))
        .map(|(c, _)| c.to_owned())
        .collect();
    assert!(explained.len() > 200);
    for file in sources(&engine()) {
        for line in fs::read_to_string(&file).expect("readable").lines() {
            // Codes stand in comments; in code such a word is a type parameter or a constant.
            let Some((_, comment)) = line.split_once("//") else { continue };
            for code in codes(comment) {
                assert!(explained.contains(&code), "{}: {code} is not in docs/papers.md", file.display());
            }
        }
    }
}

/// Words of our own where the field has its word.
#[test]
fn the_fields_words_are_used() {
    const PRIVATE: [(&str, &str); 9] = [
        ("vector product", "cross product"),
        ("scalar product", "dot product"),
        ("foresee", "branch-free, unpredictable branch"),
        ("in earnest", ""),
        ("under one roof", ""),
        ("for life", "stable"),
        ("wound", "cut"),
        ("sifted", "classified"),
        ("hurried", "budgeted"),
    ];
    for file in sources(&engine()) {
        let text = fs::read_to_string(&file).expect("readable").to_lowercase();
        for (word, instead) in PRIVATE {
            assert!(!text.contains(word), "{}: say {instead:?} instead of {word:?}", file.display());
        }
    }
}

#[test]
fn threads_are_in_one_place() {
    for file in sources(&engine()).iter().filter(|f| !f.ends_with("parallel.rs")) {
        let text = fs::read_to_string(file).expect("readable");
        let cfg = "feature = \"parallel\"";
        assert!(!text.contains(cfg), "{}: threads are `crate::parallel`'s", file.display());
    }
}

/// Every public function of a scene is shown in use; the examples run as tests.
#[test]
fn every_function_of_a_scene_has_an_example() {
    let mut count = 0;
    for file in sources(&engine().join("scene")).iter().filter(|f| !is_test(f)) {
        let text = fs::read_to_string(file).expect("readable");
        let (mut is_scene, mut has_example) = (false, false);
        for line in text.lines() {
            if line.starts_with("impl") {
                is_scene = line.starts_with("impl Scene");
            }
            match line.strip_prefix("    pub fn ") {
                Some(function) if is_scene => {
                    let name = function.split(['(', '<']).next().unwrap_or(function);
                    assert!(has_example, "{}: {name} has no example", file.display());
                    count += 1;
                }
                _ => {}
            }
            let doc = line.trim_start();
            has_example &= doc.starts_with("///") || doc.starts_with("#[");
            has_example |= doc.starts_with("/// ```");
        }
    }
    assert!(count > 40, "only {count} functions were found");
}

/// The example on the first page is the crate's own, which runs as a test.
#[test]
fn the_first_page_shows_what_is_tested() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(first) = fs::read_to_string(own.join("../../README.md")) else { return };
    let page = fs::read_to_string(own.join("README.md")).expect("a page of the crate");
    let example = page.split("```").find(|part| part.starts_with("rust\n")).expect("an example");
    assert!(first.contains(example), "README.md shows another program than crates/crumple/README.md");
}
