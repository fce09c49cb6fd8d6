//! Real files: read all surfaces of the directory that `CRUMPLE_DATA` names, and compare the counts with the tables
//! of its README. Without that variable the test passes at once.

use std::path::{Path, PathBuf};

use crumple_io::read;

/// Files that the README wants refused, with the place and the reason.
const REFUSED: &[(&str, &str)] = &[
    ("degenerate/invalid.off", "line 7: the line ends where a vertex index should be"),
    ("degenerate/malformed.obj", "line 28: vertex index 0 in a face: OBJ counts from 1"),
];

fn counts(path: &Path) -> (usize, usize) {
    let data = read(path).unwrap_or_else(|error| panic!("{error}"));
    let triangles = data.polygons.iter().map(|polygon| polygon.len() - 2).sum();
    (data.positions.len(), triangles)
}

/// Rows of the README's tables: the cells of a line that starts with a code-formatted name.
fn rows(readme: &str) -> impl Iterator<Item = Vec<&str>> {
    readme
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect())
}

#[test]
fn counts_are_those_of_the_readme() {
    let Some(root) = std::env::var_os("CRUMPLE_DATA").map(PathBuf::from) else { return };
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut checked = 0;
    for row in rows(&readme) {
        let name = row[0];
        // Columns differ from table to table: file, size, vertices, triangles; or folder, frames, vertices, …
        let (files, vertices, triangles): (Vec<String>, _, _) = match name.split('/').next() {
            Some("surfaces" | "self-intersecting") => (vec![name.into()], row[2], row[3]),
            Some("frame-pairs") => {
                (row[1].split(", ").map(|f| format!("{name}{f}")).collect(), row[2], row[4])
            }
            Some("sequences") => (vec![format!("{name}topology.obj")], row[2], row[3]),
            Some("degenerate") => (vec![name.into()], row[1], row[2]),
            _ => continue,
        };
        for file in files {
            if let Some((_, reason)) = REFUSED.iter().find(|(refused, _)| *refused == file) {
                let error = read(&root.join(&file)).unwrap_err().to_string();
                assert!(error.ends_with(reason), "{error}");
            } else {
                let expected = (vertices.parse().unwrap(), triangles.parse().unwrap());
                assert_eq!(counts(&root.join(&file)), expected, "{file}");
            }
            checked += 1;
        }
    }
    assert!(checked >= 33, "only {checked} files of the README were found");
}

#[test]
fn points_with_distances_are_points() {
    let Some(root) = std::env::var_os("CRUMPLE_DATA").map(PathBuf::from) else { return };
    let data = read(&root.join("truth/distance/points__surfaces__knot2.off.csv")).unwrap();
    assert_eq!(data.positions.len(), 1000);
    assert_eq!(data.positions[0], [0.47086497226497015, -0.23069415804124999, -0.14632621182751462]);
    assert_eq!(data.notes, ["2 columns besides x, y and z ignored"]);
}
