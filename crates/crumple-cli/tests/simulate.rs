//! `crumple simulate`: scenes, frames, films, reports, and mistakes that are told with their lines.

mod support;

use serde_json::json;
use support::{Scratch, crumple, json as answer, refused};

const DROP: &str = r#"name = "drop"
frames = 12
[[body]]
name = "ball"
kind = "solid"
shape = { kind = "ball", cells = 3, radius = 0.1 }
place = { move = [0, 0.13, 0] }
[[body]]
name = "floor"
kind = "fixed"
shape = { kind = "floor", size = [2, 2] }
"#;

#[test]
fn a_scene_file_plays_and_nothing_intersects() {
    let files = Scratch::new();
    let scene = files.file("drop.toml", DROP);
    let (frames, film) = (files.path("frames"), files.path("film.png"));
    let report = answer(&["simulate", &scene, "--out", &frames, "--film", &film], 0);
    assert_eq!((&report["schema"], &report["scene"]), (&json!("crumple.simulate/1"), &json!("drop")));
    assert_eq!(report["frames"], json!(12));
    assert_eq!(report["intersections"], json!(vec![0; 12]));
    for stage in ["step", "detect", "solve"] {
        assert!(report["seconds"][stage].as_f64().is_some_and(|s| s >= 0.0), "{stage}");
    }
    // Something happened: the ball fell until it touched, and bounced with no more energy than it had.
    let contacts = report["contacts"].as_array().expect("a list");
    assert!(contacts[..5].iter().all(|n| *n == json!(0)), "{contacts:?}");
    assert!(contacts[5..8].iter().filter_map(|n| n.as_u64()).any(|n| n > 0), "{contacts:?}");
    let energy = |when: &str| {
        let parts = report[when].as_object().expect("energies").values();
        parts.filter_map(|part| part.as_f64()).sum::<f64>()
    };
    assert!(energy("last_energy") < energy("first_energy"), "{report}");
    // Thirteen frames that can be read, the first as it was.
    let checked = answer(&["check", "--sequence", &format!("{frames}/frame_*.ply")], 0);
    assert_eq!(checked["frames"].as_array().map(Vec::len), Some(13));
    // An animated PNG: the chunk acTL counts its pictures.
    let bytes = std::fs::read(&film).expect("a film");
    let at = bytes.windows(4).position(|w| w == b"acTL").expect("animated");
    assert_eq!(bytes[at + 7], 7);
    assert!(
        std::fs::read_to_string(format!("{frames}/report.json"))
            .is_ok_and(|r| r.contains("crumple.simulate/1"))
    );
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let files = Scratch::new();
    let scene = files.file("drop.toml", DROP);
    let of = |threads: &str| {
        let mut report = answer(&["simulate", &scene, "--threads", threads], 0);
        report["seconds"] = json!(null);
        report
    };
    assert_eq!(of("1"), of("2"));
}

#[test]
fn frames_for_paraview() {
    let files = Scratch::new();
    let scene = files.file("drop.toml", DROP);
    let frames = files.path("frames");
    let report = answer(&["simulate", &scene, "--frames", "2", "--out", &frames, "--frames-as", "vtu"], 0);
    assert_eq!(report["frames"], json!(2));
    let list = std::fs::read_to_string(format!("{frames}/frames.pvd")).expect("a list");
    assert_eq!(list.matches("DataSet").count(), 3);
    let info = answer(&["info", &format!("{frames}/frame_0002.vtu")], 0);
    assert!(info.to_string().contains("tets"));
}

#[test]
fn mistakes_are_told_with_their_line() {
    let files = Scratch::new();
    let wrong = |from: &str, to: &str, words: &[&str]| {
        let scene = files.file("wrong.toml", &DROP.replace(from, to));
        refused(&["simulate", &scene, "--json"], &[&["wrong.toml"], words].concat());
    };
    wrong("frames = 12", "frames = -3", &["line 2", "frames"]);
    wrong("kind = \"solid\"", "kind = \"jelly\"", &["line 5", "cloth, solid, particles or fixed"]);
    wrong("radius = 0.1", "radus = 0.1", &["line 6", "unknown key radus"]);
    wrong("move = [0, 0.13, 0]", "move = [0, 0.13]", &["line 7", "3 numbers"]);
    wrong("shape = { kind = \"floor\"", "shape = { kind = \"flor\"", &["line 11", "flor"]);
    wrong("name = \"drop\"", "name = drop", &["line 1"]);
    wrong("kind = \"solid\"", "kind = \"solid\"\nyoung = -1", &["line 6", "young"]);
    refused(&["simulate", "no-such-scene"], &["no built-in scene no-such-scene", "drape"]);
    refused(&["simulate", "drape", "--film", "film.gif"], &["film.gif", ".png"]);
    refused(&["simulate", "drape", "--picture", "x.png"], &["--film"]);
}

#[test]
fn a_start_that_crosses_is_told_and_refused_unless_untangled() {
    let files = Scratch::new();
    let other = "[[body]]\nname = \"other\"\nkind = \"solid\"\n\
        shape = { kind = \"ball\", cells = 3, radius = 0.1 }\nplace = { move = [0.15, 0.135, 0] }\n";
    let crossed = DROP.to_owned() + other;
    let scene = files.file("crossed.toml", &crossed);
    refused(&["simulate", &scene], &["cross at the start", "of ball and triangle", "of other", "--untangle"]);
    let report = answer(&["simulate", &scene, "--untangle", "--frames", "3"], 0);
    assert_eq!(report["intersections"], json!([0, 0, 0]));
    assert!(report["untangled"].as_u64().is_some_and(|n| n > 0));
    let free = answer(&["simulate", &scene, "--mode", "free", "--frames", "1"], 0);
    assert_eq!(free["frames"], json!(1));
}

#[test]
fn a_state_that_is_not_finite_stops_and_leaves_whole_frames() {
    let files = Scratch::new();
    let blown = DROP
        .replace("kind = \"solid\"", "kind = \"solid\"\nvelocity = [1e30, 0, 0]")
        .replace("frames = 12", "frames = 12\nstep = 1e25\ngravity = [0, 0, 0]\nmode = \"free\"");
    let scene = files.file("blown.toml", &blown);
    let frames = files.path("frames");
    refused(&["simulate", &scene, "--out", &frames], &["frame 0", "vertex", "ball", "not finite"]);
    answer(&["info", &format!("{frames}/frame_0000.ply")], 0);
}

#[test]
fn every_built_in_scene_is_listed_and_begins() {
    let list = answer(&["simulate", "--list"], 0);
    let names: Vec<&str> =
        list.as_array().expect("a list").iter().filter_map(|e| e["name"].as_str()).collect();
    for name in [
        "teschner-a",
        "teschner-e",
        "particles",
        "volino",
        "madera",
        "ganovelli",
        "sheets",
        "towel",
        "curtain",
        "pile",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    for name in names {
        let report = answer(&["simulate", name, "--frames", "1"], 0);
        assert_eq!(report["intersections"], json!([0]), "{name}");
    }
    let text = crumple(&["simulate", "--print", "drape"]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("[[body]]"));
}
