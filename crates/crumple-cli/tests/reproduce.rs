//! `crumple reproduce`: documents, reports and refusals, on experiments that take a moment.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn crumple(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crumple"));
    command.current_dir(folder).arg("reproduce").args(args).output().expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn json(args: &[&str]) -> Value {
    let output = crumple(folder().path(), &[args, &["--json"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    assert!(stderr.is_empty(), "{args:?} says {stderr}");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

#[test]
fn an_experiment_gives_rows_a_verdict_and_a_reason() {
    let document = json(&["M18", "v24"]);
    assert_eq!(document["schema"], "crumple.reproduce/1");
    let experiments = document["experiments"].as_array().expect("a list");
    assert_eq!(experiments.iter().map(|e| &e["id"]).collect::<Vec<_>>(), ["M18", "V24"]);
    for e in experiments {
        assert!(["holds", "holds in part", "does not hold"].contains(&e["verdict"].as_str().unwrap()));
        for key in ["title", "claim", "why", "paper", "source", "how"] {
            assert!(!e[key].as_str().expect(key).is_empty(), "{key}");
        }
        assert!(!e["rows"].as_array().expect("rows").is_empty());
        assert!(e["seconds"].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn numbers_are_counted_and_not_copied_from_the_paper() {
    let document = json(&["M18"]);
    let e = &document["experiments"][0];
    let human = e["rows"].as_array().unwrap().iter().find(|r| r["model"] == "Human").expect("the human");
    // The table prints 40 edges; a closed surface of 1888 triangles has 2832, and the verdict says so.
    assert_eq!((&human["paper: edges"], &human["edges"]), (&Value::from(40), &Value::from(2832)));
    assert_eq!(e["verdict"], "holds in part");
    assert!(e["why"].as_str().unwrap().contains("2832"));
}

#[test]
fn a_second_id_of_an_experiment_is_answered_under_its_own_name() {
    let document = json(&["M24"]);
    let e = &document["experiments"][0];
    assert_eq!((&e["id"], &e["ids"]), (&Value::from("M24"), &serde_json::json!(["M23", "M24"])));
    let list = json(&["--list"]);
    let known: Vec<&Value> =
        list.as_array().unwrap().iter().flat_map(|e| e["ids"].as_array().unwrap()).collect();
    for id in ["T25", "T37", "M20", "M25", "H21", "H28", "B13", "B18", "V18", "V24"] {
        assert!(known.contains(&&Value::from(id)), "{id}");
    }
}

#[test]
fn a_report_holds_everything_and_refers_to_nothing() {
    let folder = folder();
    let output = crumple(folder.path(), &["V24", "B17", "--out", "part.html", "--picture", "first.png"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let html = std::fs::read_to_string(folder.path().join("part.html")).expect("a report");
    for part in ["V24 · ", "B17 · ", "<svg", "data:image/png;base64,"] {
        assert_eq!(html.contains(part), part != "<svg", "{part}");
    }
    assert!(!html.contains("http://") && !html.contains("https://"));
    let png = std::fs::read(folder.path().join("first.png")).expect("a picture");
    assert!(png.starts_with(b"\x89PNG"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("The paper: ") && text.contains("holds"), "{text}");
}

#[test]
fn unknown_ids_are_refused_with_the_known_ones() {
    for id in ["T99", "", "teschner"] {
        let output = crumple(folder().path(), &[id]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{id}: {stderr}");
        assert!(output.stdout.is_empty());
        assert!(stderr.contains("T25") && stderr.contains("V24"), "{stderr}");
    }
    // Nothing is run when one of several is wrong.
    let output = crumple(folder().path(), &["M18", "T99"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
