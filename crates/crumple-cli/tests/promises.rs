//! What a person needs beside the answer: known contacts, hints, limits, names in errors.

mod support;

use serde_json::Value;
use support::{Scratch, crumple, json, refused};

const SHEET: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";

/// A triangle that stands in the sheet at x.
fn blade(x: f64) -> String {
    format!("v {x} 1 -1\nv {x} 1 1\nv {x} 1.5 1\nf 1 2 3\n")
}

fn text(args: &[&str]) -> String {
    String::from_utf8_lossy(&crumple(args).stdout).into_owned()
}

#[test]
fn known_contacts_are_told_apart_and_not_counted() {
    let dir = Scratch::new();
    let (sheet, one) = (dir.file("sheet.obj", SHEET), dir.file("one.obj", &blade(0.5)));
    let two = dir.file("two.obj", &blade(1.0));
    let known = dir.path("known.json");
    assert_eq!(crumple(&["check", &sheet, &one, "--out", &known]).status.code(), Some(1));
    // The same again: nothing is new, in whatever order the bodies come.
    for files in [[&sheet, &one], [&one, &sheet]] {
        let report = json(&["check", files[0], files[1], "--baseline", &known], 0);
        let frame = &report["frames"][0];
        assert_eq!(frame["triangle_pairs"], serde_json::json!([]));
        assert_eq!(frame["places"], serde_json::json!([]));
        assert_eq!(frame["known"]["triangle_pairs"], serde_json::json!([[0, 0, 1, 0]]));
    }
    assert!(text(&["check", &sheet, &one, "--baseline", &known]).contains("nothing new collides (1 known)"));
    // One more body: its contact is new, and both are known once they are written down.
    let more = ["check", &sheet, &one, &two, "--baseline", &known];
    let report = json(&more, 1);
    assert_eq!(report["frames"][0]["triangle_pairs"], serde_json::json!([[0, 0, 2, 0]]));
    assert_eq!(report["frames"][0]["places"].as_array().map(Vec::len), Some(1));
    assert!(text(&more).contains("1 between bodies (1 known)"));
    json(&[&more[..], &["--out", &known]].concat(), 1);
    json(&more, 0);
}

#[test]
fn a_baseline_that_does_not_fit_is_refused() {
    let dir = Scratch::new();
    let (sheet, one) = (dir.file("sheet.obj", SHEET), dir.file("one.obj", &blade(0.5)));
    let known = dir.path("known.json");
    assert_eq!(crumple(&["check", &sheet, &one, "--out", &known]).status.code(), Some(1));
    let changed = dir.file("one.obj", &(blade(0.5) + "f 1 2 3\n"));
    refused(&["check", &sheet, &changed, "--baseline", &known], &["known.json", "one.obj", "2 triangles"]);
    let other = dir.file("other.obj", &(blade(3.0) + "v 0 0 0\n"));
    refused(&["check", &other, "--baseline", &known], &["known.json", "sheet.obj"]);
    refused(&["check", &sheet, "--baseline", &dir.path("none.json")], &["none.json"]);
    let odd = dir.file("odd.json", "{\"schema\":\"crumple.step/1\",\"bodies\":[],\"frames\":[]}");
    refused(&["check", &sheet, "--baseline", &odd], &["odd.json", "crumple.step/1"]);
    refused(&["check", &sheet, "--baseline", &dir.file("text.json", "{")], &["text.json"]);
}

#[test]
fn known_contacts_of_any_frame_are_known_in_all() {
    let dir = Scratch::new();
    let two = |x: f64| format!("{SHEET}v {x} 1 -1\nv {x} 1 1\nv {x} 1.5 1\nf 4 5 6\n");
    let frames =
        [dir.file("f1.obj", &two(9.0)), dir.file("f2.obj", &two(1.0)), dir.file("f3.obj", &two(2.0))];
    let known = dir.path("known.json");
    let [a, b, c] = frames.each_ref().map(String::as_str);
    json(&["check", "--sequence", a, b, "--out", &known], 1);
    let report = json(&["check", "--sequence", a, b, c, "--baseline", &known], 0);
    let known_in = |f: usize| report["frames"][f]["known"]["triangle_pairs"].as_array().map(Vec::len);
    assert_eq!([known_in(0), known_in(1), known_in(2)], [Some(0), Some(1), Some(1)]);
    // Impacts on the way count too, and can be known.
    let moving = ["check", "--sequence", a, b, c, "--continuous", "--baseline", &known];
    let report = json(&moving, 1);
    assert!(report["frames"][1]["impacts"]["edge_edges"].as_array().is_some_and(|e| !e.is_empty()));
    json(&[&moving[..], &["--out", &known]].concat(), 1);
    let report = json(&moving, 0);
    assert_eq!(report["frames"][1]["impacts"]["time"], Value::Null);
}

