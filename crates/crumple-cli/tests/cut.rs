//! `crumple cut`: parts, seams, sequences, and what is refused.

mod support;

use serde_json::json;
use support::{Scratch, crumple, json as answer};

const SHEET: &str = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n";

#[test]
fn a_plane_parts_a_sheet_and_the_copies_lie_on_each_other() {
    let files = Scratch::new();
    let (sheet, out, picture) =
        (files.file("sheet.obj", SHEET), files.path("cut.ply"), files.path("cut.png"));
    let report = answer(&["cut", &sheet, "--plane", "1,0,0,1,0,0", "--out", &out, "--picture", &picture], 0);
    assert_eq!((&report["schema"], &report["parts"]), (&json!("crumple.cut/1"), &json!([1, 2])));
    // The plane crosses two sides and the diagonal.
    assert_eq!(report["seam"].as_array().map(Vec::len), Some(3));
    let mesh = crumple_io::read(out.as_ref()).expect("it was written");
    assert_eq!(mesh.positions.len(), 4 + 2 * 3);
    for row in report["seam"].as_array().expect("rows") {
        let [v, copy] = [0, 1].map(|k| row[k].as_u64().expect("a vertex") as usize);
        assert_eq!(mesh.positions[v], mesh.positions[copy]);
        assert_eq!(mesh.positions[v][0], 1.0);
    }
    assert!(std::fs::read(&picture).is_ok_and(|b| b.starts_with(b"\x89PNG")));
    let info = answer(&["info", &out], 0);
    assert!(info.to_string().contains("cut.ply"), "{info}");
}

#[test]
fn a_blade_that_ends_inside_leaves_a_slit() {
    let files = Scratch::new();
    let (sheet, line) = (files.file("sheet.obj", SHEET), files.file("line.xyz", "1 -1 -1\n1 1 -1\n"));
    let out = files.path("slit.obj");
    let report = answer(&["cut", &sheet, "--blade", &line, "--along", "0,0,2", "--out", &out], 0);
    assert_eq!(report["parts"], json!([1, 1]));
}

#[test]
fn a_surface_cuts_what_it_meets() {
    let files = Scratch::new();
    let sheet = files.file("sheet.obj", SHEET);
    let out = files.path("cut.ply");
    // A closed tent over the middle, and the same without a side, which ends in the middle of both triangles: no edge is cut twice.
    let tent = "v 1.1 1.2 -1\nv 3.1 1.1 -1\nv 2.1 3.2 -1\nv 2.1 1.9 2\nf 1 2 4\nf 2 3 4\n";
    for (faces, parts) in [("f 3 1 4\n", 2), ("", 1)] {
        let blade = files.file("tent.obj", &format!("{tent}{faces}"));
        let report = answer(&["cut", &sheet, "--blade", &blade, "--out", &out], 0);
        assert_eq!(report["parts"], json!([1, parts]), "{faces}");
        assert_eq!(report["seam"].as_array().is_some_and(|rows| !rows.is_empty()), parts == 2);
    }
    // Bent twice, through a block of tets.
    let block = files.file(
        "block.vtk",
        "# vtk DataFile Version 3.0\nblock\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 4 0 0 0 4 0 0 0 4\n\
         CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n",
    );
    let roof = files.file(
        "roof.obj",
        "v 1 -9 -9\nv 1 9 -9\nv 1.3 -9 0.7\nv 1.3 9 0.7\nv 0.9 -9 9\nv 0.9 9 9\nf 1 2 4 3\nf 3 4 6 5\n",
    );
    let out = files.path("halves.vtu");
    let report = answer(&["cut", &block, "--blade", &roof, "--out", &out], 0);
    assert_eq!(report["parts"], json!([1, 2]));
    // What is no blade, and one that crosses itself.
    let line = files.file("line.xyz", "1 -1 -1\n1 1 -1\n");
    let cross = files.file(
        "cross.obj",
        "v 1 -9 -9\nv 1 9 -9\nv 1 9 9\nv 1 -9 9\nv -9 1.5 -9\nv 9 1.5 -9\nv 9 1.5 9\nv -9 1.5 9\nf 1 2 3 4\nf 5 6 7 8\n",
    );
    for (blade, message) in [(&line, "--along"), (&cross, "cross itself")] {
        let done = crumple(&["cut", &sheet, "--blade", blade, "--out", &out]);
        assert_eq!(done.status.code(), Some(2));
        let text = String::from_utf8_lossy(&done.stderr);
        assert!(text.contains(message), "{text}");
    }
}

