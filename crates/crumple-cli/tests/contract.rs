//! The program's contract: forms, JSON, exit status, errors that name the place.

mod support;

use std::path::PathBuf;

use serde_json::Value;
use support::{Scratch, crumple, json, refused, testdata};

/// Two triangles of one body that cross.
const CROSSED: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 3 3 0\nf 1 2 3\nf 4 5 6\n";
const LOW: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";
const HIGH: &str = "v 0 0 1\nv 4 0 1\nv 0 4 1\nf 1 2 3\n";

#[test]
fn check_reports_pairs_and_status() {
    let dir = Scratch::new();
    let crossed = dir.file("crossed.obj", CROSSED);
    let report = json(&["check", &crossed], 1);
    assert_eq!(report["schema"], "crumple.check/1");
    assert_eq!(report["bodies"][0]["name"], "crossed.obj");
    assert_eq!(report["bodies"][0]["triangles"], 2);
    let frame = &report["frames"][0];
    assert_eq!(frame["triangle_pairs"], serde_json::json!([[0, 0, 0, 1]]));
    assert_eq!(frame["guarantee"], "proved");
    for key in [
        "frame",
        "method",
        "tet_method",
        "tet_guarantee",
        "vertex_tets",
        "edge_tets",
        "diagnostics",
        "seconds",
    ] {
        assert!(!frame[key].is_null(), "no {key}");
    }
    let low = dir.file("low.obj", LOW);
    json(&["check", &low], 0);
    let between = json(&["check", &low, &crossed], 1);
    assert_eq!(
        between["frames"][0]["triangle_pairs"],
        serde_json::json!([[0, 0, 1, 0], [0, 0, 1, 1], [1, 0, 1, 1]])
    );
}

#[test]
fn check_finds_vertices_in_tets_and_edges_through_them() {
    let dir = Scratch::new();
    let tet = |name: &str, apex: &str| {
        dir.file(name, &format!("MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n4 0 0 0\n0 4 0 0\n{apex} 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n"))
    };
    let (up, down) = (tet("up.mesh", "1 1 4"), tet("down.mesh", "1 1 -4"));
    let report = json(&["check", &up, &down], 1);
    let frame = &report["frames"][0];
    // Three vertices of each lie on the other's closed face.
    assert_eq!(frame["vertex_tets"].as_array().map(Vec::len), Some(6));
    assert_eq!(frame["vertex_tets"][0]["vertex"], serde_json::json!([0, 0]));
    assert_eq!(frame["vertex_tets"][0]["tet"], serde_json::json!([1, 0]));
    assert!(!frame["edge_tets"].as_array().expect("a list").is_empty());
}

