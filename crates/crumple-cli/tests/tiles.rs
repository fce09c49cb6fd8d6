//! `crumple tile`, `check` and `proximity` on each tile, `merge`: exactly what the whole has, each row once.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Scratch, crumple, json, refused};

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    /// Below `most`.
    fn throw(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// From 0 to 1.
    fn real(&mut self) -> f64 {
        self.throw(1 << 31) as f64 / (1u64 << 31) as f64
    }
}

fn obj(points: &[[f64; 3]], faces: &[Vec<usize>]) -> String {
    let points = points.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
    let faces = faces.iter().map(|face| {
        let corners: Vec<String> = face.iter().map(|v| (v + 1).to_string()).collect();
        format!("f {}\n", corners.join(" "))
    });
    points.chain(faces).collect()
}

/// Triangles of all sizes anywhere; with ties, corners on a small grid: faces touch, fold flat, have no area.
fn soup(triangles: usize, seed: u64, has_ties: bool) -> String {
    let mut dice = Dice(seed);
    let count = if has_ties { triangles / 2 } else { 2 * triangles };
    let points: Vec<[f64; 3]> = (0..count)
        .map(|_| {
            if has_ties {
                [0, 1, 2].map(|_| dice.throw(5) as f64)
            } else {
                [0, 1, 2].map(|_| 3.0 * dice.real())
            }
        })
        .collect();
    let faces: Vec<Vec<usize>> = (0..triangles)
        .map(|_| {
            let first = dice.throw(count as u64) as usize;
            let near = |dice: &mut Dice| (first + 1 + dice.throw(9) as usize) % count;
            let mut face = vec![first, near(&mut dice), near(&mut dice)];
            if dice.throw(5) == 0 {
                face.push(near(&mut dice));
            }
            face
        })
        .collect();
    obj(&points, &faces)
}

/// A sheet that is rolled up, so that its windings cross.
fn rolled(n: usize) -> String {
    let at = |i: usize, j: usize| i * (n + 1) + j;
    let mut points = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            let (u, v) = (i as f64 / n as f64, j as f64 / n as f64);
            let radius = 1.0 + 0.1 * (9.0 * u + 11.0 * v).sin();
            points.push([radius * (13.0 * u).cos(), radius * (13.0 * u).sin(), 2.0 * v]);
        }
    }
    let quad = |i: usize, j: usize| vec![at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
    obj(&points, &(0..n * n).map(|k| quad(k / n, k % n)).collect::<Vec<_>>())
}

/// Tets of all sizes, also flat ones and inside out; with ties, corners on a small grid.
fn tets(count: usize, seed: u64, has_ties: bool) -> String {
    let mut dice = Dice(seed);
    let points = 2 * count;
    let mut text = format!("MeshVersionFormatted 2\nDimension 3\nVertices\n{points}\n");
    for _ in 0..points {
        let [x, y, z] = [0, 1, 2].map(|_| if has_ties { dice.throw(6) as f64 } else { 3.0 * dice.real() });
        text += &format!("{x} {y} {z} 0\n");
    }
    text += &format!("Tetrahedra\n{count}\n");
    for k in 0..count {
        // Corners near in number, so that tets share faces; four different ones.
        let mut corners: Vec<usize> = (0..7).map(|c| (k + c) % points + 1).collect();
        while corners.len() > 4 {
            corners.remove(dice.throw(corners.len() as u64) as usize);
        }
        let words: Vec<String> = corners.iter().map(usize::to_string).collect();
        text += &format!("{} 0\n", words.join(" "));
    }
    text + "End\n"
}

/// Tiles a file, asks every tile, and merges: the document of the whole.
fn merged(files: &Scratch, mesh: &str, tiles: usize, question: &[&str], margin: Option<&str>) -> Value {
    let (count, folder) = (tiles.to_string(), files.path("tiles"));
    let _ = std::fs::remove_dir_all(&folder);
    let mut args = vec!["tile", mesh, "--tiles", &count, "--out", &folder];
    args.extend(margin.into_iter().flat_map(|m| ["--margin", m]));
    let output = crumple(&args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut parts = Vec::new();
    for k in 0..tiles {
        let tile = format!("{folder}/tile_{k:03}.ply");
        let part = format!("{folder}/part_{k:03}.json");
        let args = [&question[..1], &[tile.as_str()], &question[1..], &["--json", "--out", &part]].concat();
        let output = crumple(&args);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
        parts.push(part);
    }
    // In any order.
    parts.reverse();
    let args: Vec<&str> =
        ["merge"].into_iter().chain(parts.iter().map(String::as_str)).chain(["--json"]).collect();
    let output = crumple(&args);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one document")
}

/// The lists of `check`, without what only the whole can tell.
fn rows(document: &Value) -> [Value; 4] {
    let frame = &document["frames"][0];
    let mut inside = frame["vertex_tets"].clone();
    for row in inside.as_array_mut().into_iter().flatten() {
        let row = row.as_object_mut().expect("a row");
        row.remove("depth");
        row.remove("direction");
    }
    [frame["triangle_pairs"].clone(), frame["places"].clone(), inside, frame["edge_tets"].clone()]
}

/// Tiles give what the whole has; returns how many pairs, vertices and edges that are.
fn check_equal(files: &Scratch, mesh: &str, tiles: &[usize]) -> [usize; 3] {
    let output = crumple(&["check", mesh, "--json"]);
    let whole: Value = serde_json::from_slice(&output.stdout).expect("one document");
    let expected = rows(&whole);
    for &n in tiles {
        let found = merged(files, mesh, n, &["check"], None);
        let found_rows = rows(&found);
        for (k, name) in ["pairs", "places", "vertices in tets", "edges in tets"].iter().enumerate() {
            assert_eq!(found_rows[k], expected[k], "{name} of {mesh} in {n} tiles");
        }
        let body = |d: &Value| ["name", "vertices", "triangles", "tets"].map(|k| d["bodies"][0][k].clone());
        assert_eq!(body(&found), body(&whole));
    }
    [0, 2, 3].map(|k| expected[k].as_array().map_or(0, Vec::len))
}

fn check_close(files: &Scratch, mesh: &str, within: &str, tiles: &[usize]) -> [usize; 2] {
    let lists = |d: &Value| [d["vertex_triangles"].clone(), d["edge_edges"].clone()];
    let expected = lists(&json(&["proximity", mesh, "--within", within], 0));
    for &n in tiles {
        for margin in [within, "0.9"] {
            let found = lists(&merged(files, mesh, n, &["proximity", "--within", within], Some(margin)));
            assert_eq!(found, expected, "{mesh} in {n} tiles with margin {margin}");
        }
    }
    expected.map(|list| list.as_array().map_or(0, Vec::len))
}

#[test]
fn random_and_degenerate_surfaces() {
    let files = Scratch::new();
    let mut pairs = 0;
    for seed in 0..6 {
        let mesh = files.file("soup.obj", &soup(300, seed, seed % 2 == 1));
        pairs += check_equal(&files, &mesh, &[1, 2, 5, 16])[0];
    }
    assert!(pairs > 1000, "{pairs} pairs");
    let mesh = files.file("rolled.obj", &rolled(50));
    assert!(check_equal(&files, &mesh, &[3, 8])[0] > 100);
    // All in one point; one triangle in more tiles than it has corners.
    let mesh = files.file("point.obj", &obj(&[[1.0; 3]; 9], &[vec![0, 1, 2], vec![3, 4, 5], vec![6, 7, 8]]));
    assert_eq!(check_equal(&files, &mesh, &[4])[0], 3);
    let mesh = files.file("one.obj", &obj(&[[0.0; 3], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]], &[vec![0, 1, 2]]));
    assert_eq!(check_equal(&files, &mesh, &[7])[0], 0);
}

