//! The pages in `docs/methods` are the module pages of the methods. `UPDATE_PAGES=1 cargo test -p crumple --test pages`
//! writes them anew.

use std::path::Path;

const METHODS: [&str; 7] = [
    "regularity",
    "spatial_hash",
    "layered_depth",
    "bucket_tree",
    "distance_hierarchy",
    "swept_bvh",
    "brute_force",
];

/// The page of a module, as plain Markdown.
fn page(method: &str, source: &str) -> String {
    let link = format!("crates/crumple/src/methods/{method}/mod.rs");
    let mut out = format!("<!-- Generated from {link} by crates/crumple/tests/pages.rs -->\n");
    let mut is_code = false;
    for (i, line) in source.lines().map_while(|l| l.strip_prefix("//!")).enumerate() {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            is_code = !is_code;
            out += if is_code { "```rust" } else { "```" };
        } else if is_code {
            // Lines that rustdoc hides are there for the compiler only.
            if line == "#" || line.starts_with("# ") {
                continue;
            }
            out += line;
        } else if i == 0 {
            let codes = "Codes such as V13 cite [the papers, item by item](../papers.md).";
            out += &format!("# {}\n\n[`{method}`](../../{link}). {codes}", line.trim_end_matches('.'));
        } else if line.starts_with('#') {
            out += &format!("\n#{line}\n");
        } else {
            out += &without_links(line);
        }
        out.push('\n');
    }
    out
}

/// Links to items lead nowhere outside rustdoc: their words stay.
fn without_links(line: &str) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(open) = rest.find('[') {
        let Some(close) = rest[open..].find(']').map(|c| open + c) else { break };
        let (words, after) = (&rest[open + 1..close], &rest[close + 1..]);
        let target = after.strip_prefix('(').and_then(|t| t.split_once(')'));
        match target {
            Some((to, _)) if to.starts_with("http") => {
                out += &rest[..close + 1];
                rest = after;
            }
            Some((_, tail)) => {
                out += &format!("{}{words}", &rest[..open]);
                rest = tail;
            }
            None if words.starts_with('`') => {
                out += &format!("{}{words}", &rest[..open]);
                rest = after;
            }
            None => {
                out += &rest[..close + 1];
                rest = after;
            }
        }
    }
    out + rest
}

#[test]
fn the_pages_are_those_of_the_modules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for method in METHODS {
        let source = std::fs::read_to_string(root.join(format!("src/methods/{method}/mod.rs"))).unwrap();
        let wanted = page(method, &source);
        assert!(wanted.lines().count() > 10, "{method} has no page");
        let path = root.join(format!("../../docs/methods/{method}.md"));
        if std::env::var_os("UPDATE_PAGES").is_some() {
            std::fs::write(&path, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == wanted,
            "{} is out of date: UPDATE_PAGES=1 cargo test -p crumple --test pages",
            path.display()
        );
    }
}

#[test]
fn links_to_items_become_words() {
    assert_eq!(
        without_links("a [`B`](crate::B), [C](https://c.org) and [0, 1]"),
        "a `B`, [C](https://c.org) and [0, 1]"
    );
    assert_eq!(without_links("see [`Regions`] in [the page](super)"), "see `Regions` in the page");
}
