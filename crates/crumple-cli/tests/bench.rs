//! `crumple bench`: its forms, its verified answers, its records.

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Scratch, json, refused, testdata};

const ONE: [&str; 4] = ["--rounds", "1", "--threads", "1"];

/// Two balls that share a lens.
const BALLS: &str = r#"
name = "balls"
[[body]]
shape = { kind = "icosphere", n = 3 }
[[body]]
shape = { kind = "icosphere", n = 3 }
place = { shift = [1.2, 0.1, 0] }
"#;

fn bench(scene: &str, question: &str, method: &str) -> Value {
    let args = ["bench", "--scene", scene, "--question", question, "--method", method];
    json(&[&args[..], &ONE].concat(), 0)
}

#[test]
fn a_scene_is_a_name_a_directory_or_a_file() {
    let dir = Scratch::new();
    let folder = dir.path("loop");
    json(&["convert", "--scene", "mid-loop", &folder], 0);
    let by_name = bench("mid-loop", "self", "auto");
    assert!(by_name["results"].as_u64().is_some_and(|n| n > 0));
    for other in [folder, testdata("scenes/mid-loop.toml")] {
        let report = bench(&other, "self", "auto");
        for key in ["scene", "results", "neighbour_results", "guarantee", "method"] {
            assert_eq!(report[key], by_name[key], "{other}, {key}");
        }
    }
    refused(&["bench", "--scene", &dir.path("none.toml"), "--question", "self"], &["none.toml"]);
    let bad = dir.file("bad.toml", "name = \"bad\"\n[[body]]\nshape = { kind = \"sponge\" }\n");
    refused(&["bench", "--scene", &bad, "--question", "self"], &["bad.toml", "body[0].shape.kind", "sponge"]);
}

#[test]
fn the_documents_fields_stay() {
    let report = bench("mid-sphere", "self", "auto");
    assert_eq!(report["schema"], "crumple.bench/1");
    assert_eq!((&report["threads"], &report["question"]), (&1.into(), &"self".into()));
    for key in ["build", "update", "query"] {
        assert!(report["seconds"][key].as_f64().is_some_and(|s| s >= 0.0), "{key}");
    }
    for key in ["scene", "method", "results", "neighbour_results", "guarantee"] {
        assert!(!report[key].is_null(), "{key}");
    }
}

#[test]
fn brute_force_answers_every_question() {
    for (scene, question) in [
        ("sheet-loop", "self"),
        ("blobs", "pairs"),
        ("tet-boxes", "tets"),
        ("points-in-torus", "inside"),
        ("near-tori", "distance"),
    ] {
        let [brute, auto] = ["brute-force", "auto"].map(|m| bench(scene, question, m));
        assert_eq!((&brute["method"], &brute["guarantee"]), (&"brute-force".into(), &"proved".into()));
        let [b, a] = [brute, auto].map(|r| r["results"].as_f64().expect("a number"));
        assert!(b > 0.0 && (a - b).abs() <= 1e-9 * b, "{scene} {question}: {a}, by brute force {b}");
    }
    let dir = Scratch::new();
    let balls = dir.file("balls.toml", BALLS);
    let [brute, auto] = ["brute-force", "auto"].map(|m| bench(&balls, "overlap", m));
    let bounds: Vec<f64> = serde_json::from_value(auto["bounds"].clone()).expect("two bounds");
    let volume = brute["results"].as_f64().expect("a volume");
    assert!(bounds[0] <= volume && volume <= bounds[1], "{volume} in {bounds:?}");
}

#[test]
fn a_method_is_never_replaced_by_another() {
    let ask = |question, method| {
        let args = ["bench", "--scene", "two-triangles", "--question", question, "--method", method];
        refused(&args, &[method, "does not answer", question]);
    };
    ask("self", "layered-depth");
    ask("tets", "regularity");
    ask("distance", "bucket-tree");
    refused(&["bench", "--scene", "two-triangles", "--question", "pairs", "--body", "0"], &["--body"]);
    refused(&["bench", "--scene", "two-triangles", "--question", "self", "--body", "9"], &["no body 9"]);
}

const DEFINITIONS: &str = r#"
[[bench]]
question = "self"
scene = "sheet-loop"
methods = ["auto", "regularity", "brute-force"]
results = RESULTS
analysis = "What to look for."

[[bench]]
question = "distance"
scene = { name = "boxes, near", frames = 2, body = [
    { shape = { kind = "box" } },
    { shape = { kind = "box" }, place = { shift = [1.5, 0, 0] } },
] }
methods = ["auto", "distance-hierarchy", "brute-force"]
model = "query"
results = 1
analysis = "Half a unit, twice."
"#;

fn definitions(dir: &Scratch, results: u64) -> String {
    dir.file("mine.toml", &DEFINITIONS.replace("RESULTS", &results.to_string()))
}

#[test]
fn definitions_are_measured_and_verified() {
    let dir = Scratch::new();
    let truth = bench("sheet-loop", "self", "brute-force")["results"].as_u64().expect("a count");
    let mine = definitions(&dir, truth);
    let report = json(&["bench", "--definitions", &mine, "--rounds", "1"], 0);
    assert_eq!((&report["schema"], &report["threads"]), (&"crumple.benchmarks/1".into(), &1.into()));
    let [first, second] = &report["benchmarks"].as_array().expect("a list")[..] else {
        panic!("two benchmarks")
    };
    assert_eq!(first["runs"].as_array().map(Vec::len), Some(3));
    assert!(first["choice"]["ratio"].as_f64().is_some_and(|r| r > 0.0));
    assert!(["regularity", "brute-force"].contains(&first["choice"]["best"].as_str().expect("a method")));
    assert_eq!((&second["model"], &second["choice"]), (&"query".into(), &Value::Null));

    let wrong = definitions(&dir, truth + 1);
    let expected = (truth + 1).to_string();
    refused(&["bench", "--definitions", &wrong], &["self sheet-loop", "expected", &expected]);
    let unknown =
        dir.file("unknown.toml", &DEFINITIONS.replace("RESULTS", "0").replace("regularity", "magic"));
    refused(&["bench", "--definitions", &unknown], &["self sheet-loop", "\"magic\"", "bucket-tree"]);
}

#[test]
fn records_are_kept_by_machine_and_day() {
    let dir = Scratch::new();
    let record = dir.path("record");
    let truth = bench("sheet-loop", "self", "brute-force");
    let mine = definitions(&dir, truth["results"].as_u64().expect("a count"));
    json(&["bench", "--definitions", &mine, "--rounds", "1", "--record", &record], 0);
    let args = ["bench", "--scene", "sheet-loop", "--question", "self", "--record", &record];
    json(&[&args[..], &ONE].concat(), 0);

    let machine = Path::new(&record).join(truth["machine"].as_str().expect("a machine"));
    let files: Vec<_> = std::fs::read_dir(&machine).expect("a folder a machine").flatten().collect();
    // A run may cross midnight.
    assert!((1..=2).contains(&files.len()));
    let mut rows = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("readable");
        let mut lines = text.lines();
        let columns =
            "scene,question,method,threads,build,update,query,results,neighbour_results,guarantee,version";
        assert_eq!(lines.next(), Some(columns));
        rows.extend(lines.map(str::to_owned));
    }
    assert_eq!(rows.len(), 3 + 3 + 1);
    for row in &rows {
        assert!(row.starts_with("sheet-loop,self,") || row.starts_with("\"boxes, near\",distance,"), "{row}");
    }
}
