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
    ] {
        let output = crumple(&args);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(message), "{args:?}: {text}");
    }
}