#[test]
fn a_check_of_a_cut_body_knows_the_cut() {
    let files = Scratch::new();
    let first = files.file("f_0.obj", SHEET);
    // The right side comes over the left one, and under it.
    let second =
        files.file("f_1.obj", &SHEET.replace("v 4 0 0", "v 0.2 0 1").replace("v 4 4 0", "v 0.2 4 -1"));
    let out = files.path("cut_0.obj");
    let cut = files.path("cut.json");
    let plane = ["--plane", "1,0,0,1,0,0", "--out", &out];
    let report = answer(&[&["cut", &first, "--sequence", &second][..], &plane].concat(), 0);
    std::fs::write(&cut, report.to_string()).expect("written");
    let written = report["written"].as_array().expect("files").clone();
    let frame = |n: usize| written[n].as_str().expect("a name").to_owned();
    let alone = answer(&["check", &frame(0)], 1);
    assert!(alone["frames"][0]["triangle_pairs"].as_array().is_some_and(|rows| !rows.is_empty()));
    let known = answer(&["check", &frame(0), "--cut", &cut], 0);
    assert_eq!(known["frames"][0]["fresh_cut"], json!(true));
    let args = ["check", "--sequence", &frame(0), &frame(1), "--cut", &cut, "--cut-depth", "100"];
    let deep = answer(&args, 0);
    assert_eq!(deep["frames"].as_array().map(Vec::len), Some(2));
    // On the way from frame to frame the sides go through each other, because of the cut.
    let stepped = answer(&[&args[..], &["--continuous"]].concat(), 0);
    assert_eq!(stepped["frames"][1]["impacts"]["vertex_triangles"], json!([]));
    let without = ["check", "--sequence", &frame(0), &frame(1), "--continuous"];
    let all = answer(&without, 1)["frames"][1]["impacts"].to_string();
    assert_ne!(all, stepped["frames"][1]["impacts"].to_string());
    let bad = files.file("bad.json", "{}");
    let own = files.file("own.json", &json!({"schema": "crumple.cut/1", "seam": [[1, 1]]}).to_string());
    for (args, message) in [
        (vec!["check", &sheet_of(&files), "--cut", &bad], "crumple cut --json"),
        (vec!["check", &sheet_of(&files), "--cut", &cut], "seam"),
        (vec!["check", &frame(0), "--cut", &cut, "--cut-depth", "nan"], "--cut-depth"),
        (vec!["check", &frame(0), "--cut", &own], "pairs a vertex with itself"),
    ] {
        let done = crumple(&args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&done.stderr).contains(message), "{args:?}");
    }
}

fn sheet_of(files: &Scratch) -> String {
    files.file("sheet.obj", SHEET)
}

#[test]
fn every_frame_of_a_sequence_gets_the_same_cut() {
    let files = Scratch::new();
    let first = files.file("f_0.obj", SHEET);
    let second = files.file("f_1.obj", &SHEET.replace("v 4 0 0", "v 8 0 0").replace("v 4 4 0", "v 8 4 0"));
    let out = files.path("cut.ply");
    let report = answer(&["cut", &first, "--sequence", &second, "--plane", "1,0,0,1,0,0", "--out", &out], 0);
    let written = report["written"].as_array().expect("files").clone();
    assert_eq!(written.len(), 2);
    let read = |n: usize| crumple_io::read(written[n].as_str().expect("a name").as_ref()).expect("written");
    let (a, b) = (read(0), read(1));
    assert_eq!(a.polygons, b.polygons);
    assert!(a.positions.iter().zip(&b.positions).all(|(p, q)| 2.0 * p[0] == q[0]));
}

#[test]
fn what_cuts_must_be_said_and_where_it_goes() {
    let files = Scratch::new();
    let (sheet, out) = (files.file("sheet.obj", SHEET), files.path("cut.ply"));
    for (args, message) in [
        (vec!["cut", &sheet, "--out", &out], "--plane"),
        (vec!["cut", &sheet, "--plane", "1,0,0,1,0,0"], "--out"),
        (vec!["cut", &sheet, "--plane", "1,0,0", "--out", &out], "6 are needed"),
        (vec!["cut", &sheet, "--plane", "1,0,0,0,0,0", "--out", &out], "no direction"),
        (vec!["cut", &sheet, "--plane", "1,0,0,nan,0,0", "--out", &out], "no direction"),
        (vec!["cut", &sheet, "--plane", "1,0,0,1,0,0", "--out", "x.stl"], "cut can write"),
        (vec!["cut", &sheet, "--plane", "1,0,0,1,0,0", "--out", &out, "--depth", "nan"], "--depth"),
    ] {
        let output = crumple(&args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(message), "{args:?}: {text}");
    }
}