#[test]
fn formats_that_are_streamed_and_those_that_are_not() {
    let files = Scratch::new();
    let mesh = files.file("rolled.obj", &rolled(30));
    let expected = check_equal(&files, &mesh, &[4]);
    for name in ["rolled.ply", "rolled.vtu"] {
        let other = files.path(name);
        assert!(crumple(&["convert", &mesh, &other]).status.success());
        assert_eq!(check_equal(&files, &other, &[4]), expected, "{name}");
    }
}

#[test]
fn random_and_degenerate_tets() {
    let files = Scratch::new();
    let mut all = [0; 3];
    for seed in 0..4 {
        let mesh = files.file("solid.mesh", &tets(60, seed, seed % 2 == 1));
        let found = check_equal(&files, &mesh, &[1, 2, 7]);
        all = [0, 1, 2].map(|k| all[k] + found[k]);
    }
    assert!(all.iter().all(|&n| n > 100), "{all:?}");
}

#[test]
fn what_is_close_within_a_margin() {
    let files = Scratch::new();
    let mut all = [0; 2];
    for seed in 0..3 {
        let mesh = files.file("soup.obj", &soup(120, 10 + seed, seed == 1));
        let found = check_close(&files, &mesh, "0.1", &[1, 4, 9]);
        all = [0, 1].map(|k| all[k] + found[k]);
    }
    let mesh = files.file("rolled.obj", &rolled(16));
    let found = check_close(&files, &mesh, "0.05", &[5]);
    let mesh = files.file("solid.mesh", &tets(40, 5, false));
    let solid = check_close(&files, &mesh, "0.1", &[4]);
    assert!(all.iter().chain(&found).chain(&solid).all(|&n| n > 100), "{all:?} {found:?} {solid:?}");
}

#[test]
fn real_meshes() {
    let Some(data) = std::env::var_os("CRUMPLE_DATA") else {
        eprintln!("skipped: CRUMPLE_DATA names no folder of real meshes");
        return;
    };
    let files = Scratch::new();
    for name in [
        "self-intersecting/mannequin-devil.off",
        "self-intersecting/multilayer-drape.obj",
        "self-intersecting/two_spheres.stl",
        "surfaces/dragon_res2.ply",
        "tets/armadillo_4k.ele",
        "tets/octopus.vtk",
    ] {
        let mesh = Path::new(&data).join(name).display().to_string();
        let found = check_equal(&files, &mesh, &[6]);
        eprintln!("{name}: {found:?}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let files = Scratch::new();
    let mesh = files.file("soup.obj", &soup(50, 3, false));
    merged(&files, &mesh, 3, &["check"], None);
    let part = |k: usize| files.path(&format!("tiles/part_00{k}.json"));
    refused(&["merge", &part(0), &part(2)], &["of the 3 tiles", "missing: 1"]);
    refused(&["merge", &part(0), &part(1), &part(1), &part(2)], &["tile 1 is there twice"]);
    let kept = files.path("kept.json");
    std::fs::copy(part(0), &kept).expect("copied");
    let other = files.file("other.obj", &soup(50, 4, false));
    merged(&files, &other, 3, &["check"], None);
    refused(&["merge", &kept, &part(1), &part(2)], &["of other tiles"]);
    refused(&["tile", &mesh, "--tiles", "3", "--out", &files.path("tiles")], &["there are tiles already"]);
    refused(&["tile", &mesh, "--tiles", "0", "--out", &files.path("t")], &["--tiles 0"]);
    let tile = files.path("tiles/tile_000.ply");
    refused(&["proximity", &tile, "--within", "0.1"], &["--margin 0.1"]);
    refused(&["check", &tile, "--report", &files.path("a.html")], &["a tile is checked with --json"]);
}
