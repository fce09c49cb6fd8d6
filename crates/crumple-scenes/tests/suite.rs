//! The suite: complete, small, and right about its answers.

mod oracle;

use crumple_scenes::{suite, toml};

#[test]
fn every_file_of_the_directory_is_built_in() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/scenes");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    files.sort();
    let listed: Vec<&str> = suite().map(|(name, _)| name).take(files.len()).collect();
    assert_eq!(listed, files);
}

#[test]
fn names_agree_and_sizes_are_small() {
    for (name, text) in suite() {
        let s = toml::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(s.name, name);
        assert!(s.frames <= 6, "{name}");
        let limit = if name.starts_with("mid-") { 3_100 } else { 800 };
        assert!(s.elements() <= limit, "{name}: {}", s.elements());
        assert!(!s.expect.is_empty(), "{name}");
        for b in &s.bodies {
            let positions = b.positions(s.frames - 1);
            assert_eq!(positions.len(), b.vertices, "{name}");
            assert!(positions.iter().flatten().all(|x| x.is_finite()), "{name}");
        }
    }
}

#[test]
fn every_file_gives_what_it_states() {
    // The adversarial references are recounted with their scenes.
    for (name, text) in suite().filter(|(_, text)| !text.contains("\nscene = ")) {
        let s = toml::parse(text).unwrap();
        let (c, e) = (oracle::count(&s), s.expect);
        let stated = [
            ("self", e.self_pairs, c.self_pairs),
            ("neighbours", e.neighbour_pairs, c.neighbour_pairs),
            ("pairs", e.pairs, c.pairs),
            ("tets", e.tets, c.tets),
            ("inside", e.inside, c.inside),
        ];
        for (key, stated, counted) in stated {
            assert!(stated.is_none_or(|n| n == counted), "{name}: {key} is {counted}, stated {stated:?}");
        }
    }
}