#[test]
fn hints_where_a_person_went_wrong() {
    let dir = Scratch::new();
    let frames: Vec<String> = (1..4).map(|f| dir.file(&format!("shot.100{f}.obj"), SHEET)).collect();
    let [a, b, c] = [0, 1, 2].map(|f| frames[f].as_str());
    let report = json(&["check", a, b, c], 1);
    let hint = report["hints"][0].as_str().expect("a hint").to_owned();
    assert!(hint.contains("shot.1001.obj to shot.1003.obj") && hint.contains("--sequence"), "{hint}");
    assert!(text(&["check", a, b, c]).contains(&hint));
    assert!(json(&["check", "--sequence", a, b, c], 0).get("hints").is_none());
    let left = dir.file("left.obj", SHEET);
    assert!(json(&["check", a, &left], 1).get("hints").is_none(), "names that are no frames");

    let large = dir.file("large.obj", &SHEET.replace('4', "4000"));
    let report = json(&["check", &left, &large], 1);
    let hint = report["hints"][0].as_str().expect("a hint");
    assert!(hint.contains("large.obj") && hint.contains("1000 times") && hint.contains("units"), "{hint}");

    refused(&["check", &dir.path("")], &["directory", "--sequence", "*.obj"]);
    let empty = Scratch::new();
    refused(&["check", &empty.path("")], &["directory", "no mesh file"]);
    let off = dir.file("wrong.obj", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    refused(&["check", &off], &["wrong.obj", "OFF"]);
}

#[test]
fn marked_frames_have_the_numbers_of_their_files() {
    let dir = Scratch::new();
    let frames: Vec<String> =
        ["shot.1001.obj", "shot.1002.obj", "last.obj"].map(|name| dir.file(name, SHEET)).to_vec();
    let [a, b, c] = [0, 1, 2].map(|f| frames[f].as_str());
    json(&["check", "--sequence", a, b, c, a, "--out", &dir.path("marked.pvd")], 0);
    let list = std::fs::read_to_string(dir.path("marked.pvd")).expect("a list");
    for name in ["marked_1001.vtu", "marked_1002.vtu", "marked_0002.vtu", "marked_0003.vtu"] {
        assert!(list.contains(name) && std::fs::exists(dir.path(name)).expect("readable"), "{name}: {list}");
    }
}

#[test]
fn lists_that_explode_end_with_a_word() {
    let dir = Scratch::new();
    let (a, b) = (dir.file("a.obj", SHEET), dir.file("b.obj", &blade(9.0)));
    for command in [&["distance", &a, &b][..], &["proximity", &a, &b]] {
        let with = |more: &[&'static str]| [command, &["--within", "100"], more].concat();
        refused(&with(&["--limit", "0"]), &["--within 100", "more than 0 pairs", "--limit"]);
        json(&with(&["--limit", "1000"]), 0);
    }
    refused(&["distance", &a, &b, "--limit", "5"], &["--within"]);
    let crossing = dir.file("b.obj", &blade(1.0));
    refused(&["check", &a, &crossing, "--limit", "0"], &["a.obj, b.obj", "more than 0 pairs", "--limit"]);
    json(&["check", &a, &crossing, "--limit", "1"], 1);
}

#[test]
fn printed_times_are_what_was_waited_for() {
    let dir = Scratch::new();
    let (a, b) = (dir.file("a.obj", SHEET), dir.file("b.obj", &blade(9.0)));
    let point = dir.file("p.xyz", "0 0 0\n");
    let cube = support::testdata("meshes/box.off");
    let moved = dir.path("moved.obj");
    for args in [
        &["check", &a, &b][..],
        &["check", "--sequence", &a, &a],
        &["untangle", &a, &b, "--out", &moved],
        &["cut", &a, "--plane", "1,0,0,1,0,0", "--out", &moved],
        &["distance", &a, &b],
        &["proximity", &a, &b, "--within", "1"],
        &["step", &a, &a],
        &["inside", &cube, &point],
        &["overlap", &cube, &cube],
    ] {
        let told = text(args);
        let last = told.lines().last().unwrap_or_default().to_owned();
        assert!(last.contains(" in all: reading "), "{args:?}: {told}");
    }
    // A picture takes a thousand times as long as two triangles.
    let told = text(&["check", &a, &b, "--picture", &dir.path("seen.png")]);
    assert!(told.lines().last().is_some_and(|line| line.contains(", the rest ")), "{told}");
}

#[test]
fn frames_that_collide_are_named_by_their_files() {
    let dir = Scratch::new();
    let two = |x: f64| format!("{SHEET}v {x} 1 -1\nv {x} 1 1\nv {x} 1.5 1\nf 4 5 6\n");
    let names = ["f.1001.obj", "f.1002.obj", "f.1003.obj", "f.1004.obj", "f.1005.obj"];
    let files: Vec<String> =
        names.iter().zip([1.0, 2.0, 9.0, 1.0, 9.0]).map(|(name, x)| dir.file(name, &two(x))).collect();
    let args: Vec<&str> =
        ["check", "--sequence"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let told = text(&args);
    assert!(told.contains("3 of 5 frames collide: f.1001.obj to f.1002.obj, f.1004.obj\n"), "{told}");
}

/// Nothing is shared, so nothing parts the two: that is said, and not "by (-0, -0, -0)".
#[test]
fn bodies_apart_have_no_way_that_parts_them() {
    let dir = Scratch::new();
    let cube = |x: f64| {
        let corner = |k: usize| format!("v {} {} {}\n", x + (k & 1) as f64, k >> 1 & 1, k >> 2);
        (0..8).map(corner).collect::<String>()
            + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
    };
    let (a, b) = (dir.file("a.obj", &cube(0.0)), dir.file("b.obj", &cube(5.0)));
    let told = text(&["overlap", &a, &b, "--gradient"]);
    assert!(told.contains("no way to move the first") && !told.contains("-0"), "{told}");
}

#[test]
fn what_is_undecided_is_not_called_free() {
    let dir = Scratch::new();
    let (sheet, one) = (dir.file("sheet.obj", SHEET), dir.file("one.obj", &blade(0.5)));
    let out = crumple(&["check", &sheet, &one, "--budget-ms", "0", "--json"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("undecided"));
    let report: Value = serde_json::from_slice(&out.stdout).expect("the document is printed all the same");
    assert_eq!(report["frames"][0]["undecided"][0]["most"], 1);
    assert_eq!(report["frames"][0]["guarantee"], "partial");
    assert_eq!(report["frames"][0]["complete"], false);
    // Visits are counted alike everywhere.
    let out = crumple(&["check", &sheet, &one, "--budget-visits", "0", "--json"]);
    assert_eq!(out.status.code(), Some(2));
    let none: Value = serde_json::from_slice(&out.stdout).expect("one document");
    assert_eq!(
        (&none["frames"][0]["complete"], &none["frames"][0]["undecided"][0]["most"]),
        (&false.into(), &1.into())
    );
    let many = json(&["check", &sheet, &one, "--budget-visits", "100000", "--budget-ms", "60000"], 1);
    assert_eq!(many["frames"][0]["complete"], true);
    let far = dir.file("far.obj", &blade(9.0));
    let bounds = json(&["distance", &sheet, &far, "--budget-visits", "0"], 0);
    let [lower, upper] = ["lower", "upper"].map(|k| bounds[k].as_f64().expect("a number"));
    assert!(lower <= upper && bounds["guarantee"] == "partial", "{bounds}");
    let report = json(&["check", &sheet, &one, "--budget-ms", "60000"], 1);
    assert_eq!(report["frames"][0]["undecided"], serde_json::json!([]));
    assert_eq!(report["frames"][0]["guarantee"], "proved");
    assert_eq!(report["frames"][0]["complete"], true);
}

/// A vertex in a tet is a collision, or the tet beside it is inverted and wants repair.
#[test]
fn an_inverted_tet_is_told_apart_from_a_collision() {
    let dir = Scratch::new();
    // Two tets on one face, whose tips are on one side of it: the second is inverted.
    let inverted = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 4 0 0\n3 0 4 0\n4 0 0 4\n5 0.5 0.5 1\n$EndNodes\n\
                    $Elements\n2\n1 4 2 0 0 1 2 3 4\n2 4 2 0 0 1 3 2 5\n$EndElements\n";
    let file = dir.file("inverted.msh", inverted);
    let report = json(&["check", &file], 1);
    let rows = report["frames"][0]["vertex_tets"].as_array().expect("a list");
    assert!(!rows.is_empty() && rows.iter().all(|row| row["cause"] == "inverted"), "{rows:?}");
    assert!(text(&["check", &file]).contains("because a tet is inverted"));
}

#[test]
fn inside_says_how_far_it_can_be_trusted() {
    let dir = Scratch::new();
    let closed = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    let (tet, open) = (dir.file("tet.obj", closed), dir.file("open.obj", &closed.replace("f 1 4 3\n", "")));
    let points = dir.file("points.xyz", "0.5 0.5 0.5\n9 9 9\n");
    let report = json(&["inside", &tet, &points], 0);
    assert_eq!(
        (&report["inside"], &report["guarantee"]),
        (&serde_json::json!([true, false]), &"proved".into())
    );
    let report = json(&["inside", &open, &points, "--allow-open"], 0);
    assert_eq!(report["guarantee"], "unproved");
}

/// What counts as inside a tet is as the user says (T-A11).
#[test]
fn the_skin_of_a_tet_is_as_it_was_asked_for() {
    let dir = Scratch::new();
    let tet = |at: [f64; 3]| {
        let [x, y, z] = at;
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 {x} {y} {z}\n2 {} {y} {z}\n3 {x} {} {z}\n4 {x} {y} {}\n$EndNodes\n\
             $Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n",
            x + 4.0,
            y + 4.0,
            z + 4.0
        )
    };
    let (first, on, deep, same) = (
        dir.file("first.msh", &tet([0.0; 3])),
        dir.file("on.msh", &tet([1.0, 1.0, 2.0])),
        dir.file("deep.msh", &tet([0.25; 3])),
        dir.file("same.msh", &tet([4.0, 0.0, 0.0])),
    );
    let count = |other: &str, more: &[&str]| {
        let args = [&["check", &first, other, "--json"], more].concat();
        let out = crumple(&args);
        let report: Value = serde_json::from_slice(&out.stdout).expect("a document");
        report["frames"][0]["vertex_tets"].as_array().expect("a list").len()
    };
    // On the slanted face; 0.25 below three faces; at a corner of both.
    assert_eq!([count(&on, &[]), count(&on, &["--touch", "open"])], [1, 0]);
    assert_eq!([count(&deep, &["--touch", "open"]), count(&deep, &["--touch", "0.2"])], [1, 1]);
    assert_eq!(count(&deep, &["--touch", "0.3"]), 0);
    assert_eq!([count(&same, &[]), count(&same, &["--weld", "0"])], [2, 0]);
    let out = crumple(&["check", &first, "--touch", "nearly"]);
    assert_eq!(out.status.code(), Some(2));
    let out = crumple(&["check", &first, "--weld", "-1"]);
    assert_eq!(out.status.code(), Some(2));
    // Decided to the last bit, so what is proved is told.
    let report = json(&["check", &first, &deep, "--touch", "0.25"], 1);
    let frame = &report["frames"][0];
    assert_eq!(
        (&frame["vertex_tets"], &frame["tet_guarantee"]),
        (&serde_json::json!([]), &serde_json::json!("proved"))
    );
    // A surface has no tets: nothing is passed over in silence.
    let surface = dir.file("surface.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for option in [["--touch", "open"], ["--touch", "closed"], ["--weld", "0"]] {
        let out = crumple(&["check", &surface, option[0], option[1]]);
        let message = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2));
        assert!(message.contains(option[0]) && message.contains("surface.obj has none"), "{message}");
    }
}

/// Where the common volume is too thin for any sampling, that is said, and not passed over as "no depth".
#[test]
fn a_depth_that_cannot_be_sampled_is_told() {
    let dir = Scratch::new();
    let cube = |low: [f64; 3], high: [f64; 3]| {
        let mut text = String::new();
        for k in 0..8 {
            let at = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            text += &format!("v {} {} {}\n", at(0), at(1), at(2));
        }
        text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
    };
    let a = dir.file("a.obj", &cube([0.0; 3], [1.0; 3]));
    // Flush but for a hair that is far below what 2^31 steps of the bodies' size resolve.
    let b = dir.file("b.obj", &cube([1.0 - 1e-14, 0.0, 0.0], [2.0, 1.0, 1.0]));
    let report = json(&["overlap", &a, &b], 0);
    assert!(report["depth"].is_object() || report["depth_unresolved"].is_string(), "{report}");
    let out = crumple(&["overlap", &a, &b]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("depth "), "{text}");
}