#[test]
fn sequences_are_checked_frame_by_frame() {
    let seq = |names: &[&str]| {
        let files: Vec<String> = names.iter().map(|n| testdata(&format!("sequences/{n}"))).collect();
        let mut args = vec!["check", "--sequence"];
        args.extend(files.iter().map(String::as_str));
        let output = crumple(&[&args[..], &["--json"]].concat());
        assert!(output.status.code().is_some_and(|c| c < 2), "{}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let pairs: Vec<Value> = report["frames"]
            .as_array()
            .expect("frames")
            .iter()
            .map(|f| f["triangle_pairs"].clone())
            .collect();
        pairs
    };
    let files = seq(&["flap_0.obj", "flap_1.obj", "flap_2.obj"]);
    assert_eq!(files.len(), 3);
    for other in
        [&["flap.pvd"][..], &["flap.vtk.series"], &["flap_0.obj", "flap.f32"], &["flap_0.obj", "flap.pc2"]]
    {
        assert_eq!(seq(other), files, "{other:?}");
    }
}

#[test]
fn errors_name_the_place() {
    let dir = Scratch::new();
    let bad = dir.file("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n");
    refused(&["check", &bad], &["bad.obj", "line 3", "7"]);
    refused(&["check", &dir.path("none.obj")], &["none.obj"]);
    refused(&["check", &dir.file("mesh.xyzzy", "")], &["unknown file type", ".obj"]);
    refused(&["check", &dir.file("shot.FBX", "")], &["shot.FBX", "export .glb", ".pc2"]);
    refused(&["check", &dir.file("nan.obj", "v 0 0 nan\n")], &["nan.obj"]);
    refused(&["check", &dir.file("huge.obj", "v 0 0 1e60\nf 1 1 1\n")], &["huge.obj", "vertex 0"]);
    refused(&["frobnicate"], &["frobnicate"]);
    refused(&["check"], &["FILE"]);
    let low = dir.file("low.obj", LOW);
    refused(&["inside", &low, &low], &["low.obj", "open", "vertices 0 and 1"]);
    refused(&["distance", &low, &dir.file("points.obj", "v 0 0 0\n")], &["points.obj"]);
    refused(&["distance", &low, &low, "--within=-1"], &["-1"]);
    let other = dir.file("other.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 3 2\n");
    refused(&["check", "--sequence", &low, &other], &["other.obj", "face 0"]);
    refused(&["bench", "--scene", &dir.path("nowhere"), "--question", "self"], &["nowhere"]);
}

#[test]
fn distance_and_inside_by_contract() {
    let dir = Scratch::new();
    let (low, high) = (dir.file("low.obj", LOW), dir.file("high.obj", HIGH));
    let report = json(&["distance", &low, &high, "--within", "1"], 0);
    assert_eq!(report["schema"], "crumple.distance/1");
    assert_eq!(report["distance"], 1.0);
    assert_eq!(report["contains"], Value::Null);
    assert_eq!(report["a"]["triangle"], 0);
    assert!(["face", "edge", "vertex"].contains(&report["b"]["feature"].as_str().expect("a feature")));
    assert_eq!(report["pairs"].as_array().map(Vec::len), Some(1));
    assert!(json(&["distance", &low, &high], 0).get("pairs").is_none());

    let points = dir.file("points.xyz", "0.5 0.5 0.5\n5 5 5\n0 0 0\n");
    let report = json(&["inside", &testdata("meshes/box.off"), &points], 0);
    assert_eq!(report["schema"], "crumple.inside/1");
    assert_eq!(report["inside"], serde_json::json!([true, false, true]));
    assert_eq!(report["count"], 2);
}

/// A cube of side 2 whose lowest corner is at (x, 0, 0), as vertices and faces that begin after `first`.
fn cube(x: f64, first: usize) -> String {
    let mut text = String::new();
    for i in 0..8 {
        let [u, v, w] = [i & 1, i >> 1 & 1, i >> 2].map(|k| 2.0 * f64::from(k));
        text += &format!("v {} {v} {w}\n", x + u);
    }
    for f in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        text += &format!("f {}\n", f.map(|v| (v + 1 + first).to_string()).join(" "));
    }
    text
}

