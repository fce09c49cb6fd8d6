//! `crumple step`, `crumple proximity`, and options that are refused instead of passed over.

mod support;

use serde_json::json;
use support::{Scratch, crumple, json as answer};

const SHEET: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n";

fn spike(z: f64) -> String {
    format!("v 1 1 {z}\nv 1.1 1 {z}\nv 1 1.1 {z}\nf 1 2 3\n")
}

#[test]
fn what_passes_through_between_two_frames_is_found() {
    let files = Scratch::new();
    let (sheet, above, below) =
        (files.file("sheet.obj", SHEET), files.file("a.obj", &spike(2.0)), files.file("b.obj", &spike(-2.0)));
    // Neither frame touches.
    for end in [&above, &below] {
        assert_eq!(answer(&["check", &sheet, end], 0)["frames"][0]["triangle_pairs"], json!([]));
    }
    let report = answer(&["step", "--from", &sheet, &above, "--to", &sheet, &below], 1);
    assert_eq!((&report["schema"], &report["collides"]), (&json!("crumple.step/1"), &json!(true)));
    let rows = report["vertex_triangles"].as_array().expect("a list");
    assert_eq!(rows.len(), 3);
    assert_eq!(
        rows[0].as_array().map(|r| r[..4].to_vec()),
        Some(vec![json!(1), json!(0), json!(0), json!(0)])
    );
    let [lo, hi] = [0, 1].map(|k| report["time"][k].as_f64().expect("a time"));
    assert!(lo <= 0.5 && 0.5 <= hi && hi - lo <= 1e-12);
    let clean = answer(&["step", "--from", &sheet, &above, "--to", &sheet, &above], 0);
    assert_eq!((&clean["time"], &clean["collides"]), (&json!(null), &json!(false)));
    let picture = files.path("step.png");
    assert_eq!(crumple(&["step", &above, &below, "--picture", &picture]).status.code(), Some(0));
    assert!(std::fs::read(&picture).is_ok_and(|b| b.starts_with(b"\x89PNG")));
}

#[test]
fn frames_that_do_not_fit_are_refused() {
    let files = Scratch::new();
    let (sheet, other) =
        (files.file("sheet.obj", SHEET), files.file("other.obj", "v 0 0 0\nv 4 0 0\nf 1 2 1\n"));
    let output = crumple(&["step", &sheet, &other, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("other.obj"));
}

#[test]
fn single_queries_are_answered() {
    let files = Scratch::new();
    let rows = |z: [i64; 4], verdict: u8| -> String {
        let xy = [[1, 1], [0, 0], [4, 0], [0, 4]];
        xy.iter().zip(z).map(|([x, y], z)| format!("{x},1,{y},1,{z},1,{verdict}\n")).collect()
    };
    let text =
        rows([2, 0, 0, 0], 1) + &rows([-1, 0, 0, 0], 1) + &rows([2, 0, 0, 0], 0) + &rows([1, 0, 0, 0], 0);
    let file = files.file("queries.csv", &text);
    let report = answer(&["step", "--queries", &file, "--kind", "vertex-face"], 1);
    assert_eq!((&report["schema"], &report["verdicts"]), (&json!("crumple.queries/1"), &json!([1, 0])));
    assert_eq!((&report["times"][1], &report["disagreements"]), (&json!(null), &json!(0)));
}

#[test]
fn what_is_close_is_listed() {
    let files = Scratch::new();
    let (sheet, near) = (files.file("sheet.obj", SHEET), files.file("near.obj", &spike(0.5)));
    let report = answer(&["proximity", &sheet, &near, "--within", "0.75"], 0);
    assert_eq!(report["schema"], "crumple.proximity/1");
    assert_eq!(report["vertex_triangles"][0], json!([1, 0, 0, 0, 0.5]));
    assert_eq!(answer(&["proximity", &sheet, &near, "--within", "0.4"], 0)["vertex_triangles"], json!([]));
}

#[test]
fn no_option_is_passed_over() {
    let files = Scratch::new();
    let sheet = files.file("sheet.obj", SHEET);
    for (command, option, file) in [
        (&["info", &sheet][..], "--picture", "x.png"),
        (&["info", &sheet], "--out", "x.txt"),
        (&["distance", &sheet, &sheet], "--out", "d.ply"),
        (&["overlap", &sheet, &sheet], "--out", "o.vtu"),
        (&["check", &sheet], "--picture", "x.jpg"),
        (&["bench"], "--picture", "x.png"),
        (&["completions", "bash"], "--out", "x.sh"),
    ] {
        let path = files.path(file);
        let output = crumple(&[command, &[option, &path]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?} {option}");
        assert!(!std::path::Path::new(&path).exists());
    }
}

#[test]
fn several_sequences_and_fixed_bodies_are_checked_together() {
    let files = Scratch::new();
    let moving: Vec<String> =
        (0..3).map(|k| files.file(&format!("spike_{k}.obj"), &spike(1.0 - f64::from(k)))).collect();
    let still: Vec<String> = (0..3).map(|k| files.file(&format!("sheet_{k}.obj"), SHEET)).collect();
    let floor = files.file("floor.obj", "v -9 -9 -1\nv 9 -9 -1\nv 0 9 -1\nf 1 2 3\n");
    let mut args = vec!["check", "--sequence"];
    args.extend(moving.iter().map(String::as_str));
    args.push("--sequence");
    args.extend(still.iter().map(String::as_str));
    args.extend(["--fixed", &floor]);
    let report = answer(&args, 1);
    assert_eq!(report["bodies"].as_array().map(Vec::len), Some(3));
    let pairs: Vec<usize> = (report["frames"].as_array().expect("frames").iter())
        .map(|f| f["triangle_pairs"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(pairs, [0, 1, 1], "through the sheet, then on the floor");
    assert_eq!(report["frames"][1]["name"], "spike_1.obj");
}

#[test]
fn a_sequence_is_checked_between_its_frames() {
    let files = Scratch::new();
    let both = |z: f64| format!("{SHEET}{}", spike(z).replace("f 1 2 3", "f 4 5 6"));
    let frames = [2.0, -2.0, -3.0].map(both);
    let paths: Vec<String> =
        frames.iter().enumerate().map(|(k, text)| files.file(&format!("f{k}.obj"), text)).collect();
    let mut args = vec!["check", "--sequence"];
    args.extend(paths.iter().map(String::as_str));
    let still = answer(&args, 0);
    assert!(still["frames"][1].get("impacts").is_none());
    args.push("--continuous");
    let report = answer(&args, 1);
    assert_eq!(report["frames"][1]["impacts"]["vertex_triangles"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["frames"][2]["impacts"]["vertex_triangles"], json!([]));
    assert_eq!(crumple(&["check", &paths[0], "--continuous"]).status.code(), Some(2));
}
