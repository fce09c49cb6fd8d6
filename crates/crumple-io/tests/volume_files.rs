//! Every sample of a volume format reads as the same mesh, and damaged ones say what is wrong and where.

use std::path::{Path, PathBuf};

use crumple_io::{MeshData, read};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/meshes")
}

/// The content of an `.expected` file: `v x y z`, `f corners`, `t corners`.
fn expected(name: &str) -> MeshData {
    let text = std::fs::read_to_string(samples().join(name)).unwrap();
    let mut mesh = MeshData::default();
    for line in text.lines() {
        let (key, rest) = line.split_once(' ').unwrap();
        let corners = || rest.split(' ').map(|word| word.parse().unwrap()).collect::<Vec<u32>>();
        match key {
            "v" => {
                let c: Vec<f64> = rest.split(' ').map(|word| word.parse().unwrap()).collect();
                mesh.positions.push([c[0], c[1], c[2]]);
            }
            "f" => mesh.polygons.push(&corners()),
            "t" => mesh.tets.push(corners().try_into().unwrap()),
            _ => {}
        }
    }
    mesh
}

/// All samples whose name begins with `prefix`, and how many there must be at least.
fn all_equal(prefix: &str, at_least: usize) {
    let expected = expected(&format!("{prefix}expected"));
    let mut count = 0;
    for entry in std::fs::read_dir(samples()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.starts_with(prefix) || name.ends_with(".expected") {
            continue;
        }
        let mesh = read(&path).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(mesh.positions, expected.positions, "{name}");
        assert_eq!(mesh.polygons, expected.polygons, "{name}");
        assert_eq!(mesh.tets, expected.tets, "{name}");
        count += 1;
    }
    assert!(count >= at_least, "only {count} files of {prefix}");
}

#[test]
fn every_file_of_tets_reads_the_same() {
    all_equal("tets.", 27);
}

#[test]
fn every_file_of_the_house_reads_the_same() {
    all_equal("house.", 7);
}