#[test]
fn overlap_by_contract() {
    let dir = Scratch::new();
    let (a, b) = (dir.file("a.obj", &cube(0.0, 0)), dir.file("b.obj", &cube(1.5, 0)));
    let (mesh, picture) = (dir.path("common.ply"), dir.path("common.png"));
    let report = json(&["overlap", &a, &b, "--resolution", "8", "--mesh", &mesh, "--picture", &picture], 0);
    assert_eq!(report["schema"], "crumple.overlap/1");
    let real = |v: &Value| v.as_f64().expect("a number");
    for key in ["volume", "lower", "upper", "sampled"] {
        assert!((real(&report[key]) - 2.0).abs() < 1e-5, "{report}");
    }
    assert!(real(&report["lower"]) <= 2.0 && real(&report["upper"]) >= 2.0);
    assert_eq!(report["guarantee"], "sampled");
    assert_eq!(report["unbalanced_rays"], serde_json::json!([0, 0]));
    // Edges are kept, corners are cut off.
    assert!((real(&report["mesh"]["volume"]) - 2.0).abs() < 0.01, "{report}");
    assert!(std::fs::read(&picture).is_ok_and(|b| b.starts_with(b"\x89PNG")));
    // What was written is a closed manifold of that volume, which lies in both.
    let info = json(&["info", &mesh], 0);
    assert_eq!(info["files"][0]["closed"], true, "{info}");
    for body in [&a, &b] {
        let again = json(&["overlap", &mesh, body], 0);
        assert!((real(&again["volume"]) - real(&report["mesh"]["volume"])).abs() < 1e-2, "{again}");
    }
    json(&["check", &mesh], 0);

    let report = json(&["overlap", &a, &b, "--tolerance", "0.01%", "--gradient"], 0);
    assert_eq!(report["refined"]["stop"], "reached");
    // Moving a along x, into b, adds the area of a side.
    assert!((real(&report["gradient"]["total"][0][0]) - 4.0).abs() < 1e-6, "{report}");
    assert_eq!(report["gradient"]["a"].as_array().map(Vec::len), Some(8));

    let both = dir.file("both.obj", &(cube(0.0, 0) + &cube(1.5, 8)));
    let report = json(&["overlap", &both, "--resolution", "32", "--mesh", &mesh], 0);
    assert!((real(&report["mesh"]["volume"]) - 2.0).abs() < 0.1, "{report}");
    assert_eq!(report["schema"], "crumple.self-overlap/1");
    assert!(real(&report["lower"]) <= 2.0 && real(&report["upper"]) >= 2.0 && real(&report["lower"]) > 1.0);

    refused(&["overlap", &a, &b, "--tolerance", "-1"], &["-1"]);
    refused(&["overlap", &a, "--gradient"], &["two surfaces"]);
    let open = dir.file("open.obj", LOW);
    refused(&["overlap", &a, &open], &["open.obj", "open"]);
    refused(&["overlap", &a, &b, "--mesh", "/nowhere/at/all.ply"], &["all.ply"]);
}

#[test]
fn info_and_convert_keep_the_order_of_the_file() {
    let dir = Scratch::new();
    for target in ["box.obj", "box.ply", "box.vtu"] {
        let out = dir.path(target);
        json(&["convert", &testdata("meshes/box.off"), &out], 0);
        let infos = json(&["info", &testdata("meshes/box.off"), &out], 0);
        for key in ["vertices", "polygons", "triangles", "edges", "closed", "volume", "bounds"] {
            assert_eq!(infos["files"][0][key], infos["files"][1][key], "{target}, {key}");
        }
        assert_eq!(infos["files"][1]["polygons"], 6, "{target}");
    }
}

#[test]
fn a_scene_is_written_and_measured() {
    let dir = Scratch::new();
    let scene = dir.path("loop");
    json(&["convert", "--scene", "loop-5k", &scene], 0);
    assert!(PathBuf::from(&scene).join("manifest.json").exists());
    let run = |method: &str, threads: &str| {
        json(
            &[
                "bench",
                "--scene",
                &scene,
                "--question",
                "self",
                "--method",
                method,
                "--threads",
                threads,
                "--rounds",
                "1",
            ],
            0,
        )
    };
    let brute = run("brute-force", "1");
    assert_eq!(brute["schema"], "crumple.bench/1");
    assert!(brute["results"].as_u64().is_some_and(|n| n > 0));
    let auto = run("auto", "2");
    assert_eq!(
        (&auto["results"], &auto["neighbour_results"]),
        (&brute["results"], &brute["neighbour_results"])
    );
}

#[test]
fn out_and_picture_write_files() {
    let dir = Scratch::new();
    let crossed = dir.file("crossed.obj", CROSSED);
    for out in ["marked.ply", "marked.obj", "marked.vtu", "report.json"] {
        let (out, picture) = (dir.path(out), dir.path("picture.png"));
        assert_eq!(
            crumple(&["check", &crossed, "--out", &out, "--picture", &picture]).status.code(),
            Some(1)
        );
        assert!(std::fs::metadata(&out).is_ok_and(|m| m.len() > 50), "{out}");
        assert!(std::fs::read(&picture).is_ok_and(|b| b.starts_with(b"\x89PNG")));
    }
    assert_eq!(crumple(&["completions", "bash"]).status.code(), Some(0));
}
